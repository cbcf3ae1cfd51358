//! The commitment to a server seed (spec/shuffle.md, section 1): SHA-256 of its 32 raw bytes.

use std::hash::{Hash, Hasher};

use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq;

use super::digest::{HexError, hex32_text};
use super::seed::ServerSeed;

/// SHA-256 of a server seed's 32 bytes: published before the deal, opened after it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Commitment([u8; 32]);

/// Hashes all bytes, because the committer chooses them, and not their number, which is constant.
impl Hash for Commitment {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write(&self.0);
    }
}

/// A revealed seed is not the one that was committed to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the seed's SHA-256 is {found}, the commitment is {expected}{}", self.hint())]
#[expect(missing_docs, reason = "the messages name the fields")]
pub struct WrongSeed {
    pub expected: Commitment,
    pub found: Commitment,
    confusion: Option<&'static str>,
}

impl WrongSeed {
    fn hint(&self) -> String {
        self.confusion.map_or_else(String::new, |name| format!(" (it would match {name})"))
    }
}

impl Commitment {
    pub(super) fn of(seed: &[u8; 32]) -> Self {
        Self(Sha256::digest(seed).into())
    }

    /// Shows that `seed` is the one committed to.
    ///
    /// # Errors
    /// [`WrongSeed`], with both hashes; if a usual confusion explains them, it is named.
    pub fn verify_opening(&self, seed: &ServerSeed) -> Result<(), WrongSeed> {
        let found = seed.commitment();
        if found.0.ct_eq(&self.0).into() {
            return Ok(());
        }
        Err(WrongSeed { expected: *self, found, confusion: self.confusion(seed) })
    }

    /// Other schemes hash the seed's text, or hash twice: an honest mistake should not look like a
    /// lie.
    fn confusion(&self, seed: &ServerSeed) -> Option<&'static str> {
        let bytes = seed.expose();
        let reversed: Vec<u8> = bytes.iter().rev().copied().collect();
        let (lower, upper) = (hex::encode(bytes), hex::encode_upper(bytes));
        let candidates: [(&'static str, [u8; 32]); 7] = [
            ("the SHA-256 of the seed's lowercase hex text", Sha256::digest(&lower).into()),
            ("the SHA-256 of the seed's uppercase hex text", Sha256::digest(&upper).into()),
            (
                "the SHA-256 of the seed's lowercase hex text and a newline",
                Sha256::digest(lower + "\n").into(),
            ),
            (
                "the SHA-256 of the seed's uppercase hex text and a newline",
                Sha256::digest(upper + "\n").into(),
            ),
            ("the SHA-256 of its SHA-256", Sha256::digest(Sha256::digest(bytes)).into()),
            ("the SHA-256 of the seed's bytes in reverse", Sha256::digest(reversed).into()),
            ("the seed itself: it was published unhashed", *bytes),
        ];
        candidates.into_iter().find(|(_, hash)| *hash == self.0).map(|(name, _)| name)
    }
}

hex32_text!(Commitment);

#[cfg(test)]
mod tests {
    use super::*;

    fn counting_seed() -> ServerSeed {
        ServerSeed::parse("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
            .unwrap()
    }

    #[test]
    fn the_commitment_is_the_sha256_of_the_raw_bytes() {
        let expected = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";
        assert_eq!(counting_seed().commitment().to_text(), expected);
        assert_eq!(Commitment::parse(expected).unwrap().verify_opening(&counting_seed()), Ok(()));
    }

    #[test]
    fn a_commitment_to_the_hex_text_is_refused_and_named() {
        let seed = counting_seed();
        let of_text = Commitment::from_bytes(Sha256::digest(seed.reveal().as_bytes()).into());
        let error = of_text.verify_opening(&seed).unwrap_err();
        assert!(
            error
                .to_string()
                .ends_with("(it would match the SHA-256 of the seed's lowercase hex text)")
        );
    }

    #[test]
    fn another_seed_is_refused_with_both_hashes_and_no_guess() {
        let other = Commitment::from_bytes([9; 32]);
        let error = other.verify_opening(&counting_seed()).unwrap_err();
        assert_eq!(error.expected, other);
        assert_eq!(error.found, counting_seed().commitment());
        assert!(error.to_string().ends_with(&other.to_text()), "{error}");
    }
}
