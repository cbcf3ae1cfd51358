//! The judged or read part of a log, as a contiguous range of entries; adjacent ranges merge.
//!
//! A range from the log's first entry on is judged as it grows. Any other range only holds its
//! entries, read and hashed, until it is merged to the right of a judged one: the rules need to
//! know whose turn it is, which nonce comes next and what time it was. So the heavy work (reading,
//! hashing, checking signatures, replaying) can be done anywhere, and the rules are applied once,
//! in the log's order.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::claim::RootClaim;
use super::drawn::Counting;
use super::end::DueReveal;
use super::kept::{Replayed, Replays};
use super::read::{Facts, Signatures, Under};
use super::rows::{AuditRows, Collected, Keep};
use super::saved::{Saved, SavedError};
use super::state::{Missed, State};
use super::tallies::{Tallied, Tallies, TallyWork};
use super::verdict::{AuditVerdict, Times};
use fairdeal::beacon::Chains;
use fairdeal::log::{
    BundleError, CompactRange, EntryBundle, Frontier, Hash, Node, Policy, RangeError, VerifierKey,
    leaf_hashes,
};
use fairdeal::record::Finding;
use fairdeal::record::life::Cosigned;

/// A contiguous range of a log, judged or read.
#[derive(Debug)]
pub struct Partial {
    key: VerifierKey,
    policy: Option<Arc<Policy>>,
    chains: Chains,
    range: CompactRange,
    /// Completed nodes over whole bundles, not taken yet.
    nodes: Vec<(Node, Hash)>,
    known: Known,
}

#[derive(Debug)]
enum Known {
    /// From the log's first entry on: judged.
    Judged(Box<State>),
    /// From a later entry on: read, and not judged yet.
    Read(Facts),
}

/// Two ranges are not adjacent, or not of one log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum MergeError {
    /// The right one does not start where the left one ends.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// They are judged under different policies.
    #[error("two ranges of one log are judged under one policy, found two")]
    Policy,
    /// They are judged under different keys.
    #[error("two ranges of one log are judged under one key, found {left} and {right}")]
    Key { left: String, right: String },
}

/// The bytes are not the entries of a range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartialError {
    /// The tree has no room for them.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// They are not an entry bundle.
    #[error(transparent)]
    Bundle(#[from] BundleError),
}

/// Only nodes over whole bundles are passed on; the hashes of entries are returned apart.
fn over_bundles(node: Node) -> bool {
    node.level() >= 8
}

impl Partial {
    /// The empty range before the log's first entry.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "the range keeps the key")]
    pub fn start(key: VerifierKey) -> Self {
        Self::start_under(Under::key(&key))
    }

    /// The same, under a reader's policy, and with their chains.
    #[must_use]
    pub fn start_under(under: Under<'_>) -> Self {
        Self::known(under, CompactRange::default(), Known::Judged(Box::new(State::under(under))))
    }

    fn known(under: Under<'_>, range: CompactRange, known: Known) -> Self {
        let (key, policy) = (under.key.clone(), under.policy.cloned());
        Self { key, policy, chains: under.chains.clone(), range, nodes: Vec::new(), known }
    }

    /// A range of entries from `first` on. Time for each entry: one hash, the parsing, and a
    /// signature for each `seen`.
    ///
    /// # Errors
    /// [`RangeError`] past the largest log.
    pub fn of<B: AsRef<[u8]>>(
        under: Under<'_>,
        first: u64,
        entries: impl IntoIterator<Item = B>,
    ) -> Result<Self, RangeError> {
        let (mut bytes, mut places) = (Vec::new(), Vec::new());
        for entry in entries {
            let start = bytes.len();
            bytes.extend_from_slice(entry.as_ref());
            places.push(start..bytes.len());
        }
        let entry = |place: &Range<usize>| &bytes[place.clone()];
        let leaves = leaf_hashes(&places.iter().map(entry).collect::<Vec<_>>());
        Self::read(under, first, bytes, &places, &leaves)
    }

    /// The entries at `range` of a bundle of `width` entries; and the hashes of all its entries up
    /// to the end of `range`, which the tile over the bundle must hold. `first` is the index of the
    /// bundle's first entry.
    ///
    /// # Errors
    /// [`PartialError`] if the bytes are no such bundle, or past the largest log.
    pub fn of_bundle(
        under: Under<'_>,
        first: u64,
        bytes: Vec<u8>,
        width: u16,
        range: Range<usize>,
    ) -> Result<(Self, Vec<Hash>), PartialError> {
        let mut end = 0_usize;
        let place = |entry: &[u8]| {
            let start = end.saturating_add(2); // after its length
            end = start.saturating_add(entry.len());
            start..end
        };
        let mut entries = EntryBundle::split(&bytes, width)?;
        entries.truncate(range.end);
        let leaves = leaf_hashes(&entries);
        let places: Vec<_> = entries.into_iter().map(place).collect();
        let known = range.start.min(leaves.len());
        let first = first.saturating_add(known as u64);
        let read = Self::read(under, first, bytes, &places[known..], &leaves[known..])?;
        Ok((read, leaves))
    }

