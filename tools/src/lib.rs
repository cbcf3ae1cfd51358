//! Shared by the makers of the fixtures and the tests: paper logs, and generated documents.

pub mod agree;
pub mod answers;
pub mod attack;
pub mod beacons;
pub mod brought;
pub mod dice;
pub mod explore;
pub mod fuzz;
pub mod mutation;
pub mod pages;
pub mod paper;
pub mod question;
pub mod raffles;
pub mod random_log;
pub mod tables;

use std::path::{Path, PathBuf};

/// The number of cases that a test tries: `some` in `./check`, `many` in `./check --long`, which
/// sets `FAIRDEAL_LONG`.
pub fn cases(some: usize, many: usize) -> usize {
    if std::env::var_os("FAIRDEAL_LONG").is_some_and(|long| long == "1") { many } else { some }
}

/// The folder of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
