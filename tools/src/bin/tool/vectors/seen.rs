//! Receipts with `seen` checkpoints: proved, not proved, contradicted; and `committed-first`.

use fairdeal::record::entry::{Entry, SeenCheckpoint};
use fairdeal::record::receipt::Receipt;
use serde_json::{Value, json};

use crate::vectors::judged::{Cases, changed, paper, put, shows, value_of};
use tools::paper::{PaperLog, Player, counting_seed, int, logged_clients, seeing};

pub fn receipts() -> Vec<Value> {
    let mut cases = Cases::new();
    proofs(&mut cases);
    sizes(&mut cases);
    roots(&mut cases);
    hashes(&mut cases);
    cases.vectors
}

/// Alice's `seen` is of a log of `before` other entries, the commit, and `after` more; then the log
/// continues.
fn seeing_log(before: u8, after: u8) -> (PaperLog, Receipt) {
    let (mut log, seed) = (paper(), counting_seed(0));
    for n in 0..before {
        log.append_bytes(&[n]);
    }
    let (c, commit) = log.commit(&seed, |_| {});
    for n in 0..after {
        log.append_bytes(&[n]);
    }
    let seen = log.seen();
    log.append_bytes(b"another's");
    let deal = log.deal_entry_of(&commit, &seed.mac(), 0, vec![seeing("alice", "lucky", &seen)]);
    let d = log.append(&Entry::Deal(Box::new(deal)));
    let r = log.reveal(&seed);
    log.append_bytes(b"another's");
    assert!(shows(&log, &[c, d, r], "committed-first"));
    let receipt = log.receipt(&[c, d, r]);
    (log, receipt)
}

fn proofs(cases: &mut Cases) {
    let (mut log, receipt) = seeing_log(0, 2);
    let mut edit = |name: &str, codes: &[&str], change: &dyn Fn(&mut Value)| {
        cases.file(name, &changed(&receipt, change), codes);
    };
    let tree: &[&str] = &["tree-mismatch"];
    let invalid: &[&str] = &["invalid-receipt"];
    edit("a checkpoint seen, with its proof", &[], &|_| {});
    edit("a checkpoint seen, without a proof", &[], &|f| {
        drop(f.as_object_mut().expect("object").remove("seen"));
    });
    edit("the proof of what was seen has another hash", tree, &|f| {
        f["seen"][0]["proof"][0] = f["seen"][0]["proof"][1].clone();
    });
    edit("the proof of what was seen is short", tree, &|f| {
        drop(f["seen"][0]["proof"].as_array_mut().expect("an array").pop());
    });
    edit("the proof of what was seen is long", tree, &|f| {
        let again = f["seen"][0]["proof"][0].clone();
        f["seen"][0]["proof"].as_array_mut().expect("an array").push(again);
    });
    edit("no proof of what was seen but its size and root", tree, &|f| {
        f["seen"][0]["proof"] = json!([]);
    });
    edit("what was seen is proved of another size", tree, &|f| f["seen"][0]["size"] = json!(2));
    edit("what was seen is proved of another root", tree, &|f| {
        f["seen"][0]["root"] = json!("ab".repeat(32));
    });
    edit("seen is empty", invalid, &|f| f["seen"] = json!([]));
    edit("seen is null", invalid, &|f| f["seen"] = Value::Null);
    edit("a seen of size 0", invalid, &|f| f["seen"][0]["size"] = json!(0));
    edit("a seen of a size over the checkpoint's", invalid, &|f| f["seen"][0]["size"] = json!(8));
    edit("a seen whose size is text", invalid, &|f| f["seen"][0]["size"] = json!("3"));
    edit("a seen without its proof", invalid, &|f| {
        drop(f["seen"][0].as_object_mut().expect("an object").remove("proof"));
    });
    edit("a seen with an unknown member", invalid, &|f| f["seen"][0]["signature"] = json!("AA=="));
    edit("a seen whose root is in base64", invalid, &|f| {
        f["seen"][0]["root"] = json!("A".repeat(43) + "=");
    });
    edit("a seen as an array", invalid, &|f| {
        let one = f["seen"][0].clone();
        f["seen"][0] = json!([one["size"], one["root"], one["proof"]]);
    });
    edit("one seen twice", invalid, &|f| {
        let again = f["seen"][0].clone();
        f["seen"].as_array_mut().expect("an array").push(again);
    });
    let more = |log: &PaperLog, sizes: &[u64]| {
        let proofs: Vec<Value> =
            sizes.iter().map(|size| value_of(&log.seen_proof(*size))).collect();
        changed(&receipt, |f| f["seen"] = json!(proofs))
    };
    let size = log.size();
    cases.file(
        "proofs of sizes that nobody names, the checkpoint's own too",
        &more(&log, &[1, 3, size]),
        &[],
    );
    cases.file("proofs in descending order", &more(&log, &[3, 1]), &["invalid-receipt"]);
    let two_wrong = changed(&receipt, |f| {
        let (mut one, mut other) = (f["seen"][0].clone(), f["seen"][0].clone());
        one["size"] = json!(1);
        other["size"] = json!(2);
        f["seen"] = json!([one, other]);
    });
    cases.file(
        "two wrong proofs are found one by one",
        &two_wrong,
        &["tree-mismatch", "tree-mismatch"],
    );
    // The same, with entries that are not in the tree either.
    log.append_bytes(b"more");
    let elsewhere = changed(&receipt, |f| {
        let note = log.checkpoint();
        f["checkpoint"] = json!(note);
    });
    let codes = ["tree-mismatch"; 4];
    cases.file("proofs of an older checkpoint than the file's", &elsewhere, &codes);
}

