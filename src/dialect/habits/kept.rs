//! What is remembered of rows: who dealt under what, in records of one size, so that memory can be stated.
//!
//! Rows of one seed that follow each other with nonces that go up or down by one share a record, so an export in the order
//! of play takes one for each seed and client. At worst each row has its own: 56 bytes, and an eighth of all more while the
//! list grows. After [`MOST`] records further rows are counted as not looked at.

use std::cmp::Ordering;
use std::hash::{BuildHasher as _, RandomState};

use crate::stats::number::count;

/// Records there can be: 2^24 of 56 bytes, 1 GiB.
pub(super) const MOST: usize = 1 << 24;

/// A commitment or a seed: 87 bits of it under keys of this run, which nobody can aim at. Of 2^24 different ones two are
/// taken for the same with a chance under 2^-39.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Id([u8; 11]);

impl Id {
    /// Not given.
    pub(super) const NONE: Self = Self([0; 11]);

    pub(super) fn is_some(self) -> bool {
        self != Self::NONE
    }

    fn head(&self) -> u64 {
        self.0.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes))
    }
}

/// Eight bytes at once: sorting a million of them is most of the time that is spent here.
impl Ord for Id {
    fn cmp(&self, other: &Self) -> Ordering {
        self.head().cmp(&other.head()).then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for Id {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The keys of ids.
#[derive(Clone, Debug, Default)]
pub(super) struct Ids(RandomState, RandomState);

impl Ids {
    pub(super) fn id(&self, bytes: &[u8]) -> Id {
        let mut id = [0; 11];
        let both =
            self.0.hash_one(bytes).to_le_bytes().into_iter().chain(self.1.hash_one(bytes).to_le_bytes());
        id.iter_mut().zip(both).for_each(|(byte, hashed)| *byte = hashed);
        // One bit is always set, so that nothing has the id of what is not given.
        let [first, ..] = &mut id;
        *first |= 1;
        Id(id)
    }

    /// 64 bits, where only things of one seed are compared.
    pub(super) fn short(&self, bytes: &[u8]) -> u64 {
        self.0.hash_one(bytes).max(1)
    }
}

/// What the rows of a record say of their result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Says {
    /// What the seeds give.
    Follows,
    /// Something else.
    Differs,
    /// Something that was not held against the seeds.
    Unjudged,
}

/// Whether numbers go up or down from one row to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Course {
    Up,
    Down,
}

/// Rows of one seed and client, each with the number after, or before, that of the row before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// The first of the rows.
    pub(super) row: u64,
    /// Its nonce, or the number of its game; [`UNNUMBERED`] without.
    pub(super) number: u64,
    /// What the client brought; 0 for nothing.
    pub(super) client: u64,
    /// How many rows.
    pub(super) rows: u32,
    /// What a row says that does not simply follow.
    pub(super) result: u32,
    pub(super) commitment: Id,
    pub(super) seed: Id,
    pub(super) says: Says,
    pub(super) course: Course,
}

/// No nonce; nonces and games are under 2^53, so that one can be added to this too.
pub(super) const UNNUMBERED: u64 = 1 << 53;

impl Run {
    pub(super) fn is_numbered(&self) -> bool {
        self.number != UNNUMBERED
    }

    fn further(&self) -> u64 {
        u64::from(self.rows) - 1
    }

    /// The least number.
    pub(super) fn low(&self) -> u64 {
        if self.course == Course::Up { self.number } else { self.number - self.further() }
    }

    /// The greatest.
    pub(super) fn high(&self) -> u64 {
        if self.course == Course::Up { self.number + self.further() } else { self.number }
    }

    /// The row of a number in it.
    pub(super) fn row_of(&self, number: u64) -> u64 {
        self.row + number.abs_diff(self.number).min(self.further())
    }

    /// Takes the row after, where it goes on.
    fn takes(&mut self, next: &Self) -> bool {
        let same = (self.seed, self.commitment, self.client) == (next.seed, next.commitment, next.client)
            && (self.says, next.says) == (Says::Follows, Says::Follows)
            && self.is_numbered()
            && next.is_numbered()
            && self.rows < u32::MAX
            && self.row + u64::from(self.rows) == next.row;
        let is_down = next.number + 1 == self.low() && (self.rows == 1 || self.course == Course::Down);
        let is_up = next.number == self.high() + 1 && self.course == Course::Up;
        let takes = same && (is_down || is_up);
        if takes {
            self.course = if is_down { Course::Down } else { Course::Up };
            self.rows += 1;
        }
        takes
    }
}

