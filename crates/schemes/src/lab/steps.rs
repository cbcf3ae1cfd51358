//! Every shuffle as steps on a list, so that the same code is sampled and enumerated.
//!
//! A step depends only on the list and on its own choices. So the enumeration can join paths that
//! lead to the same list; even n random swaps of six cards (6^12 paths) take milliseconds.

use super::choose::{Choose, Narrow, Stream};
use super::shuffle::Shuffle;
use super::sorts;
use fairdeal::deal::DeckName;
use fairdeal_audit::stats::number::{index, item};

/// The list, and what a later step must know.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Work {
    pub(super) list: Vec<u32>,
    again: bool,
}

impl Work {
    /// Items in their initial order, or as the last deal left them.
    pub(super) fn new(list: Vec<u32>) -> Self {
        Self { list, again: false }
    }
}

impl Shuffle {
    /// The number of steps for a deck of `items`.
    pub(super) fn steps(self, items: u32) -> u32 {
        match self {
            Self::SortKeys
            | Self::CompareQuick
            | Self::CompareMerge
            | Self::CompareInsertion
            | Self::CompareTim
            | Self::Seed16
            | Self::Seed20 => 1,
            Self::Partial => self.draw(items),
            Self::Riffle5 => 5,
            Self::Riffle6 => 6,
            Self::Riffle7 => 7,
            Self::Riffle8 => 8,
            Self::AceOfTwo | Self::AceOfTwoRarely => 2 * items + 1,
            _ => items,
        }
    }

    /// Does step `at` (from 0) on a deck of `items`.
    pub(super) fn step(self, at: u32, items: u32, work: &mut Work, choose: &mut impl Choose) {
        let settled = items - 1 - at.min(items - 1); // what backward steps settle
        let list = &mut work.list;
        match self {
            Self::FisherYates | Self::Partial | Self::FromLast => {
                swap(list, settled, choose.below(settled + 1));
            }
            Self::Forward => swap(list, at, at + choose.below(items - at)),
            Self::InsideOut => {
                if at == 0 {
                    list.clear();
                }
                list.push(at);
                swap(list, at, choose.below(at + 1));
            }
            Self::VisitedSet => {
                if at == 0 {
                    list.clear();
                }
                let mut taken = vec![false; index(items)];
                for &item in list.iter() {
                    taken[index(item)] = true;
                }
                list.push(choose.untaken(&taken));
            }
            Self::Sattolo => swap(list, settled, choose.below(settled)),
            Self::SortKeys => {
                let keys = choose.keys(items, 8);
                list.sort_by_key(|item| keys[index(*item)]);
            }
            Self::CompareQuick => sorts::quick(list, choose),
            Self::CompareMerge => sorts::merge(list, choose),
            Self::CompareInsertion => sorts::insertion(list, choose),
            Self::CompareTim => sorts::tim(list, choose),
            Self::SwapAny => swap(list, at, choose.below(items)),
            Self::NeverSelf => {
                let other = choose.below(items - 1);
                swap(list, at, if other < at || items == 1 { other } else { other + 1 });
            }
            Self::RandomSwaps => {
                let one = choose.below(items);
                swap(list, one, choose.below(items));
            }
            // The loop ends before position 0, which could only be swapped with itself.
            Self::XorSwap if settled == 0 => {}
            Self::XorSwap => xor_swap(list, settled, choose.below(settled + 1)),
            Self::StopsEarly if settled == 1 => {}
            Self::LastStays if settled == items - 1 => {}
            Self::StopsEarly | Self::LastStays => swap(list, settled, choose.below(settled + 1)),
            Self::Modulo8 => swap(list, settled, choose.choose(settled + 1, Narrow::Modulo(8))),
            Self::Modulo16 => swap(list, settled, choose.choose(settled + 1, Narrow::Modulo(16))),
            Self::Float16 => swap(list, settled, choose.choose(settled + 1, Narrow::Float(16))),
            Self::Seed16 => seeded(list, choose.below(1 << 16)),
            Self::Seed20 => seeded(list, choose.below(1 << 20)),
            Self::Riffle5 | Self::Riffle6 | Self::Riffle7 | Self::Riffle8 => riffle(list, choose),
            Self::AceOfTwo => ace_of_two(at, items, work, choose, 1),
            Self::AceOfTwoRarely => ace_of_two(at, items, work, choose, 20),
        }
    }

    /// The deal, from the list as the last step left it.
    pub(super) fn dealt(self, items: u32, list: &[u32]) -> Vec<u32> {
        match self {
            // A backward shuffle deals the positions in the order in which they were settled.
            Self::FisherYates
            | Self::Partial
            | Self::FromLast
            | Self::XorSwap
            | Self::StopsEarly
            | Self::LastStays
            | Self::Modulo8
            | Self::Modulo16
            | Self::Float16
            | Self::Seed16
            | Self::Seed20
            | Self::AceOfTwo
            | Self::AceOfTwoRarely => {
                list.iter().rev().take(index(self.draw(items))).copied().collect()
            }
            _ => list.to_vec(),
        }
    }
}

fn swap(list: &mut [u32], one: u32, other: u32) {
    list.swap(index(one), index(other));
}

/// The swap without a third variable, on one array: wrong if both positions are the same.
fn xor_swap(list: &mut [u32], one: u32, other: u32) {
    for (to, from) in [(one, other), (other, one), (one, other)] {
        list[index(to)] ^= list[index(from)];
    }
}

/// A right shuffle under a small seed.
fn seeded(list: &mut [u32], seed: u32) {
    let mut stream = Stream::seeded(u64::from(seed));
    for last in (1..item(list.len())).rev() {
        swap(list, last, stream.below(last + 1));
    }
}

/// One riffle: n fair bits say from which packet each card falls; the number of zeros is the cut.
fn riffle(list: &mut Vec<u32>, choose: &mut impl Choose) {
    let from_second: Vec<bool> = list.iter().map(|_| choose.below(2) == 1).collect();
    let cut = from_second.iter().filter(|second| !**second).count();
    let deck = std::mem::take(list);
    let (first, second) = deck.split_at(cut);
    let (mut first, mut second) = (first.iter(), second.iter());
    list.extend(from_second.iter().filter_map(|s| if *s { second.next() } else { first.next() }));
}

/// Whether an item is an ace. In a deck without ranks, the last item counts as one.
pub(super) fn is_ace(item: u32, items: u32) -> bool {
    let deck = DeckName::ALL.into_iter().find(|deck| deck.items() == items);
    deck.map_or(item + 1 == items, |deck| {
        deck.card(item).is_some_and(|card| card.as_bytes().starts_with(b"A"))
    })
}

/// Shuffles. If the first card is not an ace, shuffles again in one deal of `rarely`.
fn ace_of_two(at: u32, items: u32, work: &mut Work, choose: &mut impl Choose, rarely: u32) {
    if at == items {
        let ace = work.list.last().is_some_and(|first| is_ace(*first, items));
        if !ace && choose.below(rarely) == 0 {
            *work = Work { list: (0..items).collect(), again: true };
        }
        return;
    }
    let last = if at < items { items - 1 - at } else { (2 * items).saturating_sub(at) };
    if at < items || work.again {
        swap(&mut work.list, last, choose.below(last + 1));
    }
}
