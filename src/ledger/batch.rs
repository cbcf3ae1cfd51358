//! The commit point: one transaction for all commands of a batch.
//!
//! Nothing is told to anyone before COMMIT has answered. What a refused command leaves behind is its own answer alone.

use std::collections::{BTreeMap, BTreeSet};

use tokio::sync::oneshot;

use super::command::{Command, Done, IdempotencyKey};
use super::core::Core;
use super::error::LedgerError;
use super::fault;
use super::judging::{Accepted, OwnLog, Place, Working, judge};
use super::read;
use super::tree::Tree;
use crate::deal::Commitment;
use crate::log::{Checkpoint, Hash, Node, leaf_hash};
use crate::record::entry::Table;
use crate::record::life::{SeenVerdict, View as _};
use crate::record::receipt::SignedBy;
use crate::store::{Answer, Fault, Growth, Head, NewEntry, Row, StoreError, StoredLife, Transaction};

/// How long an idempotency key is remembered, in milliseconds.
const REMEMBERED: u64 = 24 * 60 * 60 * 1000;

/// A command in the queue.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) command: Command,
    pub(super) key: Option<IdempotencyKey>,
    pub(super) reply: oneshot::Sender<Result<Done, LedgerError>>,
}

/// A command that is settled: its answer, to be given once everything under `size` is published.
#[derive(Debug)]
pub(super) struct Settled {
    pub(super) done: Box<Done>,
    pub(super) reply: oneshot::Sender<Result<Done, LedgerError>>,
}

/// What a batch has come to.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) settled: Vec<Settled>,
    /// The tree's size that covers them.
    pub(super) size: u64,
}

/// What becomes of one command.
enum Outcome {
    Written {
        index: u64,
        accepted: Box<Accepted>,
    },
    /// Written before, under the same idempotency key; in this batch or an older one.
    Repeated {
        index: u64,
    },
    Refused(LedgerError),
}

/// All that is needed while a batch is judged.
struct Open {
    working: Working,
    touched: BTreeSet<Commitment>,
    changed_tables: BTreeSet<Table>,
    answers: BTreeMap<String, Answer>,
    new_answers: Vec<Answer>,
    entries: Vec<NewEntry>,
    last_time: Option<u64>,
}

