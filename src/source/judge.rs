//! The audit of a log: every entry judged, every tile compared, the checkpoint held against both.

use std::collections::BTreeMap;
use std::path::Path;

use super::files::{Files, Folder};
use super::tiles::{TileError, Tiles, bundles};
use crate::audit::{Partial, TileBuilder, Verdict};
use crate::log::{Checkpoint, HashTile, SignedCheckpoint, TilePath, VerifierKey, leaf_hash};
use crate::record::{Code, Finding};

/// A log, its checkpoint read.
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
    /// No log there, or one that breaks off while it is read.
    #[error("{name}: expected a log with a checkpoint: {says}")]
    Unreadable {
        /// What was to be read.
        name: String,
        /// Why it was not.
        says: String,
    },
    /// Entries are judged from the first one on, or not at all.
    #[error("the log was not read from its first entry on")]
    NotFromTheStart,
}

/// A note is a few lines and a signature for each witness.
const LONGEST_CHECKPOINT: u64 = 1 << 20;

/// What concerns the log as a whole.
fn about_the_log(code: Code, says: impl Into<String>) -> Finding {
    Finding { code, index: None, commitment: None, nonce: None, says: says.into() }
}

impl Source {
    /// Opens a log by its checkpoint. What is read after that is the log as it stood then, however much it grows.
    ///
    /// # Errors
    /// [`SourceError::Unreadable`] where there is none.
    pub fn open(files: Box<dyn Files>) -> Result<Self, SourceError> {
        let bytes = files.read("checkpoint", LONGEST_CHECKPOINT).map_err(|error| {
            SourceError::Unreadable { name: format!("{}/checkpoint", files.name()), says: error.to_string() }
        })?;
        Ok(Self { tiles: Tiles::new(files), note: String::from_utf8_lossy(&bytes).into_owned() })
    }

    /// Opens a log's public folder, or that of a ledger.
    ///
    /// # Errors
    /// [`SourceError::Unreadable`] where there is none, or no checkpoint in it.
    pub fn folder(dir: &Path) -> Result<Self, SourceError> {
        Self::open(Box::new(Folder::open(dir)))
    }

    /// What to call it.
    #[must_use]
    pub fn name(&self) -> String {
        self.tiles.files().name()
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
                Err(error) => {
                    let says = self.fault(error)?;
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
                for (path, tile) in &filled {
                    found.extend(self.compare(*path, tile)?);
                }
            }
            let right = Partial::of(key, first, &entries).map_err(|e| e.to_string());
            if let Err(says) = right.and_then(|right| audit.merge(right).map_err(|e| e.to_string())) {
                found.push(about_the_log(Code::TreeMismatch, says));
                break;
            }
            self.settle(&mut audit, size, &mut found)?;
            progress(builder.tree().size(), size);
        }
        for (path, tile) in &builder.partial() {
            found.extend(self.compare(*path, tile)?);
        }
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
            found.extend(self.older(name, note, key, size)?);
        }
        for finding in found {
            audit.find(finding);
        }
        audit.finish(options.as_of).ok_or(SourceError::NotFromTheStart)
    }

    /// What the log is at fault with; where nobody could say, that is the end of the audit.
    fn fault(&self, error: TileError) -> Result<String, SourceError> {
        match error {
            TileError::Fault(says) => Ok(says),
            TileError::Unreadable(says) => Err(SourceError::Unreadable { name: self.name(), says }),
        }
    }

    fn compare(&self, path: TilePath, tile: &HashTile) -> Result<Option<Finding>, SourceError> {
        let Err(error) = self.tiles.compare(path, tile) else { return Ok(None) };
        Ok(Some(about_the_log(Code::TreeMismatch, self.fault(error)?)))
    }

    /// Holds what players have seen against the roots that this log had then.
    fn settle(
        &mut self,
        audit: &mut Partial,
        size: u64,
        found: &mut Vec<Finding>,
    ) -> Result<(), SourceError> {
        for claim in audit.take_claims() {
            let mut roots = BTreeMap::new();
            for smaller in claim.sizes() {
                match self.tiles.root_at(smaller, size) {
                    Ok(root) => drop(roots.insert(smaller, root)),
                    Err(error) => found.push(about_the_log(Code::TreeMismatch, self.fault(error)?)),
                }
            }
            audit.settle(&claim, &roots);
        }
        Ok(())
    }

    /// An older checkpoint must be of a prefix of this log.
    fn older(
        &mut self,
        name: &str,
        note: &str,
        key: &VerifierKey,
        size: u64,
    ) -> Result<Option<Finding>, SourceError> {
        let mut unsigned = Vec::new();
        let Some(old) = head(note, key, &mut unsigned) else {
            let says = format!("{name}: no checkpoint under this key");
            return Ok(Some(about_the_log(Code::BadSignature, says)));
        };
        if let Some(finding) = unsigned.pop() {
            return Ok(Some(Finding { says: format!("{name}: {}", finding.says), ..finding }));
        }
        let inconsistent = |says: String| Ok(Some(about_the_log(Code::Inconsistent, says)));
        if old.size() > size {
            return inconsistent(format!("{name} has {} entries, the log only {size}", old.size()));
        }
        match self.tiles.root_at(old.size(), size) {
            Ok(root) if root == *old.root() => Ok(None),
            Ok(root) => inconsistent(format!(
                "at size {} {name} has root {}, the log {}: both are signed, this is a fork",
                old.size(),
                old.root().to_base64(),
                root.to_base64()
            )),
            Err(error) => Ok(Some(about_the_log(Code::TreeMismatch, self.fault(error)?))),
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
