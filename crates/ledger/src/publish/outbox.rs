//! The task that publishes what is committed, and answers the callers that wait for it.
//!
//! | state | what it waits for | what comes next |
//! |---|---|---|
//! | Idle | a batch; ten seconds | Publishing; Looking |
//! | Looking | the state's head and the checkpoint; a batch | Idle, once what nobody publishes is published; Publishing |
//! | Publishing | one attempt | Idle if all is published; Publishing for the rest; Pausing if it failed |
//! | Pausing | a while, longer each time | Publishing; Idle if the ledger closes and no caller waits |
//!
//! While an attempt fails or is slow, batches are taken all the same: their callers wait a stated
//! time, and then get the answer that their entries are committed and not published yet. What was
//! not published from memory is read from the database.

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::core::Core;
use crate::deal::batch::{Batch, Settled};
use crate::deal::observer::BatchEvent;
use crate::entropy::jittered;
use crate::error::LedgerError;
use crate::publish::clean_up::{self, CleanUp};
use crate::publish::publisher::{self, Job};
use crate::store::{Fault, StoreError};
use crate::witness::Witnesses;

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

/// See the module.
enum State {
    Idle,
    Looking,
    Publishing,
    Pausing,
    Ended,
}

/// What the publishing task knows. No other task reads or writes it.
struct Outbox {
    core: Arc<Core>,
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
    /// When the first attempt for it began, and the published size then.
    began: (Instant, u64),
    /// Why the last attempt failed, and the next pause.
    why: Option<LedgerError>,
    pause: Duration,
    /// The published size, if the last look found that the state has more.
    left: Option<u64>,
    cleaning: CleanUp,
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
        core,
        batches,
        is_closed: false,
        waiting: VecDeque::new(),
        answers: 0,
        job: Job::default(),
        needed: 0,
        began: (Instant::now(), 0),
        why: None,
        pause: PAUSE,
        left: None,
        cleaning: CleanUp::default(),
    };
    // In publish mode nothing is taken until witnesses have signed the head.
    let mut state = if outbox.core.waits() { State::Publishing } else { State::Idle };
    loop {
        state = match state {
            State::Idle => outbox.idle().await,
            State::Looking => outbox.look().await,
            State::Publishing => outbox.publish().await,
            State::Pausing => outbox.pause().await,
            State::Ended => break,
        };
    }
    let Outbox { core, why, cleaning, .. } = outbox;
    cleaning.ended().await;
    match why {
        None => clean_up::close(&core).await,
        Some(why) => Err(why),
    }
}

impl Outbox {
    async fn idle(&mut self) -> State {
        if self.is_closed {
            return State::Ended;
        }
        let idle = if self.core.options.one_shot { FOR_EVER } else { IDLE };
        match tokio::time::timeout(idle, self.batches.recv()).await {
            Ok(batch) => self.begin(batch),
            Err(_) => State::Looking,
        }
    }

    /// An idle ledger looks for entries that nobody publishes.
    async fn look(&mut self) -> State {
        let core = Arc::clone(&self.core);
        let looked = tokio::select! {
            biased;
            batch = self.batches.recv() => return self.begin(batch),
            looked = publisher::look(&core) => looked,
        };
        // As long as the published size grows, another process is publishing.
        let before = std::mem::replace(&mut self.left, looked);
        if looked.is_some() && looked == before {
            // A publication cannot be dropped halfway. Callers that come get their answers in time.
            let published = publisher::publish_left(&core);
            if self.meanwhile(Instant::now(), published).await {
                self.left = None;
            }
            if !self.waiting.is_empty() {
                self.begins();
                self.job = Job::nothing(self.needed);
                return State::Publishing;
            }
        }
        State::Idle
    }

    /// Takes a batch, and all others that are there.
    fn begin(&mut self, batch: Option<Batch>) -> State {
        let Some(batch) = batch else {
            self.is_closed = true;
            return State::Ended;
        };
        self.left = None;
        self.begins();
        self.job = self.take(batch);
        while let Ok(next) = self.batches.try_recv() {
            let job = self.take(next);
            self.job.append(job);
        }
        State::Publishing
    }

    fn begins(&mut self) {
        self.began = (Instant::now(), self.core.backlog.published_size());
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

    /// One attempt to publish all that was taken.
    async fn publish(&mut self) -> State {
        let core = Arc::clone(&self.core);
        self.wait_for_round().await;
        let job = std::mem::take(&mut self.job);
        let slow = if self.why.is_some() { Duration::ZERO } else { SLOW };
        let attempt = publisher::publish(&core, &job);
        let published = self.meanwhile(Instant::now() + slow, attempt).await;
        core.backlog.tried(published.as_ref().err());
        self.job = Job::nothing(self.needed);
        match published {
            Ok(size) => {
                (self.why, self.pause) = (None, PAUSE);
                self.answer_published(size);
                if size < self.needed {
                    return State::Publishing;
                }
                let (began, before) = self.began;
                let (entries, took) = (size.saturating_sub(before), began.elapsed());
                core.backlog.took(took);
                core.tell(BatchEvent::Published { entries, took });
                self.cleaning.start(&core);
                State::Idle
            }
            Err(why) => {
                let (is_stopped, is_temporary) = (core.stopped().is_some(), why.is_temporary());
                self.why = Some(why);
                if is_stopped || core.options.one_shot || !is_temporary {
                    self.answer_where(|_| true);
                }
                if is_stopped { State::Idle } else { State::Pausing }
            }
        }
    }

    /// Waits until the witnesses may be asked again. The batches that come meanwhile are in the same
    /// round.
    async fn wait_for_round(&mut self) {
        let witnesses = self.core.witnesses.as_ref().filter(|one| one.comes_first());
        let pause = witnesses.map_or(Duration::ZERO, Witnesses::pause);
        if pause.is_zero() {
            return;
        }
        let before = self.needed;
        self.meanwhile(Instant::now(), tokio::time::sleep(pause)).await;
        if self.needed > before {
            self.job = Job::nothing(self.needed);
        }
    }

    async fn pause(&mut self) -> State {
        if self.is_closed && self.waiting.is_empty() {
            return State::Idle;
        }
        let paused = tokio::time::sleep(jittered(self.pause));
        self.meanwhile(Instant::now(), paused).await;
        self.pause = LONGEST_PAUSE.min(self.pause * 2);
        State::Publishing
    }

    /// Waits for `until`. Meanwhile it answers the callers that have waited too long, and takes
    /// batches while publishing is in trouble.
    async fn meanwhile<T>(&mut self, in_trouble: Instant, until: impl Future<Output = T>) -> T {
        let mut until = pin!(until);
        loop {
            // Nothing was taken yet, so that nothing is left unpublished.
            if self.is_closed && self.core.waits() {
                self.core.witnesses.iter().for_each(Witnesses::give_up);
            }
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

    /// Why a publication that is under way has not ended.
    fn slow(&self) -> LedgerError {
        if let Some(witnesses) = self.core.witnesses.as_ref().filter(|one| one.comes_first()) {
            return witnesses.unwitnessed();
        }
        let waited = self.core.options.publish_wait.as_millis();
        let says = format!("it has been under way for {waited} ms");
        StoreError::new(Fault::Unreachable, "publishing", says).into()
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
            let why = self.why.clone().unwrap_or_else(|| self.slow());
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
