//! One round as it was exported: named columns, each of which may be missing (spec/dialects.md,
//! rows).

#![warn(clippy::indexing_slicing, clippy::as_conversions)]

use std::borrow::Cow;

use super::{Cents, GameValue, PlayError};
use fairdeal::deal::{Card, Contribution, decode_hex};
use fairdeal::named;

/// The columns of a round's row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Round<'a> {
    /// The server seed, or the game hash of a chain, exactly as written.
    pub server_seed: Option<Cow<'a, str>>,
    /// The commitment.
    pub commitment: Option<[u8; 32]>,
    /// The client's seed, or the public salt of a chain, exactly as written.
    pub client_seed: Option<Cow<'a, str>>,
    /// The round's number under its seeds.
    pub nonce: Option<u64>,
    /// The first cards of the deal.
    pub cards: Option<Vec<Card>>,
    /// The multiplier.
    pub result: Option<Cents>,
    /// The multiplier as written, if it has more than two decimals, which no scheme gives.
    pub finer: Option<Cow<'a, str>>,
    /// Links of the chain down to its end.
    pub chain_steps: Option<u64>,
    /// The game's number on its chain.
    pub game_id: Option<u64>,
    /// The cards that the player held.
    pub held: Option<Vec<Card>>,
    /// The hand after the other cards were replaced.
    pub last: Option<Vec<Card>>,
    /// Whether `cards` is the whole deck.
    pub full: Option<bool>,
    /// The players' seeds, if several players brought one.
    pub contributions: Option<Vec<Contribution>>,
    /// The deck's name.
    pub deck: Option<Cow<'a, str>>,
    /// The method's name.
    pub method: Option<Cow<'a, str>>,
    /// The columns of games of numbers and symbols, each once.
    pub cells: Vec<(Column, GameValue)>,
}

named! {
    /// The columns that are read. Other columns are ignored.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    Column {
        ServerSeed = "server_seed",
        Commitment = "commitment",
        ClientSeed = "client_seed",
        Nonce = "nonce",
        Cards = "cards",
        Result = "result",
        ChainSteps = "chain_steps",
        GameId = "game_id",
        Held = "held",
        Final = "final",
        Full = "full",
        Contributions = "contributions",
        Deck = "deck",
        Method = "method",
        Numbers = "numbers",
        Rolls = "rolls",
        Symbols = "symbols",
        Floors = "floors",
        Slot = "slot",
        Path = "path",
        Rows = "rows",
        Segments = "segments",
        MineCount = "mine_count",
        Risk = "risk",
        Difficulty = "difficulty",
    }
}

impl Round<'_> {
    /// The same with nothing borrowed.
    #[must_use]
    pub fn into_owned(self) -> Round<'static> {
        let owned = |text: Option<Cow<'_, str>>| text.map(|text| Cow::Owned(text.into_owned()));
        Round {
            server_seed: owned(self.server_seed),
            commitment: self.commitment,
            client_seed: owned(self.client_seed),
            nonce: self.nonce,
            cards: self.cards,
            result: self.result,
            finer: owned(self.finer),
            chain_steps: self.chain_steps,
            game_id: self.game_id,
            held: self.held,
            last: self.last,
            full: self.full,
            contributions: self.contributions,
            deck: owned(self.deck),
            method: owned(self.method),
            cells: self.cells,
        }
    }

    /// A column of a game of numbers and symbols.
    #[must_use]
    pub fn cell(&self, column: Column) -> Option<&GameValue> {
        self.cells.iter().find(|(one, _)| *one == column).map(|(_, cell)| cell)
    }

    /// Whether the row shows this column of a result.
    pub(super) fn has_result(&self, column: Column) -> bool {
        match column {
            Column::Cards => self.cards.as_ref().is_some_and(|cards| !cards.is_empty()),
            Column::Result => self.result.is_some() || self.finer.is_some(),
            other => self.cell(other).is_some(),
        }
    }

    /// The cards that the row shows.
    pub(super) fn shown(&self) -> &[Card] {
        self.cards.as_deref().unwrap_or_default()
    }

    pub(crate) fn server_seed(&self) -> Result<&str, PlayError> {
        let missing =
            PlayError::Missing { column: Column::ServerSeed, expected: "the revealed server seed" };
        self.server_seed.as_deref().ok_or(missing)
    }

    /// The server seed as the hash of a chain's game.
    pub(super) fn game_hash(&self) -> Result<[u8; 32], PlayError> {
        let hash = self.server_seed()?;
        read_hex32(hash).ok_or_else(|| PlayError::wrong_hex(Column::ServerSeed, 64, hash))
    }

    pub(crate) fn client_seed(&self) -> Result<&str, PlayError> {
        let missing =
            PlayError::Missing { column: Column::ClientSeed, expected: "the client seed" };
        self.client_seed.as_deref().ok_or(missing)
    }

    pub(crate) fn nonce(&self) -> Result<u64, PlayError> {
        self.nonce.ok_or(PlayError::Missing { column: Column::Nonce, expected: INTEGER })
    }
}

impl Column {
    /// The value that a column of results needs, with an example.
    #[must_use]
    pub const fn example(self) -> &'static str {
        match self {
            Self::Cards => "at least one card",
            Self::Result => "a number such as 1.83",
            Self::Symbols => "symbols, such as heads, tails",
            Self::Floors => "lists of numbers, such as 0,2; 1,3",
            Self::Path => "a path such as 01101001",
            Self::Slot => "a slot's number",
            _ => "numbers, such as 5, 12, 19",
        }
    }
}

pub(crate) const INTEGER: &str = "a whole number from 0 to 2^53 - 1";

/// 64 hex digits in either case.
pub(crate) fn read_hex32(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    decode_hex(text.as_bytes(), &mut bytes).map(|()| bytes)
}
