//! Prints results: cards in colour, in lines that fit, or a list's items.

use std::fmt;

use anstyle::{AnsiColor, Style};

use super::out::{FAINT, LABEL, Out, count, plain, width};
use fairdeal::deal::{List, Method};
use fairdeal::record::entry::{Face, Hands, ResultForm};

const RED: Style = AnsiColor::Red.on_default().bold();
const BLACK: Style = Style::new().bold();
const JOKER: Style = AnsiColor::Magenta.on_default().bold();

/// One card, coloured by its suit.
pub(super) struct Coloured([u8; 2]);

impl fmt::Display for Coloured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let style = match self.0 {
            [b'X', _] => JOKER,
            [_, b'd' | b'h'] => RED,
            _ => BLACK,
        };
        let [rank, suit] = self.0.map(char::from);
        write!(f, "{style}{rank}{suit}{style:#}")
    }
}

/// The cards of a deal's text, 26 or 13 to a line, as `columns` allow.
pub(super) fn lines(text: &str, columns: usize) -> Vec<String> {
    // 13 cards take 38 columns, 26 take 77: one suit or two, which are easy to count.
    let in_a_line = if columns >= 77 { 26 } else { 13 };
    let (cards, _) = text.as_bytes().as_chunks::<2>();
    let join = |cards: &[[u8; 2]]| {
        cards.iter().map(|card| Coloured(*card).to_string()).collect::<Vec<_>>().join(" ")
    };
    cards.chunks(in_a_line).map(join).collect()
}

/// Each card of a deal's text.
pub(super) fn each(text: &str) -> Vec<String> {
    let (cards, _) = text.as_bytes().as_chunks::<2>();
    cards.iter().map(|card| String::from_utf8_lossy(card).into_owned()).collect()
}

/// A field of cards.
pub(super) fn field(out: &mut Out, label: &str, text: &str) {
    out.fields(label, lines(text, width().saturating_sub(LABEL)));
}

/// A logged result, in its form.
pub(super) fn result(out: &mut Out, result: &ResultForm) {
    if let Some(text) = &result.cards {
        field(out, "cards", text.as_str());
    }
    if let Some(all) = &result.indices {
        indices(out, all.iter().map(|one| one.value()));
    }
    if let Some(digest) = &result.digest {
        out.field("digest", digest);
    }
    if let Some(seal) = &result.seal {
        out.field("seal", seal);
    }
}

/// Prints the owner of each card: a line for each seat, the board, and the burnt cards. A seat or a
/// board without a known card has no line.
pub(super) fn hands(out: &mut Out, hands: &Hands) {
    let spoken = |cards: &[Option<Face>]| {
        let one = |card: &Option<Face>| match card {
            Some(Face::Card(text)) => match text.as_bytes() {
                [rank, suit] => Coloured([*rank, *suit]).to_string(),
                _ => plain(text),
            },
            Some(Face::Item(item)) => from_one(*item).to_string(),
            None => "??".to_owned(),
        };
        cards.iter().map(one).collect::<Vec<_>>().join(" ")
    };
    let is_known = |cards: &[Option<Face>]| cards.iter().any(Option::is_some);
    for (seat, hand) in hands.seats.iter().filter(|(_, hand)| is_known(hand)) {
        out.field(&plain(seat.as_str()), spoken(hand));
    }
    if hands.board.iter().any(|street| is_known(street)) {
        let streets: Vec<String> = hands.board.iter().map(|street| spoken(street)).collect();
        out.field("board", streets.join(" | "));
    }
    if is_known(&hands.burnt) {
        out.field("burnt", spoken(&hands.burnt));
    }
}

/// Prints the owner of each card that was saved in a file. The cards of a seat are only counted: they
/// are for its player alone.
pub(super) fn opened(out: &mut Out, hands: &Hands) {
    for (seat, hand) in &hands.seats {
        let known = hand.iter().flatten().count();
        if known > 0 {
            field!(out, &plain(seat.as_str()), "{}, in the file", count(known, "card", "cards"));
        }
    }
    self::hands(out, &Hands { seats: Vec::new(), ..hands.clone() });
}

/// A number of JSON, where people count from 1.
pub(super) fn from_one(number: impl Into<u64>) -> u64 {
    number.into().saturating_add(1)
}

/// Item numbers, on one line for copying.
pub(super) fn indices(out: &mut Out, all: impl Iterator<Item = impl Into<u64>>) {
    let numbers: Vec<String> = all.map(|number| from_one(number).to_string()).collect();
    field!(out, "items", "{} {FAINT}(counted from 1){FAINT:#}", numbers.join(" "));
}

/// A list's items in deal order; for a cycle, who is assigned to whom.
pub(super) fn items(out: &mut Out, method: Method, list: &List, dealt: impl Iterator<Item = u32>) {
    for (place, number) in (0..).zip(dealt) {
        let item = item(list, Some(number));
        match method {
            Method::Shuffle => out.field(&format!("item {}", from_one(number)), item),
            // Protocol 5: position p is assigned the item at p.
            Method::Cycle => say!(out, "{} → {item}", self::item(list, Some(place))),
        }
    }
}

/// One item of a list, with its control characters spelled out.
pub(super) fn item(list: &List, number: Option<u32>) -> String {
    let item =
        number.and_then(|number| usize::try_from(number).ok()).and_then(|at| list.items().get(at));
    item.map_or_else(String::new, |item| plain(item))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deck_is_four_lines_or_two_and_the_red_suits_are_red() {
        let deck = "2c".repeat(52);
        assert_eq!(lines(&deck, 68).len(), 4);
        assert_eq!(lines(&deck, 120).len(), 2);
        assert_eq!(lines("Td3h", 80), [format!("{RED}Td{RED:#} {RED}3h{RED:#}")]);
        assert_eq!(lines("As", 80), [format!("{BLACK}As{BLACK:#}")]);
    }
}
