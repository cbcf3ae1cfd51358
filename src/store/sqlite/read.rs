//! Reads rows, through the same strict parsers as everything else.

use std::error::Error;
use std::ops::Range;

use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{QueryBuilder, Row as _, Sqlite};

use super::write::int;
use crate::deal::{Commitment, Nonce};
use crate::log::{Frontier, Hash};
use crate::record::entry::{Commit, Entry, Lock, Table};
use crate::record::life::{End, Life, Open};
use crate::store::state::{Answer, EntryKey, Head, StoredLife};

type Found<T> = Result<T, sqlx::Error>;

const LIVES: &str = "SELECT entry, place, seed, next, lock_place, lock_entry, ended FROM commitment ";

fn damaged(says: impl Into<Box<dyn Error + Send + Sync>>) -> sqlx::Error {
    sqlx::Error::Decode(says.into())
}

fn number(row: &SqliteRow, column: &str) -> Found<u64> {
    unsigned(row.try_get::<i64, _>(column)?)
}

fn unsigned(value: i64) -> Found<u64> {
    u64::try_from(value).map_err(damaged)
}

fn optional(row: &SqliteRow, column: &str) -> Found<Option<u64>> {
    row.try_get::<Option<i64>, _>(column)?.map(unsigned).transpose()
}

fn bytes32(bytes: &[u8]) -> Found<[u8; 32]> {
    bytes.try_into().map_err(damaged)
}

fn commitment(row: &SqliteRow, column: &str) -> Found<Commitment> {
    bytes32(row.try_get(column)?).map(Commitment::from_bytes)
}

pub(super) async fn head(connection: &mut SqliteConnection) -> Found<Head> {
    let row = sqlx::query(
        "SELECT verifier_key, vault, size, frontier, note, time, published, kept FROM ledger WHERE id = 0",
    )
    .fetch_one(connection)
    .await?;
    let (hashes, rest) = row.try_get::<&[u8], _>("frontier")?.as_chunks::<32>();
    if !rest.is_empty() {
        return Err(damaged("the frontier is no list of hashes"));
    }
    let hashes = hashes.iter().copied().map(Hash::from_bytes).collect();
    Ok(Head {
        key: row.try_get("verifier_key")?,
        vault: row.try_get("vault")?,
        frontier: Frontier::from_parts(number(&row, "size")?, hashes).map_err(damaged)?,
        note: row.try_get("note")?,
        time: optional(&row, "time")?,
        published: number(&row, "published")?,
        kept: number(&row, "kept")?,
    })
}

fn parse_commit(text: &str) -> Found<Box<Commit>> {
    match Entry::parse(text.as_bytes()).map_err(damaged)? {
        Entry::Commit(commit) => Ok(commit),
        other => Err(damaged(format!("expected a commit, found a {}", other.kind()))),
    }
}

fn parse_lock(text: &str) -> Found<Box<Lock>> {
    match Entry::parse(text.as_bytes()).map_err(damaged)? {
        Entry::Lock(lock) => Ok(lock),
        other => Err(damaged(format!("expected a lock, found a {}", other.kind()))),
    }
}

fn life(row: &SqliteRow) -> Found<Life> {
    let open = match (optional(row, "lock_place")?, row.try_get::<Option<&str>, _>("lock_entry")?) {
        (Some(index), Some(text)) => Some(Open { index, lock: parse_lock(text)? }),
        _ => None,
    };
    let end = match row.try_get::<Option<&str>, _>("ended")? {
        None => None,
        Some("revealed") => Some(End::Revealed),
        Some("voided") => Some(End::Voided),
        Some(other) => return Err(damaged(format!("expected revealed or voided, found {other:?}"))),
    };
    Ok(Life {
        commit: parse_commit(row.try_get("entry")?)?,
        index: number(row, "place")?,
        next: number(row, "next")?,
        open,
        end,
    })
}

