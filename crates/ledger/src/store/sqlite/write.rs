//! Writes a batch.

use sqlx::query_builder::Separated;
use sqlx::sqlite::SqliteConnection;
use sqlx::{QueryBuilder, Sqlite};

use super::read::{self, MOST, length};
use crate::store::columns::{FORGOTTEN, end_to_text, hashes_to_bytes, int, lock, memo_name, terms};
use crate::store::state::{Growth, Head, Memo, RoundEntry, Segment, StoredLife};
use crate::store::sum::{
    answer_sum, chain_sum, commitment_sum, head_sum, life_sum, memo_sum, node_sum, round_sum,
    segment_sum,
};
use fairdeal::deal::Commitment;
use fairdeal::log::{Hash, Node};
use fairdeal::record::entry::Table;

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

/// Entries after which the rows of `new_round` move: a look-up reads them all.
const NEW: i64 = 2048;

/// The end of an `INSERT … SELECT … FROM (VALUES …`.
const GIVEN: &str = ") WHERE column1 IS NOT NULL;";

type Written = Result<(), sqlx::Error>;

/// Statements that are sent to SQLite's thread as one: each question to it costs as much as some rows.
type Script = QueryBuilder<Sqlite>;

/// Adds rows to a script, between a statement's start and its end.
fn insert<R>(
    script: &mut Script,
    (start, end): (&str, &str),
    rows: impl IntoIterator<Item = R>,
    mut bind: impl FnMut(&mut Separated<'_, Sqlite, &'static str>, Option<R>),
) {
    for rows in statements(rows) {
        script.push(start);
        script.push_values(rows, |mut row, one| bind(&mut row, one));
        script.push(end);
    }
}

pub(super) async fn grow(connection: &mut SqliteConnection, growth: &Growth) -> Written {
    let mut script = Script::default();
    segments(&mut script, &growth.segments);
    new_rounds(&mut script, &growth.rounds);
    commitments(&mut script, &growth.commitments)?;
    lives(&mut script, growth.commitments.iter().chain(&growth.lives))?;
    tables(&mut script, &growth.tables);
    nodes(&mut script, &growth.nodes);
    answers(&mut *connection, &mut script, growth).await?;
    drop_entries(&mut script, growth.head.kept);
    new_head(&mut script, &growth.head);
    script.build().execute(&mut *connection).await?;
    memos(connection, &growth.memos).await
}

fn segments(script: &mut Script, segments: &[Segment]) {
    let into = "INSERT INTO tail (first, count, bytes, sum) SELECT * FROM (";
    insert(script, (into, GIVEN), segments, |row, segment| {
        row.push_bind(segment.map(|segment| int(segment.first)))
            .push_bind(segment.map(|segment| i64::from(segment.count)))
            .push_bind(segment.map(|segment| segment.bytes.as_slice()))
            .push_bind(segment.map(|segment| segment_sum(segment).to_vec()));
    });
}

/// Each commitment's rounds have pages of their own in `round`. A batch that went there at once would change a page for each
/// of its tables.
fn new_rounds(script: &mut Script, new: &[RoundEntry]) {
    rounds(script, "new_round", new);
    if let Some(last) = new.last() {
        let before = int(last.index).saturating_sub(NEW);
        for start in [
            "INSERT INTO round (under, nonce, place, sum) SELECT under, nonce, place, sum FROM new_round",
            "DELETE FROM new_round",
        ] {
            script
                .push(start)
                .push(" WHERE (SELECT min(place) FROM new_round) <= ")
                .push_bind(before)
                .push(";");
        }
    }
}

fn rounds(script: &mut Script, table: &str, rounds: &[RoundEntry]) {
    let into = format!("INSERT INTO {table} (under, nonce, place, sum) SELECT * FROM (");
    insert(script, (&into, GIVEN), rounds, |row, one| {
        row.push_bind(one.map(|one| int(one.under)))
            .push_bind(one.map(|one| int(one.nonce.value())))
            .push_bind(one.map(|one| int(one.index)))
            .push_bind(one.map(|one| round_sum(one).to_vec()));
    });
}

fn tables(script: &mut Script, tables: &[(Table, Commitment)]) {
    let into =
        "INSERT OR REPLACE INTO chain (name, place, sum) SELECT column1, place, column3 FROM (";
    // Each row looks for its commitment, not the other way round.
    let end = ") CROSS JOIN commitment ON commitment = column2 WHERE column1 IS NOT NULL;";
    insert(script, (into, end), tables, |row, one| {
        row.push_bind(one.map(|(name, _)| name.as_str()))
            .push_bind(one.map(|(_, last)| last.as_bytes().as_slice()))
            .push_bind(one.map(|(name, last)| chain_sum(name.as_str(), last.as_bytes()).to_vec()));
    });
}

fn nodes(script: &mut Script, nodes: &[(Node, Hash)]) {
    let into = "INSERT INTO node (level, place, hash, sum) SELECT * FROM (";
    insert(script, (into, GIVEN), nodes, |row, one| {
        let sum =
            |(node, hash): &(Node, Hash)| node_sum(node.level(), node.index(), hash.as_bytes());
        row.push_bind(one.map(|(node, _)| i64::from(node.level())))
            .push_bind(one.map(|(node, _)| int(node.index())))
            .push_bind(one.map(|(_, hash)| hash.as_bytes().as_slice()))
            .push_bind(one.map(|one| sum(one).to_vec()));
    });
}

