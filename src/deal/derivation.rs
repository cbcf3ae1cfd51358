//! From seeds to a stream of words (spec/shuffle.md, derivation): HMAC-SHA256, then the ChaCha20
//! keystream.

use std::convert::Infallible;
use std::fmt;

use chacha20::cipher::array::Array;
use chacha20::cipher::{KeyIvInit, StreamCipher, StreamCipherCore};
use chacha20::variants::Ietf;
use chacha20::{ChaCha20, ChaChaCore, R20};
use hmac::{Hmac, KeyInit, Mac};
use rand_core::{TryCryptoRng, TryRng};
use sha2::Sha256;
use zeroize::ZeroizeOnDrop;

use super::contribution::{Contributions, head_of_seed};
use crate::sha256::Midstate;

/// A round's number under its commitment: 0 to 2^53-1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nonce(u64);

/// A nonce over 2^53-1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a nonce: expected 0 to {max}, found {0}", max = Nonce::MAX)]
pub struct NonceError(u64);

impl Nonce {
    /// The greatest: 2^53-1, the last integer that JSON keeps exact everywhere.
    pub const MAX: u64 = (1 << 53) - 1;

    /// That of a commitment's first round.
    pub const FIRST: Self = Self(0);

    /// The greatest one. No round has it: a commitment has at most a million.
    pub const LAST: Self = Self(Self::MAX);

    /// # Errors
    /// [`NonceError`] over 2^53-1.
    pub const fn new(value: u64) -> Result<Self, NonceError> {
        if value <= Self::MAX { Ok(Self(value)) } else { Err(NonceError(value)) }
    }

    /// The number.
    #[must_use]
    pub const fn value(self) -> u64 {
        self.0
    }
}

impl TryFrom<u64> for Nonce {
    type Error = NonceError;

    fn try_from(value: u64) -> Result<Self, NonceError> {
        Self::new(value)
    }
}

impl From<Nonce> for u64 {
    fn from(nonce: Nonce) -> Self {
        nonce.0
    }
}

impl fmt::Display for Nonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

pub(super) const DEAL_TAG: &[u8] = b"fairdeal/v1/deal\0";
pub(super) const SEAL_TAG: &[u8] = b"fairdeal/v1/seal\0";

/// The message of a deal: tag, nonce, count, and the encoded contributions in ascending byte order.
#[must_use]
pub fn message(nonce: Nonce, contributions: &Contributions) -> Vec<u8> {
    let mut message = Vec::with_capacity(128);
    in_pieces(DEAL_TAG, nonce, contributions, |piece| message.extend_from_slice(piece));
    message
}

/// The message, piece by piece, so that it can be hashed without being put together first.
fn in_pieces(tag: &[u8], nonce: Nonce, contributions: &Contributions, mut out: impl FnMut(&[u8])) {
    out(tag);
    out(&nonce.0.to_be_bytes());
    out(&contributions.count().to_be_bytes());
    contributions.encode(out);
}

/// The same message from the seeds alone, where every contribution is a clear seed without a
/// checkpoint.
///
/// Takes 1 to 64 seeds of 1 to 256 bytes. Sorts them in place, and replaces what is in `out`.
///
/// # Panics
/// For over 65,535 seeds, or a seed of over 65,535 bytes.
pub fn message_of_seeds(nonce: Nonce, seeds: &mut [&[u8]], out: &mut Vec<u8>) {
    seeds.sort_unstable_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    out.clear();
    out.extend_from_slice(DEAL_TAG);
    out.extend_from_slice(&nonce.0.to_be_bytes());
    let count = u16::try_from(seeds.len()).expect("1 to 64 seeds");
    out.extend_from_slice(&count.to_be_bytes());
    for seed in seeds {
        out.extend_from_slice(&head_of_seed(seed));
        out.extend_from_slice(seed);
    }
}

/// Changes the round that the message of a deal is for: rounds differ in nothing else.
///
/// # Panics
/// For a message that is too short to be a deal's.
pub fn set_nonce(message: &mut [u8], nonce: Nonce) {
    message[DEAL_TAG.len()..][..8].copy_from_slice(&nonce.0.to_be_bytes());
}

/// HMAC-SHA256 keyed with a server seed: the pads are computed once and serve every round under it.
#[derive(Clone)]
pub struct SeedMac(Hmac<Sha256>);

impl SeedMac {
    pub(super) fn new(seed: &[u8; 32]) -> Self {
        Self(Hmac::new_from_slice(seed).expect("HMAC takes a key of any length"))
    }

    /// The key under a tag: that of the deal, or of its seals.
    pub(super) fn derive(
        &self,
        tag: &[u8],
        nonce: Nonce,
        contributions: &Contributions,
    ) -> DealKey {
        let mut mac = self.0.clone();
        in_pieces(tag, nonce, contributions, |piece| mac.update(piece));
        DealKey(mac.finalize().into_bytes().into())
    }

