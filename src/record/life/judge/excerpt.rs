//! Facts that an excerpt of a log shows about the entries left out (spec/ledger.md, section 9.3:
//! row 9 in an excerpt, and on 11).

use std::collections::{BTreeMap, BTreeSet};

use crate::deal::{Commitment, Digest};
use crate::record::entry::{Commit, Entry, Table};

/// Commitments that tables have left behind, and roots that entries name.
#[derive(Clone, Debug, Default)]
pub(super) struct Left {
    /// No later commit of the table can name one of these in `after`.
    behind: BTreeSet<(Table, Option<Commitment>)>,
    /// The first root that a player or an anchor names at each size.
    roots: BTreeMap<u64, Digest>,
}

impl Left {
    /// A commit took effect; `before` is the last one of its table that was shown.
    pub(super) fn commit(&mut self, commit: &Commit, before: Option<Commitment>) {
        // A later commit can be neither the first of the table, nor after the same commitment as
        // this one or an earlier one.
        for behind in [None, commit.after].into_iter().chain(before.map(Some)) {
            self.behind.insert((commit.table.clone(), behind));
        }
    }

    /// Row 9: what no log without findings has, whatever was left out. `last` is the last
    /// commitment shown of the entry's table.
    pub(super) fn out_of_turn(&self, entry: &Entry, last: Option<&Commitment>) -> Option<String> {
        let commitment = entry.commitment()?;
        match entry {
            Entry::Commit(commit) => {
                self.behind.contains(&(commit.table.clone(), commit.after)).then(|| {
                    let after =
                        commit.after.map_or_else(|| "none".to_owned(), |after| after.to_text());
                    format!("after: the table has left {after} behind")
                })
            }
            Entry::Lock(_) | Entry::Deal(_) | Entry::Void(_) => last
                .filter(|last| **last != commitment)
                .map(|last| format!("the table has a later commitment already, {last}")),
            Entry::Reveal(_) | Entry::Anchor(_) | Entry::Other(_) => None,
        }
    }

    /// Whether another root was named at this size before. Keeps the first.
    pub(super) fn had_another(&mut self, size: u64, root: Digest) -> bool {
        *self.roots.entry(size).or_insert(root) != root
    }
}
