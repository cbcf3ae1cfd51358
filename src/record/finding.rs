//! What is wrong, and where (spec/ledger.md, findings).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::as_json::as_text;
use crate::deal::{Commitment, Nonce};

/// The kinds of findings, in the order in which an entry is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each is a row of the table in spec/ledger.md, under the same name")]
pub enum Code {
    NotCanonical,
    InvalidEntry,
    NoCommitment,
    DuplicateCommitment,
    AfterReveal,
    AfterVoid,
    VoidAfterUse,
    OpenRound,
    NonceGap,
    TooManyRounds,
    SeedMismatch,
    OutOfTurn,
    TimeRunsBack,
    SplitView,
    ContributionSignature,
    WeakMixing,
    BeaconRound,
    BeaconSignature,
    LockMismatch,
    UnopenedHash,
    ResultMismatch,
    LateReveal,
    Overdue,
    TimeAhead,
    TreeMismatch,
    BadSignature,
    Inconsistent,
    /// Of receipts alone: the round did not mix what its reader brought (spec/receipt.md, 11.8).
    ContributionMismatch,
    /// Of openings alone: a card is not for the seat that its reader names (spec/receipt.md, 12.2).
    PlacedMismatch,
    /// Of files alone: JSON that is neither a receipt nor an opening (spec/receipt.md).
    InvalidReceipt,
}

impl Code {
    /// All of them, in order.
    pub const ALL: &[Self] = &[
        Self::NotCanonical,
        Self::InvalidEntry,
        Self::NoCommitment,
        Self::DuplicateCommitment,
        Self::AfterReveal,
        Self::AfterVoid,
        Self::VoidAfterUse,
        Self::OpenRound,
        Self::NonceGap,
        Self::TooManyRounds,
        Self::SeedMismatch,
        Self::OutOfTurn,
        Self::TimeRunsBack,
        Self::SplitView,
        Self::ContributionSignature,
        Self::WeakMixing,
        Self::BeaconRound,
        Self::BeaconSignature,
        Self::LockMismatch,
        Self::UnopenedHash,
        Self::ResultMismatch,
        Self::LateReveal,
        Self::Overdue,
        Self::TimeAhead,
        Self::TreeMismatch,
        Self::BadSignature,
        Self::Inconsistent,
        Self::ContributionMismatch,
        Self::PlacedMismatch,
        Self::InvalidReceipt,
    ];

    /// Reads the name; `None` where no finding has it.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str() == text)
    }

    /// The name, as it stands in JSON and in the specification.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotCanonical => "not-canonical",
            Self::InvalidEntry => "invalid-entry",
            Self::NoCommitment => "no-commitment",
            Self::DuplicateCommitment => "duplicate-commitment",
            Self::AfterReveal => "after-reveal",
            Self::AfterVoid => "after-void",
            Self::VoidAfterUse => "void-after-use",
            Self::OpenRound => "open-round",
            Self::NonceGap => "nonce-gap",
            Self::TooManyRounds => "too-many-rounds",
            Self::SeedMismatch => "seed-mismatch",
            Self::OutOfTurn => "out-of-turn",
            Self::TimeRunsBack => "time-runs-back",
            Self::SplitView => "split-view",
            Self::ContributionSignature => "contribution-signature",
            Self::WeakMixing => "weak-mixing",
            Self::BeaconRound => "beacon-round",
            Self::BeaconSignature => "beacon-signature",
            Self::LockMismatch => "lock-mismatch",
            Self::UnopenedHash => "unopened-hash",
            Self::ResultMismatch => "result-mismatch",
            Self::LateReveal => "late-reveal",
            Self::Overdue => "overdue",
            Self::TimeAhead => "time-ahead",
            Self::TreeMismatch => "tree-mismatch",
            Self::BadSignature => "bad-signature",
            Self::Inconsistent => "inconsistent",
            Self::ContributionMismatch => "contribution-mismatch",
            Self::PlacedMismatch => "placed-mismatch",
            Self::InvalidReceipt => "invalid-receipt",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text names no finding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no finding is called {0:?}")]
pub struct CodeError(String);

impl FromStr for Code {
    type Err = CodeError;

    fn from_str(text: &str) -> Result<Self, CodeError> {
        Self::parse(text).ok_or_else(|| CodeError(text.to_owned()))
    }
}

as_text!(Code, "the name of a finding");

/// One thing that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// What kind of thing.
    pub code: Code,
    /// The entry's index in the log; `None` for what concerns the checkpoint as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
    /// The entry's commitment; `None` where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<Commitment>,
    /// The round; `None` where the finding is about none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nonce: Option<Nonce>,
    /// What was expected and what came.
    pub says: String,
}

impl Finding {
    /// A finding on the log as a whole.
    pub fn about_the_log(code: Code, says: impl Into<String>) -> Self {
        Self { code, index: None, commitment: None, nonce: None, says: says.into() }
    }
}

/// A number of entries, in words: `1 entry`, `3 entries`.
#[cfg(feature = "audit")]
pub(crate) fn entries(count: u64) -> String {
    format!("{count} {}", if count == 1 { "entry" } else { "entries" })
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            Some(index) => write!(f, "{} at entry {index}: {}", self.code, self.says),
            None => write!(f, "{}: {}", self.code, self.says),
        }
    }
}
