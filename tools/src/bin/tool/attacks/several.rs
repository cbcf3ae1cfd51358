//! Receipts that hold alone, judged together: spec/receipt.md, 11.6.

use fairdeal::deal::ServerSeed;
use fairdeal::log::Note;
use fairdeal::record::entry::{Commit, Mixing};

use crate::attacks::case::{Attack, Verified, verify};
use crate::attacks::openings::sealed;
use crate::logs::write::{ALICE, BOTH, deal_cards, deal_of, foreign, log};
use tools::paper::{PaperLog, Player, counting_seed, int, logged_clients, seeing};

pub fn attacks() -> Vec<Attack> {
    [entries(), hidden(), tables(), ends(), forks(), cards(), honest()]
        .into_iter()
        .flatten()
        .collect()
}

/// A log that begins with a commitment to five cards.
fn committed() -> (PaperLog, ServerSeed, Box<Commit>) {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| c.draw = int(5));
    (log, seed, commit)
}

/// The receipts of two people, with these entries.
fn two(
    (name, about): (&'static str, &'static str),
    log: &PaperLog,
    [hers, his]: [&[u64]; 2],
) -> Verified {
    verify(name, about, log.key())
        .file("hers.json", log.receipt(hers).to_text())
        .file("his.json", log.receipt(his).to_text())
}

/// One round, or one commitment, used twice.
fn entries() -> Vec<Attack> {
    let (mut voided, seed, commit) = committed();
    voided.void(commit.commitment, Some(0), None);
    voided.deal(&commit, &seed.mac(), 0, ALICE);
    let (mut dealt, ..) = committed();
    dealt.deal(&commit, &seed.mac(), 0, ALICE);
    dealt.deal(&commit, &seed.mac(), 0, &[("bob", "seven")]);
    let (mut locked, ..) = committed();
    locked.lock(commit.commitment, 0, logged_clients(ALICE));
    locked.lock(commit.commitment, 0, logged_clients(&[("bob", "seven")]));
    let (mut twice, ..) = committed();
    twice.commit(&seed, |c| c.draw = int(3));
    vec![
        two(
            ("void-and-deal", "one round, voided for her and dealt for him"),
            &voided,
            [&[0, 1], &[0, 2]],
        )
        .finds(["nonce-gap 2"]),
        two(("two-deals", "one round, dealt to each of two anew"), &dealt, [&[0, 1], &[0, 2]])
            .finds(["nonce-gap 2"]),
        two(
            ("two-locks", "one round, locked with the seeds of each of two"),
            &locked,
            [&[0, 1], &[0, 2]],
        )
        .finds(["open-round 2"]),
        two(("two-commits", "one seed, committed to on two terms"), &twice, [&[0], &[1]])
            .finds(["duplicate-commitment 1"]),
    ]
}

/// Files from which somebody left something out, beside honest ones: nobody is accused of it.
fn hidden() -> Vec<Attack> {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| {
        c.draw = int(5);
        c.mixing = Mixing::Hashes;
    });
    let c = commit.commitment;
    let alice = [Player::new("alice", "lucky", 1)];
    let lock = log.lock(c, 0, vec![alice[0].hashed(&c, 0)]);
    log.deal_locked(&commit, &seed.mac(), 0, lock, &alice);
    log.reveal(&seed);
    let (other, _) = log.commit(&counting_seed(40), |c| c.after = Some(commit.commitment));
    let beside = |name, about, left: &[u64]| {
        two((name, about), &log, [left, &[0, 1, 2, 3]]).finds(["hers.json: invalid-receipt"])
    };
    let (mut passed, _, commit) = committed();
    foreign(&mut passed, &commit.commitment);
    passed.append_bytes(format!("{{\"commitment\":\"{}\"}}", commit.commitment).as_bytes());
    vec![
        beside("commit-left-out", "a receipt without its commit", &[1, 2, 3]),
        beside("lock-left-out", "a receipt without the lock that its deal names", &[0, 2, 3]),
        beside(
            "another-commitment-put-in",
            "a receipt with an entry of another commitment",
            &[0, 1, 2, 3, other],
        ),
        two(("reveal-left-out", "a receipt without its reveal"), &log, [&[0, 1, 2], &[0, 1, 2, 3]])
            .holds(),
        two(
            (
                "commit-of-another-protocol",
                "one commitment, of another protocol for her, who is not to judge it",
            ),
            &passed,
            [&[1, 2], &[0]],
        )
        .finds(["duplicate-commitment 1", "invalid-entry 2"]),
    ]
}

