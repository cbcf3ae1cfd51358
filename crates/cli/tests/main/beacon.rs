//! Rounds of a beacon, with the command alone: from the commitment to the audit.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use crate::relay::{Relay, seconds};

/// Runs a command with `--json`. Returns its answer.
pub(crate) fn ends(dir: &Path, line: &str, code: i32) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_fairdeal"))
        .current_dir(dir)
        .env_remove("FAIRDEAL_LEDGER")
        .env("FAIRDEAL_TRUST", "known-logs")
        .args(line.split(' '))
        .arg("--json")
        .output()
        .expect("fairdeal starts");
    let (says, text) = (String::from_utf8_lossy(&output.stderr), &output.stdout);
    assert_eq!(output.status.code(), Some(code), "{line}: {says}{}", String::from_utf8_lossy(text));
    serde_json::from_slice(text).unwrap_or(Value::Null)
}

/// The tokens of an answer's list.
fn has(verdict: &Value, list: &str, token: &str) -> bool {
    let all = verdict[list].as_array().unwrap_or_else(|| panic!("{list}: {verdict}"));
    all.iter().any(|one| one == token)
}

/// A ledger with a locked round of this relay's chain. Returns the beacon's round.
fn locked(dir: &Path, relay: &Relay) -> u64 {
    fs::write(dir.join("own.json"), relay.chain.info().to_string()).expect("written");
    ends(dir, "init fairdeal-ledger --origin cards.example/log", 0);
    let hash = relay.chain.chain().hash();
    let commit = format!(
        "commit --table main --draw 5 --rounds 1 --mixing beacon --chain {hash} --margin 3000"
    );
    ends(dir, &commit, 2);
    ends(dir, &format!("{commit} --beacon-chain own.json"), 0);
    ends(dir, "lock --table main", 2);
    let lock = ends(dir, "lock --table main --beacon-chain own.json", 0);
    let round = lock["beacon"].as_u64().expect("a round");
    assert_eq!(lock["out"], relay.chain.chain().out(round) * 1000);
    round
}

fn wait_until_out(relay: &Relay, round: u64) {
    while seconds() < relay.chain.chain().out(round) {
        thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_round_is_locked_dealt_from_a_signature_that_was_brought_and_verified() {
    let dir = TempDir::new().expect("a folder");
    let (dir, relay) = (dir.path(), Relay::new());
    let round = locked(dir, &relay);
    let deal = "deal --table main --beacon-chain own.json";
    assert_eq!(ends(dir, deal, 3)["error"]["code"], "awaits-beacon");
    wait_until_out(&relay, round);
    let early = ends(dir, deal, 3);
    assert_eq!(early["error"]["code"], "awaits-beacon");
    assert!(!early["error"]["hint"].as_str().expect("a hint").contains("Come again"), "{early}");
    let signature = |round: u64| hex::encode(relay.chain.sign(round));
    let wrong = ends(dir, &format!("{deal} --beacon {}", signature(round + 1)), 1);
    assert_eq!(wrong["error"]["code"], "beacon-signature");
    // Nothing is dealt from a signature that this ledger cannot verify.
    ends(dir, &format!("deal --table main --beacon {}", signature(round)), 2);
    ends(dir, &format!("{deal} --beacon {}", signature(round)), 0);
    let shown = ends(dir, "show --table main 0", 0);
    assert_eq!((&shown["beacon"], &shown["signature"]), (&round.into(), &signature(round).into()));
    ends(dir, "reveal --table main", 0);

    ends(dir, "log-key -o log.key", 0);
    ends(dir, "receipt --table main 0 -o receipt.json", 0);
    let verify = "verify receipt.json --key log.key";
    let known = ends(dir, &format!("{verify} --beacon-chain own.json"), 0);
    let file = &known["receipts"][0];
    assert!(has(file, "shown", "replayed"), "{file}");
    assert!(!has(file, "not_shown", "beacon"), "{file}");
    assert!(has(file, "not_shown", "locked-before-beacon"), "no policy: {file}");
    let unknown = ends(dir, verify, 0);
    assert!(has(&unknown["receipts"][0], "not_shown", "beacon"), "{unknown}");
    let audit = "audit fairdeal-ledger --key log.key";
    let known = ends(dir, &format!("{audit} --beacon-chain own.json"), 0);
    assert_eq!((&known["deals"], &known["unverified"]["beacons"]), (&1.into(), &0.into()));
    assert_eq!(ends(dir, audit, 0)["unverified"]["beacons"], 1);
    assert_eq!(relay.asked(), 0, "no relay was named");
}

#[test]
fn a_relay_that_is_named_is_asked_for_the_round_of_the_lock_once_it_is_out() {
    let dir = TempDir::new().expect("a folder");
    let (dir, relay) = (dir.path(), Relay::new());
    let round = locked(dir, &relay);
    let deal = format!("deal --table main --beacon-chain own.json --beacon-relay {}", relay.url);
    assert_eq!(ends(dir, &deal, 3)["error"]["code"], "awaits-beacon");
    assert_eq!(relay.asked(), 0, "it is not out");
    wait_until_out(&relay, round);
    relay.has.store(false, Ordering::SeqCst);
    let silent = ends(dir, &deal, 3);
    assert!(silent["error"]["says"].as_str().expect("a text").contains("status 404"), "{silent}");
    relay.has.store(true, Ordering::SeqCst);
    // The first one does not answer.
    let silent_first =
        "deal --table main --beacon-chain own.json --beacon-relay http://127.0.0.1:1";
    ends(dir, &format!("{silent_first} --beacon-relay {}", relay.url), 0);
    let shown = ends(dir, "show --table main 0", 0);
    assert_eq!(shown["signature"], hex::encode(relay.chain.sign(round)));
    assert!(relay.strange.lock().expect("paths").is_empty());
}
