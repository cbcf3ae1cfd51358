//! A log as a folder of files (C2SP tlog-tiles): its checkpoint, and whether it continues one that somebody saved.
//!
//! Not for reading its entries: whether those keep the rules is the audit's to say.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::exit::Failure;
use super::files;
use super::note;
use super::out::Out;
use crate::log::{
    Checkpoint, Frontier, Hash, HashTile, Node, Plan, SignedCheckpoint, TilePath, VerifierKey,
    verify_consistency,
};
use crate::record::{Code, Finding};

/// A log's public folder, its checkpoint verified.
#[derive(Debug)]
pub(super) struct Folder {
    /// Where `checkpoint` and `tile/` are.
    path: PathBuf,
    note: SignedCheckpoint,
    checkpoint: Checkpoint,
}

/// Why a log can't be relied on, or not even read.
#[derive(Debug)]
pub(super) enum Fault {
    /// The log is at fault: exit 1.
    Found(Finding),
    /// It can't be read at all: exit 3.
    Unreadable(String),
}

impl Fault {
    fn found(code: Code, says: impl Into<String>) -> Self {
        Self::Found(note::about_the_log(code, says))
    }

    /// As a command's end.
    pub(super) fn failure(self, what: &Path, out: &mut Out) -> Failure {
        match self {
            Self::Found(finding) => Failure::findings(&files::name(what), &[finding], out),
            Self::Unreadable(says) => Failure::unavailable(says),
        }
    }
}

impl Folder {
    /// Opens a log's public folder, or that of a ledger, and verifies its checkpoint.
    pub(super) fn open(dir: &Path, key: &VerifierKey) -> Result<Self, Fault> {
        let unreadable = |says: String| Fault::Unreadable(format!("{}: {says}", dir.display()));
        fs::metadata(dir).map_err(|error| unreadable(files::reason(&error)))?;
        let of_a_ledger = dir.join("public");
        let path = if of_a_ledger.join("checkpoint").exists() { of_a_ledger } else { dir.to_owned() };
        let file = path.join("checkpoint");
        let text = fs::read_to_string(&file).map_err(|error| {
            unreadable(format!("expected a log, but checkpoint: {}", files::reason(&error)))
        })?;
        let bad = |says: String| Fault::found(Code::BadSignature, says);
        let signed = SignedCheckpoint::parse(&text).map_err(|error| bad(error.to_string()))?;
        let checkpoint = note::verified(&signed, key).map_err(bad)?;
        Ok(Self { path, note: signed, checkpoint })
    }

    /// Its checkpoint, as it was signed.
    pub(super) fn note(&self) -> &SignedCheckpoint {
        &self.note
    }

    /// What the checkpoint says.
    pub(super) fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// Shows that this log begins with the tree that `saved` has, from its tiles alone.
    pub(super) fn continues(&self, saved: &Checkpoint, name: &str) -> Result<(), Fault> {
        let (size, old_size) = (self.checkpoint.size(), saved.size());
        if old_size > size {
            let says = format!("{name} has {old_size} entries, the log only {size}: it does not continue it");
            return Err(Fault::found(Code::Inconsistent, says));
        }
        if old_size == size {
            return self.same_root(size, saved.root(), self.checkpoint.root(), name);
        }
        let broken = |says: String| Fault::found(Code::TreeMismatch, says);
        // First that the tiles are those of the log's own checkpoint, so that it is the log that speaks.
        let old_root = self.root_of(old_size)?;
        let plan = Plan::consistency(old_size, size).map_err(|error| broken(error.to_string()))?;
        let proof = plan.prove(|node| self.node(node))?;
        verify_consistency(old_size, &old_root, size, self.checkpoint.root(), &proof)
            .map_err(|error| broken(format!("the tiles are not those of the checkpoint: {error}")))?;
        self.same_root(old_size, saved.root(), &old_root, name)
    }

    fn same_root(&self, size: u64, saved: &Hash, found: &Hash, name: &str) -> Result<(), Fault> {
        if saved == found {
            return Ok(());
        }
        let says = format!(
            "at size {size}, {name} has root {}, the log {}: both are signed by {}, this is a fork",
            saved.to_base64(),
            found.to_base64(),
            self.checkpoint.origin()
        );
        Err(Fault::found(Code::Inconsistent, says))
    }

    /// The root of the log's first `size` entries.
    fn root_of(&self, size: u64) -> Result<Hash, Fault> {
        let too_large = |error: crate::log::RangeError| Fault::found(Code::TreeMismatch, error.to_string());
        let nodes = Frontier::nodes(size).map_err(too_large)?;
        let hashes = nodes.into_iter().map(|node| self.node(node)).collect::<Result<_, _>>()?;
        Frontier::from_parts(size, hashes).map(|tree| tree.root()).map_err(too_large)
    }

    /// The hash of a node, from the tile that holds it.
    fn node(&self, node: Node) -> Result<Hash, Fault> {
        let broken = |path: TilePath, says: String| {
            Fault::found(Code::TreeMismatch, format!("{}: {says}", path.to_text()))
        };
        let partial = TilePath::holding(node, self.checkpoint.size())
            .map_err(|error| Fault::found(Code::TreeMismatch, error.to_string()))?;
        // A partial tile may be gone once the full one is there.
        for path in [partial, partial.full()] {
            match fs::read(self.path.join(path.to_text())) {
                Ok(bytes) => {
                    let tile = HashTile::parse(&bytes, path.width());
                    return tile
                        .and_then(|tile| tile.node(node))
                        .map_err(|error| broken(path, error.to_string()));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    let file = self.path.join(path.to_text());
                    return Err(Fault::Unreadable(format!("{}: {}", file.display(), files::reason(&error))));
                }
            }
        }
        Err(broken(partial, "the checkpoint promises this tile, and it is missing".to_owned()))
    }
}
