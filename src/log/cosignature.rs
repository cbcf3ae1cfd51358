//! Cosignatures: a witness's signature of a checkpoint, with the time (spec/witness.md, section 25;
//! C2SP tlog-cosignature, type 0x04).
//!
//! Not for deciding how many are enough: that is a [`Policy`](super::policy::Policy)'s.

use zeroize::Zeroizing;

use super::key::{COSIGNATURE, KeyError, KeyName, SignerKey, WitnessKey, WrongSignature};
use super::note::Signature;

/// The secret key of a witness. Leaves memory when dropped; never cloned, and printed
/// only by [`to_secret_text`](Self::to_secret_text).
#[derive(Debug)]
pub struct WitnessSigner {
    signer: SignerKey,
    key: WitnessKey,
}

impl WitnessSigner {
    /// The signer of a name and 32 secret random bytes.
    ///
    /// # Panics
    /// Never: a secret scalar has a public key of large order.
    #[must_use]
    pub fn from_seed(name: KeyName, seed: &[u8; 32]) -> Self {
        let signer = SignerKey::from_seed(name.clone(), seed);
        let key = WitnessKey::new(name, signer.verifier().public_key());
        Self { signer, key: key.expect("made from a secret scalar") }
    }

    /// Reads `PRIVATE+KEY+<name>+<id>+<base64 of 0x04 and the seed>`. The type keeps a witness's key
    /// from being taken for a log's.
    ///
    /// # Errors
    /// [`KeyError`] for anything that [`to_secret_text`](Self::to_secret_text) does not print; it
    /// quotes none of it but the name.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let (name, written, seed) = SignerKey::parse_kind(text, COSIGNATURE)?;
        let signer = Self::from_seed(name, &seed);
        signer.key.as_verifier().has_id(written)?;
        Ok(signer)
    }

    /// The text form, to be stored where nobody else reads it.
    #[must_use]
    pub fn to_secret_text(&self) -> Zeroizing<String> {
        self.signer.to_secret_text_of(self.key.as_verifier())
    }

    /// The public key.
    #[must_use]
    pub const fn key(&self) -> &WitnessKey {
        &self.key
    }

    /// Signs the text of a checkpoint's note at a time in Unix seconds. `None` if the time is over
    /// 2^63 - 1.
    #[must_use]
    pub fn cosign(&self, text: &str, time: u64) -> Option<Signature> {
        if i64::try_from(time).is_err() {
            return None;
        }
        let signature = self.signer.sign(message(text, time).as_bytes());
        let key = self.key.as_verifier();
        let bytes = [time.to_be_bytes().as_slice(), &signature].concat();
        Signature::new(key.name().clone(), key.id(), bytes).ok()
    }
}

impl WitnessKey {
    /// Whether a signature line names this witness.
    #[must_use]
    pub fn is_named_by(&self, line: &Signature) -> bool {
        line.names(self.as_verifier())
    }

    /// Shows that a signature line is this witness's cosignature of the text of a checkpoint's
    /// note. Returns its time in Unix seconds, from 0 to 2^63 - 1.
    ///
    /// # Errors
    /// [`WrongSignature`], which names the key.
    pub fn verify_cosignature(&self, line: &Signature, text: &str) -> Result<u64, WrongSignature> {
        let key = self.as_verifier();
        let wrong = || key.wrong();
        let (time, signature) = line.bytes().split_first_chunk::<8>().ok_or_else(wrong)?;
        let time = u64::from_be_bytes(*time);
        if i64::try_from(time).is_err() || !self.is_named_by(line) {
            return Err(wrong());
        }
        let signature = signature.try_into().map_err(|_| wrong())?;
        key.verify_signature(message(text, time).as_bytes(), signature)?;
        Ok(time)
    }
}

/// What a witness signs.
fn message(text: &str, time: u64) -> String {
    format!("cosignature/v1\ntime {time}\n{text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_witness_s_secret_key_reads_back_and_is_no_log_s() {
        let signer = WitnessSigner::from_seed("witness.example/w1".parse().unwrap(), &[7; 32]);
        let text = signer.to_secret_text();
        assert_eq!(WitnessSigner::parse(&text).unwrap().key(), signer.key());
        assert!(SignerKey::parse(&text).is_err(), "0x04 is no type of a log's key");
        let log = SignerKey::from_seed("witness.example/w1".parse().unwrap(), &[7; 32]);
        assert!(WitnessSigner::parse(&log.to_secret_text()).is_err());
        let other = text.replacen("witness", "witless", 1);
        assert!(matches!(WitnessSigner::parse(&other), Err(KeyError::Id { .. })));
    }
}
