//! The first failing rows of a file, each with the values of other rows near it.

use super::{Diagnoses, MOST_BYTES, MOST_ROWS, search};
use crate::dialect::check::lost;
use crate::dialect::{Checker, Column, Dialect, PlayError, Round, RowVerdict};

/// The direction in which the nearest row with another value of a column is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Previous,
    Next,
}

/// The columns whose other values are kept, and the value of one that is given.
const COLUMNS: [Column; 3] = [Column::ServerSeed, Column::Commitment, Column::ClientSeed];

fn value<'r>(round: &'r Round<'_>, column: Column) -> Option<&'r [u8]> {
    match column {
        Column::ServerSeed => round.server_seed.as_deref().map(str::as_bytes),
        Column::Commitment => round.commitment.as_ref().map(<[u8; 32]>::as_slice),
        _ => round.client_seed.as_deref().map(str::as_bytes),
    }
}

/// A failing row.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) row: u64,
    pub(super) round: Round<'static>,
    /// Whether its commitment does not open.
    pub(super) is_shut: bool,
    /// The other values of [`COLUMNS`].
    previous: [Option<Vec<u8>>; 3],
    next: [Option<Vec<u8>>; 3],
}

impl Case {
    /// The nearest other value of a column.
    pub(super) fn near(&self, column: Column, side: Side) -> Option<&[u8]> {
        let values = if side == Side::Previous { &self.previous } else { &self.next };
        values.iter().zip(COLUMNS).find(|(_, of)| *of == column)?.0.as_deref()
    }
}

/// The values of a column, row by row.
#[derive(Debug, Default)]
struct Seen {
    now: Vec<u8>,
    /// The value before; empty if there is none.
    before: Vec<u8>,
    /// The first case that has the value `now`; the cases after it have it too.
    first: usize,
}

/// Collects the failing rows of one dialect, in the order of the file.
///
/// Memory: at most [`MOST_ROWS`] rows of [`MOST_BYTES`], each with the values near it.
#[derive(Debug)]
pub struct Failures {
    checker: Checker,
    cases: Vec<Case>,
    failing: u64,
    seen: [Seen; 3],
}

impl Failures {
    /// For rows of a dialect.
    #[must_use]
    pub fn new(dialect: &'static Dialect) -> Self {
        let (checker, seen) = (Checker::new(dialect), Default::default());
        Self { checker, cases: Vec::new(), failing: 0, seen }
    }

    /// Takes the next row, unless a column is malformed. Valid rows count too: a failing row may
    /// have the seed of a valid one.
    pub fn push(&mut self, row: u64, round: &Round<'_>, verdict: RowVerdict) {
        let fails = self.fails(round, verdict);
        self.failing += u64::from(fails);
        let is_full = self.cases.len() >= MOST_ROWS;
        let is_done = is_full && self.seen.iter().all(|seen| seen.first == self.cases.len());
        if is_done || size(round) > MOST_BYTES {
            return;
        }
        for (at, (seen, column)) in self.seen.iter_mut().zip(COLUMNS).enumerate() {
            let Some(value) = value(round, column).filter(|value| *value != seen.now) else {
                continue;
            };
            self.cases[seen.first..]
                .iter_mut()
                .for_each(|case| case.next[at] = Some(value.to_vec()));
            // The buffers change places, so that a file with a new seed in each row allocates none.
            std::mem::swap(&mut seen.now, &mut seen.before);
            value.clone_into(&mut seen.now);
            seen.first = self.cases.len();
        }
        if fails && !is_full {
            self.cases.push(Case {
                row,
                round: round.clone().into_owned(),
                is_shut: matches!(
                    verdict,
                    RowVerdict::CommitmentMismatch | RowVerdict::ChainMismatch
                ),
                previous: self
                    .seen
                    .each_ref()
                    .map(|seen| Some(seen.before.clone()).filter(|one| !one.is_empty())),
                next: Default::default(),
            });
        }
    }

    /// Whether a row is diagnosed. Of the unreadable ones, those whose only fault is a seed: its
    /// form, or that it is lost.
    fn fails(&mut self, round: &Round<'_>, verdict: RowVerdict) -> bool {
        let is_of_seed = |error: &PlayError| match error {
            PlayError::Wrong { column, .. } => {
                matches!(column, Column::ServerSeed | Column::ClientSeed)
            }
            _ => false,
        };
        match verdict {
            RowVerdict::Valid => false,
            RowVerdict::Unreadable => {
                self.checker.dialect().asks(round).is_ok()
                    && match self.checker.outcome(round, 1) {
                        Ok(_) => lost(round).is_some(),
                        Err(error) => is_of_seed(&error),
                    }
            }
            _ => true,
        }
    }

    /// The changes that would make the rows verify. `checker` has checked them: its chain is not
    /// walked again.
    #[must_use]
    pub fn finish(self, checker: &Checker) -> Diagnoses {
        search::run(&self.cases, self.failing, checker)
    }
}

/// Bytes of a row's texts and lists.
fn size(round: &Round<'_>) -> usize {
    let texts = [&round.server_seed, &round.client_seed, &round.deck, &round.method, &round.finer];
    let texts: usize = texts.into_iter().flatten().map(|text| text.len()).sum();
    let pairs = round.contributions.iter().flatten();
    let pairs: usize = pairs.map(|one| one.from.as_str().len() + one.seed.as_str().len()).sum();
    let cards = [&round.cards, &round.held, &round.last].into_iter().flatten();
    let cells = round.cells.iter().map(|(_, cell)| cell.size());
    texts + pairs + cards.map(|cards| 2 * cards.len()).sum::<usize>() + cells.sum::<usize>()
}
