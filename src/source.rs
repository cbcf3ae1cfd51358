//! Reading a whole log, and driving the audit over it; and reading other operators' rounds.
//!
//! A folder of files by C2SP tlog-tiles, the same behind a URL, or a log exported as one file. What the checkpoint
//! promises and the source withholds is the log's fault, and a finding; what cannot be read at all is an error.

#![warn(clippy::as_conversions, clippy::indexing_slicing)]

#[cfg(feature = "cli")]
mod aside;
#[cfg(feature = "cli")]
mod audit;
mod cache;
mod export;
mod files;
#[cfg(feature = "http")]
mod http;
mod last_checkpoint;
mod nodes;
#[cfg(feature = "cli")]
mod observer;
#[cfg(feature = "cli")]
mod roots;
mod rows;
#[cfg(feature = "cli")]
mod run;
#[cfg(feature = "cli")]
mod stretch;
mod tiles;

#[cfg(feature = "cli")]
pub use audit::{AuditOptions, Audited, LogSource, SourceError};
pub use cache::{Cache, CacheState};
pub use export::{Export, ExportError, Exported, entries, export};
pub use files::{Files, LogFolder, ReadError, Wanted};
#[cfg(feature = "http")]
pub use http::{Http, HttpLimits, UrlError};
pub use last_checkpoint::LastCheckpoint;
pub use nodes::Nodes;
#[cfg(feature = "cli")]
pub use observer::AuditObserver;
pub use rows::{Batch, MapError, Names, Row, Rows, RowsError, text_value};
pub use tiles::TileReadError;
