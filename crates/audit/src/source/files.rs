//! A log's files: one trait for every source of them, and a folder as any static file server serves
//! it.

use std::fmt::Debug;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// A log's files by their C2SP tlog-tiles paths: `checkpoint`, `tile/0/000`,
/// `tile/entries/000.p/5`.
///
/// Every read has a bound: a file longer than its kind allows is the log's fault.
pub trait Files: Debug + Send + Sync {
    /// The source's name: a path, a URL, `standard input`.
    fn name(&self) -> String;

    /// Whether there are hash tiles, or only the checkpoint and the entries.
    fn has_tiles(&self) -> bool {
        true
    }

    /// Files that are published with other bytes than were read here: one sentence for each, for
    /// people.
    fn changed(&self) -> Vec<String> {
        Vec::new()
    }

    /// One file's bytes.
    ///
    /// # Errors
    /// [`ReadError::Missing`] and [`ReadError::TooLong`] are the log's fault,
    /// [`ReadError::Unreadable`] is not.
    fn read(&self, path: &str, at_most: u64) -> Result<Vec<u8>, ReadError>;

    /// Several files, in the given order. A source where waiting costs more than reading reads them
    /// at the same time.
    fn read_all(&self, wanted: &[Wanted]) -> Vec<Result<Vec<u8>, ReadError>> {
        wanted.iter().map(|one| self.read(&one.path, one.at_most)).collect()
    }
}

/// A file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Its path.
    pub path: String,
    /// The most bytes it may have.
    pub at_most: u64,
}

/// A file was not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// There is no such file, says the publisher of the log.
    #[error("it is missing")]
    Missing,
    /// It is longer than such a file may be.
    #[error("expected at most {at_most} bytes, and it goes on")]
    TooLong {
        /// The most bytes it may have.
        at_most: u64,
    },
    /// It could not be read: no permission, no network, a server that stalls.
    #[error("{0}")]
    Unreadable(String),
}

/// A folder of files.
#[derive(Debug)]
pub struct LogFolder {
    path: PathBuf,
}

impl LogFolder {
    /// A log's public folder, or the public folder in a ledger's folder.
    #[must_use]
    pub fn open(dir: &Path) -> Self {
        let of_a_ledger = dir.join("public");
        let path =
            if of_a_ledger.join("checkpoint").exists() { of_a_ledger } else { dir.to_owned() };
        Self { path }
    }
}

impl Files for LogFolder {
    fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn read(&self, path: &str, at_most: u64) -> Result<Vec<u8>, ReadError> {
        let file = open_file(&self.path.join(path)).map_err(|error| unreadable(&error))?;
        let length = file.metadata().map_or(0, |about| about.len()).min(at_most);
        read_at_most(file, at_most, length)
    }
}

/// Opens a regular file: a pipe or a device has no end, or waits for somebody who writes.
///
/// # Errors
/// The system's error; `InvalidInput` for something that is no file.
pub(super) fn open_file(path: &Path) -> std::io::Result<File> {
    if std::fs::metadata(path)?.is_file() {
        File::open(path)
    } else {
        let says = "expected a file, found a folder, a pipe or a device";
        Err(std::io::Error::new(ErrorKind::InvalidInput, says))
    }
}

/// Reads a whole stream of at most `at_most` bytes; `length` is what to expect.
pub(super) fn read_at_most(
    stream: impl Read,
    at_most: u64,
    length: u64,
) -> Result<Vec<u8>, ReadError> {
    // One byte more: the read that finds the end then needs no more memory.
    let mut bytes = Vec::with_capacity(usize::try_from(length.saturating_add(1)).unwrap_or(0));
    let mut bounded = stream.take(at_most.saturating_add(1));
    let read = bounded.read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    if u64::try_from(read).is_ok_and(|read| read <= at_most) {
        Ok(bytes)
    } else {
        Err(ReadError::TooLong { at_most })
    }
}

fn unreadable(error: &std::io::Error) -> ReadError {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => ReadError::Missing,
        _ => ReadError::Unreadable(error.to_string()),
    }
}
