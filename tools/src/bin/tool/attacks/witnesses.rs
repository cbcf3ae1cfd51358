//! Anchors and policies: what witnesses' cosignatures show, what they do not, and the nearest cases
//! on both sides of each limit.

use fairdeal::log::Hash;
use fairdeal::record::entry::Commit;
use fairdeal::record::json::to_canonical;
use serde_json::{Value, json};

use crate::attacks::case::{Attack, audit};
use crate::logs::write::{ALICE, BOTH, foreign, log as empty};
use tools::paper::{PaperLog, Player, START, cosigned, counting_seed, int, policy, witness};

/// The second at which paper logs begin.
const BEGIN: u64 = START / 1000;

pub fn attacks() -> Vec<Attack> {
    [honest(), grammar(), roots(), backdated(), ahead(), reveals(), checkpoints()]
        .into_iter()
        .flatten()
        .collect()
}

/// A log with a commitment and two deals.
pub fn dealt() -> (PaperLog, Box<Commit>) {
    let mut log = empty();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| c.draw = int(5));
    log.deal(&commit, &seed.mac(), 0, ALICE);
    log.deal(&commit, &seed.mac(), 1, BOTH);
    (log, commit)
}

/// The second of the log's last entry.
fn now(log: &PaperLog) -> u64 {
    log.time / 1000
}

/// All three witnesses, a second apart.
pub fn three(time: u64) -> [(u8, u64); 3] {
    [(1, time), (2, time + 1), (3, time + 2)]
}

fn honest() -> Vec<Attack> {
    let (mut log, commit) = dealt();
    let seed = counting_seed(0);
    log.anchor(3, &three(now(&log)));
    log.deal(&commit, &seed.mac(), 2, ALICE);
    log.anchor(5, &[(1, now(&log)), (3, now(&log) + 1)]);
    log.reveal(&seed);
    log.anchor(7, &three(now(&log) + 60));
    let head = log.cosigned_checkpoint(&three(now(&log) + 70));
    let about = "a log with anchors whose checkpoint two of three witnesses have signed";
    let audited = |name, about| audit(name, about, &log).checkpoint(&head);
    let mut mistimed = dealt().0;
    // One of three has a clock an hour ahead: neither bound moves by it.
    mistimed.anchor(3, &[(1, now(&mistimed)), (2, now(&mistimed) + 3600), (3, now(&mistimed))]);
    mistimed.deal(&commit, &seed.mac(), 2, ALICE);
    let mut locked = dealt().0;
    let c = commit.commitment;
    locked.lock(c, 2, vec![Player::new("alice", "lucky", 1).hashed(&c, 2)]);
    locked.anchor(4, &three(now(&locked)));
    locked.void(c, Some(2), None);
    vec![
        audited("anchors", about)
            .policy(&policy(2, 3))
            .has("/witnesses/anchors", 3)
            .has("/witnesses/proving", 3)
            .has("/witnesses/size", 8)
            .has("/witnesses/by", now(&log) + 71)
            .has("/witnesses/longest", 62)
            .has("/witnesses/not_covered", 0)
            .has("/witnesses/reveals_not_in_time", 0)
            .holds(),
        audited("anchors-without-policy", "the same log, for a reader without a policy").holds(),
        audited(
            "anchors-for-all-three",
            "the same log, for a reader who asks for all three: one anchor lacks one",
        )
        .policy(&policy(3, 3))
        .has("/witnesses/proving", 2)
        .holds(),
        audited(
            "anchors-quorum-none",
            "the same log under a policy whose quorum is none: nothing is witnessed",
        )
        .policy("quorum none\n")
        .has("/witnesses/anchors", 3)
        .has("/witnesses/proving", 0)
        .has("/witnesses/not_covered", 8)
        .has("/witnesses/reveals_not_in_time", 1)
        .holds(),
        audit(
            "anchor-one-wrong-clock",
            "one of three witnesses has a clock an hour ahead",
            &mistimed,
        )
        .policy(&policy(2, 3))
        .holds(),
        audit("anchor-in-a-locked-round", "an anchor between a lock and its answer", &locked)
            .policy(&policy(2, 3))
            .has("/witnesses/proving", 1)
            .holds(),
    ]
}

/// An anchor as JSON, to be changed.
fn anchor_value(log: &PaperLog, lines: &[String]) -> Value {
    json!({
        "entry": "anchor", "time": log.time, "size": 3, "root": log.root_at(3).to_hex(),
        "cosignatures": lines,
    })
}

