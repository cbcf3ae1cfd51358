//! The state: one SQLite file. WAL and synchronous=FULL, so that a COMMIT is on the disk when it
//! returns.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fairdeal::log::Hash;
use serde_json::json;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteRow, SqliteSynchronous,
};
use sqlx::{ConnectOptions as _, Connection as _, Row as _};

use crate::error::WitnessError;
use crate::judge::{Last, Signed};

/// The version of the tables.
const FORMAT: i64 = 1;

/// How long a statement waits for another process that holds the file.
const WAIT: Duration = Duration::from_secs(5);

/// The most contradictions that are kept of a log. One shows all there is to show.
const MOST_EVIDENCE: i64 = 16;

const TABLES: &str = "
    CREATE TABLE witness (vkey TEXT NOT NULL, format INTEGER NOT NULL) STRICT;
    CREATE TABLE log (
        origin TEXT PRIMARY KEY, size INTEGER NOT NULL, root BLOB NOT NULL, time INTEGER NOT NULL, note TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE evidence (
        id INTEGER PRIMARY KEY, origin TEXT NOT NULL, time INTEGER NOT NULL, signed TEXT NOT NULL, note TEXT NOT NULL,
        proof TEXT NOT NULL, UNIQUE (signed, note)
    ) STRICT;";

// One statement for all logs of a group: SQLite runs statements on a thread of its own, and each
// way there and back costs more than a row.
const READ: &str = "SELECT origin, size, root, time, note FROM log \
     WHERE origin IN (SELECT value FROM json_each($1))";
const WRITE: &str = "INSERT INTO log (origin, size, root, time, note) \
     SELECT value->>0, value->>1, unhex(value->>2), value->>3, value->>4 FROM json_each($1) WHERE true \
     ON CONFLICT (origin) DO UPDATE SET \
     size = excluded.size, root = excluded.root, time = excluded.time, note = excluded.note";
const KEEP: &str = "INSERT OR IGNORE INTO evidence (origin, time, signed, note, proof) \
     SELECT $1, $2, $3, $4, $5 WHERE (SELECT count(*) FROM evidence WHERE origin = $1) < $6";

/// Two checkpoints that one log has signed, and that no tree continues both of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The log.
    pub origin: String,
    /// When the second one came, in Unix seconds.
    pub time: u64,
    /// The checkpoint that the witness had signed, with the log's signature.
    pub signed: String,
    /// The one that contradicts it, with the log's signature. The witness did not sign it.
    pub note: String,
    /// Where the second one is larger: the proof that leads to its root from another root of the
    /// first one's size, a line in base64 for each hash.
    pub proof: String,
}

/// What a group of requests changes.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub(crate) logs: HashMap<String, Signed>,
    pub(crate) evidence: Vec<Contradiction>,
}

/// What to do after an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing was written, and the next group may have more luck.
    NoSpace,
    /// The same: another process has the file.
    Busy,
    /// What is on the disk is not known: a sync that failed once can claim to have succeeded the
    /// next time. Only a new process reads the file anew.
    Unknown,
}

/// The database, and its one connection.
#[derive(Debug)]
pub(crate) struct Store {
    path: PathBuf,
    connection: Option<SqliteConnection>,
}

fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(false)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(WAIT)
        .disable_statement_logging()
}

/// What an SQLite error says. In its extended result codes the low byte is the class.
pub(crate) fn fault(error: &sqlx::Error) -> Fault {
    let code = error.as_database_error().and_then(|error| error.code()?.parse::<u32>().ok());
    match code.unwrap_or_default() {
        // SQLITE_IOERR_SHMSIZE: the index of the log of changes cannot grow: the disk is full.
        4874 => Fault::NoSpace,
        code if code & 0xff == 13 => Fault::NoSpace,
        code if matches!(code & 0xff, 5 | 6) => Fault::Busy,
        _ => Fault::Unknown,
    }
}

impl Store {
    /// Makes the tables in an empty file, for this verifier key.
    pub(crate) async fn create(path: &Path, vkey: &str) -> Result<(), WitnessError> {
        let made = async {
            let mut connection =
                options(path).journal_mode(SqliteJournalMode::Wal).connect().await?;
            let mut transaction = connection.begin().await?;
            sqlx::raw_sql(TABLES).execute(&mut *transaction).await?;
            sqlx::query("INSERT INTO witness VALUES ($1, $2)")
                .bind(vkey)
                .bind(FORMAT)
                .execute(&mut *transaction)
                .await?;
            transaction.commit().await?;
            connection.close().await
        };
        made.await.map_err(|error| failed(path, error))
    }

