//! Receipts and openings, good and bad, with their verdicts.

use fairdeal::deal::{Deck, Digest, Method};
use fairdeal::record::entry::{Entry, Mixing};
use fairdeal::record::receipt::Receipt;
use serde_json::{Value, json};

use crate::vectors::File;
use crate::vectors::judged::vector;
use tools::brought::kept;
use tools::paper::{PaperLog, Player, counting_seed, int, opening};

pub fn files() -> Vec<File> {
    vec![File {
        name: "receipts.json",
        about: "spec/receipt.md: files, the key they are judged under, and the verdict",
        vectors: receipts(),
    }]
}

pub const CLIENTS: &[(&str, &str)] = &[("alice", "lucky"), ("bob", "seven")];

fn receipts() -> Vec<Value> {
    let mut vectors = honest();
    vectors.extend(openings());
    vectors.extend(crate::vectors::cheats::cheated());
    vectors.extend(forged());
    vectors.extend(not_receipts());
    vectors.extend(crate::vectors::seen::receipts());
    vectors.extend(crate::vectors::readers::receipts());
    vectors.extend(crate::vectors::sealed::receipts());
    vectors.extend(crate::vectors::results::receipts());
    vectors.extend(crate::vectors::corners::receipts());
    vectors
}

/// Receipts for readers of the documentation, and their key.
pub fn example_files() -> Vec<(String, String)> {
    let (log, round) = plain();
    let mut sealed_log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(5);
    let (committed, commit) = sealed_log.commit(&seed, |c| {
        c.sealed = true;
        c.draw = int(9);
    });
    let deal = sealed_log.deal(&commit, &seed.mac(), 0, CLIENTS);
    let opened =
        opening(sealed_log.receipt(&[committed, deal]), &commit, &seed.mac(), 0, CLIENTS, &[0, 8]);
    let (lock, hashed, own) = hashed_first();
    vec![
        ("receipts/log.key".to_owned(), format!("{}\n", log.key().to_text())),
        ("receipts/round.json".to_owned(), round.to_text()),
        ("receipts/opening.json".to_owned(), opened.to_text()),
        ("receipts/hashed.json".to_owned(), hashed.to_text()),
        ("receipts/alice.json".to_owned(), own),
        ("receipts/lock.json".to_owned(), lock.to_text()),
    ]
}

/// A revealed round whose players hashed their seeds first: the receipts of its lock and of all of
/// it, and the contribution that alice kept.
fn hashed_first() -> (Receipt, Receipt, String) {
    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(6);
    let (committed, commit) = log.commit(&seed, |c| c.mixing = Mixing::Hashes);
    let players = [
        Player::new("alice", "7c9f2b5e08d14a63b6e1f0c4d8a27351", 1),
        Player::new("bob", "e5a0417d9c36f28b01d7be94530fac68", 2),
    ];
    let hashes = players.iter().map(|player| player.hashed(&commit.commitment, 0)).collect();
    let lock = log.lock(commit.commitment, 0, hashes);
    let locked = log.receipt(&[committed, lock]);
    let deal = log.deal_locked(&commit, &seed.mac(), 0, lock, &players);
    let reveal = log.reveal(&seed);
    let own = serde_json::to_string_pretty(&kept(&players[0], &commit.commitment, 0));
    (locked, log.receipt(&[committed, lock, deal, reveal]), format!("{}\n", own.expect("JSON")))
}

/// A log of one revealed round, its indices and receipt.
fn plain() -> (PaperLog, Receipt) {
    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |_| {});
    log.deal(&commit, &seed.mac(), 0, CLIENTS);
    log.reveal(&seed);
    let receipt = log.receipt(&[0, 1, 2]);
    (log, receipt)
}

