//! Layouts as people write and read them, `holdem` or `hand=2,board=3+1+1,burn`, and the names of
//! streets (spec/cli.md, layouts).

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, Visitor, value::MapAccessDeserializer};

use super::{Layout, Place};
use crate::deal::{Deck, DeckName, Label};
use crate::named::named;
use crate::record::as_json::Int;
use crate::record::json_in_words;

named! {
    /// Games whose layout and deck have a name.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    Game {
        /// Two cards to each seat; flop, turn and river, each after a burnt card; the standard
        /// deck.
        Holdem = "holdem",
        /// The same with four cards to each seat.
        Omaha = "omaha",
        /// Hold'em with the deck `short-36`.
        ShortDeck = "short-deck",
    }
}

impl Game {
    /// Its layout.
    #[must_use]
    pub fn layout(self) -> Layout {
        let hand = match self {
            Self::Holdem | Self::ShortDeck => 2_u32,
            Self::Omaha => 4,
        };
        let board = [3_u32, 1, 1].map(Int::from).into();
        Layout { board: Some(board), burn: Some(true), hand: hand.into() }
    }

    /// Its deck.
    #[must_use]
    pub fn deck(self) -> DeckName {
        match self {
            Self::Holdem | Self::Omaha => DeckName::Standard52,
            Self::ShortDeck => DeckName::Short36,
        }
    }

    /// Its deck, where the given one is none or the same.
    ///
    /// # Errors
    /// The given deck, if it is another one.
    pub fn deck_or(self, given: Option<Deck>) -> Result<Deck, Deck> {
        let deck = Deck::Named(self.deck());
        given.filter(|given| *given != deck).map_or(Ok(deck), Err)
    }
}

/// A layout as somebody gave it: a game's name, `hand=2,board=3+1+1,burn` or parts of it, or the
/// JSON of spec/ledger.md, section 8.7.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenLayout {
    /// The layout. The judge decides whether it fits the draw.
    pub layout: Layout,
    /// The game, if it was named: it has a deck too.
    pub game: Option<Game>,
}

impl From<Layout> for GivenLayout {
    fn from(layout: Layout) -> Self {
        Self { layout, game: None }
    }
}

impl FromStr for GivenLayout {
    type Err = String;

    /// # Errors
    /// Says what was expected and what came.
    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(game) = Game::named(text) {
            return Ok(Self { layout: game.layout(), game: Some(game) });
        }
        if text.trim_start().starts_with('{') {
            let layout: Result<Layout, _> = serde_json::from_str(text);
            return layout.map(Self::from).map_err(|error| json_in_words(&error.to_string()));
        }
        let (mut hand, mut board, mut burn) = (None, None, None);
        for part in text.split(',') {
            let (name, value) =
                part.split_once('=').map_or((part, None), |(name, value)| (name, Some(value)));
            let twice = match (name, value) {
                ("hand", Some(cards)) => hand.replace(count(cards)?).is_some(),
                ("board", Some(streets)) => {
                    let streets = streets.split('+').map(count).collect::<Result<_, _>>()?;
                    board.replace(streets).is_some()
                }
                ("burn", None) => burn.replace(true).is_some(),
                _ => {
                    let games = Game::ALL.map(Game::as_str).join(", ");
                    return Err(format!(
                        "expected {games}, or hand=2,board=3+1+1,burn or parts of it, found {part:?}"
                    ));
                }
            };
            if twice {
                return Err(format!("expected {name} once, found it twice"));
            }
        }
        let hand = hand.ok_or("expected hand=N, how many cards each seat gets")?;
        Ok(Self::from(Layout { board, burn, hand }))
    }
}

fn count(text: &str) -> Result<Int, String> {
    let number = text.parse().ok().and_then(Int::new);
    number.ok_or_else(|| format!("expected a number of cards, found {text:?}"))
}

impl<'de> Deserialize<'de> for GivenLayout {
    /// A layout's object, or its text.
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = GivenLayout;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a layout, an object or a text")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<GivenLayout, E> {
                text.parse().map_err(E::custom)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<GivenLayout, A::Error> {
                Layout::deserialize(MapAccessDeserializer::new(map)).map(GivenLayout::from)
            }
        }
        from.deserialize_any(Either)
    }
}

/// The streets of a board of 3, 1 and 1 cards.
const HOLDEM: [&str; 3] = ["flop", "turn", "river"];

