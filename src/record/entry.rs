//! Ledger entries (spec/ledger.md, entries): one JSON object each, canonical, of one of six kinds.

mod anchor;
mod bounded;
mod build;
mod fields;
mod forms;
mod layout;
mod plain;
mod signature;
mod terms;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use super::as_json::{Int, IntError};
pub use anchor::Anchor;
pub use bounded::{Caption, Link, Origin, Reason, Table, Text, TextError};
pub use fields::{
    AnchorWord, BeaconSignature, BeaconTerms, Cards, CommitWord, DealWord, FormatError, LockWord,
    LogSignature, LoggedContribution, Mixing, Opened, ProtocolV1, ResultForm, RevealWord,
    SeenCheckpoint, VoidWord,
};
pub(crate) use fields::{display, word};
pub use forms::{Commit, Deal, Lock, MAX_REVEAL_IN, Reveal, RevealedSeed, Void};
pub use layout::{Face, Game, GivenLayout, Hands, Layout, Place};
pub use plain::{PlainDeal, PlainForm, plain_seeds};
pub use signature::{
    PlayerKey, PlayerKeyError, PlayerSignature, PlayerSigner, RoundOf, WrongPlayerSignature,
    signed_message, verify_contribution,
};
pub(super) use terms::only_true;
pub use terms::{MAX_INDICES, MAX_ROUNDS, MAX_SEALED, ResultKind, Terms};

use self::plain::{ROOM, plain_text};
use super::field_error::{FieldError, wrong};
use super::json::{NotCanonical, parse_canonical, to_canonical};
use crate::deal::{Commitment, Nonce};

/// The longest entry in bytes: what an entry bundle can hold.
pub const MAX_ENTRY: usize = 65_535;

/// An entry that this version judges, or a commit of another protocol, which is only counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A commitment.
    Commit(Box<Commit>),
    /// A round's contributions, fixed.
    Lock(Box<Lock>),
    /// A round's result.
    Deal(Box<Deal>),
    /// A round or a commitment, voided.
    Void(Box<Void>),
    /// A server seed, made public.
    Reveal(Box<Reveal>),
    /// A checkpoint that witnesses have signed.
    Anchor(Box<Anchor>),
    /// A commit whose `protocol` is not "fairdeal/v1".
    Other(OtherCommit),
}

/// The facts that entries of all kinds have.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Facts<'a> {
    /// The kind, as in the entry's member `entry`.
    pub kind: &'static str,
    /// The commitment; `None` for an anchor.
    pub commitment: Option<Commitment>,
    /// Unix milliseconds.
    pub time: u64,
    /// The round; `None` for a commit, a reveal, a whole void and an anchor.
    pub nonce: Option<Nonce>,
    /// The contributions of a lock or a deal; empty for others.
    pub contributions: &'a [LoggedContribution],
}

/// A commit of another protocol: its commitment is not judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherCommit {
    /// The commitment.
    pub commitment: Commitment,
    /// The protocol that it names.
    pub protocol: String,
    /// Unix milliseconds.
    pub time: u64,
}

/// Bytes that are no entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum EntryError {
    /// Finding `not-canonical`.
    #[error(transparent)]
    NotCanonical(#[from] NotCanonical),
    /// Finding `invalid-entry`: canonical, but a field is unknown, missing or illegal. It keeps the
    /// commitment that the bytes claim, since an entry under another protocol's commitment is not
    /// judged.
    #[error("{says}")]
    Invalid { says: String, commitment: Option<Commitment> },
    /// Longer than a bundle can hold.
    #[error("an entry has at most {MAX_ENTRY} bytes, this one would have {0}")]
    TooLong(usize),
}

impl EntryError {
    /// The commitment that the bytes claim; `None` if it can't be read.
    #[must_use]
    pub fn commitment(&self) -> Option<Commitment> {
        match self {
            Self::Invalid { commitment, .. } => *commitment,
            Self::NotCanonical(_) | Self::TooLong(_) => None,
        }
    }
}

impl Entry {
    /// Reads an entry's bytes.
    ///
    /// # Errors
    /// [`EntryError`], which says what was expected, what came and where.
    pub fn parse(bytes: &[u8]) -> Result<Self, EntryError> {
        if bytes.len() > MAX_ENTRY {
            return Err(EntryError::TooLong(bytes.len()));
        }
        let value = parse_canonical(bytes)?;
        let member = |name: &str| value.get(name).and_then(Value::as_str);
        let commitment = member("commitment").and_then(|text| Commitment::parse(text).ok());
        let invalid = |error: FieldError| EntryError::Invalid { says: error.into(), commitment };
        let Value::Object(_) = value else {
            return Err(invalid(FieldError::new("expected a JSON object")));
        };
        let entry = match member("entry") {
            Some("commit") if member("protocol").is_some_and(|p| p != "fairdeal/v1") => {
                other_commit(&value).map(Self::Other)
            }
            Some("commit") => {
                read::<Commit>(&value).and_then(|e| e.check().map(|()| Self::Commit(e)))
            }
            Some("lock") => read::<Lock>(&value).and_then(|e| e.check().map(|()| Self::Lock(e))),
            Some("deal") => read::<Deal>(&value).and_then(|e| e.check().map(|()| Self::Deal(e))),
            Some("void") => read::<Void>(&value).and_then(|e| e.check().map(|()| Self::Void(e))),
            Some("reveal") => read::<Reveal>(&value).map(Self::Reveal),
            Some("anchor") => {
                read::<Anchor>(&value).and_then(|e| e.check().map(|()| Self::Anchor(e)))
            }
            Some(other) => wrong(format!(
                "entry: expected commit, lock, deal, void, reveal or anchor, found {other:?}"
            )),
            None => {
                wrong("entry: expected commit, lock, deal, void, reveal or anchor, found no text")
            }
        };
        entry.map_err(invalid)
    }