/// Two open commitments of one table.
fn tables() -> Vec<Attack> {
    let (mut after, seed, commit) = committed();
    for other in [40, 80] {
        after.commit(&counting_seed(other), |c| c.after = Some(commit.commitment));
    }
    let (mut beside, ..) = committed();
    beside.commit(&counting_seed(40), |c| c.after = Some(commit.commitment));
    beside.deal(&commit, &seed.mac(), 0, ALICE);
    vec![
        two(
            ("two-commits-after-one", "two commitments, each the next one of its table"),
            &after,
            [&[1], &[2]],
        )
        .finds(["out-of-turn 2"]),
        two(
            (
                "deal-beside-the-next-commit",
                "a deal under a commitment that its table has left behind",
            ),
            &beside,
            [&[0, 2], &[1]],
        )
        .finds(["out-of-turn 2"]),
    ]
}

/// Entries after the end of a commitment.
fn ends() -> Vec<Attack> {
    let (mut voided, seed, commit) = committed();
    voided.void(commit.commitment, None, None);
    voided.deal(&commit, &seed.mac(), 0, ALICE);
    let (mut twice, ..) = committed();
    twice.deal(&commit, &seed.mac(), 0, ALICE);
    twice.reveal(&seed);
    twice.reveal(&seed);
    let (mut revealed, ..) = committed();
    revealed.reveal(&seed);
    revealed.deal(&commit, &seed.mac(), 0, ALICE);
    vec![
        two(
            (
                "whole-void-and-deal",
                "a commitment voided as a whole for her, and dealt under for him",
            ),
            &voided,
            [&[0, 1], &[0, 2]],
        )
        .finds(["after-void 2"]),
        two(("two-reveals", "one commitment, revealed twice"), &twice, [&[0, 1, 2], &[0, 1, 3]])
            .finds(["after-reveal 3"]),
        two(("deal-after-reveal", "dealt by a seed that was out"), &revealed, [&[0, 1], &[0, 2]])
            .finds(["after-reveal 2"]),
    ]
}

/// Two logs under one key.
fn forks() -> Vec<Attack> {
    let (mut hers, seed, commit) = committed();
    let mut his = log();
    his.append_bytes(&hers.entries()[0]);
    hers.deal(&commit, &seed.mac(), 0, ALICE);
    his.deal(&commit, &seed.mac(), 0, &[("bob", "seven")]);
    let (same_hers, same_his) = (hers.receipt(&[0]).to_text(), his.receipt(&[0]).to_text());
    let early = hers.receipt(&[0, 1]).to_text();
    let fork = his.seen();
    his.reveal(&seed);
    let longer = his.receipt(&[0, 1]).to_text();
    let (mut third, ..) = committed();
    third.append_bytes(&hers.entries()[1]);
    deal_of(&mut third, &commit, &seed.mac(), 1, vec![seeing("carol", "lucky", &fork)]);
    let mut unproved = third.receipt(&[0, 2]);
    unproved.seen = None;
    let pair = |name, about, [one, other]: [String; 2]| {
        verify(name, about, hers.key()).file("hers.json", one).file("his.json", other)
    };
    vec![
        pair("two-entries", "two logs with another entry at one index", [early.clone(), longer])
            .finds(["inconsistent"]),
        pair(
            "two-roots",
            "two logs of one size, with the entry where they part left out",
            [same_hers, same_his],
        )
        .finds(["inconsistent"]),
        pair(
            "seen-of-another-log",
            "a player of his saw another log than hers, and his receipt proves nothing of it",
            [early, unproved.to_text()],
        )
        .finds(["inconsistent"]),
    ]
}

