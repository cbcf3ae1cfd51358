//! An outcome held against what a row shows, which may be shown otherwise than it came out.

use std::borrow::Cow;

use super::change::{Change, Off};
use super::near::Case;
use super::trial::Trial;
use crate::deal::Card;
use crate::dialect::card::DeckOrder;
use crate::dialect::cents::Cents;
use crate::dialect::check;
use crate::dialect::digests::{Digests, Keyed, words};
use crate::dialect::play::Outcome;
use crate::dialect::round::{Round, read_hex32};
use crate::stats::number::item;

/// What a bust at 1.00 shows.
const LEAST: Cents = Cents(100);

/// Whether a row shows this outcome, and states nothing that goes against it, once what it shows is read otherwise.
pub(super) fn shows(case: &Case, trial: &Trial<'_>, outcome: &Outcome, change: Option<Change>) -> bool {
    let Some((outcome, shown)) = read(case, trial, outcome, change) else { return false };
    let mut round = shown.into_owned();
    round.server_seed.clone_from(&trial.played.server_seed);
    round.client_seed.clone_from(&trial.played.client_seed);
    round.nonce = trial.played.nonce;
    round.method.clone_from(&trial.played.method);
    check::settles(trial.dialect, &outcome, &round, &mut |_| Ok(outcome.clone().into_owned())).is_ok()
}

/// The outcome and the row as they are read under a change, where the one follows from the other at first sight.
fn read<'r>(
    case: &'r Case,
    trial: &Trial<'_>,
    outcome: &'r Outcome,
    change: Option<Change>,
) -> Option<(Cow<'r, Outcome>, Cow<'r, Round<'r>>)> {
    let row: &'r Round<'r> = &case.round;
    let as_it_is = (Cow::Borrowed(outcome), Cow::Borrowed(row));
    match outcome {
        Outcome::Multiplier(cents) => {
            let stated = row.result;
            let instead = |is: bool| {
                let result = Some(*cents);
                is.then(|| (as_it_is.0.clone(), Cow::Owned(Round { result, finer: None, ..row.clone() })))
            };
            match change {
                None => (stated == Some(*cents)).then(|| as_it_is.clone()),
                Some(Change::Cent(Off::More)) => {
                    instead(stated.is_some() && stated == neighbour(*cents, Off::More))
                }
                Some(Change::Cent(Off::Less)) => {
                    instead(stated.is_some() && stated == neighbour(*cents, Off::Less))
                }
                Some(Change::Cut) => instead(cut(row) == Some(*cents)),
                Some(Change::Every33) => {
                    instead(stated == Some(LEAST) && *cents != LEAST && is_every_33rd(trial)?)
                }
                Some(Change::Shown(place)) => {
                    let beside = case.beside(place)?;
                    (beside.result == Some(*cents)).then(|| (as_it_is.0.clone(), instead_of(row, beside)))
                }
                _ => None,
            }
        }
        Outcome::Cards(dealt) => {
            let shown = row.cards.as_deref()?;
            let first = dealt.get(..shown.len());
            let instead = |is: bool| {
                let cards = first.map(<[Card]>::to_vec);
                is.then(|| (as_it_is.0.clone(), Cow::Owned(Round { cards, ..row.clone() })))
            };
            match change {
                None => (first? == shown).then(|| as_it_is.clone()),
                Some(Change::NotWhole) => {
                    let partial = Cow::Owned(Round { full: None, ..row.clone() });
                    (row.full == Some(true) && first? == shown).then_some((as_it_is.0.clone(), partial))
                }
                Some(Change::Surplus) => {
                    let all = Cow::Owned(Round { cards: Some(dealt.clone()), ..row.clone() });
                    let is = shown.len() > dealt.len() && shown.starts_with(dealt) && !dealt.is_empty();
                    let whole = Some(item(dealt.len())) == trial.dialect.deck_items(row);
                    (is && whole).then_some((as_it_is.0.clone(), all))
                }
                Some(Change::Deck(order)) => {
                    let is = first?.iter().zip(shown).all(|(dealt, shown)| {
                        relabelled(*dealt, trial.scheme.deck, order).as_ref() == Some(shown)
                    });
                    let one = |card: &Card| relabelled(*card, trial.scheme.deck, order);
                    is.then(|| {
                        Some((
                            Cow::Owned(Outcome::Cards(dealt.iter().map(one).collect::<Option<_>>()?)),
                            as_it_is.1.clone(),
                        ))
                    })?
                }
                Some(Change::Exchanged) => instead(is_exchanged(first?, shown)),
                Some(Change::Reversed) => instead(first? != shown && shown.iter().rev().eq(first?.iter())),
                Some(Change::Reordered) => instead(is_reordered(first?, shown)),
                Some(Change::FromEnd) => {
                    let items = trial.dialect.deck_items(row)?;
                    let whole =
                        item(dealt.len()) == items && dealt.iter().rev().zip(shown).all(|(a, b)| a == b);
                    let turned = || Outcome::Cards(dealt.iter().rev().copied().collect());
                    whole.then(|| (Cow::Owned(turned()), as_it_is.1.clone()))
                }
                Some(Change::Shown(place)) => {
                    let beside = case.beside(place)?;
                    let theirs = beside.cards.as_deref().filter(|cards| !cards.is_empty())?;
                    let is = dealt.starts_with(theirs) && shown != theirs;
                    is.then(|| (as_it_is.0.clone(), instead_of(row, beside)))
                }
                _ => None,
            }
        }
    }
}

