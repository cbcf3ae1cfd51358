//! What stands beside a row: the rows before and after it, and the nearest ones with other seeds.

use std::borrow::Cow;

use crate::dialect::round::Round;

/// Which other row a value is taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Before,
    After,
    /// The nearest row before that has another value.
    OtherBefore,
    /// The nearest row after that has another value.
    OtherAfter,
}

/// A failing row and what stands beside it.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) row: u64,
    pub(super) round: Round<'static>,
    /// Whether its commitment opens as it is, where that is known.
    pub(super) opens: Option<bool>,
    pub(super) before: Option<Box<Round<'static>>>,
    pub(super) after: Option<Box<Round<'static>>>,
    /// Of each column of [`watched`].
    pub(super) others: [Others; 3],
}

/// The nearest other values of a column.
#[derive(Clone, Debug, Default)]
pub(super) struct Others {
    before: Option<Vec<u8>>,
    pub(super) after: Option<Vec<u8>>,
}

/// The columns whose nearest other values are kept: server seed, commitment, client seed.
pub(super) fn watched<'r>(round: &'r Round<'_>) -> [Option<&'r [u8]>; 3] {
    let text = |text: &'r Option<Cow<'_, str>>| text.as_deref().map(str::as_bytes);
    let commitment = round.commitment.as_ref().map(<[u8; 32]>::as_slice);
    [text(&round.server_seed), commitment, text(&round.client_seed)]
}

impl Case {
    /// The row in that place, where it is a single one.
    pub(super) fn beside(&self, place: Place) -> Option<&Round<'static>> {
        match place {
            Place::Before => self.before.as_deref(),
            Place::After => self.after.as_deref(),
            Place::OtherBefore | Place::OtherAfter => None,
        }
    }

    fn value(&self, place: Place, column: usize) -> Option<&[u8]> {
        match place {
            Place::Before | Place::After => watched(self.beside(place)?)[column],
            Place::OtherBefore => self.others[column].before.as_deref(),
            Place::OtherAfter => self.others[column].after.as_deref(),
        }
    }

    pub(super) fn server_seed(&self, place: Place) -> Option<&str> {
        std::str::from_utf8(self.value(place, 0)?).ok()
    }

    pub(super) fn commitment(&self, place: Place) -> Option<[u8; 32]> {
        self.value(place, 1)?.try_into().ok()
    }

    pub(super) fn client_seed(&self, place: Place) -> Option<&str> {
        std::str::from_utf8(self.value(place, 2)?).ok()
    }

    /// How many cards it shows.
    pub(super) fn cards(&self) -> usize {
        self.round.cards.as_ref().map_or(0, Vec::len)
    }
}

/// A column's values as they come, row by row: which one it is now and which other one was there before it.
#[derive(Debug, Default)]
pub(super) struct Run {
    now: Option<Vec<u8>>,
    before: Option<Vec<u8>>,
    /// Cases, by number, that have the value there is now and wait for another one.
    pub(super) waiting: Vec<usize>,
}

impl Run {
    /// Takes a row's value, and gives the cases for which it is the other one they wait for.
    pub(super) fn see(&mut self, value: &[u8]) -> Vec<usize> {
        if self.now.as_deref() == Some(value) {
            return Vec::new();
        }
        // Buffers change places, so that a file with a new seed in each row allocates none.
        std::mem::swap(&mut self.now, &mut self.before);
        let now = self.now.get_or_insert_default();
        now.clear();
        now.extend_from_slice(value);
        std::mem::take(&mut self.waiting)
    }

    /// What a case that has the value there is now knows: the one before; it waits for the one after.
    pub(super) fn others(&mut self, case: usize) -> Others {
        self.waiting.push(case);
        Others { before: self.before.clone(), after: None }
    }
}

/// Bytes of a row's texts.
pub(super) fn texts(round: &Round<'_>) -> usize {
    let texts = [&round.server_seed, &round.client_seed, &round.deck, &round.method, &round.finer];
    let texts: usize = texts.into_iter().flatten().map(|text| text.len()).sum();
    let pairs = round.contributions.iter().flatten();
    texts + pairs.map(|one| one.from.as_str().len() + one.seed.as_str().len()).sum::<usize>()
}

/// Bytes of a row's texts and lists: what keeping it takes.
pub(super) fn size(round: &Round<'_>) -> usize {
    let cards = [&round.cards, &round.held, &round.last].into_iter().flatten();
    texts(round) + cards.map(|cards| 2 * cards.len()).sum::<usize>()
}
