//! The last checkpoint that was verified of a log, kept beside its cache (spec/audit.md, section 13.6): whoever has it
//! notices when less is shown, or something else.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::cache::private_folder;

/// No note is longer.
const LONGEST: u64 = 1_000_000;

/// Where the note is kept. By the key alone: a log that is read from another place is the same log.
#[derive(Debug)]
pub struct LastCheckpoint {
    path: PathBuf,
}

impl LastCheckpoint {
    /// That of the log under this key, in a cache's folder.
    #[must_use]
    pub fn of(dir: &Path, key: &str) -> Self {
        let name = hex::encode(Sha256::digest(key));
        Self { path: dir.join(format!("{}.note", name.get(..32).unwrap_or(&name))) }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What was kept, if anything was.
    ///
    /// # Errors
    /// What the system says, where something may be there and can't be read.
    pub fn read(&self) -> io::Result<Option<String>> {
        let file = match File::open(&self.path) {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            opened => opened?,
        };
        let mut text = String::new();
        file.take(LONGEST).read_to_string(&mut text)?;
        Ok(Some(text))
    }

    /// Keeps a note in the place of the one before: whole, or not at all.
    ///
    /// # Errors
    /// What the system says; the one before then still is there.
    pub fn keep(&self, note: &str) -> io::Result<()> {
        private_folder(self.path.parent().unwrap_or(Path::new(".")))?;
        let beside = self.path.with_extension(format!("new-{}", std::process::id()));
        let written = File::create(&beside).and_then(|mut file| {
            file.write_all(note.as_bytes())?;
            // What was seen is not to be forgotten for a crash.
            file.sync_all()
        });
        written.and_then(|()| fs::rename(&beside, &self.path)).inspect_err(|_| {
            // If even this fails there is nothing more to do.
            let _ = fs::remove_file(&beside);
        })
    }
}
