//! Checks the published files, and rewrites a damaged one where its bytes are known.
//!
//! The bytes come from the database, or from published entries whose hashes the database confirms. Their root was
//! compared with the published checkpoint before: nothing is written here that the log has not signed.

use super::core::Core;
use super::error::{LedgerError, TileFault};
use super::publisher::{lease, read_checkpoint};
use super::tree::{Tree, published};
use crate::log::{EntryBundle, Frontier, Hash, HashTile, Level, TILE_WIDTH, TilePath, leaf_hash, tiles};

/// Which files are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// The last one of each level, which the newest checkpoint and the next batch need: as many whatever the log's length.
    Edge,
    /// Every file.
    All,
}

/// What to do with a wrong file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mend {
    Nothing,
    Rewrite,
}

/// Checks the published files. Rewrites a wrong one where its bytes are known.
pub(super) async fn check(core: &Core, extent: Extent) -> Result<Vec<TileFault>, LedgerError> {
    // Checking needs no lease: files are written before the checkpoint that covers them.
    if look(core, extent, Mend::Nothing).await?.is_empty() {
        return Ok(Vec::new());
    }
    let _lease = lease(core, None).await?;
    look(core, extent, Mend::Rewrite).await
}

/// Checks every published file while others publish. What seems wrong is looked at again, and rewritten if asked, once nobody
/// does: a file that is replaced by a full one meanwhile is not wrong.
pub(super) async fn all(core: &Core, mend: Mend) -> Result<Vec<TileFault>, LedgerError> {
    let (_, public) = read_checkpoint(core).await?;
    let mut suspects = Vec::new();
    let mut read = core.state.read().await?;
    let head = read.head().await?;
    let mut tree = Tree { size: public.size(), ..core.tree(&mut *read, &head) };
    for path in tiles(public.size()) {
        if check_file(core, &mut tree, path, Mend::Nothing).await?.is_some() {
            suspects.push(path);
        }
    }
    if suspects.is_empty() && mend == Mend::Nothing {
        return Ok(Vec::new());
    }
    let _right = lease(core, None).await?;
    let (_, public) = read_checkpoint(core).await?;
    let mut read = core.state.read().await?;
    let head = read.head().await?;
    let mut tree = Tree { size: public.size(), ..core.tree(&mut *read, &head) };
    let mut faults = Vec::new();
    for path in suspects {
        let path = TilePath::at_size(path.level(), path.index(), public.size());
        let path = path.map_err(|e| LedgerError::Damaged(e.to_string()))?;
        faults.extend(check_file(core, &mut tree, path, mend).await?);
    }
    if mend == Mend::Rewrite {
        core.tiles.tidy().await?;
    }
    Ok(faults)
}

pub(super) async fn look(core: &Core, extent: Extent, mend: Mend) -> Result<Vec<TileFault>, LedgerError> {
    let (_, public) = read_checkpoint(core).await?;
    files(core, public.size(), extent, mend).await
}

/// The same for the files of a tree of this size.
pub(super) async fn files(
    core: &Core,
    size: u64,
    extent: Extent,
    mend: Mend,
) -> Result<Vec<TileFault>, LedgerError> {
    let mut read = core.state.read().await?;
    let head = read.head().await?;
    let mut tree = Tree { size, ..core.tree(&mut *read, &head) };
    let paths: Vec<TilePath> = match extent {
        Extent::All => tiles(size).collect(),
        Extent::Edge => edge(size),
    };
    let mut faults = Vec::new();
    for path in paths {
        faults.extend(check_file(core, &mut tree, path, mend).await?);
    }
    Ok(faults)
}

/// The last file of each level.
fn edge(size: u64) -> Vec<TilePath> {
    let levels = std::iter::once(Level::Entries).chain((0..=Level::MAX).map(Level::Hashes));
    let last = |level: Level| {
        let last = level.len(size).checked_sub(1)?;
        TilePath::at_size(level, last / u64::from(TILE_WIDTH), size).ok()
    };
    levels.map_while(last).collect()
}

/// Checks one file: its bytes must be those that the log signed.
async fn check_file(
    core: &Core,
    tree: &mut Tree<'_>,
    path: TilePath,
    mend: Mend,
) -> Result<Option<TileFault>, LedgerError> {
    let found = published(tree.tiles, path).await;
    let says = match &found {
        Ok(Some((bytes, width))) if holds(tree, path, bytes, *width).await? => return Ok(None),
        Ok(Some(_)) => "its bytes are not those of the log".to_owned(),
        Ok(None) => "the file is missing".to_owned(),
        Err(error) => error.to_string(),
    };
    let path_text = path.to_text();
    let rebuilt = match bytes_of(tree, path).await {
        Some(bytes) if mend == Mend::Rewrite => {
            core.tiles.replace(&path_text, bytes).await?;
            true
        }
        _ => false,
    };
    Ok(Some(TileFault { path: path_text, says, rebuilt }))
}

/// Whether a file begins with the right hashes or entries. A full file may stand in for a partial one.
async fn holds(tree: &mut Tree<'_>, path: TilePath, bytes: &[u8], width: u16) -> Result<bool, LedgerError> {
    let wanted = usize::from(path.width());
    match path.level() {
        Level::Entries => {
            let Ok(bundle) = EntryBundle::parse(bytes, width) else { return Ok(false) };
            let leaves: Vec<Hash> = bundle.leaf_hashes().take(wanted).collect();
            is_right(tree, path, &leaves).await
        }
        Level::Hashes(_) => {
            let Ok(tile) = HashTile::parse(bytes, width) else { return Ok(false) };
            let hashes: Vec<Hash> = tile.hashes().iter().copied().take(wanted).collect();
            is_right(tree, path, &hashes).await
        }
    }
}

/// Whether these are a tile's hashes, by the database's hashes or by the node above them.
async fn is_right(tree: &mut Tree<'_>, path: TilePath, hashes: &[Hash]) -> Result<bool, LedgerError> {
    if let Level::Hashes(1..) = path.level() {
        return Ok(tree.hashes(path).await? == hashes);
    }
    if let Some(kept) = tree.stored_bundle(path).await? {
        return Ok(kept.iter().map(|bytes| leaf_hash(bytes)).eq(hashes.iter().copied()));
    }
    // The node over a full tile is the root of a tree of its 256 leaves.
    let mut over = Frontier::new();
    for hash in hashes {
        over.push(*hash).map_err(|e| LedgerError::Damaged(e.to_string()))?;
    }
    let wanted = tree.read.nodes(8, path.index()..path.index() + 1).await?;
    let right = wanted.first().is_some_and(|(_, hash)| *hash == over.root());
    Ok(right && hashes.len() == usize::from(TILE_WIDTH))
}

/// The right bytes of a file, where they are still known.
async fn bytes_of(tree: &mut Tree<'_>, path: TilePath) -> Option<Vec<u8>> {
    let kept = tree.stored_bundle(path).await.ok()?;
    if kept.is_some() || matches!(path.level(), Level::Hashes(1..)) {
        return tree.bytes(path).await.ok();
    }
    if path.level() == Level::Entries {
        return None;
    }
    // Level 0 follows from the published entries, if those are right.
    let bundle = TilePath::new(Level::Entries, path.index(), path.width()).ok()?;
    let entries = tree.published_bundle(bundle).await.ok()?;
    let leaves: Vec<Hash> = entries.iter().map(|entry| leaf_hash(entry)).collect();
    if !is_right(tree, path, &leaves).await.ok()? {
        return None;
    }
    HashTile::new(leaves).ok().map(|tile| tile.to_bytes())
}
