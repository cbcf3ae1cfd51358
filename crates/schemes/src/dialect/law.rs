//! The probability of each value of a scheme.

use super::Cents;
use fairdeal_audit::stats::number::real;

/// The values of a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// Draws of cards.
    Draws(Ranges),
    /// A multiplier.
    Multiplier(Multiplier),
}

/// The ranges of the draws of one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranges {
    /// Every draw is from so many cards, without end: with replacement.
    Same(u32),
    /// The draws have these ranges.
    Each(&'static [u32]),
    /// The first draw is from `from` cards, each later one from one card less, the last one from
    /// `to`.
    #[expect(missing_docs, reason = "said above")]
    Down { from: u32, to: u32 },
}

/// A multiplier in hundredths: max(least, floor(numerator × 2^bits / (denominator × w))), w uniform
/// in 1..=2^bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Multiplier {
    /// numerator / denominator is the average pay in hundredths, without the floor.
    pub numerator: u64,
    /// See `numerator`.
    pub denominator: u64,
    /// 24, 32 or 52.
    pub bits: u32,
    /// The least multiplier, in hundredths.
    pub least: u64,
    /// Whether the operator computes in doubles, the factor last: the result may be 0.01 less.
    pub is_in_doubles: bool,
}

/// The results that a scheme accepts for a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The exact one, or that of the sources.
    pub first: Cents,
    /// Another one, and a clause on the row for each.
    pub other: Option<(Cents, [&'static str; 2])>,
}

impl Accepted {
    /// One result.
    #[must_use]
    pub const fn only(first: Cents) -> Self {
        Self { first, other: None }
    }

    /// Either of two results.
    #[must_use]
    pub const fn or(
        first: Cents,
        other: Cents,
        if_first: &'static str,
        if_other: &'static str,
    ) -> Self {
        Self { first, other: Some((other, [if_first, if_other])) }
    }

    /// Whether it is one of them.
    #[must_use]
    pub fn has(&self, cents: Cents) -> bool {
        self.first == cents || self.other.is_some_and(|(other, _)| other == cents)
    }

    /// A clause on the reading that a row with this result took, where two are accepted.
    #[must_use]
    pub fn reading(&self, cents: Cents) -> Option<&'static str> {
        self.other.map(|(_, [first, other])| if cents == self.first { first } else { other })
    }
}

impl Multiplier {
    /// Exact, and 1.00 or more.
    #[must_use]
    pub const fn exact(numerator: u64, denominator: u64, bits: u32) -> Self {
        Self { numerator, denominator, bits, least: 100, is_in_doubles: false }
    }

    /// The multiplier that w gives.
    #[must_use]
    pub fn of(&self, w: u64) -> Cents {
        Cents(self.floor(w.max(1)).max(self.least))
    }

    /// The multipliers that are accepted for w (spec/dialects.md 17.4).
    #[must_use]
    pub fn accepted(&self, w: u64) -> Accepted {
        let exact = self.of(w);
        if exact < Cents(100) {
            return Accepted::or(
                exact,
                Cents(100),
                "the row has the formula's result, which is under 1.00",
                "the formula's result is under 1.00, and the row has 1.00",
            );
        }
        if self.is_in_doubles && self.in_doubles(w) < exact {
            return Accepted::or(
                exact,
                Cents(exact.0 - 1),
                "the row has the exact result, where doubles give 0.01 less",
                "the row has 0.01 less than the exact result, as doubles give it",
            );
        }
        Accepted::only(exact)
    }

    /// floor(((2^bits / w) × e) × 100) in doubles, from left to right, and not under the least.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "as the operator computes; at most 2^59"
    )]
    fn in_doubles(&self, w: u64) -> Cents {
        let factor = real(self.numerator) / 100.0;
        let cents = ((real(1_u64.unbounded_shl(self.bits)) / real(w.max(1))) * factor) * 100.0;
        Cents((cents.floor() as u64).max(self.least))
    }

    /// In how many of 2^bits cases the multiplier is at least this.
    #[must_use]
    pub fn at_least(&self, cents: Cents) -> u64 {
        let all = 1_u64.unbounded_shl(self.bits);
        if cents.0 <= self.least { all } else { self.floor(cents.0).min(all) }
    }

    /// In how many of 2^bits cases the multiplier is this one.
    #[must_use]
    pub fn exactly(&self, cents: Cents) -> u64 {
        if cents.0 < self.least {
            return 0;
        }
        let next = Cents(cents.0.saturating_add(1));
        self.at_least(cents).saturating_sub(self.at_least(next))
    }

    /// floor(numerator × 2^bits / (denominator × by)): the largest w whose multiplier is at least
    /// `by`.
    fn floor(&self, by: u64) -> u64 {
        // All known schemes fit 64 bits, in which a division takes a tenth of the time.
        let narrow = self.numerator.checked_mul(1_u64.unbounded_shl(self.bits));
        if let (Some(product), Some(divisor)) = (narrow, self.denominator.checked_mul(by)) {
            return product.checked_div(divisor).unwrap_or(u64::MAX);
        }
        let product = u128::from(self.numerator).unbounded_shl(self.bits);
        let divisor = u128::from(self.denominator).saturating_mul(u128::from(by));
        u64::try_from(product.checked_div(divisor).unwrap_or(u128::MAX)).unwrap_or(u64::MAX)
    }
}
