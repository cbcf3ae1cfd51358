//! What many rows show together and no single row does: how long seeds are used, what is missing between
//! rows, what comes twice (spec/dialects.md 26). Counts and rows to look at, never a verdict.
//!
//! Memory: a record of 56 bytes for consecutive rows of one seed, at worst one for each row, at most 2^24;
//! an eighth more, and twice that while the list is moved to grow; the texts of 10,000 client seeds, 64 characters
//! each. Later rows are counted as left out. With statistics, 8 bytes a round for a hash table, and the tables of `stats`.
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
//! assert_eq!(report.nonce_gaps.map(|gaps| gaps.missing), Some(3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod notes;
mod oddities;
mod report;
mod run;
mod statistics;
mod sweep;

use std::borrow::Cow;
use std::collections::HashMap;

pub use report::{
    Again, Band, Clients, Commitments, Commonest, Exchanged, Gap, Gaps, HabitNote, HabitsReport,
    Length, Seeds, Tally, Twice,
};
pub use statistics::{HabitStatistics, ResultGroup};

use self::oddities::Oddities;
use self::run::{Id, Ids, Run, Says, UNNUMBERED};
use super::{Dialect, DialectOutcome, HexForm, Rotation, Round, RowVerdict};
use fairdeal::deal::Contribution;
use fairdeal_audit::stats::number::count;

/// The most records of rows: 2^24 of 56 bytes, 896 MiB.
const MOST: usize = 1 << 24;

/// How many client seeds are kept as text, and how much of each.
const TEXTS: usize = 10_000;
const CHARACTERS: usize = 64;

/// Takes all rows of a file, whatever their verdict.
#[derive(Debug)]
pub struct Habits {
    dialect: &'static Dialect,
    ids: Ids,
    runs: Vec<Run>,
    /// The most records in `runs`.
    room: usize,
    oddities: Oddities,
    /// The texts of the first client seeds, by their short ids.
    clients: HashMap<u64, Box<str>>,
    statistics: Option<Box<statistics::Tables>>,
    /// What is counted row by row; [`Habits::finish`] adds the rest.
    report: HabitsReport,
}

impl Habits {
    /// Of a dialect's rows.
    #[must_use]
    pub fn new(dialect: &'static Dialect) -> Self {
        Self {
            dialect,
            ids: Ids::default(),
            runs: Vec::new(),
            room: MOST,
            oddities: Oddities::new(dialect.seed_digits),
            clients: HashMap::new(),
            statistics: None,
            report: HabitsReport { dialect: dialect.name, ..HabitsReport::default() },
        }
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
        self.report.rows += 1;
        if let Some(seed) = round.server_seed.as_deref() {
            self.oddities.add(row, seed);
        }
        if round.commitment.is_none() {
            self.report.without_commitment.note(row);
        }
        let client = self.client(round);
        let run = self.run(row, round, verdict, client.as_deref());
        if let Some(tables) = &mut self.statistics
            && verdict == RowVerdict::Valid
        {
            tables.take(row, round, &(run.seed, run.client, run.low));
        }
        if self.keep(run)
            && self.clients.len() < TEXTS
            && let Some(client) = client.filter(|_| run.client != 0)
        {
            let text = || client.chars().take(CHARACTERS).collect::<String>().into_boxed_str();
            self.clients.entry(run.client).or_insert_with(text);
        }
    }

    /// Bytes that the records of rows take now.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        count(self.runs.capacity()).saturating_mul(count(size_of::<Run>()))
    }

    /// Keeps a row. Returns whether it has a record of its own.
    fn keep(&mut self, next: Run) -> bool {
        if self.runs.last_mut().is_some_and(|last| last.takes(&next)) {
            return false;
        }
        if self.runs.len() >= self.room {
            self.report.rows_left_out += 1;
            return false;
        }
        if self.runs.len() == self.runs.capacity() {
            // An eighth more at a time: doubling would exceed the documented bound.
            self.runs.reserve_exact((self.runs.len() >> 3).max(256));
        }
        self.runs.push(next);
        true
    }

    /// What the client brings, as one text; `None` for a chain, which has one salt for all.
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

    fn run(&self, row: u64, round: &Round<'_>, verdict: RowVerdict, client: Option<&str>) -> Run {
        let says = match verdict {
            RowVerdict::Valid => Says::Follows,
            RowVerdict::ResultMismatch => Says::Differs,
            _ => Says::Unjudged,
        };
        let number = match self.dialect.rotation {
            Rotation::Chain => round.game_id,
            // The nonce is always 0, and rows may leave it out.
            Rotation::EachRound => round.nonce.or(Some(0)),
            Rotation::AtWill | Rotation::Logged => round.nonce,
        };
        let is_chain = self.dialect.rotation == Rotation::Chain;
        let result = if says == Says::Follows && !is_chain { 0 } else { self.result(round) };
        Run {
            row,
            low: number.map_or(UNNUMBERED, |number| number.min(UNNUMBERED)),
            client: client.map_or(0, |client| self.ids.short(client.as_bytes())),
            rows: 1,
            result,
            commitment: round.commitment.map_or(Id::NONE, |bytes| self.ids.id(&bytes)),
            seed: round.server_seed.as_deref().map_or(Id::NONE, |seed| self.seed(seed)),
            says,
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

    /// 32 bits that stand for the row's result.
    fn result(&self, round: &Round<'_>) -> u32 {
        let shown = match (&round.cards, round.result) {
            (Some(cards), _) => DialectOutcome::Cards(cards.clone()).to_string(),
            (None, Some(cents)) => cents.to_string(),
            (None, None) => round.finer.as_deref().unwrap_or_default().to_owned(),
        };
        let [a, b, c, d, ..] = self.ids.short(shown.as_bytes()).to_le_bytes();
        u32::from_le_bytes([a, b, c, d])
    }

    /// The report on all rows.
    #[must_use]
    pub fn finish(self) -> HabitsReport {
        let Self { dialect, mut runs, oddities, clients, statistics, mut report, .. } = self;
        let (rotation, is_chain) = (dialect.rotation, dialect.rotation == Rotation::Chain);
        let runs = &mut runs[..];
        if is_chain {
            report.game_gaps = sweep::games(runs);
        } else {
            let of = sweep::ByCommitment::of(runs);
            if rotation == Rotation::EachRound {
                report.seeds_used_again = Some(sweep::used_again(runs));
            } else {
                (report.commitments, report.nonce_gaps) = (Some(of.commitments), Some(of.gaps));
            }
            let changed_under_a_commitment =
                (rotation == Rotation::AtWill).then_some(of.client_changed);
            report.clients =
                Some(Clients { changed_under_a_commitment, ..sweep::clients(runs, &clients) });
            report.exchanged = Some(Exchanged {
                seeds_under_two_commitments: sweep::two_commitments(runs),
                commitments_with_two_seeds: of.two_seeds,
            });
            report.never_revealed = Some(of.never_revealed);
        }
        report.given_twice = sweep::twice(runs, is_chain);
        report.seeds = oddities.finish();
        report.statistics = statistics.map(|tables| tables.finish());
        report.notes = notes::of(&report, rotation);
        report
    }
}

/// A line of a row's `client_seed`, with the checkpoint that was seen, which also enters the deal.
fn contribution(one: &Contribution) -> String {
    let seen = one
        .seen
        .as_ref()
        .map_or_else(String::new, |seen| format!(" seen {} {}", seen.size, hex::encode(seen.root)));
    format!("{}={}{seen}", one.from, one.seed.as_str())
}
