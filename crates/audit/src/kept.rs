//! Deals that are kept, in little memory, until their seed is revealed; and their replay.

use std::cell::LazyCell;
use std::mem;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::drawn::{Counting, Drawn};
use super::saved::SavedError;
use fairdeal::deal::{
    ClientSeed, Contribution, Contributions, Deck, DeckName, Digest, DrandRandomness, Label, Nonce,
    Seen, ServerSeed, check_cards, message_of_seeds,
};
use fairdeal::record::as_json::object;
use fairdeal::record::entry::{
    Cards, Commit, PlainDeal, PlainForm, ResultForm, ResultKind, plain_seeds,
};
use fairdeal::record::replay::{Mixed, Waiting};
use fairdeal::record::{Code, Finding};

/// The number of plain deals in one segment of memory. Later commitments use the segment again.
const SEGMENT: usize = 32;
/// Segments in one [`Replays`]: few enough to keep all cores busy, enough to be worth a task.
const PIECE: usize = 16;
/// The number of free segments that are kept, and the most bytes that each may have.
const SPARE: usize = 64;
const SPARE_BYTES: usize = 1 << 14;

/// An entry has at most 65,535 bytes (spec/ledger.md): a state file with more is damaged.
const LONGEST_ENTRY: usize = 65_535;

/// Deals whose keys are derived together.
const BATCH: usize = 16;

/// The deals of one open commitment.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// All are full but the last.
    plain: Vec<Segment>,
    waiting: Vec<Waiting>,
    /// Rounds dealt that are not yet counted for their table.
    pub(super) deals: u64,
}

/// Consecutive plain deals of one commitment: their contributions and results, copied from the
/// entries.
#[derive(Debug, Default)]
pub(super) struct Segment {
    bytes: Vec<u8>,
    deals: Vec<Place>,
}

#[derive(Clone, Debug)]
struct Place {
    index: u64,
    nonce: Nonce,
    form: PlainForm,
    /// The offset in the segment's bytes; 32 entries have at most 2 MiB.
    contributions: Range<u32>,
    result: Range<u32>,
}

/// A free list of empty segments: reuse avoids page faults.
#[derive(Debug, Default)]
pub(super) struct Spare(Vec<Segment>);

/// Some deals of one commitment whose seed is revealed. Any thread may replay them.
#[derive(Debug)]
pub struct Replays {
    revealed: Arc<Revealed>,
    counting: Counting,
    plain: Vec<Segment>,
    /// Deals that are not plain; the first piece has them all.
    waiting: Vec<Waiting>,
}

#[derive(Debug)]
struct Revealed {
    commit: Arc<Commit>,
    seed: ServerSeed,
}

impl Segment {
    fn text(&self, range: &Range<u32>) -> &[u8] {
        &self.bytes[range.start as usize..range.end as usize]
    }

    fn keep(&mut self, text: &[u8]) -> Range<u32> {
        let end = |bytes: &[u8]| u32::try_from(bytes.len()).expect("32 entries have at most 2 MiB");
        let start = end(&self.bytes);
        self.bytes.extend_from_slice(text);
        start..end(&self.bytes)
    }
}

impl Spare {
    fn take(&mut self) -> Segment {
        self.0.pop().unwrap_or_default()
    }

    pub(super) fn give(&mut self, segments: Vec<Segment>) {
        let room = SPARE.saturating_sub(self.0.len());
        let small = segments.into_iter().filter(|segment| segment.bytes.capacity() <= SPARE_BYTES);
        self.0.extend(small.take(room).map(|mut segment| {
            segment.bytes.clear();
            segment.deals.clear();
            segment
        }));
    }
}

impl Kept {
    /// Keeps a plain deal; returns whether its contributions differ from those of the deal before.
    pub(super) fn plain(
        &mut self,
        index: u64,
        deal: &PlainDeal,
        entry: &[u8],
        spare: &mut Spare,
    ) -> bool {
        self.deals = self.deals.saturating_add(1);
        let place =
            Place { index, nonce: deal.nonce, form: deal.form, contributions: 0..0, result: 0..0 };
        self.keep(place, deal.contributions(entry), deal.result(entry), spare)
    }

