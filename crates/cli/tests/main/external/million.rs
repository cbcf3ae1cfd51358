//! A log of a million deals, and a file of many rounds, judged in bounded memory.

use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

/// The most that an audit of the sample log may take, in KiB: eight tables with a thousand rounds
/// open at each, and some megabytes of entries under way. The log is 370 MB.
const MOST: u64 = 32 << 10;

fn fairdeal(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    command.args(words).stdout(Stdio::piped());
    command
}

/// The memory that the process has taken at this moment, in KiB: without the pages of the program
/// itself, which differ from build to build.
fn taken(child: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}

/// The most memory that it had taken, until it ended.
fn most(child: &mut Child) -> u64 {
    let mut most = 0;
    while child.try_wait().expect("it runs").is_none() {
        most = most.max(taken(child).unwrap_or_default());
        std::thread::sleep(Duration::from_millis(2));
    }
    most
}

/// The answer, and the most memory that it used.
fn audited(log: &Path) -> (Value, u64) {
    let (log, key) = (log.display().to_string(), log.join("log.key").display().to_string());
    let mut child = fairdeal(&["audit", &log, "--key", &key, "--json"]).spawn().expect("it starts");
    let most = most(&mut child);
    let output = child.wait_with_output().expect("it has ended");
    assert!(output.status.success());
    (serde_json::from_slice(&output.stdout).expect("one JSON object"), most)
}

#[test]
#[ignore = "./check --long runs it"]
fn a_million_deals_take_no_more_memory_than_some() {
    let dir = tempfile::tempdir().expect("a folder");
    let log = dir.path().join("log");
    let made =
        fairdeal(&["generate", "--deals", "1000000", "-o", &log.display().to_string()]).output();
    assert!(made.expect("it starts").status.success());
    let (verdict, most) = audited(&log);
    assert_eq!(verdict["holds"], true);
    assert_eq!(
        (verdict["deals"].as_u64(), verdict["size"].as_u64()),
        (Some(1_000_000), Some(1_004_016))
    );
    assert!(most > 0, "the memory of a process that runs can be read");
    assert!(most <= MOST, "{most} KiB");
}

/// The most that rows may take, in KiB: two batches of a megabyte, their parsed contents, and a
/// record of 56 bytes for each row (22 MB). An allocator that erases has the list of them twice
/// while it grows: 46 to 55 MB were seen. The rows are 240 MB.
const MOST_ROWS: u64 = 80 << 10;

#[test]
#[ignore = "./check --long runs it"]
fn many_rounds_take_no_more_memory_than_some() {
    // The first row of fixtures/dialects/stake-crash.json.
    let (hash, salt) = (
        "9dd9a4ce539a7d11a36a96c71f3d939c46d972b2e56254bc85ea2c0681541dca",
        "23eb7069c6fc5b1369b92f5321af9f63",
    );
    let more = "x".repeat(450);
    let row = format!(
        "{{\"server_seed\":\"{hash}\",\"client_seed\":\"{salt}\",\"result\":\"7.74\",\"more\":\"{more}\"}}\n"
    );
    let mut child = fairdeal(&["check", "stake-crash", "--file", "-"]);
    let mut child = child.stdin(Stdio::piped()).spawn().expect("it starts");
    let mut pipe = child.stdin.take().expect("piped");
    let writing = std::thread::spawn(move || {
        let rows = row.repeat(1_000);
        (0..400).for_each(|_| pipe.write_all(rows.as_bytes()).expect("it is read"));
    });
    let most = most(&mut child);
    writing.join().expect("all was written");
    let text =
        String::from_utf8(child.wait_with_output().expect("it has ended").stdout).expect("UTF-8");
    assert!(text.contains("valid       400,000; no commitment was checked"), "{text}");
    assert!(most > 0, "the memory of a process that runs can be read");
    assert!(most <= MOST_ROWS, "{most} KiB");
}
