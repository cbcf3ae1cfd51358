//! Judges a whole log (spec/ledger.md, section 9). It shows what no single receipt can: that no
//! round is missing between those in the log.
//!
//! Pure: the caller reads the files, passes entries in and gets findings out. A [`Partial`] judges
//! a contiguous range of entries. Adjacent ranges merge, so they can be read anywhere and in any
//! order. The audit also reports numbers; the verdict does not depend on them.
//!
//! Not for one deal: `record::receipt` judges that, by the same rules.

pub mod answer;
mod claim;
mod drawn;
mod findings;
mod kept;
mod partial;
mod read;
mod reported;
mod rows;
mod saved;
mod share;
mod shared_seeds;
pub mod source;
mod state;
mod statistics;
pub mod stats;
mod tallies;
mod turns;
mod unjudged;
mod verdict;

pub use claim::SeenClaim;
pub use findings::{FindingList, KEPT_OF_EACH};
pub use kept::{Replayed, Replays};
pub use partial::{MergeError, Partial, PartialError};
pub use read::Signatures;
pub use reported::{Reported, RevealDelays, TableCounts};
pub use rows::{AuditRows, EntryRow, Keep, RoundOutcome, RoundRow};
pub use saved::SavedError;
pub use share::{CrossingEntry, Share, ShareEnd, ShareSum, SortedEntries, bucket_of};
pub use shared_seeds::SharedSeeds;
pub use statistics::{DealGroup, EProcessTrace, LogStatistics, StatisticsSummary};
pub use tallies::{Tallied, TallyWork};
pub use turns::{Turn, turns_hold};
pub use unjudged::Unjudged;
pub use verdict::{AuditVerdict, Times, Unverified, WithNulls};
