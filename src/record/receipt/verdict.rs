//! The verdict on a receipt: properties that are shown, properties that are not shown, and
//! findings.

use serde::{Serialize, Serializer};

use crate::deal::{ClientSeed, Commitment, Digest, Label, Nonce};
use crate::named::named;
use crate::record::entry::{Deal, Int, PlayerKey, ResultForm};
use crate::record::finding::{Code, Finding};

named! {
    /// A thing that was shown.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    Shown {
        /// The checkpoint is signed by the key, and every entry is included under it.
        Logged = "logged",
        /// The revealed seed opens the commitment, and the result follows from it and the
        /// contributions.
        Replayed = "replayed",
        /// Every card opened belongs to the logged seal.
        Opened = "opened",
        /// Every contribution of the round was tied to the commitment after the commitment was
        /// published.
        CommittedFirst = "committed-first",
        /// All that the reader brought was mixed.
        Yours = "yours",
        /// Every contribution is the reader's, or signed by the key given for it.
        Authentic = "authentic",
    }
}

named! {
    /// A thing that was not shown.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    NotShown {
        /// The commitment is of another protocol.
        Judged = "judged",
        /// No deal, no reveal yet, a beacon's deal, or one that does not replay.
        Replayed = "replayed",
        /// The cards opened do not belong to the logged seal.
        Opened = "opened",
        /// Some contribution was not tied to the commitment after the commitment was published.
        CommittedFirst = "committed-first",
        /// That what the reader brought was mixed.
        Yours = "yours",
        /// Each contribution is the reader's, or signed by a key that the reader knows.
        Authentic = "authentic",
        /// That the seats were given before the cards were known.
        Seats = "seats",
        /// A beacon's signature, which this version does not check.
        Beacon = "beacon",
        /// That the operator and a contributor did not choose the result together.
        NoCollusion = "no-collusion",
        /// That witnesses saw the checkpoint: this version knows none.
        Witnessed = "witnessed",
        /// That the log withholds nothing, which only an audit shows.
        Complete = "complete",
    }
}

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Serialize for NotShown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// The verdict on a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReceiptVerdict {
    /// Whether there are no findings.
    pub holds: bool,
    /// The properties that were shown, in the specification's order.
    pub shown: Vec<Shown>,
    /// The properties that were not shown, in the specification's order.
    pub not_shown: Vec<NotShown>,
    /// The contributors whose seeds were tied to the commitment after its publication, in ascending
    /// byte order.
    pub committed_first: Vec<String>,
    /// The broken rules.
    pub findings: Vec<ReceiptFinding>,
    /// The commitment of the first entry; `None` if that is no commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commitment: Option<Commitment>,
    /// The round; `None` if the receipt is about none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nonce: Option<Nonce>,
    /// The round's contributions, as they are logged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contributions: Vec<MixedContribution>,
    /// The logged result: `cards`, `indices`, `digest` or `seal`.
    #[serde(flatten)]
    pub result: ResultForm,
    /// The receivers of the cards; `None` without a layout.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placed: Option<Vec<Placed>>,
    /// The deal's index and the deal, for a caller that shows more of it.
    #[serde(skip)]
    pub deal: Option<(u64, Box<Deal>)>,
}

/// A contribution of the round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MixedContribution {
    /// The contributor, as the operator says.
    pub from: Label,
    /// The seed; `None` if its hash is not opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<ClientSeed>,
    /// The hash that was given first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<Digest>,
    /// The checkpoint that it names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<SeenRoot>,
    /// The key that signed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<PlayerKey>,
    /// Whether it was tied to the commitment after the commitment was published.
    pub committed_first: bool,
}

/// A checkpoint without its signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SeenRoot {
    /// The log's size.
    pub size: Int,
    /// Its root.
    pub root: Digest,
}

/// The receiver of a card (spec/receipt.md, 12.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[expect(
    missing_docs,
    reason = "the fields are those of spec/receipt.md, 12.2, under the same names"
)]
pub enum Placed {
    /// To a seat.
    Seat { t: u64, seat: Label, card: u64 },
    /// To a street.
    Street { t: u64, street: u64 },
    /// Burnt before a street.
    Burnt { t: u64, burnt: u64 },
}

/// A finding of a verdict, which says commitment and nonce once for all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReceiptFinding {
    /// The broken rule.
    pub code: Code,
    /// The entry's index; `None` for what concerns the file or the checkpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
    /// The expected and the found value.
    pub says: String,
}

impl From<Finding> for ReceiptFinding {
    fn from(finding: Finding) -> Self {
        Self { code: finding.code, index: finding.index, says: finding.says }
    }
}

impl ReceiptVerdict {
    /// The verdict on JSON that is no receipt. Nothing else of it is judged.
    #[must_use]
    pub fn invalid(says: impl Into<String>) -> Self {
        let finding = ReceiptFinding { code: Code::InvalidReceipt, index: None, says: says.into() };
        Self {
            holds: false,
            shown: Vec::new(),
            not_shown: vec![
                NotShown::Replayed,
                NotShown::NoCollusion,
                NotShown::Witnessed,
                NotShown::Complete,
            ],
            committed_first: Vec::new(),
            findings: vec![finding],
            commitment: None,
            nonce: None,
            contributions: Vec::new(),
            result: ResultForm::EMPTY,
            placed: None,
            deal: None,
        }
    }
}
