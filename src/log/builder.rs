//! Builds the hash tiles that a log must publish from the nodes of its tree, in bounded memory.

use super::{Hash, HashTile, Level, Node, TILE_WIDTH, TilePath};

/// Levels of the tree in one tile: log2 of its width.
const HEIGHT: u32 = 8;

/// Collects a tree's nodes into tiles and returns each tile when it is full. It keeps one open tile
/// for each level.
#[derive(Clone, Debug, Default)]
pub struct TileBuilder {
    /// The open tile of each level: its index and hashes.
    open: Vec<(u64, Vec<Hash>)>,
}

impl TileBuilder {
    /// Resumes in the middle of a tile: its level, its index, and its hashes so far (fewer than
    /// 256).
    #[must_use]
    pub fn resume(mut self, level: u8, index: u64, hashes: &[Hash]) -> Self {
        *self.open(level) = (index, hashes.to_vec());
        self
    }

    /// Takes the next node of its level; returns the tile that it completes. Ignores nodes whose
    /// hash is in no tile.
    pub fn add(&mut self, node: Node, hash: Hash) -> Option<(TilePath, HashTile)> {
        let (level, 0) = divide(node.level())? else { return None };
        let (index, hashes) = self.open(level);
        hashes.push(hash);
        if hashes.len() < usize::from(TILE_WIDTH) {
            return None;
        }
        let full = tile(level, *index, std::mem::take(hashes));
        *index = index.saturating_add(1);
        full
    }

    /// The open tile of a level.
    fn open(&mut self, level: u8) -> &mut (u64, Vec<Hash>) {
        let at = usize::from(level);
        if self.open.len() <= at {
            self.open.resize(at.saturating_add(1), (0, Vec::new()));
        }
        self.open.get_mut(at).expect("it was just made")
    }

    /// The tiles that are not full.
    #[must_use]
    pub fn partial(&self) -> Vec<(TilePath, HashTile)> {
        let levels = (0_u8..).zip(&self.open);
        levels.filter_map(|(level, (index, hashes))| tile(level, *index, hashes.clone())).collect()
    }
}

/// A node's level as the level of its tile, and its height above the tile's hashes.
fn divide(level: u32) -> Option<(u8, u32)> {
    Some((u8::try_from(level / HEIGHT).ok()?, level % HEIGHT))
}

fn tile(level: u8, index: u64, hashes: Vec<Hash>) -> Option<(TilePath, HashTile)> {
    let width = u16::try_from(hashes.len()).ok().filter(|&width| width > 0)?;
    Some((TilePath::new(Level::Hashes(level), index, width).ok()?, HashTile::new(hashes).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{Frontier, leaf_hash, tiles};

    #[test]
    fn the_tiles_are_those_that_a_tree_of_that_size_has() {
        for size in [0_u64, 1, 255, 256, 257, 65_536, 70_000] {
            let (mut builder, mut tree, mut made) =
                (TileBuilder::default(), Frontier::new(), Vec::new());
            for index in 0..size {
                let leaf = leaf_hash(&index.to_be_bytes());
                tree.push_with(leaf, |node, hash| made.extend(builder.add(node, hash))).unwrap();
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
