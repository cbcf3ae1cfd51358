//! Logs whose entries break a rule: every tile is right and the checkpoint is signed; only judging
//! the entries shows it.

use fairdeal::deal::ServerSeed;
use fairdeal::record::entry::Commit;

use crate::logs::case::Case;
use crate::logs::write::{
    ALICE, BOTH, clear, deal_of, dealt_once, foreign, game, holdem, log, table,
};
use tools::paper::{PaperLog, counting_seed, int, logged_clients, policy, seeing};

/// A log with an open commitment and one dealt round, continued by `write`.
pub fn dealt(
    name: &'static str,
    about: &'static str,
    finds: &'static [&'static str],
    write: impl FnOnce(&mut PaperLog, &Commit, &ServerSeed),
) -> Case {
    let mut log = log();
    let (seed, commit) = dealt_once(&mut log);
    write(&mut log, &commit, &seed);
    Case::new(name, about, &log, finds)
}

/// One finding more than are kept in full.
fn many() -> Case {
    let mut log = log();
    for _ in 0..1001 {
        log.append_bytes(b"{ }");
    }
    let about = "1,001 entries with a space: all are counted, and the first 1,000 are listed";
    Case::new("not-canonical-1001", about, &log, &["not-canonical"])
}

pub fn cases() -> Vec<Case> {
    let many = vec![many()];
    [entries(), courses(), tables(), times(), many].into_iter().flatten().collect()
}

fn entries() -> Vec<Case> {
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
                log.append_bytes(
                    format!("{{\"commitment\":\"{c}\",\"entry\":\"spin\"}}").as_bytes(),
                );
                log.append_bytes(format!("{{\"commitment\":\"{}\"}}", &c[1..]).as_bytes());
                log.reveal(seed);
            },
        ),
        dealt(
            "invalid-entry-origin",
            "a commit of another log",
            &["invalid-entry"],
            |log, _, _| {
                let mut other = PaperLog::new("other.example/log", 7);
                other.commit(&counting_seed(9), |_| {});
                log.append_bytes(&other.entries()[0]);
            },
        ),
        dealt(
            "invalid-entry-seen",
            "a checkpoint that a player saw, and that the log never signed",
            &["invalid-entry"],
            |log, commit, seed| {
                let mut stranger = PaperLog::new("cards.example/log", 8);
                stranger.append_bytes(b"x");
                deal_of(
                    log,
                    commit,
                    &seed.mac(),
                    1,
                    vec![seeing("bob", "seven", &stranger.seen())],
                );
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
        dealt(
            "invalid-entry-seats",
            "no seats under a layout: before the reveal, and after it",
            &["invalid-entry"],
            |log, _, seed| {
                log.reveal(seed);
                let second = counting_seed(9);
                let (_, commit) = log.commit(&second, |c| {
                    c.after = Some(seed.commitment());
                    c.draw = int(12);
                    c.layout = Some(holdem());
                });
                log.lock(commit.commitment, 0, vec![clear("alice", "lucky")]);
                log.reveal(&second);
                log.deal(&commit, &second.mac(), 0, ALICE);
            },
        ),
        dealt(
            "no-commitment",
            "a reveal of what was never committed to",
            &["no-commitment"],
            |log, _, _| {
                log.reveal(&counting_seed(9));
            },
        ),
        dealt(
            "duplicate-commitment",
            "one seed committed to twice",
            &["duplicate-commitment"],
            |log, _, seed| {
                log.commit(seed, |c| c.after = Some(seed.commitment()));
                log.reveal(seed);
                foreign(log, &seed.commitment());
            },
        ),
        dealt(
            "duplicate-commitment-other-protocol",
            "a commitment of another protocol, committed to again",
            &["duplicate-commitment"],
            |log, _, _| {
                let unused = counting_seed(9);
                foreign(log, &unused.commitment());
                foreign(log, &unused.commitment());
                log.commit(&unused, |_| {});
                log.reveal(&unused);
            },
        ),
    ]
}

