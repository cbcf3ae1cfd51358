//! Works on the file as a whole.

use std::path::Path;

use sqlx::sqlite::SqliteConnection;

/// Writes the tables anew, so that no page has bytes of rows that were replaced, and empties the log of changes. `false` if
/// another connection is in the way.
pub(super) async fn scrub(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    let is_busy = |error: &sqlx::Error| {
        let code = error.as_database_error().and_then(|error| error.code()?.parse::<u32>().ok());
        code.is_some_and(|code| matches!(code & 0xff, 5 | 6))
    };
    match sqlx::query("VACUUM").execute(&mut *connection).await {
        Ok(_) => {}
        Err(error) if is_busy(&error) => return Ok(false),
        Err(error) => return Err(error),
    }
    let busy: i64 =
        sqlx::query_scalar("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&mut *connection).await?;
    Ok(busy == 0)
}

/// Copies the database into an empty file, as it is at one moment.
pub(super) async fn copy_to(
    connection: &mut SqliteConnection,
    path: &Path,
) -> Result<(), sqlx::Error> {
    let name = path.to_str().ok_or_else(|| sqlx::Error::Encode("the path is no UTF-8".into()))?;
    sqlx::query("VACUUM INTO ?").bind(name).execute(connection).await?;
    Ok(())
}
