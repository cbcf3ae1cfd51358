//! Several logs at once: a thread for each, and one for the webhook.

use std::fs::{self, File, TryLockError};
use std::hash::{BuildHasher as _, RandomState};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::event::{EventKind, MonitorEvent};
use super::follow::{Common, FollowedLog, Follower};
use super::journal::Journal;
use super::metrics::MonitorMetrics;
use super::turn::Turn;
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
    common: Arc<Common<'a>>,
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
        let origins = logs.iter().map(|log| log.key.name().to_string()).collect();
        let (turn, stop) = (Turn::default(), Arc::default());
        let common = Arc::new(Common { options, origins, turn, stop });
        let followers = logs.iter().map(|log| Follower::new(log, &common));
        let followers = followers.collect::<Result<Vec<_>, _>>()?;
        let mut journal = Journal::open(dir)?;
        if webhook.is_none() {
            journal.pass_over()?;
        }
        let metrics: Arc<MonitorMetrics> = Arc::default();
        for follower in &followers {
            metrics.looked(&follower.called, &follower.status);
        }
        let journal = Mutex::new(journal);
        Ok(Self { followers, common, journal, metrics, webhook, _lock: file })
    }

    /// Ends the monitor once it is set: no file of a log is read any more.
    #[must_use]
    pub fn stop(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.common.stop)
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
        let told = Told { journal: &self.journal, metrics: &self.metrics, tell };
        // An audit can be long: before the first one, all logs are compared.
        for follower in &mut self.followers {
            told.compare(follower, (self.common.options.now)())?;
        }
        for follower in &mut self.followers {
            told.judge(follower)?;
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

    /// Follows the logs until it is [stopped](Self::stop): each log every so often, give or take a
    /// tenth, so that many monitors do not ask at once. `trouble` is called with the failures of the
    /// monitor's own folder and of the webhook. The monitor goes on, and tells again the events that
    /// were not written.
    pub fn follow(
        self,
        every: Duration,
        tell: &(dyn Fn(&MonitorEvent) + Sync),
        trouble: &(dyn Fn(&str) + Sync),
    ) {
        let Self { followers, common, journal, metrics, webhook, _lock } = self;
        let Common { options, stop, .. } = &*common;
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
                        let compared = told.compare(&mut follower, (options.now)());
                        if let Err(error) = compared.and_then(|()| told.judge(&mut follower)) {
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
    /// The first part of a look.
    fn compare(&self, follower: &mut Follower<'_>, now: u64) -> Result<(), MonitorError> {
        let is_told = self.part(follower, |follower| follower.compare(now))?;
        // Otherwise the state is written once, after the audit.
        if is_told { follower.keep() } else { Ok(()) }
    }

    /// The second one.
    fn judge(&self, follower: &mut Follower<'_>) -> Result<(), MonitorError> {
        self.part(follower, Follower::judge)?;
        follower.keep()
    }

    /// A part of a look: tells what is new, and returns whether there was anything. After that it is
    /// written that it was told. A monitor that is killed on the way does it again: an event is told at
    /// least once. So it does if the disk is full.
    fn part<'a>(
        &self,
        follower: &mut Follower<'a>,
        work: impl FnOnce(&mut Follower<'a>) -> Result<Vec<MonitorEvent>, MonitorError>,
    ) -> Result<bool, MonitorError> {
        let before = follower.memory();
        let events = work(follower).and_then(|events| {
            let kept = events.iter().filter(|event| event.event != EventKind::Judged);
            lock(self.journal).append(&kept.collect::<Vec<_>>())?;
            Ok(events)
        });
        if events.is_err() {
            follower.restore(before);
        }
        self.metrics.looked(&follower.called, &follower.status);
        let events = events?;
        for event in &events {
            (self.tell)(event);
            self.metrics.told(event);
        }
        Ok(!events.is_empty())
    }
}

/// A time, more or less a tenth of it.
fn jittered(every: Duration) -> Duration {
    let random = RandomState::new().hash_one(0) % 201;
    let thousandths = 900_u32.saturating_add(u32::try_from(random).unwrap_or(100));
    every.saturating_mul(thousandths) / 1000
}
