//! Reads rows, through the same strict parsers as everything else, and holds each against its checksum.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Display;
use std::ops::Range;

use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{QueryBuilder, Row as _, Sqlite};

use super::sum::LENGTH;
use super::write::{
    answer_sum, chain_sum, commitment_sum, head_sum, int, life_sum, memo_name, memo_sum, node_sum, round_sum,
    segment_sum,
};
use crate::deal::{Commitment, Nonce};
use crate::log::{Frontier, Hash};
use crate::record::entry::{Commit, Entry, Lock, Table};
use crate::record::life::{End, Life, Open};
use crate::store::state::{Answer, Choice, Head, Memo, RoundEntry, Segment, StoredLife, Ticked};

type Found<T> = Result<T, sqlx::Error>;

const LIVES: &str = "SELECT c.place, c.commitment, c.name, c.terms, c.seed, c.sum AS fixed, \
     l.next, l.lock_place, l.lock_entry, l.ended, l.ended_at, l.sum AS changing \
     FROM commitment c LEFT JOIN life l ON l.place = c.place ";

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

/// Holds a row against its checksum.
fn check(row: &SqliteRow, column: &str, table: &str, key: impl Display, sum: [u8; LENGTH]) -> Found<()> {
    let kept: &[u8] = row.try_get(column)?;
    if kept == sum {
        return Ok(());
    }
    let (expected, found) = (hex::encode(kept), hex::encode(sum));
    Err(damaged(format!(
        "{table} {key}: expected a row with checksum {expected}, found {found}: it has changed on the disk"
    )))
}

pub(super) async fn head(connection: &mut SqliteConnection) -> Found<Head> {
    let row = sqlx::query(
        "SELECT verifier_key, vault, size, frontier, note, time, key_time, kept, boot, passed, unix, sum \
         FROM ledger WHERE id = 0",
    )
    .fetch_one(connection)
    .await?;
    let (hashes, rest) = row.try_get::<&[u8], _>("frontier")?.as_chunks::<32>();
    if !rest.is_empty() {
        return Err(damaged("the frontier is no list of hashes"));
    }
    let hashes = hashes.iter().copied().map(Hash::from_bytes).collect();
    let clock = match (row.try_get("boot")?, optional(&row, "passed")?, optional(&row, "unix")?) {
        (Some(boot), Some(passed), Some(unix)) => Some(Ticked { boot, passed, unix }),
        _ => None,
    };
    let head = Head {
        key: row.try_get("verifier_key")?,
        vault: row.try_get("vault")?,
        frontier: Frontier::from_parts(number(&row, "size")?, hashes).map_err(damaged)?,
        note: row.try_get("note")?,
        time: optional(&row, "time")?,
        key_time: number(&row, "key_time")?,
        kept: number(&row, "kept")?,
        clock,
    };
    check(&row, "sum", "ledger", "head", head_sum(&head))?;
    Ok(head)
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

fn stored_life(row: &SqliteRow) -> Found<StoredLife> {
    let (index, terms) = (number(row, "place")?, row.try_get::<&str, _>("terms")?);
    let locked: Option<&str> = row.try_get("lock_entry")?;
    let open = match (optional(row, "lock_place")?, locked) {
        (Some(index), Some(text)) => Some(Open { index, lock: parse_lock(text)? }),
        _ => None,
    };
    let end = match row.try_get::<Option<&str>, _>("ended")? {
        None => None,
        Some("revealed") => Some(End::Revealed),
        Some("voided") => Some(End::Voided),
        Some(other) => return Err(damaged(format!("expected revealed or voided, found {other:?}"))),
    };
    let next = optional(row, "next")?;
    let next = next.ok_or_else(|| damaged(format!("commitment {index}: it has no row in life")))?;
    let life = Life { commit: parse_commit(terms)?, index, next, open, end };
    let seed = row.try_get::<&[u8], _>("seed")?.into();
    let stored = StoredLife { life, ended_at: optional(row, "ended_at")?, seed };
    let same_keys = commitment(row, "commitment")? == stored.life.commit.commitment
        && row.try_get::<&str, _>("name")? == stored.life.commit.table.as_str();
    if !same_keys {
        return Err(damaged(format!("commitment {index}: its columns and its terms differ")));
    }
    check(row, "fixed", "commitment", index, commitment_sum(&stored, terms))?;
    check(row, "changing", "life", index, life_sum(&stored, locked))?;
    Ok(stored)
}

pub(super) async fn lives(connection: &mut SqliteConnection, of: &[Commitment]) -> Found<Vec<StoredLife>> {
    if of.is_empty() {
        return Ok(Vec::new());
    }
    let mut query = QueryBuilder::<Sqlite>::new(LIVES);
    query.push("WHERE c.commitment IN (");
    let mut names = query.separated(", ");
    for one in of {
        names.push_bind(one.as_bytes().to_vec());
    }
    query.push(")");
    let rows = query.build().fetch_all(connection).await?;
    rows.iter().map(stored_life).collect()
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
    query.push("WHERE c.place >= ").push_bind(from);
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
    rows.iter().map(stored_life).collect()
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
        let mut names = query.separated(", ");
        for one in of {
            names.push_bind(one.as_str().to_owned());
        }
        query.push(end);
        query
    };
    let rows = listed(
        "SELECT h.name, h.place, h.sum, c.commitment FROM chain h \
         LEFT JOIN commitment c ON c.place = h.place WHERE h.name IN (",
        ")",
    )
    .build()
    .fetch_all(&mut *connection)
    .await?;
    let mut last: BTreeMap<String, (u64, Commitment)> = BTreeMap::new();
    for row in &rows {
        let (name, last_one): (String, Commitment) = (row.try_get("name")?, commitment(row, "commitment")?);
        check(row, "sum", "chain", &name, chain_sum(&name, last_one.as_bytes()))?;
        last.insert(name, (number(row, "place")?, last_one));
    }
    let rows = listed("SELECT name, max(place) AS place FROM commitment WHERE name IN (", ") GROUP BY name")
        .build()
        .fetch_all(connection)
        .await?;
    let mut newest: BTreeMap<String, u64> = BTreeMap::new();
    for row in &rows {
        newest.insert(row.try_get("name")?, number(row, "place")?);
    }
    let mut found = Vec::new();
    for table in of {
        let (last, newest) = (last.get(table.as_str()), newest.get(table.as_str()));
        if last.map(|(place, _)| place) != newest {
            let named = |place: Option<&u64>| place.map_or_else(|| "none".to_owned(), u64::to_string);
            let (chain, newest) = (named(last.map(|(place, _)| place)), named(newest));
            return Err(damaged(format!(
                "table {}: its last commitment is entry {chain} by chain, entry {newest} by commitment",
                table.as_str()
            )));
        }
        found.extend(last.map(|(_, commitment)| (table.clone(), *commitment)));
    }
    Ok(found)
}

