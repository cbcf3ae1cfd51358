//! The sources of choices: a seeded stream for samples, and each possibility in turn for
//! enumeration.

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};

use fairdeal::deal::{Choices, below};
use fairdeal_audit::stats::number::{index, item};

/// The way from a word to a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Narrow {
    /// With rejection: exactly uniform.
    Exact,
    /// A word of this many bits, modulo the ways.
    Modulo(u32),
    /// A word of this many bits as a fraction of one, times the ways.
    Float(u32),
}

/// Makes a shuffle's choices.
pub(super) trait Choose {
    /// A value under `ways`; 0 if there is no choice.
    fn choose(&mut self, ways: u32, how: Narrow) -> u32;

    /// A uniform value under `ways`.
    fn below(&mut self, ways: u32) -> u32 {
        self.choose(ways, Narrow::Exact)
    }

    /// An item that is not taken: draws from all items until one is free.
    fn untaken(&mut self, taken: &[bool]) -> u32 {
        loop {
            let free = self.below(item(taken.len()));
            if !taken[index(free)] {
                return free;
            }
        }
    }

    /// Random keys of this many bits, or others that compare in the same way.
    fn keys(&mut self, items: u32, bits: u32) -> Vec<u32> {
        (0..items).map(|_| self.below(1 << bits)).collect()
    }
}

/// The 32-bit words of a ChaCha20 keystream under a small seed: the same on every machine.
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
        let word =
            self.buffer[self.at..].first_chunk().expect("the buffer is a multiple of four bytes");
        self.at += 4;
        u32::from_le_bytes(*word)
    }
}

impl Choose for Stream {
    fn choose(&mut self, ways: u32, how: Narrow) -> u32 {
        if ways < 2 {
            return 0;
        }
        match how {
            Narrow::Exact => {
                let ways = Choices::new(ways).expect("no shuffle has more than 2^20 ways");
                below(ways, || self.next_word())
            }
            Narrow::Modulo(bits) => (self.next_word() >> (32 - bits)) % ways,
            Narrow::Float(bits) => {
                let word = u64::from(self.next_word() >> (32 - bits));
                u32::try_from((word * u64::from(ways)) >> bits).expect("it is under `ways`")
            }
        }
    }
}
