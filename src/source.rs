//! Reading a whole log, and driving the audit over it.
//!
//! A folder of files by C2SP tlog-tiles, as any static file server would serve it. What the checkpoint promises and the
//! folder withholds is the log's fault, and a finding; what cannot be read at all is an error.

mod aside;
mod audit;
mod files;
mod roots;
mod run;
mod stretch;
mod tiles;

pub use audit::{Audited, Options, Source, SourceError};
pub use files::{Files, Folder, ReadError, Wanted};
