//! Places that commands write to: inside a ledger, a device, a folder that two want, and what was interrupted.

use std::fs;
use std::os::unix::fs::{FileTypeExt as _, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

fn command(dir: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    command.current_dir(dir).env_remove("FAIRDEAL_LEDGER").env("NO_COLOR", "1").args(words);
    command
}

fn run(dir: &Path, words: &[&str]) -> Output {
    command(dir, words).output().expect("fairdeal starts")
}

fn ends(dir: &Path, words: &[&str], code: i32) -> String {
    let output = run(dir, words);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{words:?}: {error}");
    error + &String::from_utf8_lossy(&output.stdout)
}

/// A ledger A with one commitment.
fn ledger() -> TempDir {
    let dir = TempDir::new().expect("a folder");
    ends(dir.path(), &["init", "A", "--origin", "a.example/log"], 0);
    ends(dir.path(), &["commit", "--ledger", "A", "--table", "t", "--draw", "5", "--rounds", "99"], 0);
    dir
}

#[test]
fn a_log_that_the_key_never_signed_leaves_no_state_that_accuses_the_honest_one() {
    let dir = ledger();
    let at = dir.path();
    ends(at, &["log-key", "--ledger", "A", "-o", "k"], 0);
    ends(at, &["init", "thief", "--origin", "a.example/log"], 0);
    ends(at, &["commit", "--ledger", "thief", "--table", "t", "--draw", "5", "--rounds", "99"], 0);
    for n in 1..3 {
        ends(at, &["deal", "--ledger", "A", "--table", "t", "--client", &format!("a={n}")], 0);
        ends(at, &["deal", "--ledger", "thief", "--table", "t", "--client", &format!("a=x{n}")], 0);
    }
    let audit = |log| ["audit", log, "--key", "k", "--state", "s"];
    assert!(ends(at, &audit("thief"), 1).contains("bad-signature"));
    ends(at, &audit("A"), 0);
    let kept = fs::read(at.join("s")).expect("saved");
    assert!(ends(at, &audit("thief"), 1).contains("bad-signature"));
    assert_eq!(fs::read(at.join("s")).expect("saved"), kept, "what was seen is not forgotten");
    // A state that was saved without a signature, by an older version.
    let text = String::from_utf8(kept).expect("UTF-8");
    let (tree, entries) = text.split_once('\n').expect("two lines");
    let mut tree: serde_json::Value = serde_json::from_str(tree).expect("JSON");
    tree.as_object_mut().expect("an object").remove("note").expect("the note");
    fs::write(at.join("s"), format!("{tree}\n{entries}")).expect("written");
    let says = ends(at, &audit("A"), 0);
    assert!(says.contains("not signed"), "{says}");
    assert!(fs::read_to_string(at.join("s")).expect("saved").contains("\"note\""));
}
