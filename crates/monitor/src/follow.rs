//! One log: a look at its checkpoint, what it is compared with, the audit of what is new.

mod others;
mod warnings;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use super::compare::{Relation, relation};
use super::event::{EventKind, MonitorEvent, code};
use super::memory::Memory;
use super::turn::Turn;
use super::view::{Head, NoHead, View, open};
use super::{MonitorError, MonitorOptions};
use fairdeal::log::{Policy, SignedCheckpoint, VerifierKey};
use fairdeal::record::finding::Accused;
use fairdeal::record::life::TOLERANCE;
use fairdeal::record::{Code, Finding};
use fairdeal::utc::span;
use fairdeal_audit::source::{AuditOptions, Audited, Files, LogSource, SourceError};
use fairdeal_audit::{DueReveal, Missed, Signatures, Times};
use others::Other;

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

/// A log, and what is known of it.
#[derive(Debug)]
pub(crate) struct Follower<'a> {
    log: &'a FollowedLog,
    options: &'a MonitorOptions,
    /// The name and the id of the key.
    pub(crate) called: String,
    dir: PathBuf,
    files: Arc<dyn Files>,
    turn: Arc<Turn>,
    others: Vec<(String, Other)>,
    memory: Memory,
    now: u64,
    /// The head of the last audit that found the files in order.
    judged: Option<Head>,
    /// When, in Unix milliseconds.
    judged_at: u64,
    due: Vec<DueReveal>,
    active: BTreeMap<String, (&'static str, String)>,
    events: Vec<MonitorEvent>,
    pub(crate) status: Status,
}

/// What is known after a look.
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

/// A new state of the file, written after the events are told.
pub(crate) struct News {
    pub(crate) events: Vec<MonitorEvent>,
    audit: Option<String>,
    is_changed: bool,
}

/// How a look ended.
#[derive(Debug, PartialEq, Eq)]
enum Judged {
    /// Without a verdict.
    No,
    /// Nothing is new since the last audit.
    AsBefore,
    /// With an audit, and its state if there is one to go on from.
    Anew(Option<String>),
}

impl<'a> Follower<'a> {
    /// Reads what is known of a log. Nothing of the log is read yet.
    ///
    /// # Errors
    /// [`MonitorError`] for a URL that is none, and for a state that cannot be read.
    pub(crate) fn new(
        log: &'a FollowedLog,
        options: &'a MonitorOptions,
        turn: &Arc<Turn>,
    ) -> Result<Self, MonitorError> {
        let opened = |name: &str| open(name).map_err(|error| MonitorError(error.to_string()));
        let called = format!("{}+{}", log.key.name(), log.key.id());
        // A name may be longer than a file's, and have any character.
        let digest = hex::encode(Sha256::digest(log.key.to_text()));
        let dir = options.state.join(digest.get(..32).unwrap_or_default());
        fs::create_dir_all(&dir).map_err(|error| MonitorError::of(&dir, error))?;
        let others = log.compare.iter().map(|one| {
            Ok(match one {
                ComparedWith::Log(name) => (name.clone(), Other::Log(opened(name)?)),
                ComparedWith::File(path) => (path.display().to_string(), Other::File(path.clone())),
            })
        });
        let others = others.collect::<Result<_, MonitorError>>()?;
        let (memory, _) = Memory::read(&dir.join("state"), &log.key.to_text())?;
        let files = opened(&log.name)?;
        Ok(Self {
            log,
            options,
            called,
            dir,
            files,
            turn: Arc::clone(turn),
            others,
            memory,
            now: 0,
            judged: None,
            judged_at: 0,
            due: Vec::new(),
            active: BTreeMap::new(),
            events: Vec::new(),
            status: Status::default(),
        })
    }

    /// Looks once. Nothing is written but evidence: see [`Follower::keep`].
    pub(crate) fn look(&mut self, now: u64) -> Result<News, MonitorError> {
        let before = self.memory.clone();
        self.now = now;
        self.active.clear();
        let view = match View::read(&self.files, &self.log.key) {
            Ok(view) => Some(view),
            Err(why) => {
                let (code, says) = match why {
                    NoHead::Unreadable(says) => (code::UNREACHABLE, says),
                    NoHead::Unsigned(says) => (code::BAD_SIGNATURE, says),
                };
                self.warn(code, says);
                None
            }
        };
        let judged = match view {
            Some(mut view) => self.judge(&mut view)?,
            None => Judged::No,
        };
        self.status.is_judged = judged != Judged::No;
        let audit = if let Judged::Anew(state) = judged { state } else { None };
        self.settle();
        self.status.accuses = self.status.forks > 0 || !self.status.counts.is_empty();
        if self.status.is_judged {
            self.status.succeeded = Some(now);
        }
        for event in &mut self.events {
            event.time = now;
            event.at.clone_from(&self.log.name);
            event.size = event.size.or(self.status.size);
        }
        let is_changed = self.memory != before || audit.is_some();
        Ok(News { events: std::mem::take(&mut self.events), audit, is_changed })
    }

    /// Writes the state, after the events were told: a monitor that ends between the two tells them
    /// again.
    pub(crate) fn keep(&mut self, news: News) -> Result<(), MonitorError> {
        if !news.is_changed {
            return Ok(());
        }
        let path = self.dir.join("state");
        let audit = match news.audit {
            Some(audit) => audit,
            None => Memory::read(&path, &self.log.key.to_text())?.1,
        };
        self.memory.write(&path, &audit)
    }

