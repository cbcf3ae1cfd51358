//! Makes the test vectors, and the receipts beside them: `cargo run --release --example vectors -- fixtures`
//!
//! Every implementation reads these files (the shapes are in fixtures/README.md). They are frozen: a file that exists
//! with other contents is a change of the protocol, so it is only overwritten with `--overwrite`.

#![allow(
    unreachable_pub,
    missing_docs,
    reason = "a program of several files, and what it shares with the tests"
)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::maybe_infinite_iter,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::similar_names,
    clippy::too_many_lines,
    reason = "a maker of fixtures, run by hand: it stops at the first thing that is not as it says"
)]

mod cheats;
mod deals;
#[path = "../../tests/support/exported.rs"]
mod exported;
mod exports;
mod forms;
mod heads;
mod judged;
mod logs;
#[path = "../../tests/support/paper.rs"]
#[allow(dead_code, reason = "shared with the tests, which use the rest")]
mod paper;
mod players;
mod readers;
mod records;
mod results;
mod sealed;
mod seen;
mod several;
mod signatures;
mod verdicts;

use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value, json};

/// One file of vectors.
struct File {
    name: &'static str,
    about: &'static str,
    vectors: Vec<Value>,
}

impl File {
    /// Where it is written below the fixtures, and what.
    fn named(&self) -> (String, String) {
        (format!("vectors/{}", self.name), self.text())
    }

    fn text(&self) -> String {
        let file = json!({ "about": self.about, "vectors": self.vectors });
        let mut text = serde_json::to_string_pretty(&file).expect("JSON");
        text.push('\n');
        text
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let overwrite = arguments.iter().any(|a| a == "--overwrite");
    let Some(folder) = arguments.iter().find(|a| !a.starts_with("--")) else {
        eprintln!(
            "error: expected the folder to write to, as in: cargo run --release --example vectors -- fixtures"
        );
        return ExitCode::from(2);
    };
    let vectors = [
        deals::files(),
        logs::files(),
        records::files(),
        verdicts::files(),
        signatures::files(),
        players::files(),
        several::files(),
        exports::files(),
    ];
    let files = vectors.iter().flatten().map(File::named).chain(verdicts::example_files());
    let mut kept = true;
    for (name, text) in files {
        let path = Path::new(folder).join(&name);
        match std::fs::read_to_string(&path) {
            Ok(old) if old == text => println!("{name}: unchanged"),
            Ok(_) if !overwrite => {
                eprintln!("error: {}: differs from what is made now; the vectors are frozen", path.display());
                kept = false;
            }
            _ => {
                let parent = path.parent().expect("below the folder");
                std::fs::create_dir_all(parent).expect("the folder is writable");
                std::fs::write(&path, text).expect("the folder is writable");
                println!("{name}: written");
            }
        }
    }
    ExitCode::from(u8::from(!kept))
}
