//! The hash tiles that a log must publish, made anew from its entries, one at a time and in bounded memory.

use crate::log::{Frontier, Hash, HashTile, Level, RangeError, TILE_WIDTH, TilePath};

/// log2 of a tile's width.
const HEIGHT: u32 = 8;

/// Grows a tree and gives each hash tile as it fills; at most one open tile a level is kept.
#[derive(Clone, Debug, Default)]
pub struct TileBuilder {
    tree: Frontier,
    /// The open tile of each level: its index and hashes.
    open: Vec<(u64, Vec<Hash>)>,
}

impl TileBuilder {
    /// Appends a leaf; returns the tiles that it fills.
    ///
    /// # Errors
    /// [`RangeError`] where the tree is full.
    pub fn push(&mut self, leaf: Hash) -> Result<Vec<(TilePath, HashTile)>, RangeError> {
        let mut full = Vec::new();
        let open = &mut self.open;
        self.tree.push_with(leaf, |node, hash| {
            let Some((level, 0)) = divide(node.level()) else { return };
            while open.len() <= usize::from(level) {
                open.push((0, Vec::new()));
            }
            let Some((index, hashes)) = open.get_mut(usize::from(level)) else { return };
            hashes.push(hash);
            if hashes.len() == usize::from(TILE_WIDTH) {
                let hashes = std::mem::take(hashes);
                full.extend(tile(level, *index, hashes));
                *index = index.saturating_add(1);
            }
        })?;
        Ok(full)
    }

    /// The tree so far.
    #[must_use]
    pub fn tree(&self) -> &Frontier {
        &self.tree
    }

    /// The partial tiles of the tree so far.
    #[must_use]
    pub fn partial(&self) -> Vec<(TilePath, HashTile)> {
        let levels = (0_u8..).zip(&self.open);
        levels.filter_map(|(level, (index, hashes))| tile(level, *index, hashes.clone())).collect()
    }
}

/// A node's level as a tile's level and how far above its hashes it stands.
fn divide(level: u32) -> Option<(u8, u32)> {
    Some((u8::try_from(level >> HEIGHT.trailing_zeros()).ok()?, level & (HEIGHT - 1)))
}

fn tile(level: u8, index: u64, hashes: Vec<Hash>) -> Option<(TilePath, HashTile)> {
    let width = u16::try_from(hashes.len()).ok().filter(|&width| width > 0)?;
    Some((TilePath::new(Level::Hashes(level), index, width).ok()?, HashTile::new(hashes).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{leaf_hash, tiles};

    #[test]
    fn the_tiles_are_those_that_a_tree_of_that_size_has() {
        for size in [0_u64, 1, 255, 256, 257, 65_536, 70_000] {
            let mut builder = TileBuilder::default();
            let mut made = Vec::new();
            for index in 0..size {
                made.extend(builder.push(leaf_hash(&index.to_be_bytes())).unwrap());
            }
            made.extend(builder.partial());
            let mut paths: Vec<TilePath> = made.iter().map(|(path, _)| *path).collect();
            paths.sort();
            let mut expected: Vec<TilePath> =
                tiles(size).filter(|path| path.level() != Level::Entries).collect();
            expected.sort();
            assert_eq!(paths, expected, "{size}");
            for (path, tile) in &made {
                assert_eq!(usize::from(path.width()), tile.hashes().len());
            }
        }
    }
}