    /// Compares and audits a view.
    fn judge(&mut self, view: &mut View) -> Result<Judged, MonitorError> {
        if self.status.size != Some(view.head.size()) {
            self.status.since = Some(self.now);
        }
        let grew = self.status.size.replace(view.head.size()) != Some(view.head.size());
        let last = self.memory.note.as_deref().and_then(|note| self.head(note));
        if let Some(last) = &last {
            if view.head.size() < last.size() {
                let is_new = self.memory.keep_head(&view.head.note);
                let known = if is_new { ", and kept to be compared" } else { "" };
                let says = format!(
                    "{} entries, and there were {}: an older copy{known}",
                    view.head.size(),
                    last.size()
                );
                self.warn(code::ROLLED_BACK, says);
                self.compare_others(view, false);
                return Ok(Judged::No);
            }
            match relation(view, last) {
                Relation::Continues => {}
                Relation::Fork(fork) => {
                    self.fork(view, last, &fork, "the checkpoint of before")?;
                    return Ok(Judged::No);
                }
                Relation::Unknown(says) => {
                    self.memory.keep_head(&view.head.note);
                    self.warn(code::DAMAGED, says);
                    return Ok(Judged::No);
                }
            }
        }
        self.memory.note = Some(view.head.note.clone());
        self.quorum(view);
        self.undecided(view)?;
        self.compare_others(view, !grew);
        if self.active.contains_key(code::BAD_SIGNATURE) {
            return Ok(Judged::No);
        }
        let is_due = |due: &DueReveal| {
            (self.judged_at..self.now).contains(&due.by.saturating_add(TOLERANCE))
        };
        if self.judged.as_ref().is_some_and(|head| head.is_same(&view.head))
            && !self.due.iter().any(is_due)
        {
            self.due_soon();
            return Ok(Judged::AsBefore);
        }
        self.audit(view)
    }

    fn head(&self, note: &str) -> Option<Head> {
        Head::read(note, &self.log.key).ok()
    }

    /// Whether the reader's witnesses have signed the checkpoint.
    fn quorum(&mut self, view: &View) {
        let Some(policy) = &self.log.policy else { return };
        let Ok(signed) = SignedCheckpoint::parse(&view.head.note) else { return };
        match signed.witnessed(policy) {
            Err(wrong) => self.warn(code::BAD_SIGNATURE, wrong.to_string()),
            Ok(by) if by.quorum.is_none() && view.head.size() > 0 => {
                let have = by.signed.iter().flatten().count();
                let of = by.signed.len();
                let says = format!("{have} of your {of} witnesses have signed it: no quorum");
                self.warn(code::QUORUM_LOST, says);
            }
            Ok(by) => {
                let by = by.quorum.and_then(|quorum| quorum.by);
                self.memory.quorum = self.memory.quorum.max(by);
            }
        }
    }

    /// Audits what is new, from the saved state on.
    fn audit(&mut self, view: &mut View) -> Result<Judged, MonitorError> {
        let new = self.judged.as_ref().map(|head| view.head.size().saturating_sub(head.size()));
        let turn = Arc::clone(&self.turn);
        let _taken = new.is_none_or(|new| new > MANY).then(|| turn.take());
        let path = self.dir.join("state");
        let state = Memory::read(&path, &self.log.key.to_text())?.1;
        // A reveal that is late by less than clocks may differ is a warning.
        let times =
            Times { as_of: Some(self.now.saturating_sub(TOLERANCE)), clock: Some(self.now) };
        let options = AuditOptions {
            policy: self.log.policy.as_ref(),
            times,
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
                return Ok(Judged::No);
            }
        };
        self.found(view, &audited)?;
        let Audited { verdict, state, due, .. } = audited;
        self.due = due;
        if self.active.contains_key(code::DAMAGED) {
            return Ok(Judged::No);
        }
        (self.judged, self.judged_at) = (Some(view.head.clone()), self.now);
        self.due_soon();
        if let Some(witnesses) = &verdict.witnesses {
            self.memory.quorum = self.memory.quorum.max(witnesses.by);
            let quorum = self.memory.quorum.map(|by| by.saturating_mul(1000));
            let since = quorum.or(verdict.last_time);
            let late = since.map(|since| self.now.saturating_sub(since)).unwrap_or_default();
            if witnesses.not_covered > 0 && late > self.options.witness_within {
                let says = format!(
                    "{} entries are not covered, the last quorum of your witnesses was {} ago",
                    witnesses.not_covered,
                    span(late)
                );
                self.warn(code::WITNESS_LATE, says);
            }
        }
        let (word, says) = match verdict.findings.len() {
            0 => ("holds", format!("{} entries judged", verdict.size)),
            n => ("does-not-hold", format!("{} entries judged, {n} findings", verdict.size)),
        };
        let what = format!("{} {}", verdict.size, verdict.root.to_hex());
        let event = MonitorEvent::new(EventKind::Judged, word, &self.called, &what);
        self.events.push(event.saying(says));
        Ok(Judged::Anew(state))
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
            let evidence = if one.code == Code::SplitView { self.split(view, one) } else { None };
            self.tell_with(event, evidence, what)?;
        }
        Ok(())
    }
}
