//! The record of a deal: entries in canonical JSON, the life of a commitment, receipts.
//!
//! Implements `spec/ledger.md` and `spec/receipt.md`. Pure. The operator runs [`Judge`] before it
//! writes an entry, and refuses an entry with findings; a verifier runs it over the entries that it
//! got, and reports the findings. Each rule is implemented once, except that
//! [`Judge::apply_plain`] decides plain deals faster; a test compares the two.

// Entries and receipts are bytes from outside.
#![warn(clippy::as_conversions, clippy::indexing_slicing)]

#[doc(hidden)]
pub mod as_json;
pub mod entry;
pub(crate) mod field_error;
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
pub use life::{Effect, Judge, Judged, Life, View};
