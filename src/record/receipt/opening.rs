//! The opened cards of a sealed deal, and whose they are (spec/receipt.md, 12).

use super::form::{Included, Opening};
use super::round::Round;
use super::verdict::Placed;
use crate::deal::{Label, Sealed, check_opened, seal_of};
use crate::record::entry::{Commit, Deal, Entry, Place};
use crate::record::field_error::{FieldError, wrong};
use crate::record::finding::Code;

impl Round {
    /// Judges the opened cards and their seat. An error if the receipt has no sealed deal.
    pub(super) fn open(
        &mut self,
        opening: &Opening,
        seat: Option<&Label>,
    ) -> Result<(), FieldError> {
        let sealed = |one: &Included| match Entry::parse(one.entry.as_bytes()) {
            Ok(Entry::Deal(deal)) => deal.result.seal.is_some(),
            _ => false,
        };
        if !opening.receipt.entries.iter().any(sealed) {
            return wrong("receipt: expected one that holds a sealed deal");
        }
        self.opened = Some(false);
        // Only the cards that it opens are placed.
        self.placed = None;
        if let (Some((_, commit)), Some((index, deal))) = (&self.commit, &self.deal)
            && deal.result.seal.is_some()
        {
            let (index, wrong) = (*index, wrong_cards(commit, deal, opening));
            self.opened = Some(wrong.is_ok());
            match wrong {
                Ok(()) => {
                    self.placed = self.places(opening.opened.iter().map(|card| card.t.value()));
                }
                Err((code, says)) => self.find(code, Some(index), says),
            }
        }
        if let Some(seat) = seat {
            self.judge_seat(opening, seat);
        }
        Ok(())
    }

    /// Finds `placed-mismatch`: a card is another seat's, burnt or nobody's, or the places are not
    /// known.
    fn judge_seat(&mut self, opening: &Opening, seat: &Label) {
        let says = match &self.placed {
            None => Some("nothing says whose the cards are".to_owned()),
            Some(placed) => opening.opened.iter().map(|card| card.t.value()).find_map(|t| {
                let place = placed.iter().find(|place| place.t() == t);
                let whose = match place {
                    Some(Placed::Seat { seat: other, .. }) if other == seat => return None,
                    Some(Placed::Street { .. }) => return None,
                    Some(Placed::Seat { seat: other, .. }) => format!("{:?}'s", other.as_str()),
                    Some(Placed::Burnt { .. }) => "burnt".to_owned(),
                    Some(Placed::Nobody { .. }) | None => "nobody's".to_owned(),
                };
                Some(format!(
                    "card {}, counted from 1: expected {:?}'s, found {whose}",
                    t.saturating_add(1),
                    seat.as_str()
                ))
            }),
        };
        if let Some(says) = says {
            let index = self.deal.as_ref().map_or(self.last, |(index, _)| *index);
            self.find(Code::PlacedMismatch, Some(index), says);
        }
    }

    /// Sets who gets the cards of a result that anybody can know: one that is not sealed, or was
    /// replayed.
    pub(super) fn place_result(&mut self) {
        let count = self.deal.as_ref().and_then(|(_, deal)| {
            let result = &deal.result;
            let sealed = result.seal.filter(|_| self.replayed).and(self.commit.as_ref());
            let sealed = sealed.and_then(|(_, commit)| usize::try_from(commit.draw.value()).ok());
            let cards = result.cards.as_ref().map(crate::record::entry::Cards::count);
            cards.or(result.indices.as_ref().map(Vec::len)).or(sealed)
        });
        let Some(count) = count.and_then(|count| u64::try_from(count).ok()) else { return };
        self.placed = self.places(0..count);
    }

    /// The receivers of the cards at these places; `None` without a layout.
    fn places(&self, places: impl Iterator<Item = u64>) -> Option<Vec<Placed>> {
        let layout = self.commit.as_ref()?.1.layout.as_ref()?;
        let (_, deal) = self.deal.as_ref()?;
        let seats = self.lock.as_ref().map_or(&deal.seats, |(_, lock)| &lock.seats).as_ref()?;
        let count = u64::try_from(seats.len()).ok()?;
        let of = |t| {
            Some(match layout.place(t, count) {
                Some(Place::Seat { seat, card }) => {
                    Placed::Seat { t, seat: seats.get(usize::try_from(seat).ok()?)?.clone(), card }
                }
                Some(Place::Street(street)) => Placed::Street { t, street },
                Some(Place::Burnt(burnt)) => Placed::Burnt { t, burnt },
                None => Placed::Nobody { t, nobody: true },
            })
        };
        Some(places.filter_map(of).collect())
    }
}

impl Placed {
    /// The card's place in deal order.
    #[must_use]
    pub fn t(&self) -> u64 {
        match self {
            Self::Seat { t, .. }
            | Self::Street { t, .. }
            | Self::Burnt { t, .. }
            | Self::Nobody { t, .. } => *t,
        }
    }
}

/// Steps 2 to 4 of 12.1. An error says what is wrong: `opening-mismatch` if the cards are not those
/// that the deal sealed, `result-mismatch` if it sealed cards that no deal can have.
fn wrong_cards(commit: &Commit, deal: &Deal, opening: &Opening) -> Result<(), (Code, String)> {
    let mut wrong = Vec::new();
    if Some(seal_of(&opening.card_seals)) != deal.result.seal {
        wrong.push("card_seals: their seal is not the one that the deal logs".to_owned());
    }
    let mut opened = Vec::new();
    for card in &opening.opened {
        let place = usize::try_from(card.t.value()).ok().and_then(|t| opening.card_seals.get(t));
        let numbers = (u32::try_from(card.t.value()), u32::try_from(card.item.value()));
        let (Some(expected), (Ok(t), Ok(item))) = (place, numbers) else {
            wrong.push(format!("card {}: the list of card seals ends before it", card.t));
            continue;
        };
        let verified =
            Sealed::verify_opening(&commit.commitment, deal.nonce, t, item, &card.salt.0, expected);
        if let Err(error) = verified {
            wrong.push(error.to_string());
        }
        opened.push((t, item));
    }
    if !wrong.is_empty() {
        return Err((Code::OpeningMismatch, wrong.join("; ")));
    }
    let sealed = |says: String| Err((Code::ResultMismatch, says));
    let (draw, found) = (commit.draw.value(), opening.card_seals.len());
    if u64::try_from(found).ok() != Some(draw) {
        return sealed(format!("the commitment draws {draw} cards, the deal seals {found}"));
    }
    let items = commit.deck.items();
    if let Some((t, item)) = opened.iter().find(|(_, item)| *item >= items) {
        let last = items.saturating_sub(1);
        return sealed(format!("card {t}: the deck has items 0 to {last}, the deal seals {item}"));
    }
    check_opened(commit.method, items, &opened).or_else(|impossible| sealed(impossible.to_string()))
}
