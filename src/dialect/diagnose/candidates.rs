//! Which changes make sense of a dialect, the likeliest first.

use super::change::{Change, Key, Off, Place, Written};
use crate::dialect::card::{Ace, DeckOrder, Inner, SuitOrder};
use crate::dialect::law::Law;
use crate::dialect::scheme::{Committed, Counts, Cursor, Form, Mapping, Scheme, Walk};
use crate::dialect::{self, Dialect};

const PLACES: [Place; 4] = [Place::Before, Place::After, Place::OtherBefore, Place::OtherAfter];
const WRITTEN: [Written; 4] = [Written::Lower, Written::Upper, Written::Trimmed, Written::Line];
const OFF: [Off; 2] = [Off::Less, Off::More];

/// The changes that are tried on rows of this dialect. Where several explain the same rows, the first is told.
pub(super) fn candidates(dialect: &'static dyn Dialect) -> Vec<Change> {
    let scheme = dialect.scheme();
    let mut all = Vec::new();
    match scheme.committed {
        Committed::Hash(form) => all.extend([Change::Hashed(turned(form)), Change::HashedLine]),
        Committed::Chain(form) => all.push(Change::Chained(turned(form))),
        Committed::Unknown => {}
    }
    all.extend(WRITTEN.map(Change::ServerWritten));
    all.extend(WRITTEN.map(Change::ClientWritten));
    all.extend(OFF.map(Change::Nonce));
    let deals = |other: &&dyn Dialect| {
        let same = std::mem::discriminant(&other.law()) == std::mem::discriminant(&dialect.law());
        same && other.name() != dialect.name()
    };
    all.extend(dialect::ALL.into_iter().filter(deals).map(|other| Change::Dialect(other.name())));
    all.extend([Key::Text, Key::Decoded, Key::Lower, Key::Upper].map(Change::Key));
    all.push(Change::Roles);
    match dialect.law() {
        Law::Draws(_) => {
            all.extend(["shuffle", "cycle"].map(Change::Method));
            all.extend(cursors(scheme.cursor));
            all.extend(mappings(scheme.mapping));
            // Of a deck shuffled from its last position down the same as taking cards out, and plainer.
            all.push(Change::FromEnd);
            let walks = [Walk::Forward, Walk::Backward, Walk::Remove, Walk::Fill, Walk::Replace];
            all.extend(walks.into_iter().filter(|walk| *walk != scheme.walk).map(Change::Walk));
            all.extend([Change::NotWhole, Change::Surplus, Change::Exchanged, Change::Reversed]);
            all.extend(decks(&scheme).into_iter().map(Change::Deck));
            all.push(Change::Reordered);
        }
        Law::Multiplier(_) => {
            let from = scheme.cursor.from.saturating_add(1);
            all.push(Change::Cursor(Cursor { from, ..scheme.cursor }));
            all.extend(OFF.map(Change::Cent));
            all.extend([Change::Cut, Change::Every33]);
        }
    }
    all.extend(PLACES.map(Change::ServerSeed));
    all.extend(PLACES.map(Change::Commitment));
    all.extend(PLACES.map(Change::ClientSeed));
    all.extend([Place::Before, Place::After].map(Change::Record));
    all.extend([Place::Before, Place::After].map(Change::NonceOf));
    all.extend([Place::Before, Place::After].map(Change::Shown));
    all.push(Change::Columns);
    if let Committed::Chain(_) = scheme.committed {
        all.push(Change::Salt);
        all.extend(OFF.map(Change::Steps));
        all.extend(OFF.map(Change::Game));
    }
    // Only our own scheme has methods.
    all.retain(|change| !matches!(change, Change::Method(_)) || dialect.name() == "fairdeal/v1");
    all
}

const fn turned(form: Form) -> Form {
    match form {
        Form::Text => Form::Decoded,
        Form::Decoded => Form::Text,
    }
}

fn cursors(own: Cursor) -> Vec<Change> {
    let counts = [Counts::Digests, Counts::Draws, Counts::Positions, Counts::Hands(4), Counts::Hands(5)];
    let from_one = Cursor { from: own.from.saturating_add(1), ..own };
    let counted = counts.map(|counts| Cursor { counts, from: own.from });
    let all = [from_one].into_iter().chain(counted);
    all.filter(|cursor| *cursor != own).map(Change::Cursor).collect()
}

fn mappings(own: Mapping) -> impl Iterator<Item = Change> {
    let modulo = [1 << 32, (1 << 32) - 1, u64::MAX].map(Mapping::Modulo);
    let all = [Mapping::Multiply].into_iter().chain(modulo).chain([Mapping::Exact]);
    all.filter(move |mapping| *mapping != own).map(Change::Mapping)
}

/// Orders of a fresh deck, all but the dialect's own: first those that a dialect has, then those that differ in their
/// suits alone.
fn decks(scheme: &Scheme) -> Vec<DeckOrder> {
    let own = scheme.deck;
    let mut all: Vec<DeckOrder> = dialect::ALL.into_iter().map(|other| other.scheme().deck).collect();
    let (inner, ace) = match (own.inner, own.ace) {
        (Inner::Suit, Ace::Low) => (Inner::Rank, Ace::High),
        (Inner::Suit, Ace::High) => (Inner::Rank, Ace::Low),
        (Inner::Rank, Ace::Low) => (Inner::Suit, Ace::High),
        (Inner::Rank, Ace::High) => (Inner::Suit, Ace::Low),
    };
    for (inner, ace) in [(own.inner, own.ace), (own.inner, ace), (inner, own.ace), (inner, ace)] {
        all.extend(suits().into_iter().map(|suits| DeckOrder { suits, inner, ace }));
    }
    let mut seen = vec![own];
    all.retain(|order| {
        let is_new = !seen.contains(order);
        seen.push(*order);
        is_new
    });
    all
}

/// The 24 orders of four suits.
fn suits() -> Vec<SuitOrder> {
    let mut all = vec![vec![]];
    for place in 0..4_usize {
        let longer = |order: &Vec<u8>| -> Vec<Vec<u8>> {
            let free = b"cdhs".iter().filter(|suit| !order.contains(suit));
            free.map(|suit| order.iter().chain([suit]).copied().collect()).collect()
        };
        debug_assert!(all.iter().all(|order: &Vec<u8>| order.len() == place));
        all = all.iter().flat_map(longer).collect();
    }
    all.into_iter().filter_map(|order| order.try_into().ok().map(SuitOrder)).collect()
}
