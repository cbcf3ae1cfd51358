//! Judging randomness: a battery of tests over counts that merge, and a watch that may look after every deal.
//!
//! Replay is exact, so numbers exist for what replay cannot see: seeds chosen selectively, deals voided
//! selectively, weak players' seeds, and foreign logs that cannot be replayed. What is reported is never a verdict
//! on one deal. The formulas and what they were measured to find are in `docs/statistics.md`.
//!
//! For [`crate::deal::Method::Shuffle`] only: a cycle is no uniform order, and every test here would rightly say so.
//!
//! ```
//! use fairdeal::deal::Deck;
//! use fairdeal::stats::{Counts, Shape};
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
pub(crate) mod nulls;
pub(crate) mod number;
pub(crate) mod order;
mod repeats;
mod sequential;
mod shape;
pub(crate) mod tail;

pub use battery::{FAMILY, Report, Skipped, Test, adjust_together};
pub use counts::{Counts, OtherShape};
pub use decks::{DeckLines, LineError, count_lines};
pub use sequential::{ALARM, Alarm, EProcess, Part};
pub use shape::{Shape, ShapeError};
