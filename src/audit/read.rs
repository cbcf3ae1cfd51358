//! Entries, read: the part of an audit that needs no other entry, and so can be done anywhere.

use std::ops::Range;

use crate::log::VerifierKey;
use crate::record::entry::{Entry, EntryError, PlainDeal};
use crate::record::life::{SeenVerdict, View};
use crate::record::receipt::SignedBy;

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
}

impl Facts {
    /// Reads entries that stand in these bytes.
    pub(super) fn read(bytes: Vec<u8>, entries: &[Range<usize>], key: &VerifierKey) -> Self {
        let fact = |range: &Range<usize>| {
            let entry = bytes.get(range.clone()).unwrap_or_default();
            match PlainDeal::read(entry) {
                Some(deal) => Fact::Plain(deal, range.clone()),
                None => Fact::Other(Box::new(Other::read(entry, key))),
            }
        };
        let facts = entries.iter().map(fact).collect();
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
    pub(super) fn read(bytes: &[u8], key: &VerifierKey) -> Self {
        let entry = Entry::parse(bytes);
        let view = SignedBy(key);
        let signed = entry
            .iter()
            .flat_map(Entry::contributions)
            .filter_map(|one| one.seen.as_ref())
            .map(|seen| view.check_seen(seen) != SeenVerdict::NotSigned)
            .collect();
        Self { entry, signed }
    }
}
