//! Where a ledger's state lives, and the files that it publishes: what the ledger asks of a store.
//!
//! | trait | now | later, behind the same |
//! |---|---|---|
//! | [`State`] | [`Sqlite`] | PostgreSQL |
//! | [`Tiles`] | [`TileFolder`] | S3 and its like |
//!
//! Not for deciding anything: which entry may be written, and what a file must hold, is the ledger's business.

mod error;
mod folder;
mod sqlite;
mod state;
mod tiles;

pub use error::{Fault, StoreError};
pub use folder::TileFolder;
pub use sqlite::Sqlite;
pub use state::{Answer, EntryKey, Growth, Head, Lease, NewEntry, Read, State, StoredLife, Transaction};
pub use tiles::{Created, Tiles};

/// What every call on a store comes to.
pub type StoreFuture<'a, T> = futures::future::BoxFuture<'a, Result<T, StoreError>>;
