//! The methods (spec/shuffle.md, methods): backward Fisher–Yates with prefix draws, and Sattolo's
//! cycles.
//!
//! Why each order is equally likely is proved in the specification; the tests walk through every
//! path for small decks, and show that the usual wrong variants fail the same test.

use sha2::{Digest as _, Sha256};

use super::contribution::Contributions;
use super::deck::{DeckName, MAX_ITEMS};
use super::derivation::{BLOCK, Block, DealKey, Nonce, SeedMac};
use super::digest::Digest;
use super::index;
use super::sampling::{settle, settle_surely};
use crate::named::named;

named! {
    /// The way in which the items are ordered.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    Method {
        /// Backward Fisher–Yates: every order equally likely.
        Shuffle = "shuffle",
        /// Sattolo: one single cycle, each equally likely; nobody draws themselves.
        Cycle = "cycle",
    }
}

/// A text names no method.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a method: expected \"shuffle\" or \"cycle\", found {0:?}")]
pub struct MethodError(String);

/// Settles the words of a block, each among one way less than the word before it. Returns whether
/// none of the first `count` words may be rejected.
#[inline]
fn settle_all(block: &Block, ways: u32, count: u32, settled: &mut [u32; BLOCK]) -> bool {
    let mut sure = true;
    for ((value, word), place) in settled.iter_mut().zip(block).zip(0..count) {
        let (is_sure, settles) = settle_surely(u32::from_le_bytes(*word), ways.wrapping_sub(place));
        *value = settles;
        sure &= is_sure;
    }
    sure
}

/// A round's method, its 1 to 2^20 items, and the number of them that are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    method: Method,
    items: u32,
    draw: u32,
}

/// The method, the items and the draw do not go together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum PlanError {
    /// No items, or more than 2^20.
    #[error("a deck: expected 1 to {MAX_ITEMS} items, found {0}")]
    Items(u32),
    /// A draw of none, or of more than there is.
    #[error("a draw: expected 1 to {items} of {items} items, found {draw}")]
    Draw { draw: u32, items: u32 },
    /// A cycle of one item would have to draw itself.
    #[error("a cycle: expected at least 2 items, found {0}")]
    ShortCycle(u32),
    /// A cycle assigns every item.
    #[error("a cycle: expected a draw of all {items} items, found {draw}")]
    PartialCycle { draw: u32, items: u32 },
}

/// The result of a deal.
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
    /// The items at two positions changed places; `deck` is the deck after it.
    fn swap(&mut self, _at: usize, _with: usize, _deck: &[u32]) {}
}

impl Observer for () {}

/// A deal under way, over items of any kind. It takes words one by one until every place is
/// settled.
struct Dealing<'a, T> {
    deck: &'a mut [T],
    /// The place that is settled next; those above it are settled.
    at: u32,
    /// This place and those under it are not settled.
    end: u32,
    /// The ways of a draw minus `at`: 1 if an item may keep its place, 0 in a cycle.
    staying: u32,
    rejected: u64,
}

