//! Tries each confusion on each failing row, then names those that explain most rows.

use std::cmp::Reverse;

use super::failures::Case;
use super::table::{self, Confusion, Trial};
use super::{COULD_BE_CHANCE, Diagnoses, Diagnosis, IS_CHANCE, MOST_HASHES};
use crate::dialect::{
    Cents, Checker, CommitmentOpening, Committed, Dialect, DialectOutcome, Law, Ranges, Round,
    RowVerdict,
};
use fairdeal_audit::stats::number::{count, real, real_len};

/// An upper bound of the probability that a wrong hash opens a commitment: 2^-256.
const OPENS: f64 = 8.7e-78;

/// No probability is taken for less.
const LEAST: f64 = 1e-300;

/// A confusion with the rows that it explains, as indices of the cases.
struct Tried {
    confusion: Confusion,
    rows: Vec<usize>,
    /// The probabilities that a row is explained by chance, added up; 0 if it changes no row.
    expected: f64,
}

/// The diagnoses of the cases.
pub(super) fn run(cases: &[Case], failing: u64, checker: &Checker) -> Diagnoses {
    let (dialect, mut own) = (checker.dialect(), checker.walking(MOST_HASHES));
    let tried = |confusion| Tried { confusion, rows: Vec::new(), expected: 0.0 };
    let mut all: Vec<Tried> = table::of(dialect).map(tried).collect();
    // The rows of one round agree or differ together, so they count once.
    let mut alone = Vec::new();
    for (at, case) in cases.iter().enumerate() {
        alone.push(!cases[..at].iter().any(|other| case.is_of_same_round(other)));
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
            one.expected += if alone[at] { probability } else { 0.0 };
            let verifies = |checker: &mut Checker| verifies(checker, &trial.round);
            let other = || Checker::reading(trial.dialect, trial.scheme).walking(0);
            if fits && if is_own { verifies(&mut own) } else { verifies(&mut other()) } {
                one.rows.push(at);
            }
        }
    }
    let mut open = vec![true; alone.len()];
    let mut diagnoses = Vec::new();
    // Diagnoses that may be chance come last, so that they take no rows from the others.
    for most in [COULD_BE_CHANCE, IS_CHANCE] {
        while let Some((rows, diagnosis)) = explain(&all, &open, &alone, cases, most) {
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
    match dialect.law {
        Law::Multiplier(law) => {
            let cases = law.exactly(round.result.unwrap_or(Cents(0)));
            real(cases) / real(law.at_least(Cents(0)))
        }
        Law::Draws(ranges) => {
            let (Ranges::Same(items) | Ranges::Down { from: items, .. }) = ranges;
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
    alone: &[bool],
    cases: &[Case],
    most: f64,
) -> Option<(Vec<usize>, Diagnosis)> {
    let still = |one: &Tried| one.rows.iter().copied().filter(|row| open[*row]).collect::<Vec<_>>();
    let mut found: Vec<_> =
        all.iter().map(|one| (one, still(one))).filter(|one| !one.1.is_empty()).collect();
    found.sort_by_key(|(_, rows)| Reverse(rows.len()));
    let changes = all.iter().filter(|one| one.expected > 0.0).count();
    let weighed = found.iter().map(|(one, rows)| {
        chance(changes, one.expected, rows.iter().filter(|row| alone[**row]).count())
    });
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

/// An upper bound of the probability that any of so many wrong changes explains as many rows: of
/// independent events whose probabilities add up to s, k happen with probability s^k / k! at most.
fn chance(changes: usize, expected: f64, rows: usize) -> f64 {
    let each = (1..=rows.max(1)).map(|k| (expected / real_len(k)).ln());
    (real_len(changes).ln() + each.sum::<f64>()).exp().clamp(LEAST, 1.0)
}
