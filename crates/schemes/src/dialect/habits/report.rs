//! The report on habits: counts, each with the first rows to look at.

#![expect(missing_docs, reason = "a field without a comment is what its name says")]

use serde::Serialize;

use super::statistics::HabitStatistics;

/// The most rows that are named with a count.
const EXAMPLES: usize = 10;

/// Counts over all rows. A count that cannot occur under a dialect is `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct HabitsReport {
    pub dialect: &'static str,
    pub rows: u64,
    /// Rows beyond the limit of memory, which are in none of the counts below.
    pub rows_left_out: u64,
    /// The number of commitments. A row without a commitment counts under its server seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commitments: Option<u64>,
    /// Commitments that were used for nonce 0 and no more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only_nonce_0: Option<Tally>,
    /// Server seeds of more than one round, where each round should have its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reused: Option<Tally>,
    /// Nonces or games that no row has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<Gaps>,
    /// Rows of the same round as an earlier row.
    pub doubled: Tally,
    /// Commitments whose server seed no row has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub never_revealed: Option<Tally>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<HabitStatistics>,
}

/// A count, with the first rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    pub count: u64,
    /// The first rows, at most ten.
    pub rows: Vec<u64>,
}

/// Numbers that no row has: nonces between the least and the greatest of a commitment, or games
/// between the first and the last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Gaps {
    pub missing: u64,
    pub places: u64,
    /// The first places, at most ten.
    pub examples: Vec<Gap>,
}

/// The numbers `from` to `to` are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Gap {
    /// The row with the next number.
    pub row: u64,
    pub from: u64,
    pub to: u64,
}

impl Tally {
    /// Counts one.
    pub(super) fn note(&mut self, row: u64) {
        self.note_all(1, |_| row);
    }

    /// Counts several; `row` is the row of each.
    pub(super) fn note_all(&mut self, count: u64, row: impl Fn(u64) -> u64) {
        self.count += count;
        (0..count).take(EXAMPLES).for_each(|at| keep_first(&mut self.rows, row(at)));
    }
}

impl Gaps {
    pub(super) fn note(&mut self, gap: Gap) {
        self.missing += gap.to - gap.from + 1;
        self.places += 1;
        keep_first(&mut self.examples, gap);
    }
}

/// Keeps the ten least, in order.
fn keep_first<T: Ord>(kept: &mut Vec<T>, one: T) {
    let at = kept.partition_point(|before| *before <= one);
    if at < EXAMPLES {
        kept.insert(at, one);
        kept.truncate(EXAMPLES);
    }
}
