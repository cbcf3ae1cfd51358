//! Writing a log as one file, verified on the way.

use std::io::Write;

use super::super::files::{Files, ReadError};
use super::super::tiles::{TileReadError, Tiles};
use super::HEADER;
use crate::log::{EntryBundle, Frontier, Hash, Level, SignedCheckpoint, TilePath, VerifierKey, leaf_hash};
use crate::record::{Code, Finding};

/// What was written: a log whose entries are those of its checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Whose log it is.
    pub origin: String,
    /// How many entries.
    pub size: u64,
    /// Their root, which is the checkpoint's.
    pub root: Hash,
    /// How many bytes the file has.
    pub bytes: u64,
}

/// A log was not written to the end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The log is at fault: its checkpoint is not signed by the key, or its entries are not the checkpoint's.
    #[error("{}: {}", .0.code, .0.says)]
    Fault(Finding),
    /// It could not be read.
    #[error("{name}: {says}")]
    Unreadable {
        /// What was to be read.
        name: String,
        /// Why it was not.
        says: String,
    },
    /// It could not be written.
    #[error("can't be written: {0}")]
    Write(#[from] std::io::Error),
}

/// Bundles asked for at one time; at most 16 MiB each, and mostly a hundredth of that.
const AT_A_TIME: usize = 16;

/// Writes a log as one file: what its checkpoint promises when it is opened, however much it grows.
///
/// That the entries give the checkpoint's root is verified; with a key, also that the checkpoint is signed. What was
/// written before an error is no export. `progress` is told how many entries are done, and of how many.
///
/// # Errors
/// [`ExportError::Fault`] where the log is at fault, else [`ExportError::Unreadable`] or [`ExportError::Write`].
pub fn export(
    files: Box<dyn Files>,
    key: Option<&VerifierKey>,
    to: &mut dyn Write,
    progress: impl FnMut(u64, u64),
) -> Result<Exported, ExportError> {
    let mut written = Counted { to, bytes: 0 };
    // Both are told of one after the other, never at once.
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
        |entry| {
            let mut written = shared.borrow_mut();
            // Held by the bundle that it came out of: no entry is longer.
            written.put(&u16::try_from(entry.len()).unwrap_or(u16::MAX).to_be_bytes())?;
            written.put(entry)
        },
        progress,
    )?;
    written.to.flush()?;
    Ok(Exported { bytes: written.bytes, ..walked })
}

/// Reads every entry of a log in order, and gives each to `each`.
///
/// That the entries give the checkpoint's root is verified; with a key, also that the checkpoint is signed. What was
/// read before an error is of no log. `progress` is told how many entries are done, and of how many.
///
/// # Errors
/// [`ExportError::Fault`] where the log is at fault, else [`ExportError::Unreadable`].
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
        ReadError::Missing => unreadable(name(), "expected a log, but it has no checkpoint".to_owned()),
        error => unreadable(name(), format!("checkpoint: {error}")),
    })?;
    let signed = head(std::str::from_utf8(&note).map_err(|error| bad_signature(&error))?, key)?;
    let checkpoint = signed.unverified();
    let size = checkpoint.size();
    head_is(&note)?;
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
                EntryBundle::parse(&bytes, width).map_err(|error| TileReadError::fault(*path, error))
            });
            let bundle = bundle.map_err(|error| match error {
                TileReadError::Fault(says) => fault(Code::TreeMismatch, says),
                TileReadError::Unreadable(says) => unreadable(name(), says),
            })?;
            // A full one may stand in for a partial one by now: what was promised is at its front.
            for entry in bundle.entries().iter().take(usize::from(path.width())) {
                tree.push(leaf_hash(entry)).map_err(|error| fault(Code::TreeMismatch, error.to_string()))?;
                each(entry)?;
            }
            progress(tree.size(), size);
        }
    }
    if tree.root() != *checkpoint.root() {
        let (found, promised) = (tree.root().to_base64(), checkpoint.root().to_base64());
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
    ExportError::Fault(Finding { code, index: None, commitment: None, nonce: None, says: says.into() })
}

fn unreadable(name: String, says: String) -> ExportError {
    ExportError::Unreadable { name, says }
}

/// A writer, and how much went into it.
struct Counted<'a> {
    to: &'a mut dyn Write,
    bytes: u64,
}

impl Counted<'_> {
    fn put(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.bytes = self.bytes.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        self.to.write_all(bytes)
    }
}
