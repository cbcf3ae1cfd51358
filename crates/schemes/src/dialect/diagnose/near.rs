//! The rows beside a failing row, and the nearest rows with other seeds.

use std::borrow::Cow;

use crate::dialect::Round;

/// The row that a value is taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Before,
    After,
    /// The nearest row before with another value.
    OtherBefore,
    /// The nearest row after with another value.
    OtherAfter,
}

/// A failing row and the rows beside it.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) row: u64,
    pub(super) round: Round<'static>,
    /// Whether its commitment opens, where that is known.
    pub(super) opens: Option<bool>,
    pub(super) before: Option<Round<'static>>,
    pub(super) after: Option<Round<'static>>,
    /// The nearest other values before, one for each column of [`watched`].
    pub(super) others_before: [Option<Vec<u8>>; 3],
    pub(super) others_after: [Option<Vec<u8>>; 3],
}

/// The columns whose nearest other values are kept: server seed, commitment, client seed.
pub(super) fn watched<'r>(round: &'r Round<'_>) -> [Option<&'r [u8]>; 3] {
    let text = |text: &'r Option<Cow<'_, str>>| text.as_deref().map(str::as_bytes);
    let commitment = round.commitment.as_ref().map(<[u8; 32]>::as_slice);
    [text(&round.server_seed), commitment, text(&round.client_seed)]
}

impl Case {
    /// The row before or after; `None` for the others, which may be of several rows.
    pub(super) fn beside(&self, place: Place) -> Option<&Round<'static>> {
        match place {
            Place::Before => self.before.as_ref(),
            Place::After => self.after.as_ref(),
            Place::OtherBefore | Place::OtherAfter => None,
        }
    }

    fn value(&self, place: Place, column: usize) -> Option<&[u8]> {
        match place {
            Place::Before | Place::After => watched(self.beside(place)?)[column],
            Place::OtherBefore => self.others_before[column].as_deref(),
            Place::OtherAfter => self.others_after[column].as_deref(),
        }
    }

    pub(super) fn server_seed(&self, place: Place) -> Option<String> {
        self.value(place, 0).map(text)
    }

    pub(super) fn commitment(&self, place: Place) -> Option<[u8; 32]> {
        self.value(place, 1).map(|bytes| bytes.try_into().expect("a commitment has 32 bytes"))
    }

    pub(super) fn client_seed(&self, place: Place) -> Option<String> {
        self.value(place, 2).map(text)
    }
}

fn text(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes).expect("a seed was a text").to_owned()
}

/// The values of a column, row by row: the one of the last row, and the last one that differed from it.
#[derive(Debug, Default)]
pub(super) struct Run {
    now: Option<Vec<u8>>,
    before: Option<Vec<u8>>,
    /// The numbers of the cases that have the value `now` and wait for the next one.
    pub(super) waiting: Vec<usize>,
}

impl Run {
    /// Takes a row's value. Returns the cases that waited for it.
    pub(super) fn see(&mut self, value: &[u8]) -> Vec<usize> {
        if self.now.as_deref() == Some(value) {
            return Vec::new();
        }
        // The buffers are swapped, so that a file with a new seed in each row allocates none.
        std::mem::swap(&mut self.now, &mut self.before);
        let now = self.now.get_or_insert_default();
        now.clear();
        now.extend_from_slice(value);
        std::mem::take(&mut self.waiting)
    }

    /// The value before, for a case that has the value `now`. It waits for the next one.
    pub(super) fn other_before(&mut self, case: usize) -> Option<Vec<u8>> {
        self.waiting.push(case);
        self.before.clone()
    }
}

/// Bytes of a row's texts.
pub(super) fn texts(round: &Round<'_>) -> usize {
    let texts = [&round.server_seed, &round.client_seed, &round.deck, &round.method, &round.finer];
    let texts: usize = texts.into_iter().flatten().map(|text| text.len()).sum();
    let pairs = round.contributions.iter().flatten();
    texts + pairs.map(|one| one.from.as_str().len() + one.seed.as_str().len()).sum::<usize>()
}

/// Bytes of a row's texts and lists: what it takes to keep it.
pub(super) fn size(round: &Round<'_>) -> usize {
    let cards = [&round.cards, &round.held, &round.last].into_iter().flatten();
    texts(round) + cards.map(|cards| 2 * cards.len()).sum::<usize>()
}
