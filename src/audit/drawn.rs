//! Deals as numbers, counted while the log is judged: the input of the statistics.
//!
//! Only replayed deals that match their seeds are counted. The statistics look for selected seeds and omitted deals; a
//! deal that does not match its seeds is a finding, exactly.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::statistics::{DealGroup, EProcessTrace, LogStatistics};
use crate::deal::{Method, SeedMac};
use crate::record::entry::Commit;
use crate::record::replay::{Mixed, Waiting, deal_round};
use crate::stats::{Counts, EProcess, Shape};

/// Whether deals are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counting {
    Yes,
    No,
}

/// Some deals of one commitment, in the order of the rounds.
#[derive(Debug)]
pub(super) struct Drawn {
    key: (String, u64),
    /// `None` for deals that are not counted: cycles, and lists that are too long.
    counts: Option<Counts>,
    /// The items of all deals, one deal after another.
    items: Vec<u32>,
    not_counted: u64,
}

/// The most points that are kept of an e-process; beyond that, every second point is dropped.
const POINTS: usize = 512;

/// Items of the longest deck whose deals are counted: eight decks of 52 are 416.
const LONGEST: u32 = 512;

/// An e-process takes the first deals up to this number, of decks of at most [`WATCHED_ITEMS`] items. It cannot run in
/// parallel, and its time grows with the square of the deck.
const WATCHED: u64 = 1 << 20;
const WATCHED_ITEMS: u32 = 64;

impl Drawn {
    pub(super) fn of(commit: &Commit) -> Self {
        let draw = commit.draw.value();
        let shape = u32::try_from(draw).ok().and_then(|draw| Shape::of(&commit.deck, draw).ok());
        let is_counted = commit.method == Method::Shuffle && commit.deck.items() <= LONGEST;
        let counts = shape.filter(|_| is_counted).map(Counts::of);
        Self { key: (commit.deck.to_string(), draw), counts, items: Vec::new(), not_counted: 0 }
    }

    pub(super) fn add(&mut self, items: &[u32]) {
        match &mut self.counts {
            Some(counts) => {
                counts.add(items);
                self.items.extend_from_slice(items);
            }
            None => self.not_counted = self.not_counted.saturating_add(1),
        }
    }

    /// Counts a replayed deal; `None` if it does not match its seeds.
    pub(super) fn replay(&mut self, deal: Option<&Waiting>, commit: &Commit, mac: &SeedMac) {
        let dealt = deal.filter(|_| self.counts.is_some()).and_then(|deal| match &deal.mixed {
            Mixed::Verified(mixed) => deal_round(commit, mac, deal.nonce, mixed).ok(),
            Mixed::UnverifiedBeacon(_) => None,
        });
        match dealt {
            Some(dealt) => self.add(&dealt.items),
            None => self.not_counted = self.not_counted.saturating_add(1),
        }
    }
}

/// Everything that was counted.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Wire", into = "Wire")]
pub(super) struct Tallies {
    groups: BTreeMap<(String, u64), Tally>,
    counted: u64,
}

/// The stored form of [`Tallies`].
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    groups: Vec<(String, u64, Tally)>,
    counted: u64,
}

impl From<Wire> for Tallies {
    fn from(wire: Wire) -> Self {
        let groups = wire.groups.into_iter().map(|(deck, draw, tally)| ((deck, draw), tally)).collect();
        Self { groups, counted: wire.counted }
    }
}

impl From<Tallies> for Wire {
    fn from(tallies: Tallies) -> Self {
        let groups = tallies.groups.into_iter().map(|((deck, draw), tally)| (deck, draw, tally)).collect();
        Self { groups, counted: tallies.counted }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tally {
    counts: Counts,
    watch: Option<EProcess>,
    /// A number of deals, and the evidence (log10) after them.
    points: Vec<(u64, f64)>,
    /// Deals between two points.
    every: u64,
}

impl Tallies {
    pub(super) fn take(&mut self, drawn: &Drawn) {
        let Some(counts) = &drawn.counts else { return };
        let tally = self.groups.entry(drawn.key.clone()).or_insert_with(|| Tally::of(counts.shape().clone()));
        // The same deck and draw have the same shape; only a damaged state file says otherwise.
        if tally.counts.merge(counts).is_ok() {
            self.counted = self.counted.saturating_add(counts.decks());
        }
        for dealt in drawn.items.chunks_exact(counts.shape().draw() as usize) {
            tally.watch(dealt);
        }
    }

    /// Runs the battery; `deals` is how many deals the log has.
    pub(super) fn finish(self, deals: u64) -> LogStatistics {
        let mut groups: Vec<DealGroup> = Vec::new();
        for ((deck, draw), tally) in self.groups {
            let report = tally.counts.report();
            let watch = tally.watched();
            groups.push(DealGroup { deck, draw, report, watch, counts: tally.counts });
        }
        LogStatistics { groups, not_counted: deals.saturating_sub(self.counted) }
    }
}

impl Tally {
    fn of(shape: Shape) -> Self {
        let watch = (shape.items() <= WATCHED_ITEMS).then(|| EProcess::of(shape.clone()));
        Self { counts: Counts::of(shape), watch, points: vec![(0, 0.0)], every: 1 }
    }

    fn watch(&mut self, dealt: &[u32]) {
        let Some(watch) = self.watch.as_mut().filter(|watch| watch.deals() < WATCHED) else { return };
        watch.add(dealt);
        let taken = watch.deals();
        if taken.is_multiple_of(self.every) {
            self.points.push((taken, watch.log10()));
        }
        if self.points.len() > POINTS {
            self.every = self.every.saturating_mul(2);
            let every = self.every;
            self.points.retain(|(deals, _)| deals.is_multiple_of(every));
        }
    }

    fn watched(&self) -> Option<EProcessTrace> {
        let watch = self.watch.as_ref()?;
        let (deals, log10) = (watch.deals(), watch.log10());
        let mut points = self.points.clone();
        if points.last().is_none_or(|last| last.0 < deals) {
            points.push((deals, log10));
        }
        Some(EProcessTrace { deals, alarm: watch.alarm(), log10, parts: watch.parts(), points })
    }
}
