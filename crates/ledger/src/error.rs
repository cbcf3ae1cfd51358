//! Why a ledger did not do what it was asked.

use std::path::PathBuf;

use crate::setup::folder::is_under_way;
use crate::store::{Fault, StoreError};
use fairdeal::deal::{Commitment, Label, Nonce};
use fairdeal::log::Hash;
use fairdeal::record::Finding;
use fairdeal::utc::{span, utc};

/// Who must act after an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The caller: the request is wrong.
    Usage,
    /// Nobody: a rule of the log forbids it.
    Refused,
    /// The operator: the ledger is busy, full, locked, damaged, or the wrong one.
    Unavailable,
}

/// A command's failure. The message says what was expected, what was found, and where.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// The entry would break these rules of the log.
    #[error("{}", list(.0))]
    Refused(Vec<Finding>),
    /// The request cannot be written as an entry.
    #[error("{0}")]
    Invalid(String),
    /// Another request had this idempotency key.
    #[error("the idempotency key {0:?} belongs to another request")]
    KeyReused(String),
    /// The commitment is not in this ledger.
    #[error("no commit of {0} is in this ledger")]
    UnknownCommitment(Commitment),
    /// No commitment of this ledger begins with these digits.
    #[error("no commitment of this ledger begins with {0}")]
    UnknownDigits(String),
    /// Two or more commitments begin with these digits.
    #[error("both {first} and {second} begin with {digits}: give more digits")]
    SeveralWithDigits {
        /// The digits.
        digits: String,
        /// One of them.
        first: Commitment,
        /// Another one.
        second: Commitment,
    },
    /// The table has no commitment.
    #[error("table {0:?} has no commitment in this ledger")]
    UnknownTable(String),
    /// All commitments of the table have ended.
    #[error("every commitment of table {0:?} is revealed or voided")]
    NothingOpen(String),
    /// More than one commitment of the table has not ended.
    #[error(
        "table {table:?} has {} commitments that have not ended: name one of {}", open.len(), open.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    )]
    SeveralOpen {
        /// The table.
        table: String,
        /// Them, the oldest first.
        open: Vec<Commitment>,
    },
    /// The round has no entry.
    #[error(
        "round {nonce} of {commitment} is neither locked, dealt nor voided; the next round is {next}"
    )]
    UnknownRound {
        /// The commitment.
        commitment: Commitment,
        /// The round asked for.
        nonce: Nonce,
        /// The next round.
        next: u64,
    },
    /// A lock or a deal after the commitment's `reveal_by`, without `late`.
    #[error(
        "commitment {commitment} is overdue: its reveal was due by {}, {} ago", utc(*.reveal_by), span(now.saturating_sub(*.reveal_by))
    )]
    Overdue {
        /// The commitment.
        commitment: Commitment,
        /// When its reveal was due, in Unix milliseconds.
        reveal_by: u64,
        /// The entry's time, in Unix milliseconds.
        now: u64,
    },
    /// A lock or a deal after the time that its caller has set for the last round.
    #[error(
        "commitment {commitment} takes no new round after {}: it is revealed by {}", utc(*.by), utc(*.reveal_by)
    )]
    TooLate {
        /// The commitment.
        commitment: Commitment,
        /// The latest time of a round, in Unix milliseconds.
        by: u64,
        /// When its reveal is due, in Unix milliseconds.
        reveal_by: u64,
        /// The entry's time, in Unix milliseconds.
        now: u64,
    },
    /// A reveal would show the hidden cards of hands that are in play.
    #[error(
        "commitment {commitment} has {} in play: round {}; its hidden cards would be public", if rounds.len() == 1 { "a hand" } else { "hands" }, rounds.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    )]
    RoundInPlay {
        /// The commitment.
        commitment: Commitment,
        /// The rounds.
        rounds: Vec<u64>,
    },
    /// A lock was given what its player must keep until then.
    #[error(
        "contribution of {:?}: expected its \"hash\" alone, found the seed or the blind beside it", from.as_str()
    )]
    Secret {
        /// The player.
        from: Label,
    },
    /// A player's contribution cannot be a part of the entry.
    #[error("contribution of {:?}: {says}", from.as_str())]
    Contribution {
        /// The player.
        from: Label,
        /// What was expected and what came.
        says: String,
    },
    /// The round to open has no sealed deal.
    #[error("round {nonce} of {commitment} has no sealed deal: {says}")]
    NotSealed {
        /// The commitment.
        commitment: Commitment,
        /// The round.
        nonce: Nonce,
        /// What it has instead.
        says: String,
    },
    /// The card to open was not dealt.
    #[error("a deal of {draw} cards: expected a place from 0 to {}, found {t}", draw.saturating_sub(1))]
    NoSuchCard {
        /// The place asked for.
        t: u32,
        /// How many cards are dealt.
        draw: usize,
    },
    /// The folder for a new ledger or a backup is not empty.
    #[error("{}: expected a new or empty folder; this one holds {holds:?}", path.display())]
    NotEmpty {
        /// The folder.
        path: PathBuf,
        /// The name of something in it.
        holds: String,
    },
    /// A new ledger's state or published files would be where there are some already.
    #[error("{what}: {says}")]
    Taken {
        /// The place, without its password.
        what: String,
        /// What it holds.
        says: String,
    },
    /// The state deals nothing any more: it was copied elsewhere, or it is a copy that is not finished.
    #[error("nothing is dealt from this state: {0}")]
    Moved(String),
    /// The folder is no ledger, or an incomplete one.
    #[error("{}: {says}", path.display())]
    NotALedger {
        /// The path.
        path: PathBuf,
        /// What is wrong.
        says: String,
    },
    /// Others can read a private file or folder.
    #[error("{}: expected {what} with mode {expected:o}, found {found}", path.display())]
    Exposed {
        /// The folder or the file.
        path: PathBuf,
        /// "a folder" or "a file".
        what: &'static str,
        /// The mode that it must have.
        expected: u32,
        /// What was found.
        found: String,
    },
    /// The state was made with another signing key.
    #[error("the state was made with the key {state}, signing.key is {found}")]
    WrongKey {
        /// The state's verifier key.
        state: String,
        /// The verifier key of `signing.key`.
        found: String,
    },
    /// The server seeds are sealed under another vault key.
    #[error("the server seeds are sealed under the vault key {state}, this one is {found}")]
    WrongVault {
        /// The fingerprint in the state.
        state: String,
        /// The fingerprint of the key that was given.
        found: String,
    },
    /// The command that prints the vault key failed, or printed something else. What it printed is not repeated.
    #[error("the vault key's command {0}")]
    VaultKey(String),
    /// There is no published checkpoint, though the state has one.
    #[error(
        "public/checkpoint is missing: the state alone cannot tell what the world has seen, and going on could fork the log"
    )]
    NoCheckpoint,
    /// The entry is committed, and the checkpoint does not cover it yet.
    #[error(
        "entry {index} is committed and not published yet: the published checkpoint has {published} entries"
    )]
    NotPublished {
        /// The entry's index.
        index: u64,
        /// The published size.
        published: u64,
    },
    /// The published checkpoint is not of this log.
    #[error("public/checkpoint is not a checkpoint of {key}: {says}")]
    ForeignCheckpoint {
        /// The state's verifier key.
        key: String,
        /// Why not.
        says: String,
    },
    /// The checkpoint that an operator brought is not of this log.
    #[error("expected a checkpoint signed with {key}: {says}")]
    ForeignNote {
        /// The state's verifier key.
        key: String,
        /// Why not.
        says: String,
    },
    /// The state is older than the published log, like a restored backup. Going on would fork the log.
    #[error(
        "the state has {state} entries, but the published checkpoint has {public}: going on from an older backup would fork the log"
    )]
    OlderState {
        /// How many entries the state has.
        state: u64,
        /// How many were published.
        public: u64,
    },
    /// The state and the published checkpoint are of two different trees.
    #[error("at {size} entries the state has root {}, the published checkpoint {}", state.to_hex(), public.to_hex())]
    OtherTree {
        /// The published size.
        size: u64,
        /// The state's root at that size.
        state: Hash,
        /// The published root.
        public: Hash,
    },
    /// Published files are missing or damaged, and the state no longer has their bytes.
    #[error("{}", damages(.0))]
    LostTiles(Vec<TileFault>),
    /// A published tile is not there, or has other bytes than this log's: somebody else writes here.
    #[error(
        "{path}: is missing, or has other bytes than this log's; a published tile never changes"
    )]
    TileDiffers {
        /// Its path under `public`.
        path: String,
    },
    /// The database or the published files could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The entry is committed, but could not be published.
    #[error(
        "entry {index} is committed, and not published yet: {why}; it will be, by this ledger or when it is opened next"
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
    /// Entries have been waiting too long to be published. Nothing new is committed that the world cannot see.
    #[error(
        "publishing is behind: {entries} entries are committed and not published, the oldest since {}; nothing new is accepted until they are", utc(*.since)
    )]
    PublishingBehind {
        /// How many entries wait.
        entries: u64,
        /// The oldest one's time, in Unix milliseconds.
        since: u64,
    },
    /// It is not known whether the entry was committed.
    #[error(
        "it is not known whether this was committed: {0}; look with show before you repeat it, or repeat it with the idempotency key that it had"
    )]
    Unsettled(String),
    /// The ledger has stopped, because going on could lose or fork entries.
    #[error("the ledger has stopped: {0}; open it again when that is mended")]
    Stopped(String),
    /// The system's clock jumped. A wrong time would stay in the log for ever.
    #[error(
        "the clock jumped by over a minute: expected {}, found {}; confirm the clock to go on", utc(*.expected), utc(*.found)
    )]
    ClockJumped {
        /// The expected time, in Unix milliseconds.
        expected: u64,
        /// The time found, in Unix milliseconds.
        found: u64,
    },
    /// The clock is far ahead of the last entry, and nothing tells that it is right.
    #[error(
        "the clock is more than 7 days ahead of the last entry, of {}: it says {}", utc(*.last), utc(*.found)
    )]
    ClockAhead {
        /// The last entry's time, in Unix milliseconds.
        last: u64,
        /// The time found, in Unix milliseconds.
        found: u64,
    },
    /// The clock is behind the last entry.
    #[error(
        "the clock is over a minute behind the last entry, of {}: it says {}", utc(*.last), utc(*.found)
    )]
    ClockBehind {
        /// The last entry's time, in Unix milliseconds.
        last: u64,
        /// The time found, in Unix milliseconds.
        found: u64,
    },
    /// The clock is not near the time that the operator typed.
    #[error("expected a clock within a day of {}, found {}", utc(*.typed), utc(*.found))]
    OtherTime {
        /// The time typed, in Unix milliseconds.
        typed: u64,
        /// The time found, in Unix milliseconds.
        found: u64,
    },
    /// The system gave no time or no randomness.
    #[error("{0}")]
    System(String),
    /// The state is damaged.
    #[error("state: {0}")]
    Damaged(String),
    /// The ledger was closed.
    #[error("the ledger is closed")]
    Closed,
}

