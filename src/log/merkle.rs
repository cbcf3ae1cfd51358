//! A growing Merkle tree, held as the few hashes that it needs in order to grow (RFC 6962 section
//! 2.1).
//!
//! Complete subtrees cover a run of leaves, at most two of each height. Their hashes are a *compact
//! range*. Two ranges that touch merge into one without the leaves. A range that starts at leaf 0
//! is a [`Frontier`], and has a root.
//!
//! Not for reading a tree back: [`proof`](super::proof) says which nodes a proof needs, and
//! [`path`](super::path) where they are stored.

use std::ops::Range;

use super::hash::{Hash, fold, node_hash, node_hashes};

/// The most leaves a tree has: 2^63 - 1, so that a size fits a signed 64-bit integer wherever it is
/// stored.
pub const MAX_SIZE: u64 = u64::MAX >> 1;

/// A complete subtree of 2^level leaves. The first is leaf index × 2^level.
///
/// Ordered by level, then by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node {
    level: u32,
    index: u64,
}

/// The hashes of the complete subtrees that cover the leaves from `start` up to but not including
/// `end`.
#[derive(Default, Clone, Debug, PartialEq, Eq)]
pub struct CompactRange {
    start: u64,
    end: u64,
    hashes: Vec<Hash>,
}

/// The compact range from leaf 0: all that a tree needs in order to grow and to have a root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frontier(CompactRange);

/// Hashes do not make a range, or two ranges do not make a longer one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum RangeError {
    /// The range ends before it starts.
    #[error("a range of leaves from {start} can't end at {end}")]
    Backwards { start: u64, end: u64 },
    /// A size is beyond [`MAX_SIZE`].
    #[error("expected a tree of at most {MAX_SIZE} leaves, found {0}")]
    TooLarge(u64),
    /// A node's leaves reach beyond [`MAX_SIZE`].
    #[error("no tree of at most {MAX_SIZE} leaves has a node {index} at level {level}")]
    NoSuchNode { level: u32, index: u64 },
    /// The wrong number of hashes.
    #[error("the leaves from {start} up to {end}: expected {expected} hashes, found {found}")]
    Hashes { start: u64, end: u64, expected: usize, found: usize },
    /// The range on the right does not start where the one on the left ends.
    #[error(
        "the range on the left ends at leaf {end}, the one on the right starts at leaf {start}"
    )]
    Apart { end: u64, start: u64 },
    /// A frontier starts at leaf 0.
    #[error("a frontier starts at leaf 0, not at leaf {0}")]
    NotFromZero(u64),
}

/// The complete subtrees that cover the leaves of a range, from left to right. Each is the largest
/// that fits.
///
/// Leaves beyond [`MAX_SIZE`] are not covered: every caller checks its range first.
pub(super) fn cover(leaves: Range<u64>) -> impl Iterator<Item = Node> {
    let end = leaves.end.min(MAX_SIZE);
    let mut start = leaves.start;
    std::iter::from_fn(move || {
        let fits = end.checked_sub(start)?.checked_ilog2()?;
        let level = start.trailing_zeros().min(fits);
        let node = Node { level, index: start.unbounded_shr(level) };
        start = node.leaves().end;
        Some(node)
    })
}

impl Node {
    /// The node of this level and index: level 0 holds the leaves.
    ///
    /// # Errors
    /// [`RangeError::NoSuchNode`] if its leaves reach beyond [`MAX_SIZE`].
    pub const fn new(level: u32, index: u64) -> Result<Self, RangeError> {
        if index < MAX_SIZE.unbounded_shr(level) {
            Ok(Self { level, index })
        } else {
            Err(RangeError::NoSuchNode { level, index })
        }
    }

    /// Its height over the leaves: 0 to 62.
    #[must_use]
    pub const fn level(self) -> u32 {
        self.level
    }

    /// The number of nodes of its level to the left of it.
    #[must_use]
    pub const fn index(self) -> u64 {
        self.index
    }

    /// The leaves under it.
    #[must_use]
    pub const fn leaves(self) -> Range<u64> {
        // No bit is lost: a node's last leaf is under MAX_SIZE.
        let start = self.index.unbounded_shl(self.level);
        start..start.saturating_add(1_u64.unbounded_shl(self.level))
    }

