//! Cards as operators write them, and the orders of a fresh deck (spec/dialects.md, rows).

#![warn(clippy::indexing_slicing, clippy::as_conversions)]

use std::fmt;

use fairdeal::deal::{Card, RANKS};
use fairdeal_audit::stats::number::index;

/// The order of suits in a fresh deck: `cdhs` in some order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SuitOrder(pub [u8; 4]);

/// The order of a fresh deck: which card each position holds.
#[expect(missing_docs, reason = "said at the types")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeckOrder {
    pub suits: SuitOrder,
    pub inner: Inner,
    pub ace: Ace,
}

/// The part of a card that changes from one position of a fresh deck to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Inner {
    /// The suit: position = 4 × rank + suit.
    Suit,
    /// The rank: position = 13 × suit + rank, once more for each further deck.
    Rank,
}

/// The place of the ace among the ranks of a fresh deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ace {
    /// Before the two.
    Low,
    /// After the king.
    High,
}

impl DeckOrder {
    /// The card at a position of one fresh deck, or of several in a row.
    #[must_use]
    #[expect(
        clippy::integer_division_remainder_used,
        reason = "a position's row and column in a table"
    )]
    pub fn card(&self, position: u32) -> Option<Card> {
        let position = index(position % 52);
        let (rank, suit) = match self.inner {
            Inner::Suit => (position / 4, position % 4),
            Inner::Rank => (position % 13, position / 13),
        };
        // Ranks are counted from the two.
        let first = if self.ace == Ace::Low { 12 } else { 0 };
        Card::parse([*RANKS.get((rank + first) % 13)?, *self.suits.0.get(suit)?])
    }
}

/// As `DHSC`.
impl fmt::Display for SuitOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|suit| write!(f, "{}", char::from(suit.to_ascii_uppercase())))
    }
}

/// A text that is not a card.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a card, a rank A 2..10 J Q K and a suit C D H S such as 10H, found {0:?}")]
pub struct ForeignCardError(String);

impl ForeignCardError {
    fn of(text: &str) -> Self {
        Self(text.chars().take(20).collect())
    }

    /// The text that was found, quoted.
    #[must_use]
    pub fn found(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// The suits: the sign, the name, the letter.
const SUITS: [(char, &str, u8); 4] =
    [('♣', "CLUB", b'c'), ('♦', "DIAMOND", b'd'), ('♥', "HEART", b'h'), ('♠', "SPADE", b's')];

/// Reads `10H`, `TH`, `th`, `10♥`, `HEART:10`, `CLUB:1`, and the jokers `X1`, `X2` of our own
/// decks.
///
/// # Errors
/// [`ForeignCardError`].
pub fn read_card(text: &str) -> Result<Card, ForeignCardError> {
    let found = match text.split_once(':') {
        Some((suit, number)) => numbered(suit, number),
        None => ranked(text),
    };
    found.ok_or_else(|| ForeignCardError::of(text))
}

fn ranked(text: &str) -> Option<Card> {
    if let [rank, suit] = text.as_bytes() {
        return Card::parse([rank.to_ascii_uppercase(), suit.to_ascii_lowercase()])
            .or_else(|| Card::parse([*rank, *suit]));
    }
    let suit = text.chars().next_back()?;
    let rank = text.strip_suffix(suit)?;
    let signed = SUITS.into_iter().find(|(sign, ..)| *sign == suit);
    let suit =
        signed.map_or_else(|| u8::try_from(suit.to_ascii_lowercase()).ok(), |one| Some(one.2))?;
    let rank = match rank.as_bytes() {
        b"10" => b'T',
        [rank] => rank.to_ascii_uppercase(),
        _ => return None,
    };
    Card::parse([rank, suit])
}

/// `HEART:11` is the jack of hearts.
fn numbered(suit: &str, number: &str) -> Option<Card> {
    let (.., suit) = SUITS.into_iter().find(|(_, name, _)| suit.eq_ignore_ascii_case(name))?;
    let plain = number.bytes().all(|byte| byte.is_ascii_digit()) && !number.starts_with('0');
    let rank = plain.then(|| number.parse::<usize>().ok())??;
    // 1 is the ace, 13 the king.
    let rank = if rank == 1 { RANKS.last() } else { RANKS.get(..12)?.get(rank.checked_sub(2)?) };
    Card::parse([*rank?, suit])
}

/// Reads cards separated by spaces or commas, or two characters each with nothing between, as this
/// project writes them.
///
/// # Errors
/// [`ForeignCardError`].
pub fn read_cards(text: &str) -> Result<Vec<Card>, ForeignCardError> {
    let mut parts = text.split([' ', ',']).filter(|part| !part.is_empty());
    match (parts.next(), parts.next()) {
        (Some(joined), None) if joined.len() > 3 && !joined.contains(':') => {
            let (pairs, rest) = joined.as_bytes().as_chunks::<2>();
            let cards = pairs.iter().map(|pair| Card::parse(*pair)).collect::<Option<Vec<_>>>();
            cards.filter(|_| rest.is_empty()).ok_or_else(|| ForeignCardError::of(joined))
        }
        _ => text.split([' ', ',']).filter(|part| !part.is_empty()).map(read_card).collect(),
    }
}

/// A card as operators write it: `10H`.
#[derive(Clone, Copy, Debug)]
pub struct Foreign(pub Card);

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_bytes() {
            b"X1" | b"X2" => fmt::Display::fmt(&self.0, f),
            [b'T', suit] => write!(f, "10{}", char::from(suit.to_ascii_uppercase())),
            [rank, suit] => {
                write!(f, "{}{}", char::from(*rank), char::from(suit.to_ascii_uppercase()))
            }
        }
    }
}

/// Cards as operators write them, separated by spaces.
#[must_use]
pub fn cards_text(cards: &[Card]) -> String {
    cards.iter().map(|card| Foreign(*card).to_string()).collect::<Vec<_>>().join(" ")
}
