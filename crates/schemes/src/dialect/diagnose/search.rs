//! Tries each confusion on each failing row, then names those that explain most rows.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::failures::Case;
use super::table::{self, Confusion, Trial};
use super::{COULD_BE_CHANCE, Diagnoses, Diagnosis, IS_CHANCE, MOST_HASHES};
use crate::dialect::{
    Cents, Checker, CommitmentOpening, Committed, Deals, Dialect, DialectOutcome, HexForm, Law,
    Ranges, Round, RowVerdict,
};
use fairdeal_audit::stats::number::{count, real, real_len};

/// An upper bound of the probability that a wrong hash opens a commitment: 2^-256.
const OPENS: f64 = 8.7e-78;

/// The most numbers for which doubles give another result (spec/dialects.md 17.4).
const OPEN: u64 = 60;

/// No probability is taken for less.
const LEAST: f64 = 1e-300;

/// A confusion with the rows that it explains.
struct Tried {
    confusion: Confusion,
    /// Indices of the cases, and of the rounds that they are after the change.
    rows: Vec<(usize, usize)>,
    /// The rounds that the changed rows are, each with an upper bound of the probability that one
    /// of its rows is explained by chance.
    rounds: BTreeMap<Hashed, (usize, f64)>,
}

/// The bytes that are hashed in a round. Rows with the same bytes agree or differ together, so that
/// they count once.
type Hashed = (String, Vec<u8>, Option<u64>);

fn hashed(Trial { dialect, scheme, round }: &Trial) -> Hashed {
    let seed = round.server_seed.as_deref().unwrap_or_default();
    let seed = match scheme.seed {
        HexForm::Text => seed.to_owned(),
        HexForm::Decoded => seed.to_ascii_lowercase(),
    };
    (seed, dialect.client_part(round), round.nonce)
}

impl Tried {
    /// The bound of the probability that any of so many changes explains these rows by chance.
    fn chance(&self, changes: usize, rows: &[usize]) -> f64 {
        let is_one_of = |(row, _): &&(usize, usize)| rows.contains(row);
        let rounds: BTreeSet<usize> =
            self.rows.iter().filter(is_one_of).map(|(_, round)| *round).collect();
        let expected = self.rounds.values().map(|(_, probability)| probability.min(1.0)).sum();
        chance(changes, expected, rounds.len())
    }
}

/// The diagnoses of the cases.
pub(super) fn run(cases: &[Case], failing: u64, checker: &Checker) -> Diagnoses {
    let (dialect, mut own) = (checker.dialect(), checker.walking(MOST_HASHES));
    let tried = |confusion| Tried { confusion, rows: Vec::new(), rounds: BTreeMap::new() };
    let mut all: Vec<Tried> = table::of(dialect).map(tried).collect();
    for (at, case) in cases.iter().enumerate() {
        let shown = case.round.shown().len();
        let dealt = match own.outcome(&case.round, shown) {
            Ok(DialectOutcome::Cards(cards)) if !case.is_shut => cards,
            _ => Vec::new(),
        };
        for one in &mut all {
            let mut trial = Trial { dialect, scheme: dialect.scheme, round: case.round.clone() };
            let change = one.confusion.change;
            let Some(fits) = change.apply(&mut trial, case, &dealt) else { continue };
            let probability = (probability(dialect, case, &trial) * change.ways(shown)).min(1.0);
            let is_own = trial.dialect.name == dialect.name && trial.scheme == dialect.scheme;
            if probability == 0.0 || fits && is_own && trial.round == case.round {
                continue;
            }
            let next = one.rounds.len();
            let known = one.rounds.entry(hashed(&trial)).or_insert((next, 0.0));
            known.1 += probability;
            let in_round = known.0;
            let verifies = |checker: &mut Checker| verifies(checker, &trial.round);
            let other = || Checker::reading(trial.dialect, trial.scheme).walking(0);
            if fits && if is_own { verifies(&mut own) } else { verifies(&mut other()) } {
                one.rows.push((at, in_round));
            }
        }
    }
    let mut open = vec![true; cases.len()];
    let mut diagnoses = Vec::new();
    // Diagnoses that may be chance come last, so that they take no rows from the others.
    for most in [COULD_BE_CHANCE, IS_CHANCE] {
        while let Some((rows, diagnosis)) = explain(&all, &open, cases, most) {
            for row in rows {
                open[row] = false;
            }
            diagnoses.push(diagnosis);
        }
    }
    diagnoses.sort_by_key(|one| Reverse(one.rows));
    let unexplained = count(open.iter().filter(|open| **open).count());
    Diagnoses { failing, tried: count(open.len()), unexplained, diagnoses }
}