    /// The key of a deal.
    #[must_use]
    pub fn deal_key(&self, nonce: Nonce, contributions: &Contributions) -> DealKey {
        self.derive(DEAL_TAG, nonce, contributions)
    }
}

impl fmt::Debug for SeedMac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SeedMac(…)")
    }
}

/// HMAC-SHA256 (RFC 2104) keyed with a server seed that is public: faster than [`SeedMac`] for many
/// rounds at once.
///
/// Not for a seed that is still secret: nothing is wiped.
#[derive(Clone)]
pub struct OpenMac {
    inner: Midstate,
    outer: Midstate,
}

impl OpenMac {
    pub(super) fn new(seed: &[u8; 32]) -> Self {
        let pad = |with: u8| {
            let mut block = [with; 64];
            block.iter_mut().zip(seed).for_each(|(pad, seed)| *pad ^= seed);
            Midstate::after(&block)
        };
        Self { inner: pad(0x36), outer: pad(0x5c) }
    }

    /// The key of each message's deal.
    #[must_use]
    pub fn keys_of(&self, messages: &[&[u8]]) -> Vec<DealKey> {
        let mut inner = Vec::with_capacity(messages.len());
        self.inner.finish([], messages, |hash| inner.push(hash));
        let mut keys = Vec::with_capacity(messages.len());
        self.outer.finish([], &inner, |hash| keys.push(DealKey(hash)));
        keys
    }
}

impl fmt::Debug for OpenMac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OpenMac(…)")
    }
}

/// The ChaCha20 key of one deal: as secret as the undealt cards.
#[derive(ZeroizeOnDrop)]
pub struct DealKey([u8; 32]);

impl DealKey {
    /// The key as 64 hex digits, for someone who replays the deal by hand.
    #[must_use]
    pub fn reveal(&self) -> String {
        hex::encode(self.0)
    }

    /// The stream of words under this key.
    #[must_use]
    pub fn words(&self) -> Words {
        Words::new(&self.0)
    }

    pub(super) fn keystream(&self, out: &mut [u8]) {
        out.fill(0);
        ChaCha20::new(&self.0.into(), &[0; 12].into()).apply_keystream(out);
    }
}

impl fmt::Debug for DealKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DealKey(…)")
    }
}

/// 64 words: four blocks, as many as the cipher computes at a time.
pub(super) type Block = [[u8; 4]; BLOCK];
pub(super) const BLOCK: usize = 64;

/// The ChaCha20 keystream (20 rounds, zero nonce, block counter from 0) as u32 little-endian words.
///
/// It does not end in practice: a deal of 2^20 items takes some 4 MiB of a keystream of 256 GiB.
pub struct Words {
    cipher: ChaChaCore<R20, Ietf>,
    block: Block,
    at: usize,
    drawn: u64,
}

impl Words {
    fn new(key: &[u8; 32]) -> Self {
        let cipher = KeyIvInit::new(key.into(), &[0; 12].into());
        Self { cipher, block: [[0; 4]; BLOCK], at: BLOCK, drawn: 0 }
    }

    /// The next word.
    #[inline]
    pub fn next_word(&mut self) -> u32 {
        if self.at == BLOCK {
            self.next_block();
            self.at = 0;
        }
        let word = self.block[self.at]; // `at` is under BLOCK here
        self.at += 1;
        self.drawn += 1;
        u32::from_le_bytes(word)
    }

    /// The next words, as many as are computed at a time. Not together with
    /// [`next_word`](Self::next_word), which would pass over them.
    pub(super) fn next_block(&mut self) -> &Block {
        let (blocks, _) = Array::slice_as_chunks_mut(self.block.as_flattened_mut());
        self.cipher.write_keystream_blocks(blocks);
        &self.block
    }

    /// The number of words taken so far, rejected ones too.
    #[must_use]
    pub const fn drawn(&self) -> u64 {
        self.drawn
    }
}

/// The stream as `rand_core` sees it, so that `rand`'s own distributions run on a deal's words;
/// word for word it is `rand_chacha::ChaCha20Rng::from_seed` of the key. A u64 is two words, the
/// low one first, and bytes take whole words: what is left of the last is dropped.
///
/// Not how a deal is dealt: that takes [`below`](super::below), as the specification says.
impl TryRng for Words {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.next_word())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let low = u64::from(self.next_word());
        Ok(u64::from(self.next_word()) << 32 | low)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for part in bytes.chunks_mut(4) {
            let word = self.next_word().to_le_bytes();
            part.copy_from_slice(&word[..part.len()]);
        }
        Ok(())
    }
}

impl TryCryptoRng for Words {}

