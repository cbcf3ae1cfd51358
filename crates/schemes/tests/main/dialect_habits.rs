//! Counts over rows: each count on rows made for it, and absent where it cannot occur
//! (spec/dialects.md 16.6).

use std::collections::{BTreeMap, BTreeSet};

use fairdeal_schemes::dialect::habits::{Gap, Tally};
use fairdeal_schemes::dialect::{self, Column, Habits, HabitsReport, Round, RowVerdict};
use fairdeal_schemes::rows::Value;
use serde_json::json;
use sha2::{Digest as _, Sha256};

/// One row: commitment, server seed, client seed, nonce; an empty text is not given.
#[derive(Clone, Copy, Default)]
pub(crate) struct Row<'a> {
    pub(crate) commitment: &'a str,
    pub(crate) seed: &'a str,
    pub(crate) client: &'a str,
    pub(crate) nonce: Option<u64>,
    pub(crate) game: Option<u64>,
    pub(crate) result: &'a str,
    pub(crate) verdict: Option<RowVerdict>,
}

pub(crate) fn hash(text: &str) -> String {
    hex::encode(Sha256::digest(text))
}

pub(crate) fn round(row: &Row<'_>, result: Column) -> Round<'static> {
    let mut round = Round::default();
    let mut put = |column, text: String| {
        if !text.is_empty() {
            Value::Text(text.into()).put(column, &mut round).expect("a column as it should be");
        }
    };
    put(
        Column::Commitment,
        if row.commitment.is_empty() { String::new() } else { hash(row.commitment) },
    );
    put(Column::ServerSeed, row.seed.to_owned());
    put(Column::ClientSeed, row.client.to_owned());
    put(Column::Nonce, row.nonce.map_or_else(String::new, |nonce| nonce.to_string()));
    put(Column::GameId, row.game.map_or_else(String::new, |game| game.to_string()));
    put(result, row.result.to_owned());
    round
}

/// Rows 1, 2, 3… of a dialect.
fn habits<'a>(name: &str, rows: impl IntoIterator<Item = Row<'a>>) -> HabitsReport {
    let dialect = dialect::find(name).expect("known");
    let result =
        if name.contains("crash") || name == "bustabit" { Column::Result } else { Column::Cards };
    let mut habits = Habits::new(dialect);
    for (at, row) in (1..).zip(rows) {
        habits.add(at, &round(&row, result), row.verdict.unwrap_or(RowVerdict::Valid));
    }
    habits.finish()
}

/// A round under a commitment, with a seed named after it.
pub(crate) fn of<'a>(commitment: &'a str, client: &'a str, nonce: u64) -> Row<'a> {
    Row { commitment, seed: commitment, client, nonce: Some(nonce), ..Row::default() }
}

fn tally(count: u64, rows: &[u64]) -> Tally {
    Tally { count, rows: rows.to_vec() }
}

const POKER: &str = "duel-video-poker";

#[test]
fn commitments_that_were_used_for_nonce_0_alone_are_counted() {
    let names: Vec<String> = (0..8).map(|n| format!("seed {n}")).collect();
    let uses = [1, 1, 2, 9, 10, 99, 100, 1_000];
    let rows = names
        .iter()
        .zip(uses)
        .flat_map(|(name, rounds)| (0..rounds).map(|nonce| of(name, "me", nonce)));
    let report = habits(POKER, rows);
    assert_eq!((report.rows, report.commitments), (1_222, Some(8)));
    assert_eq!(report.only_nonce_0, Some(tally(2, &[1, 2])));

    // The same round again, and two players under one commitment, do not pass nonce 0.
    let rows =
        [of("a", "me", 0), of("a", "me", 0), of("b", "me", 0), of("b", "you", 0), of("c", "me", 1)];
    assert_eq!(habits(POKER, rows).only_nonce_0, Some(tally(2, &[1, 3])));
    // Without commitments rows belong to their seeds.
    let rows = [("a", 0), ("a", 1), ("b", 0)]
        .map(|(seed, nonce)| Row { commitment: "", ..of(seed, "me", nonce) });
    let report = habits("stake-video-poker", rows);
    assert_eq!((report.commitments, report.only_nonce_0), (Some(2), Some(tally(1, &[3]))));
}

