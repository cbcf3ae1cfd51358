//! A tree with all its hashes, and the eight leaves on which the Certificate Transparency
//! implementations agree.

#![expect(clippy::indexing_slicing, reason = "in a test, a panic is a failure with a place")]

use std::collections::BTreeMap;

use fairdeal::log::{Frontier, Hash, Node, ProofPlan, leaf_hash};

/// The leaves of the reference trees, in hex.
pub(crate) const REFERENCE_LEAVES: [&str; 8] = [
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
];

/// A tree with the hash of every complete subtree, and its root at every size.
pub(crate) struct Tree {
    pub(crate) leaves: Vec<Hash>,
    pub(crate) roots: Vec<Hash>,
    pub(crate) nodes: BTreeMap<Node, Hash>,
}

impl Tree {
    pub(crate) fn of(entries: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Self {
        let mut frontier = Frontier::new();
        let mut tree =
            Self { leaves: Vec::new(), roots: vec![frontier.root()], nodes: BTreeMap::new() };
        for entry in entries {
            let leaf = leaf_hash(entry.as_ref());
            let completed =
                |node, hash| assert_eq!(tree.nodes.insert(node, hash), None, "{node:?} twice");
            frontier.push_with(leaf, completed).expect("far from full");
            tree.leaves.push(leaf);
            tree.roots.push(frontier.root());
        }
        tree
    }

    pub(crate) fn reference() -> Self {
        Self::of(REFERENCE_LEAVES.map(|leaf| hex::decode(leaf).expect("hex")))
    }

    /// `size` different entries.
    pub(crate) fn numbered(size: u64) -> Self {
        Self::of((0..size).map(u64::to_be_bytes))
    }

    pub(crate) fn prove(&self, plan: &ProofPlan) -> Vec<Hash> {
        plan.prove(|node| self.nodes.get(&node).copied().ok_or(node)).expect("complete in the tree")
    }

    pub(crate) fn inclusion(&self, index: u64, size: u64) -> Vec<Hash> {
        self.prove(&ProofPlan::inclusion(index, size).expect("in the tree"))
    }

    pub(crate) fn consistency(&self, old_size: u64, size: u64) -> Vec<Hash> {
        self.prove(&ProofPlan::consistency(old_size, size).expect("not shrunk"))
    }

    pub(crate) fn leaf(&self, index: u64) -> &Hash {
        &self.leaves[usize::try_from(index).expect("small")]
    }

    pub(crate) fn root(&self, size: u64) -> &Hash {
        &self.roots[usize::try_from(size).expect("small")]
    }
}

/// One hash with one of its 256 bits flipped.
pub(crate) fn flip(hash: &Hash, bit: u8) -> Hash {
    let mut bytes = *hash.as_bytes();
    bytes[usize::from(bit >> 3)] ^= 1 << (bit & 7);
    Hash::from_bytes(bytes)
}
