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
    /// Its comma may be a point, or stand between thousands. The two readings follow.
    #[error(
        "expected a multiplier with a point, or without the comma, found {0:?}, which is {1} or {2}"
    )]
    Ambiguous(String, String, String),
    /// It is not a number.
    #[error("expected a multiplier, such as 1.83, found {0:?}")]
    Other(String),
}

impl Cents {
    /// Reads `1.83`, `1.8`, `1`, with or without a final `x`, with a comma in the place of the
    /// point, or with commas between groups of three digits. Further decimals must be zeros.
    ///
    /// # Errors
    /// [`CentsError`].
    pub fn parse(text: &str) -> Result<Self, CentsError> {
        let shown = || text.chars().take(40).collect();
        let number = text.strip_suffix(['x', 'X', '×']).unwrap_or(text);
        let is_number =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let (whole, decimals) = match (number.split_once('.'), number.split_once(',')) {
            (None, Some((whole, decimals))) if is_number(decimals) => {
                if decimals.len() == 3 && is_number(whole) {
                    let readings = (format!("{whole}.{decimals}"), format!("{whole}{decimals}"));
                    return Err(CentsError::Ambiguous(shown(), readings.0, readings.1));
                }
                (whole.to_owned(), decimals)
            }
            (None, _) => (without_groups(number), "0"),
            (Some((whole, decimals)), _) => (without_groups(whole), decimals),
        };
        if !is_number(&whole) || !is_number(decimals) {
            return Err(CentsError::Other(shown()));
        }
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
}

/// The digits, where commas separate them into groups of three; else the text as it is.
fn without_groups(text: &str) -> String {
    let mut groups = text.split(',');
    let first = groups.next().map_or(0, str::len);
    let is_grouped = (1..=3).contains(&first) && groups.all(|group| group.len() == 3);
    if is_grouped { text.replace(',', "") } else { text.to_owned() }
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
