//! Logs whose entries break a rule: every tile is right, the checkpoint is signed, and the judging of the entries finds it.

use fairdeal::deal::ServerSeed;
use fairdeal::record::entry::{Cards, Entry, Mixing};

use crate::case::Case;
use crate::honest::{ALICE, BOTH, beacon_round, deal_of, game, log, table};
use crate::paper::{PaperLog, Player, counting_seed, int, logged_clients, seeing};

/// A log with an open commitment, one round dealt, and what `write` does then.
fn dealt(
    name: &'static str,
    about: &'static str,
    finds: &'static [&'static str],
    write: impl FnOnce(&mut PaperLog, &fairdeal::record::entry::Commit, &ServerSeed),
) -> Case {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| {
        c.draw = int(3);
        c.rounds = int(3);
    });
    log.deal(&commit, &seed.mac(), 0, ALICE);
    write(&mut log, &commit, &seed);
    Case::new(name, about, &log, finds)
}

pub fn cases() -> Vec<Case> {
    [entries(), courses(), tables(), mixing(), seen(), results(), times()].into_iter().flatten().collect()
}

fn entries() -> Vec<Case> {
    let foreign = |log: &mut PaperLog, digest: &str| {
        let text = format!(
            "{{\"commitment\":\"{digest}\",\"entry\":\"commit\",\"protocol\":\"fairdeal/v2\",\"time\":1}}"
        );
        log.append_bytes(text.as_bytes());
    };
    vec![
        dealt(
            "not-canonical",
            "an entry with white space, and one that is no JSON",
            &["not-canonical"],
            |log, _, _| {
                log.append_bytes(b"{ }");
                log.append_bytes(b"");
            },
        ),
        dealt(
            "invalid-entry",
            "unknown kinds and members, under a commitment and under none",
            &["invalid-entry"],
            |log, commit, seed| {
                log.append_bytes(b"[]");
                log.append_bytes(b"{}");
                let c = commit.commitment.to_text();
                log.append_bytes(format!("{{\"commitment\":\"{c}\",\"entry\":\"spin\"}}").as_bytes());
                log.append_bytes(format!("{{\"commitment\":\"{}\"}}", &c[1..]).as_bytes());
                log.reveal(seed);
            },
        ),
        dealt("invalid-entry-origin", "a commit of another log", &["invalid-entry"], |log, _, _| {
            let mut other = PaperLog::new("other.example/log", 7);
            other.commit(&counting_seed(9), |_| {});
            log.append_bytes(&other.entries[0]);
        }),
        dealt(
            "invalid-entry-seen",
            "a checkpoint that a player saw, and that the log never signed",
            &["invalid-entry"],
            |log, commit, seed| {
                let mut stranger = PaperLog::new("cards.example/log", 8);
                stranger.append_bytes(b"x");
                deal_of(log, commit, &seed.mac(), 1, vec![seeing("bob", "seven", &stranger.seen())]);
            },
        ),
        dealt(
            "invalid-entry-blame",
            "blame where no round is locked, and after the end",
            &["invalid-entry"],
            |log, commit, seed| {
                log.void(commit.commitment, Some(1), Some("alice"));
                log.lock(commit.commitment, 1, logged_clients(ALICE));
                log.void(commit.commitment, Some(1), Some("bob"));
                log.void(commit.commitment, Some(1), None);
                log.reveal(seed);
                log.void(commit.commitment, Some(2), Some("alice"));
            },
        ),
        dealt("no-commitment", "a reveal of what was never committed to", &["no-commitment"], |log, _, _| {
            log.reveal(&counting_seed(9));
        }),
        dealt(
            "duplicate-commitment",
            "one seed committed to twice",
            &["duplicate-commitment"],
            |log, _, seed| {
                log.commit(seed, |c| c.after = Some(seed.commitment()));
                log.reveal(seed);
                foreign(log, &seed.commitment().to_text());
            },
        ),
        dealt(
            "duplicate-commitment-other-protocol",
            "a commitment of another protocol, committed to again",
            &["duplicate-commitment"],
            |log, _, _| {
                let unused = counting_seed(9);
                foreign(log, &unused.commitment().to_text());
                foreign(log, &unused.commitment().to_text());
                log.commit(&unused, |_| {});
                log.reveal(&unused);
            },
        ),
    ]
}

