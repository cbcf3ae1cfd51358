//! Who is told of an audit while it runs.

use crate::audit::{AuditRows, Keep};

/// Told of an audit while it runs, in its order.
pub trait AuditObserver: Send {
    /// How many entries are judged, and of how many.
    fn progress(&mut self, done: u64, size: u64);

    /// Which rows are wanted; none costs nothing.
    fn wanted(&self) -> Option<Keep> {
        None
    }

    /// What was met since the last time. All of it together is what was met in this audit, each once; where it goes on
    /// from one that was put aside, without what was met then.
    ///
    /// # Errors
    /// Why the audit is to stop, in words for people.
    fn rows(&mut self, rows: AuditRows) -> Result<(), String> {
        drop(rows);
        Ok(())
    }
}

/// Told how far it is, and nothing else.
pub(super) struct Progress<F>(pub(super) F);

impl<F: FnMut(u64, u64) + Send> AuditObserver for Progress<F> {
    fn progress(&mut self, done: u64, size: u64) {
        (self.0)(done, size);
    }
}
