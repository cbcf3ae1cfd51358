//! The answers of `fairdeal check` and `fairdeal lab`, as the JSON that they print; and of a check
//! in words, and as a page.
//!
//! The command line prints these; the bindings for other languages return them.

#![allow(
    missing_docs,
    missing_debug_implementations,
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    reason = "shapes of JSON answers, described in spec/cli.md and spec/schema; hidden from the documentation"
)]

mod dialects;
mod judge;
mod missing;
mod rows;
mod shuffles;
mod told;

pub use dialects::DialectList;
pub use rows::{RowsCheck, RowsFault};
pub use shuffles::{SampledShuffle, ShuffleList, WalkedShuffle};

#[doc(hidden)]
pub use {
    dialects::ListedDialect,
    judge::{Collect, Json, JudgedRow},
    rows::{Closing, Looked, RowsJudge, RowsTotal, Totals, begin},
    told::{CheckContext, InvalidRow, Line, habits_lines, limits_lines, page as check_html},
};
