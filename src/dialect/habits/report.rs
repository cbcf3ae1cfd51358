//! What the rows of a file show of habits: counts, and for each the first rows to look at.

use serde::Serialize;

use super::statistics::HabitStatistics;

/// How many examples of one kind are given.
pub(super) const EXAMPLES: usize = 10;

/// What many rows show together. What cannot occur under a dialect is left out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HabitsReport {
    /// The dialect's name.
    pub dialect: &'static str,
    /// All rows, those left out among them.
    pub rows: u64,
    /// Rows beyond the limit of memory; of these only the texts of seeds are counted below.
    pub rows_left_out: u64,
    /// How many rounds commitments were used for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commitments: Option<Commitments>,
    /// Nonces between the least and the greatest of a commitment that no row has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nonce_gaps: Option<Gaps>,
    /// Games between the first and the last that no row has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game_gaps: Option<Gaps>,
    /// Rounds that come more than once.
    pub given_twice: Twice,
    /// Seeds and commitments that belong to more than one of the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exchanged: Option<Exchanged>,
    /// Server seeds of which there should be one for each round, in more than one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seeds_used_again: Option<Tally>,
    /// What clients bring.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clients: Option<Clients>,
    /// Commitments whose server seed is in no row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub never_revealed: Option<Tally>,
    /// Rows that show no commitment.
    pub without_commitment: Tally,
    /// What is odd in the texts of server seeds.
    pub seeds: Seeds,
    /// Numbers over all valid rounds, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<HabitStatistics>,
    /// What of it to look at first, in words.
    pub notes: Vec<HabitNote>,
}

/// How many, and in which rows first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// How many.
    pub count: u64,
    /// The first rows, at most ten.
    pub rows: Vec<u64>,
}

/// How many rounds commitments were used for. A row without a commitment counts under its server seed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Commitments {
    /// How many different ones there are.
    pub count: u64,
    /// By how many rounds: 1, 2 to 9, 10 to 99, 100 to 999, more.
    pub by_rounds: Vec<Band>,
    /// The most rounds of one.
    pub longest: u64,
    /// A row of that one.
    pub longest_row: u64,
    /// Those that have no round but nonce 0.
    pub only_nonce_0: Tally,
    /// Their share of all.
    pub only_nonce_0_share: f64,
}

/// Commitments with so many rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Band {
    /// The fewest rounds.
    pub from: u64,
    /// The most; `None` for no limit.
    pub to: Option<u64>,
    /// How many commitments.
    pub commitments: u64,
}

/// Numbers that no row has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Gaps {
    /// How many numbers.
    pub missing: u64,
    /// In how many places.
    pub places: u64,
    /// The first places by the row that stands behind them, at most ten.
    pub examples: Vec<Gap>,
}

/// One place where numbers are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Gap {
    /// A row with the number that follows.
    pub row: u64,
    /// The first number that is missing.
    pub from: u64,
    /// The last.
    pub to: u64,
}

/// Rounds of the same server seed, client seed and nonce as one that another row has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Twice {
    /// How many rows say again what another row was about.
    pub count: u64,
    /// Those that say the same result.
    pub same_result: u64,
    /// Those that say another one.
    pub other_result: u64,
    /// The first, at most ten; those with another result before all others.
    pub examples: Vec<Again>,
}

/// One row that is about the same round as another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Again {
    /// The row.
    pub row: u64,
    /// The other.
    pub first_row: u64,
    /// Whether the result is the same; `None` where it was not held against the seeds.
    pub same_result: Option<bool>,
}

/// Seeds and commitments that belong to more than one of the other. At most one of them can open the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Exchanged {
    /// Server seeds that stand beside more than one commitment; the rows with another than the first.
    pub seeds_under_two_commitments: Tally,
    /// Commitments that stand beside more than one server seed; the rows with another than the first.
    pub commitments_with_two_seeds: Tally,
}

/// What clients bring.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Clients {
    /// How many different ones.
    pub distinct: u64,
    /// The one that most rows have.
    pub commonest: Option<Commonest>,
    /// Commitments under which it changed; the first row with another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_under_a_commitment: Option<Tally>,
    /// Commitments that have one which rows of another commitment have too: it was known before one of them.
    pub shared_between_commitments: u64,
}

/// What most rows have.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Commonest {
    /// Its first 64 characters; empty where it came after the first 10,000.
    pub text: String,
    /// The first row that has it.
    pub row: u64,
    /// How many do.
    pub rows: u64,
    /// Of all rows that have one.
    pub share: f64,
}

/// What is odd in the texts of server seeds: rows, not seeds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Seeds {
    /// Rows by the length of their seed's text, in characters; at most 64 lengths are told apart.
    pub lengths: Vec<Length>,
    /// Another length than the scheme's, or than most rows have where it fixes none.
    pub unusual_length: Tally,
    /// At most four different characters.
    pub few_characters: Tally,
    /// Nothing but decimal digits.
    pub digits_only: Tally,
    /// Under 16 characters.
    pub short: Tally,
}

/// Rows of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Length {
    /// Characters of the seed.
    pub length: u64,
    /// How many rows.
    pub rows: u64,
}

/// Something to look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HabitNote {
    /// Its code, which stays.
    pub code: &'static str,
    /// In words.
    pub says: String,
}

impl Tally {
    /// Counts one, and remembers its row while it is among the first.
    pub(super) fn note(&mut self, row: u64) {
        self.count += 1;
        keep_first(&mut self.rows, row);
    }

    /// The same, of a row that there may be.
    pub(super) fn note_some(&mut self, row: Option<u64>) {
        if let Some(row) = row {
            self.note(row);
        }
    }
}

/// Keeps the least ten in ascending order.
pub(super) fn keep_first<T: Ord>(kept: &mut Vec<T>, one: T) {
    let at = kept.partition_point(|before| *before <= one);
    if at < EXAMPLES {
        kept.insert(at, one);
        kept.truncate(EXAMPLES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_ten_rows_are_kept_whatever_the_order_they_come_in() {
        let mut tally = Tally::default();
        for row in [30, 7, 1, 25, 12, 11, 19, 3, 8, 40, 2, 6, 5] {
            tally.note(row);
        }
        assert_eq!(tally, Tally { count: 13, rows: vec![1, 2, 3, 5, 6, 7, 8, 11, 12, 19] });
    }
}
