//! The maintainers' commands: `cargo tool --help`.

mod agree;
mod attacks;
mod calibrate;
mod explore;
mod faults;
mod logs;
mod pages;
mod vectors;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

/// Makes the fixtures and the figures of the project, and searches for faults.
#[derive(Parser)]
#[command(name = "cargo tool")]
enum Tool {
    /// Make the test vectors of signed files, and the receipts beside them: `cargo tool vectors
    /// fixtures`
    Vectors(Fixtures),
    /// Make whole logs, each with the verdict of its audit: `cargo tool logs fixtures/logs`
    Logs(Fixtures),
    /// Make attacks, each with its expected findings: `cargo tool attacks fixtures/attacks`
    Attacks(Fixtures),
    /// Compare the Rust with the Python reference on generated documents
    Agree(agree::Arguments),
    /// Try every short log (docs/testing.md)
    Explore(explore::Arguments),
    /// Kill the built program, cut its power, let its system calls fail (docs/testing.md)
    Faults(faults::Arguments),
    /// Make the figures of docs/statistics.md
    Calibrate {
        /// Only one part: `exact`, `nulls`, `power`, `watch` or `weak`
        part: Option<String>,
    },
    /// Make pages of invented audits to look at, honest and hostile
    Pages {
        /// The folder to write to
        #[arg(default_value = ".")]
        folder: PathBuf,
    },
}

/// Where fixtures are written. They are frozen: a file that exists with other contents is an error.
#[derive(clap::Args)]
struct Fixtures {
    /// The folder to write to
    folder: PathBuf,
    /// Change and remove files: a change of the protocol
    #[arg(long)]
    overwrite: bool,
}

fn main() -> ExitCode {
    match Tool::parse() {
        Tool::Vectors(to) => vectors::run(&to),
        Tool::Logs(to) => logs::run(&to),
        Tool::Attacks(to) => attacks::run(&to),
        Tool::Agree(how) => agree::run(&how),
        Tool::Explore(how) => explore::run(&how),
        Tool::Faults(how) => faults::run(&how),
        Tool::Calibrate { part } => {
            calibrate::run(part.as_deref());
            ExitCode::SUCCESS
        }
        Tool::Pages { folder } => pages::run(&folder),
    }
}
