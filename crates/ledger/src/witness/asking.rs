//! The task that asks one witness.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, watch};

use super::exchange::{Answer, Connection};
use super::{Wanted, Witnesses};
use crate::core::Core;
use crate::entropy::jittered;
use crate::error::LedgerError;
use fairdeal::log::{AddCheckpoint, Hash, SignedCheckpoint, Witness};

/// How often a witness is asked again in one round, after it has named the size that it has.
const AGAIN: usize = 3;

/// The first and the longest pause after a failure.
const PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// The pause after the answer that this log is not set up.
const NOT_SET_UP: Duration = Duration::from_mins(1);

/// A checkpoint that the witnesses are asked to sign.
#[derive(Debug)]
pub(super) struct Target {
    checkpoint: SignedCheckpoint,
    /// The last proof, and the old size in it. Most witnesses have the same old size.
    proof: Mutex<Option<(u64, Vec<Hash>)>>,
}

/// What the task knows of its witness.
struct Asked<'a> {
    core: &'a Core,
    witnesses: &'a Witnesses,
    at: usize,
    witness: &'a Witness,
    connection: Connection,
    /// The size that it has named or signed last; 0 at first.
    old: u64,
    /// The next pause after a failure.
    pause: Duration,
}

/// A witness's submission prefix, if it is one.
pub(super) fn url(witness: &Witness) -> Option<&str> {
    let url = std::str::from_utf8(witness.url.as_deref()?).ok()?;
    (url.starts_with("http://") || url.starts_with("https://")).then_some(url)
}

/// Asks for a cosignature of each target, until the ledger closes.
pub(super) async fn ask(core: Arc<Core>, at: usize, mut wanted: watch::Receiver<Wanted>) {
    let Some(witnesses) = &core.witnesses else { return };
    let Some(witness) = witnesses.options.policy.witnesses().get(at) else { return };
    let Some(url) = url(witness) else {
        let says = "the policy has no URL of it".to_owned();
        return witnesses.note(at, |one| one.answer = Some(says));
    };
    let (core, connection) = (&*core, Connection::new(url));
    let mut asked = Asked { core, witnesses, at, witness, connection, old: 0, pause: PAUSE };
    loop {
        let target = match &*wanted.borrow_and_update() {
            Wanted::Nothing => None,
            Wanted::Target(target) => Some(Arc::clone(target)),
            Wanted::Ended => return,
        };
        let pause = match target {
            Some(target) => asked.ask(&target).await,
            None => None,
        };
        // A failure's pause holds for the next target too.
        if let Some(pause) = pause {
            let ended = wanted.wait_for(|wanted| matches!(wanted, Wanted::Ended));
            if tokio::time::timeout(pause, ended).await.is_ok() {
                return;
            }
        } else if wanted.changed().await.is_err() {
            return;
        }
    }
}

impl Target {
    pub(super) fn new(checkpoint: SignedCheckpoint) -> Self {
        Self { checkpoint, proof: Mutex::default() }
    }

    fn size(&self) -> u64 {
        self.checkpoint.unverified().size()
    }

    /// The proof that the target continues the tree of a smaller size.
    async fn proof(&self, core: &Core, old: u64) -> Result<Vec<Hash>, LedgerError> {
        let size = self.size();
        if !(1..size).contains(&old) {
            return Ok(Vec::new());
        }
        let mut last = self.proof.lock().await;
        if let Some((_, proof)) = last.as_ref().filter(|(from, _)| *from == old) {
            return Ok(proof.clone());
        }
        let mut read = core.state.read().await?;
        let head = read.head().await?;
        let mut tree = core.tree(&mut *read, &head);
        (tree.size, tree.memory) = (size, Some(&core.memory));
        let proof = tree.consistency(old).await?;
        *last = Some((old, proof.clone()));
        Ok(proof)
    }
}

