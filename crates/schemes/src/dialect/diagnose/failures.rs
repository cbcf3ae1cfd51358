//! Keeps the first failing rows of a file, with the rows beside them.

use super::near::{self, Case, Run};
use super::search::Search;
use super::{Diagnoses, MOST_BYTES, MOST_ROWS};
use crate::dialect::check;
use crate::dialect::{Checker, Column, Dialect, Keyed, PlayError, Round, RowVerdict};

/// Collects the failing rows of one dialect, in the order of the file.
///
/// Memory: at most [`MOST_ROWS`] rows of [`MOST_BYTES`], each with the rows beside it.
#[derive(Debug)]
pub struct Failures {
    dialect: &'static Dialect,
    cases: Vec<Case>,
    failing: u64,
    last: Option<Round<'static>>,
    /// One for each column of [`near::watched`].
    runs: [Run; 3],
    /// The case that waits for the next row.
    awaits_next: Option<usize>,
}

impl Failures {
    /// For rows of a dialect.
    #[must_use]
    pub fn new(dialect: &'static Dialect) -> Self {
        let runs = Default::default();
        Self { dialect, cases: Vec::new(), failing: 0, last: None, runs, awaits_next: None }
    }

    /// Takes the next row, unless a column is malformed. A failing row may have the seed of a valid one.
    pub fn push(&mut self, row: u64, round: &Round<'_>, verdict: RowVerdict) {
        let fails = self.fails(round, verdict);
        self.failing += u64::from(fails);
        let is_full = self.cases.len() >= MOST_ROWS;
        let is_awaited =
            self.awaits_next.is_some() || self.runs.iter().any(|run| !run.waiting.is_empty());
        if is_full && !is_awaited {
            return;
        }
        if near::size(round) > MOST_BYTES {
            (self.last, self.awaits_next) = (None, None);
            return;
        }
        self.settle(round);
        if fails && !is_full {
            self.keep(row, round, verdict);
        }
        self.last.get_or_insert_default().copy_from(round);
    }

    /// Gives the waiting cases the row that comes after them.
    fn settle(&mut self, round: &Round<'_>) {
        if let Some(case) = self.awaits_next.take() {
            self.cases[case].after = Some(round.clone().into_owned());
        }
        for (column, value) in near::watched(round).into_iter().enumerate() {
            let Some(value) = value else { continue };
            for case in self.runs[column].see(value) {
                self.cases[case].others_after[column] = Some(value.to_vec());
            }
        }
    }

    fn keep(&mut self, row: u64, round: &Round<'_>, verdict: RowVerdict) {
        let at = self.cases.len();
        self.cases.push(Case {
            row,
            round: round.clone().into_owned(),
            opens: match verdict {
                RowVerdict::CommitmentMismatch | RowVerdict::ChainMismatch => Some(false),
                RowVerdict::ResultMismatch => Some(true),
                _ => None,
            },
            before: self.last.clone(),
            after: None,
            others_before: self.runs.each_mut().map(|run| run.other_before(at)),
            others_after: Default::default(),
        });
        self.awaits_next = Some(at);
    }

    /// Whether a row is diagnosed. Of the unreadable ones, those whose only fault is a seed's form.
    fn fails(&self, round: &Round<'_>, verdict: RowVerdict) -> bool {
        match verdict {
            RowVerdict::Valid => false,
            RowVerdict::CommitmentMismatch
            | RowVerdict::ChainMismatch
            | RowVerdict::ResultMismatch => true,
            RowVerdict::Unreadable => {
                let dialect = self.dialect;
                let played =
                    || check::outcome(dialect, &dialect.scheme, &mut Keyed::default(), round, 1);
                let of_seed = |column| matches!(column, Column::ServerSeed | Column::ClientSeed);
                dialect.asks(round).is_ok()
                    && matches!(played(), Err(PlayError::Wrong { column, .. }) if of_seed(column))
            }
        }
    }

    /// What would make the rows verify. `checker` has checked them: its chains are not walked again.
    #[must_use]
    pub fn finish(self, checker: &Checker) -> Diagnoses {
        Search::new(self.dialect, &self.cases, checker).run(self.failing)
    }
}
