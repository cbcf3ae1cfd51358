//! The answers of `fairdeal check` and `fairdeal lab`, as the JSON that they print.
//!
//! The command line prints these; the bindings for other languages return them.

mod dialects;
mod judge;
mod missing;
mod rows;
mod shuffles;

pub use dialects::DialectList;
pub use rows::{RowsCheck, RowsFault};
pub use shuffles::{SampledShuffle, ShuffleList, WalkedShuffle};

#[doc(hidden)]
pub use {
    dialects::ListedDialect,
    judge::{Collect, Json, JudgedRow},
    rows::{Closing, Looked, RowsJudge, RowsTotal, Totals, begin},
};
