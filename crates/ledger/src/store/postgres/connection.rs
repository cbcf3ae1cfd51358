//! Connections to the server, and the kinds of PostgreSQL's errors.

use std::sync::Arc;
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnection, PgDatabaseError, PgPool, PgPoolOptions, PgSeverity, Postgres};

use super::url::Place;
use crate::store::error::{Fault, StoreError, fault_of};
use crate::store::rows::table;

/// Connections that read at most. Who finds none free waits.
pub(super) const READERS: u32 = 12;
/// Connections that write: the sequencer's, and one for memos. Readers never take them.
pub(super) const WRITERS: u32 = 2;

/// The time after its own limits in which a server must answer before it counts as gone.
const PATIENCE: Duration = Duration::from_secs(30);

/// One schema, and the connections to it.
pub(super) struct Inner {
    pub(super) place: Place,
    pub(super) wait: Duration,
    pub(super) readers: PgPool,
    pub(super) writers: PgPool,
    /// The connection whose session holds the right to publish.
    pub(super) lease: Arc<tokio::sync::Mutex<Option<PgConnection>>>,
}

/// A connection in use. Only [`Used::give_back`] keeps it.
pub(super) struct Used {
    pub(super) inner: Arc<Inner>,
    connection: Option<PoolConnection<Postgres>>,
}

/// The first statement of every connection. Keys and names are only looked up in the ledger's own
/// schema. A server that is set not to wait for its disk waits. Every query has an index: a server
/// that has no statistics of a new table yet takes it for a small one, and would read it whole. A
/// client that is gone is noticed in half a minute, and its locks go; so do those of one that hangs
/// during a transaction, for example on a machine that was put to sleep.
const GREETING: &str = "SELECT set_config('search_path', $1, false), \
     set_config('lock_timeout', $2, false), \
     set_config('statement_timeout', $3, false), \
     set_config('idle_in_transaction_session_timeout', $3, false), \
     set_config('synchronous_commit', CASE current_setting('synchronous_commit') \
         WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false), \
     set_config('tcp_keepalives_idle', '10', false), \
     set_config('tcp_keepalives_interval', '5', false), \
     set_config('tcp_keepalives_count', '4', false), \
     set_config('enable_seqscan', 'off', false), \
     set_config('client_min_messages', 'error', false)";

impl Inner {
    pub(super) fn new(place: Place, wait: Duration) -> Self {
        let pool = |most: u32, is_writer: bool| {
            let (schema, wait) = (place.schema.clone(), wait);
            PgPoolOptions::new()
                .max_connections(most)
                .acquire_timeout(wait.max(Duration::from_millis(1)))
                // A writer connects again if it was gone.
                .test_before_acquire(!is_writer)
                .after_connect(move |connection, _| {
                    let schema = schema.clone();
                    Box::pin(async move { greet(connection, &schema, wait).await })
                })
                .connect_lazy_with(place.options.clone())
        };
        let (readers, writers) = (pool(READERS, false), pool(WRITERS, true));
        Self { place, wait, readers, writers, lease: Arc::default() }
    }

    pub(super) async fn connect(self: &Arc<Self>, pool: &PgPool) -> Result<Used, StoreError> {
        let connection = match pool.acquire().await {
            // A pool asks again and again, and does not say what it was answered.
            Err(sqlx::Error::PoolTimedOut) => {
                self.connect_alone().await?;
                return Err(self.said(&sqlx::Error::PoolTimedOut));
            }
            acquired => acquired.map_err(|e| self.said(&e))?,
        };
        Ok(Used { inner: Arc::clone(self), connection: Some(connection) })
    }

    /// A connection outside of the pools.
    pub(super) async fn connect_alone(&self) -> Result<PgConnection, StoreError> {
        let work = async {
            let mut connection = sqlx::ConnectOptions::connect(&self.place.options).await?;
            greet(&mut connection, &self.place.schema, self.wait).await?;
            Ok(connection)
        };
        in_time(self.wait, work).await.map_err(|e| self.said(&e))
    }

    pub(super) fn said(&self, error: &sqlx::Error) -> StoreError {
        let said = StoreError::new(fault(error), self.place.to_string(), words(error));
        StoreError { table: table(error), ..said }
    }
}

/// The server's message, with its detail.
fn words(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(database) => match database.try_downcast_ref::<PgDatabaseError>() {
            Some(said) => format!("{} ({})", said.message(), said.code()),
            None => database.to_string(),
        },
        sqlx::Error::Decode(says) => says.to_string(),
        sqlx::Error::PoolTimedOut => "no connection became free in time".to_owned(),
        other => other.to_string(),
    }
}

async fn greet(
    connection: &mut PgConnection,
    schema: &str,
    wait: Duration,
) -> Result<(), sqlx::Error> {
    // 0 would be no limit.
    let limit = |wait: Duration| format!("{}ms", wait.as_millis().max(1));
    sqlx::query(GREETING)
        .bind(schema)
        .bind(limit(wait))
        .bind(limit(wait.saturating_add(PATIENCE / 2)))
        .execute(connection)
        .await?;
    Ok(())
}

