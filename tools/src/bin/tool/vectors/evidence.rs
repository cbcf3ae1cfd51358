//! Evidence of a player (spec/receipt.md, 11.10).

use fairdeal::deal::Commitment;
use fairdeal::log::{Note, SignerKey};
use serde_json::{Value, json};

use crate::vectors::File;
use crate::vectors::judged::paper;
use crate::vectors::judged::value_of;
use crate::vectors::verdicts::CLIENTS;
use tools::brought::{judged_evidence, kept, own, round_of, with};
use tools::paper::{PaperLog, Player, counting_seed, seeing};

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
        self.put(name, file, false, expected);
    }

    /// The same of evidence that the reader kept.
    fn add_kept(&mut self, name: &str, file: &impl ToString, expected: &[&str]) {
        self.put(name, file, true, expected);
    }

    fn put(&mut self, name: &str, file: &impl ToString, is_kept: bool, expected: &[&str]) {
        let file = file.to_string();
        let mut vector = json!({ "name": name, "file": file, "key": paper().key().to_text() });
        if is_kept {
            vector["kept"] = json!(true);
        }
        let (exit, verdict) = judged_evidence(&vector);
        vector["exit"] = json!(exit);
        if let Some(verdict) = verdict {
            let all =
                [&verdict].into_iter().chain(verdict["receipts"].as_array().expect("an array"));
            let findings = all.flat_map(|one| one["findings"].as_array().expect("an array"));
            let codes: Vec<&str> =
                findings.filter_map(|finding| finding["code"].as_str()).collect();
            assert_eq!(codes, expected, "{name}: {verdict}");
            vector["verdict"] = verdict;
        } else {
            assert_eq!(expected, ["unreadable"], "{name}");
        }
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
        let mine = kept(&players[0], &commit.commitment, 0);
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
            "since": [{ "checkpoint": self.log.checkpoint() }],
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
        let heads: Vec<Value> = heads.iter().map(|note| json!({ "checkpoint": note })).collect();
        self.heads(&heads)
    }

    fn heads(&self, heads: &[Value]) -> Value {
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
    cases.add_kept("a whole hand that the reader kept", &hand.file(), &[]);
    let without_lock = hand.changed(|file| {
        file["files"].as_array_mut().expect("an array").remove(0);
    });
    cases.add_kept("a hand that the reader kept, without the lock", &without_lock, &[]);
    let again = |seed: &str, nonce| kept(&Player::new("alice", seed, 1), &hand.commitment, nonce);
    let unanswered = hand.changed(|file| file["mine"] = json!([hand.mine, again("lucky", 9)]));
    cases.add_kept("what was brought to a round that no file shows", &unanswered, &[]);
    let other = hand.changed(|file| file["mine"] = json!([own("carol", "never there")]));
    cases.add_kept("what was brought to no round by name", &other, &[]);
    let clear = with(own("alice", "another"), &round_of(&hand.commitment, 0));
    let swapped = hand.changed(|file| file["mine"] = json!([clear]));
    cases.add("a seed that was not mixed", &swapped, &["contribution-mismatch"; 2]);
    cases.add_kept("a kept seed that was not mixed", &swapped, &["contribution-mismatch"; 2]);
    let mut scratch = paper();
    scratch.append_bytes(&[0]);
    let seen = value_of(&scratch.seen());
    let saw = |root: &Value| {
        let mut seen = seen.clone();
        seen["root"] = root.clone();
        let own = with(own("alice", "lucky"), &round_of(&hand.commitment, 0));
        hand.changed(|file| file["mine"] = json!([with(own.clone(), &json!({ "seen": seen }))]))
    };
    let signed = saw(&seen["root"]);
    cases.add_kept("a seed with a view that was left out", &signed, &["contribution-mismatch"; 3]);
    let unsigned = saw(&json!("00".repeat(32)));
    cases.add_kept("a seed with a view that no log signed", &unsigned, INVALID);
    let hashed = hand.changed(|file| file["mine"] = json!([again("another", 0)]));
    cases.add_kept("a kept hash that was not locked", &hashed, &[]);
    let changed = hand.changed(|file| file["mine"][0]["seed"] = json!("another"));
    cases.add("a contribution that was changed afterwards", &changed, INVALID);
    let moved = hand.changed(|file| file["mine"][0]["nonce"] = json!(1));
    cases.add("a contribution that was moved to another round", &moved, INVALID);
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
    cases.add("a deal of another log", &fork, &["inconsistent", "lock-mismatch"]);
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
    cases.add("a head with a line more", &hand.seen(&[more]), &["inconsistent"]);
    cases.add("a head that is no note", &hand.seen(&["nothing".to_owned(), String::new()]), &[]);
    forks_of_two_sizes(cases, &hand);
    alone(cases);
}

