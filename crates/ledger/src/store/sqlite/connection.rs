//! Connections to the file, and the kinds of SQLite's errors.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions as _, Connection as _};

use crate::store::error::{Fault, StoreError, fault_of};
use crate::store::rows::table;

/// The most idle connections that read, besides the one that writes.
const IDLE: usize = 4;

/// One file, and its idle connections.
pub(super) struct Inner {
    pub(super) path: PathBuf,
    pub(super) wait: Duration,
    options: SqliteConnectOptions,
    /// The file that had this name when it was opened: its device and its inode.
    file: Option<(u64, u64)>,
    /// Connections that no task uses. Each task takes one and puts it back, under this lock.
    idle: Mutex<Idle>,
}

/// A writer takes the connection that wrote last: the writes of another one empty its cache of the
/// file, and a batch's statements are long to prepare.
#[derive(Default)]
struct Idle {
    writer: Option<SqliteConnection>,
    readers: Vec<SqliteConnection>,
}

/// A connection in use. Only [`Used::give_back`] keeps it.
pub(super) struct Used {
    pub(super) inner: Arc<Inner>,
    pub(super) connection: Option<SqliteConnection>,
    writes: bool,
    /// It has met a damaged page. Whoever has it may go on; nobody else gets it.
    is_suspect: bool,
}

impl Inner {
    pub(super) fn new(path: PathBuf, wait: Duration, options: SqliteConnectOptions) -> Arc<Self> {
        Arc::new(Self { file: file_at(&path), path, wait, options, idle: Mutex::default() })
    }

    /// Refuses to write into a file whose name another one has by now, as after a repair: two
    /// states would be dealt from.
    pub(super) fn check_in_place(&self) -> Result<(), StoreError> {
        if file_at(&self.path) == self.file {
            return Ok(());
        }
        let says = "another file has this name since it was opened: open the ledger again";
        Err(StoreError::new(Fault::Denied, self.path.display().to_string(), says))
    }

    fn idle(&self) -> MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All idle connections.
    pub(super) fn take_idle(&self) -> impl Iterator<Item = SqliteConnection> {
        let Idle { writer, readers } = std::mem::take(&mut *self.idle());
        writer.into_iter().chain(readers)
    }

    /// A connection to read with.
    pub(super) async fn connect(self: &Arc<Self>) -> Result<Used, StoreError> {
        let idle = {
            let mut idle = self.idle();
            idle.readers.pop().or_else(|| idle.writer.take())
        };
        self.used(idle, false).await
    }

    /// A connection to write with.
    pub(super) async fn connect_to_write(self: &Arc<Self>) -> Result<Used, StoreError> {
        let idle = {
            let mut idle = self.idle();
            idle.writer.take().or_else(|| idle.readers.pop())
        };
        self.used(idle, true).await
    }

    async fn used(
        self: &Arc<Self>,
        idle: Option<SqliteConnection>,
        writes: bool,
    ) -> Result<Used, StoreError> {
        let connection = match idle {
            Some(connection) => connection,
            None => self.options.connect().await.map_err(|e| self.said(&e))?,
        };
        Ok(Used {
            inner: Arc::clone(self),
            connection: Some(connection),
            writes,
            is_suspect: false,
        })
    }

    pub(super) fn said(&self, error: &sqlx::Error) -> StoreError {
        let fault = fault(error);
        // SQLite says "(code: 4874) disk I/O error" too where nothing but space is missing.
        let says = match error {
            _ if fault == Fault::NoSpace => "no space is left on the disk".to_owned(),
            sqlx::Error::Decode(says) => says.to_string(),
            other => other.to_string(),
        };
        StoreError {
            table: table(error),
            ..StoreError::new(fault, self.path.display().to_string(), says)
        }
    }
}

impl Used {
    pub(super) fn get(&mut self) -> Result<&mut SqliteConnection, StoreError> {
        let gone = || {
            StoreError::new(Fault::Unknown, self.inner.path.display().to_string(), "not connected")
        };
        self.connection.as_mut().ok_or_else(gone)
    }

