//! Facts that many rows show together and no single row shows: seeds used for nonce 0 only or used
//! again, nonces skipped, rounds doubled, commitments never opened (spec/dialects.md 16.6). Counts,
//! never a verdict.
//!
//! Memory: a record of 56 bytes for consecutive rows of one seed, at worst one for each row; at
//! most 2^24 records. The list grows by an eighth; while it grows, the old list and the new one
//! are both in memory. Later rows are counted as left out. With statistics, 8 bytes a round for a
//! hash table, and the tables of `stats`.
//!
//! ```
//! use fairdeal_schemes::dialect::{self, Habits, Round, RowVerdict};
//!
//! let mut habits = Habits::new(dialect::find("stake-video-poker").ok_or("known")?);
//! for (row, nonce) in [(1, 0), (2, 1), (3, 5)] {
//!     let mut round = Round::default();
//!     round.server_seed = Some("51b5258b38fef00c9887b7ad6c728035".into());
//!     round.client_seed = Some("lucky".into());
//!     round.nonce = Some(nonce);
//!     habits.add(row, &round, RowVerdict::Valid);
//! }
//! let report = habits.finish();
//! assert_eq!(report.skipped.map(|skipped| skipped.missing), Some(3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod report;
mod run;
mod statistics;
mod sweep;

use std::borrow::Cow;

pub use report::{Gap, Gaps, HabitsReport, Tally};
pub use statistics::{HabitStatistics, ResultGroup};

use self::run::{Id, Ids, Run, UNNUMBERED};
use super::check::lost;
use super::{Dialect, HexForm, Rotation, Round, RowVerdict};
use fairdeal::deal::Contribution;
use fairdeal_audit::stats::number::count;

/// The most records of rows: 2^24 of 56 bytes, 896 MiB.
const MOST: usize = 1 << 24;

/// Takes all rows of a file, whatever their verdict.
#[derive(Debug)]
pub struct Habits {
    dialect: &'static Dialect,
    ids: Ids,
    runs: Vec<Run>,
    /// The most records in `runs`.
    room: usize,
    statistics: Option<Box<statistics::Tables>>,
    rows: u64,
    left_out: u64,
}

impl Habits {
    /// For rows of a dialect.
    #[must_use]
    pub fn new(dialect: &'static Dialect) -> Self {
        let (ids, runs) = (Ids::default(), Vec::new());
        Self { dialect, ids, runs, room: MOST, statistics: None, rows: 0, left_out: 0 }
    }

    /// Keeps at most so many records of rows, in place of 2^24.
    #[must_use]
    pub fn with_room(mut self, records: usize) -> Self {
        self.room = records;
        self
    }

    /// Also counts the results of valid rounds, each once. It takes some microseconds a row.
    #[must_use]
    pub fn with_statistics(mut self) -> Self {
        self.statistics = Some(Box::new(statistics::Tables::new(self.dialect)));
        self
    }

    /// Takes the next row: its number in reports, its content and its verdict.
    pub fn add(&mut self, row: u64, round: &Round<'_>, verdict: RowVerdict) {
        self.rows += 1;
        let mut next = self.run(row, round);
        // What stands in the place of a seed names no round.
        if verdict == RowVerdict::Unreadable && lost(round).is_some() {
            next.seed = Id::NONE;
        }
        if let Some(tables) = &mut self.statistics
            && verdict == RowVerdict::Valid
        {
            tables.take(row, round, &(next.seed, next.client, next.low));
        }
        if self.runs.last_mut().is_some_and(|last| last.takes(&next)) {
            return;
        }
        if self.runs.len() >= self.room {
            self.left_out += 1;
            return;
        }
        if self.runs.len() == self.runs.capacity() {
            // An eighth more at a time: doubling would exceed the documented bound.
            self.runs.reserve_exact((self.runs.len() >> 3).max(256));
        }
        self.runs.push(next);
    }

    /// Bytes that the records of rows take now.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        count(self.runs.capacity()).saturating_mul(count(size_of::<Run>()))
    }

    /// The client's part of a round, as one text. `None` for a chain, which has one salt for all
    /// games.
    fn client<'r>(&self, round: &'r Round<'_>) -> Option<Cow<'r, str>> {
        match &round.contributions {
            _ if self.dialect.rotation == Rotation::Chain => None,
            Some(given) => {
                // Sorted, since their order does not matter (spec/shuffle.md 2).
                let mut lines: Vec<String> = given.iter().map(contribution).collect();
                lines.sort_unstable();
                Some(Cow::Owned(lines.join("\n")))
            }
            None => self.dialect.client_seed(round).ok().map(Cow::Borrowed),
        }
    }

    fn run(&self, row: u64, round: &Round<'_>) -> Run {
        let number = match self.dialect.rotation {
            Rotation::Chain => {
                let steps = round.chain_steps.zip(self.dialect.published);
                round
                    .game_id
                    .or(steps.map(|(steps, published)| steps.saturating_add(published.end_game)))
            }
            // The nonce is always 0, and rows may leave it out.
            Rotation::EachRound => round.nonce.or(Some(0)),
            Rotation::AtWill | Rotation::Logged => round.nonce,
        };
        Run {
            row,
            low: number.map_or(UNNUMBERED, |number| number.min(UNNUMBERED)),
            client: self.client(round).map_or(0, |client| self.ids.short(client.as_bytes())),
            rows: 1,
            commitment: round.commitment.map_or(Id::NONE, |bytes| self.ids.id(&bytes)),
            seed: round.server_seed.as_deref().map_or(Id::NONE, |seed| self.seed(seed)),
            is_down: false,
        }
    }

    /// The id of a seed. Where the seed is decoded, capitals make no difference.
    fn seed(&self, seed: &str) -> Id {
        let is_decoded = self.dialect.scheme.committed.form() == Some(HexForm::Decoded);
        if is_decoded && seed.bytes().any(|byte| byte.is_ascii_uppercase()) {
            self.ids.id(seed.to_ascii_lowercase().as_bytes())
        } else {
            self.ids.id(seed.as_bytes())
        }
    }

    /// The report on all rows.
    #[must_use]
    pub fn finish(mut self) -> HabitsReport {
        let (dialect, rows, rows_left_out) = (self.dialect.name, self.rows, self.left_out);
        let mut report = HabitsReport { dialect, rows, rows_left_out, ..HabitsReport::default() };
        sweep::sweep(&mut self.runs, self.dialect.rotation, &mut report);
        report.statistics = self.statistics.map(|tables| tables.finish());
        report
    }
}

/// A line of a row's `client_seed`, with the checkpoint that was seen, which also enters the deal.
fn contribution(one: &Contribution) -> String {
    let seen = one.seen.as_ref();
    let seen = seen
        .map_or_else(String::new, |seen| format!(" seen {} {}", seen.size, hex::encode(seen.root)));
    format!("{}={}{seen}", one.from, one.seed.as_str())
}
