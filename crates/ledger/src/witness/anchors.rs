//! Anchors in the ledger's own log (spec/witness.md, 28.5): when one is due, and the decision in
//! the batch's transaction.
//!
//! The memos of kind `anchor` are an index of the log's anchors: by size, so that a receipt finds
//! the first one over an entry, and `last`. They follow from the log: fsck makes them again.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::{Cosigned, ROUND, Witnesses, Witnessing};
use crate::core::Core;
use crate::deal::batch::Changes;
use crate::deal::judging::int;
use crate::deal::sequencer::Message;
use crate::deal::working_set::Working;
use crate::error::LedgerError;
use crate::operate::memos;
use crate::read::queries::parse;
use crate::store::{Memo, Read};
use fairdeal::deal::Digest;
use fairdeal::log::{Note, Policy, Signature, SignedCheckpoint};
use fairdeal::record::entry::{Anchor, Entry};
use fairdeal::utc::utc;

/// The kind of the memos: the size in 20 digits, so that they are in the order of sizes; and
/// [`LAST`]. The text is [`Place`]'s.
const KIND: &str = "anchor";
const LAST: &str = "last";

/// The most cosignatures of an anchor (spec/ledger.md, 8.2).
const MOST: usize = 16;

/// The error of a clock up to which an anchor is written, in milliseconds. Audits accuse from
/// 300,000 on (spec/ledger.md, 8.2).
const CLOCKS: u64 = 60_000;

/// The pause after an anchor for a beacon's lock was refused.
const AGAIN: Duration = Duration::from_secs(1);

/// How long the anchor of such a lock waits for lines that say when it was seen: a witness with a
/// wrong time may have been the first to answer.
const BETTER: Duration = Duration::from_secs(5);

/// The longest time that the tender sleeps, and the shortest time between two anchors.
const LOOK: Duration = Duration::from_secs(10);
const SHORTEST: Duration = Duration::from_millis(10);

/// An anchor to write.
#[derive(Debug)]
pub(crate) struct NewAnchor {
    cosigned: Cosigned,
    reply: oneshot::Sender<Result<Decided, LedgerError>>,
}

/// The outcome of an anchor's judgement.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Decided {
    /// It is in the log: the next one is due after a while.
    Written,
    /// Nothing under its size needs an anchor.
    NotDue,
    /// One was written so shortly before that the next must wait. Also the size of that one, which
    /// another process may have written.
    NotYet(Duration, u64),
    /// It would accuse this ledger, or cannot be written.
    Refused(String),
}

/// The place of an anchor in the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    size: u64,
    index: u64,
    /// Unix milliseconds.
    time: u64,
}

impl Place {
    pub(crate) fn of(index: u64, anchor: &Anchor) -> Self {
        Self { size: anchor.size.value(), index, time: anchor.time.value() }
    }

    fn to_text(self) -> String {
        format!("{} {} {}", self.size, self.index, self.time)
    }

    fn parse(text: &str) -> Result<Self, LedgerError> {
        let damaged =
            || LedgerError::Damaged(format!("memo {KIND}: expected three numbers, found {text:?}"));
        let numbers = text.split(' ').map(str::parse).collect::<Result<Vec<u64>, _>>();
        let [size, index, time] = numbers.map_err(|_| damaged())?[..] else {
            return Err(damaged());
        };
        Ok(Self { size, index, time })
    }

    /// The memos of a new anchor.
    fn memos(self) -> [Memo; 2] {
        let key = format!("{:020}", self.size);
        [key.as_str(), LAST].map(|key| Memo::keep(KIND, key, self.to_text()))
    }
}

/// The size of the log's last anchor; 0 before the first.
pub(crate) async fn last_size(read: &mut dyn Read) -> Result<u64, LedgerError> {
    Ok(last(read).await?.size)
}

/// The log's last anchor; zeros before the first.
async fn last(read: &mut dyn Read) -> Result<Place, LedgerError> {
    let found = read.memos_of(KIND, &[LAST.to_owned()]).await?;
    found.first().map_or(Ok(Place::default()), |(_, text)| Place::parse(text))
}