/// The records.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    runs: Vec<Run>,
    most: usize,
    left_out: u64,
}

impl Kept {
    pub(super) fn new(most: usize) -> Self {
        Self { runs: Vec::new(), most, left_out: 0 }
    }

    /// Keeps a row; false where it only made a record longer, or is left out.
    pub(super) fn add(&mut self, next: Run) -> bool {
        if self.runs.last_mut().is_some_and(|last| last.takes(&next)) {
            return false;
        }
        if self.runs.len() >= self.most {
            self.left_out += 1;
            return false;
        }
        if self.runs.len() == self.runs.capacity() {
            // An eighth more at a time: doubling would exceed the documented bound.
            self.runs.reserve_exact((self.runs.len() >> 3).max(256));
        }
        self.runs.push(next);
        true
    }

    /// Bytes that the records take.
    pub(super) fn bytes(&self) -> u64 {
        count(self.runs.capacity()).saturating_mul(count(size_of::<Run>()))
    }

    /// Rows that are in no record.
    pub(super) const fn left_out(&self) -> u64 {
        self.left_out
    }

    pub(super) fn into_runs(self) -> Vec<Run> {
        self.runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(row: u64, number: u64, seed: &str, ids: &Ids) -> Run {
        Run {
            row,
            number,
            client: 1,
            rows: 1,
            result: 0,
            commitment: Id::NONE,
            seed: ids.id(seed.as_bytes()),
            says: Says::Follows,
            course: Course::Up,
        }
    }

    fn lengths(rows: &[(u64, &str)]) -> Vec<(u64, u64, u32)> {
        let (ids, mut kept) = (Ids::default(), Kept::new(MOST));
        for (row, (number, seed)) in (1..).zip(rows) {
            kept.add(run(row, *number, seed, &ids));
        }
        kept.into_runs().iter().map(|run| (run.low(), run.high(), run.rows)).collect()
    }

    #[test]
    fn rows_in_the_order_of_play_or_the_other_way_round_share_a_record() {
        assert_eq!(lengths(&[(0, "a"), (1, "a"), (2, "a"), (0, "b"), (1, "b")]), [(0, 2, 3), (0, 1, 2)]);
        assert_eq!(lengths(&[(9, "a"), (8, "a"), (7, "a"), (8, "a")]), [(7, 9, 3), (8, 8, 1)]);
        assert_eq!(lengths(&[(5, "a"), (5, "a"), (7, "a")]), [(5, 5, 1), (5, 5, 1), (7, 7, 1)]);
        assert_eq!(lengths(&[(1, "a"), (2, "a"), (0, "a")]), [(1, 2, 2), (0, 0, 1)]);
        assert_eq!(lengths(&[(UNNUMBERED, "a"), (UNNUMBERED, "a")]).len(), 2);
    }

    #[test]
    fn the_row_of_a_number_is_told_in_both_directions() {
        let (ids, mut kept) = (Ids::default(), Kept::new(MOST));
        for (row, number) in [(10, 3), (11, 4), (12, 5), (20, 9), (21, 8)] {
            kept.add(run(row, number, "a", &ids));
        }
        let runs = kept.into_runs();
        assert_eq!((runs[0].row_of(3), runs[0].row_of(5)), (10, 12));
        assert_eq!((runs[1].row_of(9), runs[1].row_of(8)), (20, 21));
    }

    #[test]
    fn records_are_56_bytes_and_after_the_last_rows_are_left_out() {
        assert_eq!(size_of::<Run>(), 56);
        let (ids, mut kept) = (Ids::default(), Kept::new(3));
        for row in 1..=5 {
            kept.add(run(row, 0, &row.to_string(), &ids));
        }
        assert_eq!((kept.left_out(), kept.into_runs().len()), (2, 3));
    }

    #[test]
    fn nothing_has_the_id_of_what_is_not_given_and_different_things_have_different_ids() {
        let ids = Ids::default();
        let mut all: Vec<Id> = (0..10_000_u32).map(|n| ids.id(&n.to_be_bytes())).collect();
        assert!(all.iter().all(|id| id.is_some()));
        assert_eq!(ids.id(b"same"), ids.id(b"same"));
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 10_000);
    }
}
