//! The cards of a round by receiver (spec/http.md and spec/cli.md, `hands`).

use serde::{Serialize, Serializer};

use super::{Layout, Place};
use crate::deal::{Deck, Label};

/// A card as people know it: a named deck's text, or the item of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Face {
    /// `5c`.
    Card(String),
    /// The item's number, from 0.
    Item(u32),
}

impl Face {
    /// An item of a deck.
    #[must_use]
    pub fn of(deck: &Deck, item: u32) -> Self {
        deck.text_of(&[item]).map_or(Self::Item(item), Self::Card)
    }
}

/// Who got which cards. `None` is a card that the log's readers do not know yet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Hands {
    /// The hand of each seat, in the order of the seats.
    #[serde(serialize_with = "as_map")]
    pub seats: Vec<(Label, Vec<Option<Face>>)>,
    /// The cards of each street.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub board: Vec<Vec<Option<Face>>>,
    /// The card burnt before each street.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub burnt: Vec<Option<Face>>,
}

fn as_map<S: Serializer>(seats: &[(Label, Vec<Option<Face>>)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(seats.iter().map(|(seat, hand)| (seat, hand)))
}

impl Layout {
    /// The cards of a round with these seats: `face` gives the card at a place in deal order, from
    /// 0.
    #[must_use]
    pub fn hands(&self, seats: &[Label], face: impl Fn(u64) -> Option<Face>) -> Hands {
        let mut hands = Hands {
            seats: seats.iter().map(|seat| (seat.clone(), Vec::new())).collect(),
            board: self.streets().map(|_| Vec::new()).collect(),
            burnt: Vec::new(),
        };
        for (t, place) in self.owned(seats) {
            let at = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
            let to = match place {
                Place::Seat { seat, .. } => hands.seats.get_mut(at(seat)).map(|(_, hand)| hand),
                Place::Street(street) => hands.board.get_mut(at(street)),
                Place::Burnt(_) => Some(&mut hands.burnt),
            };
            if let Some(to) = to {
                to.push(face(t));
            }
        }
        hands
    }

    /// Whose each card is, in deal order, in words ([`Layout::whose`]): the seats', the board's, and
    /// the burnt ones.
    #[must_use]
    pub fn owners(&self, seats: &[Label]) -> Vec<String> {
        self.places(seats, |_| true).into_iter().map(|t| self.whose(t, seats)).collect()
    }

    /// The places, in deal order from 0, of a seat's cards; empty if nobody has the name.
    #[must_use]
    pub fn places_of_seat(&self, seats: &[Label], seat: &Label) -> Vec<u64> {
        self.places(seats, |place| match place {
            Place::Seat { seat: at, .. } => {
                usize::try_from(at).ok().and_then(|at| seats.get(at)) == Some(seat)
            }
            Place::Street(_) | Place::Burnt(_) => false,
        })
    }

    /// The places of a street's cards; the street counts from 0.
    #[must_use]
    pub fn places_of_street(&self, seats: &[Label], street: u64) -> Vec<u64> {
        self.places(seats, |place| place == Place::Street(street))
    }

    fn places(&self, seats: &[Label], is_wanted: impl Fn(Place) -> bool) -> Vec<u64> {
        self.owned(seats).filter(|(_, place)| is_wanted(*place)).map(|(t, _)| t).collect()
    }

    /// The cards that have a receiver, in deal order.
    fn owned(&self, seats: &[Label]) -> impl Iterator<Item = (u64, Place)> {
        let count = u64::try_from(seats.len()).unwrap_or(u64::MAX);
        (0..).map_while(move |t| Some((t, self.place(t, count)?)))
    }

    /// Whether cards may be opened in one file: all are one seat's or the board's.
    ///
    /// # Errors
    /// Says whose they are.
    pub fn is_of_one_seat(&self, seats: &[Label], places: &[u64]) -> Result<(), String> {
        let count = u64::try_from(seats.len()).unwrap_or(u64::MAX);
        let mut first = None;
        for t in places {
            let other = match self.place(*t, count) {
                Some(Place::Street(_)) => continue,
                Some(Place::Seat { seat, .. }) => match first {
                    Some((_, before)) if before != seat => first,
                    _ => {
                        first = Some((*t, seat));
                        continue;
                    }
                },
                Some(Place::Burnt(_)) | None => None,
            };
            let card = |t: u64| {
                format!("card {} of the deal is {}", t.saturating_add(1), self.whose(t, seats))
            };
            let before = other.map(|(t, _)| format!("{}, ", card(t))).unwrap_or_default();
            return Err(format!(
                "expected cards of one seat or of the board; {before}{}",
                card(*t)
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Game;
    use super::*;

    fn seats() -> [Label; 2] {
        ["alice", "bob"].map(|name| Label::new(name).unwrap())
    }

    #[test]
    fn hands_are_the_cards_of_each_receiver() {
        let holdem = Game::Holdem.layout();
        let face = |t: u64| {
            u32::try_from(t).ok().filter(|t| *t != 3).map(|t| Face::of(&Deck::standard(), t))
        };
        let json = serde_json::to_string(&holdem.hands(&seats(), face)).unwrap();
        assert_eq!(
            json,
            r#"{"seats":{"alice":["2c","4c"],"bob":["3c",null]},"board":[["7c","8c","9c"],["Jc"],["Kc"]],"burnt":["6c","Tc","Qc"]}"#
        );
        let [alice, bob] = seats();
        assert_eq!(holdem.places_of_seat(&seats(), &alice), [0, 2]);
        assert_eq!(holdem.places_of_street(&seats(), 1), [9]);
        assert!(holdem.places_of_seat(&[alice], &bob).is_empty());
    }

    #[test]
    fn cards_of_two_seats_burnt_and_nobodys_are_not_of_one_seat() {
        let holdem = Game::Holdem.layout();
        for right in [&[0, 2][..], &[1, 5, 6, 7, 9], &[11], &[]] {
            assert_eq!(holdem.is_of_one_seat(&seats(), right), Ok(()), "{right:?}");
        }
        for (wrong, says) in [
            (
                &[0, 3][..],
                "card 1 of the deal is alice's card 1, card 4 of the deal is bob's card 2",
            ),
            (&[5, 4], "card 5 of the deal is burnt before the flop"),
            (&[12], "card 13 of the deal is nobody's"),
        ] {
            let expected = format!("expected cards of one seat or of the board; {says}");
            assert_eq!(holdem.is_of_one_seat(&seats(), wrong), Err(expected));
        }
    }
}
