//! The operator's side: commands in, entries out (spec/ledger.md).
//!
//! A [`Ledger`] is a handle on a folder of its own. One database transaction is the only commit point: it judges each
//! command with [`record::Judge`](crate::record::Judge), deals, grows the tree and signs its checkpoint. What is
//! committed is then published as tiles, and only then answered.
//!
//! Not for verifying: whoever reads a log does so without this room.

mod command;
mod error;

use std::path::Path;
use std::time::Duration;

pub use self::command::{Done, IdempotencyKey, NewDeal, NewLock, NewReveal, NewVoid, Summary, Terms};
pub use self::error::{ErrorKind, LedgerError, TileFault};
use crate::deal::{Commitment, Nonce};
use crate::log::VerifierKey;
use crate::record::entry::Origin;
use crate::record::receipt::{Opening, Receipt};

/// A handle on an open ledger. Cheap to clone; all clones share one queue.
#[derive(Clone, Debug)]
pub struct Ledger {
    key: VerifierKey,
    origin: Origin,
}

/// How a ledger waits.
#[derive(Clone, Debug)]
pub struct Options {
    /// How long to wait for another process's lock: 5 seconds.
    pub wait: Duration,
    /// How long the first command of a batch waits for others: 0.
    pub max_batch_delay: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self { wait: Duration::from_secs(5), max_batch_delay: Duration::ZERO }
    }
}

#[expect(clippy::unused_async, unused_variables, reason = "filled in by the next commits")]
impl Ledger {
    /// Makes new keys and an empty, signed log in a folder of its own, which may be there already if it is empty.
    ///
    /// # Errors
    /// [`LedgerError::NotEmpty`], or what the system says.
    pub async fn init(dir: &Path, origin: &Origin) -> Result<VerifierKey, LedgerError> {
        Err(LedgerError::Closed)
    }

    /// Opens a ledger: checks modes, keys and what was published, and publishes what was not.
    ///
    /// # Errors
    /// [`LedgerError`], which names both values where two do not fit.
    pub async fn open(dir: &Path, options: Options) -> Result<Self, LedgerError> {
        Err(LedgerError::Closed)
    }

    /// The key that the log's checkpoints are signed with.
    #[must_use]
    pub fn verifier_key(&self) -> &VerifierKey {
        &self.key
    }

    /// The log's name.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Publishes a commitment to a new server seed.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn commit(&self, terms: Terms, key: Option<IdempotencyKey>) -> Result<Done, LedgerError> {
        Err(LedgerError::Closed)
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
        Err(LedgerError::Closed)
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
        Err(LedgerError::Closed)
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
        Err(LedgerError::Closed)
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
        Err(LedgerError::Closed)
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
        Err(LedgerError::Closed)
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
        Err(LedgerError::Closed)
    }

    /// One commitment, as far as it has come.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn show(&self, commitment: Commitment) -> Result<Summary, LedgerError> {
        Err(LedgerError::Closed)
    }

    /// All commitments, in log order.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn list(&self) -> Result<Vec<Summary>, LedgerError> {
        Err(LedgerError::Closed)
    }

    /// The newest published checkpoint, as a signed note.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn checkpoint(&self) -> Result<String, LedgerError> {
        Err(LedgerError::Closed)
    }

    /// Reads every published tile, and writes again what is missing or damaged where its bytes are still known.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn check_tiles(&self) -> Result<Vec<TileFault>, LedgerError> {
        Err(LedgerError::Closed)
    }

    /// Goes on after [`LedgerError::ClockJumped`]: the clock is right as it is now.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn confirm_clock(&self) -> Result<(), LedgerError> {
        Err(LedgerError::Closed)
    }

    /// Finishes what is under way and lets go of the folder. Other handles on it find it closed.
    ///
    /// # Errors
    /// [`LedgerError`], where what is committed could not be published.
    pub async fn close(self) -> Result<(), LedgerError> {
        Err(LedgerError::Closed)
    }
}
