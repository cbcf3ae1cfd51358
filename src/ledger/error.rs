//! Why a ledger did not do what it was asked.

use std::path::PathBuf;

use crate::deal::{Commitment, Nonce};
use crate::log::Hash;
use crate::record::Finding;
use crate::store::StoreError;
use crate::utc::utc;

/// Whose turn it is after an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The caller's: the request could not be meant that way.
    Usage,
    /// Nobody's: a rule of the log does not allow it.
    Refused,
    /// The operator's: the ledger is busy, full, locked, damaged, or not the one that it should be.
    Unavailable,
}

/// Why a ledger did not do what it was asked. Each says what was expected, what came, and where.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// The log would show this against its operator.
    #[error("{}", list(.0))]
    Refused(Vec<Finding>),
    /// No entry can say this.
    #[error("{0}")]
    Invalid(String),
    /// An idempotency key that another request had.
    #[error("the idempotency key {0:?} was given with another request in the last 24 hours")]
    KeyReused(String),
    /// A commitment that is not in this ledger.
    #[error("no commit of {0} is in this ledger")]
    UnknownCommitment(Commitment),
    /// A round that has no entry.
    #[error("round {nonce} of {commitment} is neither locked, dealt nor voided; the next round is {next}")]
    UnknownRound {
        /// The commitment.
        commitment: Commitment,
        /// The round that was asked for.
        nonce: Nonce,
        /// The next round.
        next: u64,
    },
    /// A round is to be locked or dealt after its commitment's `reveal_by`, and the caller did not ask for that.
    #[error(
        "commitment {commitment} was to be revealed by {} ({reveal_by}), and it is {} ({now}): it is overdue, and no more rounds are locked or dealt under it unless that is asked for", utc(*.reveal_by), utc(*.now)
    )]
    Overdue {
        /// The commitment.
        commitment: Commitment,
        /// When its seed was to be revealed at the latest, in Unix milliseconds.
        reveal_by: u64,
        /// The time that the entry would have.
        now: u64,
    },
    /// An opening of a round that has no sealed deal.
    #[error("round {nonce} of {commitment} has no sealed deal: {says}")]
    NotSealed {
        /// The commitment.
        commitment: Commitment,
        /// The round.
        nonce: Nonce,
        /// What it has instead.
        says: String,
    },
    /// An opening of a card that was not dealt.
    #[error("a deal of {draw} cards has places 0 to {}, not {t}", draw.saturating_sub(1))]
    NoSuchCard {
        /// The place that was asked for.
        t: u32,
        /// How many are dealt.
        draw: usize,
    },
    /// A new ledger needs a folder of its own.
    #[error("{}: a new ledger needs an empty folder; this one holds {holds:?}", path.display())]
    NotEmpty {
        /// The folder.
        path: PathBuf,
        /// One of the things in it.
        holds: String,
    },
    /// A folder that is no ledger, or not a whole one.
    #[error("{}: {says}", path.display())]
    NotALedger {
        /// What was looked for.
        path: PathBuf,
        /// What is there instead.
        says: String,
    },
    /// Others may read what only the operator may.
    #[error("{}: expected {what} with mode {expected:o}, found {found}", path.display())]
    Exposed {
        /// The folder or the file.
        path: PathBuf,
        /// A folder or a file.
        what: &'static str,
        /// The mode that it must have.
        expected: u32,
        /// What it is.
        found: String,
    },
    /// The signing key is not the one that the state was made with.
    #[error("the state was made with the key {state}, signing.key is {found}")]
    WrongKey {
        /// The state's verifier key.
        state: String,
        /// The signing key's verifier key.
        found: String,
    },
    /// The vault key is not the one that the seeds are sealed with.
    #[error("the server seeds are sealed under the vault key {state}, vault.key is {found}")]
    WrongVault {
        /// The fingerprint in the state.
        state: String,
        /// The fingerprint of the key.
        found: String,
    },
    /// The published checkpoint is not this log's.
    #[error("public/checkpoint is not a checkpoint of {key}: {says}")]
    ForeignCheckpoint {
        /// The state's verifier key.
        key: String,
        /// What it is.
        says: String,
    },
    /// The state is older than what was published: a restored backup. Going on would fork the log.
    #[error(
        "the state holds {state} entries, but a checkpoint of {public} is published: an older backup would fork the log"
    )]
    OlderState {
        /// How many entries the state has.
        state: u64,
        /// How many were published.
        public: u64,
    },
    /// The state and what was published are two trees.
    #[error("at {size} entries the state has root {}, the published checkpoint {}", state.to_base64(), public.to_base64())]
    OtherTree {
        /// The published size.
        size: u64,
        /// The state's root at that size.
        state: Hash,
        /// The published root.
        public: Hash,
    },
    /// Published files are missing or damaged, and the state does not have their bytes any more.
    #[error("{}", damages(.0))]
    LostTiles(Vec<TileFault>),
    /// A file that must never change has other bytes: somebody else writes here, or wrote.
    #[error("{path}: exists with other bytes than this log's; a published tile never changes")]
    TileDiffers {
        /// Its path under `public`.
        path: String,
    },
    /// The database or the published files could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It was done, and stays done, but could not be published.
    #[error(
        "entry {index} is in the ledger, but is not published: {why}; the same idempotency key gets its answer later"
    )]
    Unpublished {
        /// The commitment that it stands under.
        commitment: Commitment,
        /// The round, where it is about one.
        nonce: Option<Nonce>,
        /// The entry's index.
        index: u64,
        /// Why not.
        why: Box<LedgerError>,
    },
    /// Whether it was done could not be found out.
    #[error(
        "it is not known whether this was done: {0}; open the ledger again and ask with the same idempotency key"
    )]
    Unsettled(String),
    /// The ledger stopped, since going on could lose or fork entries.
    #[error("the ledger has stopped: {0}; open it again once that is settled")]
    Stopped(String),
    /// The system's clock jumped; a wrong time would stay in the log for ever.
    #[error(
        "the clock stood at {expected} by the time that passed, found {found} (Unix milliseconds): a jump of over a minute; confirm the clock to go on"
    )]
    ClockJumped {
        /// Where the clock should stand.
        expected: u64,
        /// Where it stands.
        found: u64,
    },
    /// The system gave no time or no randomness.
    #[error("{0}")]
    System(String),
    /// What the state holds is not what this program writes.
    #[error("state: {0}")]
    Damaged(String),
    /// The ledger was closed.
    #[error("the ledger is closed")]
    Closed,
}

/// A published file that is not as it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TileFault {
    /// Its path under `public`.
    pub path: String,
    /// What is wrong with it.
    pub says: String,
    /// Whether it was written again, with bytes that the log's root covers.
    pub rebuilt: bool,
}

impl LedgerError {
    /// Whose turn it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Refused(_) => ErrorKind::Refused,
            Self::Invalid(_)
            | Self::KeyReused(_)
            | Self::UnknownCommitment(_)
            | Self::UnknownRound { .. }
            | Self::Overdue { .. }
            | Self::NotSealed { .. }
            | Self::NoSuchCard { .. }
            | Self::NotEmpty { .. } => ErrorKind::Usage,
            _ => ErrorKind::Unavailable,
        }
    }
}

fn list(findings: &[Finding]) -> String {
    let all: Vec<String> = findings.iter().map(|f| format!("{}: {}", f.code, f.says)).collect();
    all.join("; ")
}

fn damages(faults: &[TileFault]) -> String {
    let lost: Vec<String> =
        faults.iter().filter(|f| !f.rebuilt).map(|f| format!("{}: {}", f.path, f.says)).collect();
    format!("published files are lost, and no longer in the database: {}", lost.join("; "))
}
