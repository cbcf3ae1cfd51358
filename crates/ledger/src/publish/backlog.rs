//! The entries that are committed and not published yet, and since when.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::error::LedgerError;
use crate::witness::WitnessesHealth;

/// Commits so close to each other are counted as one, at the time of the first.
const TOGETHER: Duration = Duration::from_millis(100);

/// The entries that this process has committed, and those that it has seen published. Each method
/// takes the lock for a moment.
#[derive(Debug)]
pub(crate) struct Backlog(Mutex<Inner>);

#[derive(Debug)]
struct Inner {
    /// The size of the state. Written by the sequencer, and by whoever reads a head.
    head: u64,
    /// The published size, compared with the state. Written by the publisher.
    published: u64,
    /// The size of the largest checkpoint that was read, by anybody. It was not compared with the
    /// state, so that it decides nothing about this process's own entries.
    read: u64,
    /// Commits that are not published, the smallest size first: this process's, added by the
    /// sequencer, and those of others, as far as this one has seen their heads.
    commits: VecDeque<Commit>,
    /// When a head was read last. What the next head has more was committed since.
    looked: Instant,
    /// Why the last attempt to publish failed. Written by the outbox.
    failing: Option<String>,
    /// Why the last clean-up failed. Written by it.
    unclean: Option<String>,
    /// How long the last publication took. Written by the outbox.
    took: Duration,
}

#[derive(Clone, Copy, Debug)]
struct Commit {
    is_own: bool,
    size: u64,
    at: Instant,
    /// The time of its entries, in Unix milliseconds.
    time: u64,
}

/// A ledger's health, as far as this process knows without asking a store.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Health {
    /// The number of committed entries.
    pub head: u64,
    /// The number of published entries.
    pub published: u64,
    /// The time of the oldest entry that is not published, in Unix milliseconds. Entries of other
    /// processes count as far as this one has seen them.
    pub unpublished_since: Option<u64>,
    /// The time for which that entry has been waiting.
    pub lag: Duration,
    /// Why publishing fails.
    pub failing: Option<String>,
    /// Whether new commands are refused with [`LedgerError::PublishingBehind`].
    pub behind: bool,
    /// Why the ledger has stopped.
    pub stopped: Option<String>,
    /// The witnesses of the operator's policy.
    pub witnesses: WitnessesHealth,
}

impl Default for Backlog {
    fn default() -> Self {
        Self(Mutex::new(Inner {
            head: 0,
            published: 0,
            read: 0,
            commits: VecDeque::new(),
            looked: Instant::now(),
            failing: None,
            unclean: None,
            took: Duration::ZERO,
        }))
    }
}

impl Inner {
    /// The oldest commit that is not published, of any process.
    fn oldest(&self) -> Option<&Commit> {
        self.commits.iter().min_by_key(|one| one.at)
    }

    /// Adds a commit to those before it.
    fn add(&mut self, new: Commit) {
        self.head = self.head.max(new.size);
        match self.commits.iter_mut().rfind(|one| one.is_own == new.is_own) {
            Some(last) if new.at.saturating_duration_since(last.at) < TOGETHER => {
                last.size = new.size;
            }
            _ => self.commits.push_back(new),
        }
    }

    /// Forgets what is published. Of its own entries, a process believes only what it has compared
    /// with the state.
    fn forget(&mut self) {
        let (own, others) = (self.published, self.published.max(self.read));
        self.commits.retain(|one| one.size > if one.is_own { own } else { others });
    }
}

impl Backlog {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that this process has committed entries of this time, up to this size.
    pub(crate) fn committed(&self, size: u64, time: u64) {
        let mut inner = self.inner();
        if size > inner.published {
            inner.add(Commit { is_own: true, size, at: Instant::now(), time });
        }
    }

    /// Notes a head of this size, whose last entry has this time and, by the clock, this age.
    /// Entries of other processes count from their time, but not from before the last head that was
    /// read: clocks of two machines differ.
    pub(crate) fn saw(&self, size: u64, time: u64, age: Duration) {
        let mut inner = self.inner();
        let now = Instant::now();
        let at = now.checked_sub(age).map_or(inner.looked, |at| at.max(inner.looked));
        if size > inner.head.max(inner.read) {
            inner.add(Commit { is_own: false, size, at, time });
        }
        inner.looked = now;
    }

    /// Notes how long a publication took.
    pub(crate) fn took(&self, took: Duration) {
        self.inner().took = took;
    }

    /// Whether the last publication took no longer than this.
    pub(crate) fn is_quick(&self, most: Duration) -> bool {
        self.inner().took <= most
    }

    /// Notes that this many entries are published, by any process.
    pub(crate) fn published(&self, size: u64) {
        let mut inner = self.inner();
        inner.published = inner.published.max(size);
        inner.head = inner.head.max(size);
        inner.forget();
    }

