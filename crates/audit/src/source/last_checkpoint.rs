//! The last checkpoint of a log that an audit verified, kept with its cache (spec/audit.md,
//! section 13.6). The next audit notices if the log shows less, or something else.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

use super::disk::{name_of, private_folder, write_whole};
use super::files::open_file;
use super::tiles::LONGEST_CHECKPOINT;

/// The file with the note of a log's last verified checkpoint. Its name follows from the key alone:
/// a log that is read from another place is the same log.
#[derive(Debug)]
pub struct LastCheckpoint {
    path: PathBuf,
}

impl LastCheckpoint {
    /// The one of the log under this key, in a cache's folder.
    #[must_use]
    pub fn of(dir: &Path, key: &str) -> Self {
        Self { path: dir.join(format!("{}.note", name_of(key))) }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The kept note, if there is one.
    ///
    /// # Errors
    /// The system's error, if the file exists and cannot be read.
    pub fn read(&self) -> io::Result<Option<String>> {
        let file = match open_file(&self.path) {
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                return Ok(None);
            }
            opened => opened?,
        };
        let mut text = String::new();
        file.take(LONGEST_CHECKPOINT).read_to_string(&mut text)?;
        Ok(Some(text))
    }

    /// Replaces the kept note, whole or not at all.
    ///
    /// # Errors
    /// The system's error; the note before is then still there.
    pub fn keep(&self, note: &str) -> io::Result<()> {
        private_folder(self.path.parent().unwrap_or(Path::new(".")))?;
        let temporary = self.path.with_extension(format!("new-{}", std::process::id()));
        write_whole(&self.path, &temporary, |file| {
            file.write_all(note.as_bytes())?;
            // A crash must not make the next audit forget what was seen.
            file.sync_all()
        })
    }
}
