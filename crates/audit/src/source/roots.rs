//! The log's roots at earlier sizes, from its own entries. Checkpoints of players and older
//! checkpoints are compared with them.

use super::tiles::{TileCache, TileReadError, Tiles};
use fairdeal::log::{Frontier, Hash, HashTile, Level, Node, TilePath};

/// Levels of the tree in one bundle: log2 of its entries.
const HEIGHT: u32 = 8;
/// Entries in a full bundle.
const WIDTH: usize = 1 << HEIGHT;

/// Keeps the nodes over whole bundles: some 64 bytes for each 256 entries. Lower nodes are read
/// again from published tiles. The audit compares these tiles with the entries; if one is wrong,
/// nothing is concluded from any root.
#[derive(Debug)]
pub(super) struct Roots<'a> {
    tiles: &'a Tiles,
    /// The log's size.
    size: u64,
    /// The hash of every entry, if the log has no tiles.
    leaves: Option<Vec<Hash>>,
    /// By level over the bundles.
    above: Vec<Vec<Hash>>,
    cache: TileCache,
}

impl<'a> Roots<'a> {
    pub(super) fn new(tiles: &'a Tiles, size: u64) -> Self {
        let leaves = (!tiles.files().has_tiles()).then(Vec::new);
        Self { tiles, size, leaves, above: Vec::new(), cache: TileCache::default() }
    }

    /// Resumes from the nodes over whole bundles that an earlier audit saved, level by level.
    pub(super) fn resume(&mut self, above: Vec<Vec<Hash>>) {
        self.above = above;
    }

    /// The nodes over whole bundles.
    pub(super) fn above(&self) -> &[Vec<Hash>] {
        &self.above
    }

    /// Takes the next node of its level.
    pub(super) fn add(&mut self, node: Node, hash: Hash) {
        let Some(level) = over_bundles(node) else { return };
        if self.above.len() <= level {
            self.above.resize_with(level.saturating_add(1), Vec::new);
        }
        if let Some(hashes) = self.above.get_mut(level) {
            hashes.push(hash);
        }
    }

    /// Takes the hashes of the next bundle's entries.
    pub(super) fn add_leaves(&mut self, leaves: &[Hash]) {
        if let Some(all) = &mut self.leaves {
            all.extend_from_slice(leaves);
        }
    }

    /// The root of the log's first `size` entries; `None` if not all of them were read.
    pub(super) fn at(&mut self, size: u64) -> Result<Option<Hash>, TileReadError> {
        let mut hashes = Vec::new();
        for node in Frontier::nodes(size).map_err(TileReadError::log)? {
            match self.node(node)? {
                Some(hash) => hashes.push(hash),
                None => return Ok(None),
            }
        }
        Frontier::from_parts(size, hashes).map(|tree| Some(tree.root())).map_err(TileReadError::log)
    }

    fn node(&mut self, node: Node) -> Result<Option<Hash>, TileReadError> {
        if let Some(level) = over_bundles(node) {
            let index = usize::try_from(node.index()).ok();
            return Ok(index.and_then(|index| self.above.get(level)?.get(index)).copied());
        }
        if node.leaves().end > self.size {
            return Ok(None);
        }
        let bundle = node.leaves().start >> HEIGHT;
        if let Some(leaves) = &self.leaves {
            return Ok(tile_of(leaves, bundle).and_then(|tile| tile.node(node).ok()));
        }
        let path =
            TilePath::at_size(Level::Hashes(0), bundle, self.size).map_err(TileReadError::log)?;
        let tile = self.cache.get(path, || self.tiles.tile(path))?;
        Ok(tile.node(node).ok())
    }
}

/// A node's level over whole bundles, if it is there.
fn over_bundles(node: Node) -> Option<usize> {
    usize::try_from(node.level().checked_sub(HEIGHT)?).ok()
}

/// The tile over a bundle, from the hashes of all entries.
fn tile_of(leaves: &[Hash], bundle: u64) -> Option<HashTile> {
    let start = usize::try_from(bundle).ok()?.checked_mul(WIDTH)?;
    let hashes = leaves.get(start..)?;
    HashTile::new(hashes.get(..WIDTH).unwrap_or(hashes).to_vec()).ok()
}