/// A `seen` ties a seed to the commitment if it covers the commit and came before the deal.
fn sizes(cases: &mut Cases) {
    for (name, size, codes, first) in [
        ("a checkpoint seen that ends before the commit", 2, &[][..], false),
        ("a checkpoint seen that ends with the commit", 3, &[], true),
        ("a checkpoint seen that ends just before the deal", 4, &[], true),
        ("a checkpoint seen that has the deal itself, and is proved", 5, &["split-view"], false),
    ] {
        let (mut log, seed) = (paper(), counting_seed(0));
        let foreign = |log: &mut PaperLog| {
            log.append_bytes(b"x");
        };
        foreign(&mut log);
        foreign(&mut log);
        let (c, commit) = log.commit(&seed, |_| {});
        let mut ahead = paper();
        for entry in log.entries() {
            ahead.append_bytes(entry);
        }
        foreign(&mut log);
        for n in 3..size {
            ahead.append_bytes(if n == 3 { b"x" } else { b"ahead" });
        }
        let seen = if size == 2 { first_of(&log, 2) } else { ahead.seen() };
        let deal =
            log.deal_entry_of(&commit, &seed.mac(), 0, vec![seeing("alice", "lucky", &seen)]);
        let d = log.append(&Entry::Deal(Box::new(deal)));
        let r = log.reveal(&seed);
        assert_eq!(shows(&log, &[c, d, r], "committed-first"), first, "{name}");
        cases.file(name, &log.receipt(&[c, d, r]).to_text(), codes);
    }
    let (mut log, seed) = (paper(), counting_seed(0));
    let (c, commit) = log.commit(&seed, |_| {});
    let seen = log.seen();
    let both = vec![seeing("alice", "lucky", &seen), seeing("bob", "seven", &seen)];
    let deal = log.deal_entry_of(&commit, &seed.mac(), 0, both);
    let d = log.append(&Entry::Deal(Box::new(deal)));
    let v = log.void(commit.commitment, None, None);
    cases.file("two who saw the same checkpoint", &log.receipt(&[c, d]).to_text(), &[]);
    cases.file(
        "what has no effect takes back nothing",
        &log.receipt(&[c, d, v]).to_text(),
        &["void-after-use"],
    );
}

/// The log's signature on its first entries.
fn first_of(log: &PaperLog, size: usize) -> SeenCheckpoint {
    let mut first = paper();
    for entry in log.entries().iter().take(size) {
        first.append_bytes(entry);
    }
    first.seen()
}

/// A checkpoint of a log with other entries, of this size.
fn forked(size: u8) -> SeenCheckpoint {
    let mut other = paper();
    for n in 0..size {
        other.append_bytes(&[n, n]);
    }
    other.seen()
}

