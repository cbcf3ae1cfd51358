//! Choosing among commitments, times and rounds: the whole log is audited.

use fairdeal::deal::ServerSeed;
use fairdeal::record::entry::{Cards, Commit, Mixing};

use crate::attacks::case::{Attack, audit};
use crate::logs::write::{
    ALICE, append, beacon_deal, deal_of, lock_of, log, mixes_beacon, signed, table,
};
use tools::paper::{PaperLog, Player, counting_seed, int, logged_clients, seeing};

pub fn attacks() -> Vec<Attack> {
    let mut attacks =
        vec![fifty(), waiting_chain(), void_that_frees(), rounds_left_out(), unanswered()];
    attacks.extend([held_back(false), held_back(true), invented(), ground()]);
    attacks.extend([attached(false), attached(true), aborts_spread()]);
    attacks.extend(backdated());
    attacks.extend(times());
    attacks
}

/// The table's next commitment: five cards, this many rounds.
fn next(
    log: &mut PaperLog,
    seed: &ServerSeed,
    after: Option<&ServerSeed>,
    rounds: u64,
) -> Box<Commit> {
    let (_, commit) = log.commit(seed, |c| {
        c.after = after.map(ServerSeed::commitment);
        c.draw = int(5);
        c.rounds = int(rounds);
    });
    commit
}

/// A stays open. B's one round is voided, so C may follow it. Then A and C are both open for the
/// player's seed.
fn held_back(names_the_first: bool) -> Attack {
    let mut log = log();
    let [a, b, c] = [0, 40, 80].map(counting_seed);
    let first = next(&mut log, &a, None, 1000);
    let second = next(&mut log, &b, Some(&a), 1);
    log.void(second.commitment, Some(0), None);
    let third = next(&mut log, &c, Some(if names_the_first { &a } else { &b }), 1000);
    log.deal(&third, &c.mac(), 0, ALICE);
    log.deal(&first, &a.mac(), 0, ALICE);
    for seed in [&a, &b, &c] {
        log.reveal(seed);
    }
    if names_the_first {
        let about = "the same, and the third commitment names the first again";
        return audit("held-back-commitment-again", about, &log)
            .finds(["out-of-turn 1", "out-of-turn 3"]);
    }
    let about = "a commitment is held back, open, while the next one's only round is voided and a third one made";
    audit("held-back-commitment", about, &log).finds(["out-of-turn 1"])
}

/// Fifty open commitments; the operator deals under the one that suits.
fn fifty() -> Attack {
    let mut log = log();
    let seeds: Vec<ServerSeed> = (0..50).map(counting_seed).collect();
    let mut commits = Vec::new();
    for (at, seed) in seeds.iter().enumerate() {
        commits.push(next(&mut log, seed, at.checked_sub(1).map(|before| &seeds[before]), 1));
    }
    log.deal(&commits[37], &seeds[37].mac(), 0, ALICE);
    log.reveal(&seeds[37]);
    let about = "fifty commitments of one table are open, and one is dealt under";
    audit("fifty-commitments", about, &log).finds((1..50).map(|at| format!("out-of-turn {at}")))
}

/// All were open when the player looked; the operator voids those that do not suit.
fn waiting_chain() -> Attack {
    let mut log = log();
    let seeds = [0, 40, 80, 120].map(counting_seed);
    let mut commits: Vec<Box<Commit>> = Vec::new();
    for (at, seed) in seeds.iter().enumerate() {
        commits.push(next(&mut log, seed, at.checked_sub(1).map(|before| &seeds[before]), 1));
    }
    let seen = log.seen();
    for commit in &commits[..3] {
        log.void(commit.commitment, None, None);
    }
    deal_of(&mut log, &commits[3], &seeds[3].mac(), 0, vec![seeing("alice", "lucky", &seen)]);
    log.reveal(&seeds[3]);
    let about =
        "four commitments wait in a chain, older than what the player saw, and three are voided";
    audit("waiting-chain", about, &log).finds(["out-of-turn 1", "out-of-turn 2", "out-of-turn 3"])
}

fn void_that_frees() -> Attack {
    let mut log = log();
    let seed = counting_seed(0);
    let commit = next(&mut log, &seed, None, 1000);
    log.void(commit.commitment, Some(0), None);
    log.void(commit.commitment, None, None);
    let about = "a round is voided, and then the whole commitment, which is never to be revealed";
    audit("void-that-frees", about, &log).finds(["void-after-use 2"])
}