/// The changes that make the memos those of these anchors, which are all that the log has.
pub(crate) async fn repairs(
    read: &mut dyn Read,
    places: &[Place],
) -> Result<Vec<Memo>, LedgerError> {
    let right = places.iter().flat_map(|place| place.memos());
    let mut right: BTreeMap<String, Memo> = right.map(|memo| (memo.key.clone(), memo)).collect();
    let mut wrong = Vec::new();
    for (key, text) in memos::all(read, KIND, "").await? {
        match right.get(&key) {
            Some(memo) if memo.value.as_ref() == Some(&text) => drop(right.remove(&key)),
            Some(_) => {}
            None => wrong.push(Memo::remove(KIND, key)),
        }
    }
    wrong.extend(right.into_values());
    Ok(wrong)
}

/// The size and the index of the first anchor whose size is over an entry's index.
pub(crate) async fn first_over(
    read: &mut dyn Read,
    index: u64,
) -> Result<Option<(u64, u64)>, LedgerError> {
    Ok(over(read, index, 1).await?.first().copied())
}

/// The sizes and the indices of the first anchors whose sizes are over an entry's index.
pub(crate) async fn over(
    read: &mut dyn Read,
    index: u64,
    most: u32,
) -> Result<Vec<(u64, u64)>, LedgerError> {
    let found = read.memos(KIND, "", Some(&format!("{index:020}")), most).await?;
    let places = found.iter().filter(|(key, _)| key != LAST).map(|(_, text)| Place::parse(text));
    places.map(|place| place.map(|place| (place.size, place.index))).collect()
}

/// At most so many lines that still make the quorum, if there are such.
fn lines(cosigned: &Cosigned, policy: &Policy) -> Option<Cosigned> {
    let mut chosen = cosigned.clone();
    let count = |chosen: &Cosigned| chosen.lines.iter().flatten().count();
    for at in 0..chosen.lines.len() {
        if count(&chosen) <= MOST {
            break;
        }
        let less = chosen.without(at);
        if less.witnessed(policy).quorum.is_some() {
            chosen = less;
        }
    }
    if count(&chosen) > MOST {
        let fewest = policy.fewest(&cosigned.witnessed(policy).signed)?;
        for (at, line) in chosen.lines.iter_mut().enumerate() {
            *line = cosigned.lines.get(at).filter(|_| fewest.contains(&at)).cloned().flatten();
        }
    }
    let has_quorum = chosen.witnessed(policy).quorum.is_some();
    (has_quorum && count(&chosen) <= MOST).then_some(chosen)
}

/// The lines of an anchor that accuses nobody: all of these, or all but one. The error says why all
/// of them would accuse this ledger. So a witness with a wrong time, beside another one whose clock
/// is a little wrong, does not stop anchors. Fewer lines only loosen both bounds.
fn in_time(
    cosigned: Cosigned,
    policy: &Policy,
    newest: u64,
    time: u64,
) -> Result<Cosigned, String> {
    let Err(why) = accuses_nobody(&cosigned, policy, newest, time) else { return Ok(cosigned) };
    let mut fewer = (0..cosigned.lines.len()).map(|at| cosigned.without(at));
    fewer.find(|one| accuses_nobody(one, policy, newest, time).is_ok()).ok_or(why)
}

/// Checks that an anchor of these lines and of this time accuses nobody, where the newest entry
/// under its size has the time `newest`; both are Unix milliseconds. The error says how this
/// machine's clock differs from the witnesses', or that the lines make no quorum.
fn accuses_nobody(
    cosigned: &Cosigned,
    policy: &Policy,
    newest: u64,
    time: u64,
) -> Result<(), String> {
    let Some(quorum) = cosigned.witnessed(policy).quorum else {
        return Err("the lines make no quorum".to_owned());
    };
    let [since, by] = [quorum.since, quorum.by].map(|one| one.map(|one| one.saturating_mul(1000)));
    let behind = since.filter(|since| time.saturating_add(CLOCKS) < *since);
    let ahead = by.filter(|by| newest > by.saturating_add(CLOCKS));
    let (than, theirs) = match (behind, ahead) {
        (Some(since), _) => ("behind", since),
        (None, Some(by)) => ("ahead of", by),
        (None, None) => return Ok(()),
    };
    Err(format!(
        "clock: this machine's is more than {} s {than} the witnesses' ({}); with this anchor audits could accuse the log",
        CLOCKS / 1000,
        utc(theirs)
    ))
}

