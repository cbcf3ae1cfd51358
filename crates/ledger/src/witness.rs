//! Cosignatures of witnesses over the ledger's checkpoints (spec/witness.md, section 28).
//!
//! | task | what it does |
//! |---|---|
//! | one for each witness ([`asking`]) | asks for a cosignature of the target, until it has one or the target changes |
//! | the publisher, in publish mode ([`cosigned`]) | makes the head the target, and waits for a quorum |
//! | the tender ([`anchors`]) | in anchor mode makes the published checkpoint the target; in both modes puts anchors into the log |
//!
//! One target at a time: if each witness were asked for the newest size, they would sign different
//! sizes, and no size would have a quorum.

pub(crate) mod anchors;
mod asking;
mod exchange;
mod round;
mod signed;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use crate::core::Core;
use crate::deal::sequencer::Message;
use crate::error::LedgerError;
use fairdeal::log::{
    Checkpoint, Note, Policy, Signature, SignedCheckpoint, VerifierKey, Witness, Witnessed,
};
use fairdeal::utc::utc;
pub(crate) use round::{check, cosigned};

/// The sizes whose cosignatures are kept: those that come late are for an anchor.
const KEPT: usize = 8;

/// The shortest time for a round, so that a witness can answer, and answer again from the size that
/// it named, whatever callers wait.
const ROUND: Duration = Duration::from_secs(4);

/// How far an entry's time and this machine's clock may be ahead of the witnesses' in a checkpoint,
/// in milliseconds. Audits accuse from 300,000 on (spec/audit.md, `time-ahead`).
const AHEAD: u64 = 240_000;

/// How a ledger works with witnesses (spec/witness.md, section 28).
#[derive(Clone, Debug)]
pub struct Witnessing {
    /// The operator's own policy. Its witnesses need URLs.
    pub policy: Arc<Policy>,
    /// When callers get their answers. Default: [`WitnessMode::Publish`].
    pub mode: WitnessMode,
    /// The least time between the beginnings of two rounds. Default: 1 second, for public
    /// witnesses; 0 is for one's own.
    pub every: Duration,
    /// The least time between two anchors. Default: 60 seconds.
    pub anchor_every: Duration,
}

/// Whether a checkpoint is published before or after witnesses have signed it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WitnessMode {
    /// Only checkpoints that a quorum has signed are published, and callers wait for that.
    #[default]
    Publish,
    /// Checkpoints are published at once. Cosignatures come later, in anchors. A restored backup
    /// can show a fork until witnesses are asked again.
    Anchor,
}

impl Witnessing {
    /// Publishes only checkpoints that a quorum of this policy has signed.
    #[must_use]
    pub fn new(policy: Arc<Policy>) -> Self {
        Self {
            policy,
            mode: WitnessMode::default(),
            every: Duration::from_secs(1),
            anchor_every: Duration::from_mins(1),
        }
    }
}

/// The state of one witness, as its last answers show it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WitnessHealth {
    /// Its name in the policy.
    pub name: String,
    /// The largest size that it has signed for this process.
    pub signed: Option<u64>,
    /// Its last answer, in words. `None` before the first.
    pub answer: Option<String>,
    /// What it claims of this log, if the ledger's head contradicts that. Until it signs again, it
    /// counts for no quorum.
    pub claim: Option<String>,
    /// How often it named a smaller size than before: it was restored from a backup.
    pub rolled_back: u64,
}

/// The witnesses' part of a ledger's health.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WitnessesHealth {
    /// In the policy's order. Empty without a policy.
    pub each: Vec<WitnessHealth>,
    /// Whether commands wait for the first quorum since the start.
    pub waits: bool,
    /// Whether the witnesses without a claim cannot make a quorum, so that commands are refused.
    pub contradict: bool,
    /// Why the last anchor that was due is not in the log.
    pub unanchored: Option<String>,
}

/// The wish of the task that runs a round.
#[derive(Clone, Debug)]
enum Wanted {
    Nothing,
    /// To be signed. Its note has the log's signature alone.
    Target(Arc<asking::Target>),
    /// The ledger is closed.
    Ended,
}

