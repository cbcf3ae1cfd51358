//! The system's clocks. The only place that asks for the time.
//!
//! Not for judging times: the ledger keeps a log's time from running back.

use std::fmt::Debug;
use std::time::{Duration, Instant, SystemTime};

/// Tells the time. Tests have a clock of their own.
pub trait Clock: Debug + Send + Sync {
    /// Reads both clocks at once.
    fn read(&self) -> Reading;
}

/// Both clocks at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The wall clock in Unix milliseconds: it can be set to anything. A time before 1970 is 0.
    pub unix: u64,
    /// The monotonic clock, from a start of its own: nobody can set it.
    pub passed: Duration,
}

/// The system's clocks.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    start: Instant,
}

impl SystemClock {
    /// Starts the monotonic clock at 0.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "the only place that asks the system for time")]
    pub fn start() -> Self {
        Self { start: Instant::now() }
    }
}

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the only place that asks the system for time")]
    fn read(&self) -> Reading {
        let unix = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Reading { unix: u64::try_from(unix.as_millis()).unwrap_or(u64::MAX), passed: self.start.elapsed() }
    }
}
