//! The knowledge of a monitor about a log, in two files. `heads` has the signed heads that are not decided
//! yet, and is written before anything is proved of them. `state` has a line for the monitor and then
//! the saved audit, and is written after the events were told.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use fairdeal::log::VerifierKey;
use fairdeal::record::Code;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::MonitorError;
use super::view::Head;

const FORMAT: &str = "fairdeal/monitor/v1";

/// The most undecided heads. Those of the log's size or less are decided in each look, so that only
/// larger ones wait.
const HEADS: usize = 4096;

/// The first line of `state`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Memory {
    format: String,
    /// The log's verifier key.
    key: String,
    /// The note of the last head: it continues all before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
    /// The note of the last head whose entries were audited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) judged: Option<String>,
    /// What was told and does not end: findings and forks.
    pub(crate) told: BTreeSet<String>,
    /// Warnings by what they are about.
    pub(crate) warnings: BTreeMap<String, Lasting>,
    /// The last second by which a quorum had signed something new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) quorum: Option<u64>,
    /// The policy of which `quorum` is: a digest of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) policy: Option<String>,
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

impl Memory {
    fn new(key: &str) -> Self {
        Self {
            format: FORMAT.to_owned(),
            key: key.to_owned(),
            note: None,
            judged: None,
            told: BTreeSet::new(),
            warnings: BTreeMap::new(),
            quorum: None,
            policy: None,
        }
    }

    /// Reads the file: the memory, and the saved audit. A file that is not there is empty.
    ///
    /// # Errors
    /// [`MonitorError`] if it cannot be read, is damaged, or is of another log: to begin anew would
    /// forget what was seen.
    pub(crate) fn read(path: &Path, key: &str) -> Result<(Self, String), MonitorError> {
        let Some(mut text) = read(path)? else { return Ok((Self::new(key), String::new())) };
        let end = text.find('\n').map_or(text.len(), |end| end.saturating_add(1));
        let audit = text.split_off(end);
        let memory: Self = parsed(path, &text)?;
        if memory.format != FORMAT {
            return Err(damaged(path, &format!("its format is {:?}", memory.format)));
        }
        if memory.key != key {
            let says = format!("expected that of {key}, found that of {}", memory.key);
            return Err(damaged(path, &says));
        }
        Ok((memory, audit))
    }

    /// How many findings of each code were told, and under `fork` how many forks.
    pub(crate) fn counts(&self) -> BTreeMap<&str, u64> {
        let mut counts = BTreeMap::new();
        for told in &self.told {
            let (first, _) = told.split_once(' ').unwrap_or((told, ""));
            *counts.entry(first).or_default() += 1;
        }
        counts
    }

    /// How many forks were told.
    pub(crate) fn forks(&self) -> u64 {
        self.counts().get("fork").copied().unwrap_or_default()
    }

    /// Whether the finding `overdue` was told of the commit with this index, in decimal.
    pub(crate) fn is_overdue(&self, index: &str) -> bool {
        self.told.contains(&format!("{} {index}", Code::Overdue))
    }

    /// Replaces the file.
    pub(crate) fn write(&self, path: &Path, audit: &str) -> Result<(), MonitorError> {
        let line = serde_json::to_string(self).map_err(|error| MonitorError::of(path, error))?;
        replace(path, &[line.as_bytes(), b"\n", audit.as_bytes()])
    }
}

/// A head that nothing has proved yet to be of the log's tree or of another one.
#[derive(Clone, Debug)]
pub(crate) struct Undecided {
    pub(crate) head: Head,
    /// Since when it is known, in Unix milliseconds.
    pub(crate) since: u64,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    note: String,
    since: u64,
}

/// The undecided heads.
#[derive(Debug)]
pub(crate) struct Heads {
    path: PathBuf,
    all: Vec<Undecided>,
    /// Whether the file has other ones.
    is_changed: bool,
}

