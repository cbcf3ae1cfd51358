//! The usual confusions, one at a time: what would have to be otherwise for a row to verify.

use std::borrow::Cow;

use crate::dialect::card::{Ace, DeckOrder, Inner};
use crate::dialect::scheme::{Counts, Cursor, Form, Mapping, Walk};

/// Which other row a value is taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// The row before.
    Before,
    /// The row after.
    After,
    /// The nearest row before that has another value.
    OtherBefore,
    /// The nearest row after that has another value.
    OtherAfter,
}

/// How a seed's text is written otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Written {
    /// In lower case.
    Lower,
    /// In upper case.
    Upper,
    /// Without white space around it.
    Trimmed,
    /// With a line feed behind it, as `echo` writes it.
    Line,
}

/// How the server seed enters the HMAC otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// As its text.
    Text,
    /// As its text in upper case.
    Upper,
    /// As its text in lower case.
    Lower,
    /// As the bytes that its hex stands for.
    Decoded,
}

/// One to either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Off {
    /// One less.
    Less,
    /// One more.
    More,
}

/// One thing that is otherwise than the scheme or the row has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Change {
    /// The commitment hashes the server seed in this form.
    Hashed(Form),
    /// The commitment hashes the server seed's text and a line feed.
    HashedLine,
    /// The chain hashes its links in this form.
    Chained(Form),
    /// The server seed is written so.
    ServerWritten(Written),
    /// The client seed is written so.
    ClientWritten(Written),
    /// The nonce is this much off.
    Nonce(Off),
    /// The row is of another dialect.
    Dialect(&'static str),
    /// Our own scheme's other method.
    Method(&'static str),
    /// The server seed enters the HMAC so.
    Key(Key),
    /// What is the HMAC's key and what its message are exchanged.
    Roles,
    /// The message's last number.
    Cursor(Cursor),
    /// How words become numbers.
    Mapping(Mapping),
    /// How numbers put cards in order.
    Walk(Walk),
    /// The fresh deck.
    Deck(DeckOrder),
    /// Two neighbouring cards of those shown are exchanged.
    Exchanged,
    /// The cards are shown last first.
    Reversed,
    /// The cards are dealt from the deck's other end.
    FromEnd,
    /// The cards are shown in some other order.
    Reordered,
    /// The row says that it shows the whole deck, and does not.
    NotWhole,
    /// The row shows more cards than there are.
    Surplus,
    /// The multiplier is stated one cent too high or too low.
    Cent(Off),
    /// The multiplier is stated with more decimals than the scheme gives.
    Cut,
    /// An older rule: 1.00 where the number is a multiple of 33.
    Every33,
    /// The server seed is another row's.
    ServerSeed(Place),
    /// The commitment is another row's.
    Commitment(Place),
    /// The client seed is another row's.
    ClientSeed(Place),
    /// Server seed, commitment and client seed are all another row's.
    Record(Place),
    /// The nonce is another row's.
    NonceOf(Place),
    /// What the row shows is another row's.
    Shown(Place),
    /// The chain's published salt, and not the row's client seed.
    Salt,
    /// The columns of server seed and client seed are exchanged.
    Columns,
    /// The chain's steps are this much off.
    Steps(Off),
    /// The game's number is this much off.
    Game(Off),
}

/// What a change touches: two that touch the same are not combined.
pub(super) mod touches {
    pub(in super::super) const SERVER: u32 = 1;
    pub(in super::super) const CLIENT: u32 = 1 << 1;
    pub(in super::super) const NONCE: u32 = 1 << 2;
    pub(in super::super) const COMMITMENT: u32 = 1 << 3;
    pub(in super::super) const HASHED: u32 = 1 << 4;
    pub(in super::super) const PLACE: u32 = 1 << 5;
    pub(in super::super) const KEY: u32 = 1 << 6;
    pub(in super::super) const CURSOR: u32 = 1 << 7;
    pub(in super::super) const MAPPING: u32 = 1 << 8;
    pub(in super::super) const WALK: u32 = 1 << 9;
    pub(in super::super) const SHOWN: u32 = 1 << 10;
    /// What a dialect fixes.
    pub(in super::super) const SCHEME: u32 = HASHED | PLACE | KEY | CURSOR | MAPPING | WALK;
    /// What a commitment's opening depends on.
    pub(in super::super) const OPENING: u32 = SERVER | COMMITMENT | HASHED | PLACE;
}

impl Change {
    /// What it touches, as bits.
    pub(super) const fn touches(self) -> u32 {
        use touches::{
            CLIENT, COMMITMENT, CURSOR, HASHED, KEY, MAPPING, NONCE, PLACE, SCHEME, SERVER, SHOWN, WALK,
        };
        match self {
            Self::Hashed(_) | Self::HashedLine | Self::Chained(_) => HASHED,
            Self::ServerWritten(_) | Self::ServerSeed(_) => SERVER,
            Self::ClientWritten(_) | Self::ClientSeed(_) | Self::Salt => CLIENT,
            Self::Nonce(_) | Self::NonceOf(_) => NONCE,
            Self::Dialect(_) | Self::Method(_) => SCHEME,
            Self::Key(_) | Self::Roles => KEY,
            Self::Cursor(_) => CURSOR,
            Self::Mapping(_) => MAPPING,
            Self::Walk(_) => WALK,
            Self::Commitment(_) => COMMITMENT,
            Self::Columns => SERVER | CLIENT | KEY,
            Self::Record(_) => SERVER | CLIENT | COMMITMENT,
            Self::Steps(_) | Self::Game(_) => PLACE,
            Self::Deck(_)
            | Self::Exchanged
            | Self::Reversed
            | Self::FromEnd
            | Self::Reordered
            | Self::NotWhole
            | Self::Surplus
            | Self::Cent(_)
            | Self::Cut
            | Self::Every33
            | Self::Shown(_) => SHOWN,
        }
    }

    /// A short name that stays.
    pub(super) fn code(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Hashed(form) => return named("commitment-of", form_code(form)),
            Self::HashedLine => "commitment-of-line",
            Self::Chained(form) => return named("chain-of", form_code(form)),
            Self::ServerWritten(written) => return named("server-seed", written_code(written)),
            Self::ClientWritten(written) => return named("client-seed", written_code(written)),
            Self::Nonce(off) => return named("nonce", off_code(off)),
            Self::Dialect(name) => return named("dialect", name),
            Self::Method(name) => return named("method", name),
            Self::Key(Key::Text) => "key-text",
            Self::Key(Key::Upper) => "key-upper",
            Self::Key(Key::Lower) => "key-lower",
            Self::Key(Key::Decoded) => "key-decoded",
            Self::Roles => "roles-exchanged",
            Self::Cursor(cursor) => return cursor_code(cursor),
            Self::Mapping(mapping) => mapping_code(mapping),
            Self::Walk(walk) => return named("walk", walk_code(walk)),
            Self::Deck(deck) => return deck_code(deck),
            Self::Exchanged => "cards-exchanged",
            Self::Reversed => "cards-reversed",
            Self::FromEnd => "cards-from-end",
            Self::Reordered => "cards-reordered",
            Self::NotWhole => "not-whole",
            Self::Surplus => "surplus-cards",
            Self::Cent(off) => return named("cent", off_code(off)),
            Self::Cut => "result-cut",
            Self::Every33 => "every-33",
            Self::ServerSeed(place) => return named("server-seed-of", place_code(place)),
            Self::Commitment(place) => return named("commitment-of", place_code(place)),
            Self::ClientSeed(place) => return named("client-seed-of", place_code(place)),
            Self::Record(place) => return named("seeds-of", place_code(place)),
            Self::NonceOf(place) => return named("nonce-of", place_code(place)),
            Self::Shown(place) => return named("result-of", place_code(place)),
            Self::Salt => "published-salt",
            Self::Columns => "columns-exchanged",
            Self::Steps(off) => return named("chain-steps", off_code(off)),
            Self::Game(off) => return named("game", off_code(off)),
        })
    }
}

