//! Where a ledger's state lives, and the files that it publishes: what the ledger asks of a store.
//!
//! Not for deciding anything: which entry may be written, and what a file must hold, is the ledger's business.

mod error;

pub use error::{Fault, StoreError};
