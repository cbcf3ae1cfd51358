//! What rows show together: each count on rows made for it, and absent where it cannot occur (spec/dialects.md, 26).

use std::collections::{BTreeMap, BTreeSet};

use fairdeal_schemes::dialect::habits::{Again, Gap, Tally};
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

pub(crate) fn codes(report: &HabitsReport) -> Vec<&str> {
    report.notes.iter().map(|note| note.code).collect()
}

const POKER: &str = "duel-video-poker";

#[test]
fn commitments_are_told_by_how_many_rounds_they_were_used_for() {
    let names: Vec<String> = (0..8).map(|n| format!("seed {n}")).collect();
    let uses = [1, 1, 2, 9, 10, 99, 100, 1_000];
    let rows = names
        .iter()
        .zip(uses)
        .flat_map(|(name, rounds)| (0..rounds).map(|nonce| of(name, "me", nonce)));
    let report = habits(POKER, rows);
    let commitments = report.commitments.expect("seeds that are used on");
    let bands: Vec<(u64, Option<u64>, u64)> =
        commitments.by_rounds.iter().map(|band| (band.from, band.to, band.commitments)).collect();
    assert_eq!(
        bands,
        [
            (1, Some(1), 2),
            (2, Some(9), 2),
            (10, Some(99), 2),
            (100, Some(999), 1),
            (1_000, None, 1)
        ]
    );
    assert_eq!((commitments.count, commitments.longest, commitments.longest_row), (8, 1_000, 223));
    assert_eq!(commitments.only_nonce_0, tally(2, &[1, 2]));
    assert!((commitments.only_nonce_0_share - 0.25).abs() < 1e-12);
    assert_eq!(report.rows, 1_222);

    // The same round again, and rows in any order, make no more rounds.
    let rows =
        [of("a", "me", 2), of("a", "me", 0), of("a", "me", 1), of("a", "me", 1), of("a", "me", 0)];
    assert_eq!(habits(POKER, rows).commitments.map(|found| found.longest), Some(3));
    // Two players under one commitment have rounds of their own.
    let rows = [of("a", "me", 0), of("a", "you", 0)];
    assert_eq!(habits(POKER, rows).commitments.map(|found| found.longest), Some(2));
    // Without commitments rows belong to their seeds.
    let rows = [("a", 0), ("a", 1), ("b", 0)]
        .map(|(seed, nonce)| Row { commitment: "", ..of(seed, "me", nonce) });
    assert_eq!(habits("stake-video-poker", rows).commitments.map(|found| found.count), Some(2));
}

#[test]
fn seeds_that_never_pass_nonce_0_are_a_sentence_where_they_are_most_of_enough() {
    let names: Vec<String> = (0..40).map(|n| format!("seed {n}")).collect();
    let report = |all: usize, used_on: usize| {
        let once = names.iter().take(all).map(|name| of(name, "me", 0));
        habits(POKER, once.chain(names.iter().take(used_on).map(|name| of(name, "me", 1))))
    };
    let is_said = |report: &HabitsReport| codes(report).contains(&"never-past-nonce-0");
    let found = report(40, 10);
    assert_eq!(found.commitments.as_ref().map(|found| found.only_nonce_0.count), Some(30));
    assert!(is_said(&found));
    let note = found.notes.iter().find(|note| note.code == "never-past-nonce-0").expect("said");
    assert!(
        note.says.starts_with("30 of 40 commitments were used for nonce 0 and no more"),
        "{}",
        note.says
    );
    assert!(!is_said(&report(40, 20)), "half are not most");
    assert!(!is_said(&report(19, 0)), "19 are too few");
    assert!(is_said(&report(20, 0)));
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
    let gaps = habits(POKER, rows).nonce_gaps.expect("nonces");
    assert_eq!((gaps.missing, gaps.places), (3, 2));
    assert_eq!(gaps.examples, [Gap { row: 3, from: 5, to: 5 }, Gap { row: 5, from: 8, to: 9 }]);
    // In reverse, from the newest to the oldest.
    let gaps = habits(POKER, [9, 8, 7, 2, 1].map(|nonce| of("a", "me", nonce)))
        .nonce_gaps
        .expect("nonces");
    assert_eq!((gaps.missing, gaps.examples), (4, vec![Gap { row: 3, from: 3, to: 6 }]));
    assert_eq!(
        habits(POKER, (0..50).map(|nonce| of("a", "me", nonce)))
            .nonce_gaps
            .map(|gaps| gaps.missing),
        Some(0)
    );
}

