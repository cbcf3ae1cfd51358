//! Statistics of other operators' rounds: fair ones raise no alarm, chosen seeds do
//! (docs/statistics.md).

use fairdeal_schemes::dialect::{
    self, Checker, Column, DialectOutcome, Habits, HabitsReport, RowVerdict,
};
use fairdeal_schemes::rows::Value;

use crate::dialect_habits::{Row, hash, of, round};

/// Rounds dealt from counted seeds, with their results.
fn dealt(name: &str, rounds: u64, pick: impl Fn(&DialectOutcome) -> bool) -> HabitsReport {
    let dialect = dialect::find(name).expect("known");
    let mut checker = Checker::new(dialect);
    let mut habits = Habits::new(dialect).with_statistics();
    let mut tried = 0_u64;
    for row in 1..=rounds {
        loop {
            tried += 1;
            let seed = hash(&format!("{name} {tried}"));
            let seed = &seed[..dialect.seed_digits.unwrap_or(32)];
            let client = match name {
                "fairdeal/v1" => "me=lucky".to_owned(),
                "duel-crash" => "b1".repeat(48),
                _ => "lucky".to_owned(),
            };
            let row_of = Row { seed, client: &client, nonce: Some(0), ..Row::default() };
            let mut round = round(&row_of, Column::Cards);
            let outcome = checker.outcome(&round, 5).expect("dealt");
            if !pick(&outcome) {
                continue;
            }
            match outcome {
                DialectOutcome::Cards(cards) => {
                    round.cards = Some(cards.into_iter().take(5).collect());
                }
                DialectOutcome::Result(one) => round.result = Some(one.first),
                DialectOutcome::Cells(_) => unreachable!("no game of numbers here"),
            }
            habits.add(row, &round, RowVerdict::Valid);
            break;
        }
    }
    habits.finish()
}

#[test]
fn fair_rounds_raise_no_alarm_and_are_all_counted() {
    for (name, rounds, of, draw) in [
        ("stake-video-poker", 3_000, "standard-52", Some(5)),
        ("stake-replace", 3_000, "standard-52, with replacement", Some(4)),
        ("duel-video-poker", 300, "standard-52", Some(5)),
        ("liqd-blackjack", 60, "standard-52x8", Some(4)),
        ("fairdeal/v1", 300, "standard-52", Some(5)),
        ("bustabit", 3_000, "multipliers", None),
        ("duel-crash", 3_000, "multipliers", None),
        ("stake-crash", 3_000, "multipliers", None),
    ] {
        let statistics = dealt(name, rounds, |_| true).statistics.expect("asked for");
        let [group] = &statistics.groups[..] else { panic!("{name}: one group") };
        assert_eq!(
            (group.of.as_str(), group.draw, group.report.decks),
            (of, draw, rounds),
            "{name}"
        );
        assert!(group.report.tests.len() >= 2, "{name}");
        assert!(!statistics.alarm && !group.report.alarm, "{name}: {:?}", group.report.tests);
        assert_eq!((statistics.repeated, statistics.not_counted), (0, 0), "{name}");
    }
}

#[test]
fn seeds_that_were_chosen_for_what_they_give_raise_an_alarm() {
    let ace = |outcome: &DialectOutcome| match outcome {
        DialectOutcome::Cards(cards) => cards[0].as_bytes()[0] == b'A',
        _ => false,
    };
    for name in ["stake-video-poker", "stake-replace", "fairdeal/v1"] {
        let report = dealt(name, 120, ace);
        let statistics = report.statistics.as_ref().expect("asked for");
        assert!(statistics.alarm, "{name}");
        let tests = &statistics.groups[0].report.tests;
        assert!(
            tests.iter().any(|test| test.name == "seat 1, ace" && test.p_adjusted < 1e-6),
            "{name}"
        );
    }
    let low = |outcome: &DialectOutcome| matches!(outcome, DialectOutcome::Result(one) if one.first.0 < 200);
    assert!(dealt("stake-crash", 200, low).statistics.is_some_and(|statistics| statistics.alarm));
    let at = std::cell::Cell::new(0_u32);
    let ones = |outcome: &DialectOutcome| {
        // Every tenth round has the result 1.00.
        let one = matches!(outcome, DialectOutcome::Result(one) if one.first.0 == 100);
        let wanted = at.get().is_multiple_of(10);
        let taken = one == wanted;
        at.set(at.get() + u32::from(taken));
        taken
    };
    let statistics = dealt("bustabit", 600, ones).statistics.expect("asked for");
    let test = statistics.groups[0]
        .report
        .tests
        .iter()
        .find(|test| test.name == "multiplier 1.00")
        .expect("run");
    assert!(test.p < 1e-6, "{test:?}");
}

#[test]
fn statistics_take_each_valid_round_once_and_only_what_every_round_deals() {
    let name = "stake-replace";
    let dialect = dialect::find(name).expect("known");
    let mut habits = Habits::new(dialect).with_statistics();
    let row = Row {
        result: "4H",
        ..of("28ca8b5734401f5236ccb305e4526d07", "b42fa130a68dfe8133fa268d5fb34cbe", 0)
    };
    let shown = round(&row, Column::Cards);
    habits.add(1, &shown, RowVerdict::Valid); // one card of four: the others are computed from the seeds
    habits.add(2, &shown, RowVerdict::Valid); // the same round
    habits.add(
        3,
        &round(&Row { nonce: Some(1), ..row }, Column::Cards),
        RowVerdict::ResultMismatch,
    );
    let statistics = habits.finish().statistics.expect("asked for");
    assert_eq!((statistics.repeated, statistics.not_counted), (1, 0));
    assert_eq!(statistics.groups[0].report.decks, 1);

    // A cycle is not a uniform order, and a whole deck is a separate group.
    let dialect = dialect::find("fairdeal/v1").expect("known");
    let mut habits = Habits::new(dialect).with_statistics();
    let seed = hash("seed");
    let mut checker = Checker::new(dialect);
    for (nonce, method, full) in [(0, "cycle", false), (1, "shuffle", false), (2, "shuffle", true)]
    {
        let mut round = round(
            &Row { seed: &seed, client: "me=lucky", nonce: Some(nonce), ..Row::default() },
            Column::Cards,
        );
        Value::Text(method.into()).put(Column::Method, &mut round).expect("a method");
        if full {
            let DialectOutcome::Cards(cards) = checker.outcome(&round, 52).expect("dealt") else {
                panic!("cards")
            };
            Value::Bool(true).put(Column::Full, &mut round).expect("a yes");
            round.cards = Some(cards);
        }
        habits.add(nonce, &round, RowVerdict::Valid);
    }
    let statistics = habits.finish().statistics.expect("asked for");
    assert_eq!(statistics.not_counted, 1);
    let draws: Vec<_> =
        statistics.groups.iter().map(|group| (group.draw, group.report.decks)).collect();
    assert_eq!(draws, [(Some(5), 1), (Some(52), 1)]);
}