    fn read(
        under: Under<'_>,
        first: u64,
        bytes: Vec<u8>,
        places: &[Range<usize>],
        leaves: &[Hash],
    ) -> Result<Self, RangeError> {
        let mut nodes = Vec::new();
        let range = CompactRange::of_leaves(first, leaves, |node, hash| {
            if over_bundles(node) {
                nodes.push((node, hash));
            }
        })?;
        let facts = Facts::read(bytes, places, under);
        Ok(Self { nodes, ..Self::known(under, range, Known::Read(facts)) })
    }

    /// Appends the range that comes right after this one. On an error, nothing has changed.
    ///
    /// # Errors
    /// [`MergeError`] if it does not come right after, or is under another key.
    pub fn merge(&mut self, right: Self) -> Result<(), MergeError> {
        if self.key != right.key {
            return Err(MergeError::Key { left: self.key.to_text(), right: right.key.to_text() });
        }
        if self.policy != right.policy {
            return Err(MergeError::Policy);
        }
        let first = right.range.start();
        let mut nodes = right.nodes;
        self.range.merge_with(&right.range, |node, hash| {
            if over_bundles(node) {
                nodes.push((node, hash));
            }
        })?;
        self.nodes.append(&mut nodes);
        match (&mut self.known, right.known) {
            (Known::Judged(state), Known::Read(facts)) => state.judge_all(first, &facts, &self.key),
            (Known::Read(known), Known::Read(facts)) => known.extend(facts),
            // `right` starts at the log's first entry, so this range is empty.
            (known, Known::Judged(state)) => *known = Known::Judged(state),
        }
        Ok(())
    }

    /// The indices at which the range starts and ends.
    #[must_use]
    pub fn ends(&self) -> (u64, u64) {
        (self.range.start(), self.range.end())
    }

    /// The state of a judged range; `None` for a range that is only read.
    fn judged(&mut self) -> Option<&mut State> {
        match &mut self.known {
            Known::Judged(state) => Some(state),
            Known::Read(_) => None,
        }
    }

    /// The tree over the range; `None` unless it starts at the log's first entry.
    #[must_use]
    pub fn tree(&self) -> Option<Frontier> {
        Frontier::try_from(self.range.clone()).ok()
    }

    /// Whether the range ends with entries of these hashes, which begin at a multiple of 256.
    #[must_use]
    pub fn ends_with(&self, leaves: &[Hash]) -> bool {
        let count = u64::try_from(leaves.len()).unwrap_or(u64::MAX);
        let first = self.range.end().saturating_sub(count);
        let last = CompactRange::of_leaves(first, leaves, |_, _| {});
        last.is_ok_and(|last| self.range.hashes().ends_with(last.hashes()))
    }

    /// Takes the nodes over 256 entries and more that were completed since the last call, in
    /// ascending order on each level.
    pub fn take_nodes(&mut self) -> Vec<(Node, Hash)> {
        std::mem::take(&mut self.nodes)
    }

    /// Takes the roots that players and anchors have named since the last call. Pass each to
    /// [`Partial::settle`].
    pub fn take_claims(&mut self) -> Vec<RootClaim> {
        self.judged().map(|state| std::mem::take(&mut state.claims)).unwrap_or_default()
    }

    /// From now on, replayed deals are counted for the statistics: all, or those after the entry of
    /// this index.
    pub fn count_deals(&mut self, after: Option<u64>) {
        if let Some(state) = self.judged() {
            let counting = after.map_or(Counting::All, Counting::After);
            state.tallies.get_or_insert_with(|| Tallies::new(counting));
        }
    }

    /// From now on, a reveal of one of these commitments is late, unless it was missed by a clock
    /// that was ahead of `now`, the clock of this audit (spec/audit.md, 13.5).
    pub fn expect_late(&mut self, missed: Missed, now: Option<u64>) {
        if let Some(state) = self.judged() {
            (state.missed, state.now) = (missed, now);
        }
    }

    /// The commitments that the next audit of this reader is given as missed. `signed`: a second
    /// after which a quorum of the reader's witnesses has signed the log's checkpoint.
    pub fn missed(&mut self, times: Times, signed: Option<u64>) -> Missed {
        let state = self.judged();
        state
            .map(|state| state.missed_at(times.as_of.or(state.last_time()), times.clock, signed))
            .unwrap_or_default()
    }

    /// The commitments that are neither revealed nor voided as a whole: the first `most` that are
    /// due, in this order.
    pub fn due(&mut self, most: usize) -> Vec<DueReveal> {
        self.judged().map(|state| state.due(most)).unwrap_or_default()
    }

    /// From now on, rows are collected. Their number has no bound: take them often
    /// ([`Partial::take_rows`]).
    pub fn keep_rows(&mut self, keep: Keep) {
        if let Some(state) = self.judged() {
            state.collected = Some(Collected::new(keep));
        }
    }

