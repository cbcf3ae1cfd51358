//! The counts of many deals that the battery needs: integers, so that merging is exact.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::number::{add_cells, bump, count, index};
use super::order::{Scratch, descents, matches};
use super::repeats::Repeats;
use super::shape::Shape;

/// The counts of any number of deals.
///
/// Size: n² cells of 8 bytes for position × card (up to 2^18 cells), as many for neighbours, half
/// as many for digits, and at most 64 MiB of digests. Only the overlap with the deal before depends
/// on the order of the deals. It serialises, so that counting can resume.
#[derive(Clone, Debug)]
pub struct Counts {
    pub(super) tally: Tally,
    scratch: Scratch,
}

/// The counts themselves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tally {
    /// Deals of this shape; the other counts are over these.
    pub(super) decks: u64,
    /// Decks by their number of descents; whole decks only.
    pub(super) descents: BTreeMap<u32, u64>,
    /// Range by range from the widest; within a range, by digit.
    pub(super) digits: Vec<u64>,
    /// Deals with a repeated, foreign or missing card.
    pub(super) faulty: u64,
    first: Option<Vec<u32>>,
    /// The sum of the ranks of each hand.
    pub(super) hands: Vec<u64>,
    /// The sum over whole decks.
    pub(super) inversions: u64,
    last: Option<Vec<u32>>,
    /// Row: an item; column: the item dealt next, cyclically; whole decks only.
    pub(super) neighbours: Vec<u64>,
    /// Whole decks of odd parity.
    pub(super) odd: u64,
    /// Deals by their number of matches with the deal before.
    pub(super) overlap: BTreeMap<u32, u64>,
    /// Row: a position; column: an item.
    pub(super) positions: Vec<u64>,
    pub(super) repeats: Repeats,
    /// Decks by the descents of the inverse: rising sequences less one; whole decks only.
    pub(super) rising: BTreeMap<u32, u64>,
    pub(super) shape: Shape,
}

/// Counts of different shapes cannot be merged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("counts of {left} do not add to counts of {right}")]
pub struct OtherShape {
    left: String,
    right: String,
}

impl Counts {
    /// No deals yet.
    #[must_use]
    pub fn of(shape: Shape) -> Self {
        let square = if shape.counts_pairs() { index(shape.items()).saturating_pow(2) } else { 0 };
        let tally = Tally {
            decks: 0,
            descents: BTreeMap::new(),
            digits: vec![0; shape.ranges().map(index).sum()],
            faulty: 0,
            first: None,
            hands: vec![0; shape.hands().count()],
            inversions: 0,
            last: None,
            neighbours: vec![0; square],
            odd: 0,
            overlap: BTreeMap::new(),
            positions: vec![0; shape.position_cells()],
            repeats: Repeats::default(),
            rising: BTreeMap::new(),
            shape,
        };
        Self { tally, scratch: Scratch::default() }
    }

    /// Counts one deal: item numbers in deal order.
    ///
    /// A deal that is not `draw` different items under `items` only counts as
    /// [`faulty`](Self::faulty).
    pub fn add(&mut self, dealt: &[u32]) {
        let Self { tally, scratch } = self;
        let (items, draw) = (tally.shape.items(), tally.shape.draw());
        if !scratch.place(dealt, items, draw) {
            tally.faulty = tally.faulty.saturating_add(1);
            return;
        }
        tally.decks = tally.decks.saturating_add(1);
        tally.count_cells(dealt, scratch);
        if tally.shape.is_whole() {
            let inversions = scratch.inversions(dealt, items);
            tally.inversions = tally.inversions.saturating_add(inversions);
            tally.odd = tally.odd.saturating_add(inversions % 2);
            add_to(&mut tally.descents, descents(dealt), 1);
            add_to(&mut tally.rising, descents(&scratch.places), 1);
        }
        tally.repeats.add(dealt, items);
        if let Some(last) = &mut tally.last {
            add_to(&mut tally.overlap, matches(last, dealt), 1);
            last.clear();
            last.extend_from_slice(dealt);
        } else {
            tally.first = Some(dealt.to_vec());
            tally.last = Some(dealt.to_vec());
        }
    }

