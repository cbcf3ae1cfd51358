//! How likely it is that rows agree with a wrong reading by coincidence.
//!
//! Under a wrong reading the HMAC's digest has nothing to do with what a row shows, so the row agrees with the probability
//! that the scheme's law gives to what it shows. Rows are independent; twins, of the same seeds and nonce, count once.

use super::change::{Change, Off, touches};
use super::near::Case;
use super::shown;
use crate::dialect::Dialect;
use crate::dialect::cents::Cents;
use crate::dialect::law::{Law, Ranges};
use crate::dialect::round::Round;
use crate::dialect::scheme::{Committed, Form};
use crate::stats::number::{real, real_len};

/// That another hash is the one that was promised: 2^-256.
const OPENS: f64 = 8.7e-78;

/// Nothing is said to be less likely than this.
const LEAST: f64 = 1e-300;

/// An upper bound of the probability that a row agrees with a wrong reading; `base` is [`of_shown`] of the row.
pub(super) fn of_row(dialect: &'static dyn Dialect, case: &Case, base: f64, changes: &[Change]) -> f64 {
    let of_opening = changes.iter().filter(|change| change.touches() & touches::OPENING != 0).count();
    match (of_opening, case.opens) {
        // What did not open does not open for a change that has nothing to do with it.
        (0, Some(false)) => return 0.0,
        (of_opening, _) if of_opening == changes.len() && is_shown_to_open(dialect, case, changes) => {
            return OPENS;
        }
        _ => {}
    }
    let others = || {
        changes.iter().filter_map(|change| match change {
            Change::Dialect(name) => crate::dialect::find(name),
            _ => None,
        })
    };
    let of = |round: &Round<'_>| {
        [dialect].into_iter().chain(others()).map(|dialect| of_shown(dialect, round)).fold(0.0, f64::max)
    };
    let own = || others().map(|dialect| of_shown(dialect, &case.round)).fold(base, f64::max);
    let cards = case.round.cards.as_ref().map_or(0, Vec::len);
    let of_shown_change = changes.iter().find(|change| change.touches() & touches::SHOWN != 0);
    let probability = match of_shown_change {
        Some(Change::Exchanged) => own() * real_len(cards.saturating_sub(1)),
        Some(Change::Reordered) => (1..=cards).map(real_len).product::<f64>() * own(),
        Some(Change::Cent(off)) => {
            let cents = case.round.result.unwrap_or(Cents(0)).0;
            let is = if *off == Off::More { cents.saturating_sub(1) } else { cents.saturating_add(1) };
            of(&Round { result: Some(Cents(is)), ..Round::default() })
        }
        Some(Change::Cut) => of(&Round { result: shown::cut(&case.round), ..Round::default() }),
        Some(Change::Every33) if case.round.result == Some(Cents(100)) => 1.0 / 33.0,
        Some(Change::Every33) => 0.0,
        Some(Change::Shown(place)) => case.beside(*place).map_or(0.0, of),
        _ => own(),
    };
    if probability.is_nan() { 1.0 } else { probability.min(1.0) }
}

/// Whether these changes, all of the opening, need another hash to be the one that was promised: that shows more than any
/// result.
fn is_shown_to_open(dialect: &'static dyn Dialect, case: &Case, changes: &[Change]) -> bool {
    let moved = changes.iter().filter(|change| {
        matches!(change, Change::Commitment(_) | Change::Steps(_) | Change::Game(_) | Change::ServerSeed(_))
    });
    // A seed and a commitment that are both another row's open for that row's sake, and show nothing of this one.
    let record = changes.iter().any(|change| matches!(change, Change::Record(_)));
    if case.round.commitment.is_none() || record || moved.count() > 1 {
        return false;
    }
    let fails = case.opens == Some(false);
    changes.iter().all(|change| match change {
        Change::Dialect(name) => {
            fails
                && crate::dialect::find(name)
                    .is_some_and(|other| other.scheme().committed != Committed::Unknown)
        }
        // The same bytes may stand in both cases.
        Change::ServerWritten(_) => fails || dialect.scheme().committed == Committed::Hash(Form::Text),
        _ => dialect.scheme().committed != Committed::Unknown,
    })
}

