//! What a ledger publishes: files that are written once, and one checkpoint that is replaced.

use std::collections::BTreeMap;
use std::fmt;

use bytes::Bytes;

use super::StoreFuture;

/// Whether a file was there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Created {
    /// It was not, and is now.
    New,
    /// It was, and is as it was.
    Exists,
}

/// The published files, by their paths under the log's prefix. What a call has written is durable when it returns.
pub trait Tiles: fmt::Debug + Send + Sync {
    /// A file's bytes; none where there is no such file.
    fn get<'a>(&'a self, path: &'a str) -> StoreFuture<'a, Option<Bytes>>;
    /// Writes a file that is not there yet, whole or not at all.
    fn create<'a>(&'a self, path: &'a str, bytes: Vec<u8>) -> StoreFuture<'a, Created>;
    /// Writes a file in the place of another, whole or not at all.
    fn replace<'a>(&'a self, path: &'a str, bytes: Vec<u8>) -> StoreFuture<'a, ()>;
    /// All tiles and bundles that are there, with their lengths in bytes.
    fn list(&self) -> StoreFuture<'_, BTreeMap<String, u64>>;
    /// Removes the partial tiles that a full one, given by its path, stands for.
    fn remove_partials<'a>(&'a self, full: &'a str) -> StoreFuture<'a, ()>;
}
