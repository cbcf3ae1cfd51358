//! The hashes of a request's signature, by the crates that all of this one uses.

use hmac::{HmacReset, KeyInit as _, Mac as _};
use object_store::client::{
    CryptoProvider, DigestAlgorithm, DigestContext, HmacContext, Signer, SigningAlgorithm,
};
use object_store::{Error, Result};
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

/// SHA-256 and its HMAC. Signing with RSA, which only other clouds ask for, is refused.
#[derive(Debug)]
pub(super) struct RustCrypto;

struct Hash {
    hash: Sha256,
    done: [u8; 32],
}

struct Keyed {
    mac: HmacReset<Sha256>,
    /// A signature's key follows from it.
    done: Zeroizing<[u8; 32]>,
}

fn refused(what: &dyn std::fmt::Debug) -> Error {
    Error::NotSupported { source: format!("{what:?} is not here").into() }
}

impl CryptoProvider for RustCrypto {
    fn digest(&self, algorithm: DigestAlgorithm) -> Result<Box<dyn DigestContext>> {
        match algorithm {
            DigestAlgorithm::Sha256 => Ok(Box::new(Hash { hash: Sha256::new(), done: [0; 32] })),
            other => Err(refused(&other)),
        }
    }

    fn hmac(&self, algorithm: DigestAlgorithm, secret: &[u8]) -> Result<Box<dyn HmacContext>> {
        match algorithm {
            DigestAlgorithm::Sha256 => {
                let mac = HmacReset::new_from_slice(secret).map_err(|e| refused(&e))?;
                Ok(Box::new(Keyed { mac, done: Zeroizing::default() }))
            }
            other => Err(refused(&other)),
        }
    }

    fn sign(&self, algorithm: SigningAlgorithm, _pem: &[u8]) -> Result<Box<dyn Signer>> {
        Err(refused(&algorithm))
    }
}

impl DigestContext for Hash {
    fn update(&mut self, data: &[u8]) {
        self.hash.update(data);
    }

    fn finish(&mut self) -> Result<&[u8]> {
        self.done = self.hash.finalize_reset().into();
        Ok(&self.done)
    }
}

impl HmacContext for Keyed {
    fn update(&mut self, data: &[u8]) {
        self.mac.update(data);
    }

    fn finish(&mut self) -> Result<&[u8]> {
        *self.done = self.mac.finalize_reset().into_bytes().into();
        Ok(&*self.done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_and_its_hmac_are_those_of_the_standards() {
        let mut hash = RustCrypto.digest(DigestAlgorithm::Sha256).expect("is here");
        hash.update(b"ab");
        hash.update(b"c");
        // FIPS 180-2, appendix B.1.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hex::encode(hash.finish().expect("done")), abc);
        // RFC 4231, test case 2.
        let mut mac = RustCrypto.hmac(DigestAlgorithm::Sha256, b"Jefe").expect("is here");
        mac.update(b"what do ya want for nothing?");
        let tag = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(hex::encode(mac.finish().expect("done")), tag);
    }

    #[test]
    fn signing_with_rsa_is_refused() {
        assert!(RustCrypto.sign(SigningAlgorithm::RS256, b"").is_err());
    }
}
