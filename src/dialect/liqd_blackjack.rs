//! `liqd-blackjack`: a backward shuffle of eight decks, a digest a swap, tried again where it is refused
//! (spec/dialects.md).

use super::about::{About, Rotation};
use super::card::{Ace, DeckOrder, Inner, SuitOrder};
use super::digests::Digests;
use super::law::{Law, Ranges};
use super::play::{Outcome, PlayError};
use super::round::Round;
use super::scheme::{Committed, Counts, Cursor, Form, Mapping, Role, Scheme, Walk};
use super::walks::{self, Refused};
use super::{Dialect, stake_video_poker as stake};

/// Eight decks of 52.
const SHOE: u32 = 416;

/// LIQD's blackjack.
#[derive(Debug)]
pub(super) struct LiqdBlackjack;

impl Dialect for LiqdBlackjack {
    fn name(&self) -> &'static str {
        "liqd-blackjack"
    }

    fn about(&self) -> &'static About {
        &About {
            title: "LIQD, blackjack",
            covers: "the order of the shoe; who takes which card after the first four is the table's rule and is not checked",
            seed: "32 hex digits, decoded to a key of 16 bytes",
            rotation: Rotation::AtWill,
            last: stake::LAST,
            also: &[
                "the key is the decoded seed and the commitment hashes its text: the seed in capitals deals the same cards and \
                 does not open the commitment",
            ],
            source: "ProvablyFair-org/liqd-blackjack, data/blackjack-6000hands.json",
        }
    }

    fn scheme(&self) -> Scheme {
        Scheme {
            committed: Committed::Hash(Form::Text),
            seed: Form::Decoded,
            role: Role::Key,
            cursor: Cursor { counts: Counts::Positions, from: 0 },
            mapping: Mapping::Modulo(1 << 32),
            walk: Walk::Backward,
            deck: DeckOrder { suits: SuitOrder(*b"chsd"), inner: Inner::Rank, ace: Ace::Low },
        }
    }

    fn law(&self) -> Law {
        Law::Draws(Ranges::Down { from: SHOE, to: 2 })
    }

    fn seed_digits(&self) -> Option<usize> {
        Some(32)
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
        walks::cards(scheme, SHOE, Refused::Retried(1_000_000), digests, round, want)
    }
}
