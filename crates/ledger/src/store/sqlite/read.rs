//! Asks SQLite.

use std::ops::Range;

use sqlx::query_builder::Separated;
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{QueryBuilder, Sqlite};

use crate::store::columns::{int, memo_name};
use crate::store::rows::{self, Found};
use crate::store::state::{Answer, Choice, Head, Memo, RoundEntry, Segment, StoredLife};
use fairdeal::deal::{Commitment, Nonce};
use fairdeal::log::Hash;
use fairdeal::record::entry::Table;

rows::fields!(SqliteRow);

/// Commitments beside the last entries of their rounds, in one question: others may write between two. Those of the newest
/// rounds may be [chosen](NEWEST) too.
const LIVES: &str = "SELECT c.place, c.commitment, c.name, c.terms, c.seed, c.sum AS fixed, \
     l.next, l.lock_place, l.lock_entry, l.ended, l.ended_at, l.sum AS changing, \
     coalesce(n.under, r.under) AS last_under, coalesce(n.nonce, r.nonce) AS last_nonce, \
     coalesce(n.place, r.place) AS last_place, coalesce(n.sum, r.sum) AS last_sum \
     FROM commitment c LEFT JOIN life l ON l.place = c.place \
     LEFT JOIN round r ON r.under = c.place AND (r.nonce, r.place) = \
         (SELECT nonce, place FROM round WHERE under = c.place ORDER BY nonce DESC, place DESC LIMIT 1) \
     LEFT JOIN (SELECT under, nonce, max(place) AS place, sum FROM new_round ";
const NEWEST: &str = "GROUP BY under) n ON n.under = c.place ";

/// How many keys or rows a statement has: few lengths, so that few statements are prepared, each once.
const LENGTHS: [usize; 7] = [1, 4, 16, 64, 128, 256, MOST];
/// The most rows in one statement. A statement is a question to another thread, so that one is better than several.
pub(super) const MOST: usize = 512;

/// The length that is used for so many.
pub(super) fn length(count: usize) -> usize {
    LENGTHS.into_iter().find(|&length| length >= count).unwrap_or(count)
}

/// Adds the keys of a question. Some stand there more than once, to make up its [`length`].
fn list<T>(
    query: &mut QueryBuilder<Sqlite>,
    keys: &[T],
    push: impl Fn(&mut Separated<'_, Sqlite, &str>, &T),
) {
    let mut separated = query.separated(", ");
    keys.iter().cycle().take(length(keys.len())).for_each(|key| push(&mut separated, key));
}

const HEAD: &str = "SELECT verifier_key, vault, size, frontier, note, time, key_time, kept, boot, passed, unix, closed, sum \
     FROM ledger WHERE id = 0";

pub(super) async fn head(connection: &mut SqliteConnection) -> Found<Head> {
    rows::head(&sqlx::query(HEAD).fetch_one(connection).await?)
}

/// Begins to write, and asks for the head in the same question, as every batch does. `None` where it is damaged: who asks for
/// it then is told. Where nothing can be written, it begins to read: all that follows is of one moment.
pub(super) async fn begin(
    connection: &mut SqliteConnection,
    reads_only: bool,
) -> Found<Option<Head>> {
    let begin = if reads_only { "BEGIN; " } else { "BEGIN IMMEDIATE; " };
    let mut begin = QueryBuilder::<Sqlite>::new(begin);
    let row = begin.push(HEAD).build().fetch_optional(connection).await?;
    Ok(row.and_then(|row| rows::head(&row).ok()))
}

pub(super) async fn lives(
    connection: &mut SqliteConnection,
    of: &[Commitment],
) -> Found<Vec<StoredLife>> {
    if of.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = QueryBuilder::<Sqlite>::new(LIVES);
    let asked = |query: &mut QueryBuilder<Sqlite>| {
        list(query, of, |keys, one| {
            keys.push_bind(one.as_bytes().as_slice());
        });
    };
    query.push("WHERE under IN (SELECT place FROM commitment WHERE commitment IN (");
    asked(&mut query);
    query.push(")) ").push(NEWEST).push("WHERE c.commitment IN (");
    asked(&mut query);
    query.push(")");
    let rows = query.build().fetch_all(connection).await?;
    rows.iter().map(rows::stored_life).collect()
}

pub(super) async fn lives_from(
    connection: &mut SqliteConnection,
    choice: &Choice,
    from: u64,
    most: u32,
) -> Found<Vec<StoredLife>> {
    // From the first on: one whose index has changed to a negative number is found too.
    let from = if from == 0 { i64::MIN } else { int(from) };
    let mut query = QueryBuilder::<Sqlite>::new(LIVES);
    query.push(NEWEST).push("WHERE c.place >= ").push_bind(from);
    if let Some(table) = &choice.table {
        query.push(" AND c.name = ").push_bind(table.as_str().to_owned());
    }
    if choice.open {
        // A question of its own, so that its index is used.
        query.push(" AND c.place IN (SELECT place FROM life WHERE ended IS NULL)");
    }
    if let Some((first, last)) = &choice.between {
        query.push(" AND c.commitment BETWEEN ").push_bind(first.as_bytes().to_vec());
        query.push(" AND ").push_bind(last.as_bytes().to_vec());
    }
    query.push(" ORDER BY c.place LIMIT ").push_bind(most);
    let rows = query.build().fetch_all(connection).await?;
    rows.iter().map(rows::stored_life).collect()
}

/// Each table's last commitment, by `chain` and by the index over all commitments: they must agree.
pub(super) async fn tables(
    connection: &mut SqliteConnection,
    of: &[Table],
) -> Found<Vec<(Table, Commitment)>> {
    if of.is_empty() {
        return Ok(Vec::new());
    }
    let listed = |start: &str, end: &str| {
        let mut query = QueryBuilder::<Sqlite>::new(start);
        list(&mut query, of, |keys, one| {
            keys.push_bind(one.as_str());
        });
        query.push(end);
        query
    };
    let chain = listed(
        "SELECT h.name, h.place, h.sum, c.commitment FROM chain h \
         LEFT JOIN commitment c ON c.place = h.place WHERE h.name IN (",
        ")",
    )
    .build()
    .fetch_all(&mut *connection)
    .await?;
    let newest = listed(
        "SELECT name, max(place) AS place FROM commitment WHERE name IN (",
        ") GROUP BY name",
    )
    .build()
    .fetch_all(connection)
    .await?;
    rows::tables(of, &chain, &newest)
}

/// One range of the primary key.
pub(super) async fn tables_after(
    connection: &mut SqliteConnection,
    after: Option<&Table>,
    most: u32,
) -> Found<Vec<Table>> {
    let rows = sqlx::query("SELECT name FROM chain WHERE name > ? ORDER BY name LIMIT ?")
        .bind(after.map_or("", Table::as_str))
        .bind(most)
        .fetch_all(connection)
        .await?;
    rows::names(&rows)
}

/// By both names.
pub(super) async fn answers(
    connection: &mut SqliteConnection,
    keys: &[String],
    since: u64,
) -> Found<Vec<Answer>> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = QueryBuilder::<Sqlite>::new("SELECT * FROM answer WHERE name IN (");
    for end in [") UNION SELECT * FROM answer WHERE again IN (", ")"] {
        list(&mut query, keys, |keys, key| {
            keys.push_bind(key.as_str());
        });
        query.push(end);
    }
    rows::answers(&query.build().fetch_all(connection).await?, since)
}