impl Layout {
    /// `2 cards to each seat; board 3 + 1 + 1, a card burnt before each street`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let cards = if self.hand.value() == 1 { "card" } else { "cards" };
        let hand = format!("{} {cards} to each seat", self.hand);
        let Some(board) = &self.board else { return hand };
        let streets: Vec<String> = board.iter().map(ToString::to_string).collect();
        let burnt = if self.burn == Some(true) { ", a card burnt before each street" } else { "" };
        format!("{hand}; board {}{burnt}", streets.join(" + "))
    }

    /// A street's name, of a street from 0: `flop`, `turn` and `river` where the board is 3, 1 and
    /// 1 cards, else its number from 1.
    #[must_use]
    pub fn street_name(&self, street: u64) -> String {
        let name = usize::try_from(street).ok().and_then(|at| HOLDEM.get(at));
        match name {
            Some(name) if self.streets().eq([3, 1, 1]) => (*name).to_owned(),
            _ => format!("street {}", street.saturating_add(1)),
        }
    }

    /// The street, from 0, of this name, or of this number from 1.
    ///
    /// # Errors
    /// Says which streets there are.
    pub fn street(&self, name: &str) -> Result<u64, String> {
        let number = name.parse().ok().and_then(|number: u64| number.checked_sub(1));
        let mut streets = (0..).zip(self.streets()).map(|(street, _)| street);
        let found =
            streets.find(|street| Some(*street) == number || self.street_name(*street) == name);
        found.ok_or_else(|| {
            let expected = match self.streets().count() {
                0 => "a board, and this layout has none".to_owned(),
                3 if self.streets().eq([3, 1, 1]) => "flop, turn, river, or 1 to 3".to_owned(),
                many => format!("a street of 1 to {many}"),
            };
            format!("expected {expected}, found {name:?}")
        })
    }

    /// Whose a card is, in words, counted from 1: `alice's card 1`, `the flop`, `burnt`, `nobody's`.
    #[must_use]
    pub fn whose(&self, t: u64, seats: &[Label]) -> String {
        match self.place(t, u64::try_from(seats.len()).unwrap_or(u64::MAX)) {
            Some(Place::Seat { seat, card }) => {
                let seat = usize::try_from(seat).ok().and_then(|seat| seats.get(seat));
                let seat = seat.map_or("", Label::as_str);
                format!("{seat}'s card {}", card.saturating_add(1))
            }
            Some(Place::Street(street)) => format!("the {}'s", self.street_name(street)),
            Some(Place::Burnt(street)) => format!("burnt before the {}", self.street_name(street)),
            None => "nobody's".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_its_json_and_a_game_are_one_layout() {
        for (line, json, says) in [
            (
                "hand=2,board=3+1+1,burn",
                r#"{"board":[3,1,1],"burn":true,"hand":2}"#,
                "2 cards to each seat; board 3 + 1 + 1, a card burnt before each street",
            ),
            ("board=5,hand=4", r#"{"board":[5],"hand":4}"#, "4 cards to each seat; board 5"),
            ("hand=1", r#"{"hand":1}"#, "1 card to each seat"),
        ] {
            let given: GivenLayout = line.parse().unwrap();
            assert_eq!(Ok(&given), json.parse().as_ref(), "{line}");
            assert_eq!(given, serde_json::from_str(json).unwrap(), "{line}");
            assert_eq!(given, serde_json::from_str(&format!("{line:?}")).unwrap(), "{line}");
            assert_eq!(given.layout.in_words(), says);
        }
        let holdem: GivenLayout = serde_json::from_str("\"holdem\"").unwrap();
        assert_eq!(holdem.game.map(Game::deck), Some(DeckName::Standard52));
        assert_eq!(
            Ok(holdem.layout),
            "hand=2,board=3+1+1,burn".parse().map(|one: GivenLayout| one.layout)
        );
        assert_eq!(Game::Omaha.layout().hand, Int::from(4_u32));
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
            "Holdem",
            "{}",
            "[2]",
            r#"{"hand":2,"river":1}"#,
        ] {
            assert!(wrong.parse::<GivenLayout>().is_err(), "{wrong:?}");
            let json =
                if wrong.starts_with(['{', '[']) { wrong.to_owned() } else { format!("{wrong:?}") };
            assert!(serde_json::from_str::<GivenLayout>(&json).is_err(), "{json}");
        }
    }

    #[test]
    fn streets_have_names_where_the_board_is_holdems() {
        let holdem = Game::Holdem.layout();
        assert_eq!(["flop", "river", "2"].map(|name| holdem.street(name)), [Ok(0), Ok(2), Ok(1)]);
        for wrong in ["0", "4", "Flop", "street 1", ""] {
            let error = holdem.street(wrong).unwrap_err();
            assert_eq!(error, format!("expected flop, turn, river, or 1 to 3, found {wrong:?}"));
        }
        let five: GivenLayout = "hand=1,board=2+2".parse().unwrap();
        assert_eq!(
            (five.layout.street("2"), five.layout.street_name(1)),
            (Ok(1), "street 2".to_owned())
        );
        assert_eq!(
            five.layout.street("flop"),
            Err("expected a street of 1 to 2, found \"flop\"".to_owned())
        );
        let none: GivenLayout = "hand=1".parse().unwrap();
        assert!(none.layout.street("1").unwrap_err().contains("has none"));
    }

    #[test]
    fn a_card_has_an_owner_in_words() {
        let (holdem, seats) =
            (Game::Holdem.layout(), ["alice", "bob"].map(|name| Label::new(name).unwrap()));
        let whose = |t| holdem.whose(t, &seats);
        assert_eq!(
            [0, 3, 4, 5, 8, 9, 12].map(whose),
            [
                "alice's card 1",
                "bob's card 2",
                "burnt before the flop",
                "the flop's",
                "burnt before the turn",
                "the turn's",
                "nobody's"
            ]
        );
    }
}