    /// The parent of a right child, which ends with the same leaf; `None` for a left child.
    const fn completed_parent(self) -> Option<Self> {
        if self.index & 1 == 1 {
            Some(Self { level: self.level.saturating_add(1), index: self.index >> 1 })
        } else {
            None
        }
    }
}

impl CompactRange {
    /// The range without leaves before leaf `start`.
    ///
    /// # Errors
    /// [`RangeError::TooLarge`] if `start` is beyond [`MAX_SIZE`].
    pub fn empty(start: u64) -> Result<Self, RangeError> {
        Self::from_parts(start, start, Vec::new())
    }

    /// A range read back from where it was stored.
    ///
    /// # Errors
    /// [`RangeError`] unless `start <= end <= MAX_SIZE` and there are as many hashes as complete
    /// subtrees.
    pub fn from_parts(start: u64, end: u64, hashes: Vec<Hash>) -> Result<Self, RangeError> {
        if start > end {
            return Err(RangeError::Backwards { start, end });
        }
        if end > MAX_SIZE {
            return Err(RangeError::TooLarge(end));
        }
        let (expected, found) = (cover(start..end).count(), hashes.len());
        if expected != found {
            return Err(RangeError::Hashes { start, end, expected, found });
        }
        Ok(Self { start, end, hashes })
    }

    /// The range of these leaves from leaf `start` on. Calls `completed` for each node over two or
    /// more of them, level by level from the leaves up, in order.
    ///
    /// The same as [`push_with`](Self::push_with) for each leaf, but faster: the hashes of a level
    /// do not wait for each other.
    ///
    /// # Errors
    /// [`RangeError::TooLarge`] if the last leaf is beyond [`MAX_SIZE`].
    pub fn of_leaves(
        start: u64,
        leaves: &[Hash],
        mut completed: impl FnMut(Node, Hash),
    ) -> Result<Self, RangeError> {
        let end = u64::try_from(leaves.len()).map_or(u64::MAX, |count| start.saturating_add(count));
        if end > MAX_SIZE {
            return Err(RangeError::TooLarge(end));
        }
        // On each level, the first node may have its sibling before the range, and the last one
        // after it.
        let (mut hashes, mut ends) = (Vec::new(), Vec::new());
        let (mut level, mut first, mut row) = (0_u32, start, leaves.to_vec());
        while !row.is_empty() {
            let (lone, paired) = row.split_at(usize::from(first & 1 == 1)); // the row is not empty
            hashes.extend_from_slice(lone);
            ends.extend_from_slice(paired.as_chunks::<2>().1);
            (level, first) = (level.saturating_add(1), first.div_ceil(2));
            row = node_hashes(paired);
            for (index, hash) in (first..).zip(&row) {
                completed(Node { level, index }, *hash);
            }
        }
        hashes.extend(ends.iter().rev());
        Ok(Self { start, end, hashes })
    }

    /// Its first leaf.
    #[must_use]
    pub const fn start(&self) -> u64 {
        self.start
    }

    /// The leaf after its last.
    #[must_use]
    pub const fn end(&self) -> u64 {
        self.end
    }

    /// The hashes of its complete subtrees, from left to right.
    #[must_use]
    pub fn hashes(&self) -> &[Hash] {
        &self.hashes
    }

    /// Adds the next leaf.
    ///
    /// # Errors
    /// [`RangeError::TooLarge`] if the tree is full.
    pub fn push(&mut self, leaf: Hash) -> Result<(), RangeError> {
        self.push_with(leaf, |_, _| ())
    }

    /// Adds the next leaf. Calls `completed` for each node that it completes: the leaf, its parent
    /// where the leaf is a right child, and so on up.
    ///
    /// # Errors
    /// [`RangeError::TooLarge`] if the tree is full.
    pub fn push_with(
        &mut self,
        leaf: Hash,
        completed: impl FnMut(Node, Hash),
    ) -> Result<(), RangeError> {
        let node =
            Node::new(0, self.end).map_err(|_| RangeError::TooLarge(self.end.saturating_add(1)))?;
        self.append(node, leaf, completed);
        Ok(())
    }

