//! Decks (spec/shuffle.md, decks): named ones, whose cards have a text of two characters, and lists
//! of anything.

use std::fmt;

use sha2::{Digest as _, Sha256};

use super::digest::Digest;
use super::index;
use crate::named::named;

/// The most items in a deck.
pub const MAX_ITEMS: u32 = 1 << 20;

/// From low to high, aces high.
pub const RANKS: &[u8; 13] = b"23456789TJQKA";
const SUITS: &[u8; 4] = b"cdhs";

/// Eight decks of 52 in their initial order. Fewer decks are the first cards of it.
static STANDARD: [Card; 416] = suit_major(0);
static SHORT: [Card; 36] = suit_major(4);
static JOKERS: [Card; 54] = {
    let mut cards = suit_major(0);
    cards[52] = Card(*b"X1");
    cards[53] = Card(*b"X2");
    cards
};

/// `N` cards: the suits in order, each with the ranks from `lowest` on, again and again.
const fn suit_major<const N: usize>(lowest: usize) -> [Card; N] {
    let mut cards = [Card([0; 2]); N];
    let (mut at, mut suit, mut rank) = (0, 0, lowest);
    while at < N {
        cards[at] = Card([RANKS[rank], SUITS[suit]]);
        at += 1;
        rank += 1;
        if rank == RANKS.len() {
            rank = lowest;
            suit = (suit + 1) & 3;
        }
    }
    cards
}

/// A card of a named deck: two ASCII characters, rank then suit, or `X1`, `X2`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card([u8; 2]);

named! {
    /// The decks that have names.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    DeckName {
        /// Suits c d h s, ranks 2..9 T J Q K A, suit-major.
        Standard52 = "standard-52",
        Standard52x2 = "standard-52x2",
        Standard52x4 = "standard-52x4",
        Standard52x6 = "standard-52x6",
        Standard52x8 = "standard-52x8",
        /// 6..A in each suit.
        Short36 = "short-36",
        /// `standard-52`, then `X1`, `X2`.
        Jokers54 = "jokers-54",
    }
}

/// The items that are shuffled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deck {
    /// A named deck.
    Named(DeckName),
    /// A list of items, known by its count and digest.
    List {
        /// The number of items, 1 to 2^20.
        count: u32,
        /// SHA-256 of the file's bytes.
        sha256: Digest,
    },
}

/// No such deck.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeckError {
    /// An unknown name.
    #[error("no deck is called {0:?}; there are {all}", all = names())]
    Name(String),
    /// A list of no items, or of more than 2^20.
    #[error("a list: expected 1 to {MAX_ITEMS} items, found {0}")]
    Count(u64),
}

/// An item number is not in the deck, or the deck is a list, whose items have no cards.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("item {item} has no card in {deck}")]
pub struct NotOfDeck {
    item: u32,
    deck: String,
}

/// A text is no card of a named deck.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a card, a rank and a suit as in \"Td\", or \"X1\" or \"X2\", found {0:?}")]
pub struct NotACard(String);

fn names() -> String {
    DeckName::ALL.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ")
}

impl DeckName {
    /// # Errors
    /// [`DeckError::Name`], which lists the names there are.
    pub fn parse(text: &str) -> Result<Self, DeckError> {
        Self::named(text).ok_or_else(|| DeckError::Name(text.to_owned()))
    }

    /// The number of cards.
    #[must_use]
    pub const fn items(self) -> u32 {
        match self {
            Self::Standard52 => 52,
            Self::Standard52x2 => 104,
            Self::Standard52x4 => 208,
            Self::Standard52x6 => 312,
            Self::Standard52x8 => 416,
            Self::Short36 => 36,
            Self::Jokers54 => 54,
        }
    }

    /// The cards in the deck's initial order: item 0 first.
    #[must_use]
    pub fn cards(self) -> &'static [Card] {
        match self {
            Self::Short36 => &SHORT,
            Self::Jokers54 => &JOKERS,
            _ => &STANDARD[..index(self.items())],
        }
    }

    /// The card with this number in the deck's initial order.
    #[must_use]
    pub fn card(self, item: u32) -> Option<Card> {
        self.cards().get(index(item)).copied()
    }
}

/// The number of kinds of cards: 52, and two jokers.
pub(super) const KINDS: usize = 54;

/// A card's kind is the sum of two parts, one for each character. Characters that make no card
/// never add up, in a byte, to a number under [`KINDS`].
static RANK_PART: [u8; 256] = parts(RANKS, 1, 64, &[(b'X', 208)]);
static SUIT_PART: [u8; 256] = parts(SUITS, 13, 128, &[(b'1', 100), (b'2', 101)]);

const fn parts(characters: &[u8], step: u8, none: u8, jokers: &[(u8, u8)]) -> [u8; 256] {
    let mut table = [none; 256];
    let (mut at, mut part) = (0, 0_u8);
    while at < characters.len() {
        table[characters[at] as usize] = part;
        part = part.wrapping_add(step);
        at += 1;
    }
    at = 0;
    while at < jokers.len() {
        table[jokers[at].0 as usize] = jokers[at].1;
        at += 1;
    }
    table
}

