//! Audits take memory: those of many entries are done one after the other.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::lock;

/// How long an audit waits for another one. A host may answer slowly, perhaps on purpose. That must
/// not keep the other logs from being judged.
const LONGEST: Duration = Duration::from_mins(1);

/// The turn of one audit among those of all logs.
#[derive(Debug, Default)]
pub(crate) struct Turn {
    is_taken: Mutex<bool>,
    given_back: Condvar,
}

/// The turn, which is given back when this is dropped. `None` if the wait took too long.
#[derive(Debug)]
pub(crate) struct Taken<'a>(Option<&'a Turn>);

impl Turn {
    /// Waits for the turn, for a minute at most.
    pub(crate) fn take(&self) -> Taken<'_> {
        self.take_within(LONGEST)
    }

    fn take_within(&self, longest: Duration) -> Taken<'_> {
        let is_taken = lock(&self.is_taken);
        let (mut is_taken, waited) = self
            .given_back
            .wait_timeout_while(is_taken, longest, |is_taken| *is_taken)
            .unwrap_or_else(PoisonError::into_inner);
        if waited.timed_out() {
            return Taken(None);
        }
        *is_taken = true;
        Taken(Some(self))
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        if let Some(turn) = self.0 {
            *lock(&turn.is_taken) = false;
            turn.given_back.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time_has_the_turn_and_nobody_waits_for_ever() {
        let turn = Turn::default();
        let first = turn.take();
        assert!(first.0.is_some());
        let second = turn.take_within(Duration::from_millis(1));
        assert!(second.0.is_none(), "it is not waited for any longer");
        drop(second);
        assert!(turn.take_within(Duration::ZERO).0.is_none(), "the first one still has it");
        drop(first);
        assert!(turn.take_within(Duration::ZERO).0.is_some());
    }
}
