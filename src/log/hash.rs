//! The hashes of leaves and nodes of a Merkle tree (RFC 6962 section 2.1), and their two text
//! forms.
//!
//! Not for secrets: a comparison ends at the first byte that differs.

use std::fmt;

use sha2::{Digest, Sha256};

use super::notation;
use crate::sha256::Midstate;

/// The hash of a leaf, of a node or of a whole tree: 32 bytes of SHA-256.
///
/// It has two text forms, hex and base64, so it has neither `FromStr` nor `Display`. In JSON it is
/// base64.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash([u8; Hash::LEN]);

/// A text is not a hash.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseHashError {
    /// Not 64 lowercase hexadecimal digits.
    #[error("a hash: expected 64 lowercase hexadecimal digits, found {0}")]
    Hex(String),
    /// Not the standard base64 of 32 bytes.
    #[error("a hash: expected the standard, padded base64 of 32 bytes, found {0}")]
    Base64(String),
}

/// The root of a tree without leaves: the SHA-256 of nothing.
pub const EMPTY_ROOT: Hash = Hash([
    0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24,
    0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
]);

/// The hash of an entry as a leaf: SHA-256(0x00 || entry).
#[must_use]
pub fn leaf_hash(entry: &[u8]) -> Hash {
    Hash(Sha256::new().chain_update([0x00]).chain_update(entry).finalize().into())
}

/// The hash of a node over its two children: SHA-256(0x01 || left || right).
#[must_use]
pub fn node_hash(left: &Hash, right: &Hash) -> Hash {
    Hash(
        Sha256::new()
            .chain_update([0x01])
            .chain_update(left.0)
            .chain_update(right.0)
            .finalize()
            .into(),
    )
}

/// The [`leaf_hash`] of each entry, faster than one by one.
#[must_use]
pub fn leaf_hashes(entries: &[&[u8]]) -> Vec<Hash> {
    let mut hashes = Vec::with_capacity(entries.len());
    Midstate::START.finish([0x00], entries, |hash| hashes.push(Hash(hash)));
    hashes
}

/// The [`node_hash`] of each pair of neighbours, faster than one by one. A last child without a
/// sibling is left out.
pub(super) fn node_hashes(children: &[Hash]) -> Vec<Hash> {
    let children: Vec<[u8; Hash::LEN]> = children.iter().map(|child| child.0).collect();
    let (pairs, _) = children.as_flattened().as_chunks::<{ 2 * Hash::LEN }>();
    let mut hashes = Vec::with_capacity(pairs.len());
    Midstate::START.finish([0x01], pairs, |hash| hashes.push(Hash(hash)));
    hashes
}

/// The root over adjacent complete subtrees, from the largest on the left to the
/// smallest.
///
/// RFC 6962 splits n leaves at the largest power of two under n, so the smallest subtrees are
/// hashed together first.
pub(super) fn fold(subtrees: impl DoubleEndedIterator<Item = Hash>) -> Hash {
    subtrees.rev().reduce(|right, left| node_hash(&left, &right)).unwrap_or(EMPTY_ROOT)
}

impl Hash {
    /// The number of bytes of a hash.
    pub const LEN: usize = 32;

    /// From its 32 bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; Self::LEN]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; Self::LEN] {
        &self.0
    }

    /// Reads 64 lowercase hexadecimal digits.
    ///
    /// # Errors
    /// [`ParseHashError::Hex`] for anything that [`to_hex`](Self::to_hex) does not print.
    pub fn parse_hex(text: &str) -> Result<Self, ParseHashError> {
        let mut bytes = [0; Self::LEN];
        let uppercase = text.bytes().any(|byte| byte.is_ascii_uppercase());
        match hex::decode_to_slice(text, &mut bytes) {
            Ok(()) if !uppercase => Ok(Self(bytes)),
            _ => Err(ParseHashError::Hex(notation::quote(text))),
        }
    }

    /// 64 lowercase hexadecimal digits, as entries hold hashes.
    #[must_use]
    pub fn to_hex(&self) -> String {
        hex::encode(self.0)
    }

    /// Reads the standard, padded base64 of 32 bytes.
    ///
    /// # Errors
    /// [`ParseHashError::Base64`] for anything that [`to_base64`](Self::to_base64) does not print.
    pub fn parse_base64(text: &str) -> Result<Self, ParseHashError> {
        let bytes = notation::parse_base64(text).and_then(|bytes| bytes.try_into().ok());
        bytes.map(Self).ok_or_else(|| ParseHashError::Base64(notation::quote(text)))
    }

    /// 44 characters of base64, as checkpoints and proofs hold hashes.
    #[must_use]
    pub fn to_base64(&self) -> String {
        notation::to_base64(self.0)
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hash({})", self.to_hex())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_empty_root_is_the_sha256_of_nothing() {
        assert_eq!(EMPTY_ROOT.as_bytes().as_slice(), Sha256::digest([]).as_slice());
        assert_eq!(fold(std::iter::empty()), EMPTY_ROOT);
    }

    #[test]
    fn the_smallest_subtrees_are_hashed_together_first() {
        let [a, b, c] = [[1; 32], [2; 32], [3; 32]].map(Hash::from_bytes);
        assert_eq!(fold([a, b, c].into_iter()), node_hash(&a, &node_hash(&b, &c)));
    }

    #[test]
    fn many_at_once_are_what_each_is_alone() {
        let hashes: Vec<Hash> = (0..41).map(|at| Hash::from_bytes([at; 32])).collect();
        let nodes: Vec<Hash> =
            hashes.chunks_exact(2).map(|pair| node_hash(&pair[0], &pair[1])).collect();
        assert_eq!(node_hashes(&hashes), nodes);
        let entries = [&b"an entry"[..], &[7; 400], b""];
        assert_eq!(leaf_hashes(&entries), entries.map(leaf_hash));
    }

    #[test]
    fn debug_prints_hex() {
        let hash = Hash::from_bytes([0xab; 32]);
        assert_eq!(format!("{hash:?}"), format!("Hash({})", "ab".repeat(32)));
    }

    #[test]
    fn a_hash_of_another_length_or_alphabet_is_refused_and_quoted() {
        for other in ["", "00", &"AB".repeat(32), &"ab".repeat(33), &"ag".repeat(32)] {
            let error = Hash::parse_hex(other).unwrap_err();
            assert!(error.to_string().ends_with(&notation::quote(other)), "{error}");
        }
        for bytes in [0, 31, 33] {
            let text = notation::to_base64(vec![7; bytes]);
            assert_eq!(
                Hash::parse_base64(&text),
                Err(ParseHashError::Base64(notation::quote(&text)))
            );
        }
    }

    proptest! {
        #[test]
        fn what_prints_parses_back(bytes: [u8; 32]) {
            let hash = Hash::from_bytes(bytes);
            prop_assert_eq!(Hash::parse_hex(&hash.to_hex()), Ok(hash));
            prop_assert_eq!(Hash::parse_base64(&hash.to_base64()), Ok(hash));
        }

        #[test]
        fn what_parses_prints_back(hex in "[0-9a-fA-F]{63,65}", base64 in "[A-Za-z0-9+/]{42,43}={0,2}") {
            if let Ok(hash) = Hash::parse_hex(&hex) {
                prop_assert_eq!(hash.to_hex(), hex);
            }
            if let Ok(hash) = Hash::parse_base64(&base64) {
                prop_assert_eq!(hash.to_base64(), base64);
            }
        }
    }
}
