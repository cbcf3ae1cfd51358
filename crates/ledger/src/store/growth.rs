//! The rows that a batch writes. Each statement is here once, for every database.

use std::collections::BTreeMap;

use super::queries::{self, old_answers};
use super::rows::Found;
use super::state::{
    Answer, Growth, Head, Memo, RoundEntry, Segment, StoredLife, end_to_text, hashes_to_bytes,
    memo_name,
};
use super::statements::{NewRows, Run, Value};
use super::sum::{
    LENGTH, answer_sum, chain_sum, commitment_sum, head_sum, life_sum, memo_sum, node_sum,
    round_sum, segment_sum,
};
use fairdeal::deal::Commitment;
use fairdeal::log::{Hash, Node};
use fairdeal::record::entry::{Commit, Entry, Table};

/// The most answers that one batch forgets: more than it adds, so that they do not pile up.
const FORGOTTEN: u64 = 4000;

/// Writes a batch.
pub(super) async fn grow<R: Run>(connection: &mut R, growth: &Growth) -> Found<()> {
    let Growth { segments, rounds, commitments, lives, tables, nodes, answers, .. } = growth;
    let mut all = vec![segment_rows(segments), round_rows::<R>(rounds)];
    all.extend(rounds.last().into_iter().flat_map(|last| R::after_rounds(last.index)));
    all.push(commitment_rows(commitments)?);
    all.push(life_rows(commitments.iter().chain(lives))?);
    all.extend([table_rows(tables), node_rows(nodes)]);
    if !answers.is_empty() {
        let old = old_answers(connection, answers, growth.forget_before, FORGOTTEN).await?;
        let then = "DELETE FROM answer WHERE place IN (SELECT place FROM new)";
        let values = old.into_iter().map(Value::int).collect();
        all.push(NewRows { columns: "place", values, then });
        all.push(answer_rows(answers));
    }
    all.extend(memo_rows(&growth.memos));
    all.extend([dropped(growth.head.kept), head_rows(&growth.head)]);
    connection.write(all).await.map(drop)
}

/// Writes the first head of a new state.
pub(super) async fn head<R: Run>(connection: &mut R, head: &Head) -> Found<()> {
    connection.write(vec![head_rows(head)]).await.map(drop)
}

/// Drops the entries before an index, and notes it in the head.
pub(super) async fn keep_from<R: Run>(connection: &mut R, kept: u64) -> Found<()> {
    let found = queries::head(connection).await?;
    if found.kept >= kept {
        return Ok(());
    }
    connection.write(vec![dropped(kept), head_rows(&Head { kept, ..found })]).await.map(drop)
}

pub(super) async fn memos<R: Run>(connection: &mut R, memos: &[Memo]) -> Found<()> {
    connection.write(memo_rows(memos)).await.map(drop)
}

/// Replaces the seeds of commitments, with the checksums of their rows.
pub(super) async fn reseal<R: Run>(connection: &mut R, lives: &[StoredLife]) -> Found<()> {
    let mut values = Vec::new();
    for stored in lives {
        let sum = commitment_sum(stored, &terms(stored)?);
        values.extend([Value::int(stored.life.index), Value::bytes(&*stored.seed), of_sum(sum)]);
    }
    let columns = "place, seed, sum";
    let then = "UPDATE commitment SET seed = new.seed, sum = new.sum FROM new \
                WHERE commitment.place = new.place";
    let done = connection.write(vec![NewRows { columns, values, then }]).await?;
    if usize::try_from(done) == Ok(lives.len()) { Ok(()) } else { Err(sqlx::Error::RowNotFound) }
}

fn of_sum(sum: [u8; LENGTH]) -> Value<'static> {
    Value::bytes(sum.to_vec())
}

fn segment_rows(segments: &[Segment]) -> NewRows<'_> {
    NewRows {
        columns: "first, count, bytes, sum",
        values: segments
            .iter()
            .flat_map(|segment| {
                [
                    Value::int(segment.first),
                    Value::int(segment.count.into()),
                    Value::bytes(segment.bytes.as_slice()),
                    of_sum(segment_sum(segment)),
                ]
            })
            .collect(),
        then: "INSERT INTO tail (first, count, bytes, sum) SELECT * FROM new \
               WHERE first IS NOT NULL",
    }
}

