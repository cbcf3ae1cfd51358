//! Published files: tiles, each written once, and one checkpoint that is replaced.

use std::collections::BTreeMap;
use std::fmt;

use super::StoreFuture;

/// A file to write: its path and its bytes.
pub type NewFile = (String, Vec<u8>);

/// The published files, by their paths under the log's prefix. A write is durable when its call returns.
pub trait Tiles: fmt::Debug + Send + Sync {
    /// A file's bytes. `None` if there is no such file.
    fn get<'a>(&'a self, path: &'a str) -> StoreFuture<'a, Option<Vec<u8>>>;
    /// Creates files, each whole or not at all: no name is there before its bytes are durable. An existing one stays as it
    /// is. Returns the path of one that has other bytes; then some of the others may be missing.
    fn create(&self, files: Vec<NewFile>) -> StoreFuture<'_, Option<String>>;
    /// The same, and once all of them are durable, [replaces](Self::replace) the checkpoint; not if one has other bytes.
    fn publish(&self, files: Vec<NewFile>, checkpoint: Vec<u8>) -> StoreFuture<'_, Option<String>>;
    /// Writes or replaces a file, whole or not at all.
    fn replace<'a>(&'a self, path: &'a str, bytes: Vec<u8>) -> StoreFuture<'a, ()>;
    /// All tiles and bundles, with their lengths in bytes.
    fn list(&self) -> StoreFuture<'_, BTreeMap<String, u64>>;
    /// Removes the partial tiles that the full ones at these paths replace.
    fn remove_partials(&self, full: Vec<String>) -> StoreFuture<'_, ()>;
    /// Removes what interrupted writes have left. Nobody else may be writing.
    fn tidy(&self) -> StoreFuture<'_, ()>;
}
