//! The schema, its tables and their version.

use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection as _};

use super::connection::Inner;
use crate::store::error::{Fault, StoreError, other_version};
use crate::store::growth;
use crate::store::state::Head;

/// The version of the tables.
const VERSION: i64 = 1;

/// Makes the tables and the head in one transaction. Until it commits there is no ledger. Of two at
/// once, one wins.
pub(super) async fn create(inner: &Inner, first: &Head) -> Result<(), StoreError> {
    let mut connection = inner.connect_alone().await?;
    let taken =
        make(&mut connection, &inner.place.schema, first).await.map_err(|e| inner.said(&e))?;
    // Closing rolls back.
    connection.close().await.map_err(|e| inner.said(&e))?;
    if taken {
        let says = "the schema holds a ledger already; a new one needs a schema of its own";
        return Err(StoreError::new(Fault::Taken, inner.place.to_string(), says));
    }
    Ok(())
}

/// Returns whether there is a ledger already.
async fn make(
    connection: &mut PgConnection,
    schema: &str,
    first: &Head,
) -> Result<bool, sqlx::Error> {
    sqlx::raw_sql("BEGIN").execute(&mut *connection).await?;
    lock(connection, schema).await?;
    // The name is one of `Place::parse`: there is nothing in it to escape.
    sqlx::raw_sql(AssertSqlSafe(format!("CREATE SCHEMA IF NOT EXISTS {schema}")))
        .execute(&mut *connection)
        .await?;
    if version(connection).await?.is_some() {
        return Ok(true);
    }
    sqlx::raw_sql(include_str!("1.sql")).execute(&mut *connection).await?;
    sqlx::query("INSERT INTO schema_version VALUES ($1)")
        .bind(VERSION)
        .execute(&mut *connection)
        .await?;
    growth::head(connection, first).await?;
    sqlx::raw_sql("COMMIT").execute(&mut *connection).await?;
    Ok(false)
}

/// Refuses a schema without a ledger, and tables of another version.
pub(super) async fn check(inner: &Inner) -> Result<(), StoreError> {
    let mut connection = inner.connect_alone().await?;
    let encoding = sqlx::query_scalar("SHOW server_encoding").fetch_one(&mut connection).await;
    let encoding: String = encoding.map_err(|e| inner.said(&e))?;
    let found = version(&mut connection).await.map_err(|e| inner.said(&e))?;
    connection.close().await.map_err(|e| inner.said(&e))?;
    let (fault, says) = match found {
        _ if encoding != "UTF8" => {
            (Fault::Denied, format!("expected a database in UTF8, found one in {encoding}"))
        }
        Some(VERSION) => return Ok(()),
        Some(found) => (Fault::Denied, other_version(VERSION, found)),
        None => {
            let schema = &inner.place.schema;
            (
                Fault::Missing,
                format!("the schema {schema} holds no ledger: fairdeal init makes one"),
            )
        }
    };
    Err(StoreError::new(fault, inner.place.to_string(), says))
}

/// Lets nobody else make or change these tables, until the transaction ends.
async fn lock(connection: &mut PgConnection, schema: &str) -> Result<(), sqlx::Error> {
    sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))")
        .bind(format!("fairdeal schema {schema}"))
        .execute(connection)
        .await?;
    Ok(())
}

/// The version of the tables. `None` where there are none.
async fn version(connection: &mut PgConnection) -> Result<Option<i64>, sqlx::Error> {
    let there: bool = sqlx::query_scalar("SELECT to_regclass('schema_version') IS NOT NULL")
        .fetch_one(&mut *connection)
        .await?;
    if !there {
        return Ok(None);
    }
    sqlx::query_scalar("SELECT version FROM schema_version").fetch_one(connection).await.map(Some)
}
