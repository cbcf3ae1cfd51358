//! Roots that players and anchors name, to be compared with the log's own tree.

use std::collections::BTreeMap;

use super::state::Latest;
use fairdeal::deal::{Commitment, Label, Nonce};
use fairdeal::log::Hash;
use fairdeal::record::entry::SeenCheckpoint;
use fairdeal::record::finding::entries;
use fairdeal::record::life::Cosigned;
use fairdeal::record::{Code, Finding};

/// The roots that one entry says the log had.
#[derive(Clone, Debug)]
pub struct RootClaim {
    index: u64,
    commitment: Option<Commitment>,
    nonce: Option<Nonce>,
    said: Said,
}

#[derive(Clone, Debug)]
enum Said {
    /// Players have seen these checkpoints.
    Players(Vec<(Label, SeenCheckpoint)>),
    Anchor(AnchorClaim),
}

/// The size and the root of an anchor, and what they prove to a reader with a policy.
#[derive(Clone, Debug)]
pub(super) struct AnchorClaim {
    pub(super) size: u64,
    pub(super) root: Hash,
    /// The quorum of the reader's policy that has signed it.
    pub(super) cosigned: Option<Cosigned>,
    /// The first entry with the greatest time under its size, if there is a policy.
    pub(super) first: Option<Latest>,
}

impl RootClaim {
    pub(super) fn of_players(
        index: u64,
        commitment: Commitment,
        nonce: Option<Nonce>,
        seen: Vec<(Label, SeenCheckpoint)>,
    ) -> Self {
        Self { index, commitment: Some(commitment), nonce, said: Said::Players(seen) }
    }

    pub(super) fn of_anchor(index: u64, anchor: AnchorClaim) -> Self {
        Self { index, commitment: None, nonce: None, said: Said::Anchor(anchor) }
    }

    /// The sizes that it names. [`RootClaim::contradicted_by`] needs the log's root at each.
    pub fn sizes(&self) -> impl Iterator<Item = u64> {
        let (seen, anchor) = match &self.said {
            Said::Players(seen) => (seen.as_slice(), None),
            Said::Anchor(anchor) => (&[][..], Some(anchor.size)),
        };
        seen.iter().map(|(_, seen)| seen.size.value()).chain(anchor)
    }

    /// `split-view`, if the log's own tree had another root at one of these sizes.
    #[must_use]
    pub fn contradicted_by(&self, roots: &BTreeMap<u64, Hash>) -> Option<Finding> {
        let differs = |size: u64, root: Hash| roots.get(&size).is_some_and(|known| *known != root);
        let says = match &self.said {
            Said::Players(seen) => {
                let other =
                    |(_, seen): &&(Label, SeenCheckpoint)| differs(seen.size.value(), seen.root());
                let (from, seen) = seen.iter().find(other)?;
                format!(
                    "{:?} has seen another log of {} under this key, its root {}",
                    from.as_str(),
                    entries(seen.size.value()),
                    seen.root
                )
            }
            Said::Anchor(AnchorClaim { size, root, .. }) if differs(*size, *root) => format!(
                "an anchor of another log of {} under this key, its root {}",
                entries(*size),
                root.to_hex()
            ),
            Said::Anchor(_) => return None,
        };
        let Self { index, commitment, nonce, .. } = *self;
        Some(Finding { code: Code::SplitView, index: Some(index), commitment, nonce, says })
    }

    /// The anchor, if its root is the log's.
    pub(super) fn shown_by(&self, roots: &BTreeMap<u64, Hash>) -> Option<&AnchorClaim> {
        match &self.said {
            Said::Anchor(anchor) if roots.get(&anchor.size) == Some(&anchor.root) => Some(anchor),
            _ => None,
        }
    }
}