    /// The entry's bytes, which parse back to it.
    ///
    /// # Errors
    /// [`EntryError`], if its fields do not go together or make it too long; a commit of another
    /// protocol is not ours to write.
    pub fn to_text(&self) -> Result<String, EntryError> {
        // Most deals are written and read in place, which is faster; all else is written and read
        // in full.
        if let Self::Deal(deal) = self
            && let Some(text) = plain_text(deal)
            && PlainDeal::read(text.as_bytes()).is_some()
        {
            return Ok(text);
        }
        let text = match self {
            // Its terms are flattened, so only a JSON value has its members in order.
            Self::Commit(e) => match serde_json::to_value(e) {
                Ok(value) => Ok(to_canonical(&value)),
                Err(error) => wrong(error.to_string()),
            },
            Self::Lock(e) => write(e),
            Self::Deal(e) => write(e),
            Self::Void(e) => write(e),
            Self::Reveal(e) => write(e),
            Self::Anchor(e) => write(e),
            Self::Other(e) => wrong(format!("protocol: {:?} is not written here", e.protocol)),
        };
        let text = text.map_err(|error| EntryError::Invalid {
            says: error.into(),
            commitment: self.commitment(),
        })?;
        Self::parse(text.as_bytes())?;
        Ok(text)
    }

    /// The facts that entries of all kinds have. A new kind of entry adds its line here.
    #[must_use]
    pub fn facts(&self) -> Facts<'_> {
        let nobody: &[LoggedContribution] = &[];
        let (kind, commitment, time, nonce, contributions) = match self {
            Self::Commit(e) => ("commit", Some(e.commitment), e.time.value(), None, nobody),
            Self::Lock(e) => {
                ("lock", Some(e.commitment), e.time.value(), Some(e.nonce), e.contributions())
            }
            Self::Deal(e) => {
                ("deal", Some(e.commitment), e.time.value(), Some(e.nonce), e.contributions())
            }
            Self::Void(e) => ("void", Some(e.commitment), e.time.value(), e.nonce, nobody),
            Self::Reveal(e) => ("reveal", Some(e.commitment), e.time.value(), None, nobody),
            Self::Anchor(e) => ("anchor", None, e.time.value(), None, nobody),
            Self::Other(e) => ("commit", Some(e.commitment), e.time, None, nobody),
        };
        Facts { kind, commitment, time, nonce, contributions }
    }

    /// Its commitment; `None` for an anchor.
    #[must_use]
    pub fn commitment(&self) -> Option<Commitment> {
        self.facts().commitment
    }

    /// Its time in Unix milliseconds.
    #[must_use]
    pub fn time(&self) -> u64 {
        self.facts().time
    }

    /// Its round; `None` for a commit, a reveal, a whole void and an anchor.
    #[must_use]
    pub fn nonce(&self) -> Option<Nonce> {
        self.facts().nonce
    }

    /// Its kind, as in its member `entry`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.facts().kind
    }

    /// The contributions of a lock or a deal; empty for others.
    #[must_use]
    pub fn contributions(&self) -> &[LoggedContribution] {
        self.facts().contributions
    }

    /// Whether no entry under its commitment can follow it: a reveal, or a void of the whole
    /// commitment.
    #[must_use]
    pub fn is_end(&self) -> bool {
        match self {
            Self::Reveal(_) => true,
            Self::Void(void) => void.nonce.is_none(),
            Self::Commit(_) | Self::Lock(_) | Self::Deal(_) | Self::Anchor(_) | Self::Other(_) => {
                false
            }
        }
    }
}

fn read<T: DeserializeOwned>(value: &Value) -> Result<Box<T>, FieldError> {
    super::as_json::read_value(value).map(Box::new)
}

fn write<T: Serialize>(entry: &T) -> Result<String, FieldError> {
    let mut text = Vec::with_capacity(ROOM);
    serde_json::to_writer(&mut text, entry).or_else(|error| wrong(error.to_string()))?;
    String::from_utf8(text).or_else(|error| wrong(error.to_string()))
}

/// Reads the counted fields of a commit of another protocol, and no others.
fn other_commit(value: &Value) -> Result<OtherCommit, FieldError> {
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    let commitment = text("commitment").ok_or_else(|| FieldError::new("commitment: missing"))?;
    let commitment =
        Commitment::parse(commitment).or_else(|e| wrong(format!("commitment: {e}")))?;
    let time = value.get("time").and_then(Value::as_u64).filter(|&time| time <= Int::MAX);
    let missing = || FieldError::new(format!("time: expected an integer from 0 to {}", Int::MAX));
    let protocol = text("protocol").unwrap_or_default().to_owned();
    Ok(OtherCommit { commitment, protocol, time: time.ok_or_else(missing)? })
}

#[cfg(test)]
mod tests;
