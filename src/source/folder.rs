//! The audit of a folder: every entry judged, every tile compared, the checkpoint held against both.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::tiles::{Tiles, bundles};
use crate::audit::{Partial, TileBuilder, Verdict};
use crate::log::{Checkpoint, SignedCheckpoint, VerifierKey, leaf_hash};
use crate::record::{Code, Finding};

/// A log in a folder, its checkpoint read.
#[derive(Debug)]
pub struct Source {
    tiles: Tiles,
    note: String,
}

/// How a log is judged.
#[derive(Debug)]
pub struct Options<'a> {
    /// The operator's key, whose name is the log's origin.
    pub key: &'a VerifierKey,
    /// When it is judged, in Unix milliseconds; none: at the last entry's time.
    pub as_of: Option<u64>,
    /// Checkpoints that somebody saved: their names and texts. Each must be a prefix of the log.
    pub since: &'a [(String, String)],
}

/// A log could not be read at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// No folder, or no checkpoint in it.
    #[error("{}: expected a log's folder with a checkpoint: {error}", path.display())]
    Unreadable {
        /// What was to be read.
        path: PathBuf,
        /// Why it was not.
        error: std::io::Error,
    },
    /// Entries are judged from the first one on, or not at all.
    #[error("the log was not read from its first entry on")]
    NotFromTheStart,
}

/// What concerns the log as a whole.
fn about_the_log(code: Code, says: impl Into<String>) -> Finding {
    Finding { code, index: None, commitment: None, nonce: None, says: says.into() }
}

impl Source {
    /// Opens a log's public folder, or that of a ledger.
    ///
    /// # Errors
    /// [`SourceError::Unreadable`] where there is none, or no checkpoint in it.
    pub fn open(dir: &Path) -> Result<Self, SourceError> {
        let of_a_ledger = dir.join("public");
        let path = if of_a_ledger.join("checkpoint").exists() { of_a_ledger } else { dir.to_owned() };
        let file = path.join("checkpoint");
        let bytes = fs::read(&file).map_err(|error| SourceError::Unreadable { path: file, error })?;
        Ok(Self { tiles: Tiles::new(path), note: String::from_utf8_lossy(&bytes).into_owned() })
    }

    /// Where its files are.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.tiles.path()
    }

    /// Judges the log; `progress` is told how many entries are done, and of how many.
    ///
    /// Memory: the tables, the commitments, and the deals of those that are open; a bundle of entries and a tile of each
    /// level beside.
    ///
    /// # Errors
    /// None that a log can cause: what it withholds is a finding.
    pub fn audit(
        &mut self,
        options: &Options<'_>,
        mut progress: impl FnMut(u64, u64),
    ) -> Result<Verdict, SourceError> {
        let key = options.key;
        let mut found = Vec::new();
        let promised = head(&self.note, key, &mut found);
        let size = promised.as_ref().map_or(0, Checkpoint::size);
        let mut audit = Partial::start(key.clone());
        let mut builder = TileBuilder::default();
        for bundle in bundles(size) {
            let first = builder.tree().size();
            let entries = match self.tiles.bundle(bundle) {
                Ok(entries) => entries,
                Err(says) => {
                    let left = size.saturating_sub(first);
                    found.push(about_the_log(
                        Code::TreeMismatch,
                        format!("{says}; {left} entries are not shown"),
                    ));
                    break;
                }
            };
            for entry in &entries {
                let filled = builder.push(leaf_hash(entry)).unwrap_or_default();
                found.extend(filled.iter().filter_map(|(path, tile)| self.compare(*path, tile)));
            }
            let right = Partial::of(key, first, &entries).map_err(|e| e.to_string());
            if let Err(says) = right.and_then(|right| audit.merge(right).map_err(|e| e.to_string())) {
                found.push(about_the_log(Code::TreeMismatch, says));
                break;
            }
            self.settle(&mut audit, size, &mut found);
            progress(builder.tree().size(), size);
        }
        let partial = builder.partial();
        found.extend(partial.iter().filter_map(|(path, tile)| self.compare(*path, tile)));
        if let Some(promised) = &promised
            && builder.tree().size() == size
            && builder.tree().root() != *promised.root()
        {
            let says = format!(
                "the entries give root {}, the checkpoint has {}",
                builder.tree().root().to_base64(),
                promised.root().to_base64()
            );
            found.push(about_the_log(Code::TreeMismatch, says));
        }
        for (name, note) in options.since {
            found.extend(self.older(name, note, key, size));
        }
        for finding in found {
            audit.find(finding);
        }
        audit.finish(options.as_of).ok_or(SourceError::NotFromTheStart)
    }

    fn compare(&self, path: crate::log::TilePath, tile: &crate::log::HashTile) -> Option<Finding> {
        self.tiles.compare(path, tile).err().map(|says| about_the_log(Code::TreeMismatch, says))
    }

    /// Holds what players have seen against the roots that this log had then.
    fn settle(&mut self, audit: &mut Partial, size: u64, found: &mut Vec<Finding>) {
        for claim in audit.take_claims() {
            let mut roots = BTreeMap::new();
            for smaller in claim.sizes() {
                match self.tiles.root_at(smaller, size) {
                    Ok(root) => drop(roots.insert(smaller, root)),
                    Err(says) => found.push(about_the_log(Code::TreeMismatch, says)),
                }
            }
            audit.settle(&claim, &roots);
        }
    }

    /// An older checkpoint must be of a prefix of this log.
    fn older(&mut self, name: &str, note: &str, key: &VerifierKey, size: u64) -> Option<Finding> {
        let mut unsigned = Vec::new();
        let Some(old) = head(note, key, &mut unsigned) else {
            return Some(about_the_log(Code::BadSignature, format!("{name}: no checkpoint under this key")));
        };
        if let Some(finding) = unsigned.pop() {
            return Some(Finding { says: format!("{name}: {}", finding.says), ..finding });
        }
        let inconsistent = |says: String| Some(about_the_log(Code::Inconsistent, says));
        if old.size() > size {
            return inconsistent(format!("{name} has {} entries, the log only {size}", old.size()));
        }
        match self.tiles.root_at(old.size(), size) {
            Ok(root) if root == *old.root() => None,
            Ok(root) => inconsistent(format!(
                "at size {} {name} has root {}, the log {}: both are signed, this is a fork",
                old.size(),
                old.root().to_base64(),
                root.to_base64()
            )),
            Err(says) => Some(about_the_log(Code::TreeMismatch, says)),
        }
    }
}

/// A checkpoint under the key; where it is not signed, or not as it must be, that is found and its claim still taken.
fn head(note: &str, key: &VerifierKey, found: &mut Vec<Finding>) -> Option<Checkpoint> {
    let signed = match SignedCheckpoint::parse(note) {
        Ok(signed) => signed,
        Err(error) => {
            found.push(about_the_log(Code::BadSignature, error.to_string()));
            return None;
        }
    };
    if let Err(error) = signed.verify(key) {
        found.push(about_the_log(Code::BadSignature, error.to_string()));
    } else if !signed.unverified().extensions().is_empty() {
        found.push(about_the_log(Code::BadSignature, "a checkpoint of this log has no extension lines"));
    }
    Some(signed.unverified().clone())
}
