//! A part of a log: some of its bundles, read on one machine, perhaps to be judged on another.

use std::ops::Range;

use super::stretch::{Prepared, Stretch, WithTiles, stretches};
use super::tiles::{TileReadError, Tiles};
use crate::Signatures;
use fairdeal::log::{Level, TilePath, VerifierKey};

/// The first line of a part as bytes.
const HEADER: &[u8] = b"fairdeal/part/v1\n";

/// Consecutive bundles of a log, with the tiles over them. Adjacent parts merge.
///
/// Memory: all its entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogPart {
    /// The log's size, which decides how wide its last bundle is.
    size: u64,
    /// The number of its first bundle.
    first: u64,
    bundles: Vec<Bundle>,
}

/// A bundle and the tile over it, or what is wrong with the file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Bundle {
    entries: File,
    tile: Option<File>,
}

/// A file's bytes and width, or what is wrong with it.
type File = Result<(Vec<u8>, u16), String>;

/// Two parts do not merge, or bytes are no part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// A file could not be read, which says nothing about the log.
    #[error("{0}")]
    Unreadable(String),
    /// A range does not begin and end where bundles do.
    #[error(
        "expected a range that begins at a multiple of 256 and ends at one, or at {size}; found {start} to {end}"
    )]
    Range {
        /// The log's size.
        size: u64,
        /// Where the range starts.
        start: u64,
        /// Where it ends.
        end: u64,
    },
    /// The right part does not start where the left one ends, or is of the log at another size.
    #[error(
        "expected a part that starts at entry {end} of a log of {size}, found one that starts at {start} of a log of {other}"
    )]
    NotAdjacent {
        /// Where the left part ends.
        end: u64,
        /// The size of its log.
        size: u64,
        /// Where the right part starts.
        start: u64,
        /// The size of its log.
        other: u64,
    },
    /// The bytes are no part.
    #[error("expected a part of a log (fairdeal/part/v1): {0}")]
    Damaged(&'static str),
}

impl LogPart {
    /// Reads the entries of a range, and the tiles over them.
    pub(super) fn read(tiles: &Tiles, size: u64, entries: Range<u64>) -> Result<Self, PartError> {
        let Range { start, end } = entries;
        let ends = end == size || end.is_multiple_of(256);
        if !start.is_multiple_of(256) || !ends || start > end || end > size {
            return Err(PartError::Range { size, start, end });
        }
        let with_tiles = if tiles.files().has_tiles() { WithTiles::Yes } else { WithTiles::No };
        let mut bundles = Vec::new();
        for some in stretches(start / 256, end) {
            for (_, entries, tile) in Stretch::read(tiles, some, size, with_tiles).into_read() {
                bundles.push(Bundle { entries: told(entries)?, tile: tile.map(told).transpose()? });
            }
        }
        Ok(Self { size, first: start / 256, bundles })
    }

    /// Which entries it has.
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        let end = self.first.saturating_add(super::count(self.bundles.len()));
        let at = |bundle: u64| bundle.saturating_mul(256).min(self.size);
        at(self.first)..at(end)
    }

    /// The size of the log that it is a part of.
    #[must_use]
    pub const fn log_size(&self) -> u64 {
        self.size
    }

    /// Appends the part that comes right after this one. On an error, nothing has changed.
    ///
    /// # Errors
    /// [`PartError::NotAdjacent`].
    pub fn merge(&mut self, right: Self) -> Result<(), PartError> {
        let (end, start) = (self.range().end, right.range().start);
        if end != start || self.size != right.size {
            return Err(PartError::NotAdjacent { end, size: self.size, start, other: right.size });
        }
        self.bundles.extend(right.bundles);
        Ok(())
    }

    /// The part as bytes, for [`LogPart::from_bytes`]: what was read, not judged. Whoever judges it hashes it again.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = HEADER.to_vec();
        for number in [self.size, self.first, super::count(self.bundles.len())] {
            bytes.extend_from_slice(&number.to_be_bytes());
        }
        for Bundle { entries, tile } in &self.bundles {
            put(Some(entries), &mut bytes);
            put(tile.as_ref(), &mut bytes);
        }
        bytes
    }

    /// The part that [`LogPart::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`PartError::Damaged`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PartError> {
        let rest =
            bytes.strip_prefix(HEADER).ok_or(PartError::Damaged("its first line is another"))?;
        let (size, rest) = number(rest)?;
        let (first, rest) = number(rest)?;
        let (bundles, mut rest) = number(rest)?;
        if first.saturating_add(bundles) > size.div_ceil(256) {
            return Err(PartError::Damaged("it has more bundles than its log"));
        }
        let mut part = Self { size, first, bundles: Vec::new() };
        for _ in 0..bundles {
            let (entries, after) = file(rest)?;
            let (tile, after) = file(after)?;
            let entries = entries.ok_or(PartError::Damaged("a bundle is left out"))?;
            part.bundles.push(Bundle { entries, tile });
            rest = after;
        }
        if rest.is_empty() {
            Ok(part)
        } else {
            Err(PartError::Damaged("it goes on after its last bundle"))
        }
    }

    /// Parses and hashes a bundle, and compares the tile with it.
    pub(super) fn prepare(
        &self,
        at: usize,
        key: &VerifierKey,
        known: u64,
        signatures: Signatures,
    ) -> Option<Prepared> {
        let Bundle { entries, tile } = self.bundles.get(at)?;
        let bundle = self.first.saturating_add(super::count(at));
        let path = TilePath::at_size(Level::Entries, bundle, self.size).ok()?;
        let again = |file: &File| file.clone().map_err(TileReadError::Fault);
        Some(super::stretch::prepare(
            path,
            again(entries),
            tile.as_ref().map(again),
            key,
            known,
            signatures,
        ))
    }

    /// How many bundles it has.
    pub(super) fn bundles(&self) -> usize {
        self.bundles.len()
    }
}

