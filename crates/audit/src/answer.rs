//! The answers of the commands that read and judge, as the JSON that they print.
//!
//! The command line prints these, and the bindings for other languages return them, in the same
//! shape. Nothing is judged here.

#![allow(
    missing_docs,
    missing_debug_implementations,
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    reason = "shapes of JSON answers, described in spec/cli.md and spec/schema; hidden from the documentation"
)]

mod audit_tables;
mod log_statistics;
mod reading;
mod receipts;
mod replay;
mod revealed;
mod trace;

use serde::Serialize;

pub use audit_tables::{AuditTable, Cell};
pub use log_statistics::LogStatisticsAnswer;
pub use reading::{Content, ReadFile, Reading};
pub use receipts::{JudgedFile, JudgedFiles, ReceiptsAnswer, VerifiedFile};
pub use replay::{Replay, ReplayAnswer, ReplayError, Shuffled};

#[doc(hidden)]
pub use {
    receipts::{KnownForm, commit_of},
    replay::Receipted,
    revealed::{NotRevealed, Revealed},
    trace::{Order, TraceStep},
};

/// Why one file, or the rows after a fault, have no answer, while others have one.
#[derive(Clone, Debug, Serialize)]
#[doc(hidden)]
pub struct Beside<'a> {
    pub code: &'static str,
    pub says: &'a str,
}

impl<'a> Beside<'a> {
    /// Something could not be read.
    #[must_use]
    pub const fn unavailable(says: &'a str) -> Self {
        Self { code: "unavailable", says }
    }
}
