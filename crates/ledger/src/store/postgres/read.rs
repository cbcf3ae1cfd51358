//! Asks PostgreSQL. Lists are arrays: each question is one statement, prepared once.

use std::ops::Range;

use sqlx::postgres::{PgConnection, PgRow};
use sqlx::{Postgres, QueryBuilder};

use crate::store::columns::{int, memo_name};
use crate::store::rows::{self, Found};
use crate::store::state::{Answer, Choice, Head, Memo, RoundEntry, Segment, StoredLife};
use fairdeal::deal::{Commitment, Nonce};
use fairdeal::log::Hash;
use fairdeal::record::entry::Table;

rows::fields!(PgRow);

/// Commitments beside the last entries of their rounds, in one question: others may write between two.
const LIVES: &str = "SELECT c.place, c.commitment, c.name, c.terms, c.seed, c.sum AS fixed, \
     l.next, l.lock_place, l.lock_entry, l.ended, l.ended_at, l.sum AS changing, \
     r.under AS last_under, r.nonce AS last_nonce, r.place AS last_place, r.sum AS last_sum \
     FROM commitment c LEFT JOIN life l ON l.place = c.place \
     LEFT JOIN LATERAL (SELECT under, nonce, place, sum FROM round WHERE under = c.place \
         ORDER BY nonce DESC, place DESC LIMIT 1) r ON true ";

pub(super) async fn head(connection: &mut PgConnection) -> Found<Head> {
    let row = sqlx::query(
        "SELECT verifier_key, vault, size, frontier, note, time, key_time, kept, boot, passed, unix, closed, sum \
         FROM ledger WHERE id = 0",
    )
    .fetch_one(connection)
    .await?;
    rows::head(&row)
}

pub(super) async fn lives(
    connection: &mut PgConnection,
    of: &[Commitment],
) -> Found<Vec<StoredLife>> {
    if of.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = QueryBuilder::<Postgres>::new(LIVES);
    query.push("WHERE c.commitment = ANY(").push_bind(bytes_of(of)).push(")");
    let rows = query.build().fetch_all(connection).await?;
    rows.iter().map(rows::stored_life).collect()
}

fn bytes_of(of: &[Commitment]) -> Vec<Vec<u8>> {
    of.iter().map(|one| one.as_bytes().to_vec()).collect()
}

pub(super) async fn lives_from(
    connection: &mut PgConnection,
    choice: &Choice,
    from: u64,
    most: u32,
) -> Found<Vec<StoredLife>> {
    // From the first on: one whose index has changed to a negative number is found too.
    let from = if from == 0 { i64::MIN } else { int(from) };
    let mut query = QueryBuilder::<Postgres>::new(LIVES);
    query.push("WHERE c.place >= ").push_bind(from);
    if let Some(table) = &choice.table {
        query.push(" AND c.name = ").push_bind(table.as_str().to_owned());
    }
    if choice.open {
        query.push(" AND c.place IN (SELECT place FROM life WHERE ended IS NULL)");
    }
    if let Some((first, last)) = &choice.between {
        query.push(" AND c.commitment BETWEEN ").push_bind(first.as_bytes().to_vec());
        query.push(" AND ").push_bind(last.as_bytes().to_vec());
    }
    query.push(" ORDER BY c.place LIMIT ").push_bind(i64::from(most));
    let rows = query.build().fetch_all(connection).await?;
    rows.iter().map(rows::stored_life).collect()
}

/// Each table's last commitment, by `chain` and by the index over all commitments: they must agree.
pub(super) async fn tables(
    connection: &mut PgConnection,
    of: &[Table],
) -> Found<Vec<(Table, Commitment)>> {
    if of.is_empty() {
        return Ok(Vec::new());
    }
    let names: Vec<&str> = of.iter().map(Table::as_str).collect();
    let chain = sqlx::query(
        "SELECT h.name, h.place, h.sum, c.commitment FROM chain h \
         LEFT JOIN commitment c ON c.place = h.place WHERE h.name = ANY($1)",
    )
    .bind(&names)
    .fetch_all(&mut *connection)
    .await?;
    // One look into the index for each table, however many commitments it has had.
    let newest = sqlx::query(
        "SELECT n.name, c.place FROM unnest($1::text[]) AS n(name) JOIN LATERAL ( \
             SELECT place FROM commitment WHERE name = n.name ORDER BY place DESC LIMIT 1) c ON true",
    )
    .bind(&names)
    .fetch_all(connection)
    .await?;
    rows::tables(of, &chain, &newest)
}

