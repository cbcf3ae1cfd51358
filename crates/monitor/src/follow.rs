//! One log: a look at its checkpoint, what it is compared with, the audit of what is new.

mod others;
mod warnings;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use sha2::{Digest as _, Sha256};

use super::event::{EventKind, MonitorEvent, code};
use super::memory::{Heads, Memory};
use super::view::{Head, NoHead, View, open};
use super::{MonitorError, MonitorOptions};
use super::{evidence, turn::Turn};
use fairdeal::log::{Policy, Quorum, VerifierKey, Witnessed};
use fairdeal::record::finding::Accused;
use fairdeal::record::life::TOLERANCE;
use fairdeal::record::{Code, Finding};
use fairdeal_audit::source::{AuditOptions, Audited, Files, LogSource, SourceError};
use fairdeal_audit::{AuditVerdict, DueReveal, Missed, Signatures, Times};
use others::{Met, Other};

/// A log to follow.
#[derive(Clone, Debug)]
pub struct FollowedLog {
    /// A URL, or a folder.
    pub name: String,
    /// Its key.
    pub key: VerifierKey,
    /// The reader's witnesses, if the policy is for this log.
    pub policy: Option<Arc<Policy>>,
    /// What others were given. What is of another log is passed over.
    pub compare: Vec<ComparedWith>,
}

/// What others were given.
#[derive(Clone, Debug)]
pub enum ComparedWith {
    /// A log: a URL, or a folder.
    Log(String),
    /// A file: a checkpoint, or a receipt for its checkpoint.
    File(PathBuf),
}

/// Findings that are told one by one; more are counted. An audit keeps a thousand of each code.
const TOLD: usize = 20_000;

/// An audit of more new entries than this waits for its turn.
const MANY: u64 = 65_536;

/// The logs of a monitor have this in common.
#[derive(Debug)]
pub(crate) struct Common<'a> {
    pub(crate) options: &'a MonitorOptions,
    /// The names of all logs.
    pub(crate) origins: Vec<String>,
    pub(crate) turn: Turn,
    /// Whether the monitor is to end.
    pub(crate) stop: Arc<AtomicBool>,
}

/// A log, and what is known of it.
#[derive(Debug)]
pub(crate) struct Follower<'a> {
    log: &'a FollowedLog,
    common: Arc<Common<'a>>,
    /// The name and the id of the key.
    pub(crate) called: String,
    dir: PathBuf,
    files: Arc<dyn Files>,
    others: Vec<(String, Other)>,
    memory: Memory,
    heads: Heads,
    /// The memory on disk; `None` after a failure.
    written: Option<Memory>,
    /// A saved audit that is not on disk yet.
    unwritten: Option<String>,
    /// The heads of `memory`: the last one, and the last one whose entries were audited.
    last: Option<Head>,
    audited: Option<Head>,
    /// Heads that this look has decided. They are forgotten once everything is told.
    decided: Vec<Head>,
    now: u64,
    /// The view that this look judges.
    view: Option<View>,
    /// The head of the last audit of this process that found the files in order, and when it was, in
    /// Unix milliseconds.
    judged: Option<(Head, u64)>,
    due: Vec<DueReveal>,
    /// The time of the log's last entry, by the last audit.
    last_time: Option<u64>,
    /// How many entries are not covered, by the last audit.
    not_covered: u64,
    active: BTreeMap<String, (&'static str, String)>,
    events: Vec<MonitorEvent>,
    pub(crate) status: Status,
}

/// The numbers of a log after a look.
#[derive(Clone, Debug, Default)]
pub(crate) struct Status {
    /// Whether the last look ended with an audit's verdict, or found nothing new after one.
    pub(crate) is_judged: bool,
    /// Whether something accuses the operator.
    pub(crate) accuses: bool,
    pub(crate) size: Option<u64>,
    /// Since when the checkpoint is this one, in Unix milliseconds.
    pub(crate) since: Option<u64>,
    pub(crate) quorum: Option<u64>,
    pub(crate) counts: BTreeMap<&'static str, u64>,
    pub(crate) forks: u64,
    pub(crate) warnings: Vec<&'static str>,
    pub(crate) succeeded: Option<u64>,
}