#[test]
fn nonces_that_no_row_has_are_counted_within_a_commitment() {
    let rows = [
        of("a", "me", 3), // starts at 3: earlier rounds are not known to be missing
        of("a", "me", 4),
        of("a", "me", 6),
        of("b", "me", 9), // another commitment
        of("a", "you", 10),
        of("a", "me", 7),
    ];
    let gaps = habits(POKER, rows).skipped.expect("nonces");
    assert_eq!((gaps.missing, gaps.places), (3, 2));
    assert_eq!(gaps.examples, [Gap { row: 3, from: 5, to: 5 }, Gap { row: 5, from: 8, to: 9 }]);
    // In reverse, from the newest to the oldest.
    let gaps =
        habits(POKER, [9, 8, 7, 2, 1].map(|nonce| of("a", "me", nonce))).skipped.expect("nonces");
    assert_eq!((gaps.missing, gaps.examples), (4, vec![Gap { row: 3, from: 3, to: 6 }]));
    let gaps = habits(POKER, (0..50).map(|nonce| of("a", "me", nonce))).skipped;
    assert_eq!(gaps.map(|gaps| gaps.missing), Some(0));
}

#[test]
fn a_round_that_comes_twice_is_counted_whatever_its_result() {
    let differs = |row| Row { verdict: Some(RowVerdict::ResultMismatch), result: "AS KS", ..row };
    let rows = [
        of("a", "me", 0),
        of("a", "me", 1),
        of("a", "me", 2),
        of("a", "me", 1),          // row 4, the same again
        differs(of("a", "me", 2)), // row 5, another result
        of("a", "you", 1),         // another client is another round
        of("b", "me", 1),
    ];
    assert_eq!(habits(POKER, rows).doubled, tally(2, &[4, 5]));

    // A whole export, appended to itself.
    let rows = (0..2).flat_map(|_| (0..500).map(|nonce| of("a", "me", nonce)));
    let doubled = habits(POKER, rows).doubled;
    assert_eq!(doubled, tally(500, &(501..511).collect::<Vec<_>>()));
    // Before the reveal, the commitment identifies the round.
    let secret = |nonce| Row { seed: "", ..of("a", "me", nonce) };
    assert_eq!(habits(POKER, [secret(0), secret(1), secret(0)]).doubled, tally(1, &[3]));
    // A row without a nonce, or without a seed and a commitment, names no round.
    let nameless = [
        Row { nonce: None, ..of("a", "me", 0) },
        Row { seed: "", commitment: "", ..of("", "me", 0) },
    ];
    assert_eq!(habits(POKER, nameless.into_iter().chain(nameless)).doubled.count, 0);
}

#[test]
fn commitments_that_no_row_reveals_are_counted() {
    let secret = |commitment, nonce| Row {
        seed: "",
        verdict: Some(RowVerdict::Unreadable),
        ..of(commitment, "me", nonce)
    };
    let rows = [
        of("a", "me", 0),
        secret("a", 1), // revealed in another row
        secret("b", 0),
        secret("b", 1),
        Row { seed: "***", ..secret("c", 0) },
        Row { commitment: "", ..of("d", "me", 0) },
    ];
    assert_eq!(habits(POKER, rows).never_revealed, Some(tally(2, &[3, 5])));
}

