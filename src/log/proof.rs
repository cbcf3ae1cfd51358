//! Inclusion and consistency proofs (RFC 6962 sections 2.1.1 and 2.1.2): their nodes, and their
//! verification.
//!
//! Making a proof takes two steps, so that many hashes can be fetched at once: a [`ProofPlan`]
//! names the nodes, and [`ProofPlan::prove`] folds their hashes into the proof.
//!
//! Verification trusts the sizes that it is given. A proof alone does not fix a tree's size: one
//! inclusion proof can hold for sizes 7 and 8. So take size and root from one checkpoint, whose
//! signature covers both.

use std::ops::Range;

use super::{
    hash::{EMPTY_ROOT, Hash, fold, node_hash},
    merkle::{MAX_SIZE, Node, cover},
};

/// The nodes whose hashes make a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofPlan {
    /// The leaves under each hash of the proof, from the first to the last.
    subtrees: Vec<Range<u64>>,
}

/// No such proof exists.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum ProofPlanError {
    /// The leaf is not in the tree.
    #[error("a tree of {size} leaves has no leaf {index}")]
    NoSuchLeaf { index: u64, size: u64 },
    /// The old tree is larger than the new one.
    #[error("a tree of {size} leaves can't be consistent with an older one of {old_size}")]
    Shrunk { old_size: u64, size: u64 },
    /// The tree is larger than [`MAX_SIZE`].
    #[error("expected a tree of at most {MAX_SIZE} leaves, found {0}")]
    TooLarge(u64),
}

/// A leaf is not shown to be in a tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum InclusionError {
    /// The tree is larger than [`MAX_SIZE`].
    #[error("expected a tree of at most {MAX_SIZE} leaves, found {0}")]
    TooLarge(u64),
    /// The leaf is not in the tree.
    #[error("a tree of {size} leaves has no leaf {index}")]
    NoSuchLeaf { index: u64, size: u64 },
    /// The proof is too short or too long.
    #[error(
        "the proof of leaf {index} in a tree of {size}: expected {expected} hashes, found {found}"
    )]
    Length { index: u64, size: u64, expected: usize, found: usize },
    /// The proof leads to another root.
    #[error("the proof of leaf {index} in a tree of {size}: expected root {}, found {}", expected.to_hex(), found.to_hex())]
    Root { index: u64, size: u64, expected: Hash, found: Hash },
}

/// A tree is not shown to continue an older one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum ConsistencyError {
    /// The tree is larger than [`MAX_SIZE`].
    #[error("expected a tree of at most {MAX_SIZE} leaves, found {0}")]
    TooLarge(u64),
    /// The old tree is larger than the new one.
    #[error("a tree of {size} leaves can't continue an older one of {old_size}")]
    Shrunk { old_size: u64, size: u64 },
    /// The proof is too short or too long.
    #[error(
        "the proof that a tree of {size} continues one of {old_size}: expected {expected} hashes, found {found}"
    )]
    Length { old_size: u64, size: u64, expected: usize, found: usize },
    /// The old tree's root is another one.
    #[error("the proof's old tree of {old_size}: expected root {}, found {}", expected.to_hex(), found.to_hex())]
    OldRoot { old_size: u64, expected: Hash, found: Hash },
    /// The new tree's root is another one.
    #[error("the proof's new tree of {size}: expected root {}, found {}", expected.to_hex(), found.to_hex())]
    Root { size: u64, expected: Hash, found: Hash },
}

impl ProofPlan {
    /// The proof that leaf `index` is in the tree of `size`: `PATH(index, D[size])`.
    ///
    /// # Errors
    /// [`ProofPlanError`] unless `index < size <= MAX_SIZE`.
    pub fn inclusion(index: u64, size: u64) -> Result<Self, ProofPlanError> {
        if size > MAX_SIZE {
            return Err(ProofPlanError::TooLarge(size));
        }
        if index >= size {
            return Err(ProofPlanError::NoSuchLeaf { index, size });
        }
        let mut tree = 0..size;
        let mut subtrees = Vec::new();
        while let Some(split) = split(&tree) {
            if index < split {
                subtrees.push(split..tree.end);
                tree.end = split;
            } else {
                subtrees.push(tree.start..split);
                tree.start = split;
            }
        }
        // Collected from the root down; a proof goes from the leaf up.
        subtrees.reverse();
        Ok(Self { subtrees })
    }

    /// The proof that the tree of `size` continues the tree of `old_size`: `PROOF(old_size,
    /// D[size])`.
    ///
    /// It is empty if the sizes are equal, and from the tree without leaves, which every tree
    /// continues.
    ///
    /// # Errors
    /// [`ProofPlanError`] unless `old_size <= size <= MAX_SIZE`.
    pub fn consistency(old_size: u64, size: u64) -> Result<Self, ProofPlanError> {
        if size > MAX_SIZE {
            return Err(ProofPlanError::TooLarge(size));
        }
        if old_size > size {
            return Err(ProofPlanError::Shrunk { old_size, size });
        }
        let mut tree = 0..size;
        let mut subtrees = Vec::new();
        while old_size > 0 && old_size != tree.end {
            let Some(split) = split(&tree) else { break };
            if old_size <= split {
                subtrees.push(split..tree.end);
                tree.end = split;
            } else {
                subtrees.push(tree.start..split);
                tree.start = split;
            }
        }
        // A subtree that starts at leaf 0 is the whole old tree, whose root the verifier has.
        if old_size > 0 && tree.start > 0 {
            subtrees.push(tree);
        }
        subtrees.reverse();
        Ok(Self { subtrees })
    }

