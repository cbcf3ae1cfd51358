//! The files: JSON with exactly the members that the specification names, in any order and spacing.

use std::collections::BTreeSet;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::deal::{Digest, MAX_ITEMS, from_str};
use crate::log::Hash;
use crate::readable::Readable;
use crate::record::as_json::{as_text, object, present, read};
use crate::record::entry::{FormatError, Int, MAX_SEALED, display, word};
use crate::record::field_error::{FieldError, wrong};
use crate::record::json_in_words;

/// A log's entries about one round of one commitment, with proofs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Receipt {
    format: ReceiptWord,
    /// The entries, in strictly ascending order of index.
    pub entries: Vec<Included>,
    /// A signed note, under which all the proofs are.
    pub checkpoint: String,
    /// Consistency proofs from the checkpoints that contributions name to this one, in strictly
    /// ascending order of size.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub seen: Option<Vec<SeenProof>>,
}

/// An earlier root of the log, and the proof that the log has grown from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct SeenProof {
    /// The log's size then.
    pub size: Int,
    /// Its root then.
    pub root: Digest,
    /// The consistency proof to the receipt's checkpoint.
    pub proof: Vec<Hash>,
}

/// An entry and the proof that it is in the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
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
#[serde(deny_unknown_fields, remote = "Self")]
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
#[serde(deny_unknown_fields, remote = "Self")]
pub struct OpenedCard {
    /// Its place in deal order, from 0.
    pub t: Int,
    /// Its number in the deck's initial order.
    pub item: Int,
    /// 16 bytes.
    pub salt: Salt,
}

object!(Receipt, SeenProof, Included, Opening, OpenedCard);

/// A card's salt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Salt(pub [u8; 16]);

impl Salt {
    /// Reads 32 lowercase hex digits.
    ///
    /// # Errors
    /// [`FormatError::Hex`].
    pub fn parse(text: &str) -> Result<Self, FormatError> {
        let mut bytes = [0; 16];
        let lowercase = !text.bytes().any(|b| b.is_ascii_uppercase());
        match hex::decode_to_slice(text, &mut bytes) {
            Ok(()) if lowercase => Ok(Self(bytes)),
            _ => {
                let expected = "expected 32 lowercase hex digits";
                Err(FormatError::Hex { expected, found: text.chars().count() })
            }
        }
    }

    /// 32 lowercase hex digits.
    #[must_use]
    pub fn to_text(&self) -> String {
        hex::encode(self.0)
    }
}

from_str! { Salt, FormatError, Salt::parse; }
display! { Salt, Salt::to_text; }
as_text!(Salt, "32 lowercase hex digits");

word!(ReceiptWord, "fairdeal/receipt/v1", "`\"format\":\"fairdeal/receipt/v1\"`.");
word!(OpeningWord, "fairdeal/opening/v1", "`\"format\":\"fairdeal/opening/v1\"`.");

pub(super) const RECEIPT: &str = "fairdeal/receipt/v1";
pub(super) const OPENING: &str = "fairdeal/opening/v1";

/// A file that can be verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Document {
    /// A receipt.
    Receipt(Receipt),
    /// An opening.
    Opening(Opening),
}

/// Bytes can't be verified, or they are no receipt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReceiptError {
    /// Not readable JSON: nothing was checked.
    #[error("not readable as JSON: {0}")]
    Unreadable(String),
    /// Evidence that holds nothing: nothing was checked.
    #[error("expected evidence with files, found none")]
    NoFiles,
    /// JSON, but neither a receipt nor an opening: finding `invalid-receipt`.
    #[error("{0}")]
    Invalid(String),
}

impl From<FieldError> for ReceiptError {
    fn from(error: FieldError) -> Self {
        Self::Invalid(error.into())
    }
}

impl FromStr for Document {
    type Err = ReceiptError;

    fn from_str(text: &str) -> Result<Self, ReceiptError> {
        Self::parse(text.as_bytes())
    }
}

