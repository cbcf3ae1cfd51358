//! `stake-replace`: games in which every card comes from a full deck, with repeats
//! (spec/dialects.md).

use super::{Dialect, Law, Ranges, Scheme, Walk, stake_video_poker as stake};

/// Stake's blackjack, hi-lo and baccarat.
pub(super) static STAKE_REPLACE: Dialect = Dialect {
    name: "stake-replace",
    title: "Stake, blackjack, hi-lo and baccarat",
    covers: "the stream of cards: blackjack deals it to player, player, dealer, dealer and on, baccarat to player, \
             player, banker, banker and up to two more",
    also: &[
        stake::UNSEEN,
        "every card comes from a full deck, so one card may come twice in a row: no shoe is dealt down",
    ],
    source: "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/{blackjack,hilo,baccarat}.json",
    scheme: Scheme { walk: Walk::Replace, ..stake::SCHEME },
    law: Law::Draws(Ranges::Same(52)),
    // Two of the player's, two of the dealer's.
    always_dealt: 4,
    ..stake::STAKE_VIDEO_POKER
};