#[test]
fn a_round_that_comes_twice_is_told_with_the_same_or_another_result() {
    let differs = |row| Row { verdict: Some(RowVerdict::ResultMismatch), result: "AS KS", ..row };
    let rows = [
        of("a", "me", 0),
        of("a", "me", 1),
        of("a", "me", 2),
        of("a", "me", 1),          // row 4, the same again
        differs(of("a", "me", 2)), // row 5, another result
        of("a", "you", 1),         // another client is another round
        of("b", "me", 1),
        differs(of("c", "me", 0)),
        differs(of("c", "me", 0)), // row 9: wrong twice in the same way
        Row { result: "2C 3C", ..differs(of("c", "me", 0)) }, // row 10: and in another
    ];
    let report = habits(POKER, rows);
    let twice = &report.given_twice;
    assert_eq!((twice.count, twice.same_result, twice.other_result), (4, 2, 2));
    let again = |row, first_row, same| Again { row, first_row, same_result: Some(same) };
    assert_eq!(
        twice.examples,
        [again(5, 3, false), again(10, 8, false), again(4, 2, true), again(9, 8, true)]
    );
    assert!(codes(&report).contains(&"other-result"));

    // A whole export, appended to itself.
    let rows = (0..2).flat_map(|_| (0..500).map(|nonce| of("a", "me", nonce)));
    let twice = habits(POKER, rows).given_twice;
    assert_eq!((twice.count, twice.same_result, twice.other_result), (500, 500, 0));
    assert_eq!((twice.examples.len(), twice.examples[0]), (10, again(501, 1, true)));
    // A row that was not checked against the seeds counts as neither.
    let unjudged = Row { verdict: Some(RowVerdict::Unreadable), ..of("a", "me", 0) };
    let twice = habits(POKER, [of("a", "me", 0), unjudged]).given_twice;
    assert_eq!((twice.count, twice.same_result, twice.other_result), (1, 0, 0));
    // Before the reveal, the commitment identifies the round.
    let secret = |nonce| Row {
        seed: "",
        verdict: Some(RowVerdict::Unreadable),
        result: "AS",
        ..of("a", "me", nonce)
    };
    let twice = habits(POKER, [secret(0), secret(1), secret(0)]).given_twice;
    assert_eq!((twice.count, twice.same_result), (1, 1));
}

#[test]
fn seeds_and_commitments_that_belong_to_two_of_the_other_are_found() {
    let beside = |commitment, seed, nonce| Row { commitment, ..of(seed, "me", nonce) };
    let rows = [
        beside("a", "a", 0),
        beside("b", "a", 1), // row 2: seed a under a second commitment
        beside("c", "c", 0),
        beside("c", "d", 1), // row 4: commitment c with a second seed
        beside("e", "e", 0),
        beside("e", "E", 1), // the same seed in capitals, which is decoded
        beside("", "e", 2),  // shows none
    ];
    let report = habits(POKER, rows);
    let exchanged = report.exchanged.as_ref().expect("commitments");
    assert_eq!(exchanged.seeds_under_two_commitments, tally(1, &[2]));
    assert_eq!(exchanged.commitments_with_two_seeds, tally(1, &[4]));
    assert_eq!(codes(&report)[..2], ["two-commitments", "two-seeds"]);
    // If the text is hashed, upper case is another seed.
    let rows = [beside("e", "e", 0), beside("e", "E", 1)];
    let exchanged = habits("liqd-blackjack", rows).exchanged.expect("commitments");
    assert_eq!(exchanged.commitments_with_two_seeds, tally(1, &[2]));
}

#[test]
fn client_seeds_are_counted_and_told_where_they_change_or_stay() {
    let rows = [
        of("a", "lucky", 0),
        of("a", "lucky", 1),
        of("a", "other", 2), // row 3: changed under a
        of("b", "lucky", 0), // shared with a
        of("c", "mine", 0),
    ];
    let report = habits(POKER, rows);
    let clients = report.clients.as_ref().expect("clients");
    assert_eq!((clients.distinct, clients.shared_between_commitments), (3, 2));
    let commonest = clients.commonest.as_ref().expect("some");
    assert_eq!((commonest.text.as_str(), commonest.row, commonest.rows), ("lucky", 1, 3));
    assert!((commonest.share - 0.6).abs() < 1e-12);
    assert_eq!(clients.changed_under_a_commitment, Some(tally(1, &[3])));
    assert_eq!(codes(&report), ["client-seed-known"]);

    let rows = [of("a", "x", 0), of("b", "y", 0)];
    let report = habits(POKER, rows);
    assert_eq!(report.clients.map(|clients| clients.shared_between_commitments), Some(0));
    assert!(report.notes.is_empty());
}