impl DeckName {
    /// The number of copies of each card.
    pub(super) const fn copies(self) -> u8 {
        match self {
            Self::Standard52 | Self::Short36 | Self::Jokers54 => 1,
            Self::Standard52x2 => 2,
            Self::Standard52x4 => 4,
            Self::Standard52x6 => 6,
            Self::Standard52x8 => 8,
        }
    }

    /// Whether it has a card of this kind.
    pub(super) const fn has(self, kind: usize) -> bool {
        match self {
            Self::Jokers54 => kind < KINDS,
            Self::Short36 => kind < 52 && kind.rem_euclid(13) >= 4,
            _ => kind < 52,
        }
    }
}

impl Card {
    /// Reads two characters that name a card of some named deck.
    #[must_use]
    pub fn parse(text: [u8; 2]) -> Option<Self> {
        (Self::kind_of(text) < KINDS).then_some(Self(text))
    }

    /// The kind of card that two characters name: 13 of each suit, then the jokers; [`KINDS`] or
    /// more if they name none.
    #[inline]
    pub(super) fn kind_of([rank, suit]: [u8; 2]) -> usize {
        usize::from(RANK_PART[usize::from(rank)].wrapping_add(SUIT_PART[usize::from(suit)]))
    }

    /// Its two ASCII characters.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 2] {
        &self.0
    }
}

impl std::str::FromStr for Card {
    type Err = NotACard;

    fn from_str(text: &str) -> Result<Self, NotACard> {
        let card = text.as_bytes().try_into().ok().and_then(Self::parse);
        card.ok_or_else(|| NotACard(text.to_owned()))
    }
}

from_str! { DeckName, DeckError, DeckName::parse; }

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = self.0;
        write!(f, "{}{}", char::from(first), char::from(second))
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Deck {
    /// One deck of 52.
    #[must_use]
    pub const fn standard() -> Self {
        Self::Named(DeckName::Standard52)
    }

    /// A list known by its count and digest.
    ///
    /// # Errors
    /// [`DeckError::Count`] unless it has 1 to 2^20 items.
    pub fn list(count: u64, sha256: Digest) -> Result<Self, DeckError> {
        match u32::try_from(count) {
            Ok(count) if (1..=MAX_ITEMS).contains(&count) => Ok(Self::List { count, sha256 }),
            _ => Err(DeckError::Count(count)),
        }
    }

    /// The number of items.
    #[must_use]
    pub const fn items(&self) -> u32 {
        match self {
            Self::Named(name) => name.items(),
            Self::List { count, .. } => *count,
        }
    }

    /// The text of a deal: two characters a card, in deal order.
    ///
    /// # Errors
    /// [`NotOfDeck`] for an item that the deck does not have, and for every item of a list.
    #[expect(clippy::missing_panics_doc, reason = "cards are ASCII")]
    pub fn text_of(&self, items: &[u32]) -> Result<String, NotOfDeck> {
        let cards = match self {
            Self::Named(name) => name.cards(),
            Self::List { .. } => &[],
        };
        let mut stray = None;
        let card = |&item: &u32| {
            let card = cards.get(index(item));
            if card.is_none() {
                stray.get_or_insert(item);
            }
            card.map_or([0; 2], |card| card.0)
        };
        let text: Vec<[u8; 2]> = items.iter().map(card).collect();
        match stray {
            None => Ok(String::from_utf8(text.into_flattened()).expect("cards are ASCII")),
            Some(item) => Err(NotOfDeck { item, deck: self.to_string() }),
        }
    }
}

impl fmt::Display for Deck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) => f.write_str(name.as_str()),
            Self::List { count, sha256 } => write!(f, "a list of {count} items, SHA-256 {sha256}"),
        }
    }
}

/// The items of a list: one a line of UTF-8, each line ended by one LF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    items: Vec<String>,
    deck: Deck,
}

/// A file is not a list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ListError {
    /// Not UTF-8.
    #[error("a list is UTF-8; byte {0} is not")]
    Utf8(usize),
    /// A byte order mark.
    #[error("a list starts with its first item, not with a byte order mark")]
    ByteOrderMark,
    /// A carriage return.
    #[error("a list's lines end in LF alone; line {0} has a carriage return")]
    CarriageReturn(usize),
    /// An empty line, counted from 1.
    #[error("a list has no empty line; line {0} is empty")]
    Empty(usize),
    /// The last line has no LF.
    #[error("each line of a list ends in LF, the last one too; line {0} does not")]
    Unended(usize),
    /// Too few or too many.
    #[error(transparent)]
    Count(#[from] DeckError),
}

