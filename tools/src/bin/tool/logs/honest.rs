//! Honest logs.

use fairdeal::deal::{Deck, DeckName, Method};
use fairdeal::record::entry::Mixing;

use crate::logs::case::Case;
use crate::logs::write::{
    ALICE, BOTH, append, beacon_deal, deal_of, game, list, lock_of, log, mixes_beacon, table,
};
use tools::paper::{PaperLog, Player, counting_seed, int, logged_clients, seeing};

pub fn cases() -> Vec<Case> {
    let mut cases = vec![
        Case::new("honest-example", "the log of spec/ledger.md's three entries", &example(), &[]),
        Case::new("honest-empty", "a log without entries", &log(), &[]),
        Case::new("honest-empty-as-of", "a log without entries, judged at a time", &log(), &[])
            .at(5),
    ];
    cases.extend([
        mixings(),
        sealed(),
        draws(),
        tables(),
        other_protocols(),
        beacon(),
        weak_seeds(),
        many_weak_seeds(),
    ]);
    cases.extend([full_tiles(), full_for_partial()]);
    cases.extend(in_time());
    cases.push(since());
    cases
}

fn example() -> PaperLog {
    let mut log = PaperLog::new("example.com/fairdeal", 0);
    let counting: [u8; 32] = std::array::from_fn(|at| u8::try_from(at).expect("under 32"));
    log.signer = fairdeal::log::SignerKey::from_seed(log.key().name().clone(), &counting);
    log.time = 1_767_225_600_000 - 1000;
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| {
        c.draw = int(5);
        c.reveal_by = int(1_767_312_000_000);
        c.table = table("table-1");
    });
    log.time = 1_767_225_660_000 - 1000;
    log.deal(&commit, &seed.mac(), 0, ALICE);
    log.time = 1_767_225_720_000 - 1000;
    log.reveal(&seed);
    log
}

/// Clear seeds, hashes, both in one lock, voids, and `seen` checkpoints.
fn mixings() -> Case {
    let mut log = log();
    let (seed, hashed) = (counting_seed(0), counting_seed(50));
    let (_, commit) = log.commit(&seed, |c| {
        c.draw = int(5);
        c.rounds = int(6);
    });
    let seen = log.seen();
    let c = commit.commitment;
    log.deal(&commit, &seed.mac(), 0, BOTH);
    deal_of(
        &mut log,
        &commit,
        &seed.mac(),
        1,
        vec![seeing("alice", "lucky", &seen), seeing("bob", "seven", &seen)],
    );
    let clear = logged_clients(ALICE);
    let mut bob = Player::new("bob", "seven", 2);
    bob.seen = Some(seen);
    log.lock(c, 2, vec![clear[0].clone(), bob.hashed(&c, 2)]);
    log.void(c, Some(2), Some("bob"));
    log.void(c, Some(3), None);
    log.lock(c, 4, clear);
    log.void(c, Some(4), Some("alice"));
    let lock = log.lock(c, 5, vec![bob.hashed(&c, 5)]);
    log.deal_locked(&commit, &seed.mac(), 5, lock, &[bob]);
    // Used up, so the table's next commitment may be used before this one is revealed.
    let (_, second) = log.commit(&hashed, |c| {
        c.after = Some(seed.commitment());
        c.draw = int(2);
        c.mixing = Mixing::Hashes;
    });
    let players = [Player::new("alice", "lucky", 1), Player::new("bob", "seven", 2)];
    let c = second.commitment;
    let lock = log.lock(c, 0, players.iter().map(|p| p.hashed(&c, 0)).collect());
    log.deal_locked(&second, &hashed.mac(), 0, lock, &players);
    log.reveal(&hashed);
    log.reveal(&seed);
    Case::new(
        "honest-mixings",
        "clear seeds, hashes, both in one lock, rounds voided, checkpoints seen",
        &log,
        &[],
    )
}

