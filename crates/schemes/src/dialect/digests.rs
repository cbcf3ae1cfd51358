//! HMAC-SHA256 of messages that differ in their last number, and the words of its digests.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// HMAC-SHA256 under one key. A trait, so that tests can use digests that no search would find.
pub trait Digests {
    /// The digest of a message.
    fn digest(&mut self, message: &[u8]) -> [u8; 32];
}

/// HMAC-SHA256 under a key. The key's pads are computed once, when they are needed.
#[derive(Clone, Debug, Default)]
pub struct Keyed {
    key: Vec<u8>,
    /// A buffer for the next key.
    next: Vec<u8>,
    mac: Option<Hmac<Sha256>>,
}

impl Keyed {
    /// Sets the key.
    pub fn set(&mut self, key: &[u8]) {
        if self.key != key {
            key.clone_into(&mut self.key);
            self.mac = None;
        }
    }

    /// Sets the key that `decode` writes into the buffer. If `decode` fails, the key stays.
    pub(super) fn set_by<E>(
        &mut self,
        decode: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
    ) -> Result<(), E> {
        decode(&mut self.next)?;
        if self.key != self.next {
            std::mem::swap(&mut self.key, &mut self.next);
            self.mac = None;
        }
        Ok(())
    }
}

impl Digests for Keyed {
    fn digest(&mut self, message: &[u8]) -> [u8; 32] {
        let key = &self.key;
        let mac = self.mac.get_or_insert_with(|| {
            Hmac::new_from_slice(key).expect("HMAC takes a key of any length")
        });
        mac.clone().chain_update(message).finalize().into_bytes().into()
    }
}

/// A digest as eight big-endian words.
pub(super) fn words(digest: &[u8; 32]) -> [u32; 8] {
    let (chunks, _) = digest.as_chunks::<4>();
    std::array::from_fn(|at| u32::from_be_bytes(chunks[at]))
}

/// The first 13 hex digits of a digest: a number of 52 bits.
pub(super) fn number52(digest: &[u8; 32]) -> u64 {
    let [high, low, ..] = words(digest);
    (u64::from(high) << 32 | u64::from(low)) >> 12
}

/// Messages `client:nonce:cursor` that differ in the cursor.
#[derive(Clone, Debug)]
pub(super) struct Message {
    bytes: Vec<u8>,
    before: usize,
}

impl Message {
    /// The message up to the cursor.
    pub(super) fn of(client_seed: &str, nonce: u64) -> Self {
        let mut bytes = Vec::with_capacity(client_seed.len() + 44);
        bytes.extend_from_slice(client_seed.as_bytes());
        bytes.push(b':');
        bytes.extend_from_slice(itoa::Buffer::new().format(nonce).as_bytes());
        bytes.push(b':');
        let before = bytes.len();
        Self { bytes, before }
    }

    /// The message `client:nonce`.
    pub(super) fn without_cursor(&self) -> &[u8] {
        self.bytes.get(..self.before - 1).unwrap_or_default()
    }

    /// The message with this cursor.
    pub(super) fn at(&mut self, cursor: u64) -> &[u8] {
        self.bytes.truncate(self.before);
        self.bytes.extend_from_slice(itoa::Buffer::new().format(cursor).as_bytes());
        &self.bytes
    }
}
