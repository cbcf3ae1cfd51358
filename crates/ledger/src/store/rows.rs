//! Parses rows with the same strict parsers as everything else, and compares each with its
//! checksum.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Display;

use super::state::{Answer, Head, Memo, RoundEntry, Segment, StoredLife, Ticked, memo_name};
use super::sum::{
    LENGTH, answer_sum, chain_sum, commitment_sum, head_sum, life_sum, memo_sum, node_sum,
    round_sum, segment_sum,
};
use fairdeal::deal::{Commitment, Nonce};
use fairdeal::log::{Frontier, Hash};
use fairdeal::record::entry::{Commit, Entry, Lock, Table};
use fairdeal::record::life::{End, Life, Open};

pub(super) type Found<T> = Result<T, sqlx::Error>;

/// A database's row, by the names of its columns.
pub(super) trait Fields {
    fn optional_int(&self, column: &str) -> Found<Option<i64>>;
    fn optional_text(&self, column: &str) -> Found<Option<&str>>;
    fn optional_bytes(&self, column: &str) -> Found<Option<&[u8]>>;

    fn text(&self, column: &str) -> Found<&str> {
        self.optional_text(column)?.ok_or_else(|| is_null(column))
    }
    fn bytes(&self, column: &str) -> Found<&[u8]> {
        self.optional_bytes(column)?.ok_or_else(|| is_null(column))
    }
}

/// Rows of two databases read alike.
macro_rules! fields {
    ($row:ty) => {
        impl $crate::store::rows::Fields for $row {
            fn optional_int(&self, column: &str) -> $crate::store::rows::Found<Option<i64>> {
                sqlx::Row::try_get(self, column)
            }
            fn optional_text(&self, column: &str) -> $crate::store::rows::Found<Option<&str>> {
                sqlx::Row::try_get(self, column)
            }
            fn optional_bytes(&self, column: &str) -> $crate::store::rows::Found<Option<&[u8]>> {
                sqlx::Row::try_get(self, column)
            }
        }
    };
}
pub(super) use fields;

fn is_null(column: &str) -> sqlx::Error {
    damaged(format!("{column}: expected a value, found none"))
}

pub(super) fn damaged(says: impl Into<Box<dyn Error + Send + Sync>>) -> sqlx::Error {
    sqlx::Error::Decode(says.into())
}

/// Damage of a row, or of all rows, of this table.
#[derive(Debug, thiserror::Error)]
#[error("{says}")]
pub(super) struct OfTable {
    pub(super) table: &'static str,
    says: Box<dyn Error + Send + Sync>,
}

/// The table that an error is about.
pub(super) fn table(error: &sqlx::Error) -> Option<&'static str> {
    let sqlx::Error::Decode(says) = error else { return None };
    says.downcast_ref().map(|OfTable { table, .. }| *table)
}

/// Says which table is damaged, unless that is said already.
pub(super) fn of<T>(table: &'static str, found: Found<T>) -> Found<T> {
    found.map_err(|error| match error {
        sqlx::Error::Decode(says) if !says.is::<OfTable>() => damaged(OfTable { table, says }),
        sqlx::Error::ColumnDecode { source: says, .. } => damaged(OfTable { table, says }),
        other => other,
    })
}

pub(super) fn number(row: &impl Fields, column: &str) -> Found<u64> {
    optional(row, column)?.ok_or_else(|| is_null(column))
}

fn optional(row: &impl Fields, column: &str) -> Found<Option<u64>> {
    row.optional_int(column)?.map(|value| u64::try_from(value).map_err(damaged)).transpose()
}

fn bytes32(bytes: &[u8]) -> Found<[u8; 32]> {
    bytes.try_into().map_err(damaged)
}

fn commitment(row: &impl Fields, column: &str) -> Found<Commitment> {
    bytes32(row.bytes(column)?).map(Commitment::from_bytes)
}

/// Compares a row with its checksum.
fn check(
    row: &impl Fields,
    column: &str,
    table: &'static str,
    key: impl Display,
    sum: [u8; LENGTH],
) -> Found<()> {
    let kept = row.bytes(column)?;
    if kept == sum {
        return Ok(());
    }
    let (expected, found) = (hex::encode(kept), hex::encode(sum));
    of(
        table,
        Err(damaged(format!(
            "{table} {key}: expected a row with checksum {expected}, found {found}: it has changed on the disk"
        ))),
    )
}

