//! What anchors and the checkpoint show under a reader's policy (spec/audit.md, 13.3 and 15.1).

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use super::reported::more;
use super::state::Latest;
use fairdeal::deal::Digest;
use fairdeal::log::Policy;
use fairdeal::record::as_json::object;
use fairdeal::record::life::{Cosigned, TOLERANCE};
use fairdeal::record::{Code, Finding};
use fairdeal::utc::{moment, span};

/// The member `witnesses` of a verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WitnessReport {
    /// The policy's hash.
    pub policy: Digest,
    /// The number of anchors that had effect.
    pub anchors: u64,
    /// The number of anchors that a quorum has signed, and whose root is the log's.
    pub proving: u64,
    /// The greatest size of these and of the checkpoint, if that is one.
    pub size: Option<u64>,
    /// The second by which its entries existed.
    pub by: Option<u64>,
    /// The greatest difference of this time between two neighbours, in seconds.
    pub longest: Option<u64>,
    /// The number of entries under none of these sizes.
    pub not_covered: u64,
    /// The number of reveals that are not shown to be in time.
    pub reveals_not_in_time: u64,
}

/// The witnesses' times up to some entry, and the entries that they do not show to be in time.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub(super) struct Witnesses {
    pub(super) policy: Digest,
    anchors: u64,
    proving: u64,
    size: Option<u64>,
    by: Option<u64>,
    /// The last *by* that is not absent.
    last_by: Option<u64>,
    longest: Option<u64>,
    /// Entries with effect whose time is greater than that of all before them: those from the last
    /// anchor's size on, and the last one before it.
    highest: VecDeque<Latest>,
    /// Reveals over the greatest size that has a *by*: the last millisecond at which they are in time,
    /// by index.
    above: BTreeMap<u64, u64>,
    /// Reveals under that size that are not shown to be in time: that millisecond, and the index.
    late: BTreeSet<(u64, u64)>,
    /// Findings on reveals that an earlier audit missed, by index. They count unless the reveal is
    /// shown to be in time.
    missed: BTreeMap<u64, Finding>,
    /// The index of the last entry that was found ahead of time.
    ahead: Option<u64>,
}

object!(Witnesses);

impl Witnesses {
    pub(super) fn under(policy: &Policy) -> Self {
        Self {
            policy: Digest::from_bytes(*policy.hash()),
            anchors: 0,
            proving: 0,
            size: None,
            by: None,
            last_by: None,
            longest: None,
            highest: VecDeque::new(),
            above: BTreeMap::new(),
            late: BTreeSet::new(),
            missed: BTreeMap::new(),
            ahead: None,
        }
    }

    /// Notes an entry whose time is greater than that of all before it.
    pub(super) fn highest(&mut self, latest: Latest) {
        self.highest.push_back(latest);
    }

    /// Notes a reveal, of a commitment that was due at this time.
    pub(super) fn revealed(&mut self, index: u64, due: u64) {
        self.above.insert(index, due.saturating_add(TOLERANCE));
    }

    /// Notes a finding on a reveal that an earlier audit missed.
    pub(super) fn missed(&mut self, index: u64, finding: Finding) {
        self.missed.insert(index, finding);
    }

    /// Takes these findings: those on reveals that are not shown to be in time; all if the log has no
    /// roots.
    pub(super) fn take_missed(&mut self, has_roots: bool) -> Vec<Finding> {
        let is_late: BTreeSet<u64> =
            self.above.keys().copied().chain(self.late.iter().map(|(_, index)| *index)).collect();
        let all = std::mem::take(&mut self.missed).into_iter();
        all.filter(|(index, _)| !has_roots || is_late.contains(index)).map(|(_, one)| one).collect()
    }

    /// Notes an anchor. Returns the first entry with the greatest time under its size.
    pub(super) fn anchored(&mut self, size: u64) -> Option<Latest> {
        more(&mut self.anchors);
        let under = self.highest.partition_point(|one| one.index < size);
        drop(self.highest.drain(..under.saturating_sub(1)));
        self.highest.front().filter(|one| one.index < size).copied()
    }

    /// A quorum has signed the log's root of an anchor's size.
    pub(super) fn anchor_proves(
        &mut self,
        size: u64,
        cosigned: &Cosigned,
        first: Option<Latest>,
    ) -> Option<Finding> {
        more(&mut self.proving);
        self.proves(size, cosigned, first)
    }

    /// A quorum has signed the log's root of this size, under which `first` is the first entry with
    /// the greatest time. Returns `time-ahead`, once for an entry.
    pub(super) fn proves(
        &mut self,
        size: u64,
        cosigned: &Cosigned,
        first: Option<Latest>,
    ) -> Option<Finding> {
        (self.size, self.by) = (Some(size), cosigned.quorum.by);
        let by = cosigned.quorum.by?;
        if let Some(last) = self.last_by.replace(by) {
            let between = by.saturating_sub(last);
            self.longest = Some(self.longest.map_or(between, |longest| longest.max(between)));
        }
        let by = by.saturating_mul(1000);
        let over = self.above.split_off(&size);
        let under = std::mem::replace(&mut self.above, over);
        self.late.extend(under.into_iter().map(|(index, until)| (until, index)));
        drop(self.late.split_off(&(by, 0))); // they are in time
        let Latest { time, index, commitment, nonce } =
            first.filter(|first| first.time > by.saturating_add(TOLERANCE))?;
        if self.ahead.replace(index) == Some(index) {
            return None;
        }
        let says = format!(
            "at {}, {} after your witnesses had signed a tree that has it ({}, {}), under your policy",
            moment(time),
            span(time.saturating_sub(by)),
            cosigned.witnesses,
            moment(by)
        );
        Some(Finding { code: Code::TimeAhead, index: Some(index), commitment, nonce, says })
    }

    /// Whether this entry was found ahead of time.
    pub(super) fn is_ahead(&self, index: u64) -> bool {
        self.ahead == Some(index)
    }

    /// Nothing proves: the log has no roots. `reveals`: how many had effect.
    pub(super) fn without_roots(self, entries: u64, reveals: u64) -> WitnessReport {
        WitnessReport {
            policy: self.policy,
            anchors: self.anchors,
            proving: 0,
            size: None,
            by: None,
            longest: None,
            not_covered: entries,
            reveals_not_in_time: reveals,
        }
    }

    /// The report on a log of so many entries.
    pub(super) fn report(self, entries: u64) -> WitnessReport {
        let Self { policy, anchors, proving, size, by, longest, above, late, .. } = self;
        let not_covered = entries.saturating_sub(size.unwrap_or_default());
        let late = above.len().saturating_add(late.len());
        let reveals_not_in_time = u64::try_from(late).unwrap_or(u64::MAX);
        WitnessReport {
            policy,
            anchors,
            proving,
            size,
            by,
            longest,
            not_covered,
            reveals_not_in_time,
        }
    }
}