impl<'a> Follower<'a> {
    /// Reads what is known of a log. Nothing of the log is read yet.
    ///
    /// # Errors
    /// [`MonitorError`] for a URL that is none, and for a state that cannot be read.
    pub(crate) fn new(
        log: &'a FollowedLog,
        common: &Arc<Common<'a>>,
    ) -> Result<Self, MonitorError> {
        let opened = |name: &str| open(name).map_err(|error| MonitorError(error.to_string()));
        let called = format!("{}+{}", log.key.name(), log.key.id());
        // A name may be longer than a file's, and have any character.
        let digest = hex::encode(Sha256::digest(log.key.to_text()));
        let dir = common.options.state.join(digest.get(..32).unwrap_or_default());
        fs::create_dir_all(&dir).map_err(|error| MonitorError::of(&dir, error))?;
        let others = log.compare.iter().map(|one| {
            Ok(match one {
                ComparedWith::Log(name) => (name.clone(), Other::Log(opened(name)?)),
                ComparedWith::File(path) => (path.display().to_string(), Other::File(path.clone())),
            })
        });
        let others = others.collect::<Result<_, MonitorError>>()?;
        let (mut memory, _) = Memory::read(&dir.join("state"), &log.key.to_text())?;
        let heads = Heads::read(dir.join("heads"), &log.key)?;
        let written = Some(memory.clone());
        // Another policy has other witnesses: when they had seen something is not known yet.
        let policy = log.policy.as_ref().map(|policy| hex::encode(policy.hash()));
        if memory.policy != policy {
            (memory.policy, memory.quorum) = (policy, None);
        }
        let head = |note: &Option<String>| Head::read(note.as_deref()?, &log.key).ok();
        let (last, audited) = (head(&memory.note), head(&memory.judged));
        let mut follower = Self {
            files: opened(&log.name)?,
            log,
            common: Arc::clone(common),
            called,
            dir,
            others,
            memory,
            heads,
            written,
            unwritten: None,
            last,
            audited,
            decided: Vec::new(),
            now: 0,
            view: None,
            judged: None,
            due: Vec::new(),
            last_time: None,
            not_covered: 0,
            active: BTreeMap::new(),
            events: Vec::new(),
            status: Status::default(),
        };
        follower.sum_up();
        Ok(follower)
    }

    /// The memory, to be [restored](Self::restore).
    pub(crate) fn memory(&self) -> Memory {
        self.memory.clone()
    }

    /// Forgets that something was told, since it could not be written: a later look tells it.
    pub(crate) fn restore(&mut self, before: Memory) {
        self.memory.told = before.told;
        self.memory.warnings = before.warnings;
        self.decided.clear();
        self.events.clear();
        self.view = None;
        self.judged = None;
        self.sum_up();
    }

    /// The first part of a look: reads the heads, at the log's address and at others, and compares
    /// them. Returns what is to be told. Nothing is written but heads and evidence.
    pub(crate) fn compare(&mut self, now: u64) -> Result<Vec<MonitorEvent>, MonitorError> {
        self.now = now;
        self.active.clear();
        self.view = None;
        self.decided.clear();
        let own = match View::read(&self.files, &self.log.key, &self.common.stop) {
            Ok(view) => Some(Met::own(view)),
            Err(NoHead::Unreadable(says)) => {
                self.warn(code::UNREACHABLE, says);
                None
            }
            Err(NoHead::Unsigned(says)) => {
                self.warn(code::BAD_SIGNATURE, says);
                None
            }
        };
        let is_own = own.is_some();
        let mut all: Vec<Met> = own.into_iter().chain(self.met()).collect();
        self.meet(&mut all)?;
        let mut all = all.into_iter();
        let mut own = if is_own { all.next() } else { None };
        let proved = own.as_mut().map(|own| self.prove(own)).transpose()?;
        for mut other in all {
            if let Some(says) = self.prove(&mut other)?.unknown {
                let name = other.whose().to_owned();
                self.not_compared(&name, &says);
            }
        }
        if let (Some(view), Some(proved)) = (own.and_then(Met::into_view), proved) {
            self.accept(view, proved);
        }
        Ok(self.take_events())
    }

    /// Makes the view that of the last head, and the one to be judged, if it may be.
    fn accept(&mut self, view: View, proved: others::Proved) {
        let size = view.head.size();
        if self.status.size.replace(size) != Some(size) {
            self.status.since = Some(self.now);
        }
        if let Some(says) = view.refused(&self.log.key) {
            return self.warn(code::BAD_SIGNATURE, says);
        }
        if let Some(last) = self.last.as_ref().filter(|last| last.size() > size) {
            let says = format!("{size} entries, and there were {}: an older copy", last.size());
            return self.warn(code::ROLLED_BACK, says);
        }
        if proved.is_fork || self.last.as_ref().is_some_and(|last| last.contradicts(&view.head)) {
            return;
        }
        if let Some(says) = &proved.unknown {
            let says = format!("it does not show what was signed before: {says}");
            return self.warn(code::DAMAGED, says);
        }
        self.behind(size);
        self.decide(&view.head, proved);
        self.memory.note = Some(view.head.note.clone());
        self.last = Some(view.head.clone());
        self.view = Some(view);
    }

