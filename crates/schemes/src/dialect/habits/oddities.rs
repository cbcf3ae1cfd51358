//! Counts what is odd in the texts of server seeds.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::report::{Length, Seeds, Tally, keep_first};
use fairdeal_audit::stats::number::count;

/// How many lengths are told apart; all others are unusual.
const LENGTHS: usize = 64;

/// A seed of fewer characters is short.
const SHORT: usize = 16;

/// So many different characters are few.
const FEW: usize = 4;

/// The texts of server seeds so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Oddities {
    /// The length that the scheme fixes.
    fixed: Option<u64>,
    lengths: BTreeMap<u64, Tally>,
    found: Seeds,
}

impl Oddities {
    pub(super) fn new(fixed: Option<usize>) -> Self {
        Self { fixed: fixed.map(count), ..Self::default() }
    }

    pub(super) fn add(&mut self, row: u64, seed: &str) {
        let length = seed.chars().count();
        let known = self.lengths.len();
        match self.lengths.entry(count(length)) {
            Entry::Vacant(_) if known >= LENGTHS => self.found.unusual_length.note(row),
            entry => entry.or_default().note(row),
        }
        if length < SHORT {
            self.found.short.note(row);
        }
        if seed.bytes().all(|byte| byte.is_ascii_digit()) {
            self.found.digits_only.note(row);
        }
        if has_few(seed) {
            self.found.few_characters.note(row);
        }
    }

    pub(super) fn finish(self) -> Seeds {
        let Self { fixed, lengths, mut found } = self;
        let commonest =
            lengths.iter().max_by_key(|(_, tally)| tally.count).map(|(length, _)| *length);
        let usual = fixed.or(commonest);
        for (length, tally) in lengths {
            found.lengths.push(Length { length, rows: tally.count });
            if Some(length) != usual {
                found.unusual_length.count += tally.count;
                let rows = &mut found.unusual_length.rows;
                tally.rows.into_iter().for_each(|row| keep_first(rows, row, |row| *row));
            }
        }
        found
    }
}

fn has_few(seed: &str) -> bool {
    let mut different = Vec::with_capacity(FEW + 1);
    seed.chars().all(|one| {
        if !different.contains(&one) {
            different.push(one);
        }
        different.len() <= FEW
    })
}
