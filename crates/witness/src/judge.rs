//! What a witness answers to a checkpoint, given what it signed last (C2SP tlog-witness,
//! add-checkpoint; spec/witness.md, section 27). Computes: no files, no network, no clock.

use fairdeal::log::{
    Checkpoint, ConsistencyError, EMPTY_ROOT, Hash, SignedCheckpoint, VerifierKey,
    verify_consistency,
};

/// How far the clock may be behind the last cosignature of a log, in seconds.
pub(crate) const CLOCK: u64 = 5;

/// What a witness signed last for a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signed {
    pub(crate) size: u64,
    pub(crate) root: Hash,
    /// The time of the cosignature, in Unix seconds.
    pub(crate) time: u64,
    /// The checkpoint with the log's signature alone. Empty if it has never signed.
    pub(crate) note: String,
}

impl Default for Signed {
    fn default() -> Self {
        Self { size: 0, root: EMPTY_ROOT, time: 0, note: String::new() }
    }
}

/// The same, as far as this process knows it without the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Last {
    pub(crate) size: u64,
    pub(crate) root: Hash,
    pub(crate) time: u64,
}

impl From<&Signed> for Last {
    fn from(signed: &Signed) -> Self {
        let Signed { size, root, time, .. } = *signed;
        Self { size, root, time }
    }
}

impl Default for Last {
    fn default() -> Self {
        Self::from(&Signed::default())
    }
}

/// What a request asks for. Each kind has a rate of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// A larger tree, with a proof that holds. Once it is signed, nobody can bring it again.
    Next,
    /// The last tree, as everybody can who has seen it.
    Again,
    /// Evidence against the log, which only its key can make. It is kept whatever else is asked.
    Contradiction,
    /// What will be refused.
    Other,
}

/// The answer to a request that a log's key has signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// To be signed, at this time in Unix seconds.
    Sign(u64),
    /// The old size is not the last one, which is this.
    Old(u64),
    /// The size was signed with another root.
    Root,
    /// The proof does not hold.
    Proof(String),
    /// The clock is wrong. It may be right after so many seconds.
    Clock(u64),
}

/// A request whose checkpoint one of its log's keys has signed.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) old_size: u64,
    pub(crate) proof: Vec<Hash>,
    pub(crate) checkpoint: Checkpoint,
    /// The checkpoint with that signature alone: whoever repeats it may add lines.
    pub(crate) note: String,
}

/// The most lines of a note that are verified, of those that name a key of the log: each takes as
/// long as all the rest of a request.
const LINES: usize = 16;

/// The checkpoint with the first signature that one of the keys made; `None` if none did. Lines of
/// other keys, and lines that do not verify, change nothing.
pub(crate) fn signed_by(checkpoint: &SignedCheckpoint, keys: &[VerifierKey]) -> Option<String> {
    Some(checkpoint.note().alone(keys, LINES)?.to_text())
}

impl Asked {
    /// Whether its tree has this size.
    pub(crate) fn is_of_size(&self, size: u64) -> bool {
        self.size() == size
    }

    fn size(&self) -> u64 {
        self.checkpoint.size()
    }

    /// What the log is at after this is signed.
    pub(crate) fn signed_at(&self, time: u64) -> Signed {
        let root = *self.checkpoint.root();
        Signed { size: self.size(), root, time, note: self.note.clone() }
    }

    /// The answer, if nothing has to be written for it; otherwise the request's kind.
    pub(crate) fn at_once(&self, last: &Last, now: u64) -> Result<Verdict, Kind> {
        let (size, root) = (self.size(), self.checkpoint.root());
        let is_contradiction = size == last.size && *root != last.root;
        if self.old_size != last.size && !is_contradiction {
            return Ok(Verdict::Old(last.size));
        }
        let proved = verify_consistency(self.old_size, &last.root, size, root, &self.proof);
        if is_contradiction || proved.is_err() {
            return Err(if self.contradicts(last) { Kind::Contradiction } else { Kind::Other });
        }
        if size > last.size {
            return Err(Kind::Next);
        }
        // It is on the disk that this time is signed for this tree.
        let is_signed = now > 0 && last.time.checked_sub(now).is_some_and(|behind| behind <= CLOCK);
        if is_signed { Ok(Verdict::Sign(last.time)) } else { Err(Kind::Again) }
    }

    /// Judges it at a time of the clock, in Unix seconds.
    pub(crate) fn judge(&self, last: &Signed, now: u64) -> Verdict {
        let (size, root) = (self.size(), self.checkpoint.root());
        let old = self.old_size;
        if old != last.size {
            return Verdict::Old(last.size);
        }
        if size == last.size && *root != last.root {
            return Verdict::Root;
        }
        let proved = verify_consistency(old, &last.root, size, root, &self.proof);
        if let Err(error) = proved {
            return Verdict::Proof(error.to_string());
        }
        // A clock at 0 is not set, and the time 0 says that there is none.
        match last.time.saturating_sub(now) {
            _ if now == 0 => Verdict::Clock(60),
            behind if behind > CLOCK => Verdict::Clock(behind.saturating_sub(CLOCK)),
            _ => Verdict::Sign(now.max(last.time)),
        }
    }

    /// Whether the log has signed two trees of which neither continues the other: this checkpoint,
    /// and the one that the witness signed last. Either they have one size and two roots, or the
    /// proof leads to this root from another root of the last size.
    pub(crate) fn contradicts(&self, last: &Last) -> bool {
        let (size, root) = (self.size(), self.checkpoint.root());
        if size == last.size {
            return *root != last.root;
        }
        let from =
            |old_root: &Hash| verify_consistency(last.size, old_root, size, root, &self.proof);
        self.old_size == last.size
            && matches!(from(&last.root), Err(ConsistencyError::OldRoot { found, .. }) if from(&found).is_ok())
    }
}

#[cfg(test)]
mod tests;
