//! The state that the ledger's parts share: stores, keys, clock, and whether the ledger has
//! stopped.

use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::LedgerOptions;
use crate::beacon::BeaconLocks;
use crate::clock::Clock;
use crate::clock::watch::Watch;
use crate::deal::observer::BatchEvent;
use crate::deal::working_set::Working;
use crate::error::{LedgerError, Stops};
use crate::publish::backlog::{Backlog, Health};
use crate::publish::memory::Memory;
use crate::publish::tree::Tree;
use crate::setup::keys::Keys;
use crate::setup::location::Location;
use crate::store::{Fault, Head, Read, State, StoreError, Tiles};
use crate::witness::Witnesses;
use fairdeal::log::{Checkpoint, TILE_WIDTH, VerifierKey, verify_checkpoint};
use fairdeal::record::entry::Origin;

/// The parts of a ledger, for [`Ledger::open_on`](crate::Ledger::open_on).
#[derive(Debug)]
pub struct Parts {
    /// The state's store.
    pub state: Arc<dyn State>,
    /// The published files.
    pub tiles: Arc<dyn Tiles>,
    /// The log's keys.
    pub keys: Keys,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Its waits and limits.
    pub options: LedgerOptions,
}

/// The state that all handles and tasks of one open ledger share.
///
/// The stores have locks of their own: one transaction at a time holds the tree's head
/// ([`State::begin`]), one lease at a time is the right to publish ([`State::lease`]).
#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) state: Arc<dyn State>,
    pub(crate) tiles: Arc<dyn Tiles>,
    pub(crate) keys: Keys,
    pub(crate) origin: Origin,
    pub(crate) watch: Watch,
    pub(crate) options: LedgerOptions,
    /// The witnesses of the operator's policy, if there is one. Has its own locks.
    pub(crate) witnesses: Option<Witnesses>,
    /// The locks that wait for a beacon. Has its own locks.
    pub(crate) beacons: BeaconLocks,
    /// Entries that are committed and not published yet. Has its own lock.
    pub(crate) backlog: Backlog,
    /// The sequencer's state between two batches. The sequencer alone takes it and puts it back,
    /// while its transaction holds the tree's head.
    pub(crate) working: tokio::sync::Mutex<Option<Working>>,
    /// The last checkpoint that this process published or compared with its state. Written by the
    /// publisher, while it has the lease or after it has read the checkpoint; read by everybody.
    published: Mutex<Option<Arc<Published>>>,
    /// The entries whose files this process has published from memory, and no sync has failed since.
    /// Written by the publisher; emptied by the clean-up.
    own: Mutex<Range<u64>>,
    /// Files that were published or read last. Has its own locks.
    pub(crate) memory: Memory,
    /// Entries before this index are in full files that are durable and were read back. Written by
    /// the clean-up; only grows.
    filled: AtomicU64,
    /// The largest size of the state that any task has seen; only grows. A smaller state is an
    /// older backup.
    seen: AtomicU64,
    /// Whether the last write to the state found no space, no permission or no connection. Written
    /// by the sequencer, and by whoever writes memos.
    unwritten: AtomicBool,
    /// Whether the holder of the lease has kept it longer than anybody waits. Written by whoever
    /// asks for the lease.
    pub(crate) hung: AtomicBool,
    /// Why the ledger has stopped. Written once, by the task that found the reason.
    stopped: OnceLock<String>,
    /// Written once, when the last task has ended.
    closed: AtomicBool,
}

/// A published checkpoint, of this tree.
#[derive(Debug)]
pub(crate) struct Published {
    /// The signed note.
    pub(crate) note: String,
    pub(crate) checkpoint: Checkpoint,
}

impl Parts {
    /// Opens the parts in a ledger's folder, after checking that only its owner can read them.
    ///
    /// # Errors
    /// [`LedgerError`], which names the folder or the file at fault.
    pub async fn of_folder(dir: &Path, options: LedgerOptions) -> Result<Self, LedgerError> {
        crate::setup::folder::open(&dir.into(), options).await
    }

    /// Opens the parts of a ledger, wherever they are.
    ///
    /// # Errors
    /// [`LedgerError`], which names the part at fault.
    pub async fn open(
        at: impl Into<Location>,
        options: LedgerOptions,
    ) -> Result<Self, LedgerError> {
        crate::setup::folder::open(&at.into(), options).await
    }
}

