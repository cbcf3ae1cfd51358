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
    /// The number of deals with a beacon whose lock is not shown to be before it.
    pub locks_not_before_beacon: u64,
    /// The number of voids, of rounds that were locked to a beacon, that are not shown to be before
    /// it.
    pub voids_not_before_beacon: u64,
}

/// Entries that are in time if witnesses had seen them by some moment.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
struct Awaited {
    /// Entries over the greatest size that has a *by*: for each index, the last millisecond at which
    /// the entry is in time.
    above: BTreeMap<u64, u64>,
    /// Entries under that size that are not shown to be in time: that millisecond, and the index.
    late: BTreeSet<(u64, u64)>,
    /// All that were ever awaited.
    all: u64,
}

impl Awaited {
    fn add(&mut self, index: u64, until: u64) {
        more(&mut self.all);
        self.above.insert(index, until);
    }

    /// A quorum had signed everything under this size by a millisecond.
    fn shown(&mut self, size: u64, by: u64) {
        let over = self.above.split_off(&size);
        let under = std::mem::replace(&mut self.above, over);
        self.late.extend(under.into_iter().map(|(index, until)| (until, index)));
        drop(self.late.split_off(&(by, 0))); // they are in time
    }

    /// Takes an entry back, which was added with this millisecond.
    fn forget(&mut self, index: u64, until: u64) {
        self.all = self.all.saturating_sub(1);
        self.above.remove(&index);
        self.late.remove(&(until, index));
    }

    /// The indices of the entries that are not shown to be in time.
    fn indices(&self) -> BTreeSet<u64> {
        self.above.keys().copied().chain(self.late.iter().map(|(_, index)| *index)).collect()
    }

    fn count(&self) -> u64 {
        let count = self.above.len().saturating_add(self.late.len());
        u64::try_from(count).unwrap_or(u64::MAX)
    }

    fn is_empty(&self) -> bool {
        self.all == 0
    }
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
    reveals: Awaited,
    /// Locks to a beacon, of rounds that were dealt or are open.
    #[serde(default, skip_serializing_if = "Awaited::is_empty")]
    locks: Awaited,
    /// Such locks that were not answered yet: for each index, the last millisecond at which the lock
    /// is in time.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    unanswered: BTreeMap<u64, u64>,
    /// Voids of rounds that were locked to a beacon.
    #[serde(default, skip_serializing_if = "Awaited::is_empty")]
    voids: Awaited,
    /// Findings on reveals that an earlier audit missed, by index. They count unless the reveal is
    /// shown to be in time.
    missed: BTreeMap<u64, Finding>,
    /// The index of the last entry that was found ahead of time.
    ahead: Option<u64>,
}

object!(Witnesses, Awaited);

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
            reveals: Awaited::default(),
            locks: Awaited::default(),
            unanswered: BTreeMap::new(),
            voids: Awaited::default(),
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
        self.reveals.add(index, due.saturating_add(TOLERANCE));
    }

    /// Notes a lock to a beacon, and the second until which it is before that.
    pub(super) fn locked(&mut self, index: u64, until: Option<u64>) {
        let until = until.unwrap_or_default().saturating_mul(1000);
        self.locks.add(index, until);
        self.unanswered.insert(index, until);
    }

    /// Notes the deal of a round that was locked to a beacon, or that claims one.
    pub(super) fn dealt(&mut self, lock: u64, has_beacon: bool) {
        match (self.unanswered.remove(&lock), has_beacon) {
            (Some(_), true) | (None, false) => {}
            (None, true) => self.locks.add(lock, 0),
            (Some(until), false) => self.locks.forget(lock, until),
        }
    }

    /// Notes a void of a round that was locked to a beacon's round, which is out at this second.
    pub(super) fn voided(&mut self, lock: u64, index: u64, out: Option<u64>) {
        if let Some(until) = self.unanswered.remove(&lock) {
            self.locks.forget(lock, until);
        }
        self.voids.add(index, out.unwrap_or_default().saturating_mul(1000));
    }

    /// Notes a finding on a reveal that an earlier audit missed.
    pub(super) fn missed(&mut self, index: u64, finding: Finding) {
        self.missed.insert(index, finding);
    }

    /// Takes these findings: those on reveals that are not shown to be in time; all if the log has no
    /// roots.
    pub(super) fn take_missed(&mut self, has_roots: bool) -> Vec<Finding> {
        let is_late = self.reveals.indices();
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
        for awaited in [&mut self.reveals, &mut self.locks, &mut self.voids] {
            awaited.shown(size, by);
        }
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

    /// Nothing proves: the log has no roots.
    pub(super) fn without_roots(self, entries: u64) -> WitnessReport {
        let unanswered = u64::try_from(self.unanswered.len()).unwrap_or(u64::MAX);
        WitnessReport {
            policy: self.policy,
            anchors: self.anchors,
            proving: 0,
            size: None,
            by: None,
            longest: None,
            not_covered: entries,
            reveals_not_in_time: self.reveals.all,
            locks_not_before_beacon: self.locks.all.saturating_sub(unanswered),
            voids_not_before_beacon: self.voids.all,
        }
    }

    /// The report on a log of so many entries.
    pub(super) fn report(self, entries: u64) -> WitnessReport {
        let mut locks = self.locks;
        for (lock, until) in self.unanswered {
            locks.forget(lock, until);
        }
        let Self { policy, anchors, proving, size, by, longest, .. } = self;
        let not_covered = entries.saturating_sub(size.unwrap_or_default());
        WitnessReport {
            policy,
            anchors,
            proving,
            size,
            by,
            longest,
            not_covered,
            reveals_not_in_time: self.reveals.count(),
            locks_not_before_beacon: locks.count(),
            voids_not_before_beacon: self.voids.count(),
        }
    }
}
