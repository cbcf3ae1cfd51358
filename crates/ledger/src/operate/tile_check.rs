//! Checks the published files, and rewrites a damaged one if its bytes are known.
//!
//! The bytes come from the database, or from published entries whose hashes the database confirms.
//! Their root was compared with the published checkpoint before, so that nothing is written that
//! the log has not signed.

use std::collections::BTreeSet;

use crate::core::Core;
use crate::error::{LedgerError, TileFault};
use crate::publish::publisher::{lease, read_checkpoint};
use crate::publish::tree::{Tree, beginning_of, published};
use crate::store::{Fault, StoreError};
use fairdeal::log::{
    EntryBundle, Frontier, Hash, HashTile, Level, TILE_WIDTH, TilePath, leaf_hash, tiles,
    tiles_between,
};

/// So many files are checked in one reading of the state: a long one would keep SQLite's log from
/// being emptied.
const PIECE: usize = 256;

/// The treatment of a wrong file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mend {
    Nothing,
    /// Rewrite it. A file that cannot be written is an error.
    Rewrite,
    /// The same, but a file that cannot be written is one more fault, and the next file follows.
    RewriteEach,
}

/// Checks the last file of each level, which the newest checkpoint and the next batch need. Rewrites
/// a wrong one if its bytes are known.
pub(crate) async fn edge(core: &Core) -> Result<Vec<TileFault>, LedgerError> {
    let look = async |mend| {
        let (_, public) = read_checkpoint(core).await?;
        let last = last_of_levels(public.size());
        files(core, (public.size(), *public.root()), last, mend).await
    };
    // Checking needs no lease: files are written before the checkpoint that covers them.
    if look(Mend::Nothing).await?.is_empty() {
        return Ok(Vec::new());
    }
    let _lease = lease(core, None).await?;
    look(Mend::Rewrite).await
}

/// Checks every full file of the published tree, while others deal, and then the last file of each
/// level. Rewrites a wrong one if its bytes are known.
pub(crate) async fn published_files(core: &Core) -> Result<Vec<TileFault>, LedgerError> {
    let (_, public) = read_checkpoint(core).await?;
    let signed = (public.size(), *public.root());
    let mut full = tiles(public.size()).filter(|path| path.width() == TILE_WIDTH);
    let mut faults = Vec::new();
    loop {
        let piece: Vec<TilePath> = full.by_ref().take(PIECE).collect();
        if piece.is_empty() {
            break;
        }
        if !files(core, signed, piece.iter().copied(), Mend::Nothing).await?.is_empty() {
            let _lease = lease(core, None).await?;
            faults.extend(files(core, signed, piece, Mend::Rewrite).await?);
        }
    }
    faults.extend(edge(core).await?);
    Ok(faults)
}

/// Checks every published file while others publish, and the files beyond the checkpoint, which the
/// next publication needs. A file that seems wrong is checked again while nobody publishes, and
/// rewritten if asked: a partial file that a full one replaced meanwhile is not wrong.
pub(crate) async fn all(core: &Core, mend: Mend) -> Result<Vec<TileFault>, LedgerError> {
    let place = |path: TilePath| (path.level(), path.index());
    let of_all = |says: String| TileFault { path: "public".to_owned(), says, rebuilt: false };
    let mut faults = Vec::new();
    let listed = list(core, "tile").await.unwrap_or_else(|error| {
        faults.push(of_all(format!("the files cannot be listed: {error}")));
        Vec::new()
    });
    let suspects = every(core, &listed, Mend::Nothing, |_| true).await?;
    if suspects.is_empty() && mend == Mend::Nothing {
        return Ok(faults);
    }
    let suspects: BTreeSet<_> = suspects.into_iter().map(|(path, _)| place(path)).collect();
    let _right = lease(core, None).await?;
    let found = every(core, &listed, mend, |path| suspects.contains(&place(path))).await?;
    faults.extend(found.into_iter().map(|(_, fault)| fault));
    if mend != Mend::Nothing
        && let Err(error) = core.tiles.tidy().await
    {
        faults.push(of_all(format!(
            "what interrupted writes have left there is not removed: {error}"
        )));
    }
    Ok(faults)
}

