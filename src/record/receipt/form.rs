//! The files: JSON with exactly the members that the specification names, in any order and spacing.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{self, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::deal::{Digest, MAX_ITEMS};
use crate::log::Hash;
use crate::record::entry::Int;
use crate::record::text::as_text;

/// What a log says about one round of one commitment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    format: ReceiptWord,
    /// The entries, in strictly ascending order of index.
    pub entries: Vec<Included>,
    /// A signed note, under which all the proofs are.
    pub checkpoint: String,
}

/// An entry and the proof that it is in the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Included {
    /// Its place in the log.
    pub index: Int,
    /// Its exact bytes.
    pub entry: String,
    /// The inclusion proof, from the leaf's sibling upwards.
    pub proof: Vec<Hash>,
}

/// A receipt of a sealed deal with some of its cards opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    format: OpeningWord,
    /// The receipt of the round.
    pub receipt: Receipt,
    /// The seals of all cards drawn, in deal order.
    pub card_seals: Vec<Digest>,
    /// The cards that are shown.
    pub opened: Vec<OpenedCard>,
}

/// One card of a sealed deal, shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenedCard {
    /// Its place in deal order, from 0.
    pub t: Int,
    /// Its number in the deck's initial order.
    pub item: Int,
    /// 16 bytes.
    pub salt: Salt,
}

/// A card's salt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Salt(pub [u8; 16]);

as_text!(Salt, "32 lowercase hex digits", Salt::read, |salt: &Self| hex::encode(salt.0));
as_text!(
    Hash,
    "base64 of 32 bytes",
    |text: &str| Self::parse_base64(text).map_err(|e| e.to_string()),
    Self::to_base64
);

impl Salt {
    fn read(text: &str) -> Result<Self, String> {
        let mut bytes = [0; 16];
        let lowercase = !text.bytes().any(|b| b.is_ascii_uppercase());
        match hex::decode_to_slice(text, &mut bytes) {
            Ok(()) if lowercase => Ok(Self(bytes)),
            _ => Err(format!("expected 32 lowercase hex digits, found {} characters", text.chars().count())),
        }
    }
}

/// `"format":"fairdeal/receipt/v1"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ReceiptWord;
/// `"format":"fairdeal/opening/v1"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OpeningWord;

const RECEIPT: &str = "fairdeal/receipt/v1";
const OPENING: &str = "fairdeal/opening/v1";

as_text!(ReceiptWord, "\"fairdeal/receipt/v1\"", |text| the(RECEIPT, text).map(|()| Self), |_: &Self| {
    RECEIPT
});
as_text!(OpeningWord, "\"fairdeal/opening/v1\"", |text| the(OPENING, text).map(|()| Self), |_: &Self| {
    OPENING
});

fn the(expected: &str, found: &str) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("expected {expected:?}, found {found:?}")) }
}

/// A file that can be verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Document {
    /// A receipt.
    Receipt(Receipt),
    /// An opening.
    Opening(Opening),
}

/// Bytes that cannot be verified, or that are no receipt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReceiptError {
    /// Not readable JSON: nothing was checked.
    #[error("not readable as JSON: {0}")]
    Unreadable(String),
    /// Readable, but neither a receipt nor an opening: finding `invalid-receipt`.
    #[error("{0}")]
    Invalid(String),
}

impl Document {
    /// Reads a receipt or an opening.
    ///
    /// # Errors
    /// [`ReceiptError`], which says which member was expected to be what.
    pub fn parse(bytes: &[u8]) -> Result<Self, ReceiptError> {
        let format =
            serde_json::from_slice::<Readable>(bytes).map_err(|e| ReceiptError::Unreadable(e.to_string()))?;
        let document = match format.0.as_deref() {
            Some(RECEIPT) => read(bytes).map(Self::Receipt)?,
            Some(OPENING) => read(bytes).map(Self::Opening)?,
            Some(other) => {
                let says = format!("format: expected {RECEIPT:?} or {OPENING:?}, found {other:?}");
                return Err(ReceiptError::Invalid(says));
            }
            None => {
                let says = format!("expected an object with \"format\": {RECEIPT:?} or {OPENING:?}");
                return Err(ReceiptError::Invalid(says));
            }
        };
        document.check().map_err(ReceiptError::Invalid)?;
        Ok(document)
    }

    /// Its receipt, which in an opening is a part.
    #[must_use]
    pub fn receipt(&self) -> &Receipt {
        match self {
            Self::Receipt(receipt) => receipt,
            Self::Opening(opening) => &opening.receipt,
        }
    }

