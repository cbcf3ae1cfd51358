//! Publishes what is committed: tiles and entry bundles first, the checkpoint last.
//!
//! After a batch the files are made from what was just written. At the start, and if another
//! process has published in between, they are read from the database. In both cases a file that
//! exists must have the same bytes, or the ledger stops. Nothing waits for the disk: see
//! [`clean_up`](super::clean_up).

use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::core::{Core, Published};
use crate::deal::observer::Kinds;
use crate::error::LedgerError;
use crate::fault;
use crate::publish::memory::File;
use crate::publish::tree::Tree;
use crate::store::{Fault, Lease, NewFile, Step, StoreError};
use crate::witness::{self, NoQuorum, Witnesses, cosigned};
use fairdeal::log::{Checkpoint, SignedCheckpoint, TilePath, tiles_between, verify_checkpoint};

/// The number of files that are written together, and are in memory at once.
const AT_ONCE: usize = 64;

/// The first and the longest pause before another process's lease is asked for again. A holder in a
/// folder is quick; with an object store, each question is a request.
const RETRY: Duration = Duration::from_millis(3);
const LONGEST_RETRY: Duration = Duration::from_millis(200);

/// How long a refusal waits until the checkpoint is read.
const LOOK: Duration = Duration::from_secs(1);

/// The bytes that a disk writes whole.
pub(crate) const SECTOR: usize = 512;

/// The files of the tree's growth from `base` to `size`.
#[derive(Debug, Default)]
pub(crate) struct Job {
    pub(crate) base: u64,
    pub(crate) size: u64,
    /// The new entries' time.
    pub(crate) time: u64,
    /// The number of entries of each kind.
    pub(crate) kinds: Kinds,
    pub(crate) note: String,
    pub(crate) full: Vec<File>,
    pub(crate) partial: Vec<File>,
}

impl Job {
    /// A batch without entries. Its answers still wait for the entries under `size`.
    pub(crate) fn nothing(size: u64) -> Self {
        Self { base: size, size, ..Self::default() }
    }

    /// Adds a later job. If another process has committed between the two, both are published from
    /// the database.
    pub(crate) fn append(&mut self, next: Self) {
        if next.base != self.size {
            *self = Self::nothing(next.size);
        } else if next.size > next.base {
            self.full.extend(next.full);
            (self.size, self.time) = (next.size, next.time);
            (self.note, self.partial) = (next.note, next.partial);
        }
    }
}

/// The published checkpoint; an error if it is not this log's.
pub(crate) async fn read_checkpoint(core: &Core) -> Result<(String, Checkpoint), LedgerError> {
    let bytes = core.tiles.get("checkpoint").await?.ok_or(LedgerError::NoCheckpoint)?;
    let foreign = |says: String| LedgerError::ForeignCheckpoint { key: core.key().to_text(), says };
    if bytes.is_empty() {
        return Err(foreign("it is empty".to_owned()));
    }
    let note = String::from_utf8(bytes).map_err(|e| foreign(e.to_string()))?;
    let checkpoint = match core.published().filter(|known| known.note == note) {
        Some(known) => known.checkpoint.clone(),
        None => verify_checkpoint(&note, core.key()).map_err(|e| foreign(e.to_string()))?,
    };
    core.backlog.read(checkpoint.size());
    Ok((note, checkpoint))
}

/// Whether the published checkpoint is as a power cut can leave it: empty, or with zeros in the
/// place of a sector, or cut off between two sectors. What is left of its beginning is this log's.
pub(crate) async fn is_torn(core: &Core) -> Result<bool, LedgerError> {
    let Some(found) = core.tiles.get("checkpoint").await? else { return Ok(false) };
    let is_zero = |sector: &[u8]| sector.iter().all(|byte| *byte == 0);
    let is_cut = found.len().is_multiple_of(SECTOR) && !found.ends_with(b"\n");
    let is_own = |first: &[u8]| {
        first
            .strip_prefix(core.origin.as_str().as_bytes())
            .is_some_and(|rest| rest.starts_with(b"\n"))
    };
    Ok((is_cut || found.chunks(SECTOR).any(is_zero))
        && found.chunks(SECTOR).next().is_none_or(|first| is_zero(first) || is_own(first)))
}

/// Reads the checkpoint, if that takes no longer than [`LOOK`]. Otherwise the last known size
/// counts.
pub(crate) async fn look_at_checkpoint(core: &Core) {
    let _seen_or_not = tokio::time::timeout(LOOK, read_checkpoint(core)).await;
}

