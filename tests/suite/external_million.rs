//! A log of a million deals, audited in memory that does not grow with it.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

/// The most that an audit of the sample log may take, in KiB: eight tables with a thousand rounds open at each, some
/// megabytes of entries under way, and the program itself. The log is 370 MB.
const MOST: u64 = 64 << 10;

fn fairdeal(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    command.args(words).stdout(Stdio::piped());
    command
}

/// What the process took at most so far, in KiB.
fn peak(child: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}

/// The answer, and the most memory that it took.
fn audited(log: &Path) -> (Value, u64) {
    let (log, key) = (log.display().to_string(), log.join("log.key").display().to_string());
    let mut child = fairdeal(&["audit", &log, "--key", &key, "--json"]).spawn().expect("it starts");
    let mut most = 0;
    while child.try_wait().expect("it runs").is_none() {
        most = most.max(peak(&child).unwrap_or_default());
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().expect("it has ended");
    assert!(output.status.success());
    (serde_json::from_slice(&output.stdout).expect("one JSON object"), most)
}

#[test]
fn a_million_deals_take_no_more_memory_than_some() {
    let dir = tempfile::tempdir().expect("a folder");
    let log = dir.path().join("log");
    let made = fairdeal(&["generate", "--deals", "1000000", "-o", &log.display().to_string()]).output();
    assert!(made.expect("it starts").status.success());
    let (verdict, most) = audited(&log);
    assert_eq!(verdict["holds"], true);
    assert_eq!((verdict["deals"].as_u64(), verdict["size"].as_u64()), (Some(1_000_000), Some(1_004_016)));
    assert!(most > 0, "the memory of a process that runs can be read");
    assert!(most <= MOST, "{most} KiB");
}