    /// Takes the rows collected since the last call.
    pub fn take_rows(&mut self) -> AuditRows {
        let collected = self.judged().and_then(|state| state.collected.as_mut());
        collected.map(Collected::take).unwrap_or_default()
    }

    /// Takes the deals whose seed was revealed since the last call. Run each [`Replays`], and pass
    /// the results to [`Partial::replayed`] in the same order. Deals that are not taken are
    /// replayed at the end.
    pub fn take_replays(&mut self) -> Vec<Replays> {
        self.judged().map(|state| std::mem::take(&mut state.replays)).unwrap_or_default()
    }

    /// Adds the result of a replay.
    pub fn replayed(&mut self, replayed: Replayed) {
        if let Some(state) = self.judged() {
            for finding in replayed.findings {
                state.find(finding);
            }
            state.spare.give(replayed.done);
            if let (Some(tallies), Some(drawn)) = (&mut state.tallies, replayed.drawn) {
                tallies.take(drawn);
            }
        }
    }

    /// Takes the work of the statistics on the deals that were replayed. Run each [`TallyWork`],
    /// and pass the results to [`Partial::tallied`] in the same order, before taking more. There is
    /// none while few deals wait; those are counted at the end.
    pub fn take_tally_work(&mut self) -> Vec<TallyWork> {
        let tallies = self.judged().and_then(|state| state.tallies.as_mut());
        tallies.map(|tallies| tallies.work(false)).unwrap_or_default()
    }

    /// Adds the result of a piece of work.
    pub fn tallied(&mut self, tallied: Tallied) {
        if let Some(tallies) = self.judged().and_then(|state| state.tallies.as_mut()) {
            tallies.tallied(tallied);
        }
    }

    /// The state as JSON, so that a later audit can resume with later entries. Nothing may be
    /// left to settle or replay, and no work of the statistics may be under way.
    ///
    /// # Errors
    /// [`SavedError::UnderWay`] if something is left, or the range does not start at the log's
    /// first entry.
    pub fn save(&self) -> Result<String, SavedError> {
        let Known::Judged(state) = &self.known else { return Err(SavedError::UnderWay) };
        let saved = Saved::of(&self.key, &self.range, state)?;
        serde_json::to_string(&saved).map_err(SavedError::damaged)
    }

    /// Resumes from the text that [`Partial::save`] returned.
    ///
    /// # Errors
    /// [`SavedError`] if the text is damaged, or of another log, or of an audit under another policy,
    /// or with other chains, or that skipped signatures that this one verifies.
    pub fn restore(under: Under<'_>, saved: &str) -> Result<Self, SavedError> {
        let (range, state) = Saved::read(saved)?.restored(under)?;
        Ok(Self::known(under, range, Known::Judged(Box::new(state))))
    }

    /// Compares a claim with the roots that the log's own tree had at its sizes.
    pub fn settle(&mut self, claim: &RootClaim, roots: &BTreeMap<u64, Hash>) {
        if let Some(state) = self.judged() {
            state.settle(claim, roots);
        }
    }

    /// The log has no roots (spec/audit.md, 13.2): nothing that was settled counts.
    pub fn without_roots(&mut self) {
        if let Some(state) = self.judged() {
            state.has_roots = false;
        }
    }

    /// A quorum of the reader's policy has signed the log's checkpoint, of the root of this size.
    pub fn head_cosigned(&mut self, size: u64, cosigned: Cosigned) {
        if let Some(state) = self.judged() {
            state.head = Some((size, cosigned));
        }
    }

    /// Adds a finding that is not on an entry: on tiles, signatures, older checkpoints.
    pub fn find(&mut self, finding: Finding) {
        if let Some(state) = self.judged() {
            state.find(finding);
        }
    }

    /// The verdict at these times. `None` if the range does not start at the log's first entry.
    #[must_use]
    pub fn finish(self, times: Times) -> Option<AuditVerdict> {
        self.finish_with_rows(times).map(|(verdict, _)| verdict)
    }

    /// The verdict, and the rows not taken yet, with the findings that only the end of the log
    /// shows.
    #[must_use]
    pub fn finish_with_rows(mut self, times: Times) -> Option<(AuditVerdict, AuditRows)> {
        if let Known::Read(_) = self.known {
            let (policy, chains) = (self.policy.as_ref(), &self.chains);
            let signatures = Signatures::Verified;
            let mut whole = Self::start_under(Under { key: &self.key, policy, chains, signatures });
            whole.merge(self).ok()?;
            return whole.finish_with_rows(times);
        }
        for replays in self.take_replays() {
            self.replayed(replays.run());
        }
        let Known::Judged(mut state) = self.known else { return None };
        let tree = Frontier::try_from(self.range).ok()?;
        let last_time = state.last_time();
        let as_of = times.as_of.or(last_time);
        let overdue_by_clock = state.end(as_of, times.clock);
        let rows = state.collected.as_mut().map(Collected::take).unwrap_or_default();
        let verdict = state.verdict(&tree, last_time, (as_of, times.clock), overdue_by_clock);
        Some((verdict, rows))
    }
}
