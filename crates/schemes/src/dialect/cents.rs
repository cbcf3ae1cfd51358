//! Multipliers with two decimals, as crash games state their results (spec/dialects.md, rows).

#![warn(clippy::indexing_slicing, clippy::as_conversions)]

use std::fmt;

/// A multiplier in hundredths: 1.00 is 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cents(pub u64);

/// A text that is not a multiplier.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CentsError {
    /// It has more than two decimals, or is too large.
    #[error("expected a multiplier of hundredths, such as 1.83, found {0:?}")]
    Finer(String),
    /// It is not a number.
    #[error("expected a multiplier, such as 1.83, found {0:?}")]
    Other(String),
}

impl Cents {
    /// Reads `1.83`, `1.8`, `1`, with or without a final `x`, and with or without commas between
    /// groups of three digits. Further decimals must be zeros.
    ///
    /// # Errors
    /// [`CentsError`].
    pub fn parse(text: &str) -> Result<Self, CentsError> {
        let shown = || text.chars().take(40).collect();
        let (whole, decimals) = Self::split(text).ok_or_else(|| CentsError::Other(shown()))?;
        // No scheme gives a number that does not fit.
        let cents = whole.parse::<u64>().ok().and_then(|whole| whole.checked_mul(100));
        let hundredths = match decimals.trim_end_matches('0').as_bytes() {
            [] => Some(0),
            [tenths] => Some(u64::from(tenths - b'0') * 10),
            [tenths, hundredths] => {
                Some(u64::from(tenths - b'0') * 10 + u64::from(hundredths - b'0'))
            }
            _ => None,
        };
        let cents =
            cents.zip(hundredths).and_then(|(cents, hundredths)| cents.checked_add(hundredths));
        cents.map(Self).ok_or_else(|| CentsError::Finer(shown()))
    }

    /// The digits before and after the point; `None` if it is not a number.
    fn split(text: &str) -> Option<(String, &str)> {
        let number = text.strip_suffix(['x', 'X', '×']).unwrap_or(text);
        let (whole, decimals) = number.split_once('.').unwrap_or((number, "0"));
        let is_number =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let mut groups = whole.split(',');
        let first = groups.next()?;
        let is_grouped = groups.all(|group| group.len() == 3 && first.len() <= 3);
        let digits = whole.replace(',', "");
        (is_grouped && !first.is_empty() && is_number(&digits) && is_number(decimals))
            .then_some((digits, decimals))
    }
}

impl fmt::Display for Cents {
    #[expect(
        clippy::integer_division_remainder_used,
        reason = "printing: hundredths apart from the whole"
    )]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}
