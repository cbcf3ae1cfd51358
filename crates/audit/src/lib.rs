//! Audit a whole fairdeal log (spec/audit.md).
//!
//! An audit shows what no single receipt can: that no round between those in the log is missing,
//! dealt twice or voided after use. It applies every rule to every entry, replays every deal whose
//! seed is revealed, and compares every published file with the signed checkpoint.
//!
//! # An auditor audits a folder
//!
//! ```
//! use fairdeal::log::VerifierKey;
//! use fairdeal_audit::source::{AuditOptions, LogSource};
//!
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
//! let folder = std::path::Path::new("fixtures/logs/honest-example");
//! let key: VerifierKey = std::fs::read_to_string(folder.join("key"))?.trim().parse()?;
//! let mut log = LogSource::folder(folder)?;
//! let audited = log.audit(&AuditOptions::under(&key), |done, of| eprintln!("{done} of {of}"))?;
//! assert!(audited.verdict.holds, "{:?}", audited.verdict.findings);
//! assert_eq!(audited.verdict.deals, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same call judges an exported file or, with the feature `http`, a log behind a URL: see
//! [`source`]. An audit can save its state and continue from it later, and it can be divided among
//! several machines.
//!
//! # Without input and output
//!
//! The types of the crate's root are pure: the caller reads the files, passes entries in and gets
//! findings out. A [`Partial`] judges a contiguous range of entries; adjacent ranges merge. A
//! [`Share`] judges some commitments, each with all its entries. The audit also reports numbers
//! ([`Reported`], [`stats`]); the verdict does not depend on them.
//!
//! `fairdeal::record::receipt` judges one round, by the same rules.

pub mod answer;
mod claim;
mod drawn;
mod end;
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
mod witnesses;

pub use claim::RootClaim;
pub use end::DueReveal;
pub use findings::{FindingList, KEPT_OF_EACH};
pub use kept::{Replayed, Replays};
pub use partial::{MergeError, Partial, PartialError};
pub use read::{Signatures, Under};
pub use reported::{Reported, RevealDelays, TableCounts};
pub use rows::{AuditRows, EntryRow, Keep, RoundOutcome, RoundRow};
pub use saved::SavedError;
pub use share::{CrossingEntry, Share, ShareEnd, ShareSum, SortedEntries, bucket_of};
pub use shared_seeds::SharedSeeds;
pub use state::Missed;
pub use statistics::{DealGroup, EProcessTrace, LogStatistics, StatisticsSummary};
pub use tallies::{Tallied, TallyWork};
pub use turns::{Turn, turns_hold};
pub use unjudged::Unjudged;
pub use verdict::{AuditVerdict, Signed, Times, ToldFindings, Unverified, WithNulls};
pub use witnesses::WitnessReport;
