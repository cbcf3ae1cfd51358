//! The published files: tiles and bundles that are written once, and one checkpoint that is
//! replaced.

use std::collections::BTreeMap;
use std::fmt;

use bytes::Bytes;

use super::StoreFuture;

/// A file to write: its path and its bytes.
pub type NewFile = (String, Bytes);

/// A checkpoint's replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The checkpoint that must be there.
    pub from: Vec<u8>,
    /// The one that takes its place.
    pub to: Vec<u8>,
}

/// The published files, by their paths under the log's prefix.
///
/// They are a copy of what the state has. So a write need not be durable when its call returns: see
/// [`is_durable`](Self::is_durable).
///
/// Every write may be repeated after a fault that [is temporary](super::Fault::is_temporary).
pub trait Tiles: fmt::Debug + Send + Sync {
    /// A file's bytes. `None` if there is no such file.
    fn get<'a>(&'a self, path: &'a str) -> StoreFuture<'a, Option<Vec<u8>>>;
    /// Creates files: nobody sees a part of one. An existing one stays as it is. Returns the path of
    /// one that has other bytes; then some of the others may be missing.
    fn create(&self, files: Vec<NewFile>) -> StoreFuture<'_, Option<String>>;
    /// The same, and once all of them are there, replaces the checkpoint; not if one has other
    /// bytes, nor if the checkpoint is another one than the step's, or missing: then the fault is
    /// [`Fault::Raced`](super::Fault::Raced).
    fn publish(&self, files: Vec<NewFile>, checkpoint: Step) -> StoreFuture<'_, Option<String>>;
    /// Whether the store itself replaces the checkpoint only where it is the step's. Then two that
    /// publish at once harm nothing, and what the store says wrongly of the checkpoint for a while
    /// leads to nothing.
    fn is_conditional(&self) -> bool {
        false
    }
    /// Whether each write is durable when its call returns. If it is not, a power cut may lose,
    /// empty or tear every file that was written after the last [`sync`](Self::sync).
    fn is_durable(&self) -> bool {
        false
    }
    /// Waits until everything that was written is durable.
    fn sync(&self) -> StoreFuture<'_, ()>;
    /// Writes or replaces a file, whole or not at all. It is durable when the call returns.
    fn replace<'a>(&'a self, path: &'a str, bytes: Vec<u8>) -> StoreFuture<'a, ()>;
    /// The files below a folder such as `tile`, with their lengths in bytes. None if there is no
    /// such folder.
    fn list<'a>(&'a self, folder: &'a str) -> StoreFuture<'a, BTreeMap<String, u64>>;
    /// Removes the partial tiles that the full ones at these paths replace.
    fn remove_partials(&self, full: Vec<String>) -> StoreFuture<'_, ()>;
    /// Removes files that interrupted writes have left. No other process may be writing.
    fn tidy(&self) -> StoreFuture<'_, ()>;
}

/// The headers of a published file (C2SP tlog-tiles).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Served {
    /// Its `Content-Type`.
    pub content_type: &'static str,
    /// Its `Cache-Control`.
    pub cache_control: &'static str,
}

impl Served {
    /// The headers of the file at this path: all but the checkpoint stay as they are for ever.
    #[must_use]
    pub fn of(path: &str) -> Self {
        if path.starts_with("tile/") {
            Self {
                content_type: "application/octet-stream",
                cache_control: "public, max-age=31536000, immutable",
            }
        } else {
            Self { content_type: "text/plain; charset=utf-8", cache_control: "public, max-age=1" }
        }
    }
}
