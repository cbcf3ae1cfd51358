//! SQLite runs statements on a separate thread, so that one long script costs less than
//! several questions.

use std::iter;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use sqlx::sqlite::{SqliteArguments, SqliteConnection, SqliteRow};
use sqlx::{AssertSqlSafe, QueryBuilder, Sqlite};

use super::schema;
use crate::store::queries::HEAD;
use crate::store::rows::{self, Found};
use crate::store::state::Head;
use crate::store::statements::{NewRows, Run, Value};

rows::fields!(SqliteRow);

/// The numbers of rows in one statement. They are few, so that few statements are prepared.
const LENGTHS: [usize; 7] = [1, 4, 16, 64, 128, 256, MOST];
/// The most rows in one statement.
const MOST: usize = 512;

/// Entries after which the rows of `new_round` move to `round`: a look-up reads them all.
const NEW: u64 = 2048;

const LIVES: &str = "SELECT c.place, c.commitment, c.name, c.terms, c.seed, c.sum AS fixed, \
     l.next, l.lock_place, l.lock_entry, l.ended, l.ended_at, l.sum AS changing, \
     coalesce(n.under, r.under) AS last_under, coalesce(n.nonce, r.nonce) AS last_nonce, \
     coalesce(n.place, r.place) AS last_place, coalesce(n.sum, r.sum) AS last_sum \
     FROM commitment c LEFT JOIN life l ON l.place = c.place \
     LEFT JOIN round r ON r.under = c.place AND (r.nonce, r.place) = \
         (SELECT nonce, place FROM round WHERE under = c.place \
          ORDER BY nonce DESC, place DESC LIMIT 1) \
     LEFT JOIN (SELECT under, nonce, max(place) AS place, sum FROM new_round ";

impl Run for SqliteConnection {
    type Row = SqliteRow;

    // Each commitment's rounds have pages of their own in `round`. A batch that went there at once
    // would change a page for each of its tables.
    const NEW_ROUNDS: &'static str = "INSERT INTO new_round (under, nonce, place, sum) \
         SELECT * FROM new WHERE under IS NOT NULL";
    const ROUND: &'static str = "SELECT under, nonce, place, sum FROM round \
         WHERE under = $1 AND nonce = $2 \
         UNION ALL SELECT under, nonce, place, sum FROM new_round \
         WHERE under = $1 AND nonce = $2 ORDER BY place";
    const ROUNDS_AFTER: &'static str = "SELECT under, nonce, place, sum FROM round \
         WHERE (under, nonce, place) > ($1, $2, $3) \
         UNION ALL SELECT under, nonce, place, sum FROM new_round \
         WHERE (under, nonce, place) > ($1, $2, $3) ORDER BY under, nonce, place LIMIT $4";

    fn lives(chosen: bool) -> String {
        let among = Self::among_bytes(1);
        let newest = if chosen {
            format!("WHERE under IN (SELECT place FROM commitment WHERE commitment {among}) ")
        } else {
            String::new()
        };
        format!("{LIVES}{newest}GROUP BY under) n ON n.under = c.place")
    }

    fn newest() -> String {
        let among = Self::among_texts(1);
        format!("SELECT name, max(place) AS place FROM commitment WHERE name {among} GROUP BY name")
    }

    fn among_texts(n: u8) -> String {
        format!("IN (SELECT value FROM json_each(${n}))")
    }

    fn among_bytes(n: u8) -> String {
        format!("IN (SELECT unhex(value) FROM json_each(${n}))")
    }

