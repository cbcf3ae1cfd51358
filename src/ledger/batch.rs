//! The commit point: one transaction for all commands of a batch.
//!
//! Nobody is answered before COMMIT returns. A refused command changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use tokio::sync::oneshot;

use super::command::{Command, Done, IdempotencyKey};
use super::core::Core;
use super::error::LedgerError;
use super::fault;
use super::judging::{Accepted, OwnLog, Place, Working, commit_next, judge};
use super::read;
use super::tree::Tree;
use crate::deal::Commitment;
use crate::log::{Hash, Node, leaf_hash, sign_checkpoint};
use crate::record::entry::{Commit, Entry, Table};
use crate::record::life::{SeenVerdict, View as _};
use crate::record::receipt::SignedBy;
use crate::store::{Answer, EntryKey, Fault, Growth, Head, NewEntry, StoreError, StoredLife, Transaction};

/// How long an idempotency key is remembered, in milliseconds.
const REMEMBERED: u64 = 24 * 60 * 60 * 1000;

/// A command in the queue.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) command: Command,
    pub(super) key: Option<IdempotencyKey>,
    pub(super) reply: oneshot::Sender<Result<Done, LedgerError>>,
}

/// A command that is committed. Its answer is sent once the batch's `size` is published.
#[derive(Debug)]
pub(super) struct Settled {
    pub(super) done: Box<Done>,
    pub(super) reply: oneshot::Sender<Result<Done, LedgerError>>,
}

/// The outcome of a batch.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) settled: Vec<Settled>,
    /// The tree's size after the batch.
    pub(super) size: u64,
}

/// The outcome of one command.
enum Outcome {
    Written {
        index: u64,
        accepted: Box<Accepted>,
        /// The table's next commitment, logged right after this entry.
        next: Option<Box<Commit>>,
    },
    /// The idempotency key has an answer already, from this batch or an older one.
    Repeated {
        index: u64,
        wants_next: bool,
    },
    Refused(LedgerError),
}

/// The state that a batch works on.
struct Open {
    working: Working,
    touched: BTreeSet<Commitment>,
    changed_tables: BTreeSet<Table>,
    answers: BTreeMap<String, Answer>,
    new_answers: Vec<Answer>,
    entries: Vec<NewEntry>,
    last_time: Option<u64>,
}

/// Runs a batch in one transaction. Answers the commands that fail.
pub(super) async fn run(core: &Core, waiting: Vec<Waiting>) -> Batch {
    match transact(core, &waiting).await {
        Ok((outcomes, size)) => {
            let mut batch = Batch { settled: Vec::new(), size };
            for (one, outcome) in waiting.into_iter().zip(outcomes) {
                match outcome {
                    Ok(done) => batch.settled.push(Settled { done: Box::new(done), reply: one.reply }),
                    // The caller may have gone.
                    Err(error) => drop(one.reply.send(Err(error))),
                }
            }
            batch
        }
        Err(error) => {
            core.stop_if_broken(&error);
            for one in waiting {
                drop(one.reply.send(Err(error.clone())));
            }
            Batch::default()
        }
    }
}

type Answers = Vec<Result<Done, LedgerError>>;

async fn transact(core: &Core, waiting: &[Waiting]) -> Result<(Answers, u64), LedgerError> {
    core.accepts()?;
    let now = core.watch.now()?;
    let mut transaction = core.state.begin().await?;
    fault::point("batch-begun");
    let head = transaction.head().await?;
    core.check_head(&head)?;
    let mut open = load(core, &mut *transaction, waiting, &head, now).await?;
    let log = own_log(core, &mut *transaction, waiting, &head).await?;
    let outcomes: Vec<Outcome> =
        waiting.iter().map(|one| decide(core, &log, &mut open, one, &head, now)).collect();
    fault::point("batch-judged");

    // Read older answers while the head is locked: their entries cannot move.
    let mut answers = Vec::with_capacity(waiting.len());
    for outcome in outcomes {
        answers.push(answer(core, &mut *transaction, outcome, &head, &open).await);
    }
    let size = head.frontier.size() + open.entries.len() as u64;
    if open.entries.is_empty() {
        transaction.roll_back().await?;
        return Ok((answers, size));
    }
    let growth = grow(core, open, &head, now)?;
    transaction.write(&growth).await?;
    fault::point("batch-written");
    if let Err(error) = transaction.commit().await {
        settle(core, &growth, error).await?;
    }
    fault::point("batch-committed");
    Ok((answers, size))
}

