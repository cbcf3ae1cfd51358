//! Named points at which a test can kill the process: no destructor runs. What was written stays in
//! the system's memory, unlike after a power cut.
//!
//! Without the feature `faults` they do nothing.

/// `FAIRDEAL_FAULT=NAME` or `NAME:N` kills the process the first or the N-th time that it passes
/// the point.
#[cfg(feature = "faults")]
pub(crate) fn point(name: &str) {
    use std::sync::atomic::{AtomicU64, Ordering};
    static PASSED: AtomicU64 = AtomicU64::new(0);

    let Ok(wanted) = std::env::var("FAIRDEAL_FAULT") else { return };
    let (wanted, nth) = wanted.split_once(':').unwrap_or((&wanted, "1"));
    if wanted == name {
        let passed = PASSED.fetch_add(1, Ordering::SeqCst) + 1;
        if nth.parse() == Ok(passed) {
            let _killed = rustix::process::kill_process(
                rustix::process::getpid(),
                rustix::process::Signal::KILL,
            );
        }
    }
}

#[cfg(not(feature = "faults"))]
pub(crate) const fn point(_name: &str) {}

/// The points of [`Ledger::rekey`](crate::Ledger::rekey), in their order.
#[cfg(feature = "faults")]
pub const REKEY_POINTS: &[&str] =
    &["rekey-staged", "rekey-written", "rekey-committed", "rekey-scrubbed"];

/// The points that a command passes besides, where checkpoints wait for witnesses: before they are
/// asked, and after a quorum has signed.
#[cfg(feature = "faults")]
pub const WITNESS_POINTS: &[&str] = &["publish-files", "publish-cosigned"];

/// All points, in the order in which a command passes them.
#[cfg(feature = "faults")]
pub const FAULT_POINTS: &[&str] = &[
    "batch-begun",
    "batch-judged",
    "batch-written",
    "batch-committed",
    "publish-leased",
    "publish-checkpoint",
    "publish-synced",
    "publish-read-back",
    "publish-dropped",
];
