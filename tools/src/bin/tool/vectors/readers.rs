//! Receipts compared with what their readers brought, and with players' keys (spec/receipt.md,
//! 11.8).

use fairdeal::record::entry::{Commit, LoggedContribution, Mixing, PlayerSigner, RoundOf};
use fairdeal::record::entry::{Deal, Entry};
use serde_json::{Value, json};

use crate::vectors::judged::{Cases, ORIGIN, Reader, put, value_of};
use crate::vectors::verdicts::CLIENTS;
use tools::brought::{kept, own, round_of, with};
use tools::paper::{PaperLog, Player, counting_seed, logged_clients, nonce, paper_key, seeing};

pub fn receipts() -> Vec<Value> {
    let mut cases = Cases::new();
    remembered(&mut cases);
    before_the_deal(&mut cases);
    signed(&mut cases);
    hashed(&mut cases);
    cases.vectors
}

/// The round of a reader's contribution.
pub fn of(commit: &Commit, nonce: u64) -> Value {
    round_of(&commit.commitment, nonce)
}

const MISMATCH: &[&str] = &["contribution-mismatch"];

fn plain(log: &mut PaperLog) -> Vec<u64> {
    let seed = counting_seed(0);
    let (c, commit) = log.commit(&seed, |_| {});
    let d = log.deal(&commit, &seed.mac(), 0, CLIENTS);
    vec![c, d, log.reveal(&seed)]
}

fn remembered(cases: &mut Cases) {
    let alice = || own("alice", "lucky");
    let commitment = counting_seed(0).commitment();
    let round = |nonce: u64| round_of(&commitment, nonce);
    let other = |nonce: u64| with(own("alice", "Lucky"), &round(nonce));
    let digest = "ab".repeat(32);
    let elsewhere = round_of(&counting_seed(1).commitment(), 0);
    let stranger = PaperLog::new(ORIGIN, 8).key().to_text();
    let rekeyed = with(round(0), &json!({ "log": stranger }));
    let hashed = json!({ "blind": digest, "hash": digest });
    for (name, mine, codes) in [
        ("what the reader brought was mixed", vec![alice()], &[][..]),
        ("all of the round is the reader's", vec![alice(), own("bob", "seven")], &[]),
        ("what the reader brought to this round was mixed", vec![with(alice(), &round(0))], &[]),
        ("the reader remembers another seed", vec![own("alice", "Lucky")], MISMATCH),
        ("the reader brought another seed to this round", vec![other(0)], MISMATCH),
        ("the same, and remembers another one", vec![own("bob", "8"), other(0)], MISMATCH),
        ("nobody of the reader's name is in the round", vec![own("carol", "lucky")], MISMATCH),
        ("the reader's seed is somebody else's", vec![own("alice", "seven")], MISMATCH),
        ("one of two was mixed", vec![alice(), own("bob", "eight")], MISMATCH),
        (
            "neither of two was mixed: found once",
            vec![own("alice", "x"), own("bob", "x")],
            MISMATCH,
        ),
        ("the reader brought it to another round", vec![with(alice(), &round(1))], &[]),
        ("the reader brought it to another commitment", vec![with(alice(), &elsewhere)], &[]),
        (
            "the reader brought it to a log of this name under another key",
            vec![with(alice(), &rekeyed)],
            &[],
        ),
        ("the reader brought another seed to another round", vec![other(1)], &[]),
        (
            "the reader brought it to this round, and something to another",
            vec![with(alice(), &round(0)), with(own("alice", "x"), &round(1))],
            &[],
        ),
        ("the reader hashed it, and it is in the clear", vec![with(alice(), &hashed)], &[]),
        (
            "the reader hashed it, and nobody of this name is in the round",
            vec![with(own("carol", "lucky"), &hashed)],
            &[],
        ),
        (
            "the reader signed it, and it is not signed",
            vec![with(alice(), &json!({ "key": digest, "signature": "A".repeat(86) + "==" }))],
            MISMATCH,
        ),
    ] {
        cases.log_for(&Reader::brought(mine), name, codes, plain);
    }
    let reader = Reader::brought([alice()]);
    cases.log_for(&reader, "the receipt shows no round", &[], |log| vec![plain(log)[0]]);
    cases.log_for(&reader, "the receipt shows a commitment and its reveal", &[], |log| {
        let seed = counting_seed(0);
        let (c, _) = log.commit(&seed, |_| {});
        vec![c, log.reveal(&seed)]
    });
    cases.log_for(&reader, "the round's deal had no effect", &["after-reveal"], |log| {
        let seed = counting_seed(0);
        let (c, commit) = log.commit(&seed, |_| {});
        let r = log.reveal(&seed);
        vec![c, r, log.deal(&commit, &seed.mac(), 0, CLIENTS)]
    });
    cases.log_for(&reader, "it was mixed, and the deal is wrong", &["result-mismatch"], |log| {
        let seed = counting_seed(0);
        let (c, commit) = log.commit(&seed, |_| {});
        let d = log.deal(&commit, &counting_seed(9).mac(), 0, CLIENTS);
        vec![c, d, log.reveal(&seed)]
    });
    let (mut first, mut seens) = (crate::vectors::judged::paper(), Vec::new());
    for n in 0..2 {
        first.append_bytes(&[n]);
        seens.push(first.seen());
    }
    let seen_log = |log: &mut PaperLog, at: Option<usize>| {
        let seed = counting_seed(0);
        log.append_bytes(&[0]);
        log.append_bytes(&[1]);
        let (c, commit) = log.commit(&seed, |_| {});
        let logged = match at {
            Some(at) => vec![seeing("alice", "lucky", &seens[at])],
            None => logged_clients(&[("alice", "lucky")]),
        };
        let deal = log.deal_entry_of(&commit, &seed.mac(), 0, logged);
        vec![c, log.append(&Entry::Deal(Box::new(deal)))]
    };
    let seeing_one = |at: usize| with(alice(), &json!({ "seen": value_of(&seens[at]) }));
    let mut resigned = seeing_one(0);
    let bytes = fairdeal::record::entry::LogSignature::new([0; 4], &[0; 64]);
    resigned["seen"]["signature"] = value_of(&bytes);
    for (name, mine, logged, codes) in [
        ("what the reader had seen is there", seeing_one(0), Some(0), &[][..]),
        ("what the reader had seen was left out", seeing_one(0), None, MISMATCH),
        ("a checkpoint was attached that the reader had not seen", alice(), Some(0), MISMATCH),
        (
            "another checkpoint stands in the place of the reader's",
            seeing_one(0),
            Some(1),
            MISMATCH,
        ),
        ("the checkpoint has another signature than the reader's", resigned, Some(0), MISMATCH),
    ] {
        cases.log_for(&Reader::brought([mine]), name, codes, |log| seen_log(log, logged));
    }
}

