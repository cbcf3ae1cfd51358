//! Why a witness cannot be made, opened or kept open.

use std::io::ErrorKind;
use std::path::Path;

use fairdeal::log::KeyError;

/// An error of a witness's folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WitnessError {
    /// A file or a folder cannot be read or written.
    #[error("{path}: {says}")]
    File {
        /// The file or the folder.
        path: String,
        /// The system's message.
        says: String,
    },
    /// A new witness needs a new folder.
    #[error("{0}: expected a new or empty folder")]
    NotEmpty(String),
    /// Others can read the secret key.
    #[error("{0}: other users of this machine can read it; expected mode 0600")]
    Exposed(String),
    /// Another process has the folder open.
    #[error("{0}: another process has this witness open")]
    Locked(String),
    /// The file of the key has none.
    #[error("{path}: {error}")]
    Key {
        /// The file.
        path: String,
        /// What is wrong with it.
        #[source]
        error: KeyError,
    },
    /// A line of the file of logs is wrong.
    #[error("{path}: line {line}: {says}")]
    Logs {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// What was expected, and what was found.
        says: String,
    },
    /// The database does not belong to this key, or is of another version.
    #[error("{path}: {says}")]
    State {
        /// The file.
        path: String,
        /// What was expected, and what was found.
        says: String,
    },
    /// The database failed.
    #[error("{path}: {error}")]
    Database {
        /// The file.
        path: String,
        /// Its message.
        #[source]
        error: sqlx::Error,
    },
    /// A write or a sync failed while it ran: what is on the disk is not known until it is opened
    /// again.
    #[error("the database failed, and the witness signs nothing until it is started again: {0}")]
    Stopped(String),
}

impl WitnessError {
    pub(crate) fn file(path: &Path, error: &std::io::Error) -> Self {
        let says = match error.kind() {
            ErrorKind::NotFound => "no such file or folder".to_owned(),
            ErrorKind::AlreadyExists => "it exists already, and is not replaced".to_owned(),
            _ => error.to_string(),
        };
        Self::File { path: path.display().to_string(), says }
    }

    /// Whether the command line, or a file that is a part of it, is wrong, rather than the system.
    #[must_use]
    pub const fn is_usage(&self) -> bool {
        matches!(self, Self::Logs { .. } | Self::NotEmpty(_))
    }

    /// A stable name for programs (spec/cli.md, section 3).
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Logs { .. } => "usage",
            Self::NotEmpty(_) => "not-empty",
            Self::Exposed(_) => "exposed",
            Self::Locked(_) => "busy",
            Self::State { .. } => "wrong-key",
            Self::Stopped(_) => "stopped",
            Self::File { .. } | Self::Key { .. } | Self::Database { .. } => "unavailable",
        }
    }
}
