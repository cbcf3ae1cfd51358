//! From digests to positions of a fresh deck: the walks that schemes share.

use super::digests::{Digests, Message, words};
use super::play::PlayError;
use super::scheme::{Counts, Scheme, Walk};

/// Whether a draw whose eight words are all refused is made again with another cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// The scheme has no answer.
    Ends,
    /// With a cursor that is so much greater, as often as it takes.
    Retried(u64),
}

/// Draws before a retry is given up: beyond what any seed reaches, so that no input loops for ever.
const MOST_RETRIES: u32 = 1_000;

/// A fresh deck of `items`, shuffled with one digest a position: the positions in deal order.
///
/// # Errors
/// [`PlayError::Refused`] where eight words are and the scheme has no answer.
pub(super) fn shuffle(
    scheme: &Scheme,
    items: u32,
    message: &mut Message,
    digests: &mut dyn Digests,
    refused: Refused,
) -> Result<Vec<u32>, PlayError> {
    let mut deck: Vec<u32> = (0..items).collect();
    let last = items.saturating_sub(1);
    for step in 0..last {
        let (place, range) = match scheme.walk {
            Walk::Forward => (step, items.saturating_sub(step)),
            _ => (last.saturating_sub(step), items.saturating_sub(step)),
        };
        let counted = match scheme.cursor.counts {
            Counts::Digests => step,
            Counts::Positions => place,
        };
        let cursor = scheme.cursor.from.saturating_add(u64::from(counted));
        let drawn = draw(scheme, range, cursor, message, digests, refused)?;
        let with = if scheme.walk == Walk::Forward { place.saturating_add(drawn) } else { drawn };
        deck.swap(usize_of(place), usize_of(with));
    }
    Ok(deck)
}

fn draw(
    scheme: &Scheme,
    range: u32,
    cursor: u64,
    message: &mut Message,
    digests: &mut dyn Digests,
    refused: Refused,
) -> Result<u32, PlayError> {
    let mut at = cursor;
    for _ in 0..MOST_RETRIES {
        let digest = digests.digest(message.at(at));
        let settled = words(&digest).into_iter().find_map(|word| scheme.mapping.settle(word, range));
        match (settled, refused) {
            (Some(value), _) => return Ok(value),
            (None, Refused::Ends) => break,
            (None, Refused::Retried(more)) => at = at.saturating_add(more),
        }
    }
    Err(PlayError::Refused { range, cursor: at })
}

/// Cards drawn one by one from a fresh deck of 52 with a word each, eight words a digest: `want` positions, fewer where
/// the deck ends before.
pub(super) fn stream(
    scheme: &Scheme,
    want: usize,
    message: &mut Message,
    digests: &mut dyn Digests,
) -> Vec<u32> {
    let mut deck: Vec<u32> = (0..52).collect();
    let mut dealt = Vec::with_capacity(want.min(64));
    let mut cursor = scheme.cursor.from;
    while dealt.len() < want && !deck.is_empty() {
        let digest = digests.digest(message.at(cursor));
        cursor = cursor.saturating_add(1);
        for word in words(&digest) {
            let range = u32::try_from(deck.len()).unwrap_or(52);
            if dealt.len() == want || range == 0 {
                break;
            }
            // A multiplication refuses no word; what a reduction would refuse is passed over.
            let Some(drawn) = scheme.mapping.settle(word, range) else { continue };
            let at = usize_of(drawn);
            dealt.push(match scheme.walk {
                Walk::Replace => drawn,
                Walk::Fill => deck.swap_remove(at),
                _ => deck.remove(at),
            });
        }
    }
    dealt
}

fn usize_of(position: u32) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}
