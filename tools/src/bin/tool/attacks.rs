//! Makes attacks, each as what a player or an auditor would have, with the verdict on it, and
//! asserts that each has exactly the expected findings.
//!
//! Everything is signed by the operator's own key: these are attacks on the rules. Every
//! implementation judges these files (their shape is in fixtures/README.md). They are frozen like
//! the logs.

mod beacons;
mod case;
mod exports;
mod grammar;
mod openings;
mod receipts;
mod results;
mod several;
mod signatures;
mod tables;
mod two_logs;
mod whose;
mod witness_times;
mod witnessed;
mod witnesses;

use std::process::ExitCode;

use crate::Fixtures;
use crate::logs::folders;

pub fn run(to: &Fixtures) -> ExitCode {
    let attacks = [
        tables::attacks(),
        results::attacks(),
        signatures::attacks(),
        grammar::attacks(),
        receipts::attacks(),
        whose::attacks(),
        openings::attacks(),
        several::attacks(),
        two_logs::attacks(),
        exports::attacks(),
        witnesses::attacks(),
        witness_times::attacks(),
        witnessed::attacks(),
        beacons::attacks(),
    ];
    let file =
        |(name, case): case::Attack| (format!("{name}.json"), format!("{case:#}\n").into_bytes());
    folders::write("attacks", to, attacks.into_iter().flatten().map(file))
}
