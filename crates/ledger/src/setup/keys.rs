//! The ledger's two secret keys: one signs checkpoints, the other seals server seeds at rest.
//!
//! No other module has them. A copy of the database alone opens nothing.

use std::fmt;

use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use crate::entropy::{fill, random};
use crate::error::LedgerError;
use fairdeal::deal::{Commitment, ServerSeed};
use fairdeal::log::{KeyName, SignerKey, VerifierKey};

/// XChaCha20-Poly1305's nonce length in bytes: long enough to be drawn at random.
const NONCE: usize = 24;

/// Both keys of a ledger.
#[derive(Debug)]
pub struct Keys {
    pub(crate) signer: SignerKey,
    pub(crate) vault: Vault,
}

/// Seals server seeds with XChaCha20-Poly1305, each bound to its commitment. Its key stays in one
/// place on the heap: whoever moves a vault leaves no copy behind.
pub(crate) struct Vault(Box<Zeroizing<[u8; 32]>>);

impl Keys {
    /// New keys for a log of this name.
    ///
    /// # Errors
    /// [`LedgerError::System`] without randomness, [`LedgerError::Invalid`] for an illegal name.
    pub fn generate(name: &str) -> Result<Self, LedgerError> {
        Self::with_vault(name, Vault::generate()?)
    }

    /// A new signing key for a log of this name, with a vault key that is there already.
    pub(crate) fn with_vault(name: &str, vault: Vault) -> Result<Self, LedgerError> {
        let name = KeyName::parse(name).map_err(|e| LedgerError::Invalid(e.to_string()))?;
        Ok(Self { signer: SignerKey::from_seed(name, &*random()?), vault })
    }

    /// The public part.
    #[must_use]
    pub fn verifier(&self) -> &VerifierKey {
        self.signer.verifier()
    }
}

/// A text is no vault key. It is not repeated: it may be nearly the secret.
#[derive(Debug, thiserror::Error)]
#[error("expected 64 hexadecimal digits, found {0} characters")]
pub(crate) struct NoVaultKey(usize);

impl Vault {
    fn empty() -> Self {
        Self(Box::new(Zeroizing::new([0; 32])))
    }

    /// A new key.
    pub(crate) fn generate() -> Result<Self, LedgerError> {
        let mut this = Self::empty();
        fill(this.0.as_mut_slice())?;
        Ok(this)
    }

    /// Reads a key from its text: 64 hex digits, and white space after them.
    pub(crate) fn parse(text: &str) -> Result<Self, NoVaultKey> {
        let text = text.trim_ascii_end();
        let mut this = Self::empty();
        hex::decode_to_slice(text, this.0.as_mut_slice())
            .map_err(|_| NoVaultKey(text.chars().count()))?;
        Ok(this)
    }

    /// 64 hex digits, for its file.
    pub(crate) fn to_secret_text(&self) -> Zeroizing<String> {
        Zeroizing::new(hex::encode(self.0.as_slice()))
    }

    /// Names the key without giving it away: 8 bytes of a hash, as hex.
    pub(crate) fn fingerprint(&self) -> String {
        let hash = Sha256::new()
            .chain_update(b"fairdeal/vault\0")
            .chain_update(self.0.as_slice())
            .finalize();
        hex::encode(&hash[..8])
    }

    /// The key where it is, not a copy.
    fn key(&self) -> &Key {
        (&**self.0).into()
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(self.key())
    }

    /// Seals a seed: a random nonce, then the ciphertext, bound to the commitment.
    pub(crate) fn seal(&self, seed: &ServerSeed) -> Result<Vec<u8>, LedgerError> {
        let nonce = random::<NONCE>()?;
        let commitment = seed.commitment();
        let payload = Payload { msg: seed.expose(), aad: commitment.as_bytes() };
        let sealed = self.cipher().encrypt(&XNonce::from(*nonce), payload);
        let sealed =
            sealed.map_err(|_| LedgerError::System("a seed could not be sealed".to_owned()))?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    /// Opens a seed that was sealed for this commitment.
    pub(crate) fn open(
        &self,
        sealed: &[u8],
        commitment: &Commitment,
    ) -> Result<ServerSeed, LedgerError> {
        let damaged = || {
            LedgerError::Damaged(format!(
                "the server seed of {commitment} does not open under the vault key {}",
                self.fingerprint()
            ))
        };
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE>().ok_or_else(damaged)?;
        let payload = Payload { msg: sealed, aad: commitment.as_bytes() };
        let opened = self.cipher().decrypt(&XNonce::from(*nonce), payload);
        let opened = Zeroizing::new(opened.map_err(|_| damaged())?);
        if opened.len() != 32 {
            return Err(damaged());
        }
        ServerSeed::filled_by(|bytes| {
            bytes.copy_from_slice(&opened);
            Ok(())
        })
    }
}

impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Vault(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_opens_under_its_own_commitment_and_key_alone() {
        let [vault, other] = ["01", "02"].map(|byte| Vault::parse(&byte.repeat(32)).unwrap());
        let seed = ServerSeed::from_bytes(&mut [7; 32]);
        let commitment = seed.commitment();
        let sealed = vault.seal(&seed).unwrap();
        assert_eq!(vault.open(&sealed, &commitment).unwrap(), seed);
        assert!(other.open(&sealed, &commitment).is_err());
        assert!(vault.open(&sealed, &Commitment::from_bytes([9; 32])).is_err());
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert!(vault.open(&changed, &commitment).is_err(), "byte {at}");
        }
        assert!(vault.open(&sealed[..NONCE - 1], &commitment).is_err());
        assert_ne!(vault.seal(&seed).unwrap(), sealed, "the nonce is drawn anew");
    }

    #[test]
    fn neither_key_is_printed() {
        let keys = Keys::generate("test.example").unwrap();
        let printed = format!("{keys:?}");
        let secret = keys.signer.to_secret_text();
        // The key's base64 has plus signs of its own, so the fields are counted from the front.
        let key = secret.splitn(5, '+').nth(4).unwrap();
        assert_eq!(key.len(), 44, "33 bytes of base64");
        assert!(!printed.contains(key), "{printed}");
        assert!(!printed.contains(keys.vault.to_secret_text().as_str()), "{printed}");
        assert!(printed.contains("Vault(…)"), "{printed}");
    }
}
