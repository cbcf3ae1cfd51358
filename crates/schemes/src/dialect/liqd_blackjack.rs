//! `liqd-blackjack`: eight decks shuffled backward, a digest a swap, again if refused
//! (spec/dialects.md).

use super::{
    Ace, Committed, CursorCounts, Deals, DeckOrder, Dialect, HexForm, Inner, Law, Mapping, Ranges,
    Refused, Role, Scheme, SuitOrder, Walk, stake_video_poker as stake,
};

/// Eight decks of 52.
const SHOE: u32 = 416;

/// LIQD's blackjack.
pub(super) static LIQD_BLACKJACK: Dialect = Dialect {
    name: "liqd-blackjack",
    title: "LIQD, blackjack",
    covers: "the order of the shoe; who takes which card after the first four is the table's rule and is not checked",
    seed: "32 hex digits, decoded to a key of 16 bytes",
    also: &[
        "the key is the decoded seed, and the commitment is of its text: the seed in upper case \
         deals the same cards and does not open the commitment",
    ],
    source: "ProvablyFair-org/liqd-blackjack, data/blackjack-6000hands.json",
    seed_digits: Some(32),
    scheme: Scheme {
        committed: Committed::Hash(HexForm::Text),
        seed: HexForm::Decoded,
        role: Role::Key,
        cursor: CursorCounts::Positions,
        mapping: Mapping::Modulo(1 << 32),
        walk: Walk::Backward,
        deck: DeckOrder { suits: SuitOrder(*b"chsd"), inner: Inner::Rank, ace: Ace::Low },
    },
    law: Law::Draws(Ranges::Down { from: SHOE, to: 2 }),
    // Two of the player's, two of the dealer's.
    always_dealt: 4,
    deals: Deals::Walk { items: SHOE, refused: Refused::Retried(1_000_000) },
    ..stake::STAKE_VIDEO_POKER
};
