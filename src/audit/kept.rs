//! Deals that wait for their seed, in little memory, and their replay once it is out.

use std::cell::LazyCell;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::drawn::{Counting, Drawn};
use crate::deal::{
    ClientSeed, Contribution, Contributions, Deck, Digest, Label, Nonce, Seen, ServerSeed, message_of_seeds,
};
use crate::record::Finding;
use crate::record::entry::{Cards, Commit, Form, PlainDeal, PlainForm, ResultForm, plain_seeds};
use crate::record::replay::{Mixed, Waiting};

/// Deals in one piece of work: short enough to share out, long enough to be worth it.
const PIECE: usize = 512;

/// Deals whose keys are made at once.
const BATCH: usize = 16;

/// What is kept with each open commitment until it ends.
#[derive(Debug, Default)]
pub(super) struct Kept {
    plain: PlainDeals,
    waiting: Vec<Waiting>,
    /// Rounds dealt that are not yet counted for their table.
    pub(super) deals: u64,
}

/// Plain deals under one commitment: their contributions and results as they stand in the entries.
#[derive(Debug, Default)]
struct PlainDeals {
    bytes: Vec<u8>,
    deals: Vec<Place>,
}

#[derive(Clone, Debug)]
struct Place {
    index: u64,
    nonce: Nonce,
    form: PlainForm,
    contributions: Range<usize>,
    result: Range<usize>,
}

/// Deals whose seed is out, to be replayed anywhere: a piece of one commitment's.
#[derive(Debug)]
pub struct Replays {
    revealed: Arc<Revealed>,
    counting: Counting,
    /// Of the plain ones; the others are all in the first piece.
    range: Range<usize>,
}

#[derive(Debug)]
struct Revealed {
    commit: Box<Commit>,
    seed: ServerSeed,
    kept: Kept,
}

impl PlainDeals {
    fn text(&self, range: &Range<usize>) -> &[u8] {
        self.bytes.get(range.clone()).unwrap_or_default()
    }

    fn keep(&mut self, text: &[u8]) -> Range<usize> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(text);
        start..self.bytes.len()
    }
}

impl Kept {
    /// Keeps a plain deal. Whether its contributions are others than those of the deal before.
    pub(super) fn plain(&mut self, index: u64, deal: &PlainDeal, entry: &[u8]) -> bool {
        let plain = &mut self.plain;
        let contributions = deal.contributions(entry);
        let before = plain.deals.last().map(|before| before.contributions.clone());
        let same = before.filter(|before| plain.text(before) == contributions);
        let is_new = same.is_none();
        let contributions = same.unwrap_or_else(|| plain.keep(contributions));
        let result = plain.keep(deal.result(entry));
        plain.deals.push(Place { index, nonce: deal.nonce, form: deal.form, contributions, result });
        self.deals = self.deals.saturating_add(1);
        is_new
    }

    /// Keeps any other deal.
    pub(super) fn other(&mut self, waiting: Waiting) {
        self.waiting.push(waiting);
    }

    /// The seed is out: the work that this makes.
    pub(super) fn revealed(
        self,
        commit: Box<Commit>,
        seed: ServerSeed,
        counting: Counting,
    ) -> impl Iterator<Item = Replays> {
        let count = self.plain.deals.len();
        let pieces = count.div_ceil(PIECE).max(usize::from(!self.waiting.is_empty()));
        let revealed = Arc::new(Revealed { commit, seed, kept: self });
        (0..pieces).map(move |piece| {
            let start = piece.saturating_mul(PIECE);
            let range = start..start.saturating_add(PIECE).min(count);
            Replays { revealed: Arc::clone(&revealed), counting, range }
        })
    }
}

/// What replaying came to, to be given to [`Partial::replayed`](super::Partial::replayed).
#[derive(Debug)]
pub struct Replayed {
    pub(super) findings: Vec<Finding>,
    /// The deals as numbers, where they are counted.
    pub(super) drawn: Option<Drawn>,
}

impl Replays {
    /// Replays each deal. Time: for a plain deal one HMAC, the keystream, and as many draws as cards; where deals are
    /// counted for the statistics some microseconds more.
    #[must_use]
    pub fn run(&self) -> Replayed {
        let Revealed { commit, seed, kept } = self.revealed.as_ref();
        let mac = LazyCell::new(|| seed.mac());
        let mut drawn = (self.counting == Counting::Yes).then(|| Drawn::of(commit));
        let mut findings = Vec::new();
        let mut replay = |deal: &Waiting, drawn: &mut Option<Drawn>| {
            let found = deal.replay(commit, &mac);
            if let Some(drawn) = drawn {
                drawn.replay(found.is_none().then_some(deal), commit, &mac);
            }
            findings.extend(found);
        };
        if self.range.start == 0 {
            kept.waiting.iter().for_each(|deal| replay(deal, &mut drawn));
        }
        let places = kept.plain.deals.get(self.range.clone()).unwrap_or_default();
        let cards = match (commit.plan(), commit.deck, commit.form()) {
            (Ok(plan), Deck::Named(name), Form::Cards) => Some((plan, name, seed.open_mac())),
            _ => None,
        };
        let mut messages = [const { Message::EMPTY }; BATCH];
        for places in places.chunks(BATCH) {
            let mut keys = Vec::new();
            if let Some((.., mac)) = &cards {
                let messages = messages.iter_mut().zip(places);
                let messages: Vec<&[u8]> =
                    messages.map(|(message, place)| message.of(&kept.plain, place)).collect();
                keys = mac.keys_of(&messages);
            }
            let mut keys = keys.iter();
            for place in places {
                if let Some((plan, deck, _)) = &cards
                    && let Some(key) = keys.next()
                    && place.form == PlainForm::Cards
                    && plan.deals(key, *deck, kept.plain.text(&place.result).as_chunks::<2>().0)
                {
                    if let Some(drawn) = &mut drawn {
                        drawn.add(&plan.deal_with(key).items);
                    }
                } else if let Some(deal) = kept.plain.waiting(place) {
                    replay(&deal, &mut drawn);
                }
            }
        }
        Replayed { findings, drawn }
    }
}