impl List {
    /// Reads a list file.
    ///
    /// # Errors
    /// [`ListError`], which names the line.
    pub fn parse(bytes: &[u8]) -> Result<Self, ListError> {
        let text = std::str::from_utf8(bytes).map_err(|e| ListError::Utf8(e.valid_up_to()))?;
        if text.starts_with('\u{feff}') {
            return Err(ListError::ByteOrderMark);
        }
        let mut items = Vec::new();
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            let Some(item) = line.strip_suffix('\n') else {
                return Err(ListError::Unended(number));
            };
            if item.contains('\r') {
                return Err(ListError::CarriageReturn(number));
            }
            if item.is_empty() {
                return Err(ListError::Empty(number));
            }
            items.push(item.to_owned());
        }
        let deck =
            Deck::list(items.len() as u64, Digest::from_bytes(Sha256::digest(bytes).into()))?;
        Ok(Self { items, deck })
    }

    /// The deck that this list is.
    #[must_use]
    pub const fn deck(&self) -> Deck {
        self.deck
    }

    /// Its items, in order.
    #[must_use]
    pub fn items(&self) -> &[String] {
        &self.items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(name: DeckName) -> String {
        let all: Vec<u32> = (0..name.items()).collect();
        Deck::Named(name).text_of(&all).unwrap()
    }

    #[test]
    fn the_standard_deck_is_suit_major_from_2c_to_as() {
        let text = whole(DeckName::Standard52);
        assert!(text.starts_with("2c3c4c5c6c7c8c9cTcJcQcKcAc2d"));
        assert!(text.ends_with("KsAs"));
        assert_eq!(DeckName::Standard52.card(12).unwrap().to_string(), "Ac");
        assert_eq!(DeckName::Standard52.card(51).unwrap().to_string(), "As");
        assert_eq!(DeckName::Standard52.card(52), None);
    }

    #[test]
    fn several_decks_are_copies_one_after_the_other() {
        for (name, copies) in [
            (DeckName::Standard52x2, 2),
            (DeckName::Standard52x4, 4),
            (DeckName::Standard52x6, 6),
            (DeckName::Standard52x8, 8),
        ] {
            assert_eq!(whole(name), whole(DeckName::Standard52).repeat(copies));
        }
    }

    #[test]
    fn the_short_deck_has_6_to_ace_and_the_jokers_come_last() {
        let short = whole(DeckName::Short36);
        assert!(short.starts_with("6c7c8c9cTcJcQcKcAc6d"));
        assert!(short.ends_with("KsAs"));
        assert_eq!(whole(DeckName::Jokers54), whole(DeckName::Standard52) + "X1X2");
    }

    #[test]
    fn an_item_that_has_no_card_is_named() {
        let stray = |item| NotOfDeck { item, deck: "standard-52".into() };
        assert_eq!(Deck::standard().text_of(&[51, 0, 12]).unwrap(), "As2cAc");
        assert_eq!(Deck::standard().text_of(&[51, 99, 52]), Err(stray(99)));
        assert!(List::parse(b"a\n").unwrap().deck().text_of(&[0]).is_err());
    }

    #[test]
    fn every_name_reads_back_and_no_other_does() {
        for name in DeckName::ALL {
            assert_eq!(DeckName::parse(name.as_str()), Ok(name));
        }
        assert!(
            DeckName::parse("standard-52x3").unwrap_err().to_string().contains("standard-52x4")
        );
        assert!(DeckName::parse("Standard-52").is_err());
    }

    #[test]
    fn every_card_of_every_deck_reads_back_and_nothing_else_is_a_card() {
        for name in DeckName::ALL {
            for item in 0..name.items() {
                let card = name.card(item).unwrap();
                assert_eq!(Card::parse(*card.as_bytes()), Some(card));
            }
        }
        for wrong in [b"1c", b"10", b"TC", b"X3", b"xs", b"cT"] {
            assert_eq!(Card::parse(*wrong), None);
        }
    }

    #[test]
    fn a_list_is_lines_that_each_end_in_lf() {
        let list = List::parse("anna\nbo b\nünal\n".as_bytes()).unwrap();
        assert_eq!(list.items(), ["anna", "bo b", "ünal"]);
        assert_eq!(list.deck().items(), 3);
        assert_eq!(List::parse(b"a\nb"), Err(ListError::Unended(2)));
        assert_eq!(List::parse(b"a\n\nb\n"), Err(ListError::Empty(2)));
        assert_eq!(List::parse(b"a\r\n"), Err(ListError::CarriageReturn(1)));
        assert_eq!(List::parse("\u{feff}a\n".as_bytes()), Err(ListError::ByteOrderMark));
        assert_eq!(List::parse(b"a\n\xff\n"), Err(ListError::Utf8(2)));
        assert_eq!(List::parse(b""), Err(ListError::Count(DeckError::Count(0))));
    }

    #[test]
    fn a_list_ends_at_two_to_the_twentieth() {
        assert!(List::parse("x\n".repeat(1 << 20).as_bytes()).is_ok());
        let over = List::parse("x\n".repeat((1 << 20) + 1).as_bytes());
        assert_eq!(over, Err(ListError::Count(DeckError::Count((1 << 20) + 1))));
    }
}