impl Core {
    pub(crate) fn new(parts: Parts) -> Result<Self, LedgerError> {
        let Parts { state, tiles, keys, clock, options } = parts;
        let origin = Origin::new(keys.verifier().name().as_str())
            .map_err(|e| LedgerError::Invalid(e.to_string()))?;
        let witnesses = options.witnesses.clone();
        let witnesses =
            witnesses.map(|given| Witnesses::new(given, keys.verifier())).transpose()?;
        let witnesses = witnesses.flatten();
        Ok(Self {
            state,
            tiles,
            keys,
            origin,
            watch: Watch::new(clock, options.accept_time),
            witnesses,
            beacons: BeaconLocks::default(),
            options,
            backlog: Backlog::default(),
            working: tokio::sync::Mutex::new(None),
            published: Mutex::new(None),
            own: Mutex::default(),
            memory: Memory::default(),
            filled: AtomicU64::new(0),
            seen: AtomicU64::new(0),
            unwritten: AtomicBool::new(false),
            hung: AtomicBool::new(false),
            stopped: OnceLock::new(),
            closed: AtomicBool::new(false),
        })
    }

    pub(crate) fn key(&self) -> &VerifierKey {
        self.keys.verifier()
    }

    /// The tree of a head.
    pub(crate) fn tree<'a>(&'a self, read: &'a mut dyn Read, head: &Head) -> Tree<'a> {
        let (size, kept) = (head.frontier.size(), head.kept);
        Tree { read, tiles: Some(&*self.tiles), size, kept, memory: None }
    }

    pub(crate) fn published(&self) -> Option<Arc<Published>> {
        self.published.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn remember(&self, published: Published) {
        self.backlog.published(published.checkpoint.size());
        *self.published.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(published));
        if let Some(witnesses) = &self.witnesses {
            witnesses.wake();
        }
    }

    fn own(&self) -> MutexGuard<'_, Range<u64>> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that this process has written the files of the tree's growth. Its first bundle may have
    /// begun before: the full file of that bundle has its beginning too.
    pub(crate) fn publishes(&self, growth: Range<u64>) {
        let mut own = self.own();
        let is_next = !own.is_empty() && own.end == growth.start;
        let begin = growth.start - growth.start % u64::from(TILE_WIDTH);
        *own = if is_next { own.start } else { begin }..growth.end;
    }

    /// Whether this process has written all files of these entries.
    pub(crate) fn has_published(&self, entries: Range<u64>) -> bool {
        let own = self.own();
        own.start <= entries.start && entries.end <= own.end
    }

    /// Notes that the disk may lack what this process has written.
    pub(crate) fn disowns(&self) {
        *self.own() = 0..0;
    }

    /// Notes that all entries before this index are in full files that are durable and were read back.
    pub(crate) fn filled(&self, before: u64) {
        self.filled.fetch_max(before, Ordering::AcqRel);
    }

    /// The index before which the database need not keep entries.
    pub(crate) fn kept(&self, kept: u64) -> u64 {
        kept.max(self.filled.load(Ordering::Acquire))
    }

    /// Refuses new commands once the ledger is closed or stopped, and while the world cannot see
    /// what was dealt.
    pub(crate) fn accepts(&self) -> Result<(), LedgerError> {
        self.is_open()?;
        self.goes_on()?;
        self.witnesses.as_ref().map_or(Ok(()), Witnesses::agree)?;
        self.backlog.behind(self.options.max_lag).map_or(Ok(()), Err)
    }

    /// Whether no command is taken until witnesses have signed the head.
    pub(crate) fn waits(&self) -> bool {
        self.witnesses.as_ref().is_some_and(Witnesses::waits)
    }

    /// Notes a head. Returns the refusal if an entry under it, of this process or another one, has
    /// waited too long to be published.
    pub(crate) fn any_behind(&self, head: &Head) -> Option<LedgerError> {
        if let Some(time) = head.time {
            self.backlog.saw(head.frontier.size(), time, self.watch.since(time));
        }
        self.backlog.any_behind(self.options.max_lag)
    }

    /// Why the ledger has stopped.
    pub(crate) fn stopped(&self) -> Option<&str> {
        self.stopped.get().map(String::as_str)
    }

    pub(crate) fn goes_on(&self) -> Result<(), LedgerError> {
        self.stopped().map_or(Ok(()), |why| Err(LedgerError::Stopped(why.to_owned())))
    }

    /// Calls the observer of batches.
    pub(crate) fn tell(&self, event: BatchEvent) {
        if let Some(observer) = &self.options.observer {
            observer.tell(event);
        }
    }

    /// The ledger's health.
    pub(crate) fn health(&self) -> Health {
        let seen = self.seen.load(Ordering::Acquire);
        let witnesses = self.witnesses.as_ref().map(Witnesses::health).unwrap_or_default();
        let stopped = self.stopped().map(str::to_owned);
        Health { witnesses, ..self.backlog.health(seen, self.options.max_lag, stopped) }
    }

