//! Checks the wall clock against the monotonic clock: a wrong time would stay in the log for ever.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::error::LedgerError;
use crate::clock::{Clock, Reading};

/// How far the clocks may drift apart between two readings, in milliseconds.
const JUMP: u64 = 60_000;

/// The clock, and its last accepted reading.
pub(super) struct Watch {
    clock: Arc<dyn Clock>,
    believed: Mutex<Reading>,
}

impl Watch {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        let believed = Mutex::new(clock.read());
        Self { clock, believed }
    }

    /// The time in Unix milliseconds. Small jumps are accepted: time servers set a clock by seconds.
    pub(super) fn now(&self) -> Result<u64, LedgerError> {
        let reading = self.clock.read();
        let mut believed = self.believed.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = reading.passed.saturating_sub(believed.passed).as_millis();
        let expected = believed.unix.saturating_add(u64::try_from(passed).unwrap_or(u64::MAX));
        if reading.unix.abs_diff(expected) > JUMP {
            return Err(LedgerError::ClockJumped { expected, found: reading.unix });
        }
        *believed = reading;
        Ok(reading.unix)
    }

    /// Accepts the clock as it is now.
    pub(super) fn confirm(&self) {
        *self.believed.lock().unwrap_or_else(PoisonError::into_inner) = self.clock.read();
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("clock", &self.clock).finish_non_exhaustive()
    }
}
