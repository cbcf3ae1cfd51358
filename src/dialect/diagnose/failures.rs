//! Rows as they are checked: the failing ones are kept, the first of them, with what stands beside them.

use super::near::{self, Case, Run};
use super::search::Search;
use super::{Diagnoses, MOST_BYTES, MOST_ROWS};
use crate::dialect::check::{self, Checker, Verdict};
use crate::dialect::digests::Keyed;
use crate::dialect::play::PlayError;
use crate::dialect::round::{Column, Round};
use crate::dialect::{Dialect, Scheme};

/// Collects the rows of one dialect that do not verify, in the order of the file.
///
/// Memory: that of [`MOST_ROWS`] rows of at most [`MOST_BYTES`] each, with as much beside each of them.
#[derive(Debug)]
pub struct Failures {
    dialect: &'static dyn Dialect,
    scheme: Scheme,
    cases: Vec<Case>,
    /// Failing rows, the kept ones among them.
    failing: u64,
    last: Option<Round<'static>>,
    servers: Run,
    commitments: Run,
    clients: Run,
    /// The case whose next row is still to come.
    awaits_next: Option<usize>,
}

impl Failures {
    /// Of a dialect's rows; none yet.
    #[must_use]
    pub fn new(dialect: &'static dyn Dialect) -> Self {
        Self {
            dialect,
            scheme: dialect.scheme(),
            cases: Vec::new(),
            failing: 0,
            last: None,
            servers: Run::default(),
            commitments: Run::default(),
            clients: Run::default(),
            awaits_next: None,
        }
    }

    /// Takes in a row and its verdict. Every row that could be read comes by here, in order, valid ones too: a failing
    /// one may have its neighbour's seed. A row with a column that could not be read is left out.
    pub fn push(&mut self, row: u64, round: &Round<'_>, verdict: Verdict) {
        let fails = self.fails(round, verdict);
        self.failing = self.failing.saturating_add(u64::from(fails));
        let is_full = self.cases.len() >= MOST_ROWS;
        let is_awaited = self.awaits_next.is_some()
            || [&self.servers, &self.commitments, &self.clients].into_iter().any(Run::is_awaited);
        if is_full && !is_awaited {
            return;
        }
        if near::size(round) > MOST_BYTES {
            // Too long to keep, and so is no neighbour of a row that is kept.
            self.last = None;
            self.awaits_next = None;
            return;
        }
        self.settle(round);
        if fails && !is_full {
            self.keep(row, round, verdict);
        }
        near::copy(self.last.get_or_insert_default(), round);
    }

    /// Tells the waiting cases what comes after them.
    fn settle(&mut self, round: &Round<'_>) {
        let cases = &mut self.cases;
        if let Some(case) = self.awaits_next.take().and_then(|at| cases.get_mut(at)) {
            case.after = Some(Box::new(round.clone().into_owned()));
        }
        if let Some(seed) = &round.server_seed {
            for at in self.servers.see(seed.as_bytes()) {
                cases
                    .get_mut(at)
                    .into_iter()
                    .for_each(|case| near::settle(&mut case.servers, seed.as_bytes()));
            }
        }
        if let Some(commitment) = &round.commitment {
            for at in self.commitments.see(commitment) {
                cases
                    .get_mut(at)
                    .into_iter()
                    .for_each(|case| near::settle(&mut case.commitments, commitment));
            }
        }
        if let Some(seed) = &round.client_seed {
            for at in self.clients.see(seed.as_bytes()) {
                cases
                    .get_mut(at)
                    .into_iter()
                    .for_each(|case| near::settle(&mut case.clients, seed.as_bytes()));
            }
        }
    }

    fn keep(&mut self, row: u64, round: &Round<'_>, verdict: Verdict) {
        let at = self.cases.len();
        self.cases.push(Case {
            row,
            round: round.clone().into_owned(),
            opens: match verdict {
                Verdict::CommitmentMismatch | Verdict::ChainMismatch => Some(false),
                Verdict::ResultMismatch => Some(true),
                _ => None,
            },
            before: self.last.clone().map(Box::new),
            after: None,
            servers: self.servers.sides(at),
            commitments: self.commitments.sides(at),
            clients: self.clients.sides(at),
        });
        self.awaits_next = Some(at);
    }

    /// Whether a row is one to diagnose: of those that can't be checked the ones whose only fault is a seed's form.
    fn fails(&self, round: &Round<'_>, verdict: Verdict) -> bool {
        match verdict {
            Verdict::Valid => false,
            Verdict::CommitmentMismatch | Verdict::ChainMismatch | Verdict::ResultMismatch => true,
            Verdict::Unreadable => {
                let played = || check::outcome(self.dialect, &self.scheme, &mut Keyed::default(), round, 1);
                let of_seed = |column| matches!(column, Column::ServerSeed | Column::ClientSeed);
                self.dialect.asks(round).is_ok()
                    && matches!(played(), Err(PlayError::Wrong { column, .. }) if of_seed(column))
            }
        }
    }

    /// Failing rows so far.
    #[must_use]
    pub const fn failing(&self) -> u64 {
        self.failing
    }

    /// What would make them verify. `checker` is one that has checked the rows, or a clone of it: what it knows of a chain
    /// need not be walked again.
    #[must_use]
    pub fn finish(self, checker: &Checker) -> Diagnoses {
        Search::new(self.dialect, &self.cases, checker).run(self.failing)
    }
}
