//! `stake-video-poker`: cards taken out of a deck of 52, one word each, none refused
//! (spec/dialects.md).

use super::{
    Ace, Committed, CursorCounts, Deals, DeckOrder, Dialect, HexForm, Inner, Law, Mapping, Ranges,
    Refused, Role, Rotation, Scheme, SuitOrder, Walk,
};

/// 2D 2H 2S 2C 3D … AC.
pub(super) const DECK: DeckOrder =
    DeckOrder { suits: SuitOrder(*b"dhsc"), inner: Inner::Suit, ace: Ace::High };

/// The scheme of Stake's card games.
pub(super) const SCHEME: Scheme = Scheme {
    committed: Committed::Hash(HexForm::Text),
    seed: HexForm::Text,
    role: Role::Key,
    cursor: CursorCounts::Digests,
    mapping: Mapping::Multiply,
    walk: Walk::Remove,
    deck: DECK,
};

/// A remark on commitments: no row of the sources shows one.
pub(super) const UNSEEN: &str = "the sources show no commitments: that a commitment is the hash \
 of the seed's text is the operator's statement, and no row tests it";

/// Stake's video poker.
pub(super) const STAKE_VIDEO_POKER: Dialect = Dialect {
    name: "stake-video-poker",
    title: "Stake, video poker",
    covers: "the ten cards of a round: five of the hand, five replacements",
    seed: "a text, which is the key; the scheme fixes no length; the seeds of the sources have 32 \
     hex digits, which is 128 bits at most",
    rotation: Rotation::AtWill,
    last: "the player, who may change the client seed after seeing the commitment; but the \
     operator knows the server seed from the start, and knows each result as soon as it knows the \
     client seed",
    also: &[UNSEEN],
    source: "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/videopoker.json",
    seed_digits: None,
    scheme: SCHEME,
    // Ten cards: five of the hand, five replacements.
    law: Law::Draws(Ranges::Down { from: 52, to: 43 }),
    always_dealt: 5,
    published: None,
    also_reads: &[],
    deals: Deals::Walk { items: 52, refused: Refused::Ends },
    agrees: |_, _| Ok(()),
};
