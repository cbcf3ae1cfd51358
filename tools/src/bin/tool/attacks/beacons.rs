//! Rounds of beacons: the wrong round, a wrong signature, and what witnesses show of a lock.

use fairdeal::beacon::Chain;
use fairdeal::record::entry::Commit;
use tools::beacons::{self, OwnChain, out, recorded};
use tools::paper::{PaperLog, counting_seed, policy};

use crate::attacks::case::{Attack, audit, verify};
use crate::attacks::witnesses::under_policy;
use crate::logs::write::log as empty;

const MARGIN: u64 = 20_000;

pub fn attacks() -> Vec<Attack> {
    [rounds(), unknown(), voids(), before(), locked_twice()].into_iter().flatten().collect()
}

/// A commitment to rounds of a chain, a minute before round 1000 of quicknet.
fn committed(chain: &Chain) -> (PaperLog, Box<Commit>) {
    let mut log = empty();
    log.time = out(1000) - 60_000;
    let (_, commit) = log.commit(&counting_seed(0), |c| beacons::waits(c, chain, MARGIN));
    (log, commit)
}

/// The next entry has this time.
fn at(log: &mut PaperLog, time: u64) {
    log.time = time - 1000;
}

/// A round of quicknet: locked at a time to a round, and dealt from a signature once round 1002 is
/// out.
fn dealt(locked: u64, round: u64, signature: &[u8; 48]) -> PaperLog {
    let (mut log, commit) = committed(&Chain::quicknet());
    let seed = counting_seed(0);
    at(&mut log, locked);
    let lock = beacons::lock(&mut log, &commit, 0, round);
    at(&mut log, out(1002) + 500);
    beacons::deal(&mut log, (&commit, &seed), 0, lock, signature);
    log.reveal(&seed);
    log
}

fn rounds() -> Vec<Attack> {
    // The last moment for round 1000.
    let last = out(1000) - 1 - MARGIN;
    let case = |name, about, locked, round, signature: [u8; 48]| {
        audit(name, about, &dealt(locked, round, &signature)).has("/unverified/beacons", 0)
    };
    let mut flipped = recorded(1000);
    flipped[0] ^= 0x20;
    vec![
        case(
            "beacon-last-moment",
            "a lock whose margin ends a millisecond before round 1000 is out",
            last,
            1000,
            recorded(1000),
        )
        .holds(),
        case(
            "beacon-too-late",
            "a lock whose margin ends when round 1000 is out",
            last + 1,
            1000,
            recorded(1000),
        )
        .finds(["beacon-round 1"]),
        case(
            "beacon-first-moment",
            "a lock whose margin ends when round 999 is out",
            out(999) - MARGIN,
            1000,
            recorded(1000),
        )
        .holds(),
        case(
            "beacon-too-early",
            "a lock whose margin ends a millisecond before round 999 is out",
            out(999) - MARGIN - 1,
            1000,
            recorded(1000),
        )
        .finds(["beacon-round 1"]),
        case(
            "beacon-later-round",
            "a lock that waits for a later round than it must",
            last,
            1001,
            recorded(1001),
        )
        .finds(["beacon-round 1"]),
        case(
            "beacon-of-the-next-round",
            "a deal from the next round's signature",
            last,
            1000,
            recorded(1001),
        )
        .finds(["beacon-signature 2"]),
        case(
            "beacon-other-point",
            "a deal from the other point of the same x",
            last,
            1000,
            flipped,
        )
        .finds(["beacon-signature 2"]),
        case(
            "beacon-wrong-twice",
            "a wrong round, and not even its signature",
            last,
            1001,
            recorded(1000),
        )
        .finds(["beacon-round 1", "beacon-signature 2"]),
    ]
}

/// A chain of the operator's own, which no reader was given.
fn unknown() -> Vec<Attack> {
    let own = OwnChain { secret: 7, genesis: out(1000) / 1000 - 3_000, period: 3 };
    let (mut log, commit) = committed(&own.chain());
    let seed = counting_seed(0);
    let lock = beacons::lock(&mut log, &commit, 0, 999_999);
    beacons::deal(&mut log, (&commit, &seed), 0, lock, &own.sign(1));
    let alone = log.entries().len();
    log.void(commit.commitment, Some(5), None);
    assert_eq!(alone, 3);
    vec![
        audit("beacon-own-chain-beside-a-gap", "the beacon of a chain that the operator made shows nothing; the finding beside it stays", &log)
            .has("/unverified/beacons", 1)
            .finds(["nonce-gap 3"]),
    ]
}

