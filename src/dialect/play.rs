//! What seeds give, and why they may give nothing.

use std::fmt;

use super::card::cards_text;
use super::cents::Cents;
use super::round::Column;
use crate::deal::Card;

/// What a round came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Cards in deal order.
    Cards(Vec<Card>),
    /// A multiplier.
    Multiplier(Cents),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cards(cards) => f.write_str(&cards_text(cards)),
            Self::Multiplier(cents) => cents.fmt(f),
        }
    }
}

/// Why a round cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// Something that the scheme needs is not given.
    #[error("{column}: expected {expected}, found nothing")]
    Missing {
        /// Where it would stand.
        column: Column,
        /// What the scheme takes there.
        expected: &'static str,
    },
    /// Something is given that the scheme does not take.
    #[error("{column}: expected {expected}, found {found}")]
    Wrong {
        /// Where it stands.
        column: Column,
        /// What the scheme takes there.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// All eight words of a digest are refused and the scheme does not say what then.
    #[error(
        "all eight words of digest {cursor} are refused for a range of {range}, and the scheme has no answer to that"
    )]
    Refused {
        /// How many ways the draw has.
        range: u32,
        /// The message's last number.
        cursor: u64,
    },
}

impl PlayError {
    /// Hex of another length or with other characters than a scheme takes.
    pub(super) fn wrong_hex(column: Column, digits: usize, found: &str) -> Self {
        let shown: String = found.chars().take(80).collect();
        let count = found.chars().count();
        Self::Wrong {
            column,
            expected: format!("{digits} hex digits"),
            found: format!("{count} characters, {shown:?}"),
        }
    }
}