#[test]
fn what_was_never_revealed_or_never_promised_is_counted() {
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
        secret("c", 0),
        Row { commitment: "", ..of("d", "me", 0) }, // row 6
    ];
    let report = habits(POKER, rows);
    assert_eq!(report.never_revealed, Some(tally(2, &[3, 5])));
    assert_eq!(report.without_commitment, tally(1, &[6]));
}

#[test]
fn server_seeds_that_look_odd_are_counted_by_what_is_odd() {
    let seeds = [
        "51b5258b38fef00c9887b7ad6c728035",
        "6ec29c0c4180fd3f802534e6c98810ff",
        "00000000000000000000000000000000", // row 3: one character, digits
        "12345678901234567890123456789012", // row 4: digits
        "password",                         // row 5: short, of another length
        "abababababababababababababababab", // row 6: few characters
    ];
    let report = habits("stake-video-poker", seeds.map(|seed| of(seed, "me", 0)));
    let found = &report.seeds;
    assert_eq!(found.few_characters, tally(2, &[3, 6]));
    assert_eq!(found.digits_only, tally(2, &[3, 4]));
    assert_eq!(found.short, tally(1, &[5]));
    assert_eq!(found.unusual_length, tally(1, &[5]));
    let lengths: Vec<(u64, u64)> = found.lengths.iter().map(|one| (one.length, one.rows)).collect();
    assert_eq!(lengths, [(8, 1), (32, 5)]);
    // If the scheme fixes a length, that length is the usual one, however rare.
    let report = habits(POKER, seeds.map(|seed| of(seed, "me", 0)));
    assert_eq!(report.seeds.unusual_length, tally(6, &[1, 2, 3, 4, 5, 6]));
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
    let gaps = report.game_gaps.as_ref().expect("numbered games");
    assert_eq!((gaps.missing, gaps.places), (3, 1));
    assert_eq!(gaps.examples, [Gap { row: 3, from: 12_300_006, to: 12_300_008 }]);
    let twice = &report.given_twice;
    assert_eq!((twice.count, twice.same_result, twice.other_result), (2, 1, 1));
    assert_eq!(twice.examples[0], Again { row: 5, first_row: 3, same_result: Some(false) });
    // Without numbers a game is its hash.
    let rows = ["a", "b", "a"].map(|seed| Row { seed, result: "2.00", ..Row::default() });
    let report = habits("stake-crash", rows);
    assert_eq!((report.game_gaps, report.given_twice.count), (None, 1));
}

#[test]
fn a_seed_of_its_own_for_each_round_is_not_to_be_used_again() {
    let rows = [
        Row { result: "2.00", nonce: None, ..of("a", "drand 1", 0) },
        of("b", "drand 2", 0),
        of("a", "drand 1", 0), // the same round again, with its nonce
        of("b", "drand 3", 0), // row 4: another round of b
    ];
    let report = habits("duel-crash", rows);
    assert_eq!(report.seeds_used_again, Some(tally(1, &[4])));
    assert_eq!(report.given_twice.count, 1);
    assert_eq!(codes(&report), ["seed-used-again"]);
}

#[test]
fn what_cannot_occur_under_a_dialect_is_not_counted_for_it() {
    let empty = |name: &str| habits(name, [Row { game: Some(1), ..of("a", "x", 0) }]);
    let given = |name: &str| {
        let report = empty(name);
        [
            report.commitments.is_some(),
            report.nonce_gaps.is_some(),
            report.game_gaps.is_some(),
            report.exchanged.is_some(),
            report.seeds_used_again.is_some(),
            report.clients.as_ref().is_some(),
            report.clients.is_some_and(|clients| clients.changed_under_a_commitment.is_some()),
            report.never_revealed.is_some(),
        ]
    };
    let seeds = [true, true, false, true, false, true, true, true];
    for name in ["stake-video-poker", "stake-replace", POKER, "liqd-blackjack"] {
        assert_eq!(given(name), seeds, "{name}");
    }
    assert_eq!(given("duel-crash"), [false, false, false, true, true, true, false, true]);
    assert_eq!(given("fairdeal/v1"), [true, true, false, true, false, true, false, true]);
    for name in ["bustabit", "stake-crash"] {
        assert_eq!(given(name), [false, false, true, false, false, false, false, false], "{name}");
    }
}