    fn check(&self) -> Result<(), String> {
        self.receipt().check()?;
        let Self::Opening(opening) = self else { return Ok(()) };
        let most = usize::try_from(MAX_ITEMS).unwrap_or(usize::MAX);
        if !(1..=most).contains(&opening.card_seals.len()) {
            return Err(format!("card_seals: expected 1 to {MAX_ITEMS}, found {}", opening.card_seals.len()));
        }
        if opening.opened.is_empty() {
            return Err("opened: expected at least one card".to_owned());
        }
        let mut places = BTreeSet::new();
        for (at, card) in opening.opened.iter().enumerate() {
            if card.t.value() >= u64::from(MAX_ITEMS) || card.item.value() >= u64::from(MAX_ITEMS) {
                return Err(format!("opened[{at}]: expected t and item under {MAX_ITEMS}"));
            }
            if !places.insert(card.t) {
                return Err(format!("opened[{at}].t: card {} is opened twice", card.t));
            }
        }
        Ok(())
    }
}

impl Receipt {
    /// A receipt of entries under a checkpoint.
    #[must_use]
    pub fn new(entries: Vec<Included>, checkpoint: String) -> Self {
        Self { format: ReceiptWord, entries, checkpoint }
    }

    /// The file's text: JSON with a line for each member, ended by a newline.
    #[must_use]
    pub fn to_text(&self) -> String {
        to_text(self)
    }

    fn check(&self) -> Result<(), String> {
        if self.entries.is_empty() {
            return Err("entries: expected at least one".to_owned());
        }
        for (at, pair) in (1_usize..).zip(self.entries.windows(2)) {
            if let [before, after] = pair
                && before.index >= after.index
            {
                return Err(format!(
                    "entries[{at}].index: expected more than {}, found {}",
                    before.index, after.index
                ));
            }
        }
        Ok(())
    }
}

impl Opening {
    /// An opening of some cards of a sealed deal.
    #[must_use]
    pub fn new(receipt: Receipt, card_seals: Vec<Digest>, opened: Vec<OpenedCard>) -> Self {
        Self { format: OpeningWord, receipt, card_seals, opened }
    }

    /// The file's text: JSON with a line for each member, ended by a newline.
    #[must_use]
    pub fn to_text(&self) -> String {
        to_text(self)
    }
}

/// These types hold nothing that JSON cannot say, so writing them cannot fail.
fn to_text<T: Serialize>(file: &T) -> String {
    let mut text = serde_json::to_string_pretty(file).unwrap_or_default();
    text.push('\n');
    text
}

fn read<T: de::DeserializeOwned>(bytes: &[u8]) -> Result<T, ReceiptError> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    serde_path_to_error::deserialize(&mut json).map_err(|e| {
        let (path, inner) = (e.path().to_string(), e.inner());
        ReceiptError::Invalid(if path == "." { inner.to_string() } else { format!("{path}: {inner}") })
    })
}

/// Any JSON without two members of one name; keeps the text of the outermost `format`.
struct Readable(Option<String>);

struct ReadableVisitor;

impl<'de> Deserialize<'de> for Readable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ReadableVisitor)
    }
}

impl<'de> Visitor<'de> for ReadableVisitor {
    type Value = Readable;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Readable, E> {
        Ok(Readable(None))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Readable, E> {
        Ok(Readable(None))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Readable, E> {
        Ok(Readable(None))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Readable, E> {
        Ok(Readable(None))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Readable, E> {
        Ok(Readable(None))
    }

    fn visit_str<E>(self, _: &str) -> Result<Readable, E> {
        Ok(Readable(None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Readable, A::Error> {
        while items.next_element::<Readable>()?.is_some() {}
        Ok(Readable(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Readable, A::Error> {
        let mut names = BTreeSet::new();
        let mut format = None;
        while let Some(name) = members.next_key::<String>()? {
            if name == "format" {
                let FormatText(text) = members.next_value()?;
                format = text;
            } else {
                members.next_value::<Readable>()?;
            }
            if !names.insert(name.clone()) {
                return Err(de::Error::custom(format!("two members are called {name:?}")));
            }
        }
        Ok(Readable(format))
    }
}

/// The value of `format`: its text, or any other JSON.
struct FormatText(Option<String>);

impl<'de> Deserialize<'de> for FormatText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        Ok(Self(value.as_str().map(str::to_owned)))
    }
}
