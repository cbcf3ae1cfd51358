//! Reads a whole log and audits it; reads other operators' rounds.
//!
//! A log is a folder of files by C2SP tlog-tiles, such a folder behind a URL, or one exported file.
//! A file that the checkpoint promises and the log does not have is a finding. A file that could
//! not be read is an error.

#![warn(clippy::as_conversions, clippy::indexing_slicing)]

mod aside;
mod audit;
mod cache;
mod disk;
mod export;
mod files;
#[cfg(feature = "http")]
mod http;
mod last_checkpoint;
mod nodes;
mod observer;
mod published;
mod range;
mod roots;
mod run;
mod stretch;
mod tiles;

pub use audit::{AuditOptions, Audited, LogSource, SourceError, StateUnused};
pub use cache::{Cache, CacheState};
pub use export::{Export, ExportError, Exported, entries, export};
pub use files::{Files, LogFolder, ReadError, Wanted};
#[cfg(feature = "http")]
pub use http::{Http, HttpLimits, UrlError};
pub use last_checkpoint::LastCheckpoint;
pub use nodes::Nodes;
pub use observer::{AuditObserver, StopAudit};
pub use published::PublishedEntry;
pub use range::{
    InRanges, NotInRanges, RANGE, RangeTree, ReadRange, crossing_bytes, crossing_entries,
};
pub use tiles::TileReadError;

/// A length as a file's places and sizes are counted.
#[doc(hidden)]
#[must_use]
pub fn count(length: usize) -> u64 {
    u64::try_from(length).expect("a length has at most 64 bits")
}
