//! The contents of tiles and entry bundles (C2SP tlog-tiles, "Merkle Tree" and "Log entries").
//!
//! A tile does not know its path, nor whether its hashes are right: the reader checks that they
//! lead to a root that is signed in a checkpoint.

use super::{
    hash::{EMPTY_ROOT, Hash, leaf_hash, node_hash},
    merkle::Node,
    path::{TILE_WIDTH, place},
};

/// A tile: 1 to 256 hashes of one level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HashTile {
    hashes: Vec<Hash>,
}

/// A tile with all complete nodes over its hashes, computed once: for who proves many entries.
#[derive(Clone, Debug)]
pub struct TileNodes {
    /// From the tile's own hashes upwards.
    levels: Vec<Vec<Hash>>,
}

/// An entry bundle: 1 to 256 entries, each of at most 65,535 bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryBundle {
    entries: Vec<Vec<u8>>,
}

/// Bytes are not a tile of hashes, or a hash is not in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum TileError {
    /// No tile has this many hashes.
    #[error("a tile: expected 1 to {TILE_WIDTH} hashes, found {0}")]
    Width(usize),
    /// Too few or too many bytes for the width.
    #[error("a tile of {width} hashes: expected {expected} bytes, found {found}")]
    Length { width: u16, expected: usize, found: usize },
    /// The tile ends before the node's last hash.
    #[error("a tile of {width} hashes does not reach node {index} of level {level}")]
    TooNarrow { width: usize, level: u32, index: u64 },
}

/// Bytes are not an entry bundle, or entries do not make one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum BundleError {
    /// No bundle has this many entries.
    #[error("a bundle: expected 1 to {TILE_WIDTH} entries, found {0}")]
    Width(usize),
    /// An entry is longer than a 16-bit length can say.
    #[error("entry {entry} of the bundle has {length} bytes; the most is 65535")]
    TooLong { entry: usize, length: usize },
    /// The bytes end inside an entry or its length, or before the last entry.
    #[error("the bundle ends at byte {end}, inside entry {entry} of {width}")]
    CutOff { entry: u16, width: u16, end: usize },
    /// Bytes are left after the last entry.
    #[error("after its {width} entries the bundle has {extra} bytes more, from byte {at}")]
    Trailing { width: u16, extra: usize, at: usize },
}

impl HashTile {
    /// A tile of these hashes, from left to right.
    ///
    /// # Errors
    /// [`TileError::Width`] unless there are 1 to 256.
    pub fn new(hashes: Vec<Hash>) -> Result<Self, TileError> {
        if (1..=usize::from(TILE_WIDTH)).contains(&hashes.len()) {
            Ok(Self { hashes })
        } else {
            Err(TileError::Width(hashes.len()))
        }
    }

    /// Reads a tile of `width` hashes.
    ///
    /// # Errors
    /// [`TileError`] unless `width` is 1 to 256 and there are exactly 32 × `width` bytes.
    pub fn parse(bytes: &[u8], width: u16) -> Result<Self, TileError> {
        let (hashes, rest) = bytes.as_chunks();
        if hashes.len() != usize::from(width) || !rest.is_empty() {
            let expected = usize::from(width).saturating_mul(Hash::LEN);
            return Err(TileError::Length { width, expected, found: bytes.len() });
        }
        Self::new(hashes.iter().copied().map(Hash::from_bytes).collect())
    }

    /// The hashes, one after the other.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.hashes.iter().flat_map(Hash::as_bytes).copied().collect()
    }

    /// The hashes, from left to right.
    #[must_use]
    pub fn hashes(&self) -> &[Hash] {
        &self.hashes
    }

    /// The hash of a node, which the tile holds or which is computed from the hashes under it.
    ///
    /// The tile must be the one that [`TilePath::holding`](super::path::TilePath::holding) names,
    /// or the full one in its place.
    ///
    /// # Errors
    /// [`TileError::TooNarrow`] if the tile ends before the node does.
    pub fn node(&self, node: Node) -> Result<Hash, TileError> {
        let (first, count) = place(node);
        // The low bits are the place in the tile, the bits above it the tile's index.
        let first = first & u64::from(TILE_WIDTH - 1);
        let range =
            usize::try_from(first).ok().zip(usize::try_from(first.saturating_add(count)).ok());
        let hashes = range.and_then(|(start, end)| self.hashes.get(start..end));
        let (width, level, index) = (self.hashes.len(), node.level(), node.index());
        hashes.map(subtree_root).ok_or(TileError::TooNarrow { width, level, index })
    }
}

