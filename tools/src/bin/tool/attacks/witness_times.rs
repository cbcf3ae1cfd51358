//! Times under a policy: entries before and after what witnesses have signed, reveals that they had
//! seen in time, and the lines under a checkpoint.

use crate::attacks::case::{Attack, audit};
use crate::attacks::witnesses::{BEGIN, dealt, now, three, under_policy};
use crate::logs::write::{ALICE, log as empty};
use tools::paper::{PaperLog, START, cosigned, counting_seed, int, policy};

pub fn attacks() -> Vec<Attack> {
    [backdated(), ahead(), reveals(), checkpoints()].into_iter().flatten().collect()
}

/// A log whose anchor was signed long after its own time; the next deal is of the time of the last
/// signature.
fn late(by: &[(u8, u64)]) -> PaperLog {
    let (mut log, commit) = dealt();
    log.time = START + 10_000;
    log.anchor(3, by);
    log.time = by.iter().map(|(_, time)| time * 1000).max().unwrap_or_default() - 1000;
    log.deal(&commit, &counting_seed(0).mac(), 2, ALICE);
    log
}

fn backdated() -> Vec<Attack> {
    let at = BEGIN + 400;
    let all = [(1, at), (2, at), (3, at)];
    let case = |name, about, by: &[(u8, u64)]| under_policy(name, about, &late(by));
    // The anchor stands at START + 11 s: with these signatures it is backdated itself.
    let itself = "backdated 3";
    let (mut own, _) = dealt();
    own.time = (BEGIN + 400) * 1000 - 300_000 - 1000;
    own.anchor(3, &all);
    let (mut own_late, _) = dealt();
    own_late.time = (BEGIN + 400) * 1000 - 300_001 - 1000;
    own_late.anchor(3, &all);
    let early = BEGIN + 100;
    let sure = |ms| {
        let (mut log, commit) = dealt();
        log.time = (early + 400) * 1000;
        log.anchor(3, &[(1, early + 400), (2, early + 400)]);
        log.time = (early + 400) * 1000 - ms - 1000;
        log.deal(&commit, &counting_seed(0).mac(), 2, ALICE);
        log
    };
    vec![
        under_policy(
            "anchor-at-the-limit",
            "the anchor's time is 300 s before the signatures in it",
            &own,
        )
        .holds(),
        under_policy(
            "anchor-backdated",
            "the anchor's time is a millisecond more than 300 s before the signatures in it",
            &own_late,
        )
        .finds([itself]),
        audit(
            "anchor-backdated-without-policy",
            "the same for a reader without a policy",
            &own_late,
        )
        .holds(),
        under_policy(
            "deal-at-the-limit",
            "a deal after an anchor is 300 s earlier than its signatures",
            &sure(300_000),
        )
        .finds(["time-runs-back 4"]),
        under_policy(
            "deal-backdated",
            "a deal after an anchor is a millisecond more than 300 s earlier than its signatures",
            &sure(300_001),
        )
        .finds(["time-runs-back 4", "backdated 4"]),
        case("backdated-one-witness", "one witness is no quorum of two", &[(1, at)]).holds(),
        case("backdated-two-witnesses", "two are", &[(1, at), (2, at)]).finds([itself]),
        case("backdated-by-one-of-two", "the second greatest time counts", &[(1, at), (2, BEGIN)])
            .holds(),
    ]
}

fn ahead() -> Vec<Attack> {
    // The last deal is at START + 3 s.
    let last = START + 3000;
    let by = |ms: u64| (last - ms) / 1000;
    let case = |name, about, seconds: [(u8, u64); 2], ms: u64| {
        let (mut log, commit) = dealt();
        log.time = last + ms - 1000;
        log.deal(&commit, &counting_seed(0).mac(), 2, ALICE);
        log.time = last;
        log.anchor(4, &seconds);
        under_policy(name, about, &log)
    };
    let at = by(0);
    let both = [(1, at), (2, at)];
    let limit = 300_000;
    let (mut first, commit) = dealt();
    first.time = last + limit;
    first.deal(&commit, &counting_seed(0).mac(), 2, ALICE);
    first.time -= 1000;
    first.deal(&commit, &counting_seed(0).mac(), 3, ALICE);
    let head = first.cosigned_checkpoint(&both);
    let equals = under_policy(
        "time-ahead-first-of-equals",
        "two entries have the greatest time: the first is named, once",
        &first,
    )
    .checkpoint(&head)
    .by_clock(last)
    .finds(["time-ahead 3"]);
    let (mut alone, commit) = dealt();
    alone.time = last + limit;
    alone.deal(&commit, &counting_seed(0).mac(), 2, ALICE);
    let checkpoint = |name, about, seconds: &[(u8, u64)], found: &[&str]| {
        under_policy(name, about, &alone)
            .checkpoint(&alone.cosigned_checkpoint(seconds))
            .finds(found.iter().copied())
    };
    vec![
        case(
            "time-ahead-at-the-limit",
            "a deal 300 s after two witnesses had signed a tree that has it",
            both,
            limit,
        )
        .finds(["time-runs-back 4"]),
        case(
            "time-ahead-of-anchor",
            "a deal a millisecond more than 300 s after that",
            both,
            limit + 1,
        )
        .finds(["time-ahead 3", "time-runs-back 4"]),
        checkpoint(
            "time-ahead-of-checkpoint",
            "the checkpoint alone shows it",
            &both,
            &["time-ahead 3"],
        ),
        checkpoint("time-ahead-one-witness", "one witness is no quorum", &[(1, at)], &[]),
        checkpoint(
            "time-ahead-later-witness",
            "the second least time counts",
            &[(1, at), (2, at + 10)],
            &[],
        ),
        checkpoint(
            "time-ahead-without-times",
            "a quorum of signatures without times",
            &[(1, 0), (2, 0)],
            &[],
        ),
        checkpoint(
            "time-ahead-one-without-time",
            "one of the quorum has no time",
            &[(1, at), (2, 253_402_300_800)],
            &[],
        ),
        equals,
    ]
}

