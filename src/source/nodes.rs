//! The nodes of a log's tree out of its hash tiles: enough to tell whether the log continues an older checkpoint,
//! without a look at its entries.

use std::collections::BTreeMap;

use super::files::{Files, ReadError};
use super::tiles::{TileReadError, Tiles};
use crate::log::{Frontier, Hash, HashTile, Node, RangeError, TilePath};

/// A log's checkpoint and tree, as it publishes them.
#[derive(Debug)]
pub struct Nodes {
    tiles: Tiles,
    /// The last hash tiles that were read: the nodes of a proof lie in few.
    cache: BTreeMap<TilePath, HashTile>,
}

/// Tiles kept in memory at one time.
const CACHED: usize = 64;

impl Nodes {
    /// The tree of a log. Nothing is read yet.
    #[must_use]
    pub fn new(files: Box<dyn Files>) -> Self {
        Self { tiles: Tiles::new(files), cache: BTreeMap::new() }
    }

    /// The log's checkpoint as it stands there, unverified.
    ///
    /// # Errors
    /// [`ReadError`], where [`ReadError::Missing`] says that there is no log.
    pub fn checkpoint(&self) -> Result<Vec<u8>, ReadError> {
        self.tiles.checkpoint()
    }

    /// The root that the log of this size had when it was smaller, by its tiles.
    ///
    /// # Errors
    /// [`TileReadError::Fault`] where a tile is missing or broken, [`TileReadError::Unreadable`] where nobody could say.
    pub fn root_at(&mut self, smaller: u64, size: u64) -> Result<Hash, TileReadError> {
        let fault = |error: RangeError| TileReadError::Fault(error.to_string());
        let nodes = Frontier::nodes(smaller).map_err(fault)?;
        let hashes = nodes.into_iter().map(|node| self.node(node, size)).collect::<Result<Vec<_>, _>>()?;
        Frontier::from_parts(smaller, hashes).map(|tree| tree.root()).map_err(fault)
    }

    /// The hash of a node of the log of this size, from the tile that holds it.
    ///
    /// # Errors
    /// As [`root_at`](Self::root_at).
    pub fn node(&mut self, node: Node, size: u64) -> Result<Hash, TileReadError> {
        let path = TilePath::holding(node, size).map_err(|error| TileReadError::Fault(error.to_string()))?;
        if !self.cache.contains_key(&path) {
            let tile = self.tiles.tile(path)?;
            if self.cache.len() >= CACHED {
                self.cache.pop_first();
            }
            self.cache.insert(path, tile);
        }
        let tile = self.cache.get(&path);
        let tile = tile.ok_or_else(|| TileReadError::fault(path, "it was read, and is gone"))?;
        tile.node(node).map_err(|error| TileReadError::fault(path, error))
    }
}
