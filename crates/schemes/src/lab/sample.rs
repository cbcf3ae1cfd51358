//! Samples: any number of decks of any length from a shuffle and a seeded stream. The same on every
//! machine.

use super::choose::Stream;
use super::shuffle::Shuffle;
use super::steps::Work;
use fairdeal::deal::{Deck, DeckName};
use fairdeal_audit::stats::{Counts, Shape, ShapeError};

/// Deals one deck after another by a shuffle.
#[derive(Debug)]
pub struct Sampler {
    shuffle: Shuffle,
    shape: Shape,
    stream: Stream,
    last: Option<Vec<u32>>,
}

impl Sampler {
    /// A deck of `items` items. If a named deck has that length, it is that deck, with ranks and
    /// aces.
    ///
    /// # Errors
    /// [`ShapeError::Items`] unless there are 1 to 2^20.
    pub fn new(shuffle: Shuffle, items: u32, seed: u64) -> Result<Self, ShapeError> {
        let named = DeckName::ALL.into_iter().find(|deck| deck.items() == items);
        let draw = shuffle.draw(items);
        let shape = match named {
            Some(deck) => Shape::of(&Deck::Named(deck), draw)?,
            None => Shape::of_items(items, draw)?,
        };
        Ok(Self { shuffle, shape, stream: Stream::seeded(seed), last: None })
    }

    /// The shape of the deals.
    #[must_use]
    pub const fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The next deal: item numbers in deal order.
    pub fn deal(&mut self) -> Vec<u32> {
        let items = self.shape.items();
        let start = match self.last.take() {
            Some(last) if self.shuffle == Shuffle::FromLast => last,
            _ => (0..items).collect(),
        };
        let mut work = Work::new(start);
        for at in 0..self.shuffle.steps(items) {
            self.shuffle.step(at, items, &mut work, &mut self.stream);
        }
        let dealt = self.shuffle.dealt(items, &work.list);
        self.last = Some(work.list);
        dealt
    }

    /// Deals `decks` decks and counts them. Asks `goes_on` before the first deck, and after each
    /// thousand.
    ///
    /// # Errors
    /// The error of `goes_on`, which ends the work.
    pub fn counted<E>(
        mut self,
        decks: u64,
        mut goes_on: impl FnMut() -> Result<(), E>,
    ) -> Result<Counts, E> {
        let mut counts = Counts::of(self.shape.clone());
        for at in 0..decks {
            if at.is_multiple_of(1_000) {
                goes_on()?;
            }
            counts.add(&self.deal());
        }
        Ok(counts)
    }
}

/// Deals `decks` decks and counts them: position × card for a heat map, and what the battery needs.
///
/// # Errors
/// [`ShapeError::Items`] unless there are 1 to 2^20.
pub fn sample(shuffle: Shuffle, items: u32, decks: u64, seed: u64) -> Result<Counts, ShapeError> {
    Sampler::new(shuffle, items, seed)?.counted(decks, || Ok(()))
}