pub(super) fn head(row: &impl Fields) -> Found<Head> {
    let (hashes, rest) = row.bytes("frontier")?.as_chunks::<32>();
    if !rest.is_empty() {
        return Err(damaged("the frontier is no list of hashes"));
    }
    let hashes = hashes.iter().copied().map(Hash::from_bytes).collect();
    let clock = match (row.optional_text("boot")?, optional(row, "passed")?, optional(row, "unix")?)
    {
        (Some(boot), Some(passed), Some(unix)) => {
            Some(Ticked { boot: boot.to_owned(), passed, unix })
        }
        _ => None,
    };
    let head = Head {
        key: row.text("verifier_key")?.to_owned(),
        vault: row.text("vault")?.to_owned(),
        frontier: Frontier::from_parts(number(row, "size")?, hashes).map_err(damaged)?,
        note: row.text("note")?.to_owned(),
        time: optional(row, "time")?,
        key_time: number(row, "key_time")?,
        kept: number(row, "kept")?,
        clock,
        closed: row.optional_text("closed")?.map(str::to_owned),
    };
    check(row, "sum", "ledger", "head", head_sum(&head))?;
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

/// The part of a commitment that never changes.
fn committed(row: &impl Fields) -> Found<StoredLife> {
    let (index, terms) = (number(row, "place")?, row.text("terms")?);
    let life = Life::new(parse_commit(terms)?, index);
    let stored = StoredLife { life, ended_at: None, seed: row.bytes("seed")?.into() };
    let same_keys = commitment(row, "commitment")? == stored.life.commit.commitment
        && row.text("name")? == stored.life.commit.table.as_str();
    if !same_keys {
        return Err(damaged(format!("commitment {index}: its columns and its terms differ")));
    }
    check(row, "fixed", "commitment", index, commitment_sum(&stored, terms))?;
    Ok(stored)
}

/// The same with what changes of it.
fn life(row: &impl Fields, stored: StoredLife) -> Found<StoredLife> {
    let StoredLife { life: Life { index, .. }, .. } = stored;
    let locked = row.optional_text("lock_entry")?;
    let open = match (optional(row, "lock_place")?, locked) {
        (Some(index), Some(text)) => Some(Open { index, lock: parse_lock(text)? }),
        _ => None,
    };
    let end = match row.optional_text("ended")? {
        None => None,
        Some("revealed") => Some(End::Revealed),
        Some("voided") => Some(End::Voided),
        Some(other) => {
            return Err(damaged(format!("expected revealed or voided, found {other:?}")));
        }
    };
    let next = optional(row, "next")?;
    let next = next.ok_or_else(|| damaged(format!("commitment {index}: it has no row in life")))?;
    let life = Life { next, open, end, ..stored.life };
    let stored = StoredLife { life, ended_at: optional(row, "ended_at")?, ..stored };
    check(row, "changing", "life", index, life_sum(&stored, locked))?;
    Ok(stored)
}

pub(super) fn answer(row: &impl Fields) -> Found<Answer> {
    let answer = Answer {
        key: row.text("name")?.to_owned(),
        request: bytes32(row.bytes("request")?)?,
        index: number(row, "place")?,
        at: number(row, "at")?,
    };
    check(row, "sum", "answer", answer.index, answer_sum(&answer))?;
    if row.text("again")? != answer.key {
        return Err(damaged(format!("answer {}: its columns differ", answer.index)));
    }
    Ok(answer)
}

/// The answers from this `key_time` on.
pub(super) fn answers(rows: &[impl Fields], since: u64) -> Found<Vec<Answer>> {
    let answers = rows
        .iter()
        .map(answer)
        .filter(|answer| answer.as_ref().map_or(true, |one| one.at >= since));
    answers.collect()
}

/// Entries of rounds and ends of commitments, in order, each once: an older page of the newest has
/// those too that have moved since.
pub(super) fn round_entries(rows: &[impl Fields]) -> Found<Vec<RoundEntry>> {
    let entries = rows.iter().map(|row| round_entry(row, ["under", "nonce", "place", "sum"]));
    let mut entries = entries.collect::<Found<Vec<_>>>()?;
    entries.dedup();
    Ok(entries)
}

/// The indices of one round's entries. An end is in no round.
pub(super) fn of_round(rows: &[impl Fields]) -> Found<Vec<u64>> {
    let entries = round_entries(rows)?.into_iter().filter(|one| !one.is_end());
    Ok(entries.map(|one| one.index).collect())
}

fn round_entry(row: &impl Fields, [under, nonce, place, sum]: [&str; 4]) -> Found<RoundEntry> {
    let nonce = Nonce::new(number(row, nonce)?).map_err(damaged)?;
    let one = RoundEntry { under: number(row, under)?, nonce, index: number(row, place)? };
    check(row, sum, "round", one.index, round_sum(&one))?;
    Ok(one)
}

/// A commitment's row with the last entry of its rounds. An older row of `life` has a right
/// checksum: only the rounds show that it is not the last one.
pub(super) fn stored_life(row: &impl Fields) -> Found<StoredLife> {
    let stored = of("commitment", committed(row))?;
    of("life", is_last(row, stored))
}

fn is_last(row: &impl Fields, stored: StoredLife) -> Found<StoredLife> {
    let stored = life(row, stored)?;
    let columns = ["last_under", "last_nonce", "last_place", "last_sum"];
    let last = match row.optional_int(columns[0])? {
        Some(_) => Some(round_entry(row, columns)?),
        None => None,
    };
    let StoredLife { life, ended_at, .. } = &stored;
    let holds = match (last, ended_at, &life.open) {
        (None, ended, open) => ended.is_none() && open.is_none() && life.next == 0,
        (Some(last), Some(at), _) => last.is_end() && last.index == *at,
        (Some(last), None, Some(open)) => {
            last.nonce.value() == life.next && last.index == open.index
        }
        (Some(last), None, None) => !last.is_end() && last.nonce.value() + 1 == life.next,
    };
    if holds {
        return Ok(stored);
    }
    let last = match last {
        Some(last) if last.is_end() => format!("its end, entry {}", last.index),
        Some(last) => format!("entry {}, of its round {}", last.index, last.nonce),
        None => "none".to_owned(),
    };
    Err(damaged(format!(
        "life {}: the last entry of its rounds is {last}, found a life whose next round is {}: one of them is older",
        life.index, life.next
    )))
}

pub(super) fn memo(row: &impl Fields) -> Found<Memo> {
    let (kind, key) = (row.text("kind")?.to_owned(), row.text("key")?.to_owned());
    let value = row.text("value")?.to_owned();
    let name = memo_name(&kind, &key);
    check(row, "sum", "memo", &name, memo_sum(&kind, &key, &value))?;
    if row.text("name")? != name {
        return Err(damaged(format!("memo {name}: its columns differ")));
    }
    Ok(Memo { kind, key, value: Some(value) })
}

pub(super) fn segment(row: &impl Fields) -> Found<Segment> {
    let count = u16::try_from(number(row, "count")?).map_err(damaged)?;
    let segment =
        Segment { first: number(row, "first")?, count, bytes: row.bytes("bytes")?.to_vec() };
    check(row, "sum", "tail", segment.first, segment_sum(&segment))?;
    Ok(segment)
}

/// A node's place and hash.
pub(super) fn node(row: &impl Fields, level: u32) -> Found<(u64, Hash)> {
    let (place, hash) = (number(row, "place")?, bytes32(row.bytes("hash")?)?);
    check(row, "sum", "node", place, node_sum(level, place, &hash))?;
    Ok((place, Hash::from_bytes(hash)))
}

/// Each table's last commitment, by `chain` and by the index over all commitments: they must agree.
pub(super) fn tables<R: Fields>(
    of: &[Table],
    chain: &[R],
    newest_rows: &[R],
) -> Found<Vec<(Table, Commitment)>> {
    let mut last: BTreeMap<&str, (u64, Commitment)> = BTreeMap::new();
    for row in chain {
        let (name, last_one) = (row.text("name")?, commitment(row, "commitment")?);
        check(row, "sum", "chain", name, chain_sum(name, last_one.as_bytes()))?;
        last.insert(name, (number(row, "place")?, last_one));
    }
    let mut newest: BTreeMap<&str, u64> = BTreeMap::new();
    for row in newest_rows {
        newest.insert(row.text("name")?, number(row, "place")?);
    }
    let mut found = Vec::new();
    for table in of {
        let (last, newest) = (last.get(table.as_str()), newest.get(table.as_str()));
        if last.map(|(place, _)| place) != newest {
            let named =
                |place: Option<&u64>| place.map_or_else(|| "none".to_owned(), u64::to_string);
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

/// The names of tables.
pub(super) fn names<R: Fields>(rows: &[R]) -> Found<Vec<Table>> {
    let name = |row: &R| {
        let name = row.text("name")?;
        Table::new(name).map_err(|error| damaged(format!("table {name:?}: {error}")))
    };
    rows.iter().map(name).collect()
}

/// Memos that were found by their kind and key, and by both in one. Those of other kinds and
/// prefixes are left out, unread.
pub(super) fn memos<R: Fields>(
    rows: &[R],
    kind: &str,
    prefix: &str,
    after: Option<&str>,
    most: u32,
) -> Found<Vec<(String, String)>> {
    let mut found = BTreeMap::new();
    for row in rows {
        let is_wanted = row.text("kind")? == kind && row.text("key")?.starts_with(prefix);
        if is_wanted || row.text("name")?.starts_with(&memo_name(kind, prefix)) {
            let memo = memo(row)?;
            let is_after = after.is_none_or(|after| memo.key.as_str() > after);
            found.extend(memo.value.filter(|_| is_after).map(|value| (memo.key, value)));
        }
    }
    Ok(found.into_iter().take(usize::try_from(most).unwrap_or(usize::MAX)).collect())
}