/// One range of the primary key.
pub(super) async fn tables_after(
    connection: &mut PgConnection,
    after: Option<&Table>,
    most: u32,
) -> Found<Vec<Table>> {
    let rows = sqlx::query("SELECT name FROM chain WHERE name > $1 ORDER BY name LIMIT $2")
        .bind(after.map_or("", Table::as_str))
        .bind(i64::from(most))
        .fetch_all(connection)
        .await?;
    rows::names(&rows)
}

/// The server's clock, in Unix milliseconds.
pub(super) async fn time(connection: &mut PgConnection) -> Found<u64> {
    let asked = sqlx::query_scalar("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint");
    let time: i64 = asked.fetch_one(connection).await?;
    Ok(u64::try_from(time).unwrap_or(0))
}

/// By both names.
pub(super) async fn answers(
    connection: &mut PgConnection,
    keys: &[String],
    since: u64,
) -> Found<Vec<Answer>> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let rows = sqlx::query(
        "SELECT * FROM answer WHERE name = ANY($1) UNION SELECT * FROM answer WHERE again = ANY($1)",
    )
    .bind(keys)
    .fetch_all(connection)
    .await?;
    rows::answers(&rows, since)
}

/// All answers, from the first on: one whose place has changed to a negative number is found too.
pub(super) async fn answers_after(
    connection: &mut PgConnection,
    after: Option<u64>,
    most: u32,
) -> Found<Vec<Answer>> {
    let rows = sqlx::query("SELECT * FROM answer WHERE place > $1 ORDER BY place LIMIT $2")
        .bind(after.map_or(i64::MIN, int))
        .bind(i64::from(most))
        .fetch_all(connection)
        .await?;
    rows.iter().map(rows::answer).collect()
}

/// The places of answers from before this `key_time`, among the first `most` and under the new ones' names, which they would
/// keep from them. A changed row is left out: its time and its place say nothing.
pub(super) async fn old_answers(
    connection: &mut PgConnection,
    new: &[Answer],
    before: u64,
    most: i64,
) -> Found<Vec<i64>> {
    let names: Vec<&str> = new.iter().map(|answer| answer.key.as_str()).collect();
    let rows = sqlx::query(
        "(SELECT * FROM answer WHERE at < $2 AND place <= ( \
             SELECT max(place) FROM (SELECT place, at FROM answer ORDER BY place LIMIT $1) a WHERE at < $2 \
         ) ORDER BY place LIMIT $1) \
         UNION SELECT * FROM answer WHERE at < $2 AND name = ANY($3)",
    )
    .bind(most)
    .bind(int(before))
    .bind(names)
    .fetch_all(connection)
    .await?;
    Ok(rows
        .iter()
        .filter_map(|row| rows::answer(row).ok())
        .map(|answer| int(answer.index))
        .collect())
}

pub(super) async fn segments(
    connection: &mut PgConnection,
    range: Range<u64>,
) -> Found<Vec<Segment>> {
    let rows = sqlx::query(
        "SELECT first, count, bytes, sum FROM tail WHERE first >= $1 AND first < $2 ORDER BY first",
    )
    .bind(int(range.start))
    .bind(int(range.end))
    .fetch_all(connection)
    .await?;
    rows.iter().map(rows::segment).collect()
}

