//! The rules again, by search: every short log, and mutated inputs.

mod explore;
mod fuzz;
