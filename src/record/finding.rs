//! Findings: a broken rule and its place (spec/ledger.md, 9.3).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};

use super::as_json::as_text;
use crate::deal::{Commitment, Nonce};
use crate::named::named;

named! {
    /// The kinds of findings, in the order in which an entry is judged.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    Code {
        NotCanonical = "not-canonical",
        InvalidEntry = "invalid-entry",
        NoCommitment = "no-commitment",
        DuplicateCommitment = "duplicate-commitment",
        AfterReveal = "after-reveal",
        AfterVoid = "after-void",
        VoidAfterUse = "void-after-use",
        OpenRound = "open-round",
        NonceGap = "nonce-gap",
        TooManyRounds = "too-many-rounds",
        SeedMismatch = "seed-mismatch",
        OutOfTurn = "out-of-turn",
        TimeRunsBack = "time-runs-back",
        Backdated = "backdated",
        SplitView = "split-view",
        ContributionSignature = "contribution-signature",
        WeakMixing = "weak-mixing",
        BeaconRound = "beacon-round",
        BeaconSignature = "beacon-signature",
        LockMismatch = "lock-mismatch",
        UnopenedHash = "unopened-hash",
        ResultMismatch = "result-mismatch",
        LateReveal = "late-reveal",
        Overdue = "overdue",
        TimeAhead = "time-ahead",
        TreeMismatch = "tree-mismatch",
        BadSignature = "bad-signature",
        Inconsistent = "inconsistent",
        /// In audits only: the log has fewer entries than a checkpoint that somebody saved
        /// (spec/audit.md, 13.2).
        RolledBack = "rolled-back",
        /// In receipts only: the round did not mix its reader's contribution (spec/receipt.md,
        /// 11.8).
        ContributionMismatch = "contribution-mismatch",
        /// In openings only: the cards are not those that the deal sealed (spec/receipt.md, 12.1).
        OpeningMismatch = "opening-mismatch",
        /// In openings only: a card is not for the seat that its reader names (spec/receipt.md,
        /// 12.2).
        PlacedMismatch = "placed-mismatch",
        /// In files only: JSON that is neither a receipt nor an opening (spec/receipt.md).
        InvalidReceipt = "invalid-receipt",
    }
}

named! {
    /// The one whom a finding accuses (spec/receipt.md, 11.4; spec/audit.md, 13.4).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    Accused {
        /// The holder of the log's key.
        Operator = "operator",
        /// Whoever wrote or sent the file.
        Writer = "writer",
        /// Nobody signed what the finding is about, or something else explains it.
        Nobody = "nobody",
    }
}

named! {
    /// What the broken rule protects (spec/ledger.md, 9.3); the gravest first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    Class {
        /// That what is shown is what was promised, dealt and signed.
        Integrity = "integrity",
        /// That every step came in its turn, and none is missing.
        Order = "order",
        /// That nothing came too early or too late.
        Time = "time",
    }
}

impl Code {
    /// What the broken rule protects.
    #[must_use]
    pub const fn class(self) -> Class {
        match self {
            Self::NoCommitment
            | Self::DuplicateCommitment
            | Self::AfterReveal
            | Self::AfterVoid
            | Self::VoidAfterUse
            | Self::OpenRound
            | Self::NonceGap
            | Self::TooManyRounds
            | Self::OutOfTurn => Class::Order,
            Self::TimeRunsBack
            | Self::Backdated
            | Self::LateReveal
            | Self::Overdue
            | Self::TimeAhead => Class::Time,
            _ => Class::Integrity,
        }
    }

    /// The one whom a finding of this code accuses. `logged`: whether the log's key signed what the
    /// finding is about.
    #[must_use]
    pub const fn accuses(self, logged: bool) -> Accused {
        match self {
            Self::InvalidReceipt
            | Self::TreeMismatch
            | Self::OpeningMismatch
            | Self::PlacedMismatch => Accused::Writer,
            Self::BadSignature | Self::RolledBack => Accused::Nobody,
            _ if logged => Accused::Operator,
            _ => Accused::Nobody,
        }
    }

    /// Reads the name; `None` if no finding has it.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::named(text)
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

impl Serialize for Accused {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Serialize for Class {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// One thing that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The broken rule.
    pub code: Code,
    /// The entry's index in the log; `None` for what concerns the checkpoint as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
    /// The entry's commitment; `None` if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitment: Option<Commitment>,
    /// The round; `None` if the finding is about none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nonce: Option<Nonce>,
    /// The expected and the found value.
    pub says: String,
}

impl Finding {
    /// A finding on the log as a whole.
    pub fn about_the_log(code: Code, says: impl Into<String>) -> Self {
        Self::at(code, None, says)
    }

    /// A finding of which no commitment is told: its verdict tells it for all.
    pub(super) fn at(code: Code, index: Option<u64>, says: impl Into<String>) -> Self {
        Self { code, index, commitment: None, nonce: None, says: says.into() }
    }
}

/// A number of entries, in words: `1 entry`, `3 entries`.
#[doc(hidden)]
#[must_use]
pub fn entries(count: u64) -> String {
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
