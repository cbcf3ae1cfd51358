//! Results that no order of the deck gives (spec/ledger.md, section 8.5). Finding them takes no
//! seed.
//!
//! Not for showing that a result follows from its seeds: that takes a replay.

use std::collections::{BTreeMap, BTreeSet};

use super::deck::{Card, DeckName, KINDS};
use super::index;
use super::shuffle::Method;

/// A result that no seeds give.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum Impossible {
    /// A card comes more often than the deck has it.
    #[error("{card} comes more than {has} times, which is how often {deck} has it", deck = deck.as_str())]
    Card { card: Card, deck: DeckName, has: u8 },
    /// Two bytes are no card at all.
    #[error("card {at} of the result is no card")]
    NoCard { at: usize },
    /// An item number that the deck does not have.
    #[error("the deck has items 0 to {}, found {item}", items.saturating_sub(1))]
    Item { item: u32, items: u32 },
    /// An item comes twice.
    #[error("item {item} comes twice")]
    Twice { item: u32 },
    /// A cycle that falls apart into several.
    #[error("the assignment is not one single cycle")]
    Cycle,
}

/// Checks the cards of a result against their deck.
///
/// # Errors
/// [`Impossible`]: the first thing that no seeds give.
pub fn check_cards(method: Method, deck: DeckName, cards: &[[u8; 2]]) -> Result<(), Impossible> {
    let mut counts = [0_u16; KINDS];
    let mut are_cards = true;
    for card in cards {
        match counts.get_mut(Card::kind_of(*card)) {
            Some(count) => *count = count.saturating_add(1),
            None => are_cards = false,
        }
    }
    let copies = u16::from(deck.copies());
    let most = |kind: usize| if deck.has(kind) { copies } else { 0 };
    if !are_cards || counts.iter().enumerate().any(|(kind, count)| *count > most(kind)) {
        return Err(first_odd(deck, cards));
    }
    match method {
        Method::Shuffle => Ok(()),
        Method::Cycle => {
            let kind = |card: &[u8; 2]| Card::kind_of(*card);
            let edges =
                deck.cards().iter().zip(cards).map(|(from, to)| (kind(from.as_bytes()), kind(to)));
            is_connected(KINDS, edges, (0..KINDS).filter(|kind| deck.has(*kind)))
        }
    }
}

/// The first card that the deck does not have, or has no more of.
fn first_odd(deck: DeckName, cards: &[[u8; 2]]) -> Impossible {
    let mut counts = [0_u8; KINDS];
    for (at, text) in cards.iter().enumerate() {
        let kind = Card::kind_of(*text);
        let (Some(card), Some(count)) = (Card::parse(*text), counts.get_mut(kind)) else {
            return Impossible::NoCard { at };
        };
        let has = if deck.has(kind) { deck.copies() } else { 0 };
        if *count >= has {
            return Impossible::Card { card, deck, has };
        }
        *count += 1;
    }
    unreachable!("the caller counted a card too many, or what is no card")
}

/// Checks the item numbers of a result over `items` items.
///
/// # Errors
/// [`Impossible`]: the first thing that no seeds give.
pub fn check_items(method: Method, items: u32, result: &[u32]) -> Result<(), Impossible> {
    let mut seen = BTreeSet::new();
    for &item in result {
        if item >= items {
            return Err(Impossible::Item { item, items });
        }
        if !seen.insert(item) {
            return Err(Impossible::Twice { item });
        }
    }
    match method {
        Method::Shuffle => Ok(()),
        Method::Cycle => {
            let edges = result.iter().enumerate().map(|(from, to)| (from, index(*to)));
            is_connected(index(items), edges, 0..index(items))
        }
    }
}

/// Checks single cards of a sealed deal over `items` items: each its place and its item, no place
/// twice.
///
/// # Errors
/// [`Impossible`]: the first thing that no seeds give.
pub fn check_opened(method: Method, items: u32, opened: &[(u32, u32)]) -> Result<(), Impossible> {
    let mut seen = BTreeSet::new();
    if let Some((_, item)) = opened.iter().find(|(_, item)| !seen.insert(*item)) {
        return Err(Impossible::Twice { item: *item });
    }
    if method == Method::Shuffle {
        return Ok(());
    }
    // Each place leads to one item, and no two to the same: a walk ends, or it comes back to its
    // start.
    let next: BTreeMap<u32, u32> = opened.iter().copied().collect();
    let mut walked = BTreeSet::new();
    for &(start, _) in opened {
        let (mut at, mut length) = (start, 0_u32);
        while walked.insert(at)
            && let Some(&to) = next.get(&at)
        {
            length += 1;
            if to == start && length < items {
                return Err(Impossible::Cycle);
            }
            at = to;
        }
    }
    Ok(())
}