fn courses() -> Vec<Case> {
    vec![
        dealt(
            "after-reveal",
            "a deal and a second reveal after the reveal",
            &["after-reveal"],
            |log, commit, seed| {
                log.reveal(seed);
                log.deal(commit, &seed.mac(), 1, ALICE);
                log.reveal(seed);
            },
        ),
        dealt("after-void", "a deal after a whole void", &["after-void"], |log, _, seed| {
            let unused = counting_seed(9);
            log.reveal(seed);
            let (_, commit) = log.commit(&unused, |c| c.after = Some(seed.commitment()));
            log.void(commit.commitment, None, None);
            log.deal(&commit, &unused.mac(), 0, ALICE);
        }),
        dealt(
            "void-after-use",
            "a used seed that a void is to bury",
            &["void-after-use"],
            |log, commit, _| {
                log.void(commit.commitment, None, None);
            },
        ),
        dealt(
            "open-round",
            "a second lock, another round's deal and the reveal while a round is locked",
            &["open-round"],
            |log, commit, seed| {
                let c = commit.commitment;
                log.lock(c, 1, logged_clients(ALICE));
                log.lock(c, 1, logged_clients(BOTH));
                log.deal(commit, &seed.mac(), 2, ALICE);
                log.reveal(seed);
                log.void(c, Some(1), Some("alice"));
            },
        ),
        dealt("nonce-gap", "a skipped round, and one dealt twice", &["nonce-gap"], |log, commit, seed| {
            log.deal(commit, &seed.mac(), 2, ALICE);
            log.deal(commit, &seed.mac(), 0, BOTH);
            log.deal(commit, &seed.mac(), 1, ALICE);
            log.reveal(seed);
        }),
        dealt(
            "too-many-rounds",
            "more rounds than were promised",
            &["too-many-rounds"],
            |log, commit, seed| {
                for n in 1..4 {
                    log.deal(commit, &seed.mac(), n, ALICE);
                }
            },
        ),
        dealt(
            "seed-mismatch",
            "a reveal of another seed, and then the right one",
            &["seed-mismatch"],
            |log, _, seed| {
                let (c, time) = (seed.commitment().to_text(), log.tick());
                let (zeros, entry) = ("00".repeat(32), "\"entry\":\"reveal\"");
                log.append_bytes(
                    format!("{{\"commitment\":\"{c}\",{entry},\"server_seed\":\"{zeros}\",\"time\":{time}}}")
                        .as_bytes(),
                );
                log.reveal(seed);
            },
        ),
    ]
}

fn tables() -> Vec<Case> {
    vec![
        dealt(
            "out-of-turn",
            "a chain with a link left out, and a second commitment used while the first is open",
            &["out-of-turn"],
            |log, commit, seed| {
                let others = [counting_seed(40), counting_seed(80)];
                let (_, second) = log.commit(&others[0], |c| {
                    c.after = Some(commit.commitment);
                    c.draw = int(1);
                });
                log.commit(&others[1], |_| {});
                log.deal(&second, &others[0].mac(), 0, ALICE);
                log.deal(&second, &others[0].mac(), 1, ALICE);
                log.reveal(seed);
                log.reveal(&others[0]);
            },
        ),
        dealt(
            "out-of-turn-first",
            "a table's first commitment that names one before it",
            &["out-of-turn"],
            |log, c, _| {
                let after = Some(c.commitment);
                log.commit(&counting_seed(40), |c| {
                    c.after = after;
                    c.table = table("table 2");
                });
            },
        ),
    ]
}

