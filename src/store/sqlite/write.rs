//! Writes a batch.

use sqlx::sqlite::SqliteConnection;
use sqlx::{QueryBuilder, Sqlite};

use super::read::{self, MOST, length};
use crate::deal::Commitment;
use crate::log::{Hash, Node};
use crate::record::entry::Table;
use crate::store::columns::{FORGOTTEN, end_to_text, hashes_to_bytes, int, lock, memo_name, terms};
use crate::store::state::{Derived, Growth, Head, Memo, RoundEntry, StoredLife};
use crate::store::sum::{
    answer_sum, chain_sum, commitment_sum, head_sum, life_sum, memo_sum, node_sum, round_sum, segment_sum,
};

/// Rows in statements of few lengths, so that few are prepared, each once: `None` stands for a row that is not there. In an
/// `INSERT`, [`GIVEN`] leaves it out.
fn statements<R>(rows: impl IntoIterator<Item = R>) -> impl Iterator<Item = Vec<Option<R>>> {
    let mut rows = rows.into_iter();
    std::iter::from_fn(move || {
        let mut some: Vec<Option<R>> = rows.by_ref().take(MOST).map(Some).collect();
        if some.is_empty() {
            return None;
        }
        some.resize_with(length(some.len()), || None);
        Some(some)
    })
}

/// The end of an `INSERT … SELECT * FROM (VALUES …`.
const GIVEN: &str = ") WHERE column1 IS NOT NULL";

type Written = Result<(), sqlx::Error>;

pub(super) async fn grow(connection: &mut SqliteConnection, growth: &Growth) -> Written {
    for rows in statements(&growth.segments) {
        let into = "INSERT INTO tail (first, count, bytes, sum) SELECT * FROM (";
        let mut insert = QueryBuilder::<Sqlite>::new(into);
        insert.push_values(rows, |mut row, segment| {
            row.push_bind(segment.map(|segment| int(segment.first)))
                .push_bind(segment.map(|segment| i64::from(segment.count)))
                .push_bind(segment.map(|segment| segment.bytes.as_slice()))
                .push_bind(segment.map(|segment| segment_sum(segment).to_vec()));
        });
        insert.push(GIVEN).build().execute(&mut *connection).await?;
    }
    write_rounds(connection, &growth.rounds).await?;
    write_commitments(connection, &growth.commitments).await?;
    write_lives(connection, &growth.commitments).await?;
    write_lives(connection, &growth.lives).await?;
    write_tables(connection, &growth.tables).await?;
    write_nodes(connection, &growth.nodes).await?;
    write_answers(connection, growth).await?;
    memos(connection, &growth.memos).await?;
    drop_entries(connection, growth.head.kept).await?;
    head(connection, &growth.head).await
}

