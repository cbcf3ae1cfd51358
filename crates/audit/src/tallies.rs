//! Everything that the statistics count of a log's deals: for each deck and draw the counts and the
//! watch.
//!
//! Counts of adjacent deals add exactly, so any thread may count some of them; the watch takes all
//! deals in order.

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::drawn::{Counting, Drawn};
use super::statistics::{DealGroup, EProcessTrace, LogStatistics};
use crate::stats::{Counts, EProcess, Shape};
use fairdeal::deal::index;

/// The most points that are kept of an e-process; beyond that, every second point is dropped.
const POINTS: usize = 512;

/// An e-process takes the first deals up to this number, of decks of at most [`WATCHED_ITEMS`]
/// items: it takes them one after another, and its time grows with the square of the deck.
const WATCHED: u64 = 1 << 20;
const WATCHED_ITEMS: u32 = 64;

/// Items in one piece of work: a thousand decks of 52, long compared with the tables that the
/// counts of a piece need.
const PIECE: usize = 1 << 16;

/// The deck, as commits name it, and how many of its items are dealt.
type Key = (String, u64);

/// Everything that was counted.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Wire", into = "Wire")]
pub(super) struct Tallies {
    groups: BTreeMap<Key, Tally>,
    counted: u64,
    /// Deals that are not to be counted, because they come too early.
    early: u64,
    counting: Counting,
    /// Pieces of work that were taken, and whose results have not come yet.
    under_way: usize,
}

/// The stored form of [`Tallies`], which counts all deals.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    groups: Vec<(String, u64, Tally)>,
    counted: u64,
}

impl From<Wire> for Tallies {
    fn from(wire: Wire) -> Self {
        let groups =
            wire.groups.into_iter().map(|(deck, draw, tally)| ((deck, draw), tally)).collect();
        Self { groups, counted: wire.counted, ..Self::new(Counting::All) }
    }
}

impl From<Tallies> for Wire {
    fn from(mut tallies: Tallies) -> Self {
        tallies.count_pending();
        let groups =
            tallies.groups.into_iter().map(|((deck, draw), tally)| (deck, draw, tally)).collect();
        Self { groups, counted: tallies.counted }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tally {
    counts: Counts,
    watched: Option<Watched>,
    /// The items of deals that are not counted yet, one deal after another.
    #[serde(skip)]
    pending: Vec<u32>,
}

/// An e-process and its course.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Watched {
    process: EProcess,
    /// A number of deals, and the evidence (log10) after them.
    points: Vec<(u64, f64)>,
    /// Deals between two points.
    every: u64,
}

/// A piece of the work of the statistics. Any thread may run it.
#[derive(Debug)]
pub struct TallyWork {
    key: Key,
    /// The items of some deals, one deal after another.
    items: Arc<Vec<u32>>,
    draw: usize,
    task: Task,
}

#[derive(Debug)]
enum Task {
    /// Counts the piece of this number.
    Count(usize, Box<Counts>),
    Watch(Box<Watched>),
}

/// The result of [`TallyWork::run`], for [`Partial::tallied`](super::Partial::tallied).
#[derive(Debug)]
pub struct Tallied {
    key: Key,
    done: Task,
}

impl TallyWork {
    /// Does the work. Time for a deal: O(n) to count it, O(n²) to watch it.
    #[must_use]
    pub fn run(self) -> Tallied {
        let Self { key, items, draw, mut task } = self;
        match &mut task {
            Task::Count(number, counts) => {
                let piece = items.chunks(piece(draw)).nth(*number).unwrap_or_default();
                piece.chunks_exact(draw).for_each(|dealt| counts.add(dealt));
            }
            Task::Watch(watched) => watched.take(&items, draw),
        }
        Tallied { key, done: task }
    }
}

/// Items in a piece of whole deals.
fn piece(draw: usize) -> usize {
    PIECE.div_ceil(draw) * draw
}

impl Tallies {
    pub(super) const fn new(counting: Counting) -> Self {
        Self { groups: BTreeMap::new(), counted: 0, early: 0, counting, under_way: 0 }
    }

    pub(super) const fn counting(&self) -> Counting {
        self.counting
    }

    /// The log has a deal at this entry.
    pub(super) fn dealt(&mut self, index: u64) {
        if !self.counting.counts(index) {
            self.early = self.early.saturating_add(1);
        }
    }

    /// Takes some deals, which are counted later.
    pub(super) fn take(&mut self, drawn: Drawn) {
        let (Some(shape), false) = (drawn.shape, drawn.items.is_empty()) else { return };
        let tally = self.groups.entry(drawn.key).or_insert_with(|| Tally::of(shape));
        if tally.pending.is_empty() {
            tally.pending = drawn.items;
        } else {
            tally.pending.extend_from_slice(&drawn.items);
        }
    }

