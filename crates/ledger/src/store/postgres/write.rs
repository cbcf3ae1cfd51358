//! Writes a batch. Rows go as arrays, one for each column: a statement is prepared once, however many rows it gets.

use std::collections::BTreeMap;

use sqlx::postgres::PgConnection;

use super::read;
use crate::store::columns::{FORGOTTEN, end_to_text, hashes_to_bytes, int, lock, memo_name, terms};
use crate::store::state::{Answer, Growth, Head, Memo, RoundEntry, Segment, StoredLife};
use crate::store::sum::{
    answer_sum, chain_sum, commitment_sum, head_sum, life_sum, memo_sum, node_sum, round_sum,
    segment_sum,
};
use fairdeal::deal::Commitment;
use fairdeal::log::{Hash, Node};
use fairdeal::record::entry::Table;

/// Rows in one statement: so much is in memory twice.
const ROWS: usize = 4096;

type Written = Result<(), sqlx::Error>;

/// One column of many rows.
fn column<'a, T, C>(rows: &'a [T], of: impl Fn(&'a T) -> C) -> Vec<C> {
    rows.iter().map(of).collect()
}

pub(super) async fn grow(connection: &mut PgConnection, growth: &Growth) -> Written {
    write_segments(connection, &growth.segments).await?;
    write_rounds(connection, &growth.rounds).await?;
    write_commitments(connection, &growth.commitments).await?;
    write_lives(connection, &growth.commitments).await?;
    write_lives(connection, &growth.lives).await?;
    write_tables(connection, &growth.tables).await?;
    write_nodes(connection, &growth.nodes).await?;
    write_answers(connection, &growth.answers, growth.forget_before).await?;
    memos(connection, &growth.memos).await?;
    drop_entries(connection, growth.head.kept).await?;
    head(connection, &growth.head).await
}

/// Empties the tables that follow from the log.
pub(super) async fn clear_derived(connection: &mut PgConnection) -> Written {
    // What is deleted by a wrong index is not what is meant.
    sqlx::raw_sql(
        "REINDEX TABLE commitment; REINDEX TABLE life; REINDEX TABLE chain; REINDEX TABLE tail; \
         REINDEX TABLE round; REINDEX TABLE node; REINDEX TABLE answer; REINDEX TABLE memo; \
         DELETE FROM life; DELETE FROM chain; DELETE FROM tail; DELETE FROM round; DELETE FROM node",
    )
    .execute(connection)
    .await?;
    Ok(())
}

