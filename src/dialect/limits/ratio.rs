//! Fractions as they were counted: cases over all cases, not reduced.

use std::fmt;

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use crate::stats::number::real;

/// A fraction, exact. In JSON its two numbers as `exact` and, for reading only, a `decimal`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    numerator: u128,
    denominator: u128,
}

impl Ratio {
    /// `numerator / denominator`; over nothing it is nought.
    #[must_use]
    pub fn new(numerator: impl Into<u128>, denominator: impl Into<u128>) -> Self {
        match denominator.into() {
            0 => Self { numerator: 0, denominator: 1 },
            denominator => Self { numerator: numerator.into(), denominator },
        }
    }

    /// Above the line.
    #[must_use]
    pub const fn numerator(self) -> u128 {
        self.numerator
    }

    /// Below the line.
    #[must_use]
    pub const fn denominator(self) -> u128 {
        self.denominator
    }

    /// Whether it is nought.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// Nearly the same as a decimal.
    #[must_use]
    pub fn decimal(self) -> f64 {
        nearly(self.numerator) / nearly(self.denominator)
    }

    /// In hundredths of one, as people read a share.
    #[must_use]
    pub(crate) fn percent(self) -> f64 {
        self.decimal() * 100.0
    }
}

fn nearly(number: u128) -> f64 {
    let part = |bits: u128| real(u64::try_from(bits & u128::from(u64::MAX)).unwrap_or_default());
    part(number >> 64) * 2.0_f64.powi(64) + part(number)
}

/// `48/2^32` over a power of two, else `1/100`.
impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator.is_power_of_two() && self.denominator > 1 << 12 {
            write!(f, "{}/2^{}", self.numerator, self.denominator.trailing_zeros())
        } else {
            write!(f, "{}/{}", self.numerator, self.denominator)
        }
    }
}

impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Ratio", 2)?;
        fields.serialize_field("exact", &format!("{}/{}", self.numerator, self.denominator))?;
        fields.serialize_field("decimal", &self.decimal())?;
        fields.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fraction_stays_as_it_was_counted() {
        let ratio = Ratio::new(48_u64, 1_u64 << 32);
        assert_eq!(ratio.to_string(), "48/2^32");
        assert_eq!(Ratio::new(1_u32, 100_u32).to_string(), "1/100");
        let json = serde_json::to_value(ratio).unwrap();
        assert_eq!(json, serde_json::json!({"exact": "48/4294967296", "decimal": 48.0 / 4_294_967_296.0}));
        assert_eq!(Ratio::new(7_u32, 0_u32), Ratio::new(0_u32, 1_u32));
    }

    #[test]
    fn decimals_hold_far_beyond_64_bits() {
        let ratio = Ratio::new(1_u128 << 100, 1_u128 << 120);
        assert!((ratio.decimal() - 2.0_f64.powi(-20)).abs() < 1e-20);
    }
}
