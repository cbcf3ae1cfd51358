//! Openings of sealed cards, and whose they are.

use crate::error::LedgerError;
use crate::read::queries::{deal_again, int, judge_again, life};
use crate::read::reader::Reader;
use crate::read::receipts::{Shown, shown};
use crate::store::StoredLife;
use fairdeal::deal::{Commitment, Digest, Label, Nonce};
use fairdeal::record::entry::{Entry, Terms};
use fairdeal::record::receipt::{OpenedCard, Opening, Salt};

/// Cards of a round to open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToOpen {
    /// The card at this place in deal order, from 0.
    Place(u32),
    /// A seat's cards.
    Seat(Label),
    /// A street's cards: its name, or its number from 1 ([`Layout::street`](fairdeal::record::entry::Layout::street)).
    Street(String),
}

/// Checks that a round draws a card at this place, in deal order from 0.
///
/// # Errors
/// [`LedgerError::NoSuchCard`].
pub fn check_drawn(terms: &Terms, t: u32) -> Result<(), LedgerError> {
    let draw = terms.draw.value();
    if u64::from(t) < draw {
        return Ok(());
    }
    Err(LedgerError::NoSuchCard { t, draw: usize::try_from(draw).unwrap_or(usize::MAX) })
}

/// The places, in deal order from 0, of cards to open, under these terms and with these seats.
///
/// # Errors
/// [`LedgerError::NoSuchCard`] for a place that is not drawn; [`LedgerError::NotPlaced`] for a name
/// that nobody and nothing has; without `force`
/// [`LedgerError::NotOneSeat`] if the cards are not all one seat's or the board's.
pub fn places(
    terms: &Terms,
    seats: &[Label],
    wanted: &[ToOpen],
    force: bool,
) -> Result<Vec<u32>, LedgerError> {
    let layout = terms.layout.as_ref();
    let by_name = |what: &str| {
        layout.ok_or_else(|| {
            let says = format!("{what}: expected a table with a layout, found one without");
            LedgerError::NotPlaced(says)
        })
    };
    let mut all = Vec::new();
    for one in wanted {
        match one {
            ToOpen::Place(t) => {
                check_drawn(terms, *t)?;
                all.push(u64::from(*t));
            }
            ToOpen::Seat(seat) => {
                let places = by_name("a seat's cards")?.places_of_seat(seats, seat);
                if places.is_empty() {
                    let names: Vec<&str> = seats.iter().map(Label::as_str).collect();
                    let says = format!(
                        "seat: expected one of {}, found {:?}",
                        names.join(", "),
                        seat.as_str()
                    );
                    return Err(LedgerError::NotPlaced(says));
                }
                all.extend(places);
            }
            ToOpen::Street(name) => {
                let layout = by_name("the board's cards")?;
                let street = layout.street(name);
                let street =
                    street.map_err(|says| LedgerError::NotPlaced(format!("street: {says}")))?;
                all.extend(layout.places_of_street(seats, street));
            }
        }
    }
    if let Some(layout) = layout.filter(|_| !force) {
        layout.is_of_one_seat(seats, &all).map_err(LedgerError::NotOneSeat)?;
    }
    let all = all.into_iter().map(u32::try_from).collect::<Result<_, _>>();
    all.map_err(|_| LedgerError::Invalid("a place over 2^32".to_owned()))
}

impl Reader {
    /// An opening of some cards of a sealed deal, by their places in deal order from 0.
    pub async fn opening(
        &self,
        commitment: Commitment,
        nonce: Nonce,
        cards: &[u32],
    ) -> Result<Opening, LedgerError> {
        self.core.is_open()?;
        if cards.is_empty() {
            return Err(LedgerError::Invalid("an opening shows at least one card".to_owned()));
        }
        let not_sealed =
            |says: &str| LedgerError::NotSealed { commitment, nonce, says: says.to_owned() };
        let mut read = self.core.state.read().await?;
        let Shown { receipt, mut entries } =
            shown(&self.core, &mut *read, commitment, Some(nonce)).await?;
        // After the reveal, its entry comes last.
        entries.retain(|(_, entry)| entry.nonce() == Some(nonce));
        match entries.last() {
            Some((_, Entry::Deal(_))) => {}
            Some((_, Entry::Void(_))) => return Err(not_sealed("it was voided")),
            _ => return Err(not_sealed("it is not dealt yet")),
        }
        let StoredLife { life, seed, .. } = life(&mut *read, commitment).await?;
        let (_, effect) = judge_again(&self.core, &life, &entries);
        let result = deal_again(&self.core, &life, &seed, effect)?;
        let sealed = result.sealed.ok_or_else(|| not_sealed("its cards are in the log"))?;
        let mut places = cards.to_vec();
        places.sort_unstable();
        places.dedup();
        let mut opened = Vec::with_capacity(places.len());
        for t in places {
            let item = usize::try_from(t).ok().and_then(|place| result.items.get(place));
            let (Some(item), Some(salt)) = (item, sealed.salt(t)) else {
                return Err(LedgerError::NoSuchCard { t, draw: result.items.len() });
            };
            opened.push(OpenedCard {
                t: int(u64::from(t))?,
                item: int(u64::from(*item))?,
                salt: Salt(*salt),
            });
        }
        let card_seals: Vec<Digest> = sealed.card_seals().to_vec();
        Ok(Opening::new(receipt, card_seals, opened))
    }
}
