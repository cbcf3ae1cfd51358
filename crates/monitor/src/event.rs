//! What a monitor tells (spec/audit.md, 29.3).

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use fairdeal::deal::{Commitment, Nonce};
use fairdeal::record::Code;
use fairdeal::record::finding::Accused;

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EventKind {
    /// The key signed two trees that do not fit together.
    Fork,
    /// A finding of the audit that accuses the operator.
    Finding,
    /// Something to look at. It accuses nobody.
    Warning,
    /// What a warning was about is over.
    Over,
    /// The log was judged. Neither kept nor posted.
    Judged,
}

impl EventKind {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fork => "fork",
            Self::Finding => "finding",
            Self::Warning => "warning",
            Self::Over => "over",
            Self::Judged => "judged",
        }
    }

    /// Whether it accuses the operator.
    #[must_use]
    pub const fn accuses(self) -> bool {
        matches!(self, Self::Fork | Self::Finding)
    }
}

/// An event: a line of JSON. A member without a value is absent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MonitorEvent {
    /// 32 hex digits that follow from what is told: an event that is told again has the same.
    pub id: String,
    /// When it was told, in Unix milliseconds.
    pub time: u64,
    /// The log: the name and the id of its key.
    pub log: String,
    /// Where it was read.
    pub at: String,
    /// Its kind.
    pub event: EventKind,
    /// The code of the finding or the warning; of `judged`, `holds` or `does-not-hold`.
    pub code: &'static str,
    /// The number of the log's entries, if it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// The entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<u64>,
    /// The commitment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commitment: Option<Commitment>,
    /// The round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nonce: Option<Nonce>,
    /// Whom it accuses: the operator, or absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuses: Option<Accused>,
    /// Its words, for people.
    pub says: String,
    /// The file with the evidence (spec/receipt.md, 11.10).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
}

impl MonitorEvent {
    /// An event about a log; `what` is what makes it another event than those before.
    pub(crate) fn new(event: EventKind, code: &'static str, log: &str, what: &str) -> Self {
        let id = Sha256::digest(format!("fairdeal/monitor\n{log}\n{}\n{what}", event.as_str()));
        let (id, _) = id.split_at(16);
        Self {
            id: hex::encode(id),
            time: 0,
            log: log.to_owned(),
            at: String::new(),
            event,
            code,
            size: None,
            index: None,
            commitment: None,
            nonce: None,
            accuses: event.accuses().then_some(Accused::Operator),
            says: String::new(),
            evidence: None,
        }
    }

    /// The same with these words.
    pub(crate) fn saying(self, says: impl Into<String>) -> Self {
        Self { says: says.into(), ..self }
    }

    /// Its line of JSON, without the newline.
    #[must_use]
    pub fn to_line(&self) -> String {
        let json = serde_json::to_string(self).unwrap_or_default();
        fairdeal::spelled::legible(json).into_owned()
    }
}

/// Codes of warnings.
pub(crate) mod code {
    /// The log cannot be read, or what answers is no log.
    pub(crate) const UNREACHABLE: &str = "unreachable";
    /// The files do not fit the signed checkpoint.
    pub(crate) const DAMAGED: &str = "damaged";
    /// The checkpoint is not signed by the key, or has a line that does not verify.
    pub(crate) const BAD_SIGNATURE: &str = super::Code::BadSignature.as_str();
    /// The checkpoint is older than one that was seen.
    pub(crate) const ROLLED_BACK: &str = super::Code::RolledBack.as_str();
    /// No quorum of the reader's witnesses has signed the checkpoint.
    pub(crate) const QUORUM_LOST: &str = "quorum-lost";
    /// The witnesses have seen nothing new for too long.
    pub(crate) const WITNESS_LATE: &str = "witness-late";
    /// A reveal is due soon, or since a short while.
    pub(crate) const REVEAL_DUE: &str = "reveal-due";
    /// Others are given more entries.
    pub(crate) const BEHIND: &str = "behind";
    /// What to compare with cannot be read, or shows nothing.
    pub(crate) const NOT_COMPARED: &str = "not-compared";
}