fn honest() -> Vec<Value> {
    let mut vectors = Vec::new();
    let (mut log, receipt) = plain();
    let key = log.key().clone();
    vectors.push(vector("a revealed round", &receipt.to_text(), &key, &[]));
    let compact = serde_json::to_string(&receipt).expect("JSON");
    vectors.push(vector("the same without white space", &compact, &key, &[]));
    vectors.push(vector("before the reveal", &log.receipt(&[0, 1]).to_text(), &key, &[]));
    vectors.push(vector("a commit alone", &log.receipt(&[0]).to_text(), &key, &[]));
    vectors.push(vector(
        "a commit and its reveal, no round",
        &log.receipt(&[0, 2]).to_text(),
        &key,
        &[],
    ));
    for filler in 0..300_u32 {
        log.append_bytes(format!("another's entry {filler}").as_bytes());
    }
    vectors.push(vector(
        "the same entries in a larger log",
        &log.receipt(&[0, 1, 2]).to_text(),
        &key,
        &[],
    ));

    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(1);
    let (committed, commit) = log.commit(&seed, |c| c.mixing = Mixing::Hashes);
    let seen = log.seen();
    let mut players = vec![Player::new("bob", "seven", 2), Player::new("alice", "lucky", 1)];
    players[0].seen = Some(seen.clone());
    let hashed = |n| players.iter().map(|p| p.hashed(&commit.commitment, n)).collect();
    let lock = log.lock(commit.commitment, 0, hashed(0));
    let locked_only = log.receipt(&[committed, lock]);
    vectors.push(vector(
        "a locked round, hashes not opened yet",
        &locked_only.to_text(),
        &key,
        &[],
    ));
    let deal = log.deal_locked(&commit, &seed.mac(), 0, lock, &players);
    let second = log.lock(commit.commitment, 1, hashed(1));
    let void = log.void(commit.commitment, Some(1), Some("bob"));
    let reveal = log.reveal(&seed);
    vectors.push(vector(
        "a round of hashes, revealed",
        &log.receipt(&[committed, lock, deal, reveal]).to_text(),
        &key,
        &[],
    ));
    vectors.push(vector(
        "a later round without its predecessors, voided with blame",
        &log.receipt(&[committed, second, void, reveal]).to_text(),
        &key,
        &[],
    ));

    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(2);
    let (committed, commit) = log.commit(&seed, |c| {
        c.deck = Deck::list(5000, Digest::from_bytes([9; 32])).expect("legal");
        c.draw = int(3);
    });
    let seen = log.seen();
    let mut entry = log.deal_entry(&commit, &seed.mac(), 0, CLIENTS);
    for one in entry.contributions.as_mut().expect("clear") {
        one.seen = Some(seen.clone());
    }
    entry.result = fairdeal::record::replay::deal_round(
        &commit,
        &seed.mac(),
        entry.nonce,
        &tools::paper::mixed(entry.contributions()),
    )
    .expect("legal")
    .form;
    let deal = log.append(&Entry::Deal(Box::new(entry)));
    let mut partly = log.deal_entry(&commit, &seed.mac(), 1, CLIENTS);
    partly.contributions.as_mut().expect("clear")[0].seen = Some(seen);
    partly.result = fairdeal::record::replay::deal_round(
        &commit,
        &seed.mac(),
        partly.nonce,
        &tools::paper::mixed(partly.contributions()),
    )
    .expect("legal")
    .form;
    let partly = log.append(&Entry::Deal(Box::new(partly)));
    let reveal = log.reveal(&seed);
    vectors.push(vector(
        "three of a list, every seed tied to the commitment",
        &log.receipt(&[committed, deal, reveal]).to_text(),
        &key,
        &[],
    ));
    vectors.push(vector(
        "one of two seeds tied to the commitment",
        &log.receipt(&[committed, partly, reveal]).to_text(),
        &key,
        &[],
    ));

    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(3);
    let (committed, commit) = log.commit(&seed, |c| {
        c.deck = Deck::list(1001, Digest::from_bytes([9; 32])).expect("legal");
        c.draw = int(1001);
        c.method = Method::Cycle;
    });
    let deal = log.deal(&commit, &seed.mac(), 0, CLIENTS);
    let reveal = log.reveal(&seed);
    vectors.push(vector(
        "a cycle of 1,001, as a digest",
        &log.receipt(&[committed, deal, reveal]).to_text(),
        &key,
        &[],
    ));
    let unused = counting_seed(4);
    let (committed, commit) = log.commit(&unused, |c| c.after = Some(seed.commitment()));
    let void = log.void(commit.commitment, None, None);
    vectors.push(vector(
        "a commitment voided before it was used",
        &log.receipt(&[committed, void]).to_text(),
        &key,
        &[],
    ));
    let digest = "ab".repeat(32);
    let other = log.append_bytes(
        format!(
            "{{\"commitment\":\"{digest}\",\"entry\":\"commit\",\"protocol\":\"fairdeal/v2\",\"time\":1}}"
        )
        .as_bytes(),
    );
    let under = log.append_bytes(
        format!("{{\"commitment\":\"{digest}\",\"entry\":\"spin\",\"time\":1}}").as_bytes(),
    );
    vectors.push(vector(
        "a commitment of another protocol is logged, and not judged",
        &log.receipt(&[other, under]).to_text(),
        &key,
        &[],
    ));
    vectors
}

