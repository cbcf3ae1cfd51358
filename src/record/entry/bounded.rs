//! Texts of bounded length: tables, reasons and the log's name (spec/ledger.md, conventions).

use std::fmt;

use crate::deal::from_str;
use crate::record::as_json::as_text;

/// A text of 1 to `MOST` bytes without control characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text<const MOST: usize>(String);

/// A table's name: 1 to 128 bytes.
pub type Table = Text<128>;
/// Why a round or a commitment was voided: 1 to 256 bytes.
pub type Reason = Text<256>;
/// A raffle's title, or a prize: 1 to 200 bytes (spec/raffle.md, section 37).
pub type Caption = Text<200>;
/// An address of a file: 1 to 2,048 bytes (spec/raffle.md, section 37).
pub type Link = Text<2048>;

/// The log's name: 1 to 255 bytes, a key name of a signed note.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin(String);

/// A text has another length, or a character that it may not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum TextError {
    /// Empty, or too long.
    #[error("{what}: expected 1 to {most} bytes, found {found}")]
    Length { what: &'static str, most: usize, found: usize },
    /// A control character.
    #[error("{what} holds no control characters, found {found:?}")]
    Control { what: &'static str, found: char },
    /// A character that no log's name may have.
    #[error("an origin holds neither white space nor \"+\", found {0:?}")]
    Origin(char),
}

fn check(what: &'static str, text: &str, most: usize) -> Result<(), TextError> {
    if text.is_empty() || text.len() > most {
        return Err(TextError::Length { what, most, found: text.len() });
    }
    match text.chars().find(|c| c.is_control()) {
        Some(found) => Err(TextError::Control { what, found }),
        None => Ok(()),
    }
}

impl<const MOST: usize> Text<MOST> {
    /// # Errors
    /// [`TextError::Length`] or [`TextError::Control`].
    pub fn new(text: impl Into<String>) -> Result<Self, TextError> {
        let text = text.into();
        check("this text", &text, MOST).map(|()| Self(text))
    }

    /// The text, exactly as given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Origin {
    /// # Errors
    /// [`TextError`].
    pub fn new(text: impl Into<String>) -> Result<Self, TextError> {
        let text = text.into();
        check("an origin", &text, 255)?;
        match text.chars().find(|&c| c.is_whitespace() || c == '+') {
            Some(found) => Err(TextError::Origin(found)),
            None => Ok(Self(text)),
        }
    }

    /// The text, exactly as given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<const MOST: usize> fmt::Display for Text<MOST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

from_str! {
    Table, TextError, Table::new;
    Reason, TextError, Reason::new;
    Caption, TextError, Caption::new;
    Link, TextError, Link::new;
    Origin, TextError, Origin::new;
}

as_text!(Table, "a text of 1 to 128 bytes");
as_text!(Reason, "a text of 1 to 256 bytes");
as_text!(Caption, "a text of 1 to 200 bytes");
as_text!(Link, "a text of 1 to 2048 bytes");
as_text!(Origin, "an origin of 1 to 255 bytes");
