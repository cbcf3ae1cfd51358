//! The search: every single change on every row, then pairs of changes on a few of those that are left, and what is
//! found there on all of them.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashSet};

use super::change::{Change, touches};
use super::near::Case;
use super::reading::{Reading, Shared};
use super::{COULD_BE_CHANCE, Diagnoses, Diagnosis, IS_CHANCE, MOST_DIGESTS, Named, candidates, chance};
use crate::dialect::Dialect;
use crate::dialect::check::Checker;
use crate::stats::number::count;

/// Rows on which all pairs are tried.
const SAMPLED: usize = 32;

/// Rows on which a pair that one row may agree with by chance is tried before it is tried on all.
const PROBED: usize = 64;

/// What is less likely does not happen by chance.
const NEVER: f64 = 1e-60;

/// Changes, by their number in the list of candidates.
type Changes = Vec<usize>;

/// Rows that would verify under some changes, by their number in the list of cases, and on how many it was tried.
#[derive(Clone, Debug, Default)]
struct Agreeing {
    rows: Vec<usize>,
    tried: usize,
}

/// Rows that are explained.
#[derive(Clone, Debug)]
struct Explained {
    changes: Changes,
    rows: Vec<usize>,
    tried: usize,
    /// What else explains the same rows.
    also: Vec<Changes>,
    chance: f64,
}

/// The search in the rows of one dialect.
#[derive(Debug)]
pub(super) struct Search<'c> {
    dialect: &'static dyn Dialect,
    changes: Vec<Change>,
    cases: &'c [Case],
    /// What each row's outcome is likely to be.
    bases: Vec<f64>,
    /// Whether the row is of the same seeds and nonce as one before.
    twins: Vec<bool>,
    /// Rows that nothing explains yet.
    open: Vec<bool>,
    /// Changes that made a difference to some row.
    differs: Vec<bool>,
    /// Those with which some row could have agreed by chance.
    could: Vec<bool>,
    shared: Shared,
    found: Vec<Explained>,
}

