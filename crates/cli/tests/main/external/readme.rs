//! The guides are true: the service's script is run, and the demo's transcript is compared with a
//! real one. The consoles of the README and of the guides are in `operate.rs`.

#![allow(
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "in a test, a panic is a failure with a place, and these choices need no evenness"
)]

use std::path::Path;
use std::process::Command;

/// The fenced block that follows a mark in a page: `<!-- MARK: `.
fn block(page: &str, mark: &str) -> String {
    let path = tools::root().join(page);
    let text = std::fs::read_to_string(path).expect("the page");
    let (_, after) = text.split_once(&format!("<!-- {mark}: ")).expect("the mark");
    let (_, fenced) = after.split_once("```").expect("a block after the mark");
    let (_, body) = fenced.split_once('\n').expect("its language");
    body.split_once("```").expect("its end").0.to_owned()
}

/// A PATH on which our own `fairdeal` comes first.
pub(super) fn fairdeal_first() -> std::ffi::OsString {
    let own = Path::new(env!("CARGO_BIN_EXE_fairdeal")).parent().expect("a folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths([own].into_iter().chain(std::env::split_paths(&path))).expect("a path")
}

#[test]
fn the_service_of_the_operators_guide_deals_a_round_that_holds() {
    let script = block("docs/operators.md", "service");
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &script])
        .current_dir(folder.path())
        .env("PATH", fairdeal_first())
        .output()
        .expect("bash is needed for this test");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("fair, and your seed was in it"), "{said}");
}

/// The words of a transcript without those that differ from run to run (keys, hashes, cards, numbers,
/// and which witness was first). Words, because the wrapping of lines depends on them.
fn shape(transcript: &str) -> Vec<String> {
    let moves = |word: &&str| {
        let bare = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let card = bare.len() == 2
            && fairdeal::deal::Card::parse([bare.as_bytes()[0], bare.as_bytes()[1]]).is_some();
        let is_number = bare.starts_with(|first: char| first.is_ascii_digit());
        !card && bare.len() < 40 && !is_number && !["north", "south", "east"].contains(&bare)
    };
    transcript.split_whitespace().filter(moves).map(str::to_owned).collect()
}

#[test]
fn the_demo_of_the_developers_guide_is_what_the_demo_prints() {
    prints(&["demo"], "docs/developers.md", "demo");
}

#[test]
fn the_demo_with_witnesses_is_what_its_page_shows() {
    prints(&["demo", "--trust"], "docs/demo.md", "demo-trust");
}

/// Compares the transcript in a page with a real run.
fn prints(line: &[&str], page: &str, name: &str) {
    let shown = block(page, name);
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_fairdeal"))
        .args(line)
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