    /// Takes in the range that starts where this one ends.
    ///
    /// # Errors
    /// [`RangeError::Apart`] if it starts elsewhere; then this range does not change.
    pub fn merge(&mut self, right: &Self) -> Result<(), RangeError> {
        self.merge_with(right, |_, _| ())
    }

    /// Takes in the range that starts where this one ends. Calls `completed` for each node that
    /// this completes, without those that the right range had already.
    ///
    /// # Errors
    /// [`RangeError::Apart`] if it starts elsewhere; then this range does not change.
    pub fn merge_with(
        &mut self,
        right: &Self,
        mut completed: impl FnMut(Node, Hash),
    ) -> Result<(), RangeError> {
        if self.end != right.start {
            return Err(RangeError::Apart { end: self.end, start: right.start });
        }
        for (node, hash) in cover(right.start..right.end).zip(&right.hashes) {
            self.append(node, *hash, |made, hash| {
                if made != node {
                    completed(made, hash);
                }
            });
        }
        Ok(())
    }

    /// Adds a complete subtree that starts at `self.end`.
    fn append(&mut self, mut node: Node, mut hash: Hash, mut completed: impl FnMut(Node, Hash)) {
        self.end = node.leaves().end;
        completed(node, hash);
        // The left sibling is the last hash, if it starts inside the range.
        while let Some(parent) =
            node.completed_parent().filter(|it| it.leaves().start >= self.start)
            && let Some(left) = self.hashes.pop()
        {
            (node, hash) = (parent, node_hash(&left, &hash));
            completed(node, hash);
        }
        self.hashes.push(hash);
    }
}

impl Frontier {
    /// The frontier of a tree without leaves.
    #[must_use]
    pub const fn new() -> Self {
        Self(CompactRange { start: 0, end: 0, hashes: Vec::new() })
    }

    /// A frontier read back from where it was stored, or made from the hashes of
    /// [`nodes`](Self::nodes).
    ///
    /// # Errors
    /// [`RangeError`] if `size` is beyond [`MAX_SIZE`], or the hashes are not as many as its one
    /// bits.
    pub fn from_parts(size: u64, hashes: Vec<Hash>) -> Result<Self, RangeError> {
        CompactRange::from_parts(0, size, hashes).map(Self)
    }

    /// The size and the hashes from left to right, for storing.
    #[must_use]
    pub fn parts(&self) -> (u64, &[Hash]) {
        (self.size(), self.0.hashes())
    }

    /// The nodes whose hashes are the frontier of a tree of this size, from left to right.
    ///
    /// # Errors
    /// [`RangeError::TooLarge`] if `size` is beyond [`MAX_SIZE`].
    pub fn nodes(size: u64) -> Result<Vec<Node>, RangeError> {
        if size > MAX_SIZE { Err(RangeError::TooLarge(size)) } else { Ok(cover(0..size).collect()) }
    }

    /// The tree's number of leaves.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.0.end
    }

    /// The tree's root.
    #[must_use]
    pub fn root(&self) -> Hash {
        fold(self.0.hashes.iter().copied())
    }

    /// Adds a leaf.
    ///
    /// # Errors
    /// [`RangeError::TooLarge`] if the tree is full.
    pub fn push(&mut self, leaf: Hash) -> Result<(), RangeError> {
        self.0.push(leaf)
    }

    /// Adds a leaf. Calls `completed` for each node that it completes, the leaf first; tiles hold
    /// some of them.
    ///
    /// # Errors
    /// [`RangeError::TooLarge`] if the tree is full.
    pub fn push_with(
        &mut self,
        leaf: Hash,
        completed: impl FnMut(Node, Hash),
    ) -> Result<(), RangeError> {
        self.0.push_with(leaf, completed)
    }

    /// Takes in the range that starts where the tree ends.
    ///
    /// # Errors
    /// [`RangeError::Apart`] if it starts elsewhere; then the frontier does not change.
    pub fn merge(&mut self, right: &CompactRange) -> Result<(), RangeError> {
        self.0.merge(right)
    }
}

impl Default for Frontier {
    fn default() -> Self {
        Self::new()
    }
}

impl TryFrom<CompactRange> for Frontier {
    type Error = RangeError;

    fn try_from(range: CompactRange) -> Result<Self, RangeError> {
        if range.start == 0 { Ok(Self(range)) } else { Err(RangeError::NotFromZero(range.start)) }
    }
}
