//! Decks in a file: one a line, two characters a card, the first card dealt first.
//!
//! All lines have as many cards, and nothing is between the cards. Their number tells the deck (104
//! characters are `standard-52`), unless the deck is given; then a line may be its first cards. A
//! card that comes too often is not an error: the deal counts as faulty. In a file, what cannot
//! matter does not: a byte order mark, CRLF, empty lines at the end, `10` for `T`, and the case of
//! letters.

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};

use super::counts::Counts;
use super::number::{count, index};
use super::shape::Shape;
use fairdeal::deal::{Card, Choices, Deck, DeckName, below};

/// Reads lines one at a time; all must be as long as the first.
#[derive(Clone, Debug)]
pub struct DeckLines {
    deck: Option<DeckName>,
    line: u64,
    shape: Option<Shape>,
    items: BTreeMap<[u8; 2], Vec<u32>>,
}

/// A line is not a deck, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum LineError {
    /// A length that no named deck has.
    #[error("line {line}: no deck is {found} characters long; there are {known}", known = lengths())]
    Deck { line: u64, found: u64 },
    /// More cards than the deck has, none, or half a card.
    #[error(
        "line {line}: {found} characters are no deal of {deck}: two for each of 1 to {cards} cards"
    )]
    Draw { line: u64, found: u64, deck: &'static str, cards: u32 },
    /// Not as long as the first line.
    #[error("line {line}: expected {expected} characters like line 1, found {found}")]
    Length { line: u64, expected: u64, found: u64 },
    /// White space, a comma or the like.
    #[error(
        "line {line}, character {column}: expected two characters for each card and nothing between them, found {found:?}"
    )]
    Between { line: u64, column: u64, found: char },
    /// Two characters that are no card of the deck.
    #[error("line {line}, character {column}: {found:?} is no card of {deck}")]
    Card { line: u64, column: u64, found: String, deck: &'static str },
    /// No line at all.
    #[error("line 1: expected a deck, found nothing")]
    Nothing,
}

/// The first character between the cards of a line that is no deck: the likely reason. White space
/// after the last card does not count.
fn between(text: &[u8], line: u64) -> Option<LineError> {
    let (at, found) =
        text.trim_ascii_end().iter().enumerate().find(|(_, byte)| !byte.is_ascii_alphanumeric())?;
    Some(LineError::Between {
        line,
        column: count(at).saturating_add(1),
        found: char::from(*found),
    })
}

fn lengths() -> String {
    let all = DeckName::ALL.iter().map(|deck| format!("{} ({})", 2 * deck.items(), deck.as_str()));
    all.collect::<Vec<_>>().join(", ")
}

impl DeckLines {
    /// Whole decks: the first line's length names them.
    #[must_use]
    pub const fn whole() -> Self {
        Self { deck: None, line: 0, shape: None, items: BTreeMap::new() }
    }

    /// Deals of this deck, whole or not: the first line's length says how many cards.
    #[must_use]
    pub const fn of(deck: DeckName) -> Self {
        Self { deck: Some(deck), line: 0, shape: None, items: BTreeMap::new() }
    }

    /// The deck and the draw, known after the first line.
    #[must_use]
    pub const fn shape(&self) -> Option<&Shape> {
        self.shape.as_ref()
    }

    /// Item numbers of the next line, given without its LF.
    ///
    /// The copies of a card in several decks get their numbers by a draw whose key is the line
    /// itself: if all orders of the texts are equally likely, all orders of the numbers are.
    ///
    /// # Errors
    /// [`LineError`], with the line's number.
    pub fn read(&mut self, text: &[u8]) -> Result<Vec<u32>, LineError> {
        self.line = self.line.saturating_add(1);
        let line = self.line;
        let (deck, draw) =
            self.opened(text).map_err(|error| between(text, line).unwrap_or(error))?;
        if deck.items() > DeckName::Jokers54.items() {
            self.items = shuffled_copies(deck, text);
        }
        let mut dealt = Vec::with_capacity(index(draw));
        let (pairs, _) = text.as_chunks::<2>();
        for (column, pair) in (1..).step_by(2).zip(pairs) {
            let unknown = || LineError::Card {
                line,
                column,
                found: pair.escape_ascii().to_string(),
                deck: deck.as_str(),
            };
            let queue =
                Card::parse(*pair).and_then(|_| self.items.get_mut(pair)).ok_or_else(unknown)?;
            // The last copy is never removed, so one copy too many is a repeated item.
            let number = if queue.len() > 1 { queue.pop() } else { queue.last().copied() };
            dealt.push(number.ok_or_else(unknown)?);
        }
        Ok(dealt)
    }

