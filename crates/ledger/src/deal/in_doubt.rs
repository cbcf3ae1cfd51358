//! A COMMIT whose outcome is unknown: the database is asked, nothing is guessed.

use std::time::Duration;

use tokio::time::Instant;

use crate::core::Core;
use crate::deal::batch::Batch;
use crate::error::LedgerError;
use crate::publish::publisher::Job;
use crate::store::{Fault, Growth, Head, StoreError};

/// The pause before a database that was away is asked again whether it has committed.
pub(crate) const ASKED_EVERY: Duration = Duration::from_millis(200);

/// COMMIT failed. If it may have been done, ask the database under the head's lock; never guess.
pub(crate) async fn settle(
    core: &Core,
    growth: &Growth,
    error: StoreError,
) -> Result<(), LedgerError> {
    if error.fault.is_known() {
        return Err(error.into());
    }
    if error.fault == Fault::Disk {
        // A read may answer from memory what the disk does not hold.
        core.stop(&error);
        return Err(LedgerError::Unsettled(error.to_string()));
    }
    let options = &core.options;
    // A server that was stopped is asked until it is back. Meanwhile nothing is decided, and
    // callers wait.
    let until = Instant::now() + if options.one_shot { options.wait } else { options.max_lag };
    loop {
        match is_there(core, &growth.head).await {
            Ok(true) => return Ok(()),
            Ok(false) => return Err(error.into()),
            Err(asked) if asked.is_temporary() && Instant::now() < until => {
                tokio::time::sleep(ASKED_EVERY).await;
            }
            Err(asked) => {
                let why = format!("{error}; then, on asking the database: {asked}");
                // A server that is away says nothing against going on: each batch begins with what
                // is there, under the head's lock.
                if !asked.is_temporary() {
                    core.stop(&why);
                }
                return Err(LedgerError::Unsettled(why));
            }
        }
    }
}

/// The job after a batch of which it is unknown whether it was committed. Waits for a COMMIT that
/// is running.
pub(crate) async fn left_in_doubt(core: &Core) -> Result<Batch, LedgerError> {
    core.goes_on()?;
    let mut transaction = core.state.begin().await?;
    let head = transaction.head().await?;
    core.check_head(&head)?;
    transaction.roll_back().await?;
    Ok(Batch { job: Job::nothing(head.frontier.size()), ..Batch::default() })
}

/// Whether the tree has grown through this head.
async fn is_there(core: &Core, wanted: &Head) -> Result<bool, LedgerError> {
    let mut transaction = core.state.begin().await?;
    let head = transaction.head().await?;
    let size = wanted.frontier.size();
    let there = head.frontier.size() >= size
        && core.tree(&mut *transaction, &head).root_at(size).await? == wanted.frontier.root();
    transaction.roll_back().await?;
    Ok(there)
}
