//! The number of words for each card (spec/dialects.md 17.2). Words are counted, not sampled.

#![expect(missing_docs, reason = "a field without a comment is what its name says")]

use std::collections::BTreeSet;

use serde::Serialize;

use crate::dialect::{Mapping, Ranges};
use fairdeal_audit::stats::Ratio;
use fairdeal_audit::stats::number::{count, index, real};

/// Up to this range the words of each value are listed.
const LISTED: u32 = 52;

/// The number of draws for the bounds, if a round has any number of draws.
const SOME: u32 = 100;

/// The words of all draws of a round.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DrawBias {
    /// Whether some value of some draw is likelier than another.
    pub biased: bool,
    pub word_bits: u32,
    pub ranges: Vec<RangeBias>,
    /// The number of draws for the bounds.
    pub draws: u64,
    /// An upper bound of how far a sequence of draws can be over its share, relative to the share.
    /// If S is the sum of the excesses s of the likeliest values, the product of all 1 + s is at
    /// most 1 + S / (1 − S).
    pub likeliest: Ratio,
    /// An upper bound of how far a sequence can be under: the product of all 1 − s is at least 1 −
    /// S.
    pub least_likely: Ratio,
    /// In fewer rounds (or draws, if a round has any number of draws) no counting shows the bias,
    /// as it raises the expected chi-square over all cards by less than 1. `None` without a bias.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unseen_rounds: Option<f64>,
}

/// The words of one draw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RangeBias {
    /// The number of values.
    pub range: u32,
    pub words_refused: u64,
    /// The fewest words of a value.
    pub least: u64,
    /// The most words of a value.
    pub most: u64,
    pub values_with_most: u64,
    pub biased: bool,
    pub probability_least: Ratio,
    pub probability_most: Ratio,
    /// The largest distance of a probability from 1/range, relative to 1/range.
    pub deviation: Ratio,
    /// The words of each value, from value 0 on; `None` for long ranges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<Vec<u64>>,
}

/// Each range once, in the order of the draws.
fn distinct(ranges: Vec<RangeBias>) -> Vec<RangeBias> {
    let mut seen = BTreeSet::new();
    ranges.into_iter().filter(|one| seen.insert(one.range)).collect()
}

impl DrawBias {
    /// The bias of 32-bit words over the draws of a round.
    #[must_use]
    pub fn of(mapping: Mapping, ranges: Ranges) -> Self {
        let (drawn, each): (Vec<u32>, u32) = match ranges {
            Ranges::Same(range) => (vec![range], SOME),
            Ranges::Down { from, to } => ((to..=from).rev().collect(), 1),
            Ranges::Each(all) => (all.to_vec(), 1),
        };
        let ranges: Vec<RangeBias> =
            drawn.into_iter().map(|range| RangeBias::of(mapping, 1 << 32, range)).collect();
        // A biased range refuses no word. So every deviation but 0 has the denominator 2^32.
        let sum =
            |of: fn(&RangeBias) -> u128| ranges.iter().map(of).sum::<u128>() * u128::from(each);
        let (over, under) = (sum(RangeBias::over), sum(RangeBias::under));
        let excess: f64 = ranges.iter().map(RangeBias::excess).sum::<f64>() * f64::from(each);
        Self {
            biased: ranges.iter().any(|one| one.biased),
            word_bits: 32,
            draws: count(ranges.len()) * u64::from(each),
            likeliest: Ratio::new(over, (1_u128 << 32) - over),
            least_likely: Ratio::new(under, 1_u128 << 32),
            unseen_rounds: (excess > 0.0).then(|| (1.0 / excess).floor()),
            ranges: distinct(ranges),
        }
    }

    /// The range with the largest deviation, the first of several.
    ///
    /// # Panics
    /// If there is no range, which [`DrawBias::of`] never gives.
    #[must_use]
    pub fn worst(&self) -> &RangeBias {
        let across = |one: &RangeBias, other: &RangeBias| {
            one.deviation.numerator() * other.deviation.denominator()
        };
        let worst = |worst, one| if across(one, worst) > across(worst, one) { one } else { worst };
        self.ranges.iter().reduce(worst).expect("a round has a draw")
    }
}

impl RangeBias {
    /// The bias of words below `all`, a power of two, over `range` values.
    ///
    /// # Panics
    /// If `range` is 0.
    #[must_use]
    pub fn of(mapping: Mapping, all: u64, range: u32) -> Self {
        let ways = u64::from(range);
        let words = match mapping {
            // Value v has the words from ceil(v × 2^32 / range) on, up to those of the next.
            Mapping::Multiply => {
                let first = |value: u64| (value * all).div_ceil(ways);
                (0..ways).map(|value| first(value + 1) - first(value)).collect()
            }
            // Value v has the words v, v + range, …: the first values have one more.
            Mapping::Remainder => (0..ways).map(|value| (all - value).div_ceil(ways)).collect(),
            // Each value keeps floor(2^32 / range) words (Lemire 2019, section 4).
            Mapping::Exact => vec![all / ways; index(range)],
            // Each value has every range-th word below a multiple of the range.
            Mapping::Modulo(_) => vec![mapping.limit(range) / ways; index(range)],
        };
        Self::counted(range, all, words)
    }

    fn counted(range: u32, all: u64, words: Vec<u64>) -> Self {
        let accepted: u64 = words.iter().sum();
        let least = *words.iter().min().expect("a draw has a value");
        let most = *words.iter().max().expect("a draw has a value");
        let off = |words: u64| (words * u64::from(range)).abs_diff(accepted);
        Self {
            range,
            words_refused: all - accepted,
            least,
            most,
            values_with_most: count(words.iter().filter(|one| **one == most).count()),
            biased: least != most,
            probability_least: Ratio::new(least, accepted),
            probability_most: Ratio::new(most, accepted),
            deviation: Ratio::new(off(most).max(off(least)), accepted),
            words: (range <= LISTED).then_some(words),
        }
    }

    fn accepted(&self) -> u128 {
        self.probability_most.denominator()
    }

    /// By how much the likeliest value exceeds its share, relative to the share, over
    /// [`Self::accepted`].
    fn over(&self) -> u128 {
        u128::from(self.most) * u128::from(self.range) - self.accepted()
    }

    /// By how much the least likely value falls short.
    fn under(&self) -> u128 {
        self.accepted() - u128::from(self.least) * u128::from(self.range)
    }

    /// By how much one draw raises the mean of a chi-square over its values: Σ (p − 1/range)² /
    /// (1/range).
    fn excess(&self) -> f64 {
        let (range, with_most) = (f64::from(self.range), real(self.values_with_most));
        let off = |by: u128| Ratio::new(by, self.accepted()).decimal().powi(2) / range;
        with_most * off(self.over()) + (range - with_most) * off(self.under())
    }
}