    /// The second part of a look: audits what is new. Returns what is to be told.
    pub(crate) fn judge(&mut self) -> Result<Vec<MonitorEvent>, MonitorError> {
        self.status.is_judged = match self.view.take() {
            Some(view) => self.judge_view(view)?,
            None => false,
        };
        if self.status.is_judged {
            self.due_soon();
            self.witness_late();
            self.status.succeeded = Some(self.now);
        }
        self.settle();
        Ok(self.take_events())
    }

    /// Judges a view. Returns whether there is a verdict.
    fn judge_view(&mut self, mut view: View) -> Result<bool, MonitorError> {
        let quorum = match &self.log.policy {
            None => None,
            Some(policy) => match view.signed.witnessed(policy) {
                Ok(by) => self.quorum(&by, view.head.size()),
                Err(wrong) => {
                    self.warn(code::BAD_SIGNATURE, wrong.to_string());
                    return Ok(false);
                }
            },
        };
        Ok(self.is_judged_before(&view) || self.audit(&mut view, quorum)?)
    }

    /// The events that were found, with their place.
    fn take_events(&mut self) -> Vec<MonitorEvent> {
        self.sum_up();
        let mut events = std::mem::take(&mut self.events);
        for event in &mut events {
            event.time = self.now;
            event.at.clone_from(&self.log.name);
            event.size = event.size.or(self.status.size);
        }
        events
    }

    /// Sums up what was told.
    fn sum_up(&mut self) {
        for (code, count) in self.memory.counts() {
            if let Some(code) = Code::parse(code) {
                let known = self.status.counts.entry(code.as_str()).or_default();
                *known = count.max(*known);
            }
        }
        self.status.forks = self.memory.forks();
        self.status.accuses = !self.memory.told.is_empty();
        self.status.quorum = self.memory.quorum;
    }

    /// Writes the state, after the events were told: a monitor that ends between the two tells them
    /// again.
    pub(crate) fn keep(&mut self) -> Result<(), MonitorError> {
        if self.written.as_ref() != Some(&self.memory) || self.unwritten.is_some() {
            let path = self.dir.join("state");
            self.written = None;
            let audit = match &self.unwritten {
                Some(audit) => audit.clone(),
                None => Memory::read(&path, &self.log.key.to_text())?.1,
            };
            self.memory.write(&path, &audit)?;
            (self.written, self.unwritten) = (Some(self.memory.clone()), None);
        }
        self.heads.forget(&std::mem::take(&mut self.decided));
        self.heads.write()
    }

    fn head(&self, note: &str) -> Option<Head> {
        Head::read(note, &self.log.key).ok()
    }

    /// Whether an audit of this process has judged the view, and no reveal was due since.
    fn is_judged_before(&self, view: &View) -> bool {
        let Some((head, at)) = &self.judged else { return false };
        let late = |due: &DueReveal| due.by.saturating_add(TOLERANCE);
        head.is_same(&view.head) && !self.due.iter().any(|due| (*at..self.now).contains(&late(due)))
    }

    /// The quorum that has signed the checkpoint of this size. Without one, it warns.
    fn quorum(&mut self, by: &Witnessed, size: u64) -> Option<Quorum> {
        if by.quorum.is_none() && size > 0 {
            let (have, of) = (by.signed.iter().flatten().count(), by.signed.len());
            let says = format!("{have} of your {of} witnesses have signed it: no quorum");
            self.warn(code::QUORUM_LOST, says);
        }
        self.has_seen(by.quorum.and_then(|quorum| quorum.by));
        by.quorum
    }

    /// A quorum had seen something new by this second. No witness has seen it later than now,
    /// whatever it says.
    fn has_seen(&mut self, by: Option<u64>) {
        let by = by.map(|by| by.min(self.now / 1000));
        self.memory.quorum = self.memory.quorum.max(by);
    }

    /// The time as of which reveals are overdue: no later than what the log shows of itself, by its
    /// last entry or by a quorum's times. A cache may hold back a reveal.
    fn as_of(&self, view: &View, quorum: Option<Quorum>) -> u64 {
        let size = view.head.size();
        let last = size.checked_sub(1).and_then(|last| evidence::entry_at(view, last));
        let last = last.map(|entry| entry.time()).or(self.last_time).unwrap_or_default();
        let since = quorum.and_then(|quorum| quorum.since).unwrap_or_default();
        let since = since.saturating_mul(1000).saturating_sub(TOLERANCE);
        // A reveal that is late by less than clocks may differ accuses nobody.
        self.now.saturating_sub(TOLERANCE).min(last.max(since))
    }