/// Publishes a job, unless another process has. Returns the number of published entries: at least
/// the job's.
pub(crate) async fn publish(core: &Core, job: &Job) -> Result<u64, LedgerError> {
    core.goes_on()?;
    if (core.backlog.published_size() < job.size || core.waits())
        && let Some(lease) = lease(core, Some(job.size).filter(|_| !core.waits())).await?
    {
        fault::point("publish-leased");
        if let Err(error) = publish_under(core, job, lease).await {
            core.stop_if_unsafe(&error);
            return Err(error);
        }
    }
    let size = core.backlog.published_size();
    if size < job.size {
        let error = LedgerError::OlderState { state: size, public: job.size };
        core.stop_if_unsafe(&error);
        return Err(error);
    }
    Ok(size)
}

/// The right to publish. `None` if another process has published every entry under `size`
/// meanwhile.
///
/// A holder may hang, for example on a machine that was put to sleep. It must not stop the others:
/// if the store checks each step, a publisher that has waited goes on without the right.
pub(crate) async fn lease(core: &Core, size: Option<u64>) -> Result<Option<Lease>, LedgerError> {
    if let Some(lease) = core.state.lease().await? {
        core.hung.store(false, Ordering::Release);
        return Ok(Some(lease));
    }
    let needs_none = size.is_some() && core.tiles.is_conditional();
    if needs_none && core.hung.load(Ordering::Acquire) {
        return Ok(Some(Lease::new(())));
    }
    let waiting = async {
        let mut pause = RETRY;
        loop {
            if let Some(lease) = core.state.next_lease().await? {
                return Ok(Some(lease));
            }
            if let Some(size) = size {
                let published = read_checkpoint(core).await?.1.size();
                if published >= size {
                    core.backlog.published(published);
                    return Ok(None);
                }
            }
            tokio::time::sleep(pause).await;
            pause = LONGEST_RETRY.min(pause * 9 / 8);
        }
    };
    let busy = |_| {
        let says =
            format!("another process has been publishing for {}", seconds(core.options.wait));
        StoreError::new(Fault::Busy, "public", says)
    };
    match tokio::time::timeout(core.options.wait, waiting).await {
        Err(_) if needs_none => {
            // The next publication does not wait again.
            core.hung.store(true, Ordering::Release);
            Ok(Some(Lease::new(())))
        }
        waited => waited.map_err(busy)?,
    }
}

fn seconds(wait: Duration) -> String {
    match wait.as_secs() {
        0 => "longer than --wait allows".to_owned(),
        1 => "a second".to_owned(),
        seconds => format!("{seconds} seconds"),
    }
}

/// Publishes a job from memory, if the checkpoint is the one that this process wrote before it.
async fn publish_under(core: &Core, job: &Job, lease: Lease) -> Result<(), LedgerError> {
    let known = core
        .published()
        .filter(|known| known.checkpoint.size() == job.base && !job.note.is_empty());
    let Some(known) = known else { return publish_rest(core, job.size, lease).await };
    let all = || job.full.iter().chain(&job.partial);
    // No hash before its entry, and a checkpoint needs all of its files.
    let found = |path: TilePath| all().find(|file| file.path == path);
    let files: Option<Vec<&File>> = tiles_between(job.base, job.size).map(found).collect();
    let Some(files) = files else { return publish_rest(core, job.size, lease).await };
    // Before the checkpoint: a reader of the new checkpoint asks for these files at once.
    all().for_each(|file| core.memory.keep(file));
    let new = files.into_iter().map(|file| (file.path.to_text(), file.bytes.clone())).collect();
    match finish(core, new, known.note.clone(), (job.note.clone(), job.time)).await {
        Ok(()) => {
            core.publishes(job.base..job.size);
            Ok(())
        }
        Err(
            NoQuorum::Superseded
            | NoQuorum::Failed(LedgerError::Store(StoreError { fault: Fault::Raced, .. })),
        ) => publish_rest(core, job.size, lease).await,
        Err(NoQuorum::Failed(error)) => Err(error),
    }
}

/// Publishes from the database, up to its head. Without the lease, it only compares the checkpoint
/// with the database.
pub(crate) async fn publish_stored(core: &Core, lease: Option<&Lease>) -> Result<(), LedgerError> {
    let (note, public) = read_checkpoint(core).await?;
    publish_after(core, note, public, lease).await
}

/// Looks for entries that a process left unpublished when it died, and for a checkpoint that
/// somebody put back. Returns the published size if it is behind the state. Only reads, and may be
/// dropped.
pub(crate) async fn look(core: &Core) -> Option<u64> {
    core.goes_on().ok()?;
    let (_, head) = core.read().await.ok()?;
    let published = read_checkpoint(core).await.ok().map(|(_, checkpoint)| checkpoint.size());
    let _noted = core.any_behind(&head);
    published.filter(|published| head.closed.is_none() && *published < head.frontier.size())
}

