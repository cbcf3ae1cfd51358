//! What the ledger's parts share: the stores, the keys, the clock, and whether to go on at all.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::LedgerOptions;
use super::error::LedgerError;
use super::keys::Keys;
use super::watch::Watch;
use crate::clock::Clock;
use crate::log::{Checkpoint, VerifierKey};
use crate::record::entry::Origin;
use crate::store::{Fault, Head, State, StoreError, Tiles};

/// What a ledger is made of: [`Ledger::open_on`](super::Ledger::open_on) takes any stores and any clock.
#[derive(Debug)]
pub struct Parts {
    /// Where the state lives.
    pub state: Arc<dyn State>,
    /// What the world gets.
    pub tiles: Arc<dyn Tiles>,
    /// The log's secrets.
    pub keys: Keys,
    /// What tells the time.
    pub clock: Arc<dyn Clock>,
    /// How it waits.
    pub options: LedgerOptions,
}

#[derive(Debug)]
pub(super) struct Core {
    pub(super) state: Arc<dyn State>,
    pub(super) tiles: Arc<dyn Tiles>,
    pub(super) keys: Keys,
    pub(super) origin: Origin,
    pub(super) watch: Watch,
    pub(super) options: LedgerOptions,
    /// The published checkpoint that was last found to be this tree's.
    pub(super) published: Mutex<Option<Checkpoint>>,
    /// The largest size that was ever seen here: a state that shrinks is another one.
    seen: AtomicU64,
    stopped: OnceLock<String>,
    closed: AtomicBool,
}

impl Parts {
    /// What a folder holds, once it is seen to be one that only its owner can read.
    ///
    /// # Errors
    /// [`LedgerError`], which names what is not as it must be.
    pub async fn of_folder(dir: &Path, options: LedgerOptions) -> Result<Self, LedgerError> {
        super::folder::open(dir, options).await
    }
}

impl Core {
    pub(super) fn new(parts: Parts) -> Result<Self, LedgerError> {
        let Parts { state, tiles, keys, clock, options } = parts;
        let origin =
            Origin::new(keys.verifier().name().as_str()).map_err(|e| LedgerError::Invalid(e.to_string()))?;
        Ok(Self {
            state,
            tiles,
            keys,
            origin,
            watch: Watch::new(clock),
            options,
            published: Mutex::new(None),
            seen: AtomicU64::new(0),
            stopped: OnceLock::new(),
            closed: AtomicBool::new(false),
        })
    }

    pub(super) fn key(&self) -> &VerifierKey {
        self.keys.verifier()
    }

    /// Whether new commands may be taken.
    pub(super) fn accepts(&self) -> Result<(), LedgerError> {
        self.is_open()?;
        match self.stopped.get() {
            Some(why) => Err(LedgerError::Stopped(why.clone())),
            None => Ok(()),
        }
    }

    pub(super) fn is_open(&self) -> Result<(), LedgerError> {
        if self.closed.load(Ordering::Acquire) { Err(LedgerError::Closed) } else { Ok(()) }
    }

    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Release);
    }

    /// Takes no more commands: the first reason stays.
    pub(super) fn stop(&self, why: &impl ToString) {
        let _first = self.stopped.set(why.to_string());
    }

    /// Stops where an error of the publisher's leaves open what the disk holds, or says that somebody else writes here.
    pub(super) fn stop_if_unsafe(&self, error: &LedgerError) {
        match error {
            LedgerError::Store(StoreError { fault, .. }) if fault.is_known() => {}
            LedgerError::Store(_)
            | LedgerError::TileDiffers { .. }
            | LedgerError::OtherTree { .. }
            | LedgerError::OlderState { .. }
            | LedgerError::ForeignCheckpoint { .. }
            | LedgerError::WrongKey { .. }
            | LedgerError::WrongVault { .. } => self.stop(error),
            _ => {}
        }
    }

    /// The same before COMMIT: whatever failed is rolled back, unless it is the disk itself.
    pub(super) fn stop_if_broken(&self, error: &LedgerError) {
        match error {
            LedgerError::Store(StoreError { fault: Fault::Disk, .. })
            | LedgerError::OlderState { .. }
            | LedgerError::WrongKey { .. }
            | LedgerError::WrongVault { .. } => self.stop(error),
            _ => {}
        }
    }

    /// Whether a head is of the state that these keys were made with.
    pub(super) fn check_keys(&self, head: &Head) -> Result<(), LedgerError> {
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

    /// Holds a head that was read under its lock against all that were read so before.
    pub(super) fn check_head(&self, head: &Head) -> Result<(), LedgerError> {
        self.check_keys(head)?;
        let size = head.frontier.size();
        let seen = self.seen.fetch_max(size, Ordering::AcqRel);
        if size < seen { Err(LedgerError::OlderState { state: size, public: seen }) } else { Ok(()) }
    }
}
