//! Honest logs, each just inside the limit of a rule.

use fairdeal::deal::{Deck, DeckName, Method};
use fairdeal::record::entry::{Mixing, Reveal};

use crate::logs::case::Case;
use crate::logs::write::{
    ALICE, BOTH, clear, deal_cards, deal_indices, deal_of, foreign, game, holdem, list, lock_of,
    log, seats, signed, table,
};
use tools::paper::{PaperLog, Player, counting_seed, int, logged_clients, policy, seeing};

pub fn cases() -> Vec<Case> {
    let mut cases =
        vec![signatures(), layout(), possible(), barely_used(), seen_before(), blamed(), anchors()];
    cases.push(skipped());
    cases.push(Case::new("honest-export", "a log as one file", &game(), &[]).exported(&game()));
    cases.extend(clocks());
    cases
}

/// Clear and hashed contributions, with and without `seen`, all of them signed.
fn signatures() -> Case {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| {
        c.draw = int(5);
        c.signed = true;
    });
    let c = commit.commitment;
    let seen = log.seen();
    let alice = signed(&log, c, 0, 1, clear("alice", "lucky"));
    let bob = signed(&log, c, 0, 2, seeing("bob", "seven", &seen));
    deal_of(&mut log, &commit, &seed.mac(), 0, vec![alice, bob]);
    let mut players = [Player::new("alice", "lucky", 1), Player::new("bob", "seven", 2)];
    players[1].seen = Some(seen);
    let hashed = [
        signed(&log, c, 1, 1, players[0].hashed(&c, 1)),
        signed(&log, c, 1, 2, players[1].hashed(&c, 1)),
    ];
    let lock = log.lock(c, 1, hashed.to_vec());
    log.deal_locked(&commit, &seed.mac(), 1, lock, &players);
    log.reveal(&seed);
    Case::new(
        "honest-signed",
        "every contribution is signed: in the clear, seen, hashed",
        &log,
        &[],
    )
}

/// Six hundred deals with an anchor after each fifty, by two or all of three witnesses, and a
/// checkpoint that two have signed.
fn anchors() -> Case {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| c.draw = int(5));
    for n in 0..600 {
        log.deal(&commit, &seed.mac(), n, ALICE);
        if n % 50 == 49 {
            let (size, second) = (log.size() - n % 7, log.time / 1000);
            let all = [(1, second), (2, second + n % 3), (3, second - 1)];
            log.anchor(size, &all[usize::from(n % 100 == 99)..]);
        }
    }
    log.reveal(&seed);
    let head = log.cosigned_checkpoint(&[(2, log.time / 1000), (3, log.time / 1000 + 1)]);
    Case::new(
        "honest-anchors",
        "anchors of two and three witnesses in a log of three bundles",
        &log,
        &[],
    )
    .with("checkpoint", |_| Some(head.into_bytes()))
    .policy(&policy(2, 3))
}

/// A signature that is not by its key, in an audit that skips signatures.
fn skipped() -> Case {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| c.draw = int(5));
    let c = commit.commitment;
    let alice = signed(&log, c, 1, 1, clear("alice", "lucky"));
    deal_of(&mut log, &commit, &seed.mac(), 0, vec![alice.clone()]);
    deal_of(&mut log, &commit, &seed.mac(), 1, vec![alice.clone(), clear("bob", "seven")]);
    log.lock(c, 2, vec![alice.clone()]);
    log.void(c, Some(2), None);
    deal_of(&mut log, &commit, &seed.mac(), 3, vec![clear("alice", "lucky")]);
    // An entry of another protocol, ignored with its signature.
    let mut other = commit.clone();
    other.commitment = counting_seed(99).commitment();
    foreign(&mut log, &other.commitment);
    deal_of(&mut log, &other, &seed.mac(), 0, vec![alice]);
    log.reveal(&seed);
    let about = "signatures that are skipped, two of them of another round: counted, and only those with effect";
    Case::new("honest-signatures-skipped", about, &log, &[]).skipping_signatures()
}

/// Seats of players without a contribution: in a deal, and in a lock with another player's hash.
fn layout() -> Case {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| {
        c.draw = int(14); // three hands of two, three burnt cards and five on the board
        c.layout = Some(holdem());
    });
    let mut deal = log.deal_entry(&commit, &seed.mac(), 0, BOTH);
    deal.seats = Some(seats(&["carol", "bob", "alice"]));
    crate::logs::write::append(&mut log, deal);
    let bob = [Player::new("bob", "seven", 2)];
    let c = commit.commitment;
    let lock = lock_of(&mut log, c, 1, |lock| {
        lock.contributions = Some(vec![bob[0].hashed(&c, 1)]);
        lock.seats = Some(seats(&["alice", "bob"]));
    });
    log.deal_locked(&commit, &seed.mac(), 1, lock, &bob);
    log.reveal(&seed);
    let about = "a layout with room for three seats, some of whom bring nothing";
    Case::new("honest-layout", about, &log, &[])
}

