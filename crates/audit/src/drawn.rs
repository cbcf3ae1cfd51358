//! Deals as numbers, taken while the log is judged: the input of the statistics.
//!
//! Only replayed deals that match their seeds are counted. The statistics look for selected seeds
//! and omitted deals; a deal that does not match its seeds is a finding, exactly.

use crate::stats::Shape;
use fairdeal::deal::{Method, SeedMac};
use fairdeal::record::entry::Commit;
use fairdeal::record::replay::{Mixed, Waiting, deal_round};

/// The deals to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counting {
    All,
    /// Deals after this entry.
    After(u64),
    No,
}

/// Some deals of one commitment, in the order of the rounds.
#[derive(Debug)]
pub(super) struct Drawn {
    /// The deck, as commits name it, and how many of its items are dealt.
    pub(super) key: (String, u64),
    /// `None` for deals that are not counted: cycles, and lists that are too long.
    pub(super) shape: Option<Shape>,
    /// The items of all deals, one deal after another.
    pub(super) items: Vec<u32>,
    counting: Counting,
}

/// Items of the longest deck whose deals are counted: eight decks of 52 are 416.
const LONGEST: u32 = 512;

impl Counting {
    pub(super) const fn counts(self, index: u64) -> bool {
        match self {
            Self::All => true,
            Self::After(entry) => index > entry,
            Self::No => false,
        }
    }
}

impl Drawn {
    pub(super) fn of(commit: &Commit, counting: Counting) -> Self {
        let draw = commit.draw.value();
        let shape = u32::try_from(draw).ok().and_then(|draw| Shape::of(&commit.deck, draw).ok());
        let is_counted = commit.method == Method::Shuffle && commit.deck.items() <= LONGEST;
        let shape = shape.filter(|_| is_counted && counting != Counting::No);
        Self { key: (commit.deck.to_string(), draw), shape, items: Vec::new(), counting }
    }

    /// Takes the deal of an entry; `items` gives it, if it is counted.
    pub(super) fn add<I: AsRef<[u32]>>(&mut self, index: u64, items: impl FnOnce() -> Option<I>) {
        if self.shape.is_some()
            && self.counting.counts(index)
            && let Some(items) = items()
        {
            self.items.extend_from_slice(items.as_ref());
        }
    }

    /// Takes a replayed deal that matches its seeds.
    pub(super) fn replay(&mut self, deal: &Waiting, commit: &Commit, mac: &SeedMac) {
        self.add(deal.index, || match &deal.mixed {
            Mixed::Verified(mixed) => Some(deal_round(commit, mac, deal.nonce, mixed).ok()?.items),
            Mixed::UnverifiedBeacon(_) => None,
        });
    }
}
