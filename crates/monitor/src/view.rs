//! A log as it is published at one moment: a verified checkpoint, and the files under it.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fairdeal::log::{Checkpoint, Note, SignedCheckpoint, VerifierKey};
use fairdeal_audit::source::{
    Files, Http, HttpLimits, LogFolder, Nodes, ReadError, UrlError, Wanted,
};

/// How long the files of a log may be read in one look. An operator can sign any number of entries.
const LONGEST: Duration = Duration::from_hours(1);

/// The longest text of a head that is kept, in bytes. Extension lines may be longer.
const LONGEST_TEXT: usize = 64 * 1024;

/// A signed tree of a log: what it says, and a note with one line of the log's key, which verifies.
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

impl NoHead {
    pub(crate) fn says(&self) -> &str {
        let (Self::Unreadable(says) | Self::Unsigned(says)) = self;
        says
    }
}

impl Head {
    /// Reads a note. Extension lines, and signature lines that do not verify, do not change that the
    /// key signed this root (spec/receipt.md, 11.3).
    pub(crate) fn read(note: &str, key: &VerifierKey) -> Result<Self, NoHead> {
        Self::of(&parsed(note)?, key)
    }

    fn of(signed: &SignedCheckpoint, key: &VerifierKey) -> Result<Self, NoHead> {
        let (note, checkpoint) = (signed.note(), signed.unverified());
        let is_of_log = checkpoint.origin() == key.name().as_str();
        let alone = note.alone(std::slice::from_ref(key), Note::MAX_SIGNATURES);
        let Some(own) = alone.filter(|_| is_of_log) else {
            let error = signed.verify(key).err().map(|error| error.to_string());
            return Err(NoHead::Unsigned(error.unwrap_or_default()));
        };
        let length = note.text().len();
        if length > LONGEST_TEXT {
            let says = format!("expected at most {LONGEST_TEXT} bytes, found {length}");
            return Err(NoHead::Unsigned(says));
        }
        Ok(Self { note: own.to_text(), checkpoint: checkpoint.clone() })
    }

    pub(crate) fn size(&self) -> u64 {
        self.checkpoint.size()
    }

    /// Whether both are of one tree.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.size() == other.size() && self.checkpoint.root() == other.checkpoint.root()
    }

    /// Whether the key signed two trees of one size.
    pub(crate) fn contradicts(&self, other: &Self) -> bool {
        self.size() == other.size() && self.checkpoint.root() != other.checkpoint.root()
    }
}

fn parsed(note: &str) -> Result<SignedCheckpoint, NoHead> {
    SignedCheckpoint::parse(note)
        .map_err(|error| NoHead::Unreadable(format!("expected a checkpoint: {error}")))
}

/// A log's head, and the files that prove what it had before.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) head: Head,
    /// The whole note.
    pub(crate) signed: SignedCheckpoint,
    pub(crate) files: Arc<dyn Files>,
    pub(crate) tree: Nodes,
}

impl View {
    /// Reads the checkpoint of a log. Its files are not read once `stop` is set, nor after an hour.
    pub(crate) fn read(
        files: &Arc<dyn Files>,
        key: &VerifierKey,
        stop: &Arc<AtomicBool>,
    ) -> Result<Self, NoHead> {
        let note = Nodes::new(Box::new(Shared(Arc::clone(files)))).checkpoint();
        let note = note.map_err(|error| NoHead::Unreadable(error.to_string()))?;
        let signed = parsed(&note)?;
        let head = Head::of(&signed, key)?;
        #[expect(clippy::disallowed_methods, reason = "the time that a look takes")]
        let began = Instant::now();
        let (files, stop) = (Arc::clone(files), Arc::clone(stop));
        let files: Arc<dyn Files> = Arc::new(Pinned { files, note, began, stop });
        let tree = Nodes::new(Box::new(Shared(Arc::clone(&files))));
        Ok(Self { head, signed, files, tree })
    }

    /// Why an audit finds that this is no checkpoint of the log (spec/audit.md, 13.2, step 1), though
    /// the key signed it.
    pub(crate) fn refused(&self, key: &VerifierKey) -> Option<String> {
        match self.signed.verify(key) {
            Err(error) => Some(error.to_string()),
            Ok(checkpoint) if !checkpoint.extensions().is_empty() => {
                Some("a checkpoint of this log has no extension lines".to_owned())
            }
            Ok(_) => None,
        }
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
    began: Instant,
    stop: Arc<AtomicBool>,
}

impl Pinned {
    fn goes_on(&self) -> Result<(), ReadError> {
        let says = if self.stop.load(Ordering::Relaxed) {
            "the monitor ends".to_owned()
        } else if self.began.elapsed() > LONGEST {
            format!("not read to its end within {} minutes", LONGEST.as_secs() / 60)
        } else {
            return Ok(());
        };
        Err(ReadError::Unreadable(says))
    }
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
        self.goes_on()?;
        self.files.read(path, at_most)
    }

    fn read_all(&self, wanted: &[Wanted]) -> Vec<Result<Vec<u8>, ReadError>> {
        match self.goes_on() {
            Ok(()) => self.files.read_all(wanted),
            Err(error) => wanted.iter().map(|_| Err(error.clone())).collect(),
        }
    }
}