/// Rounds of hashes that did not suit once they were opened.
fn rounds_left_out() -> Attack {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| {
        c.draw = int(5);
        c.mixing = Mixing::Hashes;
    });
    let c = commit.commitment;
    let alice = [Player::new("alice", "lucky", 1)];
    for n in 0..3 {
        log.lock(c, n, vec![alice[0].hashed(&c, n)]);
        log.void(c, Some(n), None);
    }
    let lock = log.lock(c, 3, vec![alice[0].hashed(&c, 3)]);
    log.deal_locked(&commit, &seed.mac(), 3, lock, &alice);
    log.reveal(&seed);
    let about =
        "rounds are voided after their lock until one suits: counted, and nobody is accused";
    audit("rounds-left-out", about, &log)
        .has("/reported/voided_locks", 3)
        .has("/reported/tables/table 1/voided_locks", 3)
        .holds()
}

/// All hashes are opened to the operator, who does not like the result, and does not want a counted
/// void at the table.
fn unanswered() -> Attack {
    let mut log = log();
    let [left, other] = [0, 40].map(counting_seed);
    let (_, commit) = log.commit(&left, |c| {
        c.draw = int(5);
        c.mixing = Mixing::Hashes;
    });
    let c = commit.commitment;
    let alice = [Player::new("alice", "lucky", 1)];
    let lock = log.lock(c, 0, vec![alice[0].hashed(&c, 0)]);
    log.deal_locked(&commit, &left.mac(), 0, lock, &alice);
    log.lock(c, 1, vec![alice[0].hashed(&c, 1)]);
    let (_, commit) = log.commit(&other, |c| {
        c.draw = int(5);
        c.mixing = Mixing::Hashes;
        c.table = table("table 2");
    });
    let c = commit.commitment;
    let lock = log.lock(c, 0, vec![alice[0].hashed(&c, 0)]);
    log.deal_locked(&commit, &other.mac(), 0, lock, &alice);
    log.reveal(&other);
    let about = "a lock is left without an answer, and its table with it: counted, and nobody is accused before reveal_by";
    audit("lock-unanswered", about, &log)
        .has("/reported/unanswered_locks", 1)
        .has("/reported/unrevealed_deals", 1)
        .holds()
}

/// A commitment with a beacon and its first lock.
fn beacon_log() -> (PaperLog, Box<Commit>, ServerSeed, u64) {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| {
        c.draw = int(1);
        mixes_beacon(c);
    });
    let lock = lock_of(&mut log, commit.commitment, 0, |lock| {
        lock.beacon = Some(int(1000));
        lock.contributions = Some(logged_clients(ALICE));
    });
    (log, commit, seed, lock)
}

fn invented() -> Attack {
    let (mut log, commit, seed, lock) = beacon_log();
    let signature = "8f".repeat(48);
    let mut deal = beacon_deal(&mut log, &commit, &seed, lock, (0, ALICE), Some(&signature));
    let dealt = deal.result.cards.as_ref().expect("cards").as_str();
    deal.result.cards = Some(Cards::new(if dealt == "As" { "Ks" } else { "As" }).expect("a card"));
    append(&mut log, deal);
    log.reveal(&seed);
    let about =
        "a card under a beacon that does not follow even from the signature that the deal claims";
    audit("beacon-invented-cards", about, &log)
        .has("/unverified/beacons", 1)
        .finds(["result-mismatch 2"])
}

/// Nobody verifies the signature, so the operator makes one up that gives the result it wants.
fn ground() -> Attack {
    let wanted = (0..10_000_u32).find_map(|tried| {
        let (mut log, commit, seed, lock) = beacon_log();
        let signature = format!("{tried:096x}");
        let deal = beacon_deal(&mut log, &commit, &seed, lock, (0, ALICE), Some(&signature));
        let suits = deal.result.cards.as_ref().is_some_and(|cards| cards.as_str() == "As");
        suits.then(|| {
            append(&mut log, deal);
            log.reveal(&seed);
            log
        })
    });
    let about =
        "a beacon's signature is searched for that gives the ace of spades: said to be unverified";
    audit("beacon-ground", about, &wanted.expect("one of 52")).has("/unverified/beacons", 1).holds()
}

/// An operator that attaches a `seen` of its own to every seed, one round under each commitment.
fn attached(is_signed: bool) -> Attack {
    let mut log = log();
    let seeds: Vec<ServerSeed> = (0..3).map(|at| counting_seed(40 * at)).collect();
    for (at, seed) in seeds.iter().enumerate() {
        let commit = next(&mut log, seed, at.checked_sub(1).map(|before| &seeds[before]), 1);
        let alice = seeing("alice", "lucky", &log.seen());
        let c = commit.commitment;
        let alice = if is_signed { signed(&log, c, 0, 1, alice) } else { alice };
        deal_of(&mut log, &commit, &seed.mac(), 0, vec![alice]);
        log.reveal(seed);
    }
    let (name, about, counted) = if is_signed {
        ("seen-signed", "each seed was signed with what its player saw", 0)
    } else {
        ("seen-attached-to-all", "a checkpoint is attached to each seed, which nobody signed", 3)
    };
    audit(name, about, &log)
        .has("/reported/rounds_without_committed_first", counted)
        .has("/reported/rounds_per_commitment/1", 3)
        .has("/reported/commitments_per_table/3", 1)
        .holds()
}

