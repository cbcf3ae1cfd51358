//! Duel's games (spec/dialects.md, 19 and 21).

use super::board::{Board, Drawn, PINS, Shows, Size};
use super::stake::{DECK, STAKE};
use super::{
    Column, Committed, CursorCounts, Deals, Dialect, DialectOutcome, Foreign, HexForm, Law,
    Mapping, Multiplier, Play, PlayError, Ranges, Refused, Role, Rotation, Round, Scheme, Walk,
    cards_text, read_hex32, words,
};
use fairdeal::deal::{Card, decode_hex};

/// The scheme of Duel's games of one player.
const SCHEME: Scheme = Scheme {
    committed: Committed::Hash(HexForm::Decoded),
    seed: HexForm::Decoded,
    role: Role::Key,
    cursor: CursorCounts::Draws(0),
    mapping: Mapping::Modulo((1 << 32) - 1),
    walk: Walk::Backward,
    deck: DECK,
};

/// The limit of refused words.
const NEEDLESS: &str = "the limit from which words are refused is computed from 2^32 - 1 and not from 2^32: this \
     biases nothing, but it refuses words needlessly if the range is a power of two";

/// The fields that all of Duel's games share.
const DUEL: Dialect = Dialect {
    also: &[NEEDLESS],
    always_dealt: 0,
    also_reads: &[],
    seed: "64 hex digits, decoded to a key of 32 bytes",
    seed_digits: Some(64),
    scheme: SCHEME,
    ..STAKE
};

pub(super) static VIDEO_POKER: Dialect = Dialect {
    name: "duel-video-poker",
    title: "Duel, video poker",
    covers: "the whole deck of a round; the hand is its first five cards, the replacements the next five",
    also: &[
        NEEDLESS,
        "if all eight words of a digest are refused, about once in 10^63 rounds, the scheme has \
         no answer",
    ],
    source: "ProvablyFair-org/duel-video-poker, data/video-poker-dataset-5400bets.json",
    law: Law::Draws(Ranges::Down { from: 52, to: 2 }),
    always_dealt: 5,
    also_reads: &[Column::Full, Column::Held, Column::Final],
    agrees: replaces_what_is_not_held,
    ..DUEL
};

/// A draw whose words are all refused takes the next cursor, as the sources say.
const NEXT: Refused = Refused::Retried(1);

pub(super) static MINES: Dialect = Dialect {
    name: "duel-mines",
    title: "Duel, mines",
    covers: "the mines, 0 to 24, as a set; the tiles that a player opened are not checked",
    source: "ProvablyFair-org/duel-mines, data/mines-master-6500bets.json",
    law: Law::Draws(Ranges::Down { from: 25, to: 2 }),
    shows: &[Column::Numbers],
    also_reads: &[Column::MineCount],
    deals: Board::deals(Drawn::Of(25, Size::Mines), Shows::Set(0), NEXT),
    ..DUEL
};

pub(super) static BEEF: Dialect = Dialect {
    name: "duel-beef",
    title: "Duel, beef",
    covers: "the points at which a crossing ends, 0 to 19, as a set",
    source: "ProvablyFair-org/duel-beef, data/beef-master-6000bets.json",
    law: Law::Draws(Ranges::Down { from: 20, to: 2 }),
    shows: &[Column::Numbers],
    asks: &[Column::Nonce, Column::Difficulty],
    deals: Board::deals(
        Drawn::Of(20, Size::Named(Column::Difficulty, &[("1", 1), ("2", 3), ("3", 5), ("4", 10)])),
        Shows::Set(0),
        NEXT,
    ),
    ..DUEL
};

pub(super) static DICE: Dialect = Dialect {
    name: "duel-dice",
    title: "Duel, dice",
    covers: "the number of a roll, 0 to 10000; whether the bet is over or under is not checked",
    source: "ProvablyFair-org/duel-dice, data/dice-master-6700bets.json",
    scheme: Scheme { cursor: CursorCounts::Nothing, ..SCHEME },
    law: Law::Draws(Ranges::Each(&[10_001])),
    shows: &[Column::Result],
    deals: Board::deals(
        Drawn::Under(Size::Is(10_001), Size::Is(1)),
        Shows::Result(100),
        Refused::Ends,
    ),
    ..DUEL
};

pub(super) static PLINKO: Dialect = Dialect {
    name: "duel-plinko",
    title: "Duel, plinko",
    covers: "the path of a ball and its slot; what a slot pays is not checked",
    also: &["the sources have rows of pins with 8 rows only"],
    source: "ProvablyFair-org/duel-plinko, data/plinko-master-8100bets.json",
    scheme: Scheme { mapping: Mapping::Remainder, ..SCHEME },
    law: Law::Draws(Ranges::Each(&[2; 16])),
    shows: &[Column::Slot, Column::Path],
    asks: &[Column::Nonce, Column::Rows],
    deals: Board::deals(Drawn::Under(Size::Is(2), PINS), Shows::Path, Refused::Ends),
    ..DUEL
};