fn openings() -> Vec<Value> {
    let mut log = PaperLog::new("cards.example/log", 7);
    let key = log.key().clone();
    let seed = counting_seed(5);
    let (committed, commit) = log.commit(&seed, |c| {
        c.sealed = true;
        c.draw = int(9);
    });
    let deal = log.deal(&commit, &seed.mac(), 0, CLIENTS);
    let receipt = log.receipt(&[committed, deal]);
    let opened = opening(receipt.clone(), &commit, &seed.mac(), 0, CLIENTS, &[0, 8]);
    let text = opened.to_text();
    let mut vectors = vec![vector("two cards of a sealed deal, opened", &text, &key, &[])];
    let reveal = log.reveal(&seed);
    let revealed =
        opening(log.receipt(&[committed, deal, reveal]), &commit, &seed.mac(), 0, CLIENTS, &[3]);
    vectors.push(vector("a card opened after the reveal", &revealed.to_text(), &key, &[]));
    vectors.push(vector(
        "a sealed round, revealed",
        &log.receipt(&[committed, deal, reveal]).to_text(),
        &key,
        &[],
    ));
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut file: Value = serde_json::from_str(&text).expect("JSON");
        change(&mut file);
        serde_json::to_string(&file).expect("JSON")
    };
    let mismatch: &[&str] = &["opening-mismatch"];
    let item = opened.opened[0].item.value();
    for (name, file, codes) in [
        ("another card is shown", changed(&|f| f["opened"][0]["item"] = json!(item ^ 1)), mismatch),
        ("another place is shown", changed(&|f| f["opened"][0]["t"] = json!(1)), mismatch),
        (
            "another salt is shown",
            changed(&|f| f["opened"][0]["salt"] = json!("00".repeat(16))),
            mismatch,
        ),
        (
            "the list of card seals is another",
            changed(&|f| f["card_seals"][5] = json!("00".repeat(32))),
            mismatch,
        ),
        (
            "the list of card seals is short",
            changed(&|f| drop(f["card_seals"].as_array_mut().expect("an array").pop())),
            mismatch,
        ),
        (
            "a card is opened twice",
            changed(&|f| f["opened"][1]["t"] = json!(0)),
            &["invalid-receipt"],
        ),
        ("no card is opened", changed(&|f| f["opened"] = json!([])), &["invalid-receipt"]),
        ("no card seals", changed(&|f| f["card_seals"] = json!([])), &["invalid-receipt"]),
        ("an unknown member in an opening", changed(&|f| f["x"] = json!(1)), &["invalid-receipt"]),
        (
            "a salt in capitals",
            changed(&|f| f["opened"][0]["salt"] = json!("AA".repeat(16))),
            &["invalid-receipt"],
        ),
        (
            "a place that is a float",
            changed(&|f| f["opened"][0]["t"] = json!(0.5)),
            &["invalid-receipt"],
        ),
    ] {
        vectors.push(vector(name, &file, &key, codes));
    }
    let (_, receipt) = plain();
    let mut unsealed: Value = serde_json::from_str(&text).expect("JSON");
    unsealed["receipt"] = serde_json::to_value(receipt).expect("JSON");
    vectors.push(vector(
        "an opening of a deal that is not sealed",
        &unsealed.to_string(),
        &key,
        &["invalid-receipt"],
    ));
    vectors
}

/// Files forged afterwards: the tree or the signature shows it.
fn forged() -> Vec<Value> {
    let (log, receipt) = plain();
    let key = log.key().clone();
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut file = serde_json::to_value(&receipt).expect("JSON");
        change(&mut file);
        file.to_string()
    };
    let swap_cards = |f: &mut Value| {
        let entry = f["entries"][1]["entry"].as_str().expect("text").to_owned();
        let at = entry.find("\"cards\":\"").expect("cards") + 9;
        f["entries"][1]["entry"] = json!(format!(
            "{}{}{}{}",
            &entry[..at],
            &entry[at + 2..at + 4],
            &entry[at..at + 2],
            &entry[at + 4..]
        ));
    };
    let stranger = PaperLog::new("cards.example/log", 8).key().clone();
    let elsewhere = PaperLog::new("other.example/log", 7).key().clone();
    let wrong_signature = changed(&|f| {
        let note = f["checkpoint"].as_str().expect("text").replacen("\n3\n", "\n4\n", 1);
        f["checkpoint"] = json!(note);
    });
    vec![
        vector(
            "two cards swapped in the file",
            &changed(&swap_cards),
            &key,
            &["tree-mismatch", "result-mismatch"],
        ),
        vector(
            "a proof with a hash too few",
            &changed(&|f| drop(f["entries"][0]["proof"].as_array_mut().expect("an array").pop())),
            &key,
            &["tree-mismatch"],
        ),
        vector(
            "an entry at another place",
            &changed(&|f| {
                f["entries"].as_array_mut().expect("an array").pop();
                f["entries"][1]["index"] = json!(2);
            }),
            &key,
            &["tree-mismatch"],
        ),
        vector("another key", &receipt.to_text(), &stranger, &["bad-signature"]),
        vector(
            "another log's key",
            &receipt.to_text(),
            &elsewhere,
            &["bad-signature", "invalid-entry", "no-commitment", "no-commitment"],
        ),
        vector(
            "a checkpoint changed by hand",
            &wrong_signature,
            &key,
            &["bad-signature", "tree-mismatch"],
        ),
        vector(
            "a checkpoint that is no note",
            &changed(&|f| f["checkpoint"] = json!("trust me")),
            &key,
            &["bad-signature"],
        ),
        vector(
            "an entry dropped: the deal",
            &changed(&|f| drop(f["entries"].as_array_mut().expect("an array").remove(1))),
            &key,
            &[],
        ),
    ]
}

