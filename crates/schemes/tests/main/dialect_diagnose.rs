//! The diagnosis of failing rows: the notes of the fixtures, chance, and the totals.

use fairdeal_schemes::dialect::{self, Checker, Diagnosis, Failures, Round, RowVerdict};

use crate::dialect_rows::{
    Rows, assert_named_by, commitment, diagnose, hash, named, of_cards, settle, shift, telling,
    valid,
};
use crate::dialects::{round, rows};

#[test]
fn every_false_row_of_the_fixtures_is_explained_if_its_fault_is_a_usual_one() {
    let expected: &[(&str, &[(u64, &str)])] = &[
        ("bustabit", &[(33, ""), (34, "")]),
        ("duel-crash", &[(20, ""), (21, "commitment-of-text")]),
        (
            "duel-video-poker",
            &[(18, "server-seed-previous"), (23, "cards-reordered"), (24, "commitment-of-text")],
        ),
        (
            "liqd-blackjack",
            &[(22, "cards-reordered"), (23, "commitment-of-decoded"), (24, "server-seed-lower")],
        ),
        ("stake-crash", &[]),
        ("stake-replace", &[(9, "nonce-less")]),
        ("stake-video-poker", &[(3, "cards-reordered")]),
        (
            "fairdeal/v1",
            &[
                (14, ""),
                (15, ""),
                (16, "nonce-less"),
                (17, ""),
                (18, ""),
                (19, "commitment-of-text"),
                (20, ""),
            ],
        ),
    ];
    for (name, expected) in expected {
        let all = rows(name);
        let rounds: Vec<Round<'_>> = all.iter().map(round).collect();
        let (found, valid) = diagnose(named(name), &rounds);
        let told = |row: &u64| {
            let of_row = |one: &&Diagnosis| one.first_rows.contains(row);
            let mut all = found.diagnoses.iter().filter(of_row).map(|one| one.code.to_string());
            let told = all.next().unwrap_or_default();
            assert_eq!(all.next(), None, "{name} row {row} is explained twice");
            told
        };
        let fails = |row: &u64| !valid.contains(row);
        let found: Vec<(u64, String)> =
            (0..).take(all.len()).filter(fails).map(|row| (row, told(&row))).collect();
        let expected: Vec<(u64, String)> =
            expected.iter().map(|(row, code)| (*row, (*code).to_owned())).collect();
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn a_chain_of_games_is_diagnosed_without_walking_it_for_each_guess() {
    let dialect = named("bustabit");
    let real = rows("bustabit");
    let real: Vec<Round<'_>> =
        real.iter().map(round).filter(|round| round.game_id > Some(12_633_295)).collect();
    let real: Rows = real.into_iter().map(Round::into_owned).collect();

    let mut shifted = real.clone();
    shift(&mut shifted, |round| &mut round.server_seed);
    // No commitment that opens is known yet.
    let checker = Checker::new(dialect);
    assert_named_by("hashes", checker.clone(), &shifted, "server-seed-previous", 1);

    let mut games = real.clone();
    for round in &mut games {
        (round.game_id, round.chain_steps) = (round.game_id.map(|game| game - 1), None);
    }
    assert_named_by("games", checker.clone(), &games, "game-more", 0);

    let mut steps = real.clone();
    for round in &mut steps {
        (round.game_id, round.chain_steps) = (None, round.chain_steps.map(|steps| steps + 1));
    }
    assert_named_by("steps", checker.clone(), &steps, "game-less", 0);
}

#[test]
fn random_rows_are_not_explained_unless_it_is_said_to_be_chance() {
    for dialect in telling() {
        // A shoe takes 415 digests, so a few rows are enough.
        let count = if dialect.name == "liqd-blackjack" { 4 } else { 30 };
        let mut rows = valid(dialect, count, 4);
        for (at, round) in rows.iter_mut().enumerate() {
            let other = hash(&format!("another {at}"));
            let digits = dialect.seed_digits.unwrap_or(64);
            let seed = round.server_seed.replace(other[..digits].to_owned().into());
            settle(dialect, dialect.scheme, round);
            round.server_seed = seed;
        }
        let (found, _) = diagnose(dialect, &rows);
        assert!(found.failing >= count - 2, "{}", dialect.name);
        for one in &found.diagnoses {
            assert!(one.could_be_chance && one.chance > 1e-3, "{}: {found}", dialect.name);
            assert!(one.to_string().contains("this could be chance"), "{one}");
        }
        let explained: u64 = found.diagnoses.iter().map(|one| one.rows).sum();
        assert_eq!(explained + found.unexplained, found.tried);
        assert!(!of_cards(&dialect) || found.unexplained == count, "{found}");
    }
}

#[test]
fn what_is_counted_adds_up_over_more_rows_than_are_kept() {
    for name in ["stake-crash", "stake-video-poker"] {
        let dialect = named(name);
        let mut some = valid(dialect, 50, 5);
        for round in &mut some {
            round.nonce = round.nonce.map(|nonce| nonce + 1);
            round.result = Some(dialect::Cents(u64::from(u32::MAX)));
        }
        let mut failures = Failures::new(dialect);
        for (row, round) in (0..100_000).zip(some.iter().cycle()) {
            failures.push(row, round, RowVerdict::ResultMismatch);
        }
        let found = failures.finish(&Checker::new(dialect));
        assert_eq!((found.failing, found.tried), (100_000, 300));
        let explained: u64 = found.diagnoses.iter().map(|one| one.rows).sum();
        assert_eq!(explained + found.unexplained, 300);
        assert!(
            found
                .to_string()
                .ends_with("of 100000 rows that do not verify the first 300 were tried")
        );
    }
}

#[test]
fn a_diagnosis_is_json_and_a_sentence() {
    let dialect = named("stake-video-poker");
    let mut rows = valid(dialect, 12, 20);
    for round in rows.iter_mut().take(11) {
        round.nonce = round.nonce.map(|nonce| nonce + 1);
    }
    let (found, _) = diagnose(dialect, &rows);
    let mut json = serde_json::to_value(&found).unwrap();
    json["diagnoses"][0]["chance"].take();
    assert_eq!(
        json,
        serde_json::json!({
            "failing": 11, "tried": 11, "unexplained": 0,
            "diagnoses": [{
                "code": "nonce-less", "says": "the nonce is one less",
                "rows": 11, "tried": 11, "first_rows": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
                "also": 0, "chance": null, "could_be_chance": false,
            }],
        })
    );
    assert_eq!(
        found.to_string(),
        "11 of 11 rows that do not verify would if the nonce is one less (rows 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, …)"
    );
}

#[test]
fn a_row_that_has_lost_its_seed_accuses_nobody_and_says_so() {
    let row = &rows("stake-video-poker")[0];
    let commitment = hex::encode([7; 32]).to_uppercase();
    for (seed, expected) in [
        (&*commitment, "the commitment itself"),
        ("1.23457E+31", "a number that a spreadsheet rounded"),
        ("1,2e+5", "a number that a spreadsheet rounded"),
        (" Not revealed yet", "a text that may be in the place of a seed"),
        ("*********", "a text that may be in the place of a seed"),
        ("51b5…", "a text that may be in the place of a seed"),
    ] {
        let mut round = round(row);
        (round.server_seed, round.commitment) = (Some(seed.into()), Some([7; 32]));
        let checked = Checker::new(named("stake-video-poker")).check(&round);
        assert_eq!(checked.verdict, RowVerdict::Unreadable);
        let says = format!("server_seed: expected the seed, found {expected}");
        assert!(checked.says.starts_with(&says), "{}", checked.says);
    }
    for seed in [" 51b5", "51b5\t", "E+31", "1.E+31", "1.2.3E+31", "1.2E-31", "a-b.c"] {
        let mut round = round(row);
        (round.server_seed, round.commitment) = (Some(seed.into()), Some([7; 32]));
        let checked = Checker::new(named("stake-video-poker")).check(&round);
        assert_eq!(checked.verdict, RowVerdict::CommitmentMismatch, "{seed}");
    }
}

/// A seed that a scheme uses as text may look like anything.
#[test]
fn a_seed_that_verifies_is_not_lost() {
    let dialect = named("stake-video-poker");
    for seed in ["Not revealed yet", "1.2E+5", "***"] {
        let mut round = round(&rows("stake-video-poker")[0]).into_owned();
        round.server_seed = Some(seed.into());
        round.commitment = commitment(&dialect.scheme, seed);
        settle(dialect, dialect.scheme, &mut round);
        assert_eq!(Checker::new(dialect).check(&round).verdict, RowVerdict::Valid, "{seed}");
        round.nonce = Some(7);
        assert_eq!(
            Checker::new(dialect).check(&round).verdict,
            RowVerdict::ResultMismatch,
            "{seed}"
        );
        round.commitment = None;
        assert_eq!(Checker::new(dialect).check(&round).verdict, RowVerdict::Unreadable, "{seed}");
    }
}
