//! Logs with rounds that break their commitment's promise or their lock.

use fairdeal::deal::{Deck, DeckName, Digest, Method, ServerSeed};
use fairdeal::record::entry::{Cards, Commit, Entry, Mixing};

use crate::logs::case::Case;
use crate::logs::tampered_entries::dealt;
use crate::logs::write::{
    ALICE, append, beacon_deal, clear, deal_cards, deal_indices, deal_of, list, lock_of, log,
    mixes_beacon, signed,
};
use tools::paper::{PaperLog, Player, counting_seed, int, logged_clients, seeing};

pub fn cases() -> Vec<Case> {
    [mixing(), beacons(), signatures(), seen(), results(), impossible()]
        .into_iter()
        .flatten()
        .collect()
}

fn mixing() -> Vec<Case> {
    let hashes = |change: fn(&mut PaperLog, &Commit, &ServerSeed)| {
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
        let mut draft = crate::logs::write::log(); // the same deal, to be changed before it is logged
        draft.deal_locked(commit, &seed.mac(), 0, lock, &players);
        let Ok(Entry::Deal(mut deal)) = Entry::parse(&draft.entries()[0]) else { return };
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
    vec![
        Case::new("weak-mixing", "clear seeds where hashes were promised", &weak, &["weak-mixing"]),
        Case::new(
            "lock-mismatch",
            "deals that name no lock of theirs",
            &mismatch,
            &["lock-mismatch"],
        ),
        Case::new(
            "lock-mismatch-order",
            "hashes opened in another order",
            &order,
            &["lock-mismatch"],
        ),
        in_clear,
        Case::new(
            "unopened-hash",
            "a hash left out, opened wrongly, of another round",
            &unopened,
            &["unopened-hash"],
        ),
    ]
}

/// A log of one commitment with a beacon, revealed at the end.
fn beacon(
    name: &'static str,
    about: &'static str,
    finds: &'static [&'static str],
    write: impl FnOnce(&mut PaperLog, &Commit, &ServerSeed),
) -> Case {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| {
        c.draw = int(1);
        mixes_beacon(c);
    });
    write(&mut log, &commit, &seed);
    log.reveal(&seed);
    Case::new(name, about, &log, finds)
}

fn beacons() -> Vec<Case> {
    let signature = || "8f".repeat(48);
    let names_round = |log: &mut PaperLog, commit: &Commit, n| {
        lock_of(log, commit.commitment, n, |lock| {
            lock.beacon = Some(int(1000));
            lock.contributions = Some(logged_clients(ALICE));
        })
    };
    vec![
        beacon(
            "weak-mixing-beacon",
            "no beacon where one was promised: locked without one, dealt, and not locked at all",
            &["weak-mixing"],
            |log, commit, seed| {
                let lock = log.lock(commit.commitment, 0, logged_clients(ALICE));
                let mut deal = log.deal_entry(commit, &seed.mac(), 0, ALICE);
                (deal.contributions, deal.lock) = (None, Some(int(lock)));
                append(log, deal);
                log.deal(commit, &seed.mac(), 1, ALICE);
            },
        ),
        beacon(
            "weak-mixing-beacon-hash",
            "a hash in a lock that names a beacon's round",
            &["weak-mixing"],
            |log, commit, _| {
                let alice = Player::new("alice", "lucky", 1);
                lock_of(log, commit.commitment, 0, |lock| {
                    lock.beacon = Some(int(1000));
                    lock.contributions = Some(vec![alice.hashed(&commit.commitment, 0)]);
                });
                log.void(commit.commitment, Some(0), None);
            },
        ),
        beacon(
            "beacon-signature",
            "a beacon's round without its signature",
            &["beacon-signature"],
            |log, commit, seed| {
                let lock = names_round(log, commit, 0);
                let deal = beacon_deal(log, commit, seed, lock, (0, ALICE), None);
                append(log, deal);
            },
        ),
        beacon(
            "beacon-signature-unnamed",
            "a beacon's signature where the lock names no round, and where nothing is locked",
            &["beacon-signature", "lock-mismatch", "weak-mixing"],
            |log, commit, seed| {
                let lock = log.lock(commit.commitment, 0, logged_clients(ALICE));
                for n in [0, 1] {
                    let deal = beacon_deal(log, commit, seed, lock, (n, ALICE), Some(&signature()));
                    append(log, deal);
                }
            },
        ),
        beacon(
            "result-mismatch-beacon",
            "a card that does not follow from the beacon's signature that the deal claims",
            &["result-mismatch"],
            |log, commit, seed| {
                let lock = names_round(log, commit, 0);
                let mut deal = beacon_deal(log, commit, seed, lock, (0, ALICE), Some(&signature()));
                let dealt = deal.result.cards.as_ref().expect("cards").as_str();
                let other = if dealt == "As" { "Ks" } else { "As" };
                deal.result.cards = Some(Cards::new(other).expect("a card"));
                append(log, deal);
            },
        ),
    ]
}

