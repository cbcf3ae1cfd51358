//! Where a ledger keeps its state and publishes its files.
//!
//! | trait | on one machine | on many |
//! |---|---|---|
//! | [`State`] | [`Sqlite`] | `Postgres`, with the feature `postgres` |
//! | [`Tiles`] | [`TileFolder`] | `Bucket`, with the feature `s3` |
//!
//! Not for decisions: the ledger says which entry is written and what a file holds.

mod asks;
#[cfg(feature = "s3")]
mod bucket;
mod error;
mod folder;
mod growth;
#[cfg(feature = "postgres")]
mod postgres;
mod queries;
mod rows;
mod sqlite;
mod state;
mod statements;
mod sum;
mod tiles;

#[cfg(feature = "s3")]
pub use bucket::{Bucket, BucketUrl, BucketUrlError};
pub use error::{Fault, StoreError, reason};
pub use folder::TileFolder;
pub(crate) use folder::sync_folder;
#[cfg(feature = "postgres")]
pub use postgres::Postgres;
pub use sqlite::Sqlite;
pub use state::{
    Anew, Answer, Choice, Growth, Head, Lease, Memo, Read, RoundEntry, Segment, State, StoredLife,
    Ticked, Transaction,
};
pub use tiles::{NewFile, Served, Step, Tiles};

/// The future that every call on a store returns.
pub type StoreFuture<'a, T> = futures::future::BoxFuture<'a, Result<T, StoreError>>;