impl Document {
    /// Reads a receipt or an opening.
    ///
    /// # Errors
    /// [`ReceiptError`], which says which member was expected to be what.
    pub fn parse(bytes: &[u8]) -> Result<Self, ReceiptError> {
        let bytes = without_mark(bytes);
        let format = Self::readable(bytes)?;
        let document = match format.as_deref() {
            Some(RECEIPT) => read(bytes).map(Self::Receipt)?,
            Some(OPENING) => read(bytes).map(Self::Opening)?,
            Some(other) => {
                let says = format!("format: expected {RECEIPT:?} or {OPENING:?}, found {other:?}");
                return Err(ReceiptError::Invalid(says));
            }
            None => {
                let says =
                    format!("expected an object with \"format\": {RECEIPT:?} or {OPENING:?}");
                return Err(ReceiptError::Invalid(says));
            }
        };
        document.check()?;
        Ok(document)
    }

    /// Reads any JSON in which no object has two members of one name. Returns the text of the
    /// outermost `format`.
    pub(crate) fn readable(bytes: &[u8]) -> Result<Option<String>, ReceiptError> {
        let readable = serde_json::from_slice::<Readable>(bytes);
        readable
            .map(|readable| readable.format)
            .map_err(|e| ReceiptError::Unreadable(json_in_words(&e.to_string())))
    }

    /// The receipt, or the one inside an opening.
    #[must_use]
    pub fn receipt(&self) -> &Receipt {
        match self {
            Self::Receipt(receipt) => receipt,
            Self::Opening(opening) => &opening.receipt,
        }
    }

    fn check(&self) -> Result<(), FieldError> {
        self.receipt().check()?;
        let Self::Opening(opening) = self else { return Ok(()) };
        for (what, found) in
            [("card_seals", opening.card_seals.len()), ("opened", opening.opened.len())]
        {
            if !u64::try_from(found).is_ok_and(|found| (1..=MAX_SEALED).contains(&found)) {
                return wrong(format!("{what}: expected 1 to {MAX_SEALED}, found {found}"));
            }
        }
        let mut places = BTreeSet::new();
        for (at, card) in opening.opened.iter().enumerate() {
            if card.t.value() >= MAX_SEALED || card.item.value() >= u64::from(MAX_ITEMS) {
                return wrong(format!(
                    "opened[{at}]: expected t under {MAX_SEALED} and item under {MAX_ITEMS}"
                ));
            }
            if !places.insert(card.t) {
                return wrong(format!("opened[{at}].t: card {} is opened twice", card.t));
            }
        }
        Ok(())
    }
}

impl Receipt {
    /// A receipt of entries under a checkpoint.
    #[must_use]
    pub fn new(entries: Vec<Included>, checkpoint: String, seen: Vec<SeenProof>) -> Self {
        let seen = Some(seen).filter(|seen| !seen.is_empty());
        Self { format: ReceiptWord, entries, checkpoint, seen }
    }

    /// Consistency proofs from the checkpoints that contributions name to this one.
    #[must_use]
    pub fn seen(&self) -> &[SeenProof] {
        self.seen.as_deref().unwrap_or_default()
    }

    /// The file's text: JSON with a line for each member, ended by a newline.
    #[must_use]
    pub fn to_text(&self) -> String {
        to_text(self)
    }

    pub(super) fn check(&self) -> Result<(), FieldError> {
        if self.entries.is_empty() {
            return wrong("entries: expected at least one");
        }
        for (at, pair) in (1_usize..).zip(self.entries.windows(2)) {
            if let [before, after] = pair
                && before.index >= after.index
            {
                return wrong(format!(
                    "entries[{at}].index: expected more than {}, found {}",
                    before.index, after.index
                ));
            }
        }
        SeenProof::check(self.seen.as_deref())
    }
}

impl SeenProof {
    /// The rules for the member `seen` of a receipt, and of a head in evidence.
    pub(super) fn check(seen: Option<&[Self]>) -> Result<(), FieldError> {
        if seen.is_some_and(<[Self]>::is_empty) {
            return wrong("seen: expected at least one, or no such member");
        }
        let (mut before, mut least) = ("at least", Int::ONE);
        for (at, one) in seen.unwrap_or_default().iter().enumerate() {
            if one.size < least || (before == "more than" && one.size == least) {
                return wrong(format!(
                    "seen[{at}].size: expected {before} {least}, found {}",
                    one.size
                ));
            }
            (before, least) = ("more than", one.size);
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

/// A text without the byte order mark that some editors write before it.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
}

pub(crate) fn to_text<T: Serialize>(file: &T) -> String {
    let mut text =
        serde_json::to_string_pretty(file).expect("JSON can say all that these types hold");
    text.push('\n');
    text
}