impl Asked<'_> {
    /// Asks for a cosignature of a target. Returns the pause before the next request; `None` if the
    /// next request waits for another target.
    async fn ask(&mut self, target: &Target) -> Option<Duration> {
        let size = target.size();
        let mut named = None;
        for _ in 0..=AGAIN {
            let answer = match self.exchange(target).await {
                Ok(answer) => answer,
                // The store cannot be read at the moment.
                Err(error) => Answer::Failed(error.to_string()),
            };
            match answer {
                Answer::Signed(line, time) => {
                    (self.old, self.pause) = (size, PAUSE);
                    self.witnesses.keep(self.at, target.checkpoint.unverified(), (line, time));
                    self.witnesses.note(self.at, |one| {
                        (one.signed, one.claim) = (Some(size), None);
                        one.answer = Some(format!("signed {size} entries"));
                    });
                    return None;
                }
                Answer::Size(n) => {
                    named = Some(n);
                    self.old = n;
                    if n > size {
                        return self.larger(n, size).await;
                    }
                    self.witnesses.note(self.at, |one| {
                        if one.signed.take_if(|signed| n < *signed).is_some() {
                            one.rolled_back += 1;
                        }
                        one.answer = Some(format!("has {n} entries"));
                    });
                }
                Answer::AnotherTree(says) => {
                    // The next request asks for its size again.
                    self.old = 0;
                    return Some(self.claims(format!("it has signed another tree ({says})")));
                }
                Answer::Busy(says, wait) => {
                    self.says(says);
                    return Some(wait);
                }
                Answer::NotSetUp(says) => {
                    self.says(says);
                    return Some(NOT_SET_UP);
                }
                Answer::Failed(says) => {
                    self.says(says);
                    return Some(self.failed());
                }
            }
        }
        let named = named.unwrap_or_default();
        self.says(format!("has {named} entries, also when it is asked from there"));
        Some(self.failed())
    }

    /// It has signed more entries than the target has. Either another process has added them, or
    /// this state is not the newest, or the witness lies.
    async fn larger(&mut self, n: u64, size: u64) -> Option<Duration> {
        match self.core.read().await {
            Ok((_, head)) if head.frontier.size() >= n => {
                self.witnesses.is_ahead(self.at, n);
                self.says(format!("has {n} entries, as another process of this log has"));
                None
            }
            Ok((_, head)) => {
                let state = head.frontier.size();
                Some(self.claims(format!(
                    "it has signed {n} entries, and this ledger has {state}: is it a restored backup?"
                )))
            }
            Err(error) => {
                self.says(format!("has {n} entries, this round {size}; the state: {error}"));
                Some(self.failed())
            }
        }
    }

    /// Notes a claim that contradicts the ledger.
    fn claims(&mut self, says: String) -> Duration {
        self.witnesses.note(self.at, |one| {
            (one.answer, one.claim) = (Some(says.clone()), Some(says));
        });
        self.failed()
    }

    fn says(&self, says: String) {
        self.witnesses.note(self.at, |one| one.answer = Some(says));
    }

    /// The pause after a failure; the next one is longer.
    fn failed(&mut self) -> Duration {
        let pause = self.pause;
        self.pause = LONGEST_PAUSE.min(self.pause * 2);
        jittered(pause)
    }

    /// One request, on a thread that may block.
    async fn exchange(&self, target: &Target) -> Result<Answer, LedgerError> {
        // A witness that named a larger size is asked which one it has now.
        let old = if self.old > target.size() { 0 } else { self.old };
        let proof = target.proof(self.core, old).await?;
        let checkpoint = target.checkpoint.clone();
        let request = AddCheckpoint { old_size: old, proof, checkpoint };
        let (connection, key) = (self.connection.clone(), self.witness.key.clone());
        let asked = tokio::task::spawn_blocking(move || connection.ask(&request, &key));
        asked.await.map_err(|e| LedgerError::System(e.to_string()))
    }
}
