//! The tables. What queries need is in columns; the rest is an entry's own bytes.

use sqlx::sqlite::SqliteConnection;

use super::write;
use crate::store::state::Head;

/// The format of the tables, in SQLite's `user_version`.
pub(super) const FORMAT: i64 = 2;

const TABLES: &[&str] = &[
    // One row. Its writer holds the tree's head.
    "CREATE TABLE ledger (
        id INTEGER PRIMARY KEY CHECK (id = 0),
        verifier_key TEXT NOT NULL,
        vault TEXT NOT NULL,
        size INTEGER NOT NULL,
        frontier BLOB NOT NULL,
        note TEXT NOT NULL,
        time INTEGER,
        published INTEGER NOT NULL,
        kept INTEGER NOT NULL
    ) STRICT",
    "CREATE TABLE commitment (
        commitment BLOB PRIMARY KEY,
        place INTEGER NOT NULL UNIQUE,
        entry TEXT NOT NULL,
        seed BLOB NOT NULL,
        next INTEGER NOT NULL,
        lock_place INTEGER,
        lock_entry TEXT,
        ended TEXT
    ) STRICT, WITHOUT ROWID",
    "CREATE TABLE chain (name TEXT PRIMARY KEY, last BLOB NOT NULL) STRICT, WITHOUT ROWID",
    // `bytes` is null once the entry is in a full tile. `under` is the commit's place: the commitment itself would double
    // the index's size.
    "CREATE TABLE entry (
        place INTEGER PRIMARY KEY,
        under INTEGER NOT NULL,
        nonce INTEGER,
        kind TEXT NOT NULL,
        bytes BLOB
    ) STRICT",
    "CREATE INDEX entry_of_round ON entry (under, nonce)",
    // Complete nodes of levels 8, 16, …, for tiles above level 0. One for each 256 entries, so they are kept.
    "CREATE TABLE node (
        level INTEGER NOT NULL,
        place INTEGER NOT NULL,
        hash BLOB NOT NULL,
        PRIMARY KEY (level, place)
    ) STRICT, WITHOUT ROWID",
    "CREATE TABLE answer (
        name TEXT PRIMARY KEY,
        request BLOB NOT NULL,
        place INTEGER NOT NULL,
        at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID",
    "CREATE INDEX answer_by_time ON answer (at)",
    "PRAGMA user_version = 2",
];

/// Makes the tables and the head in one transaction. Until it commits there is no ledger.
pub(super) async fn create(connection: &mut SqliteConnection, first: &Head) -> Result<(), sqlx::Error> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    for table in TABLES {
        sqlx::query(*table).execute(&mut *connection).await?;
    }
    let (size, hashes) = first.frontier.parts();
    sqlx::query(
        "INSERT INTO ledger (id, verifier_key, vault, size, frontier, note, time, published, kept)
         VALUES (0, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(&first.key)
    .bind(&first.vault)
    .bind(write::int(size))
    .bind(write::hashes_to_bytes(hashes))
    .bind(&first.note)
    .bind(first.time.map(write::int))
    .bind(write::int(first.published))
    .bind(write::int(first.kept))
    .execute(&mut *connection)
    .await?;
    sqlx::query("COMMIT").execute(&mut *connection).await?;
    Ok(())
}

/// The format. 0 in a file without a ledger.
pub(super) async fn format(connection: &mut SqliteConnection) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("PRAGMA user_version").fetch_one(connection).await
}
