//! Requests are committed in groups: one sync of the disk for all that wait.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};

use crate::Shared;
use crate::judge::{Asked, Last, Signed, Verdict};
use crate::store::{Changes, Contradiction, Fault, Store, fault};

/// The most requests of one transaction.
pub(crate) const MOST: usize = 512;

/// A request, and where its verdict goes.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub(crate) asked: Asked,
    pub(crate) told: oneshot::Sender<Result<Verdict, Fault>>,
}

/// Commits what waits, until nobody can ask any more or the disk failed. A verdict goes out after
/// the COMMIT has returned.
pub(crate) async fn commit(
    shared: Arc<Shared>,
    mut store: Store,
    mut queue: mpsc::Receiver<Waiting>,
) {
    let mut group = Vec::with_capacity(MOST);
    while queue.recv_many(&mut group, MOST).await > 0 {
        // Who has gone needs no cosignature.
        group.retain(|waiting: &Waiting| !waiting.told.is_closed());
        let mut origins: Vec<&str> = group.iter().map(|one| origin(&one.asked)).collect();
        origins.sort_unstable();
        origins.dedup();
        let decide = |last| decide(&group, last, (shared.clock)());
        let decided = store.transact(&origins, decide).await;
        let (verdicts, signed, contradictions) = match decided {
            Ok(decided) => decided,
            Err(error) => {
                let fault = fault(&error);
                shared.failed(fault, &error);
                for waiting in group.drain(..) {
                    drop(waiting.told.send(Err(fault)));
                }
                if fault == Fault::Unknown {
                    break;
                }
                continue;
            }
        };
        shared.committed(signed, contradictions);
        for (waiting, verdict) in group.drain(..).zip(verdicts) {
            drop(waiting.told.send(Ok(verdict)));
        }
    }
    store.close().await;
}

fn origin(asked: &Asked) -> &str {
    asked.checkpoint.origin()
}

/// The verdict of each request, what is now signed last for each log, and the number of
/// contradictions.
type Decided = (Vec<Verdict>, HashMap<String, Last>, u64);

/// Judges the requests of a group one after the other, each on what those before it left.
fn decide(group: &[Waiting], mut last: HashMap<String, Signed>, now: u64) -> (Changes, Decided) {
    let mut changes = Changes::default();
    let mut judge = |waiting: &Waiting| {
        let (asked, origin) = (&waiting.asked, origin(&waiting.asked));
        let signed = last.entry(origin.to_owned()).or_default();
        if asked.contradicts(&Last::from(&*signed)) {
            let proof = asked.proof.iter().map(|hash| hash.to_base64() + "\n");
            changes.evidence.push(Contradiction {
                origin: origin.to_owned(),
                time: now,
                signed: signed.note.clone(),
                note: asked.note.clone(),
                proof: if asked.is_of_size(signed.size) { String::new() } else { proof.collect() },
            });
        }
        let verdict = asked.judge(signed, now);
        if let Verdict::Sign(time) = verdict {
            *signed = asked.signed_at(time);
            changes.logs.insert(origin.to_owned(), signed.clone());
        }
        verdict
    };
    let verdicts = group.iter().map(&mut judge).collect();
    let last =
        changes.logs.iter().map(|(origin, signed)| (origin.clone(), Last::from(signed))).collect();
    let contradictions = u64::try_from(changes.evidence.len()).unwrap_or(u64::MAX);
    (changes, (verdicts, last, contradictions))
}
