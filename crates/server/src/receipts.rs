//! Receipts of new entries, many at once: those who ask at the same time share what is read.

use std::sync::Arc;

use tokio::sync::{Mutex, mpsc, oneshot};

use fairdeal_ledger::{Asked, LedgerError, Proved, Reader};

/// The most receipts that are made together.
const TOGETHER: usize = 128;

/// Tasks that make receipts: reading and hashing take both cores of a small machine.
pub(super) const MAKERS: usize = 2;

/// Somebody who waits for a receipt.
#[derive(Debug)]
struct Waiting {
    of: Asked,
    reply: oneshot::Sender<Proved>,
}

/// The queue of those who wait.
#[derive(Debug)]
pub(super) struct Receipts {
    asked: mpsc::Sender<Waiting>,
    waiting: Arc<Mutex<mpsc::Receiver<Waiting>>>,
}

impl Receipts {
    /// A queue for at most so many.
    pub(super) fn new(most: usize) -> Self {
        let (asked, waiting) = mpsc::channel(most.max(1));
        Self { asked, waiting: Arc::new(Mutex::new(waiting)) }
    }

    /// A receipt, and the terms of its commitment.
    pub(super) async fn of(&self, asked: Asked) -> Proved {
        let (reply, proved) = oneshot::channel();
        let waiting = Waiting { of: asked, reply };
        self.asked.send(waiting).await.map_err(|_| LedgerError::Closed)?;
        proved.await.map_err(|_| LedgerError::Closed)?
    }

    /// Makes receipts until it is dropped.
    pub(super) async fn make(&self, reader: &Reader) {
        loop {
            let mut together = Vec::new();
            if self.waiting.lock().await.recv_many(&mut together, TOGETHER).await == 0 {
                return;
            }
            let asked: Vec<_> = together.iter().map(|one| one.of.clone()).collect();
            match reader.receipts(&asked).await {
                // The request may have ended meanwhile.
                Ok(all) => {
                    for (one, proved) in together.into_iter().zip(all) {
                        drop(one.reply.send(proved));
                    }
                }
                Err(error) => {
                    for one in together {
                        drop(one.reply.send(Err(error.clone())));
                    }
                }
            }
        }
    }
}
