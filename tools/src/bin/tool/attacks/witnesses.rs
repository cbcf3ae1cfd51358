//! Anchors and policies: what witnesses' cosignatures show, what they do not, and the nearest cases
//! on both sides of each limit.

use fairdeal::log::Hash;
use fairdeal::record::entry::Commit;
use fairdeal::record::json::to_canonical;
use serde_json::{Value, json};

use crate::attacks::case::{Attack, Audited, audit};
use crate::logs::write::{ALICE, BOTH, foreign, log as empty};
use tools::paper::{PaperLog, Player, START, cosigned, counting_seed, int, policy, witness};

/// The second at which paper logs begin.
pub const BEGIN: u64 = START / 1000;

pub fn attacks() -> Vec<Attack> {
    [honest(), grammar(), roots()].into_iter().flatten().collect()
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
pub fn now(log: &PaperLog) -> u64 {
    log.time / 1000
}

/// An audit by a reader who asks for two of three witnesses.
pub fn under_policy(name: &'static str, about: &'static str, log: &PaperLog) -> Audited {
    audit(name, about, log).policy(&policy(2, 3))
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
        under_policy(
            "anchor-one-wrong-clock",
            "one of three witnesses has a clock an hour ahead",
            &mistimed,
        )
        .holds(),
        under_policy(
            "anchor-in-a-locked-round",
            "an anchor between a lock and its answer",
            &locked,
        )
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
        under_policy(
            "anchor-grammar",
            "anchors that are none: lines out of order, of one key, too many, none, too short and too long; members of another form; and then one of sixteen lines, one of them of 2,432 bytes",
            &log,
        )
        .has("/witnesses/anchors", 1)
        .has("/witnesses/proving", 1)
        .finds(found),
        under_policy(
            "anchor-of-another-protocol",
            "an anchor with the commitment of another protocol is an entry of that protocol",
            &other,
        )
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
        under_policy(name, about, &log).finds(found.iter().copied())
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
