//! The log's roots at earlier sizes, from its own entries. Checkpoints of players and older
//! checkpoints are compared with them.

use super::tiles::{TileCache, TileReadError, Tiles};
use fairdeal::log::{Frontier, Hash, HashTile, Level, Node, TilePath};

/// Levels of the tree in one bundle: log2 of its entries.
const HEIGHT: u32 = 8;
/// Entries in a full bundle.
const WIDTH: usize = 1 << HEIGHT;

/// Keeps the nodes over whole bundles: some 64 bytes for each 256 entries, and the hashes of the
/// newest bundle's entries. Lower nodes of older bundles are read again from published tiles, or
/// from the entries if a tile is not the one over them: nobody signs tiles.
#[derive(Debug)]
pub(super) struct Roots<'a> {
    tiles: &'a Tiles,
    /// The log's size.
    size: u64,
    /// The hash of every entry, if the log has no tiles.
    leaves: Option<Vec<Hash>>,
    /// The newest bundle, by its index, and the tile over what was read of it.
    newest: Option<(u64, HashTile)>,
    /// By level over the bundles.
    above: Vec<Vec<Hash>>,
    cache: TileCache,
}

impl<'a> Roots<'a> {
    pub(super) fn new(tiles: &'a Tiles, size: u64) -> Self {
        let leaves = (!tiles.files().has_tiles()).then(Vec::new);
        Self { tiles, size, leaves, newest: None, above: Vec::new(), cache: TileCache::default() }
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

    /// Takes the hashes of all entries of the next bundle, `bundle`.
    pub(super) fn add_leaves(&mut self, bundle: u64, leaves: Vec<Hash>) {
        if let Some(all) = &mut self.leaves {
            all.extend_from_slice(&leaves);
        }
        self.newest = HashTile::new(leaves).ok().map(|tile| (bundle, tile));
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
        if let Some((_, tile)) = self.newest.as_ref().filter(|(newest, _)| *newest == bundle) {
            return Ok(tile.node(node).ok());
        }
        let root = usize::try_from(bundle).ok().and_then(|at| self.above.first()?.get(at));
        // The audit ended before this bundle.
        let Some(root) = root else { return Ok(None) };
        let path = |level| TilePath::at_size(level, bundle, self.size).map_err(TileReadError::log);
        let (hashes, entries) = (path(Level::Hashes(0))?, path(Level::Entries)?);
        let tile = self.cache.get(hashes, || match self.tiles.tile(hashes) {
            Ok(tile) if root_of(&tile) == Some(*root) => Ok(tile),
            // Nobody signs a tile, and a file may be another one than was read before.
            Ok(_) | Err(TileReadError::Fault(_)) => match self.tiles.of_entries(entries)? {
                tile if root_of(&tile) == Some(*root) => Ok(tile),
                _ => {
                    Err(TileReadError::fault(entries, "these are not the entries that were judged"))
                }
            },
            Err(error) => Err(error),
        })?;
        Ok(tile.node(node).ok())
    }
}

/// The root of a tile over a whole bundle.
fn root_of(tile: &HashTile) -> Option<Hash> {
    let mut tree = Frontier::new();
    tile.hashes().iter().try_for_each(|hash| tree.push(*hash)).ok()?;
    Some(tree.root())
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
