//! Makes attacks, each as the files that a player or an auditor would have, with the verdict on them; and asserts that
//! exactly what is wrong is found: `cargo run --release --example attacks -- fixtures/attacks`
//!
//! All is signed by the operator's own key: what is attacked are the rules. Every implementation judges these folders
//! (their shape is in fixtures/README.md). They are frozen like the logs.

#![allow(
    unreachable_pub,
    missing_docs,
    reason = "a program of several files, and what it shares with the tests"
)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::similar_names,
    clippy::too_many_lines,
    reason = "a maker of fixtures, run by hand: it stops at the first thing that is not as it says"
)]

#[path = "../../tests/support/brought.rs"]
#[allow(dead_code, reason = "shared with the tests, which use the rest")]
mod brought;
mod case;
mod exports;
#[path = "../logs/folders.rs"]
mod folders;
mod grammar;
mod openings;
#[path = "../../tests/support/paper.rs"]
#[allow(dead_code, reason = "shared with the tests, which use the rest")]
mod paper;
#[path = "../../tests/support/question.rs"]
#[allow(dead_code, reason = "shared with the tests, which use the rest")]
mod question;
mod receipts;
mod results;
mod several;
mod signatures;
mod tables;
mod whose;
#[path = "../logs/write.rs"]
#[allow(dead_code, reason = "shared with the maker of logs, which uses the rest")]
mod write;

use std::process::ExitCode;

fn main() -> ExitCode {
    let attacks = [
        tables::attacks(),
        results::attacks(),
        signatures::attacks(),
        grammar::attacks(),
        receipts::attacks(),
        whose::attacks(),
        openings::attacks(),
        several::attacks(),
        exports::attacks(),
    ];
    folders::write("attacks", attacks.into_iter().flatten())
}
