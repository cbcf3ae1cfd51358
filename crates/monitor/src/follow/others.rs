//! The heads that a monitor meets, at the log's own address and at others: what they prove of each
//! other, and the evidence where the key signed two logs.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Follower;
use crate::compare::{Relation, relation};
use crate::event::{EventKind, MonitorEvent, code};
use crate::memory::replace;
use crate::view::{Head, View};
use crate::{MonitorError, evidence};
use fairdeal::log::SignedCheckpoint;
use fairdeal::record::receipt::{Document, SeenProof};
use fairdeal::record::{Code, Entry, Finding};
use fairdeal_audit::source::Files;

/// What is compared.
#[derive(Debug)]
pub(super) enum Other {
    Log(Arc<dyn Files>),
    File(PathBuf),
}

/// A head that a look has met, and the files that prove what it had before, if there are any.
pub(super) struct Met {
    /// Where; `None` at the log's own address.
    name: Option<String>,
    head: Head,
    view: Option<View>,
    /// Whether a fork of it was told in this look. One is enough.
    is_told: bool,
}

/// The result of comparing a view with the heads that are known.
#[derive(Debug, Default)]
pub(super) struct Proved {
    /// The heads that the view continues.
    continues: Vec<Head>,
    /// Why it does not prove a head.
    pub(super) unknown: Option<String>,
    /// Whether it contradicts a head that this log has shown before.
    pub(super) is_fork: bool,
}

/// Forks of which evidence is written.
const FORKS: u64 = 100;
/// The longest file that is compared, in bytes.
const LONGEST: u64 = 16 << 20;

impl Met {
    pub(super) fn own(view: View) -> Self {
        Self { name: None, head: view.head.clone(), view: Some(view), is_told: false }
    }

    pub(super) fn whose(&self) -> &str {
        self.name.as_deref().unwrap_or("the log")
    }

    pub(super) fn into_view(self) -> Option<View> {
        self.view
    }
}