fn voids() -> Vec<Attack> {
    let voided = |time| {
        let (mut log, commit) = committed(&Chain::quicknet());
        at(&mut log, out(1000) - 1 - MARGIN);
        beacons::lock(&mut log, &commit, 0, 1000);
        at(&mut log, time);
        log.void(commit.commitment, Some(0), None);
        log.reveal(&counting_seed(0));
        log
    };
    // Entry 2 is the void, which two witnesses had seen by this second.
    let seen = |name, about, by: u64, late: u64| {
        let mut log = voided(out(1000) - 2_000);
        log.anchor(3, &[(1, by), (2, by)]);
        under_policy(name, about, &log).has("/witnesses/voids_not_before_beacon", late).holds()
    };
    let second = out(1000) / 1000;
    vec![
        audit(
            "beacon-void-in-time",
            "a round that was given up when its beacon was out, not later",
            &voided(out(1000)),
        )
        .has("/reported/beacon_voids", 0)
        .holds(),
        audit(
            "beacon-void-late",
            "a round that was given up a millisecond after its beacon was out",
            &voided(out(1000) + 1),
        )
        .has("/reported/beacon_voids", 1)
        .holds(),
        seen(
            "beacon-void-seen-in-time",
            "witnesses had seen a void by the second at which the beacon was out",
            second,
            0,
        ),
        seen(
            "beacon-void-seen-late",
            "witnesses had seen a void a second after that",
            second + 1,
            1,
        ),
    ]
}

/// Two locks of one round, both seen in time: the operator chooses once it knows both signatures.
fn locked_twice() -> Vec<Attack> {
    let (mut log, commit) = committed(&Chain::quicknet());
    let seed = counting_seed(0);
    at(&mut log, out(1000) - 1 - MARGIN);
    let first = beacons::lock(&mut log, &commit, 0, 1000);
    at(&mut log, out(1001) - 1 - MARGIN);
    let second = beacons::lock(&mut log, &commit, 0, 1001);
    let in_time = out(1000) / 1000 - 5;
    log.anchor(3, &[(1, in_time), (2, in_time)]);
    let kept = log.receipt(&[0, first, 3]).to_text();
    at(&mut log, out(1002) + 500);
    beacons::deal(&mut log, (&commit, &seed), 0, second, &recorded(1001));
    log.reveal(&seed);
    let later = out(1003) / 1000;
    log.anchor(6, &[(1, later), (2, later)]);
    let receipt = |name, about| {
        let text = log.receipt(&[0, second, 3, 4, 5, 6]).to_text();
        verify(name, about, log.key()).file("receipt.json", text).policy(&policy(2, 3))
    };
    vec![
        audit("beacon-locked-twice", "two locks of one round, and the deal follows the second", &log)
            .finds(["open-round 2", "beacon-signature 4", "lock-mismatch 4"]),
        receipt("receipt-beacon-locked-twice", "the receipt leaves the first lock out: it is fair, and does not show that the round was locked once")
            .is("fair")
            .holds(),
        receipt("receipt-beacon-locked-twice-and-the-kept-one", "the reader kept the first lock")
            .kept("kept.json", kept)
            .is("caught")
            .finds(["open-round 2", "beacon-signature 4", "lock-mismatch 4"]),
    ]
}

/// What witnesses show of a lock: those of a policy, and a receipt of the round.
fn before() -> Vec<Attack> {
    let log = |by: u64, round: u64| {
        let (mut log, commit) = committed(&Chain::quicknet());
        let seed = counting_seed(0);
        at(&mut log, out(1000) - 1 - MARGIN);
        let lock = beacons::lock(&mut log, &commit, 0, round);
        log.anchor(2, &[(1, by), (2, by)]);
        at(&mut log, out(1002) + 500);
        beacons::deal(&mut log, (&commit, &seed), 0, lock, &recorded(round));
        log.reveal(&seed);
        let later = out(1003) / 1000;
        log.anchor(5, &[(1, later), (2, later)]);
        log
    };
    let second = out(1000) / 1000;
    let audited = |name, about, by, late| {
        under_policy(name, about, &log(by, 1000))
            .has("/witnesses/locks_not_before_beacon", late)
            .holds()
    };
    let receipt = |name, about, by, round| {
        let log = log(by, round);
        let text = log.receipt(&[0, 1, 2, 3, 4, 5]).to_text();
        verify(name, about, log.key()).file("receipt.json", text).policy(&policy(2, 3))
    };
    let all = ["logged", "replayed", "witnessed", "timed"];
    let before = ["logged", "replayed", "witnessed", "timed", "locked-before-beacon"];
    vec![
        audited("beacon-lock-seen-in-time", "witnesses had seen the lock five seconds before its beacon was out", second - 5, 0),
        audited("beacon-lock-seen-late", "witnesses had seen the lock four seconds before its beacon was out", second - 4, 1),
        receipt("receipt-locked-before-beacon", "nobody could know the beacon when witnesses had seen the lock: fair, without a seed of the reader", second - 5, 1000)
            .shows(&before)
            .is("fair")
            .holds(),
        receipt("receipt-locked-too-late", "witnesses had seen the lock four seconds before its beacon was out: the operator may have known it", second - 4, 1000)
            .shows(&all)
            .not(&["no-collusion", "locked-before-beacon"])
            .is("unproved")
            .holds(),
        receipt("receipt-locked-to-another-round", "witnesses had seen the lock in time, but it names another round", second - 5, 1001)
            .shows(&["logged", "witnessed", "timed"])
            .not(&["replayed", "no-collusion", "locked-before-beacon"])
            .is("caught")
            .finds(["beacon-round 1"]),
    ]
}