/// Loads what the batch needs, with one query for each kind.
async fn load(
    core: &Core,
    transaction: &mut dyn Transaction,
    waiting: &[Waiting],
    head: &Head,
    now: u64,
) -> Result<Open, LedgerError> {
    core.is_open()?;
    let commitments: BTreeSet<Commitment> = waiting.iter().filter_map(|w| w.command.commitment()).collect();
    let commitments: Vec<Commitment> = commitments.into_iter().collect();
    let mut lives = by_commitment(transaction.lives(&commitments).await?);
    let table = |w: &Waiting| match (&w.command, w.command.commitment()) {
        (Command::Commit(terms), _) => Some(terms.table.clone()),
        (command, Some(commitment)) if command.wants_next() => {
            lives.get(&commitment).map(|stored| stored.life.commit.table.clone())
        }
        _ => None,
    };
    let tables: BTreeSet<Table> = waiting.iter().filter_map(table).collect();
    let tables: Vec<Table> = tables.into_iter().collect();
    let tables: BTreeMap<Table, Commitment> = transaction.tables(&tables).await?.into_iter().collect();
    // A commit is judged against its table's last commitment.
    let last: Vec<Commitment> = tables.values().filter(|c| !lives.contains_key(c)).copied().collect();
    lives.extend(by_commitment(transaction.lives(&last).await?));

    let keys: Vec<String> =
        waiting.iter().filter_map(|w| w.key.as_ref()).map(|key| key.as_str().to_owned()).collect();
    let answers = transaction.answers(&keys, now.saturating_sub(REMEMBERED)).await?;
    Ok(Open {
        working: Working { lives, tables },
        touched: BTreeSet::new(),
        changed_tables: BTreeSet::new(),
        answers: answers.into_iter().map(|answer| (answer.key.clone(), answer)).collect(),
        new_answers: Vec::new(),
        entries: Vec::new(),
        last_time: head.time,
    })
}

fn by_commitment(lives: Vec<StoredLife>) -> BTreeMap<Commitment, StoredLife> {
    lives.into_iter().map(|stored| (stored.life.commit.commitment, stored)).collect()
}

/// The roots at the sizes of the contributors' checkpoints; only of those that this log signed.
async fn own_log(
    core: &Core,
    transaction: &mut dyn Transaction,
    waiting: &[Waiting],
    head: &Head,
) -> Result<OwnLog, LedgerError> {
    let size = head.frontier.size();
    let signed = SignedBy(core.key());
    let sizes: BTreeSet<u64> = waiting
        .iter()
        .flat_map(|w| w.command.contributions())
        .filter_map(|one| one.seen.as_ref())
        .filter(|seen| seen.size.value() <= size && signed.check_seen(seen) != SeenVerdict::NotSigned)
        .map(|seen| seen.size.value())
        .collect();
    let mut tree = Tree { read: transaction, tiles: &*core.tiles, size, kept: head.kept };
    let mut roots = BTreeMap::new();
    for size in sizes {
        roots.insert(size, tree.root_at(size).await?);
    }
    Ok(OwnLog { key: core.key().clone(), roots })
}

fn decide(core: &Core, log: &OwnLog, open: &mut Open, one: &Waiting, head: &Head, now: u64) -> Outcome {
    let request = one.command.digest();
    if let Some(answer) = one.key.as_ref().and_then(|key| open.answers.get(key.as_str())) {
        if answer.request == request {
            return Outcome::Repeated { index: answer.index, wants_next: one.command.wants_next() };
        }
        return Outcome::Refused(LedgerError::KeyReused(answer.key.clone()));
    }
    let index = head.frontier.size() + open.entries.len() as u64;
    // A log's time never runs back, whatever the clock does.
    let time = open.last_time.map_or(now, |last| now.max(last));
    let place =
        Place { log, origin: &core.origin, vault: &core.keys.vault, index, time, last_time: open.last_time };
    let (accepted, next) = match judge_with_next(&one.command, place, &mut open.working) {
        Ok(accepted) => accepted,
        Err(error) => return Outcome::Refused(error),
    };
    open.last_time = Some(time);
    open.write(index, &accepted);
    let next = next.and_then(|next| {
        open.write(index + 1, &next);
        if let Entry::Commit(commit) = next.entry { Some(commit) } else { None }
    });
    if let Some(key) = &one.key {
        let answer = Answer { key: key.as_str().to_owned(), request, index, at: now };
        open.answers.insert(answer.key.clone(), answer.clone());
        open.new_answers.push(answer);
    }
    Outcome::Written { index, accepted: Box::new(accepted), next }
}