/// The witnesses of an open ledger.
#[derive(Debug)]
pub(crate) struct Witnesses {
    pub(crate) options: Witnessing,
    /// Written by the task that runs rounds: the publisher in publish mode, the tender in anchor
    /// mode.
    wanted: watch::Sender<Wanted>,
    /// Changes with each answer, for those who wait for a quorum, and with each publication, for
    /// the tender.
    answered: watch::Sender<()>,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    /// In the policy's order. Each is written by the task that asks this witness.
    each: Vec<Known>,
    /// Cosignatures of the last few targets, by size. Written by the asking tasks.
    signed: BTreeMap<u64, Cosigned>,
    /// Why the last quorum's checkpoint was not published. Written by the publisher.
    clock: Option<String>,
    /// When the last round began. Written by the task that runs rounds.
    began: Option<Instant>,
    /// Whether a quorum has signed the head since the start. Written by the publisher.
    has_begun: bool,
    /// Whether the ledger closes before its first quorum. Written by the publisher.
    is_given_up: bool,
    /// See [`WitnessesHealth`]. Written by the tender.
    unanchored: Option<String>,
    /// The size of the log's last anchor, as far as this process knows. Written by the tender, and
    /// before that by whoever opens the ledger.
    anchored: u64,
    /// Cosignatures of published notes, as the start or another process's publication has shown
    /// them, by size. They show when entries were seen, and are no answer to this process: a restored
    /// backup has them too. Written by whoever opens the ledger, and by the publisher.
    found: BTreeMap<u64, Cosigned>,
}

/// The knowledge about one witness.
#[derive(Debug)]
struct Known {
    health: WitnessHealth,
    /// The largest size of this log that it has named over a target's, if the head has as many
    /// entries: another process has added them.
    ahead: u64,
    /// The time of its last cosignature in Unix seconds, and when it came.
    clock: Option<(u64, Instant)>,
    /// Whether it has answered in this round. Also written where a round begins.
    has_answered: bool,
}

/// The cosignatures of one checkpoint.
#[derive(Clone, Debug)]
pub(crate) struct Cosigned {
    pub(crate) checkpoint: Checkpoint,
    /// By witness, in the policy's order: the line and its time in Unix seconds.
    pub(crate) lines: Vec<Option<(Signature, u64)>>,
}

impl Cosigned {
    /// The same without the line of one witness.
    pub(crate) fn without(&self, witness: usize) -> Self {
        let mut less = self.clone();
        drop(less.lines.get_mut(witness).and_then(Option::take));
        less
    }

    /// The quorum that these lines make under a policy, if they do.
    pub(crate) fn witnessed(&self, policy: &Policy) -> Witnessed {
        let times = self.lines.iter().map(|line| line.as_ref().map(|(_, time)| *time));
        let signed: Vec<Option<u64>> = times.collect();
        Witnessed { quorum: policy.quorum(&signed), signed }
    }
}

/// Why a round ended without a quorum.
pub(crate) enum NoQuorum {
    /// Another process has grown the log: the next round is about the newest head.
    Superseded,
    Failed(LedgerError),
}

