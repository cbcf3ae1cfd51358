//! The limits of a scheme: facts that none of its rounds can show, computed from the scheme alone
//! (docs/dialects.md).
//!
//! The bias is exact: words are counted, not sampled. The other limits are a list of statements.
//!
//! ```
//! use fairdeal_schemes::dialect::{self, Bias, Limits};
//!
//! let limits = Limits::of(dialect::find("stake-replace").ok_or("known")?);
//! let Bias::Draws(draws) = &limits.bias else { return Err("cards".into()) };
//! assert_eq!((draws.ranges[0].most, draws.ranges[0].values_with_most), (82_595_525, 48));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![expect(
    clippy::integer_division_remainder_used,
    reason = "cases are counted here, and nothing is drawn"
)]

mod draws;
mod multipliers;
mod statements;

use serde::Serialize;

pub use draws::{DrawBias, RangeBias};
pub use fairdeal_audit::stats::Ratio;
pub use multipliers::{Deviation, MultiplierBias, Point};
pub use statements::{Standing, Statement};

use super::{Dialect, Law, Ranges};
use fairdeal_audit::stats::number::count;

/// The limits of a dialect.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "a field without a comment is what its name says")]
pub struct Limits {
    pub dialect: &'static str,
    pub title: &'static str,
    pub covers: &'static str,
    pub bias: Bias,
    /// The bits of a server seed.
    pub seed: SeedSize,
    /// Statements on what rows show and do not show. Every dialect has each code once, and `also`
    /// any number of times.
    pub statements: Vec<Statement>,
    pub source: &'static str,
}

/// The probability of each value of a scheme.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Bias {
    /// The bias of cards.
    Draws(DrawBias),
    /// The bias of multipliers.
    Multiplier(MultiplierBias),
}

/// The bits of a server seed, and the bits that decide a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SeedSize {
    /// Bits of a server seed, at most; `None` if the scheme fixes no length.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bits: Option<u64>,
    /// floor(log2) of the number of results; `None` if a round has any number of draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_bits: Option<u64>,
}

impl Limits {
    /// The limits of a dialect.
    #[must_use]
    pub fn of(dialect: &Dialect) -> Self {
        let result_bits = match dialect.law {
            Law::Draws(Ranges::Same(_)) => None,
            Law::Draws(Ranges::Down { from, to }) => Some(orders(from, to)),
            Law::Draws(Ranges::Each(all)) => Some(bits_of(all)),
            Law::Multiplier(law) => Some(u64::from(law.bits)),
        };
        let seed =
            SeedSize { bits: dialect.seed_digits.map(|digits| count(digits) * 4), result_bits };
        Self {
            dialect: dialect.name,
            title: dialect.title,
            covers: dialect.covers,
            bias: match dialect.law {
                Law::Draws(ranges) => Bias::Draws(DrawBias::of(dialect.scheme.mapping, ranges)),
                Law::Multiplier(law) => Bias::Multiplier(MultiplierBias::of(law)),
            },
            seed,
            statements: statements::of(dialect, seed),
            source: dialect.source,
        }
    }
}

/// The whole bits of draws of these ranges.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some dozens, over 0")]
fn bits_of(ranges: &[u32]) -> u64 {
    ranges.iter().map(|range| f64::from(*range).log2()).sum::<f64>().floor() as u64
}

/// The binary logarithm of the number of card sequences, from a choice of `from` cards down to one
/// of `to`. Equal cards of several decks count as one if the whole shoe is dealt.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a few thousand, over 0"
)]
fn orders(from: u32, to: u32) -> u64 {
    let bits = |ways: u32| f64::from(ways).log2();
    let alike: f64 = (2..=from / 52).map(|copy| bits(copy) * 52.0).sum();
    let all: f64 = (to..=from).map(bits).sum();
    (if to <= 2 { all - alike } else { all }).floor() as u64
}