/// Takes a batch through its transaction, and answers those who get nothing more than an error.
pub(super) async fn run(core: &Core, waiting: Vec<Waiting>) -> Batch {
    match transact(core, &waiting).await {
        Ok((outcomes, size)) => {
            let mut batch = Batch { settled: Vec::new(), size };
            for (one, outcome) in waiting.into_iter().zip(outcomes) {
                match outcome {
                    Ok(done) => batch.settled.push(Settled { done: Box::new(done), reply: one.reply }),
                    // Whoever asked may have gone away since.
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

    // Older answers are read while the head is still held: their entries can't move meanwhile.
    let mut answers = Vec::with_capacity(waiting.len());
    for outcome in outcomes {
        answers.push(answer(core, &mut *transaction, outcome, &head, &open).await);
    }
    let size = head.frontier.size().saturating_add(u64::try_from(open.entries.len()).unwrap_or(u64::MAX));
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

/// Loads what the batch touches, one query for each kind of thing.
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
    // Whose turn it is depends on the commitment before.
    let before: BTreeSet<Commitment> = lives.values().filter_map(|stored| stored.life.before).collect();
    let before: Vec<Commitment> = before.into_iter().filter(|c| !lives.contains_key(c)).collect();
    lives.extend(by_commitment(transaction.lives(&before).await?));

    let tables: BTreeSet<Table> = waiting
        .iter()
        .filter_map(|w| match &w.command {
            Command::Commit(terms) => Some(terms.table.clone()),
            _ => None,
        })
        .collect();
    let tables: Vec<Table> = tables.into_iter().collect();
    let tables = transaction.tables(&tables).await?.into_iter().collect();

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

/// The roots at the sizes that contributors have seen. Only what this log signed is worth looking up.
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
            return Outcome::Repeated { index: answer.index };
        }
        return Outcome::Refused(LedgerError::KeyReused(answer.key.clone()));
    }
    let written = u64::try_from(open.entries.len()).unwrap_or(u64::MAX);
    let index = head.frontier.size().saturating_add(written);
    // A log's time never runs back, whatever the clock does.
    let time = open.last_time.map_or(now, |last| now.max(last));
    let place =
        Place { log, origin: &core.origin, vault: &core.keys.vault, index, time, last_time: open.last_time };
    let accepted = match judge(&one.command, &place, &mut open.working) {
        Ok(accepted) => accepted,
        Err(error) => return Outcome::Refused(error),
    };
    open.last_time = Some(time);
    let commitment = accepted.entry.commitment();
    open.touched.insert(commitment);
    if let Command::Commit(terms) = &one.command {
        open.changed_tables.insert(terms.table.clone());
    }
    let nonce = accepted.entry.nonce();
    let row = Row { index, commitment, nonce, kind: accepted.entry.kind().to_owned() };
    open.entries.push(NewEntry { row, bytes: accepted.bytes.clone() });
    if let Some(key) = &one.key {
        let answer = Answer { key: key.as_str().to_owned(), request, index, at: now };
        open.answers.insert(answer.key.clone(), answer.clone());
        open.new_answers.push(answer);
    }
    Outcome::Written { index, accepted: Box::new(accepted) }
}

/// What the caller is told once everything is published.
async fn answer(
    core: &Core,
    transaction: &mut dyn Transaction,
    outcome: Outcome,
    head: &Head,
    open: &Open,
) -> Result<Done, LedgerError> {
    match outcome {
        Outcome::Refused(error) => Err(error),
        Outcome::Written { index, accepted } => {
            let Accepted { entry, findings, dealt, .. } = *accepted;
            Ok(Done::new(index, entry, findings, dealt))
        }
        Outcome::Repeated { index } => {
            let size = head.frontier.size();
            let mut tree = Tree { read: transaction, tiles: &*core.tiles, size, kept: head.kept };
            read::repeated(core, &mut tree, index, &open.entries, &open.working).await
        }
    }
}

/// Grows the tree by the batch, and signs its checkpoint.
fn grow(core: &Core, open: Open, head: &Head, now: u64) -> Result<Growth, LedgerError> {
    let mut frontier = head.frontier.clone();
    let mut nodes: Vec<(Node, Hash)> = Vec::new();
    for entry in &open.entries {
        let stored = |node: Node| node.level() > 0 && node.level().trailing_zeros() >= 3;
        let completed = |node, hash| {
            if stored(node) {
                nodes.push((node, hash));
            }
        };
        frontier
            .push_with(leaf_hash(&entry.bytes), completed)
            .map_err(|e| LedgerError::Damaged(e.to_string()))?;
    }
    let checkpoint = Checkpoint::new(core.origin.as_str(), frontier.size(), frontier.root())
        .map_err(|e| LedgerError::Damaged(e.to_string()))?;
    let note = checkpoint.sign(&core.keys.signer).map_err(|e| LedgerError::Damaged(e.to_string()))?;
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

/// COMMIT failed. Where it is not known whether it was done, that is asked, never guessed: under the head's lock, which
/// waits for whatever is still under way.
async fn settle(core: &Core, growth: &Growth, error: StoreError) -> Result<(), LedgerError> {
    if error.fault.is_known() {
        return Err(error.into());
    }
    if error.fault == Fault::Disk {
        // What can be read back now may be in memory alone.
        core.stop(&error);
        return Err(LedgerError::Unsettled(error.to_string()));
    }
    match is_there(core, growth).await {
        Ok(true) => Ok(()),
        Ok(false) => Err(error.into()),
        Err(asked) => {
            let why = format!("{error}; asking whether it was done: {asked}");
            core.stop(&why);
            Err(LedgerError::Unsettled(why))
        }
    }
}

/// Whether this batch's entries are the ones in their places.
async fn is_there(core: &Core, growth: &Growth) -> Result<bool, LedgerError> {
    let mut transaction = core.state.begin().await?;
    let head = transaction.head().await?;
    let size = head.frontier.size();
    let mut there = true;
    let mut tree = Tree { read: &mut *transaction, tiles: &*core.tiles, size, kept: head.kept };
    for new in &growth.entries {
        there = there && new.row.index < size && tree.entry(new.row.index).await? == new.bytes;
    }
    transaction.roll_back().await?;
    Ok(there)
}