fn round_rows<R: Run>(rounds: &[RoundEntry]) -> NewRows<'_> {
    let row = |one: &RoundEntry| {
        let [under, nonce, place] = [one.under, one.nonce.value(), one.index].map(Value::int);
        [under, nonce, place, of_sum(round_sum(one))]
    };
    NewRows {
        columns: "under, nonce, place, sum",
        values: rounds.iter().flat_map(row).collect(),
        then: R::NEW_ROUNDS,
    }
}

fn commitment_rows(lives: &[StoredLife]) -> Found<NewRows<'_>> {
    let mut values = Vec::new();
    for stored in lives {
        let (commit, terms) = (&stored.life.commit, terms(stored)?);
        let sum = commitment_sum(stored, &terms);
        values.extend([
            Value::int(stored.life.index),
            Value::bytes(commit.commitment.as_bytes().as_slice()),
            Value::text(commit.table.as_str()),
            Value::text(terms),
            Value::bytes(&*stored.seed),
            of_sum(sum),
        ]);
    }
    Ok(NewRows {
        columns: "place, commitment, name, terms, seed, sum",
        values,
        then: "INSERT INTO commitment (place, commitment, name, terms, seed, sum) \
               SELECT * FROM new WHERE place IS NOT NULL",
    })
}

fn life_rows<'a>(lives: impl Iterator<Item = &'a StoredLife>) -> Found<NewRows<'a>> {
    let mut values = Vec::new();
    for stored in lives {
        let life = &stored.life;
        let open = life.open.as_ref();
        let lock = open.map(|open| text(&Entry::Lock(open.lock.clone()))).transpose()?;
        let sum = life_sum(stored, lock.as_deref());
        values.extend([
            Value::int(life.index),
            Value::int(life.next),
            Value::optional_int(open.map(|open| open.index)),
            Value::optional_text(lock),
            Value::optional_text(life.end.map(end_to_text)),
            Value::optional_int(stored.ended_at),
            of_sum(sum),
        ]);
    }
    Ok(NewRows {
        columns: "place, next, lock_place, lock_entry, ended, ended_at, sum",
        values,
        then: "INSERT INTO life (place, next, lock_place, lock_entry, ended, ended_at, sum) \
               SELECT * FROM new WHERE place IS NOT NULL \
               ON CONFLICT (place) DO UPDATE SET next = excluded.next, \
               lock_place = excluded.lock_place, lock_entry = excluded.lock_entry, \
               ended = excluded.ended, ended_at = excluded.ended_at, sum = excluded.sum",
    })
}

fn table_rows(tables: &[(Table, Commitment)]) -> NewRows<'_> {
    NewRows {
        columns: "name, last, sum",
        values: tables
            .iter()
            .flat_map(|(name, last)| {
                let sum = of_sum(chain_sum(name.as_str(), last.as_bytes()));
                [Value::text(name.as_str()), Value::bytes(last.as_bytes().as_slice()), sum]
            })
            .collect(),
        // Each row looks for its commitment, not the other way round.
        then: "INSERT INTO chain (name, place, sum) SELECT n.name, c.place, n.sum \
               FROM new n CROSS JOIN commitment c WHERE c.commitment = n.last \
               ON CONFLICT (name) DO UPDATE SET place = excluded.place, sum = excluded.sum",
    }
}

fn node_rows(nodes: &[(Node, Hash)]) -> NewRows<'_> {
    NewRows {
        columns: "level, place, hash, sum",
        values: nodes
            .iter()
            .flat_map(|(node, hash)| {
                let (level, place, hash) = (node.level(), node.index(), hash.as_bytes());
                let sum = of_sum(node_sum(level, place, hash));
                [Value::int(level.into()), Value::int(place), Value::bytes(hash.as_slice()), sum]
            })
            .collect(),
        then: "INSERT INTO node (level, place, hash, sum) SELECT * FROM new \
               WHERE level IS NOT NULL",
    }
}

