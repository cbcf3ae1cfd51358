//! Commands to a ledger, and their answers.
//!
//! A command leaves out what the ledger adds: the time, the table's last commitment, the next
//! nonce, the open lock.

use std::sync::Arc;
use std::time::Duration;

use sha2::{Digest as _, Sha256};

use crate::LedgerOptions;
use crate::deal::judging::Dealt;
use crate::error::LedgerError;
use crate::operate::memos::check_policy;
use crate::read::receipts::JustDealt;
use fairdeal::deal::{Commitment, Digest, Label, Nonce};
use fairdeal::record::entry::{BeaconSignature, Commit, Entry, Reason, Terms};
use fairdeal::record::life::{End, Life, Open};
use fairdeal::record::receipt::Given;
use fairdeal::record::{Finding, finding::Code};

/// A new commitment.
#[derive(Clone, Debug)]
pub struct NewCommit {
    /// The terms of its rounds.
    pub terms: Terms,
    /// The time from the commitment, or from its draw, to its latest reveal: together at most 366
    /// days.
    pub reveal_in: Duration,
    /// A text of the operator for the commitment, not in the log: at most 1,024 bytes, as the memo
    /// of kind [`POLICY`](crate::POLICY) under the commitment's hex. The table's next commitment
    /// inherits it.
    pub policy: Option<String>,
    /// When its first round is drawn, in Unix seconds; with mixing `beacon` only. The margin follows
    /// from it, whatever the terms say, and the round is locked in the same batch, without
    /// contributions (spec/raffle.md, 35.4).
    pub draw_at: Option<u64>,
}

impl NewCommit {
    /// A commitment on these terms that is revealed within a day.
    #[must_use]
    pub const fn new(terms: Terms) -> Self {
        Self { terms, reveal_in: Duration::from_hours(24), policy: None, draw_at: None }
    }

    /// The same terms again, for the table's next commitment.
    pub(crate) fn again(commit: &Commit, policy: Option<String>) -> Self {
        let reveal_in = Duration::from_millis(commit.reveal_by.value() - commit.time.value());
        Self { terms: commit.terms.clone(), reveal_in, policy, draw_at: None }
    }
}

/// A lock: fixes a round's contributions before the deal.
#[derive(Clone, Debug, Default)]
pub struct NewLock {
    /// The round, which must be the next. `None`: the next, or the one that the contributions name.
    pub nonce: Option<Nonce>,
    /// Seeds or hashes, in any order. A hash comes without its seed and its blind.
    pub contributions: Vec<Given>,
    /// The players in the order of their seats. Must include every `from`.
    pub seats: Option<Vec<Label>>,
    /// Whether to lock even after `reveal_by`, when the reveal can only be late.
    pub late: bool,
    /// The latest time of the lock, in Unix milliseconds, and of its beacon's round: `reveal_by` where
    /// the caller sets none.
    pub by: Option<u64>,
    /// A void of the round before, which goes with the lock: both are done, or neither. Its `next`
    /// has no effect, since no lock comes after a void that ends the commitment.
    pub void: Option<NewVoid>,
    /// SHA-256 of anything else that the operator binds.
    pub ext: Option<Digest>,
}

/// A deal of the next round. The ledger decides inside its transaction what of the contributions
/// the entry says: without a lock the clear seeds, after one what opens its hashes.
#[derive(Clone, Debug, Default)]
pub struct NewDeal {
    /// The round, which must be the next. `None`: the next, or the one that the contributions name.
    pub nonce: Option<Nonce>,
    /// Seeds, after a lock with their blinds, in any order. What a lock has in clear need not be
    /// given again.
    pub contributions: Vec<Given>,
    /// After a lock that names a beacon's round: the signature of that round.
    pub beacon: Option<BeaconSignature>,
    /// Without a lock: the players in the order of their seats.
    pub seats: Option<Vec<Label>>,
    /// Whether to deal even after `reveal_by`, when the reveal can only be late.
    pub late: bool,
    /// Without a lock: the latest time of the deal, in Unix milliseconds, if the caller sets one.
    pub by: Option<u64>,
    /// Whether the round is in play from then on: a reveal waits until it is
    /// [over](crate::Ledger::round_done).
    pub in_play: bool,
    /// Whether to make the table's next commitment too, on the same terms, if this uses up or ends
    /// the current one.
    pub next: bool,
    /// SHA-256 of what else the caller asks for with it. No entry has it; the idempotency key is
    /// bound to it.
    pub with: Option<Digest>,
    /// SHA-256 of anything else that the operator binds.
    pub ext: Option<Digest>,
}

/// A void: a round, or a whole commitment that was never used, will not be dealt.
#[derive(Clone, Debug)]
pub struct NewVoid {
    /// The round. `None`: the whole commitment.
    pub nonce: Option<Nonce>,
    /// Why, for the log.
    pub reason: Reason,
    /// The player to blame, of those in the round's lock. It is the operator's word, not proof.
    pub blame: Option<Label>,
    /// Whether to make the table's next commitment too, on the same terms, if this uses up or ends
    /// the current one.
    pub next: bool,
    /// SHA-256 of anything else that the operator binds.
    pub ext: Option<Digest>,
}