/// A whole void after a commitment's first use.
fn first_use(
    name: &'static str,
    about: &'static str,
    write: impl FnOnce(&mut PaperLog, &Commit, &ServerSeed),
) -> Case {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| c.draw = int(1));
    write(&mut log, &commit, &seed);
    log.void(commit.commitment, None, None);
    Case::new(name, about, &log, &["void-after-use"])
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
        first_use("void-after-use-lock", "a whole void after a lock", |log, commit, _| {
            log.lock(commit.commitment, 0, logged_clients(ALICE));
        }),
        first_use(
            "void-after-use-void",
            "a whole void after the void of a round",
            |log, commit, _| {
                log.void(commit.commitment, Some(0), None);
            },
        ),
        first_use("void-after-use-deal", "a whole void after a deal", |log, commit, seed| {
            log.deal(commit, &seed.mac(), 0, ALICE);
        }),
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
        dealt(
            "nonce-gap",
            "a skipped round, and one dealt twice",
            &["nonce-gap"],
            |log, commit, seed| {
                log.deal(commit, &seed.mac(), 2, ALICE);
                log.deal(commit, &seed.mac(), 0, BOTH);
                log.deal(commit, &seed.mac(), 1, ALICE);
                log.reveal(seed);
            },
        ),
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
    let others = || [counting_seed(40), counting_seed(80)];
    vec![
        dealt(
            "out-of-turn",
            "a second commitment while the first is open, a third that leaves the second out, and one that names none",
            &["out-of-turn"],
            |log, commit, seed| {
                let [second, third] = others();
                let (_, used) = log.commit(&second, |c| {
                    c.after = Some(commit.commitment);
                    c.draw = int(1);
                });
                log.commit(&third, |c| c.after = Some(commit.commitment));
                log.commit(&counting_seed(120), |_| {});
                log.deal(&used, &second.mac(), 0, ALICE);
                log.reveal(seed);
                log.reveal(&second);
            },
        ),
        dealt(
            "out-of-turn-open",
            "a commitment one round before the table's last is used up",
            &["out-of-turn"],
            |log, commit, seed| {
                log.deal(commit, &seed.mac(), 1, ALICE);
                log.commit(&others()[0], |c| c.after = Some(commit.commitment));
                log.deal(commit, &seed.mac(), 2, ALICE);
                log.reveal(seed);
            },
        ),
        dealt(
            "out-of-turn-after",
            "a commitment that names another than its table's last, which is revealed",
            &["out-of-turn"],
            |log, _, seed| {
                log.reveal(seed);
                log.commit(&others()[0], |c| c.after = Some(others()[1].commitment()));
            },
        ),
        dealt(
            "out-of-turn-absent",
            "a commitment that names none, where the table's last is revealed",
            &["out-of-turn"],
            |log, _, seed| {
                log.reveal(seed);
                log.commit(&others()[0], |_| {});
            },
        ),
        dealt(
            "out-of-turn-first",
            "a table's first commitment that names one before it",
            &["out-of-turn"],
            |log, c, seed| {
                let after = Some(c.commitment);
                log.reveal(seed);
                log.commit(&others()[0], |c| {
                    c.after = after;
                    c.table = table("table 2");
                });
            },
        ),
    ]
}

/// Sets a log's clock so that its next entry has this time.
fn log_at(log: &mut PaperLog, time: u64) {
    log.time = time - 1000;
}

fn times() -> Vec<Case> {
    let unused = {
        let mut log = game();
        log.commit(&counting_seed(40), |c| c.after = Some(counting_seed(0).commitment()));
        log
    };
    let by = unused.time + 86_400_000;
    // Two entries have the greatest time, and the last one a time before it.
    let mut ahead = log();
    let tomorrow = ahead.time + 80_000_000;
    let (seed, commit) = dealt_once(&mut ahead);
    for n in [1, 2] {
        log_at(&mut ahead, tomorrow);
        ahead.deal(&commit, &seed.mac(), n, ALICE);
    }
    log_at(&mut ahead, tomorrow - 10);
    ahead.reveal(&seed);
    vec![
        dealt(
            "backdated",
            "a reveal with a time a millisecond more than 300 s before the signatures of witnesses that stand before it",
            &["backdated", "time-runs-back"],
            |log, _, seed| {
                let signed = log.time + 400_000;
                log_at(log, signed);
                log.anchor(2, &[(1, signed / 1000), (2, signed / 1000)]);
                log_at(log, signed - 300_001);
                log.reveal(seed);
            },
        )
        .policy(&policy(2, 3)),
        Case::new(
            "time-ahead",
            "entries 300,001 ms after the reader's clock, and one a little before them",
            &ahead,
            &["time-ahead", "time-runs-back"],
        )
        .by_clock(tomorrow - 300_001),
        dealt(
            "time-runs-back",
            "a clock that was set back",
            &["time-runs-back"],
            |log, commit, seed| {
                log.time -= 5000;
                log.deal(commit, &seed.mac(), 1, ALICE);
                log.reveal(seed);
                log.time -= 5000;
                log.commit(&counting_seed(9), |c| c.after = Some(seed.commitment()));
            },
        ),
        dealt(
            "late-reveal",
            "a reveal a millisecond after reveal_by",
            &["late-reveal"],
            |log, commit, seed| {
                log.time = commit.reveal_by.value() + 1 - 1000;
                log.reveal(seed);
            },
        ),
        dealt("overdue", "a used commitment whose reveal never came", &["overdue"], |log, _, _| {
            let unused = counting_seed(9);
            log.time += 86_400_000;
            log.commit(&unused, |c| c.table = table("table 2"));
        }),
        Case::new(
            "overdue-unused",
            "a commitment that was never used, judged later",
            &unused,
            &["overdue"],
        )
        .at(by + 1),
    ]
}
