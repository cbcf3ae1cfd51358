//! The native half of the Python package: what needs the library. What a user sees is in
//! `python/fairdeal`.
//!
//! Answers cross as JSON text, the very text that the command prints, and bytes as bytes. So
//! nothing of a shape is written here. Everything that takes longer than microseconds runs without
//! the interpreter's lock.

mod deals;
mod failure;
mod logs;
mod rows;
mod sample;
mod shards;
mod shuffles;
mod tables;
mod waiting;

use pyo3::prelude::*;

/// `fairdeal._fairdeal`: private, see the package.
#[pymodule]
mod _fairdeal {
    #[pymodule_export]
    use super::deals::{replay_by_hand, replay_receipt, verify};
    #[pymodule_export]
    use super::logs::{audit, log_size, stats_of_log};
    #[pymodule_export]
    use super::rows::{check_file, check_rows, dialects, limits};
    #[pymodule_export]
    use super::sample::generate;
    #[pymodule_export]
    use super::shards::{
        add_sums, continues, first_seeds, givers_of, is_sound, join_givers, judge_bucket,
        judge_range, log_head, times_of, turns_hold, verdict,
    };
    #[pymodule_export]
    use super::shuffles::{lab, shuffles, stats_of_decks};
    #[pymodule_export]
    use super::tables::{TablePages, published};
    #[pymodule_export]
    use super::version;
}

/// The package's version.
#[pyfunction]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
