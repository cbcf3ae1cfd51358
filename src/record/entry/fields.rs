//! The parts that entries are made of (spec/ledger.md, entries).
//!
//! Fields are declared in sorted order, so that plain serialisation gives the canonical form.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::signature::{PlayerKey, PlayerSignature};
use crate::deal::{Blind, Card, ClientSeed, Contribution, Digest, Label, Seen, from_str};
use crate::named::named;
use crate::record::as_json::{Int, as_text, object, present};

/// A text has not the form that an entry needs: other bytes, other digits or another word.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum FormatError {
    /// Not base64.
    #[error("expected base64 of {bytes} bytes: {error}")]
    Base64 { bytes: usize, error: String },
    /// Base64 of another number of bytes.
    #[error("expected {expected}, found {found}")]
    Bytes { expected: &'static str, found: usize },
    /// Hex of another length, or another alphabet.
    #[error("{expected}, found {found} characters")]
    Hex { expected: &'static str, found: usize },
    /// Another word.
    #[error("expected {expected:?}, found {found:?}")]
    Word { expected: &'static str, found: String },
    /// No mixing.
    #[error("mixing: expected seeds, hashes or beacon, found {0:?}")]
    Mixing(String),
    /// An odd number of characters, or none.
    #[error("cards are two characters each, one at least; found {0} bytes")]
    Cards(usize),
    /// Two characters that are no card; their place, from 0.
    #[error("card {0} of the deal is no card of a named deck")]
    NoCard(usize),
}

named! {
    /// The least that every round under a commitment must mix.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    Mixing {
        /// Clear seeds; an operator in league with one contributor can choose the result.
        Seeds = "seeds",
        /// Every round locked, every contribution hashed.
        Hashes = "hashes",
        /// Every round locked, with clear seeds or none, and a round of a drand chain.
        Beacon = "beacon",
    }
}

impl Mixing {
    /// Reads that word.
    ///
    /// # Errors
    /// [`FormatError::Mixing`].
    pub fn parse(text: &str) -> Result<Self, FormatError> {
        Self::named(text).ok_or_else(|| FormatError::Mixing(text.to_owned()))
    }
}

/// The drand chain that a commitment's rounds take, and how long after the lock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct BeaconTerms {
    /// The chain's hash.
    pub chain: Digest,
    /// Milliseconds between the lock's time and the round.
    pub margin: Int,
}

/// A signature in a note: 4 bytes of key id and 64 of Ed25519, in base64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogSignature([u8; 68]);

impl LogSignature {
    /// From a key id and an Ed25519 signature.
    #[must_use]
    pub fn new(id: [u8; 4], signature: &[u8; 64]) -> Self {
        let mut bytes = [0; 68];
        let (first, rest) = bytes.split_at_mut(id.len());
        first.copy_from_slice(&id);
        rest.copy_from_slice(signature);
        Self(bytes)
    }

    /// The key's id, as in a note.
    #[must_use]
    pub fn key_id(&self) -> [u8; 4] {
        let [a, b, c, d, ..] = self.0;
        [a, b, c, d]
    }

    /// The Ed25519 signature.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "64 of 68 bytes")]
    pub fn signature(&self) -> [u8; 64] {
        *self.0.last_chunk().expect("64 of 68 bytes")
    }

    /// Reads base64 of 68 bytes.
    ///
    /// # Errors
    /// [`FormatError::Base64`] or [`FormatError::Bytes`].
    pub fn parse(text: &str) -> Result<Self, FormatError> {
        parse_base64(text, "68 bytes of key id and signature").map(Self)
    }

    /// Its base64.
    #[must_use]
    pub fn to_text(&self) -> String {
        STANDARD.encode(self.0)
    }
}

/// Standard base64 of exactly `N` bytes.
pub(super) fn parse_base64<const N: usize>(
    text: &str,
    expected: &'static str,
) -> Result<[u8; N], FormatError> {
    let bytes = STANDARD
        .decode(text)
        .map_err(|error| FormatError::Base64 { bytes: N, error: error.to_string() })?;
    let found = bytes.len();
    bytes.try_into().map_err(|_| FormatError::Bytes { expected, found })
}

/// A checkpoint that a player verified before choosing a seed, with the log's own signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct SeenCheckpoint {
    /// The log's root then.
    pub root: Digest,
    /// The log's signature on that checkpoint.
    pub signature: LogSignature,
    /// The log's size then, at least 1.
    pub size: Int,
}

impl SeenCheckpoint {
    /// The root, as a hash of the log.
    #[must_use]
    pub fn root(&self) -> crate::log::Hash {
        crate::log::Hash::from_bytes(*self.root.as_bytes())
    }

    /// The part of it that is mixed into the deal.
    #[must_use]
    pub fn mixed(&self) -> Seen {
        Seen { size: self.size.value(), root: *self.root.as_bytes() }
    }
}

/// One contribution as it is logged: a clear seed or a hash, and the checkpoint that its giver had
/// verified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct LoggedContribution {
    /// The contributor.
    pub from: Label,
    /// A promise, opened by the deal.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub hash: Option<Digest>,
    /// The giver's Ed25519 public key; with `signature`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub key: Option<PlayerKey>,
    /// The seed, in clear.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub seed: Option<ClientSeed>,
    /// The checkpoint that its giver had verified.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub seen: Option<SeenCheckpoint>,
    /// The signature of `key` over the contribution and its round.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub signature: Option<PlayerSignature>,
}

