//! Position × card, and which card follows which.

use super::{Bench, Outcome, counted, enough, items, whole};
use crate::stats::counts::Tally;
use crate::stats::number::{index, real, real_len};
use crate::stats::tail::{Pooled, binomial_at_least};

pub(super) fn run(tally: &Tally, bench: &mut Bench) {
    bench.note("position by card", position_by_card(tally));
    bench.note("largest cell", largest_cell(tally));
    bench.note("adjacent pairs", adjacent_pairs(tally));
}

/// For whole decks ((n−1)/n)·Σ(O − N/n)²/(N/n), with (n−1)² degrees of freedom.
///
/// Two cells covary as `(δ_pq − 1/n)(δ_cd − 1/n)/(n−1)`. Over the first k < n positions the matrix
/// I − J/n has the inverse I + J/(n−k), so the form is `((n−1)/N)·(Σ D² + Σ_c (Σ_p D)²/(n−k))`,
/// with k(n−1) degrees of freedom.
fn position_by_card(tally: &Tally) -> Outcome {
    items(tally, 3)?;
    counted(&tally.positions, tally)?;
    enough(tally, tally.shape.items())?;
    let form = positions(tally);
    Ok((form.statistic, form.above(tally.decks)))
}

/// The statistic of [`position_by_card`] without its limits.
pub(super) fn positions(tally: &Tally) -> Pooled {
    let (n, k) = (f64::from(tally.shape.items()), f64::from(tally.shape.positions()));
    let (decks, expected) = (real(tally.decks), real(tally.decks) / n);
    let mut columns = vec![0.0; index(tally.shape.items())];
    let mut squares = 0.0;
    for row in tally.positions.chunks_exact(columns.len()) {
        for (column, cell) in columns.iter_mut().zip(row) {
            let difference = real(*cell) - expected;
            squares += difference * difference;
            *column += difference;
        }
    }
    if k < n {
        squares += columns.iter().map(|sum| sum * sum).sum::<f64>() / (n - k);
    }
    let statistic = (n - 1.0) / decks * squares;
    // Two decks match in k/n places on average: for whole decks (n−1)³·E(matches − 1)³ = (n−1)³
    // exactly, for short prefixes nearly Poisson. All positions but one determine the last.
    let pair_third = (n - 1.0).powi(3) * if k < n - 1.0 { k / n } else { 1.0 };
    // The last position of a whole deck follows from the others.
    let df = k.min(n - 1.0) * (n - 1.0);
    Pooled { statistic, df, pair_third }
}

/// The most frequent card at any position: Bin(N, 1/n) exactly, times the number of cells
/// (Bonferroni).
fn largest_cell(tally: &Tally) -> Outcome {
    items(tally, 2)?;
    counted(&tally.positions, tally)?;
    let most = tally.positions.iter().copied().max().unwrap_or(0);
    let one = binomial_at_least(most, tally.decks, 1.0 / f64::from(tally.shape.items()));
    Ok((real(most), (one * real_len(tally.positions.len())).min(1.0)))
}

/// With E = N/(n−1), `S = Σ_{a<b}(C_ab + C_ba − 2E)²/2E` and `A = Σ_{a<b}(C_ab − C_ba)²/2E`: S +
/// ((n−2)/n)·A.
///
/// Undirected edges of a random cycle vary in n(n−3)/2 directions with variance 2/(n−1) each,
/// directed ones in (n−1)(n−2)/2 with 2n/((n−1)(n−2)): 1274 and 1275 degrees of freedom for 52.
fn adjacent_pairs(tally: &Tally) -> Outcome {
    whole(tally)?;
    items(tally, 4)?;
    counted(&tally.neighbours, tally)?;
    enough(tally, tally.shape.items())?;
    let form = neighbours(tally);
    Ok((form.statistic, form.above(tally.decks)))
}

/// The statistic of [`adjacent_pairs`] without its limits.
pub(super) fn neighbours(tally: &Tally) -> Pooled {
    let n = f64::from(tally.shape.items());
    let twice = 2.0 * real(tally.decks) / (n - 1.0);
    let width = index(tally.shape.items());
    let (mut symmetric, mut directed) = (0.0, 0.0);
    for (a, row) in tally.neighbours.chunks_exact(width).enumerate() {
        let column = tally.neighbours.iter().skip(a).step_by(width);
        for (there, back) in row.iter().zip(column).skip(a + 1) {
            let (there, back) = (real(*there), real(*back));
            symmetric += (there + back - twice).powi(2) / twice;
            directed += (there - back).powi(2) / twice;
        }
    }
    let statistic = symmetric + (n - 2.0) / n * directed;
    let df = n * (n - 3.0) / 2.0 + (n - 1.0) * (n - 2.0) / 2.0;
    // The number of directed neighbours that two decks share is nearly Poisson(1).
    Pooled { statistic, df, pair_third: (n - 1.0).powi(3) }
}