/// If a round is locked and not dealt, only what the lock excludes is found.
fn before_the_deal(cases: &mut Cases) {
    let seed = counting_seed(0);
    let commitment = seed.commitment();
    let alice = Player::new("alice", "lucky", 1);
    let hash = alice.hashed(&commitment, 0).hash.expect("a hash").to_text();
    let round = |nonce: u64| round_of(&commitment, nonce);
    let kept = |hash: &str| json!({ "blind": "01".repeat(32), "hash": hash });
    let mine = || own("alice", "lucky");
    let other = "ab".repeat(32);
    let key = json!({ "key": other, "signature": "A".repeat(86) + "==" });
    let cases_of: Vec<(&str, Value, bool, &[&str])> = vec![
        ("locked in the clear, as the reader brought it", mine(), false, &[]),
        ("locked in the clear, with another seed", own("alice", "x"), false, MISMATCH),
        ("locked hashed, the reader remembers the seed alone", mine(), true, &[]),
        ("locked hashed, whatever seed the reader remembers", own("alice", "x"), true, &[]),
        ("locked hashed, with the reader's hash", with(mine(), &kept(&hash)), true, &[]),
        (
            "locked hashed, with another hash than the reader's",
            with(mine(), &kept(&other)),
            true,
            &[],
        ),
        (
            "locked in the clear, though the reader hashed it",
            with(mine(), &kept(&hash)),
            false,
            &[],
        ),
        ("locked for the reader's round", with(mine(), &round(0)), true, &[]),
        ("locked, and the reader's is for another round", with(mine(), &round(1)), true, &[]),
        ("locked, without the reader's name", own("carol", "lucky"), true, MISMATCH),
        (
            "locked, without the reader's name, and the reader hashed it",
            with(own("carol", "lucky"), &kept(&other)),
            true,
            &[],
        ),
        ("locked unsigned, and the reader's is signed", with(mine(), &key), true, MISMATCH),
        (
            "locked unsigned, and the reader's is hashed and signed",
            with(with(mine(), &kept(&hash)), &key),
            true,
            &[],
        ),
    ];
    for (name, mine, is_hashed, codes) in cases_of {
        cases.log_for(&Reader::brought([mine]), name, codes, |log| {
            let (c, commit) = log.commit(&seed, |_| {});
            let one = if is_hashed {
                vec![alice.hashed(&commit.commitment, 0)]
            } else {
                logged_clients(&[("alice", "lucky")])
            };
            vec![c, log.lock(commit.commitment, 0, one)]
        });
    }
    cases.log_for(
        &Reader::brought([mine()]),
        "locked and voided: it was not mixed, and nothing is found",
        &[],
        |log| {
            let (c, commit) = log.commit(&seed, |_| {});
            let l = log.lock(commit.commitment, 0, vec![alice.hashed(&commit.commitment, 0)]);
            vec![c, l, log.void(commit.commitment, Some(0), None)]
        },
    );
    cases.log_for(
        &Reader::brought([own("alice", "another")]),
        "locked with another seed and voided: nothing was mixed",
        &[],
        |log| {
            let (c, commit) = log.commit(&seed, |_| {});
            let l = log.lock(commit.commitment, 0, logged_clients(CLIENTS));
            vec![c, l, log.void(commit.commitment, Some(0), None)]
        },
    );
    let both = Reader::brought([mine(), own("bob", "eight")]);
    cases.log_for(&both, "locked, and one of two may still be mixed", MISMATCH, |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        vec![c, log.lock(commit.commitment, 0, logged_clients(CLIENTS))]
    });
}

