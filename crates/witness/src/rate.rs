//! How often a log may ask.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::judge::Kind;

/// How often each log may ask: so many requests at once, and so many a second in the long run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// Requests a second. Default: 100. Infinity: no limit.
    pub second: f64,
    /// Requests at once. Default: 1,000.
    pub burst: f64,
}

impl Default for Rate {
    fn default() -> Self {
        Self { second: 100.0, burst: 1_000.0 }
    }
}

/// What is left of each log's requests.
///
/// A checkpoint is public: anybody can send one again, also one that this witness does not have yet.
/// So only requests for which something is written are counted, and each kind apart from the others:
/// who repeats public checkpoints takes nothing from the log.
#[derive(Debug)]
pub(crate) struct Rates {
    rate: Rate,
    left: Mutex<HashMap<(String, Kind), (f64, Instant)>>,
}

impl Rates {
    pub(crate) fn new(rate: Rate) -> Self {
        Self { rate, left: Mutex::default() }
    }

    /// Takes one of a log's requests, or says how long to wait for one. The origin must be a known
    /// log's: each takes memory.
    pub(crate) fn take(&self, origin: &str, kind: Kind) -> Result<(), Duration> {
        let Rate { second, burst } = self.rate;
        if second.is_infinite() {
            return Ok(());
        }
        let now = Instant::now();
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let (tokens, at) = left.entry((origin.to_owned(), kind)).or_insert((burst, now));
        *tokens = now.duration_since(*at).as_secs_f64().mul_add(second, *tokens).min(burst);
        *at = now;
        if *tokens >= 1.0 {
            *tokens -= 1.0;
            return Ok(());
        }
        let wait = Duration::try_from_secs_f64((1.0 - *tokens) / second);
        Err(wait.unwrap_or(Duration::from_hours(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_log_has_its_burst_and_then_its_rate_and_repeats_take_nothing_from_it() {
        let rates = Rates::new(Rate { second: 2.0, burst: 3.0 });
        for _ in 0..3 {
            rates.take("a", Kind::Again).unwrap();
        }
        assert_eq!(rates.take("a", Kind::Again), Err(Duration::from_millis(500)));
        rates.take("a", Kind::Next).unwrap();
        rates.take("b", Kind::Again).unwrap();
        tokio::time::advance(Duration::from_millis(500)).await;
        rates.take("a", Kind::Again).unwrap();
        assert!(rates.take("a", Kind::Again).is_err());
        tokio::time::advance(Duration::from_hours(1)).await;
        for _ in 0..3 {
            rates.take("a", Kind::Again).unwrap();
        }
        assert!(rates.take("a", Kind::Again).is_err(), "no more than the burst is saved up");
        let none = Rates::new(Rate { second: 0.0, burst: 0.0 });
        assert_eq!(none.take("a", Kind::Next), Err(Duration::from_hours(1)));
    }
}
