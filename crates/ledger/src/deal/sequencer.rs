//! The task that commits commands in batches. Another one [publishes](crate::publish::outbox) and
//! answers.
//!
//! A batch takes the commands that arrived during the transaction before it, and while another
//! process held the tree's head: at most 512. So an idle ledger answers at once, and a busy one has
//! larger batches.
//!
//! Both tasks own what they work on. They share [`Core`] and two queues: callers send commands, and
//! the sequencer sends committed batches to the publisher.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use crate::core::Core;
use crate::deal::batch::{self, Batch, Waiting, Work};
use crate::deal::in_doubt;
use crate::deal::observer::BatchEvent;
use crate::error::LedgerError;
use crate::publish::outbox::{SLOW, publish_all};
use crate::witness::Witnesses;
use crate::witness::anchors::NewAnchor;

/// The most commands in one batch.
const BATCH: usize = 512;
/// Commands in the queue. When it is full, callers wait.
const QUEUE: usize = 2 * BATCH;
/// Batches that are committed and that the publisher has not taken yet, at most.
const AHEAD: usize = 5;
/// If a publication takes no longer, a batch waits until the publisher took the one before: fewer
/// batches cost less. With an object store it takes longer, and the batches that are committed
/// meanwhile are published together.
const SOON: Duration = Duration::from_millis(5);

/// A message in the queue.
#[derive(Debug)]
pub(crate) enum Message {
    /// A command, for the next batch.
    Do(Box<Waiting>),
    /// The ledger's own anchor, for the next batch.
    Anchor(Box<NewAnchor>),
    /// Finish the queue and close.
    Close(oneshot::Sender<Result<(), LedgerError>>),
}

/// Starts both tasks. They end at [`Message::Close`], or when the last sender is dropped.
pub(crate) fn start(core: Arc<Core>) -> mpsc::Sender<Message> {
    let (to_sequencer, commands) = mpsc::channel(QUEUE);
    let (to_publisher, batches) = mpsc::channel(AHEAD);
    let publishing = tokio::spawn(publish_all(Arc::clone(&core), batches));
    Witnesses::start(&core, to_sequencer.downgrade());
    tokio::spawn(async move {
        let closing = sequence(&core, commands, to_publisher).await;
        let published = publishing.await.map_err(|e| LedgerError::Stopped(e.to_string()));
        core.close();
        let closed = core.state.close().await.map_err(LedgerError::from);
        if let Some(reply) = closing {
            drop(reply.send(published.and_then(|published| published).and(closed)));
        }
    });
    to_sequencer
}

type Closing = Option<oneshot::Sender<Result<(), LedgerError>>>;

async fn sequence(
    core: &Core,
    mut commands: mpsc::Receiver<Message>,
    batches: mpsc::Sender<Batch>,
) -> Closing {
    let (mut closing, mut in_doubt) = (None, false);
    while let Some(first) = next(core, &mut commands, &batches, &mut in_doubt).await {
        let mut work = Work::default();
        take(first, &mut work, &mut closing, &mut commands);
        let room = match room(core, &batches).await {
            Ok(room) => room,
            Err(error) => {
                while let Ok(message) = commands.try_recv() {
                    take(message, &mut work, &mut closing, &mut commands);
                }
                work.fail(&error);
                continue;
            }
        };
        if closing.is_none() && !core.options.max_batch_delay.is_zero() {
            fill(core.options.max_batch_delay, &mut work, &mut closing, &mut commands).await;
        }
        if work.is_empty() {
            continue;
        }
        let (began, mut many) = (Instant::now(), work.commands.len());
        // Commands that came while another process had the head are in this batch too.
        let batch = batch::run(core, work, |work| {
            while work.commands.len() < BATCH
                && let Ok(message) = commands.try_recv()
            {
                take(message, work, &mut closing, &mut commands);
            }
            many = work.commands.len();
        });
        let batch = batch.await;
        in_doubt |= batch.in_doubt;
        let entries = batch.job.size.saturating_sub(batch.job.base);
        if entries > 0 {
            core.backlog.committed(batch.job.size, batch.job.time);
        }
        let (kinds, took) = (batch.job.kinds, began.elapsed());
        core.tell(BatchEvent::Committed { commands: many, entries, kinds, took });
        if !batch.settled.is_empty() || entries > 0 {
            room.send(batch);
        }
    }
    closing
}

/// The next message. While it is unknown whether a batch was committed, asks the database: its
/// entries must be published, also if no command comes again.
async fn next(
    core: &Core,
    commands: &mut mpsc::Receiver<Message>,
    batches: &mpsc::Sender<Batch>,
    in_doubt: &mut bool,
) -> Option<Message> {
    while *in_doubt {
        let asked = async {
            tokio::time::sleep(in_doubt::ASKED_EVERY).await;
            in_doubt::left_in_doubt(core).await
        };
        tokio::select! {
            biased;
            message = commands.recv() => return message,
            asked = asked => if let Ok(found) = asked {
                *in_doubt = batches.send(found).await.is_err();
            },
        }
    }
    commands.recv().await
}

/// Waits until another batch may be committed. An error if publishing fails meanwhile, or is too
/// far behind.
async fn room<'a>(
    core: &Core,
    batches: &'a mpsc::Sender<Batch>,
) -> Result<mpsc::Permit<'a, Batch>, LedgerError> {
    if core.backlog.is_quick(SOON)
        && let Ok(Ok(mut free)) = tokio::time::timeout(SOON, batches.reserve_many(AHEAD)).await
        && let Some(room) = free.next()
    {
        return Ok(room);
    }
    loop {
        if let Ok(room) = tokio::time::timeout(SLOW, batches.reserve()).await {
            return room.map_err(|_| LedgerError::Closed);
        }
        core.accepts()?;
        core.backlog.failing().map_or(Ok(()), Err)?;
    }
}

/// Waits up to `delay` for more commands.
async fn fill(
    delay: Duration,
    work: &mut Work,
    closing: &mut Closing,
    commands: &mut mpsc::Receiver<Message>,
) {
    let filled = async {
        while work.commands.len() < BATCH && closing.is_none() {
            match commands.recv().await {
                Some(message) => take(message, work, closing, commands),
                None => return,
            }
        }
    };
    let _in_time = tokio::time::timeout(delay, filled).await;
}

fn take(
    message: Message,
    work: &mut Work,
    closing: &mut Closing,
    commands: &mut mpsc::Receiver<Message>,
) {
    match message {
        Message::Do(command) => work.commands.push(*command),
        Message::Anchor(anchor) => work.anchor = Some(anchor),
        Message::Close(reply) => {
            // The queue is finished, but takes nothing new.
            commands.close();
            *closing = Some(reply);
        }
    }
}
