//! Writes a log as one file, and verifies it meanwhile.

use std::io::Write;

use super::super::count;
use super::super::files::{Files, ReadError};
use super::super::tiles::{TileReadError, Tiles};
use super::HEADER;
use fairdeal::log::{
    EntryBundle, Frontier, Hash, Level, SignedCheckpoint, TilePath, VerifierKey, leaf_hash,
};
use fairdeal::record::{Code, Finding};

/// A log that was read or written whole; its entries are those of its checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The log's origin.
    pub origin: String,
    /// The number of entries.
    pub size: u64,
    /// Their root, the same as the checkpoint's.
    pub root: Hash,
    /// The number of bytes that were written.
    pub bytes: u64,
}

/// A log was not written to the end.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages name the fields")]
pub enum ExportError {
    /// The log is at fault: its checkpoint is not signed by the key, or its entries are not the
    /// checkpoint's.
    #[error("{}: {}", .0.code, .0.says)]
    Fault(Finding),
    /// It could not be read.
    #[error("{name}: {says}")]
    Unreadable { name: String, says: String },
    /// It could not be written.
    #[error("can't be written: {0}")]
    Write(#[from] std::io::Error),
}

/// Bundles that are read together: at most 16 MiB each, mostly a hundredth of that.
const AT_A_TIME: usize = 16;

/// Writes a log as one file. The log is the one of the checkpoint that is read first, even if it
/// grows meanwhile.
///
/// Verifies that the entries give the checkpoint's root; with a key, also that the checkpoint is
/// signed. After an error, the bytes already written are not an export. `progress` is called with
/// how many entries are done, and of how many.
///
/// # Errors
/// [`ExportError::Fault`] if the log is at fault, else [`ExportError::Unreadable`] or
/// [`ExportError::Write`].
pub fn export(
    files: Box<dyn Files>,
    key: Option<&VerifierKey>,
    to: &mut dyn Write,
    progress: impl FnMut(u64, u64),
) -> Result<Exported, ExportError> {
    let mut written = Counted { to, bytes: 0 };
    // Both closures write, never at the same time.
    let shared = std::cell::RefCell::new(&mut written);
    let walked = walk(
        files,
        key,
        |note| {
            let mut written = shared.borrow_mut();
            written.put(HEADER.as_bytes())?;
            let length = u32::try_from(note.len()).map_err(std::io::Error::other)?;
            written.put(&length.to_be_bytes())?;
            written.put(note)
        },
        |entry| shared.borrow_mut().put_entry(entry),
        progress,
    )?;
    written.to.flush()?;
    Ok(Exported { bytes: written.bytes, ..walked })
}

/// Reads every entry of a log in order, and calls `each` with it.
///
/// Verifies that the entries give the checkpoint's root; with a key, also that the checkpoint is
/// signed. After an error, the entries already read count for nothing. `progress` is called with
/// how many entries are done, and of how many.
///
/// # Errors
/// [`ExportError::Fault`] if the log is at fault, else [`ExportError::Unreadable`].
pub fn entries(
    files: Box<dyn Files>,
    key: Option<&VerifierKey>,
    mut each: impl FnMut(&[u8]),
    progress: impl FnMut(u64, u64),
) -> Result<Exported, ExportError> {
    let each = |entry: &[u8]| {
        each(entry);
        Ok(())
    };
    walk(files, key, |_| Ok(()), each, progress)
}

fn walk(
    files: Box<dyn Files>,
    key: Option<&VerifierKey>,
    head_is: impl FnOnce(&[u8]) -> std::io::Result<()>,
    mut each: impl FnMut(&[u8]) -> std::io::Result<()>,
    mut progress: impl FnMut(u64, u64),
) -> Result<Exported, ExportError> {
    let tiles = Tiles::new(files);
    let name = || tiles.files().name();
    let note = tiles.checkpoint().map_err(|error| match error {
        ReadError::Missing => {
            unreadable(name(), "expected a log, but it has no checkpoint".to_owned())
        }
        error => unreadable(name(), format!("checkpoint: {error}")),
    })?;
    let signed = head(&note, key)?;
    let checkpoint = signed.unverified();
    let size = checkpoint.size();
    head_is(note.as_bytes())?;
    let mut tree = Frontier::new();
    let at = |bundle| TilePath::at_size(Level::Entries, bundle, size).ok();
    let mut left = (0..size.div_ceil(256)).filter_map(at);
    loop {
        let paths: Vec<TilePath> = left.by_ref().take(AT_A_TIME).collect();
        if paths.is_empty() {
            break;
        }
        for (path, read) in paths.iter().zip(tiles.read_all(&paths)) {
            let bundle = read.and_then(|(bytes, width)| {
                EntryBundle::parse(&bytes, width)
                    .map_err(|error| TileReadError::fault(*path, error))
            });
            let bundle = bundle.map_err(|error| match error {
                TileReadError::Fault(says) => fault(Code::TreeMismatch, says),
                TileReadError::Unreadable(says) => unreadable(name(), says),
            })?;
            // A full bundle may have replaced a partial one: the promised entries come first in it.
            for entry in bundle.entries().iter().take(usize::from(path.width())) {
                tree.push(leaf_hash(entry))
                    .map_err(|error| fault(Code::TreeMismatch, error.to_string()))?;
                each(entry)?;
            }
            progress(tree.size(), size);
        }
    }
    if tree.root() != *checkpoint.root() {
        let (found, promised) = (tree.root().to_hex(), checkpoint.root().to_hex());
        let says = format!("the entries give root {found}, the checkpoint has {promised}");
        return Err(fault(Code::TreeMismatch, says));
    }
    let origin = checkpoint.origin().to_owned();
    Ok(Exported { origin, size, root: tree.root(), bytes: 0 })
}

fn head(note: &str, key: Option<&VerifierKey>) -> Result<SignedCheckpoint, ExportError> {
    let signed = SignedCheckpoint::parse(note).map_err(|error| bad_signature(&error))?;
    if let Some(key) = key {
        signed.verify(key).map_err(|error| bad_signature(&error))?;
        if !signed.unverified().extensions().is_empty() {
            return Err(bad_signature(&"a checkpoint of this log has no extension lines"));
        }
    }
    Ok(signed)
}

fn bad_signature(says: &impl ToString) -> ExportError {
    fault(Code::BadSignature, says.to_string())
}

fn fault(code: Code, says: impl Into<String>) -> ExportError {
    ExportError::Fault(Finding::about_the_log(code, says))
}

fn unreadable(name: String, says: String) -> ExportError {
    ExportError::Unreadable { name, says }
}

/// A writer that counts its bytes.
struct Counted<'a> {
    to: &'a mut dyn Write,
    bytes: u64,
}

impl Counted<'_> {
    /// An entry of a bundle, behind two bytes of length.
    fn put_entry(&mut self, entry: &[u8]) -> std::io::Result<()> {
        let length = u16::try_from(entry.len()).expect("a bundle gives each length in 16 bits");
        self.put(&length.to_be_bytes())?;
        self.put(entry)
    }

    fn put(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.bytes = self.bytes.saturating_add(count(bytes.len()));
        self.to.write_all(bytes)
    }
}