    /// The deck and the draw of this line, the same as the first line's.
    fn opened(&mut self, text: &[u8]) -> Result<(DeckName, u32), LineError> {
        let (line, found) = (self.line, count(text.len()));
        if let Some(shape) = &self.shape
            && let Some(deck) = shape.deck()
        {
            let expected = 2 * u64::from(shape.draw());
            return if found == expected {
                Ok((deck, shape.draw()))
            } else {
                Err(LineError::Length { line, expected, found })
            };
        }
        let cards = text.len() / 2;
        let deck = match self.deck {
            Some(deck) => deck,
            None => DeckName::ALL
                .into_iter()
                .find(|deck| index(deck.items()) == cards && text.len() == 2 * cards)
                .ok_or(LineError::Deck { line, found })?,
        };
        let wrong = || LineError::Draw { line, found, deck: deck.as_str(), cards: deck.items() };
        if text.len() != 2 * cards {
            return Err(wrong());
        }
        let draw = u32::try_from(cards).map_err(|_| wrong())?;
        let shape = Shape::of(&Deck::Named(deck), draw).map_err(|_| wrong())?;
        self.shape = Some(shape);
        self.items = copies(deck, 0..deck.items());
        Ok((deck, draw))
    }
}

/// The item numbers of each card, in this order.
fn copies(deck: DeckName, order: impl IntoIterator<Item = u32>) -> BTreeMap<[u8; 2], Vec<u32>> {
    let mut copies: BTreeMap<[u8; 2], Vec<u32>> = BTreeMap::new();
    for number in order {
        let card = deck.card(number).expect("a number under the deck's items");
        copies.entry(*card.as_bytes()).or_default().push(number);
    }
    copies
}

/// The item numbers of each card, in an order drawn with the line as the key.
fn shuffled_copies(deck: DeckName, text: &[u8]) -> BTreeMap<[u8; 2], Vec<u32>> {
    let key = Sha256::new().chain_update(b"fairdeal/stats/copies\0").chain_update(text);
    let mut block = 0_u32;
    let mut words = Vec::new();
    let mut next_word = || {
        if words.is_empty() {
            let digest = key.clone().chain_update(block.to_be_bytes()).finalize();
            let (chunks, _) = digest.as_chunks::<4>();
            words.extend(chunks.iter().map(|chunk| u32::from_be_bytes(*chunk)));
            block = block.wrapping_add(1);
        }
        words.pop().expect("a digest has eight words")
    };
    let mut order: Vec<u32> = (0..deck.items()).collect();
    for last in (1..deck.items()).rev() {
        let ways = Choices::new(last + 1).expect("a deck has 1 to 2^20 cards");
        order.swap(index(last), index(below(ways, &mut next_word)));
    }
    copies(deck, order)
}

/// A line of a file in the strict form: two characters a card.
fn strict(line: &[u8]) -> Vec<u8> {
    let mut rest = line;
    let mut text = Vec::with_capacity(line.len());
    while let Some(first) = rest.first() {
        let is_ten = rest.starts_with(b"10");
        text.push(if is_ten { b'T' } else { *first });
        rest = rest.get(if is_ten { 2 } else { 1 }..).unwrap_or_default();
    }
    let (pairs, _) = text.as_chunks_mut::<2>();
    for pair in pairs {
        let other = [pair[0].to_ascii_uppercase(), pair[1].to_ascii_lowercase()];
        if Card::parse(other).is_some() {
            *pair = other;
        }
    }
    text
}

/// An error in the strict form of a line, with its place in the line.
fn placed(mut error: LineError, line: &[u8]) -> LineError {
    if let LineError::Between { column, .. } | LineError::Card { column, .. } = &mut error {
        let is_ten = |at: usize| line.get(at..).is_some_and(|rest| rest.starts_with(b"10"));
        let before = (1..*column).fold(0, |at, _| at + if is_ten(at) { 2 } else { 1 });
        *column = count(before).saturating_add(1);
    }
    error
}

/// Counts every line of a file.
///
/// # Errors
/// [`LineError`], with the number of the first wrong line.
pub fn count_lines(bytes: &[u8], mut lines: DeckLines) -> Result<Counts, LineError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let end = bytes.iter().rposition(|byte| !matches!(byte, b'\r' | b'\n'));
    let bytes = bytes.get(..=end.ok_or(LineError::Nothing)?).unwrap_or_default();
    let mut counts: Option<Counts> = None;
    for line in bytes.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let dealt = lines.read(&strict(line)).map_err(|error| placed(error, line))?;
        if counts.is_none() {
            counts = lines.shape().cloned().map(Counts::of);
        }
        if let Some(counts) = &mut counts {
            counts.add(&dealt);
        }
    }
    counts.ok_or(LineError::Nothing)
}