fn answer_rows(answers: &[Answer]) -> NewRows<'_> {
    NewRows {
        columns: "place, name, request, at, sum",
        values: answers
            .iter()
            .flat_map(|answer| {
                [
                    Value::int(answer.index),
                    Value::text(answer.key.as_str()),
                    Value::bytes(answer.request.as_slice()),
                    Value::int(answer.at),
                    of_sum(answer_sum(answer)),
                ]
            })
            .collect(),
        then: "INSERT INTO answer (place, name, again, request, at, sum) \
               SELECT place, name, name, request, at, sum FROM new WHERE place IS NOT NULL",
    }
}

/// The last of two memos with one key counts. A row that lost one of its names is found by the
/// other, and goes.
fn memo_rows(memos: &[Memo]) -> Vec<NewRows<'_>> {
    let last: BTreeMap<(&str, &str), Option<&str>> = memos
        .iter()
        .map(|memo| ((memo.kind.as_str(), memo.key.as_str()), memo.value.as_deref()))
        .collect();
    let names = last.keys().map(|(kind, key)| Value::text(memo_name(kind, key))).collect();
    let keys = last.keys().flat_map(|(kind, key)| [Value::text(*kind), Value::text(*key)]);
    let kept = last.iter().filter_map(|((kind, key), value)| {
        let value = (*value)?;
        let (name, sum) = (Value::text(memo_name(kind, key)), of_sum(memo_sum(kind, key, value)));
        Some([Value::text(*kind), Value::text(*key), name, Value::text(value), sum])
    });
    vec![
        NewRows {
            columns: "name",
            values: names,
            then: "DELETE FROM memo WHERE name IN (SELECT name FROM new)",
        },
        NewRows {
            columns: "kind, key",
            values: keys.collect(),
            then: "DELETE FROM memo WHERE (kind, key) IN (SELECT kind, key FROM new)",
        },
        NewRows {
            columns: "kind, key, name, value, sum",
            values: kept.flatten().collect(),
            then: "INSERT INTO memo (kind, key, name, value, sum) SELECT * FROM new \
                   WHERE kind IS NOT NULL",
        },
    ]
}

/// Drops the entries before an index.
fn dropped(before: u64) -> NewRows<'static> {
    NewRows {
        columns: "first",
        values: vec![Value::int(before)],
        then: "DELETE FROM tail WHERE first < (SELECT first FROM new)",
    }
}

/// The one row of `ledger`.
fn head_rows(head: &Head) -> NewRows<'static> {
    let (size, hashes) = head.frontier.parts();
    let clock = head.clock.as_ref();
    NewRows {
        columns: "verifier_key, vault, size, frontier, note, time, key_time, kept, boot, passed, unix, closed, sum",
        values: vec![
            Value::text(head.key.clone()),
            Value::text(head.vault.clone()),
            Value::int(size),
            Value::bytes(hashes_to_bytes(hashes)),
            Value::text(head.note.clone()),
            Value::optional_int(head.time),
            Value::int(head.key_time),
            Value::int(head.kept),
            Value::optional_text(clock.map(|clock| clock.boot.clone())),
            Value::optional_int(clock.map(|clock| clock.passed)),
            Value::optional_int(clock.map(|clock| clock.unix)),
            Value::optional_text(head.closed.clone()),
            of_sum(head_sum(head)),
        ],
        then: "INSERT INTO ledger (id, verifier_key, vault, size, frontier, note, time, key_time, \
               kept, boot, passed, unix, closed, sum) \
               SELECT 0, new.* FROM new WHERE verifier_key IS NOT NULL \
               ON CONFLICT (id) DO UPDATE SET verifier_key = excluded.verifier_key, \
               vault = excluded.vault, size = excluded.size, frontier = excluded.frontier, \
               note = excluded.note, time = excluded.time, key_time = excluded.key_time, \
               kept = excluded.kept, boot = excluded.boot, passed = excluded.passed, \
               unix = excluded.unix, closed = excluded.closed, sum = excluded.sum",
    }
}

/// A commitment's terms, as its entry has them.
fn terms(stored: &StoredLife) -> Found<String> {
    text(&Commit::clone(&stored.life.commit).into())
}

fn text(entry: &Entry) -> Found<String> {
    entry.to_text().map_err(|e| sqlx::Error::Encode(Box::new(e)))
}
