//! Hashes and signatures of contributions, which name their round and its log (spec/ledger.md,
//! section 8.3).
//!
//! Not for making keys: the caller brings the randomness.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use sha2::{Digest as _, Sha256};

use super::fields::{FormatError, LoggedContribution, display, parse_base64};
use crate::deal::{Blind, Commitment, Contribution, Digest, HexError, Nonce, from_str};
use crate::log::VerifierKey;
use crate::record::as_json::as_text;

const SIGNATURE: &[u8] = b"fairdeal/v1/contribution-signature\0";
const HASH: &[u8] = b"fairdeal/v1/contribution\0";

/// The Ed25519 public key of a player. Any 32 bytes are read; verifying a signature shows whether
/// they are a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerKey(Digest);

/// A signature by a player's key: 64 bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PlayerSignature([u8; 64]);

/// A player's secret key, made for a session. Leaves memory when dropped.
pub struct PlayerSigner(SigningKey);

/// The round that a contribution is for. Its hash and its signature name it.
#[derive(Clone, Copy, Debug)]
pub struct RoundOf<'a> {
    /// The log's key. Its name and its public key name the log.
    pub log: &'a VerifierKey,
    /// The commitment.
    pub commitment: Commitment,
    /// The round.
    pub nonce: Nonce,
}

/// A contribution's signature is not by its key, over this round.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the signature of {from:?} is not by its key over this contribution, commitment and round")]
pub struct WrongPlayerSignature {
    from: String,
}

/// A text is no key of a player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayerKeyError {
    /// Not 64 lowercase hex digits.
    #[error(transparent)]
    Hex(#[from] HexError),
    /// No point of the curve, or one of small order (spec/ledger.md, 10.3).
    #[error("expected an Ed25519 public key; {0} is no point of the curve, or one of small order")]
    Point(PlayerKey),
}

impl PlayerKey {
    /// Reads 64 lowercase hex digits.
    ///
    /// # Errors
    /// [`HexError`], with the text found.
    pub fn parse(text: &str) -> Result<Self, HexError> {
        Digest::parse(text).map(Self)
    }

    /// 64 lowercase hex digits.
    #[must_use]
    pub fn to_text(&self) -> String {
        self.0.to_text()
    }

    /// Reads a key that a player gave a reader (spec/receipt.md, 11.8).
    ///
    /// # Errors
    /// [`PlayerKeyError`] for other texts, and for keys under which no signature verifies.
    pub fn parse_given(text: &str) -> Result<Self, PlayerKeyError> {
        let key = Self::parse(text)?;
        let is_point = crate::log::key::point(key.0.as_bytes()).is_some();
        if is_point { Ok(key) } else { Err(PlayerKeyError::Point(key)) }
    }
}

impl PlayerSignature {
    /// Reads base64 of 64 bytes.
    ///
    /// # Errors
    /// [`FormatError::Base64`] or [`FormatError::Bytes`].
    pub fn parse(text: &str) -> Result<Self, FormatError> {
        parse_base64(text, "64 bytes of signature").map(Self)
    }

    /// Its base64.
    #[must_use]
    pub fn to_text(&self) -> String {
        STANDARD.encode(self.0)
    }
}

impl fmt::Debug for PlayerSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlayerSignature({self})")
    }
}

from_str! {
    PlayerKey, HexError, PlayerKey::parse;
    PlayerSignature, FormatError, PlayerSignature::parse;
}

display! {
    PlayerKey, PlayerKey::to_text;
    PlayerSignature, PlayerSignature::to_text;
}

as_text!(PlayerKey, "64 lowercase hex digits");
as_text!(PlayerSignature, "base64 of 64 bytes");

impl PlayerSigner {
    /// The key of these 32 secret bytes (RFC 8032, section 5.1.5).
    #[must_use]
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        Self(SigningKey::from_bytes(seed))
    }

    /// Its public key.
    #[must_use]
    pub fn key(&self) -> PlayerKey {
        PlayerKey(Digest::from_bytes(self.0.verifying_key().to_bytes()))
    }

    /// The contribution with this key and its signature, for one round alone.
    #[must_use]
    pub fn sign(
        &self,
        round: &RoundOf<'_>,
        contribution: LoggedContribution,
    ) -> LoggedContribution {
        let signature = self.0.sign(&signed_message(round, &contribution));
        let signature = Some(PlayerSignature(signature.to_bytes()));
        LoggedContribution { key: Some(self.key()), signature, ..contribution }
    }
}

impl fmt::Debug for PlayerSigner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PlayerSigner(…)")
    }
}

impl RoundOf<'_> {
    /// The promise that a player makes before the others have spoken: the hash of a contribution,
    /// for this round of this log alone. `blind` hides the contribution until both are opened.
    #[must_use]
    pub fn hash(&self, contribution: &Contribution, blind: &Blind) -> Digest {
        let hash = Sha256::new_with_prefix(HASH)
            .chain_update(self.encoded())
            .chain_update(encoded_text(contribution.from.as_str()))
            .chain_update(blind.as_bytes())
            .chain_update(contribution.encoded());
        Digest::from_bytes(hash.finalize().into())
    }

    /// `round` of section 8.3.
    fn encoded(&self) -> Vec<u8> {
        let mut bytes = encoded_text(self.log.name().as_str());
        bytes.extend(self.log.public_key());
        bytes.extend(self.commitment.as_bytes());
        bytes.extend(self.nonce.value().to_be_bytes());
        bytes
    }
}

