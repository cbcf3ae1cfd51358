//! Failures of the system: no randomness, no threads, a disk that cannot be written. With
//! strace and mounts.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "in a test, a panic is a failure with a place"
)]

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fairdeal");

/// Runs the program under others.
fn run(before: &[&str], dir: &Path, words: &[&str]) -> Output {
    let all: Vec<&str> =
        before.iter().copied().chain([PROGRAM]).chain(words.iter().copied()).collect();
    let mut command = Command::new(all[0]);
    command.args(&all[1..]).current_dir(dir).env_remove("FAIRDEAL_LEDGER").env("NO_COLOR", "1");
    command.output().unwrap()
}

fn succeeds(dir: &Path, words: &[&str]) -> String {
    let output = run(&["env"], dir, words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A ledger with a deal; returns its commitment.
fn ledger() -> (TempDir, String) {
    let dir = TempDir::new().unwrap();
    succeeds(dir.path(), &["init", "fairdeal-ledger", "--origin", "cards.example/log"]);
    let made: serde_json::Value =
        serde_json::from_str(&succeeds(dir.path(), &["commit", "--table", "main", "--json"]))
            .unwrap();
    let c = made["commitment"].as_str().unwrap().to_owned();
    succeeds(dir.path(), &["deal", &c, "--client", "alice=lucky"]);
    (dir, c)
}

#[test]
fn without_randomness_or_threads_a_command_ends_with_one_line_and_exit_3() {
    let (dir, c) = ledger();
    for fault in ["getrandom:error=EIO", "clone3:error=EAGAIN"] {
        let inject = format!("inject={fault}");
        let strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", &inject];
        let output = run(&strace, dir.path(), &["deal", &c, "--client", "alice=lucky"]);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{fault}: {error}");
        assert!(error.starts_with("error: ") && error.lines().count() == 1, "{fault}: {error}");
    }
    succeeds(dir.path(), &["deal", &c, "--client", "alice=lucky"]);
}

#[test]
fn a_ledger_is_read_on_a_mount_where_nothing_can_be_written() {
    let (dir, c) = ledger();
    // A mount in a namespace of its own, as root within it.
    let mount = "mount --bind fairdeal-ledger fairdeal-ledger && mount -o remount,bind,ro fairdeal-ledger && exec \"$0\" \"$@\"";
    let before = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount];
    for words in
        [&["list"][..], &["show", &c], &["receipt", &c, "0"], &["list", "--wait", "0", "--json"]]
    {
        let output = run(&before, dir.path(), words);
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let output = run(&before, dir.path(), &["deal", &c, "--client", "alice=lucky"]);
    assert_eq!(output.status.code(), Some(3), "a deal is refused");
}

#[test]
fn a_ledger_is_checked_on_a_mount_where_nothing_can_be_written_and_that_is_told() {
    let (dir, _) = ledger();
    let mount = "mount --bind fairdeal-ledger fairdeal-ledger && mount -o remount,bind,ro fairdeal-ledger && exec \"$0\" \"$@\"";
    let before = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount];
    let check = |code: i32| {
        let output = run(&before, dir.path(), &["fsck", "--json"]);
        let says = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(
            output.status.code(),
            Some(code),
            "{says}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let answer: serde_json::Value = serde_json::from_str(&says).unwrap();
        assert!(answer["read_only"].is_string(), "{says}");
        answer
    };
    assert_eq!(check(0)["size"], 2);
    let tile = dir.path().join("fairdeal-ledger/public/tile/0/000.p/2");
    std::fs::write(tile, "").unwrap();
    assert_eq!(check(1)["faults"][0]["what"], "tile/0/000.p/2");
    let output = run(&before, dir.path(), &["fsck", "--repair"]);
    assert_eq!(output.status.code(), Some(3), "nothing can be repaired");
}

#[test]
fn a_deal_syncs_the_database_and_no_published_file() {
    let (dir, c) = ledger();
    let trace = dir.path().join("trace");
    let out = trace.display().to_string();
    let strace = ["strace", "-f", "-qq", "-y", "-o", &out, "-e", "trace=fsync,fdatasync,syncfs"];
    let output = run(&strace, dir.path(), &["deal", &c, "--client", "alice=lucky", "--json"]);
    assert!(output.status.success());
    let trace = std::fs::read_to_string(trace).unwrap();
    assert!(trace.lines().any(|line| line.contains("private/state.sqlite-wal")), "{trace}");
    assert!(!trace.contains("public"), "{trace}");
}
