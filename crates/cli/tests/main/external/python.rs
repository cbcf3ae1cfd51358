//! The Python reference compared with this implementation on generated inputs: random rounds with
//! random faults, signed and proved, and files changed afterwards.

#![allow(
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "in a test, a panic is a failure with a place, and these choices need no evenness"
)]

use std::process::Command;

use fairdeal::log::VerifierKey;
use fairdeal::record::entry::{Entry, EntryError, Mixing};
use fairdeal::record::json::to_canonical;
use fairdeal::record::receipt::{Document, ReceiptError, ReceiptVerdict, verify};
use serde_json::{Value, json};

use tools::dice::{Dice, change};
use tools::paper::{PaperLog, Player, int, logged_clients};

/// A round with random faults in a signed log, and which of its entries the receipt shows.
fn round(dice: &mut Dice) -> (PaperLog, Vec<u64>) {
    let mut log = PaperLog::new("cards.example/log", 7);
    let (seed, other) = (dice.seed(), dice.seed());
    for _ in 0..dice.below(3) {
        log.append_bytes(b"filler");
    }
    let before = log.seen();
    let mixing = *dice.of(&[Mixing::Seeds, Mixing::Seeds, Mixing::Hashes]);
    let sealed = dice.one_in(4);
    let (c, commit) = log.commit(&seed, |terms| {
        terms.mixing = mixing;
        terms.sealed = sealed;
        terms.rounds = int(3);
        terms.draw = int(5);
    });
    let mut players = [Player::new("alice", "lucky", 1), Player::new("bob", "seven", 2)];
    let after = log.seen();
    for player in &mut players {
        player.seen = dice
            .of(&[None, Some(after.clone()), Some(before.clone())])
            .clone()
            .filter(|seen| seen.size.value() > 0);
    }
    let n = u64::try_from(dice.below(4)).expect("small");
    let mut shown = vec![c];
    let clear: &[(&str, &str)] = &[("alice", "lucky"), ("bob", "seven")];
    for _ in 0..dice.below(6) {
        let index = match dice.below(7) {
            0 => log.lock(commit.commitment, n, logged_clients(clear)),
            1 | 2 => log.lock(
                commit.commitment,
                n,
                players.iter().map(|p| p.hashed(&commit.commitment, n)).collect(),
            ),
            3 => log.deal(&commit, &seed.mac(), n, clear),
            4 => {
                let lock = *shown.last().expect("the commit at least");
                let opened = dice.below(2) + 1;
                log.deal_locked(&commit, &seed.mac(), n, lock, &players[..opened])
            }
            5 if dice.one_in(3) => log.void(commit.commitment, None, None),
            5 => log.void(commit.commitment, Some(n), *dice.of(&[None, Some("bob"), Some("eve")])),
            _ => log.reveal(if dice.one_in(4) { &other } else { &seed }),
        };
        shown.push(index);
        if dice.one_in(8) {
            log.time -= 3000;
        }
    }
    if dice.one_in(3) {
        let at = dice.below(shown.len());
        let index = usize::try_from(shown[at]).expect("small");
        let mut value: Value = serde_json::from_slice(&log.entries()[index]).expect("JSON");
        change(&mut value, dice);
        shown.push(log.append_bytes(to_canonical(&value).as_bytes()));
    }
    if shown.len() > 2 && dice.one_in(4) {
        let at = dice.below(shown.len());
        shown.remove(at);
    }
    (log, shown)
}

fn receipt_vector(name: &str, file: &str, key: &VerifierKey) -> Value {
    let verdict = match Document::parse(file.as_bytes()) {
        Ok(document) => verify(&document, key),
        Err(ReceiptError::Invalid(says)) => ReceiptVerdict::invalid(says),
        Err(_) => return json!({ "name": name, "file": file, "key": key.to_text(), "exit": 3 }),
    };
    let exit = i32::from(!verdict.holds);
    json!({ "name": name, "file": file, "key": key.to_text(), "exit": exit, "verdict": verdict })
}

fn receipts(dice: &mut Dice) -> Vec<Value> {
    let mut vectors = Vec::new();
    for case in 0..tools::cases(300, 1500) {
        let (log, shown) = round(dice);
        let receipt = log.receipt(&shown);
        vectors.push(receipt_vector(&format!("round {case}"), &receipt.to_text(), log.key()));
        if dice.one_in(3) {
            let mut file = serde_json::to_value(&receipt).expect("JSON");
            change(&mut file, dice);
            vectors.push(receipt_vector(
                &format!("round {case}, changed"),
                &file.to_string(),
                log.key(),
            ));
        }
        if dice.one_in(5) {
            let mut text: Vec<char> = receipt.to_text().chars().collect();
            let at = dice.below(text.len());
            text[at] = *dice.of(&['"', '{', '0', 'x', '\\', ' ']);
            vectors.push(receipt_vector(
                &format!("round {case}, a character"),
                &text.into_iter().collect::<String>(),
                log.key(),
            ));
        }
    }
    vectors
}

