//! Receipts of logs whose operator cheats.

use fairdeal::deal::{Deck, Digest};
use fairdeal::record::entry::{Entry, Mixing};
use serde_json::{Value, json};

use crate::vectors::judged::vector;
use crate::vectors::verdicts::CLIENTS;
use tools::paper::{PaperLog, Player, counting_seed, int};

/// Logs whose operator cheats: everything is signed and included, and only the rules find it.
pub fn cheated() -> Vec<Value> {
    let mut vectors = Vec::new();
    let key = PaperLog::new("cards.example/log", 7).key().clone();
    let mut run = |name: &str, codes: &[&str], write: &dyn Fn(&mut PaperLog) -> Vec<u64>| {
        let mut log = PaperLog::new("cards.example/log", 7);
        let indices = write(&mut log);
        vectors.push(vector(name, &log.receipt(&indices).to_text(), &key, codes));
    };
    let (seed, other) = (counting_seed(0), counting_seed(9));
    run("a card is another than the seeds give", &["result-mismatch"], &|log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let mut deal = log.deal_entry(&commit, &seed.mac(), 0, CLIENTS);
        let cards = deal.result.cards.as_ref().expect("cards").as_str();
        let swapped = format!("{}{}{}", &cards[2..4], &cards[..2], &cards[4..]);
        deal.result.cards = Some(fairdeal::record::entry::Cards::new(swapped).expect("cards"));
        let d = log.append(&Entry::Deal(Box::new(deal)));
        vec![c, d, log.reveal(&seed)]
    });
    run("a card too few", &["result-mismatch"], &|log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let mut deal = log.deal_entry(&commit, &seed.mac(), 0, CLIENTS);
        let cards = deal.result.cards.as_ref().expect("cards").as_str();
        deal.result.cards = Some(fairdeal::record::entry::Cards::new(&cards[2..]).expect("cards"));
        let d = log.append(&Entry::Deal(Box::new(deal)));
        vec![c, d, log.reveal(&seed)]
    });
    run("a result in another form", &["result-mismatch"], &|log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let mut deal = log.deal_entry(&commit, &seed.mac(), 0, CLIENTS);
        deal.result.cards = None;
        deal.result.seal = Some(Digest::from_bytes([0; 32]));
        let d = log.append(&Entry::Deal(Box::new(deal)));
        vec![c, d]
    });
    run("a seed that does not open the commitment", &["seed-mismatch"], &|log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let d = log.deal(&commit, &seed.mac(), 0, CLIENTS);
        let mut reveal: Value = serde_json::from_slice(&{
            let mut other_log = PaperLog::new("cards.example/log", 7);
            other_log.time = log.time;
            other_log.reveal(&other);
            other_log.entries()[0].clone()
        })
        .expect("JSON");
        reveal["commitment"] = json!(seed.commitment().to_text());
        vec![c, d, log.append_bytes(fairdeal::record::json::to_canonical(&reveal).as_bytes())]
    });
    run("a deal after the reveal", &["after-reveal"], &|log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let r = log.reveal(&seed);
        vec![c, r, log.deal(&commit, &seed.mac(), 0, CLIENTS)]
    });
    run("a deal after a whole void", &["after-void"], &|log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let v = log.void(commit.commitment, None, None);
        vec![c, v, log.deal(&commit, &seed.mac(), 0, CLIENTS)]
    });
    run("a used commitment voided", &["void-after-use"], &|log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let d = log.deal(&commit, &seed.mac(), 0, CLIENTS);
        vec![c, d, log.void(commit.commitment, None, None)]
    });
    run("one round dealt twice", &["nonce-gap"], &|log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let first = log.deal(&commit, &seed.mac(), 0, CLIENTS);
        let second = log.deal(&commit, &seed.mac(), 0, &[("alice", "other")]);
        vec![c, first, second, log.reveal(&seed)]
    });
    run("a round past the last", &["too-many-rounds"], &|log| {
        let (c, commit) = log.commit(&seed, |c| c.rounds = int(3));
        vec![c, log.deal(&commit, &seed.mac(), 3, CLIENTS)]
    });
    run("a locked round and the reveal: what answered the lock may be left out", &[], &|log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let l = log.lock(commit.commitment, 0, tools::paper::logged_clients(CLIENTS));
        vec![c, l, log.reveal(&seed)]
    });
    run("a late reveal", &["late-reveal"], &|log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let d = log.deal(&commit, &seed.mac(), 0, CLIENTS);
        log.time += 86_400_000;
        vec![c, d, log.reveal(&seed)]
    });
    run("time that runs back", &["time-runs-back"], &|log| {
        let (c, commit) = log.commit(&seed, |_| {});
        log.time -= 5000;
        vec![c, log.deal(&commit, &seed.mac(), 0, CLIENTS)]
    });
    run("a deal under hashes without a lock", &["weak-mixing"], &|log| {
        let (c, commit) = log.commit(&seed, |c| c.mixing = Mixing::Hashes);
        vec![c, log.deal(&commit, &seed.mac(), 0, CLIENTS)]
    });
    run("a clear seed in a lock under hashes", &["weak-mixing"], &|log| {
        let (c, commit) = log.commit(&seed, |c| c.mixing = Mixing::Hashes);
        vec![c, log.lock(commit.commitment, 0, tools::paper::logged_clients(CLIENTS))]
    });
    let players = [Player::new("alice", "lucky", 1), Player::new("bob", "seven", 2)];
    run("a receipt that leaves the lock out", &["invalid-receipt"], &|log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let l = log.lock(
            commit.commitment,
            0,
            players.iter().map(|p| p.hashed(&commit.commitment, 0)).collect(),
        );
        let d = log.deal_locked(&commit, &seed.mac(), 0, l, &players);
        vec![c, d, log.reveal(&seed)]
    });
    run("a deal that ignores its lock", &["lock-mismatch"], &|log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let l = log.lock(
            commit.commitment,
            0,
            players.iter().map(|p| p.hashed(&commit.commitment, 0)).collect(),
        );
        let d = log.deal(&commit, &seed.mac(), 0, CLIENTS);
        vec![c, l, d, log.reveal(&seed)]
    });
    run("a hash that is not opened", &["unopened-hash"], &|log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let l = log.lock(
            commit.commitment,
            0,
            players.iter().map(|p| p.hashed(&commit.commitment, 0)).collect(),
        );
        let d = log.deal_locked(&commit, &seed.mac(), 0, l, &players[..1]);
        vec![c, l, d, log.reveal(&seed)]
    });
    run("a hash opened with something else", &["unopened-hash"], &|log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let l = log.lock(
            commit.commitment,
            0,
            players.iter().map(|p| p.hashed(&commit.commitment, 0)).collect(),
        );
        let changed = [Player::new("alice", "lucky", 1), Player::new("bob", "eight", 2)];
        let d = log.deal_locked(&commit, &seed.mac(), 0, l, &changed);
        vec![c, l, d, log.reveal(&seed)]
    });
    run("a hash of another round", &["unopened-hash"], &|log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let l = log.lock(
            commit.commitment,
            0,
            players.iter().map(|p| p.hashed(&commit.commitment, 1)).collect(),
        );
        let d = log.deal_locked(&commit, &seed.mac(), 0, l, &players);
        vec![c, l, d]
    });
    run("a deal that opens what was not hashed", &["lock-mismatch"], &|log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let l = log.lock(commit.commitment, 0, vec![players[0].hashed(&commit.commitment, 0)]);
        let d = log.deal_locked(&commit, &seed.mac(), 0, l, &players);
        vec![c, l, d]
    });
    for (name, size) in [
        ("a player who has seen a larger log than there was", 9_u8),
        ("a player who has seen one entry too many", 2),
    ] {
        run(name, &["split-view"], &|log| {
            let (c, commit) = log.commit(&seed, |_| {});
            let mut ahead = PaperLog::new("cards.example/log", 7);
            for n in 0..size {
                ahead.append_bytes(&[n]);
            }
            let mut deal = log.deal_entry(&commit, &seed.mac(), 0, CLIENTS);
            deal.contributions.as_mut().expect("clear")[0].seen = Some(ahead.seen());
            deal.result = fairdeal::record::replay::deal_round(
                &commit,
                &seed.mac(),
                deal.nonce,
                &tools::paper::mixed(deal.contributions()),
            )
            .expect("legal")
            .form;
            let d = log.append(&Entry::Deal(Box::new(deal)));
            vec![c, d, log.reveal(&seed)]
        });
    }
    run("a checkpoint seen that this log never signed", &["invalid-entry"], &|log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let mut stranger = PaperLog::new("cards.example/log", 8);
        stranger.append_bytes(b"x");
        let mut deal = log.deal_entry(&commit, &seed.mac(), 0, CLIENTS);
        deal.contributions.as_mut().expect("clear")[0].seen = Some(stranger.seen());
        vec![c, log.append(&Entry::Deal(Box::new(deal)))]
    });
    run("blame on somebody who was not there", &["invalid-entry"], &|log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let l = log.lock(commit.commitment, 0, tools::paper::logged_clients(CLIENTS));
        vec![c, l, log.void(commit.commitment, Some(0), Some("eve"))]
    });
    run("a commit for another log", &["invalid-entry", "no-commitment"], &|log| {
        let (c, commit) = log.commit(&seed, |c| {
            c.origin = fairdeal::record::entry::Origin::new("other.example/log").expect("legal");
        });
        vec![c, log.deal(&commit, &seed.mac(), 0, CLIENTS)]
    });
    run("a receipt without its commit", &["invalid-receipt"], &|log| {
        let (_, commit) = log.commit(&seed, |_| {});
        let d = log.deal(&commit, &seed.mac(), 0, CLIENTS);
        vec![d, log.reveal(&seed)]
    });
    run("another commitment's reveal", &["invalid-receipt"], &|log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let d = log.deal(&commit, &seed.mac(), 0, CLIENTS);
        vec![c, d, log.reveal(&other)]
    });
    run("an entry that is no entry", &["not-canonical"], &|log| {
        let (c, _) = log.commit(&seed, |_| {});
        vec![c, log.append_bytes(b"{ }")]
    });
    run("a beacon's deal that its claimed signature does not give", &["result-mismatch"], &|log| {
        let (c, commit) = log.commit(&seed, |c| {
            c.mixing = Mixing::Beacon;
            c.beacon = Some(fairdeal::record::entry::BeaconTerms {
                chain: Digest::from_bytes([0x52; 32]),
                margin: int(0),
            });
        });
        let commitment = commit.commitment.to_text();
        let time = log.time + 1;
        let l = log.append_bytes(
            format!("{{\"beacon\":1000,\"commitment\":\"{commitment}\",\"entry\":\"lock\",\"nonce\":0,\"time\":{time}}}").as_bytes());
        let cards = Deck::standard().text_of(&(0..52).collect::<Vec<u32>>()).expect("cards");
        let d = log.append_bytes(format!(
            "{{\"beacon\":\"{}\",\"commitment\":\"{commitment}\",\"entry\":\"deal\",\"lock\":{l},\"nonce\":0,\"result\":{{\"cards\":\"{cards}\"}},\"time\":{time}}}",
            "8f".repeat(48)).as_bytes());
        vec![c, l, d, log.reveal(&seed)]
    });
    vectors
}
