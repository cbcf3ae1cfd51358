//! Makes a damaged state again in a new file. No page of the damaged file is written but its first,
//! which says how the file is locked.
//!
//! ```text
//! state.sqlite           the damaged file; the new one, once it is whole
//! state.sqlite.new       the new file, while it is made
//! state.sqlite.damaged   the damaged file, afterwards
//! ```
//!
//! The damaged file is locked for this process alone until the new one has its name. A process that
//! waited for that lock finds [another file](Inner::check_in_place) under the name, and writes
//! nothing.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sqlx::sqlite::SqliteConnection;
use sqlx::{Connection as _, QueryBuilder, Sqlite as Database};

use super::connection::{Inner, Used, fault, io_error, private_file};
use super::{Sqlite, Writing, schema};
use crate::store::error::{Fault, StoreError};
use crate::store::folder::sync_folder;
use crate::store::rows::damaged;
use crate::store::statements::Run as _;

/// The pause before the damaged file is locked again, if others have it open.
const PAUSE: Duration = Duration::from_millis(20);

/// The three files.
pub(super) struct Mending {
    old: PathBuf,
    new: PathBuf,
    kept: PathBuf,
}

/// Ends the transaction of `used`, and begins one in a new file that has the rows of
/// [`schema::OWN_TABLES`]. Also returns where the damaged file will be kept.
pub(super) async fn begin(mut used: Used) -> Result<(Writing, PathBuf), StoreError> {
    let old = Arc::clone(&used.inner);
    // A connection that has met a damaged page copies nothing any more: this one is closed.
    let mut beside = old.connect().await?;
    schema::check_own(beside.get()?).await.map_err(|e| old.said(&e))?;
    beside.close().await?;
    used.run("ROLLBACK").await?;
    used.close().await?;
    for idle in old.take_idle() {
        idle.close().await.map_err(|e| old.said(&e))?;
    }
    let (new, kept) = (with(&old.path, ".new"), with(&old.path, ".damaged"));
    let mending = Mending { old: old.path.clone(), new, kept };
    mending.remove_new()?;
    let made = private_file().create_new(true).write(true).open(&mending.new);
    made.map_err(|e| io_error(&mending.new, &e))?;
    let options = Sqlite::options(&mending.new, old.wait);
    let mut used = Inner::new(mending.new.clone(), old.wait, options).connect_to_write().await?;
    match fill(used.get()?, &old).await {
        Ok(()) => {
            let kept = mending.kept.clone();
            Ok((Writing { used, head: None, mending: Some(mending) }, kept))
        }
        Err(error) => {
            mending.undone(used).await?;
            if fault(&error) == Fault::Busy {
                let says = "another process has it open: stop it, and repair again";
                return Err(StoreError::new(Fault::Busy, old.path.display().to_string(), says));
            }
            Err(old.said(&error))
        }
    }
}

/// Locks the old file, and begins a transaction that copies from it what nothing else holds.
async fn fill(connection: &mut SqliteConnection, old: &Inner) -> Result<(), sqlx::Error> {
    let name =
        old.path.to_str().ok_or_else(|| sqlx::Error::Encode("the path is no UTF-8".into()))?;
    sqlx::query("ATTACH $1 AS old").bind(name).execute(&mut *connection).await?;
    // The lock is kept when the transaction has ended.
    sqlx::raw_sql("PRAGMA old.locking_mode = EXCLUSIVE").execute(&mut *connection).await?;
    let mut waited = Duration::ZERO;
    // Only the file's last connection can do this. SQLite does not wait for the others.
    while let Err(error) =
        sqlx::raw_sql("PRAGMA old.journal_mode = DELETE").execute(&mut *connection).await
    {
        if fault(&error) != Fault::Busy || waited >= old.wait {
            return Err(error);
        }
        tokio::time::sleep(PAUSE).await;
        waited += PAUSE;
    }
    sqlx::raw_sql("BEGIN EXCLUSIVE").execute(&mut *connection).await?;
    schema::tables(connection).await?;
    for table in schema::OWN_TABLES {
        let mut copy = QueryBuilder::<Database>::new("INSERT INTO main.");
        // Without a condition SQLite would copy the pages of the old indexes too.
        copy.push(table).push(" SELECT * FROM old.").push(table).push(" NOT INDEXED WHERE true");
        let copied = copy.build().execute(&mut *connection).await;
        copied.map_err(|error| damaged(format!("{table}: {error}")))?;
    }
    Ok(())
}

/// The path with this after its name.
fn with(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

fn remove(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(io_error(path, &error)),
        _ => Ok(()),
    }
}

impl Mending {
    /// Removes the new file. After a kill there may be a journal next to it.
    fn remove_new(&self) -> Result<(), StoreError> {
        remove(&with(&self.new, "-journal"))?;
        remove(&self.new)
    }

    /// Gives the new file, which is committed, the name of the old one.
    pub(super) async fn done(self, mut used: Used) -> Result<(), StoreError> {
        let checked = used.get()?.integrity().await.map_err(|e| used.inner.said(&e))?;
        if let Some(wrong) = checked.first() {
            let name = self.new.display().to_string();
            let error = StoreError::new(Fault::Damaged, name, wrong.clone());
            self.undone(used).await?;
            return Err(error);
        }
        remove(&self.kept)?;
        fs::hard_link(&self.old, &self.kept).map_err(|e| io_error(&self.kept, &e))?;
        fs::rename(&self.new, &self.old).map_err(|e| io_error(&self.old, &e))?;
        sync_folder(self.old.parent().unwrap_or(&self.old))?;
        used.close().await
    }

    /// Leaves the old file as it is.
    pub(super) async fn undone(self, mut used: Used) -> Result<(), StoreError> {
        used.close().await?;
        self.remove_new()
    }
}
