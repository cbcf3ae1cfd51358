//! From seeds to cards: commitment, contributions, derivation, exact sampling, shuffles, decks and
//! seals.
//!
//! Implements `spec/shuffle.md`. Pure: no I/O, no clock, no source of randomness. Not for judging
//! when something was said, or in which order: `log` and `record` do that.
//!
//! ```
//! use fairdeal::deal::{Contribution, Contributions, Deck, Nonce, Plan, ServerSeed};
//!
//! let seed = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
//! let seed = ServerSeed::parse(seed)?;
//! let players = Contributions::of_clients(vec![Contribution::new("alice", "lucky")?])?;
//! let deck = Deck::standard();
//! let dealt = Plan::shuffle(deck.items(), 5)?.deal(&seed.mac(), Nonce::new(0)?, &players);
//! assert_eq!(deck.text_of(&dealt.items)?, "Td3h6d9d4c");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// `%` is how a modulo bias comes in.
#![warn(clippy::integer_division_remainder_used)]

/// `FromStr`, which reads what the type's own strict parser reads.
macro_rules! from_str {
    ($($type:ty, $error:ty, $parse:expr;)+) => {$(
        impl std::str::FromStr for $type {
            type Err = $error;

            fn from_str(text: &str) -> Result<Self, $error> {
                $parse(text)
            }
        }
    )+};
}
pub(crate) use from_str;

mod beacon;
mod commitment;
mod contribution;
mod deck;
mod derivation;
mod digest;
mod possible;
mod sampling;
mod seal;
mod seed;
mod shuffle;

pub use beacon::DrandRandomness;
pub use commitment::{Commitment, WrongSeed};
pub use contribution::{
    Blind, ClientSeed, Contribution, ContributionError, Contributions, Label, Seen,
};
#[doc(hidden)]
pub use deck::RANKS;
pub use deck::{Card, Deck, DeckError, DeckName, List, ListError, MAX_ITEMS, NotACard, NotOfDeck};
pub use derivation::{
    DealKey, Nonce, NonceError, OpenMac, SeedMac, Words, message, message_of_seeds, set_nonce,
};
#[doc(hidden)]
pub use digest::decode_hex;
pub use digest::{Digest, HexError};
pub use possible::{Impossible, check_cards, check_items, check_opened};
pub use sampling::{Choices, ChoicesError, below};
pub use seal::{CardSeal, SealKey, Sealed, WrongOpening, seal_of};
pub use seed::{SeedError, ServerSeed};
pub use shuffle::{Dealt, Method, MethodError, Observer, Plan, PlanError, digest_of_items};

/// The place of an item in a slice: a usize has 32 bits or more.
#[inline]
#[doc(hidden)]
#[must_use]
pub const fn index(item: u32) -> usize {
    const { assert!(usize::BITS >= u32::BITS) };
    item as usize
}
