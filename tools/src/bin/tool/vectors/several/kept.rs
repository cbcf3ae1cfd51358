//! Files that the reader kept: without the lock among them no deal is fair (spec/receipt.md, 11.4
//! and 11.8).

use fairdeal::record::entry::{Commit, Entry, Layout, Lock, Mixing};
use serde_json::json;
use tools::brought::{kept, own, with};
use tools::paper::{PaperLog, Player, counting_seed, int, label, nonce};

use super::Cases;
use crate::vectors::judged::{Reader, changed, paper};
use crate::vectors::readers::{of, sign, signer};

/// A round with the hashes of alice and bob: the receipt of the lock, that of the deal before the
/// reveal, and that of the whole round.
struct Hand {
    log: PaperLog,
    commit: Commit,
    alice: Player,
    indices: [u64; 4],
    lock: String,
    dealt: String,
    whole: String,
}

impl Hand {
    fn new() -> Self {
        Self::with(None, |log, commit, players| {
            let hashed = players.iter().map(|p| p.hashed(&commit.commitment, 0));
            log.lock(commit.commitment, 0, hashed.collect())
        })
    }

    fn with(
        layout: Option<Layout>,
        lock: impl FnOnce(&mut PaperLog, &Commit, &[Player]) -> u64,
    ) -> Self {
        let (mut log, seed) = (paper(), counting_seed(0));
        let (c, commit) = log.commit(&seed, |c| {
            (c.draw, c.mixing) = (int(4), Mixing::Hashes);
            c.layout = layout;
        });
        let players = [Player::new("alice", "lucky", 1), Player::new("bob", "seven", 2)];
        let l = lock(&mut log, &commit, &players);
        let lock = log.receipt(&[c, l]).to_text();
        let d = log.deal_locked(&commit, &seed.mac(), 0, l, &players);
        let dealt = log.receipt(&[c, l, d]).to_text();
        let r = log.reveal(&seed);
        let whole = log.receipt(&[c, l, d, r]).to_text();
        let [alice, _] = players;
        Self { log, commit: *commit, alice, indices: [c, l, d, r], lock, dealt, whole }
    }

    /// What alice kept of her contribution.
    fn mine(&self) -> Reader {
        Reader::brought([kept(&self.alice, &self.commit.commitment, 0)])
    }
}

pub(super) fn judged(cases: &mut Cases) {
    let hand = Hand::new();
    let mine = hand.mine();
    let (lock, whole) = (hand.lock.as_str(), hand.whole.as_str());
    cases.add_kept(&mine, "the reader's own hash, and the kept lock", (&[whole], &[lock]), &[]);
    cases.add_kept(&mine, "the lock, which somebody gave", (&[whole, lock], &[]), &[]);
    cases.add_kept(
        &mine,
        "the kept lock, and the deal before the reveal",
        (&[&hand.dealt], &[lock]),
        &[],
    );
    cases.add_kept(
        &mine,
        "a kept receipt of the deal is no kept lock",
        (&[whole], &[&hand.dealt]),
        &[],
    );
    cases.add_kept(&mine, "the kept lock alone has no state", (&[lock], &[lock]), &[]);
    cases.add_kept(
        &Reader::default(),
        "the kept lock, and nothing that the reader brought",
        (&[whole], &[lock]),
        &[],
    );
    let given = with(kept(&hand.alice, &hand.commit.commitment, 0), &json!({ "given": true }));
    cases.add_kept(
        &Reader::brought([given]),
        "the kept lock, and a hash of a seed that was given to the reader",
        (&[whole], &[lock]),
        &[],
    );
    let claim = json!({
        "format": "fairdeal/evidence/v1", "key": "", "since": [], "findings": [],
        "files": [{ "name": "lock", "file": hand.log.receipt(&[0, hand.indices[1]]) }],
        "mine": [kept(&Player::new("alice", "another", 1), &hand.commit.commitment, 0)],
    })
    .to_string();
    let nobody = "evidence that somebody gave, of another contribution: it accuses nobody";
    cases.add_kept(&mine, nobody, (&[whole, &claim], &[]), &[]);
    let operator = "evidence that the reader kept, of another contribution";
    cases.add_kept(&mine, operator, (&[whole], &[&claim]), &[]);
    let both = "another contribution in evidence that somebody gave, and the reader's own differs";
    let other = with(own("alice", "a third"), &of(&hand.commit, 0));
    cases.add_kept(&Reader::brought([other]), both, (&[whole, &claim], &[]), &[]);
    let saved = hand.mine().and(Reader::saved(hand.log.checkpoint()));
    let of_whole = "a saved view of the receipt's size, and the kept lock";
    cases.add_kept(&saved, of_whole, (&[whole], &[lock]), &[]);
    let unkept = "a saved view of the receipt's size, and the lock, which somebody gave";
    cases.add_kept(&saved, unkept, (&[whole, lock], &[]), &[]);
    let page = |index: usize| {
        changed(&hand.log.receipt(&[hand.indices[0], hand.indices[1]]), |file| {
            file["entries"][index]["proof"] = json!([]);
        })
    };
    cases.add_kept(&mine, "a kept lock that is not in its tree", (&[whole], &[&page(1)]), &[]);
    others(cases);
    second(cases);
    seats(cases);
}