/// Writes the one row of `ledger`.
pub(super) async fn head(connection: &mut SqliteConnection, head: &Head) -> Written {
    let mut script = Script::default();
    new_head(&mut script, head);
    script.build().execute(connection).await?;
    Ok(())
}

fn new_head(script: &mut Script, head: &Head) {
    let (size, hashes) = head.frontier.parts();
    let clock = head.clock.as_ref();
    let mut row = script
        .push(
            "INSERT OR REPLACE INTO ledger
             (id, verifier_key, vault, size, frontier, note, time, key_time, kept, boot, passed, unix, closed, sum)
             VALUES (0, ",
        )
        .separated(", ");
    row.push_bind(&head.key)
        .push_bind(&head.vault)
        .push_bind(int(size))
        .push_bind(hashes_to_bytes(hashes))
        .push_bind(&head.note)
        .push_bind(head.time.map(int))
        .push_bind(int(head.key_time))
        .push_bind(int(head.kept))
        .push_bind(clock.map(|clock| clock.boot.as_str()))
        .push_bind(clock.map(|clock| int(clock.passed)))
        .push_bind(clock.map(|clock| int(clock.unix)))
        .push_bind(&head.closed)
        .push_bind(head_sum(head).to_vec());
    script.push(");");
}

/// Drops the entries before an index, and notes it in the head.
pub(super) async fn keep_from(
    connection: &mut SqliteConnection,
    found: Head,
    kept: u64,
) -> Written {
    if found.kept >= kept {
        return Ok(());
    }
    let mut script = Script::default();
    drop_entries(&mut script, kept);
    new_head(&mut script, &Head { kept, ..found });
    script.build().execute(connection).await?;
    Ok(())
}

fn drop_entries(script: &mut Script, before: u64) {
    script.push("DELETE FROM tail WHERE first < ").push_bind(int(before)).push(";");
}

/// Adds the new answers. Old ones are forgotten.
async fn answers(
    connection: &mut SqliteConnection,
    script: &mut Script,
    growth: &Growth,
) -> Written {
    if growth.answers.is_empty() {
        return Ok(());
    }
    let old =
        read::old_answers(connection, &growth.answers, growth.forget_before, FORGOTTEN).await?;
    for places in statements(old) {
        let mut list = script.push("DELETE FROM answer WHERE place IN (").separated(", ");
        for place in places {
            list.push_bind(place.map(int));
        }
        script.push(");");
    }
    let into = "INSERT INTO answer (place, name, again, request, at, sum) SELECT * FROM (";
    insert(script, (into, GIVEN), &growth.answers, |row, answer| {
        row.push_bind(answer.map(|answer| int(answer.index)))
            .push_bind(answer.map(|answer| answer.key.as_str()))
            .push_bind(answer.map(|answer| answer.key.as_str()))
            .push_bind(answer.map(|answer| answer.request.as_slice()))
            .push_bind(answer.map(|answer| int(answer.at)))
            .push_bind(answer.map(|answer| answer_sum(answer).to_vec()));
    });
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
        sqlx::query(
            "INSERT OR REPLACE INTO memo (kind, key, name, value, sum) VALUES (?, ?, ?, ?, ?)",
        )
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

fn commitments(script: &mut Script, lives: &[StoredLife]) -> Written {
    let terms: Vec<String> = lives.iter().map(terms).collect::<Result<_, _>>()?;
    let into = "INSERT INTO commitment (place, commitment, name, terms, seed, sum) SELECT * FROM (";
    insert(script, (into, GIVEN), lives.iter().zip(&terms), |row, one| {
        row.push_bind(one.map(|(stored, _)| int(stored.life.index)))
            .push_bind(one.map(|(stored, _)| stored.life.commit.commitment.as_bytes().as_slice()))
            .push_bind(one.map(|(stored, _)| stored.life.commit.table.as_str()))
            .push_bind(one.map(|(_, terms)| terms.as_str()))
            .push_bind(one.map(|(stored, _)| &*stored.seed))
            .push_bind(one.map(|(stored, terms)| commitment_sum(stored, terms).to_vec()));
    });
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

fn lives<'a>(script: &mut Script, lives: impl IntoIterator<Item = &'a StoredLife>) -> Written {
    let locked = |stored: &'a StoredLife| Ok::<_, sqlx::Error>((stored, lock(&stored.life)?));
    let lives: Vec<_> = lives.into_iter().map(locked).collect::<Result<_, _>>()?;
    let into = "INSERT OR REPLACE INTO life (place, next, lock_place, lock_entry, ended, ended_at, sum) SELECT * FROM (";
    insert(script, (into, GIVEN), &lives, |row, one| {
        let (stored, lock) =
            (one.map(|(stored, _)| *stored), one.and_then(|(_, lock)| lock.as_deref()));
        row.push_bind(stored.map(|stored| int(stored.life.index)))
            .push_bind(stored.map(|stored| int(stored.life.next)))
            .push_bind(
                stored.and_then(|stored| stored.life.open.as_ref()).map(|open| int(open.index)),
            )
            .push_bind(lock)
            .push_bind(stored.and_then(|stored| stored.life.end).map(end_to_text))
            .push_bind(stored.and_then(|stored| stored.ended_at).map(int))
            .push_bind(stored.map(|stored| life_sum(stored, lock).to_vec()));
    });
    Ok(())
}
