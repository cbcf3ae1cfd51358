//! Judging a whole log (spec/ledger.md, section 9): what no single receipt can show, that nothing is missing.
//!
//! Pure: entries come in, findings go out; who reads the files drives it. One [`Partial`] judges a contiguous range of
//! entries, and neighbours merge, so that ranges can be read anywhere and in any order. It reports numbers beside, and
//! judges by none of them.
//!
//! Not for one deal: a receipt is judged by `record::receipt`, by the same rules.

mod claim;
mod drawn;
mod findings;
mod kept;
mod partial;
mod read;
mod reported;
mod rows;
mod saved;
mod state;
mod statistics;
mod tiles;
mod unjudged;
mod verdict;

pub use claim::Claim;
pub use findings::{FindingList, KEPT_OF_EACH};
pub use kept::{Replayed, Replays};
pub use partial::{MergeError, Partial, PartialError};
pub use read::Signatures;
pub use reported::{Reported, RevealDelays, TableCounts};
pub use rows::{AuditRows, EntryRow, Keep, RoundOutcome, RoundRow};
pub use saved::SavedError;
pub use statistics::{DealGroup, EProcessTrace, LogStatistics};
pub use tiles::TileBuilder;
pub use unjudged::Unjudged;
pub use verdict::{AuditVerdict, Times, Unverified, WithNulls};
