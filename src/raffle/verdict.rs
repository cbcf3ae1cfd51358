//! The verdict on a raffle (spec/raffle.md, section 39).

use serde::Serialize;

use super::document::RaffleRules;
use crate::deal::Digest;
use crate::record::entry::{BeaconSignature, Int, Table};
use crate::record::receipt::{NotShown, ReceiptVerdict, Shown};

/// The verdict on a raffle: that on its receipt, and what the list and the beacon add.
#[derive(Clone, Debug, Serialize)]
pub struct RaffleVerdict {
    /// The members of the receipt's verdict; `holds`, `state`, the tokens and the findings are
    /// those of the raffle.
    #[serde(flatten)]
    pub receipt: ReceiptVerdict,
    /// The table.
    pub table: Table,
    /// The rules.
    pub rules: RaffleRules,
    /// The number of lines of the list.
    pub count: u32,
    /// The number of different ones.
    pub different: u32,
    /// The beacon's round that decides; `None` if no lock had effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beacon: Option<LockedBeacon>,
    /// Whether the server seed is public.
    pub has_seed: bool,
    /// The winners, in the order of the prizes; `None` if they were not computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawn: Option<Vec<RaffleWinner>>,
    /// The time at which the organiser gave up the draw, in Unix milliseconds by its own word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub void: Option<Int>,
    /// The line that the reader asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<FoundLine>,
    /// How many commits of the audited log have this list; `None` if no log was audited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_list: Option<u64>,
}

/// The beacon's round that a raffle's lock names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LockedBeacon {
    /// The chain's hash.
    pub chain: Digest,
    /// The round.
    pub round: Int,
    /// The second since 1970 at which it is out; `None` if the chain is not known, or the round is
    /// not the right one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out: Option<u64>,
    /// Its signature, verified; `None` if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<BeaconSignature>,
}

/// A winner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RaffleWinner {
    /// The number of the ticket, from 0.
    pub item: u32,
    /// Its line.
    pub line: String,
}

/// A line that the reader asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FoundLine {
    /// The line.
    pub line: String,
    /// How many tickets it has.
    pub tickets: u32,
    /// The first item with it, from 0; `None` if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<u32>,
    /// Its place among the winners, from 0; `None` if it did not win, or nothing was drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<usize>,
}

impl RaffleVerdict {
    /// Whether a thing was shown.
    #[must_use]
    pub fn shows(&self, what: Shown) -> bool {
        self.receipt.shown.contains(&what)
    }

    /// Whether a thing is listed as not shown.
    #[must_use]
    pub fn does_not_show(&self, what: NotShown) -> bool {
        self.receipt.not_shown.contains(&what)
    }
}
