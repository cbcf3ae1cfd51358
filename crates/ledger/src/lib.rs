//! The operator's side of fairdeal: commit, deal, reveal, and publish a signed log
//! (spec/ledger.md).
//!
//! A [`Ledger`] is a handle on a folder, or on a database and a bucket. Commands go in, and each
//! answer comes back when its entry is on the database's disk, signed and published:
//!
//! ```
//! use fairdeal::deal::Deck;
//! use fairdeal::record::entry::Terms;
//! use fairdeal::record::receipt::{Document, verify};
//! use fairdeal_ledger::{Given, Ledger, LedgerOptions, NewCommit, NewDeal, NewReveal};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! // Once: keys, and an empty signed log. Players get the key.
//! let key = Ledger::init(folder.path(), &"cards.example/log".parse()?).await?;
//! let ledger = Ledger::open(folder.path(), LedgerOptions::default()).await?;
//!
//! // Before the players give their seeds: the hash of a new server seed, with the round's terms.
//! let terms = Terms { draw: 5_u32.into(), ..Terms::new("evening".parse()?, Deck::standard()) };
//! let commitment = ledger.commit(NewCommit::new(terms), None).await?.commitment;
//!
//! let alice = Given::with_seed("alice".parse()?, "lucky".parse()?);
//! let deal = NewDeal { contributions: vec![alice], ..NewDeal::default() };
//! let dealt = ledger.deal(commitment, deal, None).await?;
//! assert_eq!(dealt.items.map(|items| items.len()), Some(5));
//!
//! // Afterwards: the server seed, and a receipt that anybody can verify offline.
//! ledger.reveal(commitment, NewReveal::default(), None).await?;
//! let receipt = ledger.receipt(commitment, dealt.nonce).await?;
//! assert!(verify(&Document::Receipt(receipt), &key).holds);
//! ledger.close().await?;
//! # Ok(())
//! # }
//! ```
//!
//! One database transaction is the only commit point. It judges each command with
//! [`record::Judge`](fairdeal::record::Judge), deals, grows the tree and signs its checkpoint. Then
//! the new files are published, and then the caller is answered.
//!
//! | | |
//! |---|---|
//! | [`Ledger`] | deals and publishes; a [`Reader`] too |
//! | [`Reader`] | receipts, openings, rounds, the state of commitments; writes nothing |
//! | [`Memos`], [`tokens`] | what the operator keeps and the log does not |
//! | [`Ledger::fsck`], [`Ledger::backup`], [`copy_state`] and so on | work on a whole ledger |
//! | [`store`] | where the state and the files are: SQLite and a folder, PostgreSQL and a bucket |
//!
//! PostgreSQL needs the feature `postgres`, a bucket the feature `s3`.
//! To verify a log or a receipt, use `fairdeal` and `fairdeal-audit`.

#![allow(
    clippy::missing_errors_doc,
    reason = "a method that does not name its errors can fail with any `LedgerError`"
)]

mod beacon;
pub mod clock;
mod core;
mod deal;
pub mod entropy;
mod error;
mod fault;
mod http;
mod operate;
mod publish;
mod raffle;
mod read;
mod setup;
pub mod store;
mod witness;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use crate::core::Core;
use crate::deal::batch::Waiting;
use crate::deal::command::Command;
use crate::deal::sequencer::Message;

pub use crate::beacon::BeaconOptions;
pub use crate::core::Parts;
pub use crate::deal::command::{
    Done, IdempotencyKey, IdempotencyKeyError, NewCommit, NewDeal, NewLock, NewReveal, NewVoid,
    Summary,
};
pub use crate::deal::contribution::clear_seed;
pub use crate::deal::observer::{BatchEvent, BatchObserver, Kinds};
pub use crate::error::{ClockFault, ErrorKind, LedgerError, TileFault};
#[cfg(feature = "faults")]
pub use crate::fault::{FAULT_POINTS, REKEY_POINTS, WITNESS_POINTS};
pub use crate::operate::backup::{Backup, BackupParts, Restore};
pub use crate::operate::copy::{StatePlace, copy_state};
pub use crate::operate::dump::Copied;
pub use crate::operate::fsck::{Fsck, FsckFault};
pub use crate::operate::memos::{Memos, POLICY};
pub use crate::operate::rekey::Rekeyed;
pub use crate::operate::tokens;
pub use crate::publish::backlog::Health;
pub use crate::raffle::{DrawTime, NewRaffle, raffle_rules};
pub use crate::read::find::{FirstDigits, Named};
pub use crate::read::openings::{ToOpen, check_drawn, places};
pub use crate::read::reader::Reader;
pub use crate::read::receipts::{Asked, Proved};
pub use crate::read::rounds::LoggedRound;
pub use crate::setup::keys::Keys;
pub use crate::setup::location::{Location, StateUrl};
pub use crate::setup::vault_command::VaultKeyCommand;
pub use crate::store::{Choice, Fault, Memo, StoreError};
pub use crate::witness::{WitnessHealth, WitnessMode, WitnessesHealth, Witnessing};
use fairdeal::deal::{Commitment, Nonce};
use fairdeal::log::VerifierKey;
use fairdeal::record::entry::Origin;
pub use fairdeal::record::receipt::Given;

