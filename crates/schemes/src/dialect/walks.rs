//! From digests to positions of a fresh deck: the walks that schemes share.

use super::{
    CursorCounts, DialectOutcome, Digests, Message, PlayError, Round, Scheme, Walk, words,
};
use fairdeal_audit::stats::number::{index, item};

/// The rule for a draw of which all eight words are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// The scheme has no rule.
    Ends,
    /// The draw is repeated with a cursor that is so much greater.
    Retried(u64),
}

/// A draw is given up after so many digests, so that no input loops for ever. No seed reaches this.
const MOST_RETRIES: u32 = 1_000;

/// The cards of a round, dealt from a fresh deck of `items` by messages `client:nonce:cursor`. A
/// shuffle gives all of them; other walks give `want`, or all if there are fewer.
pub(super) fn cards(
    scheme: &Scheme,
    items: u32,
    refused: Refused,
    digests: &mut dyn Digests,
    round: &Round<'_>,
    want: usize,
) -> Result<DialectOutcome, PlayError> {
    let message = Message::of(round.client_seed()?, round.nonce()?);
    let mut deck: Vec<u32> = (0..items).collect();
    let mut source = Draws { scheme, message, digests, refused, next: 0, left: [0; 8], used: 8 };
    let dealt = match scheme.walk {
        Walk::Backward => {
            for (step, place) in (1..items).rev().enumerate() {
                let drawn = source.draw(place + 1, item(step), place)?;
                deck.swap(index(place), index(drawn));
            }
            deck
        }
        Walk::Remove | Walk::Replace => {
            let mut dealt = Vec::with_capacity(want.min(512));
            for step in 0..u32::try_from(want).unwrap_or(u32::MAX) {
                let range = u32::try_from(deck.len()).unwrap_or(items);
                if range == 0 {
                    break;
                }
                let drawn = source.draw(range, step, step)?;
                dealt.push(if scheme.walk == Walk::Replace {
                    drawn
                } else {
                    deck.remove(index(drawn))
                });
            }
            dealt
        }
    };
    Ok(DialectOutcome::Cards(
        dealt.into_iter().filter_map(|position| scheme.deck.card(position)).collect(),
    ))
}

/// A stream of draws.
struct Draws<'d> {
    scheme: &'d Scheme,
    message: Message,
    digests: &'d mut dyn Digests,
    refused: Refused,
    /// Digests so far.
    next: u64,
    /// The words of the last one, and how many are used.
    left: [u32; 8],
    used: usize,
}

impl Draws<'_> {
    fn draw(&mut self, range: u32, step: u32, place: u32) -> Result<u32, PlayError> {
        match self.scheme.cursor {
            CursorCounts::Digests => self.word(range),
            CursorCounts::Draws => self.digest(range, step),
            CursorCounts::Positions => self.digest(range, place),
        }
    }

    /// A draw by the next word that is not refused.
    fn word(&mut self, range: u32) -> Result<u32, PlayError> {
        let mut cursor = 0;
        for _ in 0..MOST_RETRIES {
            for word in self.left.iter().skip(self.used) {
                self.used += 1;
                if let Some(drawn) = self.scheme.mapping.settle(*word, range) {
                    return Ok(drawn);
                }
            }
            cursor = self.next;
            self.left = words(&self.digests.digest(self.message.at(cursor)));
            (self.next, self.used) = (self.next + 1, 0);
        }
        Err(PlayError::Refused { range, cursor })
    }

    /// A draw by the first word of a digest that is not refused.
    fn digest(&mut self, range: u32, counted: u32) -> Result<u32, PlayError> {
        let mut at = u64::from(counted);
        for _ in 0..MOST_RETRIES {
            let digest = self.digests.digest(self.message.at(at));
            let settled =
                words(&digest).into_iter().find_map(|word| self.scheme.mapping.settle(word, range));
            match (settled, self.refused) {
                (Some(value), _) => return Ok(value),
                (None, Refused::Ends) => break,
                (None, Refused::Retried(more)) => at += more,
            }
        }
        Err(PlayError::Refused { range, cursor: at })
    }
}
