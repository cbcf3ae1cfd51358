//! `duel-video-poker`: a backward shuffle of 52 cards, a digest a swap (spec/dialects.md).

use super::about::{About, Rotation};
use super::card::{Foreign, cards_text};
use super::digests::Digests;
use super::law::{Law, Ranges};
use super::play::{Outcome, PlayError};
use super::round::{Column, Round};
use super::scheme::{Committed, Counts, Cursor, Form, Mapping, Role, Scheme, Walk};
use super::walks::{self, Refused};
use super::{Dialect, stake_video_poker as stake};
use crate::deal::Card;

/// Cards of a hand; what replaces them comes after.
const HAND: usize = 5;

/// Duel's video poker.
#[derive(Debug)]
pub(super) struct DuelVideoPoker;

impl Dialect for DuelVideoPoker {
    fn name(&self) -> &'static str {
        "duel-video-poker"
    }

    fn about(&self) -> &'static About {
        &About {
            title: "Duel, video poker",
            covers: "the whole deck of a round; the hand is its first five cards, the replacements the next five",
            seed: "64 hex digits, decoded to a key of 32 bytes",
            rotation: Rotation::AtWill,
            last: stake::LAST,
            also: &[
                "words are refused from a limit that is taken from 2^32 - 1 and not from 2^32: nothing is biased, but for \
                 ranges that are powers of two words are refused for nothing",
                "where all eight words of a digest are refused, about once in 10^63 rounds, the scheme has no answer",
            ],
            source: "ProvablyFair-org/duel-video-poker, data/video-poker-dataset-5400bets.json",
        }
    }

    fn scheme(&self) -> Scheme {
        Scheme {
            committed: Committed::Hash(Form::Decoded),
            seed: Form::Decoded,
            role: Role::Key,
            cursor: Cursor { counts: Counts::Draws, from: 0 },
            mapping: Mapping::Modulo((1 << 32) - 1),
            walk: Walk::Backward,
            deck: stake::DECK,
        }
    }

    fn law(&self) -> Law {
        Law::Draws(Ranges::Down { from: 52, to: 2 })
    }

    fn seed_digits(&self) -> Option<usize> {
        Some(64)
    }

    fn reads(&self, column: Column) -> bool {
        stake::StakeVideoPoker.reads(column) || matches!(column, Column::Held | Column::Final)
    }

    fn play(
        &self,
        scheme: &Scheme,
        digests: &mut dyn Digests,
        round: &Round<'_>,
        want: usize,
    ) -> Result<Outcome, PlayError> {
        walks::cards(scheme, 52, Refused::Ends, digests, round, want)
    }

    /// Held cards stay where they are; each other place takes the next card after the hand.
    fn agrees(
        &self,
        round: &Round<'_>,
        outcome: &mut dyn FnMut(usize) -> Result<Outcome, PlayError>,
    ) -> Result<(), String> {
        let (Some(held), Some(last)) = (&round.held, &round.last) else { return Ok(()) };
        let Ok(Outcome::Cards(deck)) = outcome(2 * HAND) else { return Ok(()) };
        let (hand, pool) = deck.split_at_checked(HAND).unwrap_or((&deck, &[]));
        if let Some(stray) = held.iter().find(|card| !hand.contains(card)) {
            return Err(format!("held: {} is not in the hand {}", Foreign(*stray), cards_text(hand)));
        }
        let mut pool = pool.iter();
        let replaced = |card: &Card| if held.contains(card) { Some(*card) } else { pool.next().copied() };
        let expected: Vec<Card> = hand.iter().filter_map(replaced).collect();
        if expected == *last {
            return Ok(());
        }
        Err(format!("the hand becomes {}, the row says {}", cards_text(&expected), cards_text(last)))
    }
}