/// The same work, with an end: a server that is gone without a word would never answer.
pub(super) async fn in_time<T>(
    wait: Duration,
    work: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, sqlx::Error> {
    match tokio::time::timeout(wait.saturating_add(PATIENCE), work).await {
        Ok(done) => done,
        Err(_) => {
            Err(std::io::Error::new(std::io::ErrorKind::TimedOut, "the server does not answer")
                .into())
        }
    }
}

impl Used {
    pub(super) fn get(&mut self) -> Result<&mut PgConnection, StoreError> {
        let place = &self.inner.place;
        let gone = || StoreError::new(Fault::Unreachable, place.to_string(), "not connected");
        self.connection.as_deref_mut().ok_or_else(gone)
    }

    /// Runs constant statements.
    pub(super) async fn run(&mut self, statements: &'static str) -> Result<(), StoreError> {
        let wait = self.inner.wait;
        let done = in_time(wait, sqlx::raw_sql(statements).execute(self.get()?)).await;
        self.settle(done.map(|_| ()))
    }

    /// Closes the connection after an error, but not after a damaged row.
    pub(super) fn settle<T>(&mut self, found: Result<T, sqlx::Error>) -> Result<T, StoreError> {
        found.map_err(|e| {
            if !matches!(e, sqlx::Error::Decode(_) | sqlx::Error::ColumnDecode { .. }) {
                self.hang_up();
            }
            self.inner.said(&e)
        })
    }

    /// Closes the connection. The server rolls back what is open.
    fn hang_up(&mut self) {
        if let Some(mut connection) = self.connection.take() {
            connection.close_on_drop();
        }
    }

    /// Keeps the connection: nothing failed, and no transaction is open.
    pub(super) fn give_back(mut self) {
        self.free();
    }

    pub(super) fn free(&mut self) {
        drop(self.connection.take());
    }

    /// COMMIT. Where it is not sure that nothing was done, its error is [`Fault::Unknown`].
    ///
    /// It may wait for a replica, and must not be cut short there: the server would then say that
    /// it is done. In a transaction that has failed COMMIT would succeed and do nothing; the first
    /// statement fails then.
    pub(super) async fn commit(&mut self) -> Result<(), StoreError> {
        let wait = self.inner.wait;
        let committed =
            sqlx::raw_sql("SET LOCAL statement_timeout = 0; COMMIT").execute(self.get()?);
        let committed = in_time(wait, committed).await;
        committed.map(|_| ()).map_err(|error| {
            self.hang_up();
            let said = self.inner.said(&error);
            if is_undone(&error) { said } else { StoreError { fault: Fault::Unknown, ..said } }
        })
    }
}

impl Drop for Used {
    fn drop(&mut self) {
        self.hang_up();
    }
}

/// Whether a failed COMMIT has surely done nothing: the server itself says so, and goes on.
fn is_undone(error: &sqlx::Error) -> bool {
    let sqlx::Error::Database(database) = error else { return false };
    database
        .try_downcast_ref::<PgDatabaseError>()
        .is_some_and(|said| said.severity() == PgSeverity::Error)
}

/// The kind of an error of any call but COMMIT. Without COMMIT nothing is done.
fn fault(error: &sqlx::Error) -> Fault {
    match error {
        sqlx::Error::Database(database) => fault_of_code(&database.code().unwrap_or_default()),
        sqlx::Error::PoolTimedOut => Fault::Busy,
        sqlx::Error::Io(error) => match fault_of(error) {
            // A socket's file that is missing, or that somebody else owns.
            found @ (Fault::Missing | Fault::Denied) => found,
            _ => Fault::Unreachable,
        },
        sqlx::Error::RowNotFound => Fault::Missing,
        sqlx::Error::ColumnDecode { .. }
        | sqlx::Error::Decode(_)
        | sqlx::Error::ColumnNotFound(_) => Fault::Damaged,
        sqlx::Error::Tls(_) | sqlx::Error::Configuration(_) => Fault::Denied,
        sqlx::Error::PoolClosed | sqlx::Error::WorkerCrashed | sqlx::Error::Protocol(_) => {
            Fault::Unreachable
        }
        _ => Fault::Unknown,
    }
}

/// The kind of an SQLSTATE (PostgreSQL's manual, appendix A). Its first two characters are its
/// class.
fn fault_of_code(code: &str) -> Fault {
    match code {
        // A lock or a statement took too long, a deadlock, too many connections, a server that
        // starts.
        "55P03" | "57014" | "40001" | "40P01" | "53300" | "57P03" => Fault::Busy,
        "53100" => Fault::NoSpace,
        // A standby, a missing right.
        "25006" | "42501" | "42P07" | "23505" => Fault::Denied,
        // No such database, schema or table.
        "3D000" | "3F000" | "42P01" => Fault::Missing,
        "XX001" | "XX002" => Fault::Damaged,
        _ => match code.get(..2) {
            // Also a session that was ended because it was idle during a transaction.
            _ if code == "25P03" => Fault::Unreachable,
            Some("08" | "57") => Fault::Unreachable,
            Some("28") => Fault::Denied,
            _ => Fault::Unknown,
        },
    }
}
