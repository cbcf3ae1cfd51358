//! The commit point: one transaction for all commands of a batch.
//!
//! No caller gets an answer before COMMIT returns. A refused command changes nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tokio::sync::oneshot;

use crate::beacon::BeaconLock;
use crate::core::Core;
use crate::deal::command::{Command, Done, IdempotencyKey, commitment_of};
use crate::deal::in_doubt::settle;
use crate::deal::in_play;
use crate::deal::judging::{Accepted, Place, Seeds, Steps, judge_all};
use crate::deal::observer::Kinds;
use crate::deal::working_set::Working;
use crate::error::LedgerError;
use crate::fault;
use crate::operate::memos::policy_memo;
use crate::publish::publisher::{self, Job};
use crate::publish::right_edge::Grown;
use crate::read::queries;
use crate::read::receipts::JustDealt;
use crate::read::rounds::round_entry;
use crate::store::{Answer, Fault, Growth, Head, Memo, RoundEntry, StoredLife, Transaction};
use crate::witness::anchors::{Decided, NewAnchor};
use fairdeal::deal::Commitment;
use fairdeal::log::sign_checkpoint;
use fairdeal::record::entry::{Entry, Table};

/// The time for which an idempotency key is kept, in milliseconds of the head's `key_time`.
const REMEMBERED: u64 = 24 * 60 * 60 * 1000;

/// The most that one step of the log's time counts for keys, in milliseconds: a clock that jumps
/// does not make keys expire.
const KEY_STEP: u64 = 60 * 60 * 1000;

/// A command in the queue.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub(crate) command: Command,
    pub(crate) key: Option<IdempotencyKey>,
    pub(crate) reply: Reply,
}

/// The work of one batch.
#[derive(Debug, Default)]
pub(crate) struct Work {
    pub(crate) commands: Vec<Waiting>,
    /// The ledger's own anchor, after the commands.
    pub(crate) anchor: Option<Box<NewAnchor>>,
}

impl Work {
    pub(crate) fn is_empty(&self) -> bool {
        self.commands.is_empty() && self.anchor.is_none()
    }

    /// Answers all commands with an error.
    pub(crate) fn fail(self, error: &LedgerError) {
        for one in self.commands {
            drop(one.reply.send(Err(error.clone())));
        }
        if let Some(anchor) = self.anchor {
            anchor.decided(Err(error.clone()));
        }
    }
}

/// The channel of a caller that waits. The answer is made once, and then moves as a pointer.
pub(crate) type Reply = oneshot::Sender<Result<Box<Done>, LedgerError>>;

/// A command that is committed. Its answer is sent once the batch is published.
#[derive(Debug)]
pub(crate) struct Settled {
    pub(crate) done: Box<Done>,
    pub(crate) reply: Reply,
}

/// The outcome of a batch.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) settled: Vec<Settled>,
    pub(crate) job: Job,
    /// Whether it is unknown if it was committed: the database went away during COMMIT, and stayed
    /// away.
    pub(crate) in_doubt: bool,
}

/// The outcome of one command.
enum Outcome {
    /// Its answer, to be sent after publishing.
    Written(Box<Done>),
    /// The idempotency key has an answer already, from this batch or an older one.
    Repeated {
        index: u64,
        wants_next: bool,
    },
    Refused(LedgerError),
}

/// The changes of a batch so far.
#[derive(Default)]
pub(crate) struct Changes {
    pub(crate) grown: Grown,
    kinds: Kinds,
    rounds: Vec<RoundEntry>,
    memos: Vec<Memo>,
    made: Vec<Commitment>,
    touched: BTreeSet<Commitment>,
    tables: BTreeSet<Table>,
    answers: BTreeMap<String, Answer>,
    /// Why the answer to a key cannot be read. Such a key is never dealt again.
    unreadable: BTreeMap<String, LedgerError>,
    new_answers: Vec<Answer>,
    seeds: Seeds,
    beacons: Vec<BeaconLock>,
}

