//! How evenly words fall on cards: counted from the mapping, word by word, and never sampled (spec/dialects.md 17.2).

use serde::Serialize;

use super::ratio::Ratio;
use crate::dialect::law::Ranges;
use crate::dialect::scheme::Mapping;
use crate::stats::number::{count, real};

/// Up to this range the words of each value are listed even where all are equal.
const LISTED: u32 = 52;

/// Draws over which a bound is given where a round may have any number of them.
const SOME: u32 = 100;

/// The words of all draws of a round.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DrawBias {
    /// Whether some value of some draw is likelier than another.
    pub biased: bool,
    /// Bits of a word.
    pub word_bits: u32,
    /// Each range that is drawn from, the first draw first.
    pub ranges: Vec<RangeBias>,
    /// How many draws the bound below is over.
    pub draws: u64,
    /// How far over the share that all sequences of so many draws would have if they were equally likely the probability of
    /// one can be, relative to that share: at most. With S the sum of what each draw's likeliest value is over its own share,
    /// the product of all 1 + s is at most 1 + S / (1 − S).
    pub likeliest: Ratio,
    /// How far under it: at most. With S the sum of what each draw's least likely value is under its own share, the product
    /// of all 1 − s is at least 1 − S.
    pub least_likely: Ratio,
    /// After how many rounds (draws, where a round may have any number of them) a chi-square over all cards is expected to
    /// exceed that of unbiased draws by 1, which is well inside its own spread: with fewer, no counting shows the bias.
    /// None where there is none.
    pub unseen_rounds: Option<f64>,
}

/// The words of one draw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RangeBias {
    /// Among how many values it decides.
    pub range: u32,
    /// Words for which another one is taken.
    pub words_refused: u64,
    /// Words of a value that has fewest.
    pub least: u64,
    /// Words of a value that has most.
    pub most: u64,
    /// How many values have most.
    pub values_with_most: u64,
    /// Whether some have more than others.
    pub biased: bool,
    /// The probability of a value that has fewest words.
    pub probability_least: Ratio,
    /// The probability of a value that has most words.
    pub probability_most: Ratio,
    /// The largest distance of a probability from 1/range, relative to 1/range.
    pub deviation: Ratio,
    /// The words of each value, from value 0 on; left out for long ranges whose values have equally many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<Vec<u64>>,
}

impl DrawBias {
    /// Of the draws that a law names, with 32-bit words.
    pub(super) fn of(mapping: Mapping, ranges: Ranges) -> Self {
        let (drawn, each): (Vec<u32>, u32) = match ranges {
            Ranges::Same(range) => (vec![range], SOME),
            Ranges::Down { from, to } => ((to..=from).rev().collect(), 1),
        };
        let ranges: Vec<RangeBias> =
            drawn.into_iter().map(|range| RangeBias::of(mapping, 1 << 32, range)).collect();
        // Where a range is biased no word is refused, so all deviations that are not 0 are over 2^32.
        let sum = |of: fn(&RangeBias) -> u128| ranges.iter().map(of).sum::<u128>() * u128::from(each);
        let (over, under) = (sum(RangeBias::over), sum(RangeBias::under));
        let excess: f64 = ranges.iter().map(RangeBias::excess).sum();
        Self {
            biased: ranges.iter().any(|one| one.biased),
            word_bits: 32,
            draws: count(ranges.len()) * u64::from(each),
            likeliest: Ratio::new(over, (1_u128 << 32).saturating_sub(over)),
            least_likely: Ratio::new(under, 1_u128 << 32),
            unseen_rounds: (excess > 0.0).then(|| (1.0 / excess).floor()),
            ranges,
        }
    }

    /// The range whose values are furthest from equal.
    pub(super) fn worst(&self) -> Option<&RangeBias> {
        let across = |one: &RangeBias, other: &RangeBias| {
            one.deviation.numerator().saturating_mul(other.deviation.denominator())
        };
        self.ranges
            .iter()
            .reduce(|worst, one| if across(one, worst) > across(worst, one) { one } else { worst })
    }
}