/// By their names, and by their requests: a damaged name is found by the latter.
pub(super) async fn answers(
    connection: &mut SqliteConnection,
    keys: &[(String, [u8; 32])],
    since: u64,
) -> Found<Vec<Answer>> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let mut query =
        QueryBuilder::<Sqlite>::new("SELECT place, name, request, at, sum FROM answer WHERE name IN (");
    let mut names = query.separated(", ");
    for (key, _) in keys {
        names.push_bind(key.clone());
    }
    query.push(") UNION SELECT place, name, request, at, sum FROM answer WHERE request IN (");
    let mut requests = query.separated(", ");
    for (_, request) in keys {
        requests.push_bind(request.to_vec());
    }
    query.push(")");
    let rows = query.build().fetch_all(connection).await?;
    let mut found = Vec::new();
    for row in &rows {
        let answer = answer(row)?;
        if answer.at >= since && keys.iter().any(|(key, _)| *key == answer.key) {
            found.push(answer);
        }
    }
    Ok(found)
}

fn answer(row: &SqliteRow) -> Found<Answer> {
    let answer = Answer {
        key: row.try_get("name")?,
        request: bytes32(row.try_get("request")?)?,
        index: number(row, "place")?,
        at: number(row, "at")?,
    };
    check(row, "sum", "answer", answer.index, answer_sum(&answer))?;
    Ok(answer)
}

/// The places of answers from before this `key_time`, among the first `most`. A changed row is left out: its time and its
/// place say nothing.
pub(super) async fn old_answers(
    connection: &mut SqliteConnection,
    before: u64,
    most: i64,
) -> Found<Vec<u64>> {
    let rows = sqlx::query(
        "SELECT place, name, request, at, sum FROM answer WHERE at < ?2 AND place <= (
             SELECT max(place) FROM (SELECT place, at FROM answer ORDER BY place LIMIT ?1) WHERE at < ?2
         ) ORDER BY place LIMIT ?1",
    )
    .bind(most)
    .bind(int(before))
    .fetch_all(connection)
    .await?;
    Ok(rows.iter().filter_map(|row| answer(row).ok()).map(|answer| answer.index).collect())
}

pub(super) async fn segments(connection: &mut SqliteConnection, range: Range<u64>) -> Found<Vec<Segment>> {
    let rows = sqlx::query(
        "SELECT first, count, bytes, sum FROM tail WHERE first >= ? AND first < ? ORDER BY first",
    )
    .bind(int(range.start))
    .bind(int(range.end))
    .fetch_all(connection)
    .await?;
    let mut found = Vec::with_capacity(rows.len());
    for row in &rows {
        let count = u16::try_from(number(row, "count")?).map_err(damaged)?;
        let segment = Segment { first: number(row, "first")?, count, bytes: row.try_get("bytes")? };
        check(row, "sum", "tail", segment.first, segment_sum(&segment))?;
        found.push(segment);
    }
    Ok(found)
}

