//! One deck taken apart: the inverse, inversions, descents, matches and Fisher–Yates digits.
//!
//! Decks are in deal order, the first card dealt first. Except for [`Scratch::place`], everything
//! here takes a deck whose items are known to be different and under n.

use super::number::{index, item};

/// The place of an item that was not dealt.
pub const NOWHERE: u32 = u32::MAX;

/// Memory for one deck at a time, so that a million decks need no allocation.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// The position of each item, or [`NOWHERE`].
    pub places: Vec<u32>,
    list: Vec<u32>,
    position: Vec<u32>,
    tree: Vec<u32>,
}

impl Scratch {
    /// Fills `places`; false unless `dealt` has `draw` different items, each under `items`.
    pub fn place(&mut self, dealt: &[u32], items: u32, draw: u32) -> bool {
        self.places.clear();
        self.places.resize(index(items), NOWHERE);
        dealt.len() == index(draw)
            && (0..).zip(dealt).all(|(at, &card)| match self.places.get_mut(index(card)) {
                Some(place) if *place == NOWHERE => {
                    *place = at;
                    true
                }
                _ => false,
            })
    }

    /// Pairs dealt in descending order. Its parity is the deck's: (n − cycles) mod 2.
    pub fn inversions(&mut self, dealt: &[u32], items: u32) -> u64 {
        if items <= 64 { inversions_masked(dealt) } else { self.inversions_counted(dealt, items) }
    }

    /// A Fenwick tree over items: n·lg n.
    fn inversions_counted(&mut self, dealt: &[u32], items: u32) -> u64 {
        let size = index(items);
        self.tree.clear();
        self.tree.resize(size + 1, 0);
        let mut found = 0;
        for (before, &card) in (0_u32..).zip(dealt) {
            let (mut at, mut smaller) = (index(card), 0);
            while at > 0 {
                smaller += self.tree[at];
                at &= at - 1;
            }
            found += u64::from(before - smaller);
            at = index(card) + 1;
            while at <= size {
                self.tree[at] += 1;
                at += at & at.wrapping_neg();
            }
        }
        found
    }

    /// Calls `each` with the range and digit of every step of backward Fisher–Yates from the
    /// identity that would deal this deck: the digit is the place of the dealt card before the
    /// swap.
    #[inline]
    pub fn digits(&mut self, dealt: &[u32], items: u32, mut each: impl FnMut(u32, u32)) {
        self.list.clear();
        self.list.extend(0..items);
        self.position.clear();
        self.position.extend(0..items);
        for (last, &card) in (1..items).rev().zip(dealt) {
            let digit = self.position[index(card)];
            each(last + 1, digit);
            let moved = self.list[index(last)];
            self.list[index(digit)] = moved;
            self.position[index(moved)] = digit;
        }
    }
}

/// A bit for each of up to 64 items that came already.
fn inversions_masked(dealt: &[u32]) -> u64 {
    let mut seen = 0_u64;
    let mut found = 0;
    for &card in dealt {
        found += u64::from((seen >> card).count_ones());
        seen |= 1 << card;
    }
    found
}

/// Adjacent items in descending order. Applied to the places of the items: the number of rising
/// sequences, less one.
#[must_use]
pub fn descents(order: &[u32]) -> u32 {
    item(order.windows(2).filter(|pair| matches!(pair, [a, b] if a > b)).count())
}

/// Positions with the same card in both.
#[must_use]
pub fn matches(one: &[u32], other: &[u32]) -> u32 {
    item(one.iter().zip(other).filter(|(a, b)| a == b).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_counting_inversions_count_the_same_pairs() {
        let mut scratch = Scratch::default();
        for deck in [vec![0, 1, 2, 3], vec![3, 2, 1, 0], vec![2, 0, 3, 1], (0..64).rev().collect()]
        {
            let pairs = (0..deck.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
            let expected =
                crate::stats::number::count(pairs.filter(|&(a, b)| deck[a] > deck[b]).count());
            assert_eq!(inversions_masked(&deck), expected);
            assert_eq!(scratch.inversions_counted(&deck, item(deck.len())), expected);
        }
    }

    #[test]
    fn a_deck_with_a_repeated_a_foreign_or_a_missing_card_has_no_places() {
        let mut scratch = Scratch::default();
        assert!(scratch.place(&[2, 0, 1], 3, 3));
        assert_eq!(scratch.places, [1, 2, 0]);
        assert!(scratch.place(&[2], 3, 1));
        assert_eq!(scratch.places, [NOWHERE, NOWHERE, 0]);
        for wrong in [&[2, 0, 2][..], &[2, 0, 3], &[2, 0], &[2, 0, 1, 1]] {
            assert!(!scratch.place(wrong, 3, 3), "{wrong:?}");
        }
    }
}
