//! Multipliers with two decimals, as crash games state their results (spec/dialects.md, rows).

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

    /// None where it is no number; inside, none where it is no number of hundredths.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multipliers_are_read_exactly_and_print_with_two_decimals() {
        for (text, cents, printed) in [
            ("1.83", 183, "1.83"),
            ("1.00", 100, "1.00"),
            ("1", 100, "1.00"),
            ("1.8", 180, "1.80"),
            ("0.05", 5, "0.05"),
            ("1.830000", 183, "1.83"),
            ("1234.5x", 123_450, "1234.50"),
            ("1,234.56×", 123_456, "1234.56"),
            ("12,345,678", 1_234_567_800, "12345678.00"),
        ] {
            assert_eq!(Cents::parse(text), Ok(Cents(cents)), "{text}");
            assert_eq!(Cents(cents).to_string(), printed);
        }
    }

    #[test]
    fn what_is_no_multiplier_is_named() {
        for text in [
            "", ".", "1.", ".5", "-1.00", "+1", "1,23", "1234,567", ",123", "1,,234", "1.2.3", "1e3", "NaN",
            "1 .0", "１", "x",
        ] {
            assert_eq!(Cents::parse(text), Err(CentsError::Other(text.to_owned())), "{text}");
        }
        for text in ["1.835", "0.001", "184467440737095517", "99999999999999999999"] {
            assert_eq!(Cents::parse(text), Err(CentsError::Finer(text.to_owned())), "{text}");
        }
    }
}
