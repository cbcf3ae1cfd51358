//! Questions to a ledger that change nothing, so that they need not wait for who writes, nor a disk that can be written.

use std::sync::Arc;

use crate::LedgerOptions;
use crate::core::Core;
use crate::deal::command::Summary;
use crate::deal::in_play;
use crate::error::LedgerError;
use crate::operate::memos;
use crate::operate::republish;
use crate::read::find::{self, Named};
use crate::read::published;
use crate::read::queries;
use crate::read::receipts::{self, Asked, Proved};
use crate::read::rounds::{self, LoggedRound};
use crate::setup::folder;
use crate::setup::location::Location;
use crate::store::Choice;
use fairdeal::deal::{Commitment, Nonce};
use fairdeal::log::{TilePath, VerifierKey};
use fairdeal::record::entry::{Origin, Table};
use fairdeal::record::receipt::{Opening, Receipt};

/// A handle on a ledger for reading. Cheap to clone. A [`Ledger`](crate::Ledger) is one too.
#[derive(Clone, Debug)]
pub struct Reader {
    pub(crate) core: Arc<Core>,
}

impl Reader {
    /// Opens a ledger for reading alone: nothing is published, and nothing is waited for.
    ///
    /// # Errors
    /// [`LedgerError`]; where two values differ, it names both.
    pub async fn open(
        at: impl Into<Location>,
        options: LedgerOptions,
    ) -> Result<Self, LedgerError> {
        let core = Arc::new(Core::new(folder::open_to_read(&at.into(), options).await?)?);
        core.read().await?;
        Ok(Self { core })
    }

    /// How many can read the state at once, where one more waits for another. `None`: any number.
    #[must_use]
    pub fn readers(&self) -> Option<usize> {
        self.core.state.readers()
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

    /// A receipt of a round, or of the commitment alone, under the newest published checkpoint.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn receipt(
        &self,
        commitment: Commitment,
        nonce: Option<Nonce>,
    ) -> Result<Receipt, LedgerError> {
        receipts::receipt(&self.core, commitment, nonce).await
    }

