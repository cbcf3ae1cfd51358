//! Publishes what is committed: tiles and entry bundles first, the checkpoint last.
//!
//! The same code runs after a batch and at start. It may run twice, or in two processes: a file that exists must have the
//! same bytes, or the ledger stops.

use std::sync::PoisonError;
use std::time::Duration;

use super::core::Core;
use super::error::LedgerError;
use super::fault;
use super::tree::{Tree, places, published};
use crate::log::{Checkpoint, Level, TILE_WIDTH, TilePath, tiles_between, verify_checkpoint};
use crate::store::{Created, Fault, Head, Lease, StoreError};

/// Files written at once: each waits for the disk.
const AT_ONCE: usize = 8;

/// How often to ask for a lease that another process holds.
const RETRY: Duration = Duration::from_millis(3);

/// The published checkpoint; an error if it is not this log's.
pub(super) async fn read_checkpoint(core: &Core) -> Result<Option<(String, Checkpoint)>, LedgerError> {
    let Some(bytes) = core.tiles.get("checkpoint").await? else { return Ok(None) };
    let foreign = |says: String| LedgerError::ForeignCheckpoint { key: core.key().to_text(), says };
    let note = String::from_utf8(bytes.to_vec()).map_err(|e| foreign(e.to_string()))?;
    let checkpoint = verify_checkpoint(&note, core.key()).map_err(|e| foreign(e.to_string()))?;
    Ok(Some((note, checkpoint)))
}

/// Publishes up to the head, unless another process has. On return every entry under `size` is published.
pub(super) async fn publish(core: &Core, size: u64) -> Result<(), LedgerError> {
    let Some(lease) = lease(core, size).await? else { return Ok(()) };
    fault::point("publish-leased");
    let published = publish_under(core, &lease).await;
    if let Err(error) = &published {
        core.stop_if_unsafe(error);
    }
    published
}

/// The right to publish. `None` if another process has published every entry under `size` meanwhile.
pub(super) async fn lease(core: &Core, size: u64) -> Result<Option<Lease>, LedgerError> {
    if let Some(lease) = core.state.lease().await? {
        return Ok(Some(lease));
    }
    let waiting = async {
        loop {
            tokio::time::sleep(RETRY).await;
            if let Some(lease) = core.state.lease().await? {
                return Ok(Some(lease));
            }
            if core.state.read().await?.head().await?.published >= size {
                return Ok(None);
            }
        }
    };
    let busy = |_| {
        let says = format!("another process has been publishing for {:?}", core.options.wait);
        StoreError::new(Fault::Busy, "public", says)
    };
    tokio::time::timeout(core.options.wait, waiting).await.map_err(busy)?
}

async fn publish_under(core: &Core, _lease: &Lease) -> Result<(), LedgerError> {
    let public = read_checkpoint(core).await?.map(|(_, checkpoint)| checkpoint);
    let mut read = core.state.read().await?;
    let head = read.head().await?;
    core.check_keys(&head)?;
    let size = head.frontier.size();
    let mut tree = Tree { read: &mut *read, tiles: &*core.tiles, size, kept: head.kept };
    check_public(core, &mut tree, public.as_ref(), size).await?;

    let from = public.as_ref().map_or(0, |public| public.size().min(head.published));
    if public.as_ref().is_none_or(|public| public.size() < size) {
        let paths: Vec<TilePath> = tiles_between(from, size).collect();
        for some in paths.chunks(AT_ONCE) {
            let mut files = Vec::with_capacity(some.len());
            for path in some {
                files.push((path.to_text(), tree.bytes(*path).await?));
            }
            let writing = files.into_iter().map(|(path, bytes)| write(core, path, bytes));
            futures::future::try_join_all(writing).await?;
        }
        fault::point("publish-tiles");
        core.tiles.replace("checkpoint", head.note.clone().into_bytes()).await?;
        fault::point("publish-checkpoint");
        remember(core, Checkpoint::new(core.origin.as_str(), size, head.frontier.root()).ok());
    }
    if head.published < size {
        // If this fails, the next run compares the same files again.
        note(core, core.state.published(size).await);
        fault::point("publish-noted");
    }
    Ok(())
}

/// The work is done in any case, but the error may be a reason to stop.
fn note(core: &Core, done: Result<(), StoreError>) {
    if let Err(error) = done {
        core.stop_if_unsafe(&error.into());
    }
}

/// The published checkpoint must be of this tree: no larger, and with the same root at its size.
async fn check_public(
    core: &Core,
    tree: &mut Tree<'_>,
    public: Option<&Checkpoint>,
    size: u64,
) -> Result<(), LedgerError> {
    let Some(public) = public else { return Ok(()) };
    if public.size() > size {
        return Err(LedgerError::OlderState { state: size, public: public.size() });
    }
    let known = core.published.lock().unwrap_or_else(PoisonError::into_inner).as_ref() == Some(public);
    if known {
        return Ok(());
    }
    let state = tree.root_at(public.size()).await?;
    if state != *public.root() {
        return Err(LedgerError::OtherTree { size: public.size(), state, public: *public.root() });
    }
    remember(core, Some(public.clone()));
    Ok(())
}

fn remember(core: &Core, checkpoint: Option<Checkpoint>) {
    *core.published.lock().unwrap_or_else(PoisonError::into_inner) = checkpoint;
}

/// Writes a file, or finds it with the same bytes.
async fn write(core: &Core, path: String, bytes: Vec<u8>) -> Result<(), LedgerError> {
    if core.tiles.create(&path, bytes.clone()).await? == Created::Exists {
        let found = core.tiles.get(&path).await?;
        if found.is_none_or(|found| found != bytes) {
            return Err(LedgerError::TileDiffers { path });
        }
    }
    fault::point("publish-tile");
    Ok(())
}

/// Drops entries from the database once they are in full bundles and read back, and removes the partial tiles that those
/// replace.
///
/// Nobody waits for it: a failure is tried again after the next batch.
pub(super) async fn clean_up(core: &Core) {
    let Ok(Some(lease)) = core.state.lease().await else { return };
    if let Err(error) = clean_up_under(core, &lease).await {
        core.stop_if_unsafe(&error);
    }
}

async fn clean_up_under(core: &Core, _lease: &Lease) -> Result<(), LedgerError> {
    let mut read = core.state.read().await?;
    let head: Head = read.head().await?;
    let (first, full) = (head.kept / u64::from(TILE_WIDTH), head.published / u64::from(TILE_WIDTH));
    if first >= full {
        return Ok(());
    }
    let mut tree = Tree { read: &mut *read, tiles: &*core.tiles, size: head.published, kept: head.kept };
    for index in first..full {
        for level in [Level::Entries, Level::Hashes(0)] {
            let path = TilePath::new(level, index, TILE_WIDTH);
            let path = path.map_err(|e| LedgerError::Damaged(e.to_string()))?;
            let wanted = tree.bytes(path).await?;
            let found = published(&*core.tiles, path).await?;
            if found.is_none_or(|(found, _)| found != wanted) {
                return Err(LedgerError::TileDiffers { path: path.to_text() });
            }
            core.tiles.remove_partials(&path.to_text()).await?;
        }
        fault::point("publish-read-back");
        let end = TilePath::new(Level::Entries, index, TILE_WIDTH).map_or(0, |path| places(path).end);
        core.state.drop_entries(end).await?;
        fault::point("publish-dropped");
    }
    Ok(())
}
