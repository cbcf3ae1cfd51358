//! Makes rows of every dialect, and checks their diagnosis.

use std::collections::BTreeSet;

use fairdeal_schemes::dialect::{
    self, Checker, Column, Committed, Diagnoses, Dialect, DialectOutcome, Failures, HexForm,
    Rotation, Round, RowVerdict, Scheme,
};
use fairdeal_schemes::rows::Value;
use sha2::{Digest as _, Sha256};

pub(crate) type Rows = Vec<Round<'static>>;

pub(crate) fn named(name: &str) -> &'static Dialect {
    dialect::find(name).expect("known")
}

/// A file's diagnosis, with the rows that are valid.
pub(crate) fn diagnose(
    dialect: &'static Dialect,
    rows: &[Round<'_>],
) -> (Diagnoses, BTreeSet<u64>) {
    diagnose_by(Checker::new(dialect), rows)
}

pub(crate) fn diagnose_by(mut checker: Checker, rows: &[Round<'_>]) -> (Diagnoses, BTreeSet<u64>) {
    let mut failures = Failures::new(checker.dialect());
    let mut valid = BTreeSet::new();
    for (row, round) in (0..).zip(rows) {
        let verdict = checker.check(round).verdict;
        failures.push(row, round, verdict);
        if verdict == RowVerdict::Valid {
            valid.insert(row);
        }
    }
    (failures.finish(&checker), valid)
}

/// Asserts that this alone explains all rows that do not verify, except as many as have lost their
/// own values.
pub(crate) fn assert_named(
    what: &str,
    dialect: &'static Dialect,
    rows: &[Round<'_>],
    expected: &str,
    but: u64,
) {
    assert_named_by(what, Checker::new(dialect), rows, expected, but);
}

pub(crate) fn assert_named_by(
    what: &str,
    checker: Checker,
    rows: &[Round<'_>],
    expected: &str,
    but: u64,
) {
    let name = checker.dialect().name;
    let (found, valid) = diagnose_by(checker, rows);
    assert!(found.failing > but, "{name}, {what}: only {} rows fail", found.failing);
    let first = found.diagnoses.iter().find(|one| !one.could_be_chance);
    let first = first.unwrap_or_else(|| panic!("{name}, {what}: nothing is found\n{found}"));
    assert_eq!(first.code, expected, "{name}, {what}\n{found}");
    assert_eq!(first.rows, found.failing - but, "{name}, {what}\n{found}");
    for one in &found.diagnoses {
        assert!(
            one.first_rows.iter().all(|row| !valid.contains(row)),
            "{name}, {what}: a valid row"
        );
        assert!(one.could_be_chance || one == first || one.rows <= but, "{name}, {what}\n{found}");
    }
}

pub(crate) fn hash(text: &str) -> String {
    hex::encode(Sha256::digest(text))
}

/// A scheme's commitment to a seed.
pub(crate) fn commitment(scheme: &Scheme, seed: &str) -> Option<[u8; 32]> {
    match scheme.committed {
        Committed::Hash(HexForm::Text) => Some(Sha256::digest(seed).into()),
        Committed::Hash(HexForm::Decoded) => {
            Some(Sha256::digest(hex::decode(seed).expect("hex")).into())
        }
        _ => None,
    }
}

/// Sets the row's result to what its seeds give under these choices.
pub(crate) fn settle(dialect: &'static Dialect, scheme: Scheme, round: &mut Round<'static>) {
    let many = if dialect.name == "stake-replace" { 12 } else { 8 };
    match Checker::reading(dialect, scheme).outcome(round, many).expect("a round") {
        DialectOutcome::Cards(mut cards) => {
            cards.truncate(many);
            round.cards = Some(cards);
        }
        DialectOutcome::Result(one) => round.result = Some(one.first),
        DialectOutcome::Cells(cells) => {
            round.cells.retain(|(column, _)| cells.iter().all(|(dealt, _)| dealt != column));
            round.cells.extend(cells);
        }
    }
}

/// What a row of a game chooses.
fn choices(name: &str) -> Vec<(Column, &'static str)> {
    match name {
        "duel-plinko" | "liqd-plinko" => vec![(Column::Rows, "16")],
        "stake-plinko" => vec![(Column::Rows, "16"), (Column::Risk, "low")],
        "stake-wheel" => vec![(Column::Segments, "50"), (Column::Risk, "medium")],
        "stake-dragon-tower" => vec![(Column::Difficulty, "easy")],
        "duel-beef" => vec![(Column::Difficulty, "4")],
        "stake-mines" | "duel-mines" | "liqd-mines" => vec![(Column::MineCount, "12")],
        _ => Vec::new(),
    }
}

/// Rows of a dialect, each server seed used for this many rows, with results under these choices.
pub(crate) fn dealt(dialect: &'static Dialect, scheme: Scheme, count: u64, each: u64) -> Rows {
    let row = |row: u64| {
        let mut round = Round::default();
        let digits = dialect.seed_digits.unwrap_or(64);
        let seed = hash(&format!("{} {}", dialect.name, row.div_euclid(each)))[..digits].to_owned();
        let client = hash(&format!("client {}", row.div_euclid(2)));
        round.commitment = commitment(&scheme, &seed);
        round.server_seed = Some(seed.into());
        let client = match dialect.rotation {
            Rotation::EachRound => format!("{client}{}", &client[..32]),
            Rotation::Logged => format!("alice={client}"),
            _ => client,
        };
        round.client_seed = Some(client.into());
        round.nonce = match dialect.rotation {
            Rotation::EachRound => Some(0),
            Rotation::Chain => None,
            _ => Some(row.rem_euclid(each) + 3),
        };
        for (column, choice) in choices(dialect.name) {
            Value::Text(choice.into()).put(column, &mut round).expect("a choice");
        }
        settle(dialect, scheme, &mut round);
        round
    };
    (0..count).map(row).collect()
}

pub(crate) fn valid(dialect: &'static Dialect, count: u64, each: u64) -> Rows {
    dealt(dialect, dialect.scheme, count, each)
}

/// All dialects except the one with a real chain: its rows can't be made up.
pub(crate) fn made() -> impl Iterator<Item = &'static Dialect> {
    dialect::ALL.into_iter().filter(|dialect| dialect.published.is_none())
}

/// The dialects whose rows have so many results that a few rows tell one change from chance.
pub(crate) fn telling() -> impl Iterator<Item = &'static Dialect> {
    made().filter(|dialect| !matches!(dialect.name, "stake-plinko" | "stake-wheel"))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what `filter` gives")]
pub(crate) fn of_a_beacon(dialect: &&'static Dialect) -> bool {
    dialect.rotation == Rotation::EachRound
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what `filter` gives")]
pub(crate) fn of_cards(dialect: &&'static Dialect) -> bool {
    dialect.shows == [Column::Cards]
}

/// The dialects whose walk follows from the scheme's choices.
pub(crate) fn walked() -> impl Iterator<Item = &'static Dialect> {
    made().filter(of_cards).filter(|dialect| dialect.name != "fairdeal/v1")
}

pub(crate) fn has_commitments(dialect: &'static Dialect) -> bool {
    matches!(dialect.scheme.committed, Committed::Hash(_))
}

/// Every row with this column's value of the next row; the last one keeps its own.
pub(crate) fn shift<T: Clone>(
    rows: &mut [Round<'static>],
    value: impl for<'a> Fn(&'a mut Round<'static>) -> &'a mut T,
) {
    let after: Vec<T> = rows.iter_mut().skip(1).map(|round| value(round).clone()).collect();
    for (round, after) in rows.iter_mut().zip(after) {
        *value(round) = after;
    }
}