impl<'c> Search<'c> {
    pub(super) fn new(dialect: &'static dyn Dialect, cases: &'c [Case], checker: &Checker) -> Self {
        let mut seen = HashSet::new();
        let mut is_twin = |case: &'c Case| {
            let round = &case.round;
            let several = round.contributions.as_ref().map(|contributions| format!("{contributions:?}"));
            let players = (&round.client_seed, several);
            !seen.insert((&round.server_seed, players, round.nonce, &round.method, &round.deck))
        };
        let changes = candidates::candidates(dialect);
        Self {
            dialect,
            differs: vec![false; changes.len()],
            could: vec![false; changes.len()],
            changes,
            cases,
            bases: cases.iter().map(|case| chance::of_shown(dialect, &case.round)).collect(),
            twins: cases.iter().map(&mut is_twin).collect(),
            open: vec![true; cases.len()],
            shared: Shared::new(dialect, checker),
            found: Vec::new(),
        }
    }

    /// What would make them verify, over the fewest changes.
    pub(super) fn run(mut self, failing: u64) -> Diagnoses {
        let singles = self.singles();
        self.assign(&singles, self.readings_of_one(), COULD_BE_CHANCE);
        let pairs = self.pairs(&singles);
        // What is as likely to be chance is told last, so that it takes no row from what is not.
        self.assign(&singles, self.readings_of_one(), IS_CHANCE);
        self.assign(&pairs, self.readings(), IS_CHANCE);
        self.agree_with_each_other();
        let mut diagnoses: Vec<Diagnosis> = self.found.iter().map(|one| self.told(one)).collect();
        diagnoses.sort_by_key(|one| (one.changes.len(), std::cmp::Reverse(one.rows)));
        let unexplained = self.left().count();
        Diagnoses { failing, tried: count(self.cases.len()), unexplained: count(unexplained), diagnoses }
    }

    fn told(&self, one: &Explained) -> Diagnosis {
        let named = |change: Change| Named { code: change.code(), says: change.says() };
        let first_rows = one.rows.iter().filter_map(|row| self.cases.get(*row)).map(|case| case.row);
        Diagnosis {
            changes: self.named(&one.changes).into_iter().map(named).collect(),
            rows: count(one.rows.len()),
            tried: count(one.tried),
            first_rows: first_rows.take(10).collect(),
            also: count(one.also.len()),
            chance: one.chance,
            could_be_chance: one.chance > COULD_BE_CHANCE,
        }
    }

    /// Of several changes that explain the same rows, those that explain most of the other rows too, alone or in a pair:
    /// five cards go with many an order of the deck, and the file with one.
    fn agree_with_each_other(&mut self) {
        for at in 0..self.found.len() {
            let Some(one) = self.found.get(at) else { continue };
            let shared = |changes: &Changes| -> usize {
                let others = self.found.iter().enumerate().filter(|(other, _)| *other != at);
                let sharing =
                    others.filter(|(_, other)| other.changes.iter().any(|change| changes.contains(change)));
                sharing.map(|(_, other)| other.rows.len()).sum()
            };
            let own = shared(&one.changes);
            let best = (0..one.also.len())
                .max_by_key(|which| (one.also.get(*which).map(&shared), std::cmp::Reverse(*which)));
            let better =
                best.filter(|which| one.also.get(*which).is_some_and(|changes| shared(changes) > own));
            if let (Some(which), Some(one)) = (better, self.found.get_mut(at))
                && let Some(other) = one.also.get_mut(which)
            {
                std::mem::swap(&mut one.changes, other);
            }
        }
    }

    fn is_of_shown(&self, change: usize) -> bool {
        self.changes.get(change).is_some_and(|change| change.touches() & touches::SHOWN != 0)
    }

    fn named(&self, changes: &[usize]) -> Vec<Change> {
        changes.iter().filter_map(|at| self.changes.get(*at).copied()).collect()
    }

    /// Whether two changes touch nothing in common, and leave something of the row itself to be explained.
    fn are_apart(&self, one: usize, other: usize) -> bool {
        let (Some(one), Some(other)) = (self.changes.get(one), self.changes.get(other)) else { return false };
        // Another row's result with other seeds or another nonce may well be that other row.
        let data = touches::SERVER | touches::CLIENT | touches::NONCE | touches::COMMITMENT;
        let is_another_row =
            |shown, of: &Change| matches!(shown, &Change::Shown(_)) && of.touches() & data != 0;
        one.touches() & other.touches() == 0 && !is_another_row(one, other) && !is_another_row(other, one)
    }

    /// How many readings of one change could have agreed with some row by chance.
    fn readings_of_one(&self) -> usize {
        self.could.iter().filter(|could| **could).count()
    }

    /// How many readings of one or two changes could have.
    fn readings(&self) -> usize {
        let all: Vec<usize> =
            (0..self.changes.len()).filter(|at| self.differs.get(*at) == Some(&true)).collect();
        let of =
            |one: usize| all.iter().filter(|other| **other < one && self.are_apart(one, **other)).count();
        all.iter().map(|one| of(*one)).sum::<usize>().saturating_add(self.readings_of_one())
    }

    /// Every single change on every row; once the work is used up, those alone that some row agreed with.
    fn singles(&mut self) -> BTreeMap<Changes, Agreeing> {
        let mut found: BTreeMap<Changes, Agreeing> = BTreeMap::new();
        for (row, case) in self.cases.iter().enumerate() {
            let mut reading = Reading::new(&self.shared, case);
            let known: Option<Vec<usize>> =
                (self.shared.work() > MOST_DIGESTS).then(|| found.keys().flatten().copied().collect());
            let agreeing = self.with(&mut reading, None, known.as_deref());
            self.weigh(row, &mut reading);
            for changes in agreeing {
                found.entry(changes).or_default().rows.push(row);
            }
        }
        for agreeing in found.values_mut() {
            agreeing.tried = self.cases.len();
        }
        found
    }

    /// Notes which changes make a difference to a row, and with which it could agree by chance.
    fn weigh(&mut self, row: usize, reading: &mut Reading<'_>) {
        let (Some(case), Some(base)) = (self.cases.get(row), self.bases.get(row)) else { return };
        for (at, change) in self.changes.iter().enumerate() {
            if self.could.get(at) == Some(&true) {
                continue;
            }
            let likely = chance::of_row(self.dialect, case, *base, &[*change]);
            let differs =
                likely > 0.0 && (self.is_of_shown(at) || !reading.is_idle(&mut self.shared, *change));
            self.differs.get_mut(at).into_iter().for_each(|one| *one |= differs);
            self.could.get_mut(at).into_iter().for_each(|one| *one |= differs && likely > NEVER);
        }
    }

    /// The changes that make a row verify, alone or with a first one that is given. `known` are the ones to try, all
    /// where it is none.
    fn with(
        &mut self,
        reading: &mut Reading<'_>,
        first: Option<usize>,
        known: Option<&[usize]>,
    ) -> Vec<Changes> {
        let mut found = Vec::new();
        let all: Vec<usize> = known.map_or_else(|| (0..self.changes.len()).collect(), <[usize]>::to_vec);
        let mut is_shown = false;
        for at in all {
            // Of a pair the later one is tried with the earlier; what is shown comes with any.
            if first.is_some_and(|first| !self.are_apart(first, at) || (at < first && !self.is_of_shown(at)))
            {
                continue;
            }
            let mut changes: Changes = first.into_iter().chain([at]).collect();
            let named = self.named(&changes);
            // Any order at all is told only where no plainer one is.
            if named.contains(&Change::Reordered) && is_shown {
                continue;
            }
            if reading.verifies(&mut self.shared, &named) {
                is_shown |= self.is_of_shown(at);
                changes.sort_unstable();
                found.push(changes);
            }
        }
        found
    }

    /// Pairs of changes that touch different things: all of them on some of the rows that are left, and what is found on
    /// the others too.
    fn pairs(&mut self, singles: &BTreeMap<Changes, Agreeing>) -> BTreeMap<Changes, Agreeing> {
        let mut found: BTreeMap<Changes, Agreeing> = BTreeMap::new();
        let most = self.shared.work().saturating_add(MOST_DIGESTS);
        let mut sampled = HashSet::new();
        while sampled.len() < SAMPLED && self.shared.work() < most {
            let left: Vec<usize> = self.left().filter(|row| !sampled.contains(row)).collect();
            // From the middle: the first and the last row of a file lack a neighbour.
            let Some(&row) = left.get(left.len() >> 1) else { break };
            sampled.insert(row);
            for changes in self.pairs_of(row, singles, most) {
                if let Entry::Vacant(entry) = found.entry(changes) {
                    let agreeing = self.on_all(entry.key(), row);
                    entry.insert(agreeing);
                }
            }
            self.assign(&found, self.readings(), COULD_BE_CHANCE);
        }
        found
    }

    fn left(&self) -> impl Iterator<Item = usize> {
        self.open.iter().enumerate().filter_map(|(row, open)| open.then_some(row))
    }

    /// The pairs that make a row verify of which neither does alone.
    fn pairs_of(&mut self, row: usize, singles: &BTreeMap<Changes, Agreeing>, most: u64) -> Vec<Changes> {
        let Some(case) = self.cases.get(row) else { return Vec::new() };
        let mut reading = Reading::new(&self.shared, case);
        let alone = |at: usize| singles.get(&vec![at]).is_some_and(|agreeing| agreeing.rows.contains(&row));
        let mut found = Vec::new();
        let useful: Vec<usize> = (0..self.changes.len())
            .filter(|at| !alone(*at))
            .filter(|at| match self.changes.get(*at) {
                Some(_) if self.is_of_shown(*at) => true,
                Some(change) => !reading.is_idle(&mut self.shared, *change),
                None => false,
            })
            .collect();
        for first in useful.iter().copied().filter(|first| !self.is_of_shown(*first)).collect::<Vec<_>>() {
            if self.shared.work() > most {
                break;
            }
            found.extend(self.with(&mut reading, Some(first), Some(&useful)));
        }
        found
    }

    /// A pair that one row agrees with, tried on the others that are left: on a few first, where that one row may be
    /// chance.
    fn on_all(&mut self, changes: &[usize], first: usize) -> Agreeing {
        let named = self.named(changes);
        let mut agreeing = Agreeing { rows: vec![first], tried: 1 };
        for row in self.left().filter(|row| *row != first).collect::<Vec<_>>() {
            if agreeing.tried == PROBED && self.chance(changes, &agreeing, self.readings()) > COULD_BE_CHANCE
            {
                break;
            }
            let Some(case) = self.cases.get(row) else { continue };
            agreeing.tried = agreeing.tried.saturating_add(1);
            if Reading::new(&self.shared, case).verifies(&mut self.shared, &named) {
                agreeing.rows.push(row);
            }
        }
        agreeing.rows.sort_unstable();
        agreeing
    }

    /// The rows that are left of those that agree.
    fn still(&self, agreeing: &Agreeing) -> Vec<usize> {
        let is_open = |row: &&usize| self.open.get(**row).is_some_and(|open| *open);
        agreeing.rows.iter().filter(is_open).copied().collect()
    }

    /// The chance that as many of the rows that are left agree by coincidence.
    fn chance(&self, changes: &[usize], agreeing: &Agreeing, readings: usize) -> f64 {
        let named = self.named(changes);
        let is_twin = |row: usize| self.twins.get(row).is_some_and(|twin| *twin);
        let of_row = |row: usize| {
            let (case, base) = (self.cases.get(row)?, self.bases.get(row)?);
            Some(chance::of_row(self.dialect, case, *base, &named))
        };
        let still = self.still(agreeing);
        let rows = still.iter().filter(|row| !is_twin(**row)).count();
        let probabilities: Vec<f64> = self.left().filter(|row| !is_twin(*row)).filter_map(of_row).collect();
        // Twins alone: what they show is one row's worth.
        let rows = if rows == 0 && !still.is_empty() { 1 } else { rows };
        chance::of_rows(rows, &probabilities, readings)
    }

    /// Explains rows that are left by what most of them agree with, again and again, as long as that is not likelier
    /// than this to be coincidence.
    fn assign(&mut self, found: &BTreeMap<Changes, Agreeing>, readings: usize, likely: f64) {
        loop {
            let still = found.iter().map(|(changes, agreeing)| (changes, agreeing, self.still(agreeing)));
            let mut still: Vec<_> = still.filter(|(_, _, rows)| !rows.is_empty()).collect();
            still.sort_by_key(|(_, _, rows)| std::cmp::Reverse(rows.len()));
            let best = still.iter().find_map(|(changes, agreeing, rows)| {
                let chance = self.chance(changes, agreeing, readings);
                (chance <= likely).then_some((*changes, agreeing.tried, rows, chance))
            });
            let Some((changes, tried, rows, chance)) = best else { return };
            let as_well = |other: &[usize]| rows.iter().all(|row| other.contains(row));
            let also = still.iter().filter(|(other, _, also)| *other != changes && as_well(also));
            let also = also.map(|(other, ..)| (*other).clone()).collect();
            let (changes, rows) = (changes.clone(), rows.clone());
            self.found.push(Explained { changes, rows: rows.clone(), tried, also, chance });
            for row in rows {
                self.open.get_mut(row).into_iter().for_each(|open| *open = false);
            }
        }
    }
}
