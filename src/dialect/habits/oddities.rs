//! What is odd in the texts of server seeds, row by row: nothing but counts and the first rows.

use std::collections::BTreeMap;

use super::report::{Length, Seeds, Tally};
use crate::stats::number::count;

/// Lengths that are told apart; rows of others count as of an unusual one.
const LENGTHS: usize = 64;

/// Characters of a seed under which it is short.
const SHORT: usize = 16;

/// Different characters that are few.
const FEW: usize = 4;

/// The texts of server seeds so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Oddities {
    /// Characters that the scheme fixes.
    fixed: Option<u64>,
    lengths: BTreeMap<u64, Tally>,
    others: Tally,
    few_characters: Tally,
    digits_only: Tally,
    short: Tally,
}

impl Oddities {
    pub(super) fn new(fixed: Option<usize>) -> Self {
        Self { fixed: fixed.map(count), ..Self::default() }
    }

    pub(super) fn add(&mut self, row: u64, seed: &str) {
        let length = seed.chars().count();
        let known = self.lengths.len();
        match self.lengths.entry(count(length)) {
            std::collections::btree_map::Entry::Vacant(_) if known >= LENGTHS => self.others.note(row),
            entry => entry.or_default().note(row),
        }
        if length < SHORT {
            self.short.note(row);
        }
        if seed.bytes().all(|byte| byte.is_ascii_digit()) {
            self.digits_only.note(row);
        }
        if has_few(seed) {
            self.few_characters.note(row);
        }
    }

    pub(super) fn finish(self) -> Seeds {
        let commonest = self.lengths.iter().max_by_key(|(_, tally)| tally.count).map(|(length, _)| *length);
        let usual = self.fixed.or(commonest);
        let mut unusual_length = self.others;
        for (_, tally) in self.lengths.iter().filter(|(length, _)| Some(**length) != usual) {
            let noted = unusual_length.count.saturating_add(tally.count);
            tally.rows.iter().for_each(|row| unusual_length.note(*row));
            unusual_length.count = noted;
        }
        let lengths =
            self.lengths.iter().map(|(length, tally)| Length { length: *length, rows: tally.count });
        Seeds {
            lengths: lengths.collect(),
            unusual_length,
            few_characters: self.few_characters,
            digits_only: self.digits_only,
            short: self.short,
        }
    }
}

/// Whether there are at most [`FEW`] different characters.
fn has_few(seed: &str) -> bool {
    let mut different = ['\0'; FEW];
    let mut found = 0;
    for character in seed.chars() {
        let (before, free) = different.split_at_mut_checked(found).unwrap_or_default();
        if before.contains(&character) {
            continue;
        }
        let Some(place) = free.first_mut() else { return false };
        *place = character;
        found = found.saturating_add(1);
    }
    true
}
