//! The report on habits: counts, each with the first rows to look at.

#![expect(missing_docs, reason = "a field without a comment is what its name says")]

use serde::Serialize;

use super::statistics::HabitStatistics;

/// How many examples of one kind are given.
pub(super) const EXAMPLES: usize = 10;

/// What many rows show together. What cannot occur under a dialect is `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct HabitsReport {
    pub dialect: &'static str,
    pub rows: u64,
    /// Rows beyond the limit of memory. Only the texts of their seeds are counted.
    pub rows_left_out: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commitments: Option<Commitments>,
    /// Missing nonces, between the least and the greatest of a commitment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nonce_gaps: Option<Gaps>,
    /// Missing games, between the first and the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game_gaps: Option<Gaps>,
    pub given_twice: Twice,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exchanged: Option<Exchanged>,
    /// Server seeds of more than one round, where each round should have its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seeds_used_again: Option<Tally>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clients: Option<Clients>,
    /// Commitments whose server seed no row has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub never_revealed: Option<Tally>,
    pub without_commitment: Tally,
    pub seeds: Seeds,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<HabitStatistics>,
    /// What to look at first, in words.
    pub notes: Vec<HabitNote>,
}

/// A count, with the first rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    pub count: u64,
    /// The first rows, at most ten.
    pub rows: Vec<u64>,
}

/// How many rounds commitments were used for. A row without a commitment counts under its server seed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Commitments {
    pub count: u64,
    /// How many have 1 round, 2 to 9, 10 to 99, 100 to 999, more.
    pub by_rounds: Vec<Band>,
    pub longest: u64,
    /// A row of that commitment.
    pub longest_row: u64,
    /// Commitments with nonce 0 only.
    pub only_nonce_0: Tally,
    pub only_nonce_0_share: f64,
}

/// How many commitments have `from` to `to` rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Band {
    pub from: u64,
    /// `None` for no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<u64>,
    pub commitments: u64,
}

/// Numbers that no row has.
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

/// Duplicate rounds: the same server seed, client seed and nonce as an earlier row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Twice {
    pub count: u64,
    pub same_result: u64,
    pub other_result: u64,
    /// The first, at most ten; those with another result come before all others.
    pub examples: Vec<Again>,
}

/// A row of the same round as an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Again {
    pub row: u64,
    pub first_row: u64,
    /// Whether the result is the same; `None` if one was not compared with the seeds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_result: Option<bool>,
}

/// Seeds with two commitments and commitments with two seeds. At most one of the two opens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Exchanged {
    /// Server seeds with more than one commitment; the rows where it changes.
    pub seeds_under_two_commitments: Tally,
    /// Commitments with more than one server seed; the rows where it changes.
    pub commitments_with_two_seeds: Tally,
}

/// What clients bring.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Clients {
    pub distinct: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commonest: Option<Commonest>,
    /// Commitments under which it changed; the first row with another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_under_a_commitment: Option<Tally>,
    /// Commitments that share one with another commitment: it was known before one of them.
    pub shared_between_commitments: u64,
}

/// The client seed of most rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Commonest {
    /// Its first 64 characters; empty if 10,000 others came first.
    pub text: String,
    /// The first row that has it.
    pub row: u64,
    pub rows: u64,
    /// Their share of all rows with a client seed.
    pub share: f64,
}

/// What is odd in the texts of server seeds. Rows are counted, not seeds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Seeds {
    /// Rows by the length of their seed; at most 64 lengths.
    pub lengths: Vec<Length>,
    /// Another length than the scheme's, or than most rows have if it fixes none.
    pub unusual_length: Tally,
    /// At most four different characters.
    pub few_characters: Tally,
    /// Decimal digits only.
    pub digits_only: Tally,
    /// Under 16 characters.
    pub short: Tally,
}

/// How many rows have a seed of this length, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Length {
    pub length: u64,
    pub rows: u64,
}

/// Something to look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HabitNote {
    /// A code that stays.
    pub code: &'static str,
    pub says: String,
}

impl Tally {
    /// Counts one, and keeps its row if it is among the first.
    pub(super) fn note(&mut self, row: u64) {
        self.count += 1;
        keep_first(&mut self.rows, row, |row| *row);
    }
}

/// Keeps the ten that are least in this order, in that order.
pub(super) fn keep_first<T, K: Ord>(kept: &mut Vec<T>, one: T, order: impl Fn(&T) -> K) {
    let at = kept.partition_point(|before| order(before) <= order(&one));
    if at < EXAMPLES {
        kept.insert(at, one);
        kept.truncate(EXAMPLES);
    }
}
