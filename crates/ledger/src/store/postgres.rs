//! State in one schema of a PostgreSQL database, for any number of nodes.
//!
//! The lock of the one row of `ledger` is the tree's head: a transaction that writes takes it
//! first, so that writers come one after the other, and what a writer reads after it is what the
//! one before has committed (READ COMMITTED is enough). Readers wait for nobody. It needs a server
//! that keeps what it has committed (`fsync = on`, which is PostgreSQL's default), and a session of
//! its own for each connection: no pooler that hands sessions around.
//!
//! A connection is closed after any error: that rolls back its transaction.

mod connection;
mod run;
mod schema;
mod url;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use sqlx::Connection as _;
use sqlx::postgres::PgConnection;
use tokio::sync::OwnedMutexGuard;

use self::connection::{Inner, Used, in_time};
use self::url::Place;
use super::StoreFuture;
use super::asks::reads;
use super::error::{Fault, StoreError};
use super::state::{
    Anew, Answer, Choice, Growth, Head, Lease, Memo, Read, RoundEntry, Segment, State, StoredLife,
    Transaction,
};
use super::{growth, queries};
use fairdeal::deal::{Commitment, Nonce};
use fairdeal::log::Hash;
use fairdeal::record::entry::Table;

/// The time to wait for this process's own lease, which another task lets go.
const OWN_LEASE: Duration = Duration::from_millis(100);

/// A ledger's state in a PostgreSQL schema.
#[derive(Clone)]
pub struct Postgres {
    inner: Arc<Inner>,
}

/// A connection without a transaction: each query sees what is committed at that moment.
struct Reading(Used);

/// A connection with a transaction that holds the head's row.
struct Writing(Used);

impl Postgres {
    /// Makes the schema that a URL names, if it is not there, and in it the tables of a new state.
    ///
    /// # Errors
    /// [`StoreError`], also where the schema holds a ledger. It never has the URL's password.
    pub async fn create(url: &str, wait: Duration, first: &Head) -> Result<Self, StoreError> {
        let this = Self::at(url, wait)?;
        schema::create(&this.inner, first).await?;
        Ok(this)
    }

    /// Opens a state: `postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME`, with the schema
    /// `fairdeal` where none is named. Without a password, that of `PGPASSWORD` or of `~/.pgpass`
    /// is used. Nothing is written: a standby is opened too.
    ///
    /// # Errors
    /// [`StoreError`], also where there is none or its tables are of another version.
    pub async fn open(url: &str, wait: Duration) -> Result<Self, StoreError> {
        let this = Self::at(url, wait)?;
        schema::check(&this.inner).await?;
        Ok(this)
    }

    fn at(url: &str, wait: Duration) -> Result<Self, StoreError> {
        Ok(Self { inner: Arc::new(Inner::new(Place::parse(url)?, wait)) })
    }