/// What is wrong with a file is kept; one that could not be read ends the reading.
fn told(read: Result<(Vec<u8>, u16), TileReadError>) -> Result<File, PartError> {
    match read {
        Ok(read) => Ok(Ok(read)),
        Err(TileReadError::Fault(says)) => Ok(Err(says)),
        Err(TileReadError::Unreadable(says)) => Err(PartError::Unreadable(says)),
    }
}

/// A kind (0: none, 1: bytes, 2: what is wrong), the width, the length and the bytes.
fn put(file: Option<&File>, to: &mut Vec<u8>) {
    let (kind, width, bytes): (u8, u16, &[u8]) = match file {
        None => (0, 0, &[]),
        Some(Ok((bytes, width))) => (1, *width, bytes),
        Some(Err(says)) => (2, 0, says.as_bytes()),
    };
    to.push(kind);
    to.extend_from_slice(&width.to_be_bytes());
    to.extend_from_slice(&super::count(bytes.len()).to_be_bytes());
    to.extend_from_slice(bytes);
}

const CUT: PartError = PartError::Damaged("it is cut off");

fn number(bytes: &[u8]) -> Result<(u64, &[u8]), PartError> {
    let (number, rest) = bytes.split_first_chunk().ok_or(CUT)?;
    Ok((u64::from_be_bytes(*number), rest))
}

fn file(bytes: &[u8]) -> Result<(Option<File>, &[u8]), PartError> {
    let (kind, rest) = bytes.split_first().ok_or(CUT)?;
    let (width, rest) = rest.split_first_chunk().ok_or(CUT)?;
    let (length, rest) = number(rest)?;
    let length = usize::try_from(length).map_err(|_| CUT)?;
    let (bytes, rest) = rest.split_at_checked(length).ok_or(CUT)?;
    let file = match kind {
        0 => None,
        1 => Some(Ok((bytes.to_vec(), u16::from_be_bytes(*width)))),
        2 => Some(Err(String::from_utf8_lossy(bytes).into_owned())),
        _ => return Err(PartError::Damaged("a file of it is of no kind")),
    };
    Ok((file, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(first: u64, count: usize) -> LogPart {
        let bundle = |at| Bundle {
            entries: Ok((vec![at; 3], 256)),
            tile: Some(Err(format!("tile {at}: it is missing"))),
        };
        LogPart {
            size: 1_000,
            first,
            bundles: (0..count).map(|at| bundle(u8::try_from(at).unwrap())).collect(),
        }
    }

    #[test]
    fn a_part_comes_back_from_its_bytes_and_no_cut_of_them_does() {
        let whole = part(1, 2);
        let bytes = whole.to_bytes();
        assert_eq!(LogPart::from_bytes(&bytes), Ok(whole));
        for length in 0..bytes.len() {
            assert!(LogPart::from_bytes(&bytes[..length]).is_err(), "{length}");
        }
        assert!(LogPart::from_bytes(&[&bytes[..], b"x"].concat()).is_err());
    }

    #[test]
    fn only_adjacent_parts_of_one_size_merge() {
        let mut left = part(0, 2);
        assert_eq!(left.range(), 0..512);
        assert!(matches!(
            left.merge(part(3, 1)),
            Err(PartError::NotAdjacent { end: 512, start: 768, .. })
        ));
        assert!(left.merge(LogPart { size: 999, ..part(2, 1) }).is_err());
        left.merge(part(2, 2)).expect("adjacent");
        assert_eq!(left.range(), 0..1_000);
    }
}