/// P6: an operator that stops writing anchors reveals late with an early time.
fn reveals() -> Vec<Attack> {
    let log = |anchored: Option<u64>, late: u64| {
        let mut log = empty();
        let seed = counting_seed(0);
        let (_, commit) =
            log.commit(&seed, |c| (c.draw, c.reveal_by) = (int(5), int(START + 5000)));
        log.deal(&commit, &seed.mac(), 0, ALICE);
        log.reveal(&seed);
        if let Some(size) = anchored {
            log.time += 300_000;
            log.anchor(size, &three(BEGIN + 5 + late - 1));
        }
        log
    };
    let (in_time, late) = (log(Some(3), 300), log(Some(3), 301));
    let frozen = log(None, 0);
    let c = counting_seed(0).commitment();
    let missed = |name, about, log: &PaperLog| {
        audit(name, about, log).missed(c, START + 900_000).by_clock(START + 900_000)
    };
    vec![
        missed(
            "reveal-missed-and-shown-in-time",
            "an earlier audit found it overdue, and two witnesses had seen it in time: that audit was of an old copy",
            &in_time,
        )
        .policy(&policy(2, 3))
        .holds(),
        missed("reveal-missed-without-policy", "the same for a reader without a policy", &in_time)
            .finds(["late-reveal 2"]),
        missed(
            "reveal-missed-and-not-shown-in-time",
            "an earlier audit found it overdue, and witnesses had seen it a second too late",
            &late,
        )
        .policy(&policy(2, 3))
        .finds(["late-reveal 2"]),
        under_policy(
            "reveal-shown-in-time",
            "two witnesses had seen the reveal 300 s after it was due",
            &in_time,
        )
        .has("/witnesses/reveals_not_in_time", 0)
        .holds(),
        under_policy("reveal-not-shown-in-time", "they had seen it a second later", &late)
            .has("/witnesses/reveals_not_in_time", 1)
            .holds(),
        under_policy(
            "reveal-frozen",
            "no anchor stands after the reveal: its time is the operator's word",
            &frozen,
        )
        .has("/witnesses/reveals_not_in_time", 1)
        .has("/witnesses/not_covered", 3)
        .holds(),
    ]
}

fn checkpoints() -> Vec<Attack> {
    let (log, _) = dealt();
    let by = three(now(&log));
    let text = log.checkpoint_text();
    let wrong = cosigned(1, &text.replace("\n3\n", "\n4\n"), now(&log)).to_text();
    let note = |line: &str| format!("{}{line}\n", log.cosigned_checkpoint(&by));
    let case = |name, about, note: &str| audit(name, about, &log).checkpoint(note);
    vec![
        case(
            "checkpoint-wrong-line",
            "a line of a witness does not verify: the note is refused",
            &note(&wrong),
        )
        .policy(&policy(2, 3))
        .has("/witnesses/proving", 0)
        .has("/witnesses/not_covered", 3)
        .finds(["bad-signature"]),
        case(
            "checkpoint-wrong-line-without-policy",
            "a reader without a policy does not know the witness",
            &note(&wrong),
        )
        .holds(),
        case(
            "checkpoint-unknown-line",
            "a line of a witness that the policy does not have",
            &log.cosigned_checkpoint(&[(1, now(&log)), (2, now(&log)), (7, now(&log))]),
        )
        .policy(&policy(2, 3))
        .has("/witnesses/size", 3)
        .has("/witnesses/by", now(&log))
        .holds(),
    ]
}
