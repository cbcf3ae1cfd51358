//! Tries every change on every row, then takes the changes that explain most rows.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::near::Case;
use super::trial::{Change, Reading, Shared};
use super::{COULD_BE_CHANCE, Diagnoses, Diagnosis, IS_CHANCE, MOST_DIGESTS, chance, table};
use crate::dialect::{Checker, Dialect};
use fairdeal_audit::stats::any::any_at_least;
use fairdeal_audit::stats::number::count;

/// A smaller probability is taken for 0.
const NEVER: f64 = 1e-60;

/// The search in the rows of one dialect. Rows and changes are indices into its lists.
pub(super) struct Search<'c> {
    dialect: &'static Dialect,
    changes: Vec<Change>,
    cases: &'c [Case],
    /// The probability of what each row shows.
    bases: Vec<f64>,
    /// Whether the row has the seeds and nonce of an earlier one.
    twins: Vec<bool>,
    /// Whether nothing explains the row yet.
    open: Vec<bool>,
    /// Rows that each change makes verify.
    agreeing: Vec<Vec<usize>>,
    /// Whether some row could agree with the change by chance.
    could: Vec<bool>,
    shared: Shared,
}

impl<'c> Search<'c> {
    pub(super) fn new(dialect: &'static Dialect, cases: &'c [Case], checker: &Checker) -> Self {
        let mut seen = HashSet::new();
        let mut is_twin = |case: &'c Case| {
            let round = &case.round;
            let several =
                round.contributions.as_ref().map(|contributions| format!("{contributions:?}"));
            let players = (&round.client_seed, several);
            !seen.insert((&round.server_seed, players, round.nonce, &round.method, &round.deck))
        };
        let changes = table::of(dialect);
        Self {
            dialect,
            agreeing: vec![Vec::new(); changes.len()],
            could: vec![false; changes.len()],
            changes,
            cases,
            bases: cases.iter().map(|case| chance::of_shown(dialect, &case.round)).collect(),
            twins: cases.iter().map(&mut is_twin).collect(),
            open: vec![true; cases.len()],
            shared: Shared::new(dialect, checker),
        }
    }

    pub(super) fn run(mut self, failing: u64) -> Diagnoses {
        for row in 0..self.cases.len() {
            self.try_all(row);
        }
        let mut diagnoses = Vec::new();
        // Changes that may be chance come last, so that they take no rows from the others.
        for likely in [COULD_BE_CHANCE, IS_CHANCE] {
            while let Some(found) = self.explain(likely) {
                diagnoses.push(found);
            }
        }
        diagnoses.sort_by_key(|one| Reverse(one.rows));
        Diagnoses {
            failing,
            tried: count(self.cases.len()),
            unexplained: count(self.left().count()),
            diagnoses,
        }
    }

    /// Tries every change on one row; once the work is used up, only changes that some row agreed with.
    fn try_all(&mut self, row: usize) {
        let case = &self.cases[row];
        let mut reading = Reading::new(self.dialect, case);
        let is_spent = self.shared.work > MOST_DIGESTS;
        let mut is_shown = false;
        for (at, change) in self.changes.iter().enumerate() {
            // Any order explains what a plainer change of the cards explains.
            let is_explained = is_shown && change.named.code == "cards-reordered";
            if (is_spent && self.agreeing[at].is_empty()) || is_explained {
                continue;
            }
            if reading.verifies(&mut self.shared, change) {
                is_shown |= change.is_of_shown();
                self.agreeing[at].push(row);
            }
        }
        for (at, change) in self.changes.iter().enumerate() {
            self.could[at] = self.could[at]
                || chance::of_row(self.dialect, case, self.bases[row], change) > NEVER
                    && (change.is_of_shown() || !reading.is_idle(&mut self.shared, change));
        }
    }

    fn left(&self) -> impl Iterator<Item = usize> {
        (0..self.cases.len()).filter(|row| self.open[*row])
    }

    /// Explains open rows by the change that most of them agree with, if its chance is at most `likely`.
    fn explain(&mut self, likely: f64) -> Option<Diagnosis> {
        let still =
            |rows: &Vec<usize>| rows.iter().copied().filter(|row| self.open[*row]).collect();
        let still: Vec<Vec<usize>> = self.agreeing.iter().map(still).collect();
        let mut most: Vec<usize> =
            (0..still.len()).filter(|change| !still[*change].is_empty()).collect();
        most.sort_by_key(|change| Reverse(still[*change].len()));
        let mut weighed = most.iter().map(|at| (*at, self.chance(*at, &still[*at])));
        let (at, chance) = weighed.find(|(_, chance)| *chance <= likely)?;
        let rows = &still[at];
        let as_well =
            |other: &&usize| **other != at && rows.iter().all(|row| still[**other].contains(row));
        let also = count(most.iter().filter(as_well).count());
        for row in rows {
            self.open[*row] = false;
        }
        Some(Diagnosis {
            changes: vec![self.changes[at].named.clone()],
            rows: count(rows.len()),
            tried: count(self.cases.len()),
            first_rows: rows.iter().take(10).map(|row| self.cases[*row].row).collect(),
            also,
            chance,
            could_be_chance: chance > COULD_BE_CHANCE,
        })
    }

    /// The probability that as many open rows agree with some change by coincidence.
    fn chance(&self, change: usize, still: &[usize]) -> f64 {
        let of_row = |row| {
            chance::of_row(self.dialect, &self.cases[row], self.bases[row], &self.changes[change])
        };
        let rows = still.iter().filter(|row| !self.twins[**row]).count();
        let probabilities: Vec<f64> =
            self.left().filter(|row| !self.twins[*row]).map(of_row).collect();
        // Rows that are all twins count as one.
        let rows = if rows == 0 && !still.is_empty() { 1 } else { rows };
        let readings = self.could.iter().filter(|could| **could).count();
        any_at_least(rows, &probabilities, readings)
    }
}
