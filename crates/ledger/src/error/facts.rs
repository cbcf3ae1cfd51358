//! The table of all errors: what follows from each, for every program.

use super::{ErrorKind, LedgerError};
use crate::setup::folder::is_under_way;
use crate::store::{Fault, StoreError};
use fairdeal::record::Finding;

/// The next step after an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// The request is wrong.
    Request,
    /// The request names something that is not in the log.
    Unknown,
    /// The request does not fit the log as it is now.
    Conflict,
    /// A rule of the log forbids it.
    Refused,
    /// The idempotency key belongs to another request.
    Reused,
    /// It may pass by itself.
    Passing,
    /// The operator must do something.
    Operator,
}

/// When an error stops a ledger, because going on could lose or fork entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stops {
    Never,
    /// After COMMIT, while the files are written. A batch before COMMIT is rolled back.
    Publishing,
    Always,
}

impl LedgerError {
    /// The rules that the entry would break; empty for any other error.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        match self {
            Self::Refused(findings) => findings,
            Self::Unlocked(finding) => std::slice::from_ref(finding),
            _ => &[],
        }
    }

    /// The table of all errors: a stable code, what to do, and when it stops the ledger. A new
    /// error needs its line here. The service has the texts of those that only the operator can
    /// mend, by code (`outside` in crates/server/src/problem.rs).
    fn facts(&self) -> (&'static str, Class, Stops) {
        use Class::{Conflict, Operator, Passing, Refused, Request, Reused, Unknown};
        use Stops::{Always, Never, Publishing};
        match self {
            Self::Refused(_) | Self::Unlocked(_) => {
                let first = self.findings().first();
                (first.map_or("refused", |first| first.code.as_str()), Refused, Never)
            }
            Self::Invalid(_) | Self::Contribution { .. } => ("invalid", Request, Never),
            Self::Secret { .. } => ("secret", Request, Never),
            Self::NotEmpty { .. } | Self::Taken { .. } => ("not-empty", Request, Never),
            Self::KeyReused(_) => ("key-reused", Reused, Never),
            Self::UnknownCommitment(_) | Self::UnknownDigits(_) => {
                ("unknown-commitment", Unknown, Never)
            }
            Self::UnknownTable(_) => ("unknown-table", Unknown, Never),
            Self::UnknownRound { .. } => ("unknown-round", Unknown, Never),
            Self::NoRaffle { .. } => ("no-raffle", Unknown, Never),
            Self::NoSuchCard { .. } | Self::NotPlaced(_) => ("unknown-card", Unknown, Never),
            Self::NotOneSeat(_) => ("not-one-seat", Conflict, Never),
            Self::Several { .. } => ("several-commitments", Conflict, Never),
            Self::NothingOpen(_) => ("nothing-open", Conflict, Never),
            Self::Overdue { .. } => ("overdue", Conflict, Never),
            Self::TooLate { .. } => ("too-late", Conflict, Never),
            Self::RoundInPlay { .. } => ("round-in-play", Conflict, Never),
            Self::NotSealed { .. } => ("not-sealed", Conflict, Never),
            Self::NotPublished { .. } | Self::Unpublished { .. } => {
                ("not-published", Passing, Never)
            }
            Self::PublishingBehind { .. } => ("publishing-behind", Passing, Never),
            Self::AwaitsBeacon { .. } => ("awaits-beacon", Passing, Never),
            Self::Unwitnessed(_) => ("unwitnessed", Passing, Never),
            Self::WitnessesContradict(_) => ("witnesses-contradict", Passing, Never),
            Self::Unsettled(_) => ("unsettled", Passing, Never),
            Self::Closed => ("closed", Passing, Never),
            Self::Store(error) => {
                let class = if error.fault.is_temporary() { Passing } else { Operator };
                let stops = match error.fault {
                    Fault::Disk => Always,
                    Fault::Unknown => Publishing,
                    _ => Never,
                };
                (error.fault.code(), class, stops)
            }
            Self::NoSigningKey { .. } => ("missing", Operator, Never),
            Self::NoLedger { .. } | Self::NotALedger { .. } => ("not-a-ledger", Operator, Never),
            Self::Moved(_) => ("moved", Operator, Never),
            Self::Exposed { .. } => ("exposed", Operator, Never),
            Self::WrongKey { .. } | Self::WrongVault { .. } => ("wrong-key", Operator, Always),
            Self::VaultKey(_) => ("vault-key", Operator, Never),
            Self::NoCheckpoint => ("no-checkpoint", Operator, Publishing),
            Self::ForeignCheckpoint { .. } => ("foreign-checkpoint", Operator, Publishing),
            Self::ForeignNote { .. } => ("foreign-checkpoint", Operator, Never),
            Self::OlderState { .. } => ("older-state", Operator, Always),
            Self::Copied(_) => ("copied", Operator, Never),
            Self::OtherTree { .. } => ("other-tree", Operator, Publishing),
            Self::TileDiffers { .. } => ("damaged", Operator, Publishing),
            Self::LostTiles(_) | Self::Damaged(_) => ("damaged", Operator, Never),
            Self::Stopped(_) => ("stopped", Operator, Never),
            Self::Clock(_) => ("clock", Operator, Never),
            Self::System(_) => ("system", Operator, Never),
        }
    }

    /// A stable name for programs (spec/cli.md, errors). A refusal has the code of its first
    /// finding.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.facts().0
    }

    /// The party that must act.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match self.facts().1 {
            Class::Request | Class::Unknown | Class::Conflict | Class::Reused => ErrorKind::Usage,
            Class::Refused => ErrorKind::Refused,
            Class::Passing | Class::Operator => ErrorKind::Unavailable,
        }
    }

    /// The HTTP status of an answer with this error.
    #[must_use]
    pub fn status(&self) -> u16 {
        match self.facts().1 {
            Class::Request => 400,
            Class::Unknown => 404,
            Class::Conflict | Class::Refused => 409,
            Class::Reused => 422,
            Class::Passing | Class::Operator => 503,
        }
    }

    /// Whether it may pass without anybody's help.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        self.facts().1 == Class::Passing
    }

    pub(crate) fn stops(&self) -> Stops {
        self.facts().2
    }

    /// Whether a store or the witnesses failed and that may pass by itself, so that waiting is worth
    /// while.
    pub(crate) fn is_temporary(&self) -> bool {
        match self {
            Self::Store(StoreError { fault, .. }) => fault.is_temporary(),
            Self::Unwitnessed(_) => true,
            _ => false,
        }
    }

    /// Whether the state or the published files are damaged: `fairdeal fsck` says more.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        self.code() == "damaged"
    }

    /// Whether a folder is not empty because an init, a restore or a backup is running there, or
    /// was interrupted.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        matches!(self, Self::NotEmpty { holds, .. } if is_under_way(holds))
    }
}
