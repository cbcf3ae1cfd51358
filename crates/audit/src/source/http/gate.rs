//! Limits how many threads do something at the same time.

use std::sync::{Condvar, Mutex, PoisonError};

/// Lets some threads in; the others wait.
#[derive(Debug)]
pub(super) struct Gate {
    free: Mutex<usize>,
    left: Condvar,
}

/// A thread's turn; it ends on drop.
#[derive(Debug)]
pub(super) struct Turn<'a>(&'a Gate);

impl Gate {
    /// A gate with this many places, at least one.
    pub(super) fn new(places: usize) -> Self {
        Self { free: Mutex::new(places.max(1)), left: Condvar::new() }
    }

    /// Waits for a place.
    pub(super) fn enter(&self) -> Turn<'_> {
        // A number is never half changed, so a poisoned lock is harmless.
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free =
            self.left.wait_while(free, |free| *free == 0).unwrap_or_else(PoisonError::into_inner);
        *free = free.saturating_sub(1);
        Turn(self)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut free = self.0.free.lock().unwrap_or_else(PoisonError::into_inner);
        *free = free.saturating_add(1);
        self.0.left.notify_one();
    }
}