/// Cards and seeds that are in one file and missing in the other.
fn cards() -> Vec<Attack> {
    let mut shared = log();
    let seed = counting_seed(0);
    let (_, commit) = shared.commit(&seed, |c| {
        c.draw = int(4);
        c.sealed = true;
    });
    let open = sealed(&mut shared, &seed, &commit, &[51, 3, 51, 4]);
    let (mut changed, seed, commit) = committed();
    deal_cards(&mut changed, &commit, &seed.mac(), 0, "AsKsQsJsTs");
    let early = changed.receipt(&[0, 1]).to_text();
    changed.reveal(&seed);
    vec![
        verify(
            "openings-share-an-item",
            "the ace of spades is opened to her and to him",
            shared.key(),
        )
        .file("hers.json", open(&shared, &[0]))
        .file("his.json", open(&shared, &[2]))
        .finds(["result-mismatch 1"]),
        verify(
            "reveal-from-the-other-file",
            "cards by no seed, which the other's reveal shows",
            changed.key(),
        )
        .file("hers.json", early)
        .file("his.json", changed.receipt(&[0, 2]).to_text())
        .finds(["result-mismatch 1"]),
    ]
}

/// An honest operator's receipts, and files that accuse nobody.
fn honest() -> Vec<Attack> {
    let (mut dealt, seed, commit) = committed();
    dealt.deal(&commit, &seed.mac(), 0, BOTH);
    let early = dealt.receipt(&[0, 1]);
    let mut extended = early.clone();
    let mut other = log();
    other.append_bytes(&dealt.entries()[0]);
    other.append_bytes(b"{}");
    let text = format!("{}an extension\n", other.checkpoint_text());
    extended.checkpoint = Note::sign(&text, &[&other.signer]).expect("a note").to_text();
    extended.entries = other.receipt(&[0]).entries;
    dealt.reveal(&seed);
    let mut hashed = log();
    let (_, commit) = hashed.commit(&seed, |c| {
        c.draw = int(5);
        c.mixing = Mixing::Hashes;
    });
    let c = commit.commitment;
    let alice = [Player::new("alice", "lucky", 1)];
    let lock = hashed.lock(c, 0, vec![alice[0].hashed(&c, 0)]);
    let locked = hashed.receipt(&[0, lock]).to_text();
    hashed.deal_locked(&commit, &seed.mac(), 0, lock, &alice);
    let second = hashed.lock(c, 1, vec![alice[0].hashed(&c, 1)]);
    hashed.deal_locked(&commit, &seed.mac(), 1, second, &alice);
    hashed.reveal(&seed);
    let his = dealt.receipt(&[0, 1, 2]).to_text();
    let pair = |name, about, log: &PaperLog, [one, other]: [&str; 2]| {
        verify(name, about, log.key()).file("early.json", one).file("late.json", other)
    };
    vec![
        pair(
            "early-and-late",
            "one round, before and after its reveal",
            &dealt,
            [&early.to_text(), &his],
        )
        .holds(),
        pair(
            "early-lock-and-late-receipt",
            "one round, when it was locked and when it was revealed",
            &hashed,
            [&locked, &hashed.receipt(&[0, 1, 2, 5]).to_text()],
        )
        .holds(),
        pair(
            "lock-and-higher-round",
            "a round that was locked then, and the next one, dealt",
            &hashed,
            [&locked, &hashed.receipt(&[0, 3, 4]).to_text()],
        )
        .holds(),
        verify(
            "extension-lines",
            "a file of another tree whose checkpoint has extension lines",
            dealt.key(),
        )
        .file("extended.json", extended.to_text())
        .file("plain.json", early.to_text())
        .is("caught")
        .finds(["inconsistent", "extended.json: bad-signature"]),
    ]
}
