//! Every attack of `fixtures/attacks`, judged by the command as by the library.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tools::brought::Brought;
use tools::question::{case_of, folders_of, strip_says};

/// What the command prints in a case's folder, and its exit code.
fn command(folder: &Path, words: &[&str]) -> (Option<Value>, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    command.current_dir(folder).env_remove("FAIRDEAL_LEDGER").args(words);
    let output = command.args(["--key", "key", "--json"]).output().expect("fairdeal starts");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("an answer or an error");
    // A file that cannot be judged is an error, and a case has no verdict on it.
    let verdict = Some(answer).filter(|answer| answer.get("error").is_none()).map(|mut verdict| {
        strip_says(&mut verdict);
        let receipts = verdict.get_mut("receipts").and_then(Value::as_array_mut);
        receipts.into_iter().flatten().for_each(strip_says);
        verdict
    });
    (verdict, output.status.code())
}

#[test]
fn the_command_says_of_an_audited_attack_what_the_library_says() {
    // A command always has a clock. Without one in the case, use one that no entry is ahead of.
    let latest = fairdeal::record::entry::Int::MAX;
    for (name, folder) in folders_of("attacks") {
        let mut case = case_of(&folder);
        if case["command"] != "audit" {
            continue;
        }
        let clock = case["clock"].as_u64();
        let (at, as_of) =
            (clock.unwrap_or(latest).to_string(), case["as_of"].as_u64().map(|t| t.to_string()));
        let log = if folder.join("export").exists() { "export" } else { "." };
        let mut words = vec!["audit", log, "--clock", &at];
        words.extend(as_of.iter().flat_map(|as_of| ["--as-of", as_of]));
        words.extend((case["skip_signatures"] == true).then_some("--skip-signatures"));
        assert_eq!(case["since"], json!([]), "{name}");
        let (mut found, code) = command(&folder, &words);
        let expect = case.get_mut("expect").map(Value::take);
        if let (Some(found), Some(expect), None) = (&mut found, &expect, clock) {
            for member in ["clock", "overdue_by_clock"] {
                found[member] = expect[member].clone();
            }
        }
        assert_eq!((found, json!(code)), (expect, case["exit"].clone()), "{name}");
    }
}

/// The command's one shape as a case states it: of one file the verdict alone, and without what only the command adds.
fn as_the_case_has_it(mut found: Value, files: usize) -> Value {
    for receipt in found["receipts"].as_array_mut().expect("a list") {
        let receipt = receipt.as_object_mut().expect("a verdict");
        for member in ["table", "time", "opened"] {
            receipt.remove(member);
        }
        if receipt.contains_key("seal") {
            receipt.remove("cards");
            receipt.remove("indices");
        }
    }
    if files > 1 {
        return found;
    }
    assert_eq!(found["findings"], json!([]), "one file is compared with no other");
    let mut receipt = found["receipts"][0].take();
    assert_eq!(receipt["holds"], found["holds"]);
    receipt.as_object_mut().expect("a verdict").remove("file");
    receipt
}

#[test]
fn the_command_says_of_files_that_are_attacked_what_the_library_says() {
    for (name, folder) in folders_of("attacks") {
        let mut case = case_of(&folder);
        if case["command"] != "verify" {
            continue;
        }
        let brought = Brought::read(&folder);
        let mut words = vec!["verify"];
        words.extend(brought.files.iter().map(|(name, _)| name.as_str()));
        words.extend(brought.mine.iter().flat_map(|(name, _)| ["--mine", name]));
        let players: Vec<String> =
            brought.players.iter().map(|(from, key)| format!("{from}={key}")).collect();
        words.extend(players.iter().flat_map(|player| ["--player", player]));
        words.extend(brought.seat.iter().flat_map(|seat| ["--seat", seat]));
        let (found, code) = command(&folder, &words);
        let exit = case["exit"].clone();
        let expect = case.get_mut("expect").map(Value::take);
        let found = found.map(|found| as_the_case_has_it(found, brought.files.len()));
        assert_eq!((found, json!(code)), (expect, exit), "{name}");
    }
}