/// Small random files, in which rows often continue from the one before: the counts against plain sets.
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
                    let seed = ["a", "b"][usize::from(below(2))];
                    Row {
                        commitment,
                        ..of(seed, ["x", "y"][usize::from(below(2))], u64::from(below(16)))
                    }
                }
            };
            rows.push(next);
        }
        let report = habits(POKER, rows.iter().copied());
        let group = |row: &Row<'_>| {
            if row.commitment.is_empty() {
                format!("seed {}", row.seed)
            } else {
                row.commitment.to_owned()
            }
        };
        let mut groups: BTreeMap<String, Vec<&Row<'_>>> = BTreeMap::new();
        for row in &rows {
            groups.entry(group(row)).or_default().push(row);
        }
        let set = |rows: &[&Row<'_>], of: &dyn Fn(&Row<'_>) -> String| {
            rows.iter().map(|row| of(row)).collect::<BTreeSet<_>>()
        };
        let all: Vec<&Row<'_>> = rows.iter().collect();
        let with_more = |of: &dyn Fn(&Row<'_>) -> String| {
            groups.values().filter(|rows| set(rows, of).len() > 1).count()
        };
        let missing: u64 = groups
            .values()
            .map(|rows| {
                let nonces: BTreeSet<u64> = rows.iter().filter_map(|row| row.nonce).collect();
                nonces.last().unwrap() - nonces.first().unwrap() + 1
                    - u64::try_from(nonces.len()).unwrap()
            })
            .sum();
        let rounds = |rows: &Vec<&Row<'_>>| {
            set(rows, &|row| format!("{} {:?}", row.client, row.nonce)).len()
        };
        let commitments_of = |seed: &str| {
            let rows = rows.iter().filter(|row| row.seed == seed && !row.commitment.is_empty());
            rows.map(|row| row.commitment).collect::<BTreeSet<_>>().len()
        };
        let is_elsewhere = |client: &str, here: &String| {
            groups
                .iter()
                .any(|(there, rows)| there != here && rows.iter().any(|row| row.client == client))
        };
        let shared = groups
            .iter()
            .filter(|(here, rows)| rows.iter().any(|row| is_elsewhere(row.client, here)))
            .count();
        let commitments = report.commitments.expect("seeds that are used on");
        let (clients, exchanged) =
            (report.clients.expect("clients"), report.exchanged.expect("commitments"));
        let found = [
            commitments.count,
            commitments.longest,
            report.nonce_gaps.expect("nonces").missing,
            report.given_twice.count,
            report.given_twice.same_result,
            exchanged.seeds_under_two_commitments.count,
            exchanged.commitments_with_two_seeds.count,
            clients.distinct,
            clients.changed_under_a_commitment.expect("told").count,
            clients.shared_between_commitments,
            report.without_commitment.count,
        ];
        let again = rows.len()
            - set(&all, &|row| format!("{} {} {:?}", row.seed, row.client, row.nonce)).len();
        let expected = [
            groups.len(),
            groups.values().map(rounds).max().unwrap(),
            usize::try_from(missing).unwrap(),
            again,
            again,
            ["a", "b"].into_iter().filter(|seed| commitments_of(seed) > 1).count(),
            with_more(&|row| row.seed.to_owned()),
            set(&all, &|row| row.client.to_owned()).len(),
            with_more(&|row| row.client.to_owned()),
            shared,
            rows.iter().filter(|row| row.commitment.is_empty()).count(),
        ];
        assert_eq!(found.map(|count| usize::try_from(count).unwrap()), expected, "file {file}");
        for again in report.given_twice.examples {
            let at = |row: u64| &rows[usize::try_from(row - 1).unwrap()];
            let (one, other) = (at(again.row), at(again.first_row));
            assert_eq!(
                (one.seed, one.client, one.nonce),
                (other.seed, other.client, other.nonce),
                "file {file}"
            );
            assert!(again.first_row < again.row);
        }
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
    assert_eq!(
        report.commitments.map(|found| (found.count, found.only_nonce_0.count)),
        Some((1_000_000, 1_000_000))
    );

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
    let mut habits = Habits::new(dialect::find(POKER).expect("known")).with_room(3);
    for row in [30, 7, 1, 25, 12, 11, 19, 3, 8, 40, 2, 6, 5] {
        habits.add(row, &Round::default(), RowVerdict::Unreadable);
    }
    let report = habits.finish();
    assert_eq!(report.without_commitment, tally(13, &[1, 2, 3, 5, 6, 7, 8, 11, 12, 19]));
    assert_eq!((report.rows, report.rows_left_out), (13, 10));
    assert_eq!(codes(&report), ["rows-left-out"]);
}

#[test]
fn the_report_says_what_was_counted_and_nothing_of_what_was_not() {
    let rows = [of("a", "lucky\u{1b}[31m", 0), of("a", "lucky\u{1b}[31m", 2), of("b", "x", 0)];
    let report = habits("stake-video-poker", rows);
    let json = serde_json::to_value(&report).expect("plain");
    assert_eq!(
        json["nonce_gaps"],
        json!({"missing": 1, "places": 1, "examples": [{"row": 2, "from": 1, "to": 1}]})
    );
    assert!(json.get("game_gaps").is_none() && json.get("statistics").is_none());
}
