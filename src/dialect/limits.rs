//! What a scheme cannot show, whatever its rounds say: computed from its choices alone, the same for every file of rows
//! (spec/dialects.md 26).
//!
//! The bias is exact: words are counted, not drawn. What a row leaves open is a fixed list of statements, each with a code
//! that stays, and in words that say no more of an operator than the scheme's description does.
//!
//! ```
//! use fairdeal::dialect::{self, Bias, Limits};
//!
//! let limits = Limits::of(dialect::find("stake-replace").ok_or("known")?);
//! let Bias::Draws(draws) = &limits.bias else { return Err("cards".into()) };
//! assert_eq!((draws.ranges[0].most, draws.ranges[0].values_with_most), (82_595_525, 48));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![expect(clippy::integer_division_remainder_used, reason = "cases are counted here, and nothing is drawn")]

mod draws;
mod multipliers;
mod statements;

use serde::Serialize;

pub use crate::stats::Ratio;
pub use draws::{DrawBias, RangeBias};
pub use multipliers::{Deviation, MultiplierBias, Point};
pub use statements::{Standing, Statement};

use super::Dialect;
use super::law::{Law, Ranges};
use crate::stats::number::count;

/// What a dialect cannot show.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Limits {
    /// The dialect's name.
    pub dialect: &'static str,
    /// Whose it is and which game.
    pub title: &'static str,
    /// Which rounds it covers and which it does not.
    pub covers: &'static str,
    /// How likely each value is.
    pub bias: Bias,
    /// How much chance a server seed can hold.
    pub seed: SeedSize,
    /// What is and what is not shown; every dialect has each code, `also` as often as it takes.
    pub statements: Vec<Statement>,
    /// Where the description comes from.
    pub source: &'static str,
}

/// How likely each value of a scheme is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Bias {
    /// Of cards.
    Draws(DrawBias),
    /// Of multipliers.
    Multiplier(MultiplierBias),
}

/// How much chance a server seed can hold, beside how much there is to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SeedSize {
    /// Bits of a server seed, at most; `None` where the scheme fixes no length.
    pub bits: Option<u64>,
    /// The logarithm to base 2 of the number of results that a round can have, rounded down; `None` where a round may have any
    /// number of draws.
    pub result_bits: Option<u64>,
}

impl Limits {
    /// What follows from the dialect alone.
    #[must_use]
    pub fn of(dialect: &Dialect) -> Self {
        let seed = SeedSize::of(dialect);
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

    /// The statements of a code.
    pub fn with_code<'s>(&'s self, code: &'s str) -> impl Iterator<Item = &'s Statement> {
        self.statements.iter().filter(move |statement| statement.code == code)
    }
}

impl SeedSize {
    fn of(dialect: &Dialect) -> Self {
        let result_bits = match dialect.law {
            Law::Draws(Ranges::Same(_)) => None,
            Law::Draws(Ranges::Down { from, to }) => Some(orders(from, to)),
            Law::Multiplier(law) => Some(u64::from(law.bits)),
        };
        Self { bits: dialect.seed_digits.map(|digits| count(digits) * 4), result_bits }
    }
}

/// lg of the number of card sequences that draws from `from` cards down to a choice of `to` make; equal cards of several
/// decks are one where the whole shoe is dealt.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a few thousand, and not negative"
)]
fn orders(from: u32, to: u32) -> u64 {
    let bits = |ways: u32| f64::from(ways).log2();
    let alike: f64 = (2..=from / 52).map(|copy| bits(copy) * 52.0).sum();
    let all: f64 = (to..=from).map(bits).sum();
    (if to <= 2 { all - alike } else { all }).floor() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_counted_in_bits() {
        assert_eq!(orders(52, 2), 225); // 52! is 2^225.58
        assert_eq!(orders(52, 43), 55); // 52!/42! is 2^55.7
        assert_eq!(orders(416, 2), 2_229); // 416!/8!^52
        assert_eq!(orders(2, 2), 1);
    }
}