/// Whether the edges join all of `present`.
fn is_connected(
    nodes: usize,
    edges: impl Iterator<Item = (usize, usize)>,
    mut present: impl Iterator<Item = usize>,
) -> Result<(), Impossible> {
    let mut parents: Vec<usize> = (0..nodes).collect();
    // Union and find. Items and kinds were checked: each is under `nodes`.
    let mut root = |mut node: usize, join: Option<usize>| {
        while parents[node] != node {
            let parent = parents[node];
            parents[node] = parents[parent]; // halves the way for the next search
            node = parent;
        }
        if let Some(other) = join {
            parents[node] = other;
        }
        node
    };
    for (from, to) in edges {
        let to = root(to, None);
        root(from, Some(to));
    }
    let Some(first) = present.next() else { return Ok(()) };
    let first = root(first, None);
    if present.all(|node| root(node, None) == first) { Ok(()) } else { Err(Impossible::Cycle) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cards(text: &str) -> &[[u8; 2]] {
        text.as_bytes().as_chunks::<2>().0
    }

    #[test]
    fn a_card_comes_no_oftener_than_the_deck_has_it() {
        let check = |deck, text| check_cards(Method::Shuffle, deck, cards(text));
        assert_eq!(check(DeckName::Standard52, "AcAdAhAs2c"), Ok(()));
        assert!(check(DeckName::Standard52, "AcAdAc").is_err());
        assert_eq!(check(DeckName::Standard52x2, "AcAdAc"), Ok(()));
        assert!(check(DeckName::Standard52x2, "AcAdAcAc").is_err());
        assert!(check(DeckName::Standard52, "X1").is_err());
        assert_eq!(check(DeckName::Jokers54, "X2X1"), Ok(()));
        assert!(check(DeckName::Jokers54, "X1X1").is_err());
        assert!(check(DeckName::Short36, "5c").is_err());
        assert_eq!(check(DeckName::Short36, "6cAs"), Ok(()));
        let says = check(DeckName::Standard52, "AcAc").unwrap_err().to_string();
        assert_eq!(says, "Ac comes more than 1 times, which is how often standard-52 has it");
    }

    #[test]
    fn a_cycle_joins_all_items_and_every_assignment_of_four_is_judged_as_it_is() {
        // All 24 assignments of 4 items, by what they are: 6 of them are single cycles.
        let mut single = 0;
        for code in 0..256_u32 {
            let items: Vec<u32> = (0..4).map(|at| code >> (2 * at) & 3).collect();
            let distinct = items.iter().collect::<BTreeSet<_>>().len() == 4;
            let mut walked = BTreeSet::new();
            let mut at = 0;
            while walked.insert(at) {
                at = items[usize::try_from(at).unwrap()];
            }
            let expected = distinct && walked.len() == 4;
            assert_eq!(check_items(Method::Cycle, 4, &items).is_ok(), expected, "{items:?}");
            single += u32::from(expected);
        }
        assert_eq!(single, 6);
    }

    #[test]
    fn a_cycle_of_a_deck_with_copies_is_judged_by_kinds() {
        let deck = DeckName::Standard52x2;
        let text = |shift: usize| -> Vec<[u8; 2]> {
            let all = deck.cards();
            (0..all.len())
                .map(|at| *all.iter().cycle().nth(at + shift).unwrap().as_bytes())
                .collect()
        };
        assert_eq!(check_cards(Method::Cycle, deck, &text(1)), Ok(()));
        // Each item is given its other copy: every edge leads from a kind to itself.
        assert_eq!(check_cards(Method::Cycle, deck, &text(52)), Err(Impossible::Cycle));
        assert_eq!(check_cards(Method::Shuffle, deck, &text(52)), Ok(()));
    }

    #[test]
    fn opened_cards_are_distinct_and_close_no_short_cycle() {
        let cycle = |opened: &[(u32, u32)]| check_opened(Method::Cycle, 4, opened);
        assert_eq!(cycle(&[(0, 1), (1, 2), (2, 3)]), Ok(()));
        assert_eq!(cycle(&[(0, 1), (1, 2), (2, 3), (3, 0)]), Ok(()));
        assert_eq!(cycle(&[(2, 2)]), Err(Impossible::Cycle));
        assert_eq!(cycle(&[(3, 1), (0, 2), (1, 3)]), Err(Impossible::Cycle));
        assert_eq!(cycle(&[(3, 1), (0, 1)]), Err(Impossible::Twice { item: 1 }));
        assert_eq!(check_opened(Method::Shuffle, 4, &[(3, 3), (0, 0)]), Ok(()));
        assert_eq!(
            check_opened(Method::Shuffle, 4, &[(3, 1), (0, 1)]),
            Err(Impossible::Twice { item: 1 })
        );
    }
}