impl Heads {
    /// Reads the file. One that is not there has none.
    ///
    /// # Errors
    /// [`MonitorError`] if it cannot be read, or is damaged.
    pub(crate) fn read(path: PathBuf, key: &VerifierKey) -> Result<Self, MonitorError> {
        let text = read(&path)?.unwrap_or_default();
        let mut all = Vec::new();
        for line in text.lines() {
            let Line { note, since } = parsed(&path, line)?;
            let head = Head::read(&note, key);
            let head = head.map_err(|why| damaged(&path, why.says()))?;
            all.push(Undecided { head, since });
        }
        Ok(Self { path, all, is_changed: false })
    }

    pub(crate) fn all(&self) -> &[Undecided] {
        &self.all
    }

    /// Keeps a head that is not known. Returns whether all are kept: of too many, the largest is
    /// forgotten.
    pub(crate) fn keep(&mut self, head: &Head, since: u64) -> bool {
        self.is_changed = true;
        self.all.push(Undecided { head: head.clone(), since });
        if self.all.len() <= HEADS {
            return true;
        }
        let sizes = self.all.iter().map(|known| known.head.size()).enumerate();
        if let Some((largest, _)) = sizes.max_by_key(|(_, size)| *size) {
            self.all.remove(largest);
        }
        false
    }

    /// Forgets heads that are decided.
    pub(crate) fn forget(&mut self, decided: &[Head]) {
        let before = self.all.len();
        self.all.retain(|known| !decided.iter().any(|head| head.is_same(&known.head)));
        self.is_changed |= self.all.len() != before;
    }

    /// Replaces the file, if it has other heads.
    pub(crate) fn write(&mut self) -> Result<(), MonitorError> {
        if !self.is_changed {
            return Ok(());
        }
        let mut text = String::new();
        for Undecided { head, since } in &self.all {
            let line = Line { note: head.note.clone(), since: *since };
            let line = serde_json::to_string(&line);
            text.push_str(&line.map_err(|error| MonitorError::of(&self.path, error))?);
            text.push('\n');
        }
        replace(&self.path, &[text.as_bytes()])?;
        self.is_changed = false;
        Ok(())
    }
}

fn damaged(path: &Path, says: &str) -> MonitorError {
    MonitorError::of(path, format!("expected a monitor's state, which is replaced whole: {says}"))
}

fn read(path: &Path) -> Result<Option<String>, MonitorError> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        read => read.map(Some).map_err(|error| MonitorError::of(path, error)),
    }
}

fn parsed<T: DeserializeOwned>(path: &Path, line: &str) -> Result<T, MonitorError> {
    serde_json::from_str(line).map_err(|error| damaged(path, &error.to_string()))
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

#[cfg(test)]
mod tests {
    use fairdeal::log::{EMPTY_ROOT, SignerKey, sign_checkpoint};

    use super::*;

    #[test]
    fn heads_that_could_not_be_written_are_written_later() {
        let signer = SignerKey::from_seed("cards.example".parse().unwrap(), &[7; 32]);
        let key = signer.verifier();
        let head = |size| {
            let note = sign_checkpoint(&signer, size, EMPTY_ROOT).unwrap().to_text();
            Head::read(&note, key).unwrap()
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("there").join("heads");
        let mut heads = Heads::read(path.clone(), key).unwrap();
        assert!(heads.keep(&head(5), 1));
        heads.write().expect_err("there is no folder");
        fs::create_dir(path.parent().unwrap()).unwrap();
        heads.write().unwrap();
        assert_eq!(Heads::read(path.clone(), key).unwrap().all().len(), 1);
        // Of too many, the largest is forgotten, and the others are written.
        for size in (6..).take(HEADS - 1) {
            assert!(heads.keep(&head(size), 2));
        }
        assert!(!heads.keep(&head(4), 3));
        heads.write().unwrap();
        let kept = Heads::read(path, key).unwrap();
        let sizes: BTreeSet<u64> = kept.all().iter().map(|known| known.head.size()).collect();
        assert_eq!((sizes.len(), sizes.first(), sizes.last()), (HEADS, Some(&4), Some(&4099)));
    }
}
