//! Whoever counts what the ledger does: its batches, and how long they take.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use fairdeal::record::entry::Entry;

/// What happened to a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchEvent {
    /// Its transaction has ended, from the lock on the head to COMMIT.
    Committed {
        /// How many commands were decided.
        commands: usize,
        /// How many entries they made.
        entries: u64,
        /// How many of each kind.
        kinds: Kinds,
        /// How long it took.
        took: Duration,
    },
    /// Its entries, and those of the batches behind it, are published.
    Published {
        /// How many entries the checkpoint has more.
        entries: u64,
        /// How long it took, with every attempt that failed.
        took: Duration,
    },
}

/// The kinds of entries.
const KINDS: [&str; 5] = ["commit", "lock", "deal", "void", "reveal"];

/// How many entries there are of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds([u64; KINDS.len()]);

impl Kinds {
    pub(crate) fn count(&mut self, entry: &Entry) {
        for (kind, many) in KINDS.iter().zip(&mut self.0) {
            *many += u64::from(*kind == entry.kind());
        }
    }

    /// Those that there are, by the name of the kind.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        KINDS.into_iter().zip(self.0).filter(|(_, many)| *many > 0)
    }
}

/// Is told of each batch, by the tasks that commit and publish: so it must not block.
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
