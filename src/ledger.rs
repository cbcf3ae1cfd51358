//! The operator's side: commands in, entries out (spec/ledger.md).
//!
//! A [`Ledger`] is a handle on a folder of its own. One database transaction is the only commit point: it judges each
//! command with [`record::Judge`](crate::record::Judge), deals, grows the tree and signs its checkpoint. What is
//! committed is then published as tiles, and only then answered.
//!
//! Not for verifying: whoever reads a log does so without this room.

mod batch;
mod check;
mod command;
mod core;
mod error;
mod fault;
mod folder;
mod judging;
mod keys;
mod publisher;
mod read;
mod sequencer;
mod tree;
mod watch;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use self::batch::Waiting;
use self::command::Command;
use self::core::Core;
use self::sequencer::Message;

pub use self::command::{Done, IdempotencyKey, NewCommit, NewDeal, NewLock, NewReveal, NewVoid, Summary};
pub use self::core::Parts;
pub use self::error::{ErrorKind, LedgerError, TileFault};
#[cfg(feature = "faults")]
pub use self::fault::FAULT_POINTS;
pub use self::keys::Keys;
use crate::deal::{Commitment, Nonce};
use crate::log::VerifierKey;
use crate::record::entry::Origin;
use crate::record::receipt::{Opening, Receipt};

/// A handle on an open ledger. Cheap to clone; all clones share one queue.
#[derive(Clone, Debug)]
pub struct Ledger {
    core: Arc<Core>,
    queue: mpsc::Sender<Message>,
}

/// How a ledger waits.
#[derive(Clone, Debug)]
pub struct LedgerOptions {
    /// How long to wait for another process's lock: 5 seconds.
    pub wait: Duration,
    /// How long the first command of a batch waits for others: 0.
    pub max_batch_delay: Duration,
}

impl Default for LedgerOptions {
    fn default() -> Self {
        Self { wait: Duration::from_secs(5), max_batch_delay: Duration::ZERO }
    }
}

impl Ledger {
    /// Makes new keys and an empty, signed log in a folder of its own, which may be there already if it is empty.
    ///
    /// # Errors
    /// [`LedgerError::NotEmpty`], or what the system says.
    pub async fn init(dir: &Path, origin: &Origin) -> Result<VerifierKey, LedgerError> {
        folder::init(dir, origin, &LedgerOptions::default()).await
    }

    /// Opens a ledger: checks modes, keys and what was published, and publishes what was not.
    ///
    /// It works on two tasks of the tokio runtime that this is called on, whose time must be enabled.
    ///
    /// # Errors
    /// [`LedgerError`], which names both values where two do not fit.
    pub async fn open(dir: &Path, options: LedgerOptions) -> Result<Self, LedgerError> {
        Self::open_on(Parts::of_folder(dir, options).await?).await
    }

    /// Opens a ledger on stores of one's own, in the same way.
    ///
    /// # Errors
    /// [`LedgerError`], as for [`open`](Self::open).
    pub async fn open_on(parts: Parts) -> Result<Self, LedgerError> {
        let core = Arc::new(Core::new(parts)?);
        let head = core.state.read().await?.head().await?;
        core.check_keys(&head)?;
        // What is published is held against the tree first: only then is anything written again after it.
        publisher::publish(&core, head.frontier.size()).await?;
        let faults = check::check(&core, check::Extent::Edge).await?;
        if faults.iter().any(|fault| !fault.rebuilt) {
            return Err(LedgerError::LostTiles(faults));
        }
        let queue = sequencer::start(Arc::clone(&core));
        Ok(Self { core, queue })
    }

    async fn run(&self, mut command: Command, key: Option<IdempotencyKey>) -> Result<Done, LedgerError> {
        command.check()?;
        command.sort();
        self.core.accepts()?;
        let (reply, done) = oneshot::channel();
        let waiting = Box::new(Waiting { command, key, reply });
        self.queue.send(Message::Do(waiting)).await.map_err(|_| LedgerError::Closed)?;
        done.await.map_err(|_| LedgerError::Closed)?
    }

    /// The key that the log's checkpoints are signed with.
    #[must_use]
    pub fn verifier_key(&self) -> &VerifierKey {
        self.core.key()
    }

    /// The log's name.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.core.origin
    }

    /// Publishes a commitment to a new server seed.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn commit(&self, terms: NewCommit, key: Option<IdempotencyKey>) -> Result<Done, LedgerError> {
        self.run(Command::Commit(Box::new(terms)), key).await
    }

    /// Fixes a round's contributions.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn lock(
        &self,
        commitment: Commitment,
        round: NewLock,
        key: Option<IdempotencyKey>,
    ) -> Result<Done, LedgerError> {
        self.run(Command::Lock(commitment, round), key).await
    }

    /// Deals a round.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn deal(
        &self,
        commitment: Commitment,
        round: NewDeal,
        key: Option<IdempotencyKey>,
    ) -> Result<Done, LedgerError> {
        self.run(Command::Deal(commitment, round), key).await
    }

    /// Voids a round, or a commitment that was never used.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn void(
        &self,
        commitment: Commitment,
        void: NewVoid,
        key: Option<IdempotencyKey>,
    ) -> Result<Done, LedgerError> {
        self.run(Command::Void(commitment, void), key).await
    }

    /// Makes a server seed public.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn reveal(
        &self,
        commitment: Commitment,
        reveal: NewReveal,
        key: Option<IdempotencyKey>,
    ) -> Result<Done, LedgerError> {
        self.run(Command::Reveal(commitment, reveal), key).await
    }

    /// A receipt of a round, or of the commitment alone, under the newest published checkpoint.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn receipt(
        &self,
        commitment: Commitment,
        nonce: Option<Nonce>,
    ) -> Result<Receipt, LedgerError> {
        read::receipt(&self.core, commitment, nonce).await
    }

    /// Shows some cards of a sealed deal, by their places in deal order.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn opening(
        &self,
        commitment: Commitment,
        nonce: Nonce,
        cards: &[u32],
    ) -> Result<Opening, LedgerError> {
        read::opening(&self.core, commitment, nonce, cards).await
    }

    /// One commitment, as far as it has come.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn show(&self, commitment: Commitment) -> Result<Summary, LedgerError> {
        read::show(&self.core, commitment).await
    }

    /// All commitments, in log order.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn list(&self) -> Result<Vec<Summary>, LedgerError> {
        read::list(&self.core).await
    }

    /// The newest published checkpoint, as a signed note.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn checkpoint(&self) -> Result<String, LedgerError> {
        read::checkpoint(&self.core).await
    }

    /// Reads every published tile, and writes again what is missing or damaged where its bytes are still known.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn check_tiles(&self) -> Result<Vec<TileFault>, LedgerError> {
        self.core.is_open()?;
        check::check(&self.core, check::Extent::All).await
    }

    /// Goes on after [`LedgerError::ClockJumped`]: the clock is right as it is now.
    pub fn confirm_clock(&self) {
        self.core.watch.confirm();
    }

    /// Finishes what is under way and lets go of the folder. Other handles on it find it closed.
    ///
    /// # Errors
    /// [`LedgerError`], where what is committed could not be published.
    pub async fn close(self) -> Result<(), LedgerError> {
        let (reply, closed) = oneshot::channel();
        self.queue.send(Message::Close(reply)).await.map_err(|_| LedgerError::Closed)?;
        closed.await.map_err(|_| LedgerError::Closed)?
    }
}
