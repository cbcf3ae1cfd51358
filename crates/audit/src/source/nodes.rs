//! The nodes of a log's tree, read from its hash tiles: enough to tell whether the log continues an
//! older checkpoint, without reading its entries.

use super::files::{Files, ReadError};
use super::tiles::{TileCache, TileReadError, Tiles};
use fairdeal::log::{Checkpoint, Frontier, Hash, Node, ProofPlan, TilePath, verify_consistency};

/// A log's checkpoint and tree, as it publishes them.
#[derive(Debug)]
pub struct Nodes {
    tiles: Tiles,
    cache: TileCache,
}

impl Nodes {
    /// The tree of a log. Nothing is read yet.
    #[must_use]
    pub fn new(files: Box<dyn Files>) -> Self {
        Self { tiles: Tiles::new(files), cache: TileCache::default() }
    }

    /// The log's checkpoint as published, unverified: a note.
    ///
    /// # Errors
    /// [`ReadError`]; [`ReadError::Missing`] means that there is no log.
    pub fn checkpoint(&self) -> Result<String, ReadError> {
        self.tiles.checkpoint()
    }

    /// The root at an earlier size of the log, which now has `size` entries, from its tiles.
    ///
    /// # Errors
    /// [`TileReadError::Fault`] if a tile is missing or broken, [`TileReadError::Unreadable`] if it
    /// could not be read.
    pub fn root_at(&mut self, smaller: u64, size: u64) -> Result<Hash, TileReadError> {
        root_at(&self.tiles, &mut self.cache, smaller, size)
    }

    /// Shows by a proof from the tiles that the log of this checkpoint continues the tree of this
    /// size and root. The inner error says why it does not. No tile is trusted: the proof leads to
    /// both roots.
    ///
    /// # Errors
    /// As [`root_at`](Self::root_at).
    pub fn continues(
        &mut self,
        (old_size, old_root): (u64, &Hash),
        log: &Checkpoint,
    ) -> Result<Result<(), String>, TileReadError> {
        let plan = match ProofPlan::consistency(old_size, log.size()) {
            Ok(plan) => plan,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let proof = plan.prove(|node| self.node(node, log.size()))?;
        let verified = verify_consistency(old_size, old_root, log.size(), log.root(), &proof);
        Ok(verified.map_err(|error| error.to_string()))
    }

    /// The hash of a node of the log of this size, from the tile that holds it.
    ///
    /// # Errors
    /// As [`root_at`](Self::root_at).
    pub fn node(&mut self, node: Node, size: u64) -> Result<Hash, TileReadError> {
        node_of(&self.tiles, &mut self.cache, node, size)
    }
}

/// The root at an earlier size of a log of this size, from its tiles. Nothing is compared with the
/// entries.
pub(super) fn root_at(
    tiles: &Tiles,
    cache: &mut TileCache,
    smaller: u64,
    size: u64,
) -> Result<Hash, TileReadError> {
    let nodes = Frontier::nodes(smaller).map_err(TileReadError::log)?;
    let hashes = nodes.into_iter().map(|node| node_of(tiles, cache, node, size));
    let tree = Frontier::from_parts(smaller, hashes.collect::<Result<_, _>>()?);
    tree.map(|tree| tree.root()).map_err(TileReadError::log)
}

fn node_of(
    tiles: &Tiles,
    cache: &mut TileCache,
    node: Node,
    size: u64,
) -> Result<Hash, TileReadError> {
    let path = TilePath::holding(node, size).map_err(TileReadError::log)?;
    let tile = cache.get(path, || tiles.tile(path))?;
    tile.node(node).map_err(|error| TileReadError::fault(path, error))
}
