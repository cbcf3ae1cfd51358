//! Parsed entries: the part of an audit that needs no other entry, so any thread can do it.

use std::ops::Range;
use std::sync::Arc;

use fairdeal::beacon::Chains;
use fairdeal::deal::Label;
use fairdeal::log::{Policy, VerifierKey};
use fairdeal::record::entry::{Entry, EntryError, PlainDeal, RoundOf, verify_contribution};
use fairdeal::record::life::{Cosigned, View};
use fairdeal::record::receipt::SignedBy;

/// Whether the signatures of contributions are verified. In a log where all are signed, that takes
/// most of the time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Signatures {
    /// Every signature is verified.
    #[default]
    Verified,
    /// None is verified; the verdict says how many.
    Skipped,
}

/// The key and the options under which entries are read.
#[derive(Clone, Copy, Debug)]
pub struct Under<'a> {
    /// The log's key.
    pub key: &'a VerifierKey,
    /// The reader's policy.
    pub policy: Option<&'a Arc<Policy>>,
    /// The chains of beacons that the reader knows.
    pub chains: &'a Chains,
    /// Whether the signatures of contributions are verified.
    pub signatures: Signatures,
}

impl<'a> Under<'a> {
    /// Under this key, without a policy. Every signature is verified.
    #[must_use]
    pub fn key(key: &'a VerifierKey) -> Self {
        let (chains, signatures) = (Chains::usual(), Signatures::Verified);
        Self { key, policy: None, chains, signatures }
    }
}

/// Consecutive entries, in the pieces in which they were read.
#[derive(Debug)]
pub(super) struct Facts(Vec<Piece>);

/// Bytes, and the entries in them.
#[derive(Debug)]
struct Piece {
    bytes: Vec<u8>,
    facts: Vec<Fact>,
}

/// A parsed entry.
#[derive(Debug)]
pub(super) enum Fact {
    /// A plain deal, and where its entry is in the bytes.
    Plain(PlainDeal, Range<usize>),
    /// Any other entry, or bytes that are none.
    Other(Box<Other>),
}

/// An entry that is not a plain deal.
#[derive(Debug)]
pub(super) struct Other {
    pub(super) entry: Result<Entry, EntryError>,
    /// For each `seen` in it, in order: whether the log signed it.
    pub(super) signed: Vec<bool>,
    /// Contributors whose signature does not verify.
    pub(super) forged: Vec<Label>,
    /// The number of signatures that were not verified.
    pub(super) skipped: u64,
    /// The quorum of the reader's policy that has signed the entry, if it is an anchor.
    pub(super) cosigned: Option<Cosigned>,
}

/// A byte that follows from the commitment's first digits if the entry is a deal: which slot to
/// look in.
fn digits(entry: &[u8]) -> u8 {
    match entry.get(15..17) {
        Some([first, second]) => first.wrapping_mul(16).wrapping_add(*second),
        _ => 0,
    }
}

impl Facts {
    /// Parses the entries that are at these ranges of the bytes.
    pub(super) fn read(bytes: Vec<u8>, entries: &[Range<usize>], under: Under<'_>) -> Self {
        let within = |range: &Range<usize>| &bytes[range.clone()];
        let mut facts: Vec<Fact> = Vec::with_capacity(entries.len());
        // For each slot the last entry read: mostly the deal before under the same commitment.
        let mut last = [0; 256];
        for range in entries {
            let entry = within(range);
            let slot = &mut last[usize::from(digits(entry))];
            let deal = match facts.get(*slot) {
                Some(Fact::Plain(before, range)) => {
                    PlainDeal::read_after(entry, before, within(range))
                }
                _ => PlainDeal::read(entry),
            };
            *slot = facts.len();
            facts.push(match deal {
                Some(deal) => Fact::Plain(deal, range.clone()),
                None => Fact::Other(Box::new(Other::read(entry, under))),
            });
        }
        Self(vec![Piece { bytes, facts }])
    }

    /// Appends the entries that come right after.
    pub(super) fn extend(&mut self, mut right: Self) {
        self.0.append(&mut right.0);
    }

    /// The entries in order, plain deals with their bytes.
    pub(super) fn each(&self) -> impl Iterator<Item = (&Fact, &[u8])> {
        self.0.iter().flat_map(|piece| {
            piece.facts.iter().map(|fact| match fact {
                Fact::Plain(_, range) => (fact, &piece.bytes[range.clone()]),
                Fact::Other(_) => (fact, &[][..]),
            })
        })
    }
}

impl Other {
    pub(super) fn read(bytes: &[u8], Under { key, policy, signatures, .. }: Under<'_>) -> Self {
        let entry = Entry::parse(bytes);
        let view = SignedBy(key);
        let signed = entry
            .iter()
            .flat_map(Entry::contributions)
            .filter_map(|one| one.seen.as_ref())
            .map(|seen| view.is_signed(seen))
            .collect();
        let (mut forged, mut skipped) = (Vec::new(), 0_u64);
        if let Ok(entry) = &entry
            && let Some((commitment, nonce)) = entry.commitment().zip(entry.nonce())
        {
            let round = RoundOf { log: key, commitment, nonce };
            for one in entry.contributions().iter().filter(|one| one.signature.is_some()) {
                match signatures {
                    Signatures::Skipped => skipped = skipped.saturating_add(1),
                    Signatures::Verified if verify_contribution(&round, one).is_ok() => {}
                    Signatures::Verified => forged.push(one.from.clone()),
                }
            }
        }
        let cosigned = match (&entry, policy) {
            (Ok(Entry::Anchor(anchor)), Some(policy)) => {
                anchor.cosigned(policy, key.name().as_str())
            }
            _ => None,
        };
        Self { entry, signed, forged, skipped, cosigned }
    }
}
