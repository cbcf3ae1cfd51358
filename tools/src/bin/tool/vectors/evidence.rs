//! Evidence of a player (spec/receipt.md, 11.10).

use fairdeal::deal::Commitment;
use fairdeal::log::{Note, SignerKey};
use serde_json::{Value, json};

use crate::vectors::File;
use crate::vectors::judged::paper;
use crate::vectors::readers::{of, own, with};
use crate::vectors::verdicts::CLIENTS;
use tools::evidence::judged;
use tools::paper::{PaperLog, Player, counting_seed};

pub fn files() -> Vec<File> {
    vec![File {
        name: "evidence.json",
        about: "spec/receipt.md, 11.10: what a player's program kept, in one file",
        vectors: vectors(),
    }]
}

const INVALID: &[&str] = &["invalid-receipt"];

struct Cases(Vec<Value>);

impl Cases {
    /// A vector; `expected` has the findings: those among the files, and those of each.
    fn add(&mut self, name: &str, file: &impl ToString, expected: &[&str]) {
        let (file, key) = (file.to_string(), paper().key().clone());
        let mut vector = json!({ "name": name, "file": file, "key": key.to_text() });
        let Some(verdict) = judged(&file, &key) else {
            assert_eq!(expected, ["unreadable"], "{name}");
            vector["exit"] = json!(3);
            self.0.push(vector);
            return;
        };
        let all = [&verdict].into_iter().chain(verdict["receipts"].as_array().expect("an array"));
        let findings = all.flat_map(|one| one["findings"].as_array().expect("an array"));
        let codes: Vec<&str> = findings.filter_map(|finding| finding["code"].as_str()).collect();
        assert_eq!(codes, expected, "{name}: {verdict}");
        vector["exit"] = json!(i32::from(verdict["holds"] != json!(true)));
        vector["verdict"] = verdict;
        self.0.push(vector);
    }
}

/// A hand of alice, and what her program kept of it.
struct Hand {
    log: PaperLog,
    commitment: Commitment,
    mine: Value,
    lock: Value,
    deal: Value,
    reveal: Value,
}

impl Hand {
    fn new() -> Self {
        let (mut log, seed) = (paper(), counting_seed(0));
        let (c, commit) = log.commit(&seed, |_| {});
        let players = [Player::new("alice", "lucky", 1), Player::new("bob", "seven", 2)];
        let hashed =
            players.iter().map(|player| player.hashed(&commit.commitment, 0)).collect::<Vec<_>>();
        let mine = with(own("alice", "lucky"), &of(&commit, 0));
        let blind = json!({ "blind": players[0].blind.to_text(), "hash": hashed[0].hash });
        let mine = with(mine, &blind);
        let l = log.lock(commit.commitment, 0, hashed);
        let receipt = |log: &PaperLog, indices: &[u64]| json!(log.receipt(indices));
        let lock = receipt(&log, &[c, l]);
        let d = log.deal_locked(&commit, &seed.mac(), 0, l, &players);
        let deal = receipt(&log, &[c, l, d]);
        let r = log.reveal(&seed);
        let reveal = receipt(&log, &[c, l, d, r]);
        Self { log, commitment: commit.commitment, mine, lock, deal, reveal }
    }

    fn file(&self) -> Value {
        let named = |name: &str, file: &Value| json!({ "name": name, "file": file });
        json!({
            "format": "fairdeal/evidence/v1",
            "key": "whatever it says",
            "files": [named("lock", &self.lock), named("deal", &self.deal), named("reveal", &self.reveal)],
            "mine": [self.mine],
            "since": [self.log.checkpoint()],
            "findings": [],
        })
    }

    fn changed(&self, change: impl FnOnce(&mut Value)) -> Value {
        let mut file = self.file();
        change(&mut file);
        file
    }

    /// The file with the reveal alone, and these heads.
    fn seen(&self, heads: &[String]) -> Value {
        self.changed(|file| {
            file["files"].as_array_mut().expect("an array").drain(..2);
            file["since"] = json!(heads);
        })
    }
}

/// A checkpoint of so many entries, of another tree.
fn forked(log: &PaperLog, size: u64) -> String {
    let mut other = PaperLog::new(log.origin().as_str(), 7);
    for entry in 0..size {
        other.append_bytes(format!("forked {entry}").as_bytes());
    }
    other.checkpoint()
}

fn signed_text(text: &str, key: &SignerKey) -> String {
    Note::sign(text, &[key]).expect("a note").to_text()
}

fn vectors() -> Vec<Value> {
    let mut cases = Cases(Vec::new());
    parts(&mut cases);
    heads(&mut cases);
    forms(&mut cases);
    cases.0
}

