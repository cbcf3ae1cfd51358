//! Copies a state into another database, for instance from SQLite to PostgreSQL and back.
//!
//! Never can both be dealt from: that would be a fork. So the copy is closed until the old state
//! is, and the old state keeps the name of the copy's place. The same call continues a copy that
//! was interrupted.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use crate::LedgerOptions;
use crate::error::LedgerError;
use crate::operate::dump::{self, Copied};
use crate::setup::folder;
use crate::setup::folder::Layout;
use crate::setup::location::{StateUrl, Use, create_state, open_state};
use crate::store::{Fault, Growth, Head, Lease, State, StoreError};

/// How often to ask for a lease that another process holds.
const RETRY: Duration = Duration::from_millis(20);

/// A state: a ledger's folder, or a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatePlace {
    /// The file in the private part of a ledger's folder.
    Folder(PathBuf),
    /// A database.
    Url(StateUrl),
}

impl FromStr for StatePlace {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.contains("://") {
            return Ok(Self::Url(StateUrl::new(text)));
        }
        // The messages about it must be right in any folder.
        Ok(Self::Folder(std::path::absolute(text).unwrap_or_else(|_| text.into())))
    }
}

/// Without a password.
impl fmt::Display for StatePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(dir) => dir.display().fmt(f),
            Self::Url(url) => url.fmt(f),
        }
    }
}

impl StatePlace {
    fn parts(&self) -> (Option<&StateUrl>, PathBuf) {
        match self {
            Self::Folder(dir) => (None, Layout::of(dir).state()),
            Self::Url(url) => (Some(url), PathBuf::new()),
        }
    }

    /// The state there. If a database has none, its own message says whether a name is wrong.
    async fn source(&self, options: &LedgerOptions) -> Result<Arc<dyn State>, LedgerError> {
        let (url, file) = self.parts();
        if url.is_none() && !file.exists() {
            return Err(LedgerError::NotALedger {
                path: PathBuf::from(self.to_string()),
                says: "there is no state to copy".to_owned(),
            });
        }
        open_state(url, &file, options, Use::Write).await
    }

    /// The state there, if there is one.
    async fn open(&self, options: &LedgerOptions) -> Result<Option<Arc<dyn State>>, LedgerError> {
        match self.source(options).await {
            Err(
                LedgerError::NotALedger { .. }
                | LedgerError::Store(StoreError { fault: Fault::Missing, .. }),
            ) => Ok(None),
            opened => opened.map(Some),
        }
    }

    async fn create(
        &self,
        options: &LedgerOptions,
        first: &Head,
    ) -> Result<Arc<dyn State>, LedgerError> {
        let (url, file) = self.parts();
        if let (None, Some(private)) = (url, file.parent()) {
            folder::private_folder(private)?;
        }
        create_state(url, &file, options, first).await
    }
}

/// Copies a state, and moves the ledger to the copy. `progress` gets the number of steps done, and
/// of all.
///
/// # Errors
/// [`LedgerError::Taken`] if the target holds something else; [`LedgerError::Moved`] if the source
/// went to another place.
pub async fn copy_state(
    from: &StatePlace,
    to: &StatePlace,
    options: &LedgerOptions,
    progress: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<Copied, LedgerError> {
    if from == to {
        return Err(LedgerError::Invalid("TO: expected another place than FROM".to_owned()));
    }
    if let StatePlace::Folder(dir) = to {
        folder::outside_of_others(dir)?;
    }
    let source = from.source(options).await?;
    let _lease = lease(&*source, options.wait).await?;
    let mut reading = source.begin().await?;
    reading.take_long().await?;
    let head = reading.head().await?;
    let gone = format!("it went to {to}");
    if let Some(why) = head.closed.as_ref().filter(|why| **why != gone) {
        return Err(LedgerError::Moved(why.clone()));
    }
    if head.closed.is_some() && is_finished(to, options, &head).await? {
        return Err(LedgerError::Moved(format!("{gone}, and the copy there is finished")));
    }
    let begun = format!("the copy of {from} into it is not finished");
    let whole = Head {
        closed: Some(format!("it is a copy of {from}, which is not closed yet")),
        ..head.clone()
    };
    let target = target(to, options, &head, &begun).await?;
    let mut writing = target.begin().await?;
    writing.take_long().await?;
    let found = writing.head().await?;
    let size = whole.frontier.size();
    if found.closed.as_ref() == Some(&begun) {
        dump::load(&mut *reading, &mut *writing, &whole, &mut |done| progress(done, 2 * size))
            .await?;
    } else if found != whole {
        return Err(if found.closed == whole.closed {
            outdated(to, &found, &head)
        } else {
            taken(to)
        });
    }
    let mut compared = |done| progress(size + done, 2 * size);
    let copied = dump::compare(&mut *reading, &mut *writing, &whole, &mut compared).await?;
    dump::check(&mut *writing, &whole).await?;
    writing.commit().await?;
    // First the source is closed, and then the target is opened.
    if head.closed.is_none() {
        reading.write(&Growth::of_head(Head { closed: Some(gone), ..head.clone() })).await?;
        reading.commit().await?;
    } else {
        reading.roll_back().await?;
    }
    let mut opening = target.begin().await?;
    if opening.head().await? != whole {
        return Err(taken(to));
    }
    opening.write(&Growth::of_head(Head { closed: None, ..head })).await?;
    opening.commit().await?;
    target.close().await?;
    source.close().await?;
    Ok(copied)
}

fn taken(to: &StatePlace) -> LedgerError {
    LedgerError::Taken {
        what: to.to_string(),
        says: "it holds another state already, and nothing is copied over it".to_owned(),
    }
}

/// A copy that was written before the state went on.
fn outdated(to: &StatePlace, found: &Head, head: &Head) -> LedgerError {
    let (copied, now) = (found.frontier.size(), head.frontier.size());
    LedgerError::Taken {
        what: to.to_string(),
        says: format!(
            "it holds a copy of this state at {copied} entries, and the state has {now} now: remove that copy, and ask again"
        ),
    }
}

/// Whether the target of a state that has moved is open: it was copied, and the ledger goes on
/// there.
async fn is_finished(
    to: &StatePlace,
    options: &LedgerOptions,
    head: &Head,
) -> Result<bool, LedgerError> {
    let Some(there) = to.open(options).await? else { return Ok(false) };
    let found = there.read().await?.head().await?;
    there.close().await?;
    Ok(found.closed.is_none() && found.key == head.key)
}

/// The right to publish: no other process may be between a batch and its files.
async fn lease(state: &dyn State, wait: Duration) -> Result<Lease, LedgerError> {
    let asking = async {
        loop {
            if let Some(lease) = state.lease().await? {
                return Ok(lease);
            }
            tokio::time::sleep(RETRY).await;
        }
    };
    let busy = |_| StoreError::new(Fault::Busy, "the state", "another process is publishing");
    tokio::time::timeout(wait, asking).await.map_err(busy)?
}

/// The target: made now, or left by a copy of the same state that was interrupted.
async fn target(
    to: &StatePlace,
    options: &LedgerOptions,
    head: &Head,
    begun: &str,
) -> Result<Arc<dyn State>, LedgerError> {
    let Some(there) = to.open(options).await? else {
        return to.create(options, &dump::empty(head, Some(begun.to_owned()))).await;
    };
    let found = there.read().await?.head().await?;
    if found.closed.is_none() || found.key != head.key {
        return Err(taken(to));
    }
    Ok(there)
}
