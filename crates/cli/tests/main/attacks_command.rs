//! Every attack of `fixtures/attacks`, judged by the command as by the library.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tools::answers::without_says;
use tools::attack::{attacks, log_files};
use tools::brought::{CaseFile, files, text_of, without_added};
use tools::paper::write_files;

/// A folder with the key and the policy of a case.
fn folder_of(case: &Value) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("key"), text_of(case, "key")).expect("written");
    if let Some(policy) = case["policy"].as_str() {
        std::fs::write(folder.path().join("policy"), policy).expect("written");
    }
    folder
}

/// The command's output in a case's folder, and its exit code.
fn command(folder: &Path, words: &[&str]) -> (Option<Value>, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    command.current_dir(folder).env_remove("FAIRDEAL_LEDGER").args(words);
    if folder.join("policy").exists() {
        command.args(["--policy", "policy"]);
    }
    let output = command.args(["--key", "key", "--json"]).output().expect("fairdeal starts");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("an answer or an error");
    // A file that cannot be judged is an error, and a case has no verdict on it.
    let verdict = Some(answer).filter(|answer| answer.get("error").is_none()).map(without_says);
    (verdict, output.status.code())
}

#[test]
fn the_command_says_of_an_audited_attack_what_the_library_says() {
    // A command always has a clock. Without one in the case, use one that no entry is ahead of.
    let latest = fairdeal::record::entry::Int::MAX;
    // A command takes what was missed from its --state alone: see source_state.
    let audited = attacks()
        .into_iter()
        .filter(|(_, case)| case["command"] == "audit" && case["missed"].is_null());
    let mut judged = 0;
    for (name, mut case) in audited {
        let folder = folder_of(&case);
        write_files(folder.path(), &log_files(&case));
        let (clock, as_of) = (case["clock"].as_u64(), case["as_of"].as_u64());
        let (at, as_of) = (clock.unwrap_or(latest).to_string(), as_of.map(|time| time.to_string()));
        let log = if case["export"].is_string() { "export" } else { "." };
        let mut words = vec!["audit", log, "--clock", &at];
        words.extend(as_of.iter().flat_map(|as_of| ["--as-of", as_of]));
        let (mut found, code) = command(folder.path(), &words);
        let verdict = case.get_mut("verdict").map(Value::take);
        if let (Some(found), Some(verdict), None) = (&mut found, &verdict, clock) {
            for member in ["clock", "overdue_by_clock"] {
                found[member] = verdict[member].clone();
            }
        }
        assert_eq!((found, json!(code)), (verdict, case["exit"].clone()), "{name}");
        judged += 1;
    }
    assert_eq!(judged, 103);
}

#[test]
fn the_command_says_of_files_that_are_attacked_what_the_library_says() {
    let verified = attacks().into_iter().filter(|(_, case)| case["command"] == "verify");
    let mut judged = 0;
    for (name, mut case) in verified {
        let folder = folder_of(&case);
        let mut words = vec!["verify".to_owned()];
        for CaseFile { name, bytes, is_kept } in files(&case) {
            std::fs::write(folder.path().join(&name), bytes).expect("written");
            words.extend(is_kept.then(|| "--mine".to_owned()));
            words.push(name);
        }
        for (at, own) in case["mine"].as_array().into_iter().flatten().enumerate() {
            let name = format!("mine-{at}.json");
            std::fs::write(folder.path().join(&name), own.to_string()).expect("written");
            words.extend(["--mine".to_owned(), name]);
        }
        for (from, key) in case["players"].as_object().into_iter().flatten() {
            words
                .extend(["--player".to_owned(), format!("{from}={}", key.as_str().expect("text"))]);
        }
        let seat = case["seat"].as_str().map(str::to_owned);
        words.extend(seat.into_iter().flat_map(|seat| ["--seat".to_owned(), seat]));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (found, code) = command(folder.path(), &words);
        let verdict = case.get_mut("verdict").map(Value::take);
        assert_eq!(
            (found.map(without_added), json!(code)),
            (verdict, case["exit"].clone()),
            "{name}"
        );
        judged += 1;
    }
    assert_eq!(judged, 87);
}
