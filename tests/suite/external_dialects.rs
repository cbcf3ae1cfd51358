//! The verifiers with node:crypto that the bench is held against: a third opinion on the shared rows.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

#[test]
fn the_bench_is_held_against_verifiers_that_judge_the_shared_rows_rightly() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let names = [
        "bustabit",
        "duel-crash",
        "duel-video-poker",
        "liqd-blackjack",
        "stake-crash",
        "stake-replace",
        "stake-video-poker",
    ];
    for name in names {
        let text =
            std::fs::read_to_string(root.join(format!("fixtures/dialects/{name}.json"))).expect("rows");
        let file: Value = serde_json::from_str(&text).expect("JSON");
        let rows: Vec<&Value> = file
            .get("rows")
            .and_then(Value::as_array)
            .expect("rows")
            .iter()
            .filter(|row| row.get("reason").and_then(Value::as_str) != Some("chain_mismatch"))
            .collect();
        let expected: Vec<bool> =
            rows.iter().map(|row| row.get("valid").and_then(Value::as_bool).expect("valid")).collect();
        let given = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(given.path(), serde_json::to_vec(&rows).expect("JSON")).expect("written");
        let ran = Command::new("node")
            .arg(root.join("benches/dialects.mjs"))
            .args([name.as_ref(), given.path().as_os_str(), "0".as_ref()])
            .output()
            .expect("node is there: ./check installs it");
        assert!(ran.status.success(), "{name}: {}", String::from_utf8_lossy(&ran.stderr));
        let found: Vec<bool> = serde_json::from_slice(&ran.stdout).expect("a list of verdicts");
        assert_eq!(found, expected, "{name}");
        assert!(found.contains(&true));
    }
}