fn parts(cases: &mut Cases) {
    let hand = Hand::new();
    cases.add("a whole hand", &hand.file(), &[]);
    let elsewhere = |mine: &Value, nonce: u64| with(mine.clone(), &json!({ "nonce": nonce }));
    let unanswered =
        hand.changed(|file| file["mine"] = json!([hand.mine, elsewhere(&hand.mine, 9)]));
    cases.add("what was brought to a round that no file shows", &unanswered, &[]);
    let other = hand.changed(|file| file["mine"] = json!([own("carol", "never there")]));
    cases.add("what was brought to no round by name", &other, &[]);
    let swapped = hand.changed(|file| file["mine"][0]["seed"] = json!("another"));
    cases.add(
        "a seed that was not mixed",
        &swapped,
        &["contribution-mismatch", "contribution-mismatch"],
    );
    let claims = json!([{ "code": "overdue", "says": "the reveal was due" }]);
    cases.add(
        "the word of the player's program",
        &hand.changed(|file| file["findings"] = claims),
        &[],
    );
    let wrong = hand.changed(|file| {
        file["files"][2]["file"]["checkpoint"] = json!("no note");
    });
    cases.add("a file that does not hold", &wrong, &["bad-signature"]);
    let fork = hand.changed(|file| {
        let (mut log, seed) = (paper(), counting_seed(0));
        let (c, commit) = log.commit(&seed, |_| {});
        log.commit(&counting_seed(9), |_| {});
        let d = log.deal(&commit, &seed.mac(), 0, CLIENTS);
        file["files"][1]["file"] = json!(log.receipt(&[c, d]));
    });
    cases.add(
        "a deal of another log",
        &fork,
        &["inconsistent", "lock-mismatch", "contribution-mismatch"],
    );
    cases.add(
        "the round's commitment",
        &json!({ "commitment": hand.commitment }),
        &["invalid-receipt"],
    );
}

fn heads(cases: &mut Cases) {
    let hand = Hand::new();
    let size = hand.log.size();
    let fork = forked(&hand.log, size);
    cases.add(
        "a head of another tree of this size",
        &hand.seen(std::slice::from_ref(&fork)),
        &["inconsistent"],
    );
    cases.add("a head of a size that no file has", &hand.seen(&[forked(&hand.log, size + 1)]), &[]);
    let both = [forked(&hand.log, size + 1), {
        let mut other = paper();
        for _ in 0..=size {
            other.append_bytes(b"another fork");
        }
        other.checkpoint()
    }];
    cases.add("two heads of one size", &hand.seen(&both), &["inconsistent"]);
    cases.add("no head", &hand.seen(&[]), &[]);
    let stranger = PaperLog::new(hand.log.origin().as_str(), 8);
    let text = fork.split_once("\n\n").map_or("", |(text, _)| text).to_owned() + "\n";
    cases.add(
        "a head that another key signed",
        &hand.seen(&[signed_text(&text, &stranger.signer)]),
        &[],
    );
    let more = signed_text(&format!("{text}an extension\n"), &hand.log.signer);
    cases.add("a head with a line more", &hand.seen(&[more]), &[]);
    cases.add("a head that is no note", &hand.seen(&["nothing".to_owned(), String::new()]), &[]);
}

fn forms(cases: &mut Cases) {
    let hand = Hand::new();
    for (name, member, value) in [
        ("a member more", "more", json!(1)),
        ("a key that is no text", "key", json!(7)),
        ("files as an object", "files", json!({})),
        ("a file without a name", "files", json!([{ "file": hand.lock }])),
        ("a file that is a text", "files", json!([{ "name": "a", "file": hand.lock.to_string() }])),
        (
            "a file with a member more",
            "files",
            json!([{ "name": "a", "file": hand.lock, "more": 1 }]),
        ),
        ("a seed without a name", "mine", json!([{ "seed": "lucky" }])),
        (
            "a hash without its blind",
            "mine",
            json!([with(own("alice", "lucky"), &json!({ "hash": "ab".repeat(32) }))]),
        ),
        ("a head that is no text", "since", json!([1])),
        ("a finding without words", "findings", json!([{ "code": "overdue" }])),
    ] {
        cases.add(name, &hand.changed(|file| file[member] = value), INVALID);
    }
    for member in ["key", "files", "mine", "since", "findings"] {
        let without =
            hand.changed(|file| drop(file.as_object_mut().expect("an object").remove(member)));
        cases.add(&format!("without {member}"), &without, INVALID);
    }
    let nested = |hand: &Hand| hand.changed(|file| file["files"][0]["file"] = hand.file());
    cases.add("evidence in evidence", &nested(&hand), INVALID);
    let other = hand.changed(|file| file["files"][0]["file"] = json!({ "format": "something" }));
    cases.add("a file that is no receipt", &other, INVALID);
    cases.add(
        "files without names to tell apart",
        &hand.changed(|file| {
            for at in 0..3 {
                file["files"][at]["name"] = json!("");
            }
        }),
        &[],
    );
    cases.add("no files", &hand.changed(|file| file["files"] = json!([])), &["unreadable"]);
    let twice = hand.file().to_string().replacen("\"key\":", "\"key\":\"x\",\"key\":", 1);
    cases.add("a member twice", &twice, &["unreadable"]);
    cases.add("cut in two", &hand.file().to_string().split_at(500).0, &["unreadable"]);
}