impl<T> Dealing<'_, T> {
    #[inline]
    const fn is_over(&self) -> bool {
        self.at <= self.end
    }

    #[inline]
    const fn ways(&self) -> u32 {
        self.at.wrapping_add(self.staying) // at most 2^20
    }

    /// Applies [`super::below`] and the swap. Returns the place and what it was swapped with;
    /// `None` if the word is rejected.
    #[inline]
    fn take(&mut self, word: u32) -> Option<(u32, u32)> {
        let Some(with) = settle(word, self.ways()) else {
            self.rejected = self.rejected.saturating_add(1);
            return None;
        };
        let at = self.at;
        self.deck.swap(index(at), index(with));
        self.at = at.wrapping_sub(1); // not under `end`
        Some((at, with))
    }

    /// A block at a time: first what its words settle, several at once, then the swaps, which touch
    /// nothing but the deck. A block with a word that may be rejected, about one in three million,
    /// goes word by word.
    fn run(&mut self, key: &DealKey) {
        let mut words = key.words();
        while !self.is_over() {
            let block = words.next_block();
            let count = self.at.wrapping_sub(self.end);
            let mut settled = [0; BLOCK];
            if settle_all(block, self.ways(), count, &mut settled) {
                for (with, _) in settled.iter().zip(0..count) {
                    self.deck.swap(index(self.at), index(*with));
                    self.at = self.at.wrapping_sub(1);
                }
                continue;
            }
            for word in block {
                if self.is_over() {
                    break;
                }
                self.take(u32::from_le_bytes(*word));
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

    /// The number of items.
    #[must_use]
    pub const fn items(&self) -> u32 {
        self.items
    }

    /// The number of items dealt.
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
        let mut deck: Vec<u32> = (0..self.items).collect();
        let mut dealing = self.start(&mut deck);
        dealing.run(key);
        let rejected = dealing.rejected;
        self.finish(deck, rejected, &mut ())
    }

    /// Whether the key of a round deals exactly these cards, in deal order. It allocates once in
    /// some three million deals.
    #[must_use]
    pub fn deals(&self, key: &DealKey, deck: DeckName, cards: &[[u8; 2]]) -> bool {
        if self.method != Method::Shuffle
            || self.items != deck.items()
            || cards.len() != index(self.draw)
        {
            return false;
        }
        let surely = if self.items <= 64 {
            self.deals_surely::<64>(key, deck, cards)
        } else {
            self.deals_surely::<416>(key, deck, cards)
        };
        surely.unwrap_or_else(|| {
            let card = |item: &u32| deck.card(*item).map(|card| *card.as_bytes());
            self.deal_with(key).items.iter().map(card).eq(cards.iter().copied().map(Some))
        })
    }

    /// The same for up to `N` cards; `None` if a word may be rejected. A dealt card is compared
    /// at once and not put back, because nothing reads it again.
    fn deals_surely<const N: usize>(
        &self,
        key: &DealKey,
        deck: DeckName,
        cards: &[[u8; 2]],
    ) -> Option<bool> {
        let mut left = [0; N];
        for (to, card) in left.iter_mut().zip(deck.cards()) {
            *to = u16::from_le_bytes(*card.as_bytes());
        }
        let mut words = key.words();
        let (mut at, end) = (self.items.wrapping_sub(1), self.end());
        let (mut cards, mut differs) = (cards.iter().map(|card| u16::from_le_bytes(*card)), 0);
        while at > end {
            let count = at.wrapping_sub(end);
            let mut settled = [0; BLOCK];
            if !settle_all(words.next_block(), at.wrapping_add(1), count, &mut settled) {
                return None;
            }
            for ((with, _), card) in settled.iter().zip(0..count).zip(cards.by_ref()) {
                let last = left[index(at)];
                let dealt = &mut left[index(*with)];
                differs |= *dealt ^ card;
                *dealt = last;
                at = at.wrapping_sub(1);
            }
        }
        // No word settles the last card of a whole deck.
        for card in cards {
            differs |= left[index(at)] ^ card;
        }
        Some(differs == 0)
    }

    /// Deals from any stream of words and tells an observer of each. Memory: 4 bytes for each item;
    /// time: one word for each draw and, expected over all draws of 52 cards, 1.4 × 10^-7 more.
    pub fn deal_from<O: Observer>(
        &self,
        mut next_word: impl FnMut() -> u32,
        observer: &mut O,
    ) -> Dealt {
        let mut deck: Vec<u32> = (0..self.items).collect();
        let mut dealing = self.start(&mut deck);
        while !dealing.is_over() {
            let (word, ways) = (next_word(), dealing.ways());
            let settled = dealing.take(word);
            observer.word(word, ways, settled.map(|(_, with)| with));
            if let Some((at, with)) = settled {
                observer.swap(index(at), index(with), dealing.deck);
            }
        }
        let rejected = dealing.rejected;
        self.finish(deck, rejected, observer)
    }

    fn start<'a, T>(&self, deck: &'a mut [T]) -> Dealing<'a, T> {
        // A choice of one way takes no word: at place 0 of a shuffle, and at place 1 of a cycle.
        let staying = u32::from(self.method == Method::Shuffle);
        let at = self.items.saturating_sub(1);
        Dealing { deck, at, end: self.end(), staying, rejected: 0 }
    }

    /// The last place that no word settles.
    const fn end(&self) -> u32 {
        match self.method {
            Method::Shuffle => self.items.saturating_sub(self.draw).saturating_sub(1),
            Method::Cycle => 1,
        }
    }

    fn finish<O: Observer>(&self, mut deck: Vec<u32>, rejected: u64, observer: &mut O) -> Dealt {
        match self.method {
            Method::Shuffle => {
                deck.drain(..index(self.items.saturating_sub(self.draw)));
                deck.reverse();
            }
            Method::Cycle => {
                deck.swap(1, 0);
                observer.swap(1, 0, &deck);
            }
        }
        let settled = self.items.saturating_sub(1).saturating_sub(self.end());
        Dealt { items: deck, words: u64::from(settled).saturating_add(rejected), rejected }
    }
}

/// SHA-256 of item numbers, each as u32 big-endian: how a deal of a long list is logged.
#[must_use]
pub fn digest_of_items(items: &[u32]) -> Digest {
    let mut hash = Sha256::new();
    for item in items {
        hash.update(item.to_be_bytes());
    }
    Digest::from_bytes(hash.finalize().into())
}

impl Method {
    /// Reads that word; `None` if it is no method's.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::named(text)
    }
}

impl std::str::FromStr for Method {
    type Err = MethodError;

    fn from_str(text: &str) -> Result<Self, MethodError> {
        Self::parse(text).ok_or_else(|| MethodError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests;
