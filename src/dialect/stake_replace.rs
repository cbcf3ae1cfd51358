//! `stake-replace`: blackjack, hi-lo and baccarat, every card from a full deck, with repeats (spec/dialects.md).

use super::about::{About, Rotation};
use super::digests::Digests;
use super::law::{Law, Ranges};
use super::play::{Outcome, PlayError};
use super::round::Round;
use super::scheme::{Scheme, Walk};
use super::walks::{self, Refused};
use super::{Dialect, stake_video_poker as stake};

/// Stake's blackjack, hi-lo and baccarat.
#[derive(Debug)]
pub(super) struct StakeReplace;

impl Dialect for StakeReplace {
    fn name(&self) -> &'static str {
        "stake-replace"
    }

    fn about(&self) -> &'static About {
        &About {
            title: "Stake, blackjack, hi-lo and baccarat",
            covers: "the stream of cards: blackjack deals it to player, player, dealer, dealer and on, baccarat to player, \
                     player, banker, banker and up to two more",
            seed: stake::SEED,
            rotation: Rotation::AtWill,
            last: stake::LAST,
            also: &[
                stake::UNSEEN,
                "every card comes from a full deck, so one card may come twice in a row: no shoe is dealt down",
            ],
            source: "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/{blackjack,hilo,baccarat}.json",
        }
    }

    fn scheme(&self) -> Scheme {
        Scheme { walk: Walk::Replace, ..stake::SCHEME }
    }

    fn law(&self) -> Law {
        Law::Draws(Ranges::Same(52))
    }

    fn seed_digits(&self) -> Option<usize> {
        None
    }

    /// Two of the player's, two of the dealer's.
    fn always_dealt(&self) -> u32 {
        4
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
}