impl RangeBias {
    /// Of a draw with words below `all`, a power of two.
    pub(super) fn of(mapping: Mapping, all: u64, range: u32) -> Self {
        let ways = u64::from(range).max(1);
        let quotient = |number: u64| number.checked_div(ways).unwrap_or_default();
        let words: Vec<u64> = match mapping {
            // Value v has the words from ceil(v × 2^32 / range) on, up to those of the next.
            Mapping::Multiply => {
                let first = |value: u64| {
                    let product = u128::from(value) * u128::from(all);
                    u64::try_from(product.div_ceil(u128::from(ways))).unwrap_or(u64::MAX)
                };
                (0..ways).map(|value| first(value + 1) - first(value)).collect()
            }
            // What is refused leaves each value floor(2^32 / range) of them (Lemire 2019, section 4).
            Mapping::Exact => vec![quotient(all); usize_of(ways)],
            // Of the words below a multiple of the range, every range-th.
            Mapping::Modulo(_) => vec![quotient(mapping.limit(range)); usize_of(ways)],
        };
        Self::counted(range, all, words)
    }

    fn counted(range: u32, all: u64, words: Vec<u64>) -> Self {
        let accepted: u64 = words.iter().sum();
        let least = words.iter().copied().min().unwrap_or_default();
        let most = words.iter().copied().max().unwrap_or_default();
        let times = |words: u64| u128::from(words) * u128::from(range);
        let off = times(most).abs_diff(u128::from(accepted)).max(times(least).abs_diff(u128::from(accepted)));
        let biased = least != most;
        Self {
            range,
            words_refused: all.saturating_sub(accepted),
            least,
            most,
            values_with_most: count(words.iter().filter(|one| **one == most).count()),
            biased,
            probability_least: Ratio::new(least, accepted),
            probability_most: Ratio::new(most, accepted),
            deviation: Ratio::new(off, accepted),
            words: (biased || range <= LISTED).then_some(words),
        }
    }

    /// What its likeliest value is over its share, relative to that, in parts of the words that are accepted.
    fn over(&self) -> u128 {
        let share = self.probability_most.denominator();
        (u128::from(self.most) * u128::from(self.range)).saturating_sub(share)
    }

    /// The same for its least likely value, under it.
    fn under(&self) -> u128 {
        let share = self.probability_least.denominator();
        share.saturating_sub(u128::from(self.least) * u128::from(self.range))
    }

    /// By how much one draw raises the mean of a chi-square over its values: Σ (p − 1/range)² / (1/range).
    fn excess(&self) -> f64 {
        let range = f64::from(self.range);
        let off = |probability: Ratio, words: u64| {
            let accepted = probability.denominator();
            let by = (u128::from(words) * u128::from(self.range)).abs_diff(accepted);
            Ratio::new(by, accepted).decimal().powi(2) / range
        };
        let with_most = real(self.values_with_most);
        with_most * off(self.probability_most, self.most)
            + (range - with_most) * off(self.probability_least, self.least)
    }
}

