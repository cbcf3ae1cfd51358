//! The cosignatures that are remembered: of the last few targets, by size.

use tokio::sync::watch;
use tokio::time::Instant;

use super::{Cosigned, Inner, KEPT, Witnesses};
use fairdeal::log::{Checkpoint, Signature, SignedCheckpoint, Witness};

impl Inner {
    /// The cosignatures of each size over an entry; of one size, first those that were published.
    fn over(&self, index: u64) -> impl Iterator<Item = &Cosigned> {
        let over = index.saturating_add(1)..;
        self.found.range(over.clone()).chain(self.signed.range(over)).map(|(_, one)| one)
    }
}

impl Witnesses {
    /// Changes with each answer and each publication.
    pub(crate) fn subscribe(&self) -> watch::Receiver<()> {
        self.answered.subscribe()
    }

    /// Whether a quorum has signed an entry by this second, as far as is remembered.
    pub(crate) fn has_signed(&self, index: u64, latest: u64) -> bool {
        let inner = self.inner();
        let quorums =
            inner.over(index).filter_map(|one| one.witnessed(&self.options.policy).quorum);
        quorums.filter_map(|quorum| quorum.by).any(|by| by <= latest)
    }

    /// Of what a quorum has signed over an entry, that with the earliest *by*, and with it. Of those
    /// without one, the smallest size.
    pub(super) fn first_over(&self, index: u64) -> Option<(Cosigned, Option<u64>)> {
        let inner = self.inner();
        let quorums = inner.over(index).filter_map(|one| {
            let by = one.witnessed(&self.options.policy).quorum?.by;
            Some((one, by))
        });
        let first = quorums.min_by_key(|(one, by)| (by.unwrap_or(u64::MAX), one.checkpoint.size()));
        first.map(|(one, by)| (one.clone(), by))
    }

    /// Learns at the start the size of the log's last anchor.
    pub(crate) fn last_anchor(&self, size: u64) {
        self.inner().anchored = size;
    }

    /// Learns what the cosignatures say of a note that another process has published, or the one
    /// before: they may be the only ones that show a lock in time.
    pub(crate) fn learn(&self, note: &str) {
        let Ok(note) = SignedCheckpoint::parse(note) else { return };
        let (checkpoint, text) = (note.unverified().clone(), note.note().text());
        let line = |witness: &Witness| {
            let lines = note.note().signatures().iter();
            let mut lines = lines.filter_map(|line| {
                Some((line.clone(), witness.key.verify_cosignature(line, text).ok()?))
            });
            lines.next()
        };
        let lines: Vec<_> = self.options.policy.witnesses().iter().map(line).collect();
        let mut inner = self.inner();
        inner.found.entry(checkpoint.size()).or_insert(Cosigned { checkpoint, lines });
        while inner.found.len() > KEPT {
            inner.found.pop_first();
        }
    }

    /// Keeps a cosignature.
    pub(super) fn keep(&self, at: usize, checkpoint: &Checkpoint, line: (Signature, u64)) {
        let mut inner = self.inner();
        if let Some(one) = inner.each.get_mut(at) {
            one.clock = Some((line.1, Instant::now()));
        }
        let count = inner.each.len();
        let one = inner.signed.entry(checkpoint.size()).or_insert_with(|| Cosigned {
            checkpoint: checkpoint.clone(),
            lines: vec![None; count],
        });
        if one.checkpoint == *checkpoint
            && let Some(kept) = one.lines.get_mut(at)
        {
            kept.get_or_insert(line);
        }
        while inner.signed.len() > KEPT {
            inner.signed.pop_first();
        }
    }

    /// The cosignatures of a checkpoint, once a quorum has signed it.
    pub(super) fn quorum(&self, of: &Checkpoint) -> Option<Cosigned> {
        let inner = self.inner();
        let found = inner.signed.get(&of.size()).filter(|one| one.checkpoint == *of)?;
        found.witnessed(&self.options.policy).quorum.map(|_| found.clone())
    }

    /// The largest size that a quorum has signed.
    pub(super) fn largest(&self) -> Option<Cosigned> {
        let inner = self.inner();
        let mut signed = inner.signed.values().rev();
        signed.find(|one| one.witnessed(&self.options.policy).quorum.is_some()).cloned()
    }
}