/// The probability of what a row shows, or of the likeliest that it could be where cards come in several copies.
pub(super) fn of_shown(dialect: &dyn Dialect, round: &Round<'_>) -> f64 {
    match dialect.law() {
        Law::Multiplier(law) => {
            let cases = law.exactly(round.result.unwrap_or(Cents(0)));
            real(cases) / 2_f64.powi(i32::try_from(law.bits).unwrap_or(32))
        }
        Law::Draws(ranges) => {
            let (Ranges::Same(items) | Ranges::Down { from: items, .. }) = ranges;
            let from = dialect.deck_items(round).unwrap_or(items);
            let copies = real(u64::from(from.div_ceil(52)));
            // Without repeats each next card is likelier than with them: a bound for both.
            let left = (0..from).rev().map(|left| real(u64::from(left)) + 1.0);
            let cards = round.cards.as_ref().map_or(0, Vec::len);
            left.take(cards).map(|left| (copies / left).min(1.0)).product()
        }
    }
}

/// An upper bound of the probability that at least so many of these rows agree with any of so many wrong readings.
pub(super) fn of_rows(agreeing: usize, probabilities: &[f64], readings: usize) -> f64 {
    if agreeing == 0 {
        return 1.0;
    }
    let expected: f64 = probabilities.iter().sum();
    let n = real_len(agreeing);
    // That all of them agree is their product. In general, the sum over all sets of n rows is at most expected^n / n!;
    // Chernoff's bound is e^(n - expected) × (expected / n)^n.
    let product = if agreeing == probabilities.len() {
        probabilities.iter().map(|probability| probability.ln()).sum()
    } else {
        0.0
    };
    let factorial: f64 = (1..=agreeing).map(|k| real_len(k).ln()).sum();
    let sets = n * expected.ln() - factorial;
    let chernoff = if n > expected { n - expected + n * (expected / n).ln() } else { 0.0 };
    let one = product.min(sets).min(chernoff).min(0.0);
    (one.exp() * real_len(readings.max(1))).clamp(LEAST, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The exact probability that at least so many of independent events happen.
    fn exact(agreeing: usize, probabilities: &[f64]) -> f64 {
        let mut law = vec![1.0];
        for p in probabilities {
            let mut next = vec![0.0; law.len() + 1];
            for (k, share) in law.iter().enumerate() {
                next[k] += share * (1.0 - p);
                next[k + 1] += share * p;
            }
            law = next;
        }
        law.iter().skip(agreeing).sum()
    }

    #[test]
    fn the_bound_is_never_under_the_exact_probability_and_near_it_where_it_matters() {
        for p in [1e-9, 0.001, 0.01, 0.1, 0.5] {
            for rows in [1, 2, 5, 20, 100] {
                let probabilities: Vec<f64> = (0..rows).map(|row| p / (1.0 + f64::from(row))).collect();
                for agreeing in [1, 2, 3, 5, 10, 50] {
                    let n = usize::try_from(rows).unwrap().min(agreeing);
                    let (exact, bound) = (exact(n, &probabilities), of_rows(n, &probabilities, 1));
                    assert!(bound >= exact * (1.0 - 1e-9), "{p} {rows} {n}: {bound} < {exact}");
                    assert!(exact > 1e-3 || bound < 0.05, "{p} {rows} {n}: {bound}, {exact}");
                }
            }
        }
        assert!((of_rows(1, &[0.01], 5) - 0.05).abs() < 1e-12);
        assert!((of_rows(1, &[0.01], 500) - 1.0).abs() < 1e-12);
        assert!((of_rows(0, &[0.01], 1) - 1.0).abs() < 1e-12);
    }
}