/// A line whose signature has so many bytes more or less than 76.
fn line_of(number: u8, bytes: usize) -> String {
    use base64::Engine as _;
    let key = witness(number).key().as_verifier().clone();
    let all = [key.id().to_bytes().as_slice(), &vec![7; bytes - 4]].concat();
    let base64 = base64::engine::general_purpose::STANDARD.encode(all);
    format!("\u{2014} {} {base64}", key.name())
}

fn grammar() -> Vec<Attack> {
    let (paper, _) = dealt();
    let text = paper.text_of(3, paper.root_at(3));
    let line = |one: u8, time| cosigned(one, &text, time).to_text();
    let mut three: Vec<String> = (1..=3).map(|one| line(one, BEGIN)).collect();
    three.sort();
    let sixteen: Vec<String> = (1..=16).map(|one| line(one, BEGIN)).collect();
    let sorted = |mut lines: Vec<String>| {
        lines.sort();
        lines
    };
    let with = |member: &str, value: Value| {
        let mut anchor = anchor_value(&paper, &three);
        anchor[member] = value;
        anchor
    };
    let long = format!(
        "\u{2014} {} {}",
        "n".repeat(256),
        line_of(1, 76).split(' ').nth(2).expect("base64")
    );
    let wrong = [
        anchor_value(&paper, &three.iter().rev().cloned().collect::<Vec<_>>()),
        anchor_value(&paper, &[three[0].clone(), three[0].clone()]),
        anchor_value(&paper, &sorted(vec![line(1, BEGIN), line(1, BEGIN + 1)])),
        anchor_value(&paper, &sorted((1..=17).map(|one| line(one, BEGIN)).collect())),
        anchor_value(&paper, &[]),
        anchor_value(&paper, &[line_of(1, 75)]),
        anchor_value(&paper, &[line_of(1, 77)]),
        anchor_value(&paper, &[line_of(1, 2431)]),
        anchor_value(&paper, &[long]),
        anchor_value(&paper, &[three[0].replace('\u{2014}', "-")]),
        anchor_value(&paper, &[format!("{} ", three[0])]),
        anchor_value(&paper, &[format!("{}\n", three[0])]),
        with("size", json!(0)),
        with("size", json!("3")),
        with("root", json!(paper.root_at(3).to_base64())),
        with("cosignatures", json!(three[0])),
        with("ext", json!("00".repeat(32))),
        with("nonce", json!(0)),
        with("commitment", json!(counting_seed(0).commitment().to_text())),
        with("commitment", json!(counting_seed(9).commitment().to_text())),
    ];
    let mut log = dealt().0;
    let mut most = sixteen;
    most[1] = line_of(2, 2432);
    let most = anchor_value(&paper, &sorted(most));
    for anchor in &wrong {
        log.append_bytes(to_canonical(anchor).as_bytes());
    }
    log.append_bytes(to_canonical(&most).as_bytes());
    let found: Vec<String> =
        (0..wrong.len()).map(|at| format!("invalid-entry {}", at + 3)).collect();
    let mut other = dealt().0;
    foreign(&mut other, &counting_seed(9).commitment());
    other.append_bytes(
        to_canonical(&with("commitment", json!(counting_seed(9).commitment().to_text())))
            .as_bytes(),
    );
    vec![
        audit(
            "anchor-grammar",
            "anchors that are none: lines out of order, of one key, too many, none, too short and too long; members of another form; and then one of sixteen lines, one of them of 2,432 bytes",
            &log,
        )
        .policy(&policy(2, 3))
        .has("/witnesses/anchors", 1)
        .has("/witnesses/proving", 1)
        .finds(found),
        audit(
            "anchor-of-another-protocol",
            "an anchor with the commitment of another protocol is an entry of that protocol",
            &other,
        )
        .policy(&policy(2, 3))
        .has("/witnesses/anchors", 0)
        .holds(),
    ]
}

