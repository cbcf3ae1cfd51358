//! The record of a deal: entries in canonical JSON, the life of a commitment, receipts.
//!
//! Implements `spec/ledger.md` and `spec/receipt.md`. Pure. The operator runs [`Judge`] on a copy
//! and refuses an entry with findings; a verifier runs it over what it is shown and accuses. Each
//! rule stands here once; only [`Judge::apply_plain`] is a second copy, made for speed, and a test
//! holds it equal.

// Entries and receipts are bytes from outside.
#![warn(clippy::as_conversions, clippy::indexing_slicing)]

#[doc(hidden)]
pub mod as_json;
pub mod entry;
mod field_error;
pub mod finding;
pub mod json;
mod json_words;
pub mod life;
pub mod receipt;
pub mod replay;

pub use entry::{Entry, EntryError};
pub use finding::{Code, Finding};
#[doc(hidden)]
pub use json_words::{json_in_words, json_located};
pub use life::{Effect, Judge, Judged, Life, SeenVerdict, View};
