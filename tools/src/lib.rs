//! What the makers of the fixtures share with the tests: a log on paper, and documents that nobody wrote down.

pub mod agree;
pub mod answers;
pub mod brought;
pub mod dice;
pub mod explore;
pub mod fuzz;
pub mod mutation;
pub mod pages;
pub mod paper;
pub mod question;
pub mod random_log;

use std::path::{Path, PathBuf};

/// The folder of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
