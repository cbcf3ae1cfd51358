//! How likely it is that rows agree with a wrong reading by coincidence.
//!
//! Under a wrong reading the HMAC's digest has nothing to do with what a row shows, so the row agrees with the probability
//! that the scheme's law gives to what it shows. Rows are independent; twins, of the same seeds and nonce, count once.

use super::change::{Change, Likely, touches};
use super::near::Case;
use crate::dialect::Dialect;
use crate::dialect::cents::Cents;
use crate::dialect::law::{Law, Ranges};
use crate::dialect::round::Round;
use crate::dialect::scheme::{Committed, HexForm};
use crate::stats::number::real;

/// That another hash is the one that was promised: 2^-256.
const OPENS: f64 = 8.7e-78;

/// An upper bound of the probability that a row agrees with a wrong change; `base` is [`of_shown`] of the row.
pub(super) fn of_row(dialect: &Dialect, case: &Case, base: f64, change: &Change) -> f64 {
    let fails = case.opens == Some(false);
    if fails && !change.touches(touches::OPENING) {
        // What did not open does not open for a change that has nothing to do with it.
        return 0.0;
    }
    let committed = dialect.scheme.committed;
    // A commitment that opens shows more than any result.
    let shows_by_hash = match change.likely {
        Likely::AsHash => committed != Committed::Unknown,
        Likely::AsHashOfText => fails || committed == Committed::Hash(HexForm::Text),
        Likely::Under(other) => fails && other.scheme.committed != Committed::Unknown,
        Likely::AsShown | Likely::By(_) => false,
    };
    if shows_by_hash && case.round.commitment.is_some() {
        return OPENS;
    }
    let probability = match change.likely {
        Likely::AsShown | Likely::AsHash | Likely::AsHashOfText => base,
        Likely::Under(other) => base.max(of_shown(other, &case.round)),
        Likely::By(by) => by(dialect, case, base),
    };
    if probability.is_nan() { 1.0 } else { probability.min(1.0) }
}

/// The probability of a multiplier; 0 without one.
pub(super) fn of_result(dialect: &Dialect, result: Option<Cents>) -> f64 {
    of_shown(dialect, &Round { result, ..Round::default() })
}

/// The probability of what a row shows, or of the likeliest that it could be where cards come in several copies.
pub(super) fn of_shown(dialect: &Dialect, round: &Round<'_>) -> f64 {
    match dialect.law {
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
