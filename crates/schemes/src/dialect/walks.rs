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
    let mut source = Draws::new(scheme, message, digests, refused);
    let dealt = order(scheme.walk, items, want, &mut source)?;
    Ok(DialectOutcome::Cards(
        dealt.into_iter().filter_map(|position| scheme.deck.card(position)).collect(),
    ))
}

/// Places of `items` items in the order of a walk: all of them of a shuffle, else `want`, or all if
/// there are fewer.
pub(super) fn order(
    walk: Walk,
    items: u32,
    want: usize,
    source: &mut Draws<'_>,
) -> Result<Vec<u32>, PlayError> {
    let mut all: Vec<u32> = (0..items).collect();
    match walk {
        Walk::Backward => {
            for (step, place) in (1..items).rev().enumerate() {
                let drawn = source.draw(place + 1, item(step), place)?;
                all.swap(index(place), index(drawn));
            }
            Ok(all)
        }
        Walk::Forward => {
            for place in 0..items {
                let drawn = source.draw(items - place, place, place)?;
                all.swap(index(place), index(place + drawn));
            }
            Ok(all)
        }
        Walk::Remove | Walk::Replace => {
            let mut dealt = Vec::with_capacity(want.min(512));
            for step in 0..u32::try_from(want).unwrap_or(u32::MAX) {
                let range = u32::try_from(all.len()).unwrap_or(items);
                if range == 0 {
                    break;
                }
                let drawn = source.draw(range, step, step)?;
                let is_kept = walk == Walk::Replace;
                dealt.push(if is_kept { drawn } else { all.remove(index(drawn)) });
            }
            Ok(dealt)
        }
    }
}

/// A stream of draws.
pub(super) struct Draws<'d> {
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

impl<'d> Draws<'d> {
    pub(super) fn new(
        scheme: &'d Scheme,
        message: Message,
        digests: &'d mut dyn Digests,
        refused: Refused,
    ) -> Self {
        Self { scheme, message, digests, refused, next: 0, left: [0; 8], used: 8 }
    }

    /// A number below `range`: the draw of this step, which settles this place.
    pub(super) fn draw(&mut self, range: u32, step: u32, place: u32) -> Result<u32, PlayError> {
        match self.scheme.cursor {
            CursorCounts::Digests => self.word(range),
            CursorCounts::Draws(first) => self.digest(range, first + u64::from(step)),
            CursorCounts::Positions => self.digest(range, u64::from(place)),
            CursorCounts::Nothing => {
                let digest = self.digests.digest(self.message.without_cursor());
                self.settled(&digest, range).ok_or(PlayError::Refused { range, cursor: 0 })
            }
        }
    }

    /// The next word.
    pub(super) fn raw(&mut self) -> u32 {
        if self.used == self.left.len() {
            self.left = words(&self.digests.digest(self.message.at(self.next)));
            (self.next, self.used) = (self.next + 1, 0);
        }
        self.used += 1;
        self.left[self.used - 1]
    }

    /// A draw by the next word that is not refused.
    fn word(&mut self, range: u32) -> Result<u32, PlayError> {
        for _ in 0..8 * MOST_RETRIES {
            let word = self.raw();
            if let Some(drawn) = self.scheme.mapping.settle(word, range) {
                return Ok(drawn);
            }
        }
        Err(PlayError::Refused { range, cursor: self.next - 1 })
    }

    /// The number of the first word of a digest that is not refused.
    fn settled(&self, digest: &[u8; 32], range: u32) -> Option<u32> {
        words(digest).into_iter().find_map(|word| self.scheme.mapping.settle(word, range))
    }

    /// A draw by the first word of a digest that is not refused.
    fn digest(&mut self, range: u32, counted: u64) -> Result<u32, PlayError> {
        let mut at = counted;
        for _ in 0..MOST_RETRIES {
            let digest = self.digests.digest(self.message.at(at));
            match (self.settled(&digest, range), self.refused) {
                (Some(value), _) => return Ok(value),
                (None, Refused::Ends) => break,
                (None, Refused::Retried(more)) => at += more,
            }
        }
        Err(PlayError::Refused { range, cursor: at })
    }
}
