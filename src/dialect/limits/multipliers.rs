//! How likely each multiplier is: counted from the formula over all its numbers (spec/dialects.md 17.3).
//!
//! A multiplier of c hundredths or more comes in `floor(N·2^b / (D·c))` of 2^b cases, where the formula that it rounds
//! would have N / (D·c): always a little less, by less than 2^-b.

use serde::Serialize;

use crate::dialect::cents::Cents;
use crate::dialect::law::Multiplier;
use crate::stats::Ratio;

/// The multipliers at which probabilities are listed, in hundredths.
const POINTS: [u64; 13] =
    [100, 101, 110, 150, 200, 300, 500, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// Up to this multiplier the largest deviation is searched for among all: 10,000.00.
const SEARCHED: u64 = 1_000_000;

/// The multipliers of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MultiplierBias {
    /// Bits of the number that decides.
    pub bits: u32,
    /// Cases there are: 2^bits, each equally likely.
    pub cases: u64,
    /// What the house keeps on average at any multiplier named before, rounding left out.
    pub house_edge: Ratio,
    /// The probability of 1.00, at which a game ends before anybody wins.
    pub lowest: Ratio,
    /// The largest multiplier that can come.
    pub largest: String,
    /// The first multiplier over 1.00 that cannot come, as no number gives it, where that is under 10,000.00.
    pub first_impossible: Option<String>,
    /// Some multipliers and how likely they are.
    pub points: Vec<Point>,
    /// The largest distance between the probability of a multiplier or more and what the formula would have without
    /// rounding, among all multipliers there are. It is proved: with N·2^b = q·D·c + r, the distance is r/(D·c·2^b). r and
    /// N·2^b leave the same remainder over D, so with s more N·2^b would come to a multiple of D, and r is at most D·c − s;
    /// the first multiplier that cannot come any more is where D·c is N·2^b + s, and r is all of N·2^b.
    pub largest_deviation: Deviation,
    /// The same among those up to 10,000.00, of which each was computed.
    pub largest_deviation_to_10000: Deviation,
}

/// One multiplier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Point {
    /// The multiplier.
    pub multiplier: String,
    /// In how many cases it comes exactly.
    pub exactly: u64,
    /// In how many cases this or more comes.
    pub at_least: u64,
    /// The probability of this or more.
    pub probability: Ratio,
    /// What the formula would have without rounding.
    pub ideal: Ratio,
    /// By how much the probability is less.
    pub deviation: Ratio,
    /// By how much of the ideal it is less.
    pub relative: Ratio,
}

/// A distance and where it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Deviation {
    /// The multiplier.
    pub multiplier: String,
    /// How far its probability is from what it would be without rounding: absolutely.
    pub deviation: Ratio,
}

impl MultiplierBias {
    /// Of a law. Time: some million divisions.
    #[must_use]
    pub fn of(law: Multiplier) -> Self {
        let cases = 1_u64 << law.bits;
        let whole = law.denominator * 100;
        Self {
            bits: law.bits,
            cases,
            house_edge: Ratio::new(whole - law.numerator, whole),
            lowest: Ratio::new(law.exactly(Cents(100)), cases),
            largest: law.of(1).to_string(),
            first_impossible: (101..=SEARCHED)
                .find(|cents| law.exactly(Cents(*cents)) == 0)
                .map(|cents| Cents(cents).to_string()),
            points: POINTS.into_iter().map(|cents| Point::of(law, cents)).collect(),
            largest_deviation: beyond(law),
            largest_deviation_to_10000: searched(law, SEARCHED),
        }
    }
}

impl Point {
    fn of(law: Multiplier, cents: u64) -> Self {
        let cases = 1_u128 << law.bits;
        let (numerator, divisor) = (u128::from(law.numerator), divisor(law, cents));
        let left = if cents > 100 { left_over(law, cents) } else { 0 };
        Self {
            multiplier: Cents(cents).to_string(),
            exactly: law.exactly(Cents(cents)),
            at_least: law.at_least(Cents(cents)),
            probability: Ratio::new(law.at_least(Cents(cents)), cases),
            ideal: if cents > 100 { Ratio::new(numerator, divisor) } else { Ratio::new(1_u32, 1_u32) },
            deviation: Ratio::new(left, divisor * cases),
            relative: Ratio::new(left, numerator * cases),
        }
    }
}

/// D·c.
fn divisor(law: Multiplier, cents: u64) -> u128 {
    u128::from(law.denominator) * u128::from(cents)
}

/// N·2^b mod D·c: what the rounding leaves.
fn left_over(law: Multiplier, cents: u64) -> u128 {
    (u128::from(law.numerator) << law.bits) % divisor(law, cents)
}

/// The distance at the first multiplier that cannot come, which is the largest of all.
fn beyond(law: Multiplier) -> Deviation {
    let first = law.of(1).0 + 1;
    Deviation {
        multiplier: Cents(first).to_string(),
        deviation: Ratio::new(law.numerator, divisor(law, first)),
    }
}

/// The largest distance from 1.01 to `to` hundredths.
fn searched(law: Multiplier, to: u64) -> Deviation {
    let mut worst = (101, left_over(law, 101), divisor(law, 101));
    for cents in 102..=to {
        let (left, over) = (left_over(law, cents), divisor(law, cents));
        // left / over > worst's, without dividing.
        if left * worst.2 > worst.1 * over {
            worst = (cents, left, over);
        }
    }
    let cases = 1_u128 << law.bits;
    Deviation { multiplier: Cents(worst.0).to_string(), deviation: Ratio::new(worst.1, worst.2 * cases) }
}