/// Files that are not receipts.
fn not_receipts() -> Vec<Value> {
    let (mut log, receipt) = plain();
    let key = log.key().clone();
    let text = receipt.to_text();
    let seed = counting_seed(6);
    let (c, commit) = log.commit(&seed, |c| c.after = Some(counting_seed(0).commitment()));
    let rounds =
        [log.deal(&commit, &seed.mac(), 0, CLIENTS), log.deal(&commit, &seed.mac(), 1, CLIENTS)];
    let two_rounds = log.receipt(&[c, rounds[0], rounds[1]]).to_text();
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut file = serde_json::to_value(&receipt).expect("JSON");
        change(&mut file);
        file.to_string()
    };
    let invalid: &[&str] = &["invalid-receipt"];
    let unreadable: &[&str] = &["unreadable"];
    let mut vectors = Vec::new();
    for (name, file, codes) in [
        ("an unknown member", changed(&|f| f["note"] = json!("x")), invalid),
        (
            "an unknown member of an entry",
            changed(&|f| f["entries"][0]["note"] = json!("x")),
            invalid,
        ),
        (
            "no checkpoint",
            changed(&|f| drop(f.as_object_mut().expect("an object").remove("checkpoint"))),
            invalid,
        ),
        ("another format", changed(&|f| f["format"] = json!("fairdeal/receipt/v2")), invalid),
        (
            "no format",
            changed(&|f| drop(f.as_object_mut().expect("an object").remove("format"))),
            invalid,
        ),
        (
            "entries in another order",
            changed(&|f| f["entries"].as_array_mut().expect("an array").swap(0, 1)),
            invalid,
        ),
        (
            "an entry twice",
            changed(&|f| {
                let again = f["entries"][1].clone();
                f["entries"].as_array_mut().expect("an array").insert(1, again);
            }),
            invalid,
        ),
        ("no entries", changed(&|f| f["entries"] = json!([])), invalid),
        (
            "an index under no checkpoint",
            changed(&|f| f["entries"][2]["index"] = json!(3)),
            invalid,
        ),
        ("an index that is text", changed(&|f| f["entries"][0]["index"] = json!("0")), invalid),
        ("an index that is a float", text.replacen("\"index\": 0", "\"index\": 0.0", 1), invalid),
        ("an index that is negative", changed(&|f| f["entries"][0]["index"] = json!(-1)), invalid),
        (
            "a proof that is not base64",
            changed(&|f| f["entries"][0]["proof"][0] = json!("?")),
            invalid,
        ),
        ("a proof of 31 bytes", changed(&|f| f["entries"][0]["proof"][0] = json!("AAAA")), invalid),
        ("a null entry", changed(&|f| f["entries"][0]["entry"] = Value::Null), invalid),
        ("entries of two rounds", two_rounds, invalid),
        ("JSON of another kind", "[1,2,3]".to_owned(), invalid),
        ("a number", "5".to_owned(), invalid),
        ("nothing", String::new(), unreadable),
        ("broken off in the middle", text[..text.len() / 2].to_owned(), unreadable),
        ("two receipts in one file", format!("{text}{text}"), unreadable),
        (
            "a member twice",
            text.replacen('{', "{\"format\":\"fairdeal/receipt/v1\",", 1),
            unreadable,
        ),
        (
            "a member of an entry twice",
            text.replacen("\"index\": 0", "\"index\": 0, \"index\": 0", 1),
            unreadable,
        ),
        ("two byte order marks", format!("\u{feff}\u{feff}{text}"), unreadable),
        (
            "UTF-16",
            text.encode_utf16()
                .map(|unit| char::from(unit as u8))
                .collect::<String>()
                .replacen('{', "\u{0}{", 1),
            unreadable,
        ),
        (
            "a number past all doubles",
            text.replacen("\"index\": 0", "\"index\": 1e400", 1),
            unreadable,
        ),
        ("half a surrogate pair", text.replacen("cards.example", "\\ud800", 1), unreadable),
        ("nested too deep", format!("{}{}", "[".repeat(128), "]".repeat(128)), unreadable),
    ] {
        vectors.push(vector(name, &file, &key, codes));
    }
    vectors
}