/// A reveal: makes the server seed public.
#[derive(Clone, Debug, Default)]
pub struct NewReveal {
    /// Reveal only if this is the next round: a round that the caller does not know of is not given
    /// away.
    pub nonce: Option<Nonce>,
    /// Whether to reveal even while a sealed hand is in play.
    pub force: bool,
    /// Whether to make the table's next commitment too, on the same terms, unless there is one
    /// already.
    pub next: bool,
    /// SHA-256 of anything else that the operator binds.
    pub ext: Option<Digest>,
}

/// A caller's name for one request. For 24 hours of the log's time the same key and request get the
/// same answer. A step of that time counts for an hour at most, so that a clock that jumps makes
/// nobody forget.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdempotencyKey(String);

/// Between the parts of a key that the service makes. No key that is given has it, nor has a
/// token's name.
const BETWEEN: char = '\u{1f}';

/// A text is no idempotency key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IdempotencyKeyError {
    /// Too short or too long.
    #[error("an idempotency key: expected 1 to 255 bytes, found {0}")]
    Length(usize),
    /// It has a control character.
    #[error("an idempotency key holds no control characters, found {0:?}")]
    Control(char),
}

impl IdempotencyKey {
    /// A key of 1 to 255 bytes, without control characters.
    ///
    /// # Errors
    /// [`IdempotencyKeyError`].
    pub fn new(text: impl Into<String>) -> Result<Self, IdempotencyKeyError> {
        let text = text.into();
        if !(1..=255).contains(&text.len()) {
            return Err(IdempotencyKeyError::Length(text.len()));
        }
        match text.chars().find(|c| c.is_control()) {
            Some(found) => Err(IdempotencyKeyError::Control(found)),
            None => Ok(Self(text)),
        }
    }

    /// The key as one of a caller's own: no two callers have the same, and none has one of a
    /// ledger's other users. Keys that grow stay in their order, so that the state keeps them side
    /// by side.
    #[must_use]
    pub fn of_caller(&self, caller: &str) -> Self {
        Self(format!("{caller}{BETWEEN}{}", self.0))
    }

    /// The key, exactly as given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The answer to a command: its entry is in the log, under a published checkpoint.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Done {
    /// The entry's commitment.
    pub commitment: Commitment,
    /// The entry's round, if it has one.
    pub nonce: Option<Nonce>,
    /// The entry's index in the log.
    pub index: u64,
    /// The entry.
    pub entry: Entry,
    /// A sealed deal's card seals, in deal order. Players need them before the first card is shown.
    pub card_seals: Option<Vec<Digest>>,
    /// The item numbers dealt, in deal order. `None` where the deal is sealed.
    pub items: Option<Vec<u32>>,
    /// Findings that did not stop the command: a late reveal is better than none.
    pub findings: Vec<Finding>,
    /// The table's next commitment, if asked for and due: its index and its commit.
    pub next: Option<(u64, Box<Commit>)>,
    /// Whether this is the old answer to a repeated idempotency key.
    pub repeated: bool,
    /// A deal, where its receipt need not look it up.
    pub(crate) deal: Option<Arc<JustDealt>>,
}

impl Done {
    pub(crate) fn new(
        index: u64,
        (commitment, entry): (Commitment, Entry),
        findings: Vec<Finding>,
        dealt: Option<Dealt>,
    ) -> Self {
        let (card_seals, items) =
            dealt.map_or((None, None), |dealt| (dealt.card_seals, dealt.items));
        let nonce = entry.nonce();
        let (next, repeated, deal) = (None, false, None);
        Self { commitment, nonce, index, entry, card_seals, items, findings, next, repeated, deal }
    }
}

/// The state of one commitment.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Summary {
    /// The commitment.
    pub commitment: Commitment,
    /// The commit's index in the log.
    pub index: u64,
    /// Its terms, as logged.
    pub terms: Commit,
    /// The nonce of the next round; while a round is locked, of that one.
    pub next: u64,
    /// The locked round, if any.
    pub open: Option<Open>,
    /// Whether any round was locked, dealt or voided.
    pub used: bool,
    /// Whether every round is dealt or voided.
    pub used_up: bool,
    /// Its end, if it has ended.
    pub ended: Option<End>,
}

impl From<Life> for Summary {
    fn from(life: Life) -> Self {
        Self {
            commitment: life.commit.commitment,
            index: life.index,
            next: life.next,
            used: life.used(),
            used_up: life.used_up(),
            ended: life.end,
            open: life.open,
            terms: Arc::unwrap_or_clone(life.commit),
        }
    }
}

