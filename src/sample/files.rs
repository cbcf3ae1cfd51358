//! The files of a sample log, given out while it grows: a log of any length in little memory.

use super::{Sample, SampleError};
use crate::log::{
    EntryBundle, Frontier, HashTile, Level, SignerKey, TileBuilder, TilePath, leaf_hash,
    sign_checkpoint,
};

/// A log's files while it grows.
struct Growing<W> {
    tree: Frontier,
    tiles: TileBuilder,
    /// Entries of the last bundle, which is not full yet.
    open: Vec<Vec<u8>>,
    bundles: u64,
    write: W,
}

impl Sample {
    /// Passes the log's files to `write`, each with its path, the checkpoint last. Returns the
    /// tree.
    ///
    /// # Errors
    /// The error of `write`, or [`SampleError`].
    pub fn publish<E: From<SampleError>>(
        self,
        signer: &SignerKey,
        write: impl FnMut(&str, &[u8]) -> Result<(), E>,
    ) -> Result<Frontier, E> {
        let (tree, tiles) = (Frontier::new(), TileBuilder::default());
        let mut growing = Growing { tree, tiles, open: Vec::new(), bundles: 0, write };
        for entry in self {
            growing.push(entry.map_err(wrong)?.into_bytes())?;
        }
        if !growing.open.is_empty() {
            growing.bundle()?;
        }
        for (path, tile) in growing.tiles.partial() {
            growing.tile(path, &tile)?;
        }
        let Growing { tree, mut write, .. } = growing;
        let note = sign_checkpoint(signer, tree.size(), tree.root()).map_err(wrong)?;
        write("checkpoint", note.to_text().as_bytes())?;
        Ok(tree)
    }
}

fn wrong<E: From<SampleError>>(error: impl std::fmt::Display) -> E {
    SampleError::of(error).into()
}

impl<W> Growing<W> {
    fn push<E: From<SampleError>>(&mut self, entry: Vec<u8>) -> Result<(), E>
    where
        W: FnMut(&str, &[u8]) -> Result<(), E>,
    {
        let mut full = Vec::new();
        let tiles = &mut self.tiles;
        let pushed =
            self.tree.push_with(leaf_hash(&entry), |node, hash| full.extend(tiles.add(node, hash)));
        pushed.map_err(wrong)?;
        self.open.push(entry);
        if self.open.len() == 256 {
            self.bundle()?;
        }
        full.iter().try_for_each(|(path, tile)| self.tile(*path, tile))
    }

    fn bundle<E: From<SampleError>>(&mut self) -> Result<(), E>
    where
        W: FnMut(&str, &[u8]) -> Result<(), E>,
    {
        let entries = std::mem::take(&mut self.open);
        let width = u16::try_from(entries.len()).expect("at most 256");
        let path = TilePath::new(Level::Entries, self.bundles, width).map_err(wrong)?;
        let bundle = EntryBundle::new(entries).map_err(wrong)?;
        self.bundles += 1;
        (self.write)(&path.to_text(), &bundle.to_bytes())
    }

    fn tile<E>(&mut self, path: TilePath, tile: &HashTile) -> Result<(), E>
    where
        W: FnMut(&str, &[u8]) -> Result<(), E>,
    {
        (self.write)(&path.to_text(), &tile.to_bytes())
    }
}
