//! Turns at a state with few connections: public reads wait, so that the service's own work always
//! finds a free connection.

use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};

/// Connections that the public never has: one for `/readyz`, one for tokens that the service does
/// not know, and the rest for its own work: the receipts of what it has just made, the keeper, the
/// tokens, the feed and publishing.
const LEFT: usize = 6;

/// How many wait for the look-up of a token that the service does not know.
const STRANGERS: usize = 64;

/// How long a request of the public waits for its turn.
const WAIT: Duration = Duration::from_secs(5);

/// See the module.
#[derive(Debug)]
pub(super) struct Turns {
    public: Semaphore,
    strangers: Semaphore,
    waiting: Semaphore,
}

impl Turns {
    /// For a state that so many can read at once; `None`: any number.
    pub(super) fn new(readers: Option<usize>) -> Self {
        let public =
            readers.map_or(Semaphore::MAX_PERMITS, |readers| readers.saturating_sub(LEFT).max(1));
        let (strangers, waiting) = (Semaphore::new(1), Semaphore::new(STRANGERS));
        Self { public: Semaphore::new(public), strangers, waiting }
    }

    /// The public's turn. `None` if it does not come in time.
    pub(super) async fn public(&self) -> Option<SemaphorePermit<'_>> {
        tokio::time::timeout(WAIT, self.public.acquire()).await.ok()?.ok()
    }

    /// The same for who waits as long as it takes, such as a stream.
    pub(super) async fn patient(&self) -> Option<SemaphorePermit<'_>> {
        self.public.acquire().await.ok()
    }

    /// Whoever brings a token that is not in memory: anybody can. `None` if its turn does not come
    /// in time.
    pub(super) async fn stranger(&self) -> Option<SemaphorePermit<'_>> {
        let _waiting = self.waiting.try_acquire().ok()?;
        tokio::time::timeout(WAIT, self.strangers.acquire()).await.ok()?.ok()
    }
}
