//! The schema, its tables and their version.

use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection as _};

use super::connection::Inner;
use super::write;
use crate::store::error::{Fault, StoreError};
use crate::store::state::Head;

/// What makes version n + 1 from version n. A step that was released never changes.
const STEPS: &[&str] = &[include_str!("1.sql")];

/// Makes the tables and the head in one transaction. Until it commits there is no ledger. Of two at once, one wins.
pub(super) async fn create(inner: &Inner, first: &Head) -> Result<(), StoreError> {
    let mut connection = inner.connect_alone().await?;
    let taken =
        make(&mut connection, &inner.place.schema, first).await.map_err(|e| inner.said(&e))?;
    // What is not committed is rolled back.
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
    if version(connection).await? > 0 {
        return Ok(true);
    }
    step(connection, 0).await?;
    write::head(connection, first).await?;
    sqlx::raw_sql("COMMIT").execute(&mut *connection).await?;
    Ok(false)
}

/// Brings an older version up to this one. A newer one is refused.
pub(super) async fn check(inner: &Inner, may_write: bool) -> Result<(), StoreError> {
    let mut connection = inner.connect_alone().await?;
    let checked = checked(&mut connection, &inner.place.schema, may_write).await;
    let found = checked.map_err(|e| inner.said(&e))?;
    connection.close().await.map_err(|e| inner.said(&e))?;
    let (fault, says) = match found {
        Ok(()) => return Ok(()),
        Err(wrong) => wrong,
    };
    Err(StoreError::new(fault, inner.place.to_string(), says))
}

type Wrong = (Fault, String);

async fn checked(
    connection: &mut PgConnection,
    schema: &str,
    may_write: bool,
) -> Result<Result<(), Wrong>, sqlx::Error> {
    let encoding: String =
        sqlx::query_scalar("SHOW server_encoding").fetch_one(&mut *connection).await?;
    if encoding != "UTF8" {
        return Ok(Err((
            Fault::Denied,
            format!("expected a database in UTF8, found one in {encoding}"),
        )));
    }
    let found = version(connection).await?;
    if found == 0 {
        let says = format!("the schema {schema} holds no ledger: fairdeal init makes one");
        return Ok(Err((Fault::Missing, says)));
    }
    if found == STEPS.len() {
        return Ok(Ok(()));
    }
    if found > STEPS.len() || !may_write {
        let says = format!("expected a state of version {}, found {found}", STEPS.len());
        return Ok(Err((Fault::Denied, says)));
    }
    sqlx::raw_sql("BEGIN").execute(&mut *connection).await?;
    lock(connection, schema).await?;
    // Another node may have been first.
    let found = version(connection).await?;
    step(connection, found).await?;
    sqlx::raw_sql("COMMIT").execute(&mut *connection).await?;
    Ok(Ok(()))
}

/// Lets nobody else make or change these tables, until the transaction ends.
async fn lock(connection: &mut PgConnection, schema: &str) -> Result<(), sqlx::Error> {
    sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))")
        .bind(format!("fairdeal schema {schema}"))
        .execute(connection)
        .await?;
    Ok(())
}

/// The version of the tables. 0 where there are none.
async fn version(connection: &mut PgConnection) -> Result<usize, sqlx::Error> {
    let there: bool = sqlx::query_scalar("SELECT to_regclass('schema_version') IS NOT NULL")
        .fetch_one(&mut *connection)
        .await?;
    if !there {
        return Ok(0);
    }
    let version: i64 =
        sqlx::query_scalar("SELECT version FROM schema_version").fetch_one(connection).await?;
    usize::try_from(version).map_err(|e| sqlx::Error::Decode(e.into()))
}

/// Takes all steps from this version on.
async fn step(connection: &mut PgConnection, from: usize) -> Result<(), sqlx::Error> {
    for tables in STEPS.iter().skip(from) {
        sqlx::raw_sql(*tables).execute(&mut *connection).await?;
    }
    let version = "CREATE TABLE IF NOT EXISTS schema_version (version BIGINT NOT NULL); DELETE FROM schema_version";
    sqlx::raw_sql(version).execute(&mut *connection).await?;
    let newest = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
    sqlx::query("INSERT INTO schema_version VALUES ($1)").bind(newest).execute(connection).await?;
    Ok(())
}