    fn after_rounds(last: u64) -> Vec<NewRows<'static>> {
        let moved = |then| NewRows {
            columns: "before",
            values: vec![Value::int(last.saturating_sub(NEW))],
            then,
        };
        vec![
            moved(
                "INSERT INTO round (under, nonce, place, sum) \
                 SELECT under, nonce, place, sum FROM new_round \
                 WHERE (SELECT min(place) FROM new_round) <= (SELECT before FROM new)",
            ),
            moved(
                "DELETE FROM new_round \
                 WHERE (SELECT min(place) FROM new_round) <= (SELECT before FROM new)",
            ),
        ]
    }

    fn all<'a>(
        &'a mut self,
        question: String,
        values: Vec<Value<'a>>,
    ) -> BoxFuture<'a, Found<Vec<SqliteRow>>> {
        async move {
            let mut query = sqlx::query(AssertSqlSafe(question));
            for value in &values {
                query = match value {
                    Value::Int(value) => query.bind(*value),
                    Value::Text(value) => query.bind(value.as_deref().map(str::to_owned)),
                    Value::Bytes(value) => query.bind(value.as_deref().map(<[u8]>::to_vec)),
                    Value::Texts(list) => query.bind(json(list)?),
                    Value::BytesList(list) => {
                        query.bind(json(&list.iter().map(hex::encode).collect::<Vec<_>>())?)
                    }
                };
            }
            query.fetch_all(self).await
        }
        .boxed()
    }

    fn write<'a>(&'a mut self, all: Vec<NewRows<'a>>) -> BoxFuture<'a, Found<u64>> {
        async move {
            let mut script = QueryBuilder::<Sqlite>::default();
            for new in &all {
                for rows in new.values.chunks(MOST * new.width()) {
                    script.push("WITH new (").push(new.columns).push(") AS (VALUES ");
                    push_rows(&mut script, rows, new.width());
                    script.push(") ").push(new.then).push("; ");
                }
            }
            Ok(script.build().execute(self).await?.rows_affected())
        }
        .boxed()
    }

    /// The first lines of SQLite's own check, and one about all pages that nothing leads to.
    fn integrity(&mut self) -> BoxFuture<'_, Found<Vec<String>>> {
        async move {
            // Lost pages come before the rows that an index lacks: a small limit would hide these.
            let all: Vec<String> = sqlx::query_scalar("PRAGMA main.integrity_check(1000000)")
                .fetch_all(&mut *self)
                .await?;
            let lines = all
                .iter()
                .flat_map(|row| row.lines())
                .filter(|line| *line != "ok" && !line.starts_with("***"));
            let (lost, others): (Vec<&str>, Vec<&str>) =
                lines.partition(|line| line.ends_with("never used"));
            let lost =
                (!lost.is_empty()).then(|| format!("pages that nothing leads to: {}", lost.len()));
            let lines = others.into_iter().take(20).map(str::to_owned).chain(lost);
            Ok(lines.chain(schema::changed(self).await?).collect())
        }
        .boxed()
    }
}

fn json(list: &impl serde::Serialize) -> Found<String> {
    serde_json::to_string(list).map_err(|e| sqlx::Error::Encode(Box::new(e)))
}

/// Adds rows of so many columns, and rows of nulls up to the next length.
fn push_rows(script: &mut QueryBuilder<Sqlite>, rows: &[Value<'_>], columns: usize) {
    let count = rows.len() / columns;
    let length = LENGTHS.into_iter().find(|length| *length >= count).unwrap_or(count);
    let nulls = Value::Int(None);
    let values = rows.iter().chain(iter::repeat(&nulls)).take(length * columns);
    for (nth, value) in values.enumerate() {
        script.push(match nth % columns {
            0 if nth == 0 => "(",
            0 => "), (",
            _ => ", ",
        });
        match value {
            Value::Text(value) => script.push_bind(value.as_deref()),
            Value::Bytes(value) => script.push_bind(value.as_deref()),
            Value::Int(value) => script.push_bind(*value),
            Value::Texts(_) | Value::BytesList(_) => script.push("NULL"),
        };
    }
    script.push(")");
}

/// Begins to write, and asks for the head in the same question, as every batch does. `None` if the
/// head is damaged: who asks for it then gets the error. Where nothing can be written, it begins to
/// read: all that follows is of one moment.
pub(super) async fn begin(
    connection: &mut SqliteConnection,
    reads_only: bool,
) -> Found<Option<Head>> {
    let begin = if reads_only { "BEGIN; " } else { "BEGIN IMMEDIATE; " };
    let begin =
        sqlx::query_with(AssertSqlSafe(format!("{begin}{HEAD}")), SqliteArguments::default());
    let row = begin.fetch_optional(connection).await?;
    Ok(row.and_then(|row| rows::head(&row).ok()))
}