/// The message of a deal of the batch before, of which mostly the nonce alone changes.
struct Message {
    bytes: Vec<u8>,
    contributions: Option<Range<usize>>,
}

impl Message {
    const EMPTY: Self = Self { bytes: Vec::new(), contributions: None };

    fn of(&mut self, plain: &PlainDeals, place: &Place) -> &[u8] {
        if self.contributions.as_ref() == Some(&place.contributions) {
            crate::deal::set_nonce(&mut self.bytes, place.nonce);
        } else {
            let mut seeds: Vec<&[u8]> =
                plain_seeds(plain.text(&place.contributions)).map(|(_, seed)| seed).collect();
            message_of_seeds(place.nonce, &mut seeds, &mut self.bytes);
            self.contributions = Some(place.contributions.clone());
        }
        &self.bytes
    }
}

impl PlainDeals {
    /// A plain deal as any other; nothing only where it was not what the reader says.
    fn waiting(&self, place: &Place) -> Option<Waiting> {
        let text = |bytes| std::str::from_utf8(bytes).ok();
        let clients = plain_seeds(self.text(&place.contributions))
            .map(|(from, seed)| Contribution::new(text(from)?, text(seed)?).ok())
            .collect::<Option<Vec<_>>>()?;
        let result = text(self.text(&place.result))?;
        let result = match place.form {
            PlainForm::Cards => ResultForm { cards: Some(Cards::new(result).ok()?), ..ResultForm::EMPTY },
            PlainForm::Seal => ResultForm { seal: Some(Digest::parse(result).ok()?), ..ResultForm::EMPTY },
            PlainForm::Digest => {
                ResultForm { digest: Some(Digest::parse(result).ok()?), ..ResultForm::EMPTY }
            }
        };
        let mixed = Mixed::Verified(Contributions::of_clients(clients).ok()?);
        Some(Waiting { index: place.index, nonce: place.nonce, mixed, result })
    }
}

/// How what is kept is stored.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedKept {
    deals: u64,
    plain: Vec<SavedPlain>,
    others: Vec<SavedOther>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedPlain {
    index: u64,
    nonce: Nonce,
    form: PlainForm,
    /// None where they are those of the deal before.
    contributions: Option<String>,
    result: String,
}

/// A deal that was mixed in another way: its contributions as they are mixed.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedOther {
    index: u64,
    nonce: Nonce,
    clients: Vec<SavedClient>,
    result: ResultForm,
}

/// Who brought what, and the size and root that they had seen.
type SavedClient = (Label, ClientSeed, Option<(u64, Digest)>);

impl Kept {
    pub(super) fn saved(&self) -> SavedKept {
        let text = |range: &Range<usize>| String::from_utf8_lossy(self.plain.text(range)).into_owned();
        let mut before = None;
        let plain = self.plain.deals.iter().map(|place| {
            let contributions = Some(&place.contributions).filter(|own| Some(*own) != before);
            before = Some(&place.contributions);
            SavedPlain {
                index: place.index,
                nonce: place.nonce,
                form: place.form,
                contributions: contributions.map(text),
                result: text(&place.result),
            }
        });
        let client = |one: &Contribution| {
            let seen = one.seen.as_ref().map(|seen| (seen.size, Digest::from_bytes(seen.root)));
            (one.from.clone(), one.seed.clone(), seen)
        };
        let other = |waiting: &Waiting| {
            let Mixed::Verified(mixed) = &waiting.mixed else { return None };
            let clients = mixed.clients().iter().map(client).collect();
            Some(SavedOther {
                index: waiting.index,
                nonce: waiting.nonce,
                clients,
                result: waiting.result.clone(),
            })
        };
        SavedKept {
            deals: self.deals,
            plain: plain.collect(),
            others: self.waiting.iter().filter_map(other).collect(),
        }
    }
}

impl SavedKept {
    /// # Errors
    /// What is not as it was saved.
    pub(super) fn restored(self) -> Result<Kept, String> {
        let mut kept = Kept { deals: self.deals, ..Kept::default() };
        for deal in self.plain {
            let before = kept.plain.deals.last().map(|before| before.contributions.clone());
            let contributions = match deal.contributions {
                Some(text) => kept.plain.keep(text.as_bytes()),
                None => before.ok_or("the first deal has no contributions")?,
            };
            let result = kept.plain.keep(deal.result.as_bytes());
            let SavedPlain { index, nonce, form, .. } = deal;
            kept.plain.deals.push(Place { index, nonce, form, contributions, result });
        }
        for deal in self.others {
            let client = |(from, seed, seen): SavedClient| {
                let seen = seen.map(|(size, root)| Seen { size, root: *root.as_bytes() });
                Contribution { from, seed, seen }
            };
            let clients = deal.clients.into_iter().map(client).collect();
            let mixed = Mixed::Verified(Contributions::of_clients(clients).map_err(|e| e.to_string())?);
            let SavedOther { index, nonce, result, .. } = deal;
            kept.waiting.push(Waiting { index, nonce, mixed, result });
        }
        Ok(kept)
    }
}
