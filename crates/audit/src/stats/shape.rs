//! The shape of deals: the deck, how many cards are dealt, and the seats named in advance.

use serde::{Deserialize, Serialize};

use super::number::index;
use fairdeal::deal::{Deck, DeckName, MAX_ITEMS};

/// The most cells of one table: 416 cards at 416 positions fit, longer decks only with their first
/// positions.
const MOST_CELLS: u32 = 1 << 18;

/// The longest deck for which pairs of items, and digits, are counted.
const LONGEST_SQUARE: u32 = 512;

/// The number of seats that are compared unless others are named.
const SEATS: u32 = 10;

/// A deck, how many of its cards are dealt, and the seats whose cards are compared.
///
/// Seats are positions of the deal, from 0. They must be named before any deal is looked at: a seat
/// that was chosen because it looked lucky always looks lucky.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Wire", into = "Wire")]
pub struct Shape {
    deck: Option<DeckName>,
    items: u32,
    draw: u32,
    seats: Vec<u32>,
    /// The rank of each item: 0 (two) to 12 (ace), 13 for a joker; empty for a list.
    ranks: Vec<u8>,
}

/// The rank of an ace.
pub(super) const ACE: u8 = 12;

/// The number of ranks: thirteen, and jokers.
pub(super) const RANKS: u8 = 14;

/// The deck, the draw and the seats do not fit together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum ShapeError {
    /// No items, or more than 2^20.
    #[error("a deck: expected 1 to {MAX_ITEMS} items, found {0}")]
    Items(u32),
    /// A draw of nothing, or of more than the deck has.
    #[error("a draw: expected 1 to {items} of {items} items, found {draw}")]
    Draw { draw: u32, items: u32 },
    /// A seat that is beyond the positions that are dealt and counted.
    #[error("a seat: expected a position from 0 to under {positions}, found {seat}")]
    Seat { seat: u32, positions: u32 },
    /// A seat named twice.
    #[error("seat {0} is named twice")]
    SeatTwice(u32),
    /// A name that no deck has, or whose deck has another number of items.
    #[error("no deck of {items} items is called {name:?}")]
    Name { name: String, items: u32 },
}

/// The stored form of a shape.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    deck: Option<String>,
    draw: u32,
    items: u32,
    seats: Vec<u32>,
}

impl Shape {
    /// The first `draw` cards of `deck`; the seats are the first ten positions.
    ///
    /// # Errors
    /// [`ShapeError::Draw`].
    pub fn of(deck: &Deck, draw: u32) -> Result<Self, ShapeError> {
        let name = match deck {
            Deck::Named(name) => Some(*name),
            Deck::List { .. } => None,
        };
        Self::new(name, deck.items(), draw)
    }

    /// The first `draw` of `items` items that have no ranks.
    ///
    /// # Errors
    /// [`ShapeError::Items`], [`ShapeError::Draw`].
    pub fn of_items(items: u32, draw: u32) -> Result<Self, ShapeError> {
        Self::new(None, items, draw)
    }

    fn new(deck: Option<DeckName>, items: u32, draw: u32) -> Result<Self, ShapeError> {
        if items == 0 || items > MAX_ITEMS {
            return Err(ShapeError::Items(items));
        }
        if draw == 0 || draw > items {
            return Err(ShapeError::Draw { draw, items });
        }
        let ranks =
            deck.map_or_else(Vec::new, |name| (0..items).map(|item| rank(name, item)).collect());
        let mut shape = Self { deck, items, draw, seats: Vec::new(), ranks };
        shape.seats = (0..SEATS.min(shape.positions())).collect();
        Ok(shape)
    }

    /// Replaces the seats; hands of five are made of them in this order.
    ///
    /// # Errors
    /// [`ShapeError::Seat`], [`ShapeError::SeatTwice`].
    pub fn with_seats(mut self, seats: &[u32]) -> Result<Self, ShapeError> {
        let positions = self.positions();
        for (at, &seat) in seats.iter().enumerate() {
            if seat >= positions {
                return Err(ShapeError::Seat { seat, positions });
            }
            if seats.iter().take(at).any(|before| *before == seat) {
                return Err(ShapeError::SeatTwice(seat));
            }
        }
        self.seats = seats.to_vec();
        Ok(self)
    }

    /// The number of items in the deck.
    #[must_use]
    pub const fn items(&self) -> u32 {
        self.items
    }

    /// The number of them that are dealt.
    #[must_use]
    pub const fn draw(&self) -> u32 {
        self.draw
    }

    /// The deck's name, if it has one.
    #[must_use]
    pub const fn deck(&self) -> Option<DeckName> {
        self.deck
    }

    /// The seats.
    #[must_use]
    pub fn seats(&self) -> &[u32] {
        &self.seats
    }

    /// Whether every card is dealt.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.draw == self.items
    }

    /// For how many positions every card is counted: all that are dealt, unless the deck is too
    /// long for the table.
    #[must_use]
    pub const fn positions(&self) -> u32 {
        let fit = MOST_CELLS / self.items;
        if fit < self.draw { fit } else { self.draw }
    }

    /// Whether pairs of items are counted.
    #[must_use]
    pub const fn counts_pairs(&self) -> bool {
        self.is_whole() && self.items <= LONGEST_SQUARE && self.items >= 4
    }

    /// The ranges of the counted digits, widest first: n, n−1, … down to 2, one for each card
    /// dealt.
    pub fn ranges(&self) -> impl Iterator<Item = u32> + use<> {
        let counted = if self.items <= LONGEST_SQUARE { self.draw.min(self.items - 1) } else { 0 };
        (0..counted).zip((2..=self.items).rev()).map(|(_, range)| range)
    }

    /// The rank of each item; empty for a list.
    #[must_use]
    pub fn ranks(&self) -> &[u8] {
        &self.ranks
    }

    /// The number of items of each rank.
    #[must_use]
    pub fn items_of_rank(&self) -> [u64; RANKS as usize] {
        let mut found = [0; 14];
        for rank in &self.ranks {
            super::number::bump(&mut found, usize::from(*rank));
        }
        found
    }

    /// The hands: five seats each, without the seats left over.
    pub fn hands(&self) -> impl Iterator<Item = &[u32]> {
        let seats = if self.ranks.is_empty() { &[][..] } else { &self.seats };
        seats.chunks_exact(5)
    }

    /// The cells of position × card.
    #[must_use]
    pub fn position_cells(&self) -> usize {
        index(self.positions()).saturating_mul(index(self.items))
    }
}

/// Two to ace as 0 to 12, a joker 13.
fn rank(deck: DeckName, number: u32) -> u8 {
    let first = deck.card(number).map_or(b'X', |card| card.as_bytes()[0]);
    let place = b"23456789TJQKA".iter().position(|r| *r == first);
    place.map_or(RANKS - 1, |place| u8::try_from(place).expect("there are 13"))
}

impl TryFrom<Wire> for Shape {
    type Error = ShapeError;

    fn try_from(wire: Wire) -> Result<Self, ShapeError> {
        let items = wire.items;
        let unknown = |name: String| ShapeError::Name { name, items };
        let deck = match wire.deck {
            Some(name) => match DeckName::parse(&name) {
                Ok(deck) if deck.items() == items => Some(deck),
                _ => return Err(unknown(name)),
            },
            None => None,
        };
        Self::new(deck, items, wire.draw)?.with_seats(&wire.seats)
    }
}

impl From<Shape> for Wire {
    fn from(shape: Shape) -> Self {
        let deck = shape.deck.map(|name| name.as_str().to_owned());
        Self { deck, draw: shape.draw, items: shape.items, seats: shape.seats }
    }
}
