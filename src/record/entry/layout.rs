//! The seats' and the board's cards (spec/ledger.md, section 8.7). The commitment fixes them, so
//! that an opened card has an owner.

mod hands;
mod words;

use serde::{Deserialize, Serialize};

pub use self::hands::{Face, Hands};
pub use self::words::{Game, GivenLayout};
use crate::deal::Label;
use crate::record::as_json::{Int, object, present};
use crate::record::field_error::{FieldError, wrong};

/// The most cards in a hand, streets, cards in a street, and seats.
const MOST: u64 = 64;

/// The cards of the seats, and those of the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Layout {
    /// The number of cards of each street.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub board: Option<Vec<Int>>,
    /// Whether a card is burnt before each street.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub burn: Option<bool>,
    /// The number of cards for each seat.
    pub hand: Int,
}

object!(Layout);

/// The receiver of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// To a seat: which, and which card of it, both from 0.
    Seat {
        /// The seat's number.
        seat: u64,
        /// The card's number in the hand.
        card: u64,
    },
    /// To a street, from 0.
    Street(u64),
    /// Burnt before a street, from 0.
    Burnt(u64),
}

impl Layout {
    pub(super) fn check(&self, draw: u64) -> Result<(), FieldError> {
        let fits = |what: &str, value: u64| {
            if (1..=MOST).contains(&value) {
                Ok(())
            } else {
                wrong(format!("{what}: expected 1 to {MOST}, found {value}"))
            }
        };
        fits("layout.hand", self.hand.value())?;
        if let Some(board) = &self.board {
            fits("layout.board", u64::try_from(board.len()).unwrap_or(u64::MAX))?;
            board.iter().try_for_each(|street| fits("layout.board", street.value()))?;
        } else if self.burn.is_some() {
            return wrong("layout.burn: only with a board");
        }
        if self.most_seats(draw) == 0 {
            return wrong(format!(
                "layout: a draw of {draw} has no room for one seat and the board"
            ));
        }
        Ok(())
    }

    fn streets(&self) -> impl Iterator<Item = u64> {
        self.board.iter().flatten().map(|street| street.value())
    }

    fn burnt(&self) -> u64 {
        u64::from(self.burn == Some(true))
    }

    /// The number of seats that a draw has room for; 0 if it has none.
    #[must_use]
    pub fn most_seats(&self, draw: u64) -> u64 {
        let common: u64 = self.streets().map(|street| street.saturating_add(self.burnt())).sum();
        draw.checked_sub(common).and_then(|left| left.checked_div(self.hand.value())).unwrap_or(0)
    }

    /// The receiver of the card dealt at place `t`, from 0; `None` if it is nobody's.
    #[must_use]
    pub fn place(&self, t: u64, seats: u64) -> Option<Place> {
        let hands = self.hand.value().saturating_mul(seats);
        if t < hands {
            let (card, seat) = (t.checked_div(seats)?, t.checked_rem(seats)?);
            return Some(Place::Seat { seat, card });
        }
        let mut left = t.saturating_sub(hands);
        for (street, cards) in (0..).zip(self.streets()) {
            let burnt = self.burnt();
            if left < burnt {
                return Some(Place::Burnt(street));
            }
            left = left.saturating_sub(burnt);
            if left < cards {
                return Some(Place::Street(street));
            }
            left = left.saturating_sub(cards);
        }
        None
    }
}

/// 1 to 64, none twice, and every one of `must` among them.
pub(super) fn check_seats<'a>(
    seats: &[Label],
    must: impl Iterator<Item = &'a Label>,
) -> Result<(), FieldError> {
    if !(1..=MOST).contains(&u64::try_from(seats.len()).unwrap_or(u64::MAX)) {
        return wrong(format!("seats: expected 1 to {MOST}, found {}", seats.len()));
    }
    let mut seated = std::collections::BTreeSet::new();
    if let Some(twice) = seats.iter().find(|label| !seated.insert(*label)) {
        return wrong(format!("seats: expected each name once, found {:?} twice", twice.as_str()));
    }
    match must.into_iter().find(|from| !seated.contains(from)) {
        Some(from) => wrong(format!(
            "seats: expected everybody who contributes, found no {:?}",
            from.as_str()
        )),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(json: &str) -> Layout {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn holdem_is_dealt_once_around_then_again_and_burns_before_each_street() {
        let holdem = layout(r#"{"board":[3,1,1],"burn":true,"hand":2}"#);
        assert_eq!(holdem.check(52), Ok(()));
        assert_eq!(holdem.most_seats(52), 22);
        let seat = |seat, card| Some(Place::Seat { seat, card });
        let all: Vec<_> = (0..15).map(|t| holdem.place(t, 3)).collect();
        let (street, burnt) = (|at| Some(Place::Street(at)), |at| Some(Place::Burnt(at)));
        assert_eq!(
            all,
            [
                seat(0, 0),
                seat(1, 0),
                seat(2, 0),
                seat(0, 1),
                seat(1, 1),
                seat(2, 1),
                burnt(0),
                street(0),
                street(0),
                street(0),
                burnt(1),
                street(1),
                burnt(2),
                street(2),
                None,
            ]
        );
    }

    #[test]
    fn a_layout_has_room_for_one_seat_or_is_refused() {
        let plain = layout(r#"{"hand":5}"#);
        assert_eq!((plain.most_seats(14), plain.check(5)), (2, Ok(())));
        assert!(plain.check(4).is_err());
        assert_eq!(plain.place(10, 2), None);
        let board = layout(r#"{"board":[4],"hand":1}"#);
        assert!(board.check(4).is_err());
        assert_eq!(board.check(5), Ok(()));
        for wrong in [
            r#"{"hand":0}"#,
            r#"{"hand":65}"#,
            r#"{"burn":true,"hand":1}"#,
            r#"{"board":[],"hand":1}"#,
            r#"{"board":[0],"hand":1}"#,
        ] {
            assert!(layout(wrong).check(1000).is_err(), "{wrong}");
        }
        assert!(serde_json::from_str::<Layout>("[[3],true,2]").is_err());
    }
}
