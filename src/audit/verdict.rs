//! What an audit came to.

use serde::{Serialize, Serializer};

use super::reported::Reported;
use super::statistics::LogStatistics;
use crate::deal::{Commitment, Nonce};
use crate::log::Hash;
use crate::record::{Code, Finding};

/// When a log is judged, in Unix milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// As of when commitments are overdue; none: the time of the last entry that had an effect.
    pub as_of: Option<u64>,
    /// The reader's clock, which no entry may be far ahead of; none: that is not judged.
    pub clock: Option<u64>,
}

/// What an audit passed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Unverified {
    /// Deals with a beacon, whose signature this version does not verify.
    pub beacons: u64,
    /// Commitments of other protocols.
    pub commitments: u64,
    /// Signatures of contributions that were skipped.
    pub signatures: u64,
}

impl Unverified {
    /// Whether anything was passed over.
    #[must_use]
    pub fn is_any(&self) -> bool {
        *self != Self::default()
    }
}

/// The verdict on a whole log.
#[derive(Clone, Debug, Serialize)]
pub struct AuditVerdict {
    /// Nothing was found that does not hold.
    pub holds: bool,
    /// How many entries.
    pub size: u64,
    /// The root of the tree over the entries, in hex.
    #[serde(serialize_with = "in_hex")]
    pub root: Hash,
    /// Commitments that are judged.
    pub commitments: u64,
    /// Rounds dealt.
    pub deals: u64,
    /// Voids, of rounds and of commitments.
    pub voids: u64,
    /// Reveals.
    pub reveals: u64,
    /// Commitments of other protocols.
    pub not_judged: u64,
    /// When it was judged, in Unix milliseconds; absent where the log is empty and nobody said.
    pub as_of: Option<u64>,
    /// The reader's clock; absent where nobody said.
    pub clock: Option<u64>,
    /// How many commitments would be overdue by that clock.
    pub overdue_by_clock: Option<u64>,
    /// What was passed over.
    pub unverified: Unverified,
    /// What was found, at most a thousand of each code.
    #[serde(serialize_with = "with_nulls")]
    pub findings: Vec<Finding>,
    /// How many of each code were found.
    pub counts: std::collections::BTreeMap<&'static str, u64>,
    /// Numbers that nobody is judged by.
    pub reported: Reported,
    /// What its deals look like, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<LogStatistics>,
}

/// A [`Finding`] as an audit writes it in JSON: every member is there, and one without a value is null.
#[derive(Clone, Copy, Debug)]
pub struct WithNulls<'a>(pub &'a Finding);

impl Serialize for WithNulls<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename = "Finding")]
        struct Members<'a> {
            code: Code,
            index: Option<u64>,
            commitment: Option<Commitment>,
            nonce: Option<Nonce>,
            says: &'a str,
        }
        let Finding { code, index, commitment, nonce, says } = self.0;
        let (code, index, commitment, nonce) = (*code, *index, *commitment, *nonce);
        Members { code, index, commitment, nonce, says }.serialize(serializer)
    }
}

fn with_nulls<S: Serializer>(findings: &[Finding], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(findings.iter().map(WithNulls))
}

fn in_hex<S: Serializer>(hash: &Hash, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&hash.to_hex())
}
