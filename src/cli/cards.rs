//! Cards as people read them: two characters each, hearts and diamonds red, in lines that fit.

use std::fmt;

use anstyle::{AnsiColor, Style};

use super::out::{LABEL, Out, width};

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

/// The cards of a deal's text, in lines of a whole number of ranks that fit `columns`.
pub(super) fn lines(text: &str, columns: usize) -> Vec<String> {
    // 13 cards take 38 columns and 26 take 77: one suit or two, which is what an eye counts in.
    let in_a_line = if columns >= 77 { 26 } else { 13 };
    let (cards, _) = text.as_bytes().as_chunks::<2>();
    let join = |cards: &[[u8; 2]]| {
        cards.iter().map(|card| Coloured(*card).to_string()).collect::<Vec<_>>().join(" ")
    };
    cards.chunks(in_a_line).map(join).collect()
}

/// A field of cards.
pub(super) fn field(out: &mut Out, label: &str, text: &str) {
    let lines = lines(text, width().saturating_sub(LABEL));
    let mut lines = lines.iter();
    out.field(label, lines.next().map_or("", String::as_str));
    for line in lines {
        out.more(line);
    }
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
