//! LIQD's games (spec/dialects.md, 20).

use super::board::{Board, Drawn, PINS, Shows, Size};
use super::stake::STAKE;
use super::{
    Ace, Column, Committed, CursorCounts, Deals, DeckOrder, Dialect, HexForm, Inner, Law, Mapping,
    Ranges, Refused, Role, Scheme, SuitOrder, Walk,
};

/// Eight decks of 52.
const SHOE: u32 = 416;

/// A draw whose words are all refused takes a cursor that is so much greater.
const AGAIN: Refused = Refused::Retried(1_000_000);

const SCHEME: Scheme = Scheme {
    committed: Committed::Hash(HexForm::Text),
    seed: HexForm::Decoded,
    role: Role::Key,
    cursor: CursorCounts::Draws(0),
    mapping: Mapping::Modulo(1 << 32),
    walk: Walk::Forward,
    deck: DeckOrder { suits: SuitOrder(*b"chsd"), inner: Inner::Rank, ace: Ace::Low },
};

/// The fields that all of LIQD's games share.
const LIQD: Dialect = Dialect {
    seed: "32 hex digits, decoded to a key of 16 bytes",
    also: &[
        "the key is the decoded seed, and the commitment is of its text: the seed in upper case \
         deals the same cards and does not open the commitment",
    ],
    seed_digits: Some(32),
    scheme: SCHEME,
    always_dealt: 0,
    also_reads: &[],
    ..STAKE
};

pub(super) static BLACKJACK: Dialect = Dialect {
    name: "liqd-blackjack",
    title: "LIQD, blackjack",
    covers: "the order of the shoe; who takes which card after the first four is the table's rule and is not checked",
    source: "ProvablyFair-org/liqd-blackjack, data/blackjack-6000hands.json",
    scheme: Scheme { cursor: CursorCounts::Positions, walk: Walk::Backward, ..SCHEME },
    law: Law::Draws(Ranges::Down { from: SHOE, to: 2 }),
    // Two of the player's, two of the dealer's.
    always_dealt: 4,
    also_reads: &[Column::Full],
    deals: Deals::Walk { items: SHOE, refused: AGAIN },
    ..LIQD
};

pub(super) static DICE: Dialect = Dialect {
    name: "liqd-dice",
    title: "LIQD, dice",
    covers: "the number of a roll, 0.00 to 99.99; which numbers win is not checked",
    source: "ProvablyFair-org/liqd-dice, evidence/E13-verify-endpoint-boundary-probes.json",
    law: Law::Draws(Ranges::Each(&[10_000])),
    shows: &[Column::Result],
    also_named: &[("roll", Column::Result)],
    deals: Board::deals(Drawn::Under(Size::Is(10_000), Size::Is(1)), Shows::Result(1), AGAIN),
    ..LIQD
};

pub(super) static PLINKO: Dialect = Dialect {
    name: "liqd-plinko",
    title: "LIQD, plinko",
    covers: "the path of a ball and its slot; what a slot pays is not checked",
    source: "ProvablyFair-org/liqd-plinko, data/plinko-master-10100bets.json",
    scheme: Scheme { cursor: CursorCounts::Draws(1), ..SCHEME },
    law: Law::Draws(Ranges::Each(&[2; 16])),
    shows: &[Column::Slot, Column::Path],
    asks: &[Column::Nonce, Column::Rows],
    deals: Board::deals(Drawn::Under(Size::Is(2), PINS), Shows::Path, AGAIN),
    ..LIQD
};

pub(super) static MINES: Dialect = Dialect {
    name: "liqd-mines",
    title: "LIQD, mines",
    covers: "the mines, 1 to 25, in the order in which they are drawn; the tiles that a player opened are not checked",
    source: "ProvablyFair-org/liqd-mines, data/mines-master-6900bets.json",
    law: Law::Draws(Ranges::Down { from: 25, to: 2 }),
    shows: &[Column::Numbers],
    also_reads: &[Column::MineCount],
    deals: Board::deals(Drawn::Of(25, Size::Mines), Shows::Order(1), AGAIN),
    ..LIQD
};
