//! Where a ledger keeps its state and publishes its files.
//!
//! | trait | now | later |
//! |---|---|---|
//! | [`State`] | [`Sqlite`] | PostgreSQL |
//! | [`Tiles`] | [`TileFolder`]; with the feature `s3` `Bucket` | |
//!
//! Not for decisions: the ledger says which entry is written and what a file holds.

#[cfg(feature = "s3")]
mod bucket;
mod error;
mod folder;
mod sqlite;
mod state;
mod tiles;

#[cfg(feature = "s3")]
pub use bucket::{Bucket, BucketUrl, BucketUrlError};
pub use error::{Fault, StoreError};
pub use folder::TileFolder;
pub(crate) use folder::sync_folder;
pub use sqlite::Sqlite;
pub use state::{
    Answer, Choice, Derived, Growth, Head, Lease, Memo, Read, RoundEntry, Segment, State, StoredLife, Ticked,
    Transaction,
};
pub use tiles::{NewFile, Served, Step, Tiles};

/// The future that every call on a store returns.
pub type StoreFuture<'a, T> = futures::future::BoxFuture<'a, Result<T, StoreError>>;
