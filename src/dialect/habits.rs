//! What many rows show together and no single one does: how long seeds are used, what is missing between them, what comes
//! twice (spec/dialects.md 26). Counts and rows to look at, never a verdict.
//!
//! Memory: one record of 56 bytes for rows of one seed that follow each other, at worst one a row, and an eighth more while
//! their list grows: at most 63 bytes for each commitment of a million that have a row each. At most 2^24 records; rows
//! after that are counted as left out. Beside them the texts of 10,000 client seeds, 64 characters each. With statistics
//! another 8 bytes and what a hash table leaves empty for each round, and the tables of `stats`.
//!
//! ```
//! use fairdeal::dialect::{self, Column, Habits, Round, Value, RowVerdict};
//!
//! let mut habits = Habits::new(dialect::find("stake-video-poker").ok_or("known")?);
//! for (row, nonce) in [(1, "0"), (2, "1"), (3, "5")] {
//!     let mut round = Round::default();
//!     round.put(Column::ServerSeed, Value::Text("51b5258b38fef00c9887b7ad6c728035".into()))?;
//!     round.put(Column::ClientSeed, Value::Text("lucky".into()))?;
//!     round.put(Column::Nonce, Value::Text(nonce.into()))?;
//!     habits.add(row, &round, RowVerdict::Valid);
//! }
//! let report = habits.finish();
//! assert_eq!(report.nonce_gaps.map(|gaps| gaps.missing), Some(3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod kept;
mod notes;
mod oddities;
mod report;
mod statistics;
mod sweep;

use std::borrow::Cow;
use std::collections::HashMap;

pub use report::{
    Again, Band, Clients, Commitments, Commonest, Exchanged, Gap, Gaps, HabitNote, HabitsReport, Length,
    Seeds, Tally, Twice,
};
pub use statistics::{HabitStatistics, ResultGroup};

use self::kept::{Course, Id, Ids, Kept, MOST, Run, Says, UNNUMBERED};
use self::oddities::Oddities;
use super::Dialect;
use super::check::RowVerdict;
use super::play::RoundOutcome;
use super::round::Round;
use super::scheme::{Committed, HexForm, Rotation};
use crate::deal::Contribution;
use crate::stats::number::real;

/// Client seeds whose text is kept, and how much of it.
const TEXTS: usize = 10_000;
const CHARACTERS: usize = 64;

/// Takes the rows of a file, one after the other, whatever their verdict.
#[derive(Debug)]
pub struct Habits {
    dialect: &'static Dialect,
    ids: Ids,
    rows: u64,
    kept: Kept,
    oddities: Oddities,
    without_commitment: Tally,
    /// The first client seeds, by their short id.
    clients: HashMap<u64, Box<str>>,
    statistics: Option<Box<statistics::Tables>>,
}

impl Habits {
    /// Of a dialect's rows.
    #[must_use]
    pub fn new(dialect: &'static Dialect) -> Self {
        Self {
            dialect,
            ids: Ids::default(),
            rows: 0,
            kept: Kept::new(MOST),
            oddities: Oddities::new(dialect.seed_digits),
            without_commitment: Tally::default(),
            clients: HashMap::new(),
            statistics: None,
        }
    }

    /// Counts results too, which takes microseconds a row: of valid rounds, each once.
    #[must_use]
    pub fn with_statistics(mut self) -> Self {
        self.statistics = Some(Box::new(statistics::Tables::new(self.dialect)));
        self
    }

    /// Takes the next row: its number, as it is to be named, what it holds and what the check said.
    pub fn add(&mut self, row: u64, round: &Round<'_>, verdict: RowVerdict) {
        self.rows += 1;
        if let Some(seed) = round.server_seed.as_deref() {
            self.oddities.add(row, seed);
        }
        if round.commitment.is_none() {
            self.without_commitment.note(row);
        }
        let client = self.client(round);
        let run = self.run(row, round, verdict, client.as_deref());
        if let Some(tables) = &mut self.statistics
            && verdict == RowVerdict::Valid
        {
            tables.take(row, round, &(run.seed, run.client, run.number));
        }
        if self.kept.add(run)
            && self.clients.len() < TEXTS
            && let Some(client) = client.filter(|_| run.client != 0)
        {
            let text = || client.chars().take(CHARACTERS).collect::<String>().into_boxed_str();
            self.clients.entry(run.client).or_insert_with(text);
        }
    }

