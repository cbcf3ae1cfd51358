//! Entries, read: the part of an audit that needs no other entry, and so can be done anywhere.

use std::ops::Range;

use crate::deal::Label;
use crate::log::VerifierKey;
use crate::record::entry::{Entry, EntryError, PlainDeal, RoundOf, verify_contribution};
use crate::record::life::{SeenVerdict, View};
use crate::record::receipt::SignedBy;

/// Whether the signatures of contributions are verified: they take most of the time where every one is signed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Signatures {
    /// Each of them.
    #[default]
    Verified,
    /// None: they are counted, and the verdict says so.
    Skipped,
}

/// Entries in a row, in pieces as they were read.
#[derive(Debug)]
pub(super) struct Facts(Vec<Piece>);

/// Bytes, and the entries that stand in them.
#[derive(Debug)]
struct Piece {
    bytes: Vec<u8>,
    facts: Vec<Fact>,
}

/// An entry, read.
#[derive(Debug)]
pub(super) enum Fact {
    /// A deal of the plain kind, and where in the bytes its entry stands.
    Plain(PlainDeal, Range<usize>),
    /// Any other, or none.
    Other(Box<Other>),
}

/// An entry that is no plain deal.
#[derive(Debug)]
pub(super) struct Other {
    pub(super) entry: Result<Entry, EntryError>,
    /// Whether each `seen` in it, in order, is signed by the log.
    pub(super) signed: Vec<bool>,
    /// Whose signature is not by their key over the round.
    pub(super) forged: Vec<Label>,
    /// How many signatures were not verified.
    pub(super) skipped: u64,
}

/// Something of a commitment's first digits, where an entry is a deal.
fn digits(entry: &[u8]) -> u8 {
    match entry.get(15..17) {
        Some([first, second]) => first.wrapping_mul(16).wrapping_add(*second),
        _ => 0,
    }
}

impl Facts {
    /// Reads entries that stand in these bytes.
    pub(super) fn read(
        bytes: Vec<u8>,
        entries: &[Range<usize>],
        key: &VerifierKey,
        signatures: Signatures,
    ) -> Self {
        let within = |range: &Range<usize>| bytes.get(range.clone()).unwrap_or_default();
        let mut facts: Vec<Fact> = Vec::with_capacity(entries.len());
        // The entry read last of those that begin alike: mostly the one before under the same commitment.
        let mut last = [0; 256];
        for range in entries {
            let entry = within(range);
            let slot = last.get_mut(usize::from(digits(entry)));
            let deal = match slot.as_deref().and_then(|at| facts.get(*at)) {
                Some(Fact::Plain(before, range)) => PlainDeal::read_after(entry, before, within(range)),
                _ => PlainDeal::read(entry),
            };
            if let Some(at) = slot {
                *at = facts.len();
            }
            facts.push(match deal {
                Some(deal) => Fact::Plain(deal, range.clone()),
                None => Fact::Other(Box::new(Other::read(entry, key, signatures))),
            });
        }
        Self(vec![Piece { bytes, facts }])
    }

    /// Adds the entries that come right after.
    pub(super) fn extend(&mut self, mut right: Self) {
        self.0.append(&mut right.0);
    }

    /// The entries in order; a plain deal with its bytes.
    pub(super) fn each(&self) -> impl Iterator<Item = (&Fact, &[u8])> {
        self.0.iter().flat_map(|piece| {
            piece.facts.iter().map(|fact| match fact {
                Fact::Plain(_, range) => (fact, piece.bytes.get(range.clone()).unwrap_or_default()),
                Fact::Other(_) => (fact, &[][..]),
            })
        })
    }
}

impl Other {
    pub(super) fn read(bytes: &[u8], key: &VerifierKey, signatures: Signatures) -> Self {
        let entry = Entry::parse(bytes);
        let view = SignedBy(key);
        let signed = entry
            .iter()
            .flat_map(Entry::contributions)
            .filter_map(|one| one.seen.as_ref())
            .map(|seen| view.check_seen(seen) != SeenVerdict::NotSigned)
            .collect();
        let (mut forged, mut skipped) = (Vec::new(), 0_u64);
        if let Ok(entry) = &entry
            && let Some(nonce) = entry.nonce()
        {
            let round = RoundOf { origin: key.name().as_str(), commitment: entry.commitment(), nonce };
            for one in entry.contributions().iter().filter(|one| one.signature.is_some()) {
                match signatures {
                    Signatures::Skipped => skipped = skipped.saturating_add(1),
                    Signatures::Verified if verify_contribution(&round, one).is_ok() => {}
                    Signatures::Verified => forged.push(one.from.clone()),
                }
            }
        }
        Self { entry, signed, forged, skipped }
    }
}