/// A wrong published file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TileFault {
    /// Its path under `public`.
    pub path: String,
    /// What is wrong with it.
    pub says: String,
    /// Whether it was rewritten, with bytes that the log's root covers.
    pub rebuilt: bool,
}

impl LedgerError {
    /// Whether it is a store's failure that may pass by itself, so that it is worth a caller's time.
    pub(crate) fn is_temporary(&self) -> bool {
        matches!(self, Self::Store(StoreError { fault, .. }) if fault.is_temporary())
    }

    /// Whether the ledger's state or its files are not what they were: `fairdeal fsck` says more.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        match self {
            Self::LostTiles(_) | Self::TileDiffers { .. } | Self::Damaged(_) => true,
            Self::Store(error) => error.fault == Fault::Damaged,
            _ => false,
        }
    }

    /// Whether a folder is not empty because an init, a restore or a backup is at work there, or was interrupted.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        matches!(self, Self::NotEmpty { holds, .. } if is_under_way(holds))
    }

    /// Who must act.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Refused(_) => ErrorKind::Refused,
            Self::Invalid(_)
            | Self::KeyReused(_)
            | Self::UnknownCommitment(_)
            | Self::UnknownDigits(_)
            | Self::SeveralWithDigits { .. }
            | Self::UnknownTable(_)
            | Self::NothingOpen(_)
            | Self::SeveralOpen { .. }
            | Self::UnknownRound { .. }
            | Self::Overdue { .. }
            | Self::TooLate { .. }
            | Self::RoundInPlay { .. }
            | Self::Contribution { .. }
            | Self::Secret { .. }
            | Self::NotSealed { .. }
            | Self::NoSuchCard { .. }
            | Self::Taken { .. }
            | Self::NotEmpty { .. } => ErrorKind::Usage,
            _ => ErrorKind::Unavailable,
        }
    }

    /// A stable name for programs (spec/cli.md, errors). A refusal has the code of its first finding.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Refused(findings) => {
                findings.first().map_or("refused", |first| first.code.as_str())
            }
            Self::Invalid(_) | Self::Contribution { .. } => "invalid",
            Self::Secret { .. } => "secret",
            Self::KeyReused(_) => "key-reused",
            Self::UnknownCommitment(_) | Self::UnknownDigits(_) => "unknown-commitment",
            Self::SeveralWithDigits { .. } | Self::SeveralOpen { .. } => "several-commitments",
            Self::UnknownTable(_) => "unknown-table",
            Self::NothingOpen(_) => "nothing-open",
            Self::UnknownRound { .. } => "unknown-round",
            Self::Overdue { .. } => "overdue",
            Self::TooLate { .. } => "too-late",
            Self::RoundInPlay { .. } => "round-in-play",
            Self::NotSealed { .. } => "not-sealed",
            Self::NoSuchCard { .. } => "unknown-card",
            Self::NotEmpty { .. } | Self::Taken { .. } => "not-empty",
            Self::Moved(_) => "moved",
            Self::NotALedger { .. } => "not-a-ledger",
            Self::Exposed { .. } => "exposed",
            Self::WrongKey { .. } | Self::WrongVault { .. } => "wrong-key",
            Self::VaultKey(_) => "vault-key",
            Self::NoCheckpoint => "no-checkpoint",
            Self::NotPublished { .. } | Self::Unpublished { .. } => "not-published",
            Self::ForeignCheckpoint { .. } | Self::ForeignNote { .. } => "foreign-checkpoint",
            Self::OlderState { .. } => "older-state",
            Self::OtherTree { .. } => "other-tree",
            Self::LostTiles(_) | Self::TileDiffers { .. } | Self::Damaged(_) => "damaged",
            Self::Store(error) => error.fault.code(),
            Self::PublishingBehind { .. } => "publishing-behind",
            Self::Unsettled(_) => "unsettled",
            Self::Stopped(_) => "stopped",
            Self::ClockJumped { .. }
            | Self::ClockAhead { .. }
            | Self::ClockBehind { .. }
            | Self::OtherTime { .. } => "clock",
            Self::System(_) => "system",
            Self::Closed => "closed",
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
    format!("published files are lost, and the database no longer has them: {}", lost.join("; "))
}