/// Empties the tables that follow from the log.
pub(super) async fn clear_derived(connection: &mut SqliteConnection) -> Written {
    // What is deleted by a wrong index is not what is meant.
    sqlx::query("REINDEX").execute(&mut *connection).await?;
    for table in ["DELETE FROM life", "DELETE FROM chain", "DELETE FROM round", "DELETE FROM node"] {
        sqlx::query(table).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Adds to them.
pub(super) async fn derive(connection: &mut SqliteConnection, derived: &Derived) -> Written {
    write_lives(connection, &derived.lives).await?;
    write_tables(connection, &derived.tables).await?;
    write_nodes(connection, &derived.nodes).await?;
    write_rounds(connection, &derived.rounds).await
}

async fn write_rounds(connection: &mut SqliteConnection, rounds: &[RoundEntry]) -> Written {
    for rows in statements(rounds) {
        let into = "INSERT INTO round (under, nonce, place, sum) SELECT * FROM (";
        let mut insert = QueryBuilder::<Sqlite>::new(into);
        insert.push_values(rows, |mut row, one| {
            row.push_bind(one.map(|one| int(one.under)))
                .push_bind(one.map(|one| int(one.nonce.value())))
                .push_bind(one.map(|one| int(one.index)))
                .push_bind(one.map(|one| round_sum(one).to_vec()));
        });
        insert.push(GIVEN).build().execute(&mut *connection).await?;
    }
    Ok(())
}

async fn write_tables(connection: &mut SqliteConnection, tables: &[(Table, Commitment)]) -> Written {
    for (name, last) in tables {
        sqlx::query(
            "INSERT OR REPLACE INTO chain (name, place, sum)
             SELECT ?1, place, ?3 FROM commitment WHERE commitment = ?2",
        )
        .bind(name.as_str())
        .bind(last.as_bytes().as_slice())
        .bind(chain_sum(name.as_str(), last.as_bytes()).to_vec())
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

async fn write_nodes(connection: &mut SqliteConnection, nodes: &[(Node, Hash)]) -> Written {
    for rows in statements(nodes) {
        let into = "INSERT INTO node (level, place, hash, sum) SELECT * FROM (";
        let mut insert = QueryBuilder::<Sqlite>::new(into);
        insert.push_values(rows, |mut row, one| {
            let sum = |(node, hash): &(Node, Hash)| node_sum(node.level(), node.index(), hash.as_bytes());
            row.push_bind(one.map(|(node, _)| i64::from(node.level())))
                .push_bind(one.map(|(node, _)| int(node.index())))
                .push_bind(one.map(|(_, hash)| hash.as_bytes().as_slice()))
                .push_bind(one.map(|one| sum(one).to_vec()));
        });
        insert.push(GIVEN).build().execute(&mut *connection).await?;
    }
    Ok(())
}

/// Writes the one row of `ledger`.
pub(super) async fn head(connection: &mut SqliteConnection, head: &Head) -> Written {
    let (size, hashes) = head.frontier.parts();
    let clock = head.clock.as_ref();
    sqlx::query(
        "INSERT OR REPLACE INTO ledger
         (id, verifier_key, vault, size, frontier, note, time, key_time, kept, boot, passed, unix, closed, sum)
         VALUES (0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
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
pub(super) async fn keep_from(connection: &mut SqliteConnection, kept: u64) -> Written {
    let found = read::head(&mut *connection).await?;
    if found.kept >= kept {
        return Ok(());
    }
    drop_entries(connection, kept).await?;
    head(connection, &Head { kept, ..found }).await
}

async fn drop_entries(connection: &mut SqliteConnection, before: u64) -> Written {
    sqlx::query("DELETE FROM tail WHERE first < ?").bind(int(before)).execute(connection).await?;
    Ok(())
}

async fn write_answers(connection: &mut SqliteConnection, growth: &Growth) -> Written {
    if growth.answers.is_empty() {
        return Ok(());
    }
    let old = read::old_answers(&mut *connection, growth.forget_before, FORGOTTEN).await?;
    for places in statements(old) {
        let mut delete = QueryBuilder::<Sqlite>::new("DELETE FROM answer WHERE place IN (");
        let mut list = delete.separated(", ");
        for place in places {
            list.push_bind(place.map(int));
        }
        delete.push(")").build().execute(&mut *connection).await?;
    }
    for rows in statements(&growth.answers) {
        let into = "INSERT INTO answer (place, name, request, at, sum) SELECT * FROM (";
        let mut insert = QueryBuilder::<Sqlite>::new(into);
        insert.push_values(rows, |mut row, answer| {
            row.push_bind(answer.map(|answer| int(answer.index)))
                .push_bind(answer.map(|answer| answer.key.as_str()))
                .push_bind(answer.map(|answer| answer.request.as_slice()))
                .push_bind(answer.map(|answer| int(answer.at)))
                .push_bind(answer.map(|answer| answer_sum(answer).to_vec()));
        });
        insert.push(GIVEN).build().execute(&mut *connection).await?;
    }
    Ok(())
}

/// Writes memos one after the other, so that the last one of a key counts. There are few.
pub(super) async fn memos(connection: &mut SqliteConnection, memos: &[Memo]) -> Written {
    for Memo { kind, key, value } in memos {
        let Some(value) = value else {
            sqlx::query("DELETE FROM memo WHERE kind = ? AND key = ?")
                .bind(kind)
                .bind(key)
                .execute(&mut *connection)
                .await?;
            continue;
        };
        sqlx::query("INSERT OR REPLACE INTO memo (kind, key, name, value, sum) VALUES (?, ?, ?, ?, ?)")
            .bind(kind)
            .bind(key)
            .bind(memo_name(kind, key))
            .bind(value)
            .bind(memo_sum(kind, key, value).to_vec())
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

async fn write_commitments(connection: &mut SqliteConnection, lives: &[StoredLife]) -> Written {
    let terms: Vec<String> = lives.iter().map(terms).collect::<Result<_, _>>()?;
    for rows in statements(lives.iter().zip(&terms)) {
        let into = "INSERT INTO commitment (place, commitment, name, terms, seed, sum) SELECT * FROM (";
        let mut insert = QueryBuilder::<Sqlite>::new(into);
        insert.push_values(rows, |mut row, one| {
            row.push_bind(one.map(|(stored, _)| int(stored.life.index)))
                .push_bind(one.map(|(stored, _)| stored.life.commit.commitment.as_bytes().as_slice()))
                .push_bind(one.map(|(stored, _)| stored.life.commit.table.as_str()))
                .push_bind(one.map(|(_, terms)| terms.as_str()))
                .push_bind(one.map(|(stored, _)| &*stored.seed))
                .push_bind(one.map(|(stored, terms)| commitment_sum(stored, terms).to_vec()));
        });
        insert.push(GIVEN).build().execute(&mut *connection).await?;
    }
    Ok(())
}

/// Replaces the seeds of commitments, with the checksums of their rows.
pub(super) async fn reseal(connection: &mut SqliteConnection, lives: &[StoredLife]) -> Written {
    let terms: Vec<String> = lives.iter().map(terms).collect::<Result<_, _>>()?;
    let mut done = 0;
    for rows in statements(lives.iter().zip(&terms)) {
        let mut update = QueryBuilder::<Sqlite>::new("WITH new (place, seed, sum) AS (");
        update.push_values(rows, |mut row, one| {
            row.push_bind(one.map(|(stored, _)| int(stored.life.index)))
                .push_bind(one.map(|(stored, _)| &*stored.seed))
                .push_bind(one.map(|(stored, terms)| commitment_sum(stored, terms).to_vec()));
        });
        update.push(
            ") UPDATE commitment SET seed = new.seed, sum = new.sum FROM new WHERE commitment.place = new.place",
        );
        done += update.build().execute(&mut *connection).await?.rows_affected();
    }
    if usize::try_from(done) == Ok(lives.len()) { Ok(()) } else { Err(sqlx::Error::RowNotFound) }
}

async fn write_lives(connection: &mut SqliteConnection, lives: &[StoredLife]) -> Written {
    let locks: Vec<Option<String>> =
        lives.iter().map(|stored| lock(&stored.life)).collect::<Result<_, _>>()?;
    let locks = locks.iter().map(Option::as_deref);
    for rows in statements(lives.iter().zip(locks)) {
        let mut insert = QueryBuilder::<Sqlite>::new(
            "INSERT OR REPLACE INTO life (place, next, lock_place, lock_entry, ended, ended_at, sum) SELECT * FROM (",
        );
        insert.push_values(rows, |mut row, one| {
            row.push_bind(one.map(|(stored, _)| int(stored.life.index)))
                .push_bind(one.map(|(stored, _)| int(stored.life.next)))
                .push_bind(one.and_then(|(stored, _)| stored.life.open.as_ref()).map(|open| int(open.index)))
                .push_bind(one.and_then(|(_, lock)| lock))
                .push_bind(one.and_then(|(stored, _)| stored.life.end).map(end_to_text))
                .push_bind(one.and_then(|(stored, _)| stored.ended_at).map(int))
                .push_bind(one.map(|(stored, lock)| life_sum(stored, lock).to_vec()));
        });
        insert.push(GIVEN).build().execute(&mut *connection).await?;
    }
    Ok(())
}
