//! Writes a batch: one statement for each table and 1,000 rows.

use std::collections::BTreeMap;

use sqlx::sqlite::SqliteConnection;
use sqlx::{QueryBuilder, Sqlite};

use crate::deal::{Commitment, Nonce};
use crate::log::Hash;
use crate::record::entry::Entry;
use crate::record::life::End;
use crate::store::state::{Growth, StoredLife};

/// Rows in one statement: SQLite binds at most 32,766 values.
const ROWS: usize = 1000;

/// SQLite's integer. Sizes, indices and logged times fit; only a clock may say more than 2^63 − 1.
pub(super) fn int(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

pub(super) fn hashes_to_bytes(hashes: &[Hash]) -> Vec<u8> {
    hashes.iter().flat_map(Hash::as_bytes).copied().collect()
}

pub(super) async fn grow(connection: &mut SqliteConnection, growth: &Growth) -> Result<(), sqlx::Error> {
    // Every commitment that has a new entry is among the lives that changed.
    let places: BTreeMap<Commitment, u64> =
        growth.lives.iter().map(|stored| (stored.life.commit.commitment, stored.life.index)).collect();
    for rows in growth.entries.chunks(ROWS) {
        let mut insert = QueryBuilder::<Sqlite>::new("INSERT INTO entry (place, under, nonce, kind, bytes) ");
        insert.push_values(rows, |mut row, new| {
            row.push_bind(int(new.key.index))
                .push_bind(places.get(&new.key.commitment).copied().map(int))
                .push_bind(new.key.nonce.map(Nonce::value).map(int))
                .push_bind(new.key.kind.as_str())
                .push_bind(new.bytes.as_slice());
        });
        insert.build().execute(&mut *connection).await?;
    }
    for lives in growth.lives.chunks(ROWS) {
        write_lives(connection, lives).await?;
    }
    for rows in growth.tables.chunks(ROWS) {
        let mut insert = QueryBuilder::<Sqlite>::new("INSERT OR REPLACE INTO chain (name, last) ");
        insert.push_values(rows, |mut row, (name, last)| {
            row.push_bind(name.as_str()).push_bind(last.as_bytes().as_slice());
        });
        insert.build().execute(&mut *connection).await?;
    }
    for rows in growth.nodes.chunks(ROWS) {
        let mut insert = QueryBuilder::<Sqlite>::new("INSERT INTO node (level, place, hash) ");
        insert.push_values(rows, |mut row, (node, hash)| {
            row.push_bind(i64::from(node.level()))
                .push_bind(int(node.index()))
                .push_bind(hash.as_bytes().as_slice());
        });
        insert.build().execute(&mut *connection).await?;
    }
    write_answers(connection, growth).await?;
    let (size, hashes) = growth.frontier.parts();
    sqlx::query("UPDATE ledger SET size = ?, frontier = ?, note = ?, time = ? WHERE id = 0")
        .bind(int(size))
        .bind(hashes_to_bytes(hashes))
        .bind(growth.note.as_str())
        .bind(int(growth.time))
        .execute(&mut *connection)
        .await?;
    Ok(())
}

async fn write_answers(connection: &mut SqliteConnection, growth: &Growth) -> Result<(), sqlx::Error> {
    if growth.answers.is_empty() {
        return Ok(());
    }
    sqlx::query("DELETE FROM answer WHERE at < ?")
        .bind(int(growth.forget_before))
        .execute(&mut *connection)
        .await?;
    for rows in growth.answers.chunks(ROWS) {
        let mut insert = QueryBuilder::<Sqlite>::new("INSERT INTO answer (name, request, place, at) ");
        insert.push_values(rows, |mut row, answer| {
            row.push_bind(answer.key.as_str())
                .push_bind(answer.request.as_slice())
                .push_bind(int(answer.index))
                .push_bind(int(answer.at));
        });
        insert.build().execute(&mut *connection).await?;
    }
    Ok(())
}

async fn write_lives(connection: &mut SqliteConnection, lives: &[StoredLife]) -> Result<(), sqlx::Error> {
    let mut written = Vec::with_capacity(lives.len());
    for stored in lives {
        let life = &stored.life;
        let commit = text(&Entry::Commit(life.commit.clone()))?;
        let lock = life.open.as_ref().map(|open| text(&Entry::Lock(open.lock.clone()))).transpose()?;
        written.push((stored, commit, lock));
    }
    let mut insert = QueryBuilder::<Sqlite>::new(
        "INSERT OR REPLACE INTO commitment
         (commitment, place, entry, seed, next, lock_place, lock_entry, ended) ",
    );
    insert.push_values(&written, |mut row, (stored, commit, lock)| {
        let life = &stored.life;
        row.push_bind(life.commit.commitment.as_bytes().as_slice())
            .push_bind(int(life.index))
            .push_bind(commit.as_str())
            .push_bind(stored.seed.as_slice())
            .push_bind(int(life.next))
            .push_bind(life.open.as_ref().map(|open| int(open.index)))
            .push_bind(lock.as_deref())
            .push_bind(life.end.map(end_to_text));
    });
    insert.build().execute(connection).await?;
    Ok(())
}

fn text(entry: &Entry) -> Result<String, sqlx::Error> {
    entry.to_text().map_err(|e| sqlx::Error::Encode(Box::new(e)))
}

pub(super) const fn end_to_text(end: End) -> &'static str {
    match end {
        End::Revealed => "revealed",
        End::Voided => "voided",
    }
}

pub(super) async fn drop_entries(connection: &mut SqliteConnection, before: u64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE entry SET bytes = NULL WHERE place < ?1 AND place >= (SELECT kept FROM ledger WHERE id = 0)",
    )
    .bind(int(before))
    .execute(&mut *connection)
    .await?;
    sqlx::query("UPDATE ledger SET kept = ?1 WHERE kept < ?1")
        .bind(int(before))
        .execute(&mut *connection)
        .await?;
    Ok(())
}
