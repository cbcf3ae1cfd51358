//! Rules that no other receipt holds down: each case fails if its rule is left out.

use fairdeal::log::Note;
use fairdeal::record::entry::{BeaconTerms, Entry, Layout, Mixing, Reveal};
use serde_json::{Value, json};

use crate::vectors::judged::{Cases, Reader, changed, paper, put, value_of};
use crate::vectors::readers::{sign, signer};
use crate::vectors::verdicts::CLIENTS;
use tools::brought::{kept, round_of, with};
use tools::paper::{PaperLog, Player, counting_seed, int, label, logged_clients, seeing};

pub fn receipts() -> Vec<Value> {
    let mut cases = Cases::new();
    locks(&mut cases);
    views(&mut cases);
    places(&mut cases);
    readers(&mut cases);
    beside_another_protocol(&mut cases);
    cases.vectors
}

fn locks(cases: &mut Cases) {
    let seed = counting_seed(0);
    let alice = [Player::new("alice", "lucky", 1)];
    cases.log(
        "a wrong reveal has no effect, and the lock before it is still open",
        &["seed-mismatch"],
        |log| {
            let (c, commit) = log.commit(&seed, |_| {});
            let l = log.lock(commit.commitment, 0, vec![alice[0].hashed(&commit.commitment, 0)]);
            let mut wrong = value_of(&Reveal::new(&counting_seed(9), log.tick()));
            wrong["commitment"] = json!(commit.commitment);
            let r = put(log, &wrong);
            vec![c, l, r, log.deal_locked(&commit, &seed.mac(), 0, l, &alice)]
        },
    );
    cases.log("a void that blames, and the lock is left out", &[], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        log.lock(commit.commitment, 0, vec![alice[0].hashed(&commit.commitment, 0)]);
        vec![c, log.void(commit.commitment, Some(0), Some("alice"))]
    });
    cases.log(
        "a deal of unsigned seeds that ignores its signed lock",
        &["weak-mixing", "lock-mismatch"],
        |log| {
            let (c, commit) = log.commit(&seed, |c| c.signed = true);
            let one = sign(&signer(1), &commit, 0, alice[0].hashed(&commit.commitment, 0));
            let l = log.lock(commit.commitment, 0, vec![one]);
            vec![c, l, log.deal(&commit, &seed.mac(), 0, CLIENTS)]
        },
    );
    cases.log(
        "a deal that names another entry as its lock, without the beacon's signature",
        &["beacon-signature", "lock-mismatch"],
        |log| {
            let (c, commit) = log.commit(&seed, |c| {
                c.mixing = Mixing::Beacon;
                let chain = fairdeal::deal::Digest::from_bytes([0x52; 32]);
                c.beacon = Some(BeaconTerms { chain, margin: int(0) });
            });
            let commitment = commit.commitment;
            let lock = json!({
                "beacon": 1000, "commitment": commitment, "entry": "lock", "nonce": 0,
                "time": log.tick(),
            });
            let l = put(log, &lock);
            let mut deal = value_of(&log.deal_entry(&commit, &seed.mac(), 0, CLIENTS));
            deal.as_object_mut().expect("an object").remove("contributions");
            deal["lock"] = json!(c);
            vec![c, l, put(log, &deal)]
        },
    );
}

fn views(cases: &mut Cases) {
    let seed = counting_seed(0);
    // Alice names the root that the log has after her own entry, as only its writer can know it.
    let ahead = |log: &mut PaperLog| {
        let (c, commit) = log.commit(&seed, |_| {});
        log.append_bytes(b"x");
        let mut later = paper();
        log.entries().iter().for_each(|entry| {
            later.append_bytes(entry);
        });
        (c, commit, later)
    };
    let mut log = paper();
    let (c, commit, mut later) = ahead(&mut log);
    later.append_bytes(b"y");
    let deal =
        log.deal_entry_of(&commit, &seed.mac(), 0, vec![seeing("alice", "lucky", &later.seen())]);
    let d = log.append(&deal.into());
    log.append_bytes(b"z");
    let mut receipt = log.receipt(&[c, d]);
    receipt.seen = Some(vec![log.seen_proof(3)]);
    // The proved root at that size is another: only the size is compared here.
    cases.file("a view larger than the log before its entry", &receipt.to_text(), &["split-view"]);
    let (_, receipt) = {
        let mut log = paper();
        let (c, commit) = log.commit(&seed, |_| {});
        let mut fork = paper();
        fork.append_bytes(b"fork");
        let seen = vec![seeing("alice", "lucky", &fork.seen())];
        let deal = log.deal_entry_of(&commit, &seed.mac(), 0, seen);
        let d = log.append(&deal.into());
        (c, log.receipt(&[c, d]))
    };
    let stranger = PaperLog::new(tools::paper::ORIGIN, 8);
    let unsigned = changed(&receipt, |file| {
        let note = file["checkpoint"].as_str().expect("text");
        let text = format!("{}\n", note.split_once("\n\n").expect("a note").0);
        let note = Note::sign(&text, &[&stranger.signer]).expect("a note");
        file["checkpoint"] = json!(note.to_text());
    });
    cases.file(
        "a proof under a checkpoint of another key still shows another root",
        &unsigned,
        &["bad-signature", "split-view"],
    );
}

