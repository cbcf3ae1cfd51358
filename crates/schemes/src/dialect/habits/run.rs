//! Records of rows. All have one size, so that their memory can be stated.
//!
//! Consecutive rows of one seed whose nonces go up or down by one share a record. So an export in
//! the order of play takes one record for each seed and client.

use std::hash::{BuildHasher as _, RandomState};

/// 87 bits of the hash of a commitment or a seed, under random keys, so that nobody can aim at a
/// collision: of 2^24 two collide with a chance under 2^-39. Packed, so that a record has 56 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(C, packed)]
pub(super) struct Id {
    head: u64,
    tail: [u8; 3],
}

impl Id {
    /// The id of what is not given.
    pub(super) const NONE: Self = Self { head: 0, tail: [0; 3] };

    /// This id, or another one if this is [`Id::NONE`].
    pub(super) fn or(self, other: Self) -> Self {
        if self == Self::NONE { other } else { self }
    }
}

/// The keys of ids.
#[derive(Clone, Debug, Default)]
pub(super) struct Ids(RandomState, RandomState);

impl Ids {
    pub(super) fn id(&self, bytes: &[u8]) -> Id {
        let [a, b, c, ..] = self.1.hash_one(bytes).to_le_bytes();
        // One bit is always set, so that no text has the id `NONE`.
        Id { head: self.0.hash_one(bytes) | 1, tail: [a, b, c] }
    }

    /// 64 bits, not 0, for what is compared within one seed only.
    pub(super) fn short(&self, bytes: &[u8]) -> u64 {
        self.0.hash_one(bytes).max(1)
    }
}

/// Consecutive rows of one seed and client with consecutive numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// The first row.
    pub(super) row: u64,
    /// The least nonce, or the least number of a game; or [`UNNUMBERED`].
    pub(super) low: u64,
    /// The client's part, hashed; 0 for nothing.
    pub(super) client: u64,
    /// The number of rows.
    pub(super) rows: u32,
    pub(super) commitment: Id,
    pub(super) seed: Id,
    /// Whether the numbers go down from row to row.
    pub(super) is_down: bool,
}

/// The number of a row without one. Nonces and games are under 2^53.
pub(super) const UNNUMBERED: u64 = 1 << 53;

impl Run {
    pub(super) fn is_numbered(&self) -> bool {
        self.low != UNNUMBERED
    }

    /// The greatest number.
    pub(super) fn high(&self) -> u64 {
        self.low + u64::from(self.rows) - 1
    }

    /// The row that has this number.
    pub(super) fn row_of(&self, number: u64) -> u64 {
        let first = if self.is_down { self.high() } else { self.low };
        self.row + number.abs_diff(first).min(u64::from(self.rows) - 1)
    }

    /// Takes the next row into the record if it continues it.
    pub(super) fn takes(&mut self, next: &Self) -> bool {
        let is_same = (self.seed, self.commitment, self.client)
            == (next.seed, next.commitment, next.client)
            && self.is_numbered()
            && next.is_numbered()
            && self.rows < u32::MAX
            && self.row + u64::from(self.rows) == next.row;
        let is_up = next.low == self.high() + 1 && !self.is_down;
        let is_down = next.low + 1 == self.low && (self.rows == 1 || self.is_down);
        let takes = is_same && (is_up || is_down);
        if takes {
            self.is_down = is_down;
            self.low = self.low.min(next.low);
            self.rows += 1;
        }
        takes
    }
}