pub fn signer(byte: u8) -> PlayerSigner {
    PlayerSigner::from_seed(&[byte; 32])
}

/// Signs for a round of a commitment of the log.
pub fn sign(
    by: &PlayerSigner,
    commit: &Commit,
    round: u64,
    one: LoggedContribution,
) -> LoggedContribution {
    by.sign(&RoundOf { log: paper_key(), commitment: commit.commitment, nonce: nonce(round) }, one)
}

fn dealt(log: &mut PaperLog, deal: Deal) -> u64 {
    log.append(&Entry::Deal(Box::new(deal)))
}

fn signed(cases: &mut Cases) {
    let seed = counting_seed(0);
    let (alice, bob) = (signer(1), signer(2));
    // Alice signs for round `of`, bob does not sign; both are dealt in round 0.
    let half = |log: &mut PaperLog, of: u64| {
        let (c, commit) = log.commit(&seed, |_| {});
        let mut both = logged_clients(CLIENTS);
        both[0] = sign(&alice, &commit, of, both[0].clone());
        let deal = log.deal_entry_of(&commit, &seed.mac(), 0, both);
        vec![c, dealt(log, deal), log.reveal(&seed)]
    };
    let knows = |by: &PlayerSigner| Reader::knows([("alice", by.key())]);
    cases.log("a signed contribution", &[], |log| half(log, 0));
    cases.log("a signature for another round", &["contribution-signature"], |log| half(log, 1));
    cases
        .log_for(&knows(&alice), "signed by the key that its player gave", &[], |log| half(log, 0));
    cases.log_for(&knows(&bob), "signed by another key than its player gave", MISMATCH, |log| {
        half(log, 0)
    });
    let moved = &["contribution-signature", "contribution-mismatch"];
    cases.log_for(
        &knows(&alice),
        "the player's key, and a signature for another round",
        moved,
        |log| half(log, 1),
    );
    let both = knows(&alice).and(Reader::knows([("bob", bob.key())]));
    cases.log_for(&both, "a key is known of one who did not sign", MISMATCH, |log| half(log, 0));
    let stranger = Reader::knows([("carol", bob.key())]);
    cases.log_for(
        &stranger,
        "a key of somebody who is not in the round is passed over",
        &[],
        |log| half(log, 0),
    );
    let rest = knows(&alice).and(Reader::brought([own("bob", "seven")]));
    cases.log_for(&rest, "one is the reader's and one is signed: all are known", &[], |log| {
        half(log, 0)
    });
    let wrong = knows(&bob).and(Reader::brought([own("bob", "eight")]));
    cases.log_for(&wrong, "neither is as it should be: found once", MISMATCH, |log| half(log, 0));
    cases.log_for(&knows(&alice), "no round is shown, and no key is missed", &[], |log| {
        vec![half(log, 0)[0]]
    });

    let brought = |by: &PlayerSigner, commit: &Commit| {
        let one = sign(by, commit, 0, logged_clients(CLIENTS)[0].clone());
        with(with(value_of(&one), &of(commit, 0)), &json!({}))
    };
    let mut scratch = crate::vectors::judged::paper();
    let (_, commit) = scratch.commit(&seed, |_| {});
    let mine = |by| Reader::brought([brought(by, &commit)]);
    cases.log_for(&mine(&alice), "what the reader signed was mixed", &[], |log| half(log, 0));
    cases.log_for(&mine(&bob), "the reader signed it with another key", MISMATCH, |log| {
        half(log, 0)
    });
    let twice = |by: &PlayerSigner| {
        let one = sign(by, &commit, 0, logged_clients(&[("alice", "another")])[0].clone());
        Reader::brought([with(value_of(&one), &of(&commit, 0))])
    };
    cases.log_for(
        &twice(&alice),
        "the reader's key signed both what the reader kept and what was mixed",
        &[],
        |log| half(log, 0),
    );
    cases.log_for(
        &twice(&alice),
        "the reader's key, and a signature of what was mixed that does not verify",
        &["contribution-signature", "contribution-mismatch"],
        |log| half(log, 1),
    );
    cases.log_for(
        &twice(&bob),
        "the reader kept another seed, signed by another key than what was mixed",
        MISMATCH,
        |log| half(log, 0),
    );
    let found = &["contribution-signature", "contribution-mismatch"];
    cases.log_for(
        &mine(&alice),
        "the reader's key, and a signature that does not verify",
        found,
        |log| half(log, 1),
    );
    cases.log_for(&mine(&alice), "locked with the reader's key", &[], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let mut both = logged_clients(CLIENTS);
        both[0] = sign(&alice, &commit, 0, both[0].clone());
        vec![c, log.lock(commit.commitment, 0, both)]
    });
    cases.log_for(&knows(&alice), "locked, signed by the key that its player gave", &[], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let mut both = logged_clients(CLIENTS);
        both[0] = sign(&alice, &commit, 0, both[0].clone());
        vec![c, log.lock(commit.commitment, 0, both)]
    });

    for (name, signs, codes) in [
        ("all sign where all must", [true, true], &[][..]),
        ("one does not sign where all must", [true, false], &["weak-mixing"]),
    ] {
        cases.log(name, codes, |log| {
            let (c, commit) = log.commit(&seed, |c| c.signed = true);
            let mut all = logged_clients(CLIENTS);
            for (at, by) in [&alice, &bob].into_iter().enumerate() {
                if signs[at] {
                    all[at] = sign(by, &commit, 0, all[at].clone());
                }
            }
            let deal = log.deal_entry_of(&commit, &seed.mac(), 0, all);
            vec![c, dealt(log, deal), log.reveal(&seed)]
        });
    }
    cases.log("a locked round where all must sign, and none does", &["weak-mixing"], |log| {
        let (c, commit) = log.commit(&seed, |c| c.signed = true);
        vec![c, log.lock(commit.commitment, 0, logged_clients(CLIENTS))]
    });
    cases.log("a signature by a key of small order", &["contribution-signature"], |log| {
        let (c, commit) = log.commit(&seed, |_| {});
        let one = logged_clients(CLIENTS)[0].clone();
        let mut deal = value_of(&log.deal_entry_of(&commit, &seed.mac(), 0, vec![one]));
        // The key is the neutral element: the equation holds for any message.
        let signature = "CJreY71OhWHi6FJGThBZxQv0AaR1rEZJDC/2d9IBaKmZ\
                         /XXZ48AD7fPZbsHSZdH5TE1NTU1NTU1NTU1NTU1NDQ==";
        deal["contributions"][0]["key"] = json!(format!("01{}", "00".repeat(31)));
        deal["contributions"][0]["signature"] = json!(signature);
        vec![c, put(log, &deal)]
    });
}

