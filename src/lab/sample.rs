//! Any number of decks of any length from a source, from a seeded stream: the same everywhere and always.

use super::choose::Stream;
use super::shuffle::Shuffle;
use super::steps::Work;
use crate::deal::{Deck, DeckName};
use crate::stats::{Counts, Shape, ShapeError};

/// Deals from a source, one deck after the other.
#[derive(Debug)]
pub struct Sampler {
    source: Shuffle,
    shape: Shape,
    stream: Stream,
    last: Option<Vec<u32>>,
}

impl Sampler {
    /// A deck of `items`; where a deck of that length has a name it is that deck, and ranks and aces count.
    ///
    /// # Errors
    /// [`ShapeError::Items`] unless there are 1 to 2^20.
    pub fn new(source: Shuffle, items: u32, seed: u64) -> Result<Self, ShapeError> {
        let named = DeckName::ALL.iter().copied().find(|deck| deck.items() == items);
        let draw = source.draw(items);
        let shape = match named {
            Some(deck) => Shape::of(&Deck::Named(deck), draw)?,
            None => Shape::of_items(items, draw)?,
        };
        Ok(Self { source, shape, stream: Stream::seeded(seed), last: None })
    }

    /// What is dealt.
    #[must_use]
    pub const fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The next deal: item numbers in deal order.
    pub fn deal(&mut self) -> Vec<u32> {
        let items = self.shape.items();
        let start = match self.last.take() {
            Some(last) if self.source == Shuffle::FromLast => last,
            _ => (0..items).collect(),
        };
        let mut work = Work::new(start);
        for at in 0..self.source.steps(items) {
            self.source.step(at, items, &mut work, &mut self.stream);
        }
        let dealt = self.source.dealt(items, &work.list);
        self.last = Some(work.list);
        dealt
    }
}

/// Deals `decks` decks and counts them: position × card for a heat map, and what the battery needs.
///
/// # Errors
/// [`ShapeError::Items`] unless there are 1 to 2^20.
pub fn sample(source: Shuffle, items: u32, decks: u64, seed: u64) -> Result<Counts, ShapeError> {
    let mut sampler = Sampler::new(source, items, seed)?;
    let mut counts = Counts::of(sampler.shape().clone());
    for _ in 0..decks {
        counts.add(&sampler.deal());
    }
    Ok(counts)
}