/// Two heads of different sizes contradict each other only with a proof.
fn forks_of_two_sizes(cases: &mut Cases, hand: &Hand) {
    let of = |log: &PaperLog, seen: &[u64]| {
        let seen: Vec<Value> = seen.iter().map(|size| value_of(&log.seen_proof(*size))).collect();
        let head = json!({ "checkpoint": log.checkpoint() });
        if seen.is_empty() { head } else { with(head, &json!({ "seen": seen })) }
    };
    let grown = |entries: &[&str]| {
        let mut log = paper();
        for entry in entries {
            log.append_bytes(entry.as_bytes());
        }
        log
    };
    let (small, large) = (grown(&["a", "b"]), grown(&["a", "x", "y", "z", "w", "v", "u"]));
    let mut cases_of = |name: &str, heads: Vec<Value>, codes: &[&str]| {
        cases.add(name, &hand.heads(&heads), codes);
    };
    let fork = &["inconsistent"];
    cases_of("two heads of two trees and two sizes", vec![of(&small, &[]), of(&large, &[])], &[]);
    cases_of(
        "the same, and the larger proves its root at the size of the smaller",
        vec![of(&small, &[]), of(&large, &[2])],
        fork,
    );
    let mut wrong = of(&large, &[2]);
    wrong["seen"][0]["root"] = json!("ab".repeat(32));
    cases_of("the same with a root that is not proved", vec![of(&small, &[]), wrong], &[]);
    let mut unsigned = of(&large, &[2]);
    unsigned["checkpoint"] = json!("no note");
    cases_of("the same under a checkpoint that is no note", vec![of(&small, &[]), unsigned], &[]);
    let honest = grown(&["a", "b", "c"]);
    cases_of("a head that continues the other", vec![of(&small, &[]), of(&honest, &[1, 2])], &[]);
    cases_of(
        "a head that proves its root at the size of a file",
        vec![of(&large, &[hand.log.size()])],
        fork,
    );
}

/// A file that contradicts itself is compared with itself only if there is another, or a head.
fn alone(cases: &mut Cases) {
    let (mut log, seed) = (paper(), counting_seed(0));
    let (mut one, mut other) = (paper(), paper());
    one.append_bytes(b"one");
    other.append_bytes(b"other");
    let (c, commit) = log.commit(&seed, |_| {});
    let both = vec![seeing("alice", "lucky", &one.seen()), seeing("bob", "seven", &other.seen())];
    let deal = log.deal_entry_of(&commit, &seed.mac(), 0, both);
    let d = log.append(&deal.into());
    let file = |since: Value| {
        let receipt = json!({ "name": "deal", "file": log.receipt(&[c, d]) });
        json!({
            "format": "fairdeal/evidence/v1", "key": "", "files": [receipt], "mine": [],
            "since": since, "findings": [],
        })
    };
    let split = &["split-view"];
    cases.add("one file that contradicts itself", &file(json!([])), split);
    let nothing = json!([{ "checkpoint": "x" }]);
    cases.add("the same with a head that is no note", &file(nothing), split);
    let head = json!([{ "checkpoint": log.checkpoint() }]);
    cases.add("the same with a head", &file(head), &["inconsistent", "split-view"]);
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
        ("a head that is a text", "since", json!([hand.log.checkpoint()])),
        ("a head without a checkpoint", "since", json!([{ "seen": [] }])),
        ("a head with a member more", "since", json!([{ "checkpoint": "", "more": 1 }])),
        ("a head with no proved sizes", "since", json!([{ "checkpoint": "", "seen": [] }])),
        (
            "a head with a proved size over its own",
            "since",
            json!([{ "checkpoint": hand.log.checkpoint(), "seen": [
                { "size": 5, "root": "ab".repeat(32), "proof": [] },
            ] }]),
        ),
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
    let both = hand.changed(|file| {
        file["files"] = json!([]);
        file["more"] = json!(1);
    });
    cases.add("no files, and a member more", &both, INVALID);
    let twice = hand.file().to_string().replacen("\"key\":", "\"key\":\"x\",\"key\":", 1);
    cases.add("a member twice", &twice, &["unreadable"]);
    cases.add("cut in two", &hand.file().to_string().split_at(500).0, &["unreadable"]);
}
