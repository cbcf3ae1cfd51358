//! The result of a round's seeds, and the reasons for none.

use std::fmt;

use super::board::Board;
use super::{
    Accepted, Column, Dialect, Digests, GameValue, HexForm, Refused, Role, Round, Scheme,
    cards_text,
};
use fairdeal::deal::Card;

/// The way in which a dialect deals.
#[derive(Clone, Copy)]
pub(super) enum Deals {
    /// Cards from a fresh deck of `items`, by the scheme's walk.
    Walk { items: u32, refused: Refused },
    /// Numbers, and what a row shows of them.
    Board { board: Board, refused: Refused },
    /// The number from which a multiplier follows, 1 to 2^bits.
    Number(fn(&Dialect, &Scheme, &mut dyn Digests, &Round<'_>) -> Result<u64, PlayError>),
    /// At least so many cards. The scheme's choices do not matter.
    Cards(fn(&Round<'_>, usize) -> Result<DialectOutcome, PlayError>),
}

/// Plays a round for so many cards.
pub(super) type Play<'p> = &'p mut dyn FnMut(usize) -> Result<DialectOutcome, PlayError>;

/// Whether the row's other columns agree with the deal.
pub(super) type Agrees = fn(&Round<'_>, Play<'_>) -> Result<(), String>;

/// The result of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DialectOutcome {
    /// Cards in deal order.
    Cards(Vec<Card>),
    /// A result, with the other one that is accepted.
    Result(Accepted),
    /// The values of columns.
    Cells(Vec<(Column, GameValue)>),
}

impl fmt::Display for DialectOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cards(cards) => f.write_str(&cards_text(cards)),
            Self::Result(accepted) => accepted.first.fmt(f),
            Self::Cells(cells) => {
                let cells: Vec<String> = cells.iter().map(|(_, cell)| cell.to_string()).collect();
                f.write_str(&cells.join(" · "))
            }
        }
    }
}

/// Why a round cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum PlayError {
    /// A column that the scheme needs is missing.
    #[error("{column}: expected {expected}, found nothing")]
    Missing { column: Column, expected: &'static str },
    /// A column has a value that the scheme does not take.
    #[error("{column}: expected {expected}, found {found}")]
    Wrong { column: Column, expected: String, found: String },
    /// All eight words of a digest are refused, and the scheme has no rule for that.
    #[error(
        "all eight words of digest {cursor} are refused for a range of {range}, and the scheme has no answer to that"
    )]
    Refused { range: u32, cursor: u64 },
}

impl PlayError {
    pub(crate) fn wrong(column: Column, expected: &str, found: impl fmt::Display) -> Self {
        Self::Wrong { column, expected: expected.to_owned(), found: found.to_string() }
    }

    /// Hex of a wrong length or with wrong characters.
    pub(super) fn wrong_hex(column: Column, digits: usize, found: &str) -> Self {
        let shown: String = found.chars().take(80).collect();
        let count = found.chars().count();
        Self::wrong(
            column,
            &format!("{digits} hex digits"),
            format_args!("{count} characters, {shown:?}"),
        )
    }
}

/// The HMAC of a chain's game: of its hash and the salt, one as the key and one as the message.
pub(super) fn digest_of_hash(
    dialect: &Dialect,
    scheme: &Scheme,
    digests: &mut dyn Digests,
    round: &Round<'_>,
) -> Result<[u8; 32], PlayError> {
    Ok(match (scheme.role, scheme.seed) {
        (Role::Key, _) => digests.digest(dialect.client_seed(round)?.as_bytes()),
        (Role::Message, HexForm::Text) => digests.digest(round.server_seed()?.as_bytes()),
        (Role::Message, HexForm::Decoded) => digests.digest(&round.game_hash()?),
    })
}