    /// A connection with a transaction that holds the head's row.
    async fn locked(&self) -> Result<Used, StoreError> {
        let mut tries = 0;
        loop {
            let mut used = self.inner.connect(&self.inner.writers).await?;
            match used.run("BEGIN; SELECT FROM ledger WHERE id = 0 FOR UPDATE").await {
                Ok(()) => return Ok(used),
                // All that were idle may be gone.
                Err(StoreError { fault: Fault::Unreachable, .. })
                    if tries < connection::WRITERS =>
                {
                    tries += 1;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// The lease, if `lock` locks it in this process's session.
    async fn leased(
        &self,
        lock: impl AsyncFn(&mut PgConnection) -> Result<bool, sqlx::Error>,
    ) -> Result<Option<Lease>, StoreError> {
        let own = tokio::time::timeout(OWN_LEASE, Arc::clone(&self.inner.lease).lock_owned()).await;
        let Ok(mut session) = own else { return Ok(None) };
        // Taken out: whoever stops waiting for an answer drops the session, and the server lets go
        // of what it has locked.
        let idle = session.take();
        let asked = async |mut idle: PgConnection| {
            let held = in_time(self.inner.wait, lock(&mut idle)).await?;
            Ok::<_, sqlx::Error>((idle, held))
        };
        let found = match idle {
            Some(idle) => asked(idle).await.ok(),
            None => None,
        };
        // A session that was idle may be gone. Then a new one is asked.
        let (used, held) = match found {
            Some(found) => found,
            None => {
                asked(self.inner.connect_alone().await?).await.map_err(|e| self.inner.said(&e))?
            }
        };
        *session = Some(used);
        Ok(held.then(|| Lease::new(Held(Some(session)))))
    }
}

impl State for Postgres {
    fn begin(&self) -> StoreFuture<'_, Box<dyn Transaction>> {
        async move {
            let transaction: Box<dyn Transaction> = Box::new(Writing(self.locked().await?));
            Ok(transaction)
        }
        .boxed()
    }

    fn read(&self) -> StoreFuture<'_, Box<dyn Read>> {
        async move {
            let used = self.inner.connect(&self.inner.readers).await?;
            let reading: Box<dyn Read> = Box::new(Reading(used));
            Ok(reading)
        }
        .boxed()
    }

    fn readers(&self) -> Option<usize> {
        usize::try_from(connection::READERS).ok()
    }

    fn time(&self) -> StoreFuture<'_, Option<u64>> {
        async move {
            let mut used = self.inner.connect(&self.inner.readers).await?;
            let time = in_time(self.inner.wait, server_time(used.get()?)).await;
            let time = used.settle(time)?;
            used.give_back();
            Ok(Some(time))
        }
        .boxed()
    }

    fn drop_entries(&self, before: u64) -> StoreFuture<'_, ()> {
        async move {
            let mut used = self.locked().await?;
            let dropped = in_time(self.inner.wait, growth::keep_from(used.get()?, before)).await;
            used.settle(dropped)?;
            used.commit().await?;
            used.give_back();
            Ok(())
        }
        .boxed()
    }

    fn write_memos<'a>(&'a self, memos: &'a [Memo]) -> StoreFuture<'a, ()> {
        async move {
            let mut used = self.locked().await?;
            let head = in_time(self.inner.wait, queries::head(used.get()?)).await;
            used.settle(head)?.accepts()?;
            let written = in_time(self.inner.wait, growth::memos(used.get()?, memos)).await;
            used.settle(written)?;
            used.commit().await?;
            used.give_back();
            Ok(())
        }
        .boxed()
    }

    /// An advisory lock of a separate session. It ends with its connection, even while its holder
    /// goes on: a server that restarts, or a network that is cut, ends it. Two that publish at once
    /// harm nothing: a tile is created and never written over, and its bytes follow from the
    /// entries; in a bucket, a checkpoint is replaced only if it is the one that was read before.
    /// (A folder that several machines share has no such condition: the older checkpoint may stand
    /// there until the next one is written.)
    fn lease(&self) -> StoreFuture<'_, Option<Lease>> {
        self.leased(try_lock).boxed()
    }

    /// The server hands the lock to who has waited longest.
    fn next_lease(&self) -> StoreFuture<'_, Option<Lease>> {
        self.leased(wait_for_lock).boxed()
    }

    fn close(&self) -> StoreFuture<'_, ()> {
        async move {
            // A lease that is still held lets go by itself.
            if let Ok(mut session) = self.inner.lease.try_lock()
                && let Some(session) = session.take()
            {
                session.close().await.map_err(|e| self.inner.said(&e))?;
            }
            self.inner.readers.close().await;
            self.inner.writers.close().await;
            Ok(())
        }
        .boxed()
    }
}

/// The server's clock, in Unix milliseconds.
async fn server_time(connection: &mut PgConnection) -> Result<u64, sqlx::Error> {
    let asked = sqlx::query_scalar("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint");
    let time: i64 = asked.fetch_one(connection).await?;
    Ok(u64::try_from(time).unwrap_or(0))
}

/// Makes all indexes again, and empties the tables that follow from the log.
async fn clear_derived(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    // A wrong index would delete other rows.
    let statements = "REINDEX TABLE commitment; REINDEX TABLE life; REINDEX TABLE chain; \
         REINDEX TABLE tail; REINDEX TABLE round; REINDEX TABLE node; REINDEX TABLE answer; \
         REINDEX TABLE memo; DELETE FROM life; DELETE FROM chain; DELETE FROM tail; \
         DELETE FROM round; DELETE FROM node";
    sqlx::raw_sql(statements).execute(connection).await.map(drop)
}

