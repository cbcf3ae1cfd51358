//! Checkpoints that players have seen, to be compared with the log's own tree.

use std::collections::BTreeMap;

use fairdeal::deal::{Commitment, Label, Nonce};
use fairdeal::log::Hash;
use fairdeal::record::entry::SeenCheckpoint;
use fairdeal::record::finding::entries;
use fairdeal::record::{Code, Finding};

/// The checkpoints that the players of one entry say they have seen.
#[derive(Clone, Debug)]
pub struct SeenClaim {
    index: u64,
    commitment: Commitment,
    nonce: Option<Nonce>,
    seen: Vec<(Label, SeenCheckpoint)>,
}

impl SeenClaim {
    pub(super) fn new(
        index: u64,
        commitment: Commitment,
        nonce: Option<Nonce>,
        seen: Vec<(Label, SeenCheckpoint)>,
    ) -> Self {
        Self { index, commitment, nonce, seen }
    }

    /// The sizes of these checkpoints. [`SeenClaim::contradicted_by`] needs the log's root at each.
    pub fn sizes(&self) -> impl Iterator<Item = u64> {
        self.seen.iter().map(|(_, seen)| seen.size.value())
    }

    /// `split-view`, if the log's own tree had another root at one of these sizes.
    #[must_use]
    pub fn contradicted_by(&self, roots: &BTreeMap<u64, Hash>) -> Option<Finding> {
        let other = |(_, seen): &&(Label, SeenCheckpoint)| {
            roots.get(&seen.size.value()).is_some_and(|root| *root != seen.root())
        };
        let (from, seen) = self.seen.iter().find(other)?;
        let says = format!(
            "{:?} has seen another log of {} under this key, its root {}",
            from.as_str(),
            entries(seen.size.value()),
            seen.root
        );
        let Self { index, commitment, nonce, .. } = *self;
        let (code, index, commitment) = (Code::SplitView, Some(index), Some(commitment));
        Some(Finding { code, index, commitment, nonce, says })
    }
}
