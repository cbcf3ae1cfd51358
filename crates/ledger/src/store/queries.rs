//! Questions to a state. Each statement is here once, for every database.

use std::ops::Range;

use super::rows::{self, Found};
use super::state::{Answer, Choice, Head, Memo, RoundEntry, Segment, StoredLife, memo_name};
use super::statements::{Run, Value};
use fairdeal::deal::{Commitment, Nonce};
use fairdeal::log::Hash;
use fairdeal::record::entry::Table;

/// From the first on: a row whose number has changed to a negative one is found too.
const FIRST: Value<'static> = Value::Int(Some(i64::MIN));

pub(super) const HEAD: &str = "SELECT verifier_key, vault, size, frontier, note, time, key_time, \
     kept, boot, passed, unix, closed, sum FROM ledger WHERE id = 0";

pub(super) async fn head<R: Run>(connection: &mut R) -> Found<Head> {
    let rows = connection.all(HEAD.to_owned(), Vec::new()).await?;
    rows::head(rows.first().ok_or(sqlx::Error::RowNotFound)?)
}

pub(super) async fn lives<R: Run>(connection: &mut R, of: &[Commitment]) -> Found<Vec<StoredLife>> {
    if of.is_empty() {
        return Ok(Vec::new());
    }
    let question = format!("{} WHERE c.commitment {}", R::lives(true), R::among_bytes(1));
    let of = of.iter().map(|one| one.as_bytes().as_slice()).collect();
    let rows = connection.all(question, vec![Value::BytesList(of)]).await?;
    rows.iter().map(rows::stored_life).collect()
}

pub(super) async fn lives_from<R: Run>(
    connection: &mut R,
    choice: &Choice,
    from: u64,
    most: u32,
) -> Found<Vec<StoredLife>> {
    let mut values = vec![if from == 0 { FIRST } else { Value::int(from) }];
    let mut question = format!("{} WHERE c.place >= $1", R::lives(false));
    let mut and = |condition: &str, value| {
        values.push(value);
        question.extend([condition, "$", &values.len().to_string()]);
    };
    if let Some(table) = &choice.table {
        and(" AND c.name = ", Value::text(table.as_str()));
    }
    if let Some((first, last)) = &choice.between {
        and(" AND c.commitment >= ", Value::bytes(first.as_bytes().as_slice()));
        and(" AND c.commitment <= ", Value::bytes(last.as_bytes().as_slice()));
    }
    let open = " AND c.place IN (SELECT place FROM life WHERE ended IS NULL)";
    // A subquery, so that its index is used.
    and(
        &format!("{} ORDER BY c.place LIMIT ", if choice.open { open } else { "" }),
        Value::int(most.into()),
    );
    let rows = connection.all(question, values).await?;
    rows.iter().map(rows::stored_life).collect()
}

/// Each table's last commitment, by `chain` and by the index over all commitments: they must agree.
pub(super) async fn tables<R: Run>(
    connection: &mut R,
    of: &[Table],
) -> Found<Vec<(Table, Commitment)>> {
    if of.is_empty() {
        return Ok(Vec::new());
    }
    let names = || vec![Value::Texts(of.iter().map(Table::as_str).collect())];
    let chain = format!(
        "SELECT h.name, h.place, h.sum, c.commitment FROM chain h \
         LEFT JOIN commitment c ON c.place = h.place WHERE h.name {}",
        R::among_texts(1)
    );
    let chain = connection.all(chain, names()).await?;
    let newest = connection.all(R::newest(), names()).await?;
    rows::tables(of, &chain, &newest)
}

pub(super) async fn tables_after<R: Run>(
    connection: &mut R,
    after: Option<&Table>,
    most: u32,
) -> Found<Vec<Table>> {
    let question = "SELECT name FROM chain WHERE name > $1 ORDER BY name LIMIT $2";
    let values = vec![Value::text(after.map_or("", Table::as_str)), Value::int(most.into())];
    rows::names(&connection.all(question.to_owned(), values).await?)
}

/// By both names.
pub(super) async fn answers<R: Run>(
    connection: &mut R,
    keys: &[String],
    since: u64,
) -> Found<Vec<Answer>> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let among = R::among_texts(1);
    let question = format!(
        "SELECT * FROM answer WHERE name {among} UNION SELECT * FROM answer WHERE again {among}"
    );
    let keys = keys.iter().map(String::as_str).collect();
    rows::answers(&connection.all(question, vec![Value::Texts(keys)]).await?, since)
}

pub(super) async fn answers_after<R: Run>(
    connection: &mut R,
    after: Option<u64>,
    most: u32,
) -> Found<Vec<Answer>> {
    let question = "SELECT * FROM answer WHERE place > $1 ORDER BY place LIMIT $2";
    let values = vec![after.map_or(FIRST, Value::int), Value::int(most.into())];
    connection.all(question.to_owned(), values).await?.iter().map(rows::answer).collect()
}

