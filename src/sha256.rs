//! SHA-256 of many messages, two side by side, over the compression function of `sha2`.
//!
//! The steps of one compression wait for each other and leave much of a core idle. The steps of two
//! messages do not wait for each other, so a core takes both in two thirds of the time: messages go
//! through in pairs, a block of each in turn. The rest of this file is padding (FIPS 180-4, section
//! 5.1.1); tests compare it with the crate's own `Sha256`.
//!
//! Not for one message, and not for secrets, because nothing is wiped: [`sha2::Sha256`] is for
//! those.

use std::slice;

use sha2::block_api::compress256;

type Block = [u8; 64];
type Words = [u32; 8];

/// The number of messages that are padded before the first of them is hashed: a read of bytes that
/// were just written in smaller pieces stalls.
const BATCH: usize = 8;

/// A hash under way, at the end of a block.
#[derive(Clone)]
pub(crate) struct Midstate {
    words: Words,
    bytes: u64,
}

/// The blocks of a message that need a copy: the first, which begins with a tag, and the padded
/// end.
#[derive(Clone, Copy)]
struct Ends {
    first: [Block; 1],
    firsts: usize,
    last: [Block; 2],
    lasts: usize,
}

impl Midstate {
    /// Before the first block (FIPS 180-4, section 5.3.3).
    pub(crate) const START: Self = Self {
        words: [
            0x6a09_e667,
            0xbb67_ae85,
            0x3c6e_f372,
            0xa54f_f53a,
            0x510e_527f,
            0x9b05_688c,
            0x1f83_d9ab,
            0x5be0_cd19,
        ],
        bytes: 0,
    };

    /// The hash of a message that is padded to whole blocks already, for a caller that wipes them
    /// itself.
    pub(crate) fn of_blocks(blocks: &[Block]) -> [u8; 32] {
        let Self { mut words, .. } = Self::START;
        compress256(&mut words, blocks);
        to_bytes(words)
    }

    /// After one block.
    pub(crate) fn after(block: &Block) -> Self {
        let Self { mut words, .. } = Self::START;
        compress256(&mut words, slice::from_ref(block));
        Self { words, bytes: 64 }
    }

    /// Calls `hash` with the hash of each message: what was hashed so far, the tag, which is
    /// shorter than a block, and the message.
    #[inline]
    pub(crate) fn finish<const TAG: usize, M: AsRef<[u8]>>(
        &self,
        tag: [u8; TAG],
        messages: &[M],
        mut hash: impl FnMut([u8; 32]),
    ) {
        let mut ends = [Ends::EMPTY; BATCH];
        for batch in messages.chunks(BATCH) {
            for (message, ends) in batch.iter().zip(&mut ends) {
                ends.set(self.bytes, tag, message.as_ref());
            }
            let mut parts =
                batch.iter().zip(&ends).map(|(message, ends)| ends.parts(TAG, message.as_ref()));
            while let Some(one) = parts.next() {
                let other = parts.next();
                let (mut a, mut b) = (self.words, self.words);
                for (one, other) in one.into_iter().zip(other.unwrap_or_default()) {
                    in_turns([&mut a, &mut b], [one, other]);
                }
                hash(to_bytes(a));
                if other.is_some() {
                    hash(to_bytes(b));
                }
            }
        }
    }
}

/// Compresses a block of each in turn, then the rest of the longer one.
#[inline]
fn in_turns([a, b]: [&mut Words; 2], [one, other]: [&[Block]; 2]) {
    for (one, other) in one.iter().zip(other) {
        compress256(a, slice::from_ref(one));
        compress256(b, slice::from_ref(other));
    }
    for more in one.iter().skip(other.len()) {
        compress256(a, slice::from_ref(more));
    }
    for more in other.iter().skip(one.len()) {
        compress256(b, slice::from_ref(more));
    }
}

#[inline]
fn to_bytes(words: Words) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
        *bytes = word.to_be_bytes();
    }
    bytes
}

/// Splits the message after the first block, which also holds the tag; `None` if it does not
/// fill that block.
#[inline]
fn split(tag: usize, message: &[u8]) -> Option<(&[u8], &[u8])> {
    message.split_at_checked(64 - tag)
}

impl Ends {
    const EMPTY: Self = Self { first: [[0; 64]], firsts: 0, last: [[0; 64]; 2], lasts: 0 };

    #[inline]
    fn set<const TAG: usize>(&mut self, before: u64, tag: [u8; TAG], message: &[u8]) {
        self.last = [[0; 64]; 2];
        let end = self.last.as_flattened_mut();
        let left = if let Some((start, rest)) = split(TAG, message) {
            self.firsts = 1;
            let first = self.first.as_flattened_mut();
            put(first, 0, &tag);
            put(first, TAG, start);
            let (_, rest) = rest.as_chunks::<64>();
            put(end, 0, rest);
            rest.len()
        } else {
            self.firsts = 0;
            put(end, 0, &tag);
            put(end, TAG, message);
            TAG + message.len()
        };
        put(end, left, &[0x80]);
        let (lasts, length) = if left < 56 { (1, 56) } else { (2, 120) };
        self.lasts = lasts;
        let bytes = before + (TAG + message.len()) as u64;
        put(end, length, &(8 * bytes).to_be_bytes());
    }

    /// All blocks of the message: the same one that `set` was called with.
    #[inline]
    fn parts<'a>(&'a self, tag: usize, message: &'a [u8]) -> [&'a [Block]; 3] {
        let whole = split(tag, message).map(|(_, rest)| rest.as_chunks().0).unwrap_or_default();
        [&self.first[..self.firsts], whole, &self.last[..self.lasts]]
    }
}

#[inline]
fn put(room: &mut [u8], at: usize, bytes: &[u8]) {
    room[at..][..bytes.len()].copy_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    fn bytes(count: usize) -> Vec<u8> {
        (0..count).map(|at| u8::try_from((7 * at) & 0xff).unwrap()).collect()
    }

    /// Messages of lengths that change from one to the next, twenty at a time, so that batches and
    /// pairs are full and not.
    fn check<const TAG: usize>(from: &Midstate, before: &[u8], tag: [u8; TAG]) {
        let message = bytes(400);
        let lengths = (0..=300).flat_map(|length| [length, 300 - length, (7 * length) & 0xff]);
        let messages: Vec<&[u8]> =
            lengths.map(|length| &message[length & 0x3f..][..length]).collect();
        let alone = |message: &&[u8]| -> [u8; 32] {
            Sha256::new()
                .chain_update(before)
                .chain_update(tag)
                .chain_update(message)
                .finalize()
                .into()
        };
        for count in [1, 2, 7, 8, 9, 19] {
            for messages in messages.chunks(count) {
                let mut found = Vec::new();
                from.finish(tag, messages, |hash| found.push(hash));
                assert_eq!(
                    found,
                    messages.iter().map(alone).collect::<Vec<_>>(),
                    "{TAG}, {count} at a time"
                );
            }
        }
    }

    #[test]
    fn messages_of_any_lengths_hash_as_each_does_alone() {
        check(&Midstate::START, &[], []);
        check(&Midstate::START, &[], [1]);
        check(&Midstate::START, &[], [7; 55]);
        check(&Midstate::START, &[], [8; 56]);
        check(&Midstate::START, &[], [9; 63]);
    }

    #[test]
    fn a_hash_goes_on_after_its_first_block() {
        let block = [0x36; 64];
        check(&Midstate::after(&block), &block, []);
        check(&Midstate::after(&block), &block, [0xa5; 2]);
    }
}
