//! Why a ledger did not do what it was asked.

mod facts;

use std::path::PathBuf;

pub(crate) use self::facts::Stops;
use crate::store::StoreError;
use fairdeal::deal::{Commitment, Label, Nonce};
use fairdeal::log::{BundleError, Hash, ProofPlanError, RangeError, TileError, TilePathError};
use fairdeal::record::Finding;
use fairdeal::utc::{span, utc};

/// An error of the tree's arithmetic: the stored sizes, places or hashes do not fit together.
macro_rules! damage {
    ($($error:ty),*) => {
        $(impl From<$error> for LedgerError {
            fn from(error: $error) -> Self {
                Self::Damaged(error.to_string())
            }
        })*
    };
}
damage!(RangeError, TilePathError, ProofPlanError, BundleError, TileError);

/// The party that must act after an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The caller: the request is wrong.
    Usage,
    /// No one: a rule of the log forbids it.
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
    /// The deal of a round that must be locked first.
    #[error("{}", list(std::slice::from_ref(.0)))]
    Unlocked(Finding),
    /// The request cannot be written as an entry.
    #[error("{0}")]
    Invalid(String),
    /// The commitment is no raffle that was promised here, or has no document yet.
    #[error("{commitment} has no raffle's document: {says}")]
    NoRaffle {
        /// The commitment.
        commitment: Commitment,
        /// Why not.
        says: String,
    },
    /// The signature of a beacon's round is needed, and not here.
    #[error("{says}")]
    AwaitsBeacon {
        /// The round of the beacon, when it is out, and why its signature is not here.
        says: String,
        /// When it is out, in Unix milliseconds; `None` if the chain is not known.
        out: Option<u64>,
    },
    /// No quorum of witnesses has signed the newest checkpoint in time.
    #[error("no quorum of the policy's witnesses has signed the log's newest checkpoint: {0}")]
    Unwitnessed(String),
    /// So many witnesses claim to have signed another log under this key, or a longer one, that the
    /// others make no quorum.
    #[error(
        "the witnesses contradict this ledger, and nothing is dealt until a quorum agrees: {0}"
    )]
    WitnessesContradict(String),
    /// Another request had this idempotency key.
    #[error("the idempotency key {0:?} belongs to another request")]
    KeyReused(String),
    /// The commitment is not in this ledger.
    #[error("no commit of {0} is in this ledger")]
    UnknownCommitment(Commitment),
    /// No commitment of this ledger begins with these digits.
    #[error("no commitment of this ledger begins with {0}")]
    UnknownDigits(String),
    /// More than one commitment of this ledger is meant.
    #[error("{says}")]
    Several {
        /// Their common digits or table, and how to name one of them.
        says: String,
        /// Some of them, or all, the oldest first.
        found: Vec<Commitment>,
    },
    /// The table has no commitment.
    #[error("table {0:?} has no commitment in this ledger")]
    UnknownTable(String),
    /// All commitments of the table have ended.
    #[error("every commitment of table {0:?} is revealed or voided")]
    NothingOpen(String),
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
    /// A lock or a deal after the time that its caller has set for the last round, or a lock whose
    /// beacon would be out after it.
    #[error(
        "commitment {commitment} takes no new round after {}: it is revealed by {}{}", utc(*.by), utc(*.reveal_by), beacon(*.out)
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
        /// When the beacon of the round would be out, in Unix milliseconds.
        out: Option<u64>,
    },
    /// A reveal would show the hidden cards of hands that are in play.
    #[error(
        "{} in play, and the hidden cards would be public: round {}; commitment {commitment}", if rounds.len() == 1 { "a hand is" } else { "hands are" }, rounds.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    )]
    RoundInPlay {
        /// The commitment.
        commitment: Commitment,
        /// The rounds.
        rounds: Vec<u64>,
    },
    /// A lock was given what its player must keep until then.
    #[error(
        "contribution of {:?}: expected its \"hash\" alone, found the seed or the blind with it", from.as_str()
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
        /// The expected and the found value.
        says: String,
    },
    /// The round to open has no sealed deal.
    #[error("round {nonce} has no sealed deal: {says}; commitment {commitment}")]
    NotSealed {
        /// The commitment.
        commitment: Commitment,
        /// The round.
        nonce: Nonce,
        /// The round's state.
        says: String,
    },
    /// The card to open was not dealt.
    #[error("expected a card of 1 to {draw}, found card {} (in JSON t {t}, from 0)", t.saturating_add(1))]
    NoSuchCard {
        /// The place asked for.
        t: u32,
        /// The number of dealt cards.
        draw: usize,
    },
    /// Nobody of this name sits there, or the board has no such street.
    #[error("{0}")]
    NotPlaced(String),
    /// The cards to open are not all one seat's or the board's.
    #[error("{0}")]
    NotOneSeat(String),
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
        /// The thing that is there.
        says: String,
    },
    /// The state deals nothing any more: it was copied elsewhere, or it is a copy that is not
    /// finished.
    #[error("nothing is dealt from this state: {0}")]
    Moved(String),
    /// A file that every ledger has is missing.
    #[error("{}: this is no ledger: {} is missing{elsewhere}", path.display(), missing.display())]
    NoLedger {
        /// The folder.
        path: PathBuf,
        /// The file.
        missing: PathBuf,
        /// How to name the file if it is in another place, or nothing.
        elsewhere: &'static str,
    },
    /// The key that signs the log is not in the folder.
    #[error("{}: no such file or folder", path.display())]
    NoSigningKey {
        /// The key's file.
        path: PathBuf,
    },
    /// The folder is not what was expected, or something in it is not.
    #[error("{}: {says}", path.display())]
    NotALedger {
        /// The path.
        path: PathBuf,
        /// The fault, in words.
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
        /// The value that was found.
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
    /// The command that prints the vault key failed, or printed something else. What it printed is
    /// not repeated.
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
    /// The state is older than the published log, like a restored backup. Going on would fork the
    /// log.
    #[error(
        "the state has {state} entries, but the published checkpoint has {public}: going on from an older backup would fork the log"
    )]
    OlderState {
        /// The number of entries in the state.
        state: u64,
        /// The number of published entries.
        public: u64,
    },
    /// The ledger's folder is a copy of another one, or was moved from another disk or machine.
    #[error(
        "{}: the folder is a copy, or was moved to another disk or machine: a copy may be older than what was published, and would sign a second log", .0.display()
    )]
    Copied(PathBuf),
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
    /// A published tile is not there, or has other bytes than this log's: somebody else writes
    /// here.
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
        /// The entry's commitment.
        commitment: Commitment,
        /// The round, where it is about one.
        nonce: Option<Nonce>,
        /// The entry's index.
        index: u64,
        /// Why not.
        why: Box<LedgerError>,
    },
    /// Entries have been waiting too long to be published. Nothing new is committed that the world
    /// cannot see.
    #[error(
        "publishing is behind: {entries} entries are committed and not published, the oldest since {}; nothing new is accepted until they are", utc(*.since)
    )]
    PublishingBehind {
        /// The number of entries that wait.
        entries: u64,
        /// The oldest one's time, in Unix milliseconds.
        since: u64,
    },
    /// It is not known whether the entry was committed.
    #[error(
        "unknown whether this was committed: {0}. Check with `fairdeal show`, or retry with the same idempotency key"
    )]
    Unsettled(String),
    /// The ledger has stopped, because going on could lose or fork entries.
    #[error("the ledger has stopped: {0}. Mend the cause, then open the ledger again")]
    Stopped(String),
    /// The clock is not believed. A wrong time would stay in the log forever.
    #[error(transparent)]
    Clock(#[from] ClockFault),
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

/// Why the clock is not believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClockFault {
    /// It differs from what an earlier reading, or another machine's clock, leads to.
    #[error(
        "the clock jumped by over a minute: expected {}, found {}; confirm the clock to go on", utc(*.expected), utc(*.found)
    )]
    Jumped {
        /// The expected time, in Unix milliseconds.
        expected: u64,
        /// The time found, in Unix milliseconds.
        found: u64,
    },
    /// It was set in small steps, which together lead far from the monotonic clock.
    #[error(
        "the clock was set in small steps, together by over a minute: expected {}, found {}; confirm the clock to go on", utc(*.expected), utc(*.found)
    )]
    Stepped {
        /// The time that the monotonic clock leads to, in Unix milliseconds.
        expected: u64,
        /// The time found, in Unix milliseconds.
        found: u64,
    },
    /// It is far ahead of the last entry, and nothing shows that it is right.
    #[error(
        "the clock is more than 7 days ahead of the last entry, of {}: it says {}", utc(*.last), utc(*.found)
    )]
    Ahead {
        /// The last entry's time, in Unix milliseconds.
        last: u64,
        /// The time found, in Unix milliseconds.
        found: u64,
    },
    /// It is behind the last entry.
    #[error(
        "the clock is over a minute behind the last entry, of {}: it says {}", utc(*.last), utc(*.found)
    )]
    Behind {
        /// The last entry's time, in Unix milliseconds.
        last: u64,
        /// The time found, in Unix milliseconds.
        found: u64,
    },
    /// It is not near the time that the operator typed.
    #[error("expected a clock within a day of {}, found {}", utc(*.typed), utc(*.found))]
    NotTyped {
        /// The time typed, in Unix milliseconds.
        typed: u64,
        /// The time found, in Unix milliseconds.
        found: u64,
    },
}

/// A wrong published file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TileFault {
    /// Its path under `public`.
    pub path: String,
    /// The fault.
    pub says: String,
    /// Whether it was rewritten, with bytes that the log's root covers.
    pub rebuilt: bool,
}

fn list(findings: &[Finding]) -> String {
    let all: Vec<String> = findings.iter().map(|f| format!("{}: {}", f.code, f.says)).collect();
    all.join("; ")
}

/// When a round's beacon would be out.
fn beacon(out: Option<u64>) -> String {
    let says = |out| format!("; the beacon of this round would be out at {}", utc(out));
    out.map_or_else(String::new, says)
}

fn damages(faults: &[TileFault]) -> String {
    let lost: Vec<String> =
        faults.iter().filter(|f| !f.rebuilt).map(|f| format!("{}: {}", f.path, f.says)).collect();
    format!("published files are lost, and the database no longer has them: {}", lost.join("; "))
}
