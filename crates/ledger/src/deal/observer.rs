//! Reports of batches and their durations, for metrics.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use fairdeal::record::entry::Entry;

/// An event of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchEvent {
    /// Its transaction has ended, from the lock on the head to COMMIT.
    Committed {
        /// The number of commands that were decided.
        commands: usize,
        /// The number of new entries.
        entries: u64,
        /// The number of each kind.
        kinds: Kinds,
        /// Its duration.
        took: Duration,
    },
    /// Its entries, and those of the batches behind it, are published.
    Published {
        /// The number of entries by which the checkpoint has grown.
        entries: u64,
        /// Its duration, with every attempt that failed.
        took: Duration,
    },
}

/// The kinds of entries.
const KINDS: [&str; 6] = ["commit", "lock", "deal", "void", "reveal", "anchor"];

/// The number of entries of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds([u64; KINDS.len()]);

impl Kinds {
    pub(crate) fn count(&mut self, entry: &Entry) {
        for (kind, many) in KINDS.iter().zip(&mut self.0) {
            *many += u64::from(*kind == entry.kind());
        }
    }

    /// The kinds of which there are entries, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        KINDS.into_iter().zip(self.0).filter(|(_, many)| *many > 0)
    }
}

/// Called after each batch by the tasks that commit and publish, so that it must not block.
#[derive(Clone)]
pub struct BatchObserver(Arc<dyn Fn(BatchEvent) + Send + Sync>);

impl BatchObserver {
    /// Calls this.
    pub fn new(tell: impl Fn(BatchEvent) + Send + Sync + 'static) -> Self {
        Self(Arc::new(tell))
    }

    pub(crate) fn tell(&self, event: BatchEvent) {
        (self.0)(event);
    }
}

impl fmt::Debug for BatchObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BatchObserver")
    }
}
