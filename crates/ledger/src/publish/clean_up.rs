//! What no caller waits for: full files are made durable and read back. Then the database may drop
//! their entries, and the partial files that they replace are removed.
//!
//! [`Head::kept`](crate::store::Head::kept) is the mark: every file of entries before it is durable.
//! All files after it are a copy of what the database has.

use std::sync::Arc;

use tokio::task::JoinHandle;

use crate::core::Core;
use crate::error::LedgerError;
use crate::fault;
use crate::publish::tree::Tree;
use fairdeal::log::{TILE_WIDTH, TilePath, tiles_between};

const WIDTH: u64 = TILE_WIDTH as u64;

/// The number of full bundles for which one sync is worth it: a sync is slow, and a commit that runs
/// at the same time waits for it.
const TOGETHER: u64 = 16;

/// The clean-up that runs while the publishing task goes on. That task alone has it.
#[derive(Debug, Default)]
pub(crate) struct CleanUp(Option<JoinHandle<()>>);

impl CleanUp {
    /// Starts if so many bundles are full that one sync is worth it. If the one before has failed,
    /// this one does its work.
    pub(crate) fn start(&mut self, core: &Arc<Core>) {
        let waiting = full(core).saturating_sub(core.kept(0));
        if waiting < TOGETHER * WIDTH || self.0.as_ref().is_some_and(|one| !one.is_finished()) {
            return;
        }
        let core = Arc::clone(core);
        self.0 = Some(tokio::spawn(async move {
            let ran = run(&core).await;
            core.backlog.cleaned(ran.as_ref().err());
            ran.unwrap_or_else(|error| core.stop_if_unsafe(&error));
        }));
    }

    /// Waits for it.
    pub(crate) async fn ended(self) {
        if let Some(running) = self.0 {
            // If it panicked, the next one does its work.
            let _ended = running.await;
        }
    }
}

/// The number of published entries in full bundles.
fn full(core: &Core) -> u64 {
    let published = core.backlog.published_size();
    published - published % WIDTH
}

/// Makes full files durable, and compares them with the database: those that this process has
/// written, or all if many wait or a write to the store is durable.
///
/// A kernel tells of a failed write once, and then takes what it has in memory for what is on the
/// disk. So files that another process has written, or that a sync has failed for, are written again
/// first.
pub(crate) async fn run(core: &Core) -> Result<(), LedgerError> {
    let full = full(core);
    let mut read = core.state.read().await?;
    let head = read.head().await?;
    core.filled(head.kept);
    let paths = tiles_between(head.kept, full).filter(|path| path.width() == TILE_WIDTH);
    let paths: Vec<TilePath> = paths.collect();
    let waits = full.saturating_sub(head.kept);
    let is_own = core.tiles.is_durable() || core.has_published(head.kept..full);
    if waits == 0 || (waits < TOGETHER * WIDTH && !is_own) {
        return Ok(());
    }
    let memory = Some(&core.memory);
    let mut tree = Tree { size: full, memory, ..core.tree(&mut *read, &head) };
    if !is_own {
        for path in &paths {
            let right = tree.file(*path).await?.bytes;
            core.tiles.replace(&path.to_text(), right.into()).await?;
        }
    }
    core.tiles.sync().await.inspect_err(|_| core.disowns())?;
    fault::point("publish-synced");
    for path in &paths {
        let (found, right) = (core.tiles.get(&path.to_text()).await?, tree.file(*path).await?);
        if found.is_none_or(|found| found != right.bytes) {
            return Err(LedgerError::TileDiffers { path: path.to_text() });
        }
    }
    fault::point("publish-read-back");
    core.tiles.remove_partials(paths.iter().map(|path| path.to_text()).collect()).await?;
    core.filled(full);
    Ok(())
}

/// Drops from the database the entries that durable files have, before the ledger closes. The
/// callers have their answers: what is left to do, the next process does.
pub(crate) async fn close(core: &Core) -> Result<(), LedgerError> {
    run(core).await.unwrap_or_else(|error| core.stop_if_unsafe(&error));
    let kept = core.state.read().await?.head().await?.kept;
    let filled = core.kept(kept);
    if filled > kept {
        core.state.drop_entries(filled).await?;
        fault::point("publish-dropped");
    }
    Ok(())
}
