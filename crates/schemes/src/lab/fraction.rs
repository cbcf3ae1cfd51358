//! Exact probabilities: fractions of u128, in lowest terms.

use std::fmt;

/// A fraction in lowest terms. Both parts are at most 2^128 − 1; an operation whose result is larger returns `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    numerator: u128,
    denominator: u128,
}

const fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Fraction {
    /// Zero.
    pub const ZERO: Self = Self { numerator: 0, denominator: 1 };
    /// One.
    pub const ONE: Self = Self { numerator: 1, denominator: 1 };

    /// `numerator / denominator`; `None` if the denominator is 0.
    #[must_use]
    pub const fn new(numerator: u128, denominator: u128) -> Option<Self> {
        if denominator == 0 {
            return None;
        }
        let common = gcd(numerator, denominator);
        Some(Self { numerator: numerator / common, denominator: denominator / common })
    }

    /// The numerator.
    #[must_use]
    pub const fn numerator(self) -> u128 {
        self.numerator
    }

    /// The denominator.
    #[must_use]
    pub const fn denominator(self) -> u128 {
        self.denominator
    }

    /// The sum; `None` if it does not fit.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        let (left, right, denominator) = self.over_common(other)?;
        Self::new(left.checked_add(right)?, denominator)
    }

    /// The distance between two fractions; `None` if it does not fit.
    #[must_use]
    pub fn distance(self, other: Self) -> Option<Self> {
        let (left, right, denominator) = self.over_common(other)?;
        Self::new(left.abs_diff(right), denominator)
    }

    /// The product; `None` if it does not fit.
    #[must_use]
    pub fn times(self, other: Self) -> Option<Self> {
        // Reduce across first: then the products are as small as possible.
        let left = Self::new(self.numerator, other.denominator)?;
        let right = Self::new(other.numerator, self.denominator)?;
        let numerator = left.numerator.checked_mul(right.numerator)?;
        Self::new(numerator, left.denominator.checked_mul(right.denominator)?)
    }

    fn over_common(self, other: Self) -> Option<(u128, u128, u128)> {
        let common = gcd(self.denominator, other.denominator);
        let (up, down) = (other.denominator / common, self.denominator / common);
        let left = self.numerator.checked_mul(up)?;
        Some((left, other.numerator.checked_mul(down)?, self.denominator.checked_mul(up)?))
    }

    /// As f64, rounded.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "it is only for showing")]
    pub const fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == 1 {
            self.numerator.fmt(f)
        } else {
            write!(f, "{}/{}", self.numerator, self.denominator)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(numerator: u128, denominator: u128) -> Fraction {
        Fraction::new(numerator, denominator).unwrap()
    }

    #[test]
    fn sums_products_and_distances_are_exact_and_in_lowest_terms() {
        assert_eq!(of(1, 6).plus(of(1, 10)), Some(of(4, 15)));
        assert_eq!(of(4, 27).times(of(9, 2)), Some(of(2, 3)));
        assert_eq!(of(1, 6).distance(of(1, 4)), Some(of(1, 12)));
        assert_eq!(of(6, 3).to_string(), "2");
        assert_eq!(Fraction::new(1, 0), None);
    }

    #[test]
    fn what_does_not_fit_is_none_and_not_wrong() {
        let fine = of(1, u128::MAX);
        assert_eq!(fine.times(of(1, 2)), None);
        assert_eq!(fine.plus(of(1, 2)), None);
    }
}
