//! A log in memory: its entries and every hash of its tree. For examples, tests and small tools.
//!
//! Not for an operator: nothing is stored. `fairdeal-ledger` stores a log.

use std::convert::Infallible;

use super::{
    checkpoint::{SignedCheckpointError, sign_checkpoint},
    hash::{EMPTY_ROOT, Hash, fold, leaf_hash},
    key::SignerKey,
    merkle::{Frontier, Node, cover},
    note::Note,
    proof::{ProofPlan, ProofPlanError},
};

/// A log in memory. It takes 64 bytes for each entry in addition to the entry itself.
///
/// ```
/// use fairdeal::log::{MemoryLog, leaf_hash, verify_inclusion};
///
/// let mut log = MemoryLog::new();
/// log.append("a commitment");
/// let index = log.append("a deal");
/// let proof = log.inclusion_proof(index)?;
/// verify_inclusion(&leaf_hash(b"a deal"), index, log.size(), &proof, &log.root())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct MemoryLog {
    tree: Frontier,
    entries: Vec<Vec<u8>>,
    /// The hashes of complete subtrees: those of one level in order, level by level.
    levels: Vec<Vec<Hash>>,
}

impl MemoryLog {
    /// A log without entries.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends an entry and returns its index.
    #[expect(clippy::missing_panics_doc, reason = "no memory holds 2^63 entries")]
    pub fn append(&mut self, entry: impl Into<Vec<u8>>) -> u64 {
        let (entry, index) = (entry.into(), self.tree.size());
        let levels = &mut self.levels;
        let completed = |node: Node, hash| {
            let level = usize::try_from(node.level()).expect("a level is under 64");
            if levels.len() <= level {
                levels.push(Vec::new());
            }
            levels.get_mut(level).expect("a node is completed after those under it").push(hash);
        };
        self.tree.push_with(leaf_hash(&entry), completed).expect("no memory holds 2^63 entries");
        self.entries.push(entry);
        index
    }

    /// The entries, in order.
    #[must_use]
    pub fn entries(&self) -> &[Vec<u8>] {
        &self.entries
    }

    /// The entry at an index; `None` if the log ends before it.
    #[must_use]
    pub fn entry(&self, index: u64) -> Option<&[u8]> {
        self.entries.get(usize::try_from(index).ok()?).map(Vec::as_slice)
    }

    /// The log's number of entries.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.tree.size()
    }

    /// The tree's root.
    #[must_use]
    pub fn root(&self) -> Hash {
        self.tree.root()
    }

    /// The root that the tree had at a size; `None` if it never had that size.
    #[must_use]
    pub fn root_at(&self, size: u64) -> Option<Hash> {
        if size > self.size() {
            return None;
        }
        let hashes: Option<Vec<Hash>> = cover(0..size).map(|node| self.hash(node)).collect();
        hashes.map(|hashes| if hashes.is_empty() { EMPTY_ROOT } else { fold(hashes.into_iter()) })
    }

    /// The hash of a node; `None` if it is not complete yet.
    #[must_use]
    pub fn hash(&self, node: Node) -> Option<Hash> {
        let level = self.levels.get(usize::try_from(node.level()).ok()?)?;
        level.get(usize::try_from(node.index()).ok()?).copied()
    }

    /// The proof that the entry at `index` is in the log (RFC 6962 section 2.1.1).
    ///
    /// # Errors
    /// [`ProofPlanError::NoSuchLeaf`] if the log ends before it.
    pub fn inclusion_proof(&self, index: u64) -> Result<Vec<Hash>, ProofPlanError> {
        ProofPlan::inclusion(index, self.size()).map(|plan| self.prove(&plan))
    }

    /// The proof that the log continues what it was at `old_size` (RFC 6962 section 2.1.2).
    ///
    /// # Errors
    /// [`ProofPlanError::Shrunk`] if it never had that size.
    pub fn consistency_proof(&self, old_size: u64) -> Result<Vec<Hash>, ProofPlanError> {
        ProofPlan::consistency(old_size, self.size()).map(|plan| self.prove(&plan))
    }

    fn prove(&self, plan: &ProofPlan) -> Vec<Hash> {
        let Ok(proof) = plan.prove(|node| {
            Ok::<_, Infallible>(
                self.hash(node).expect("every node of a plan is complete in the tree"),
            )
        });
        proof
    }

    /// Size and root, signed by the log's key.
    ///
    /// # Errors
    /// The errors of [`sign_checkpoint`].
    pub fn checkpoint(&self, key: &SignerKey) -> Result<Note, SignedCheckpointError> {
        sign_checkpoint(key, self.size(), self.root())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{verify_checkpoint, verify_consistency, verify_inclusion};

    #[test]
    fn every_entry_and_every_older_tree_is_proved_at_every_size() {
        let mut log = MemoryLog::new();
        let mut frontier = Frontier::new();
        let mut roots = vec![log.root()];
        for size in 1..=70_u64 {
            let entry = size.to_be_bytes();
            frontier.push(leaf_hash(&entry)).unwrap();
            assert_eq!(log.append(entry), size - 1);
            assert_eq!((log.size(), log.root()), (size, frontier.root()));
            roots.push(log.root());
            for (old_size, old_root) in (0..=size).zip(&roots) {
                let proof = log.consistency_proof(old_size).unwrap();
                assert_eq!(
                    verify_consistency(old_size, old_root, size, &log.root(), &proof),
                    Ok(())
                );
                assert_eq!(log.root_at(old_size), Some(*old_root));
            }
            for index in 0..size {
                let (leaf, proof) =
                    (leaf_hash(log.entry(index).unwrap()), log.inclusion_proof(index).unwrap());
                assert_eq!(verify_inclusion(&leaf, index, size, &proof, &log.root()), Ok(()));
            }
        }
        assert!(log.inclusion_proof(70).is_err() && log.consistency_proof(71).is_err());
        assert_eq!((log.entry(70), log.root_at(71)), (None, None));
    }

    #[test]
    fn its_checkpoint_is_the_keys() {
        let key = SignerKey::from_seed("cards.example/log".parse().unwrap(), &[7; 32]);
        let mut log = MemoryLog::new();
        log.append("an entry");
        let checkpoint =
            verify_checkpoint(&log.checkpoint(&key).unwrap().to_text(), key.verifier()).unwrap();
        assert_eq!((checkpoint.size(), *checkpoint.root()), (1, log.root()));
    }
}