/// Publishes what [`look`] has found twice, if nobody else has the lease. Returns whether that was
/// done.
pub(crate) async fn publish_left(core: &Core) -> bool {
    let Ok(Some(lease)) = core.state.lease().await else { return false };
    let done = publish_stored(core, Some(&lease)).await;
    done.inspect_err(|error| core.stop_if_unsafe(error)).is_ok()
}

/// The same as [`publish_stored`], if another process may have published every entry under
/// `needed`, for which callers wait. Then the next holder of the lease publishes what came later.
async fn publish_rest(core: &Core, needed: u64, lease: Lease) -> Result<(), LedgerError> {
    let (note, public) = read_checkpoint(core).await?;
    let lease = (public.size() < needed || core.waits()).then_some(lease);
    publish_after(core, note, public, lease.as_ref()).await
}

/// Publishes what comes after a checkpoint. Without the lease, it only compares the checkpoint with
/// the database.
async fn publish_after(
    core: &Core,
    note: String,
    public: Checkpoint,
    lease: Option<&Lease>,
) -> Result<(), LedgerError> {
    // Whoever went on without the policy would sign what no witness has seen.
    witness::check(core, &note).inspect_err(|error| core.stop(error))?;
    let mut asked = None;
    loop {
        let mut read = core.state.read().await?;
        let head = read.head().await?;
        core.check_keys(&head)?;
        let size = head.frontier.size();
        let mut tree = core.tree(&mut *read, &head);
        check_public(&mut tree, &public, size).await?;
        if let Some(witnesses) = &core.witnesses {
            witnesses.learn(&note);
            core.beacons.learn_from(&mut tree, public.size()).await?;
        }
        if lease.is_none() || (public.size() == size && !core.waits()) {
            core.remember(Published { note, checkpoint: public });
            return Ok(());
        }
        let mut files = Vec::new();
        for path in tiles_between(public.size(), size) {
            files.push((path.to_text(), tree.bytes(path).await?.into()));
            if files.len() == AT_ONCE {
                same(core.tiles.create(std::mem::take(&mut files)).await?)?;
            }
        }
        // A round with witnesses can take long: it must not keep a snapshot of the state open.
        drop(read);
        let newest = head.time.unwrap_or_default();
        match finish(core, files, note.clone(), (head.note, newest)).await {
            Ok(()) => return Ok(()),
            // The head has grown, unless somebody has put an older state in its place.
            Err(NoQuorum::Superseded) if asked.replace(size) != Some(size) => {}
            Err(NoQuorum::Superseded) => {
                return Err(LedgerError::Unwitnessed(format!(
                    "a witness has signed more than the {size} entries of this ledger"
                )));
            }
            Err(NoQuorum::Failed(error)) => return Err(error),
        }
    }
}

/// Writes the last files, asks the witnesses if there are any, and then writes the checkpoint.
async fn finish(
    core: &Core,
    mut files: Vec<NewFile>,
    from: String,
    (note, newest): (String, u64),
) -> Result<(), NoQuorum> {
    if core.witnesses.as_ref().is_some_and(Witnesses::comes_first) {
        let created = core.tiles.create(std::mem::take(&mut files));
        let (created, public) = tokio::join!(created, core.tiles.get("checkpoint"));
        same(created?)?;
        // Witnesses keep every note that they are asked to sign, also one of a state that somebody
        // has replaced by an older dump.
        if public?.as_deref() != Some(from.as_bytes()) {
            let says = "another publisher was first";
            return Err(StoreError::new(Fault::Raced, "checkpoint", says).into());
        }
        fault::point("publish-files");
    }
    let note = Box::pin(cosigned(core, note, newest)).await?;
    let step = Step { from: from.into_bytes(), to: note.clone().into_bytes() };
    same(core.tiles.publish(files, step).await?)?;
    fault::point("publish-checkpoint");
    let checkpoint =
        SignedCheckpoint::parse(&note).map_err(|e| LedgerError::Damaged(e.to_string()))?;
    core.remember(Published { checkpoint: checkpoint.unverified().clone(), note });
    Ok(())
}

/// A file that exists must have the same bytes.
fn same(other: Option<String>) -> Result<(), LedgerError> {
    other.map_or(Ok(()), |path| Err(LedgerError::TileDiffers { path }))
}

/// The published checkpoint must be of this tree: no larger, and with the same root at its size.
pub(crate) async fn check_public(
    tree: &mut Tree<'_>,
    public: &Checkpoint,
    size: u64,
) -> Result<(), LedgerError> {
    if public.size() > size {
        return Err(LedgerError::OlderState { state: size, public: public.size() });
    }
    // The root is compared also if this process published the checkpoint itself: meanwhile somebody
    // may have replaced the state by an older dump, and another node may have added entries to it.
    let state = tree.root_at(public.size()).await?;
    if state != *public.root() {
        return Err(LedgerError::OtherTree { size: public.size(), state, public: *public.root() });
    }
    Ok(())
}