#[test]
fn games_of_a_chain_that_no_row_has_are_counted_and_those_given_twice() {
    let game = |hash, game, result| Row { seed: hash, game: Some(game), result, ..Row::default() };
    let rows = [
        game("g5", 12_300_005, "2.00"),
        game("g4", 12_300_004, "1.00"),
        game("g9", 12_300_009, "3.00"),
        game("g4", 12_300_004, "1.00"), // row 4: again
        game("gx", 12_300_009, "7.00"), // row 5: another hash and result for one game
    ];
    let report = habits("bustabit", rows);
    let gaps = report.skipped.as_ref().expect("numbered games");
    assert_eq!((gaps.missing, gaps.places), (3, 1));
    assert_eq!(gaps.examples, [Gap { row: 3, from: 12_300_006, to: 12_300_008 }]);
    assert_eq!(report.doubled, tally(2, &[4, 5]));
    // Without numbers a game is its hash.
    let rows = ["a", "b", "a"].map(|seed| Row { seed, result: "2.00", ..Row::default() });
    let report = habits("stake-crash", rows);
    assert_eq!((report.skipped, report.doubled), (None, tally(1, &[3])));
}

#[test]
fn a_seed_of_its_own_for_each_round_is_not_to_be_used_again() {
    let rows = [
        Row { result: "2.00", nonce: None, ..of("a", "drand 1", 0) },
        of("b", "drand 2", 0),
        of("A", "drand 1", 0), // the same round again, with its nonce and the seed in capitals
        of("b", "drand 3", 0), // row 4: another round of b
    ];
    let report = habits("duel-crash", rows);
    assert_eq!((report.reused, report.doubled), (Some(tally(1, &[4])), tally(1, &[3])));
}

#[test]
fn what_cannot_occur_under_a_dialect_is_not_counted_for_it() {
    let given = |name: &str| {
        let report = habits(name, [Row { game: Some(1), ..of("a", "x", 0) }]);
        [
            report.commitments.is_some() && report.only_nonce_0.is_some(),
            report.skipped.is_some(),
            report.reused.is_some(),
            report.never_revealed.is_some(),
        ]
    };
    for name in ["stake-video-poker", "stake-replace", POKER, "liqd-blackjack", "fairdeal/v1"] {
        assert_eq!(given(name), [true, true, false, true], "{name}");
    }
    assert_eq!(given("duel-crash"), [false, false, true, true]);
    for name in ["bustabit", "stake-crash"] {
        assert_eq!(given(name), [false, true, false, false], "{name}");
    }
}

/// Small random files, in which rows often continue from the one before: the counts against plain
/// sets.
#[test]
fn the_counts_are_those_of_going_through_all_rows_whatever_their_order() {
    for file in 0..400_u32 {
        let mut bytes = (0_u32..)
            .flat_map(|block| Sha256::digest([file.to_be_bytes(), block.to_be_bytes()].concat()));
        let mut below = |ways: u8| bytes.next().expect("endless") & (ways - 1);
        let mut rows: Vec<Row<'_>> = Vec::new();
        for _ in 0..40 {
            let on = |by: i64| {
                rows.last()
                    .and_then(|last| last.nonce?.checked_add_signed(by).map(|nonce| (last, nonce)))
            };
            let next = match (below(4), on(1), on(-1)) {
                (0 | 1, Some((last, nonce)), _) | (2, _, Some((last, nonce))) => {
                    Row { nonce: Some(nonce), ..*last }
                }
                _ => {
                    let commitment = ["", "a", "b", "c"][usize::from(below(4))];
                    let seed = ["a", "b", "", "b"][usize::from(below(4))];
                    Row {
                        commitment,
                        ..of(seed, ["x", "y"][usize::from(below(2))], u64::from(below(16)))
                    }
                }
            };
            rows.push(next);
        }
        let report = habits(POKER, rows.iter().copied());
        let group = |row: &Row<'_>| match (row.commitment, row.seed) {
            ("", "") => None,
            ("", seed) => Some(format!("seed {seed}")),
            (commitment, _) => Some(commitment.to_owned()),
        };
        let mut groups: BTreeMap<String, Vec<&Row<'_>>> = BTreeMap::new();
        for row in &rows {
            if let Some(name) = group(row) {
                groups.entry(name).or_default().push(row);
            }
        }
        let missing: u64 = groups
            .values()
            .map(|rows| {
                let nonces: BTreeSet<u64> = rows.iter().filter_map(|row| row.nonce).collect();
                nonces.last().unwrap() - nonces.first().unwrap() + 1
                    - u64::try_from(nonces.len()).unwrap()
            })
            .sum();
        let only_0 =
            groups.values().filter(|rows| rows.iter().all(|row| row.nonce == Some(0))).count();
        let hidden =
            groups.values().filter(|rows| rows.iter().all(|row| row.seed.is_empty())).count();
        let named = rows.iter().filter(|row| group(row).is_some());
        let round = |row: &Row<'_>| {
            let by = if row.seed.is_empty() { row.commitment } else { row.seed };
            (by.to_owned(), row.seed.is_empty(), row.client.to_owned(), row.nonce)
        };
        let again = named.clone().count() - named.map(round).collect::<BTreeSet<_>>().len();
        let found = [
            report.commitments.expect("seeds that are used on"),
            report.only_nonce_0.expect("seeds that are used on").count,
            report.skipped.expect("nonces").missing,
            report.doubled.count,
            report.never_revealed.expect("commitments").count,
        ];
        let expected = [groups.len(), only_0, usize::try_from(missing).unwrap(), again, hidden];
        assert_eq!(found.map(|count| usize::try_from(count).unwrap()), expected, "file {file}");
    }
}

