//! Tiles and entry bundles out of a log's files, with the full one standing in for a partial one.

use std::collections::BTreeMap;

use super::files::{Files, ReadError, Wanted};
use crate::log::{EntryBundle, Frontier, Hash, HashTile, Level, Node, TilePath};

/// The files of one log.
#[derive(Debug)]
pub(super) struct Tiles {
    files: Box<dyn Files>,
    /// The last hash tiles that were read: roots of many sizes lie in few tiles.
    cache: BTreeMap<TilePath, HashTile>,
}

/// Tiles kept in memory at one time.
const CACHED: usize = 64;
/// 256 entries of 65,535 bytes, each behind two bytes of length.
const LONGEST_BUNDLE: u64 = 256 * 65_537;
/// 256 hashes.
const LONGEST_TILE: u64 = 256 * 32;

/// Why a tile is not there.
#[derive(Debug)]
pub(super) enum TileError {
    /// The log is at fault.
    Fault(String),
    /// Nobody could say.
    Unreadable(String),
}

impl TileError {
    fn fault(path: TilePath, says: impl std::fmt::Display) -> Self {
        Self::Fault(format!("{}: {says}", path.to_text()))
    }
}

impl Tiles {
    pub(super) fn new(files: Box<dyn Files>) -> Self {
        Self { files, cache: BTreeMap::new() }
    }

    pub(super) fn files(&self) -> &dyn Files {
        self.files.as_ref()
    }

    fn read(&self, path: TilePath) -> Result<(Vec<u8>, u16), TileError> {
        let Wanted { path: file, at_most } = wanted(path);
        self.or_full(path, self.files.read(&file, at_most))
    }

    fn or_full(&self, path: TilePath, read: Result<Vec<u8>, ReadError>) -> Result<(Vec<u8>, u16), TileError> {
        let full = path.full();
        let (read, width) = match read {
            Err(ReadError::Missing) if full != path => {
                let Wanted { path, at_most } = wanted(full);
                (self.files.read(&path, at_most), full.width())
            }
            read => (read, path.width()),
        };
        match read {
            Ok(bytes) => Ok((bytes, width)),
            Err(ReadError::Missing) => {
                Err(TileError::fault(path, "the checkpoint promises it, and it is missing"))
            }
            Err(error @ ReadError::TooLong { .. }) => Err(TileError::fault(path, error)),
            Err(ReadError::Unreadable(says)) => {
                Err(TileError::Unreadable(format!("{}: {says}", path.to_text())))
            }
        }
    }

    /// The entries of a bundle, as many as the tree of this size has there.
    pub(super) fn bundle(&self, path: TilePath) -> Result<Vec<Vec<u8>>, TileError> {
        let (bytes, width) = self.read(path)?;
        let bundle = EntryBundle::parse(&bytes, width).map_err(|e| TileError::fault(path, e))?;
        let mut entries = bundle.into_entries();
        entries.truncate(usize::from(path.width()));
        Ok(entries)
    }

    /// Whether a published hash tile holds these hashes, and as far as the tree goes no others.
    pub(super) fn compare(&self, path: TilePath, expected: &HashTile) -> Result<(), TileError> {
        let (bytes, width) = self.read(path)?;
        let tile = HashTile::parse(&bytes, width).map_err(|e| TileError::fault(path, e))?;
        let differs = tile.hashes().iter().zip(expected.hashes()).position(|(found, own)| found != own);
        match differs {
            None => Ok(()),
            Some(at) => Err(TileError::fault(path, format_args!("hash {at} is not that of the entries"))),
        }
    }

    /// The root that the log of this size had when it was smaller.
    pub(super) fn root_at(&mut self, smaller: u64, size: u64) -> Result<Hash, TileError> {
        let fault = |error: crate::log::RangeError| TileError::Fault(error.to_string());
        let nodes = Frontier::nodes(smaller).map_err(fault)?;
        let hashes = nodes.into_iter().map(|node| self.node(node, size)).collect::<Result<Vec<_>, _>>()?;
        Frontier::from_parts(smaller, hashes).map(|tree| tree.root()).map_err(fault)
    }

    /// The hash of a node, from the tile that holds it.
    pub(super) fn node(&mut self, node: Node, size: u64) -> Result<Hash, TileError> {
        let path = TilePath::holding(node, size).map_err(|e| TileError::Fault(e.to_string()))?;
        if !self.cache.contains_key(&path) {
            let (bytes, width) = self.read(path)?;
            let tile = HashTile::parse(&bytes, width).map_err(|e| TileError::fault(path, e))?;
            if self.cache.len() >= CACHED {
                self.cache.pop_first();
            }
            self.cache.insert(path, tile);
        }
        let tile = self.cache.get(&path);
        let tile = tile.ok_or_else(|| TileError::Fault("a tile that was just read".to_owned()))?;
        tile.node(node).map_err(|e| TileError::fault(path, e))
    }
}

fn wanted(path: TilePath) -> Wanted {
    let at_most = if path.level() == Level::Entries { LONGEST_BUNDLE } else { LONGEST_TILE };
    Wanted { path: path.to_text(), at_most }
}

/// The bundles that hold a log's entries, in order.
pub(super) fn bundles(size: u64) -> impl Iterator<Item = TilePath> {
    (0..size.div_ceil(256)).filter_map(move |index| TilePath::at_size(Level::Entries, index, size).ok())
}