    /// An opening of some cards of a sealed deal, by their places in deal order from 0.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn opening(
        &self,
        commitment: Commitment,
        nonce: Nonce,
        cards: &[u32],
    ) -> Result<Opening, LedgerError> {
        queries::opening(&self.core, commitment, nonce, cards).await
    }

    /// The state of one commitment.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn show(&self, commitment: Commitment) -> Result<Summary, LedgerError> {
        queries::show(&self.core, commitment).await
    }

    /// The state of the chosen commitments in log order: the first `most` whose index is at least `from`.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn list(
        &self,
        choice: &Choice,
        from: u64,
        most: u32,
    ) -> Result<Vec<Summary>, LedgerError> {
        queries::list(&self.core, choice, from, most).await
    }

    /// The first `most` tables after this one, in the order of their names' bytes, each with its last commitment.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn tables(
        &self,
        after: Option<&Table>,
        most: u32,
    ) -> Result<Vec<(Table, Commitment)>, LedgerError> {
        self.core.is_open()?;
        let mut read = self.core.state.read().await?;
        let names = read.tables_after(after, most).await?;
        Ok(read.tables(&names).await?)
    }

    /// The commitment that somebody means.
    ///
    /// # Errors
    /// [`LedgerError::UnknownDigits`], [`LedgerError::UnknownTable`],
    /// [`LedgerError::NothingOpen`], [`LedgerError::Several`].
    pub async fn find(&self, named: &Named) -> Result<Commitment, LedgerError> {
        find::find(&self.core, named).await
    }

    /// One round, proved to be in the published log.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn round(
        &self,
        commitment: Commitment,
        nonce: Nonce,
    ) -> Result<LoggedRound, LedgerError> {
        queries::round(&self.core, commitment, nonce).await
    }

    /// The first `most` rounds of a commitment from the round `from` on, in order.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn rounds(
        &self,
        commitment: Commitment,
        from: u64,
        most: u32,
    ) -> Result<Vec<LoggedRound>, LedgerError> {
        rounds::rounds(&self.core, commitment, from, most).await
    }

    /// The keys and texts of this kind's memos whose key begins with `prefix` and comes after `after`: the first `most`, in
    /// byte order of the key.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn memos(
        &self,
        kind: &str,
        prefix: &str,
        after: Option<&str>,
        most: u32,
    ) -> Result<Vec<(String, String)>, LedgerError> {
        self.core.is_open()?;
        Ok(self.core.state.read().await?.memos(kind, prefix, after, most).await?)
    }

    /// Receipts as by [`receipt`](Self::receipt), with the terms of their commitments, all under one checkpoint: cheaper than one
    /// by one.
    ///
    /// # Errors
    /// [`LedgerError`] where the log cannot be read; within, why one receipt cannot be made.
    pub async fn receipts(&self, asked: &[Asked]) -> Result<Vec<Proved>, LedgerError> {
        receipts::receipts(&self.core, asked).await
    }

    /// The rounds of a commitment whose sealed cards are in play, in order.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn in_play(&self, commitment: Commitment) -> Result<Vec<u64>, LedgerError> {
        let mut read = self.core.state.read().await?;
        Ok(in_play::rounds(&mut *read, &commitment).await?.into_iter().collect())
    }

    /// How many entries the published checkpoint covers.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn published_size(&self) -> Result<u64, LedgerError> {
        published::size(&self.core).await
    }

    /// The same, as far as this process has seen it: nothing is read.
    #[must_use]
    pub fn known_size(&self) -> u64 {
        published::known_size(&self.core)
    }

    /// A published file's bytes; `None` if there is none of that path.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn published_file(&self, path: TilePath) -> Result<Option<Vec<u8>>, LedgerError> {
        published::file(&self.core, path).await
    }

    /// The bytes of published entries from an index on: as many as their bundle has, at most `most`. None where the log ends
    /// before.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn entries(&self, from: u64, most: u32) -> Result<Vec<(u64, Vec<u8>)>, LedgerError> {
        published::entries(&self.core, from, most).await
    }

    /// Holds the state against a checkpoint that the world has: a signed note of this log.
    ///
    /// # Errors
    /// [`LedgerError::ForeignNote`]; [`LedgerError::OlderState`] where the world has more; [`LedgerError::OtherTree`].
    pub async fn holds_against(&self, note: &str) -> Result<(), LedgerError> {
        let (mut read, head) = self.core.read().await?;
        republish::hold(&self.core, &mut *read, &head, note).await
    }

    /// Checks that the state can be read, that nothing has stopped the ledger, and that its clock is believed. After a write
    /// that found no space, no right or no way, also that one succeeds again: by memos that it writes and removes.
    ///
    /// # Errors
    /// [`LedgerError`], why nothing can be dealt.
    pub async fn ready(&self) -> Result<(), LedgerError> {
        self.core.accepts()?;
        // Its connection is free for what follows.
        let (_, head) = self.core.read().await?;
        Core::check_open(&head)?;
        self.core.watch.check(&head)?;
        if self.core.is_unwritten() {
            // Who is not ready is asked for no deal that would find it out.
            memos::try_space(&self.core).await?;
        }
        // Noted before the checkpoint is read, and judged after it.
        let _noted = self.core.any_behind(&head);
        self.published_size().await?;
        self.core.any_behind(&head).map_or(Ok(()), Err)
    }

    /// Checks that the clock is believed: else no entry could get its time.
    ///
    /// # Errors
    /// [`LedgerError`], with the time that was expected and the one that was found.
    pub async fn believes_clock(&self) -> Result<(), LedgerError> {
        let (_, head) = self.core.read().await?;
        self.core.watch.check(&head)
    }

    /// The newest published checkpoint, as a signed note.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn checkpoint(&self) -> Result<String, LedgerError> {
        queries::checkpoint(&self.core).await
    }

    /// Closes the folder.
    ///
    /// # Errors
    /// [`LedgerError`].
    pub async fn close(self) -> Result<(), LedgerError> {
        self.core.close();
        Ok(self.core.state.close().await?)
    }
}
