//! Raffles: winners drawn from a list by a beacon, which one file proves (spec/raffle.md).
//!
//! Pure. Not for writing a raffle's entries, and not for fetching the beacon: the caller brings the
//! list and, until the log has the deal, the signature of the lock's round.

// Documents, lists and links are bytes from outside.
#![warn(clippy::as_conversions, clippy::indexing_slicing)]

mod beacon;
mod document;
mod entrant;
mod tickets;
mod verdict;
mod verify;

pub use beacon::{GivenBeacon, GivenBeaconError};
pub use document::{RaffleDocument, RaffleDocumentError, RaffleRules};
pub use entrant::{Address, Entrant, EntrantError, RaffleSecret};
pub use tickets::{Tickets, TicketsError};
pub use verdict::{FoundLine, LockedBeacon, RaffleVerdict, RaffleWinner};
pub use verify::{AuditedRaffle, RaffleError, RaffleGiven, verify_raffle};
