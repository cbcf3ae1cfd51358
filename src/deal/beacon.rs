//! A drand round's contribution to a deal (spec/shuffle.md, contribution kind 3).
//!
//! Not for verifying a round: this version reads beacons in entries and says that it did not check
//! them.

use sha2::{Digest as _, Sha256};

/// SHA-256 of a drand round's signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DrandRandomness([u8; 32]);

impl DrandRandomness {
    /// From the 32 bytes themselves.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// From the round's signature, as compressed bytes; the caller has verified it.
    #[must_use]
    pub fn of_signature(signature: &[u8]) -> Self {
        Self(Sha256::digest(signature).into())
    }

    /// The 32 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}
