//! The operator's secret (spec/shuffle.md, server seed).

use std::fmt;

use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::commitment::Commitment;
use super::derivation::{OpenMac, SeedMac};
use super::digest::{HexError, parse_hex32};

/// 32 secret bytes. Leaves memory when dropped; never printed, cloned or serialised. They stay in
/// one place on the heap, so that moving a seed leaves no copy.
#[derive(ZeroizeOnDrop)]
pub struct ServerSeed(Box<[u8; 32]>);

/// A text is not a server seed. The message never repeats the text, which may be nearly the secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SeedError {
    /// Another length.
    #[error("a server seed is exactly 32 bytes as 64 lowercase hex digits, found {0} characters")]
    Length(usize),
    /// A character that is no lowercase hex digit, at this position.
    #[error("a server seed is 64 lowercase hex digits, the character at position {0} is not one")]
    Digit(usize),
}

impl ServerSeed {
    /// Takes 32 bytes from a source of randomness and clears the caller's copy.
    #[must_use]
    pub fn from_bytes(bytes: &mut [u8; 32]) -> Self {
        let mut seed = Self(Box::new([0; 32]));
        seed.0.copy_from_slice(bytes);
        bytes.zeroize();
        seed
    }

    /// Has `fill` write the 32 bytes into their final place.
    ///
    /// # Errors
    /// The errors of `fill`.
    pub fn filled_by<E>(fill: impl FnOnce(&mut [u8; 32]) -> Result<(), E>) -> Result<Self, E> {
        let mut seed = Self(Box::new([0; 32]));
        fill(&mut seed.0)?;
        Ok(seed)
    }

    /// Reads 64 lowercase hex digits.
    ///
    /// # Errors
    /// [`SeedError`], which does not repeat the text.
    pub fn parse(text: &str) -> Result<Self, SeedError> {
        match parse_hex32(text) {
            Ok(mut bytes) => Ok(Self::from_bytes(&mut bytes)),
            Err(HexError::Length(length)) => Err(SeedError::Length(length)),
            Err(HexError::Digit { at, .. }) => Err(SeedError::Digit(at)),
        }
    }

    /// The seed as 64 lowercase hex digits, for the reveal.
    #[must_use]
    pub fn reveal(&self) -> Zeroizing<String> {
        Zeroizing::new(hex::encode(self.expose()))
    }

    /// The secret bytes, for sealing them at rest.
    #[must_use]
    pub const fn expose(&self) -> &[u8; 32] {
        &self.0
    }

    /// The promise to publish before dealing.
    #[must_use]
    pub fn commitment(&self) -> Commitment {
        Commitment::of(&self.0)
    }

    /// HMAC-SHA256 keyed with this seed, its pads computed once for all rounds under it.
    #[must_use]
    pub fn mac(&self) -> SeedMac {
        SeedMac::new(&self.0)
    }

    /// The same for a seed that is public, for many rounds at once.
    #[must_use]
    pub fn open_mac(&self) -> OpenMac {
        OpenMac::new(&self.0)
    }
}

from_str! { ServerSeed, SeedError, ServerSeed::parse; }

impl PartialEq for ServerSeed {
    fn eq(&self, other: &Self) -> bool {
        self.expose().ct_eq(other.expose()).into()
    }
}

impl Eq for ServerSeed {}

impl fmt::Debug for ServerSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ServerSeed(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_of_any_other_length_is_refused_and_never_printed() {
        for wrong in ["", "00", &"00".repeat(31), &"00".repeat(33), &"0".repeat(63)] {
            assert_eq!(ServerSeed::parse(wrong).unwrap_err(), SeedError::Length(wrong.len()));
        }
        let error = ServerSeed::parse(&"AB".repeat(32)).unwrap_err();
        assert!(!error.to_string().contains("AB"), "{error}");
        assert_eq!(format!("{:?}", ServerSeed::parse(&"ab".repeat(32)).unwrap()), "ServerSeed(…)");
    }

    #[test]
    fn taking_a_seed_clears_the_bytes_it_came_from() {
        let mut bytes = [7; 32];
        let seed = ServerSeed::from_bytes(&mut bytes);
        assert_eq!(bytes, [0; 32]);
        assert_eq!(*seed.reveal(), "07".repeat(32));
    }
}