fn places(cases: &mut Cases) {
    let seed = counting_seed(0);
    let layout = || Layout { board: None, burn: None, hand: int(2) };
    let alice = [Player::new("alice", "lucky", 1)];
    let hashed = |log: &mut PaperLog| {
        let (c, commit) = log.commit(&seed, |c| {
            (c.draw, c.mixing, c.layout) = (int(4), Mixing::Hashes, Some(layout()));
        });
        let mut lock = fairdeal::record::entry::Lock::new(
            commit.commitment,
            tools::paper::nonce(0),
            vec![alice[0].hashed(&commit.commitment, 0)],
            log.tick(),
        );
        lock.seats = Some(vec![label("bob"), label("alice")]);
        let l = log.append(&Entry::Lock(Box::new(lock)));
        (c, commit, l)
    };
    let mine = || Reader::brought([kept(&alice[0], &seed.commitment(), 0)]);
    let mut log = paper();
    let (c, commit, l) = hashed(&mut log);
    let d = log.deal_locked(&commit, &seed.mac(), 0, l, &alice);
    let r = log.reveal(&seed);
    let receipt = log.receipt(&[c, l, d, r]);
    cases.file_for(&mine(), "seats of a lock with the reader's hash", &receipt.to_text(), &[]);
    let unsigned = changed(&receipt, |file| {
        let note = file["checkpoint"].as_str().expect("text").replacen("\n4\n", "\n5\n", 1);
        file["checkpoint"] = json!(note);
    });
    cases.file_for(
        &mine(),
        "the same under a checkpoint that is not signed: the seats are not shown",
        &unsigned,
        &["bad-signature", "tree-mismatch", "tree-mismatch", "tree-mismatch", "tree-mismatch"],
    );
    cases.log(
        "a deal that ignores its lock takes the lock's seats",
        &["weak-mixing", "lock-mismatch"],
        |log| {
            let (c, commit, l) = hashed(log);
            let mut deal =
                log.deal_entry_of(&commit, &seed.mac(), 0, logged_clients(&[("alice", "lucky")]));
            deal.seats = Some(vec![label("alice"), label("bob")]);
            vec![c, l, log.append(&deal.into())]
        },
    );
}

/// The player's key signs a hash, and the hash covers the `seen`.
fn readers(cases: &mut Cases) {
    let seed = counting_seed(0);
    let alice = Player::new("alice", "lucky", 1);
    let (mut scratch, by) = (paper(), signer(1));
    let (_, commit) = scratch.commit(&seed, |c| c.mixing = Mixing::Hashes);
    let own = sign(&by, &commit, 0, alice.hashed(&commit.commitment, 0));
    let mine = with(value_of(&own), &json!({ "seed": "lucky", "blind": alice.blind.to_text() }));
    let reader = Reader::brought([with(mine, &round_of(&commit.commitment, 0))]);
    for (name, attached, codes) in [
        ("locked as the reader hashed and signed it", false, &[][..]),
        ("a checkpoint is attached to the hash that the reader signed", true, &[]),
    ] {
        cases.log_for(&reader, name, codes, |log| {
            let (c, commit) = log.commit(&seed, |c| c.mixing = Mixing::Hashes);
            let mut one = own.clone();
            one.seen = attached.then(|| log.seen());
            vec![c, log.lock(commit.commitment, 0, vec![one])]
        });
    }
}

/// An honest log may hold entries of another protocol: nobody may put them into a receipt.
fn beside_another_protocol(cases: &mut Cases) {
    let seed = counting_seed(0);
    let other = counting_seed(9).commitment();
    let mut log = paper();
    let foreign = json!({
        "commitment": other, "entry": "commit", "protocol": "fairdeal/v2", "time": log.time,
    });
    let x = put(&mut log, &foreign);
    let (c, commit) = log.commit(&seed, |_| {});
    let roll = put(&mut log, &json!({ "commitment": other, "entry": "roll" }));
    let d = log.deal(&commit, &seed.mac(), 0, CLIENTS);
    let own = log.receipt(&[c, d]).to_text();
    cases.file("a receipt out of a log with another protocol", &own, &[]);
    let theirs = log.receipt(&[x, roll]).to_text();
    cases.file("a receipt of another protocol's entries", &theirs, &[]);
    let put_in = log.receipt(&[c, roll, d]).to_text();
    cases.file("an entry of another protocol, put in", &put_in, &["invalid-receipt"]);
}