/// Possible results under seeds that are not revealed.
fn possible() -> Case {
    let mut log = log();
    let terms = |log: &mut PaperLog, first: u8, deck: Deck, draw: u64, method: Method| {
        let seed = counting_seed(first);
        let (_, commit) = log.commit(&seed, |c| {
            c.deck = deck;
            c.draw = int(draw);
            c.method = method;
            c.table = table(&format!("table {first}"));
        });
        (seed, commit)
    };
    let two = Deck::Named(DeckName::Standard52x2);
    let (seed, commit) = terms(&mut log, 0, two, 3, Method::Shuffle);
    deal_cards(&mut log, &commit, &seed.mac(), 0, "AsAs2c");
    let (seed, commit) = terms(&mut log, 30, list(10), 3, Method::Shuffle);
    deal_indices(&mut log, &commit, &seed.mac(), 0, &[9, 0, 8]);
    let (seed, commit) = terms(&mut log, 60, list(4), 4, Method::Cycle);
    deal_indices(&mut log, &commit, &seed.mac(), 0, &[2, 3, 1, 0]);
    let (seed, commit) = terms(&mut log, 90, two, 104, Method::Cycle);
    // Copies of each kind stay with their kind, except for one edge to the next kind: one walk
    // through all of them.
    let mut cards: Vec<String> =
        DeckName::Standard52x2.cards().iter().map(ToString::to_string).collect();
    cards[..52].rotate_left(1);
    deal_cards(&mut log, &commit, &seed.mac(), 0, &cards.concat());
    let about = "results at the edge of what their decks give, not revealed: twice a card of two decks, the last item, cycles";
    Case::new("honest-possible", about, &log, &[])
}

/// A commitment with only a lock is used, and so is one with only a voided round.
fn barely_used() -> Case {
    let mut log = log();
    let of = |log: &mut PaperLog, first: u8| {
        let (_, commit) = log.commit(&counting_seed(first), |c| {
            c.draw = int(1);
            c.table = table(&format!("table {first}"));
        });
        commit.commitment
    };
    let (locked, voided, whole) = (of(&mut log, 0), of(&mut log, 40), of(&mut log, 80));
    of(&mut log, 120);
    log.lock(locked, 0, logged_clients(ALICE));
    log.void(voided, Some(0), None);
    log.void(whole, None, None);
    let about = "commitments with a lock only, a round voided only, voided as a whole, and not touched: two were never used";
    Case::new("honest-barely-used", about, &log, &[])
}

/// `seen` checkpoints just before the commit, which tie nothing to it, and just after.
fn seen_before() -> Case {
    let mut log = log();
    log.commit(&counting_seed(40), |c| c.table = table("table 2"));
    let before = log.seen();
    let seed = counting_seed(0);
    let (index, commit) = log.commit(&seed, |c| c.draw = int(1));
    assert_eq!((index, before.size), (1, int(1)), "the commit is the first entry that is not seen");
    let after = log.seen();
    deal_of(&mut log, &commit, &seed.mac(), 0, vec![seeing("alice", "lucky", &before)]);
    deal_of(&mut log, &commit, &seed.mac(), 1, vec![seeing("alice", "lucky", &after)]);
    deal_of(
        &mut log,
        &commit,
        &seed.mac(),
        2,
        vec![seeing("alice", "lucky", &after), seeing("bob", "seven", &before)],
    );
    log.reveal(&seed);
    let about = "three deals with checkpoints seen, two of which have one from before the commit";
    Case::new("honest-seen-before", about, &log, &[])
}

/// More labels than are listed; the first of them once more, and one too many again.
fn blamed() -> Case {
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| c.draw = int(1));
    let c = commit.commitment;
    let labels: Vec<String> =
        (0..102).map(|n| format!("p{n}")).chain(["p0".into(), "p100".into()]).collect();
    for (n, label) in (0..).zip(&labels) {
        log.lock(c, n, vec![clear(label, "x")]);
        log.void(c, Some(n), Some(label));
    }
    log.reveal(&seed);
    Case::new("honest-blamed", "102 players blamed, two more than are listed", &log, &[])
}

/// Entries exactly at the last allowed moment.
fn clocks() -> Vec<Case> {
    let mut last = log();
    let seed = counting_seed(0);
    let (_, commit) = last.commit(&seed, |c| c.mixing = Mixing::Seeds);
    last.append(&Reveal::new(&seed, commit.reveal_by).into());
    let mut left = log();
    let (_, commit) = left.commit(&seed, |c| c.draw = int(1));
    left.deal(&commit, &seed.mac(), 0, ALICE);
    let by = commit.reveal_by.value();
    vec![
        Case::new("honest-last-moment", "a reveal at exactly reveal_by", &last, &[]),
        Case::new(
            "honest-clock",
            "a log whose last entry is 300,000 ms after the reader's clock",
            &left,
            &[],
        )
        .by_clock(left.time - 300_000),
        Case::new(
            "honest-left-alone",
            "a commitment that is overdue by the reader's clock alone",
            &left,
            &[],
        )
        .by_clock(by + 1),
        Case::new(
            "honest-left-in-time",
            "a commitment at its reveal_by, by the reader's clock",
            &left,
            &[],
        )
        .by_clock(by),
    ]
}