pub(super) async fn round(
    connection: &mut PgConnection,
    under: u64,
    nonce: Nonce,
) -> Found<Vec<u64>> {
    let rows = sqlx::query(
        "SELECT under, nonce, place, sum FROM round WHERE under = $1 AND nonce = $2 ORDER BY place",
    )
    .bind(int(under))
    .bind(int(nonce.value()))
    .fetch_all(connection)
    .await?;
    rows::of_round(&rows)
}

pub(super) async fn rounds_after(
    connection: &mut PgConnection,
    after: Option<RoundEntry>,
    most: u32,
) -> Found<Vec<RoundEntry>> {
    // From the first on: one whose commit has changed to a negative number is found too.
    let (under, nonce, place) = after
        .map_or((i64::MIN, -1, -1), |one| (int(one.under), int(one.nonce.value()), int(one.index)));
    let rows = sqlx::query(
        "SELECT under, nonce, place, sum FROM round WHERE (under, nonce, place) > ($1, $2, $3) \
         ORDER BY under, nonce, place LIMIT $4",
    )
    .bind(under)
    .bind(nonce)
    .bind(place)
    .bind(i64::from(most))
    .fetch_all(connection)
    .await?;
    rows::round_entries(&rows)
}

pub(super) async fn nodes(
    connection: &mut PgConnection,
    level: u32,
    range: Range<u64>,
) -> Found<Vec<(u64, Hash)>> {
    let rows = sqlx::query(
        "SELECT place, hash, sum FROM node WHERE level = $1 AND place >= $2 AND place < $3 ORDER BY place",
    )
    .bind(i64::from(level))
    .bind(int(range.start))
    .bind(int(range.end))
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| rows::node(row, level)).collect()
}

/// By their kind and key, and by both in one: a row that lost the one is found by the other, and its checksum tells.
pub(super) async fn memos(
    connection: &mut PgConnection,
    kind: &str,
    prefix: &str,
    after: Option<&str>,
    most: u32,
) -> Found<Vec<(String, String)>> {
    let from = after.filter(|after| *after >= prefix).unwrap_or(prefix);
    // One more, where the first may be `after` itself.
    let rows = sqlx::query(
        "(SELECT * FROM memo WHERE kind = $1 AND key >= $2 ORDER BY key LIMIT $4) \
         UNION (SELECT * FROM memo WHERE name >= $3 ORDER BY name LIMIT $4)",
    )
    .bind(kind)
    .bind(from)
    .bind(memo_name(kind, from))
    .bind(i64::from(most) + 1)
    .fetch_all(connection)
    .await?;
    rows::memos(&rows, kind, prefix, after, most)
}

/// By both names too.
pub(super) async fn memos_of(
    connection: &mut PgConnection,
    kind: &str,
    keys: &[String],
) -> Found<Vec<(String, String)>> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let names: Vec<String> = keys.iter().map(|key| memo_name(kind, key)).collect();
    let rows = sqlx::query(
        "SELECT * FROM (SELECT * FROM memo WHERE kind = $1 AND key = ANY($2) \
         UNION SELECT * FROM memo WHERE name = ANY($3)) m ORDER BY key",
    )
    .bind(kind)
    .bind(keys)
    .bind(names)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| rows::memo(row).map(|memo| (memo.key, memo.value.unwrap_or_default())))
        .collect()
}

/// PostgreSQL has no check of its own that every server knows. `amcheck` is one, for its administrator.
pub(super) async fn integrity(_connection: &mut PgConnection) -> Found<Vec<String>> {
    Ok(Vec::new())
}

pub(super) async fn memos_after(
    connection: &mut PgConnection,
    after: Option<&Memo>,
    most: u32,
) -> Found<Vec<Memo>> {
    let (kind, key) = after.map_or(("", ""), |memo| (memo.kind.as_str(), memo.key.as_str()));
    let rows =
        sqlx::query("SELECT * FROM memo WHERE (kind, key) > ($1, $2) ORDER BY kind, key LIMIT $3")
            .bind(kind)
            .bind(key)
            .bind(i64::from(most))
            .fetch_all(connection)
            .await?;
    rows.iter().map(rows::memo).collect()
}
