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
    /// The disk failed at writing or syncing: what memory holds may not be what the disk holds.
    Disk,
    /// Anything else: whether it was done is not known.
    Unknown,
}

impl Fault {
    /// Whether it is known that what was asked was not done, and that asking again later is safe.
    #[must_use]
    pub const fn is_known(self) -> bool {
        !matches!(self, Self::Disk | Self::Unknown)
    }
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

/// What kind of thing an I/O error is.
pub(super) fn fault_of(error: &std::io::Error) -> Fault {
    use std::io::ErrorKind as Kind;
    match error.kind() {
        Kind::NotFound => Fault::Missing,
        Kind::StorageFull | Kind::QuotaExceeded | Kind::FileTooLarge => Fault::NoSpace,
        Kind::PermissionDenied | Kind::ReadOnlyFilesystem | Kind::NotADirectory | Kind::IsADirectory => {
            Fault::Denied
        }
        _ => Fault::Disk,
    }
}
