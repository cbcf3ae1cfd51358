//! The life of a commitment and of its table (spec/ledger.md, life): one pure state machine for the
//! operator, the verifier and the audit.
//!
//! Not for reading the tree: it asks about a player's checkpoint through [`View`]. Not for
//! replaying deals, which takes the seed: see [`super::replay`].

mod beacon;
mod judge;
mod round;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::entry::{
    Anchor, Commit, Lock, LoggedContribution, RoundOf, SeenCheckpoint, verify_contribution,
};
use super::finding::{Code, Finding};
use super::replay::Waiting;
use crate::beacon::Chains;
use crate::deal::{Commitment, Nonce};
use crate::log::{Hash, Policy, Quorum, VerifierKey, Witnessed};

pub use beacon::{LockedTo, locked_to};
pub use judge::{Anchors, Ended, Floor, Judge, Remembered, Snapshot};
#[doc(hidden)]
pub use round::opened_by;
pub(super) use round::opened_with;

/// Facts about the log that the judge asks for.
pub trait View {
    /// The log's name.
    fn origin(&self) -> &str;
    /// The log's key. `None` for a reader without it: hashes and signatures of contributions name
    /// the log, so such a reader cannot check them, and takes them as they are.
    fn key(&self) -> Option<&VerifierKey>;
    /// Whether the log signed a checkpoint that a player claims to have seen.
    fn is_signed(&self, seen: &SeenCheckpoint) -> bool;
    /// Whether the log is known to have another root at this size: what names this one is of a fork.
    fn has_another_root(&self, _size: u64, _root: &Hash) -> bool {
        false
    }
    /// The quorum that has signed an anchor, under the reader's policy. `None` without one.
    fn cosigned(&self, _anchor: &Anchor) -> Option<Cosigned> {
        None
    }
    /// The chains of beacons that the reader knows. `None` for none.
    fn chains(&self) -> Option<&Chains> {
        None
    }
    /// Whether a contribution's signature holds, or it has none.
    fn check_signature(
        &self,
        commitment: Commitment,
        nonce: Nonce,
        contribution: &LoggedContribution,
    ) -> bool {
        self.key().is_none_or(|log| {
            verify_contribution(&RoundOf { log, commitment, nonce }, contribution).is_ok()
        })
    }
}

/// How wrong clocks may be, in milliseconds: the operator's, the reader's and those of witnesses
/// (spec/ledger.md, 9.2 and `time-ahead`; spec/audit.md, 13.5; spec/receipt.md, 11.11).
pub const TOLERANCE: u64 = 300_000;

/// A quorum of the reader's policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cosigned {
    /// Its times.
    pub quorum: Quorum,
    /// The witnesses that have signed, in words.
    pub witnesses: String,
}

impl Cosigned {
    /// The quorum among the witnesses of a policy that have signed, if it is there.
    #[must_use]
    pub fn of(witnessed: &Witnessed, policy: &Policy) -> Option<Self> {
        Some(Self { quorum: witnessed.quorum?, witnesses: witnessed.names(policy) })
    }
}

/// The extent of the log that the judge sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it, from the first entry on.
    Whole,
    /// Some entries in order. Nobody is accused of what was left out.
    Excerpt,
}

/// The state of one commitment. A ledger stores it between two commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Life {
    /// Its terms.
    pub commit: Arc<Commit>,
    /// The commit's index in the log.
    pub index: u64,
    /// The nonce of the next round, or of the open one.
    pub next: u64,
    /// The round that is locked.
    pub open: Option<Open>,
    /// Its end; `None` while it is open.
    pub end: Option<End>,
}

/// A locked round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// The lock's index in the log.
    pub index: u64,
    /// The lock.
    pub lock: Box<Lock>,
}

/// The end of a commitment.
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
    pub fn new(commit: impl Into<Arc<Commit>>, index: u64) -> Self {
        Self { commit: commit.into(), index, next: 0, open: None, end: None }
    }

    /// Whether a round was ever locked, dealt or voided: a whole void cannot bury a seed that was
    /// used.
    #[must_use]
    pub fn used(&self) -> bool {
        self.open.is_some() || self.next > 0
    }

    /// The finding `nonce-gap` on an entry of this round; `None` if it is the next round.
    #[must_use]
    pub fn nonce_gap(&self, nonce: Nonce) -> Option<Finding> {
        (nonce.value() != self.next).then(|| {
            let says = format!("the next round is {}, found {nonce}", self.next);
            self.finding(Code::NonceGap, nonce, says)
        })
    }

    /// The finding `weak-mixing` on a deal of the next round that has no lock and needs one. `None`
    /// for any other round, which is refused for another reason.
    #[must_use]
    pub fn lacks_lock(&self, nonce: Nonce) -> Option<Finding> {
        let is_next = self.open.is_none() && !self.closed() && nonce.value() == self.next;
        (is_next && round::needs_lock(&self.commit)).then(|| {
            let mixing = self.commit.mixing.as_str();
            let says = format!("mixing {mixing:?}: round {nonce} has no lock");
            self.finding(Code::WeakMixing, nonce, says)
        })
    }

    fn finding(&self, code: Code, nonce: Nonce, says: String) -> Finding {
        let commitment = Some(self.commit.commitment);
        Finding { code, index: None, commitment, nonce: Some(nonce), says }
    }

    /// Whether every round is dealt or voided.
    #[must_use]
    pub fn used_up(&self) -> bool {
        self.open.is_none() && self.next >= self.commit.rounds.value()
    }

    /// Whether the table's next commitment may be made: this one is used up, revealed or voided.
    #[must_use]
    pub fn closed(&self) -> bool {
        self.end.is_some() || self.used_up()
    }
}

/// The result of judging an entry.
#[derive(Debug)]
pub struct Judged {
    /// The broken rules, in the order of the table.
    pub findings: Vec<Finding>,
    /// Its effect; `None` if a finding ended its judging, or under another protocol.
    pub effect: Option<Effect>,
}

/// The effect of an entry.
#[derive(Debug)]
pub enum Effect {
    /// A commitment was made.
    Committed,
    /// A round was locked.
    Locked(Nonce),
    /// A round was dealt; `None` if findings leave open what was mixed, so that nothing can be
    /// replayed.
    Dealt(Nonce, Option<Box<Waiting>>),
    /// A round was voided, or the whole commitment.
    Voided(Option<Nonce>),
    /// The seed is public: the deals that wait for it can be replayed.
    Revealed(Box<super::entry::RevealedSeed>),
    /// Witnesses have signed.
    Anchored,
}