    /// Audits what is new, from the saved state on. Returns whether there is a verdict.
    fn audit(&mut self, view: &mut View, quorum: Option<Quorum>) -> Result<bool, MonitorError> {
        let before = self.judged.as_ref().map(|(head, _)| head.size());
        let new = before.map(|before| view.head.size().saturating_sub(before));
        let common = Arc::clone(&self.common);
        let _taken = new.is_none_or(|new| new > MANY).then(|| common.turn.take());
        let path = self.dir.join("state");
        let state = match &self.unwritten {
            Some(state) => state.clone(),
            None => Memory::read(&path, &self.log.key.to_text())?.1,
        };
        let options = AuditOptions {
            policy: self.log.policy.as_ref(),
            times: Times { as_of: Some(self.as_of(view, quorum)), clock: Some(self.now) },
            signatures: Signatures::Verified,
            missed: Missed::new(),
            state: Some(&state),
            ..AuditOptions::under(&self.log.key)
        };
        let audited =
            LogSource::open(view.boxed()).and_then(|mut source| source.audit(&options, |_, _| {}));
        let audited = match audited {
            Ok(audited) => audited,
            Err(error @ SourceError::State(_)) => return Err(MonitorError::of(&path, error)),
            Err(error) => {
                self.warn(code::UNREACHABLE, error.to_string());
                return Ok(false);
            }
        };
        self.found(view, &audited)?;
        let Audited { verdict, state, due, .. } = audited;
        // Also of damaged files: it knows which reveals were missed.
        self.unwritten = state.or(self.unwritten.take());
        if self.active.contains_key(code::DAMAGED) {
            return Ok(false);
        }
        self.due = due;
        self.judged = Some((view.head.clone(), self.now));
        self.memory.judged = Some(view.head.note.clone());
        self.audited = Some(view.head.clone());
        self.last_time = verdict.last_time;
        if let Some(witnesses) = &verdict.witnesses {
            self.not_covered = witnesses.not_covered;
            self.has_seen(witnesses.by);
        }
        self.events.push(self.verdict(&verdict));
        Ok(true)
    }

    fn verdict(&self, verdict: &AuditVerdict) -> MonitorEvent {
        let foreign = match verdict.not_judged {
            0 => String::new(),
            n => format!(", but {n} commitments of another protocol"),
        };
        let (word, findings) = match verdict.findings.len() {
            0 => ("holds", String::new()),
            n => ("does-not-hold", format!(", {n} findings")),
        };
        let says = format!("{} entries judged{foreign}{findings}", verdict.size);
        let what = format!("{} {}", verdict.size, verdict.root.to_hex());
        MonitorEvent::new(EventKind::Judged, word, &self.called, &what).saying(says)
    }

    /// Tells the findings that are new. One that accuses nobody, or whoever sent the files, is a
    /// warning about the copy.
    fn found(&mut self, view: &mut View, audited: &Audited) -> Result<(), MonitorError> {
        let verdict = &audited.verdict;
        let accuses = |one: &Finding| verdict.accuses(one.code) == Accused::Operator;
        if let Some(first) = verdict.findings.iter().find(|one| !accuses(one)) {
            self.warn(code::DAMAGED, format!("{}: {}", first.code, first.says));
        }
        let by_code = |code: &Code| verdict.accuses(*code) == Accused::Operator;
        let codes: BTreeSet<Code> =
            verdict.findings.iter().map(|one| one.code).filter(by_code).collect();
        let count =
            |code: Code| (code.as_str(), verdict.counts.get(code.as_str()).copied().unwrap_or(1));
        self.status.counts = codes.into_iter().map(count).collect();
        let mut has_evidence = false;
        for one in verdict.findings.iter().filter(|one| accuses(one)) {
            let at = one.index.map_or_else(|| "-".to_owned(), |index| index.to_string());
            let what = format!("{} {at}", one.code);
            if self.memory.told.contains(&what) || self.memory.told.len() >= TOLD {
                continue;
            }
            let event = MonitorEvent {
                index: one.index,
                commitment: one.commitment,
                nonce: one.nonce,
                ..MonitorEvent::new(EventKind::Finding, one.code.as_str(), &self.called, &what)
            };
            let event = event.saying(&one.says);
            // One is enough, and it can be long.
            let is_shown = one.code == Code::SplitView && !has_evidence;
            let evidence = if is_shown { self.split(view, one) } else { None };
            has_evidence |= evidence.is_some();
            self.tell_with(event, evidence, what)?;
        }
        Ok(())
    }
}
