//! Makes the published files again that a power cut has lost or torn.

use std::collections::BTreeSet;

use crate::core::Core;
use crate::error::LedgerError;
use crate::operate::tile_check::{Mend, check_file, list};
use crate::publish::publisher::{SECTOR, check_public, is_torn, read_checkpoint};
use crate::publish::tree::{beginning_of, places};
use fairdeal::log::{Level, TILE_WIDTH, TilePath, tiles_between};

/// Compares the files after the head's mark with the database, and writes those again that a power
/// cut has lost, emptied or torn; the checkpoint is one of them. A file that no checkpoint covers
/// and that is nobody's torn copy stays as it is. No other process may be publishing.
///
/// # Errors
/// [`LedgerError::OlderState`] if the checkpoint or a file shows that the log has more entries;
/// [`LedgerError::TileDiffers`]; [`LedgerError::LostTiles`]. Nothing is written on a foreign tree.
pub(crate) async fn recover(core: &Core) -> Result<(), LedgerError> {
    if core.tiles.is_durable() {
        return Ok(());
    }
    let mut read = core.state.read().await?;
    let head = read.head().await?;
    core.check_keys(&head)?;
    let size = head.frontier.size();
    let public = match read_checkpoint(core).await {
        Err(LedgerError::ForeignCheckpoint { .. }) if is_torn(core).await? => None,
        read => Some(read?.1),
    };
    let mut tree = core.tree(&mut *read, &head);
    let mut listed = Vec::new();
    let signed = if let Some(public) = &public {
        check_public(&mut tree, public, size).await?;
        (public.size(), *public.root())
    } else {
        core.check_signed(&head)?;
        // The checkpoint does not say what the world has seen. The files do.
        listed = list(core, "tile").await?;
        (size, head.frontier.root())
    };
    // As long as the machine runs, what was written can be read: only an interrupted publication
    // has to be looked at.
    let is_cut = public.is_none() || !core.watch.has_run_since(&head);
    let from = if is_cut { head.kept } else { signed.0 };
    let after: Vec<TilePath> = tiles_between(from, size).collect();
    if is_cut {
        let open = [Level::Entries, Level::Hashes(0)]
            .map(|level| TilePath::new(level, size / u64::from(TILE_WIDTH), TILE_WIDTH));
        let partial = after.iter().filter(|path| path.width() < TILE_WIDTH).copied();
        let places: BTreeSet<TilePath> =
            partial.map(TilePath::full).chain(open.into_iter().flatten()).collect();
        for path in places {
            listed.extend(list(core, &format!("{}.p", path.to_text())).await?);
            listed.extend(core.tiles.get(&path.to_text()).await?.map(|_| path));
        }
    }
    let beyond = listed.iter().filter(|path| !is_within(**path, size));
    if let Some(public) = beyond.map(|path| least_size(*path)).max() {
        return Err(LedgerError::OlderState { state: size, public });
    }
    let mut faults = Vec::new();
    tree.size = signed.0;
    for path in tiles_between(from, signed.0) {
        faults.extend(check_file(core, &mut tree, signed.1, path, Mend::Rewrite).await?);
    }
    tree.size = size;
    for whole in after {
        if whole.width() == TILE_WIDTH && is_cut {
            core.tiles.remove_partials(vec![whole.to_text()]).await?;
        }
        let place = |path: TilePath| (path.level(), path.index(), path.width() < whole.width());
        let mut paths = listed.clone();
        paths.retain(|path| place(*path) == (whole.level(), whole.index(), true));
        if least_size(whole) > signed.0 {
            paths.push(whole);
        }
        let bytes = if paths.is_empty() { Vec::new() } else { tree.bytes(whole).await? };
        for path in paths {
            let Some(found) = core.tiles.get(&path.to_text()).await? else { continue };
            let Some(right) = beginning_of(path, &bytes).filter(|right| found != *right) else {
                continue;
            };
            if least_size(path) <= signed.0 || is_torn_copy(&found, right) {
                core.tiles.replace(&path.to_text(), right.to_vec()).await?;
            } else if path == whole {
                return Err(LedgerError::TileDiffers { path: path.to_text() });
            }
        }
    }
    if faults.iter().any(|fault| !fault.rebuilt) {
        return Err(LedgerError::LostTiles(faults));
    }
    if public.is_none() {
        core.tiles.replace("checkpoint", head.note.into_bytes()).await?;
    }
    Ok(())
}

/// Whether a disk can have left this of a file with these bytes: of each sector the bytes, zeros or
/// nothing.
fn is_torn_copy(found: &[u8], right: &[u8]) -> bool {
    let mut sectors = found.chunks(SECTOR).zip(right.chunks(SECTOR));
    let is_part = |(found, right): (&[u8], &[u8])| {
        right.starts_with(found) || found.iter().all(|byte| *byte == 0)
    };
    found.len() <= right.len() && sectors.all(is_part)
}

/// Whether a tree of this size has what is in a file.
fn is_within(path: TilePath, size: u64) -> bool {
    TilePath::at_size(path.level(), path.index(), size)
        .is_ok_and(|whole| whole.width() >= path.width())
}

/// The size of the smallest tree that has a file. A name on the disk can be of any level.
fn least_size(path: TilePath) -> u64 {
    let entries = match path.level() {
        Level::Entries => Some(1),
        Level::Hashes(level) => u64::from(TILE_WIDTH).checked_pow(level.into()),
    };
    entries.and_then(|one| one.checked_mul(places(path).end)).unwrap_or(u64::MAX)
}
