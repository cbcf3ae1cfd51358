//! The verdict of an audit.

use std::ops::{Deref, DerefMut};

use serde::{Serialize, Serializer};

use super::reported::Reported;
use super::state::State;
use super::statistics::LogStatistics;
use super::witnesses::WitnessReport;
use fairdeal::deal::{Commitment, Nonce};
use fairdeal::log::{EMPTY_ROOT, Frontier, Hash};
use fairdeal::record::finding::{Accused, Class};
use fairdeal::record::{Code, Finding};

/// When a log is judged, in Unix milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// The time at which commitments count as overdue; `None`: the time of the last entry that had
    /// an effect.
    pub as_of: Option<u64>,
    /// The auditor's clock, which no entry may be far ahead of; `None`: that is not judged.
    pub clock: Option<u64>,
}

/// Parts of the log that an audit did not verify.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Unverified {
    /// Deals with a beacon whose chain is not known, so that nobody verified its signature.
    pub beacons: u64,
    /// Commitments of other protocols.
    pub commitments: u64,
    /// Signatures of contributions that were skipped.
    pub signatures: u64,
}

impl Unverified {
    /// Whether there is anything.
    #[must_use]
    pub fn is_any(&self) -> bool {
        *self != Self::default()
    }
}

/// How much of what was judged the log's key signed (spec/audit.md, 13.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Signed {
    /// Not the checkpoint.
    Nothing,
    /// The checkpoint; the entries are not those of its root.
    Checkpoint,
    /// The entries. Whoever judges entries without a checkpoint vouches for them.
    Entries,
}

/// The findings of an audit, and how much of what they are about the key signed.
#[derive(Clone, Debug)]
pub struct ToldFindings {
    list: Vec<Finding>,
    pub(super) signed: Signed,
    /// Whether commitments are judged at a time that is still to come.
    is_early: bool,
}

/// The verdict on a whole log.
#[derive(Clone, Debug, Serialize)]
pub struct AuditVerdict {
    /// Whether there are no findings.
    pub holds: bool,
    /// The number of entries.
    pub size: u64,
    /// The root of the tree over the entries, in hex.
    #[serde(serialize_with = "in_hex")]
    pub root: Hash,
    /// Commitments that were judged.
    pub commitments: u64,
    /// Rounds dealt.
    pub deals: u64,
    /// Voids, of rounds and of commitments.
    pub voids: u64,
    /// Reveals.
    pub reveals: u64,
    /// Commitments of other protocols.
    pub not_judged: u64,
    /// The time of the last entry with effect, in Unix milliseconds; `None` if no entry had effect.
    pub last_time: Option<u64>,
    /// The time as of which it was judged, in Unix milliseconds; `None` if the log is empty and
    /// none was given.
    pub as_of: Option<u64>,
    /// The auditor's clock, if given.
    pub clock: Option<u64>,
    /// The number of commitments that would be overdue by that clock.
    pub overdue_by_clock: Option<u64>,
    /// Parts that were not verified.
    pub unverified: Unverified,
    /// The findings, at most a thousand of each code.
    pub findings: ToldFindings,
    /// The number of findings of each code.
    pub counts: std::collections::BTreeMap<&'static str, u64>,
    /// Numbers on which the verdict does not depend.
    pub reported: Reported,
    /// What the witnesses of the reader's policy show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witnesses: Option<WitnessReport>,
    /// The statistics of its deals, if they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<LogStatistics>,
}

impl State {
    /// The verdict, after the end of the log was judged.
    pub(super) fn verdict(
        self,
        tree: &Frontier,
        last_time: Option<u64>,
        (as_of, clock): (Option<u64>, Option<u64>),
        overdue_by_clock: Option<u64>,
    ) -> AuditVerdict {
        let (counted, has_roots) = (self.counted, self.has_roots);
        let witnesses = self.witnesses.map(|witnesses| {
            if has_roots {
                witnesses.report(tree.size())
            } else {
                witnesses.without_roots(tree.size())
            }
        });
        AuditVerdict {
            holds: self.findings.is_empty(),
            size: tree.size(),
            root: if tree.size() == 0 { EMPTY_ROOT } else { tree.root() },
            commitments: counted.commitments,
            deals: counted.deals,
            voids: counted.voids,
            reveals: counted.reveals,
            not_judged: counted.not_judged,
            last_time,
            as_of,
            clock,
            overdue_by_clock,
            unverified: Unverified {
                beacons: counted.beacons,
                commitments: counted.not_judged,
                signatures: counted.signatures,
            },
            findings: ToldFindings {
                list: self.findings.kept().into_iter().cloned().collect(),
                signed: Signed::Entries,
                is_early: clock.is_some_and(|clock| as_of > Some(clock)) && as_of > last_time,
            },
            counts: self.findings.counts().map(|(code, count)| (code.as_str(), count)).collect(),
            reported: self.reported,
            witnesses,
            statistics: self.tallies.map(|tallies| tallies.finish(counted.deals)),
        }
    }
}

impl AuditVerdict {
    /// The one whom a finding of this code accuses (spec/audit.md, 13.4).
    #[must_use]
    pub fn accuses(&self, code: Code) -> Accused {
        self.findings.accuses(code)
    }
}

impl ToldFindings {
    /// Findings, of which the key signed so much.
    #[must_use]
    pub const fn new(list: Vec<Finding>, signed: Signed) -> Self {
        Self { list, signed, is_early: false }
    }

    fn accuses(&self, code: Code) -> Accused {
        let is_old = |one: &Finding| one.code == Code::RolledBack;
        if code == Code::Overdue && (self.is_early || self.list.iter().any(is_old)) {
            return Accused::Nobody;
        }
        // An older checkpoint is compared with a promised root, or with a root of the entries.
        let least = if code == Code::Inconsistent { Signed::Checkpoint } else { Signed::Entries };
        code.accuses(self.signed >= least)
    }
}

impl Deref for ToldFindings {
    type Target = [Finding];

    fn deref(&self) -> &[Finding] {
        &self.list
    }
}

impl DerefMut for ToldFindings {
    fn deref_mut(&mut self) -> &mut [Finding] {
        &mut self.list
    }
}

impl<'a> IntoIterator for &'a ToldFindings {
    type Item = &'a Finding;
    type IntoIter = std::slice::Iter<'a, Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

impl Serialize for ToldFindings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer
            .collect_seq(self.list.iter().map(|one| WithNulls(one, Some(self.accuses(one.code)))))
    }
}

/// A [`Finding`] as an audit writes it in JSON: every member is there, and one without a value is
/// null. Only a finished audit knows whom a finding accuses.
#[derive(Clone, Copy, Debug)]
pub struct WithNulls<'a>(pub &'a Finding, pub Option<Accused>);

impl Serialize for WithNulls<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename = "Finding")]
        struct Members<'a> {
            code: Code,
            class: Class,
            index: Option<u64>,
            commitment: Option<Commitment>,
            nonce: Option<Nonce>,
            #[serde(skip_serializing_if = "Option::is_none")]
            accuses: Option<Accused>,
            says: &'a str,
        }
        let Finding { code, index, commitment, nonce, says } = self.0;
        let (code, index, commitment, nonce) = (*code, *index, *commitment, *nonce);
        let (class, accuses) = (code.class(), self.1);
        Members { code, class, index, commitment, nonce, accuses, says }.serialize(serializer)
    }
}

fn in_hex<S: Serializer>(hash: &Hash, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&hash.to_hex())
}
