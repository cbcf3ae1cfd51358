//! Unbiased choices from a stream of 32-bit words (spec/shuffle.md, `below`).
//!
//! Not for secrets: the time taken tells how many words were rejected.

/// The number of ways of a choice: 1 to 2^20, so that word × choices stays exact in JavaScript's 53
/// bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choices(u32);

/// The count of choices was 0 or over 2^20.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a choice: expected 1 to {max} ways, found {0}", max = Choices::MAX)]
pub struct ChoicesError(u32);

impl Choices {
    /// The most ways that a choice can go.
    pub const MAX: u32 = 1 << 20;

    /// # Errors
    /// [`ChoicesError`] unless `1 <= ways <= Choices::MAX`.
    pub const fn new(ways: u32) -> Result<Self, ChoicesError> {
        if ways >= 1 && ways <= Self::MAX { Ok(Self(ways)) } else { Err(ChoicesError(ways)) }
    }

    /// The number of ways.
    #[must_use]
    pub const fn ways(self) -> u32 {
        self.0
    }
}

impl TryFrom<u32> for Choices {
    type Error = ChoicesError;

    fn try_from(ways: u32) -> Result<Self, ChoicesError> {
        Self::new(ways)
    }
}

/// A word of the stream. Its width is a parameter so that a test can walk through every word there
/// is.
pub(super) trait Word: Copy + Ord {
    /// The low and high halves of the product.
    fn times(self, ways: Self) -> (Self, Self);
    /// The number of words that are rejected, so that the rest divide evenly among the ways:
    /// 2^width mod ways.
    fn excess(ways: Self) -> Self;
}

impl Word for u32 {
    fn times(self, ways: Self) -> (Self, Self) {
        self.carrying_mul(ways, 0)
    }

    #[expect(
        clippy::integer_division_remainder_used,
        reason = "no modulo bias: it counts the words that are rejected, so that the rest divide evenly"
    )]
    fn excess(ways: Self) -> Self {
        ways.wrapping_neg() % ways
    }
}

/// The value that this word settles; `None` if the word is rejected and the next one decides.
///
/// Words whose low product is under the excess are rejected. The excess is smaller than `ways`, so
/// nearly every word is accepted without computing it.
#[inline]
pub(super) fn settle<W: Word>(word: W, ways: W) -> Option<W> {
    let (low, high) = word.times(ways);
    if low >= ways || low >= W::excess(ways) { Some(high) } else { None }
}

/// The result of [`settle`], and whether it is sure without the excess, as it nearly always is.
/// Without a branch, so that many words go at once.
#[inline]
pub(super) fn settle_surely(word: u32, ways: u32) -> (bool, u32) {
    let (low, high) = word.times(ways);
    (low >= ways, high)
}

/// A value uniform on `0..ways`; takes as many words as it needs, none if there is one way.
///
/// Each value keeps exactly floor(2^32 / ways) words (Lemire, Fast Random Integer Generation in an
/// Interval, 2019, section 4).
#[inline]
pub fn below(ways: Choices, mut next_word: impl FnMut() -> u32) -> u32 {
    if ways.0 == 1 {
        return 0;
    }
    loop {
        if let Some(value) = settle(next_word(), ways.0) {
            return value;
        }
    }
}

#[cfg(test)]
#[expect(
    clippy::integer_division_remainder_used,
    reason = "the test counts words, and tries the faults themselves"
)]
mod tests {
    use super::*;

    impl Word for u8 {
        fn times(self, ways: Self) -> (Self, Self) {
            self.carrying_mul(ways, 0)
        }

        fn excess(ways: Self) -> Self {
            ways.wrapping_neg() % ways
        }
    }

    /// The number of the 256 words that each value keeps under `rule`, and the number rejected.
    fn census(ways: u8, rule: impl Fn(u8, u8) -> Option<u8>) -> (Vec<u32>, u32) {
        let mut kept = vec![0; usize::from(ways)];
        let mut rejected = 0;
        for word in 0..=u8::MAX {
            match rule(word, ways) {
                Some(value) => kept[usize::from(value)] += 1,
                None => rejected += 1,
            }
        }
        (kept, rejected)
    }

