//! The published files: tiles and bundles that are written once, and one checkpoint that is
//! replaced.

use std::collections::BTreeMap;
use std::fmt;

use super::StoreFuture;

/// A file to write: its path and its bytes.
pub type NewFile = (String, Vec<u8>);

/// A checkpoint's replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The checkpoint that must be there.
    pub from: Vec<u8>,
    /// The one that takes its place.
    pub to: Vec<u8>,
}

/// The published files, by their paths under the log's prefix. A write is durable when its call
/// returns.
///
/// Every write may be repeated after a fault that [is temporary](super::Fault::is_temporary).
pub trait Tiles: fmt::Debug + Send + Sync {
    /// A file's bytes. `None` if there is no such file.
    fn get<'a>(&'a self, path: &'a str) -> StoreFuture<'a, Option<Vec<u8>>>;
    /// The same, but a full tile or bundle may come from memory, as it was read before: it never
    /// changes.
    fn recall<'a>(&'a self, path: &'a str) -> StoreFuture<'a, Option<Vec<u8>>> {
        self.get(path)
    }
    /// Creates files, each whole or not at all: no name is there before its bytes are durable. An
    /// existing one stays as it is. Returns the path of one that has other bytes; then some of the
    /// others may be missing.
    fn create(&self, files: Vec<NewFile>) -> StoreFuture<'_, Option<String>>;
    /// The same, and once all of them are durable, replaces the checkpoint; not if one has other
    /// bytes, nor if the checkpoint is another one than the step's, or missing: then the fault is
    /// [`Fault::Raced`](super::Fault::Raced).
    fn publish(&self, files: Vec<NewFile>, checkpoint: Step) -> StoreFuture<'_, Option<String>>;
    /// Whether the store itself replaces the checkpoint only where it is the step's. Then two that
    /// publish at once harm nothing, and what the store says wrongly of the checkpoint for a while
    /// leads to nothing.
    fn is_conditional(&self) -> bool {
        false
    }
    /// Writes or replaces a file, whole or not at all.
    fn replace<'a>(&'a self, path: &'a str, bytes: Vec<u8>) -> StoreFuture<'a, ()>;
    /// All tiles and bundles, with their lengths in bytes.
    fn list(&self) -> StoreFuture<'_, BTreeMap<String, u64>>;
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
