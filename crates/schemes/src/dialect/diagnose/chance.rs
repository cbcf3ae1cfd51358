//! How likely it is that a row agrees with a wrong change by coincidence.
//!
//! Under a wrong change the HMAC has nothing to do with what the row shows. So the row agrees with the
//! probability that the scheme's law gives to what it shows. Rows of the same seeds and nonce count once.

use super::near::Case;
use super::trial::{Change, OPENING};
use crate::dialect::{Cents, Committed, Dialect, HexForm, Law, Multiplier, Ranges, Round};
use fairdeal_audit::stats::number::real;

/// The probability that a wrong hash opens the commitment: 2^-256.
const OPENS: f64 = 8.7e-78;

type By = dyn Fn(&Case, f64) -> f64;

/// How likely a row agrees with a change that is wrong.
pub(super) enum Likely {
    /// As likely as what the row shows.
    AsShown,
    /// As likely as a wrong hash opens the commitment, where there is one.
    AsHash,
    /// The same, where another spelling of the seed has another hash.
    AsHashOfText,
    /// As likely as under this dialect.
    Under(&'static Dialect),
    /// As this says, from the row and the probability of what it shows.
    By(Box<By>),
}

/// An upper bound of the probability that a row agrees with a wrong change; `base` is its [`of_shown`].
pub(super) fn of_row(dialect: &Dialect, case: &Case, base: f64, change: &Change) -> f64 {
    let fails = case.opens == Some(false);
    if fails && !change.touches(OPENING) {
        // A commitment that does not open stays closed under this change.
        return 0.0;
    }
    let committed = dialect.scheme.committed;
    let needs_hash = match change.likely {
        Likely::AsHash => committed != Committed::Unknown,
        Likely::AsHashOfText => fails || committed == Committed::Hash(HexForm::Text),
        Likely::Under(other) => fails && other.scheme.committed != Committed::Unknown,
        Likely::AsShown | Likely::By(_) => false,
    };
    if needs_hash && case.round.commitment.is_some() {
        return OPENS;
    }
    let probability = match &change.likely {
        Likely::AsShown | Likely::AsHash | Likely::AsHashOfText => base,
        Likely::Under(other) => base.max(of_shown(other, &case.round)),
        Likely::By(by) => by(case, base),
    };
    if probability.is_nan() { 1.0 } else { probability.min(1.0) }
}

/// The probability of a multiplier; 0 for `None`.
pub(super) fn of_result(law: Multiplier, result: Option<Cents>) -> f64 {
    let cases = law.exactly(result.unwrap_or(Cents(0)));
    real(cases) / 2_f64.powi(i32::try_from(law.bits).expect("32 or 52"))
}

/// An upper bound of the probability of what a row shows.
pub(super) fn of_shown(dialect: &Dialect, round: &Round<'_>) -> f64 {
    match dialect.law {
        Law::Multiplier(law) => of_result(law, round.result),
        Law::Draws(ranges) => {
            let (Ranges::Same(items) | Ranges::Down { from: items, .. }) = ranges;
            let from = dialect.deck_items(round).unwrap_or(items);
            let copies = real(u64::from(from.div_ceil(52)));
            // Without repeats each next card is likelier than with them. So this bounds both.
            let left = (0..from).rev().map(|left| real(u64::from(left)) + 1.0);
            left.take(round.shown().len()).map(|left| (copies / left).min(1.0)).product()
        }
    }
}