/// The log's files below a folder.
pub(crate) async fn list(core: &Core, folder: &str) -> Result<Vec<TilePath>, StoreError> {
    let listed = core.tiles.list(folder).await?;
    Ok(listed.keys().filter_map(|name| TilePath::parse(name).ok()).collect())
}

/// Checks the wanted files once, of a tree that the log has signed, and of what the state has more.
/// If the state does not know what a file must be, the file gets no fault. `listed` was read before
/// the head.
async fn every(
    core: &Core,
    listed: &[TilePath],
    mend: Mend,
    is_wanted: impl Fn(TilePath) -> bool,
) -> Result<Vec<(TilePath, TileFault)>, LedgerError> {
    // The checkpoint first: the state that is read after it has all of its entries.
    let (_, public) = read_checkpoint(core).await?;
    let mut read = core.state.read().await?;
    let head = read.head().await?;
    let (size, root) = (public.size(), *public.root());
    let mut faults = Vec::new();
    let mut tree = Tree { size, ..core.tree(&mut *read, &head) };
    for path in tiles(size).filter(|path| is_wanted(*path)) {
        let found = of_files(check_file(core, &mut tree, root, path, mend).await)?;
        faults.extend(found.map(|fault| (path, fault)));
    }
    tree.size = head.frontier.size();
    for path in tiles_between(size, tree.size).filter(|path| is_wanted(*path)) {
        let found = of_files(check_beyond(core, &mut tree, path, mend).await)?;
        faults.extend(found.map(|fault| (path, fault)));
    }
    let is_newest = |path: TilePath| {
        let at = |size| TilePath::at_size(path.level(), path.index(), size);
        at(size) == Ok(path) || at(head.frontier.size()) == Ok(path)
    };
    for path in listed.iter().copied().filter(|path| !is_newest(*path) && is_wanted(*path)) {
        let found = of_files(check_other(core, &mut tree, head.frontier.root(), path, mend).await)?;
        faults.extend(found.map(|fault| (path, fault)));
    }
    Ok(faults)
}

/// Leaves out damage of the state itself: the comparison of the state names it.
fn of_files(
    found: Result<Option<TileFault>, LedgerError>,
) -> Result<Option<TileFault>, LedgerError> {
    match found {
        Err(
            LedgerError::Damaged(_) | LedgerError::Store(StoreError { fault: Fault::Damaged, .. }),
        ) => Ok(None),
        found => found,
    }
}

/// Checks these files of a tree of this size and root, which the log has signed.
pub(crate) async fn files(
    core: &Core,
    (size, root): (u64, Hash),
    paths: impl IntoIterator<Item = TilePath>,
    mend: Mend,
) -> Result<Vec<TileFault>, LedgerError> {
    let mut read = core.state.read().await?;
    let head = read.head().await?;
    let mut tree = Tree { size, ..core.tree(&mut *read, &head) };
    let mut faults = Vec::new();
    for path in paths {
        faults.extend(check_file(core, &mut tree, root, path, mend).await?);
    }
    Ok(faults)
}

/// The last file of each level.
fn last_of_levels(size: u64) -> Vec<TilePath> {
    let levels = std::iter::once(Level::Entries).chain((0..=Level::MAX).map(Level::Hashes));
    let last = |level: Level| {
        let last = level.len(size).checked_sub(1)?;
        TilePath::at_size(level, last / u64::from(TILE_WIDTH), size).ok()
    };
    levels.map_while(last).collect()
}

