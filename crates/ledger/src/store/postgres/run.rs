//! Runs statements in PostgreSQL. Rows and lists are arrays: each statement is prepared once,
//! however many rows it gets.

use futures::FutureExt as _;
use futures::future::BoxFuture;
use sqlx::AssertSqlSafe;
use sqlx::postgres::{PgConnection, PgRow};

use crate::store::rows::{self, Found};
use crate::store::statements::{NewRows, Run, Value};

rows::fields!(PgRow);

/// The most rows in one statement: they are in memory twice.
const ROWS: usize = 4096;

impl Run for PgConnection {
    type Row = PgRow;

    const NEW_ROUNDS: &'static str = "INSERT INTO round (under, nonce, place, sum) \
         SELECT * FROM new WHERE under IS NOT NULL";
    const ROUND: &'static str = "SELECT under, nonce, place, sum FROM round \
         WHERE under = $1 AND nonce = $2 ORDER BY place";
    const ROUNDS_AFTER: &'static str = "SELECT under, nonce, place, sum FROM round \
         WHERE (under, nonce, place) > ($1, $2, $3) ORDER BY under, nonce, place LIMIT $4";

    fn lives(_chosen: bool) -> String {
        "SELECT c.place, c.commitment, c.name, c.terms, c.seed, c.sum AS fixed, \
         l.next, l.lock_place, l.lock_entry, l.ended, l.ended_at, l.sum AS changing, \
         r.under AS last_under, r.nonce AS last_nonce, r.place AS last_place, r.sum AS last_sum \
         FROM commitment c LEFT JOIN life l ON l.place = c.place \
         LEFT JOIN LATERAL (SELECT under, nonce, place, sum FROM round WHERE under = c.place \
             ORDER BY nonce DESC, place DESC LIMIT 1) r ON true"
            .to_owned()
    }

    /// One look into the index for each table, however many commitments it has had.
    fn newest() -> String {
        "SELECT n.name, c.place FROM unnest($1::text[]) AS n(name) JOIN LATERAL ( \
             SELECT place FROM commitment WHERE name = n.name ORDER BY place DESC LIMIT 1) c ON true"
            .to_owned()
    }

    fn among_texts(n: u8) -> String {
        format!("= ANY(${n})")
    }

    fn among_bytes(n: u8) -> String {
        Self::among_texts(n)
    }

    fn after_rounds(_last: u64) -> Vec<NewRows<'static>> {
        Vec::new()
    }

    fn all<'a>(
        &'a mut self,
        question: String,
        values: Vec<Value<'a>>,
    ) -> BoxFuture<'a, Found<Vec<PgRow>>> {
        async move {
            let mut query = sqlx::query(AssertSqlSafe(question));
            for value in &values {
                query = match value {
                    Value::Int(value) => query.bind(*value),
                    Value::Text(value) => query.bind(value.as_deref()),
                    Value::Bytes(value) => query.bind(value.as_deref()),
                    Value::Texts(list) => query.bind(list),
                    Value::BytesList(list) => query.bind(list),
                };
            }
            query.fetch_all(self).await
        }
        .boxed()
    }

    fn write<'a>(&'a mut self, all: Vec<NewRows<'a>>) -> BoxFuture<'a, Found<u64>> {
        async move {
            let mut done = 0;
            for new in &all {
                let width = new.width();
                let array = |(nth, value): (usize, &Value<'_>)| match value {
                    Value::Int(_) => format!("${}::bigint[]", nth + 1),
                    Value::Bytes(_) => format!("${}::bytea[]", nth + 1),
                    _ => format!("${}::text[]", nth + 1),
                };
                let arrays: Vec<String> =
                    new.values.iter().take(width).enumerate().map(array).collect();
                let (columns, arrays, then) = (new.columns, arrays.join(", "), new.then);
                let statement =
                    format!("WITH new ({columns}) AS (SELECT * FROM unnest({arrays})) {then}");
                for rows in new.values.chunks(ROWS * width) {
                    let mut query = sqlx::query(AssertSqlSafe(statement.clone()));
                    for nth in 0..width {
                        let column = rows.iter().skip(nth).step_by(width);
                        query = match rows[nth] {
                            Value::Int(_) => query.bind(column.map(int).collect::<Vec<_>>()),
                            Value::Bytes(_) => query.bind(column.map(bytes).collect::<Vec<_>>()),
                            _ => query.bind(column.map(text).collect::<Vec<_>>()),
                        };
                    }
                    done += query.execute(&mut *self).await?.rows_affected();
                }
            }
            Ok(done)
        }
        .boxed()
    }

    /// PostgreSQL has no check that every server has. `amcheck` is one, for its
    /// administrator.
    fn integrity(&mut self) -> BoxFuture<'_, Found<Vec<String>>> {
        async move { Ok(Vec::new()) }.boxed()
    }
}

fn int(value: &Value<'_>) -> Option<i64> {
    if let Value::Int(value) = value { *value } else { None }
}

fn text<'a>(value: &'a Value<'_>) -> Option<&'a str> {
    if let Value::Text(value) = value { value.as_deref() } else { None }
}

fn bytes<'a>(value: &'a Value<'_>) -> Option<&'a [u8]> {
    if let Value::Bytes(value) = value { value.as_deref() } else { None }
}
