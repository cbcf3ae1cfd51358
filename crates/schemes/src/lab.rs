//! The laboratory: right and wrong shuffles, enumerated exactly for short decks and sampled for
//! any.
//!
//! Numbers show what each shuffle gets wrong: for up to six items the exact probability of every
//! order, for more items the counts of position × card and the tests of [`fairdeal_audit::stats`].
//! Not for dealing: [`fairdeal::deal`] does that.
//!
//! ```
//! use fairdeal_schemes::lab::{Shuffle, enumerate, sample};
//!
//! let exact = enumerate(Shuffle::SwapAny, 3)?;
//! assert_eq!(exact.orders[&vec![0, 1, 2]].to_string(), "4/27");
//! assert!(!exact.is_uniform());
//!
//! let thirty = sample(Shuffle::NeverSelf, 52, 30, 1)?;
//! assert!(thirty.report().alarm);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod choose;
mod exact;
mod sample;
mod shuffle;
mod sorts;
mod steps;

pub use exact::{Exact, ExactError, Fraction, LONGEST_EXACT, Paths, decimal, enumerate};
pub use sample::{Sampler, sample};
pub use shuffle::{Kind, Shuffle, ShuffleError};