    pub(crate) fn is_open(&self) -> Result<(), LedgerError> {
        if self.closed.load(Ordering::Acquire) { Err(LedgerError::Closed) } else { Ok(()) }
    }

    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.witnesses.iter().for_each(Witnesses::end);
    }

    /// Notes how a write to the state ended.
    pub(crate) fn written(&self, error: Option<&LedgerError>) {
        match error {
            None => self.unwritten.store(false, Ordering::Release),
            Some(LedgerError::Store(StoreError {
                fault: Fault::NoSpace | Fault::Denied | Fault::Busy | Fault::Unreachable,
                ..
            })) => self.unwritten.store(true, Ordering::Release),
            Some(_) => {}
        }
    }

    pub(crate) fn is_unwritten(&self) -> bool {
        self.unwritten.load(Ordering::Acquire)
    }

    /// Stops the ledger. Only the first reason is kept.
    pub(crate) fn stop(&self, why: &impl ToString) {
        let _first = self.stopped.set(why.to_string());
    }

    /// Stops after a publishing error that leaves the disk unknown, or shows that somebody else
    /// writes here.
    pub(crate) fn stop_if_unsafe(&self, error: &LedgerError) {
        // A proxy's page, or a list that is late. Nothing is published on it, and it may pass.
        let may_pass = self.tiles.is_conditional()
            && matches!(error, LedgerError::NoCheckpoint | LedgerError::ForeignCheckpoint { .. });
        if error.stops() != Stops::Never && !may_pass {
            self.stop(error);
        }
    }

    /// The same for an error before COMMIT, which rolls back: only the disk or a foreign state
    /// stops the ledger.
    pub(crate) fn stop_if_broken(&self, error: &LedgerError) {
        if error.stops() == Stops::Always {
            self.stop(error);
        }
    }

    /// Checks that the state was made with these keys.
    pub(crate) fn check_keys(&self, head: &Head) -> Result<(), LedgerError> {
        let (state, found) = (head.key.clone(), self.key().to_text());
        if state != found {
            return Err(LedgerError::WrongKey { state, found });
        }
        let (state, found) = (head.vault.clone(), self.keys.vault.fingerprint());
        if state != found {
            return Err(LedgerError::WrongVault { state, found });
        }
        Ok(())
    }

    /// Checks that the log has signed this head.
    pub(crate) fn check_signed(&self, head: &Head) -> Result<(), LedgerError> {
        check_signed(head, self.key())
    }

    /// Refuses to write into a state that was copied elsewhere.
    pub(crate) fn check_open(head: &Head) -> Result<(), LedgerError> {
        head.closed.as_ref().map_or(Ok(()), |why| Err(LedgerError::Moved(why.clone())))
    }

    /// Checks a head that was read under its lock: the same keys, and never smaller than before.
    pub(crate) fn check_head(&self, head: &Head) -> Result<(), LedgerError> {
        self.check_since(head, self.seen.load(Ordering::Acquire))
    }

    /// Checks a head that was read after so many entries had been seen.
    fn check_since(&self, head: &Head, seen: u64) -> Result<(), LedgerError> {
        self.check_keys(head)?;
        let size = head.frontier.size();
        self.seen.fetch_max(size, Ordering::AcqRel);
        if size < seen {
            Err(LedgerError::OlderState { state: size, public: seen })
        } else {
            Ok(())
        }
    }

    /// A read of the state, and its head, checked. Others write meanwhile, and a task that read
    /// later may come here first: so the head is compared with what was seen before the read began.
    pub(crate) async fn read(&self) -> Result<(Box<dyn Read>, Head), LedgerError> {
        let seen = self.seen.load(Ordering::Acquire);
        let mut read = self.state.read().await?;
        let head = read.head().await?;
        self.check_since(&head, seen)?;
        Ok((read, head))
    }
}

/// Checks that a head's checkpoint has this key's signature, over the head's frontier.
pub(crate) fn check_signed(head: &Head, key: &VerifierKey) -> Result<(), LedgerError> {
    let note = verify_checkpoint(&head.note, key)
        .map_err(|e| LedgerError::Damaged(format!("the head's checkpoint: {e}")))?;
    let (size, root) = (head.frontier.size(), head.frontier.root());
    if note.size() == size && *note.root() == root {
        return Ok(());
    }
    Err(LedgerError::Damaged(format!(
        "the signed checkpoint has {} entries with root {}, the tree next to it {size} with root {}",
        note.size(),
        note.root().to_hex(),
        root.to_hex()
    )))
}