    fn exactly_uniform(ways: u8, rule: impl Fn(u8, u8) -> Option<u8>) -> bool {
        let (kept, rejected) = census(ways, rule);
        kept.iter().all(|&n| n == 256 / u32::from(ways)) && rejected == 256 % u32::from(ways)
    }

    #[test]
    fn every_value_keeps_exactly_the_same_number_of_words_for_every_count_of_ways() {
        for ways in 1..=u8::MAX {
            assert!(exactly_uniform(ways, settle), "{ways} ways: {:?}", census(ways, settle));
        }
    }

    /// Wrong variants seen in the field; each must fail the very test above wherever it can be
    /// wrong.
    #[test]
    fn wrong_samplers_fail_the_same_test() {
        type Rule = fn(u8, u8) -> Option<u8>;
        let wrong: [(&str, Rule); 5] = [
            ("remainder without rejection", |word, ways| Some(word % ways)),
            ("multiply without rejection", |word, ways| Some(word.carrying_mul(ways, 0).1)),
            ("threshold one too high", |word, ways| {
                let (low, high) = word.carrying_mul(ways, 0);
                (low > ways.wrapping_neg() % ways).then_some(high)
            }),
            ("limit from the greatest word, not their count", |word, ways| {
                let limit = u8::MAX - u8::MAX % ways;
                (word < limit).then_some(word % ways)
            }),
            ("float fraction", |word, ways| {
                #[expect(
                    clippy::as_conversions,
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "the fault itself"
                )]
                let value = (f32::from(word) / 256.0 * f32::from(ways)) as u8;
                Some(value)
            }),
        ];
        for (name, rule) in wrong {
            let caught = (1..=u8::MAX).filter(|&ways| !exactly_uniform(ways, rule)).count();
            assert!(caught > 0, "{name} passed for every count of ways");
        }
        // Not even one count of ways that does not divide 256 slips through where nothing is
        // rejected.
        for ways in (3..=u8::MAX).filter(|ways| !ways.is_power_of_two()) {
            assert!(
                !exactly_uniform(ways, wrong[0].1) && !exactly_uniform(ways, wrong[1].1),
                "{ways}"
            );
        }
    }

    #[test]
    fn a_word_under_the_threshold_is_rejected_and_the_next_one_decides() {
        let ways = Choices::new(3).unwrap(); // 2^32 mod 3 = 1: the one word with low product 0 goes
        let mut words = [0, u32::MAX].into_iter();
        assert_eq!(below(ways, || words.next().unwrap()), 2);
        assert_eq!(words.next(), None);
    }

    #[test]
    fn words_on_the_edge_are_kept_and_words_under_it_are_not() {
        // 2^32 mod 6 = 4: low products 0 and 2 are rejected, 4 is kept.
        assert_eq!(settle(0_u32, 6), None);
        assert_eq!(settle(715_827_883_u32, 6), None); // × 6 = 2^32 + 2
        assert_eq!(settle(1_431_655_766_u32, 6), Some(2)); // × 6 = 2·2^32 + 4
    }

    #[test]
    fn what_is_sure_is_what_is_settled() {
        for ways in [1, 2, 3, 6, 52, 1 << 20] {
            for word in (0..=u32::MAX).step_by(65_537).chain([715_827_883, 1_431_655_766]) {
                if let (true, value) = settle_surely(word, ways) {
                    assert_eq!(settle(word, ways), Some(value), "{word} of {ways}");
                }
            }
        }
    }

    #[test]
    fn one_way_takes_no_word() {
        assert_eq!(below(Choices::new(1).unwrap(), || unreachable!("no word is needed")), 0);
    }

    #[test]
    fn counts_of_ways_end_at_two_to_the_twentieth() {
        assert_eq!(Choices::new(0), Err(ChoicesError(0)));
        assert_eq!(Choices::new(1 << 20).map(Choices::ways), Ok(1 << 20));
        assert_eq!(Choices::new((1 << 20) + 1), Err(ChoicesError((1 << 20) + 1)));
    }
}
