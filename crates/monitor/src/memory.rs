//! What a monitor knows of a log: a file of one line for the monitor, then the saved audit.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::MonitorError;

const FORMAT: &str = "fairdeal/monitor/v1";

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Memory {
    format: String,
    /// The log's verifier key.
    key: String,
    /// The note of the largest head that continues all before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
    /// Notes of signed heads that nothing has proved yet to be of this tree or of another one.
    pub(crate) heads: Vec<String>,
    /// What was told and does not end: findings and forks.
    pub(crate) told: BTreeSet<String>,
    /// Warnings by what they are about.
    pub(crate) warnings: BTreeMap<String, Lasting>,
    /// The last second by which a quorum had signed something new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) quorum: Option<u64>,
}

/// A warning that lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lasting {
    /// Since when, in Unix milliseconds.
    pub(crate) since: u64,
    /// Whether it was told.
    pub(crate) told: bool,
}

/// The most undecided heads. They are decided as soon as a view is served that is larger than all.
const HEADS: usize = 64;

impl Memory {
    fn new(key: &str) -> Self {
        Self {
            format: FORMAT.to_owned(),
            key: key.to_owned(),
            note: None,
            heads: Vec::new(),
            told: BTreeSet::new(),
            warnings: BTreeMap::new(),
            quorum: None,
        }
    }

    /// Reads the file: the memory, and the saved audit. A file that is not there is empty.
    ///
    /// # Errors
    /// [`MonitorError`] if it cannot be read, is damaged, or is of another log: to begin anew would
    /// forget what was seen.
    pub(crate) fn read(path: &Path, key: &str) -> Result<(Self, String), MonitorError> {
        let mut text = match fs::read_to_string(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok((Self::new(key), String::new()));
            }
            read => read.map_err(|error| MonitorError::of(path, error))?,
        };
        let end = text.find('\n').map_or(text.len(), |end| end.saturating_add(1));
        let audit = text.split_off(end);
        let damaged = |says: String| {
            let expected = "expected a monitor's state, which is replaced whole";
            MonitorError::of(path, format!("{expected}: {says}"))
        };
        let memory: Self =
            serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        if memory.format != FORMAT {
            return Err(damaged(format!("its format is {:?}", memory.format)));
        }
        if memory.key != key {
            return Err(damaged(format!("expected that of {key}, found that of {}", memory.key)));
        }
        Ok((memory, audit))
    }

    /// Replaces the file.
    pub(crate) fn write(&self, path: &Path, audit: &str) -> Result<(), MonitorError> {
        let line = serde_json::to_string(self).map_err(|error| MonitorError::of(path, error))?;
        replace(path, &[line.as_bytes(), b"\n", audit.as_bytes()])
    }

    /// Keeps an undecided head; returns whether it is new.
    pub(crate) fn keep_head(&mut self, note: &str) -> bool {
        if self.heads.len() >= HEADS || self.heads.iter().any(|one| one == note) {
            return false;
        }
        self.heads.push(note.to_owned());
        true
    }
}

/// Replaces a file, whole or not at all, also if the power fails.
pub(crate) fn replace(path: &Path, parts: &[&[u8]]) -> Result<(), MonitorError> {
    let beside = path.with_extension("new");
    let written = || -> io::Result<()> {
        let mut file = File::create(&beside)?;
        parts.iter().try_for_each(|part| file.write_all(part))?;
        file.sync_all()?;
        fs::rename(&beside, path)?;
        // The rename itself is in the folder. Not every system can sync one.
        if let Some(folder) = path.parent().and_then(|folder| File::open(folder).ok()) {
            let _ = folder.sync_all();
        }
        Ok(())
    };
    written().map_err(|error| MonitorError::of(path, format!("can't be written: {error}")))
}