/// The session that has the right to publish.
struct Held(Option<OwnedMutexGuard<Option<PgConnection>>>);

/// The advisory lock of this schema's ledger: a number of ours, and one of its table.
macro_rules! advisory {
    ($call:literal) => {
        concat!(
            "SELECT ",
            $call,
            "(1717659002, ('ledger'::regclass::oid::bigint - 2147483648)::int)"
        )
    };
}

async fn try_lock(session: &mut PgConnection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(advisory!("pg_try_advisory_lock")).fetch_one(session).await
}

/// `false` if another session has it for longer than `lock_timeout`.
async fn wait_for_lock(session: &mut PgConnection) -> Result<bool, sqlx::Error> {
    match sqlx::query(advisory!("pg_advisory_lock")).execute(session).await {
        Ok(_) => Ok(true),
        Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some("55P03") => Ok(false),
        Err(error) => Err(error),
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let Some(mut session) = self.0.take() else { return };
        // Without its connection the server lets go too.
        let Some(mut held) = session.take() else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            let unlocked = sqlx::query_scalar(advisory!("pg_advisory_unlock")).fetch_one(&mut held);
            if matches!(in_time(Duration::ZERO, unlocked).await, Ok(true)) {
                *session = Some(held);
            }
        });
    }
}

/// Asks in the transaction, and ends it after an error.
macro_rules! asked {
    ($self:ident, queries::$ask:ident($($with:expr),*)) => {
        async move {
            let wait = $self.0.inner.wait;
            let found = in_time(wait, queries::$ask($self.0.get()? $(, $with)*)).await;
            $self.0.settle(found)
        }
        .boxed()
    };
}

/// Asks, and asks again where the connection was gone: outside a transaction nothing depends on it.
macro_rules! asked_again {
    ($self:ident, queries::$ask:ident($($with:expr),*)) => {
        async move {
            let wait = $self.0.inner.wait;
            let found = in_time(wait, queries::$ask($self.0.get()? $(, $with)*)).await;
            match $self.0.settle(found) {
                Err(StoreError { fault: Fault::Unreachable, .. }) => {
                    let inner = Arc::clone(&$self.0.inner);
                    $self.0 = inner.connect(&inner.readers).await?;
                    let found = in_time(wait, queries::$ask($self.0.get()? $(, $with)*)).await;
                    $self.0.settle(found)
                }
                settled => settled,
            }
        }
        .boxed()
    };
}

reads!(Reading, asked_again);
reads!(Writing, asked);

impl Drop for Reading {
    fn drop(&mut self) {
        self.0.free();
    }
}

impl Transaction for Writing {
    fn write<'a>(&'a mut self, growth: &'a Growth) -> StoreFuture<'a, ()> {
        async move {
            let written = in_time(self.0.inner.wait, growth::grow(self.0.get()?, growth)).await;
            self.0.settle(written)
        }
        .boxed()
    }

    fn reseal<'a>(&'a mut self, lives: &'a [StoredLife]) -> StoreFuture<'a, ()> {
        async move {
            let written = in_time(self.0.inner.wait, growth::reseal(self.0.get()?, lives)).await;
            self.0.settle(written)
        }
        .boxed()
    }

    fn take_long(&mut self) -> StoreFuture<'_, ()> {
        async move { self.0.run("SET LOCAL idle_in_transaction_session_timeout = 0").await }.boxed()
    }

    fn anew(mut self: Box<Self>) -> StoreFuture<'static, Anew> {
        async move {
            let cleared = in_time(self.0.inner.wait, clear_derived(self.0.get()?)).await;
            self.0.settle(cleared)?;
            Ok(Anew { transaction: self, keeps: None })
        }
        .boxed()
    }

    fn commit(self: Box<Self>) -> StoreFuture<'static, ()> {
        async move {
            let mut used = self.0;
            used.commit().await?;
            used.give_back();
            Ok(())
        }
        .boxed()
    }

    fn roll_back(self: Box<Self>) -> StoreFuture<'static, ()> {
        async move {
            let mut used = self.0;
            used.run("ROLLBACK").await?;
            used.give_back();
            Ok(())
        }
        .boxed()
    }
}

impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Postgres")
            .field("place", &self.inner.place.to_string())
            .finish_non_exhaustive()
    }
}
