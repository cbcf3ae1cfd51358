//! Rounds with a beacon.

use fairdeal::deal::{Contributions, Digest, DrandRandomness};
use fairdeal::record::entry::{BeaconTerms, Commit, Mixing};
use fairdeal::record::replay::deal_round;
use serde_json::json;
use tools::paper::{PaperLog, Player, counting_seed, int, logged_clients, nonce};

use super::MISMATCH;
use crate::vectors::judged::{Cases, put, value_of};
use crate::vectors::verdicts::CLIENTS;

/// A round with a beacon: the members of its lock and its deal.
struct Beacon<'a> {
    mixing: Mixing,
    clients: &'a [(&'a str, &'a str)],
    round: Option<u64>,
    signature: Option<usize>,
    result: Option<&'a str>,
}

fn beacon_terms(commit: &mut Commit, mixing: Mixing) {
    commit.mixing = mixing;
    commit.draw = int(5);
    if mixing == Mixing::Beacon {
        commit.beacon = Some(BeaconTerms { chain: Digest::from_bytes([0x52; 32]), margin: int(0) });
    }
}

fn beacon_log(log: &mut PaperLog, of: &Beacon<'_>) -> Vec<u64> {
    let seed = counting_seed(0);
    let (c, commit) = log.commit(&seed, |commit| beacon_terms(commit, of.mixing));
    let (commitment, time) = (commit.commitment.to_text(), log.tick().value());
    let mut lock = json!({ "commitment": commitment, "entry": "lock", "nonce": 0, "time": time });
    if !of.clients.is_empty() {
        lock["contributions"] = value_of(&logged_clients(of.clients));
    }
    if let Some(round) = of.round {
        lock["beacon"] = json!(round);
    }
    let l = put(log, &lock);
    let clients = logged_clients(of.clients);
    let clients =
        clients.iter().map(|one| one.with_seed(one.seed.clone().expect("clear"))).collect();
    let signature = vec![0x8f; of.signature.unwrap_or(48)];
    let mixed = if of.signature.is_some() {
        Contributions::with_drand(clients, DrandRandomness::of_signature(&signature))
    } else {
        Contributions::of_clients(clients)
    };
    let replayed = || {
        let form =
            deal_round(&commit, &seed.mac(), nonce(0), &mixed.expect("legal")).expect("legal").form;
        form.cards.expect("cards").as_str().to_owned()
    };
    let cards = of.result.map_or_else(replayed, str::to_owned);
    let mut deal = json!({ "commitment": commitment, "entry": "deal", "lock": l, "nonce": 0, "result": { "cards": cards },
        "time": time });
    if of.signature.is_some() {
        deal["beacon"] = json!(hex::encode(&signature));
    }
    let d = put(log, &deal);
    vec![c, l, d, log.reveal(&seed)]
}

pub(super) fn judged(cases: &mut Cases) {
    let good = Beacon {
        mixing: Mixing::Beacon,
        clients: &[],
        round: Some(1000),
        signature: Some(48),
        result: None,
    };
    let signature = &["beacon-signature"];
    for (name, of, codes) in [
        ("a beacon's deal is replayed, and shows nothing", Beacon { ..good }, &[][..]),
        (
            "a beacon's signature of 96 bytes",
            Beacon { signature: Some(96), ..good },
            &["invalid-entry"],
        ),
        ("a beacon and clients", Beacon { clients: CLIENTS, ..good }, &[]),
        (
            "a beacon's deal that does not follow",
            Beacon { result: Some("2c3c4c5c6c"), ..good },
            MISMATCH,
        ),
        (
            "a beacon's deal of an impossible result",
            Beacon { result: Some("2c3c4c5c2c"), ..good },
            MISMATCH,
        ),
        (
            "a beacon's signature is missing",
            Beacon { signature: None, clients: CLIENTS, ..good },
            signature,
        ),
        (
            "a beacon's signature is missing, and the result is impossible",
            Beacon { signature: None, result: Some("2c3c4c5c2c"), ..good },
            &["beacon-signature", "result-mismatch"],
        ),
        (
            "a beacon's lock names no round",
            Beacon { round: None, signature: None, clients: CLIENTS, ..good },
            &["weak-mixing"],
        ),
        (
            "a beacon's signature, where the lock names no round",
            Beacon { round: None, clients: CLIENTS, ..good },
            &["weak-mixing", "beacon-signature"],
        ),
        (
            "a beacon's round where seeds are mixed",
            Beacon { mixing: Mixing::Seeds, clients: CLIENTS, ..good },
            &["invalid-entry", "invalid-entry"],
        ),
    ] {
        cases.log(name, codes, |log| beacon_log(log, &of));
    }
    let seed = counting_seed(0);
    cases.log("a beacon's deal without a lock", &["weak-mixing"], |log| {
        let (c, commit) = log.commit(&seed, |commit| beacon_terms(commit, Mixing::Beacon));
        vec![c, log.deal(&commit, &seed.mac(), 0, CLIENTS)]
    });
    cases.log("a hash in a beacon's lock", &["weak-mixing"], |log| {
        let (c, commit) = log.commit(&seed, |commit| beacon_terms(commit, Mixing::Beacon));
        let time = log.tick().value();
        let alice = Player::new("alice", "lucky", 1).hashed(&commit.commitment, 0);
        let lock = json!({ "beacon": 1, "commitment": commit.commitment.to_text(), "contributions": [value_of(&alice)],
            "entry": "lock", "nonce": 0, "time": time });
        vec![c, put(log, &lock)]
    });
}