    fn keep(
        &mut self,
        mut place: Place,
        contributions: &[u8],
        result: &[u8],
        spare: &mut Spare,
    ) -> bool {
        let before = self.plain.last().and_then(|last| Some((last, last.deals.last()?)));
        let same =
            before.filter(|(last, before)| last.text(&before.contributions) == contributions);
        let mut here = same.map(|(_, before)| before.contributions.clone());
        let is_new = here.is_none();
        if self.plain.last().is_none_or(|last| last.deals.len() >= SEGMENT) {
            // The first segment is fresh and grows as needed: most commitments have few deals.
            self.plain.push(if self.plain.is_empty() { Segment::default() } else { spare.take() });
            here = None;
        }
        let last = self.plain.last_mut().expect("one was pushed where there was none");
        place.contributions = here.unwrap_or_else(|| last.keep(contributions));
        place.result = last.keep(result);
        last.deals.push(place);
        is_new
    }

    /// Keeps any other deal.
    pub(super) fn other(&mut self, waiting: Waiting) {
        self.waiting.push(waiting);
    }

    /// Findings on plain deals that no seed can give. Only for a commitment that is not revealed by
    /// the end of the log: the deals of the others are replayed.
    pub(super) fn impossible(&self, commit: &Commit) -> Vec<Finding> {
        let (Deck::Named(deck), ResultKind::Cards) = (commit.deck, commit.form()) else {
            return Vec::new();
        };
        let each = |segment: &Segment| -> Vec<Finding> {
            segment.deals.iter().filter_map(|deal| segment.impossible(deal, commit, deck)).collect()
        };
        self.plain.iter().flat_map(each).collect()
    }

    /// The seed is revealed: returns the deals to replay, in pieces.
    pub(super) fn revealed(
        self,
        commit: Arc<Commit>,
        seed: ServerSeed,
        counting: Counting,
    ) -> impl Iterator<Item = Replays> {
        let pieces = self.plain.len().div_ceil(PIECE).max(usize::from(!self.waiting.is_empty()));
        let revealed = Arc::new(Revealed { commit, seed });
        let (mut plain, mut waiting) = (self.plain.into_iter(), self.waiting);
        (0..pieces).map(move |_| Replays {
            revealed: Arc::clone(&revealed),
            counting,
            plain: plain.by_ref().take(PIECE).collect(),
            waiting: mem::take(&mut waiting),
        })
    }
}

/// The result of [`Replays::run`], for [`Partial::replayed`](super::Partial::replayed).
#[derive(Debug)]
pub struct Replayed {
    pub(super) findings: Vec<Finding>,
    /// The deals as numbers, if they are counted.
    pub(super) drawn: Option<Drawn>,
    /// The segments, to be used again.
    pub(super) done: Vec<Segment>,
}

