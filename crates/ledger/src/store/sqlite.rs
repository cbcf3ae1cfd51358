//! State in one SQLite file, for any number of processes on one machine.
//!
//! WAL, so that reading never waits. synchronous=FULL, so that a COMMIT is on the disk when it
//! returns. A connection is closed after any error but damage that a read met: that rolls back its
//! transaction.

mod connection;
mod mend;
mod run;
mod schema;

use std::fmt;
use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _};

use self::connection::{Inner, Used, io_error, private_file};
use self::mend::Mending;
use super::StoreFuture;
use super::asks::reads;
use super::error::{Fault, StoreError, other_version};
use super::state::{
    Anew, Answer, Choice, Growth, Head, Lease, Memo, Read, RoundEntry, Segment, State, StoredLife,
    Transaction,
};
use super::{growth, queries};
use fairdeal::deal::{Commitment, Nonce};
use fairdeal::log::Hash;
use fairdeal::record::entry::Table;

/// A ledger's state in an SQLite file.
#[derive(Clone)]
pub struct Sqlite {
    inner: Arc<Inner>,
    /// Nothing can be written: a transaction is of one moment, and locks nothing.
    reads_only: bool,
}

/// A connection without a transaction: each query sees what is committed at that moment.
struct Reading {
    used: Used,
}

/// A connection that holds SQLite's write lock.
struct Writing {
    used: Used,
    /// The head as it was found under the lock, until it is asked for.
    head: Option<Head>,
    /// The files, where a new one is to take the place of a damaged one.
    mending: Option<Mending>,
}

impl Sqlite {
    /// Makes a new state file, with mode 0600 from the start; or goes on with one in which a kill
    /// left nothing.
    ///
    /// # Errors
    /// [`StoreError`], also where the file exists.
    pub async fn create(path: &Path, wait: Duration, first: &Head) -> Result<Self, StoreError> {
        let new = private_file().create_new(true).write(true).open(path);
        let this = Self::at(path, wait);
        if let Err(error) = new {
            let is_bare = error.kind() == std::io::ErrorKind::AlreadyExists
                && this.clone().checked().await.is_err_and(|found| found.fault == Fault::Missing);
            if !is_bare {
                return Err(io_error(path, &error));
            }
        }
        let mut used = this.inner.connect_to_write().await?;
        let made = schema::create(used.get()?, first).await;
        made.map_err(|e| this.inner.said(&e))?;
        used.give_back();
        Ok(this)
    }

    /// Opens a state file.
    ///
    /// # Errors
    /// [`StoreError`], also where there is none or its format is another.
    pub async fn open(path: &Path, wait: Duration) -> Result<Self, StoreError> {
        Self::at(path, wait).checked().await
    }

    /// Opens a state file for reading alone, also on a file system where nothing can be written.
    ///
    /// # Errors
    /// [`StoreError`], as for [`open`](Self::open).
    pub async fn open_to_read(path: &Path, wait: Duration) -> Result<Self, StoreError> {
        let options = Self::options(path, wait).read_only(true);
        let at =
            |options| Self { inner: Inner::new(path.to_owned(), wait, options), reads_only: true };
        let opened = at(options.clone()).checked().await;
        // Beside a file that nobody writes there is no log of changes, and none can be made where
        // nothing can be written.
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        let has_changes = std::fs::metadata(&log).is_ok_and(|log| log.len() > 0);
        match opened {
            Err(error) if error.fault == Fault::Denied && !has_changes => {
                at(options.immutable(true)).checked().await
            }
            opened => opened,
        }
    }

    fn at(path: &Path, wait: Duration) -> Self {
        let options = Self::options(path, wait)
            .journal_mode(SqliteJournalMode::Wal)
            // Idempotency keys come in no order: each touches another page. Pages are moved from
            // the log into the database many changes at a time.
            .pragma("wal_autocheckpoint", "4000");
        Self { inner: Inner::new(path.to_owned(), wait, options), reads_only: false }
    }

    fn options(path: &Path, wait: Duration) -> SqliteConnectOptions {
        SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(false)
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(wait)
            .disable_statement_logging()
    }

    async fn writing(&self) -> Result<Writing, StoreError> {
        let mut used = self.inner.connect_to_write().await?;
        let head =
            run::begin(used.get()?, self.reads_only).await.map_err(|e| self.inner.said(&e))?;
        // Under the lock: from here on nobody gives the name to another file.
        self.inner.check_in_place()?;
        Ok(Writing { used, head, mending: None })
    }

    /// The same, once its format is known to be ours.
    async fn checked(self) -> Result<Self, StoreError> {
        let mut used = self.inner.connect().await?;
        let format = schema::format(used.get()?).await.map_err(|e| self.inner.said(&e))?;
        let name = || self.inner.path.display().to_string();
        if schema::is_bare(used.get()?).await.map_err(|e| self.inner.said(&e))? {
            return Err(StoreError::new(Fault::Missing, name(), "it holds no ledger"));
        }
        if format != schema::FORMAT {
            return Err(StoreError::new(
                Fault::Denied,
                name(),
                other_version(schema::FORMAT, format),
            ));
        }
        used.give_back();
        Ok(self)
    }
}

