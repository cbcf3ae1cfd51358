//! Makes whole logs, honest and tampered with, each with the verdict of its audit.
//!
//! Every implementation audits these folders (their shape is in fixtures/README.md). They are
//! frozen: a file that exists with other contents is a change of the protocol, so it is only
//! overwritten with `--overwrite`.

mod case;
pub mod folders;
mod honest;
mod honest_rules;
mod tampered_entries;
mod tampered_files;
mod tampered_rounds;
pub mod write;

use std::process::ExitCode;

use case::Case;

use crate::Fixtures;

pub fn run(to: &Fixtures) -> ExitCode {
    let cases = [
        honest::cases(),
        honest_rules::cases(),
        tampered_entries::cases(),
        tampered_rounds::cases(),
        tampered_files::cases(),
    ];
    let files = |case: Case| {
        let name = case.name;
        case.files().into_iter().map(move |(path, bytes)| (format!("{name}/{path}"), bytes))
    };
    folders::write("logs", to, cases.into_iter().flatten().flat_map(files))
}