/// The multiplier that is one cent more or less.
fn neighbour(cents: Cents, off: Off) -> Option<Cents> {
    match off {
        Off::More => cents.0.checked_add(1),
        Off::Less => cents.0.checked_sub(1),
    }
    .map(Cents)
}

/// A multiplier with more decimals than two, without the rest.
pub(super) fn cut(row: &Round<'_>) -> Option<Cents> {
    let text = row.finer.as_deref()?;
    let kept = text.find('.')?.checked_add(3)?;
    Cents::parse(text.get(..kept)?).ok()
}

/// The row with what another one shows.
fn instead_of<'r>(row: &Round<'r>, beside: &Round<'r>) -> Cow<'r, Round<'r>> {
    let mut round = row.clone();
    round.cards.clone_from(&beside.cards);
    round.held.clone_from(&beside.held);
    round.last.clone_from(&beside.last);
    (round.result, round.full) = (beside.result, beside.full);
    round.finer.clone_from(&beside.finer);
    Cow::Owned(round)
}

/// The card that the position of this one has in a deck of another order.
fn relabelled(card: Card, from: DeckOrder, to: DeckOrder) -> Option<Card> {
    to.card(from.position(card)?)
}

/// Whether two neighbouring cards have changed places and all else is the same.
fn is_exchanged(dealt: &[Card], shown: &[Card]) -> bool {
    let Some(at) = dealt.iter().zip(shown).position(|(a, b)| a != b) else { return false };
    match (dealt.get(at..), shown.get(at..)) {
        (Some([a, b, rest @ ..]), Some([c, d, others @ ..])) => a == d && b == c && rest == others,
        _ => false,
    }
}

fn is_reordered(dealt: &[Card], shown: &[Card]) -> bool {
    let sorted = |cards: &[Card]| {
        let mut cards = cards.to_vec();
        cards.sort_unstable();
        cards
    };
    dealt != shown && sorted(dealt) == sorted(shown)
}

/// Scripts in circulation let a game bust at 1.00 where its 52 bits are a multiple of 33.
fn is_every_33rd(trial: &Trial<'_>) -> Option<bool> {
    trial.dialect.published()?;
    let mut keyed = Keyed::default();
    keyed.set(trial.dialect.client_seed(&trial.played).ok()?.as_bytes());
    let [high, low, ..] = words(&keyed.digest(&read_hex32(trial.played.server_seed.as_deref()?)?));
    Some(((u64::from(high) << 32 | u64::from(low)) >> 12).is_multiple_of(33))
}
