//! One round as it was exported: named columns, each of which may be missing (spec/dialects.md, rows).

#![warn(clippy::indexing_slicing, clippy::as_conversions)]

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{Cents, CentsError, PlayError, named, read_card, read_cards};
use crate::deal::{Card, Contribution, Digest, Nonce, Seen, decode_hex};

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
    /// The multiplier as written, if it has more than two decimals. No scheme gives it.
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
    /// Who brought which seed, if several did.
    pub contributions: Option<Vec<Contribution>>,
    /// The deck's name.
    pub deck: Option<Cow<'a, str>>,
    /// The method's name.
    pub method: Option<Cow<'a, str>>,
}

named! {
    /// The columns that are read. Others are ignored.
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
    }
}

impl Column {
    /// The column of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|column| column.as_str() == name)
    }
}

/// A column's value, in the shapes of JSON and CSV.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// Nothing: the same as a missing column.
    Null,
    /// A text. CSV has no other.
    Text(Cow<'a, str>),
    /// A number as written.
    Number(Cow<'a, str>),
    /// True or false.
    Bool(bool),
    /// A list of texts.
    List(Vec<Cow<'a, str>>),
    /// A list of objects, as JSON.
    Json(Cow<'a, str>),
    /// Another type, by its name.
    Other(&'static str),
}

impl Value<'_> {
    /// The value in a message.
    fn shown(&self) -> String {
        let cut = |text: &str| text.chars().take(80).collect::<String>();
        match self {
            Self::Null => "nothing".to_owned(),
            Self::Text(text) => format!("{:?}", cut(text)),
            Self::Number(number) => cut(number),
            Self::Bool(value) => value.to_string(),
            Self::List(items) => format!("a list of {}", items.len()),
            Self::Json(json) => cut(json),
            Self::Other(what) => (*what).to_owned(),
        }
    }
}

impl<'a> Round<'a> {
    /// Sets a column.
    ///
    /// # Errors
    /// [`PlayError::Wrong`] if the column cannot have the value.
    pub fn put(&mut self, column: Column, value: Value<'a>) -> Result<(), PlayError> {
        if value == Value::Null {
            return Ok(());
        }
        let wrong = |expected: &str, value: &Value<'_>| PlayError::wrong(column, expected, value.shown());
        let text = |value, expected| match value {
            Value::Text(text) if !text.is_empty() => Ok(Some(text)),
            other => Err(wrong(expected, &other)),
        };
        let whole = |value| integer(value).map(Some).ok_or_else(|| wrong(INTEGER, value));
        match column {
            Column::ServerSeed => self.server_seed = text(value, "a text")?,
            Column::ClientSeed => self.client_seed = text(value, "a text")?,
            Column::Deck => self.deck = text(value, "a deck's name")?,
            Column::Method => self.method = text(value, "a method's name")?,
            Column::Commitment => {
                let bytes = if let Value::Text(hex) = &value { read_hex32(hex) } else { None };
                self.commitment = Some(bytes.ok_or_else(|| wrong("64 hex digits", &value))?);
            }
            Column::Nonce => self.nonce = whole(&value)?,
            Column::ChainSteps => self.chain_steps = whole(&value)?,
            Column::GameId => self.game_id = whole(&value)?,
            Column::Result => {
                let (Value::Text(text) | Value::Number(text)) = &value else {
                    return Err(wrong("a multiplier such as 1.83", &value));
                };
                match Cents::parse(text) {
                    Ok(cents) => self.result = Some(cents),
                    Err(CentsError::Finer(_)) => self.finer = Some(text.clone()),
                    Err(CentsError::Other(_)) => return Err(wrong(MULTIPLIER, &value)),
                }
            }
            Column::Cards => self.cards = Some(cards(column, &value)?),
            Column::Held => self.held = Some(cards(column, &value)?),
            Column::Final => self.last = Some(cards(column, &value)?),
            Column::Full => {
                self.full = Some(match &value {
                    Value::Bool(full) => *full,
                    Value::Text(text) if text.eq_ignore_ascii_case("true") => true,
                    Value::Text(text) if text.eq_ignore_ascii_case("false") => false,
                    _ => return Err(wrong("true or false", &value)),
                });
            }
            Column::Contributions => {
                let (Value::Text(json) | Value::Json(json)) = &value else {
                    return Err(wrong(CONTRIBUTIONS, &value));
                };
                let given = contributions(json);
                self.contributions =
                    Some(given.map_err(|found| PlayError::wrong(column, CONTRIBUTIONS, found))?);
            }
        }
        Ok(())
    }

    /// The same with nothing borrowed.
    #[must_use]
    pub fn into_owned(self) -> Round<'static> {
        let mut owned = Round::default();
        owned.copy_from(&self);
        owned
    }

    /// The cards that the row shows.
    pub(super) fn shown(&self) -> &[Card] {
        self.cards.as_deref().unwrap_or_default()
    }

    pub(crate) fn server_seed(&self) -> Result<&str, PlayError> {
        let missing = PlayError::Missing { column: Column::ServerSeed, expected: "the revealed server seed" };
        self.server_seed.as_deref().ok_or(missing)
    }

    pub(crate) fn client_seed(&self) -> Result<&str, PlayError> {
        let missing = PlayError::Missing { column: Column::ClientSeed, expected: "the client seed" };
        self.client_seed.as_deref().ok_or(missing)
    }

    pub(crate) fn nonce(&self) -> Result<u64, PlayError> {
        self.nonce.ok_or(PlayError::Missing { column: Column::Nonce, expected: INTEGER })
    }
}

impl Round<'static> {
    /// Copies another row into this one and keeps its buffers, since every row of a file is copied.
    pub(super) fn copy_from(&mut self, from: &Round<'_>) {
        let texts = [
            (&mut self.server_seed, &from.server_seed),
            (&mut self.client_seed, &from.client_seed),
            (&mut self.deck, &from.deck),
            (&mut self.method, &from.method),
            (&mut self.finer, &from.finer),
        ];
        for (into, from) in texts {
            match (into, from) {
                (Some(Cow::Owned(buffer)), Some(from)) => from.as_ref().clone_into(buffer),
                (into, from) => *into = from.as_deref().map(|from| Cow::Owned(from.to_owned())),
            }
        }
        self.cards.clone_from(&from.cards);
        self.held.clone_from(&from.held);
        self.last.clone_from(&from.last);
        self.contributions.clone_from(&from.contributions);
        (self.commitment, self.nonce, self.result) = (from.commitment, from.nonce, from.result);
        (self.chain_steps, self.game_id, self.full) = (from.chain_steps, from.game_id, from.full);
    }
}

const INTEGER: &str = "a whole number from 0 to 2^53 - 1";
const MULTIPLIER: &str = "a multiplier with at most two decimals, such as 1.83";
const CONTRIBUTIONS: &str = "a list of objects with \"from\" and \"seed\"";

/// A number in digits, without leading zeros.
fn integer(value: &Value<'_>) -> Option<u64> {
    let (Value::Text(text) | Value::Number(text)) = value else { return None };
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text.len() == 1 || !text.starts_with('0'));
    plain.then(|| text.parse().ok())?.filter(|&number| number <= Nonce::MAX)
}

