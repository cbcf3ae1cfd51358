//! Every short log, not some: all logs over a small alphabet of entries, each judged by `record::life` itself and held
//! against what the rules are for. What is explored, and what is not, is in docs/explore.md.
//!
//! What a log came to is written down from its entries alone ([`course`]), and the invariants are about that.

#![allow(
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::similar_names,
    reason = "of the tests: a panic is a failure with a place, and a course is made of commits"
)]

mod course;
mod excerpts;
mod freedoms;
mod invariants;
mod receipts;
pub mod table;
mod walk;
mod world;

pub use freedoms::{compute, freedoms};
pub use receipts::compare;
pub use walk::{Explored, Limits, explore};
pub use world::{Scope, Terms, World};
