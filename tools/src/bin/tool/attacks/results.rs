//! Impossible results under a seed that is never revealed: they are found without it.

use fairdeal::deal::{Deck, DeckName, Method, SeedMac};
use fairdeal::record::entry::Commit;

use crate::attacks::case::{Attack, audit};
use crate::logs::write::{deal_cards, deal_indices, list, log};
use tools::paper::{PaperLog, counting_seed, int};

/// A deal with any result.
type Dealt = fn(&mut PaperLog, &Commit, &SeedMac) -> u64;

pub fn attacks() -> Vec<Attack> {
    let cases: [(&str, &str, Deck, u64, Method, Dealt); 6] = [
        (
            "impossible-card-twice",
            "the ace of spades twice out of one deck",
            Deck::standard(),
            3,
            Method::Shuffle,
            |log, commit, seed| deal_cards(log, commit, seed, 0, "AsKdAs"),
        ),
        (
            "impossible-card-of-another-deck",
            "a two out of a deck that begins with sixes",
            Deck::Named(DeckName::Short36),
            3,
            Method::Shuffle,
            |log, commit, seed| deal_cards(log, commit, seed, 0, "As2cKd"),
        ),
        (
            "impossible-index",
            "item 10 of a list of ten",
            list(10),
            3,
            Method::Shuffle,
            |log, commit, seed| deal_indices(log, commit, seed, 0, &[0, 10, 1]),
        ),
        (
            "impossible-index-twice",
            "one item drawn twice",
            list(10),
            3,
            Method::Shuffle,
            |log, commit, seed| deal_indices(log, commit, seed, 0, &[9, 0, 9]),
        ),
        (
            "impossible-cycle",
            "two pairs who give to each other, where all are to make one cycle",
            list(4),
            4,
            Method::Cycle,
            |log, commit, seed| deal_indices(log, commit, seed, 0, &[1, 0, 3, 2]),
        ),
        (
            "impossible-cycle-kinds",
            "two decks in a cycle, the aces of spades given to each other",
            Deck::Named(DeckName::Standard52x2),
            104,
            Method::Cycle,
            |log, commit, seed| {
                let all = DeckName::Standard52x2.cards();
                let mut cards: Vec<String> = all.iter().map(ToString::to_string).collect();
                // All the others make a cycle: each is given the next one.
                let mut others: Vec<usize> = (0..104).filter(|&at| cards[at] != "As").collect();
                let given: Vec<String> = others.iter().map(|&at| cards[at].clone()).collect();
                others.rotate_left(1);
                for (at, card) in others.into_iter().zip(given) {
                    cards[at] = card;
                }
                deal_cards(log, commit, seed, 0, &cards.concat())
            },
        ),
    ];
    cases.into_iter().map(attack).collect()
}

fn attack(case: (&'static str, &'static str, Deck, u64, Method, Dealt)) -> Attack {
    let (name, about, deck, draw, method, dealt) = case;
    let mut log = log();
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |c| {
        (c.deck, c.method) = (deck, method);
        c.draw = int(draw);
    });
    dealt(&mut log, &commit, &seed.mac());
    audit(name, about, &log).finds(["result-mismatch 1"])
}
