//! Every attack of `fixtures/attacks`, judged by the library as any implementation would.

use serde_json::json;
use tools::attack::{attacks, judged};

#[test]
fn every_attack_is_found_as_it_is_expected_and_nothing_else_is() {
    let mut wrong = Vec::new();
    let mut exits = [0; 4];
    for (name, case) in attacks() {
        let (code, found) = judged(&case);
        if found.as_ref() != case.get("verdict") || Some(&json!(code)) != case.get("exit") {
            wrong.push(format!("{name}: expected {case:#}, found {found:#?}"));
        }
        exits[usize::try_from(code).expect("0, 1 or 3")] += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(exits, [81, 109, 0, 7], "attacks that hold, that do not, and without a verdict");
}