    /// Runs one constant statement.
    pub(super) async fn run(&mut self, statement: &'static str) -> Result<(), StoreError> {
        let done = sqlx::query(statement).execute(self.get()?).await;
        done.map(|_| ()).map_err(|e| self.inner.said(&e))
    }

    /// Drops the connection after an error of a read. Damage says nothing against the connection:
    /// SQLite keeps the transaction, and other rows can be read in it.
    pub(super) fn settle<T>(&mut self, found: Result<T, sqlx::Error>) -> Result<T, StoreError> {
        found.map_err(|e| {
            let said = self.inner.said(&e);
            if said.fault != Fault::Damaged {
                self.connection = None;
            }
            self.is_suspect |= matches!(e, sqlx::Error::Database(_));
            said
        })
    }

    /// Drops the connection after any error of a write: what was half done must not be committed.
    pub(super) fn settle_write<T>(
        &mut self,
        written: Result<T, sqlx::Error>,
    ) -> Result<T, StoreError> {
        written.map_err(|e| {
            self.connection = None;
            self.inner.said(&e)
        })
    }

    /// Closes the connection.
    pub(super) async fn close(&mut self) -> Result<(), StoreError> {
        match self.connection.take() {
            Some(connection) => connection.close().await.map_err(|e| self.inner.said(&e)),
            None => Ok(()),
        }
    }

    /// Keeps the connection: nothing failed, and no transaction is open.
    pub(super) fn give_back(mut self) {
        self.keep();
    }

    /// The same for an owner that cannot give it away.
    pub(super) fn keep(&mut self) {
        let Some(connection) = self.connection.take().filter(|_| !self.is_suspect) else { return };
        let mut idle = self.inner.idle();
        if self.writes && idle.writer.is_none() {
            idle.writer = Some(connection);
        } else if idle.readers.len() < IDLE {
            idle.readers.push(connection);
        }
    }
}

/// Writes the tables again, so that no page has bytes of rows that were replaced, and empties the
/// log of changes. `false` if another connection is in the way.
pub(super) async fn scrub(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    let is_busy = |error: &sqlx::Error| {
        let code = error.as_database_error().and_then(|error| error.code()?.parse::<u32>().ok());
        code.is_some_and(|code| matches!(code & 0xff, 5 | 6))
    };
    match sqlx::query("VACUUM").execute(&mut *connection).await {
        Ok(_) => {}
        Err(error) if is_busy(&error) => return Ok(false),
        Err(error) => return Err(error),
    }
    let busy: i64 =
        sqlx::query_scalar("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&mut *connection).await?;
    Ok(busy == 0)
}

/// The kind of an SQLite error. In its extended result codes the low byte is the class.
pub(super) fn fault(error: &sqlx::Error) -> Fault {
    match error {
        sqlx::Error::Database(database) => {
            let code =
                database.code().and_then(|code| code.parse::<u32>().ok()).unwrap_or_default();
            // SQLITE_IOERR_SHMSIZE: the WAL index cannot grow; usually the disk is full.
            if code == 4874 {
                return Fault::NoSpace;
            }
            match code & 0xff {
                5 | 6 => Fault::Busy,
                13 => Fault::NoSpace,
                3 | 8 | 14 | 23 => Fault::Denied,
                11 | 26 => Fault::Damaged,
                10 => Fault::Disk,
                _ => Fault::Unknown,
            }
        }
        sqlx::Error::Io(error) => fault_of(error),
        sqlx::Error::RowNotFound => Fault::Missing,
        sqlx::Error::ColumnDecode { .. }
        | sqlx::Error::Decode(_)
        | sqlx::Error::ColumnNotFound(_) => Fault::Damaged,
        _ => Fault::Unknown,
    }
}

pub(super) fn io_error(path: &Path, error: &std::io::Error) -> StoreError {
    let fault = match error.kind() {
        std::io::ErrorKind::AlreadyExists => Fault::Denied,
        _ => fault_of(error),
    };
    StoreError::new(fault, path.display().to_string(), error.to_string())
}

/// The device and the number of the file with this name.
#[cfg(unix)]
fn file_at(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(path).ok().map(|found| (found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn file_at(_path: &Path) -> Option<(u64, u64)> {
    None
}

/// Options for a file with mode 0600.
pub(super) fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