/// Judges a command. If asked, also makes the table's next commitment; if that fails, so does the command.
fn judge_with_next(
    command: &Command,
    mut place: Place<'_>,
    working: &mut Working,
) -> Result<(Accepted, Option<Accepted>), LedgerError> {
    let about = command.commitment().filter(|_| command.wants_next());
    let before = about.and_then(|commitment| working.lives.get(&commitment).cloned());
    let accepted = judge(command, &place, working)?;
    let Some(commitment) = about else { return Ok((accepted, None)) };
    (place.index, place.last_time) = (place.index + 1, Some(place.time));
    match (commit_next(commitment, &place, working), before) {
        (Ok(next), _) => Ok((accepted, next)),
        (Err(error), before) => {
            // Undo the command.
            working.lives.extend(before.map(|stored| (commitment, stored)));
            Err(error)
        }
    }
}

impl Open {
    /// Adds an accepted entry to the batch.
    fn write(&mut self, index: u64, accepted: &Accepted) {
        let commitment = accepted.entry.commitment();
        self.touched.insert(commitment);
        if let Entry::Commit(commit) = &accepted.entry {
            self.changed_tables.insert(commit.table.clone());
        }
        let (nonce, kind) = (accepted.entry.nonce(), accepted.entry.kind().to_owned());
        let key = EntryKey { index, commitment, nonce, kind };
        self.entries.push(NewEntry { key, bytes: accepted.bytes.clone() });
    }
}

/// The caller's answer, to be sent after publishing.
async fn answer(
    core: &Core,
    transaction: &mut dyn Transaction,
    outcome: Outcome,
    head: &Head,
    open: &Open,
) -> Result<Done, LedgerError> {
    match outcome {
        Outcome::Refused(error) => Err(error),
        Outcome::Written { index, accepted, next } => {
            let Accepted { entry, findings, dealt, .. } = *accepted;
            let next = next.map(|commit| (index + 1, commit));
            Ok(Done { next, ..Done::new(index, entry, findings, dealt) })
        }
        Outcome::Repeated { index, wants_next } => {
            let size = head.frontier.size();
            let mut tree = Tree { read: transaction, tiles: &*core.tiles, size, kept: head.kept };
            let mut done = read::repeated(core, &mut tree, index, &open.entries, &open.working).await?;
            if wants_next {
                done.next = read::next_of(&mut tree, &done, &open.entries).await?;
            }
            Ok(done)
        }
    }
}

/// Adds the batch to the tree and signs the new checkpoint.
fn grow(core: &Core, open: Open, head: &Head, now: u64) -> Result<Growth, LedgerError> {
    let mut frontier = head.frontier.clone();
    let mut nodes: Vec<(Node, Hash)> = Vec::new();
    for entry in &open.entries {
        let stored = |node: Node| node.level() > 0 && node.level().is_multiple_of(8);
        let completed = |node, hash| {
            if stored(node) {
                nodes.push((node, hash));
            }
        };
        frontier
            .push_with(leaf_hash(&entry.bytes), completed)
            .map_err(|e| LedgerError::Damaged(e.to_string()))?;
    }
    let note = sign_checkpoint(&core.keys.signer, frontier.size(), frontier.root())
        .map_err(|e| LedgerError::Damaged(e.to_string()))?;
    let Open { mut working, touched, changed_tables, new_answers, entries, last_time, .. } = open;
    let lives = touched.iter().filter_map(|c| working.lives.remove(c)).collect();
    let tables = changed_tables.iter().filter_map(|name| working.tables.remove_entry(name)).collect();
    Ok(Growth {
        entries,
        lives,
        tables,
        nodes,
        answers: new_answers,
        forget_before: now.saturating_sub(REMEMBERED),
        frontier,
        note: note.to_text(),
        time: last_time.unwrap_or(now),
    })
}

/// COMMIT failed. If it may have been done, ask the database under the head's lock; never guess.
async fn settle(core: &Core, growth: &Growth, error: StoreError) -> Result<(), LedgerError> {
    if error.fault.is_known() {
        return Err(error.into());
    }
    if error.fault == Fault::Disk {
        // A read may answer from memory what the disk does not hold.
        core.stop(&error);
        return Err(LedgerError::Unsettled(error.to_string()));
    }
    match is_there(core, growth).await {
        Ok(true) => Ok(()),
        Ok(false) => Err(error.into()),
        Err(asked) => {
            let why = format!("{error}; then, on asking the database: {asked}");
            core.stop(&why);
            Err(LedgerError::Unsettled(why))
        }
    }
}

/// Whether this batch's entries are in the tree.
async fn is_there(core: &Core, growth: &Growth) -> Result<bool, LedgerError> {
    let mut transaction = core.state.begin().await?;
    let head = transaction.head().await?;
    let size = head.frontier.size();
    let mut there = true;
    let mut tree = Tree { read: &mut *transaction, tiles: &*core.tiles, size, kept: head.kept };
    for new in &growth.entries {
        there = there && new.key.index < size && tree.entry(new.key.index).await? == new.bytes;
    }
    transaction.roll_back().await?;
    Ok(there)
}
