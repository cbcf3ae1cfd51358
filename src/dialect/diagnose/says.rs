//! What a change is in words: what stands after "would verify if".

use std::borrow::Cow;

use super::change::{Change, Key, Off, Place, Written};
use crate::dialect::card::{Ace, DeckOrder, Inner};
use crate::dialect::scheme::{Counts, Cursor, Form, Mapping, Walk};

impl Change {
    /// What is otherwise, as a clause.
    pub(super) fn says(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Hashed(Form::Text) => {
                "the commitment is the SHA-256 of the server seed's text, not of its decoded bytes"
            }
            Self::Hashed(Form::Decoded) => {
                "the commitment is the SHA-256 of the server seed's decoded bytes, not of its text"
            }
            Self::HashedLine => "the commitment is the SHA-256 of the server seed's text and a line feed",
            Self::Chained(Form::Text) => "each link of the chain is the SHA-256 of the next one's hex text",
            Self::Chained(Form::Decoded) => {
                "each link of the chain is the SHA-256 of the next one's decoded bytes"
            }
            Self::ServerWritten(written) => return text("the server seed", written),
            Self::ClientWritten(written) => return text("the client seed", written),
            Self::Nonce(Off::Less) => "the nonce is one less",
            Self::Nonce(Off::More) => "the nonce is one more",
            Self::Dialect(name) => return Cow::Owned(format!("the round is of the dialect {name}")),
            Self::Method(name) => return Cow::Owned(format!("the method is {name}")),
            Self::Key(Key::Text) => "the server seed enters the HMAC as its text, not decoded",
            Self::Key(Key::Upper) => "the server seed enters the HMAC as its text in upper case",
            Self::Key(Key::Lower) => "the server seed enters the HMAC as its text in lower case",
            Self::Key(Key::Decoded) => "the server seed enters the HMAC decoded, not as its text",
            Self::Roles => "server seed and client seed are exchanged in the HMAC, as key and as message",
            Self::Cursor(cursor) => return counted(cursor),
            Self::Mapping(mapping) => mapped(mapping),
            Self::Walk(walk) => walked(walk),
            Self::Deck(deck) => return ordered(deck),
            Self::Exchanged => "two neighbouring cards of the row change places",
            Self::Reversed => "the row's cards are read last first",
            Self::FromEnd => "the cards are dealt from the other end of the shuffled deck",
            Self::Reordered => "the row's cards stand in another order",
            Self::NotWhole => "the row does not say that it shows the whole deck",
            Self::Surplus => "the cards beyond the deck's last are left out",
            Self::Cent(Off::More) => "the result is one cent less than the row states",
            Self::Cent(Off::Less) => "the result is one cent more than the row states",
            Self::Cut => "the result is cut to hundredths",
            Self::Every33 => "a number that is a multiple of 33 gives 1.00, as in older scripts",
            Self::ServerSeed(place) => return elsewhere("the server seed", place),
            Self::Commitment(place) => return elsewhere("the commitment", place),
            Self::ClientSeed(place) => return elsewhere("the client seed", place),
            Self::Record(place) => return elsewhere("the record of seeds and commitment", place),
            Self::NonceOf(place) => return elsewhere("the nonce", place),
            Self::Shown(place) => return elsewhere("the result", place),
            Self::Salt => "the client seed is the published salt, not what the row says",
            Self::Columns => "the columns of server seed and client seed change places",
            Self::Steps(Off::Less) => "the steps down to the chain's end are one less",
            Self::Steps(Off::More) => "the steps down to the chain's end are one more",
            Self::Game(Off::Less) => "the game is the one before",
            Self::Game(Off::More) => "the game is the one after",
        })
    }
}

fn text(what: &str, written: Written) -> Cow<'static, str> {
    Cow::Owned(match written {
        Written::Lower => format!("{what} is written in lower case"),
        Written::Upper => format!("{what} is written in upper case"),
        Written::Trimmed => format!("{what} has no white space around it"),
        Written::Line => format!("{what} has a line feed behind it"),
    })
}

fn elsewhere(what: &str, place: Place) -> Cow<'static, str> {
    Cow::Owned(match place {
        Place::Before => format!("{what} is that of the row before"),
        Place::After => format!("{what} is that of the row after"),
        Place::OtherBefore => format!("{what} is that of the nearest row before that has another one"),
        Place::OtherAfter => format!("{what} is that of the nearest row after that has another one"),
    })
}

fn counted(cursor: Cursor) -> Cow<'static, str> {
    let from = cursor.from;
    Cow::Owned(match cursor.counts {
        Counts::Digests => {
            format!(
                "the cursor counts digests from {from}, and the eight words of each are used one after the other"
            )
        }
        Counts::Hands(cards) => format!("the cursor starts again after {cards} cards"),
        Counts::Draws => {
            format!("the cursor counts draws upwards from {from}, and each draw has a digest of its own")
        }
        Counts::Positions if from == 0 => {
            "the cursor is the position that is settled, counted down".to_owned()
        }
        Counts::Positions => format!("the cursor is the position that is settled plus {from}, counted down"),
    })
}

const fn mapped(mapping: Mapping) -> &'static str {
    match mapping {
        Mapping::Multiply => "a word becomes floor(word × range / 2^32), and none is refused",
        Mapping::Exact => {
            "a word becomes floor(word × range / 2^32), and those that would bias it are refused"
        }
        Mapping::Modulo(u64::MAX) => "a word becomes word mod range, and none is refused",
        Mapping::Modulo(most) if most >> 32 == 0 => {
            "a word becomes word mod range, and is refused from the largest multiple under 2^32 - 1 on"
        }
        Mapping::Modulo(_) => {
            "a word becomes word mod range, and is refused from the largest multiple under 2^32 on"
        }
    }
}

const fn walked(walk: Walk) -> &'static str {
    match walk {
        Walk::Backward => "the deck is shuffled from the last position down",
        Walk::Forward => "the deck is shuffled from the first position up",
        Walk::Remove => "each number takes a card out and the later ones close the gap",
        Walk::Fill => "each number takes a card out and the last one fills the gap",
        Walk::Replace => "each number names a card of a full deck, with repeats",
    }
}

fn ordered(deck: DeckOrder) -> Cow<'static, str> {
    let ranks = match deck.ace {
        Ace::Low => "A to K",
        Ace::High => "2 to A",
    };
    let suits = deck.suits;
    Cow::Owned(match deck.inner {
        Inner::Suit => format!("a fresh deck is ordered by rank {ranks}, in each the suits {suits}"),
        Inner::Rank => format!("a fresh deck is ordered by suit {suits}, in each the ranks {ranks}"),
    })
}