impl NewAnchor {
    /// Adds the anchor to a batch, if it is due and nothing in it would accuse this ledger.
    pub(crate) async fn decide(
        &self,
        core: &Core,
        read: &mut dyn Read,
        working: &mut Working,
        changes: &mut Changes,
        time: u64,
    ) -> Result<Decided, LedgerError> {
        let Some(witnesses) = &core.witnesses else { return Err(LedgerError::Closed) };
        let Witnessing { policy, anchor_every, .. } = &witnesses.options;
        let last = last(read).await?;
        let checkpoint = &self.cosigned.checkpoint;
        let size = checkpoint.size();
        if size <= last.size {
            return Ok(Decided::NotDue);
        }
        let since = Duration::from_millis(time.saturating_sub(last.time));
        let is_urgent = core.beacons.first_in(last.size..size).is_some();
        if last.size > 0 && since < *anchor_every && !is_urgent {
            return Ok(Decided::NotYet(anchor_every.saturating_sub(since), last.size));
        }
        let mut tree = core.tree(read, &working.head);
        if size > tree.size || tree.root_at(size).await? != *checkpoint.root() {
            return Ok(Decided::Refused(format!(
                "the witnesses have signed {size} entries that are not this log's"
            )));
        }
        // Anchors alone make no anchor due. They are seldom neighbours, so that this ends soon.
        let mut newly = None;
        for index in last.size..size {
            let entry = parse(index, &tree.entry(index).await?)?;
            newly = (!matches!(entry, Entry::Anchor(_))).then_some(index);
            if newly.is_some() {
                break;
            }
        }
        if newly.is_none() {
            return Ok(Decided::NotDue);
        }
        // The time of a log never runs back, so the last entry's is the greatest.
        let newest = parse(size - 1, &tree.entry(size - 1).await?)?;
        let Some(cosigned) = lines(&self.cosigned, policy) else {
            return Ok(Decided::Refused(format!(
                "no {MOST} of the cosignatures make the policy's quorum"
            )));
        };
        let cosigned = match in_time(cosigned, policy, newest.time(), time) {
            Ok(cosigned) => cosigned,
            Err(why) => return Ok(Decided::Refused(why)),
        };
        let lines: Vec<Signature> =
            cosigned.lines.into_iter().flatten().map(|(line, _)| line).collect();
        let root = Digest::from_bytes(*checkpoint.root().as_bytes());
        let anchor = Anchor::new(int("size", size)?, root, lines, int("time", time)?);
        let index = working.edge.size();
        working.judge.view_mut().roots.insert(size, *checkpoint.root());
        let entry = Entry::Anchor(Box::new(anchor));
        let judged = working.judge.apply(index, &entry);
        if !judged.findings.is_empty() {
            return Err(LedgerError::Refused(judged.findings));
        }
        changes.write_anchor(&entry, Place { size, index, time }.memos(), working)?;
        Ok(Decided::Written)
    }

    /// Tells the tender how it ended.
    pub(crate) fn decided(self, decided: Result<Decided, LedgerError>) {
        // The ledger may be closing.
        drop(self.reply.send(decided));
    }
}

/// Runs the rounds of anchor mode, and writes anchors when they are due, until the ledger closes.
pub(crate) async fn tend(core: Arc<Core>, queue: mpsc::WeakSender<Message>) {
    let Some(witnesses) = &core.witnesses else { return };
    let now = Instant::now();
    let mut tender =
        Tender { core: &core, witnesses, queue, next: now, again: now, target: 0, held: None };
    let mut answered = witnesses.answered.subscribe();
    while !witnesses.has_ended() {
        answered.mark_unchanged();
        let mut sleep = LOOK;
        if !witnesses.comes_first() {
            sleep = sleep.min(tender.ask());
        }
        sleep = sleep.min(tender.anchor().await);
        let _woken = tokio::time::timeout(sleep, answered.changed()).await;
    }
}

struct Tender<'a> {
    core: &'a Core,
    witnesses: &'a Witnesses,
    queue: mpsc::WeakSender<Message>,
    /// When the next one may be written.
    next: Instant,
    /// When it may be tried again, also for a lock that waits for a beacon.
    again: Instant,
    /// The size of the last target.
    target: u64,
    /// Since when the anchor of a beacon's lock waits for better lines.
    held: Option<Instant>,
}

