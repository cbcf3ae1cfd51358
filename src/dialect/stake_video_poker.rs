//! `stake-video-poker`: cards taken out of a deck of 52, a word each, none refused (spec/dialects.md).

use super::Dialect;
use super::about::{About, Rotation};
use super::card::{Ace, DeckOrder, Inner, SuitOrder};
use super::digests::Digests;
use super::law::{Law, Ranges};
use super::play::{Outcome, PlayError};
use super::round::Round;
use super::scheme::{Committed, Counts, Cursor, Form, Mapping, Role, Scheme, Walk};
use super::walks::{self, Refused};

/// Ten cards of a round: five of the hand, five that replace what is not held.
const CARDS: u32 = 10;

/// Stake's video poker.
#[derive(Debug)]
pub(super) struct StakeVideoPoker;

/// 2D 2H 2S 2C 3D … AC.
pub(super) const DECK: DeckOrder =
    DeckOrder { suits: SuitOrder(*b"dhsc"), inner: Inner::Suit, ace: Ace::High };

/// What Stake's games share.
pub(super) const SCHEME: Scheme = Scheme {
    committed: Committed::Hash(Form::Text),
    seed: Form::Text,
    role: Role::Key,
    cursor: Cursor { counts: Counts::Digests, from: 0 },
    mapping: Mapping::Multiply,
    walk: Walk::Remove,
    deck: DECK,
};

/// The last word is the player's where the client seed is chosen after the commitment is seen.
pub(super) const LAST: &str = "the player, who may change the client seed after seeing the commitment; but the operator \
     knows the server seed all along, and knows each result as soon as it knows the client seed";

/// What its text is.
pub(super) const SEED: &str = "a text that is the key as it stands; the scheme fixes no length, and those of the sources have 32 \
     hex characters, which is 128 bits at most";

/// No row of the sources shows one.
pub(super) const UNSEEN: &str = "the sources show no commitment beside their rounds: that it is the hash of the seed's text is \
     the scheme's word, and was held against none";

impl Dialect for StakeVideoPoker {
    fn name(&self) -> &'static str {
        "stake-video-poker"
    }

    fn about(&self) -> &'static About {
        &About {
            title: "Stake, video poker",
            covers: "the ten cards of a round: five of the hand, five replacements",
            seed: SEED,
            rotation: Rotation::AtWill,
            last: LAST,
            also: &[UNSEEN],
            source: "provably-fair-betting/verifierform-stake, tests/lib/games/testcases/videopoker.json",
        }
    }

    fn scheme(&self) -> Scheme {
        SCHEME
    }

    fn law(&self) -> Law {
        Law::Draws(Ranges::Down { from: 52, to: 53 - CARDS })
    }

    fn seed_digits(&self) -> Option<usize> {
        None
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