    /// Adds the counts of the deals that come right after these.
    ///
    /// Merging adjacent ranges gives the same as counting them in one go.
    ///
    /// # Errors
    /// [`OtherShape`]; then nothing is added.
    pub fn merge(&mut self, right: &Self) -> Result<(), OtherShape> {
        let (left, right) = (&mut self.tally, &right.tally);
        if left.shape != right.shape {
            return Err(OtherShape { left: named(&left.shape), right: named(&right.shape) });
        }
        left.decks = left.decks.saturating_add(right.decks);
        left.faulty = left.faulty.saturating_add(right.faulty);
        left.inversions = left.inversions.saturating_add(right.inversions);
        left.odd = left.odd.saturating_add(right.odd);
        add_cells(&mut left.digits, &right.digits);
        add_cells(&mut left.hands, &right.hands);
        add_cells(&mut left.neighbours, &right.neighbours);
        add_cells(&mut left.positions, &right.positions);
        add_histogram(&mut left.descents, &right.descents);
        add_histogram(&mut left.overlap, &right.overlap);
        add_histogram(&mut left.rising, &right.rising);
        left.repeats.merge(&right.repeats);
        if let (Some(last), Some(first)) = (&left.last, &right.first) {
            add_to(&mut left.overlap, matches(last, first), 1);
        }
        if left.first.is_none() {
            left.first.clone_from(&right.first);
        }
        if right.last.is_some() {
            left.last.clone_from(&right.last);
        }
        Ok(())
    }

    /// The shape of the counted deals.
    #[must_use]
    pub const fn shape(&self) -> &Shape {
        &self.tally.shape
    }

    /// Deals that were counted, without the faulty ones.
    #[must_use]
    pub const fn decks(&self) -> u64 {
        self.tally.decks
    }

    /// Deals with a repeated, foreign or missing card.
    #[must_use]
    pub const fn faulty(&self) -> u64 {
        self.tally.faulty
    }

    /// Position × card, the heat map: a row for each of [`Shape::positions`], with a count for each
    /// item.
    #[must_use]
    pub fn positions(&self) -> impl ExactSizeIterator<Item = &[u64]> {
        self.tally.positions.chunks_exact(index(self.tally.shape.items()))
    }
}

impl Tally {
    fn count_cells(&mut self, dealt: &[u32], scratch: &mut Scratch) {
        let (items, width) = (self.shape.items(), index(self.shape.items()));
        for (row, &card) in self.positions.chunks_exact_mut(width).zip(dealt) {
            bump(row, index(card));
        }
        if !self.neighbours.is_empty() {
            let mut before = dealt[dealt.len() - 1];
            for &card in dealt {
                bump(&mut self.neighbours, index(before) * width + index(card));
                before = card;
            }
        }
        if !self.digits.is_empty() {
            let mut start = 0;
            scratch.digits(dealt, items, |range, digit| {
                bump(&mut self.digits, start + index(digit));
                start += index(range);
            });
        }
        let ranks = self.shape.ranks();
        for (sum, seats) in self.hands.iter_mut().zip(self.shape.hands()) {
            let cards = seats.iter().map(|seat| dealt[index(*seat)]);
            *sum += cards.map(|card| u64::from(ranks[index(card)])).sum::<u64>();
        }
    }

    /// Checks that the tables have the sizes that the shape asks for; says what is wrong.
    fn fits(&self) -> Result<(), String> {
        let fresh = Counts::of(self.shape.clone()).tally;
        let draw = index(self.shape.draw());
        let tables = [
            ("digits", self.digits.len(), fresh.digits.len()),
            ("first", self.first.as_ref().map_or(draw, Vec::len), draw),
            ("hands", self.hands.len(), fresh.hands.len()),
            ("last", self.last.as_ref().map_or(draw, Vec::len), draw),
            ("neighbours", self.neighbours.len(), fresh.neighbours.len()),
            ("positions", self.positions.len(), fresh.positions.len()),
        ];
        let histograms = [&self.descents, &self.overlap, &self.rising];
        let highest = histograms.iter().filter_map(|histogram| histogram.keys().next_back()).max();
        if let Some(value) = highest.filter(|value| **value > self.shape.items()) {
            return Err(format!(
                "{} items have no {value} descents or matches",
                self.shape.items()
            ));
        }
        match tables.into_iter().find(|(_, found, expected)| found != expected) {
            Some((name, found, expected)) => {
                Err(format!("{name}: expected {} cells, found {}", count(expected), count(found)))
            }
            None => Ok(()),
        }
    }
}

impl PartialEq for Counts {
    fn eq(&self, other: &Self) -> bool {
        self.tally == other.tally
    }
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.tally.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Counts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let tally = Tally::deserialize(deserializer)?;
        tally.fits().map_err(serde::de::Error::custom)?;
        Ok(Self { tally, scratch: Scratch::default() })
    }
}

fn add_histogram(left: &mut BTreeMap<u32, u64>, right: &BTreeMap<u32, u64>) {
    for (value, times) in right {
        add_to(left, *value, *times);
    }
}

fn add_to(histogram: &mut BTreeMap<u32, u64>, value: u32, times: u64) {
    let sum = histogram.entry(value).or_insert(0);
    *sum = sum.saturating_add(times);
}

fn named(shape: &Shape) -> String {
    let what = shape.deck().map_or("items", fairdeal::deal::DeckName::as_str);
    format!("{} of {} {what}, {} seats", shape.draw(), shape.items(), shape.seats().len())
}
