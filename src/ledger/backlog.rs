//! What is committed and not published yet, and since when.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::error::LedgerError;

/// Commits so close to each other are counted as one, at the time of the first.
const TOGETHER: Duration = Duration::from_millis(100);

/// See the module. It knows what this process has committed, and what it has seen published.
#[derive(Debug, Default)]
pub(super) struct Backlog(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    head: u64,
    published: u64,
    /// The size of the largest checkpoint that was read. Nobody has held it against the state: it is told, and decides nothing.
    read: u64,
    /// This process's commits that are not published, the oldest first.
    commits: VecDeque<Commit>,
    /// Why the last attempt to publish failed.
    failing: Option<String>,
    /// How long it took to publish last.
    took: Duration,
}

#[derive(Clone, Copy, Debug)]
struct Commit {
    size: u64,
    at: Instant,
    /// The time of its entries, in Unix milliseconds.
    time: u64,
}

/// How a ledger is, as far as this process knows without asking anybody.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Health {
    /// How many entries are committed.
    pub head: u64,
    /// How many entries are published.
    pub published: u64,
    /// The time of this process's oldest entry that is not published, in Unix milliseconds.
    pub unpublished_since: Option<u64>,
    /// How long that entry has been waiting.
    pub lag: Duration,
    /// Why publishing fails.
    pub failing: Option<String>,
    /// Whether new commands are refused with [`LedgerError::PublishingBehind`].
    pub behind: bool,
    /// Why the ledger has stopped.
    pub stopped: Option<String>,
}

impl Backlog {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that this process has committed entries of this time, up to this size.
    pub(super) fn committed(&self, size: u64, time: u64) {
        let mut inner = self.inner();
        inner.head = inner.head.max(size);
        if size <= inner.published {
            return;
        }
        let at = Instant::now();
        match inner.commits.back_mut() {
            Some(last) if at.duration_since(last.at) < TOGETHER => last.size = size,
            _ => inner.commits.push_back(Commit { size, at, time }),
        }
    }

    /// Notes how long it took to publish.
    pub(super) fn took(&self, took: Duration) {
        self.inner().took = took;
    }

    /// Whether it took no longer than this the last time.
    pub(super) fn is_quick(&self, most: Duration) -> bool {
        self.inner().took <= most
    }

    /// Notes that this many entries are published, by whomever.
    pub(super) fn published(&self, size: u64) {
        let mut inner = self.inner();
        inner.published = inner.published.max(size);
        inner.head = inner.head.max(size);
        while inner.commits.front().is_some_and(|oldest| oldest.size <= inner.published) {
            inner.commits.pop_front();
        }
    }

    /// Notes that the published checkpoint was read, and has this size.
    pub(super) fn read(&self, size: u64) {
        let mut inner = self.inner();
        inner.read = inner.read.max(size);
    }

    /// How many entries are published.
    pub(super) fn published_size(&self) -> u64 {
        self.inner().published
    }

    /// Notes how the last attempt to publish ended.
    pub(super) fn tried(&self, failed: Option<&LedgerError>) {
        self.inner().failing = failed.map(ToString::to_string);
    }

    /// The refusal of new commands, where the oldest entry has been waiting for as long as this.
    pub(super) fn behind(&self, lag: Duration) -> Option<LedgerError> {
        let inner = self.inner();
        let oldest = inner.commits.front().filter(|oldest| oldest.at.elapsed() >= lag)?;
        let entries = inner.head.saturating_sub(inner.published);
        Some(LedgerError::PublishingBehind { entries, since: oldest.time })
    }

    /// The same where publishing fails.
    pub(super) fn failing(&self) -> Option<LedgerError> {
        if self.inner().failing.is_some() { self.behind(Duration::ZERO) } else { None }
    }

    pub(super) fn health(&self, seen: u64, max_lag: Duration, stopped: Option<String>) -> Health {
        let inner = self.inner();
        let oldest = inner.commits.front();
        let lag = oldest.map(|oldest| oldest.at.elapsed()).unwrap_or_default();
        // Another process may publish what this one never sees.
        let published = inner.published.max(inner.read);
        Health {
            head: inner.head.max(seen).max(published),
            published,
            unpublished_since: oldest.map(|oldest| oldest.time),
            lag,
            failing: inner.failing.clone(),
            behind: oldest.is_some() && lag >= max_lag,
            stopped,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAG: Duration = Duration::from_secs(30);

    #[tokio::test(start_paused = true)]
    async fn the_lag_counts_from_the_oldest_commit_that_is_not_published() {
        let backlog = Backlog::default();
        let health = || backlog.health(0, LAG, None);
        backlog.committed(2, 1_000);
        tokio::time::advance(Duration::from_secs(20)).await;
        backlog.committed(5, 21_000);
        tokio::time::advance(Duration::from_millis(9_999)).await;
        assert!(backlog.behind(LAG).is_none() && !health().behind);
        tokio::time::advance(Duration::from_millis(1)).await;
        assert!(matches!(
            backlog.behind(LAG),
            Some(LedgerError::PublishingBehind { entries: 5, since: 1_000 })
        ));
        assert_eq!((health().behind, health().lag, health().unpublished_since), (true, LAG, Some(1_000)));
        // The first commit is published, and the second is younger.
        backlog.published(4);
        assert!(backlog.behind(LAG).is_none());
        assert_eq!((health().unpublished_since, health().lag), (Some(21_000), Duration::from_secs(10)));
        tokio::time::advance(Duration::from_secs(20)).await;
        assert!(matches!(
            backlog.behind(LAG),
            Some(LedgerError::PublishingBehind { entries: 1, since: 21_000 })
        ));
        backlog.published(5);
        assert_eq!(
            (health().behind, health().lag, health().unpublished_since),
            (false, Duration::ZERO, None)
        );
        assert_eq!((health().head, health().published), (5, 5));
    }

    #[tokio::test(start_paused = true)]
    async fn a_busy_ledger_s_backlog_stays_small_and_none_counts_as_younger_than_it_is() {
        let backlog = Backlog::default();
        for size in 1..=30_000 {
            backlog.committed(size, size);
            tokio::time::advance(Duration::from_millis(1)).await;
        }
        assert_eq!(backlog.inner().commits.len(), 300);
        assert!(matches!(backlog.behind(LAG), Some(LedgerError::PublishingBehind { since: 1, .. })));
        backlog.published(99);
        assert!(matches!(
            backlog.behind(Duration::ZERO),
            Some(LedgerError::PublishingBehind { since: 1, .. })
        ));
        backlog.published(100);
        assert!(matches!(
            backlog.behind(Duration::ZERO),
            Some(LedgerError::PublishingBehind { since: 101, .. })
        ));
    }
}
