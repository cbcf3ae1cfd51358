//! What a log is compared with: heads that others were given, and the evidence where they differ.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Follower;
use crate::compare::{Contradiction, Relation, relation};
use crate::event::{EventKind, MonitorEvent, code};
use crate::memory::replace;
use crate::view::{Head, NoHead, View};
use crate::{MonitorError, evidence};
use fairdeal::log::{SignedCheckpoint, VerifierKey};
use fairdeal::record::receipt::Document;
use fairdeal::record::{Code, Entry, Finding};
use fairdeal_audit::source::Files;

/// What is compared.
#[derive(Debug)]
pub(super) enum Other {
    Log(Arc<dyn Files>),
    File(PathBuf),
}

/// Forks of which evidence is written.
const FORKS: usize = 100;
/// The longest file that is compared, in bytes.
const LONGEST: u64 = 16 << 20;

impl Follower<'_> {
    /// Compares heads that could not be compared before.
    pub(super) fn undecided(&mut self, view: &mut View) -> Result<(), MonitorError> {
        for note in std::mem::take(&mut self.memory.heads) {
            let Some(head) = self.head(&note) else { continue };
            if head.size() > view.head.size() {
                self.memory.heads.push(note);
                continue;
            }
            match relation(view, &head) {
                Relation::Continues => {}
                Relation::Fork(fork) => {
                    self.fork(view, &head, &fork, "a checkpoint that was kept")?;
                }
                Relation::Unknown(_) => self.memory.heads.push(note),
            }
        }
        Ok(())
    }

    /// Compares the view with what others were given. `is_still`: it has not grown since the last
    /// look.
    pub(super) fn compare_others(&mut self, view: &mut View, is_still: bool) {
        for (name, other) in std::mem::take(&mut self.others) {
            if let Err(says) = self.compare(view, &name, &other, is_still) {
                self.active.insert(
                    format!("{} {name}", code::NOT_COMPARED),
                    (code::NOT_COMPARED, format!("{name}: {says}")),
                );
            }
            self.others.push((name, other));
        }
    }

    fn compare(
        &mut self,
        view: &mut View,
        name: &str,
        other: &Other,
        is_still: bool,
    ) -> Result<(), String> {
        let key = &self.log.key;
        let read = match other {
            Other::Log(files) => View::read(files, key).map(|view| (view.head.clone(), Some(view))),
            Other::File(path) => {
                let note = note_in(path)?;
                // A file of another log is for another follower.
                if !is_of(&note, key) {
                    return Ok(());
                }
                Head::read(&note, key).map(|head| (head, None))
            }
        };
        let (head, theirs) = match read {
            Ok(read) => read,
            Err(NoHead::Unsigned(_)) if matches!(other, Other::Log(files) if !names(files, key)) => {
                return Ok(());
            }
            Err(NoHead::Unreadable(says) | NoHead::Unsigned(says)) => return Err(says),
        };
        let failed = |error: MonitorError| error.to_string();
        if head.size() <= view.head.size() {
            match relation(view, &head) {
                Relation::Continues => {}
                Relation::Fork(fork) => self.fork(view, &head, &fork, name).map_err(failed)?,
                Relation::Unknown(says) => {
                    self.memory.keep_head(&head.note);
                    return Err(says);
                }
            }
            return Ok(());
        }
        let Some(mut theirs) = theirs else {
            self.memory.keep_head(&head.note);
            return Ok(());
        };
        if is_still {
            let says = format!("{name} has {} entries, this one {}", head.size(), view.head.size());
            self.warn(code::BEHIND, says);
        }
        match relation(&mut theirs, &view.head) {
            Relation::Continues => Ok(()),
            Relation::Fork(fork) => {
                let ours = view.head.clone();
                self.fork(&mut theirs, &ours, &fork, &self.log.name.clone()).map_err(failed)
            }
            Relation::Unknown(says) => {
                self.memory.keep_head(&head.note);
                Err(says)
            }
        }
    }

    /// Tells a fork once, with evidence: the view proves that it had another root than the head.
    pub(super) fn fork(
        &mut self,
        view: &mut View,
        head: &Head,
        fork: &Contradiction,
        whose: &str,
    ) -> Result<(), MonitorError> {
        let (size, root) = (head.size(), head.checkpoint.root().to_hex());
        let mut roots = [root, fork.had.to_hex()];
        let says = format!(
            "at size {size} {whose} has root {}, the other one, of {} entries, has {}: both are signed, this is a fork",
            roots[0],
            view.head.size(),
            roots[1]
        );
        roots.sort_unstable();
        let what = format!("fork {size} {} {}", roots[0], roots[1]);
        let forks = self.memory.told.iter().filter(|told| told.starts_with("fork ")).count();
        if self.memory.told.contains(&what) || forks >= FORKS {
            return Ok(());
        }
        let event =
            MonitorEvent::new(EventKind::Fork, Code::Inconsistent.as_str(), &self.called, &what)
                .saying(says);
        let text =
            evidence::of_heads(view, fork.seen.clone(), &head.note, &self.log.key, &event.says);
        self.tell_with(event, Some(text), what)
    }

    /// Tells what accuses the operator, after its evidence is written.
    pub(super) fn tell_with(
        &mut self,
        mut event: MonitorEvent,
        evidence: Option<String>,
        what: String,
    ) -> Result<(), MonitorError> {
        if let Some(text) = evidence {
            let path = self.dir.join(format!("{}-{}.json", event.code, event.id));
            replace(&path, &[text.as_bytes()])?;
            event.evidence = Some(path.display().to_string());
        }
        self.memory.told.insert(what);
        self.events.push(event);
        Ok(())
    }

    /// The evidence behind a `split-view`: the tree that a player or an anchor names.
    pub(super) fn split(&self, view: &mut View, found: &Finding) -> Option<String> {
        let key = &self.log.key;
        let entry = evidence::entry_at(view, found.index?)?;
        if let Entry::Anchor(anchor) = &entry {
            return evidence::of_anchor(view, found.index?, anchor.size, key, &found.says);
        }
        entry.contributions().iter().filter_map(|one| one.seen.as_ref()).find_map(|seen| {
            let head = self.head(&evidence::note_of(seen, key)?)?;
            if head.size() > view.head.size() {
                return None;
            }
            let Relation::Fork(fork) = relation(view, &head) else { return None };
            Some(evidence::of_heads(view, fork.seen, &head.note, key, &found.says))
        })
    }
}

/// The note in a file: a checkpoint, or that of a receipt.
fn note_in(path: &Path) -> Result<String, String> {
    let about = fs::metadata(path).map_err(|error| error.to_string())?;
    if about.len() > LONGEST {
        return Err(format!("expected at most {LONGEST} bytes"));
    }
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    if !text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        return Ok(text);
    }
    let document: Document = text.parse().map_err(|error| format!("no receipt: {error}"))?;
    Ok(document.receipt().checkpoint.clone())
}

/// Whether a note names the log of a key.
fn is_of(note: &str, key: &VerifierKey) -> bool {
    SignedCheckpoint::parse(note)
        .map_or(true, |signed| signed.unverified().origin() == key.name().as_str())
}

fn names(files: &Arc<dyn Files>, key: &VerifierKey) -> bool {
    files
        .read("checkpoint", LONGEST)
        .ok()
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .is_none_or(|note| is_of(&note, key))
}
