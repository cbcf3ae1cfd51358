//! The system's clocks. The only place that asks for the time.
//!
//! Not for judging times: the ledger keeps a log's time from running back.

pub(crate) mod watch;

use std::fmt::Debug;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// Tells the time. Tests have a clock of their own.
pub trait Clock: Debug + Send + Sync {
    /// Reads both clocks at once.
    fn read(&self) -> ClockReading;
}

/// Both clocks at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockReading {
    /// The wall clock in Unix milliseconds: it can be set to anything. A time before 1970 is 0.
    pub unix: u64,
    /// The monotonic clock, from a start of its own: nobody can set it.
    pub passed: Duration,
    /// The same from the machine's start, where the system tells.
    pub boot: Option<Boot>,
}

/// The time since the machine's start, sleep included: two processes can compare it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boot {
    /// Names the start.
    pub name: Arc<str>,
    /// The time since then.
    pub passed: Duration,
}

/// The system's clocks.
#[derive(Clone, Debug)]
pub struct SystemClock {
    start: Instant,
    /// The name of the machine's start.
    boot: Option<Arc<str>>,
}

impl SystemClock {
    /// Starts the monotonic clock at 0.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "the only place that asks the system for time")]
    pub fn start() -> Self {
        // Linux has both; elsewhere a process knows the clock of no other.
        let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id");
        Self { start: Instant::now(), boot: boot.ok().map(|boot| boot.trim().into()) }
    }
}

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the only place that asks the system for time")]
    fn read(&self) -> ClockReading {
        let unix = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let boot = self
            .boot
            .as_ref()
            .and_then(|name| Some(Boot { name: Arc::clone(name), passed: uptime()? }));
        let unix = u64::try_from(unix.as_millis()).unwrap_or(u64::MAX);
        ClockReading { unix, passed: self.start.elapsed(), boot }
    }
}

/// Since the machine's start: the first number in `/proc/uptime`, in seconds.
fn uptime() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/uptime").ok()?;
    Duration::try_from_secs_f64(text.split_whitespace().next()?.parse().ok()?).ok()
}