impl<E: Into<LedgerError>> From<E> for NoQuorum {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl Witnesses {
    /// The witnesses for the log of this key. `None` for the quorum `none`.
    ///
    /// # Errors
    /// [`LedgerError::Invalid`] for a policy of other logs, and for one whose quorum cannot be
    /// reached by the witnesses that have a URL.
    pub(crate) fn new(options: Witnessing, key: &VerifierKey) -> Result<Option<Self>, LedgerError> {
        let policy = &options.policy;
        let quorum = |signs: &dyn Fn(&Witness) -> bool| {
            let signed = policy.witnesses().iter().map(|one| signs(one).then_some(1));
            policy.quorum(&signed.collect::<Vec<_>>()).is_some()
        };
        if !policy.is_for(key) {
            let says = format!(
                "the policy of witnesses: expected a line \"log\" for {}+{}, found other logs",
                key.name(),
                key.id()
            );
            return Err(LedgerError::Invalid(says));
        }
        if !quorum(&|_| true) {
            return Ok(None);
        }
        let most = Note::MAX_SIGNATURES - 1;
        if policy.witnesses().len() > most {
            let says = format!(
                "the policy of witnesses: expected at most {most}, since a checkpoint has a line of each and the \
                 log's, found {}",
                policy.witnesses().len()
            );
            return Err(LedgerError::Invalid(says));
        }
        if !quorum(&|one| asking::url(one).is_some()) {
            let says = "the policy of witnesses: expected URLs (http:// or https://) of so many that they make \
                        its quorum";
            return Err(LedgerError::Invalid(says.to_owned()));
        }
        let each = options.policy.witnesses().iter().map(|one| Known {
            health: WitnessHealth { name: one.name(), ..WitnessHealth::default() },
            ahead: 0,
            clock: None,
            has_answered: false,
        });
        let inner = Inner {
            each: each.collect(),
            clock: None,
            signed: BTreeMap::new(),
            began: None,
            has_begun: false,
            is_given_up: false,
            unanchored: None,
            anchored: 0,
            found: BTreeMap::new(),
        };
        let (wanted, answered) = (watch::Sender::new(Wanted::Nothing), watch::Sender::new(()));
        Ok(Some(Self { options, wanted, answered, inner: Mutex::new(inner) }))
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts the tasks, except the publisher. They end with [`end`](Self::end).
    pub(crate) fn start(core: &Arc<Core>, queue: mpsc::WeakSender<Message>) {
        let Some(witnesses) = &core.witnesses else { return };
        for at in 0..witnesses.options.policy.witnesses().len() {
            tokio::spawn(asking::ask(Arc::clone(core), at, witnesses.wanted.subscribe()));
        }
        tokio::spawn(anchors::tend(Arc::clone(core), queue));
    }

    /// Ends all tasks.
    pub(crate) fn end(&self) {
        self.wanted.send_replace(Wanted::Ended);
        self.wake();
    }

    /// Ends the round without a quorum, if it has none.
    pub(crate) fn give_up(&self) {
        self.inner().is_given_up = true;
        self.wake();
    }

    /// Wakes all that wait for an answer, or for a publication.
    pub(crate) fn wake(&self) {
        self.answered.send_replace(());
    }

    fn has_ended(&self) -> bool {
        matches!(*self.wanted.borrow(), Wanted::Ended)
    }

    /// Whether checkpoints are published only once a quorum has signed them.
    pub(crate) fn comes_first(&self) -> bool {
        self.options.mode == WitnessMode::Publish
    }

    /// Whether no quorum has signed the head since the start, and commands must wait for one.
    pub(crate) fn waits(&self) -> bool {
        self.comes_first() && !self.inner().has_begun
    }

    /// Waits until a quorum has signed the head since the start, or the witnesses contradict it.
    pub(crate) async fn begun(&self, most: Duration) -> Result<(), LedgerError> {
        let mut answered = self.answered.subscribe();
        let begun = async {
            while self.waits()
                && self.agree().is_ok()
                && !self.has_ended()
                && answered.changed().await.is_ok()
            {}
        };
        let _in_time = tokio::time::timeout(most, begun).await;
        self.agree()?;
        if self.waits() { Err(self.unwitnessed()) } else { Ok(()) }
    }

    /// An error if the witnesses without a claim cannot make a quorum.
    pub(crate) fn agree(&self) -> Result<(), LedgerError> {
        let inner = self.inner();
        let free = inner.each.iter().map(|one| one.health.claim.is_none().then_some(1));
        if self.options.policy.quorum(&free.collect::<Vec<_>>()).is_some() {
            return Ok(());
        }
        let each = inner.each.iter().map(|one| &one.health);
        let claims = each.filter_map(|one| Some((&one.name, one.claim.as_ref()?)));
        let says: Vec<String> =
            claims.map(|(name, claim)| format!("witness {name}: {claim}")).collect();
        Err(LedgerError::WitnessesContradict(says.join("; ")))
    }

    /// The time until the next round may begin.
    pub(crate) fn pause(&self) -> Duration {
        let began = self.inner().began;
        began.map_or(Duration::ZERO, |began| self.options.every.saturating_sub(began.elapsed()))
    }

    /// The time since the last round began.
    fn age(&self) -> Duration {
        self.inner().began.map_or(Duration::MAX, |began| began.elapsed())
    }

    /// Begins a round.
    fn want(&self, target: SignedCheckpoint) {
        let mut inner = self.inner();
        inner.began = Some(Instant::now());
        inner.each.iter_mut().for_each(|one| one.has_answered = false);
        drop(inner);
        self.wanted.send_replace(Wanted::Target(Arc::new(asking::Target::new(target))));
    }

    /// The failure to get a quorum, with the last answer of each witness.
    pub(crate) fn unwitnessed(&self) -> LedgerError {
        let inner = self.inner();
        let says = inner.each.iter().map(|one| {
            let answer = match &one.health.answer {
                None => "no answer yet".to_owned(),
                Some(answer) if one.has_answered => answer.clone(),
                Some(answer) => format!("no answer in this round (the last one: {answer})"),
            };
            format!("{}: {answer}", one.health.name)
        });
        LedgerError::Unwitnessed(
            inner.clock.iter().cloned().chain(says).collect::<Vec<_>>().join("; "),
        )
    }

    /// Whether audits could find `time-ahead` under a checkpoint with these cosignatures, whose newest
    /// entry has this time; and before the first quorum, under the next one. Then the cosignatures are
    /// forgotten: later ones may do.
    fn is_ahead_of(&self, found: &Cosigned, newest: u64, now: u64) -> bool {
        let policy = &self.options.policy;
        let mut inner = self.inner();
        let passed = |(time, at): (u64, Instant)| time.saturating_add(at.elapsed().as_secs());
        let clocks: Vec<_> = inner.each.iter().map(|one| one.clock.map(passed)).collect();
        let by = found.witnessed(policy).quorum.and_then(|quorum| quorum.by);
        let clock =
            policy.quorum(&clocks).and_then(|quorum| quorum.by).filter(|_| !inner.has_begun);
        let ahead = [(newest, by), (now, clock)].into_iter().find_map(|(time, by)| {
            by.filter(|by| time > by.saturating_mul(1000).saturating_add(AHEAD))
        });
        inner.clock = ahead.map(|by| {
            format!(
                "clock: this machine's is more than {} s ahead of the witnesses' ({}); under such a checkpoint audits could accuse the log",
                AHEAD / 1000,
                utc(by.saturating_mul(1000))
            )
        });
        if ahead.is_some() {
            inner.signed.remove(&found.checkpoint.size());
        }
        ahead.is_some()
    }

    /// Whether so many witnesses name more entries than a target has that the others make no
    /// quorum. A single one may lie.
    fn is_superseded(&self, size: u64) -> bool {
        let inner = self.inner();
        let can_sign = inner.each.iter().map(|one| (one.ahead <= size).then_some(1));
        self.options.policy.quorum(&can_sign.collect::<Vec<_>>()).is_none()
    }

    /// Notes that a witness names this many entries of the log, and that the head has them.
    fn is_ahead(&self, at: usize, size: u64) {
        if let Some(one) = self.inner().each.get_mut(at) {
            one.ahead = size.max(one.ahead);
        }
    }

    /// Waits until the next round may begin, or the ledger gives up.
    async fn rest(&self) {
        let mut answered = self.answered.subscribe();
        let given_up =
            async { while !self.inner().is_given_up && answered.changed().await.is_ok() {} };
        let _given_up_or_not = tokio::time::timeout(self.pause(), given_up).await;
    }

    /// Changes what is known of a witness.
    fn note(&self, at: usize, change: impl FnOnce(&mut WitnessHealth)) {
        if let Some(one) = self.inner().each.get_mut(at) {
            change(&mut one.health);
            one.has_answered = true;
        }
        self.answered.send_replace(());
    }

    /// The witnesses' part of the ledger's health.
    pub(crate) fn health(&self) -> WitnessesHealth {
        let (contradict, waits) = (self.agree().is_err(), self.waits());
        let inner = self.inner();
        WitnessesHealth {
            each: inner.each.iter().map(|one| one.health.clone()).collect(),
            waits,
            contradict,
            unanchored: inner.unanchored.clone(),
        }
    }
}