/// The fields that the games with a beacon share.
const WITH_BEACON: Dialect = Dialect {
    name: "duel-crash",
    title: "Duel, crash",
    covers: "the multiplier at which a round ends; that the drand value is the beacon's of that round is not checked",
    rotation: Rotation::EachRound,
    last: "the drand network, if the value's round was still to come when the commitment was \
     made; no row shows when that was",
    also: &[LOSSY],
    source: "ProvablyFair-org/duel-crash, data/crash-master-1100rounds.json",
    scheme: Scheme::of_multiplier(Committed::Hash(HexForm::Decoded), HexForm::Decoded, Role::Key),
    law: Law::Multiplier(Multiplier::exact(999, 10, 32)),
    shows: &[Column::Result],
    asks: &[],
    // The nonce is 0 in every round; a row may say otherwise.
    also_reads: &[Column::Nonce],
    deals: Deals::Number(|_, _, digests, round| {
        let [word, ..] = words(&digests.digest(&message(round)?));
        Ok(u64::from(word) + 1)
    }),
    agrees: |round, _| match round.nonce {
        None | Some(0) => Ok(()),
        Some(nonce) => {
            Err(format!("the nonce of this scheme is 0 in every round, the row says {nonce}"))
        }
    },
    ..DUEL
};

pub(super) static CRASH: Dialect = WITH_BEACON;

pub(super) static CASTLE_ROULETTE: Dialect = Dialect {
    name: "duel-castle-roulette",
    title: "Duel, castle roulette",
    covers: "the position, 0 to 47; that the drand value is the beacon's of that round is not checked",
    also: &[
        LOSSY,
        "the game has no house edge, and the first sixteen positions come a little more often: 7.5 in 10^9 in the \
         player's favour",
    ],
    source: "ProvablyFair-org/duel-castle-roulette, data/castle-roulette-master-1350rounds.json",
    scheme: Scheme { mapping: Mapping::Remainder, ..SCHEME },
    law: Law::Draws(Ranges::Each(&[48])),
    also_named: &[("position", Column::Result)],
    deals: Board::deals(Drawn::OfMessage(48, message), Shows::Result(100), Refused::Ends),
    ..WITH_BEACON
};

/// A remark on the message of the games with a beacon.
const LOSSY: &str = "the drand value's bytes are read as text, and bytes that are not UTF-8 are lost: \
         different drand values can give the same message";

/// A drand signature.
const DRAND_BYTES: usize = 48;

/// What drand publishes beside its signature.
const RANDOMNESS: &str = "64, which may be drand's randomness; this scheme takes drand's signature";

/// The message of a round with a beacon.
pub(super) fn message(round: &Round<'_>) -> Result<Vec<u8>, PlayError> {
    let drand = round.client_seed()?;
    let mut bytes = [0; DRAND_BYTES];
    decode_hex(drand.as_bytes(), &mut bytes).ok_or_else(|| match read_hex32(drand) {
        Some(_) => PlayError::wrong(Column::ClientSeed, "96 hex digits", RANDOMNESS),
        None => PlayError::wrong_hex(Column::ClientSeed, 2 * DRAND_BYTES, drand),
    })?;
    Ok(lossy(&bytes))
}

/// The bytes read as UTF-8, each maximal invalid part replaced by U+FFFD; then `:0`.
fn lossy(bytes: &[u8]) -> Vec<u8> {
    let replacement = "\u{fffd}".as_bytes();
    let (mut message, mut rest) = (Vec::with_capacity(192), bytes);
    while let [first, after @ ..] = rest {
        match rest {
            [0..=0x7f, ..] => message.push(*first),
            // This byte may begin a character: the standard library says how much of it is valid.
            [0xc2..=0xf4, 0x80..=0xbf, ..] => {
                let Some(chunk) = rest.utf8_chunks().next() else { break };
                let invalid = if chunk.invalid().is_empty() { &[] } else { replacement };
                message.extend_from_slice(chunk.valid().as_bytes());
                message.extend_from_slice(invalid);
                rest = &rest[chunk.valid().len() + chunk.invalid().len()..];
                continue;
            }
            // This byte cannot begin a character: the common case among bytes that are not ASCII.
            _ => message.extend_from_slice(replacement),
        }
        rest = after;
    }
    message.extend_from_slice(b":0");
    message
}

/// Held cards stay where they are; each other place takes the next card after the hand.
fn replaces_what_is_not_held(round: &Round<'_>, play: Play<'_>) -> Result<(), String> {
    if round.held.is_none() && round.last.is_none() {
        return Ok(());
    }
    let Ok(DialectOutcome::Cards(deck)) = play(10) else { return Ok(()) };
    let (hand, pool) = deck.split_at_checked(5).unwrap_or((&deck, &[]));
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
