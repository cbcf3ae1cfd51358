//! The program on a state in PostgreSQL: all of an operator's commands, and a node that is killed.

use std::path::Path;

use fairdeal_ledger::FAULT_POINTS;

use super::postgres_server::{PASSWORD, Server};

/// Runs the program with its state in a schema, which the environment names.
fn fairdeal(dir: &Path, url: &str, words: &[&str]) -> (Option<i32>, String, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    command
        .args(words)
        .current_dir(dir)
        .env("FAIRDEAL_STATE", url)
        .env_remove("FAIRDEAL_LEDGER")
        .env("NO_COLOR", "1");
    let output = command.output().expect("starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let (said, error) = (text(output.stdout), text(output.stderr));
    assert!(!said.contains(PASSWORD) && !error.contains(PASSWORD), "{words:?}: {said}{error}");
    (output.status.code(), said, error)
}

#[test]
fn every_operator_s_command_works_on_a_state_in_postgresql_and_none_prints_its_password() {
    let url = Server::shared().new_url();
    let dir = tempfile::tempdir().expect("a folder");
    let run = |words: &[&str]| {
        let (code, said, error) = fairdeal(dir.path(), &url, words);
        assert_eq!(code, Some(0), "{words:?}: {error}");
        said
    };
    run(&["init", "fairdeal-ledger", "--origin", "cards.example/log"]);
    assert!(!dir.path().join("fairdeal-ledger/private/state.sqlite").exists());
    let made: serde_json::Value =
        serde_json::from_str(&run(&["commit", "--table", "main", "--sealed", "--json"]))
            .expect("JSON");
    let c = made["commitment"].as_str().expect("a commitment");
    run(&["deal", c, "--client", "alice=lucky", "--idempotency-key", "once"]);
    run(&["open", c, "0", "--place", "1"]);
    run(&["lock", c, "--client", "alice=lucky"]);
    run(&["void", c, "1", "--reason", "why"]);
    for words in
        [&["list"][..], &["show", c], &["rounds", c], &["receipt", c, "0"], &["fsck"], &["log-key"]]
    {
        run(words);
    }
    run(&["reveal", c, "--force"]);
    let checkpoint = dir.path().join("fairdeal-ledger/public/checkpoint");
    std::fs::rename(&checkpoint, dir.path().join("seen.note")).expect("moved");
    run(&["republish", "--against", "seen.note"]);
    run(&["fsck"]);
    // Its own tools copy it: nothing is begun.
    let (code, _, error) = fairdeal(dir.path(), &url, &["backup", "saved"]);
    assert_eq!(code, Some(2), "{error}");
    assert!(error.contains("pg_dump") && !dir.path().join("saved").exists(), "{error}");

    // A second ledger finds the schema taken, and leaves nothing behind.
    let (code, _, error) =
        fairdeal(dir.path(), &url, &["init", "second", "--origin", "cards.example/second"]);
    assert_eq!(code, Some(2), "{error}");
    assert!(error.contains("holds a ledger already"), "{error}");
    let left = std::fs::read_dir(dir.path().join("second")).into_iter().flatten().count();
    assert_eq!(left, 0, "nothing is left of it");
    // A wrong word beside it, or a wrong URL, is an error that does not repeat it.
    for words in [
        &["list", "--state", url.as_str(), "--no-such-option"][..],
        &["list", "--state", &format!("{url}&password={PASSWORD}")],
        &["list", "--state", &url.replace("/postgres?", "/none?")],
        &["list", "--state", &url.replace("postgres://", "mysql://")],
    ] {
        assert!(matches!(fairdeal(dir.path(), &url, words).0, Some(2 | 3)), "{words:?}");
    }
}

#[test]
fn a_node_that_is_killed_at_any_point_of_a_deal_has_dealt_it_once_or_not_at_all() {
    let url = Server::shared().new_url();
    let dir = tempfile::tempdir().expect("a folder");
    let run = |words: &[&str]| {
        let (code, said, error) = fairdeal(dir.path(), &url, words);
        assert_eq!(code, Some(0), "{words:?}: {error}");
        said
    };
    run(&["init", "fairdeal-ledger", "--origin", "cards.example/log"]);
    run(&["log-key", "-o", "log.key"]);
    let made: serde_json::Value =
        serde_json::from_str(&run(&["commit", "--table", "main", "--draw", "5", "--json"]))
            .expect("JSON");
    let c = made["commitment"].as_str().expect("a commitment");
    let mut killed = Vec::new();
    for (nonce, point) in FAULT_POINTS.iter().enumerate() {
        let deal = ["deal", c, "--client", "alice=lucky", "--idempotency-key", point, "--json"];
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_fairdeal"));
        let status = command.args(deal).current_dir(dir.path()).env("FAIRDEAL_STATE", &url);
        let status = status.env("FAIRDEAL_FAULT", point).output().expect("starts").status;
        if status.code().is_none() {
            killed.push(*point);
        }
        let again: serde_json::Value = serde_json::from_str(&run(&deal)).expect("JSON");
        assert_eq!(again["nonce"], nonce, "{point}: dealt once");
    }
    assert!(killed.len() >= 6, "{killed:?}");
    run(&["fsck"]);
    run(&["reveal", "--table", "main", "--force"]);
    run(&["audit", "fairdeal-ledger/public", "--key", "log.key"]);
}