/// A handle on an open ledger. Clones are cheap and share one queue. It is a [`Reader`] too.
#[derive(Clone, Debug)]
pub struct Ledger {
    reader: Reader,
    queue: mpsc::Sender<Message>,
}

impl std::ops::Deref for Ledger {
    type Target = Reader;

    fn deref(&self) -> &Reader {
        &self.reader
    }
}

/// How a ledger waits.
#[derive(Clone, Debug)]
pub struct LedgerOptions {
    /// How long to wait for another process's lock. Default: 5 seconds.
    pub wait: Duration,
    /// How long the first command of a batch waits for others. Default: 0.
    pub max_batch_delay: Duration,
    /// How long a caller waits for its committed entry to be published, if that fails or is slow.
    /// After that the answer is [`LedgerError::Unpublished`]. Default: 10 seconds.
    pub publish_wait: Duration,
    /// How long a committed entry may stay unpublished before new commands are refused with
    /// [`LedgerError::PublishingBehind`]. Default: 30 seconds.
    pub max_lag: Duration,
    /// Whether the ledger is closed after one command. Its caller then waits as long as a slow
    /// publication takes, and gets the first failure. Default: no.
    pub one_shot: bool,
    /// The time that the operator typed, in Unix milliseconds: a clock within a day of it is
    /// accepted, whatever the last entry's time. Default: none.
    pub accept_time: Option<u64>,
    /// The command that prints the vault key, instead of `private/vault.key`. Default: none.
    pub vault_key: Option<VaultKeyCommand>,
    /// The witnesses that sign the log's checkpoints. Default: none.
    pub witnesses: Option<Witnessing>,
    /// The beacons whose rounds are mixed in. Default: `quicknet`, without a relay.
    pub beacons: BeaconOptions,
    /// Called after each batch. Default: nothing.
    pub observer: Option<BatchObserver>,
}

impl Default for LedgerOptions {
    fn default() -> Self {
        Self {
            wait: Duration::from_secs(5),
            max_batch_delay: Duration::ZERO,
            publish_wait: Duration::from_secs(10),
            max_lag: Duration::from_secs(30),
            one_shot: false,
            accept_time: None,
            vault_key: None,
            witnesses: None,
            beacons: BeaconOptions::default(),
            observer: None,
        }
    }
}

impl Ledger {
    /// Makes new keys and an empty signed log. The folder must be new or empty. A state or
    /// published files outside of it must not exist yet.
    ///
    /// # Errors
    /// [`LedgerError::NotEmpty`], [`LedgerError::Taken`]; [`LedgerError::Store`] with the system's
    /// reason.
    pub async fn init(
        at: impl Into<Location>,
        origin: &Origin,
    ) -> Result<VerifierKey, LedgerError> {
        Self::init_with(at, origin, &LedgerOptions::default()).await
    }

    /// The same, with the options' [vault key](LedgerOptions::vault_key).
    ///
    /// # Errors
    /// As for [`init`](Self::init); [`LedgerError::VaultKey`].
    pub async fn init_with(
        at: impl Into<Location>,
        origin: &Origin,
        options: &LedgerOptions,
    ) -> Result<VerifierKey, LedgerError> {
        setup::folder::init(&at.into(), origin, options).await
    }

    /// Stops signing until the ledger is opened again: the caller found a reason why going on is
    /// unsafe.
    #[doc(hidden)]
    pub fn stop(&self, why: &str) {
        self.reader.core.stop(&why);
    }

    /// Opens a ledger: checks file modes, keys and published files, and publishes what is missing.
    ///
    /// Starts two tasks on the current tokio runtime, which needs its time driver.
    ///
    /// # Errors
    /// [`LedgerError`]. If two values differ, it names both.
    pub async fn open(
        at: impl Into<Location>,
        options: LedgerOptions,
    ) -> Result<Self, LedgerError> {
        Self::open_on(Parts::open(at, options).await?).await
    }

    /// Opens a ledger on the caller's own stores.
    ///
    /// # Errors
    /// [`LedgerError`], as for [`open`](Self::open).
    pub async fn open_on(parts: Parts) -> Result<Self, LedgerError> {
        let core = Arc::new(Core::new(parts)?);
        let (_, head) = core.read().await?;
        Core::check_open(&head)?;
        if let Some(server) = core.state.time().await? {
            core.watch.hold_against(server);
        }
        // A process that publishes just now may be the one that recovers the files.
        let size = core.tiles.is_durable().then_some(head.frontier.size());
        if let Some(lease) = publish::publisher::lease(&core, size).await? {
            core.tiles.tidy().await?;
            operate::recover::recover(&core).await?;
            // In publish mode the publishing task does it, once witnesses have signed.
            publish::publisher::publish_stored(&core, Some(&lease).filter(|_| !core.waits()))
                .await?;
            publish::clean_up::run(&core).await?;
        }
        let faults = operate::tile_check::edge(&core).await?;
        if faults.iter().any(|fault| !fault.rebuilt) {
            return Err(LedgerError::LostTiles(faults));
        }
        if let Some(witnesses) = &core.witnesses {
            let (mut read, head) = core.read().await?;
            let anchored = witness::anchors::last_size(&mut *read).await?;
            core.beacons.load(&mut core.tree(&mut *read, &head), anchored).await?;
            let (note, _) = publish::publisher::read_checkpoint(&core).await?;
            witnesses.last_anchor(anchored);
            witnesses.learn(&note);
        }
        let queue = deal::sequencer::start(Arc::clone(&core));
        Ok(Self { reader: Reader { core }, queue })
    }