fn sealed() -> Case {
    let mut log = log();
    let seed = counting_seed(5);
    let (_, commit) = log.commit(&seed, |c| {
        c.sealed = true;
        c.draw = int(9);
    });
    log.deal(&commit, &seed.mac(), 0, ALICE);
    log.deal(&commit, &seed.mac(), 1, BOTH);
    log.reveal(&seed);
    Case::new("honest-sealed", "sealed deals, revealed", &log, &[])
}

/// Every form of a result, and both methods.
fn draws() -> Case {
    let mut log = log();
    let decks: [(u8, Deck, u64, Method); 6] = [
        (0, Deck::Named(DeckName::Standard52x8), 20, Method::Shuffle),
        (30, Deck::Named(DeckName::Short36), 36, Method::Cycle),
        (60, list(5000), 3, Method::Shuffle),
        (90, list(12), 12, Method::Cycle),
        (120, list(1001), 1001, Method::Cycle),
        (150, list(1001), 1000, Method::Shuffle),
    ];
    for (first, deck, draw, method) in decks {
        let seed = counting_seed(first);
        let (_, commit) = log.commit(&seed, |c| {
            c.deck = deck;
            c.draw = int(draw);
            c.method = method;
            c.table = table(&format!("table {first}"));
        });
        log.deal(&commit, &seed.mac(), 0, BOTH);
        log.reveal(&seed);
    }
    Case::new(
        "honest-draws",
        "cards, indices and digests, drawn in part, in full and in a cycle",
        &log,
        &[],
    )
}

/// One table whose commitments end in each possible way, and another table beside it.
fn tables() -> Case {
    let mut log = log();
    let seeds = [0, 40, 80, 120, 160].map(counting_seed);
    let next = |log: &mut PaperLog, seed: usize, after: Option<usize>, name: &str| {
        let (_, commit) = log.commit(&seeds[seed], |c| {
            c.after = after.map(|after| seeds[after].commitment());
            c.draw = int(1);
            c.rounds = int(2);
            c.table = table(name);
        });
        commit
    };
    let first = next(&mut log, 0, None, "vingt-et-un é");
    let other = next(&mut log, 1, None, "\"evening\"");
    log.deal(&first, &seeds[0].mac(), 0, ALICE);
    log.deal(&other, &seeds[1].mac(), 0, ALICE);
    log.deal(&first, &seeds[0].mac(), 1, ALICE);
    let second = next(&mut log, 2, Some(0), "vingt-et-un é");
    log.void(second.commitment, None, None);
    let third = next(&mut log, 3, Some(2), "vingt-et-un é");
    log.deal(&third, &seeds[3].mac(), 0, ALICE);
    log.reveal(&seeds[3]);
    let fourth = next(&mut log, 4, Some(3), "vingt-et-un é");
    log.deal(&fourth, &seeds[4].mac(), 0, ALICE);
    log.void(fourth.commitment, Some(1), None);
    log.reveal(&seeds[0]);
    let about = "two tables; at one, commitments that are used up, voided, revealed and used up by a void, each before the next";
    Case::new("honest-tables", about, &log, &[])
}

fn other_protocols() -> Case {
    let mut log = game();
    let digest = "ab".repeat(32);
    log.append_bytes(
        format!(
            "{{\"commitment\":\"{digest}\",\"entry\":\"commit\",\"protocol\":\"fairdeal/v2\",\"time\":1}}"
        )
        .as_bytes(),
    );
    for entry in ["spin", "deal", "reveal"] {
        log.append_bytes(
            format!("{{\"commitment\":\"{digest}\",\"entry\":\"{entry}\",\"time\":0}}").as_bytes(),
        );
    }
    Case::new(
        "honest-other-protocol",
        "a commitment of another protocol, with entries under it",
        &log,
        &[],
    )
}

/// Rounds with a beacon: without contributions, and with clear seeds.
fn beacon() -> Case {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| {
        c.draw = int(1);
        mixes_beacon(c);
    });
    let c = commit.commitment;
    for (n, clients, signature) in [(0, &[][..], "8f".repeat(48)), (1, BOTH, "9e".repeat(48))] {
        let lock = lock_of(&mut log, c, n, |lock| {
            lock.beacon = Some(int(1000 + n));
            lock.contributions = (!clients.is_empty()).then(|| logged_clients(clients));
        });
        let deal = beacon_deal(&mut log, &commit, &seed, lock, (n, clients), Some(&signature));
        append(&mut log, deal);
    }
    log.reveal(&seed);
    Case::new(
        "honest-beacon",
        "deals with a beacon, which follow from the signatures that they claim",
        &log,
        &[],
    )
}

