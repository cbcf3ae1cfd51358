//! Watches an audit while it runs.

use crate::{AuditRows, Keep};

/// Watches an audit while it runs: gets its progress, and its rows in order.
pub trait AuditObserver: Send {
    /// `done` of `size` entries are judged.
    fn progress(&mut self, done: u64, size: u64);

    /// The rows that the observer wants. `None` costs nothing.
    fn wanted(&self) -> Option<Keep> {
        None
    }

    /// The rows since the last call. Over all calls, each row of this audit comes once; rows of an
    /// earlier audit that this one resumes do not come again.
    ///
    /// # Errors
    /// [`StopAudit`] ends the audit without a verdict.
    fn rows(&mut self, rows: AuditRows) -> Result<(), StopAudit> {
        drop(rows);
        Ok(())
    }
}

/// Why an observer stops an audit, in words for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StopAudit(pub String);

/// Gets the progress only.
pub(super) struct Progress<F>(pub(super) F);

impl<F: FnMut(u64, u64) + Send> AuditObserver for Progress<F> {
    fn progress(&mut self, done: u64, size: u64) {
        (self.0)(done, size);
    }
}
