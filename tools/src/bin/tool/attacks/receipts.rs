//! One receipt: what it does not prove, and JSON that is not a receipt.

use fairdeal::record::receipt::{Receipt, SeenProof};
use serde_json::{Value, json};

use crate::attacks::case::{Attack, verify};
use crate::logs::write::{BOTH, deal_cards, deal_of, log};
use tools::paper::{PaperLog, counting_seed, int, opening, seeing};

pub fn attacks() -> Vec<Attack> {
    [proofs(), forks(), files()].into_iter().flatten().collect()
}

/// A log of two rounds, in the second of which alice names a checkpoint, of this log or a fork; and
/// her round's receipt.
fn seeing_alice(forked: bool) -> (PaperLog, Receipt) {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| c.draw = int(5));
    let mut fork = crate::logs::write::log();
    fork.append_bytes(&log.entries()[0]);
    fork.append_bytes(b"{}");
    log.deal(&commit, &seed.mac(), 0, &[("bob", "seven")]);
    let seen = if forked { fork.seen() } else { log.seen() };
    deal_of(&mut log, &commit, &seed.mac(), 1, vec![seeing("alice", "lucky", &seen)]);
    log.reveal(&seed);
    let receipt = log.receipt(&[0, 2, 3]);
    (log, receipt)
}

/// The same receipt without the proof of alice's checkpoint.
fn unproved(receipt: &Receipt) -> Receipt {
    let mut receipt = receipt.clone();
    receipt.seen = None;
    receipt
}

/// A receipt whose proof that alice's checkpoint is of the log is changed.
fn proof(
    name: &'static str,
    about: &'static str,
    change: impl FnOnce(&PaperLog, &mut SeenProof),
) -> Attack {
    let (log, mut receipt) = seeing_alice(false);
    change(&log, &mut receipt.seen.as_mut().expect("a proof")[0]);
    verify(name, about, log.key())
        .file("receipt.json", receipt.to_text())
        .shows(&["replayed"])
        .not(&["committed-first", "authentic", "no-collusion"])
        .finds(["tree-mismatch"])
}

fn proofs() -> Vec<Attack> {
    let (log, receipt) = seeing_alice(false);
    let without = unproved(&receipt);
    vec![
        verify("seen-proved", "a checkpoint seen, with the proof that it is of the log", log.key())
            .file("receipt.json", receipt.to_text())
            .shows(&["logged", "replayed", "committed-first"])
            .holds(),
        verify(
            "seen-not-proved",
            "a checkpoint seen, without the proof that it is of the log",
            log.key(),
        )
        .file("receipt.json", without.to_text())
        .shows(&["logged", "replayed"])
        .not(&["committed-first", "authentic", "no-collusion"])
        .holds(),
        proof("seen-proof-wrong", "a proof of another tree", |log, seen| {
            seen.proof[0] = log.root_at(1);
        }),
        proof("seen-proof-short", "a proof that is cut off", |_, seen| {
            seen.proof.pop();
        }),
        proof("seen-proof-long", "a proof with a hash too many", |_, seen| {
            seen.proof.push(seen.proof[0]);
        }),
        proof(
            "seen-proof-of-another-size",
            "the proof and the root of another size",
            |log, seen| {
                *seen = SeenProof { size: seen.size, ..log.seen_proof(3) };
            },
        ),
    ]
}

fn forks() -> Vec<Attack> {
    let (log, receipt) = seeing_alice(true);
    let without = unproved(&receipt);
    vec![
        verify(
            "seen-forked",
            "the receipt proves another root at the size of alice's checkpoint",
            log.key(),
        )
        .file("receipt.json", receipt.to_text())
        .shows(&["logged", "replayed"])
        .not(&["committed-first", "authentic", "no-collusion"])
        .finds(["split-view 2"]),
        verify(
            "seen-forked-unproved",
            "alice's checkpoint is a fork's, and nothing is proved",
            log.key(),
        )
        .file("receipt.json", without.to_text())
        .shows(&["logged", "replayed"])
        .not(&["committed-first", "authentic", "no-collusion"])
        .holds(),
    ]
}

/// A file, changed as JSON.
fn changed(text: &str, change: impl FnOnce(&mut Value)) -> String {
    let mut value = serde_json::from_str(text).expect("JSON");
    change(&mut value);
    format!("{value:#}\n")
}

fn files() -> Vec<Attack> {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| {
        c.draw = int(5);
        c.sealed = true;
    });
    log.deal(&commit, &seed.mac(), 0, BOTH);
    let receipt = log.receipt(&[0, 1]);
    let text = receipt.to_text();
    let opened = opening(receipt.clone(), &commit, &seed.mac(), 0, BOTH, &[0]).to_text();
    let twice = text.replacen("\"checkpoint\":", "\"checkpoint\": \"\",\n  \"checkpoint\":", 1);
    let mut invented = crate::logs::write::log();
    let (_, commit) = invented.commit(&seed, |c| c.draw = int(2));
    deal_cards(&mut invented, &commit, &seed.mac(), 0, "AsAs");
    vec![
        verify(
            "duplicate-member",
            "a receipt with two checkpoints, of which each reader takes another",
            log.key(),
        )
        .text("receipt.json", &twice)
        .not_judged(),
        verify("array-for-object-entry", "an entry of a receipt as an array", log.key())
            .file(
                "receipt.json",
                changed(&text, |file| {
                    let one = &file["entries"][0];
                    file["entries"][0] = json!([one["index"], one["entry"], one["proof"]]);
                }),
            )
            .finds(["invalid-receipt"]),
        verify("array-for-object-receipt", "an opening whose receipt is an array", log.key())
            .file(
                "opening.json",
                changed(&opened, |file| {
                    let one = &file["receipt"];
                    file["receipt"] = json!([one["format"], one["entries"], one["checkpoint"]]);
                }),
            )
            .finds(["invalid-receipt"]),
        verify("impossible-in-a-receipt", "the ace of spades twice, before any reveal", log.key())
            .file("receipt.json", invented.receipt(&[0, 1]).to_text())
            .shows(&["logged"])
            .finds(["result-mismatch 1"]),
    ]
}
