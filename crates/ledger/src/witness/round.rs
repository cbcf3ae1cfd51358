//! The rounds of the publisher, in publish mode (spec/witness.md, 28.2).

use std::time::Duration;

use tokio::time::Instant;

use super::{NoQuorum, ROUND, Witnesses};
use crate::core::Core;
use crate::error::LedgerError;
use crate::fault;
use fairdeal::log::{Note, SignedCheckpoint};

/// Refuses to go on without witnesses where the published checkpoint has their signatures: readers
/// expect them, and a restored backup would not be noticed.
pub(crate) fn check(core: &Core, note: &str) -> Result<(), LedgerError> {
    let lines = Note::parse(note).map_or(0, |note| note.signatures().len());
    if core.options.witnesses.is_some() || lines <= 1 {
        return Ok(());
    }
    let says = "witnesses have signed this log's checkpoint, and this command was given no policy of witnesses: \
                --policy (one whose quorum is none ends the use of witnesses)";
    Err(LedgerError::Invalid(says.to_owned()))
}

/// The longest time that a publication waits for an anchor.
const ANCHORED: Duration = Duration::from_secs(2);

/// Waits for the anchor of a lock that waits for a beacon, if the published checkpoint is the first
/// one over it: after the next one is published, a killed process would find its cosignatures, which
/// show the lock in time, nowhere.
async fn anchor_comes_first(core: &Core, witnesses: &Witnesses) {
    let Some(published) = core.published() else { return };
    let mut answered = witnesses.answered.subscribe();
    let anchored = async {
        loop {
            answered.mark_unchanged();
            let (from, is_refused) = {
                let inner = witnesses.inner();
                (inner.anchored, inner.unanchored.is_some())
            };
            let waits = core.beacons.first_in(from..published.checkpoint.size()).is_some();
            if !waits || is_refused || witnesses.has_ended() || answered.changed().await.is_err() {
                return;
            }
        }
    };
    let _in_time = tokio::time::timeout(ANCHORED, anchored).await;
}

/// The note of a checkpoint, whose newest entry has this time, with the cosignatures of a quorum: a
/// round (spec/witness.md, 28.2). In anchor mode and without witnesses it is the note itself.
///
/// The files of the checkpoint's size must be in the store: a witness that has signed a size which
/// nobody can read would block the log for ever.
pub(crate) async fn cosigned(core: &Core, note: String, newest: u64) -> Result<String, NoQuorum> {
    let Some(witnesses) = core.witnesses.as_ref().filter(|one| one.comes_first()) else {
        return Ok(note);
    };
    let damaged = |says: String| LedgerError::Damaged(says);
    let signed = SignedCheckpoint::parse(&note).map_err(|e| damaged(e.to_string()))?;
    let checkpoint = signed.unverified().clone();
    // The outbox has waited, unless a round has just ended early.
    witnesses.rest().await;
    let mut answered = witnesses.answered.subscribe();
    witnesses.want(signed.clone());
    let until = Instant::now() + core.options.publish_wait.max(ROUND);
    let lines = loop {
        answered.mark_unchanged();
        if let Some(found) = witnesses.quorum(&checkpoint) {
            let now = u64::try_from(core.watch.since(0).as_millis()).unwrap_or(u64::MAX);
            if witnesses.is_ahead_of(&found, newest, now) {
                return Err(witnesses.unwitnessed().into());
            }
            break found.lines;
        }
        if witnesses.is_superseded(checkpoint.size()) {
            return Err(NoQuorum::Superseded);
        }
        let answers = tokio::time::timeout_at(until, answered.changed()).await;
        if answers.is_err() || witnesses.inner().is_given_up {
            return Err(witnesses.unwitnessed().into());
        }
    };
    fault::point("publish-cosigned");
    let own = signed.note().signatures().iter().cloned();
    let all = own.chain(lines.into_iter().flatten().map(|(line, _)| line)).collect();
    let note = Note::new(signed.note().text(), all).map_err(|e| damaged(e.to_string()))?;
    witnesses.inner().has_begun = true;
    witnesses.answered.send_replace(());
    anchor_comes_first(core, witnesses).await;
    Ok(note.to_text())
}
