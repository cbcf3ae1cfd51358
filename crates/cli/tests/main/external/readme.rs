//! The README is true: its consoles are run, and its demo is compared with a real one.

#![allow(
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "in a test, a panic is a failure with a place, and these choices need no evenness"
)]

use std::path::Path;
use std::process::Command;

fn readme() -> String {
    std::fs::read_to_string(tools::root().join("README.md")).expect("the README")
}

/// The fenced blocks of one language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    let fence = format!("```{language}\n");
    while let Some(at) = rest.find(&fence) {
        let body = &rest[at + fence.len()..];
        let end = body.find("```").expect("a closed block");
        found.push(body[..end].to_owned());
        rest = &body[end..];
    }
    found
}

/// A PATH on which our own `fairdeal` comes first.
pub(super) fn fairdeal_first() -> std::ffi::OsString {
    let own = Path::new(env!("CARGO_BIN_EXE_fairdeal")).parent().expect("a folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths([own].into_iter().chain(std::env::split_paths(&path))).expect("a path")
}

#[test]
fn the_consoles_of_the_readme_print_what_it_says() {
    let mut run = 0;
    let path = fairdeal_first();
    for block in blocks(&readme(), "console") {
        for step in block.split("$ ").filter(|step| !step.is_empty()) {
            let (command, expected) = step.split_once('\n').expect("a command and its output");
            let output = Command::new("bash")
                .args(["-c", command])
                .current_dir(tools::root())
                .env("PATH", &path)
                .output()
                .expect("bash is needed for this test");
            let said = String::from_utf8_lossy(&output.stdout);
            assert_eq!(said, expected, "$ {command}\n{}", String::from_utf8_lossy(&output.stderr));
            run += 1;
        }
    }
    assert_eq!(run, 6);
}

#[test]
fn the_service_of_the_readme_deals_a_round_that_holds() {
    let script = blocks(&readme(), "bash").into_iter().next().expect("the script of the service");
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &script])
        .current_dir(folder.path())
        .env("PATH", fairdeal_first())
        .output()
        .expect("bash is needed for this test");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("holds: the promised seed and the players' seeds give this result"), "{said}");
}

/// The words of a transcript without those that differ from run to run (keys, hashes and cards). Words, because the
/// wrapping of lines depends on them.
fn shape(transcript: &str) -> Vec<String> {
    let moves = |word: &&str| {
        let bare = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let card = bare.len() == 2
            && fairdeal::deal::Card::parse([bare.as_bytes()[0], bare.as_bytes()[1]]).is_some();
        !card && bare.len() < 40
    };
    transcript.split_whitespace().filter(moves).map(str::to_owned).collect()
}

#[test]
fn the_demo_of_the_readme_is_what_the_demo_prints() {
    let text = readme();
    let shown = blocks(&text, "text").into_iter().next().expect("the demo's block comes first");
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_fairdeal"))
        .arg("demo")
        .current_dir(folder.path())
        .env("COLUMNS", "100")
        .output()
        .expect("our own binary");
    assert!(output.status.success());
    let said = String::from_utf8_lossy(&output.stdout);
    // The command prints its own name as it was called.
    let own = Path::new(env!("CARGO_BIN_EXE_fairdeal")).to_string_lossy().into_owned();
    let said = said.replace(&own, "target/release/fairdeal");
    assert_eq!(shape(&said), shape(&shown), "{said}");
}