/// Checks one file: its bytes must be those that the log signed.
pub(crate) async fn check_file(
    core: &Core,
    tree: &mut Tree<'_>,
    root: Hash,
    path: TilePath,
    mend: Mend,
) -> Result<Option<TileFault>, LedgerError> {
    let found = published(&*core.tiles, path).await;
    let says = match &found {
        Ok(Some((bytes, width))) if holds(tree, root, path, bytes, *width).await? => {
            return Ok(None);
        }
        Ok(Some(_)) => OTHER.to_owned(),
        Ok(None) => "the file is missing".to_owned(),
        Err(error) => error.to_string(),
    };
    let right = if mend == Mend::Nothing { None } else { bytes_of(tree, root, path).await };
    rewrite(core, path, says, right, mend).await.map(Some)
}

/// Checks a file beyond the published checkpoint, if there is one: no checkpoint that anybody has
/// seen covers it.
async fn check_beyond(
    core: &Core,
    tree: &mut Tree<'_>,
    path: TilePath,
    mend: Mend,
) -> Result<Option<TileFault>, LedgerError> {
    let found = core.tiles.get(&path.to_text()).await;
    if matches!(found, Ok(None)) {
        return Ok(None);
    }
    let right = tree.bytes(path).await?;
    compare(core, path, found, right, mend).await
}

/// Checks a file that the newest checkpoint does not need. A reader with an older checkpoint reads
/// a partial file of that size, as long as it exists.
async fn check_other(
    core: &Core,
    tree: &mut Tree<'_>,
    root: Hash,
    path: TilePath,
    mend: Mend,
) -> Result<Option<TileFault>, LedgerError> {
    let found = match core.tiles.get(&path.to_text()).await {
        // The full file replaced it.
        Ok(None) => return Ok(None),
        found => found,
    };
    let whole = TilePath::at_size(path.level(), path.index(), tree.size);
    let Some(whole) = whole.ok().filter(|whole| whole.width() >= path.width()) else {
        let says =
            "it is beyond the newest entry: what is dealt next cannot be published next to it"
                .to_owned();
        return Ok(Some(TileFault { path: path.to_text(), says, rebuilt: false }));
    };
    // If nothing shows what is right, the file that replaced it has the fault.
    let Some(right) = beginning(core, tree, root, whole, path.width()).await else {
        return Ok(None);
    };
    compare(core, path, found, right, mend).await
}

/// Compares what was found in a file with its right bytes.
async fn compare(
    core: &Core,
    path: TilePath,
    found: Result<Option<Vec<u8>>, StoreError>,
    right: Vec<u8>,
    mend: Mend,
) -> Result<Option<TileFault>, LedgerError> {
    let says = match found {
        Ok(Some(bytes)) if bytes == right => return Ok(None),
        Ok(_) => OTHER.to_owned(),
        Err(error) => error.to_string(),
    };
    rewrite(core, path, says, Some(right), mend).await.map(Some)
}

/// The right bytes of a narrower file in the same place.
async fn beginning(
    core: &Core,
    tree: &mut Tree<'_>,
    root: Hash,
    whole: TilePath,
    width: u16,
) -> Option<Vec<u8>> {
    let bytes = match published(&*core.tiles, whole).await {
        Ok(Some((bytes, found))) if holds(tree, root, whole, &bytes, found).await.ok()? => bytes,
        _ => bytes_of(tree, root, whole).await?,
    };
    let path = TilePath::new(whole.level(), whole.index(), width).ok()?;
    beginning_of(path, &bytes).map(<[u8]>::to_vec)
}

/// The fault of a file with other bytes.
const OTHER: &str = "its bytes are not those of the log";

