//! Every attack of `fixtures/attacks`, judged by the library as any implementation would.

use std::path::Path;

use serde_json::{Value, json};
use tools::brought::Brought;
use tools::question::{Question, case_of, folders_of, without_says};

/// The verdict on a case's log or files, without the `says` of its findings; `None` if there is no verdict.
fn judged(folder: &Path, case: &Value) -> Option<Value> {
    match case["command"].as_str() {
        Some("audit") => {
            let (question, _) = Question::read(folder);
            question.try_audit(folder).ok().map(|verdict| without_says(&verdict))
        }
        Some("verify") => Brought::read(folder).verify(),
        other => panic!("{other:?} judges nothing"),
    }
}

fn exit(verdict: Option<&Value>) -> i32 {
    verdict.map_or(3, |verdict| i32::from(verdict["holds"] != true))
}

#[test]
fn every_attack_is_found_as_it_is_expected_and_nothing_else_is() {
    let mut wrong = Vec::new();
    let mut exits = [0; 4];
    for (name, folder) in folders_of("attacks") {
        let case = case_of(&folder);
        let found = judged(&folder, &case);
        let code = exit(found.as_ref());
        if found.as_ref() != case.get("expect") || json!(code) != case["exit"] {
            wrong.push(format!("{name}: expected {case:#}, found {found:#?}"));
        }
        exits[usize::try_from(code).expect("0, 1 or 3")] += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let [holding, not, _, unread] = exits;
    assert!(holding > 0 && not > holding && unread > 0, "{exits:?}");
}
