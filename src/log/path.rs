//! The paths of tiles and entry bundles, and which of them a tree has (C2SP tlog-tiles, "Merkle
//! Tree", "Log entries").
//!
//! Not for their contents: see [`tile`](super::tile).

use super::{
    merkle::Node,
    notation::{parse_decimal, quote},
};

/// The number of hashes or entries in a full tile.
pub const TILE_WIDTH: u16 = 256;

/// log2 of [`TILE_WIDTH`]: how many levels of the tree lie between a tile's level and the next.
const HEIGHT: u32 = 8;

/// The row of tiles that a tile belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Bundles of entries, as wide as the tiles of level 0.
    Entries,
    /// Hashes of complete subtrees of 256^level leaves; level is 0 to [`Level::MAX`].
    Hashes(u8),
}

/// The path of a tile or of an entry bundle: `tile/<L>/<N>[.p/<W>]`.
///
/// Ordered by level, entries first, then by index, then by width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TilePath {
    level: Level,
    index: u64,
    width: u16,
}

/// A text is not the path of a tile, or there is no such tile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum TilePathError {
    /// Not of the form `tile/<L>/<N>[.p/<W>]`.
    #[error("a tile's path: expected tile/<level>/<index>[.p/<width>], found {0}")]
    Form(String),
    /// The level is neither `entries` nor 0 to 63.
    #[error("a tile's level: expected \"entries\" or 0 to {max}, found {0}", max = Level::MAX)]
    Level(String),
    /// The index is not written as the spec says, or is over 2^64 - 1.
    #[error(
        "a tile's index: expected three-digit path elements, all but the last with an x before them, found {0}"
    )]
    Index(String),
    /// The width is not 1 to 255 in a path, or 1 to 256 of a tile.
    #[error("a tile's width: expected 1 to 255 of a partial tile and 256 of a full one, found {0}")]
    Width(String),
    /// The tree is too small to have the tile, or the node.
    #[error("{wanted} is not in a tree of {size} leaves")]
    NotInTree { wanted: String, size: u64 },
}

impl Level {
    /// The highest level that a path can name.
    pub const MAX: u8 = 63;

    /// log2 of how many leaves one of its hashes covers.
    fn shift(self) -> u32 {
        match self {
            Self::Entries => 0,
            Self::Hashes(level) => u32::from(level).saturating_mul(HEIGHT),
        }
    }

    /// The number of hashes, or entries, on this level in a tree of `size`.
    #[must_use]
    pub fn len(self, size: u64) -> u64 {
        size.unbounded_shr(self.shift())
    }
}

impl TilePath {
    /// The tile of this level, index and width; a full one is [`TILE_WIDTH`] wide.
    ///
    /// # Errors
    /// [`TilePathError::Level`] over 63, [`TilePathError::Width`] unless 1 to 256.
    pub fn new(level: Level, index: u64, width: u16) -> Result<Self, TilePathError> {
        if let Level::Hashes(number) = level
            && number > Level::MAX
        {
            return Err(TilePathError::Level(number.to_string()));
        }
        if !(1..=TILE_WIDTH).contains(&width) {
            return Err(TilePathError::Width(width.to_string()));
        }
        Ok(Self { level, index, width })
    }

    /// The tile of this level and index as it is in a tree of `size`: full, or as wide as the tree
    /// has hashes for it.
    ///
    /// # Errors
    /// [`TilePathError::NotInTree`] if the tree has nothing for it.
    pub fn at_size(level: Level, index: u64, size: u64) -> Result<Self, TilePathError> {
        let tile = Self::new(level, index, TILE_WIDTH)?;
        let missing = || TilePathError::NotInTree { wanted: tile.to_text(), size };
        let before = index.checked_mul(u64::from(TILE_WIDTH)).ok_or_else(missing)?;
        let rest = level.len(size).saturating_sub(before).min(u64::from(TILE_WIDTH));
        match u16::try_from(rest) {
            Ok(width @ 1..) => Ok(Self { width, ..tile }),
            _ => Err(missing()),
        }
    }

    /// The tile that holds a node of a tree of `size`, or the hashes that it is computed from: only
    /// every eighth level is stored.
    ///
    /// [`HashTile::node`](super::tile::HashTile::node) takes the node's hash out of it.
    ///
    /// # Errors
    /// [`TilePathError::NotInTree`] if the node is not complete in the tree.
    pub fn holding(node: Node, size: u64) -> Result<Self, TilePathError> {
        let missing = || TilePathError::NotInTree {
            wanted: format!("the complete node {} of level {}", node.index(), node.level()),
            size,
        };
        if node.leaves().end > size {
            return Err(missing());
        }
        // A node's level is under 64, and the tile's is an eighth of it.
        let level = u8::try_from(node.level() >> 3).map_err(|_| missing())?;
        let (first, _) = place(node);
        Self::at_size(Level::Hashes(level), first >> HEIGHT, size)
    }

