//! Published files: tiles, each written once, and one checkpoint that is replaced.

use std::collections::BTreeMap;
use std::fmt;

use bytes::Bytes;

use super::StoreFuture;

/// Whether a file was created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Created {
    /// It is new.
    New,
    /// It existed, and is unchanged.
    Exists,
}

/// The published files, by their paths under the log's prefix. A write is durable when its call returns.
pub trait Tiles: fmt::Debug + Send + Sync {
    /// A file's bytes. `None` if there is no such file.
    fn get<'a>(&'a self, path: &'a str) -> StoreFuture<'a, Option<Bytes>>;
    /// Creates a file, whole or not at all. An existing one stays as it is.
    fn create<'a>(&'a self, path: &'a str, bytes: Vec<u8>) -> StoreFuture<'a, Created>;
    /// Writes or replaces a file, whole or not at all.
    fn replace<'a>(&'a self, path: &'a str, bytes: Vec<u8>) -> StoreFuture<'a, ()>;
    /// All tiles and bundles, with their lengths in bytes.
    fn list(&self) -> StoreFuture<'_, BTreeMap<String, u64>>;
    /// Removes the partial tiles that the full one at this path replaces.
    fn remove_partials<'a>(&'a self, full: &'a str) -> StoreFuture<'a, ()>;
}