/// A contribution as in a log's entry. The signature of its checkpoint is not needed to replay.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    from: String,
    seed: String,
    seen: Option<GivenSeen>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GivenSeen {
    size: u64,
    root: String,
    #[serde(rename = "signature")]
    _signature: Option<IgnoredAny>,
}

fn contributions(json: &str) -> Result<Vec<Contribution>, String> {
    let given: Vec<Given> = serde_json::from_str(json).map_err(|error| error.to_string())?;
    given.into_iter().map(contribution).collect()
}

fn contribution(given: Given) -> Result<Contribution, String> {
    let mut one = Contribution::new(given.from, given.seed).map_err(|error| error.to_string())?;
    if let Some(seen) = given.seen {
        let root = Digest::parse(&seen.root).map_err(|error| format!("root: {error}"))?;
        let size = Some(seen.size).filter(|size| *size <= Nonce::MAX);
        let size = size.ok_or_else(|| format!("size: {INTEGER} expected, {} found", seen.size))?;
        one.seen = Some(Seen { size, root: *root.as_bytes() });
    }
    Ok(one)
}

fn cards(column: Column, value: &Value<'_>) -> Result<Vec<Card>, PlayError> {
    let read = match value {
        Value::Text(text) => read_cards(text),
        Value::List(items) => items.iter().map(|item| read_card(item)).collect(),
        _ => return Err(PlayError::wrong(column, "cards, such as [\"10H\", \"AS\"]", value.shown())),
    };
    read.map_err(|error| PlayError::wrong(column, "cards such as 10H", error.found()))
}

/// 64 hex digits in either case.
pub(super) fn read_hex32(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    decode_hex(text.as_bytes(), &mut bytes).map(|()| bytes)
}