/// All answers, from the first on: one whose place has changed to a negative number is found too.
pub(super) async fn answers_after(
    connection: &mut SqliteConnection,
    after: Option<u64>,
    most: u32,
) -> Found<Vec<Answer>> {
    let rows = sqlx::query("SELECT * FROM answer WHERE place > ? ORDER BY place LIMIT ?")
        .bind(after.map_or(i64::MIN, int))
        .bind(i64::from(most))
        .fetch_all(connection)
        .await?;
    rows.iter().map(rows::answer).collect()
}

/// The places of answers from before this `key_time`, among the first `most` and under the new ones' names, which they would
/// keep from them. A changed row is left out: its time and its place say nothing.
pub(super) async fn old_answers(
    connection: &mut SqliteConnection,
    new: &[Answer],
    before: u64,
    most: i64,
) -> Found<Vec<u64>> {
    let before = int(before);
    let mut query = QueryBuilder::<Sqlite>::new("SELECT * FROM (SELECT * FROM answer WHERE at < ");
    query.push_bind(before);
    query.push(
        " AND place <= (SELECT max(place) FROM (SELECT place, at FROM answer ORDER BY place LIMIT ",
    );
    query
        .push_bind(most)
        .push(") WHERE at < ")
        .push_bind(before)
        .push(") ORDER BY place LIMIT ")
        .push_bind(most);
    query.push(") UNION SELECT * FROM answer WHERE at < ").push_bind(before).push(" AND name IN (");
    list(&mut query, new, |names, one| {
        names.push_bind(one.key.as_str());
    });
    query.push(")");
    let rows = query.build().fetch_all(connection).await?;
    Ok(rows.iter().filter_map(|row| rows::answer(row).ok()).map(|answer| answer.index).collect())
}

pub(super) async fn segments(
    connection: &mut SqliteConnection,
    range: Range<u64>,
) -> Found<Vec<Segment>> {
    let rows = sqlx::query(
        "SELECT first, count, bytes, sum FROM tail WHERE first >= ? AND first < ? ORDER BY first",
    )
    .bind(int(range.start))
    .bind(int(range.end))
    .fetch_all(connection)
    .await?;
    rows.iter().map(rows::segment).collect()
}

