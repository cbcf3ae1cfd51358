//! A folder's files: tiles and entry bundles, with the full one standing in for a partial one.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::log::{EntryBundle, Frontier, Hash, HashTile, Level, Node, TilePath};

/// The files of one log.
#[derive(Debug)]
pub(super) struct Tiles {
    path: PathBuf,
    /// The last hash tiles that were read: roots of many sizes lie in few tiles.
    cache: BTreeMap<TilePath, HashTile>,
}

/// Tiles kept in memory at one time.
const CACHED: usize = 64;

impl Tiles {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, cache: BTreeMap::new() }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// A tile's bytes and how wide it is: as wide as it must be, or full. What is wrong is said as text.
    fn read(&self, path: TilePath) -> Result<(Vec<u8>, u16), String> {
        for path in [path, path.full()] {
            match fs::read(self.path.join(path.to_text())) {
                Ok(bytes) => return Ok((bytes, path.width())),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(format!("{}: {error}", path.to_text())),
            }
        }
        Err(format!("{}: the checkpoint promises it, and it is missing", path.to_text()))
    }

    /// The entries of a bundle, as many as the tree of this size has there.
    pub(super) fn bundle(&self, path: TilePath) -> Result<Vec<Vec<u8>>, String> {
        let (bytes, width) = self.read(path)?;
        let bundle = EntryBundle::parse(&bytes, width).map_err(|e| format!("{}: {e}", path.to_text()))?;
        let mut entries = bundle.into_entries();
        entries.truncate(usize::from(path.width()));
        Ok(entries)
    }

    /// Whether a published hash tile holds these hashes, and as far as the tree goes no others.
    pub(super) fn compare(&self, path: TilePath, expected: &HashTile) -> Result<(), String> {
        let (bytes, width) = self.read(path)?;
        let tile = HashTile::parse(&bytes, width).map_err(|e| format!("{}: {e}", path.to_text()))?;
        let differs = tile.hashes().iter().zip(expected.hashes()).position(|(found, own)| found != own);
        match differs {
            None => Ok(()),
            Some(at) => Err(format!("{}: hash {at} is not that of the entries", path.to_text())),
        }
    }

    /// The root that the log of this size had when it was smaller.
    pub(super) fn root_at(&mut self, smaller: u64, size: u64) -> Result<Hash, String> {
        let nodes = Frontier::nodes(smaller).map_err(|e| e.to_string())?;
        let hashes = nodes.into_iter().map(|node| self.node(node, size)).collect::<Result<Vec<_>, _>>()?;
        Frontier::from_parts(smaller, hashes).map(|tree| tree.root()).map_err(|e| e.to_string())
    }

    fn node(&mut self, node: Node, size: u64) -> Result<Hash, String> {
        let path = TilePath::holding(node, size).map_err(|e| e.to_string())?;
        if !self.cache.contains_key(&path) {
            let (bytes, width) = self.read(path)?;
            let tile = HashTile::parse(&bytes, width).map_err(|e| format!("{}: {e}", path.to_text()))?;
            if self.cache.len() >= CACHED {
                self.cache.pop_first();
            }
            self.cache.insert(path, tile);
        }
        let tile = self.cache.get(&path).ok_or_else(|| "a tile that was just read".to_owned())?;
        tile.node(node).map_err(|e| format!("{}: {e}", path.to_text()))
    }
}

/// The bundles that hold a log's entries, in order.
pub(super) fn bundles(size: u64) -> impl Iterator<Item = TilePath> {
    (0..size.div_ceil(256)).filter_map(move |index| TilePath::at_size(Level::Entries, index, size).ok())
}