    /// The nodes whose hashes are needed. Each of them is complete in the tree.
    pub fn nodes(&self) -> impl Iterator<Item = Node> {
        self.subtrees.iter().cloned().flat_map(cover)
    }

    /// The proof, given each node's hash.
    ///
    /// # Errors
    /// The first error of `hash`.
    pub fn prove<E>(&self, mut hash: impl FnMut(Node) -> Result<Hash, E>) -> Result<Vec<Hash>, E> {
        let mut root = |subtree: &Range<u64>| {
            let hashes: Vec<Hash> =
                cover(subtree.clone()).map(&mut hash).collect::<Result<_, E>>()?;
            Ok(fold(hashes.into_iter()))
        };
        self.subtrees.iter().map(&mut root).collect()
    }
}

/// The leaves in the left part of a tree of two or more leaves: the largest power of two under its
/// size. `None` for fewer leaves.
fn split(tree: &Range<u64>) -> Option<u64> {
    let last = tree.end.checked_sub(tree.start)?.checked_sub(1)?;
    tree.start.checked_add(1_u64.unbounded_shl(last.checked_ilog2()?))
}

/// The side of the path to the root on which a hash of the proof is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// The sides of the siblings on the way up from node `index` of a level whose last node is `last`.
fn siblings(mut index: u64, mut last: u64) -> impl Iterator<Item = Side> {
    std::iter::from_fn(move || {
        while last > 0 {
            let side = match index {
                right if right & 1 == 1 => Some(Side::Left),
                left if left < last => Some(Side::Right),
                // The last node of a level, without a sibling, is its own parent.
                _ => None,
            };
            (index, last) = (index >> 1, last >> 1);
            if side.is_some() {
                return side;
            }
        }
        None
    })
}

/// Shows that the tree of `size` with this `root` holds `leaf` at `index` (RFC 9162 section
/// 2.1.3.2).
///
/// # Errors
/// [`InclusionError`] if it does not, or if the proof is longer or shorter than it must be.
pub fn verify_inclusion(
    leaf: &Hash,
    index: u64,
    size: u64,
    proof: &[Hash],
    root: &Hash,
) -> Result<(), InclusionError> {
    if size > MAX_SIZE {
        return Err(InclusionError::TooLarge(size));
    }
    let last = size.checked_sub(1).filter(|&last| index <= last);
    let last = last.ok_or(InclusionError::NoSuchLeaf { index, size })?;
    let (expected, found) = (siblings(index, last).count(), proof.len());
    if expected != found {
        return Err(InclusionError::Length { index, size, expected, found });
    }
    let found = siblings(index, last).zip(proof).fold(*leaf, |hash, (side, sibling)| match side {
        Side::Left => node_hash(sibling, &hash),
        Side::Right => node_hash(&hash, sibling),
    });
    if found == *root {
        Ok(())
    } else {
        Err(InclusionError::Root { index, size, expected: *root, found })
    }
}

/// Shows that the tree of `size` with `root` begins with the tree of `old_size` with `old_root`
/// (RFC 9162 section 2.1.4.2).
///
/// # Errors
/// [`ConsistencyError`] if it does not, or if the proof is longer or shorter than it must be.
pub fn verify_consistency(
    old_size: u64,
    old_root: &Hash,
    size: u64,
    root: &Hash,
    proof: &[Hash],
) -> Result<(), ConsistencyError> {
    let length = |expected| match proof.len() {
        found if found == expected => Ok(()),
        found => Err(ConsistencyError::Length { old_size, size, expected, found }),
    };
    let old_root_is = |found| match *old_root {
        expected if expected == found => Ok(()),
        expected => Err(ConsistencyError::OldRoot { old_size, expected, found }),
    };
    let root_is = |found| match *root {
        expected if expected == found => Ok(()),
        expected => Err(ConsistencyError::Root { size, expected, found }),
    };

    if size > MAX_SIZE {
        return Err(ConsistencyError::TooLarge(size));
    }
    if old_size > size {
        return Err(ConsistencyError::Shrunk { old_size, size });
    }
    let (Some(old_last), Some(last)) = (old_size.checked_sub(1), size.checked_sub(1)) else {
        length(0)?;
        old_root_is(EMPTY_ROOT)?;
        return if size == 0 { root_is(EMPTY_ROOT) } else { Ok(()) };
    };
    if old_size == size {
        length(0)?;
        return root_is(*old_root);
    }

    // Both trees hold the largest complete subtree that ends with the old tree's last leaf. The
    // path starts there.
    let level = old_size.trailing_zeros();
    let path = || siblings(old_last.unbounded_shr(level), last.unbounded_shr(level));
    // If that is the whole old tree, its hash is the old root, and the proof leaves it out.
    let left_out = old_size.is_power_of_two().then_some(*old_root);
    length(path().count().saturating_add(usize::from(left_out.is_none())))?;

    let mut hashes = left_out.into_iter().chain(proof.iter().copied());
    let mut found = hashes.next().unwrap_or(EMPTY_ROOT);
    let mut old_found = found;
    for (side, sibling) in path().zip(hashes) {
        match side {
            Side::Left => {
                old_found = node_hash(&sibling, &old_found);
                found = node_hash(&sibling, &found);
            }
            // The old tree had nothing on the right.
            Side::Right => found = node_hash(&found, &sibling),
        }
    }
    old_root_is(old_found)?;
    root_is(found)
}