/// The root of the complete subtree over 2^k hashes of one level.
fn subtree_root(hashes: &[Hash]) -> Hash {
    match hashes {
        [] => EMPTY_ROOT,
        [hash] => *hash,
        _ => {
            let (left, right) = hashes.split_at(hashes.len() / 2);
            node_hash(&subtree_root(left), &subtree_root(right))
        }
    }
}

impl TileNodes {
    /// All nodes of a tile.
    #[must_use]
    pub fn of(tile: &HashTile) -> Self {
        let mut levels = vec![tile.hashes.clone()];
        while let Some(last) = levels.last().filter(|last| last.len() > 1) {
            let (pairs, _) = last.as_chunks();
            levels.push(pairs.iter().map(|[left, right]| node_hash(left, right)).collect());
        }
        Self { levels }
    }

    /// The hash of a node, as [`HashTile::node`] gives it.
    ///
    /// # Errors
    /// [`TileError::TooNarrow`] if the tile ends before the node does.
    pub fn node(&self, node: Node) -> Result<Hash, TileError> {
        let (first, count) = place(node);
        let nth = (first & u64::from(TILE_WIDTH - 1)).checked_div(count);
        let above = usize::try_from(count.trailing_zeros()).ok();
        let level = above.and_then(|above| self.levels.get(above));
        let hash = level.zip(nth).and_then(|(level, nth)| level.get(usize::try_from(nth).ok()?));
        let width = self.levels.first().map_or(0, Vec::len);
        hash.copied().ok_or(TileError::TooNarrow {
            width,
            level: node.level(),
            index: node.index(),
        })
    }
}

impl EntryBundle {
    /// A bundle of these entries, in the order of the log.
    ///
    /// # Errors
    /// [`BundleError`] unless there are 1 to 256, each of at most 65,535 bytes.
    pub fn new(entries: Vec<Vec<u8>>) -> Result<Self, BundleError> {
        if !(1..=usize::from(TILE_WIDTH)).contains(&entries.len()) {
            return Err(BundleError::Width(entries.len()));
        }
        for (entry, length) in entries.iter().map(Vec::len).enumerate() {
            if u16::try_from(length).is_err() {
                return Err(BundleError::TooLong { entry, length });
            }
        }
        Ok(Self { entries })
    }

    /// Reads a bundle of `width` entries.
    ///
    /// # Errors
    /// [`BundleError`] unless `width` is 1 to 256 and the bytes are exactly that many entries.
    pub fn parse(bytes: &[u8], width: u16) -> Result<Self, BundleError> {
        Self::new(Self::split(bytes, width)?.into_iter().map(<[u8]>::to_vec).collect())
    }

    /// The entries of a bundle of `width`, without a copy.
    ///
    /// # Errors
    /// [`BundleError`] unless `width` is 1 to 256 and the bytes are exactly that many entries.
    pub fn split(bytes: &[u8], width: u16) -> Result<Vec<&[u8]>, BundleError> {
        if !(1..=TILE_WIDTH).contains(&width) {
            return Err(BundleError::Width(usize::from(width)));
        }
        let mut rest = bytes;
        let mut entries = Vec::with_capacity(usize::from(width));
        for entry in 0..width {
            let cut_off = || BundleError::CutOff { entry, width, end: bytes.len() };
            let (length, after) = rest.split_first_chunk().ok_or_else(cut_off)?;
            let length = usize::from(u16::from_be_bytes(*length));
            let (bytes, after) = after.split_at_checked(length).ok_or_else(cut_off)?;
            entries.push(bytes);
            rest = after;
        }
        if !rest.is_empty() {
            let at = bytes.len().saturating_sub(rest.len());
            return Err(BundleError::Trailing { width, extra: rest.len(), at });
        }
        Ok(entries)
    }

    /// Each entry's length as two bytes, big-endian, then the entry.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "`new` refuses longer entries")]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for entry in &self.entries {
            let length = u16::try_from(entry.len()).expect("`new` refuses longer entries");
            bytes.extend_from_slice(&length.to_be_bytes());
            bytes.extend_from_slice(entry);
        }
        bytes
    }

    /// The entries, in the order of the log.
    #[must_use]
    pub fn entries(&self) -> &[Vec<u8>] {
        &self.entries
    }

    /// The entries, moved out.
    #[must_use]
    pub fn into_entries(self) -> Vec<Vec<u8>> {
        self.entries
    }

    /// The hashes that the tile of level 0 in the same place must hold.
    pub fn leaf_hashes(&self) -> impl Iterator<Item = Hash> {
        self.entries.iter().map(|entry| leaf_hash(entry))
    }
}