impl Tender<'_> {
    /// In anchor mode: begins a round about the published checkpoint, if the one before has ended
    /// and the log has grown. Returns the time until the next look.
    fn ask(&mut self) -> Duration {
        let (pause, core) = (self.witnesses.pause(), self.core);
        let Some(published) = core.published().filter(|one| one.checkpoint.size() > self.target)
        else {
            return LOOK;
        };
        let largest = self.witnesses.largest().map_or(0, |one| one.checkpoint.size());
        let waited = core.options.publish_wait.max(ROUND).saturating_sub(self.witnesses.age());
        // One target at a time: the round ends at its quorum, or after a while.
        if largest < self.target && !waited.is_zero() {
            return waited;
        }
        if !pause.is_zero() {
            return pause;
        }
        self.target = published.checkpoint.size();
        if let Some(target) = own_note(core, &published.note) {
            self.witnesses.want(target);
        }
        LOOK
    }

    /// Writes an anchor if one is due. Returns the time until the next look.
    async fn anchor(&mut self) -> Duration {
        let anchored = self.witnesses.inner().anchored;
        // The earliest *by* of a quorum over a lock counts for it.
        let lock = self.core.beacons.first_in(anchored..u64::MAX);
        let urgent = lock.and_then(|index| self.witnesses.first_over(index));
        let latest = self.core.watch.unix().saturating_add(CLOCKS);
        let says_when = |by: u64| by.saturating_mul(1000) <= latest;
        if urgent.as_ref().is_some_and(|(_, by)| !by.is_some_and(says_when)) {
            let wait = BETTER.saturating_sub(self.held.get_or_insert_with(Instant::now).elapsed());
            if !wait.is_zero() {
                return wait;
            }
        } else {
            self.held = None;
        }
        let urgent = urgent.map(|(cosigned, _)| cosigned);
        let next = if urgent.is_some() { self.again } else { self.next };
        let signed = urgent.or_else(|| self.witnesses.largest());
        let Some(cosigned) = signed.filter(|one| one.checkpoint.size() > anchored) else {
            return LOOK;
        };
        if self.witnesses.waits() {
            // Before a quorum has signed the head, it may be one of a restored backup.
            return LOOK;
        }
        let wait = next.saturating_duration_since(Instant::now());
        if !wait.is_zero() {
            return wait;
        }
        let Some(queue) = self.queue.upgrade() else { return LOOK };
        let (reply, decided) = oneshot::channel();
        let size = cosigned.checkpoint.size();
        let message = Message::Anchor(Box::new(NewAnchor { cosigned, reply }));
        let every = self.witnesses.options.anchor_every.max(SHORTEST);
        if queue.send(message).await.is_err() {
            return LOOK;
        }
        drop(queue);
        let (anchored, wait, why) = match decided.await {
            Ok(Ok(Decided::Written)) => (size, every, None),
            Ok(Ok(Decided::NotDue)) => (size, SHORTEST, None),
            Ok(Ok(Decided::NotYet(wait, last))) => (last, wait, None),
            Ok(Ok(Decided::Refused(why))) => (anchored, every, Some(why)),
            Ok(Err(error)) => (anchored, every, Some(error.to_string())),
            Err(_) => (anchored, every, Some("the ledger takes nothing now".to_owned())),
        };
        let now = Instant::now();
        self.next = now + wait;
        {
            let mut inner = self.witnesses.inner();
            // A lock over what is known now may have been overlooked.
            let again = if anchored > inner.anchored { SHORTEST } else { wait.min(AGAIN) };
            self.again = now + again;
            inner.unanchored = why;
            inner.anchored = anchored.max(inner.anchored);
        }
        self.core.beacons.anchored(anchored);
        // Whoever publishes may wait for it.
        self.witnesses.wake();
        wait.min(AGAIN)
    }
}

/// A note with the log's signature alone: witnesses read requests of at most 16 KiB.
fn own_note(core: &Core, note: &str) -> Option<SignedCheckpoint> {
    let note = Note::parse(note).ok()?;
    let own = note.signatures().iter().filter(|line| line.names(core.key())).cloned().collect();
    SignedCheckpoint::parse(&Note::new(note.text(), own).ok()?.to_text()).ok()
}