fn verifies(checker: &mut Checker, round: &Round<'_>) -> bool {
    // First what costs less than a deal.
    !matches!(checker.opens(round), Err(_) | Ok(CommitmentOpening::Mismatch(..)))
        && checker.check(round).verdict == RowVerdict::Valid
}

/// An upper bound of the probability that a wrong change makes a row verify; 0 if it can't.
fn probability(own: &Dialect, case: &Case, trial: &Trial) -> f64 {
    let (was, is, rule) = (&case.round, &trial.round, trial.scheme.committed);
    let is_kept = rule == own.scheme.committed
        && (&was.server_seed, was.commitment, was.game_id, was.chain_steps)
            == (&is.server_seed, is.commitment, is.game_id, is.chain_steps);
    match was.commitment {
        Some(_) if is_kept && case.is_shut => 0.0,
        Some(_) if !is_kept && rule != Committed::Unknown => OPENS,
        _ => of_shown(trial.dialect, was),
    }
}

/// An upper bound of the probability of what a row shows.
fn of_shown(dialect: &Dialect, round: &Round<'_>) -> f64 {
    if let Deals::Board { board, .. } = &dialect.deals {
        return board.probability(round);
    }
    match dialect.law {
        Law::Multiplier(law) => {
            let (shown, all) = (round.result.unwrap_or(Cents(0)), law.at_least(Cents(0)));
            let cases = match shown {
                shown if shown.0 < law.least => 0,
                Cents(0..=100) => all - law.at_least(Cents(101)),
                // With those numbers for which this result is accepted as well.
                _ if law.is_in_doubles => law.exactly(shown) + OPEN,
                _ => law.exactly(shown),
            };
            real(cases) / real(all)
        }
        Law::Draws(ranges) => {
            let items = match ranges {
                Ranges::Same(items) | Ranges::Down { from: items, .. } => items,
                Ranges::Each(all) => all.first().copied().unwrap_or(1),
            };
            let from = dialect.deck_items(round).unwrap_or(items);
            let copies = real(u64::from(from.div_ceil(52)));
            // Without repeats each next card is likelier than with them. So this bounds both.
            let left = (1..=from).rev().map(|left| (copies / real(u64::from(left))).min(1.0));
            left.take(round.shown().len()).product::<f64>().max(LEAST)
        }
    }
}

/// The confusion that explains most open rows, if its chance is at most `most`, with the rows.
fn explain(
    all: &[Tried],
    open: &[bool],
    cases: &[Case],
    most: f64,
) -> Option<(Vec<usize>, Diagnosis)> {
    let still = |one: &Tried| {
        let rows = one.rows.iter().map(|(row, _)| *row);
        rows.filter(|row| open[*row]).collect::<Vec<_>>()
    };
    let mut found: Vec<_> =
        all.iter().map(|one| (one, still(one))).filter(|one| !one.1.is_empty()).collect();
    found.sort_by_key(|(_, rows)| Reverse(rows.len()));
    let changes = all.iter().filter(|one| !one.rounds.is_empty()).count();
    let weighed = found.iter().map(|(one, rows)| one.chance(changes, rows));
    let ((one, rows), chance) = found.iter().zip(weighed).find(|(_, chance)| *chance <= most)?;
    let Confusion { code, says, .. } = &one.confusion;
    let explains =
        |(_, others): &&(&Tried, Vec<usize>)| rows.iter().all(|row| others.contains(row));
    let diagnosis = Diagnosis {
        code: code.clone(),
        says: says.clone(),
        rows: count(rows.len()),
        tried: count(open.len()),
        first_rows: rows.iter().take(10).map(|row| cases[*row].row).collect(),
        also: count(found.iter().filter(explains).count()) - 1,
        chance,
        could_be_chance: chance > COULD_BE_CHANCE,
    };
    Some((rows.clone(), diagnosis))
}

/// An upper bound of the probability that any of so many wrong changes explains as many rounds: of
/// independent events whose probabilities add up to s, k happen with probability s^k / k! at most.
fn chance(changes: usize, expected: f64, rounds: usize) -> f64 {
    let each = (1..=rounds).map(|k| (expected / real_len(k)).ln());
    (real_len(changes).ln() + each.sum::<f64>()).exp().clamp(LEAST, 1.0)
}