    /// Bytes that the records of rows take now, as the module's text states them.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.kept.bytes()
    }

    /// What the client brings, as one text; `None` for a chain, whose salt is the same for all.
    fn client<'r>(&self, round: &'r Round<'_>) -> Option<Cow<'r, str>> {
        if self.is_chain() {
            return None;
        }
        match &round.contributions {
            Some(given) => {
                // Their order does not matter (spec/shuffle.md 2).
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
            // The scheme has one nonce, and rows may leave it out.
            Rotation::EachRound => round.nonce.or(Some(0)),
            Rotation::AtWill | Rotation::Logged => round.nonce,
        };
        let result = if says == Says::Follows && !self.is_chain() { 0 } else { self.result(round) };
        Run {
            row,
            number: number.map_or(UNNUMBERED, |number| number.min(UNNUMBERED)),
            client: client.map_or(0, |client| self.ids.short(client.as_bytes())),
            rows: 1,
            result,
            commitment: round.commitment.map_or(Id::NONE, |bytes| self.ids.id(&bytes)),
            seed: round.server_seed.as_deref().map_or(Id::NONE, |seed| self.seed(seed)),
            says,
            course: Course::Up,
        }
    }

    /// A seed that is decoded is the same in capitals; one whose text is hashed is not.
    fn seed(&self, seed: &str) -> Id {
        let is_decoded = matches!(
            self.dialect.scheme.committed,
            Committed::Hash(HexForm::Decoded) | Committed::Chain(HexForm::Decoded)
        );
        if is_decoded && seed.bytes().any(|byte| byte.is_ascii_uppercase()) {
            self.ids.id(seed.to_ascii_lowercase().as_bytes())
        } else {
            self.ids.id(seed.as_bytes())
        }
    }

    /// 32 bits of the result that the row shows.
    fn result(&self, round: &Round<'_>) -> u32 {
        let shown = match (&round.cards, round.result) {
            (Some(cards), _) => RoundOutcome::Cards(cards.clone()).to_string(),
            (None, Some(cents)) => cents.to_string(),
            (None, None) => round.finer.as_deref().unwrap_or_default().to_owned(),
        };
        let bytes = self.ids.short(shown.as_bytes()).to_le_bytes();
        bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }

    fn is_chain(&self) -> bool {
        self.dialect.rotation == Rotation::Chain
    }

    /// All that was counted.
    #[must_use]
    pub fn finish(self) -> HabitsReport {
        let rotation = self.dialect.rotation;
        let (is_chain, is_each_round) = (rotation == Rotation::Chain, rotation == Rotation::EachRound);
        let rows_left_out = self.kept.left_out();
        let runs = &mut self.kept.into_runs()[..];
        let by_commitment =
            if is_chain { sweep::ByCommitment::default() } else { sweep::ByCommitment::of(runs) };
        let is_used_on = !is_chain && !is_each_round;
        let mut report = HabitsReport {
            dialect: self.dialect.name,
            rows: self.rows,
            rows_left_out,
            commitments: is_used_on.then_some(by_commitment.commitments),
            nonce_gaps: is_used_on.then_some(by_commitment.gaps),
            game_gaps: is_chain.then(|| sweep::games(runs)).flatten(),
            given_twice: sweep::twice(runs, is_chain),
            exchanged: (!is_chain).then(|| sweep::exchanged(runs, by_commitment.two_seeds)),
            seeds_used_again: is_each_round.then(|| sweep::used_again(runs)),
            clients: (!is_chain).then(|| {
                let changed = (rotation == Rotation::AtWill).then_some(by_commitment.client_changed);
                Clients { changed_under_a_commitment: changed, ..clients(runs, &self.clients) }
            }),
            never_revealed: (!is_chain).then_some(by_commitment.never_revealed),
            without_commitment: self.without_commitment,
            seeds: self.oddities.finish(),
            statistics: self.statistics.map(|tables| tables.finish()),
            notes: Vec::new(),
        };
        report.notes = notes::of(&report, rotation);
        report
    }
}

/// What clients bring, but for where it changed; `texts` are those that were kept.
fn clients(runs: &mut [Run], texts: &HashMap<u64, Box<str>>) -> Clients {
    let mut clients = Clients::default();
    let mut with_one = 0;
    clients.shared_between_commitments = sweep::clients(runs, |id, row, rows| {
        clients.distinct += 1;
        with_one += rows;
        // The first in the file, where several are as common.
        let before = clients.commonest.as_ref().map_or((0, u64::MAX), |one| (one.rows, one.row));
        if rows > before.0 || (rows == before.0 && row < before.1) {
            let text = texts.get(&id).map(ToString::to_string).unwrap_or_default();
            clients.commonest = Some(Commonest { text, row, rows, share: 0.0 });
        }
    });
    if let Some(commonest) = &mut clients.commonest {
        commonest.share = real(commonest.rows) / real(with_one);
    }
    clients
}

/// As a line of a row's `client_seed`, and the checkpoint that was seen, which goes into the deal too.
fn contribution(one: &Contribution) -> String {
    let seen = one
        .seen
        .as_ref()
        .map_or_else(String::new, |seen| format!(" seen {} {}", seen.size, hex::encode(seen.root)));
    format!("{}={}{seen}", one.from, one.seed.as_str())
}
