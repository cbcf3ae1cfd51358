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
mod honest;
#[path = "../../tests/support/paper.rs"]
#[allow(dead_code, reason = "shared with the tests, which use the rest")]
mod paper;
#[path = "../../tests/support/question.rs"]
#[allow(dead_code, reason = "shared with the tests, which use the rest")]
mod question;
mod tampered_entries;
mod tampered_files;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;

use case::Case;

/// The files below a folder, by their paths.
fn files_below(folder: &Path, prefix: &str, found: &mut BTreeSet<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries {
        let entry = entry.expect("a readable folder");
        let name = format!("{prefix}{}", entry.file_name().to_str().expect("UTF-8"));
        if entry.path().is_dir() {
            files_below(&entry.path(), &format!("{name}/"), found);
        } else {
            found.insert(name);
        }
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let overwrite = arguments.iter().any(|a| a == "--overwrite");
    let Some(folder) = arguments.iter().find(|a| !a.starts_with("--")).map(Path::new) else {
        eprintln!(
            "error: expected the folder to write to, as in: cargo run --release --example logs -- fixtures/logs"
        );
        return ExitCode::from(2);
    };
    let cases: Vec<Case> =
        [honest::cases(), tampered_entries::cases(), tampered_files::cases()].into_iter().flatten().collect();
    let mut made = BTreeMap::new();
    for case in &cases {
        let files = case.files();
        println!("{}: {} bytes", case.name, files.values().map(Vec::len).sum::<usize>());
        made.extend(files.into_iter().map(|(path, bytes)| (format!("{}/{path}", case.name), bytes)));
    }
    let mut old = BTreeSet::new();
    files_below(folder, "", &mut old);
    let mut kept = true;
    for path in old.iter().filter(|path| !made.contains_key(*path)) {
        if overwrite {
            std::fs::remove_file(folder.join(path)).expect("removable");
        } else {
            eprintln!("error: {path}: is not made now; the logs are frozen");
            kept = false;
        }
    }
    let differs = |path: &String, bytes: &Vec<u8>| {
        std::fs::read(folder.join(path)).is_ok_and(|old| old != *bytes) && !overwrite
    };
    for (path, _) in made.iter().filter(|(path, bytes)| differs(path, bytes)) {
        eprintln!("error: {path}: differs from what is made now; the logs are frozen");
        kept = false;
    }
    if kept {
        paper::write_files(folder, &made);
    }
    println!("{} logs, {} bytes", cases.len(), made.values().map(Vec::len).sum::<usize>());
    ExitCode::from(u8::from(!kept))
}
