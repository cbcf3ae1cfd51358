//! The methods (spec/shuffle.md, methods): backward Fisher–Yates with prefix draws, and Sattolo's cycles.
//!
//! Why each order is equally likely is proved in the specification; the tests walk through every path for
//! small decks, and show that the usual wrong variants fail the same test.

use std::fmt;

use sha2::{Digest as _, Sha256};

use super::contribution::Contributions;
use super::deck::MAX_ITEMS;
use super::derivation::{DealKey, Nonce, SeedMac};
use super::digest::Digest;
use super::sampling::settle;

/// How the items are brought into order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Backward Fisher–Yates: every order equally likely.
    Shuffle,
    /// Sattolo: one single cycle, each equally likely; nobody draws themselves.
    Cycle,
}

/// What is to be dealt: a method, 1 to 2^20 items, and how many of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    method: Method,
    items: u32,
    draw: u32,
}

/// The method, the items and the draw do not go together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// No items, or more than 2^20.
    #[error("a deck has 1 to {MAX_ITEMS} items, not {0}")]
    Items(u32),
    /// A draw of none, or of more than there is.
    #[error("a draw takes 1 to {items} of {items} items, not {draw}")]
    Draw {
        /// How many were to be drawn.
        draw: u32,
        /// How many there are.
        items: u32,
    },
    /// A cycle of one item would have to draw itself.
    #[error("a cycle needs at least 2 items, not {0}")]
    ShortCycle(u32),
    /// A cycle assigns every item.
    #[error("a cycle draws all {items} items, not {draw}")]
    PartialCycle {
        /// How many were to be drawn.
        draw: u32,
        /// How many there are.
        items: u32,
    },
}

/// What a deal came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dealt {
    /// Item numbers in deal order (for a cycle: position p is assigned `items[p]`).
    pub items: Vec<u32>,
    /// Words drawn, rejected ones too.
    pub words: u64,
    /// Words rejected.
    pub rejected: u64,
}

/// Watches a deal happen, for `--trace`. The empty watcher costs nothing.
pub trait Observer {
    /// A word was drawn for a choice of `ways`: it settled a value, or was rejected.
    fn word(&mut self, _word: u32, _ways: u32, _value: Option<u32>) {}
    /// The items at two positions changed places; `deck` is what came of it.
    fn swap(&mut self, _at: usize, _with: usize, _deck: &[u32]) {}
}

impl Observer for () {}

/// Draws words and counts them.
struct Source<'a, N, O> {
    next_word: N,
    observer: &'a mut O,
    words: u64,
    rejected: u64,
}

impl<N: FnMut() -> u32, O: Observer> Source<'_, N, O> {
    /// The same rule as [`super::below`], counted; `ways` comes from a position, so it is at most 2^20.
    #[inline]
    fn below(&mut self, ways: u32) -> u32 {
        if ways == 1 {
            return 0;
        }
        loop {
            let word = (self.next_word)();
            let value = settle(word, ways);
            self.words = self.words.saturating_add(1);
            self.observer.word(word, ways, value);
            match value {
                Some(value) => return value,
                None => self.rejected = self.rejected.saturating_add(1),
            }
        }
    }
}

impl Plan {
    /// A shuffle of `items` of which the first `draw` are dealt.
    ///
    /// # Errors
    /// [`PlanError::Items`], [`PlanError::Draw`].
    pub const fn shuffle(items: u32, draw: u32) -> Result<Self, PlanError> {
        Self::new(Method::Shuffle, items, draw)
    }

    /// A cycle through all `items`.
    ///
    /// # Errors
    /// [`PlanError::Items`], [`PlanError::ShortCycle`].
    pub const fn cycle(items: u32) -> Result<Self, PlanError> {
        Self::new(Method::Cycle, items, items)
    }

    /// # Errors
    /// [`PlanError`], when the three do not go together.
    pub const fn new(method: Method, items: u32, draw: u32) -> Result<Self, PlanError> {
        if items == 0 || items > MAX_ITEMS {
            return Err(PlanError::Items(items));
        }
        if matches!(method, Method::Cycle) && items == 1 {
            return Err(PlanError::ShortCycle(items));
        }
        if matches!(method, Method::Cycle) && draw != items {
            return Err(PlanError::PartialCycle { draw, items });
        }
        if draw == 0 || draw > items {
            return Err(PlanError::Draw { draw, items });
        }
        Ok(Self { method, items, draw })
    }

    /// The method.
    #[must_use]
    pub const fn method(&self) -> Method {
        self.method
    }

    /// How many items there are.
    #[must_use]
    pub const fn items(&self) -> u32 {
        self.items
    }

    /// How many are dealt.
    #[must_use]
    pub const fn draw(&self) -> u32 {
        self.draw
    }

    /// Deals the round `nonce` under a server seed.
    #[must_use]
    pub fn deal(&self, seed: &SeedMac, nonce: Nonce, contributions: &Contributions) -> Dealt {
        self.deal_with(&seed.deal_key(nonce, contributions))
    }

    /// Deals from the key of a round.
    #[must_use]
    pub fn deal_with(&self, key: &DealKey) -> Dealt {
        let mut words = key.words();
        self.deal_from(|| words.next_word(), &mut ())
    }

    /// Deals from any stream of words, watched. Memory: 4 bytes for each item; time: one word for each draw
    /// and, expected over all draws of 52 cards, 1.4 × 10^-7 more.
    pub fn deal_from<O: Observer>(&self, next_word: impl FnMut() -> u32, observer: &mut O) -> Dealt {
        let mut deck: Vec<u32> = (0..self.items).collect();
        let mut source = Source { next_word, observer, words: 0, rejected: 0 };
        match self.method {
            Method::Shuffle => {
                let undealt = self.items.saturating_sub(self.draw);
                for at in (undealt..self.items).rev() {
                    swap_below(&mut deck, at, at.saturating_add(1), &mut source);
                }
                deck.drain(..usize_of(undealt));
                deck.reverse();
            }
            Method::Cycle => {
                for at in (1..self.items).rev() {
                    swap_below(&mut deck, at, at, &mut source);
                }
            }
        }
        Dealt { items: deck, words: source.words, rejected: source.rejected }
    }
}

/// Swaps the item at `at` with the one at a position uniform under `ways` (which is `at` or `at + 1`).
#[inline]
fn swap_below<N: FnMut() -> u32, O: Observer>(
    deck: &mut [u32],
    at: u32,
    ways: u32,
    source: &mut Source<'_, N, O>,
) {
    let at = usize_of(at);
    let with = usize_of(source.below(ways));
    deck.swap(at, with);
    source.observer.swap(at, with, deck);
}

/// At most 2^20, so it fits wherever there is room for the deck.
fn usize_of(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// SHA-256 of item numbers as u32 big-endian each: how a long list's deal is written down.
#[must_use]
pub fn digest_of_items(items: &[u32]) -> Digest {
    let mut hash = Sha256::new();
    for item in items {
        hash.update(item.to_be_bytes());
    }
    Digest::from_bytes(hash.finalize().into())
}

impl Method {
    /// The word used in entries and on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Shuffle => "shuffle",
            Self::Cycle => "cycle",
        }
    }

    /// Reads that word.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Shuffle, Self::Cycle].into_iter().find(|method| method.as_str() == text)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests;