    /// Notes that the published checkpoint was read, and has this size.
    pub(crate) fn read(&self, size: u64) {
        let mut inner = self.inner();
        inner.read = inner.read.max(size);
        inner.forget();
    }

    /// The number of published entries.
    pub(crate) fn published_size(&self) -> u64 {
        self.inner().published
    }

    /// Notes how the last attempt to publish ended.
    pub(crate) fn tried(&self, failed: Option<&LedgerError>) {
        self.inner().failing = failed.map(ToString::to_string);
    }

    /// Notes how the last clean-up ended.
    pub(crate) fn cleaned(&self, failed: Option<&LedgerError>) {
        self.inner().unclean = failed.map(|why| format!("full files are not durable yet: {why}"));
    }

    /// The refusal of new commands, if the oldest entry of any process has been waiting this long.
    /// The caller reads the checkpoint before it refuses: another process may have published its
    /// own.
    pub(crate) fn any_behind(&self, lag: Duration) -> Option<LedgerError> {
        let inner = self.inner();
        let oldest = inner.oldest().filter(|oldest| oldest.at.elapsed() >= lag)?;
        let entries = inner.head.saturating_sub(inner.published.max(inner.read));
        Some(LedgerError::PublishingBehind { entries, since: oldest.time })
    }

    /// The same for this process's own entries.
    pub(crate) fn behind(&self, lag: Duration) -> Option<LedgerError> {
        let inner = self.inner();
        let mut own = inner.commits.iter().filter(|one| one.is_own);
        let oldest = own.next().filter(|oldest| oldest.at.elapsed() >= lag)?;
        let entries = inner.head.saturating_sub(inner.published);
        Some(LedgerError::PublishingBehind { entries, since: oldest.time })
    }

    /// The same if publishing fails.
    pub(crate) fn failing(&self) -> Option<LedgerError> {
        if self.inner().failing.is_some() { self.behind(Duration::ZERO) } else { None }
    }

    pub(crate) fn health(&self, seen: u64, max_lag: Duration, stopped: Option<String>) -> Health {
        let inner = self.inner();
        let oldest = inner.oldest();
        let lag = oldest.map(|oldest| oldest.at.elapsed()).unwrap_or_default();
        // Another process may publish what this one never sees.
        let published = inner.published.max(inner.read);
        Health {
            head: inner.head.max(seen).max(published),
            published,
            unpublished_since: oldest.map(|oldest| oldest.time),
            lag,
            failing: inner.failing.clone().or_else(|| inner.unclean.clone()),
            behind: oldest.is_some() && lag >= max_lag,
            stopped,
            witnesses: WitnessesHealth::default(),
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
        assert_eq!(
            (health().behind, health().lag, health().unpublished_since),
            (true, LAG, Some(1_000))
        );
        // The first commit is published, and the second is younger.
        backlog.published(4);
        assert!(backlog.behind(LAG).is_none());
        assert_eq!(
            (health().unpublished_since, health().lag),
            (Some(21_000), Duration::from_secs(10))
        );
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
    async fn what_another_process_committed_counts_from_its_time_but_not_from_before_the_last_look()
    {
        let backlog = Backlog::default();
        let health = || backlog.health(0, LAG, None);
        tokio::time::advance(Duration::from_secs(10)).await;
        // Its clock is an hour behind, or ours ahead.
        backlog.saw(2, 1_000, Duration::from_hours(1));
        assert_eq!(health().lag, Duration::from_secs(10));
        backlog.read(2);
        assert_eq!((health().lag, health().unpublished_since), (Duration::ZERO, None));
        tokio::time::advance(Duration::from_secs(40)).await;
        backlog.saw(3, 44_000, Duration::from_secs(6));
        assert_eq!(
            (health().lag, health().unpublished_since),
            (Duration::from_secs(6), Some(44_000))
        );
        backlog.committed(4, 50_000);
        tokio::time::advance(Duration::from_secs(24)).await;
        assert!(health().behind && backlog.behind(LAG).is_none());
        assert!(matches!(
            backlog.any_behind(LAG),
            Some(LedgerError::PublishingBehind { entries: 2, since: 44_000 })
        ));
        backlog.read(3);
        assert!(backlog.any_behind(LAG).is_none());
        assert_eq!(health().unpublished_since, Some(50_000), "its own is not published");
    }

    #[tokio::test(start_paused = true)]
    async fn a_busy_ledger_s_backlog_stays_small_and_none_counts_as_younger_than_it_is() {
        let backlog = Backlog::default();
        for size in 1..=30_000 {
            backlog.committed(size, size);
            tokio::time::advance(Duration::from_millis(1)).await;
        }
        assert_eq!(backlog.inner().commits.len(), 300);
        assert!(matches!(
            backlog.behind(LAG),
            Some(LedgerError::PublishingBehind { since: 1, .. })
        ));
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