pub(super) async fn round(
    connection: &mut SqliteConnection,
    under: u64,
    nonce: Nonce,
) -> Found<Vec<u64>> {
    let rows = sqlx::query(
        "SELECT under, nonce, place, sum FROM round WHERE under = ?1 AND nonce = ?2 \
         UNION ALL SELECT under, nonce, place, sum FROM new_round WHERE under = ?1 AND nonce = ?2 ORDER BY place",
    )
    .bind(int(under))
    .bind(int(nonce.value()))
    .fetch_all(connection)
    .await?;
    rows::of_round(&rows)
}

pub(super) async fn rounds_after(
    connection: &mut SqliteConnection,
    after: Option<RoundEntry>,
    most: u32,
) -> Found<Vec<RoundEntry>> {
    // From the first on: one whose commit has changed to a negative number is found too.
    let (under, nonce, place) = after
        .map_or((i64::MIN, -1, -1), |one| (int(one.under), int(one.nonce.value()), int(one.index)));
    let rows = sqlx::query(
        "SELECT under, nonce, place, sum FROM round WHERE (under, nonce, place) > (?1, ?2, ?3) \
         UNION ALL SELECT under, nonce, place, sum FROM new_round WHERE (under, nonce, place) > (?1, ?2, ?3) \
         ORDER BY under, nonce, place LIMIT ?4",
    )
    .bind(under)
    .bind(nonce)
    .bind(place)
    .bind(most)
    .fetch_all(connection)
    .await?;
    rows::round_entries(&rows)
}

/// By their kind and key, and by both in one: a row that lost the one is found by the other, and its checksum tells.
pub(super) async fn memos(
    connection: &mut SqliteConnection,
    kind: &str,
    prefix: &str,
    after: Option<&str>,
    most: u32,
) -> Found<Vec<(String, String)>> {
    let from = after.filter(|after| *after >= prefix).unwrap_or(prefix);
    // One more, where the first may be `after` itself.
    let rows = sqlx::query(
        "SELECT * FROM (SELECT * FROM memo WHERE kind = ?1 AND key >= ?2 ORDER BY key LIMIT ?4)
         UNION SELECT * FROM (SELECT * FROM memo WHERE name >= ?3 ORDER BY name LIMIT ?4)
         ORDER BY name",
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
    connection: &mut SqliteConnection,
    kind: &str,
    keys: &[String],
) -> Found<Vec<(String, String)>> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = QueryBuilder::<Sqlite>::new("SELECT * FROM memo WHERE kind = ");
    query.push_bind(kind.to_owned()).push(" AND key IN (");
    list(&mut query, keys, |keys, key| {
        keys.push_bind(key.as_str());
    });
    query.push(") UNION SELECT * FROM memo WHERE name IN (");
    list(&mut query, keys, |keys, key| {
        keys.push_bind(memo_name(kind, key));
    });
    query.push(") ORDER BY key");
    let rows = query.build().fetch_all(connection).await?;
    let memos = rows
        .iter()
        .map(|row| rows::memo(row).map(|memo| (memo.key, memo.value.unwrap_or_default())));
    memos.collect()
}

pub(super) async fn memos_after(
    connection: &mut SqliteConnection,
    after: Option<&Memo>,
    most: u32,
) -> Found<Vec<Memo>> {
    let (kind, key) = after.map_or(("", ""), |memo| (memo.kind.as_str(), memo.key.as_str()));
    let rows =
        sqlx::query("SELECT * FROM memo WHERE (kind, key) > (?, ?) ORDER BY kind, key LIMIT ?")
            .bind(kind)
            .bind(key)
            .bind(most)
            .fetch_all(connection)
            .await?;
    rows.iter().map(rows::memo).collect()
}

/// SQLite's own check of all pages and indexes: the first lines, and one about all pages that nothing leads to.
pub(super) async fn integrity(connection: &mut SqliteConnection) -> Found<Vec<String>> {
    // Lost pages come before the rows that an index lacks: a small limit would hide these.
    let all: Vec<String> =
        sqlx::query_scalar("PRAGMA main.integrity_check(1000000)").fetch_all(connection).await?;
    let lines = all
        .iter()
        .flat_map(|row| row.lines())
        .filter(|line| *line != "ok" && !line.starts_with("***"));
    let (lost, others): (Vec<&str>, Vec<&str>) =
        lines.partition(|line| line.ends_with("never used"));
    let lost = (!lost.is_empty()).then(|| format!("pages that nothing leads to: {}", lost.len()));
    Ok(others.into_iter().take(20).map(str::to_owned).chain(lost).collect())
}

pub(super) async fn nodes(
    connection: &mut SqliteConnection,
    level: u32,
    range: Range<u64>,
) -> Found<Vec<(u64, Hash)>> {
    let rows = sqlx::query(
        "SELECT place, hash, sum FROM node WHERE level = ? AND place >= ? AND place < ? ORDER BY place",
    )
    .bind(i64::from(level))
    .bind(int(range.start))
    .bind(int(range.end))
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| rows::node(row, level)).collect()
}