fn roots(cases: &mut Cases) {
    let seed = counting_seed(0);
    let dealt = |log: &mut PaperLog, c: &fairdeal::record::entry::Commit, logged| {
        let deal = log.deal_entry_of(c, &seed.mac(), 0, logged);
        log.append(&Entry::Deal(Box::new(deal)))
    };
    cases.log("a root seen that contradicts the one proved", &["split-view"], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        log.append_bytes(b"x");
        let d = dealt(log, &commit, vec![seeing("alice", "lucky", &forked(2))]);
        vec![c, d, log.reveal(&seed)]
    });
    let (mut log, one) = (paper(), forked(2));
    let (c, commit) = log.commit(&seed, |_| {});
    log.append_bytes(b"x");
    let d = dealt(&mut log, &commit, vec![seeing("alice", "lucky", &one)]);
    let unproved = |receipt: &Receipt| {
        changed(receipt, |f| drop(f.as_object_mut().expect("object").remove("seen")))
    };
    let file = unproved(&log.receipt(&[c, d]));
    cases.file("the same root, where the file does not prove its own", &file, &[]);
    let (mut log, mut honest) = (paper(), None);
    let (c, commit) = log.commit(&seed, |_| {});
    log.append_bytes(b"x");
    honest.get_or_insert(log.seen());
    let other = vec![
        seeing("alice", "lucky", &one),
        seeing("bob", "seven", honest.as_ref().expect("seen")),
    ];
    let d = dealt(&mut log, &commit, other);
    let file = unproved(&log.receipt(&[c, d]));
    cases.file("two roots of one size in one entry, neither proved", &file, &["split-view"]);

    for (name, size, codes) in [
        (
            "two roots of one size in lock and deal, neither proved",
            2,
            &["split-view", "lock-mismatch"][..],
        ),
        (
            "the first root is of a size over its entry's index: it is held against nobody",
            4,
            &["split-view", "lock-mismatch"],
        ),
    ] {
        let mut log = paper();
        let (c, commit) = log.commit(&seed, |_| {});
        log.append_bytes(b"x");
        let own = log.seen();
        let l = log.lock(commit.commitment, 0, vec![seeing("alice", "lucky", &forked(size))]);
        log.append_bytes(b"y");
        let seen = if size == 2 { own } else { log.seen() };
        let d = dealt(&mut log, &commit, vec![seeing("alice", "lucky", &seen)]);
        assert_eq!(seen.size, int(u64::from(size)));
        cases.file(name, &unproved(&log.receipt(&[c, l, d])), codes);
    }
    for (name, change) in [
        ("a checkpoint seen under another key ID", 0_usize),
        ("a checkpoint seen whose signature is changed", 20),
    ] {
        cases.log(name, &["invalid-entry"], |log| {
            let (c, commit) = log.commit(&seed, |_| {});
            let mut signature = [0; 64];
            let mut id = log.key().id().to_bytes();
            let seen = log.seen();
            signature.copy_from_slice(&seen.signature.signature());
            if change == 0 {
                id[0] ^= 1;
            } else {
                signature[change] ^= 1;
            }
            let signature = fairdeal::record::entry::LogSignature::new(id, &signature);
            let other = SeenCheckpoint { signature, ..seen };
            vec![c, dealt(log, &commit, vec![seeing("alice", "lucky", &other)])]
        });
    }
    cases.log("a checkpoint seen whose signature is of another size", &["invalid-entry"], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let other = SeenCheckpoint { size: int(2), ..log.seen() };
        vec![c, dealt(log, &commit, vec![seeing("alice", "lucky", &other)])]
    });
}

fn hashes(cases: &mut Cases) {
    let seed = counting_seed(0);
    let players = [Player::new("alice", "lucky", 1), Player::new("bob", "seven", 2)];
    let locked = |log: &mut PaperLog, c| {
        log.lock(c, 0, players.iter().map(|player| player.hashed(&c, 0)).collect())
    };
    cases.log("one hash is opened and one is not: one came first", &["unopened-hash"], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let l = locked(log, commit.commitment);
        let d = log.deal_locked(&commit, &seed.mac(), 0, l, &players[1..]);
        vec![c, l, d, log.reveal(&seed)]
    });
    cases.log("a locked hash came first before its deal", &[], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        vec![c, locked(log, commit.commitment)]
    });
    cases.log("a hash whose deal ignores the lock did not come first", &["lock-mismatch"], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let l = locked(log, commit.commitment);
        let d = log.deal(&commit, &seed.mac(), 0, &[("alice", "lucky"), ("bob", "seven")]);
        vec![c, l, d]
    });
    cases.log("a hash beside a seed in the clear", &[], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let bob = logged_clients(&[("bob", "seven")]);
        let both = [vec![players[0].hashed(&commit.commitment, 0)], bob].concat();
        vec![c, log.lock(commit.commitment, 0, both)]
    });
    for (name, order, codes) in [
        ("hashes opened out of the lock's order", &["bob", "alice"][..], &["lock-mismatch"][..]),
        ("one hash opened twice alike", &["alice", "alice", "bob"], &["lock-mismatch"]),
        (
            "one hash opened twice, first as it should be",
            &["alice", "alice!", "bob"],
            &["lock-mismatch"],
        ),
        (
            "one hash opened twice, first with something else",
            &["alice!", "alice", "bob"],
            &["lock-mismatch", "unopened-hash"],
        ),
    ] {
        cases.log(name, codes, |log| {
            let (c, commit) = log.commit(&seed, |_| {});
            let l = locked(log, commit.commitment);
            log.deal_locked(&commit, &seed.mac(), 0, l, &players);
            let mut deal: Value = serde_json::from_slice(&log.entries()[2]).expect("JSON");
            let mut again = paper();
            again.append_bytes(&log.entries()[0]);
            again.append_bytes(&log.entries()[1]);
            let both = deal["opened"].as_array().expect("an array").clone();
            let opened = order.iter().map(|who| {
                let mut one = both[usize::from(who.starts_with('b'))].clone();
                if who.ends_with('!') {
                    one["seed"] = json!("another");
                }
                one
            });
            deal["opened"] = json!(opened.collect::<Vec<_>>());
            let d = put(&mut again, &deal);
            again.time = log.time;
            *log = again;
            vec![c, l, d, log.reveal(&seed)]
        });
    }
}
