//! The task that publishes what is committed, and answers the callers that wait for it.
//!
//! If publishing fails, the task retries as long as the ledger is open, and reads what is committed
//! from the database. A caller waits a stated time, and then gets the answer that its entry is
//! committed and not published yet.

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::core::Core;
use crate::deal::batch::{Batch, Settled};
use crate::deal::observer::BatchEvent;
use crate::entropy::random;
use crate::error::LedgerError;
use crate::publish::clean_up::{self, CleanUp};
use crate::publish::publisher::{self, Job};
use crate::store::{Fault, StoreError};

/// The most answers that wait while publishing is in trouble. After that the sequencer waits too.
const MOST: usize = 1024;

/// An attempt that takes longer is in trouble. Meanwhile batches are taken, so that their callers
/// get an answer in time.
pub(crate) const SLOW: Duration = Duration::from_secs(1);

/// The pauses between two attempts: each about twice as long as the one before.
const PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// How often an idle ledger checks that everything committed is published.
const IDLE: Duration = Duration::from_secs(10);

const FOR_EVER: Duration = Duration::from_hours(24 * 365);

/// The state of the publishing task. No other task reads or writes it.
struct Outbox<'a> {
    core: &'a Core,
    batches: mpsc::Receiver<Batch>,
    /// No more batches will come.
    is_closed: bool,
    /// The callers, in the order of their commits.
    waiting: VecDeque<Waiting>,
    /// The number of answers in `waiting`.
    answers: usize,
    /// The next job.
    job: Job,
    /// The size up to which it must be published.
    needed: u64,
    /// Why the last attempt failed.
    why: Option<LedgerError>,
}

/// The callers of one batch.
struct Waiting {
    size: u64,
    until: Instant,
    settled: Vec<Settled>,
}

/// Publishes committed batches, many at once if they have piled up, and answers. Ends when no more
/// can come.
pub(crate) async fn publish_all(
    core: Arc<Core>,
    batches: mpsc::Receiver<Batch>,
) -> Result<(), LedgerError> {
    let mut outbox = Outbox {
        core: &core,
        batches,
        is_closed: false,
        waiting: VecDeque::new(),
        answers: 0,
        job: Job::default(),
        needed: 0,
        why: None,
    };
    let (mut last, mut cleaning) = (Ok(()), CleanUp::default());
    while outbox.fill().await {
        last = outbox.catch_up().await;
        cleaning.start(&core);
    }
    cleaning.ended().await;
    if last.is_ok() { clean_up::close(&core).await } else { last }
}