#[test]
fn a_million_rows_with_a_seed_each_take_no_more_than_is_stated() {
    let mut habits = Habits::new(dialect::find(POKER).expect("known"));
    let mut round = round(&of("a", "me", 0), Column::Cards);
    for row in 1..=1_000_000_u64 {
        let mut commitment = [0; 32];
        commitment[..8].copy_from_slice(&row.to_be_bytes());
        round.commitment = Some(commitment);
        round.server_seed = Some(row.to_string().into());
        habits.add(row, &round, RowVerdict::Valid);
    }
    assert!(habits.bytes() >= 56_000_000, "{}", habits.bytes());
    assert!(habits.bytes() <= 63_100_000, "{}", habits.bytes());
    let report = habits.finish();
    assert_eq!(report.commitments, Some(1_000_000));
    assert_eq!(report.only_nonce_0.map(|found| found.count), Some(1_000_000));

    // Consecutive rounds of one seed take one record, however many and in either direction.
    for is_down in [false, true] {
        let mut habits = Habits::new(dialect::find(POKER).expect("known"));
        for row in 1..=50_000_u64 {
            round.nonce = Some(if is_down { 50_000 - row } else { row });
            habits.add(row, &round, RowVerdict::Valid);
        }
        assert!(habits.bytes() < 16 * 1_024, "{}", habits.bytes());
    }
}

#[test]
fn the_first_rows_are_told_in_any_order_and_rows_without_room_are_counted() {
    let rows = [30, 7, 1, 25, 12, 11, 19, 3, 8, 40, 2, 6, 5];
    let taken = |room| {
        let mut habits = Habits::new(dialect::find(POKER).expect("known")).with_room(room);
        for row in rows {
            let name = format!("seed {row}");
            habits.add(row, &round(&of(&name, "me", 0), Column::Cards), RowVerdict::Valid);
        }
        habits.finish()
    };
    assert_eq!(taken(13).only_nonce_0, Some(tally(13, &[1, 2, 3, 5, 6, 7, 8, 11, 12, 19])));
    let report = taken(3);
    assert_eq!((report.rows, report.rows_left_out, report.commitments), (13, 10, Some(3)));
}

#[test]
fn the_report_says_what_was_counted_and_nothing_of_what_was_not() {
    let rows = [of("a", "lucky", 0), of("a", "lucky", 2), of("b", "x", 0)];
    let json = serde_json::to_value(habits("stake-video-poker", rows)).expect("plain");
    assert_eq!(
        json,
        json!({
            "dialect": "stake-video-poker", "rows": 3, "rows_left_out": 0, "commitments": 2,
            "only_nonce_0": {"count": 1, "rows": [3]},
            "skipped": {"missing": 1, "places": 1, "examples": [{"row": 2, "from": 1, "to": 1}]},
            "doubled": {"count": 0, "rows": []},
            "never_revealed": {"count": 0, "rows": []},
        })
    );
}