fn roots() -> Vec<Attack> {
    let sizes = |name, about, sizes: [u64; 2], found: &[&str]| {
        let (mut log, _) = dealt();
        for size in sizes {
            let size = size.min(log.size());
            log.anchor(size, &three(now(&log)));
        }
        audit(name, about, &log).policy(&policy(2, 3)).finds(found.iter().copied())
    };
    let other = Hash::from_bytes([9; 32]);
    let (mut ahead, _) = dealt();
    ahead.anchor_of(4, other, &three(now(&ahead)));
    let (mut fork, _) = dealt();
    fork.anchor_of(2, other, &three(now(&fork)));
    let mut damaged = fork.files();
    damaged.insert("tile/0/000.p/4".to_owned(), vec![0; 128]);
    vec![
        sizes(
            "anchor-size-again",
            "the second anchor has the size of the first",
            [2, 2],
            &["invalid-entry 4"],
        ),
        sizes(
            "anchor-size-less",
            "the second anchor has a smaller size",
            [2, 1],
            &["invalid-entry 4"],
        ),
        sizes("anchor-size-next", "each anchor has one entry more", [2, 3], &[]),
        sizes("anchor-size-index", "each anchor has all entries before it", [3, 4], &[]),
        audit("anchor-size-ahead", "an anchor of more entries than stand before it", &ahead)
            .finds(["split-view 3"]),
        audit(
            "anchor-another-root",
            "witnesses have signed another root: no policy is needed to see it",
            &fork,
        )
        .finds(["split-view 3"]),
        audit(
            "anchor-another-root-in-damaged-files",
            "the same in files that disagree: nothing is compared",
            &fork,
        )
        .checkpoint(&PaperLog::checkpoint(&dealt().0).replace("\n3\n", "\n4\n"))
        .policy(&policy(2, 3))
        .has("/witnesses/proving", 0)
        .has("/witnesses/not_covered", 4)
        .finds(["tree-mismatch", "bad-signature"]),
    ]
}

/// A log whose anchor's signatures are so many milliseconds after the next deal.
fn late_by(ms: u64, by: &[(u8, u64)]) -> PaperLog {
    let (mut log, commit) = dealt();
    log.time = START + 10_000;
    log.anchor(3, by);
    // The anchor's own time must be late enough.
    log.time = by.iter().map(|(_, time)| time * 1000).max().unwrap_or_default() - ms - 1000;
    log.deal(&commit, &counting_seed(0).mac(), 2, ALICE);
    log
}

fn backdated() -> Vec<Attack> {
    let at = BEGIN + 400;
    let all = [(1, at), (2, at), (3, at)];
    let case = |name, about, ms, by: &[(u8, u64)]| {
        audit(name, about, &late_by(ms, by)).policy(&policy(2, 3))
    };
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
        audit(
            "anchor-at-the-limit",
            "the anchor's time is 300 s before the signatures in it",
            &own,
        )
        .policy(&policy(2, 3))
        .holds(),
        audit(
            "anchor-backdated",
            "the anchor's time is a millisecond more than 300 s before the signatures in it",
            &own_late,
        )
        .policy(&policy(2, 3))
        .finds([itself]),
        audit(
            "anchor-backdated-without-policy",
            "the same for a reader without a policy",
            &own_late,
        )
        .holds(),
        audit(
            "deal-at-the-limit",
            "a deal after an anchor is 300 s earlier than its signatures",
            &sure(300_000),
        )
        .policy(&policy(2, 3))
        .finds(["time-runs-back 4"]),
        audit(
            "deal-backdated",
            "a deal after an anchor is a millisecond more than 300 s earlier than its signatures",
            &sure(300_001),
        )
        .policy(&policy(2, 3))
        .finds(["time-runs-back 4", "backdated 4"]),
        case("backdated-one-witness", "one witness is no quorum of two", 0, &[(1, at)]).holds(),
        case("backdated-two-witnesses", "two are", 0, &[(1, at), (2, at)]).finds([itself]),
        case(
            "backdated-by-one-of-two",
            "the second greatest time counts",
            0,
            &[(1, at), (2, BEGIN)],
        )
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
        audit(name, about, &log).policy(&policy(2, 3))
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
    let equals = audit(
        "time-ahead-first-of-equals",
        "two entries have the greatest time: the first is named, once",
        &first,
    )
    .checkpoint(&head)
    .policy(&policy(2, 3))
    .by_clock(last)
    .finds(["time-ahead 3"]);
    let (mut alone, commit) = dealt();
    alone.time = last + limit;
    alone.deal(&commit, &counting_seed(0).mac(), 2, ALICE);
    let checkpoint = |name, about, seconds: &[(u8, u64)], found: &[&str]| {
        audit(name, about, &alone)
            .checkpoint(&alone.cosigned_checkpoint(seconds))
            .policy(&policy(2, 3))
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
    let case = |name, about, log: &PaperLog| audit(name, about, log).policy(&policy(2, 3));
    vec![
        case(
            "reveal-shown-in-time",
            "two witnesses had seen the reveal 300 s after it was due",
            &in_time,
        )
        .has("/witnesses/reveals_not_in_time", 0)
        .holds(),
        case("reveal-not-shown-in-time", "they had seen it a second later", &late)
            .has("/witnesses/reveals_not_in_time", 1)
            .holds(),
        case(
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