/// Contributions that protect, and are not the reader's.
fn others(cases: &mut Cases) {
    let hand = Hand::with(None, |log, commit, players| {
        let [alice, bob] = [0, 1].map(|at: usize| players[at].hashed(&commit.commitment, 0));
        log.lock(commit.commitment, 0, vec![alice, sign(&signer(2), commit, 0, bob)])
    });
    let (lock, whole) = (hand.lock.as_str(), hand.whole.as_str());
    let bob = Reader::knows([("bob", signer(2).key())]);
    cases.add_kept(
        &bob,
        "a hash under the key of a player, and the kept lock",
        (&[whole], &[lock]),
        &[],
    );
    let remembered = Reader::brought([own("alice", "lucky")]).and(bob.clone());
    cases.add_kept(
        &remembered,
        "a player's signed hash protects, and the reader's seed had no hash of the reader's",
        (&[whole], &[lock]),
        &[],
    );
    cases.add_kept(
        &Reader::brought([own("bob", "seven")]).and(bob.clone()),
        "the key of a player, and the reader brought the seed of that hash",
        (&[whole], &[lock]),
        &[],
    );
    cases.add_kept(
        &hand.mine().and(bob),
        "hashes of the reader and of a player, and the kept lock",
        (&[whole], &[lock]),
        &[],
    );
}

/// A lock that is not the kept one.
fn second(cases: &mut Cases) {
    let seed = counting_seed(0);
    let players = [Player::new("alice", "lucky", 1), Player::new("bob", "searched for", 2)];
    let hashed = |commit: &Commit| {
        players.iter().map(|player| player.hashed(&commit.commitment, 0)).collect::<Vec<_>>()
    };
    let mut log = paper();
    let (c, commit) = log.commit(&seed, |c| (c.draw, c.mixing) = (int(5), Mixing::Hashes));
    let first = log.lock(commit.commitment, 0, vec![players[0].hashed(&commit.commitment, 0)]);
    let kept_lock = log.receipt(&[c, first]).to_text();
    let l = log.lock(commit.commitment, 0, hashed(&commit));
    let d = log.deal_locked(&commit, &seed.mac(), 0, l, &players);
    let r = log.reveal(&seed);
    let whole = log.receipt(&[c, l, d, r]).to_text();
    let mine = Reader::brought([kept(&players[0], &commit.commitment, 0)]);
    cases.add_kept(
        &mine,
        "another lock in the same tree, without the kept one",
        (&[&whole], &[]),
        &[],
    );
    cases.add_kept(
        &mine,
        "another lock in the same tree, and the kept one",
        (&[&whole], &[&kept_lock]),
        &["open-round", "lock-mismatch"],
    );
    // The whole round, and its lock, in a log with these entries before the lock.
    let course = |before: &[&[u8]]| {
        let mut log = paper();
        let (c, commit) = log.commit(&seed, |c| (c.draw, c.mixing) = (int(5), Mixing::Hashes));
        for entry in before {
            log.append_bytes(entry);
        }
        let l = log.lock(commit.commitment, 0, hashed(&commit));
        let lock = log.receipt(&[c, l]).to_text();
        let d = log.deal_locked(&commit, &seed.mac(), 0, l, &players);
        let r = log.reveal(&seed);
        (log.receipt(&[c, l, d, r]).to_text(), lock)
    };
    let (whole, _) = course(&[b"one"]);
    let (_, forked) = course(&[b"two"]);
    cases.add_kept(
        &mine,
        "the same lock at the same index of another tree, whose size no file proves",
        (&[&whole], &[&forked]),
        &[],
    );
    let (_, later) = course(&[b"one", b"two"]);
    cases.add_kept(
        &mine,
        "the same lock at another index",
        (&[&whole], &[&later]),
        &["inconsistent"],
    );
}

/// The seats of a lock with the reader's hash.
fn seats(cases: &mut Cases) {
    let layout = Layout { board: None, burn: None, hand: int(2) };
    let hand = Hand::with(Some(layout), |log, commit, players| {
        let hashed = players.iter().map(|p| p.hashed(&commit.commitment, 0)).collect();
        let mut lock = Lock::new(commit.commitment, nonce(0), hashed, log.tick());
        lock.seats = Some(vec![label("bob"), label("alice")]);
        log.append(&Entry::Lock(Box::new(lock)))
    });
    cases.add_kept(
        &hand.mine(),
        "seats of a lock with the reader's hash, and the kept lock",
        (&[&hand.whole], &[&hand.lock]),
        &[],
    );
}
