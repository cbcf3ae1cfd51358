//! Makes whole logs, honest and tampered with, each with the verdict of its audit:
//! `cargo run --release --example logs -- fixtures/logs`
//!
//! Every implementation audits these folders (their shape is in fixtures/README.md). They are frozen: a file that exists
//! with other contents is a change of the protocol, so it is only overwritten with `--overwrite`.

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

mod case;
mod folders;
mod honest;
mod honest_rules;
#[path = "../../tests/support/paper.rs"]
#[allow(dead_code, reason = "shared with the tests, which use the rest")]
mod paper;
#[path = "../../tests/support/question.rs"]
#[allow(dead_code, reason = "shared with the tests, which use the rest")]
mod question;
mod tampered_entries;
mod tampered_files;
mod tampered_rounds;
mod write;

use std::process::ExitCode;

use case::Case;

fn main() -> ExitCode {
    let cases = [
        honest::cases(),
        honest_rules::cases(),
        tampered_entries::cases(),
        tampered_rounds::cases(),
        tampered_files::cases(),
    ];
    let made = |case: Case| (case.name, case.files());
    folders::write("logs", cases.into_iter().flatten().map(made))
}