/// Runs a batch in one transaction. Answers the commands that fail. Once the tree's head is locked,
/// `join` may add commands.
pub(crate) async fn run(core: &Core, mut work: Work, join: impl FnOnce(&mut Work)) -> Batch {
    match transact(core, &mut work, join).await {
        Ok(Decisions { answers, anchor, job }) => {
            if job.size > job.base {
                core.written(None);
            }
            let Work { commands, anchor: asked } = work;
            if let Some((asked, decided)) = asked.zip(anchor) {
                asked.decided(decided);
            }
            let mut batch =
                Batch { settled: Vec::with_capacity(commands.len()), job, in_doubt: false };
            for (one, outcome) in commands.into_iter().zip(answers) {
                match outcome {
                    Ok(done) => batch.settled.push(Settled { done, reply: one.reply }),
                    // The caller may have gone.
                    Err(error) => drop(one.reply.send(Err(error))),
                }
            }
            batch
        }
        Err(error) => {
            core.stop_if_broken(&error);
            core.written(Some(&error));
            work.fail(&error);
            Batch { in_doubt: matches!(error, LedgerError::Unsettled(_)), ..Batch::default() }
        }
    }
}

/// What a transaction has decided.
struct Decisions {
    /// In the order of the commands.
    answers: Vec<Result<Box<Done>, LedgerError>>,
    anchor: Option<Result<Decided, LedgerError>>,
    job: Job,
}

/// An idempotency key, and the digest of it and its request.
type Request = (String, [u8; 32]);

async fn transact(
    core: &Core,
    work: &mut Work,
    join: impl FnOnce(&mut Work),
) -> Result<Decisions, LedgerError> {
    core.accepts()?;
    let mut transaction = core.state.begin().await?;
    fault::point("batch-begun");
    join(work);
    let waiting = &work.commands;
    let mut head = transaction.head().await?;
    if core.any_behind(&head).is_some() {
        // Another node may have published it. This one asks without the head's lock.
        transaction.roll_back().await?;
        publisher::look_at_checkpoint(core).await;
        core.backlog.any_behind(core.options.max_lag).map_or(Ok(()), Err)?;
        transaction = core.state.begin().await?;
        head = transaction.head().await?;
    }
    core.check_head(&head)?;
    Core::check_open(&head)?;
    let (now, clock) = core.watch.now(&head)?;
    let mut working = Working::of(core, &mut *transaction, head).await?;
    working.load(core, &mut *transaction, waiting).await?;
    let mut changes = Changes::default();
    let request = |one: &Waiting| {
        Some((one.key.as_ref()?.as_str().to_owned(), one.command.digest(one.key.as_ref()?)))
    };
    let requests: Vec<Option<Request>> = waiting.iter().map(request).collect();
    let keys: Vec<String> = requests.iter().flatten().map(|(key, _)| key.clone()).collect();
    let time = working.head.time.map_or(now, |last| now.max(last));
    let key_time = key_time(&working.head, time);
    remember(&mut *transaction, &keys, key_time.saturating_sub(REMEMBERED), &mut changes).await?;

    let mut outcomes = Vec::with_capacity(waiting.len());
    for (one, request) in waiting.iter().zip(requests) {
        outcomes.push(decide(core, &mut working, &mut changes, (one, request), (time, key_time))?);
    }
    fault::point("batch-judged");

    // Read older answers while the head is locked: their entries cannot move.
    let mut answers = Vec::with_capacity(waiting.len());
    for outcome in outcomes {
        answers.push(match outcome {
            Outcome::Written(done) => Ok(done),
            Outcome::Refused(error) => Err(error),
            Outcome::Repeated { index, wants_next } => {
                repeated(core, &mut *transaction, (index, wants_next), &mut working, &changes).await
            }
        });
    }
    let mut anchor = None;
    if let Some(new) = &work.anchor {
        let decided = new.decide(core, &mut *transaction, &mut working, &mut changes, time).await;
        anchor = Some(decided);
    }
    let base = working.head.frontier.size();
    if working.edge.size() == base {
        transaction.roll_back().await?;
        working.keep(core).await;
        return Ok(Decisions { answers, anchor, job: Job::nothing(base) });
    }
    let partial = working.edge.partial();
    let head = Head {
        frontier: working.edge.frontier().clone(),
        note: sign(core, &working)?,
        time: Some(time),
        key_time,
        kept: core.kept(working.head.kept),
        clock,
        ..working.head.clone()
    };
    let (full, kinds) = (std::mem::take(&mut changes.grown.full), changes.kinds);
    let beacons = std::mem::take(&mut changes.beacons);
    let growth = growth(changes, &mut working, head, key_time.saturating_sub(REMEMBERED))?;
    transaction.write(&growth).await?;
    fault::point("batch-written");
    if let Err(error) = transaction.commit().await {
        settle(core, &growth, error).await?;
    }
    fault::point("batch-committed");
    if core.witnesses.is_some() {
        core.beacons.learn(beacons);
    }
    let size = growth.head.frontier.size();
    let job = Job { base, size, time, kinds, note: growth.head.note.clone(), full, partial };
    working.head = growth.head;
    working.keep(core).await;
    Ok(Decisions { answers, anchor, job })
}