fn usize_of(ways: u64) -> usize {
    usize::try_from(ways).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a mapping makes of a word of `bits` bits: the formulas of `Mapping::settle`, scaled down.
    #[expect(clippy::integer_division_remainder_used, reason = "the mappings' own formulas, gone through")]
    fn settle(mapping: Mapping, bits: u32, word: u64, range: u64) -> Option<u64> {
        let all = 1 << bits;
        match mapping {
            Mapping::Multiply => Some((word * range) >> bits),
            Mapping::Exact => ((word * range) % all >= all % range).then_some((word * range) >> bits),
            Mapping::Modulo(most) => (word < most - most % range).then_some(word % range),
        }
    }

    #[test]
    fn the_words_of_every_value_are_those_that_going_through_all_words_finds() {
        for (bits, ranges) in [(16, [2, 3, 13, 32, 51, 52, 416]), (9, [2, 7, 43, 52, 64, 100, 416])] {
            let all = 1_u64 << bits;
            for mapping in [Mapping::Multiply, Mapping::Exact, Mapping::Modulo(all), Mapping::Modulo(all - 1)]
            {
                for range in ranges {
                    let mut words = vec![0; usize_of(range)];
                    let mut refused = 0;
                    for word in 0..all {
                        match settle(mapping, bits, word, range) {
                            Some(value) => words[usize_of(value)] += 1,
                            None => refused += 1,
                        }
                    }
                    let range = u32::try_from(range).unwrap();
                    let found = RangeBias::of(mapping, all, range);
                    let expected = RangeBias::counted(range, all, words);
                    assert_eq!(found, expected, "{mapping:?} {range}");
                    assert_eq!(found.words_refused, refused);
                }
            }
        }
    }

    #[test]
    fn at_32_bits_each_value_begins_and_ends_where_the_mapping_itself_says() {
        for range in [2, 13, 43, 51, 52, 416] {
            let bias = RangeBias::of(Mapping::Multiply, 1 << 32, range);
            let mut next = 0_u64;
            for (value, words) in
                (0..).zip(bias.words.unwrap_or_else(|| vec![bias.least; usize_of(range.into())]))
            {
                let settled = |word: u64| Mapping::Multiply.settle(u32::try_from(word).unwrap(), range);
                assert_eq!(settled(next), Some(value));
                next += words;
                assert_eq!(settled(next - 1), Some(value));
            }
            assert_eq!(next, 1 << 32);
        }
    }

    #[test]
    fn where_a_limit_refuses_words_the_mapping_itself_refuses_from_there_on() {
        for most in [1_u64 << 32, (1 << 32) - 1] {
            for range in 2..=416 {
                let mapping = Mapping::Modulo(most);
                let bias = RangeBias::of(mapping, 1 << 32, range);
                let accepted = bias.least * u64::from(range);
                assert_eq!(accepted + bias.words_refused, 1 << 32);
                let settled = |word: u64| mapping.settle(u32::try_from(word).unwrap(), range);
                assert_eq!(settled(accepted - 1), Some(range - 1));
                assert!(bias.words_refused == 0 || settled(accepted).is_none());
            }
        }
    }

    /// All products of one word count for each draw, against the bound.
    #[test]
    fn no_order_is_further_from_its_share_than_the_bound() {
        let bias = DrawBias::of(Mapping::Multiply, Ranges::Down { from: 52, to: 43 });
        let product = |words: fn(&RangeBias) -> u64| {
            let factor = |one: &RangeBias| {
                let (words, range) = (u128::from(words(one)), u128::from(one.range));
                Ratio::new(words * range, 1_u128 << 32).decimal()
            };
            bias.ranges.iter().map(factor).product::<f64>()
        };
        let (up, down) = (product(|one| one.most) - 1.0, 1.0 - product(|one| one.least));
        for (found, bound) in [(up, bias.likeliest), (down, bias.least_likely)] {
            let bound = bound.decimal();
            // Rounding of the products themselves: ten factors of 2^-53.
            assert!(found > 0.0 && found <= bound + 2e-15 && bound < 1.000_001 * found, "{found} {bound}");
        }
    }

    #[test]
    fn the_chi_square_of_52_cards_grows_by_three_in_2_to_the_58_draws() {
        // 48 cards are off by 4/2^32 of their share and 4 by 48/2^32: (48·16 + 4·2304)/52 = 192, over 2^64.
        let bias = DrawBias::of(Mapping::Multiply, Ranges::Same(52));
        let rounds = bias.unseen_rounds.unwrap();
        assert!((rounds / (2.0_f64.powi(64) / 192.0) - 1.0).abs() < 1e-9, "{rounds}");
        let fair = DrawBias::of(Mapping::Exact, Ranges::Same(52));
        assert_eq!((fair.biased, fair.likeliest.is_zero(), fair.unseen_rounds), (false, true, None));
    }
}
