//! The life of a commitment and of its table (spec/ledger.md, life): one pure state machine, for the operator who
//! refuses, the verifier who accuses and the audit.
//!
//! Not for reading the tree: what a log's hashes say about a player's checkpoint is asked through [`View`].
//! Not for replaying deals, which takes the seed: see [`super::replay`].

mod judge;
mod round;

use serde::{Deserialize, Serialize};

use super::entry::{Commit, Lock, SeenCheckpoint};
use super::finding::Finding;
use super::replay::Waiting;
use crate::deal::{Commitment, Nonce};

pub use judge::{Ended, Judge, Remembered};
pub(crate) use round::opened_by;

/// What the judge may ask about the log that it judges.
pub trait View {
    /// The log's name.
    fn origin(&self) -> &str;
    /// What is known of a checkpoint that a player says to have seen.
    fn check_seen(&self, seen: &SeenCheckpoint) -> SeenVerdict;
}

/// What is known of a `seen`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeenVerdict {
    /// The log signed it, and as far as the tree is at hand it holds.
    Holds,
    /// The log's key did not sign it.
    NotSigned,
    /// The log signed it, and its tree has another root at that size: a fork.
    Contradicted,
}

/// How much of the log the judge is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it, from the first entry on.
    Whole,
    /// Some entries in order: what is left out proves nothing, so gaps and predecessors are not judged.
    Excerpt,
}

/// One commitment, as far as it has come. What a ledger stores between two commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Life {
    /// Its terms.
    pub commit: Box<Commit>,
    /// The commit's index in the log.
    pub index: u64,
    /// The nonce of the next round; while one is open, of that one.
    pub next: u64,
    /// The round that is locked, if one is.
    pub open: Option<Open>,
    /// Whether a round was ever locked or dealt: a whole void cannot bury a seed that was used.
    pub used: bool,
    /// Whether a lock, deal, whole void or reveal stood under it: only the first is judged for its turn.
    pub begun: bool,
    /// How it ended.
    pub end: Option<End>,
    /// The commitment before it in its table's chain.
    pub before: Option<Commitment>,
}

/// A locked round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// The lock's index in the log.
    pub index: u64,
    /// The lock.
    pub lock: Box<Lock>,
}

/// How a commitment ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// By its reveal.
    Revealed,
    /// By a whole void, before it was used.
    Voided,
}

impl Life {
    /// A life that has just begun.
    #[must_use]
    pub fn new(commit: Box<Commit>, index: u64, before: Option<Commitment>) -> Self {
        Self { commit, index, next: 0, open: None, used: false, begun: false, end: None, before }
    }

    /// Whether every round is dealt or voided.
    #[must_use]
    pub fn used_up(&self) -> bool {
        self.open.is_none() && self.next >= self.commit.rounds.value()
    }

    /// Whether the next commitment of its table may be used: this one is used up, revealed or voided.
    #[must_use]
    pub fn closed(&self) -> bool {
        self.end.is_some() || self.used_up()
    }
}

/// What an entry came to.
#[derive(Debug)]
pub struct Judged {
    /// What does not hold, in the order of the table.
    pub findings: Vec<Finding>,
    /// What it changed; none where a finding ended its judging, or under another protocol.
    pub effect: Option<Effect>,
}

/// What an entry changed.
#[derive(Debug)]
pub enum Effect {
    /// A commitment was made.
    Committed,
    /// A round was locked.
    Locked(Nonce),
    /// A round was dealt; where findings leave open what was mixed there is nothing to replay.
    Dealt(Nonce, Option<Box<Waiting>>),
    /// A round was voided, or the whole commitment.
    Voided(Option<Nonce>),
    /// The seed is out: the deals that wait for it can be replayed.
    Revealed(Box<super::entry::RevealedSeed>),
}