fn named(what: &str, how: &str) -> Cow<'static, str> {
    Cow::Owned(format!("{what}-{how}"))
}

const fn form_code(form: Form) -> &'static str {
    match form {
        Form::Text => "text",
        Form::Decoded => "decoded",
    }
}

const fn written_code(written: Written) -> &'static str {
    match written {
        Written::Lower => "lower",
        Written::Upper => "upper",
        Written::Trimmed => "trimmed",
        Written::Line => "line",
    }
}

const fn off_code(off: Off) -> &'static str {
    match off {
        Off::Less => "less",
        Off::More => "more",
    }
}

const fn place_code(place: Place) -> &'static str {
    match place {
        Place::Before => "row-before",
        Place::After => "row-after",
        Place::OtherBefore => "other-before",
        Place::OtherAfter => "other-after",
    }
}

const fn walk_code(walk: Walk) -> &'static str {
    match walk {
        Walk::Backward => "backward",
        Walk::Forward => "forward",
        Walk::Remove => "remove",
        Walk::Fill => "fill",
        Walk::Replace => "replace",
    }
}

const fn mapping_code(mapping: Mapping) -> &'static str {
    match mapping {
        Mapping::Multiply => "mapping-multiply",
        Mapping::Exact => "mapping-exact",
        Mapping::Modulo(u64::MAX) => "mapping-modulo",
        Mapping::Modulo(most) if most >> 32 == 0 => "mapping-modulo-2^32-1",
        Mapping::Modulo(_) => "mapping-modulo-2^32",
    }
}

fn cursor_code(cursor: Cursor) -> Cow<'static, str> {
    let counts = match cursor.counts {
        Counts::Digests => "digests",
        Counts::Hands(cards) => return Cow::Owned(format!("cursor-again-after-{cards}")),
        Counts::Draws => "draws",
        Counts::Positions => "positions",
    };
    Cow::Owned(format!("cursor-{counts}-from-{}", cursor.from))
}

fn deck_code(deck: DeckOrder) -> Cow<'static, str> {
    let inner = match deck.inner {
        Inner::Suit => "by-rank",
        Inner::Rank => "by-suit",
    };
    let ace = match deck.ace {
        Ace::Low => "ace-low",
        Ace::High => "ace-high",
    };
    Cow::Owned(format!("deck-{}-{inner}-{ace}", deck.suits.to_string().to_ascii_lowercase()))
}
