//! Who reads a state that has few connections: the public takes turns, so that the service's own work always finds one free.

use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};

/// Connections that the public never has: one for `/readyz`, one for tokens that the service does not know, and the rest for its
/// own work: the receipts of what it has just made, the keeper, the tokens, the feed and publishing.
const LEFT: usize = 6;

/// How long a request of the public waits for its turn.
const WAIT: Duration = Duration::from_secs(5);

/// See the module.
#[derive(Debug)]
pub(super) struct Turns {
    public: Semaphore,
    ready: Semaphore,
    strangers: Semaphore,
}

impl Turns {
    /// For a state that so many can read at once; `None`: any number.
    pub(super) fn new(readers: Option<usize>) -> Self {
        let public = readers.map_or(Semaphore::MAX_PERMITS, |readers| readers.saturating_sub(LEFT).max(1));
        Self { public: Semaphore::new(public), ready: Semaphore::new(1), strangers: Semaphore::new(1) }
    }

    /// The public's turn. `None` if it does not come in time.
    pub(super) async fn public(&self) -> Option<SemaphorePermit<'_>> {
        tokio::time::timeout(WAIT, self.public.acquire()).await.ok()?.ok()
    }

    /// The same for who waits as long as it takes, such as a stream.
    pub(super) async fn patient(&self) -> Option<SemaphorePermit<'_>> {
        self.public.acquire().await.ok()
    }

    /// Whoever asks whether the service is ready.
    pub(super) async fn ready(&self) -> Option<SemaphorePermit<'_>> {
        self.ready.acquire().await.ok()
    }

    /// Whoever brings a token that is not in memory: anybody can.
    pub(super) async fn stranger(&self) -> Option<SemaphorePermit<'_>> {
        self.strangers.acquire().await.ok()
    }
}
