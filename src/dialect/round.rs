//! One round as somebody exported it: named columns, each of which may be missing (spec/dialects.md, rows).

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::card::{read_card, read_cards};
use super::cents::{Cents, CentsError};
use super::play::PlayError;
use crate::deal::{Card, Contribution, Digest, Seen, decode_hex};

/// What a round's row holds, as far as it was given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Round<'a> {
    /// The server seed, or the game hash of a chain, exactly as written.
    pub server_seed: Option<Cow<'a, str>>,
    /// What was promised before.
    pub commitment: Option<[u8; 32]>,
    /// The client's seed, or the public salt of a chain, exactly as written.
    pub client_seed: Option<Cow<'a, str>>,
    /// The round's number under its seeds.
    pub nonce: Option<u64>,
    /// The first cards of the deal.
    pub cards: Option<Vec<Card>>,
    /// The multiplier.
    pub result: Option<Cents>,
    /// The multiplier as written, where it is no number of hundredths: no scheme gives it.
    pub finer: Option<Cow<'a, str>>,
    /// Links of the chain down to its end.
    pub chain_steps: Option<u64>,
    /// The game's number on its chain.
    pub game_id: Option<u64>,
    /// The cards that were kept.
    pub held: Option<Vec<Card>>,
    /// The hand after what was not kept was replaced.
    pub last: Option<Vec<Card>>,
    /// Whether `cards` is the whole deck.
    pub full: Option<bool>,
    /// Who brought which seed, where several did.
    pub contributions: Option<Vec<Contribution>>,
    /// The deck's name.
    pub deck: Option<Cow<'a, str>>,
    /// The method's name.
    pub method: Option<Cow<'a, str>>,
}

/// The columns that are read; any other is passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Column {
    /// `server_seed`
    ServerSeed,
    /// `commitment`
    Commitment,
    /// `client_seed`
    ClientSeed,
    /// `nonce`
    Nonce,
    /// `cards`
    Cards,
    /// `result`
    Result,
    /// `chain_steps`
    ChainSteps,
    /// `game_id`
    GameId,
    /// `held`
    Held,
    /// `final`
    Final,
    /// `full`
    Full,
    /// `contributions`
    Contributions,
    /// `deck`
    Deck,
    /// `method`
    Method,
}

