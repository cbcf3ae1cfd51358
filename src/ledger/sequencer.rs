//! Two tasks: one commits commands in batches, the other publishes and answers.
//!
//! A batch takes the commands that arrived during the transaction before it, at most 512. So an idle ledger answers at
//! once, and a busy one has larger batches.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use super::batch::{self, Batch, Waiting};
use super::command::Done;
use super::core::Core;
use super::error::LedgerError;
use super::publisher;

/// The most commands in one batch.
const BATCH: usize = 512;
/// Commands in the queue. When it is full, callers wait.
const QUEUE: usize = 2 * BATCH;
/// Committed batches that may wait for publishing.
const AHEAD: usize = 4;

/// A message in the queue.
#[derive(Debug)]
pub(super) enum Message {
    /// A command, for the next batch.
    Do(Box<Waiting>),
    /// Finish the queue and close.
    Close(oneshot::Sender<Result<(), LedgerError>>),
}

/// Starts both tasks. They end at [`Message::Close`], or when the last sender is dropped.
pub(super) fn start(core: Arc<Core>) -> mpsc::Sender<Message> {
    let (to_sequencer, commands) = mpsc::channel(QUEUE);
    let (to_publisher, batches) = mpsc::channel(AHEAD);
    let publishing = tokio::spawn(publish_all(Arc::clone(&core), batches));
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
    let mut closing = None;
    while let Some(first) = commands.recv().await {
        let mut waiting = Vec::new();
        take(first, &mut waiting, &mut closing, &mut commands);
        if closing.is_none() && !core.options.max_batch_delay.is_zero() {
            fill(core.options.max_batch_delay, &mut waiting, &mut closing, &mut commands).await;
        }
        while waiting.len() < BATCH
            && let Ok(message) = commands.try_recv()
        {
            take(message, &mut waiting, &mut closing, &mut commands);
        }
        if waiting.is_empty() {
            continue;
        }
        let batch = batch::run(core, waiting).await;
        if !batch.settled.is_empty() && batches.send(batch).await.is_err() {
            break;
        }
    }
    closing
}

/// Waits up to `delay` for more commands.
async fn fill(
    delay: Duration,
    waiting: &mut Vec<Waiting>,
    closing: &mut Closing,
    commands: &mut mpsc::Receiver<Message>,
) {
    let filled = async {
        while waiting.len() < BATCH && closing.is_none() {
            match commands.recv().await {
                Some(message) => take(message, waiting, closing, commands),
                None => return,
            }
        }
    };
    let _in_time = tokio::time::timeout(delay, filled).await;
}

fn take(
    message: Message,
    waiting: &mut Vec<Waiting>,
    closing: &mut Closing,
    commands: &mut mpsc::Receiver<Message>,
) {
    match message {
        Message::Do(command) => waiting.push(*command),
        Message::Close(reply) => {
            // The queue is finished, but takes nothing new.
            commands.close();
            *closing = Some(reply);
        }
    }
}

/// Publishes committed batches, many at once if they have piled up. Then answers.
async fn publish_all(core: Arc<Core>, mut batches: mpsc::Receiver<Batch>) -> Result<(), LedgerError> {
    let mut last = Ok(());
    while let Some(Batch { mut settled, mut job }) = batches.recv().await {
        while let Ok(next) = batches.try_recv() {
            settled.extend(next.settled);
            job.append(next.job);
        }
        last = publisher::publish(&core, &job).await;
        for one in settled {
            drop(one.reply.send(reply(&last, *one.done)));
        }
        if last.is_ok() {
            publisher::clean_up(&core, &job).await;
        }
    }
    if last.is_ok() { publisher::drop_filled(&core).await } else { last }
}

fn reply(published: &Result<(), LedgerError>, done: Done) -> Result<Done, LedgerError> {
    match published {
        Ok(()) => Ok(done),
        Err(why) => Err(LedgerError::Unpublished {
            commitment: done.commitment,
            nonce: done.nonce,
            index: done.index,
            why: Box::new(why.clone()),
        }),
    }
}