impl Drop for Words {
    fn drop(&mut self) {
        self.block = [[0; 4]; BLOCK];
        zeroize::optimization_barrier(&self.block); // or the compiler would leave the line above out
    }
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Words({} drawn)", self.drawn)
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt as _;
    use rand::seq::SliceRandom as _;
    use rand_chacha::ChaCha20Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;
    use crate::deal::{Contribution, DrandRandomness, Seen};

    #[test]
    fn the_words_are_those_of_another_chacha20_over_many_refills() {
        let key = [0x5a; 32];
        let mut oracle = ChaCha20Rng::from_seed(key);
        let mut words = Words::new(&key);
        for at in 0..10_000 {
            assert_eq!(words.next_word(), oracle.next_u32(), "word {at}");
        }
        assert_eq!(words.drawn(), 10_000);
    }

    #[test]
    fn as_a_generator_the_words_are_chacha20rng_from_the_key() {
        let key = [0xa5; 32];
        let (mut words, mut oracle) = (Words::new(&key), ChaCha20Rng::from_seed(key));
        // In turns, so that each kind of draw begins at every place of a block.
        for at in 0..2_000 {
            assert_eq!(words.next_u32(), oracle.next_u32(), "{at}");
            assert_eq!(words.next_u64(), oracle.next_u64(), "{at}");
            let (mut bytes, mut expected) = (vec![0; at & 15], vec![0; at & 15]);
            words.fill_bytes(&mut bytes);
            oracle.fill_bytes(&mut expected);
            assert_eq!(bytes, expected, "{at}");
        }
    }

    #[test]
    fn rands_own_distributions_run_on_the_words() {
        let key = [0x3c; 32];
        let (mut words, mut oracle) = (Words::new(&key), ChaCha20Rng::from_seed(key));
        for _ in 0..1_000 {
            assert_eq!(words.random_range(0..52), oracle.random_range(0..52));
        }
        let (mut deck, mut expected) = ([0_u8, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 4, 5, 6, 7]);
        deck.shuffle(&mut words);
        expected.shuffle(&mut oracle);
        assert_eq!(deck, expected);
    }

    #[test]
    fn the_message_is_tag_nonce_count_and_sorted_contributions() {
        let mut late = Contribution::new("z", "b").unwrap();
        late.seen = Some(Seen { size: 7, root: [0xee; 32] });
        let clients = vec![late, Contribution::new("a", "ü").unwrap()];
        let all =
            Contributions::with_drand(clients, DrandRandomness::from_bytes([0xdd; 32])).unwrap();
        let mut expected = b"fairdeal/v1/deal\0".to_vec();
        expected.extend([0, 0, 0, 0, 0, 0, 1, 0, 0, 3]);
        expected.extend([1, 0, 2, 0xc3, 0xbc]);
        expected.extend([2, 0, 1, b'b', 0, 0, 0, 0, 0, 0, 0, 7]);
        expected.extend([0xee; 32]);
        expected.extend([3, 0, 0x20]);
        expected.extend([0xdd; 32]);
        assert_eq!(message(Nonce::new(256).unwrap(), &all), expected);
    }

    #[test]
    fn the_message_of_clear_seeds_is_the_message_of_their_contributions() {
        let nonce = Nonce::new(77).unwrap();
        let texts = ["b", "aa", "a", "ü", "a longer one", "b"];
        let clients =
            (0..).zip(texts).map(|(at, seed): (u8, _)| Contribution::new(format!("p{at}"), seed));
        let all = Contributions::of_clients(clients.collect::<Result<_, _>>().unwrap()).unwrap();
        let mut seeds = texts.map(str::as_bytes);
        let mut found = b"left from before".to_vec();
        message_of_seeds(nonce, &mut seeds, &mut found);
        assert_eq!(found, message(nonce, &all));
        let next = Nonce::new(1 << 40).unwrap();
        set_nonce(&mut found, next);
        assert_eq!(found, message(next, &all));
    }

    #[test]
    fn an_open_mac_gives_the_keys_that_hmac_gives() {
        let seed = [0xc3; 32];
        let message: Vec<u8> = (0..=255).cycle().take(301).collect();
        for length in 0..=300 {
            let messages = [&message[..length], &message[300 - length..300], &message[1..]];
            let found: Vec<_> =
                OpenMac::new(&seed).keys_of(&messages).iter().map(|key| key.0).collect();
            let expected = messages.map(|message| {
                let mac = Hmac::<Sha256>::new_from_slice(&seed).unwrap();
                <[u8; 32]>::from(mac.chain_update(message).finalize().into_bytes())
            });
            assert_eq!(found, expected, "{length}");
        }
    }

    #[test]
    fn nonces_end_at_two_to_the_53rd_less_one() {
        assert!(Nonce::new(Nonce::MAX).is_ok());
        assert_eq!(Nonce::new(1 << 53), Err(NonceError(1 << 53)));
    }
}
