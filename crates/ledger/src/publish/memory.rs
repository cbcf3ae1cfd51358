//! The files of the log that were published or read last: receipts are made of the same ones again
//! and again. The bytes of a path never change, so none of them is ever outdated.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

use crate::error::LedgerError;
use crate::publish::tree::damaged;
use crate::store::Fault;
use fairdeal::log::{EntryBundle, HashTile, Level, TileNodes, TilePath};

/// The most bytes that are remembered. A bundle has at most 16 MB.
const MOST: u64 = 32 << 20;

/// The part of them for files that were asked for again. The rest is for new ones: the newest are
/// the most wanted.
const AGAIN: f64 = 0.5;

/// A file of the log. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) path: TilePath,
    pub(crate) bytes: Bytes,
    /// The nodes over a tile's hashes, once somebody wanted one.
    nodes: Arc<OnceLock<TileNodes>>,
}

impl File {
    pub(crate) fn new(path: TilePath, bytes: Bytes) -> Self {
        Self { path, bytes, nodes: Arc::default() }
    }

    /// The entries of a bundle.
    pub(crate) fn entries(&self) -> Result<Vec<&[u8]>, LedgerError> {
        EntryBundle::split(&self.bytes, self.path.width()).map_err(|e| damaged(self.path, &e))
    }

    /// The nodes of a tile. They are computed once.
    pub(crate) fn nodes(&self) -> Result<&TileNodes, LedgerError> {
        if let Some(known) = self.nodes.get() {
            return Ok(known);
        }
        let tile = HashTile::parse(&self.bytes, self.path.width());
        let nodes = TileNodes::of(&tile.map_err(|e| damaged(self.path, &e))?);
        Ok(self.nodes.get_or_init(|| nodes))
    }
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Memory(Cache<TilePath, File, Weight>);

/// A file's bytes in memory. A tile's nodes are as many again.
#[derive(Clone, Debug)]
struct Weight;

impl Weighter<TilePath, File> for Weight {
    fn weight(&self, path: &TilePath, file: &File) -> u64 {
        let bytes = u64::try_from(file.bytes.len()).unwrap_or(u64::MAX);
        if path.level() == Level::Entries { bytes.max(1) } else { 2 * bytes.max(1) }
    }
}

impl Default for Memory {
    fn default() -> Self {
        // In one part: several ones would be too small for a large bundle.
        let options = OptionsBuilder::new()
            .shards(1)
            .estimated_items_capacity(256)
            .weight_capacity(MOST)
            .hot_allocation(AGAIN)
            .build();
        let options = options.expect("both capacities are set");
        let (by, seen) = (DefaultHashBuilder::default(), DefaultLifecycle::default());
        Self(Cache::with_options(options, Weight, by, seen))
    }
}

impl Memory {
    /// A file, if it is remembered.
    pub(crate) fn get(&self, path: TilePath) -> Option<File> {
        self.0.get(&path)
    }

    /// Forgets everything: a file that was read may have been damaged.
    pub(crate) fn forget(&self) {
        self.0.clear();
    }

    /// Forgets everything after an error that a damaged file leads to.
    pub(crate) fn forget_damaged(&self, error: &LedgerError) {
        match error {
            LedgerError::Damaged(_) => self.forget(),
            LedgerError::Store(found) if found.fault == Fault::Damaged => self.forget(),
            _ => {}
        }
    }

    /// Remembers a file.
    pub(crate) fn keep(&self, file: &File) {
        self.0.insert(file.path, file.clone());
    }
}