/// A command in the queue.
#[derive(Clone, Debug)]
pub(crate) enum Command {
    Commit(Box<NewCommit>),
    Lock(Commitment, NewLock),
    Deal(Commitment, NewDeal),
    /// With the latest time of the void, in Unix milliseconds, if there is one.
    Void(Commitment, NewVoid, Option<u64>),
    Reveal(Commitment, NewReveal),
}

impl Command {
    /// The command's commitment. `None` for a commit, which makes a new one.
    pub(crate) fn commitment(&self) -> Option<Commitment> {
        match self {
            Self::Commit(_) => None,
            Self::Lock(c, _) | Self::Deal(c, _) | Self::Void(c, ..) | Self::Reveal(c, _) => {
                Some(*c)
            }
        }
    }

    /// Whether the caller wants the table's next commitment too.
    pub(crate) fn wants_next(&self) -> bool {
        match self {
            Self::Deal(_, deal) => deal.next,
            Self::Void(_, void, _) => void.next,
            Self::Reveal(_, reveal) => reveal.next,
            Self::Commit(_) | Self::Lock(..) => false,
        }
    }

    /// The void that goes before it.
    pub(crate) fn void(&self) -> Option<&NewVoid> {
        if let Self::Lock(_, lock) = self { lock.void.as_ref() } else { None }
    }

    /// Its contributions.
    pub(crate) fn contributions(&self) -> &[Given] {
        match self {
            Self::Lock(_, lock) => &lock.contributions,
            Self::Deal(_, deal) => &deal.contributions,
            Self::Commit(_) | Self::Void(..) | Self::Reveal(..) => &[],
        }
    }

    /// Sorts contributions into the log's order.
    pub(crate) fn sort(&mut self) {
        match self {
            Self::Lock(_, lock) => lock.contributions.sort_by(|a, b| a.from.cmp(&b.from)),
            Self::Deal(_, deal) => deal.contributions.sort_by(|a, b| a.from.cmp(&b.from)),
            Self::Commit(_) | Self::Void(..) | Self::Reveal(..) => {}
        }
    }

    /// Refuses what no entry can say, before it is queued.
    pub(crate) fn check(&self, options: &LedgerOptions) -> Result<(), LedgerError> {
        let Self::Commit(new) = self else { return Ok(()) };
        check_policy(new.policy.as_deref())?;
        match &new.terms.beacon {
            // The margin of a draw follows in the batch.
            Some(_) if new.draw_at.is_some() => Ok(()),
            Some(terms) => options.beacons.check(terms, options.witnesses.as_ref()),
            None if new.draw_at.is_some() => {
                let says = "the time of the draw: expected none without mixing \"beacon\"";
                Err(LedgerError::Invalid(says.to_owned()))
            }
            None => Ok(()),
        }
    }

    /// SHA-256 of an idempotency key and the request that it is bound to: all that the caller gave
    /// but `late` and `by`, which decide only whether the request is refused, `in_play`, which
    /// follows from the commitment, and `beacon`, of which only one verifies.
    pub(crate) fn digest(&self, key: &IdempotencyKey) -> [u8; 32] {
        let (key, about) = (key.as_str(), self.commitment());
        let request = match self {
            Self::Commit(t) => {
                let when = t.reveal_in.as_millis().to_string();
                let what = (key, "commit", &t.terms, when, &t.policy);
                t.draw_at.map_or_else(
                    || serde_json::to_vec(&what),
                    |at| serde_json::to_vec(&(&what, at)),
                )
            }
            Self::Lock(_, t) => {
                let void =
                    t.void.as_ref().map(|void| (void.nonce, &void.reason, &void.blame, void.ext));
                serde_json::to_vec(&(
                    key,
                    "lock",
                    about,
                    t.nonce,
                    &t.contributions,
                    &t.seats,
                    t.ext,
                    void,
                ))
            }
            Self::Deal(_, t) => {
                let what = (t.nonce, &t.contributions, &t.seats, t.ext, t.next);
                serde_json::to_vec(&(key, "deal", about, what, t.with))
            }
            Self::Void(_, t, _) => serde_json::to_vec(&(
                key, "void", about, t.nonce, &t.reason, &t.blame, t.ext, t.next,
            )),
            Self::Reveal(_, t) => {
                serde_json::to_vec(&(key, "reveal", about, t.nonce, t.ext, t.next, t.force))
            }
        };
        Sha256::digest(request.expect("texts and numbers")).into()
    }
}

/// Whether to accept an entry in spite of a finding. A late reveal is accepted: without it the
/// table is blocked for ever.
pub(crate) fn is_borne(finding: &Finding) -> bool {
    finding.code == Code::LateReveal
}

/// The commitment of an entry that a command has written, or that a round has.
///
/// # Errors
/// [`LedgerError::Damaged`] for an anchor, which has none.
pub(crate) fn commitment_of(entry: &Entry) -> Result<Commitment, LedgerError> {
    let missing =
        || LedgerError::Damaged(format!("expected a commitment, found an {}", entry.kind()));
    entry.commitment().ok_or_else(missing)
}
