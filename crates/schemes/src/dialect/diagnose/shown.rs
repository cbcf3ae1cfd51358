//! Compares an outcome with what a row shows, where the row may show it in another way.

use super::near::Case;
use super::trial::Trial;
use crate::dialect::{
    Cents, DeckOrder, DialectOutcome, Digests as _, Keyed, Round, check, number52,
};
use fairdeal::deal::Card;
use fairdeal_audit::stats::number::item;

/// An outcome and the row that it is compared with.
pub(super) struct Held<'h> {
    pub(super) case: &'h Case,
    pub(super) trial: &'h Trial,
    pub(super) outcome: &'h DialectOutcome,
}

/// An outcome and a row that agree, as they were read.
pub(super) type Reread = Option<(DialectOutcome, Round<'static>)>;

impl Held<'_> {
    fn row(&self) -> &Round<'static> {
        &self.case.round
    }

    /// The cards that were dealt, as many of them as the row shows, and the cards that the row shows.
    fn cards(&self) -> Option<(&[Card], &[Card], &[Card])> {
        let (DialectOutcome::Cards(dealt), Some(shown)) = (self.outcome, &self.row().cards) else {
            return None;
        };
        Some((dealt, dealt.get(..shown.len()).unwrap_or_default(), shown))
    }

    /// The row without a change.
    pub(super) fn unchanged(&self) -> Reread {
        match self.outcome {
            DialectOutcome::Multiplier(_) => self.result_if(|cents, row| row.result == Some(cents)),
            DialectOutcome::Cards(_) => self.cards_if(|dealt, shown| dealt == shown),
        }
    }

    /// The row with the dealt cards, if `passes(dealt, shown)`.
    pub(super) fn cards_if(&self, passes: fn(&[Card], &[Card]) -> bool) -> Reread {
        let (_, first, shown) = self.cards()?;
        let is = first.len() == shown.len() && passes(first, shown);
        is.then(|| {
            (self.outcome.clone(), Round { cards: Some(first.to_vec()), ..self.row().clone() })
        })
    }

    /// The row with the computed multiplier, if `passes(multiplier, row)`.
    pub(super) fn result_if(&self, passes: impl Fn(Cents, &Round<'_>) -> bool) -> Reread {
        let DialectOutcome::Multiplier(cents) = *self.outcome else { return None };
        passes(cents, self.row()).then(|| {
            (self.outcome.clone(), Round { result: Some(cents), finer: None, ..self.row().clone() })
        })
    }

    /// Whether the row, so read, agrees with the outcome in every column.
    pub(super) fn agrees(&self, outcome: &DialectOutcome, mut row: Round<'static>) -> bool {
        let played = &self.trial.played;
        row.server_seed.clone_from(&played.server_seed);
        row.client_seed.clone_from(&played.client_seed);
        row.nonce = played.nonce;
        row.method.clone_from(&played.method);
        check::settles(self.trial.dialect, outcome, &row, &mut |_| Ok(outcome.clone())).is_ok()
    }
}

/// Replaces a value; `None` if the new one is the same.
pub(super) fn change<T: PartialEq>(value: &mut T, to: T) -> Option<()> {
    let is_other = *value != to;
    *value = to;
    is_other.then_some(())
}

/// The row without `full`.
pub(super) fn not_whole(held: &Held<'_>) -> Reread {
    let (outcome, row) = held.cards_if(|dealt, shown| dealt == shown)?;
    (row.full == Some(true)).then_some((outcome, Round { full: None, ..row }))
}

/// The row without the cards beyond the deck's last.
pub(super) fn surplus(held: &Held<'_>) -> Reread {
    let (dealt, _, shown) = held.cards()?;
    let is_whole = Some(item(dealt.len())) == held.trial.dialect.deck_items(held.row());
    let is = is_whole && shown.len() > dealt.len() && shown.starts_with(dealt) && !dealt.is_empty();
    is.then(|| (held.outcome.clone(), Round { cards: Some(dealt.to_vec()), ..held.row().clone() }))
}

/// A whole deck, dealt from its other end.
pub(super) fn from_end(held: &Held<'_>) -> Reread {
    let (dealt, _, shown) = held.cards()?;
    let is_whole = item(dealt.len()) == held.trial.dialect.deck_items(held.row())?;
    let is = is_whole && dealt.iter().rev().zip(shown).all(|(dealt, shown)| dealt == shown);
    is.then(|| (DialectOutcome::Cards(dealt.iter().rev().copied().collect()), held.row().clone()))
}

/// The cards at the same positions of another fresh deck.
pub(super) fn relabelled(held: &Held<'_>, order: DeckOrder) -> Reread {
    let (dealt, first, shown) = held.cards()?;
    let relabel = |card: &Card| order.card(held.trial.scheme.deck.position(*card)?);
    let is = first.len() == shown.len()
        && first.iter().zip(shown).all(|(dealt, shown)| relabel(dealt) == Some(*shown));
    let cards = is.then(|| dealt.iter().map(relabel).collect::<Option<Vec<_>>>())??;
    Some((DialectOutcome::Cards(cards), held.row().clone()))
}

/// The row with what another row shows, if that differs.
pub(super) fn as_beside(held: &Held<'_>, beside: &Round<'static>) -> Reread {
    let is = match held.outcome {
        DialectOutcome::Multiplier(cents) => beside.result == Some(*cents),
        DialectOutcome::Cards(dealt) => {
            let theirs = beside.cards.as_deref().filter(|cards| !cards.is_empty())?;
            dealt.starts_with(theirs) && held.row().cards.as_deref()? != theirs
        }
    };
    let row = held.row().clone();
    is.then(|| {
        let Round { cards, held: kept, last, result, finer, full, .. } = beside.clone();
        (held.outcome.clone(), Round { cards, held: kept, last, result, finer, full, ..row })
    })
}

/// Some scripts in circulation give 1.00 if the number of 52 bits is a multiple of 33.
pub(super) fn every_33rd(held: &Held<'_>) -> Reread {
    let played = &held.trial.played;
    let read =
        held.result_if(|cents, row| row.result == Some(Cents(100)) && cents != Cents(100))?;
    held.trial.dialect.published?;
    let mut keyed = Keyed::default();
    keyed.set(held.trial.dialect.client_seed(played).ok()?.as_bytes());
    let number = number52(&keyed.digest(&played.game_hash().ok()?));
    number.is_multiple_of(33).then_some(read)
}

/// The row's multiplier plus so many cents.
pub(super) fn cents(row: &Round<'_>, more: i64) -> Option<Cents> {
    row.result?.0.checked_add_signed(more).map(Cents)
}

/// A multiplier with more than two decimals, cut after the second.
pub(super) fn cut(row: &Round<'_>) -> Option<Cents> {
    let text = row.finer.as_deref()?;
    Cents::parse(text.get(..text.find('.')? + 3)?).ok()
}

/// Whether two neighbouring cards changed places and the others are the same.
pub(super) fn is_exchanged(dealt: &[Card], shown: &[Card]) -> bool {
    let mut differ = (0..dealt.len()).filter(|&at| dealt[at] != shown[at]);
    match (differ.next(), differ.next(), differ.next()) {
        (Some(one), Some(two), None) => {
            two == one + 1 && dealt[one] == shown[two] && dealt[two] == shown[one]
        }
        _ => false,
    }
}

pub(super) fn is_reordered(dealt: &[Card], shown: &[Card]) -> bool {
    let sorted = |cards: &[Card]| {
        let mut cards = cards.to_vec();
        cards.sort_unstable();
        cards
    };
    dealt != shown && sorted(dealt) == sorted(shown)
}