    async fn run(
        &self,
        mut command: Command,
        key: Option<IdempotencyKey>,
    ) -> Result<Done, LedgerError> {
        command.check(&self.core.options)?;
        command.sort();
        if let Some(witnesses) = &self.core.witnesses {
            witnesses.begun(self.core.options.publish_wait).await?;
        }
        self.core.accepts()?;
        let (reply, done) = oneshot::channel();
        let waiting = Box::new(Waiting { command, key, reply });
        self.queue.send(Message::Do(waiting)).await.map_err(|_| LedgerError::Closed)?;
        let done = done.await.map_err(|_| LedgerError::Closed)??;
        Ok(*done)
    }

    /// Publishes a commitment to a new server seed.
    pub async fn commit(
        &self,
        terms: NewCommit,
        key: Option<IdempotencyKey>,
    ) -> Result<Done, LedgerError> {
        self.run(Command::Commit(Box::new(terms)), key).await
    }

    /// Fixes a round's contributions.
    pub async fn lock(
        &self,
        commitment: Commitment,
        round: NewLock,
        key: Option<IdempotencyKey>,
    ) -> Result<Done, LedgerError> {
        self.run(Command::Lock(commitment, round), key).await
    }

    async fn deal_now(
        &self,
        commitment: Commitment,
        round: NewDeal,
        key: Option<IdempotencyKey>,
    ) -> Result<Done, LedgerError> {
        self.run(Command::Deal(commitment, round), key).await
    }

    /// Voids a round, or a commitment that was never used.
    pub async fn void(
        &self,
        commitment: Commitment,
        void: NewVoid,
        key: Option<IdempotencyKey>,
    ) -> Result<Done, LedgerError> {
        self.run(Command::Void(commitment, void, None), key).await
    }

    /// Makes a server seed public.
    pub async fn reveal(
        &self,
        commitment: Commitment,
        reveal: NewReveal,
        key: Option<IdempotencyKey>,
    ) -> Result<Done, LedgerError> {
        self.run(Command::Reveal(commitment, reveal), key).await
    }

    /// Writes memos, all or none. Of two with one key the last one counts. Waits for the batch that
    /// is being written.
    ///
    /// # Errors
    /// [`LedgerError::Invalid`]; [`LedgerError::Store`].
    pub async fn write_memos(&self, memos: Vec<Memo>) -> Result<(), LedgerError> {
        operate::memos::write(&self.core, &memos).await
    }

    /// Writes the memos whose keys are free, all or none. If two callers add one key at once, the
    /// first one stays.
    ///
    /// # Errors
    /// [`LedgerError::Invalid`]; [`LedgerError::Store`].
    pub async fn add_memos(&self, memos: Vec<Memo>) -> Result<(), LedgerError> {
        operate::memos::add(&self.core, memos).await
    }

    /// Ends a sealed round's play, so that its commitment may be revealed. Does nothing if the
    /// round was not in play.
    ///
    /// # Errors
    /// [`LedgerError::UnknownRound`] for a round that is not dealt yet.
    pub async fn round_done(
        &self,
        commitment: Commitment,
        nonce: Nonce,
    ) -> Result<(), LedgerError> {
        deal::in_play::done(&self.core, commitment, nonce).await
    }

    /// Reads every published file, while others deal. Rewrites a missing or damaged one if its bytes
    /// are still known.
    pub async fn check_tiles(&self) -> Result<Vec<TileFault>, LedgerError> {
        self.core.is_open()?;
        operate::tile_check::published_files(&self.core).await
    }

    /// The ledger's health, as this process knows it. Asks no store, and never waits.
    #[must_use]
    pub fn health(&self) -> Health {
        self.core.health()
    }

    /// Accepts the clock as it is now, after [`LedgerError::Clock`].
    pub fn confirm_clock(&self) {
        self.core.watch.confirm();
    }

    /// Finishes pending commands and closes the folder. Other handles on it then answer
    /// [`LedgerError::Closed`]. Publishing that fails is retried as long as a caller waits for it.
    ///
    /// # Errors
    /// [`LedgerError`] if a committed entry could not be published.
    pub async fn close(self) -> Result<(), LedgerError> {
        let (reply, closed) = oneshot::channel();
        self.queue.send(Message::Close(reply)).await.map_err(|_| LedgerError::Closed)?;
        closed.await.map_err(|_| LedgerError::Closed)?
    }
}
