//! Sealed deals (spec/shuffle.md, seals): each card provable alone, mid-hand, without the server
//! seed.
//!
//! A seal hides cards until the reveal. Once the server seed is public, so is every card, folded
//! ones too.

use std::fmt;

use sha2::{Digest as _, Sha256};
use zeroize::{ZeroizeOnDrop, Zeroizing};

use super::commitment::Commitment;
use super::contribution::Contributions;
use super::derivation::{DealKey, Nonce, SEAL_TAG, SeedMac};
use super::digest::Digest;
use crate::sha256::Midstate;

/// SHA-256 over one card, its place and its salt.
pub type CardSeal = Digest;

/// The key from which a round's salts come; as secret as the cards.
#[derive(Debug)]
pub struct SealKey(DealKey);

/// A deal with every card sealed. Holds the salts: secret until the reveal.
#[derive(ZeroizeOnDrop)]
pub struct Sealed {
    #[zeroize(skip)]
    card_seals: Vec<CardSeal>,
    salts: Vec<[u8; 16]>,
}

/// A card shown is not the one that was sealed at its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "card {t} does not open its seal: this item and salt give {found}, the list has {expected}"
)]
#[expect(missing_docs, reason = "the messages name the fields")]
pub struct WrongOpening {
    pub t: u32,
    pub expected: CardSeal,
    pub found: CardSeal,
}

impl SealKey {
    /// Derives the key of a round's salts.
    #[must_use]
    pub fn derive(seed: &SeedMac, nonce: Nonce, contributions: &Contributions) -> Self {
        Self(seed.derive(SEAL_TAG, nonce, contributions))
    }

    /// The key as 64 hex digits, for someone who replays the deal by hand.
    #[must_use]
    pub fn reveal(&self) -> String {
        self.0.reveal()
    }

    /// Seals `items`, given in deal order. Time and memory: one SHA-256 and 48 bytes for each.
    #[must_use]
    pub fn seal(&self, commitment: &Commitment, nonce: Nonce, items: &[u32]) -> Sealed {
        let mut salts = vec![[0; 16]; items.len()];
        self.0.keystream(salts.as_flattened_mut());
        let mut cards = Cards::of(commitment, nonce);
        let places = (0..).zip(items.iter().zip(&salts));
        let card_seals = places.map(|(t, (&item, salt))| cards.seal(t, item, salt)).collect();
        Sealed { card_seals, salts }
    }
}

/// The message that is hashed for a card, padded to two blocks (FIPS 180-4, section 5.1.1). All but
/// 24 bytes are the same for all cards of a round.
struct Cards(Zeroizing<[[u8; 64]; 2]>);

impl Cards {
    const TAG: &[u8; 17] = b"fairdeal/v1/card\0";
    const SAME: usize = Self::TAG.len() + 32 + 8;
    const LENGTH: usize = Self::SAME + 4 + 4 + 16;

    fn of(commitment: &Commitment, nonce: Nonce) -> Self {
        let mut blocks = Zeroizing::new([[0; 64]; 2]);
        let bytes = blocks.as_flattened_mut();
        let (tag, rest) = bytes.split_at_mut(Self::TAG.len());
        tag.copy_from_slice(Self::TAG);
        rest[..32].copy_from_slice(commitment.as_bytes());
        rest[32..40].copy_from_slice(&nonce.value().to_be_bytes());
        bytes[Self::LENGTH] = 0x80;
        bytes[120..].copy_from_slice(&(8 * Self::LENGTH as u64).to_be_bytes());
        Self(blocks)
    }

    fn seal(&mut self, t: u32, item: u32, salt: &[u8; 16]) -> CardSeal {
        let own = &mut self.0.as_flattened_mut()[Self::SAME..Self::LENGTH];
        own[..4].copy_from_slice(&t.to_be_bytes());
        own[4..8].copy_from_slice(&item.to_be_bytes());
        own[8..].copy_from_slice(salt);
        Digest::from_bytes(Midstate::of_blocks(self.0.as_slice()))
    }
}

