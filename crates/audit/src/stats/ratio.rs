//! Fractions as they were counted: cases over all cases, not reduced.

use std::fmt;

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

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
}

#[expect(clippy::cast_precision_loss, reason = "for reading: the exact numbers stand beside it")]
fn nearly(number: u128) -> f64 {
    number as f64
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
