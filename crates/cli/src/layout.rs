//! Layouts on a command line, `hand=2,board=3+1+1,burn`, and in words (spec/ledger.md, section
//! 8.7).

use super::out;
use fairdeal::record::entry::{Int, Layout};
use fairdeal::record::json_in_words;

/// Reads `hand=2,board=3+1+1,burn` or its JSON. The judge decides whether it fits the draw.
/// The error says what was expected and what came.
pub(super) fn parse(text: &str) -> Result<Layout, String> {
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(text).map_err(|error| json_in_words(&error.to_string()));
    }
    let (mut hand, mut board, mut burn) = (None, None, None);
    for part in text.split(',') {
        let (name, value) =
            part.split_once('=').map_or((part, None), |(name, value)| (name, Some(value)));
        let twice = match (name, value) {
            ("hand", Some(cards)) => hand.replace(count(cards)?).is_some(),
            ("board", Some(streets)) => {
                board.replace(streets.split('+').map(count).collect::<Result<_, _>>()?).is_some()
            }
            ("burn", None) => burn.replace(true).is_some(),
            _ => {
                return Err(format!(
                    "expected hand=2,board=3+1+1,burn or parts of it, found {part:?}"
                ));
            }
        };
        if twice {
            return Err(format!("expected {name} once, found it twice"));
        }
    }
    let hand = hand.ok_or("expected hand=N, how many cards each seat gets")?;
    Ok(Layout { board, burn, hand })
}

fn count(text: &str) -> Result<Int, String> {
    let number = text.parse().ok().and_then(Int::new);
    number.ok_or_else(|| format!("expected a number of cards, found {text:?}"))
}

/// `2 cards to each seat; board 3 + 1 + 1, a card burnt before each street`.
pub(super) fn spoken(layout: &Layout) -> String {
    let hand = format!("{} to each seat", out::count(layout.hand.value(), "card", "cards"));
    let Some(board) = &layout.board else { return hand };
    let streets: Vec<String> = board.iter().map(ToString::to_string).collect();
    let burnt = if layout.burn == Some(true) { ", a card burnt before each street" } else { "" };
    format!("{hand}; board {}{burnt}", streets.join(" + "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_and_its_json_are_one_layout() {
        for (line, json, says) in [
            (
                "hand=2,board=3+1+1,burn",
                r#"{"board":[3,1,1],"burn":true,"hand":2}"#,
                "2 cards to each seat; board 3 + 1 + 1, a card burnt before each street",
            ),
            ("board=5,hand=4", r#"{"board":[5],"hand":4}"#, "4 cards to each seat; board 5"),
            ("hand=1", r#"{"hand":1}"#, "1 card to each seat"),
        ] {
            let layout = parse(line).unwrap();
            assert_eq!(Ok(&layout), parse(json).as_ref(), "{line}");
            assert_eq!(spoken(&layout), says);
        }
    }

    #[test]
    fn what_is_no_layout_is_refused() {
        for wrong in [
            "",
            "2",
            "hand",
            "hand=",
            "hand=x",
            "hand=-1",
            "board=3",
            "hand=2,hand=2",
            "hand=2,burn=yes",
            "hand=2,",
            "hand=2,board=3+",
            "hand=2, burn",
            "{}",
            "[2]",
            r#"{"hand":2,"river":1}"#,
        ] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