    /// Opens the state of this verifier key.
    pub(crate) async fn open(path: &Path, vkey: &str) -> Result<Self, WitnessError> {
        let mut this = Self { path: path.to_owned(), connection: None };
        let connection = this.connect().await.map_err(|error| failed(path, error))?;
        check(path, connection, vkey).await?;
        // What a process before could not sync, it may have read back from memory: written again
        // and synced, it is on the disk before anything stands on it.
        sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)")
            .execute(connection)
            .await
            .map_err(|error| failed(path, error))?;
        Ok(this)
    }

    async fn connect(&mut self) -> Result<&mut SqliteConnection, sqlx::Error> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => options(&self.path).journal_mode(SqliteJournalMode::Wal).connect().await?,
        };
        Ok(self.connection.insert(connection))
    }

    /// Reads what was signed last for these logs, decides, and writes the changes: one transaction,
    /// which no other process can come between. After any error the connection is closed, which
    /// undoes what was not committed.
    pub(crate) async fn transact<T>(
        &mut self,
        origins: &[&str],
        decide: impl FnOnce(HashMap<String, Signed>) -> (Changes, T),
    ) -> Result<T, sqlx::Error> {
        let done = self.try_transact(origins, decide).await;
        if done.is_err() {
            self.connection = None;
        }
        done
    }

    async fn try_transact<T>(
        &mut self,
        origins: &[&str],
        decide: impl FnOnce(HashMap<String, Signed>) -> (Changes, T),
    ) -> Result<T, sqlx::Error> {
        let connection = self.connect().await?;
        sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
        let last = read(connection, origins).await?;
        let (changes, decided) = decide(last);
        if changes.logs.is_empty() && changes.evidence.is_empty() {
            sqlx::query("ROLLBACK").execute(&mut *connection).await?;
            return Ok(decided);
        }
        if !changes.logs.is_empty() {
            let row = |(origin, signed): (&String, &Signed)| {
                let Signed { size, root, time, note } = signed;
                json!([origin, size, root.to_hex(), time, note])
            };
            let rows: Vec<_> = changes.logs.iter().map(row).collect();
            let rows = serde_json::Value::from(rows).to_string();
            sqlx::query(WRITE).bind(rows).execute(&mut *connection).await?;
        }
        for one in &changes.evidence {
            sqlx::query(KEEP)
                .bind(&one.origin)
                .bind(one.time.cast_signed())
                .bind(&one.signed)
                .bind(&one.note)
                .bind(&one.proof)
                .bind(MOST_EVIDENCE)
                .execute(&mut *connection)
                .await?;
        }
        sqlx::query("COMMIT").execute(&mut *connection).await?;
        Ok(decided)
    }

    /// What was signed last for each log.
    pub(crate) async fn last(&mut self) -> Result<HashMap<String, Last>, sqlx::Error> {
        let connection = self.connect().await?;
        let rows = sqlx::query("SELECT origin, size, root, time, '' AS note FROM log");
        let rows = rows.fetch_all(connection).await?;
        let last = |row| signed(row).map(|(origin, signed)| (origin, Last::from(&signed)));
        rows.iter().map(last).collect()
    }

    pub(crate) async fn close(mut self) {
        if let Some(connection) = self.connection.take() {
            // What is committed is on the disk already.
            drop(connection.close().await);
        }
    }
}

fn failed(path: &Path, error: sqlx::Error) -> WitnessError {
    WitnessError::Database { path: path.display().to_string(), error }
}

/// Refuses tables of another version, and those of another key.
async fn check(
    path: &Path,
    connection: &mut SqliteConnection,
    vkey: &str,
) -> Result<(), WitnessError> {
    let row = sqlx::query("SELECT vkey, format FROM witness").fetch_one(connection).await;
    let row = row.map_err(|error| failed(path, error))?;
    let state = |says| WitnessError::State { path: path.display().to_string(), says };
    let found: i64 = row.try_get("format").map_err(|error| failed(path, error))?;
    if found != FORMAT {
        return Err(state(format!("expected a state of version {FORMAT}, found {found}")));
    }
    let found: String = row.try_get("vkey").map_err(|error| failed(path, error))?;
    if found != vkey {
        return Err(state(format!("expected the state of {vkey}, found that of {found}")));
    }
    Ok(())
}

/// The contradictions that are kept, in the order in which they came.
pub(crate) async fn evidence(path: &Path, vkey: &str) -> Result<Vec<Contradiction>, WitnessError> {
    let read =
        async |connection: &mut SqliteConnection| -> Result<Vec<Contradiction>, sqlx::Error> {
            let rows =
                sqlx::query("SELECT * FROM evidence ORDER BY id").fetch_all(connection).await?;
            let one = |row: &SqliteRow| {
                Ok(Contradiction {
                    origin: row.try_get("origin")?,
                    time: number(row, "time")?,
                    signed: row.try_get("signed")?,
                    note: row.try_get("note")?,
                    proof: row.try_get("proof")?,
                })
            };
            rows.iter().map(one).collect()
        };
    let mut connection = options(path).connect().await.map_err(|error| failed(path, error))?;
    check(path, &mut connection, vkey).await?;
    let found = read(&mut connection).await.map_err(|error| failed(path, error))?;
    drop(connection.close().await);
    Ok(found)
}

async fn read(
    connection: &mut SqliteConnection,
    origins: &[&str],
) -> Result<HashMap<String, Signed>, sqlx::Error> {
    let rows = sqlx::query(READ).bind(json!(origins).to_string()).fetch_all(connection).await?;
    rows.iter().map(signed).collect()
}

/// A row of a log: its origin, and what was signed last.
fn signed(row: &SqliteRow) -> Result<(String, Signed), sqlx::Error> {
    let root: Vec<u8> = row.try_get("root")?;
    let root = root.try_into().map_err(|_| sqlx::Error::Decode("root: no 32 bytes".into()))?;
    let (size, time) = (number(row, "size")?, number(row, "time")?);
    let note = row.try_get("note")?;
    Ok((row.try_get("origin")?, Signed { size, root: Hash::from_bytes(root), time, note }))
}

fn number(row: &SqliteRow, column: &str) -> Result<u64, sqlx::Error> {
    let found: i64 = row.try_get(column)?;
    u64::try_from(found).map_err(|error| sqlx::Error::Decode(error.into()))
}

#[cfg(test)]
mod tests;
