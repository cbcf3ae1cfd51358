//! Multipliers with two decimals, as crash games state their results (spec/dialects.md, rows).

#![warn(clippy::indexing_slicing, clippy::as_conversions)]

use std::fmt;

/// A multiplier in hundredths: 1.00 is 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cents(pub u64);

/// A text is no multiplier.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CentsError {
    /// It is a number, and no number of hundredths.
    #[error("expected a multiplier of hundredths, such as 1.83, found {0:?}")]
    Finer(String),
    /// It is no number.
    #[error("expected a multiplier, such as 1.83, found {0:?}")]
    Other(String),
}

impl Cents {
    /// Reads `1.83`, `1.8`, `1`, with or without an `x` behind it and commas between groups of three digits; further
    /// decimals must be zeros.
    ///
    /// # Errors
    /// [`CentsError`], with what stands there instead.
    pub fn parse(text: &str) -> Result<Self, CentsError> {
        let shown = || text.chars().take(40).collect();
        match Self::read(text) {
            Some(Some(cents)) => Ok(cents),
            Some(None) => Err(CentsError::Finer(shown())),
            None => Err(CentsError::Other(shown())),
        }
    }

    /// `None` for no number, `Some(None)` for a number with more decimals than two or too large.
    #[expect(clippy::option_option, reason = "no number, and a number between two, are two things")]
    fn read(text: &str) -> Option<Option<Self>> {
        let number = text.strip_suffix(['x', 'X', '×']).unwrap_or(text);
        let (whole, decimals) = number.split_once('.').unwrap_or((number, "0"));
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let mut groups = whole.split(',');
        let first = groups.next()?;
        let mut digits = first.to_owned();
        for group in groups {
            if group.len() != 3 || first.len() > 3 {
                return None;
            }
            digits.push_str(group);
        }
        if !is_number(&digits) || first.is_empty() || !is_number(decimals) {
            return None;
        }
        let kept = decimals.trim_end_matches('0');
        let hundredths: u64 = match kept.len() {
            0 => 0,
            1 => kept.parse::<u64>().ok()?.checked_mul(10)?,
            2 => kept.parse().ok()?,
            _ => return Some(None),
        };
        let whole = digits.parse::<u64>().ok().and_then(|whole| whole.checked_mul(100));
        // What does not fit is more than any scheme gives.
        Some(whole.and_then(|whole| whole.checked_add(hundredths)).map(Self))
    }
}

impl fmt::Display for Cents {
    #[expect(clippy::integer_division_remainder_used, reason = "printing: hundredths apart from the whole")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}
