//! Checks the clock before its time goes into the log for ever: against itself, against the process
//! before, and against the last entry.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use crate::clock::{Clock, ClockReading};
use crate::error::{ClockFault, LedgerError};
use crate::store::{Head, Ticked};

/// The most that the wall clock may drift from the monotonic clock between two readings, and that
/// it may be behind the last entry, in milliseconds.
const JUMP: u64 = 60_000;

/// For small steps, the same since the process began, and one part in so many of that time: a machine
/// that is moved stands still for seconds, and then its clock is set.
const STEPS: u64 = 10_000;

/// The most that the clock may be ahead of the last entry if nothing else shows that it is right,
/// in milliseconds.
const AHEAD: u64 = 7 * DAY;

const DAY: u64 = 24 * 60 * 60 * 1000;

/// The clock, and its last accepted reading.
pub(crate) struct Watch {
    clock: Arc<dyn Clock>,
    /// A time that the operator typed, in Unix milliseconds: at the start a clock within a day of
    /// it is right.
    typed: Option<u64>,
    /// The time of the state's server, if it differs. Written once, when the ledger is opened.
    elsewhere: OnceLock<u64>,
    /// Written by the sequencer for each batch, and by [`confirm`](Self::confirm).
    believed: Mutex<Believed>,
}

struct Believed {
    /// The reading when the process began, or when the clock was found right or confirmed.
    first: ClockReading,
    /// The last one that was accepted.
    last: ClockReading,
    /// Whether the clock was found right or confirmed. From then on it is only compared with
    /// itself.
    confirmed: bool,
}

impl Watch {
    pub(crate) fn new(clock: Arc<dyn Clock>, typed: Option<u64>) -> Self {
        let reading = clock.read();
        // A day later the typed time says nothing.
        let confirmed = typed.is_some_and(|typed| reading.unix.abs_diff(typed) <= DAY);
        let believed = Mutex::new(Believed { first: reading.clone(), last: reading, confirmed });
        Self { clock, typed, elsewhere: OnceLock::new(), believed }
    }

    /// Compares the clock with that of the state's server, which all nodes share: of a machine that
    /// has written nothing yet, nothing else shows whether it is right.
    pub(crate) fn hold_against(&self, server: u64) {
        if server.abs_diff(self.clock.read().unix) > JUMP {
            let _first = self.elsewhere.set(server);
        }
    }

    /// The time in Unix milliseconds, and the reading for the next process. Small jumps are
    /// accepted, but not many of them: time servers set a clock by seconds.
    pub(crate) fn now(&self, head: &Head) -> Result<(u64, Option<Ticked>), LedgerError> {
        let mut believed = self.believed.lock().unwrap_or_else(PoisonError::into_inner);
        let reading = self.clock.read();
        self.judge(&believed, &reading, head)?;
        let ticked = reading.boot.clone().map(|boot| Ticked {
            boot: boot.name.to_string(),
            passed: u64::try_from(boot.passed.as_millis()).unwrap_or(u64::MAX),
            unix: reading.unix,
        });
        let now = reading.unix;
        if !believed.confirmed {
            believed.first = reading.clone();
        }
        believed.last = reading;
        believed.confirmed = true;
        Ok((now, ticked))
    }

    /// Whether [`now`](Self::now) would tell the time.
    pub(crate) fn check(&self, head: &Head) -> Result<(), LedgerError> {
        let believed = self.believed.lock().unwrap_or_else(PoisonError::into_inner);
        self.judge(&believed, &self.clock.read(), head)
    }

    fn judge(
        &self,
        believed: &Believed,
        reading: &ClockReading,
        head: &Head,
    ) -> Result<(), LedgerError> {
        if let Some(typed) = self.typed.filter(|_| !believed.confirmed) {
            if reading.unix.abs_diff(typed) > DAY {
                return Err(ClockFault::NotTyped { typed, found: reading.unix }.into());
            }
            return Ok(());
        }
        let (expected, _) = expected(&believed.last, reading);
        near(expected, reading.unix)?;
        let (expected, passed) = self::expected(&believed.first, reading);
        if expected.abs_diff(reading.unix) > JUMP.saturating_add(passed / STEPS) {
            return Err(ClockFault::Stepped { expected, found: reading.unix }.into());
        }
        if believed.confirmed {
            Ok(())
        } else {
            by_head(head, reading, self.elsewhere.get().copied())
        }
    }

    /// Whether the machine has run without a stop since this head was written. `false` where nobody
    /// knows.
    pub(crate) fn has_run_since(&self, head: &Head) -> bool {
        let (then, now) = (head.clock.as_ref(), self.clock.read().boot);
        then.zip(now).is_some_and(|(then, now)| then.boot == *now.name)
    }

    /// The clock's time in Unix milliseconds, believed or not.
    pub(crate) fn unix(&self) -> u64 {
        self.clock.read().unix
    }

    /// The time since then, by the clock as it is.
    pub(crate) fn since(&self, time: u64) -> Duration {
        Duration::from_millis(self.clock.read().unix.saturating_sub(time))
    }

    /// Accepts the clock as it is now.
    pub(crate) fn confirm(&self) {
        let reading = self.clock.read();
        *self.believed.lock().unwrap_or_else(PoisonError::into_inner) =
            Believed { first: reading.clone(), last: reading, confirmed: true };
    }
}

/// The time that an earlier reading leads to, and the milliseconds since then.
fn expected(before: &ClockReading, now: &ClockReading) -> (u64, u64) {
    let passed = u64::try_from(since(before, now).as_millis()).unwrap_or(u64::MAX);
    (before.unix.saturating_add(passed), passed)
}

/// The time between two readings. A machine that slept has a monotonic clock that stood still
/// meanwhile.
fn since(before: &ClockReading, now: &ClockReading) -> Duration {
    match (&before.boot, &now.boot) {
        (Some(then), Some(now)) if then.name == now.name => now.passed.saturating_sub(then.passed),
        _ => now.passed.saturating_sub(before.passed),
    }
}

/// Compares the clock with the last process's reading, if the machine has run since; else with what
/// another machine's clock says, and the last entry.
fn by_head(head: &Head, reading: &ClockReading, elsewhere: Option<u64>) -> Result<(), LedgerError> {
    if let (Some(then), Some(now)) = (&head.clock, &reading.boot)
        && then.boot == *now.name
        && let Ok(passed) = u64::try_from(now.passed.as_millis())
        && let Some(since) = passed.checked_sub(then.passed)
    {
        return near(then.unix.saturating_add(since), reading.unix);
    }
    if let Some(expected) = elsewhere {
        return Err(ClockFault::Jumped { expected, found: reading.unix }.into());
    }
    let Some(last) = head.time else { return Ok(()) };
    let found = reading.unix;
    if found > last.saturating_add(AHEAD) {
        return Err(ClockFault::Ahead { last, found }.into());
    }
    if found.saturating_add(JUMP) < last {
        Err(ClockFault::Behind { last, found }.into())
    } else {
        Ok(())
    }
}

fn near(expected: u64, found: u64) -> Result<(), LedgerError> {
    if found.abs_diff(expected) > JUMP {
        Err(ClockFault::Jumped { expected, found }.into())
    } else {
        Ok(())
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("clock", &self.clock).finish_non_exhaustive()
    }
}