impl Follower<'_> {
    /// Reads what others were given.
    pub(super) fn met(&mut self) -> Vec<Met> {
        let mut all = Vec::new();
        for (name, other) in std::mem::take(&mut self.others) {
            match self.read(&other) {
                Ok(None) => {}
                Ok(Some((head, view))) => {
                    all.push(Met { name: Some(name.clone()), head, view, is_told: false });
                }
                Err(says) => self.not_compared(&name, &says),
            }
            self.others.push((name, other));
        }
        all
    }

    /// A head of this log; `None` for one of another log that is followed.
    fn read(&self, other: &Other) -> Result<Option<(Head, Option<View>)>, String> {
        let key = &self.log.key;
        let read = match other {
            Other::Log(files) => View::read(files, key, &self.common.stop)
                .map(|view| (view.head.clone(), Some(view)))
                .map_err(|why| (why, origin_of(files))),
            Other::File(path) => {
                let note = note_in(path)?;
                Head::read(&note, key).map(|head| (head, None)).map_err(|why| (why, origin(&note)))
            }
        };
        match read {
            Ok(read) => Ok(Some(read)),
            Err((_, Some(origin))) if self.is_of_others(&origin) => Ok(None),
            Err((why, _)) => Err(why.says().to_owned()),
        }
    }

    fn is_of_others(&self, origin: &str) -> bool {
        origin != self.log.key.name().as_str()
            && self.common.origins.iter().any(|one| one == origin)
    }

    pub(super) fn not_compared(&mut self, name: &str, says: &str) {
        let what = format!("{} {name}", code::NOT_COMPARED);
        self.active.insert(what, (code::NOT_COMPARED, format!("{name}: {says}")));
    }

    /// Keeps the heads that a look has met, on disk, before anything is proved of them: a monitor
    /// that ends on the way proves it the next time. Tells where the key signed two trees of one
    /// size, which needs no proof.
    pub(super) fn meet(&mut self, all: &mut [Met]) -> Result<(), MonitorError> {
        for met in all.iter() {
            let is_known = self.known().any(|known| known.is_same(&met.head));
            if !is_known && !self.heads.keep(&met.head, self.now) {
                self.not_compared(met.whose(), "too many heads wait to be compared");
            }
        }
        self.heads.write()?;
        // The heads of others come first, since the event names the address of one of the two.
        for met in all.iter_mut().rev() {
            let two = self.known().find(|known| known.contradicts(&met.head)).cloned();
            if let Some(known) = two {
                self.fork(met, &known, None)?;
            }
        }
        Ok(())
    }

    /// The heads that this log has shown: the last one, and the last one whose entries were audited.
    fn shown(&self) -> impl Iterator<Item = &Head> {
        let is_last = |head: &&Head| self.last.as_ref().is_some_and(|last| last.is_same(head));
        self.last.iter().chain(self.audited.iter().filter(move |head| !is_last(head)))
    }

    /// The heads that are known: those that this log has shown, and the undecided ones.
    fn known(&self) -> impl Iterator<Item = &Head> {
        self.shown().chain(self.heads.all().iter().map(|known| &known.head))
    }

    /// Compares the heads that are known with a view, whose files prove what it had before.
    pub(super) fn prove(&mut self, met: &mut Met) -> Result<Proved, MonitorError> {
        let mut proved = Proved::default();
        let size = met.head.size();
        let is_compared = |known: &&Head| known.size() <= size && !known.contradicts(&met.head);
        let known: Vec<Head> = self.known().filter(is_compared).cloned().collect();
        for head in known {
            let Some(view) = &mut met.view else { break };
            match relation(view, &head) {
                Relation::Continues => proved.continues.push(head),
                Relation::Unknown(says) => {
                    proved.unknown.get_or_insert(says);
                }
                Relation::Fork(seen) => {
                    self.fork(met, &head, seen)?;
                    let is_shown = self.shown().any(|shown| shown.is_same(&head));
                    proved.is_fork |= is_shown;
                    // Later views need not tell it again.
                    self.decided.push(if is_shown { met.head.clone() } else { head });
                }
            }
        }
        Ok(proved)
    }

    /// Forgets the heads that the log's new last head has.
    pub(super) fn decide(&mut self, head: &Head, proved: Proved) {
        self.decided.extend(proved.continues);
        self.decided.push(head.clone());
    }

    /// Tells a fork, once in a look for each head that was met, with evidence. The key signed the
    /// other head, which is not larger. `seen` proves what the met one had at its size.
    fn fork(
        &mut self,
        met: &mut Met,
        other: &Head,
        seen: Option<SeenProof>,
    ) -> Result<(), MonitorError> {
        if std::mem::replace(&mut met.is_told, true) {
            return Ok(());
        }
        let proved = seen.as_ref().map(|seen| seen.root.to_text());
        let proved = proved.unwrap_or_else(|| met.head.checkpoint.root().to_hex());
        let (size, mut roots) = (other.size(), [other.checkpoint.root().to_hex(), proved]);
        let says = format!(
            "at size {size} there is a signed root {}, and {}, of {} entries, has {}: both are signed, this is a fork",
            roots[0],
            met.whose(),
            met.head.size(),
            roots[1]
        );
        roots.sort_unstable();
        let what = format!("fork {size} {} {}", roots[0], roots[1]);
        if self.memory.told.contains(&what) || self.memory.forks() >= FORKS {
            return Ok(());
        }
        let event =
            MonitorEvent::new(EventKind::Fork, Code::Inconsistent.as_str(), &self.called, &what)
                .saying(says);
        let heads = (met.head.note.as_str(), other.note.as_str());
        let key = &self.log.key;
        let text = evidence::of_heads(met.view.as_mut(), seen, heads, key, &event.says);
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
            let Relation::Fork(proof) = relation(view, &head) else { return None };
            let ours = view.head.note.clone();
            let heads = (ours.as_str(), head.note.as_str());
            Some(evidence::of_heads(Some(view), proof, heads, key, &found.says))
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

/// The origin that a note names.
fn origin(note: &str) -> Option<String> {
    Some(SignedCheckpoint::parse(note).ok()?.unverified().origin().to_owned())
}

fn origin_of(files: &Arc<dyn Files>) -> Option<String> {
    let bytes = files.read("checkpoint", LONGEST).ok()?;
    origin(&String::from_utf8(bytes).ok()?)
}