fn mixing() -> Vec<Case> {
    let hashes = |change: fn(&mut PaperLog, &fairdeal::record::entry::Commit, &ServerSeed)| {
        let mut log = log();
        let seed = counting_seed(0);
        let (_, commit) = log.commit(&seed, |c| {
            c.draw = int(3);
            c.mixing = Mixing::Hashes;
        });
        change(&mut log, &commit, &seed);
        log.reveal(&seed);
        log
    };
    let players = || [Player::new("alice", "lucky", 1), Player::new("bob", "seven", 2)];
    let weak = hashes(|log, commit, seed| {
        log.deal(commit, &seed.mac(), 0, ALICE);
        log.lock(commit.commitment, 1, logged_clients(ALICE));
        log.void(commit.commitment, Some(1), None);
    });
    let mismatch = hashes(|log, commit, seed| {
        let players = [Player::new("alice", "lucky", 1), Player::new("bob", "seven", 2)];
        let c = commit.commitment;
        log.deal_locked(commit, &seed.mac(), 0, 0, &players);
        let lock = log.lock(c, 1, players.iter().map(|p| p.hashed(&c, 1)).collect());
        log.deal_locked(commit, &seed.mac(), 1, lock - 1, &players);
    });
    let order = hashes(|log, commit, seed| {
        let players = [Player::new("alice", "lucky", 1), Player::new("bob", "seven", 2)];
        let c = commit.commitment;
        let lock = log.lock(c, 0, players.iter().map(|p| p.hashed(&c, 0)).collect());
        let mut draft = crate::honest::log(); // the same deal, to be changed before it is logged
        draft.deal_locked(commit, &seed.mac(), 0, lock, &players);
        let Ok(Entry::Deal(mut deal)) = Entry::parse(&draft.entries[0]) else { return };
        deal.opened.as_mut().expect("opened").reverse();
        deal.time = log.tick();
        log.append(&Entry::Deal(deal));
    });
    let unopened = hashes(|log, commit, seed| {
        let players = [Player::new("alice", "lucky", 1), Player::new("bob", "seven", 2)];
        let c = commit.commitment;
        let lock = log.lock(c, 0, players.iter().map(|p| p.hashed(&c, 0)).collect());
        log.deal_locked(commit, &seed.mac(), 0, lock, &players[..1]);
        let lock = log.lock(c, 1, vec![players[0].hashed(&c, 1)]);
        log.deal_locked(commit, &seed.mac(), 1, lock, &[Player::new("alice", "lucky", 9)]);
        let lock = log.lock(c, 2, vec![players[0].hashed(&c, 1)]); // a hash of another round
        log.deal_locked(commit, &seed.mac(), 2, lock, &players[..1]);
    });
    let in_clear = dealt(
        "lock-mismatch-in-clear",
        "a locked round dealt with other seeds, which its result follows from",
        &["lock-mismatch"],
        |log, commit, seed| {
            log.lock(
                commit.commitment,
                1,
                players().iter().map(|p| p.hashed(&commit.commitment, 1)).collect(),
            );
            log.deal(commit, &seed.mac(), 1, &[("mallory", "chosen")]);
            log.reveal(seed);
        },
    );
    let beacon = |signature: Option<&str>| {
        let mut log = log();
        beacon_round(&mut log, signature);
        log
    };
    let mut no_round = log();
    let seed = counting_seed(9);
    beacon_round(&mut no_round, Some(&"8f".repeat(48)));
    let (_, commit) = no_round.commit(&seed, |c| {
        c.after = Some(counting_seed(0).commitment());
        c.draw = int(1);
        c.mixing = Mixing::Beacon;
        c.beacon = Some(fairdeal::record::entry::BeaconTerms {
            chain: fairdeal::deal::Digest::from_bytes([0x52; 32]),
            margin: int(1000),
        });
    });
    let hashed = players().iter().map(|p| p.hashed(&commit.commitment, 0)).collect();
    let lock = no_round.lock(commit.commitment, 0, hashed);
    no_round.deal_locked(&commit, &seed.mac(), 0, lock, &players());
    no_round.deal(&commit, &seed.mac(), 1, ALICE);
    vec![
        Case::new("weak-mixing", "clear seeds where hashes were promised", &weak, &["weak-mixing"]),
        Case::new("weak-mixing-beacon", "no beacon where one was promised", &no_round, &["weak-mixing"]),
        Case::new("lock-mismatch", "deals that name no lock of theirs", &mismatch, &["lock-mismatch"]),
        Case::new("lock-mismatch-order", "hashes opened in another order", &order, &["lock-mismatch"]),
        in_clear,
        Case::new(
            "unopened-hash",
            "a hash left out, opened wrongly, of another round",
            &unopened,
            &["unopened-hash"],
        ),
        Case::new(
            "beacon-signature",
            "a beacon's round without its signature",
            &beacon(None),
            &["beacon-signature"],
        ),
    ]
}

