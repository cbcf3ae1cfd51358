//! Opens a ledger to read it. Reading needs neither the writer's lock nor a disk that can be
//! written.

use std::sync::Arc;

use crate::core::Core;
use crate::deal::in_play;
use crate::error::LedgerError;
use crate::operate::memos;
use crate::operate::republish;
use crate::setup::folder;
use crate::setup::location::Location;
use crate::{BeaconOptions, LedgerOptions};
use fairdeal::deal::Commitment;
use fairdeal::log::VerifierKey;
use fairdeal::record::entry::{Origin, Table};

/// A handle on a ledger for reading. Cheap to clone. A [`Ledger`](crate::Ledger) is one too.
#[derive(Clone, Debug)]
pub struct Reader {
    pub(crate) core: Arc<Core>,
}

impl Reader {
    /// Opens a ledger only to read it. Publishes nothing, and waits for nobody.
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

    /// The number of connections that read the state at once; one more waits. `None`: any number.
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

    /// The chains of beacons that it knows, and its relays.
    #[must_use]
    pub fn beacons(&self) -> &BeaconOptions {
        &self.core.options.beacons
    }

    /// The first `most` tables after this one, in the order of their names' bytes, each with its
    /// last commitment.
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

    /// The keys and texts of this kind's memos whose key begins with `prefix` and comes after
    /// `after`: the first `most`, in byte order of the key.
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

    /// The rounds of a commitment whose sealed cards are in play, in order.
    pub async fn in_play(&self, commitment: Commitment) -> Result<Vec<u64>, LedgerError> {
        let mut read = self.core.state.read().await?;
        Ok(in_play::rounds(&mut *read, &commitment).await?.into_iter().collect())
    }

    /// Checks that the state continues a checkpoint from outside: a signed note of this log.
    ///
    /// # Errors
    /// [`LedgerError::ForeignNote`]; [`LedgerError::OlderState`] if the note has more entries;
    /// [`LedgerError::OtherTree`].
    pub async fn holds_against(&self, note: &str) -> Result<(), LedgerError> {
        let (mut read, head) = self.core.read().await?;
        republish::hold(&self.core, &mut *read, &head, note).await
    }

    /// Checks that the state can be read, that nothing has stopped the ledger, and that its clock
    /// is believed. After a write that found no space, permission or connection, also checks that a
    /// write succeeds again: it writes and removes memos.
    ///
    /// # Errors
    /// [`LedgerError`], why nothing can be dealt.
    pub async fn ready(&self) -> Result<(), LedgerError> {
        self.core.accepts()?;
        // This gives the connection back.
        let (_, head) = self.core.read().await?;
        Core::check_open(&head)?;
        self.core.watch.check(&head)?;
        if self.core.is_unwritten() {
            // A service that is not ready gets no deals, so that no deal would find this out.
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

    /// Closes the folder.
    pub async fn close(self) -> Result<(), LedgerError> {
        self.core.close();
        Ok(self.core.state.close().await?)
    }
}
