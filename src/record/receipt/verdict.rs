//! What a receipt showed, what it did not, and what does not hold. Verdicts never overstate.

use serde::{Serialize, Serializer};

use crate::deal::{Commitment, Nonce};
use crate::record::entry::{Deal, ResultForm};
use crate::record::finding::{Code, Finding};

/// A thing that was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Shown {
    /// The checkpoint is signed by the key, and every entry is included under it.
    Logged,
    /// The revealed seed opens the commitment, and the result follows from it and the contributions.
    Replayed,
    /// Every card opened belongs to the logged seal.
    Opened,
    /// Every contributor of the round chose their seed after the commitment.
    CommittedFirst,
}

/// A thing that was not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum NotShown {
    /// The commitment is of another protocol.
    Judged,
    /// No deal, no reveal yet, a beacon's deal, or one that does not replay.
    Replayed,
    /// The cards opened do not belong to the logged seal.
    Opened,
    /// Some contributor is not known to have chosen after the commitment.
    CommittedFirst,
    /// A beacon's signature, which this version does not check.
    Beacon,
    /// That the operator and a contributor did not choose the result together.
    NoCollusion,
    /// That witnesses saw the checkpoint: this version knows none.
    Witnessed,
    /// That the log withholds nothing, which only an audit shows.
    Complete,
}

impl Shown {
    /// The token of spec/receipt.md.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Logged => "logged",
            Self::Replayed => "replayed",
            Self::Opened => "opened",
            Self::CommittedFirst => "committed-first",
        }
    }
}

impl NotShown {
    /// The token of spec/receipt.md.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Judged => "judged",
            Self::Replayed => "replayed",
            Self::Opened => "opened",
            Self::CommittedFirst => "committed-first",
            Self::Beacon => "beacon",
            Self::NoCollusion => "no-collusion",
            Self::Witnessed => "witnessed",
            Self::Complete => "complete",
        }
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
pub struct Verdict {
    /// Nothing was found that does not hold.
    pub holds: bool,
    /// What was shown, in the specification's order.
    pub shown: Vec<Shown>,
    /// What was not, in the specification's order.
    pub not_shown: Vec<NotShown>,
    /// Whose seeds were chosen after the commitment, in ascending byte order.
    pub committed_first: Vec<String>,
    /// What does not hold.
    pub findings: Vec<ReceiptFinding>,
    /// The commitment of the first entry, where that is a commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commitment: Option<Commitment>,
    /// The round, where the receipt is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nonce: Option<Nonce>,
    /// The logged result: `cards`, `indices`, `digest` or `seal`.
    #[serde(flatten)]
    pub result: ResultForm,
    /// The deal itself, for who wants to show more of it.
    #[serde(skip)]
    pub deal: Option<Box<Deal>>,
}

/// A finding as it stands in a verdict, whose commitment and nonce are said once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReceiptFinding {
    /// What kind of thing.
    pub code: Code,
    /// The entry's index; absent for what concerns the file or the checkpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
    /// What was expected and what came.
    pub says: String,
}

impl From<Finding> for ReceiptFinding {
    fn from(finding: Finding) -> Self {
        Self { code: finding.code, index: finding.index, says: finding.says }
    }
}

impl Verdict {
    /// The verdict on JSON that is no receipt: it is judged no further.
    #[must_use]
    pub fn invalid(says: impl Into<String>) -> Self {
        let finding = ReceiptFinding { code: Code::InvalidReceipt, index: None, says: says.into() };
        Self {
            holds: false,
            shown: Vec::new(),
            not_shown: vec![NotShown::Replayed, NotShown::Witnessed, NotShown::Complete],
            committed_first: Vec::new(),
            findings: vec![finding],
            commitment: None,
            nonce: None,
            result: ResultForm::EMPTY,
            deal: None,
        }
    }
}
