//! What stands beside a row: the rows before and after it, and the nearest ones with other seeds.

use std::borrow::Cow;

use super::change::Place;
use crate::dialect::round::Round;

/// A failing row and what stands beside it.
#[derive(Debug)]
pub(super) struct Case {
    /// Its number.
    pub(super) row: u64,
    /// The row.
    pub(super) round: Round<'static>,
    /// Whether its commitment opens as it is, where that is known.
    pub(super) opens: Option<bool>,
    /// The row before.
    pub(super) before: Option<Box<Round<'static>>>,
    /// The row after.
    pub(super) after: Option<Box<Round<'static>>>,
    /// The nearest other server seed to either side.
    pub(super) servers: Sides,
    /// The nearest other commitment to either side.
    pub(super) commitments: Sides,
    /// The nearest other client seed to either side.
    pub(super) clients: Sides,
}

/// The nearest other values to either side.
#[derive(Clone, Debug, Default)]
pub(super) struct Sides {
    before: Option<Vec<u8>>,
    after: Option<Vec<u8>>,
}

impl Sides {
    fn at(&self, place: Place) -> Option<&[u8]> {
        match place {
            Place::OtherBefore => self.before.as_deref(),
            Place::OtherAfter => self.after.as_deref(),
            Place::Before | Place::After => None,
        }
    }

    fn text(&self, place: Place) -> Option<&str> {
        std::str::from_utf8(self.at(place)?).ok()
    }
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

    /// The server seed there.
    pub(super) fn server(&self, place: Place) -> Option<&str> {
        let beside = self.beside(place).and_then(|round| round.server_seed.as_deref());
        beside.or_else(|| self.servers.text(place))
    }

    /// The commitment there.
    pub(super) fn commitment(&self, place: Place) -> Option<[u8; 32]> {
        let beside = self.beside(place).and_then(|round| round.commitment);
        beside.or_else(|| self.commitments.at(place)?.try_into().ok())
    }

    /// The client seed there.
    pub(super) fn client(&self, place: Place) -> Option<&str> {
        let beside = self.beside(place).and_then(|round| round.client_seed.as_deref());
        beside.or_else(|| self.clients.text(place))
    }
}

/// A column's values as they come, row by row: which one it is now and which other one was there before it.
#[derive(Debug, Default)]
pub(super) struct Run {
    now: Option<Vec<u8>>,
    before: Option<Vec<u8>>,
    /// Cases, by number, that have the value there is now and wait for another one.
    waiting: Vec<usize>,
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
    pub(super) fn sides(&mut self, case: usize) -> Sides {
        self.waiting.push(case);
        Sides { before: self.before.clone(), after: None }
    }

    /// Whether a case waits.
    pub(super) fn is_awaited(&self) -> bool {
        !self.waiting.is_empty()
    }
}

/// Tells the case what comes after it.
pub(super) fn settle(sides: &mut Sides, after: &[u8]) {
    sides.after = Some(after.to_vec());
}

/// Copies a row into another one, keeping its buffers: this is done for every row of a file.
pub(super) fn copy(into: &mut Round<'static>, from: &Round<'_>) {
    text(&mut into.server_seed, from.server_seed.as_deref());
    text(&mut into.client_seed, from.client_seed.as_deref());
    text(&mut into.deck, from.deck.as_deref());
    text(&mut into.method, from.method.as_deref());
    into.cards.clone_from(&from.cards);
    into.held.clone_from(&from.held);
    into.last.clone_from(&from.last);
    into.contributions.clone_from(&from.contributions);
    into.commitment = from.commitment;
    into.nonce = from.nonce;
    into.result = from.result;
    text(&mut into.finer, from.finer.as_deref());
    into.chain_steps = from.chain_steps;
    into.game_id = from.game_id;
    into.full = from.full;
}

fn text(into: &mut Option<Cow<'static, str>>, from: Option<&str>) {
    match (into, from) {
        (Some(Cow::Owned(buffer)), Some(from)) => {
            buffer.clear();
            buffer.push_str(from);
        }
        (into, from) => *into = from.map(|from| Cow::Owned(from.to_owned())),
    }
}

/// Bytes of a row's texts and lists: what keeping it takes.
pub(super) fn size(round: &Round<'_>) -> usize {
    let texts = [&round.server_seed, &round.client_seed, &round.deck, &round.method, &round.finer];
    let texts: usize = texts.into_iter().flatten().map(|text| text.len()).sum();
    let pairs = round
        .contributions
        .iter()
        .flatten()
        .map(|one| one.from.as_str().len().saturating_add(one.seed.as_str().len()));
    let cards = [&round.cards, &round.held, &round.last].into_iter().flatten().map(|cards| 2 * cards.len());
    texts.saturating_add(pairs.sum()).saturating_add(cards.sum())
}
