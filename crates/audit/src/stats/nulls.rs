//! Exact null distributions of whole-deck statistics, and X² against them.

use super::number::{real, real_len};

/// The longest deck whose Eulerian numbers are computed, in n² steps.
pub const LONGEST_EULERIAN: u32 = 2048;

/// P(k descents) for k = 0 … n−1 in a uniform order of n ≥ 1 items: Eulerian numbers over n!.
///
/// p(n, k) = ((k+1)·p(n−1, k) + (n−k)·p(n−1, k−1)) / n: all terms positive, so nothing cancels.
#[must_use]
pub fn eulerian(items: u32) -> Vec<f64> {
    let mut now = vec![1.0];
    for n in 2..=items {
        let n = f64::from(n);
        let mut next = Vec::with_capacity(now.len() + 1);
        let mut before = 0.0;
        let mut k = 0.0;
        for &p in now.iter().chain(&[0.0]) {
            next.push(((k + 1.0) * p + (n - k) * before) / n);
            before = p;
            k += 1.0;
        }
        now = next;
    }
    now
}

/// The most matches whose probability is computed; all above together have less than 10^-33.
const MOST_MATCHES: u32 = 30;

/// P(k matches) for k = 0 … min(draw, 30) between the first `draw` places of two uniform orders of
/// `items`.
///
/// The r-th factorial moment is (draw)ᵣ/(items)ᵣ, so P(k) = Σᵣ (−1)^(r−k) (draw)ᵣ / ((items)ᵣ k!
/// (r−k)!). For whole decks this is the rencontres formula (1/k!)·Σ_{j ≤ n−k} (−1)^j/j!.
#[must_use]
pub fn matches(items: u32, draw: u32) -> Vec<f64> {
    let moment =
        |r: u32| (0..r).map(|i| f64::from(draw - i) / f64::from(items - i)).product::<f64>();
    let factorial = |k: u32| (1..=k).map(f64::from).product::<f64>();
    let highest = draw.min(MOST_MATCHES);
    (0..=highest)
        .map(|k| {
            let terms = (k..=draw.min(k + 24)).map(|r| {
                let size = moment(r) / (factorial(k) * factorial(r - k));
                if (r - k).is_multiple_of(2) { size } else { -size }
            });
            terms.sum::<f64>().max(0.0)
        })
        .collect()
}

/// Pearson's X² of a histogram and its degrees of freedom; adjacent cells are merged until each
/// expects 5.
///
/// `observed` has the counts in the order of `probabilities`; counts beyond the end go to the last
/// cell. `None` if fewer than two cells remain.
pub fn merged_pearson(
    observed: impl IntoIterator<Item = u64>,
    probabilities: &[f64],
    total: u64,
) -> Option<(f64, f64)> {
    const LEAST: f64 = 5.0;
    let mut observed = observed.into_iter();
    let (mut cells, mut o, mut e) = (Vec::new(), 0.0, 0.0);
    for &p in probabilities {
        o += real(observed.next().unwrap_or(0));
        e += p * real(total);
        if e >= LEAST {
            cells.push((o, e));
            (o, e) = (0.0, 0.0);
        }
    }
    o += observed.map(real).sum::<f64>();
    if let Some((last_o, last_e)) = cells.last_mut() {
        *last_o += o;
        *last_e += e;
    }
    let statistic = cells.iter().map(|(o, e)| (o - e) * (o - e) / e).sum();
    (cells.len() >= 2).then(|| (statistic, real_len(cells.len()) - 1.0))
}
