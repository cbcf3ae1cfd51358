//! So many at a time, whoever asks.

use std::sync::{Condvar, Mutex, PoisonError};

/// Lets a number of threads in and makes the others wait.
#[derive(Debug)]
pub(super) struct Gate {
    free: Mutex<usize>,
    left: Condvar,
}

/// A place inside, given back when dropped.
#[derive(Debug)]
pub(super) struct Turn<'a>(&'a Gate);

impl Gate {
    /// At least one place.
    pub(super) fn new(places: usize) -> Self {
        Self { free: Mutex::new(places.max(1)), left: Condvar::new() }
    }

    /// Waits for a place.
    pub(super) fn enter(&self) -> Turn<'_> {
        // A number is never half changed, so a thread that panicked has spoilt nothing.
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free = self.left.wait_while(free, |free| *free == 0).unwrap_or_else(PoisonError::into_inner);
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
