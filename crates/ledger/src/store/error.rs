//! Errors of a store, by what to do next.

/// The kind of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// Another process held the lock too long.
    Busy,
    /// No space is left.
    NoSpace,
    /// Not allowed: permissions, a read-only file system, a file in place of a folder.
    Denied,
    /// There is one already.
    Taken,
    /// Missing.
    Missing,
    /// Not what was written.
    Damaged,
    /// No answer, or one that says to try again. A transaction was not done; a write of published
    /// files may have been, and may be repeated.
    Unreachable,
    /// Another writer was first: what was to be replaced has changed.
    Raced,
    /// A write or a sync failed: memory and disk may differ.
    Disk,
    /// Anything else. Whether the call had an effect is not known.
    Unknown,
}

impl Fault {
    /// Whether the call may be repeated. A transaction surely had no effect.
    #[must_use]
    pub const fn is_known(self) -> bool {
        !matches!(self, Self::Disk | Self::Unknown)
    }

    /// Whether it may pass by itself. A write of published files may then be repeated, whatever its
    /// effect was: it writes the same again.
    #[must_use]
    pub const fn is_temporary(self) -> bool {
        matches!(self, Self::Busy | Self::NoSpace | Self::Unreachable | Self::Raced)
    }

    /// A stable name for programs.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Busy => "busy",
            Self::NoSpace => "no-space",
            Self::Denied => "denied",
            Self::Taken => "not-empty",
            Self::Missing => "missing",
            Self::Damaged => "damaged",
            Self::Unreachable => "unreachable",
            Self::Raced => "raced",
            Self::Disk => "disk",
            Self::Unknown => "unavailable",
        }
    }
}

/// An error of a store.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {says}")]
pub struct StoreError {
    /// Its kind.
    pub fault: Fault,
    /// The database's or the file's path.
    pub what: String,
    /// The system's message.
    pub says: String,
    /// The table of the state that is damaged, where that is known.
    pub table: Option<&'static str>,
}

impl StoreError {
    /// An error about `what`.
    pub fn new(fault: Fault, what: impl Into<String>, says: impl Into<String>) -> Self {
        Self { fault, what: what.into(), says: says.into(), table: None }
    }
}

/// The message about tables that another version of this program has made.
pub(super) fn other_version(expected: i64, found: i64) -> String {
    format!(
        "expected a state of version {expected}, found {found}: it was made by another version of this program, and this one \
         can neither read nor change it"
    )
}

/// The system's reason, in plain words where we have any.
#[must_use]
pub fn reason(error: &std::io::Error) -> String {
    use std::io::ErrorKind as Kind;
    match error.kind() {
        Kind::NotFound => "no such file or folder".to_owned(),
        Kind::AlreadyExists => "it exists already, and is not replaced".to_owned(),
        Kind::NotADirectory => "expected a folder, found a file".to_owned(),
        Kind::IsADirectory => "expected a file, found a folder".to_owned(),
        _ => error.to_string(),
    }
}

/// The kind of an I/O error.
pub(super) fn fault_of(error: &std::io::Error) -> Fault {
    use std::io::ErrorKind as Kind;
    match error.kind() {
        Kind::NotFound => Fault::Missing,
        Kind::StorageFull | Kind::QuotaExceeded | Kind::FileTooLarge => Fault::NoSpace,
        Kind::PermissionDenied
        | Kind::ReadOnlyFilesystem
        | Kind::NotADirectory
        | Kind::IsADirectory => Fault::Denied,
        _ => Fault::Disk,
    }
}
