//! The tables. What queries need is in columns; the rest is an entry's own bytes.
//!
//! Each row has a checksum, `sum`; what is looked up by a key that no row may lose is found in two
//! ways.

use sqlx::sqlite::SqliteConnection;
use sqlx::{QueryBuilder, Sqlite};

use super::connection::fault;
use crate::store::error::Fault;
use crate::store::growth;
use crate::store::rows::damaged;
use crate::store::state::Head;

/// The format of the tables, in SQLite's `user_version`.
pub(super) const FORMAT: i64 = 8;

/// The tables that hold what nothing else holds.
const OWN: &[&str] = &[
    // One row. Its writer holds the tree's head.
    "CREATE TABLE ledger (
        id INTEGER PRIMARY KEY CHECK (id = 0),
        verifier_key TEXT NOT NULL,
        vault TEXT NOT NULL,
        size INTEGER NOT NULL,
        frontier BLOB NOT NULL,
        note TEXT NOT NULL,
        time INTEGER,
        key_time INTEGER NOT NULL,
        kept INTEGER NOT NULL,
        boot TEXT,
        passed INTEGER,
        unix INTEGER,
        closed TEXT,
        sum BLOB NOT NULL
    ) STRICT",
    // The part of a commitment that never changes. `place` is the commit's index.
    "CREATE TABLE commitment (
        place INTEGER PRIMARY KEY,
        commitment BLOB NOT NULL UNIQUE,
        name TEXT NOT NULL,
        terms TEXT NOT NULL,
        seed BLOB NOT NULL,
        sum BLOB NOT NULL
    ) STRICT",
    // A retry that does not find its key would be a second deal. `again` is the name again: a row
    // that lost the one is found by the other. Names that grow are side by side in both indexes, so
    // that a batch of them changes few pages.
    "CREATE TABLE answer (
        place INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        again TEXT NOT NULL UNIQUE,
        request BLOB NOT NULL,
        at INTEGER NOT NULL,
        sum BLOB NOT NULL
    ) STRICT",
    // The operator's memos. `name` is kind and key again: a row that lost the one is found by the
    // other. It has row ids: SQLite says so where an index leads to a row that is not there, which
    // it does not WITHOUT ROWID.
    "CREATE TABLE memo (
        kind TEXT NOT NULL,
        key TEXT NOT NULL,
        name TEXT NOT NULL UNIQUE,
        value TEXT NOT NULL,
        sum BLOB NOT NULL,
        PRIMARY KEY (kind, key)
    ) STRICT",
];

/// The tables that follow from the log, and what else can be made again.
const DERIVED: &[&str] = &[
    "CREATE INDEX commitment_of_table ON commitment (name)",
    // The part of a commitment that changes with every round: small, so that many fit a page.
    "CREATE TABLE life (
        place INTEGER PRIMARY KEY,
        next INTEGER NOT NULL,
        lock_place INTEGER,
        lock_entry TEXT,
        ended TEXT,
        ended_at INTEGER,
        sum BLOB NOT NULL
    ) STRICT",
    // Finds open commitments without reading those that have ended.
    "CREATE INDEX life_open ON life (place) WHERE ended IS NULL",
    // Each table's last commitment. `commitment_of_table` must agree.
    "CREATE TABLE chain (name TEXT PRIMARY KEY, place INTEGER NOT NULL, sum BLOB NOT NULL) STRICT, WITHOUT ROWID",
    // Entries that are not in a full tile yet, as bundles have them. No row crosses the border of a
    // bundle.
    "CREATE TABLE tail (
        first INTEGER PRIMARY KEY,
        count INTEGER NOT NULL,
        bytes BLOB NOT NULL,
        sum BLOB NOT NULL
    ) STRICT",
    // The places of rounds' entries, and of the entries that ended commitments. `under` is the
    // commit's index.
    "CREATE TABLE round (
        under INTEGER NOT NULL,
        nonce INTEGER NOT NULL,
        place INTEGER NOT NULL,
        sum BLOB NOT NULL,
        PRIMARY KEY (under, nonce, place)
    ) STRICT, WITHOUT ROWID",
    // The newest of them, in the order of the log: there the rows of a batch are side by side,
    // whatever their tables. Many batches' move to `round` at once.
    "CREATE TABLE new_round (
        place INTEGER PRIMARY KEY,
        under INTEGER NOT NULL,
        nonce INTEGER NOT NULL,
        sum BLOB NOT NULL
    ) STRICT",
    // Complete nodes of levels 8, 16, …, for tiles above level 0: one for each 256 entries.
    "CREATE TABLE node (
        level INTEGER NOT NULL,
        place INTEGER NOT NULL,
        hash BLOB NOT NULL,
        sum BLOB NOT NULL,
        PRIMARY KEY (level, place)
    ) STRICT, WITHOUT ROWID",
];

