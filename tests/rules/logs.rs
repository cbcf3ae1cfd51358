//! Every log of `fixtures/logs`, audited: the whole verdict is the expected one.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use tools::question::{CODES, Question, folders, without_says};

/// The codes that a verdict counts.
fn codes(expect: &Value) -> BTreeSet<String> {
    expect.get("counts").and_then(Value::as_object).expect("an object").keys().cloned().collect()
}

#[test]
fn every_logs_verdict_is_the_one_that_is_expected_of_it() {
    let mut wrong = Vec::new();
    for (name, folder) in folders() {
        let (question, expect) = Question::read(&folder);
        let found = without_says(&question.audit(&folder));
        if found != expect {
            wrong.push(format!("{name}: expected {expect:#}, found {found:#}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_code_of_an_audit_is_found_in_a_log_that_is_named_for_it_and_none_in_an_honest_one() {
    let mut reached = BTreeSet::new();
    for (name, folder) in folders() {
        let (_, expect) = Question::read(&folder);
        let found = codes(&expect);
        let holds = expect.get("holds") == Some(&json!(true));
        if name.starts_with("honest") {
            assert!(holds && found.is_empty(), "{name}: {found:?}");
        } else {
            let named = |code: &&str| {
                name.strip_prefix(code).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
            };
            let code =
                CODES.into_iter().find(named).expect("a log is named for what is found in it");
            assert!(!holds && found.contains(code), "{name}: {found:?}");
            reached.insert(code);
        }
    }
    assert_eq!(reached, CODES.into_iter().collect());
}

#[test]
fn what_is_said_of_a_time_is_a_date_and_by_how_much_it_was_missed() {
    let says = |name: &str, code: &str| {
        let folder = folders().into_iter().find(|one| one.0 == name).expect("a fixture").1;
        let (question, _) = Question::read(&folder);
        let verdict = question.audit(&folder);
        let found = verdict.findings.iter().find(|one| one.code.as_str() == code);
        found.expect("a finding").says.clone()
    };
    let late = "due 2025-10-10 08:53:21 UTC, came 08:53:21.001 UTC, 1 ms later";
    assert_eq!(says("late-reveal", "late-reveal"), late);
    let back = "at 2025-10-09 08:53:18 UTC, 4 s earlier than the entry before it (2025-10-09 08:53:22 UTC)";
    assert_eq!(says("time-runs-back", "time-runs-back"), back);
    let overdue = "due 2025-10-10 08:53:21 UTC; at ";
    assert!(says("overdue", "overdue").starts_with(overdue), "{}", says("overdue", "overdue"));
}