/// The places of answers from before this `key_time`: some of the first `most`, and those under the
/// new ones' names. A changed row is left out: its time and its place say nothing.
pub(super) async fn old_answers<R: Run>(
    connection: &mut R,
    new: &[Answer],
    before: u64,
    most: u64,
) -> Found<Vec<u64>> {
    let question = format!(
        "SELECT * FROM (SELECT * FROM answer WHERE at < $2 AND place <= ( \
             SELECT max(place) FROM (SELECT place, at FROM answer ORDER BY place LIMIT $1) a \
             WHERE at < $2) ORDER BY place LIMIT $1) b \
         UNION SELECT * FROM answer WHERE at < $2 AND name {}",
        R::among_texts(3)
    );
    let names = new.iter().map(|answer| answer.key.as_str()).collect();
    let values = vec![Value::int(most), Value::int(before), Value::Texts(names)];
    let rows = connection.all(question, values).await?;
    Ok(rows.iter().filter_map(|row| rows::answer(row).ok()).map(|answer| answer.index).collect())
}

pub(super) async fn segments<R: Run>(connection: &mut R, range: Range<u64>) -> Found<Vec<Segment>> {
    let question =
        "SELECT first, count, bytes, sum FROM tail WHERE first >= $1 AND first < $2 ORDER BY first";
    let values = vec![Value::int(range.start), Value::int(range.end)];
    connection.all(question.to_owned(), values).await?.iter().map(rows::segment).collect()
}

pub(super) async fn round<R: Run>(connection: &mut R, under: u64, nonce: Nonce) -> Found<Vec<u64>> {
    let values = vec![Value::int(under), Value::int(nonce.value())];
    rows::of_round(&connection.all(R::ROUND.to_owned(), values).await?)
}

pub(super) async fn rounds_after<R: Run>(
    connection: &mut R,
    after: Option<RoundEntry>,
    most: u32,
) -> Found<Vec<RoundEntry>> {
    let mut values = after.map_or(vec![FIRST; 3], |one| {
        [one.under, one.nonce.value(), one.index].map(Value::int).to_vec()
    });
    values.push(Value::int(most.into()));
    rows::round_entries(&connection.all(R::ROUNDS_AFTER.to_owned(), values).await?)
}

pub(super) async fn nodes<R: Run>(
    connection: &mut R,
    level: u32,
    range: Range<u64>,
) -> Found<Vec<(u64, Hash)>> {
    let question = "SELECT place, hash, sum FROM node \
                    WHERE level = $1 AND place >= $2 AND place < $3 ORDER BY place";
    let values = vec![Value::int(level.into()), Value::int(range.start), Value::int(range.end)];
    connection
        .all(question.to_owned(), values)
        .await?
        .iter()
        .map(|row| rows::node(row, level))
        .collect()
}

/// By their kind and key, and by both in one: a row that lost the one is found by the other, and
/// its checksum tells.
pub(super) async fn memos<R: Run>(
    connection: &mut R,
    kind: &str,
    prefix: &str,
    after: Option<&str>,
    most: u32,
) -> Found<Vec<(String, String)>> {
    let from = after.filter(|after| *after >= prefix).unwrap_or(prefix);
    let question = "SELECT * FROM (SELECT * FROM memo WHERE kind = $1 AND key >= $2 ORDER BY key LIMIT $4) a \
         UNION SELECT * FROM (SELECT * FROM memo WHERE name >= $3 ORDER BY name LIMIT $4) b";
    // One more, where the first may be `after` itself.
    let (name, limit) = (memo_name(kind, from), Value::int(u64::from(most) + 1));
    let values = vec![Value::text(kind), Value::text(from), Value::text(name), limit];
    rows::memos(&connection.all(question.to_owned(), values).await?, kind, prefix, after, most)
}

/// By both names too.
pub(super) async fn memos_of<R: Run>(
    connection: &mut R,
    kind: &str,
    keys: &[String],
) -> Found<Vec<(String, String)>> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let question = format!(
        "SELECT * FROM (SELECT * FROM memo WHERE kind = $1 AND key {} \
         UNION SELECT * FROM memo WHERE name {}) m ORDER BY key",
        R::among_texts(2),
        R::among_texts(3)
    );
    let names: Vec<String> = keys.iter().map(|key| memo_name(kind, key)).collect();
    let lists = [keys, &names].map(|list| Value::Texts(list.iter().map(String::as_str).collect()));
    let values = [Value::text(kind)].into_iter().chain(lists).collect();
    let rows = connection.all(question, values).await?;
    let memo = |row| rows::memo(row).map(|memo| (memo.key, memo.value.unwrap_or_default()));
    rows.iter().map(memo).collect()
}

pub(super) async fn memos_after<R: Run>(
    connection: &mut R,
    after: Option<&Memo>,
    most: u32,
) -> Found<Vec<Memo>> {
    let (kind, key) = after.map_or(("", ""), |memo| (memo.kind.as_str(), memo.key.as_str()));
    let question = "SELECT * FROM memo WHERE (kind, key) > ($1, $2) ORDER BY kind, key LIMIT $3";
    let values = vec![Value::text(kind), Value::text(key), Value::int(most.into())];
    connection.all(question.to_owned(), values).await?.iter().map(rows::memo).collect()
}

pub(super) async fn integrity<R: Run>(connection: &mut R) -> Found<Vec<String>> {
    connection.integrity().await
}
