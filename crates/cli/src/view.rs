//! A view of a log: its verified checkpoint, and whether the log continues a saved one.
//!
//! Not for judging entries: that is the audit's work.

use super::exit::Failure;
use super::logs::Log;
use super::note;
use fairdeal::log::{Checkpoint, Hash, SignedCheckpoint, VerifierKey};
use fairdeal::record::{Code, Finding};
use fairdeal_audit::source::{Nodes, TileReadError};

/// A log whose checkpoint was verified.
#[derive(Debug)]
pub(super) struct View {
    name: String,
    tree: Nodes,
    note: SignedCheckpoint,
    checkpoint: Checkpoint,
}

/// Why a log is at fault, or cannot be read.
#[derive(Debug)]
pub(super) enum Fault {
    /// The log is at fault: exit 1.
    Found(Finding),
    /// The log cannot be read.
    Ended(Failure),
}

impl Fault {
    fn found(code: Code, says: impl Into<String>) -> Self {
        Self::Found(Finding::about_the_log(code, says))
    }

    /// Whether the log contradicts a saved view.
    pub(super) fn is_contradiction(&self) -> bool {
        matches!(self, Self::Found(finding) if finding.code == Code::Inconsistent)
    }

    /// The command's error. `what` is the log's name.
    pub(super) fn failure(self, what: &str) -> Failure {
        match self {
            Self::Found(finding) => Failure::findings(what, &[finding]),
            Self::Ended(failure) => failure,
        }
    }
}

/// Runs `look` on the log. If it finds a fault and some files came from the cache, runs it again
/// without the cache.
pub(super) fn look<T>(
    log: &Log,
    key: &VerifierKey,
    mut look: impl FnMut(&mut View) -> Result<T, Fault>,
) -> Result<T, Failure> {
    loop {
        match View::open(log, key).and_then(|mut view| look(&mut view)) {
            Err(Fault::Found(_)) if log.distrust() => {}
            seen => {
                log.settle(seen.is_ok());
                return seen.map_err(|fault| fault.failure(log.name()));
            }
        }
    }
}

impl View {
    /// Reads and verifies the log's checkpoint.
    pub(super) fn open(log: &Log, key: &VerifierKey) -> Result<Self, Fault> {
        let (tree, text) = log.with_checkpoint().map_err(Fault::Ended)?;
        let bad = |says: String| Fault::found(Code::BadSignature, says);
        let signed = SignedCheckpoint::parse(&text).map_err(|error| bad(error.to_string()))?;
        let checkpoint = note::verified(&signed, key).map_err(bad)?;
        Ok(Self { name: log.name().to_owned(), tree, note: signed, checkpoint })
    }

    /// The signed checkpoint.
    pub(super) fn note(&self) -> &SignedCheckpoint {
        &self.note
    }

    /// The verified checkpoint.
    pub(super) fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// Shows from the tiles that this log continues `saved`.
    pub(super) fn continues(&mut self, saved: &Checkpoint, name: &str) -> Result<(), Fault> {
        let (size, old_size) = (self.checkpoint.size(), saved.size());
        if old_size > size {
            let log = &self.name;
            return Err(Fault::Ended(unavailable!(
                "{name} has {old_size} entries, {log} only {size}: it may be an older copy, and nothing is compared"
            )));
        }
        if old_size == size {
            return self.same_root(size, saved.root(), self.checkpoint.root(), name);
        }
        let broken = |says: String| Fault::found(Code::TreeMismatch, says);
        // First compare the tiles with the log's own checkpoint: only then do they speak for the
        // log.
        let log = &self.name;
        let fault = |error| match error {
            TileReadError::Fault(says) => Fault::found(Code::TreeMismatch, says),
            TileReadError::Unreadable(says) => Fault::Ended(unavailable!("{log}: {says}")),
        };
        let old_root = self.tree.root_at(old_size, size).map_err(fault)?;
        let continues =
            self.tree.continues((old_size, &old_root), &self.checkpoint).map_err(fault)?;
        continues
            .map_err(|says| broken(format!("the tiles are not those of the checkpoint: {says}")))?;
        self.same_root(old_size, saved.root(), &old_root, name)
    }

    fn same_root(&self, size: u64, saved: &Hash, found: &Hash, name: &str) -> Result<(), Fault> {
        if saved == found {
            return Ok(());
        }
        let says = format!(
            "at size {size}, {name} has root {}, the log {}: both are signed by {}, this is a fork",
            saved.to_hex(),
            found.to_hex(),
            self.checkpoint.origin()
        );
        Err(Fault::found(Code::Inconsistent, says))
    }
}
