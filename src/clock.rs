//! The system's clocks. The only place that asks for the time.
//!
//! Not for deciding what a time means: that a log's time never runs back is the ledger's rule.

use std::fmt::Debug;
use std::time::{Duration, Instant, SystemTime};

/// Tells the time; tests tell another.
pub trait Clock: Debug + Send + Sync {
    /// Both clocks, read at once.
    fn read(&self) -> Reading;
}

/// What the clocks say at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The wall clock in Unix milliseconds, which can be set to anything; 0 for a time before 1970.
    pub unix: u64,
    /// The monotonic clock, from a start of its own, which can't be set.
    pub passed: Duration,
}

/// The system's clocks.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    start: Instant,
}

impl SystemClock {
    /// The system's clocks, the monotonic one counted from now.
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
