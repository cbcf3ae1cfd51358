//! Taking back the effect of an entry that a ledger refuses.

use super::anchors::Anchors;
use super::{Judge, Known};
use crate::deal::Commitment;
use crate::record::entry::{Entry, Table};
use crate::record::life::{End, Open, View};

/// The part of a judge's knowledge that an entry may change.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// `None` for an anchor.
    commitment: Option<Commitment>,
    is_known: bool,
    /// The life's `next`, `open` and `end`; `None` if the commitment is not known.
    life: Option<(u64, Option<Open>, Option<End>)>,
    /// A commit's table, and its last commitment.
    table: Option<(Table, Option<Commitment>)>,
    last_time: Option<u64>,
    anchors: Anchors,
}

impl<V: View, N: Default> Judge<V, N> {
    /// The part that this entry may change, as it is now. For a judge of a whole log.
    pub fn snapshot(&self, entry: &Entry) -> Snapshot {
        let commitment = entry.commitment();
        let table = match entry {
            Entry::Commit(commit) => {
                Some((commit.table.clone(), self.tables.get(&commit.table).copied()))
            }
            _ => None,
        };
        let known = commitment.and_then(|commitment| self.lives.get(&commitment));
        let life = match known {
            Some(Known::Judged(known)) => Some((known.0.next, known.0.open.clone(), known.0.end)),
            _ => None,
        };
        let (is_known, last_time, anchors) =
            (known.is_some(), self.last_time, self.anchors.clone());
        Snapshot { commitment, is_known, life, table, last_time, anchors }
    }

    /// Makes all that the entry changed as it was.
    pub fn restore(&mut self, before: Snapshot) {
        let Snapshot { commitment, is_known, life, table, last_time, anchors } = before;
        (self.last_time, self.anchors) = (last_time, anchors);
        let Some(commitment) = commitment else { return };
        match (life, self.lives.get_mut(&commitment)) {
            (Some((next, open, end)), Some(Known::Judged(known))) => {
                let life = &mut known.0;
                (life.next, life.open, life.end) = (next, open, end);
            }
            (None, Some(_)) if !is_known => drop(self.lives.remove(&commitment)),
            _ => {}
        }
        match table {
            Some((table, Some(last))) => drop(self.tables.insert(table, last)),
            Some((table, None)) => drop(self.tables.remove(&table)),
            None => {}
        }
    }
}