    /// Entries, or the level of hashes.
    #[must_use]
    pub const fn level(self) -> Level {
        self.level
    }

    /// The number of tiles of its level to the left of it.
    #[must_use]
    pub const fn index(self) -> u64 {
        self.index
    }

    /// The number of hashes or entries in it: 1 to 256.
    #[must_use]
    pub const fn width(self) -> u16 {
        self.width
    }

    /// The full tile in the same place: to be fetched if the partial one was deleted.
    #[must_use]
    pub const fn full(self) -> Self {
        Self { width: TILE_WIDTH, ..self }
    }

    /// Reads a path, relative to the log's prefix.
    ///
    /// # Errors
    /// [`TilePathError`] for anything that [`to_text`](Self::to_text) does not print.
    pub fn parse(text: &str) -> Result<Self, TilePathError> {
        let form = || TilePathError::Form(quote(text));
        let (level, rest) =
            text.strip_prefix("tile/").and_then(|rest| rest.split_once('/')).ok_or_else(form)?;
        let level = parse_level(level).ok_or_else(|| TilePathError::Level(quote(level)))?;
        let (index, width) = match rest.split_once(".p/") {
            Some((index, width)) => {
                (index, parse_width(width).ok_or_else(|| TilePathError::Width(quote(width)))?)
            }
            None => (rest, TILE_WIDTH),
        };
        let index = parse_index(index).ok_or_else(|| TilePathError::Index(quote(index)))?;
        Ok(Self { level, index, width })
    }

    /// `tile/0/x001/x234/067`, with `.p/5` after it if the tile is partial.
    #[must_use]
    pub fn to_text(self) -> String {
        let level = match self.level {
            Level::Entries => "entries".to_owned(),
            Level::Hashes(level) => level.to_string(),
        };
        let index = index_to_text(self.index);
        if self.width == TILE_WIDTH {
            format!("tile/{level}/{index}")
        } else {
            format!("tile/{level}/{index}.p/{}", self.width)
        }
    }
}

/// The hashes under a node on its tile's level: the first, and how many.
pub(super) fn place(node: Node) -> (u64, u64) {
    let below = node.level() & (HEIGHT - 1);
    (node.index().unbounded_shl(below), 1_u64.unbounded_shl(below))
}

/// Every tile and bundle of a tree of `size`, in its width at that size: the entries, then level by
/// level.
pub fn tiles(size: u64) -> impl Iterator<Item = TilePath> {
    tiles_between(0, size)
}

/// The tiles and bundles that are new or wider since the tree grew from `old_size` to `size`: what
/// a publisher writes.
///
/// Entries come first, then the levels in order: a publisher that writes in this order never
/// publishes a hash before its entry. Empty if the tree did not grow.
pub fn tiles_between(old_size: u64, size: u64) -> impl Iterator<Item = TilePath> {
    let levels = (0..=Level::MAX).map(Level::Hashes).take_while(move |level| level.len(size) > 0);
    std::iter::once(Level::Entries).chain(levels).flat_map(move |level| {
        let (old_len, len) = (level.len(old_size), level.len(size));
        let end = if len > old_len { len.div_ceil(u64::from(TILE_WIDTH)) } else { 0 };
        (old_len >> HEIGHT..end).filter_map(move |index| TilePath::at_size(level, index, size).ok())
    })
}

fn parse_level(text: &str) -> Option<Level> {
    if text == "entries" {
        return Some(Level::Entries);
    }
    let level = parse_decimal(text).and_then(|level| u8::try_from(level).ok())?;
    (level <= Level::MAX).then_some(Level::Hashes(level))
}

fn parse_width(text: &str) -> Option<u16> {
    let width = parse_decimal(text).and_then(|width| u16::try_from(width).ok())?;
    (1..TILE_WIDTH).contains(&width).then_some(width)
}

fn parse_index(text: &str) -> Option<u64> {
    let mut index: u64 = 0;
    for element in text.split('/') {
        let digits = element.strip_prefix('x').unwrap_or(element);
        if digits.len() != 3 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        index = index.checked_mul(1000)?.checked_add(digits.parse().ok()?)?;
    }
    // An x too many or too few, or leading zeros, would be another spelling of the same index.
    (index_to_text(index) == text).then_some(index)
}

/// Zero-padded to groups of three digits, each a path element, all but the last with an x before
/// it.
fn index_to_text(index: u64) -> String {
    let digits = index.to_string();
    let padded = digits.len().next_multiple_of(3);
    let digits = format!("{digits:0>padded$}");
    let mut text = String::new();
    for (at, digit) in digits.char_indices() {
        let left = padded.saturating_sub(at);
        if left.is_multiple_of(3) {
            text.push_str(if at == 0 { "" } else { "/" });
            text.push_str(if left == 3 { "" } else { "x" });
        }
        text.push(digit);
    }
    text
}