/// The names of [`OWN`].
pub(super) const OWN_TABLES: [&str; 4] = ["ledger", "commitment", "answer", "memo"];

/// Their indexes, with the tables: most are made by SQLite itself.
const OWN_INDEXES: [(&str, &str); 6] = [
    ("sqlite_autoindex_commitment_1", "commitment"),
    ("commitment_of_table", "commitment"),
    ("sqlite_autoindex_answer_1", "answer"),
    ("sqlite_autoindex_answer_2", "answer"),
    ("sqlite_autoindex_memo_1", "memo"),
    ("sqlite_autoindex_memo_2", "memo"),
];

/// Makes the tables and the head in one transaction. Until it commits there is no ledger.
pub(super) async fn create(
    connection: &mut SqliteConnection,
    first: &Head,
) -> Result<(), sqlx::Error> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    tables(connection).await?;
    growth::head(connection, first).await?;
    sqlx::query("COMMIT").execute(&mut *connection).await?;
    Ok(())
}

/// Makes the tables, in the transaction that is open.
pub(super) async fn tables(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    for statement in OWN.iter().chain(DERIVED).chain(&["PRAGMA user_version = 8"]) {
        sqlx::query(*statement).execute(&mut *connection).await?;
    }
    Ok(())
}

/// The statements of the schema that were changed, added or removed. SQLite's integrity check does
/// not compare them with those that made the tables.
pub(super) async fn changed(connection: &mut SqliteConnection) -> Result<Vec<String>, sqlx::Error> {
    let found: Vec<String> =
        sqlx::query_scalar("SELECT sql FROM main.sqlite_schema WHERE sql IS NOT NULL")
            .fetch_all(&mut *connection)
            .await?;
    let made = || OWN.iter().chain(DERIVED).copied();
    let other = found.iter().filter(|sql| made().all(|statement| statement != *sql));
    let gone = made().filter(|statement| !found.iter().any(|sql| sql == statement));
    let line = |says: &str, sql: &str| {
        format!("{says}: {}", sql.split_once('(').map_or(sql, |(start, _)| start).trim())
    };
    let other = other.map(|sql| line("a statement of the schema has changed", sql));
    Ok(other.chain(gone.map(|sql| line("the schema lacks", sql))).collect())
}

/// Whether nothing was ever made in the file, as after a kill during [`create`].
pub(super) async fn is_bare(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    let made: i64 = sqlx::query_scalar("SELECT count(*) FROM sqlite_schema")
        .fetch_one(&mut *connection)
        .await?;
    Ok(made == 0 && format(connection).await? == 0)
}

/// The format. 0 in a file without a ledger.
pub(super) async fn format(connection: &mut SqliteConnection) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("PRAGMA user_version").fetch_one(connection).await
}

/// Refuses if an index leads to rows that are gone. A new file would agree with the loss: a key
/// whose answer is gone would be dealt a second time. An index that cannot be read says nothing.
pub(super) async fn check_own(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    for (index, table) in OWN_INDEXES {
        let mut query =
            QueryBuilder::<Sqlite>::new("SELECT count(*) FROM (SELECT rowid AS at FROM ");
        query
            .push(table)
            .push(" INDEXED BY ")
            .push(index)
            .push(") WHERE at NOT IN (SELECT rowid FROM ");
        query.push(table).push(" NOT INDEXED)");
        let gone: i64 = match query.build_query_scalar().fetch_one(&mut *connection).await {
            Err(error) if fault(&error) == Fault::Damaged => continue,
            gone => gone?,
        };
        if gone > 0 {
            return Err(damaged(format!("{table}: rows that nothing else holds are gone: {gone}")));
        }
    }
    Ok(())
}
