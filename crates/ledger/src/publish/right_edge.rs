//! The right edge of the tree in memory: what the next entry is appended to, and what its tiles are
//! made from.
//!
//! A ledger publishes from here what it has just written, and reads nothing back.

use crate::error::LedgerError;
use crate::publish::memory::File;
use crate::publish::tree::Tree;
use crate::store::{Head, Segment};
use fairdeal::log::{
    Frontier, Hash, HashTile, Level, Node, TILE_WIDTH, TileBuilder, TilePath, leaf_hash,
};

const WIDTH: u64 = TILE_WIDTH as u64;

/// The tree's frontier, and the files that are not full.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    frontier: Frontier,
    tiles: TileBuilder,
    /// The last bundle, unless it is full.
    bundle: Vec<u8>,
}

/// The growth of a batch.
#[derive(Debug, Default)]
pub(crate) struct Grown {
    /// The entries, for the database.
    pub(crate) segments: Vec<Segment>,
    /// The new nodes of levels 8, 16, …
    pub(crate) nodes: Vec<(Node, Hash)>,
    /// The files that are full now.
    pub(crate) full: Vec<File>,
}

impl Edge {
    /// Reads the edge of a signed head, and compares it with the head's frontier.
    pub(crate) async fn load(tree: &mut Tree<'_>, head: &Head) -> Result<Self, LedgerError> {
        let size = head.frontier.size();
        let mut edge = Self {
            frontier: head.frontier.clone(),
            tiles: TileBuilder::default(),
            bundle: Vec::new(),
        };
        let mut frontier = Vec::new();
        for level in (0..=Level::MAX).take_while(|level| Level::Hashes(*level).len(size) > 0) {
            let hashes = match open_tile(Level::Hashes(level), size) {
                Some(path) => tree.hashes(path).await?,
                None => Vec::new(),
            };
            let index = Level::Hashes(level).len(size) / WIDTH;
            edge.tiles = edge.tiles.resume(level, index, &hashes);
            let mut under = Frontier::new();
            for hash in hashes {
                under.push(hash)?;
            }
            // The largest subtrees come first.
            frontier.splice(..0, under.parts().1.iter().copied());
        }
        if frontier != head.frontier.parts().1 {
            return Err(LedgerError::Damaged(format!(
                "the entries and nodes of the last tiles do not lead to the root {} of {size} entries",
                head.frontier.root().to_hex()
            )));
        }
        if let Some(path) = open_tile(Level::Entries, size) {
            edge.bundle = tree.bytes(path).await?;
        }
        Ok(edge)
    }

    pub(crate) fn size(&self) -> u64 {
        self.frontier.size()
    }

    pub(crate) fn frontier(&self) -> &Frontier {
        &self.frontier
    }

    /// Appends an entry.
    pub(crate) fn push(&mut self, entry: &[u8], grown: &mut Grown) -> Result<(), LedgerError> {
        let index = self.size();
        let length = u16::try_from(entry.len())
            .map_err(|e| LedgerError::Damaged(e.to_string()))?
            .to_be_bytes();
        let segment = match grown.segments.last_mut() {
            Some(open) if !index.is_multiple_of(WIDTH) => open,
            _ => {
                grown.segments.push(Segment { first: index, count: 0, bytes: Vec::new() });
                grown.segments.last_mut().expect("it was just pushed")
            }
        };
        segment.count += 1;
        for bytes in [&mut segment.bytes, &mut self.bundle] {
            bytes.extend_from_slice(&length);
            bytes.extend_from_slice(entry);
        }
        let (tiles, nodes, full) = (&mut self.tiles, &mut grown.nodes, &mut grown.full);
        let completed = |node: Node, hash| {
            if is_stored(node) {
                nodes.push((node, hash));
            }
            full.extend(tiles.add(node, hash).map(|(path, tile)| of_tile(path, &tile)));
        };
        self.frontier.push_with(leaf_hash(entry), completed)?;
        if self.size().is_multiple_of(WIDTH) {
            let path = TilePath::new(Level::Entries, index / WIDTH, TILE_WIDTH)?;
            grown.full.push(File::new(path, std::mem::take(&mut self.bundle).into()));
        }
        Ok(())
    }

    /// The files that are not full.
    pub(crate) fn partial(&self) -> Vec<File> {
        let tiles = self.tiles.partial().into_iter().map(|(path, tile)| of_tile(path, &tile));
        let bundle = open_tile(Level::Entries, self.size());
        let bundle = bundle.map(|path| File::new(path, self.bundle.clone().into()));
        bundle.into_iter().chain(tiles).collect()
    }
}

fn of_tile(path: TilePath, tile: &HashTile) -> File {
    File::new(path, tile.to_bytes().into())
}

/// Whether a node's hash is in a tile above level 0.
pub(crate) fn is_stored(node: Node) -> bool {
    node.level() > 0 && node.level().is_multiple_of(8)
}

/// The last tile of a level, unless it is full.
fn open_tile(level: Level, size: u64) -> Option<TilePath> {
    TilePath::at_size(level, level.len(size) / WIDTH, size).ok()
}