impl Replays {
    /// Replays each deal. Time for a plain deal: one HMAC, the keystream, and a draw for each card;
    /// counting for the statistics takes some microseconds more.
    #[must_use]
    pub fn run(self) -> Replayed {
        let Revealed { commit, seed } = self.revealed.as_ref();
        let mac = LazyCell::new(|| seed.mac());
        let mut drawn = (self.counting != Counting::No).then(|| Drawn::of(commit, self.counting));
        let mut findings = Vec::new();
        let mut replay = |deal: &Waiting, drawn: &mut Option<Drawn>| {
            let found = deal.replay(commit, &mac);
            if let Some(drawn) = drawn.as_mut().filter(|_| found.is_none()) {
                drawn.replay(deal, commit, &mac);
            }
            findings.extend(found);
        };
        self.waiting.iter().for_each(|deal| replay(deal, &mut drawn));
        let cards = match (commit.plan(), commit.deck, commit.form()) {
            (Ok(plan), Deck::Named(name), ResultKind::Cards) => Some((plan, name, seed.open_mac())),
            _ => None,
        };
        let mut messages = [const { Vec::new() }; BATCH];
        let mut impossibles = Vec::new();
        for segment in &self.plain {
            let mut message = Message::default();
            for places in segment.deals.chunks(BATCH) {
                let mut keys = Vec::new();
                if let Some((.., mac)) = &cards {
                    for (place, to) in places.iter().zip(&mut messages) {
                        message.of(segment, place).clone_into(to);
                    }
                    let messages: Vec<&[u8]> =
                        messages.iter().take(places.len()).map(Vec::as_slice).collect();
                    keys = mac.keys_of(&messages);
                }
                let mut keys = keys.iter();
                for place in places {
                    if let Some((plan, deck, _)) = &cards
                        && let Some(key) = keys.next()
                        && place.form == PlainForm::Cards
                        && plan.deals(key, *deck, segment.text(&place.result).as_chunks::<2>().0)
                    {
                        if let Some(drawn) = &mut drawn {
                            drawn.add(place.index, || Some(plan.deal_with(key).items));
                        }
                    } else if let Some(impossible) = cards
                        .as_ref()
                        .and_then(|(_, deck, _)| segment.impossible(place, commit, *deck))
                    {
                        impossibles.push(impossible);
                    } else if let Some(deal) = segment.waiting(place) {
                        replay(&deal, &mut drawn);
                    }
                }
            }
        }
        findings.append(&mut impossibles);
        Replayed { findings, drawn, done: self.plain }
    }
}

/// The HMAC message of the deal before; mostly only the nonce changes.
#[derive(Default)]
struct Message {
    bytes: Vec<u8>,
    contributions: Option<Range<u32>>,
}

impl Message {
    fn of(&mut self, segment: &Segment, place: &Place) -> &[u8] {
        if self.contributions.as_ref() == Some(&place.contributions) {
            fairdeal::deal::set_nonce(&mut self.bytes, place.nonce);
        } else {
            let mut seeds: Vec<&[u8]> =
                plain_seeds(segment.text(&place.contributions)).map(|(_, seed)| seed).collect();
            message_of_seeds(place.nonce, &mut seeds, &mut self.bytes);
            self.contributions = Some(place.contributions.clone());
        }
        &self.bytes
    }
}

impl Segment {
    /// `result-mismatch`, if no seed can give these cards.
    fn impossible(&self, place: &Place, commit: &Commit, deck: DeckName) -> Option<Finding> {
        let cards = self.text(&place.result).as_chunks::<2>().0;
        let says = check_cards(commit.method, deck, cards).err()?.to_string();
        let (code, index, nonce) = (Code::ResultMismatch, Some(place.index), Some(place.nonce));
        Some(Finding { code, index, commitment: Some(commit.commitment), nonce, says })
    }

    /// A plain deal in the general form. `None` only if a damaged state file was restored.
    fn waiting(&self, place: &Place) -> Option<Waiting> {
        let text = |bytes| std::str::from_utf8(bytes).ok();
        let clients = plain_seeds(self.text(&place.contributions))
            .map(|(from, seed)| Contribution::new(text(from)?, text(seed)?).ok())
            .collect::<Option<Vec<_>>>()?;
        let result = text(self.text(&place.result))?;
        let result = match place.form {
            PlainForm::Cards => {
                ResultForm { cards: Some(Cards::new(result).ok()?), ..ResultForm::EMPTY }
            }
            PlainForm::Seal => {
                ResultForm { seal: Some(Digest::parse(result).ok()?), ..ResultForm::EMPTY }
            }
            PlainForm::Digest => {
                ResultForm { digest: Some(Digest::parse(result).ok()?), ..ResultForm::EMPTY }
            }
        };
        let mixed = Mixed::Verified(Contributions::of_clients(clients).ok()?);
        Some(Waiting { index: place.index, nonce: place.nonce, mixed, result })
    }
}