impl Column {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::ServerSeed,
        Self::Commitment,
        Self::ClientSeed,
        Self::Nonce,
        Self::Cards,
        Self::Result,
        Self::ChainSteps,
        Self::GameId,
        Self::Held,
        Self::Final,
        Self::Full,
        Self::Contributions,
        Self::Deck,
        Self::Method,
    ];

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ServerSeed => "server_seed",
            Self::Commitment => "commitment",
            Self::ClientSeed => "client_seed",
            Self::Nonce => "nonce",
            Self::Cards => "cards",
            Self::Result => "result",
            Self::ChainSteps => "chain_steps",
            Self::GameId => "game_id",
            Self::Held => "held",
            Self::Final => "final",
            Self::Full => "full",
            Self::Contributions => "contributions",
            Self::Deck => "deck",
            Self::Method => "method",
        }
    }

    /// The column of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|column| column.as_str() == name)
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A column's content, in the shapes that JSON and CSV have.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// Nothing, which is as if the column were not there.
    Null,
    /// A text; all that CSV has.
    Text(Cow<'a, str>),
    /// A number, as it is written.
    Number(Cow<'a, str>),
    /// Yes or no.
    Bool(bool),
    /// A list of texts.
    List(Vec<Cow<'a, str>>),
    /// A list of objects, as JSON.
    Json(Cow<'a, str>),
    /// Something else: what it is.
    Other(&'static str),
}

impl Value<'_> {
    /// What it is, for a message.
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
    /// Takes in one column. Time and memory: those of the value.
    ///
    /// # Errors
    /// [`PlayError::Wrong`] where the value is none that the column can have.
    pub fn put(&mut self, column: Column, value: Value<'a>) -> Result<(), PlayError> {
        if value == Value::Null {
            return Ok(());
        }
        let wrong = |expected: &str, value: &Value<'_>| PlayError::Wrong {
            column,
            expected: expected.to_owned(),
            found: value.shown(),
        };
        match column {
            Column::ServerSeed => self.server_seed = Some(text(value).map_err(|v| wrong("a text", &v))?),
            Column::ClientSeed => self.client_seed = Some(text(value).map_err(|v| wrong("a text", &v))?),
            Column::Deck => self.deck = Some(text(value).map_err(|v| wrong("a deck's name", &v))?),
            Column::Method => self.method = Some(text(value).map_err(|v| wrong("a method's name", &v))?),
            Column::Commitment => {
                let bytes = match &value {
                    Value::Text(hex) => read_hex32(hex),
                    _ => None,
                };
                self.commitment = Some(bytes.ok_or_else(|| wrong("64 hex digits", &value))?);
            }
            Column::Nonce => self.nonce = Some(integer(&value).ok_or_else(|| wrong(INTEGER, &value))?),
            Column::ChainSteps => {
                self.chain_steps = Some(integer(&value).ok_or_else(|| wrong(INTEGER, &value))?);
            }
            Column::GameId => self.game_id = Some(integer(&value).ok_or_else(|| wrong(INTEGER, &value))?),
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
                    return Err(wrong("a list of objects with \"from\" and \"seed\"", &value));
                };
                let given = contributions(json).map_err(|found| PlayError::Wrong {
                    column,
                    expected: "a list of objects with \"from\" and \"seed\"".to_owned(),
                    found,
                })?;
                self.contributions = Some(given);
            }
        }
        Ok(())
    }

    /// The same with nothing borrowed.
    #[must_use]
    pub fn into_owned(self) -> Round<'static> {
        let own = |text: Option<Cow<'a, str>>| text.map(|text| Cow::Owned(text.into_owned()));
        Round {
            server_seed: own(self.server_seed),
            commitment: self.commitment,
            client_seed: own(self.client_seed),
            nonce: self.nonce,
            cards: self.cards,
            result: self.result,
            finer: own(self.finer),
            chain_steps: self.chain_steps,
            game_id: self.game_id,
            held: self.held,
            last: self.last,
            full: self.full,
            contributions: self.contributions,
            deck: own(self.deck),
            method: own(self.method),
        }
    }

    /// The server seed as written.
    ///
    /// # Errors
    /// [`PlayError::Missing`]: it was not revealed.
    pub fn server_seed(&self) -> Result<&str, PlayError> {
        let missing = PlayError::Missing { column: Column::ServerSeed, expected: "the revealed server seed" };
        self.server_seed.as_deref().ok_or(missing)
    }

    /// The client seed as written.
    ///
    /// # Errors
    /// [`PlayError::Missing`].
    pub fn client_seed(&self) -> Result<&str, PlayError> {
        let missing = PlayError::Missing { column: Column::ClientSeed, expected: "the client seed" };
        self.client_seed.as_deref().ok_or(missing)
    }

    /// The nonce.
    ///
    /// # Errors
    /// [`PlayError::Missing`].
    pub fn nonce(&self) -> Result<u64, PlayError> {
        self.nonce.ok_or(PlayError::Missing { column: Column::Nonce, expected: INTEGER })
    }
}

const INTEGER: &str = "a whole number from 0 to 2^53 - 1";
const MULTIPLIER: &str = "a multiplier with at most two decimals, such as 1.83";

/// The last integer that JSON keeps exact everywhere.
const MOST: u64 = crate::deal::Nonce::MAX;

fn text(value: Value<'_>) -> Result<Cow<'_, str>, Value<'_>> {
    match value {
        Value::Text(text) if !text.is_empty() => Ok(text),
        other => Err(other),
    }
}

/// Digits alone, without a leading zero.
fn integer(value: &Value<'_>) -> Option<u64> {
    let (Value::Text(text) | Value::Number(text)) = value else { return None };
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text.len() == 1 || !text.starts_with('0'));
    plain.then(|| text.parse().ok())?.filter(|&number| number <= MOST)
}

/// One contribution as it stands in a log's entry; a checkpoint's signature is not needed to replay.
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
        let size = Some(seen.size).filter(|size| *size <= MOST);
        let size = size.ok_or_else(|| format!("size: {INTEGER} expected, {} found", seen.size))?;
        one.seen = Some(Seen { size, root: *root.as_bytes() });
    }
    Ok(one)
}

fn cards(column: Column, value: &Value<'_>) -> Result<Vec<Card>, PlayError> {
    let read = match value {
        Value::Text(text) => read_cards(text),
        Value::List(items) => items.iter().map(|item| read_card(item)).collect(),
        _ => {
            let expected = "cards, such as [\"10H\", \"AS\"]".to_owned();
            return Err(PlayError::Wrong { column, expected, found: value.shown() });
        }
    };
    read.map_err(|error| PlayError::Wrong {
        column,
        expected: "cards such as 10H".to_owned(),
        found: error.found(),
    })
}

/// 64 hex digits in either case.
pub(super) fn read_hex32(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    decode_hex(text.as_bytes(), &mut bytes).map(|()| bytes)
}