impl Outbox<'_> {
    /// Waits for a batch, and takes all that are there.
    async fn fill(&mut self) -> bool {
        if self.is_closed {
            return false;
        }
        let Some(first) = self.first().await else { return false };
        self.job = first;
        while let Ok(next) = self.batches.try_recv() {
            let job = self.take(next);
            self.job.append(job);
        }
        true
    }

    /// The next job. An idle ledger looks for entries that nobody publishes; a new batch does not
    /// wait for that.
    async fn first(&mut self) -> Option<Job> {
        if self.core.options.one_shot {
            let batch = self.batches.recv().await?;
            return Some(self.take(batch));
        }
        let (core, mut before) = (self.core, None);
        loop {
            let looked = async {
                tokio::time::sleep(IDLE).await;
                publisher::look(core).await
            };
            let looked = tokio::select! {
                biased;
                batch = self.batches.recv() => return batch.map(|batch| self.take(batch)),
                looked = looked => looked,
            };
            // As long as the published size grows, another process is publishing.
            let Some(published) = looked.filter(|published| before == Some(*published)) else {
                before = looked;
                continue;
            };
            // A publication cannot be dropped halfway. Meanwhile callers get their answers in time.
            before = self.meanwhile(Instant::now(), publisher::publish_left(core, published)).await;
            if !self.waiting.is_empty() {
                return Some(Job::nothing(self.needed));
            }
            if self.is_closed {
                return None;
            }
        }
    }

    fn take(&mut self, batch: Batch) -> Job {
        let Batch { settled, job, .. } = batch;
        self.needed = self.needed.max(job.size);
        self.answers += settled.len();
        let options = &self.core.options;
        let until = Instant::now() + if options.one_shot { FOR_EVER } else { options.publish_wait };
        self.waiting.push_back(Waiting { size: job.size, until, settled });
        job
    }

    /// Publishes all that was taken. Gives up if the ledger has stopped, or if it closes and no
    /// caller waits.
    async fn catch_up(&mut self) -> Result<(), LedgerError> {
        let (mut pause, began, before) =
            (PAUSE, Instant::now(), self.core.backlog.published_size());
        loop {
            let job = std::mem::take(&mut self.job);
            let in_trouble =
                if self.why.is_some() { Instant::now() } else { Instant::now() + SLOW };
            let published = self.meanwhile(in_trouble, publisher::publish(self.core, &job)).await;
            self.core.backlog.tried(published.as_ref().err());
            match published {
                Ok(size) => {
                    self.why = None;
                    pause = PAUSE;
                    self.answer_published(size);
                    if size >= self.needed {
                        let entries = size.saturating_sub(before);
                        let took = began.elapsed();
                        self.core.backlog.took(took);
                        self.core.tell(BatchEvent::Published { entries, took });
                        return Ok(());
                    }
                }
                Err(why) => {
                    self.why = Some(why.clone());
                    if self.core.stopped().is_some()
                        || self.core.options.one_shot
                        || !why.is_temporary()
                    {
                        self.answer_where(|_| true);
                    }
                    if self.core.stopped().is_some() || (self.is_closed && self.waiting.is_empty())
                    {
                        return Err(why);
                    }
                    let paused = tokio::time::sleep(jittered(pause));
                    self.meanwhile(Instant::now(), paused).await;
                    pause = LONGEST_PAUSE.min(pause * 2);
                }
            }
            // The rest is read from the database.
            self.job = Job::nothing(self.needed);
        }
    }

    /// Waits for `until`. Meanwhile it answers the callers that have waited too long, and takes
    /// batches while publishing is in trouble.
    async fn meanwhile<T>(&mut self, in_trouble: Instant, until: impl Future<Output = T>) -> T {
        let mut until = pin!(until);
        loop {
            let is_in_trouble = Instant::now() >= in_trouble;
            let takes = is_in_trouble && !self.is_closed && self.answers < MOST;
            let late = self.waiting.front().map(|first| first.until);
            let trouble = (!is_in_trouble).then_some(in_trouble);
            let wakes = [late, trouble].into_iter().flatten().min();
            tokio::select! {
                biased;
                done = &mut until => return done,
                batch = self.batches.recv(), if takes => match batch {
                    // Its files are not kept in memory.
                    Some(batch) => drop(self.take(batch)),
                    None => self.is_closed = true,
                },
                () = tokio::time::sleep_until(wakes.unwrap_or(in_trouble)), if wakes.is_some() => {
                    let now = Instant::now();
                    self.answer_where(|waiting| waiting.until <= now);
                }
            }
        }
    }

    /// Answers the callers whose entries are published.
    fn answer_published(&mut self, size: u64) {
        let waiting = std::mem::take(&mut self.waiting);
        for one in waiting {
            if one.size > size {
                self.waiting.push_back(one);
                continue;
            }
            self.answers -= one.settled.len();
            for Settled { done, reply } in one.settled {
                // The caller may have gone.
                drop(reply.send(Ok(done)));
            }
        }
    }

    /// Answers the first callers for which this holds that their entries are not published.
    fn answer_where(&mut self, holds: impl Fn(&Waiting) -> bool) {
        while let Some(first) = self.waiting.pop_front_if(|first| holds(first)) {
            self.answers -= first.settled.len();
            let why = self.why.clone().unwrap_or_else(|| slow(self.core.options.publish_wait));
            for Settled { done, reply } in first.settled {
                drop(reply.send(Err(LedgerError::Unpublished {
                    commitment: done.commitment,
                    nonce: done.nonce,
                    index: done.index,
                    why: Box::new(why.clone()),
                })));
            }
        }
    }
}

fn slow(waited: Duration) -> LedgerError {
    let says = format!("it has been under way for {} ms", waited.as_millis());
    StoreError::new(Fault::Unreachable, "publishing", says).into()
}

/// A random part of a pause, at least half: many nodes that were cut off together do not come back
/// together.
fn jittered(pause: Duration) -> Duration {
    let share = random::<1>().map_or(u8::MAX, |byte| byte[0]);
    pause / 2 + pause / 2 * u32::from(share) / u32::from(u8::MAX)
}