impl LoggedContribution {
    /// A clear seed.
    #[must_use]
    pub fn clear(from: Label, seed: ClientSeed, saw: Option<SeenCheckpoint>) -> Self {
        Self { from, hash: None, key: None, seed: Some(seed), seen: saw, signature: None }
    }

    /// A hash, to be opened by the deal.
    #[must_use]
    pub fn promised(from: Label, hash: Digest, seen: Option<SeenCheckpoint>) -> Self {
        Self { from, hash: Some(hash), key: None, seed: None, seen, signature: None }
    }

    /// The contribution with this seed: the logged one, or the one that opens the hash.
    #[must_use]
    pub fn with_seed(&self, seed: ClientSeed) -> Contribution {
        Contribution {
            from: self.from.clone(),
            seed,
            seen: self.seen.as_ref().map(SeenCheckpoint::mixed),
        }
    }
}

/// The seed and blind that open a hash of the lock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Opened {
    /// The 32 bytes that hid the seed.
    pub blind: Blind,
    /// The contributor.
    pub from: Label,
    /// The seed.
    pub seed: ClientSeed,
}

/// The result of a round, in the one form that the commitment asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct ResultForm {
    /// A named deck's cards, two characters each, in deal order.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub cards: Option<Cards>,
    /// SHA-256 of a long list's indices as u32 big-endian each.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// A list's item numbers, if at most 1,000 are drawn.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub indices: Option<Vec<Int>>,
    /// A sealed deal's seal.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub seal: Option<Digest>,
}

impl ResultForm {
    /// No form at all.
    #[doc(hidden)]
    pub const EMPTY: Self = Self { cards: None, digest: None, indices: None, seal: None };
}

/// The text of a deal: one or more cards of two characters each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cards(String);

impl Cards {
    /// # Errors
    /// [`FormatError::Cards`] or [`FormatError::NoCard`].
    pub fn new(text: impl Into<String>) -> Result<Self, FormatError> {
        let text = text.into();
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        if text.is_empty() || !rest.is_empty() {
            return Err(FormatError::Cards(text.len()));
        }
        match pairs.iter().position(|pair| Card::parse(*pair).is_none()) {
            Some(at) => Err(FormatError::NoCard(at)),
            None => Ok(Self(text)),
        }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The number of cards.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.as_bytes().as_chunks::<2>().0.len()
    }
}

/// The signature of a beacon's round: a compressed point of G1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeaconSignature([u8; 48]);

impl BeaconSignature {
    /// Reads 96 lowercase hex digits.
    ///
    /// # Errors
    /// [`FormatError::Hex`].
    pub fn parse(text: &str) -> Result<Self, FormatError> {
        let is_lower = text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let bytes = hex::decode(text).ok().filter(|_| is_lower);
        bytes.and_then(|bytes| bytes.try_into().ok()).map(Self).ok_or_else(|| {
            let expected = "a beacon's signature is 96 lowercase hex digits";
            FormatError::Hex { expected, found: text.chars().count() }
        })
    }

    /// The bytes, in any order of bits: nobody has checked that they are a point.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 48] {
        &self.0
    }

    /// The hex digits.
    #[must_use]
    pub fn to_text(&self) -> String {
        hex::encode(self.0)
    }
}

/// The type prints the text that it reads.
macro_rules! display {
    ($($type:ty, $write:expr;)+) => {$(
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(AsRef::<str>::as_ref(&$write(self)))
            }
        }
    )+};
}
pub(crate) use display;

from_str! {
    Mixing, FormatError, Mixing::parse;
    LogSignature, FormatError, LogSignature::parse;
    Cards, FormatError, Cards::new;
    BeaconSignature, FormatError, BeaconSignature::parse;
}

display! {
    LogSignature, LogSignature::to_text;
    Cards, Cards::as_str;
    BeaconSignature, BeaconSignature::to_text;
}

as_text!(Mixing, "\"seeds\", \"hashes\" or \"beacon\"");
as_text!(LogSignature, "base64 of a key id and an Ed25519 signature");
as_text!(Cards, "cards of two characters each", std::str::FromStr::from_str, Cards::as_str);
as_text!(BeaconSignature, "a beacon's signature in lowercase hex");

object!(BeaconTerms, SeenCheckpoint, LoggedContribution, Opened, ResultForm);

/// A word that is always the same: an entry's kind, the protocol's name.
macro_rules! word {
    ($visible:vis $name:ident, $word:literal, $doc:literal) => {
        #[doc = $doc]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
        $visible struct $name;

        impl std::str::FromStr for $name {
            type Err = $crate::record::entry::FormatError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let expected = $word;
                let wrong = || $crate::record::entry::FormatError::Word { expected, found: text.to_owned() };
                (text == expected).then_some(Self).ok_or_else(wrong)
            }
        }

        $crate::record::entry::display! { $name, |_| $word; }
        $crate::record::as_json::as_text!($name, concat!("the word ", $word));
    };
}

pub(crate) use word;

word!(pub CommitWord, "commit", "`\"entry\":\"commit\"`.");
word!(pub LockWord, "lock", "`\"entry\":\"lock\"`.");
word!(pub DealWord, "deal", "`\"entry\":\"deal\"`.");
word!(pub VoidWord, "void", "`\"entry\":\"void\"`.");
word!(pub RevealWord, "reveal", "`\"entry\":\"reveal\"`.");
word!(pub AnchorWord, "anchor", "`\"entry\":\"anchor\"`.");
word!(pub ProtocolV1, "fairdeal/v1", "`\"protocol\":\"fairdeal/v1\"`.");