pub(super) async fn round(connection: &mut SqliteConnection, under: u64, nonce: Nonce) -> Found<Vec<u64>> {
    let rows = sqlx::query(
        "SELECT under, nonce, place, sum FROM round WHERE under = ? AND nonce = ? ORDER BY place",
    )
    .bind(int(under))
    .bind(int(nonce.value()))
    .fetch_all(connection)
    .await?;
    rows.iter().map(|row| round_entry(row).map(|one| one.index)).collect()
}

pub(super) async fn rounds_after(
    connection: &mut SqliteConnection,
    after: Option<RoundEntry>,
    most: u32,
) -> Found<Vec<RoundEntry>> {
    // From the first on: one whose commit has changed to a negative number is found too.
    let (under, nonce, place) =
        after.map_or((i64::MIN, -1, -1), |one| (int(one.under), int(one.nonce.value()), int(one.index)));
    let rows = sqlx::query(
        "SELECT under, nonce, place, sum FROM round WHERE (under, nonce, place) > (?, ?, ?) \
         ORDER BY under, nonce, place LIMIT ?",
    )
    .bind(under)
    .bind(nonce)
    .bind(place)
    .bind(most)
    .fetch_all(connection)
    .await?;
    rows.iter().map(round_entry).collect()
}

fn round_entry(row: &SqliteRow) -> Found<RoundEntry> {
    let nonce = Nonce::new(number(row, "nonce")?).map_err(damaged)?;
    let one = RoundEntry { under: number(row, "under")?, nonce, index: number(row, "place")? };
    check(row, "sum", "round", one.index, round_sum(&one))?;
    Ok(one)
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
    let is_after = |key: &str| after.is_none_or(|after| key > after);
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
    let mut found = Vec::new();
    for row in &rows {
        let begins = |column: &str, with: &str| {
            Ok::<_, sqlx::Error>(row.try_get::<&str, _>(column)?.starts_with(with))
        };
        let by_key = row.try_get::<&str, _>("kind")? == kind && begins("key", prefix)?;
        if by_key || begins("name", &memo_name(kind, prefix))? {
            let memo = memo(row)?;
            found.extend(memo.value.filter(|_| is_after(&memo.key)).map(|value| (memo.key, value)));
        }
    }
    found.truncate(usize::try_from(most).unwrap_or(usize::MAX));
    Ok(found)
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
    let mut list = query.separated(", ");
    for key in keys {
        list.push_bind(key.clone());
    }
    query.push(") UNION SELECT * FROM memo WHERE name IN (");
    let mut list = query.separated(", ");
    for key in keys {
        list.push_bind(memo_name(kind, key));
    }
    query.push(") ORDER BY key");
    let rows = query.build().fetch_all(connection).await?;
    let memos = rows.iter().map(|row| memo(row).map(|memo| (memo.key, memo.value.unwrap_or_default())));
    memos.collect()
}

pub(super) async fn memos_after(
    connection: &mut SqliteConnection,
    after: Option<&Memo>,
    most: u32,
) -> Found<Vec<Memo>> {
    let (kind, key) = after.map_or(("", ""), |memo| (memo.kind.as_str(), memo.key.as_str()));
    let rows = sqlx::query("SELECT * FROM memo WHERE (kind, key) > (?, ?) ORDER BY kind, key LIMIT ?")
        .bind(kind)
        .bind(key)
        .bind(most)
        .fetch_all(connection)
        .await?;
    rows.iter().map(memo).collect()
}

fn memo(row: &SqliteRow) -> Found<Memo> {
    let (kind, key): (String, String) = (row.try_get("kind")?, row.try_get("key")?);
    let value: String = row.try_get("value")?;
    let name = memo_name(&kind, &key);
    check(row, "sum", "memo", &name, memo_sum(&kind, &key, &value))?;
    if row.try_get::<&str, _>("name")? != name {
        return Err(damaged(format!("memo {name}: its columns differ")));
    }
    Ok(Memo { kind, key, value: Some(value) })
}

/// SQLite's own check of all pages and indexes.
pub(super) async fn integrity(connection: &mut SqliteConnection) -> Found<Vec<String>> {
    let lines: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check(20)").fetch_all(connection).await?;
    Ok(lines.into_iter().filter(|line| line != "ok").collect())
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
    let mut found = Vec::with_capacity(rows.len());
    for row in &rows {
        let (place, hash) = (number(row, "place")?, bytes32(row.try_get("hash")?)?);
        check(row, "sum", "node", place, node_sum(level, place, &hash))?;
        found.push((place, Hash::from_bytes(hash)));
    }
    Ok(found)
}
