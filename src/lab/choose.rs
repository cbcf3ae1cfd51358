//! Where choices come from: a seeded stream when sampling, every possibility in turn when walking.

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};

use crate::deal::{Choices, below};

/// How words become a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Narrow {
    /// With rejection: exactly uniform.
    Exact,
    /// A word of so many bits modulo the ways.
    Modulo(u32),
    /// A word of so many bits as a fraction of one, times the ways.
    Float(u32),
}

/// Answers a shuffle's questions.
pub(super) trait Choose {
    /// A value under `ways`; 0 where there is no choice.
    fn choose(&mut self, ways: u32, how: Narrow) -> u32;

    /// A uniform value under `ways`.
    fn below(&mut self, ways: u32) -> u32 {
        self.choose(ways, Narrow::Exact)
    }

    /// An item that was not taken yet, drawn from all until one is not.
    fn untaken(&mut self, taken: &[bool]) -> u32 {
        let items = u32::try_from(taken.len()).unwrap_or(u32::MAX);
        loop {
            let item = self.below(items);
            let index = usize::try_from(item).unwrap_or(usize::MAX);
            if taken.get(index) != Some(&true) {
                return item;
            }
        }
    }

    /// Random keys of so many bits, or others that compare with one another in the same way.
    fn keys(&mut self, items: u32, bits: u32) -> Vec<u32> {
        (0..items).map(|_| self.below(1 << bits)).collect()
    }
}

/// A ChaCha20 keystream under a small seed: 32-bit words, the same everywhere and always.
#[derive(Debug)]
pub(super) struct Stream {
    cipher: ChaCha20,
    buffer: [u8; 256],
    at: usize,
}

impl Stream {
    /// The key is the seed, little-endian, then zeros; the nonce is zero.
    pub(super) fn seeded(seed: u64) -> Self {
        let mut key = [0; 32];
        for (byte, of_seed) in key.iter_mut().zip(seed.to_le_bytes()) {
            *byte = of_seed;
        }
        Self { cipher: ChaCha20::new(&key.into(), &[0; 12].into()), buffer: [0; 256], at: 256 }
    }

    fn next_word(&mut self) -> u32 {
        if self.at >= self.buffer.len() {
            self.buffer = [0; 256];
            self.cipher.apply_keystream(&mut self.buffer);
            self.at = 0;
        }
        let word = self.buffer.get(self.at..).and_then(<[u8]>::first_chunk::<4>);
        self.at += 4;
        word.copied().map_or(0, u32::from_le_bytes)
    }
}

impl Choose for Stream {
    #[expect(clippy::integer_division_remainder_used, reason = "modulo bias is one of the faults shown")]
    fn choose(&mut self, ways: u32, how: Narrow) -> u32 {
        if ways < 2 {
            return 0;
        }
        match how {
            // No source asks for more than 2^20 ways.
            Narrow::Exact => Choices::new(ways).map_or(0, |ways| below(ways, || self.next_word())),
            Narrow::Modulo(bits) => (self.next_word() >> (32 - bits)) % ways,
            Narrow::Float(bits) => {
                let word = u64::from(self.next_word() >> (32 - bits));
                u32::try_from((word * u64::from(ways)) >> bits).unwrap_or(0)
            }
        }
    }
}