pub(super) async fn lives(connection: &mut SqliteConnection, of: &[Commitment]) -> Found<Vec<StoredLife>> {
    if of.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = QueryBuilder::<Sqlite>::new(LIVES);
    query.push("WHERE commitment IN (");
    let mut names = query.separated(", ");
    for one in of {
        names.push_bind(one.as_bytes().to_vec());
    }
    query.push(")");
    let rows = query.build().fetch_all(connection).await?;
    rows.iter().map(|row| Ok(StoredLife { life: life(row)?, seed: row.try_get("seed")? })).collect()
}

pub(super) async fn all_lives(connection: &mut SqliteConnection) -> Found<Vec<Life>> {
    let mut query = QueryBuilder::<Sqlite>::new(LIVES);
    query.push("ORDER BY place");
    let rows = query.build().fetch_all(connection).await?;
    rows.iter().map(life).collect()
}

pub(super) async fn tables(
    connection: &mut SqliteConnection,
    of: &[Table],
) -> Found<Vec<(Table, Commitment)>> {
    if of.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = QueryBuilder::<Sqlite>::new("SELECT name, last FROM chain WHERE name IN (");
    let mut names = query.separated(", ");
    for one in of {
        names.push_bind(one.as_str().to_owned());
    }
    query.push(")");
    let rows = query.build().fetch_all(connection).await?;
    rows.iter()
        .map(|row| {
            let name = Table::new(row.try_get::<String, _>("name")?).map_err(damaged)?;
            Ok((name, commitment(row, "last")?))
        })
        .collect()
}

pub(super) async fn answers(
    connection: &mut SqliteConnection,
    keys: &[String],
    since: u64,
) -> Found<Vec<Answer>> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = QueryBuilder::<Sqlite>::new("SELECT name, request, place, at FROM answer WHERE at >= ");
    query.push_bind(int(since));
    query.push(" AND name IN (");
    let mut names = query.separated(", ");
    for key in keys {
        names.push_bind(key.clone());
    }
    query.push(")");
    let rows = query.build().fetch_all(connection).await?;
    rows.iter()
        .map(|row| {
            Ok(Answer {
                key: row.try_get("name")?,
                request: bytes32(row.try_get("request")?)?,
                index: number(row, "place")?,
                at: number(row, "at")?,
            })
        })
        .collect()
}

pub(super) async fn entries(
    connection: &mut SqliteConnection,
    range: Range<u64>,
) -> Found<Vec<(u64, Vec<u8>)>> {
    let rows = sqlx::query(
        "SELECT place, bytes FROM entry WHERE place >= ? AND place < ? AND bytes IS NOT NULL ORDER BY place",
    )
    .bind(int(range.start))
    .bind(int(range.end))
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| Ok((number(row, "place")?, row.try_get("bytes")?))).collect()
}

pub(super) async fn rows(
    connection: &mut SqliteConnection,
    of: Commitment,
    nonce: Option<Nonce>,
) -> Found<Vec<EntryKey>> {
    let rows = sqlx::query(
        "SELECT place, nonce, kind FROM entry \
         WHERE under = (SELECT place FROM commitment WHERE commitment = ?1) \
         AND (nonce IS NULL OR nonce = ?2) ORDER BY place",
    )
    .bind(of.as_bytes().to_vec())
    .bind(nonce.map(Nonce::value).map(int))
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let nonce = optional(row, "nonce")?.map(Nonce::new).transpose().map_err(damaged)?;
            Ok(EntryKey { index: number(row, "place")?, commitment: of, nonce, kind: row.try_get("kind")? })
        })
        .collect()
}

pub(super) async fn nodes(
    connection: &mut SqliteConnection,
    level: u32,
    range: Range<u64>,
) -> Found<Vec<(u64, Hash)>> {
    let rows = sqlx::query(
        "SELECT place, hash FROM node WHERE level = ? AND place >= ? AND place < ? ORDER BY place",
    )
    .bind(i64::from(level))
    .bind(int(range.start))
    .bind(int(range.end))
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| Ok((number(row, "place")?, Hash::from_bytes(bytes32(row.try_get("hash")?)?))))
        .collect()
}
