//! The probability of each value of a scheme.

use super::Cents;

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
    /// Every draw is from so many cards: with replacement.
    Same(u32),
    /// The first draw is from `from` cards, each later one from one card less, the last one from
    /// `to`.
    #[expect(missing_docs, reason = "said above")]
    Down { from: u32, to: u32 },
}

/// A multiplier in hundredths: max(100, floor(numerator × 2^bits / (denominator × w))), w uniform
/// in 1..=2^bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Multiplier {
    /// numerator / denominator is the average pay in hundredths, without the floor.
    pub numerator: u64,
    /// See `numerator`.
    pub denominator: u64,
    /// 32 or 52.
    pub bits: u32,
}

impl Multiplier {
    /// The multiplier that w gives.
    #[must_use]
    pub fn of(&self, w: u64) -> Cents {
        Cents(self.floor(w.max(1)).max(100))
    }

    /// In how many of 2^bits cases the multiplier is at least this.
    #[must_use]
    pub fn at_least(&self, cents: Cents) -> u64 {
        let all = 1_u64.unbounded_shl(self.bits);
        if cents.0 <= 100 { all } else { self.floor(cents.0).min(all) }
    }

    /// In how many of 2^bits cases the multiplier is this one.
    #[must_use]
    pub fn exactly(&self, cents: Cents) -> u64 {
        if cents.0 < 100 {
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
