//! Some bundles and the tiles over them, read ahead, then parsed and hashed on all cores.

use std::ops::Range;

use rayon::prelude::*;

use super::tiles::{TileReadError, Tiles, holds};
use crate::{Partial, Under};
use fairdeal::log::{Hash, Level, TilePath};

/// Bundles in one stretch: some milliseconds of work, and about a hundred megabytes if all entries
/// are as long as allowed.
const BUNDLES: u64 = 8;

type Read = Result<(Vec<u8>, u16), TileReadError>;

/// Bundles as read, each with the tile over it if the log has tiles.
#[derive(Debug)]
pub(super) struct Stretch {
    read: Vec<(TilePath, Read, Option<Read>)>,
}

/// One bundle, parsed and hashed.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) entries: Result<Partial, TileReadError>,
    /// The hashes of its entries.
    pub(super) leaves: Vec<Hash>,
    /// The fault of the tile over it, if any.
    pub(super) tile: Option<TileReadError>,
}

/// The stretches of a log of `size` entries from the bundle `first` on, as ranges of bundles.
pub(super) fn stretches(first: u64, size: u64) -> impl Iterator<Item = Range<u64>> {
    let end = size.div_ceil(256);
    let mut start = first;
    std::iter::from_fn(move || {
        let range = start..start.saturating_add(BUNDLES).min(end);
        start = range.end;
        (!range.is_empty()).then_some(range)
    })
}

impl Stretch {
    pub(super) fn read(
        tiles: &Tiles,
        bundles: Range<u64>,
        size: u64,
        with_tiles: WithTiles,
    ) -> Self {
        let paths =
            |level| bundles.clone().filter_map(move |at| TilePath::at_size(level, at, size).ok());
        let entries: Vec<TilePath> = paths(Level::Entries).collect();
        let hashes: Vec<TilePath> = match with_tiles {
            WithTiles::Yes => paths(Level::Hashes(0)).collect(),
            WithTiles::No => Vec::new(),
        };
        let all: Vec<TilePath> = entries.iter().chain(&hashes).copied().collect();
        let mut bytes = tiles.read_all(&all);
        let mut over = bytes.split_off(entries.len().min(bytes.len())).into_iter();
        let read =
            entries.into_iter().zip(bytes).map(|(path, read)| (path, read, over.next())).collect();
        Self { read }
    }

    /// Each bundle's path and bytes, and the tile over it.
    pub(super) fn into_read(self) -> impl Iterator<Item = (TilePath, Read, Option<Read>)> {
        self.read.into_iter()
    }

    /// Parses and hashes every entry on all cores, and compares each tile with its entries. Entries
    /// before `known` were judged by the audit that this one resumes.
    pub(super) fn prepare(self, under: Under<'_>, known: u64) -> Vec<Prepared> {
        let one = |(path, read, over)| prepare(path, read, over, under, known);
        self.read.into_par_iter().map(one).collect()
    }
}

/// Whether there are hash tiles to be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WithTiles {
    Yes,
    No,
}

/// Parses and hashes one bundle, and compares the tile over it.
fn prepare(
    path: TilePath,
    read: Read,
    over: Option<Read>,
    under: Under<'_>,
    known: u64,
) -> Prepared {
    let first = path.index().saturating_mul(256);
    let skipped = usize::try_from(known.saturating_sub(first)).unwrap_or(usize::MAX);
    let end = usize::from(path.width());
    let entries = read.and_then(|(bytes, width)| {
        Partial::of_bundle(under, first, bytes, width, skipped.min(end)..end)
            .map_err(|error| TileReadError::fault(path, error))
    });
    let (entries, leaves) = match entries {
        Ok((partial, leaves)) => (Ok(partial), leaves),
        Err(error) => (Err(error), Vec::new()),
    };
    // Without its entries a tile cannot be compared.
    let tile = over.filter(|_| entries.is_ok()).and_then(|over| {
        let tile = TilePath::new(Level::Hashes(0), path.index(), path.width()).ok()?;
        over.and_then(|(bytes, width)| holds(tile, &bytes, width, &leaves)).err()
    });
    Prepared { entries, leaves, tile }
}