/// Reads the answers to these keys. A damaged answer is an error for its own caller, not for the
/// whole batch.
async fn remember(
    transaction: &mut dyn Transaction,
    keys: &[String],
    since: u64,
    changes: &mut Changes,
) -> Result<(), LedgerError> {
    let mut learn = |answers: Vec<Answer>| {
        changes.answers.extend(answers.into_iter().map(|answer| (answer.key.clone(), answer)));
    };
    match transaction.answers(keys, since).await {
        Ok(answers) => {
            learn(answers);
            return Ok(());
        }
        Err(error) if error.fault == Fault::Damaged => {}
        Err(error) => return Err(error.into()),
    }
    for key in keys {
        match transaction.answers(std::slice::from_ref(key), since).await {
            Ok(answers) => learn(answers),
            Err(error) if error.fault == Fault::Damaged => {
                changes.unreadable.insert(key.clone(), error.into());
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// The clock of idempotency keys after an entry of this time.
fn key_time(head: &Head, time: u64) -> u64 {
    let step = head.time.map_or(0, |last| time.saturating_sub(last));
    head.key_time.saturating_add(step.min(KEY_STEP))
}

fn sign(core: &Core, working: &Working) -> Result<String, LedgerError> {
    let frontier = working.edge.frontier();
    let note = sign_checkpoint(&core.keys.signer, frontier.size(), frontier.root());
    note.map(|note| note.to_text()).map_err(|e| LedgerError::Damaged(e.to_string()))
}

/// Judges one command. An error is one of the whole batch.
fn decide(
    core: &Core,
    working: &mut Working,
    changes: &mut Changes,
    (one, request): (&Waiting, Option<Request>),
    (time, key_time): (u64, u64),
) -> Result<Outcome, LedgerError> {
    if let Some(error) = request.as_ref().and_then(|(key, _)| changes.unreadable.get(key)) {
        return Ok(Outcome::Refused(error.clone()));
    }
    if let Some((key, request)) = &request
        && let Some(answer) = changes.answers.get(key)
    {
        if answer.request == *request {
            return Ok(Outcome::Repeated {
                index: answer.index,
                wants_next: one.command.wants_next(),
            });
        }
        return Ok(Outcome::Refused(LedgerError::KeyReused(answer.key.clone())));
    }
    if let Err(error) = in_play::check(&one.command, &working.in_play) {
        return Ok(Outcome::Refused(error));
    }
    let mut index = working.edge.size();
    // A log's time never runs back, whatever the clock does.
    let (origin, log, vault) = (&core.origin, core.key(), &core.keys.vault);
    let place = Place { origin, log, vault, options: &core.options, index, time };
    let steps =
        judge_all(&one.command, &place, &mut working.judge, &mut changes.seeds, &working.policies);
    let Steps { void, own: accepted, next } = match steps {
        Ok(steps) => steps,
        Err(error) => return Ok(Outcome::Refused(error)),
    };
    if let Some(void) = void {
        changes.write(index, &void, working)?;
        index += 1;
    }
    changes.write(index, &accepted, working)?;
    let next = match next {
        Some(next) => {
            changes.write(index + 1, &next, working)?;
            if let Entry::Commit(commit) = next.entry { Some((index + 1, commit)) } else { None }
        }
        None => None,
    };
    if let Some((key, request)) = request {
        let answer = Answer { key, request, index, at: key_time };
        changes.answers.insert(answer.key.clone(), answer.clone());
        changes.new_answers.push(answer);
    }
    let Accepted { entry, text, findings, dealt, .. } = accepted;
    let commitment = commitment_of(&entry)?;
    let deal = match (&entry, working.judge.life(&commitment)) {
        (Entry::Deal(deal), Some(life)) => Some(Arc::new(JustDealt::new(index, deal, text, life))),
        _ => None,
    };
    Ok(Outcome::Written(Box::new(Done {
        next,
        deal,
        ..Done::new(index, (commitment, entry), findings, dealt)
    })))
}

impl Changes {
    /// Adds an anchor to the batch.
    pub(crate) fn write_anchor(
        &mut self,
        anchor: &Entry,
        memos: [Memo; 2],
        working: &mut Working,
    ) -> Result<(), LedgerError> {
        self.kinds.count(anchor);
        self.memos.extend(memos);
        working.edge.push(anchor.to_text()?.as_bytes(), &mut self.grown)
    }

    /// Adds an accepted entry to the batch.
    fn write(
        &mut self,
        index: u64,
        accepted: &Accepted,
        working: &mut Working,
    ) -> Result<(), LedgerError> {
        let commitment = commitment_of(&accepted.entry)?;
        self.kinds.count(&accepted.entry);
        self.beacons.extend(BeaconLock::of(index, &accepted.entry));
        if let Entry::Commit(commit) = &accepted.entry {
            self.made.push(commitment);
            self.tables.insert(commit.table.clone());
            let policy = accepted.policy.clone();
            self.memos.extend(policy.map(|policy| policy_memo(&commitment, policy)));
        } else {
            self.touched.insert(commitment);
        }
        if let Entry::Reveal(_) = &accepted.entry {
            let ended = working.in_play.remove(&commitment).unwrap_or_default();
            self.memos.extend(ended.into_iter().map(|nonce| in_play::over(&commitment, nonce)));
        }
        if let Some(nonce) = accepted.entry.nonce().filter(|_| accepted.in_play) {
            self.memos.push(in_play::begun(&commitment, nonce));
            working.in_play.entry(commitment).or_default().insert(nonce.value());
        }
        if let Some((life, secret)) = working.judge.noted(&commitment) {
            self.rounds.extend(round_entry(life.index, secret.ended_at, (index, &accepted.entry)));
        }
        working.edge.push(accepted.text.as_bytes(), &mut self.grown)
    }
}

/// The answer to a key that has one already.
async fn repeated(
    core: &Core,
    transaction: &mut dyn Transaction,
    (index, wants_next): (u64, bool),
    working: &mut Working,
    changes: &Changes,
) -> Result<Box<Done>, LedgerError> {
    let mut log = queries::Known {
        tree: core.tree(transaction, &working.head),
        new: &changes.grown.segments,
    };
    let mut done = queries::repeated(core, &mut log, index, &mut working.judge).await?;
    if wants_next {
        done.next = log.next_of(&done).await?;
    }
    Ok(Box::new(done))
}

/// All that the transaction writes.
fn growth(
    changes: Changes,
    working: &mut Working,
    head: Head,
    forget_before: u64,
) -> Result<Growth, LedgerError> {
    let Changes { grown, rounds, memos, made, mut touched, tables, new_answers, .. } = changes;
    let mut stored = |commitment: &Commitment| -> Result<StoredLife, LedgerError> {
        let (life, secret) = working.judge.noted(commitment).ok_or_else(|| {
            LedgerError::Damaged(format!("{commitment} was judged and is not known"))
        })?;
        Ok(StoredLife { life: life.clone(), ended_at: secret.ended_at, seed: secret.seed.clone() })
    };
    for new in &made {
        touched.remove(new);
    }
    let commitments = made.iter().map(&mut stored).collect::<Result<Vec<_>, _>>()?;
    let lives = touched.iter().map(&mut stored).collect::<Result<Vec<_>, _>>()?;
    let last = |table: Table| working.judge.last_of(&table).copied().map(|last| (table, last));
    Ok(Growth {
        segments: grown.segments,
        rounds,
        commitments,
        lives,
        tables: tables.into_iter().filter_map(last).collect(),
        nodes: grown.nodes,
        answers: new_answers,
        forget_before,
        memos,
        head,
    })
}
