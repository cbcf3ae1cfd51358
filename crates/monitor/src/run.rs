//! Several logs at once: a thread for each, and one for the webhook.

use std::fs::{self, File, TryLockError};
use std::hash::{BuildHasher as _, RandomState};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::event::{EventKind, MonitorEvent};
use super::follow::{FollowedLog, Follower};
use super::journal::Journal;
use super::metrics::MonitorMetrics;
use super::webhook::Webhook;
use super::{MonitorError, lock};

/// The options of a monitor. Times are in milliseconds.
#[derive(Clone, Debug)]
pub struct MonitorOptions {
    /// The folder with what the monitor knows. One monitor uses it at a time.
    pub state: PathBuf,
    /// The clock, in Unix milliseconds.
    pub now: fn() -> u64,
    /// How long before a reveal is due it is warned of.
    pub warn_before: u64,
    /// How long the reader's witnesses may have seen nothing new.
    pub witness_within: u64,
    /// How long something must last before it is warned of.
    pub patience: u64,
}

impl MonitorOptions {
    /// The options with their defaults: a reveal is warned of 10 minutes before it is due, witnesses
    /// after 15 minutes without anything new, and a fault at once.
    #[must_use]
    pub const fn new(state: PathBuf, now: fn() -> u64) -> Self {
        let minutes = 60_000;
        Self { state, now, warn_before: 10 * minutes, witness_within: 15 * minutes, patience: 0 }
    }
}

/// What a look at all logs came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Every log was judged, and nothing accuses an operator.
    Holds,
    /// Some log was not judged.
    NotJudged,
    /// Something accuses an operator.
    Accuses,
}

/// Logs, and what is known of them.
#[derive(Debug)]
pub struct Monitor<'a> {
    followers: Vec<Follower<'a>>,
    options: &'a MonitorOptions,
    journal: Mutex<Journal>,
    metrics: Arc<MonitorMetrics>,
    webhook: Option<Webhook>,
    /// Locked: two monitors on one folder would overwrite each other's state.
    _lock: File,
}

/// How long a thread sleeps before it looks whether to stop.
const SLICE: Duration = Duration::from_millis(100);

impl<'a> Monitor<'a> {
    /// Opens the folder and reads what is known. No log is read yet.
    ///
    /// # Errors
    /// [`MonitorError`] if the folder cannot be used, is in use, or is damaged.
    pub fn open(
        logs: &'a [FollowedLog],
        options: &'a MonitorOptions,
        webhook: Option<Webhook>,
    ) -> Result<Self, MonitorError> {
        let dir = &options.state;
        let failed = |error| MonitorError::of(dir, error);
        fs::create_dir_all(dir).map_err(failed)?;
        let file = File::create(dir.join("lock")).map_err(failed)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(MonitorError::of(dir, "another monitor uses this folder"));
            }
            // A file system without locks: then the user must know.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let turn = Arc::default();
        let followers = logs.iter().map(|log| Follower::new(log, options, &turn));
        let followers: Vec<Follower<'a>> = followers.collect::<Result<_, _>>()?;
        let mut journal = Journal::open(dir)?;
        if webhook.is_none() {
            journal.pass_over()?;
        }
        let metrics = Arc::default();
        let journal = Mutex::new(journal);
        Ok(Self { followers, options, journal, metrics, webhook, _lock: file })
    }

    /// Its numbers, also while it runs.
    #[must_use]
    pub fn metrics(&self) -> Arc<MonitorMetrics> {
        Arc::clone(&self.metrics)
    }

    /// Looks once at each log, and posts what waits once. `tell` is called with each event.
    ///
    /// # Errors
    /// [`MonitorError`] of the folder. What was told and not written is told again.
    pub fn once(
        &mut self,
        tell: &(dyn Fn(&MonitorEvent) + Sync),
        trouble: &(dyn Fn(&str) + Sync),
    ) -> Result<Outcome, MonitorError> {
        let mut outcome = Outcome::Holds;
        for follower in &mut self.followers {
            let told = Told { journal: &self.journal, metrics: &self.metrics, tell };
            told.look(follower, (self.options.now)())?;
            let status = &follower.status;
            outcome = outcome.max(match (status.accuses, status.is_judged) {
                (true, _) => Outcome::Accuses,
                (false, true) => Outcome::Holds,
                (false, false) => Outcome::NotJudged,
            });
        }
        if let Some(webhook) = &self.webhook
            && let Err(says) = webhook.drain(&self.journal, &self.metrics, 0)
        {
            trouble(&format!("--webhook: {says}; what waits is posted by the next run"));
        }
        Ok(outcome)
    }

    /// Follows the logs until `stop` is set: each log every so often, give or take a tenth, so that
    /// many monitors do not ask at once. `trouble` is called with what keeps the monitor from its
    /// work; it goes on, and tells again what was not written.
    pub fn follow(
        self,
        every: Duration,
        stop: &AtomicBool,
        tell: &(dyn Fn(&MonitorEvent) + Sync),
        trouble: &(dyn Fn(&str) + Sync),
    ) {
        let Self { followers, options, journal, metrics, webhook, _lock } = self;
        let stopped = |wait: Duration| {
            let mut left = wait;
            while !left.is_zero() && !stop.load(Ordering::Relaxed) {
                let slice = left.min(SLICE);
                thread::sleep(slice);
                left = left.saturating_sub(slice);
            }
            stop.load(Ordering::Relaxed)
        };
        let (journal, metrics) = (&journal, &metrics);
        thread::scope(|scope| {
            if let Some(webhook) = &webhook {
                scope.spawn(move || webhook.run(journal, metrics, stopped, trouble));
            }
            for mut follower in followers {
                scope.spawn(move || {
                    loop {
                        let told = Told { journal, metrics, tell };
                        if let Err(error) = told.look(&mut follower, (options.now)()) {
                            trouble(&error.to_string());
                        }
                        if stopped(jittered(every)) {
                            return;
                        }
                    }
                });
            }
        });
    }
}

/// Where events go.
struct Told<'a> {
    journal: &'a Mutex<Journal>,
    metrics: &'a MonitorMetrics,
    tell: &'a (dyn Fn(&MonitorEvent) + Sync),
}

impl Told<'_> {
    /// Looks at a log; tells what is new; then writes that it was told. A monitor that is killed on
    /// the way does it again: an event is told at least once.
    fn look(&self, follower: &mut Follower<'_>, now: u64) -> Result<(), MonitorError> {
        let looked = follower.look(now);
        self.metrics.looked(&follower.called, &follower.status);
        let news = looked?;
        let kept = news.events.iter().filter(|event| event.event != EventKind::Judged);
        lock(self.journal).append(&kept.collect::<Vec<_>>())?;
        for event in &news.events {
            (self.tell)(event);
            self.metrics.told(event);
        }
        follower.keep(news)
    }
}

/// A time, more or less a tenth of it.
fn jittered(every: Duration) -> Duration {
    let random = RandomState::new().hash_one(0) % 201;
    let thousandths = 900_u32.saturating_add(u32::try_from(random).unwrap_or(100));
    every.saturating_mul(thousandths) / 1000
}
