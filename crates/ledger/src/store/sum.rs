//! Checksums of rows: a bit that changes on the disk is found where the row is read.
//!
//! Not against a forger: whoever can write the database can write its checksums.

use sha2::{Digest as _, Sha256};

use super::state::{
    Answer, Head, RoundEntry, Segment, StoredLife, Ticked, end_to_text, hashes_to_bytes,
};

/// The checksum's length in bytes.
pub(super) const LENGTH: usize = 8;

/// The first 8 bytes of SHA-256 over a table's name and a row's fields, each behind its length.
pub(super) struct Sum(Sha256);

impl Sum {
    pub(super) fn of(table: &str) -> Self {
        Self(Sha256::new()).bytes(table.as_bytes())
    }

    pub(super) fn bytes(self, field: &[u8]) -> Self {
        let length = u64::try_from(field.len()).unwrap_or(u64::MAX);
        Self(self.0.chain_update(length.to_be_bytes()).chain_update(field))
    }

    pub(super) fn int(self, field: u64) -> Self {
        self.bytes(&field.to_be_bytes())
    }

    /// A field that may be null.
    pub(super) fn optional(self, field: Option<&[u8]>) -> Self {
        match field {
            Some(field) => self.int(1).bytes(field),
            None => self.int(0),
        }
    }

    pub(super) fn optional_int(self, field: Option<u64>) -> Self {
        self.optional(field.map(u64::to_be_bytes).as_ref().map(<[u8; 8]>::as_slice))
    }

    pub(super) fn end(self) -> [u8; LENGTH] {
        let digest = self.0.finalize();
        *digest.first_chunk().expect("SHA-256 has 32 bytes")
    }
}

pub(super) fn head_sum(head: &Head) -> [u8; LENGTH] {
    let (size, hashes) = head.frontier.parts();
    let Head { key, vault, frontier: _, note, time, key_time, kept, clock, closed } = head;
    let sum = Sum::of("ledger").bytes(key.as_bytes()).bytes(vault.as_bytes()).int(size);
    let sum = sum.bytes(&hashes_to_bytes(hashes)).bytes(note.as_bytes());
    let sum = sum.optional_int(*time).int(*key_time).int(*kept);
    let sum = sum.optional(closed.as_ref().map(String::as_bytes));
    match clock {
        Some(Ticked { boot, passed, unix }) => {
            sum.bytes(boot.as_bytes()).int(*passed).int(*unix).end()
        }
        None => sum.end(),
    }
}

pub(super) fn commitment_sum(stored: &StoredLife, terms: &str) -> [u8; LENGTH] {
    let commit = &stored.life.commit;
    let sum = Sum::of("commitment").int(stored.life.index).bytes(commit.commitment.as_bytes());
    sum.bytes(commit.table.as_str().as_bytes()).bytes(terms.as_bytes()).bytes(&stored.seed).end()
}

pub(super) fn life_sum(stored: &StoredLife, lock: Option<&str>) -> [u8; LENGTH] {
    let life = &stored.life;
    let sum = Sum::of("life").int(life.index).int(life.next);
    let sum = sum
        .optional_int(life.open.as_ref().map(|open| open.index))
        .optional(lock.map(str::as_bytes));
    let ended = life.end.map(end_to_text);
    sum.optional(ended.map(str::as_bytes)).optional_int(stored.ended_at).end()
}

pub(super) fn chain_sum(name: &str, last: &[u8; 32]) -> [u8; LENGTH] {
    Sum::of("chain").bytes(name.as_bytes()).bytes(last).end()
}

pub(super) fn segment_sum(segment: &Segment) -> [u8; LENGTH] {
    Sum::of("tail").int(segment.first).int(u64::from(segment.count)).bytes(&segment.bytes).end()
}

pub(super) fn round_sum(one: &RoundEntry) -> [u8; LENGTH] {
    Sum::of("round").int(one.under).int(one.nonce.value()).int(one.index).end()
}

pub(super) fn memo_sum(kind: &str, key: &str, value: &str) -> [u8; LENGTH] {
    Sum::of("memo").bytes(kind.as_bytes()).bytes(key.as_bytes()).bytes(value.as_bytes()).end()
}

pub(super) fn node_sum(level: u32, place: u64, hash: &[u8; 32]) -> [u8; LENGTH] {
    Sum::of("node").int(u64::from(level)).int(place).bytes(hash).end()
}

pub(super) fn answer_sum(answer: &Answer) -> [u8; LENGTH] {
    let sum = Sum::of("answer").int(answer.index).bytes(answer.key.as_bytes());
    sum.bytes(&answer.request).int(answer.at).end()
}
