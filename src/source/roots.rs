//! The roots that the log had at earlier sizes, from its own entries: what players and older checkpoints are held
//! against.

use std::collections::BTreeMap;

use super::tiles::{TileReadError, Tiles};
use crate::log::{Frontier, Hash, HashTile, Level, Node, TilePath};

/// log2 of a bundle's entries.
const HEIGHT: u32 = 8;
/// Lowest tiles kept in memory at one time: roots of many sizes lie in few.
const CACHED: usize = 64;

/// The nodes over whole bundles (some 64 bytes for each 256 entries); what is under them is read again from published
/// tiles: these are held against the entries, and where one is wrong nothing is concluded from any root.
#[derive(Debug)]
pub(super) struct Roots<'a> {
    tiles: &'a Tiles,
    /// The log's size.
    size: u64,
    /// Every hash of an entry, where there are no tiles.
    leaves: Option<Vec<Hash>>,
    /// By level over the bundles.
    above: Vec<Vec<Hash>>,
    cache: BTreeMap<u64, HashTile>,
}

impl<'a> Roots<'a> {
    pub(super) fn new(tiles: &'a Tiles, size: u64) -> Self {
        let (above, cache) = (Vec::new(), BTreeMap::new());
        let leaves = (!tiles.files().has_tiles()).then(Vec::new);
        Self { tiles, size, leaves, above, cache }
    }

    /// Goes on from what was known of the first entries another day: the nodes over whole bundles, level by level.
    pub(super) fn go_on(&mut self, above: Vec<Vec<Hash>>) {
        self.above = above;
    }

    /// The nodes over whole bundles.
    pub(super) fn above(&self) -> &[Vec<Hash>] {
        &self.above
    }

    /// Takes the next node of its level.
    pub(super) fn add(&mut self, node: Node, hash: Hash) {
        let Some(level) = node.level().checked_sub(HEIGHT).and_then(|level| usize::try_from(level).ok())
        else {
            return;
        };
        if self.above.len() <= level {
            self.above.resize(level.saturating_add(1), Vec::new());
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

    /// The root of the log's first `size` entries; none where they were not all read.
    pub(super) fn at(&mut self, size: u64) -> Result<Option<Hash>, TileReadError> {
        let fault = |error: crate::log::RangeError| TileReadError::Fault(error.to_string());
        let mut hashes = Vec::new();
        for node in Frontier::nodes(size).map_err(fault)? {
            match self.node(node)? {
                Some(hash) => hashes.push(hash),
                None => return Ok(None),
            }
        }
        Frontier::from_parts(size, hashes).map(|tree| Some(tree.root())).map_err(fault)
    }

    fn node(&mut self, node: Node) -> Result<Option<Hash>, TileReadError> {
        let index = usize::try_from(node.index()).ok();
        if let Some(level) = node.level().checked_sub(HEIGHT).and_then(|level| usize::try_from(level).ok()) {
            return Ok(index.and_then(|index| self.above.get(level)?.get(index)).copied());
        }
        let bundle = node.leaves().start >> HEIGHT;
        if node.leaves().end > self.size {
            return Ok(None);
        }
        Ok(self.lowest(bundle)?.and_then(|tile| tile.node(node).ok()))
    }

    /// The hashes of a bundle's entries.
    fn lowest(&mut self, bundle: u64) -> Result<Option<&HashTile>, TileReadError> {
        if !self.cache.contains_key(&bundle) {
            let Some(tile) = self.read(bundle)? else { return Ok(None) };
            if self.cache.len() >= CACHED {
                self.cache.pop_first();
            }
            self.cache.insert(bundle, tile);
        }
        Ok(self.cache.get(&bundle))
    }

    fn read(&self, bundle: u64) -> Result<Option<HashTile>, TileReadError> {
        let Some(leaves) = &self.leaves else {
            let path = TilePath::at_size(Level::Hashes(0), bundle, self.size);
            return self.tiles.tile(path.map_err(|e| TileReadError::Fault(e.to_string()))?).map(Some);
        };
        let start = usize::try_from(bundle << HEIGHT).unwrap_or(usize::MAX);
        let end = start.saturating_add(1 << HEIGHT).min(leaves.len());
        Ok(leaves.get(start..end).and_then(|hashes| HashTile::new(hashes.to_vec()).ok()))
    }
}