/// `no-collusion`: a hash of somebody known to the reader, in a dealt round of hashes.
fn hashed(cases: &mut Cases) {
    let seed = counting_seed(0);
    let players = [Player::new("alice", "lucky", 1), Player::new("bob", "seven", 2)];
    let (alice, bob) = (signer(1), signer(2));
    let round = |log: &mut PaperLog, mixing: Mixing, opens: &[Player], is_dealt: bool| {
        let (c, commit) = log.commit(&seed, |c| c.mixing = mixing);
        let sign =
            |(player, by)| sign(by, &commit, 0, Player::hashed(player, &commit.commitment, 0));
        let all = players.iter().zip([&alice, &bob]).map(sign).collect();
        let l = log.lock(commit.commitment, 0, all);
        if is_dealt {
            let d = log.deal_locked(&commit, &seed.mac(), 0, l, opens);
            vec![c, l, d, log.reveal(&seed)]
        } else {
            vec![c, l]
        }
    };
    let (hashes, seeds) = (Mixing::Hashes, Mixing::Seeds);
    let hash = players[0].hashed(&seed.commitment(), 0).hash.expect("a hash").to_text();
    let remembered = |hash: &str| {
        with(own("alice", "lucky"), &json!({ "blind": "01".repeat(32), "hash": hash }))
    };
    let mine = || Reader::brought([remembered(&hash)]);
    let key = || Reader::knows([("bob", bob.key())]);
    cases.log("hashes of nobody whom the reader knows", &[], |log| {
        round(log, hashes, &players, true)
    });
    let told = Reader::brought([own("alice", "lucky")]);
    cases.log_for(&told, "the reader's seed, which the operator may have hashed", &[], |log| {
        round(log, hashes, &players, true)
    });
    let twice = Reader::brought([own("alice", "lucky"), remembered(&"ab".repeat(32))]);
    cases.log_for(&twice, "the reader's seed, and another hash of the same name", &[], |log| {
        round(log, hashes, &players, true)
    });
    cases.log_for(&mine(), "the reader's own hash among others", &[], |log| {
        round(log, hashes, &players, true)
    });
    let named = kept(&players[0], &seed.commitment(), 0);
    let reader = Reader::brought([named.clone()]);
    cases.log_for(&reader, "the reader's own hash, in a file that names the round", &[], |log| {
        round(log, hashes, &players, true)
    });
    let given = Reader::brought([with(named, &json!({ "given": true }))]);
    cases.log_for(&given, "the reader's own hash of a seed that a page gave", &[], |log| {
        round(log, hashes, &players, true)
    });
    cases.log_for(&key(), "a hash under the key of a player", &[], |log| {
        round(log, hashes, &players, true)
    });
    let all = mine().and(key());
    cases.log_for(&all, "hashes of the reader and of a player", &[], |log| {
        round(log, hashes, &players, true)
    });
    cases.log_for(&mine(), "the reader's own hash, where seeds would do", &[], |log| {
        round(log, seeds, &players, true)
    });
    cases.log_for(&mine(), "the reader's own hash, not dealt yet", &[], |log| {
        round(log, hashes, &players, false)
    });
    cases.log_for(&key(), "a hash under the key of a player, not dealt yet", &[], |log| {
        round(log, hashes, &players, false)
    });
    let unopened = &["unopened-hash"];
    cases.log_for(&mine(), "the reader's own hash was not opened", unopened, |log| {
        round(log, hashes, &players[1..], true)
    });
    cases.log_for(&key(), "the hash of a player was not opened", &["unopened-hash"], |log| {
        round(log, hashes, &players[..1], true)
    });
    cases.log_for(
        &mine(),
        "the reader's own hash, and another's was not opened",
        &["unopened-hash"],
        |log| round(log, hashes, &players[..1], true),
    );
    cases.log_for(
        &mine(),
        "the reader's own hash, opened for a deal that does not replay",
        &["result-mismatch"],
        |log| {
            let other = counting_seed(9);
            let (c, commit) = log.commit(&seed, |c| c.mixing = hashes);
            let l = log.lock(
                commit.commitment,
                0,
                players.iter().map(|p| p.hashed(&commit.commitment, 0)).collect(),
            );
            let d = log.deal_locked(&commit, &other.mac(), 0, l, &players);
            vec![c, l, d, log.reveal(&seed)]
        },
    );
    cases.log_for(
        &told,
        "the reader's own seed in the clear beside a hash",
        &["weak-mixing"],
        |log| {
            let (c, commit) = log.commit(&seed, |c| c.mixing = hashes);
            let both = [
                logged_clients(&[("alice", "lucky")]),
                vec![players[1].hashed(&commit.commitment, 0)],
            ];
            let l = log.lock(commit.commitment, 0, both.concat());
            let d = log.deal_locked(&commit, &seed.mac(), 0, l, &players);
            let mut deal: Value = serde_json::from_slice(&log.entries()[2]).expect("JSON");
            deal["opened"].as_array_mut().expect("an array").remove(0);
            assert_eq!(d, 2);
            let mut again = crate::vectors::judged::paper();
            again.append_bytes(&log.entries()[0]);
            again.append_bytes(&log.entries()[1]);
            put(&mut again, &deal);
            *log = again;
            vec![c, l, d]
        },
    );
}