fn entries(dice: &mut Dice) -> Vec<Value> {
    let mut vectors = Vec::new();
    for case in 0..tools::cases(300, 1500) {
        let (log, _) = round(dice);
        let bytes = dice.of(log.entries()).clone();
        let Ok(mut value) = serde_json::from_slice::<Value>(&bytes) else { continue };
        change(&mut value, dice);
        let text = to_canonical(&value);
        let mut vector = json!({ "name": format!("entry {case}"), "entry": text });
        match Entry::parse(text.as_bytes()) {
            Ok(Entry::Other(_)) => vector["kind"] = json!("other-protocol"),
            Ok(entry) => vector["kind"] = json!(entry.kind()),
            Err(EntryError::NotCanonical(_)) => vector["error"] = json!("not-canonical"),
            Err(_) => vector["error"] = json!("invalid-entry"),
        }
        vectors.push(vector);
    }
    vectors
}

/// The arguments that both get with a file, and how both must end (spec/receipt.md, 11.9).
#[test]
fn both_verifiers_read_what_they_are_given_alike() {
    const KEY: &str = "3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29";
    let root = tools::root();
    let folder = root.join("crates/cli/tests/cmd/given.in");
    let long = "a".repeat(65);
    let (labelled, nobody) = (format!("a=b={KEY}"), format!("={KEY}"));
    let with_key =
        |options: &[&'static str]| [&["round.json", "--key", "log.key"], options].concat();
    let cases: Vec<(Vec<&str>, i32)> = vec![
        (with_key(&[]), 0),
        ([&with_key(&["--player"])[..], &[&labelled]].concat(), 0),
        ([&with_key(&["--player"])[..], &[&nobody]].concat(), 2),
        (with_key(&["--player", "a"]), 2),
        (with_key(&["--player", "a=00"]), 2),
        (with_key(&["--client", "alice=lucky"]), 0),
        (with_key(&["--client", "alice=a=b"]), 1),
        (with_key(&["--client", "=lucky"]), 2),
        (with_key(&["--seat", "alice"]), 2),
        (with_key(&["--mine", ""]), 2),
        (with_key(&["--mine", "nowhere.json"]), 3),
        (vec!["opening.json", "--key", "log.key", "--seat", "alice"], 1),
        (vec!["opening.json", "--key", "log.key", "--seat", ""], 2),
        (vec!["opening.json", "--key", "log.key", "--seat", &long], 2),
        (vec!["round.json", "opening.json", "--key", "log.key", "--seat", "alice"], 1),
        (vec!["round.json", "--key", "crlf.key"], 0),
        (vec!["round.json", "--key", "broken.key"], 2),
        (vec!["round.json", "--key", "nowhere.key"], 3),
        (vec!["round.json", "--key", "no+key"], 2),
        (vec!["round.json", "--key", ""], 2),
        (vec!["", "--key", "log.key"], 2),
        (vec!["nowhere.json", "--key", "log.key"], 3),
        // The others are judged, and what does not hold matters more than what can't be read.
        (vec!["round.json", "nowhere.json", "--key", "log.key"], 3),
        (vec!["nowhere.json", "round.json", "--key", "log.key", "--client", "alice=a=b"], 1),
    ];
    for (words, exit) in cases {
        let reference = root.join("spec/reference/fairdeal.py");
        let mut python = Command::new("python3");
        python.arg(reference);
        for mut verifier in [Command::new(env!("CARGO_BIN_EXE_fairdeal")), python] {
            let run = verifier.arg("verify").args(&words).current_dir(&folder).output();
            let output = run.expect("both are needed for this test");
            let error = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(exit), "{verifier:?}: {error}");
        }
    }
}

#[test]
fn the_python_reference_agrees_on_thousands_of_faulty_rounds_that_nobody_wrote_down() {
    let root = tools::root();
    let folder = tempfile::tempdir().expect("a folder");
    for file in std::fs::read_dir(root.join("fixtures/vectors")).expect("the vectors") {
        let file = file.expect("a file");
        std::fs::copy(file.path(), folder.path().join(file.file_name())).expect("a copy");
    }
    let mut dice = Dice::new(42);
    for (name, vectors) in
        [("receipts.json", receipts(&mut dice)), ("entries.json", entries(&mut dice))]
    {
        assert!(vectors.len() > tools::cases(200, 1000));
        let held = vectors.iter().filter(|v| v["exit"] == 0 || v.get("kind").is_some()).count();
        assert!(
            held > vectors.len() / 20 && held < vectors.len(),
            "{name}: {held} of {} hold",
            vectors.len()
        );
        let file = json!({ "about": "random", "vectors": vectors });
        std::fs::write(folder.path().join(name), file.to_string()).expect("writable");
    }
    let output = Command::new("python3")
        .arg(root.join("spec/reference/fairdeal.py"))
        .arg("vectors")
        .arg(folder.path())
        .output()
        .expect("python3 is needed for this test");
    let said = String::from_utf8_lossy(&output.stdout);
    let first: Vec<&str> = said.lines().take(20).collect();
    assert!(
        output.status.success(),
        "{}\n{}",
        first.join("\n"),
        String::from_utf8_lossy(&output.stderr)
    );
}
