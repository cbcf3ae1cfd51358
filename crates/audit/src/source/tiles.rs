//! Reads tiles and entry bundles from a log's files. A full tile may replace a partial one.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Display;

use super::files::{Files, ReadError, Wanted};
use fairdeal::log::{EntryBundle, Hash, HashTile, Level, Note, TilePath, leaf_hashes};

/// The files of one log.
#[derive(Debug)]
pub(super) struct Tiles {
    files: Box<dyn Files>,
}

/// 256 entries of 65,535 bytes, each behind two bytes of length.
const LONGEST_BUNDLE: u64 = 256 * 65_537;
/// 256 hashes.
const LONGEST_TILE: u64 = 256 * 32;

/// The longest note (spec/ledger.md, section 10.3).
pub(super) const LONGEST_CHECKPOINT: u64 = 1_000_000;

/// The characters of a file that is no note that its error shows.
const SHOWN: usize = 40;

/// A tile was not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TileReadError {
    /// The log is at fault: the tile is missing or wrong.
    #[error("{0}")]
    Fault(String),
    /// It could not be read, which says nothing about the log.
    #[error("{0}")]
    Unreadable(String),
}

/// The text of a note; or why the bytes are none, such as the page of a captive portal.
fn note_of(bytes: Vec<u8>) -> Result<String, String> {
    let text = String::from_utf8(bytes).map_err(|error| error.to_string());
    let text = text.map_err(|why| format!("expected a signed note, found no text: {why}"))?;
    match Note::parse(&text) {
        Ok(_) => Ok(text),
        Err(why) => {
            let start: String = text.chars().take(SHOWN).collect();
            let page = if text.trim_start().starts_with('<') {
                "; this is a web page: perhaps the network asks you to sign in"
            } else {
                ""
            };
            Err(format!("expected a signed note, found {start:?}: {why}{page}"))
        }
    }
}

impl TileReadError {
    pub(super) fn fault(path: TilePath, says: impl Display) -> Self {
        Self::Fault(format!("{}: {says}", path.to_text()))
    }

    /// A fault that is not of one tile.
    pub(super) fn log(says: impl Display) -> Self {
        Self::Fault(says.to_string())
    }
}

impl Tiles {
    pub(super) const fn new(files: Box<dyn Files>) -> Self {
        Self { files }
    }

    pub(super) fn files(&self) -> &dyn Files {
        self.files.as_ref()
    }

    /// The log's checkpoint as published, unverified: a note (spec/audit.md, section 13.1).
    pub(super) fn checkpoint(&self) -> Result<String, ReadError> {
        let bytes = self.files.read("checkpoint", LONGEST_CHECKPOINT)?;
        note_of(bytes).map_err(ReadError::Unreadable)
    }

    /// The bytes and width of each tile: the expected width, or the full one if a full tile has
    /// replaced it.
    pub(super) fn read_all(
        &self,
        paths: &[TilePath],
    ) -> Vec<Result<(Vec<u8>, u16), TileReadError>> {
        let wanted: Vec<Wanted> = paths.iter().copied().map(wanted).collect();
        let read = self.files.read_all(&wanted);
        paths.iter().zip(read).map(|(path, read)| self.or_full(*path, read)).collect()
    }

    fn read(&self, path: TilePath) -> Result<(Vec<u8>, u16), TileReadError> {
        let Wanted { path: file, at_most } = wanted(path);
        self.or_full(path, self.files.read(&file, at_most))
    }

    fn or_full(
        &self,
        path: TilePath,
        read: Result<Vec<u8>, ReadError>,
    ) -> Result<(Vec<u8>, u16), TileReadError> {
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
                Err(TileReadError::fault(path, "the checkpoint promises it, and it is missing"))
            }
            Err(error @ ReadError::TooLong { .. }) => Err(TileReadError::fault(path, error)),
            Err(ReadError::Unreadable(says)) => {
                Err(TileReadError::Unreadable(format!("{}: {says}", path.to_text())))
            }
        }
    }

    /// Compares a published hash tile with the expected one.
    pub(super) fn compare(&self, path: TilePath, expected: &HashTile) -> Result<(), TileReadError> {
        self.holds(path, expected.hashes())
    }

    /// Compares a published hash tile with the hashes that it must begin with.
    pub(super) fn holds(&self, path: TilePath, expected: &[Hash]) -> Result<(), TileReadError> {
        let (bytes, width) = self.read(path)?;
        holds(path, &bytes, width, expected)
    }

    /// The tile over a bundle of entries, from the entries.
    pub(super) fn of_entries(&self, path: TilePath) -> Result<HashTile, TileReadError> {
        let (bytes, width) = self.read(path)?;
        let fault = |error: &dyn Display| TileReadError::fault(path, error);
        let entries = EntryBundle::split(&bytes, width).map_err(|error| fault(&error))?;
        HashTile::new(leaf_hashes(&entries)).map_err(|error| fault(&error))
    }

    /// A hash tile.
    pub(super) fn tile(&self, path: TilePath) -> Result<HashTile, TileReadError> {
        let (bytes, width) = self.read(path)?;
        HashTile::parse(&bytes, width).map_err(|e| TileReadError::fault(path, e))
    }
}

/// Compares a tile's bytes with the hashes that it must begin with.
pub(super) fn holds(
    path: TilePath,
    bytes: &[u8],
    width: u16,
    expected: &[Hash],
) -> Result<(), TileReadError> {
    let (found, rest) = bytes.as_chunks::<{ Hash::LEN }>();
    if found.len() != usize::from(width) || !rest.is_empty() {
        return HashTile::parse(bytes, width).map(drop).map_err(|e| TileReadError::fault(path, e));
    }
    match found.iter().zip(expected).position(|(found, own)| found != own.as_bytes()) {
        None => Ok(()),
        Some(at) => {
            Err(TileReadError::fault(path, format_args!("hash {at} is not that of the entries")))
        }
    }
}

/// Some hash tiles that were read: the nodes of a proof are in few tiles. The tiles of a tree of
/// one size do not change, so a kept tile is never out of date.
#[derive(Debug, Default)]
pub(super) struct TileCache(BTreeMap<TilePath, HashTile>);

impl TileCache {
    /// The number of tiles that are kept.
    const MOST: usize = 64;

    /// The tile at `path`; `read` is called if it is not kept.
    pub(super) fn get(
        &mut self,
        path: TilePath,
        read: impl FnOnce() -> Result<HashTile, TileReadError>,
    ) -> Result<&HashTile, TileReadError> {
        if self.0.len() >= Self::MOST && !self.0.contains_key(&path) {
            self.0.pop_first();
        }
        match self.0.entry(path) {
            Entry::Occupied(kept) => Ok(kept.into_mut()),
            Entry::Vacant(place) => Ok(place.insert(read()?)),
        }
    }
}

fn wanted(path: TilePath) -> Wanted {
    let at_most = if path.level() == Level::Entries { LONGEST_BUNDLE } else { LONGEST_TILE };
    Wanted { path: path.to_text(), at_most }
}
