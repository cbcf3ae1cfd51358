//! A log as it is published at one moment: a verified checkpoint, and the files under it.

use std::path::Path;
use std::sync::Arc;

use fairdeal::log::{Checkpoint, SignedCheckpoint, VerifierKey};
use fairdeal_audit::source::{
    Files, Http, HttpLimits, LogFolder, Nodes, ReadError, UrlError, Wanted,
};

/// A signed tree of a log: a note, and what it says.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub(crate) note: String,
    pub(crate) checkpoint: Checkpoint,
}

/// Why there is no head.
#[derive(Debug)]
pub(crate) enum NoHead {
    /// It cannot be read, or it is no checkpoint.
    Unreadable(String),
    /// It is a checkpoint that the key did not sign.
    Unsigned(String),
}

impl Head {
    /// Reads a note.
    pub(crate) fn read(note: &str, key: &VerifierKey) -> Result<Self, NoHead> {
        let signed = SignedCheckpoint::parse(note)
            .map_err(|error| NoHead::Unreadable(format!("expected a checkpoint: {error}")))?;
        let unsigned = |says: String| NoHead::Unsigned(says);
        let checkpoint = signed.verify(key).map_err(|error| unsigned(error.to_string()))?;
        if !checkpoint.extensions().is_empty() {
            return Err(unsigned("a checkpoint of this log has no extension lines".to_owned()));
        }
        Ok(Self { note: note.to_owned(), checkpoint: checkpoint.clone() })
    }

    pub(crate) fn size(&self) -> u64 {
        self.checkpoint.size()
    }

    /// Whether both are of one tree.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.size() == other.size() && self.checkpoint.root() == other.checkpoint.root()
    }
}

/// A log's head, and the files that prove what it had before.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) head: Head,
    pub(crate) files: Arc<dyn Files>,
    pub(crate) tree: Nodes,
}

impl View {
    /// Reads the checkpoint of a log.
    pub(crate) fn read(files: &Arc<dyn Files>, key: &VerifierKey) -> Result<Self, NoHead> {
        let note = Nodes::new(Box::new(Shared(Arc::clone(files)))).checkpoint();
        let note = note.map_err(|error| NoHead::Unreadable(error.to_string()))?;
        let head = Head::read(&note, key)?;
        let files: Arc<dyn Files> = Arc::new(Pinned { files: Arc::clone(files), note });
        let tree = Nodes::new(Box::new(Shared(Arc::clone(&files))));
        Ok(Self { head, files, tree })
    }

    /// Its files for an audit.
    pub(crate) fn boxed(&self) -> Box<dyn Files> {
        Box::new(Shared(Arc::clone(&self.files)))
    }
}

/// Opens a log by its name: a URL, or a folder.
pub(crate) fn open(name: &str) -> Result<Arc<dyn Files>, UrlError> {
    if name.contains("://") {
        let url = name.strip_suffix("/checkpoint").unwrap_or(name);
        return Ok(Arc::new(Http::new(url, HttpLimits::default())?));
    }
    Ok(Arc::new(LogFolder::open(Path::new(name))))
}

/// Files of several owners.
#[derive(Debug)]
struct Shared(Arc<dyn Files>);

/// The log goes on while it is read: the checkpoint stays the one that was verified.
#[derive(Debug)]
struct Pinned {
    files: Arc<dyn Files>,
    note: String,
}

impl Files for Shared {
    fn name(&self) -> String {
        self.0.name()
    }

    fn has_tiles(&self) -> bool {
        self.0.has_tiles()
    }

    fn changed(&self) -> Vec<String> {
        self.0.changed()
    }

    fn read(&self, path: &str, at_most: u64) -> Result<Vec<u8>, ReadError> {
        self.0.read(path, at_most)
    }

    fn read_all(&self, wanted: &[Wanted]) -> Vec<Result<Vec<u8>, ReadError>> {
        self.0.read_all(wanted)
    }
}

impl Files for Pinned {
    fn name(&self) -> String {
        self.files.name()
    }

    fn read(&self, path: &str, at_most: u64) -> Result<Vec<u8>, ReadError> {
        if path == "checkpoint" {
            return Ok(self.note.clone().into_bytes());
        }
        self.files.read(path, at_most)
    }

    fn read_all(&self, wanted: &[Wanted]) -> Vec<Result<Vec<u8>, ReadError>> {
        self.files.read_all(wanted)
    }
}