/// The stored form of [`Kept`].
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub(super) struct SavedKept {
    deals: u64,
    plain: Vec<SavedPlain>,
    others: Vec<SavedOther>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
struct SavedPlain {
    index: u64,
    nonce: Nonce,
    form: PlainForm,
    /// `None` if they are those of the deal before.
    contributions: Option<String>,
    result: String,
}

/// A deal that is not plain; its contributions as they are mixed.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
struct SavedOther {
    index: u64,
    nonce: Nonce,
    clients: Vec<SavedClient>,
    /// SHA-256 of the signature that the deal claims, if a beacon is mixed.
    beacon: Option<Digest>,
    /// Whether the signature was verified.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    verified: bool,
    result: ResultForm,
}

object!(SavedKept, SavedPlain, SavedOther);

/// A contributor, the seed, and the size and root of the checkpoint they have seen.
type SavedClient = (Label, ClientSeed, Option<(u64, Digest)>);

impl Kept {
    pub(super) fn saved(&self) -> SavedKept {
        let text = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        let mut before = None;
        let deals = self
            .plain
            .iter()
            .flat_map(|segment| segment.deals.iter().map(move |place| (segment, place)));
        let plain = deals.map(|(segment, place)| {
            let own = Some(segment.text(&place.contributions));
            let contributions = own.filter(|_| own != before);
            before = own;
            SavedPlain {
                index: place.index,
                nonce: place.nonce,
                form: place.form,
                contributions: contributions.map(text),
                result: text(segment.text(&place.result)),
            }
        });
        let client = |one: &Contribution| {
            let seen = one.seen.as_ref().map(|seen| (seen.size, Digest::from_bytes(seen.root)));
            (one.from.clone(), one.seed.clone(), seen)
        };
        let other = |waiting: &Waiting| {
            let mixed = waiting.mixed.claimed();
            SavedOther {
                index: waiting.index,
                nonce: waiting.nonce,
                clients: mixed.clients().iter().map(client).collect(),
                beacon: mixed.drand().map(|drand| Digest::from_bytes(*drand.as_bytes())),
                verified: matches!(waiting.mixed, Mixed::Verified(_)) && mixed.drand().is_some(),
                result: waiting.result.clone(),
            }
        };
        SavedKept {
            deals: self.deals,
            plain: plain.collect(),
            others: self.waiting.iter().map(other).collect(),
        }
    }
}

impl SavedKept {
    /// # Errors
    /// [`SavedError::Damaged`].
    pub(super) fn restored(self) -> Result<Kept, SavedError> {
        let (mut kept, mut before) = (Kept { deals: self.deals, ..Kept::default() }, None);
        for deal in self.plain {
            let SavedPlain { index, nonce, form, contributions, result } = deal;
            before = contributions.or(before);
            let contributions = before
                .as_ref()
                .ok_or_else(|| SavedError::damaged("the first deal has no contributions"))?;
            if contributions.len().saturating_add(result.len()) > LONGEST_ENTRY {
                return Err(SavedError::damaged(format_args!(
                    "deal {index} is longer than any entry"
                )));
            }
            let place = Place { index, nonce, form, contributions: 0..0, result: 0..0 };
            kept.keep(place, contributions.as_bytes(), result.as_bytes(), &mut Spare::default());
        }
        for deal in self.others {
            let client = |(from, seed, seen): SavedClient| {
                let seen = seen.map(|(size, root)| Seen { size, root: *root.as_bytes() });
                Contribution { from, seed, seen }
            };
            let clients = deal.clients.into_iter().map(client).collect();
            let mixed =
                match deal.beacon.map(|beacon| DrandRandomness::from_bytes(*beacon.as_bytes())) {
                    None => Contributions::of_clients(clients).map(Mixed::Verified),
                    Some(drand) => {
                        let mixed = Contributions::with_drand(clients, drand);
                        let of: fn(Contributions) -> Mixed =
                            if deal.verified { Mixed::Verified } else { Mixed::UnverifiedBeacon };
                        mixed.map(of)
                    }
                };
            let mixed = mixed.map_err(SavedError::damaged)?;
            let SavedOther { index, nonce, result, .. } = deal;
            kept.waiting.push(Waiting { index, nonce, mixed, result });
        }
        Ok(kept)
    }
}
