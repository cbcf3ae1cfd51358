//! The probability of each multiplier, counted over all numbers of the formula (spec/dialects.md
//! 17.3).
//!
//! c hundredths or more come in `floor(N·2^b / (D·c))` of 2^b cases: less than N / (D·c) by under
//! 2^-b.

#![expect(missing_docs, reason = "a field without a comment is what its name says")]

use serde::Serialize;

use crate::dialect::{Cents, Multiplier};
use fairdeal_audit::stats::Ratio;

/// The multipliers at which probabilities are listed, in hundredths.
const POINTS: [u64; 13] =
    [100, 101, 110, 150, 200, 300, 500, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// The largest deviation is searched for among all multipliers up to this one: 10,000.00.
const SEARCHED: u64 = 1_000_000;

/// The multipliers of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MultiplierBias {
    pub bits: u32,
    /// 2^bits equally likely cases.
    pub cases: u64,
    /// The share that the house keeps on average at any multiplier, without rounding.
    pub house_edge: Ratio,
    /// The probability of 1.00 or less, at which a game ends before anybody wins.
    pub lowest: Ratio,
    /// The largest multiplier that can come.
    pub largest: String,
    /// The first multiplier over 1.00 that no number gives, if it is at most 10,000.00.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_impossible: Option<String>,
    pub points: Vec<Point>,
    /// The largest distance of a probability from its ideal, among all multipliers. It is at the
    /// first one too large to come: with N·2^b = q·D·c + r, the distance is r/(D·c·2^b), and there
    /// r is all of N·2^b.
    pub largest_deviation: Deviation,
    /// The same among all up to 10,000.00, each computed.
    pub largest_deviation_to_10000: Deviation,
}

/// One multiplier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Point {
    pub multiplier: String,
    /// Cases that give it.
    pub exactly: u64,
    /// Cases that give it or more.
    pub at_least: u64,
    /// The probability of it or more.
    pub probability: Ratio,
    /// The same without rounding.
    pub ideal: Ratio,
    /// Ideal minus probability.
    pub deviation: Ratio,
    /// The deviation relative to the ideal.
    pub relative: Ratio,
}

/// A distance from the ideal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Deviation {
    pub multiplier: String,
    /// The ideal of it or more, minus the probability.
    pub deviation: Ratio,
}

impl MultiplierBias {
    /// The bias of a law. Time: some million divisions.
    #[must_use]
    pub fn of(law: Multiplier) -> Self {
        let cases = 1_u64 << law.bits;
        let whole = law.denominator * 100;
        let beyond = law.of(1).0 + 1;
        Self {
            bits: law.bits,
            cases,
            house_edge: Ratio::new(whole - law.numerator, whole),
            lowest: Ratio::new(cases - law.at_least(Cents(101)), cases),
            largest: law.of(1).to_string(),
            first_impossible: (101..=SEARCHED)
                .find(|cents| law.exactly(Cents(*cents)) == 0)
                .map(|cents| Cents(cents).to_string()),
            points: POINTS.into_iter().map(|cents| Point::of(law, cents)).collect(),
            largest_deviation: Deviation {
                multiplier: Cents(beyond).to_string(),
                deviation: Ratio::new(law.numerator, divisor(law, beyond)),
            },
            largest_deviation_to_10000: searched(law, SEARCHED),
        }
    }
}

impl Point {
    fn of(law: Multiplier, cents: u64) -> Self {
        let cases = 1_u128 << law.bits;
        let (numerator, divisor) = (u128::from(law.numerator), divisor(law, cents));
        let left = if cents > law.least { left_over(law, cents) } else { 0 };
        Self {
            multiplier: Cents(cents).to_string(),
            exactly: law.exactly(Cents(cents)),
            at_least: law.at_least(Cents(cents)),
            probability: Ratio::new(law.at_least(Cents(cents)), cases),
            ideal: if cents > law.least {
                Ratio::new(numerator, divisor)
            } else {
                Ratio::new(1_u32, 1_u32)
            },
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

/// The largest distance from 1.01 to `to` hundredths.
fn searched(law: Multiplier, to: u64) -> Deviation {
    let all = (101..=to).map(|cents| (cents, left_over(law, cents), divisor(law, cents)));
    // Compares left / over of two multipliers, without dividing.
    let worse = |worst: (u64, u128, u128), one: (u64, u128, u128)| {
        if one.1 * worst.2 > worst.1 * one.2 { one } else { worst }
    };
    let (cents, left, over) = all.reduce(worse).expect("there is 1.01");
    let cases = 1_u128 << law.bits;
    Deviation { multiplier: Cents(cents).to_string(), deviation: Ratio::new(left, over * cases) }
}
