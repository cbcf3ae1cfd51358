//! One commitment in two logs, and two views of one log under checkpoints of different sizes.

use fairdeal::record::entry::{LoggedContribution, Mixing, RoundOf};
use serde_json::{Value, json};

use crate::attacks::case::{Attack, audit, verify};
use crate::logs::write::log;
use tools::brought::{kept, with};
use tools::paper::{ORIGIN, PaperLog, Player, counting_seed, int, nonce};

pub fn attacks() -> Vec<Attack> {
    let mut attacks = taken_along();
    attacks.extend(views());
    attacks
}

/// Alice hashed and opened her seed in log A, which voids the round. In log B, which has the same
/// commitment, the operator locks this hash beside a seed of its own that it searched for.
fn taken_along() -> Vec<Attack> {
    let logs = [PaperLog::new("cards.example/other", 7), PaperLog::new(ORIGIN, 8)];
    let alice = Player::new("alice", "lucky", 1);
    let house = Player::new("house", "searched for", 2);
    let mut attacks = Vec::new();
    for (other, [in_log, in_receipt]) in logs.into_iter().zip([
        ["hash-in-another-log", "hash-in-another-log-receipt"],
        ["hash-under-another-key", "hash-under-another-key-receipt"],
    ]) {
        let (mut log, seed) = (other, counting_seed(0));
        let (_, commit) = log.commit(&seed, |c| {
            (c.draw, c.mixing) = (int(5), Mixing::Hashes);
        });
        let c = commit.commitment;
        let round = RoundOf { log: log.key(), commitment: c, nonce: nonce(0) };
        let hash = round.hash(&house.contribution(), &house.blind);
        let searched = LoggedContribution::promised(house.from.clone(), hash, None);
        let lock = log.lock(c, 0, vec![alice.hashed(&c, 0), searched]);
        let players = [Player::new("alice", "lucky", 1), Player::new("house", "searched for", 2)];
        log.deal_locked(&commit, &seed.mac(), 0, lock, &players);
        log.reveal(&seed);
        let about = "alice's hash for one log is dealt in another that has the same commitment";
        attacks.push(audit(in_log, about, &log).finds(["unopened-hash 2"]));
        let about =
            "the same as a receipt, beside what alice kept: it names the log that she knows";
        attacks.push(
            verify(in_receipt, about, log.key())
                .file("receipt.json", log.receipt(&[0, 1, 2, 3]).to_text())
                .mine(&kept(&alice, &c, 0))
                .shows(&["logged"])
                .not(&["replayed", "committed-first", "yours", "authentic", "no-collusion"])
                .is("caught")
                .finds(["unopened-hash 2"]),
        );
    }
    attacks
}

/// A player saw a view of the log, and is later shown a larger one that does not continue it.
fn views() -> Vec<Attack> {
    let (mut hers, seed) = (log(), counting_seed(0));
    let (_, commit) = hers.commit(&seed, |c| c.draw = int(5));
    let mut his = log();
    his.append_bytes(&hers.entries()[0]);
    hers.deal(&commit, &seed.mac(), 0, &[("alice", "lucky")]);
    let mut honest = log();
    for entry in hers.entries() {
        honest.append_bytes(entry);
    }
    for log in [&mut his, &mut honest] {
        log.time = hers.time;
        log.deal(&commit, &seed.mac(), 1, &[("bob", "seven")]);
        log.append_bytes(b"more");
    }
    let head = |log: &PaperLog, seen: &[u64]| {
        let head = json!({ "checkpoint": log.checkpoint() });
        let proofs: Vec<Value> = seen.iter().map(|size| json!(log.seen_proof(*size))).collect();
        if seen.is_empty() { head } else { with(head, &json!({ "seen": proofs })) }
    };
    let file = json!({ "name": "promise", "file": hers.receipt(&[0]) });
    let case = |name, about, heads: [Value; 2]| {
        let evidence = json!({
            "format": "fairdeal/evidence/v1", "key": "", "files": [file], "mine": [],
            "since": heads, "findings": [],
        });
        verify(name, about, hers.key()).file("evidence.json", evidence.to_string())
    };
    let size = hers.size();
    vec![
        case(
            "fork-of-two-sizes",
            "the larger view proves another root at the size of the view that was kept",
            [head(&hers, &[]), head(&his, &[size])],
        )
        .is("caught")
        .finds(["inconsistent"]),
        case(
            "fork-of-two-sizes-unproved",
            "the same two views, and nobody proves what the larger tree was before",
            [head(&hers, &[]), head(&his, &[])],
        )
        .holds(),
        case(
            "view-that-continues",
            "a larger view that continues the one that was kept, with the proof",
            [head(&hers, &[]), head(&honest, &[size])],
        )
        .holds(),
    ]
}