async fn write_segments(connection: &mut PgConnection, segments: &[Segment]) -> Written {
    for rows in segments.chunks(ROWS) {
        sqlx::query(
            "INSERT INTO tail (first, count, bytes, sum) \
             SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bytea[], $4::bytea[])",
        )
        .bind(column(rows, |row| int(row.first)))
        .bind(column(rows, |row| i64::from(row.count)))
        .bind(column(rows, |row| row.bytes.as_slice()))
        .bind(column(rows, |row| segment_sum(row).to_vec()))
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

async fn write_rounds(connection: &mut PgConnection, rounds: &[RoundEntry]) -> Written {
    for rows in rounds.chunks(ROWS) {
        sqlx::query(
            "INSERT INTO round (under, nonce, place, sum) \
             SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bytea[])",
        )
        .bind(column(rows, |row| int(row.under)))
        .bind(column(rows, |row| int(row.nonce.value())))
        .bind(column(rows, |row| int(row.index)))
        .bind(column(rows, |row| round_sum(row).to_vec()))
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

async fn write_tables(connection: &mut PgConnection, tables: &[(Table, Commitment)]) -> Written {
    for rows in tables.chunks(ROWS) {
        sqlx::query(
            "INSERT INTO chain (name, place, sum) \
             SELECT n.name, c.place, n.sum FROM unnest($1::text[], $2::bytea[], $3::bytea[]) AS n(name, last, sum) \
             JOIN commitment c ON c.commitment = n.last \
             ON CONFLICT (name) DO UPDATE SET place = excluded.place, sum = excluded.sum",
        )
        .bind(column(rows, |(name, _)| name.as_str()))
        .bind(column(rows, |(_, last)| last.as_bytes().to_vec()))
        .bind(column(rows, |(name, last)| chain_sum(name.as_str(), last.as_bytes()).to_vec()))
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

async fn write_nodes(connection: &mut PgConnection, nodes: &[(Node, Hash)]) -> Written {
    for rows in nodes.chunks(ROWS) {
        sqlx::query(
            "INSERT INTO node (level, place, hash, sum) \
             SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bytea[], $4::bytea[])",
        )
        .bind(column(rows, |(node, _)| i64::from(node.level())))
        .bind(column(rows, |(node, _)| int(node.index())))
        .bind(column(rows, |(_, hash)| hash.as_bytes().to_vec()))
        .bind(column(rows, |(node, hash)| {
            node_sum(node.level(), node.index(), hash.as_bytes()).to_vec()
        }))
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// Writes the one row of `ledger`.
pub(super) async fn head(connection: &mut PgConnection, head: &Head) -> Written {
    let (size, hashes) = head.frontier.parts();
    let clock = head.clock.as_ref();
    sqlx::query(
        "INSERT INTO ledger (id, verifier_key, vault, size, frontier, note, time, key_time, kept, \
             boot, passed, unix, closed, sum) \
         VALUES (0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) \
         ON CONFLICT (id) DO UPDATE SET verifier_key = excluded.verifier_key, vault = excluded.vault, \
             size = excluded.size, frontier = excluded.frontier, note = excluded.note, time = excluded.time, \
             key_time = excluded.key_time, kept = excluded.kept, boot = excluded.boot, \
             passed = excluded.passed, unix = excluded.unix, closed = excluded.closed, sum = excluded.sum",
    )
    .bind(&head.key)
    .bind(&head.vault)
    .bind(int(size))
    .bind(hashes_to_bytes(hashes))
    .bind(&head.note)
    .bind(head.time.map(int))
    .bind(int(head.key_time))
    .bind(int(head.kept))
    .bind(clock.map(|clock| clock.boot.as_str()))
    .bind(clock.map(|clock| int(clock.passed)))
    .bind(clock.map(|clock| int(clock.unix)))
    .bind(&head.closed)
    .bind(head_sum(head).to_vec())
    .execute(connection)
    .await?;
    Ok(())
}

/// Drops the entries before an index, and notes it in the head.
pub(super) async fn keep_from(connection: &mut PgConnection, kept: u64) -> Written {
    let found = read::head(&mut *connection).await?;
    if found.kept >= kept {
        return Ok(());
    }
    drop_entries(connection, kept).await?;
    head(connection, &Head { kept, ..found }).await
}

async fn drop_entries(connection: &mut PgConnection, before: u64) -> Written {
    sqlx::query("DELETE FROM tail WHERE first < $1").bind(int(before)).execute(connection).await?;
    Ok(())
}

async fn write_answers(
    connection: &mut PgConnection,
    answers: &[Answer],
    forget_before: u64,
) -> Written {
    if answers.is_empty() {
        return Ok(());
    }
    let old = read::old_answers(&mut *connection, answers, forget_before, FORGOTTEN).await?;
    if !old.is_empty() {
        sqlx::query("DELETE FROM answer WHERE place = ANY($1)")
            .bind(old)
            .execute(&mut *connection)
            .await?;
    }
    for rows in answers.chunks(ROWS) {
        sqlx::query(
            "INSERT INTO answer (place, name, again, request, at, sum) \
             SELECT place, name, name, request, at, sum \
             FROM unnest($1::bigint[], $2::text[], $3::bytea[], $4::bigint[], $5::bytea[]) \
             AS new (place, name, request, at, sum)",
        )
        .bind(column(rows, |row| int(row.index)))
        .bind(column(rows, |row| row.key.as_str()))
        .bind(column(rows, |row| row.request.to_vec()))
        .bind(column(rows, |row| int(row.at)))
        .bind(column(rows, |row| answer_sum(row).to_vec()))
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

async fn write_commitments(connection: &mut PgConnection, lives: &[StoredLife]) -> Written {
    for rows in lives.chunks(ROWS) {
        let texts: Vec<String> = rows.iter().map(terms).collect::<Result<_, _>>()?;
        let sums: Vec<Vec<u8>> =
            rows.iter().zip(&texts).map(|(row, text)| commitment_sum(row, text).to_vec()).collect();
        sqlx::query(
            "INSERT INTO commitment (place, commitment, name, terms, seed, sum) \
             SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::text[], $4::text[], $5::bytea[], $6::bytea[])",
        )
        .bind(column(rows, |row| int(row.life.index)))
        .bind(column(rows, |row| row.life.commit.commitment.as_bytes().to_vec()))
        .bind(column(rows, |row| row.life.commit.table.as_str()))
        .bind(texts)
        .bind(column(rows, |row| &*row.seed))
        .bind(sums)
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

pub(super) async fn reseal(connection: &mut PgConnection, lives: &[StoredLife]) -> Written {
    for rows in lives.chunks(ROWS) {
        let texts: Vec<String> = rows.iter().map(terms).collect::<Result<_, _>>()?;
        let sums: Vec<Vec<u8>> =
            rows.iter().zip(&texts).map(|(row, text)| commitment_sum(row, text).to_vec()).collect();
        let done = sqlx::query(
            "UPDATE commitment SET seed = new.seed, sum = new.sum \
             FROM unnest($1::bigint[], $2::bytea[], $3::bytea[]) AS new (place, seed, sum) \
             WHERE commitment.place = new.place",
        )
        .bind(column(rows, |row| int(row.life.index)))
        .bind(column(rows, |row| &*row.seed))
        .bind(sums)
        .execute(&mut *connection)
        .await?;
        if usize::try_from(done.rows_affected()) != Ok(rows.len()) {
            return Err(sqlx::Error::RowNotFound);
        }
    }
    Ok(())
}

async fn write_lives(connection: &mut PgConnection, lives: &[StoredLife]) -> Written {
    for rows in lives.chunks(ROWS) {
        let locks: Vec<Option<String>> =
            rows.iter().map(|row| lock(&row.life)).collect::<Result<_, _>>()?;
        let sums: Vec<Vec<u8>> = rows
            .iter()
            .zip(&locks)
            .map(|(row, lock)| life_sum(row, lock.as_deref()).to_vec())
            .collect();
        sqlx::query(
            "INSERT INTO life (place, next, lock_place, lock_entry, ended, ended_at, sum) \
             SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], \
                 $6::bigint[], $7::bytea[]) \
             ON CONFLICT (place) DO UPDATE SET next = excluded.next, lock_place = excluded.lock_place, \
                 lock_entry = excluded.lock_entry, ended = excluded.ended, ended_at = excluded.ended_at, \
                 sum = excluded.sum",
        )
        .bind(column(rows, |row| int(row.life.index)))
        .bind(column(rows, |row| int(row.life.next)))
        .bind(column(rows, |row| row.life.open.as_ref().map(|open| int(open.index))))
        .bind(locks)
        .bind(column(rows, |row| row.life.end.map(end_to_text)))
        .bind(column(rows, |row| row.ended_at.map(int)))
        .bind(sums)
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// Writes memos. Of two with one key the last one counts.
pub(super) async fn memos(connection: &mut PgConnection, memos: &[Memo]) -> Written {
    let last: BTreeMap<(&str, &str), Option<&str>> = memos
        .iter()
        .map(|memo| ((memo.kind.as_str(), memo.key.as_str()), memo.value.as_deref()))
        .collect();
    let gone: Vec<String> = last
        .iter()
        .filter(|(_, value)| value.is_none())
        .map(|((kind, key), _)| memo_name(kind, key))
        .collect();
    let rows: Vec<(&str, &str, &str)> =
        last.into_iter().filter_map(|((kind, key), value)| Some((kind, key, value?))).collect();
    if !gone.is_empty() {
        sqlx::query("DELETE FROM memo WHERE name = ANY($1)")
            .bind(gone)
            .execute(&mut *connection)
            .await?;
    }
    for rows in rows.chunks(ROWS) {
        sqlx::query(
            "INSERT INTO memo (kind, key, name, value, sum) \
             SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bytea[]) \
             ON CONFLICT (kind, key) DO UPDATE SET value = excluded.value, sum = excluded.sum",
        )
        .bind(column(rows, |(kind, ..)| *kind))
        .bind(column(rows, |(_, key, _)| *key))
        .bind(column(rows, |(kind, key, _)| memo_name(kind, key)))
        .bind(column(rows, |(.., value)| *value))
        .bind(column(rows, |(kind, key, value)| memo_sum(kind, key, value).to_vec()))
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}