/// The seal over a list of card seals, which is what a sealed deal logs.
#[must_use]
pub fn seal_of(card_seals: &[CardSeal]) -> Digest {
    let mut hash = Sha256::new_with_prefix(b"fairdeal/v1/seals\0");
    for seal in card_seals {
        hash.update(seal.as_bytes());
    }
    Digest::from_bytes(hash.finalize().into())
}

impl Sealed {
    /// The seals in deal order, for the players before the first card is shown.
    #[must_use]
    pub fn card_seals(&self) -> &[CardSeal] {
        &self.card_seals
    }

    /// The seal over all of them, for the log.
    #[must_use]
    pub fn seal(&self) -> Digest {
        seal_of(&self.card_seals)
    }

    /// The salt of the card at place `t`, which opens that card and no other; `None` past the last
    /// card.
    #[must_use]
    pub fn salt(&self, t: u32) -> Option<&[u8; 16]> {
        self.salts.get(super::index(t))
    }

    /// All salts in deal order.
    #[must_use]
    pub fn salts(&self) -> &[[u8; 16]] {
        &self.salts
    }

    /// Shows that `item` was sealed at place `t` of `expected`, without the server seed.
    ///
    /// # Errors
    /// [`WrongOpening`], with both seals.
    pub fn verify_opening(
        commitment: &Commitment,
        nonce: Nonce,
        t: u32,
        item: u32,
        salt: &[u8; 16],
        expected: &CardSeal,
    ) -> Result<(), WrongOpening> {
        let found = Cards::of(commitment, nonce).seal(t, item, salt);
        if found == *expected {
            Ok(())
        } else {
            Err(WrongOpening { t, expected: *expected, found })
        }
    }
}

impl fmt::Debug for Sealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sealed({} cards)", self.card_seals.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::{Contribution, Deck, Plan, ServerSeed};

    #[test]
    fn each_card_opens_its_own_seal_and_no_other() {
        let seed = ServerSeed::from_bytes(&mut [3; 32]);
        let (commitment, mac, nonce) = (seed.commitment(), seed.mac(), Nonce::new(4).unwrap());
        let players =
            Contributions::of_clients(vec![Contribution::new("a", "x").unwrap()]).unwrap();
        let dealt =
            Plan::shuffle(Deck::standard().items(), 52).unwrap().deal(&mac, nonce, &players);
        let sealed = SealKey::derive(&mac, nonce, &players).seal(&commitment, nonce, &dealt.items);
        assert_eq!(sealed.card_seals().len(), 52);
        for (t, &item) in (0..).zip(&dealt.items) {
            let salt = sealed.salt(t).unwrap();
            let seal = &sealed.card_seals()[usize::try_from(t).unwrap()];
            let open = |nonce, t, item, salt| {
                Sealed::verify_opening(&commitment, nonce, t, item, salt, seal)
            };
            assert_eq!(open(nonce, t, item, salt), Ok(()));
            assert!(open(nonce, t, item ^ 1, salt).is_err());
            assert!(open(nonce, t ^ 1, item, salt).is_err());
            assert!(open(Nonce::new(5).unwrap(), t, item, salt).is_err());
            assert!(open(nonce, t, item, &[0; 16]).is_err());
        }
        assert_eq!(sealed.salt(52), None);
    }

    #[test]
    fn the_salts_come_from_another_key_than_the_cards() {
        let mac = ServerSeed::from_bytes(&mut [3; 32]).mac();
        let players =
            Contributions::of_clients(vec![Contribution::new("a", "x").unwrap()]).unwrap();
        let nonce = Nonce::new(0).unwrap();
        assert_ne!(
            SealKey::derive(&mac, nonce, &players).reveal(),
            mac.deal_key(nonce, &players).reveal()
        );
    }
}
