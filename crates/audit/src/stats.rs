//! Tests of randomness: a battery over counts that merge, and an e-process that may be looked at
//! after every deal.
//!
//! Replay is exact. Statistics are for what replay cannot see: selected seeds, selectively voided
//! deals, players' weak seeds, and foreign logs that cannot be replayed. They never judge a single
//! deal. `docs/statistics.md` has the formulas, and what they were measured to find.
//!
//! For [`fairdeal::deal::Method::Shuffle`] only: the orders of a cycle are not uniform, and every
//! test here would say so.
//!
//! ```
//! use fairdeal::deal::Deck;
//! use fairdeal_audit::stats::{Counts, Shape};
//!
//! let mut counts = Counts::of(Shape::of(&Deck::standard(), 52)?);
//! let sorted: Vec<u32> = (0..52).collect();
//! for _ in 0..30 {
//!     counts.add(&sorted);
//! }
//! let report = counts.report();
//! assert!(report.alarm);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod battery;
mod counts;
mod decks;
#[doc(hidden)]
pub mod nulls;
#[doc(hidden)]
pub mod number;
#[doc(hidden)]
pub mod order;
mod ratio;
mod repeats;
#[doc(hidden)]
pub mod rounds;
mod sequential;
mod shape;
#[doc(hidden)]
pub mod tail;

pub use battery::{FAMILY, Report, Skipped, Test, adjust_together};
pub use counts::{Counts, OtherShape};
pub use decks::{DeckLines, LineError, count_lines};
pub use ratio::Ratio;
pub use sequential::{ALARM, Alarm, EProcess, Part};
pub use shape::{Shape, ShapeError};
