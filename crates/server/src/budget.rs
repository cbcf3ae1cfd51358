//! Memory of public answers: a reader who is slow, or never reads, cannot take all of it.
//!
//! A public read reserves as much as it may need before it reads anything, and waits for that. Once
//! its answer is made, it holds as much as the answer has bytes, until they are written to the
//! connection or the connection ends.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody as _, to_bytes};
use axum::response::Response;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The unit of the budget.
const UNIT: usize = 1024;

/// How long a read waits for memory.
const WAIT: Duration = Duration::from_secs(5);

/// The most bytes of entries in one page of an answer. The next page goes on.
pub(super) const PAGE: usize = 1024 * 1024;

/// The memory that a read may need until its answer is made.
#[derive(Clone, Copy, Debug)]
pub(super) enum Need {
    /// A bundle: 256 entries, of which few are long. One of 256 of 64 KiB takes the rest when it is
    /// read.
    Bundle,
    /// A page of entries, rounds or receipts, and the bundles that they are in.
    Page,
    /// A round, a receipt, a state.
    Little,
}

impl Need {
    /// The need of a route, by its path.
    pub(super) fn of(route: &str) -> Self {
        match route {
            "/tile/{*path}" => Self::Bundle,
            "/v1/events" => Self::Page,
            _ if route.ends_with("/receipts") || route.ends_with("/rounds") => Self::Page,
            _ => Self::Little,
        }
    }

    fn bytes(self) -> usize {
        match self {
            Self::Bundle => 4 * 1024 * 1024,
            Self::Page => 8 * 1024 * 1024,
            Self::Little => 512 * 1024,
        }
    }
}

/// The memory of all public answers that are made or written at once.
#[derive(Debug)]
pub(super) struct Budget {
    room: Arc<Semaphore>,
    units: usize,
}

/// Bytes with their part of the budget.
struct Held {
    bytes: Bytes,
    _part: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

fn units(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX)
}

impl Budget {
    /// A budget of so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        let units = (bytes / UNIT).clamp(1, Semaphore::MAX_PERMITS);
        Self { room: Arc::new(Semaphore::new(units)), units }
    }

    /// Room for a read. `None` if there is none in time.
    pub(super) async fn reserve(&self, need: Need) -> Option<OwnedSemaphorePermit> {
        let most = u32::try_from(self.units).unwrap_or(u32::MAX);
        let wanted = units(need.bytes()).min(most);
        let room = Arc::clone(&self.room).acquire_many_owned(wanted);
        tokio::time::timeout(WAIT, room).await.ok()?.ok()
    }

    /// An answer whose bytes hold their part of the budget until nobody has them any more. A stream
    /// holds nothing. `None` if the answer is larger than the reserved part and no more is free.
    pub(super) async fn hold(
        &self,
        mut reserved: OwnedSemaphorePermit,
        response: Response,
    ) -> Option<Response> {
        let Some(length) = response.size_hint().exact() else { return Some(response) };
        let most = u32::try_from(self.units).unwrap_or(u32::MAX);
        // An answer that is larger than the budget, such as a long list, takes all of it.
        let wanted = units(usize::try_from(length).unwrap_or(usize::MAX)).min(most);
        let has = u32::try_from(reserved.num_permits()).unwrap_or(u32::MAX);
        if let Some(missing) = wanted.checked_sub(has).filter(|missing| *missing > 0) {
            // Nobody waits here: two that hold something would wait for each other.
            reserved.merge(Arc::clone(&self.room).try_acquire_many_owned(missing).ok()?);
        } else {
            let extra = usize::try_from(has.saturating_sub(wanted)).unwrap_or(0);
            drop(reserved.split(extra));
        }
        let (parts, body) = response.into_parts();
        // The body is in memory already, in one piece.
        let bytes = to_bytes(body, usize::MAX).await.ok()?;
        let held = Bytes::from_owner(Held { bytes, _part: reserved });
        Some(Response::from_parts(parts, Body::from(held)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn free(budget: &Budget) -> usize {
        tokio::task::yield_now().await;
        budget.room.available_permits()
    }

    #[tokio::test]
    async fn an_answer_holds_its_bytes_until_nobody_has_them() {
        let budget = Budget::new(16 * 1024 * 1024);
        let reserved = budget.reserve(Need::Page).await.unwrap();
        assert_eq!(free(&budget).await, 8 * 1024);
        let response = Response::new(Body::from(vec![7; 3 * UNIT - 1]));
        let response = budget.hold(reserved, response).await.unwrap();
        assert_eq!(free(&budget).await, 16 * 1024 - 3);
        let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        assert_eq!((bytes.len(), free(&budget).await), (3 * UNIT - 1, 16 * 1024 - 3));
        drop(bytes);
        assert_eq!(free(&budget).await, 16 * 1024);
    }

    #[tokio::test]
    async fn what_is_larger_than_the_budget_is_held_alone() {
        let budget = Budget::new(1024 * UNIT);
        let large = || Response::new(Body::from(vec![7; 1025 * UNIT]));
        let first = budget.reserve(Need::Little).await.unwrap();
        let second = budget.reserve(Need::Little).await.unwrap();
        assert!(budget.hold(first, large()).await.is_none(), "another answer is being made");
        assert_eq!(free(&budget).await, 512);
        let held = budget.hold(second, large()).await.unwrap();
        assert_eq!(free(&budget).await, 0);
        drop(held);
        assert_eq!(free(&budget).await, 1024);
    }

    #[tokio::test(start_paused = true)]
    async fn a_read_waits_for_memory_and_then_gives_up() {
        let budget = Budget::new(10 * UNIT);
        let all = budget.reserve(Need::Page).await.unwrap();
        assert!(budget.reserve(Need::Little).await.is_none());
        drop(all);
        assert!(budget.reserve(Need::Little).await.is_some());
    }
}
