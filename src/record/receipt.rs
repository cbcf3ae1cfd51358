//! Receipts and openings: one JSON file that verifies offline (spec/receipt.md).
//!
//! A receipt shows one round. Not for showing that the log withholds nothing: only an audit does that.

mod contradiction;
mod form;
mod verdict;
mod verify;

pub use contradiction::contradictions;
pub use form::{Document, Included, OpenedCard, Opening, Receipt, ReceiptError, Salt};
pub use verdict::{NotShown, ReceiptFinding, Shown, Verdict};
pub use verify::{SignedBy, verify};