/// One seed that three players bring, another that two bring, one of them hashed.
fn weak_seeds() -> Case {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| c.draw = int(1));
    let c = commit.commitment;
    for (n, clients) in [
        (0, &[("alice", "1234"), ("bob", "1234")][..]),
        (1, &[("alice", "1234"), ("bob", "1234")]),
        (2, &[("alice", "1234"), ("bob", "seven")]),
    ] {
        log.deal(&commit, &seed.mac(), n, clients);
    }
    let carol = [Player::new("carol", "1234", 3)];
    let lock = log.lock(c, 3, vec![carol[0].hashed(&c, 3)]);
    log.deal_locked(&commit, &seed.mac(), 3, lock, &carol);
    log.lock(c, 4, logged_clients(&[("dave", "seven")]));
    log.void(c, Some(4), None);
    log.reveal(&seed);
    Case::new(
        "honest-weak-seeds",
        "a seed that three players use, which is reported and not judged",
        &log,
        &[],
    )
}

/// More entries than one bundle holds, with `seen` checkpoints on both sides of its end.
fn full_tiles() -> Case {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| c.draw = int(1));
    let mut seen = log.seen();
    for n in 0..290 {
        if matches!(n, 100 | 254 | 256 | 289) {
            deal_of(&mut log, &commit, &seed.mac(), n, vec![seeing("alice", "lucky", &seen)]);
            seen = log.seen();
        } else {
            log.deal(&commit, &seed.mac(), n, ALICE);
        }
    }
    log.reveal(&seed);
    Case::new(
        "honest-full-tiles",
        "292 entries: a full bundle, a partial one, tiles of two levels",
        &log,
        &[],
    )
}

/// Files of a log that has grown since the checkpoint.
fn full_for_partial() -> Case {
    let mut log = game();
    let checkpoint = log.checkpoint().into_bytes();
    for _ in log.size()..256 {
        log.append_bytes(b"x");
    }
    let about = "a full tile and a full bundle in the place of partial ones, which are gone";
    Case::new("honest-full-for-partial", about, &log, &[]).with("checkpoint", |_| Some(checkpoint))
}

fn in_time() -> Vec<Case> {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| c.draw = int(1));
    log.deal(&commit, &seed.mac(), 0, ALICE);
    let by = commit.reveal_by.value();
    let late = "a used commitment at the last moment of its reveal_by";
    let hours = "a log judged at a time before its own last entry";
    vec![
        Case::new("honest-not-yet-overdue", late, &log, &[]).at(by),
        Case::new("honest-judged-early", hours, &log, &[]).at(1),
    ]
}

fn since() -> Case {
    let empty = log().checkpoint();
    let whole = game();
    let mut early = log();
    for entry in &whole.entries()[..2] {
        early.append_bytes(entry);
    }
    Case::new(
        "honest-since",
        "held against the checkpoints of nothing, of a prefix and of itself",
        &whole,
        &[],
    )
    .since(empty)
    .since(early.checkpoint())
    .since(whole.checkpoint())
}

/// One more seed than are listed, each brought by three players.
fn many_weak_seeds() -> Case {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| c.draw = int(1));
    let pairs: Vec<(String, String)> =
        (0..303).map(|at| (format!("player {at:03}"), format!("seed {:03}", at % 101))).collect();
    for (n, pairs) in (0..).zip(pairs.chunks(61)) {
        let clients: Vec<(&str, &str)> =
            pairs.iter().map(|(from, seed)| (from.as_str(), seed.as_str())).collect();
        log.deal(&commit, &seed.mac(), n, &clients);
    }
    log.reveal(&seed);
    let about = "101 seeds of three players each: the first 100 by their bytes are listed";
    Case::new("honest-many-weak-seeds", about, &log, &[])
}