/// Rounds that did not suit are voided after their lock, each at a table of its own.
fn aborts_spread() -> Attack {
    let mut log = log();
    for at in 0..5 {
        let (_, commit) = log.commit(&counting_seed(at), |c| {
            (c.draw, c.mixing) = (int(5), Mixing::Hashes);
            c.table = table(&format!("table {at}"));
        });
        let c = commit.commitment;
        log.lock(c, 0, vec![Player::new("alice", "lucky", 1).hashed(&c, 0)]);
        log.void(c, Some(0), None);
    }
    audit("aborts-spread", "one void of a locked round at each of five tables", &log)
        .has("/reported/voided_locks", 5)
        .has("/reported/commitments_per_table/1", 5)
        .holds()
}

/// A log whose times stand still: the reveals were due long ago, and came with an early time.
fn backdated() -> Vec<Attack> {
    let mut log = log();
    let seed = counting_seed(0);
    let commit = next(&mut log, &seed, None, 1000);
    log.deal(&commit, &seed.mac(), 0, ALICE);
    log.reveal(&seed);
    let (c, by) = (commit.commitment, commit.reveal_by.value());
    let (found, clock) = (by + 30 * 86_400_000, by + 31 * 86_400_000);
    let now = |name, about| audit(name, about, &log).judged_as_of(clock).by_clock(clock);
    vec![
        now("reveal-backdated", "a reveal with an early time; nobody looked before").holds(),
        now("reveal-backdated-and-missed", "the same, and the reader looked when it was due")
            .missed(c, found)
            .finds(["late-reveal 2"]),
        now("another-reveal-missed", "another commitment was missed, and this one was not")
            .missed(counting_seed(40).commitment(), found)
            .holds(),
        now("reveal-missed-by-a-clock-ahead", "the reader looked by a clock that was a day ahead")
            .missed(c, clock + 86_400_000)
            .holds(),
        now("reveal-missed-before-it-was-due", "the reader looked when nothing was due")
            .missed(c, by + 300_000)
            .holds(),
    ]
}

/// An operator that stops writing, and one that writes times in the future.
fn times() -> Vec<Attack> {
    let seed = counting_seed(0);
    let dealt = || {
        let mut log = log();
        let commit = next(&mut log, &seed, None, 1000);
        log.deal(&commit, &seed.mac(), 0, ALICE);
        (log, commit.reveal_by.value())
    };
    let ((left, by), (mut later, _)) = (dealt(), dealt());
    later.time = by + 1;
    later.commit(&counting_seed(1), |c| c.table = table("another"));
    let mut tomorrow = log();
    let (today, c) = (tomorrow.time + 2000, counting_seed(0));
    let commit = next(&mut tomorrow, &c, None, 1000);
    tomorrow.time += 86_000_000;
    tomorrow.deal(&commit, &c.mac(), 0, ALICE);
    tomorrow.reveal(&c);
    let ends = tomorrow.time;
    vec![
        audit("overdue-left", "a seed that never comes, judged by the log's own last time", &left)
            .by_clock(by + 1)
            .has("/overdue_by_clock", 1)
            .holds(),
        audit("overdue-by-now", "the same, judged as of the reader's clock", &left)
            .judged_as_of(by + 1)
            .by_clock(by + 1)
            .has("/overdue_by_clock", 1)
            .finds(["overdue 0"]),
        audit("overdue-at-a-time-to-come", "the same, before the reader's clock says so", &left)
            .judged_as_of(by + 1)
            .by_clock(by)
            .finds(["overdue 0"]),
        audit("overdue-by-the-log", "the same, and the log itself has a later entry", &later)
            .judged_as_of(by + 1)
            .by_clock(by)
            .finds(["overdue 0"]),
        audit("time-ahead", "a deal and a reveal with a time of tomorrow", &tomorrow)
            .by_clock(today)
            .finds(["time-ahead 2"]),
        audit(
            "time-ahead-within",
            "the same, 300,000 ms after the reader's clock and no more",
            &tomorrow,
        )
        .by_clock(ends - 300_000)
        .holds(),
    ]
}