fn signatures() -> Vec<Case> {
    let mut unsigned = log();
    let seed = counting_seed(0);
    let (_, commit) = unsigned.commit(&seed, |c| {
        c.draw = int(1);
        c.signed = true;
    });
    let alice = signed(&unsigned, commit.commitment, 0, 1, clear("alice", "lucky"));
    unsigned.lock(commit.commitment, 0, vec![alice, clear("bob", "seven")]);
    unsigned.void(commit.commitment, Some(0), None);
    unsigned.deal(&commit, &seed.mac(), 1, ALICE);
    unsigned.reveal(&seed);
    let about =
        "contributions without signatures, in a lock and in a deal, where each is to have one";
    vec![
        Case::new("weak-mixing-unsigned", about, &unsigned, &["weak-mixing"]),
        Case::new(
            "weak-mixing-unsigned-skipped",
            "the same, judged without the signatures that there are",
            &unsigned,
            &["weak-mixing"],
        )
        .skipping_signatures(),
        dealt(
            "contribution-signature",
            "signatures of another round and of another's label, in a deal and in a lock",
            &["contribution-signature"],
            |log, commit, seed| {
                let c = commit.commitment;
                let moved = signed(log, c, 0, 1, clear("alice", "lucky"));
                deal_of(log, commit, &seed.mac(), 1, vec![moved]);
                let right = signed(log, c, 2, 1, clear("alice", "lucky"));
                let mut bob = clear("bob", "lucky");
                (bob.key, bob.signature) = (right.key, right.signature);
                log.lock(c, 2, vec![right, bob]);
                log.void(c, Some(2), None);
                log.reveal(seed);
            },
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
                let mut fork = crate::logs::write::log();
                fork.append_bytes(&log.entries()[0]);
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
                let mut fork = crate::logs::write::log();
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
    let changed =
        |log: &mut PaperLog, commit: &_, seed: &ServerSeed, n, change: fn(&str) -> String| {
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
        dealt(
            "result-mismatch-sealed",
            "a seal of nothing",
            &["result-mismatch"],
            |log, _, seed| {
                log.reveal(seed);
                let sealed = counting_seed(9);
                let (_, commit) = log.commit(&sealed, |c| {
                    c.after = Some(seed.commitment());
                    c.sealed = true;
                });
                let mut deal = log.deal_entry(&commit, &sealed.mac(), 0, ALICE);
                deal.result.seal = Some(Digest::from_bytes([1; 32]));
                log.append(&Entry::Deal(Box::new(deal)));
                log.reveal(&sealed);
            },
        ),
    ]
}

/// Impossible results, under a commitment that is not revealed.
fn impossible() -> Vec<Case> {
    let case =
        |name, about, terms: fn(&mut Commit), write: fn(&mut PaperLog, &Commit, &ServerSeed)| {
            let mut log = log();
            let seed = counting_seed(0);
            let (_, commit) = log.commit(&seed, terms);
            write(&mut log, &commit, &seed);
            Case::new(name, about, &log, &["result-mismatch"])
        };
    vec![
        case(
            "result-mismatch-card-twice",
            "a card oftener than its deck has it, in one deck and in two",
            |c| {
                c.deck = Deck::Named(DeckName::Standard52x2);
                c.draw = int(3);
            },
            |log, commit, seed| {
                deal_cards(log, commit, &seed.mac(), 0, "AsAsAs");
                deal_cards(log, commit, &seed.mac(), 1, "AsKsAs");
            },
        ),
        case(
            "result-mismatch-other-deck",
            "a card that its deck does not have",
            |c| {
                c.deck = Deck::Named(DeckName::Short36);
                c.draw = int(2);
            },
            |log, commit, seed| {
                deal_cards(log, commit, &seed.mac(), 0, "As5c");
            },
        ),
        case(
            "result-mismatch-index",
            "an item that the list does not have, and one twice",
            |c| {
                c.deck = list(10);
                c.draw = int(3);
            },
            |log, commit, seed| {
                deal_indices(log, commit, &seed.mac(), 0, &[0, 10, 1]);
                deal_indices(log, commit, &seed.mac(), 1, &[0, 9, 0]);
            },
        ),
        case(
            "result-mismatch-cycle",
            "two cycles of two in the place of one of four",
            |c| {
                c.deck = list(4);
                c.draw = int(4);
                c.method = Method::Cycle;
            },
            |log, commit, seed| {
                deal_indices(log, commit, &seed.mac(), 0, &[2, 3, 0, 1]);
            },
        ),
        case(
            "result-mismatch-cycle-kinds",
            "each card of two decks to its other copy: no cycle of kinds",
            |c| {
                c.deck = Deck::Named(DeckName::Standard52x2);
                c.draw = int(104);
                c.method = Method::Cycle;
            },
            |log, commit, seed| {
                let cards: Vec<String> =
                    DeckName::Standard52x2.cards().iter().map(ToString::to_string).collect();
                deal_cards(
                    log,
                    commit,
                    &seed.mac(),
                    0,
                    &[&cards[52..], &cards[..52]].concat().concat(),
                );
            },
        ),
    ]
}