/// A text after its length in bytes. An origin has at most 255 bytes and a label 64. A key may have
/// a longer name, but no log does, and nothing is signed for it.
fn encoded_text(text: &str) -> Vec<u8> {
    let length = u16::try_from(text.len()).unwrap_or(u16::MAX).to_be_bytes();
    [length.as_slice(), text.as_bytes()].concat()
}

/// The message that is signed.
#[must_use]
pub fn signed_message(round: &RoundOf<'_>, contribution: &LoggedContribution) -> Vec<u8> {
    let mut message = SIGNATURE.to_vec();
    message.extend(round.encoded());
    message.extend(encoded_text(contribution.from.as_str()));
    match (&contribution.hash, &contribution.seed) {
        (Some(hash), _) => {
            message.push(0);
            message.extend_from_slice(hash.as_bytes());
        }
        (None, Some(seed)) => message.extend(contribution.with_seed(seed.clone()).encoded()),
        (None, None) => {}
    }
    message
}

/// Shows that a contribution's signature is by its key over this round. A contribution without a
/// signature passes.
///
/// Verifies one by one and strictly: in a batch, a key of mixed order could pass that fails here.
///
/// # Errors
/// [`WrongPlayerSignature`].
pub fn verify_contribution(
    round: &RoundOf<'_>,
    contribution: &LoggedContribution,
) -> Result<(), WrongPlayerSignature> {
    let (Some(key), Some(signature)) = (&contribution.key, &contribution.signature) else {
        return Ok(());
    };
    let message = signed_message(round, contribution);
    VerifyingKey::from_bytes(key.0.as_bytes())
        .and_then(|key| key.verify_strict(&message, &Signature::from_bytes(&signature.0)))
        .map_err(|_| WrongPlayerSignature { from: contribution.from.as_str().to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::{Blind, ClientSeed, Label};
    use crate::log::SignerKey;

    fn contribution() -> LoggedContribution {
        LoggedContribution::clear(
            Label::new("alice").unwrap(),
            ClientSeed::new("lucky").unwrap(),
            None,
        )
    }

    fn log(name: &str, key: u8) -> VerifierKey {
        SignerKey::from_seed(name.parse().unwrap(), &[key; 32]).verifier().clone()
    }

    fn round(log: &VerifierKey) -> RoundOf<'_> {
        let (commitment, nonce) = (Commitment::from_bytes([7; 32]), Nonce::new(3).unwrap());
        RoundOf { log, commitment, nonce }
    }

    #[test]
    fn the_message_is_tag_log_commitment_nonce_label_and_contribution() {
        let log = log("cards.example/log", 1);
        let round = round(&log);
        let mut expected = b"fairdeal/v1/contribution-signature\0\0\x11cards.example/log".to_vec();
        expected.extend(log.public_key());
        expected.extend([7; 32]);
        expected.extend([0, 0, 0, 0, 0, 0, 0, 3, 0, 5]);
        expected.extend(b"alice\x01\0\x05lucky");
        assert_eq!(signed_message(&round, &contribution()), expected);
        let opened = contribution().with_seed(ClientSeed::new("lucky").unwrap());
        let hash = round.hash(&opened, &Blind::from_bytes([1; 32]));
        let hashed = LoggedContribution::promised(Label::new("alice").unwrap(), hash, None);
        expected.truncate(expected.len() - 8);
        expected.push(0);
        expected.extend(hash.as_bytes());
        assert_eq!(signed_message(&round, &hashed), expected);
    }

    #[test]
    fn a_signature_holds_for_its_own_round_and_seed_alone() {
        let own = log("cards.example/log", 1);
        let round = round(&own);
        let signed = PlayerSigner::from_seed(&[9; 32]).sign(&round, contribution());
        assert_eq!(verify_contribution(&round, &signed), Ok(()));
        assert_eq!(verify_contribution(&round, &contribution()), Ok(()));
        let (renamed, rekeyed) = (log("cards.example/lo", 1), log("cards.example/log", 2));
        let (commitment, nonce) = (Commitment::from_bytes([8; 32]), Nonce::new(4).unwrap());
        for other in [
            RoundOf { log: &renamed, ..round },
            RoundOf { log: &rekeyed, ..round },
            RoundOf { commitment, ..round },
            RoundOf { nonce, ..round },
        ] {
            assert!(verify_contribution(&other, &signed).is_err());
        }
        let moved = LoggedContribution { from: Label::new("bob").unwrap(), ..signed.clone() };
        assert!(verify_contribution(&round, &moved).is_err());
        let key = Some(PlayerSigner::from_seed(&[8; 32]).key());
        assert!(
            verify_contribution(&round, &LoggedContribution { key, ..signed.clone() }).is_err()
        );
        // A key of small order, and bytes that are no point.
        for key in ["01", "02"].map(|first| format!("{first}{}", "00".repeat(31))) {
            let key = PlayerKey::parse(&key).ok();
            assert!(
                verify_contribution(&round, &LoggedContribution { key, ..signed.clone() }).is_err()
            );
        }
    }
}
