//! The choices that an operator still has once it knows a player's seed, as a table. Its rows are
//! those of a table in spec/threat-model.md.

/// The table of the threat model that has the same rows.
pub const THREAT_MODEL_TABLE: &str = "What an operator can still choose once it knows the seeds";

/// A choice of the operator for a round whose contribution it knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Choice {
    /// Deal it correctly.
    Deal,
    /// Add contributions of its own, made to suit.
    Add,
    /// Leave the player out.
    LeaveOut,
    /// Write nothing: the round is dropped.
    Nothing,
    /// Void the round.
    Void,
    /// Void it, and mix the contribution into the next round.
    LaterRound,
    /// Void the commitment, or reveal it early; and mix the contribution under the table's next
    /// one.
    EndEarly,
    /// Mix it at another table, under an earlier commitment.
    OtherTable,
    /// Mix it at another table, under a commitment made to suit.
    NewCommitment,
    /// Copy the player's name and seed to another table that demands less.
    Copy,
}

impl Choice {
    /// The beginning of its row in the threat model's table of single choices.
    pub const fn row(self) -> &'static str {
        match self {
            Self::Deal => "", // what it should do
            Self::Add => "Invent a player",
            Self::LeaveOut => "Leave a player out",
            Self::Nothing => "Drop the round before it is written",
            Self::Void => "Void the round after the lock",
            Self::LaterRound => "Void rounds until the nonce suits",
            Self::EndEarly => "End the commitment",
            Self::OtherTable | Self::NewCommitment | Self::Copy => {
                "Deal at the table whose commitment suits"
            }
        }
    }
}

/// How a choice is noticed, in the order from most to least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Notice {
    /// By the player's own receipt, compared with what they kept: another contribution, no `yours`,
    /// or no `committed-first`.
    Receipt,
    /// The commitment can no longer be revealed, and becomes overdue.
    Overdue,
    /// An audit counts the void, and accuses nobody.
    Counted,
    /// By nothing in any record.
    Nothing,
}

/// A row: what the player gave, whether it is locked, and the remaining choices.
pub type Row = (&'static str, bool, &'static [(Choice, Notice)]);

/// The contributions that a player may give.
pub const CLEAR: &str = "clear";
pub const CLEAR_SEEN: &str = "clear, the player's own `seen` kept";
pub const CLEAR_SIGNED: &str = "clear, signed";
pub const HASHED: &str = "hashed";
pub const HASHED_SIGNED: &str = "hashed and signed";

/// All remaining choices. Every choice that is not in a row is a finding in the log itself.
pub const FREEDOMS: &[Row] = &[
    (
        CLEAR,
        false,
        &[
            (Choice::Deal, Notice::Nothing),
            (Choice::Add, Notice::Nothing),
            (Choice::LeaveOut, Notice::Receipt),
            (Choice::Nothing, Notice::Nothing),
            (Choice::Void, Notice::Counted),
            (Choice::LaterRound, Notice::Counted),
            (Choice::EndEarly, Notice::Counted),
            (Choice::OtherTable, Notice::Nothing),
            (Choice::NewCommitment, Notice::Nothing),
        ],
    ),
    (
        CLEAR,
        true,
        &[
            (Choice::Deal, Notice::Nothing),
            (Choice::Nothing, Notice::Overdue),
            (Choice::Void, Notice::Counted),
            (Choice::LaterRound, Notice::Counted),
            (Choice::EndEarly, Notice::Counted),
            (Choice::OtherTable, Notice::Counted),
            (Choice::NewCommitment, Notice::Counted),
        ],
    ),
    (
        CLEAR_SEEN,
        false,
        &[
            (Choice::Deal, Notice::Nothing),
            (Choice::Add, Notice::Nothing),
            (Choice::LeaveOut, Notice::Receipt),
            (Choice::Nothing, Notice::Nothing),
            (Choice::Void, Notice::Counted),
            (Choice::LaterRound, Notice::Counted),
            (Choice::EndEarly, Notice::Receipt),
            (Choice::OtherTable, Notice::Nothing),
            (Choice::NewCommitment, Notice::Receipt),
            (Choice::Copy, Notice::Receipt),
        ],
    ),
    (
        CLEAR_SEEN,
        true,
        &[
            (Choice::Deal, Notice::Nothing),
            (Choice::Nothing, Notice::Overdue),
            (Choice::Void, Notice::Counted),
            (Choice::LaterRound, Notice::Counted),
            (Choice::EndEarly, Notice::Receipt),
            (Choice::OtherTable, Notice::Counted),
            (Choice::NewCommitment, Notice::Receipt),
            (Choice::Copy, Notice::Receipt),
        ],
    ),
    (
        CLEAR_SIGNED,
        false,
        &[
            (Choice::Deal, Notice::Nothing),
            (Choice::Add, Notice::Nothing),
            (Choice::LeaveOut, Notice::Receipt),
            (Choice::Nothing, Notice::Nothing),
            (Choice::Void, Notice::Counted),
            (Choice::Copy, Notice::Receipt),
        ],
    ),
    (CLEAR_SIGNED, true, ONCE_BOUND),
    (HASHED, true, ONCE_BOUND),
    (HASHED_SIGNED, true, ONCE_BOUND),
];

/// The choices for a contribution that is locked and valid only for its own round.
const ONCE_BOUND: &[(Choice, Notice)] = &[
    (Choice::Deal, Notice::Nothing),
    (Choice::Nothing, Notice::Overdue),
    (Choice::Void, Notice::Counted),
    (Choice::Copy, Notice::Receipt),
];