fn seen() -> Vec<Case> {
    vec![
        dealt(
            "split-view",
            "a player was shown another log, and the log's signature on it says so",
            &["split-view"],
            |log, commit, seed| {
                let mut fork = crate::honest::log();
                fork.append_bytes(&log.entries[0]);
                fork.append_bytes(b"another");
                deal_of(log, commit, &seed.mac(), 1, vec![seeing("bob", "seven", &fork.seen())]);
                log.reveal(seed);
            },
        ),
        dealt(
            "split-view-larger",
            "a player had seen more entries than there were",
            &["split-view"],
            |log, commit, seed| {
                let mut fork = crate::honest::log();
                for _ in 0..4 {
                    fork.append_bytes(b"x");
                }
                let mut bob = Player::new("bob", "seven", 2);
                bob.seen = Some(fork.seen());
                let lock = log.lock(commit.commitment, 1, vec![bob.hashed(&commit.commitment, 1)]);
                log.deal_locked(commit, &seed.mac(), 1, lock, &[bob]);
                log.reveal(seed);
            },
        ),
    ]
}

fn results() -> Vec<Case> {
    let changed = |log: &mut PaperLog, commit: &_, seed: &ServerSeed, n, change: fn(&str) -> String| {
        let mut deal = log.deal_entry(commit, &seed.mac(), n, ALICE);
        let cards = change(deal.result.cards.as_ref().expect("cards").as_str());
        deal.result.cards = Some(Cards::new(cards).expect("cards"));
        log.append(&Entry::Deal(Box::new(deal)));
    };
    vec![
        dealt(
            "result-mismatch",
            "two cards changed places",
            &["result-mismatch"],
            move |log, commit, seed| {
                changed(log, commit, seed, 1, |c| format!("{}{}{}", &c[2..4], &c[..2], &c[4..]));
                log.deal(commit, &seed.mac(), 2, ALICE);
                log.reveal(seed);
            },
        ),
        dealt(
            "result-mismatch-form",
            "a card too few, found before any reveal",
            &["result-mismatch"],
            move |log, c, s| {
                changed(log, c, s, 1, |cards| cards[2..].to_owned());
            },
        ),
        dealt("result-mismatch-sealed", "a seal of nothing", &["result-mismatch"], |log, _, seed| {
            log.reveal(seed);
            let sealed = counting_seed(9);
            let (_, commit) = log.commit(&sealed, |c| {
                c.after = Some(seed.commitment());
                c.sealed = true;
            });
            let mut deal = log.deal_entry(&commit, &sealed.mac(), 0, ALICE);
            deal.result.seal = Some(fairdeal::deal::Digest::from_bytes([1; 32]));
            log.append(&Entry::Deal(Box::new(deal)));
            log.reveal(&sealed);
        }),
    ]
}

fn times() -> Vec<Case> {
    let unused = {
        let mut log = game();
        log.commit(&counting_seed(40), |c| c.after = Some(counting_seed(0).commitment()));
        log
    };
    let by = unused.time + 86_400_000;
    vec![
        dealt("time-runs-back", "a clock that was set back", &["time-runs-back"], |log, commit, seed| {
            log.time -= 5000;
            log.deal(commit, &seed.mac(), 1, ALICE);
            log.reveal(seed);
            log.time -= 5000;
            log.commit(&counting_seed(9), |c| c.after = Some(seed.commitment()));
        }),
        dealt("late-reveal", "a reveal a day and more after its commit", &["late-reveal"], |log, _, seed| {
            log.time += 86_400_000;
            log.reveal(seed);
        }),
        dealt("overdue", "a used commitment whose reveal never came", &["overdue"], |log, _, seed| {
            let unused = counting_seed(9);
            log.time += 86_400_000;
            let (_, commit) = log.commit(&unused, |c| c.after = Some(seed.commitment()));
            assert_eq!(commit.after, Some(seed.commitment()));
        }),
        Case::new("overdue-unused", "a commitment that was never used, judged later", &unused, &["overdue"])
            .at(by + 1),
    ]
}
