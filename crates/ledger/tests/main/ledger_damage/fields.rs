//! Changes of one field of the state.

use std::collections::BTreeSet;
use std::path::Path;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions as _, Connection as _, QueryBuilder, Row as _, Sqlite};

use super::{World, some_rows};

/// Another value of one field.
#[derive(Clone, Debug)]
enum Value {
    Null,
    Int(i64),
    Text(Vec<u8>),
    Blob(Vec<u8>),
}

/// One field of the state, and what it is changed to.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) table: String,
    pub(super) column: String,
    /// The columns of the primary key.
    by: String,
    /// The row's place in its order.
    row: usize,
    value: Value,
}

pub(super) async fn connect(dir: &Path) -> SqliteConnection {
    SqliteConnectOptions::new().filename(World::state(dir)).connect().await.expect("connects")
}

pub(super) fn query(text: impl AsRef<str>) -> QueryBuilder<Sqlite> {
    QueryBuilder::new(text.as_ref())
}

/// All changes that are tried: every table and every column, in some rows, with some values.
pub(super) async fn changes(dir: &Path) -> Vec<Change> {
    let mut state = connect(dir).await;
    let tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
    let tables: Vec<String> =
        query(tables).build_query_scalar().fetch_all(&mut state).await.expect("tables");
    let mut all = Vec::new();
    for table in tables {
        let info =
            format!("SELECT name, pk, \"notnull\" FROM pragma_table_info('{table}') ORDER BY cid");
        let columns: Vec<(String, i64, bool)> =
            query(info).build_query_as().fetch_all(&mut state).await.expect("columns");
        let by: Vec<&str> =
            columns.iter().filter(|(_, pk, _)| *pk > 0).map(|(name, ..)| name.as_str()).collect();
        let by = by.join(", ");
        let rows: i64 = query(format!("SELECT count(*) FROM {table}"))
            .build_query_scalar()
            .fetch_one(&mut state)
            .await
            .expect("a count");
        assert!(rows > 0, "{table} is empty: nothing of it would be tried");
        let rows = some_rows(usize::try_from(rows).expect("few"));
        let fields = columns.iter().flat_map(|column| rows.iter().map(move |row| (column, *row)));
        for ((column, _, never_null), row) in fields {
            let found = format!(
                "SELECT typeof({column}), CAST({column} AS BLOB), CAST({column} AS INTEGER) FROM {table} \
                 ORDER BY {by} LIMIT 1 OFFSET {row}"
            );
            let found = query(found).build().fetch_one(&mut state).await.expect("a field");
            let bytes: Option<Vec<u8>> = found.get(1);
            let mut values =
                values(found.get(0), &bytes.unwrap_or_default(), found.get::<Option<i64>, _>(2));
            values.retain(|value| !(*never_null && matches!(value, Value::Null)));
            all.extend(values.into_iter().map(|value| Change {
                table: table.clone(),
                column: column.clone(),
                by: by.clone(),
                row,
                value,
            }));
        }
    }
    state.close().await.expect("closed");
    all
}

fn values(kind: &str, bytes: &[u8], int: Option<i64>) -> Vec<Value> {
    let flipped = |make: fn(Vec<u8>) -> Value| {
        let places = BTreeSet::from([0, bytes.len() / 2, bytes.len().saturating_sub(1)]);
        let flip = |(bit, place): (u32, usize)| {
            let mut bytes = bytes.to_vec();
            *bytes.get_mut(place)? ^= 1 << bit;
            Some(make(bytes))
        };
        let mut values: Vec<Value> = [0, 5, 1].into_iter().zip(places).filter_map(flip).collect();
        values.push(Value::Null);
        values
    };
    match kind {
        "integer" => {
            let int = int.unwrap_or_default();
            let mut values: Vec<Value> =
                [0, 8, 26, 63].map(|bit| Value::Int(int ^ (1 << bit))).to_vec();
            values.push(Value::Null);
            values
        }
        "text" => flipped(Value::Text),
        "blob" => flipped(Value::Blob),
        // Null. A column takes the one or the other.
        _ => vec![Value::Int(1), Value::Text(b"1".to_vec())],
    }
}

/// Changes one field. `false` where the database does not allow it.
pub(super) async fn change(dir: &Path, change: &Change) -> bool {
    let mut state = connect(dir).await;
    query("PRAGMA ignore_check_constraints = ON")
        .build()
        .execute(&mut state)
        .await
        .expect("allowed");
    let Change { table, column, by, row, value } = change;
    let mut update = query(format!("UPDATE {table} SET {column} = "));
    match value {
        Value::Null => update.push("NULL"),
        Value::Int(int) => update.push_bind(*int),
        Value::Text(text) => update.push("CAST(").push_bind(text.clone()).push(" AS TEXT)"),
        Value::Blob(blob) => update.push_bind(blob.clone()),
    };
    update.push(format!(
        " WHERE ({by}) IN (SELECT {by} FROM {table} ORDER BY {by} LIMIT 1 OFFSET {row})"
    ));
    let done = update.build().execute(&mut state).await;
    state.close().await.expect("closed");
    done.is_ok_and(|done| done.rows_affected() == 1)
}