impl State for Sqlite {
    fn begin(&self) -> StoreFuture<'_, Box<dyn Transaction>> {
        async move {
            let transaction: Box<dyn Transaction> = Box::new(self.writing().await?);
            Ok(transaction)
        }
        .boxed()
    }

    fn read(&self) -> StoreFuture<'_, Box<dyn Read>> {
        async move {
            let reading: Box<dyn Read> = Box::new(Reading { used: self.inner.connect().await? });
            Ok(reading)
        }
        .boxed()
    }

    fn drop_entries(&self, before: u64) -> StoreFuture<'_, ()> {
        async move {
            let mut writing = self.writing().await?;
            let dropped = growth::keep_from(writing.used.get()?, before).await;
            writing.used.settle_write(dropped)?;
            Box::new(writing).commit().await
        }
        .boxed()
    }

    fn write_memos<'a>(&'a self, memos: &'a [Memo]) -> StoreFuture<'a, ()> {
        async move {
            let mut writing = self.writing().await?;
            writing.head().await?.accepts()?;
            let written = growth::memos(writing.used.get()?, memos).await;
            writing.used.settle_write(written)?;
            Box::new(writing).commit().await
        }
        .boxed()
    }

    /// A kernel lock on a file next to the database. It ends with its process, and cannot expire
    /// under a slow one, as a time in a row could.
    fn lease(&self) -> StoreFuture<'_, Option<Lease>> {
        async move {
            let path = self.inner.path.with_file_name("publisher.lock");
            let file = match private_file().create(true).truncate(false).write(true).open(&path) {
                Err(_) if self.reads_only => match File::open(&path) {
                    // A process that cannot make this file does not publish.
                    Err(error) if error.kind() == ErrorKind::NotFound => {
                        return Ok(Some(Lease::new(())));
                    }
                    opened => opened,
                },
                opened => opened,
            };
            let file: File = file.map_err(|e| io_error(&path, &e))?;
            match file.try_lock() {
                Ok(()) => Ok(Some(Lease::new(file))),
                Err(TryLockError::WouldBlock) => Ok(None),
                Err(TryLockError::Error(error)) => Err(io_error(&path, &error)),
            }
        }
        .boxed()
    }

    fn scrub(&self) -> StoreFuture<'_, bool> {
        async move {
            let mut used = self.inner.connect_to_write().await?;
            let scrubbed = connection::scrub(used.get()?).await.map_err(|e| self.inner.said(&e))?;
            used.give_back();
            Ok(scrubbed)
        }
        .boxed()
    }

    fn close(&self) -> StoreFuture<'_, ()> {
        async move {
            for connection in self.inner.take_idle() {
                connection.close().await.map_err(|e| self.inner.said(&e))?;
            }
            Ok(())
        }
        .boxed()
    }
}

/// Asks a connection, and drops it after an error that is none of the rows.
macro_rules! asked {
    ($self:ident, queries::$ask:ident($($with:expr),*)) => {
        async move {
            let found = queries::$ask($self.used.get()? $(, $with)*).await;
            $self.used.settle(found)
        }
        .boxed()
    };
}

/// The same, but for the head that is there already.
macro_rules! asked_once {
    ($self:ident, queries::head()) => {
        match $self.head.take() {
            Some(head) => std::future::ready(Ok(head)).boxed(),
            None => asked!($self, queries::head()),
        }
    };
    ($($asked:tt)*) => { asked!($($asked)*) };
}

reads!(Reading, asked);
reads!(Writing, asked_once);

impl Drop for Reading {
    fn drop(&mut self) {
        self.used.keep();
    }
}

impl Transaction for Writing {
    fn write<'a>(&'a mut self, growth: &'a Growth) -> StoreFuture<'a, ()> {
        async move {
            self.head = None;
            let written = growth::grow(self.used.get()?, growth).await;
            self.used.settle_write(written)
        }
        .boxed()
    }

    fn reseal<'a>(&'a mut self, lives: &'a [StoredLife]) -> StoreFuture<'a, ()> {
        async move {
            let written = growth::reseal(self.used.get()?, lives).await;
            self.used.settle_write(written)
        }
        .boxed()
    }

    fn anew(self: Box<Self>) -> StoreFuture<'static, Anew> {
        async move {
            let (writing, kept) = mend::begin(self.used).await?;
            Ok(Anew { transaction: Box::new(writing), keeps: Some(kept) })
        }
        .boxed()
    }

    fn commit(self: Box<Self>) -> StoreFuture<'static, ()> {
        async move {
            let Self { mut used, mending, .. } = *self;
            used.run("COMMIT").await?;
            match mending {
                Some(mending) => mending.done(used).await?,
                None => used.give_back(),
            }
            Ok(())
        }
        .boxed()
    }

    fn roll_back(self: Box<Self>) -> StoreFuture<'static, ()> {
        async move {
            let Self { mut used, mending, .. } = *self;
            used.run("ROLLBACK").await?;
            match mending {
                Some(mending) => mending.undone(used).await?,
                None => used.give_back(),
            }
            Ok(())
        }
        .boxed()
    }
}

impl fmt::Debug for Sqlite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sqlite").field("path", &self.inner.path).finish_non_exhaustive()
    }
}
