//! The turns of tables, where a log's commitments are judged apart: a table has one open commitment
//! at a time (spec/ledger.md, row 9). The notes of each share are enough to judge that at the end.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use fairdeal::deal::Commitment;
use fairdeal::record::Life;

/// A commit that had an effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Its index.
    pub index: u64,
    /// Its table.
    pub table: String,
    /// Its commitment.
    pub commitment: Commitment,
    /// The commitment before it, as it names that.
    pub after: Option<Commitment>,
    /// The index of the entry that closed it: that used it up, revealed it or voided it.
    pub closed: Option<u64>,
}

/// The turns of a share.
#[derive(Debug, Default)]
pub(super) struct Turns(HashMap<Commitment, Turn>);

impl Turns {
    /// Notes a life after an entry had its effect.
    pub(super) fn look(&mut self, index: u64, life: &Life) {
        let commit = &life.commit;
        let turn = self.0.entry(commit.commitment).or_insert_with(|| Turn {
            index: life.index,
            table: commit.table.as_str().to_owned(),
            commitment: commit.commitment,
            after: commit.after,
            closed: None,
        });
        if life.closed() {
            turn.closed.get_or_insert(index);
        }
    }

    pub(super) fn all(self) -> Vec<Turn> {
        self.0.into_values().collect()
    }
}

/// Whether the turns of some tables, of each with all its commits, keep row 9; and no commitment is
/// made twice.
#[must_use]
pub fn turns_hold(mut turns: Vec<Turn>) -> bool {
    turns.sort_unstable_by_key(|turn| turn.index);
    let mut last: HashMap<&str, &Turn> = HashMap::new();
    let mut made: HashSet<Commitment> = HashSet::with_capacity(turns.len());
    turns.iter().all(|turn| {
        let before = last.insert(&turn.table, turn);
        let is_closed =
            before.is_none_or(|before| before.closed.is_some_and(|closed| closed < turn.index));
        is_closed
            && made.insert(turn.commitment)
            && turn.after == before.map(|before| before.commitment)
    })
}
