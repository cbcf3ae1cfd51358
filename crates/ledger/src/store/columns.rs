//! Entries and lives as columns, alike in every database.

use crate::store::state::StoredLife;
use fairdeal::log::Hash;
use fairdeal::record::entry::{Commit, Entry};
use fairdeal::record::life::{End, Life};

/// Answers that one batch forgets at most: more than it adds, so that they do not pile up.
pub(super) const FORGOTTEN: i64 = 4000;

/// A database's integer. Sizes, indices and logged times fit; only a clock may say more than 2^63 − 1.
pub(super) fn int(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

pub(super) fn hashes_to_bytes(hashes: &[Hash]) -> Vec<u8> {
    hashes.iter().flat_map(Hash::as_bytes).copied().collect()
}

/// Kind and key in one text. A kind has no `/`.
pub(super) fn memo_name(kind: &str, key: &str) -> String {
    format!("{kind}/{key}")
}

pub(super) fn terms(stored: &StoredLife) -> Result<String, sqlx::Error> {
    text(&Commit::clone(&stored.life.commit).into())
}

pub(super) fn lock(life: &Life) -> Result<Option<String>, sqlx::Error> {
    life.open.as_ref().map(|open| text(&Entry::Lock(open.lock.clone()))).transpose()
}

fn text(entry: &Entry) -> Result<String, sqlx::Error> {
    entry.to_text().map_err(|e| sqlx::Error::Encode(Box::new(e)))
}

pub(super) const fn end_to_text(end: End) -> &'static str {
    match end {
        End::Revealed => "revealed",
        End::Voided => "voided",
    }
}