    /// Takes the work on the deals that are not counted yet; only whole pieces, unless `all`.
    pub(super) fn work(&mut self, all: bool) -> Vec<TallyWork> {
        let work: Vec<TallyWork> =
            self.groups.iter_mut().flat_map(|(key, tally)| tally.work(key, all)).collect();
        self.under_way += work.len();
        work
    }

    /// Whether work was taken whose results have not come yet.
    pub(super) const fn is_under_way(&self) -> bool {
        self.under_way > 0
    }

    /// Adds the result of a piece of work.
    pub(super) fn tallied(&mut self, tallied: Tallied) {
        self.under_way = self.under_way.saturating_sub(1);
        let Some(tally) = self.groups.get_mut(&tallied.key) else { return };
        match tallied.done {
            Task::Count(_, counts) => {
                // The same deck and draw have the same shape; only a damaged state file says
                // otherwise.
                if tally.counts.merge(&counts).is_ok() {
                    self.counted = self.counted.saturating_add(counts.decks());
                }
            }
            Task::Watch(watched) => tally.watched = Some(*watched),
        }
    }

    /// Counts on this thread what is not counted yet.
    pub(super) fn count_pending(&mut self) {
        for work in self.work(true) {
            self.tallied(work.run());
        }
    }

    /// Runs the battery; `deals` is how many deals the log has.
    pub(super) fn finish(mut self, deals: u64) -> LogStatistics {
        self.count_pending();
        let mut groups: Vec<DealGroup> = Vec::new();
        for ((deck, draw), tally) in self.groups {
            let report = tally.counts.report();
            let watch = tally.watched.map(Watched::trace);
            groups.push(DealGroup { deck, draw, report, watch, counts: tally.counts });
        }
        LogStatistics {
            groups,
            not_counted: deals.saturating_sub(self.early).saturating_sub(self.counted),
        }
    }
}

impl Tally {
    fn of(shape: Shape) -> Self {
        let watched = (shape.items() <= WATCHED_ITEMS).then(|| Watched::of(shape.clone()));
        Self { counts: Counts::of(shape), watched, pending: Vec::new() }
    }

    fn work(&mut self, key: &Key, all: bool) -> impl Iterator<Item = TallyWork> {
        let shape = self.counts.shape().clone();
        let draw = index(shape.draw());
        let is_enough = self.pending.len() >= piece(draw) || all && !self.pending.is_empty();
        let items = Arc::new(if is_enough { mem::take(&mut self.pending) } else { Vec::new() });
        let pieces = items.len().div_ceil(piece(draw));
        // The watch first: it takes longest.
        let is_watched = |watched: &mut Watched| is_enough && watched.process.deals() < WATCHED;
        let watch = self.watched.take_if(is_watched).map(|watched| Task::Watch(Box::new(watched)));
        let counts =
            (0..pieces).map(move |at| Task::Count(at, Box::new(Counts::of(shape.clone()))));
        let key = key.clone();
        watch.into_iter().chain(counts).map(move |task| TallyWork {
            key: key.clone(),
            items: Arc::clone(&items),
            draw,
            task,
        })
    }
}

impl Watched {
    fn of(shape: Shape) -> Self {
        Self { process: EProcess::of(shape), points: vec![(0, 0.0)], every: 1 }
    }

    fn take(&mut self, items: &[u32], draw: usize) {
        let room =
            usize::try_from(WATCHED.saturating_sub(self.process.deals())).unwrap_or(usize::MAX);
        let mut deals = items.chunks_exact(draw).take(room);
        while deals.len() > 0 {
            let to_point = self.every - self.process.deals() % self.every;
            let until_point = usize::try_from(to_point).unwrap_or(usize::MAX);
            self.process.add_each(deals.by_ref().take(until_point));
            self.point();
        }
    }

    /// Keeps the evidence, if it is time for a point.
    fn point(&mut self) {
        let taken = self.process.deals();
        if taken.is_multiple_of(self.every) {
            self.points.push((taken, self.process.log10()));
        }
        if self.points.len() > POINTS {
            self.every = self.every.saturating_mul(2);
            let every = self.every;
            self.points.retain(|(deals, _)| deals.is_multiple_of(every));
        }
    }

    fn trace(self) -> EProcessTrace {
        let Self { process, mut points, .. } = self;
        let (deals, log10) = (process.deals(), process.log10());
        if points.last().is_none_or(|last| last.0 < deals) {
            points.push((deals, log10));
        }
        EProcessTrace { deals, alarm: process.alarm(), log10, parts: process.parts(), points }
    }
}
