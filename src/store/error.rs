//! What went wrong in a store, as far as it decides what to do next.

/// What kind of thing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// Somebody else held the lock for as long as the caller would wait.
    Busy,
    /// No space is left.
    NoSpace,
    /// The system does not allow it: permissions, a read-only file system, a file where a folder should be.
    Denied,
    /// It is not there.
    Missing,
    /// What is there is not what was written.
    Damaged,
    /// Anything else: what was done, and what reached the disk, is not known.
    Unknown,
}

/// What went wrong, and with what.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {says}")]
pub struct StoreError {
    /// What kind of thing.
    pub fault: Fault,
    /// The database, or the file's path.
    pub what: String,
    /// What the system says about it.
    pub says: String,
}

impl StoreError {
    /// An error about `what`.
    pub fn new(fault: Fault, what: impl Into<String>, says: impl Into<String>) -> Self {
        Self { fault, what: what.into(), says: says.into() }
    }
}
