//! Every short log over a small alphabet of entries, each judged by `record::life` itself and
//! checked against what the rules are for. What is explored, and what is not, is in
//! docs/testing.md.
//!
//! [`course`] records a log's course from its entries alone, and the invariants are about that
//! record.

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