/// Rewrites a wrong file, if asked and its bytes are known.
async fn rewrite(
    core: &Core,
    path: TilePath,
    says: String,
    right: Option<Vec<u8>>,
    mend: Mend,
) -> Result<TileFault, LedgerError> {
    let path = path.to_text();
    let Some(bytes) = right.filter(|_| mend != Mend::Nothing) else {
        return Ok(TileFault { path, says, rebuilt: false });
    };
    let replaced = core.tiles.replace(&path, bytes).await;
    core.memory.forget();
    match replaced {
        Ok(()) => Ok(TileFault { path, says, rebuilt: true }),
        Err(error) if mend == Mend::RewriteEach => Ok(TileFault {
            path,
            says: format!("{says}; it cannot be written: {error}"),
            rebuilt: false,
        }),
        Err(error) => Err(error.into()),
    }
}

/// Whether a file begins with the right hashes or entries. A full file may replace a partial one.
async fn holds(
    tree: &mut Tree<'_>,
    root: Hash,
    path: TilePath,
    bytes: &[u8],
    width: u16,
) -> Result<bool, LedgerError> {
    let wanted = usize::from(path.width());
    match path.level() {
        Level::Entries => {
            let Ok(bundle) = EntryBundle::parse(bytes, width) else { return Ok(false) };
            let leaves: Vec<Hash> = bundle.leaf_hashes().take(wanted).collect();
            is_right(tree, root, path, &leaves).await
        }
        Level::Hashes(_) => {
            let Ok(tile) = HashTile::parse(bytes, width) else { return Ok(false) };
            let hashes: Vec<Hash> = tile.hashes().iter().copied().take(wanted).collect();
            is_right(tree, root, path, &hashes).await
        }
    }
}

/// Whether these are a tile's hashes: by the database's hashes or, for the last leaves, by the
/// signed root of the tree.
pub(crate) async fn is_right(
    tree: &mut Tree<'_>,
    root: Hash,
    path: TilePath,
    hashes: &[Hash],
) -> Result<bool, LedgerError> {
    if let Level::Hashes(1..) = path.level() {
        return Ok(tree.hashes(path).await? == hashes);
    }
    if hashes.len() != usize::from(path.width()) {
        return Ok(false);
    }
    let over = tree_of(hashes.iter().copied())?;
    if path.width() < TILE_WIDTH {
        // The state may have lost these entries, or have others in their place.
        return Ok(tree.root_with(&over).await? == root);
    }
    // The node over a full tile is the root of a tree of its 256 leaves.
    let wanted = tree.read.nodes(8, path.index()..path.index() + 1).await?;
    if let Some((_, hash)) = wanted.first() {
        return Ok(*hash == over.root());
    }
    let kept = tree.stored_bundle(path).await?;
    Ok(kept
        .is_some_and(|kept| kept.iter().map(|bytes| leaf_hash(bytes)).eq(hashes.iter().copied())))
}

/// The tree of some leaves.
fn tree_of(leaves: impl IntoIterator<Item = Hash>) -> Result<Frontier, LedgerError> {
    let mut tree = Frontier::new();
    for leaf in leaves {
        tree.push(leaf)?;
    }
    Ok(tree)
}

/// The right bytes of a file, if they are still known.
async fn bytes_of(tree: &mut Tree<'_>, root: Hash, path: TilePath) -> Option<Vec<u8>> {
    if let Level::Hashes(1..) = path.level() {
        return tree.bytes(path).await.ok();
    }
    if let Ok(Some(kept)) = tree.stored_bundle(path).await {
        let leaves: Vec<Hash> = kept.iter().map(|entry| leaf_hash(entry)).collect();
        if is_right(tree, root, path, &leaves).await.ok()? {
            return tree.bytes(path).await.ok();
        }
    }
    if path.level() == Level::Entries {
        return None;
    }
    // Level 0 follows from the published entries, if those are right.
    let bundle = TilePath::new(Level::Entries, path.index(), path.width()).ok()?;
    let entries = tree.published_bundle(bundle).await.ok()?;
    let leaves: Vec<Hash> = entries.iter().map(|entry| leaf_hash(entry)).collect();
    if !is_right(tree, root, path, &leaves).await.ok()? {
        return None;
    }
    HashTile::new(leaves).ok().map(|tile| tile.to_bytes())
}
