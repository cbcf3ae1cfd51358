//! `duel-video-poker`: a backward shuffle of 52 cards, a digest a swap (spec/dialects.md).

use super::{
    Column, Committed, CursorCounts, Dialect, DialectOutcome, Foreign, HexForm, Law, Mapping, Play,
    Ranges, Role, Round, Scheme, Walk, cards_text, stake_video_poker as stake,
};
use fairdeal::deal::Card;

/// Cards of a hand; the replacements follow.
const HAND: usize = 5;

/// Duel's video poker.
pub(super) static DUEL_VIDEO_POKER: Dialect = Dialect {
    name: "duel-video-poker",
    title: "Duel, video poker",
    covers: "the whole deck of a round; the hand is its first five cards, the replacements the next five",
    seed: "64 hex digits, decoded to a key of 32 bytes",
    also: &[
        "the limit from which words are refused is computed from 2^32 - 1 and not from 2^32: this \
         biases nothing, but it refuses words needlessly if the range is a power of two",
        "if all eight words of a digest are refused, about once in 10^63 rounds, the scheme has \
         no answer",
    ],
    source: "ProvablyFair-org/duel-video-poker, data/video-poker-dataset-5400bets.json",
    seed_digits: Some(64),
    scheme: Scheme {
        committed: Committed::Hash(HexForm::Decoded),
        seed: HexForm::Decoded,
        role: Role::Key,
        cursor: CursorCounts::Draws,
        mapping: Mapping::Modulo((1 << 32) - 1),
        walk: Walk::Backward,
        deck: stake::DECK,
    },
    law: Law::Draws(Ranges::Down { from: 52, to: 2 }),
    also_reads: &[Column::Held, Column::Final],
    agrees: replaces_what_is_not_held,
    ..stake::STAKE_VIDEO_POKER
};

/// Held cards stay where they are; each other place takes the next card after the hand.
fn replaces_what_is_not_held(round: &Round<'_>, play: Play<'_>) -> Result<(), String> {
    if round.held.is_none() && round.last.is_none() {
        return Ok(());
    }
    let Ok(DialectOutcome::Cards(deck)) = play(2 * HAND) else { return Ok(()) };
    let (hand, pool) = deck.split_at_checked(HAND).unwrap_or((&deck, &[]));
    let stayed = |last: &Vec<Card>| {
        last.iter().zip(hand).filter(|(card, dealt)| card == dealt).map(|(card, _)| *card).collect()
    };
    let held = round.held.clone().or_else(|| round.last.as_ref().map(stayed)).unwrap_or_default();
    if let Some(stray) = held.iter().find(|card| !hand.contains(card)) {
        return Err(format!("held: {} is not in the hand {}", Foreign(*stray), cards_text(hand)));
    }
    let Some(last) = &round.last else { return Ok(()) };
    let mut pool = pool.iter();
    let replaced =
        |card: &Card| if held.contains(card) { Some(*card) } else { pool.next().copied() };
    let expected: Vec<Card> = hand.iter().filter_map(replaced).collect();
    if expected == *last {
        return Ok(());
    }
    Err(format!("the hand becomes {}, the row says {}", cards_text(&expected), cards_text(last)))
}
