//! The syncs of a ledger: how many a deal has, and what one that fails takes.

use std::fs;

use fairdeal_ledger::store::{Sqlite, State as _};

use super::{Part, assert_once, copied, prepared, spawn, wait};
use crate::ledger_support::options;

#[tokio::test(flavor = "multi_thread")]
async fn a_sync_of_files_that_fails_takes_neither_the_answer_nor_the_entries() {
    // The last entry of a bundle: its files are synced when the ledger closes.
    let (home, c) = prepared(255).await;
    for error in ["EIO", "ENOSPC"] {
        let dir = copied(&home);
        let inject = format!("inject=syncfs:error={error}:when=1+");
        let strace =
            ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=syncfs", "-e", &inject];
        let ended = wait(spawn(&strace, Part::Once, dir.path(), Some(c), &[]));
        assert_eq!((ended.told.len(), ended.errors.len()), (1, 0), "{inject}: {}", ended.output);
        let file = dir.path().join("private/state.sqlite");
        let state = Sqlite::open(&file, options().wait).await.unwrap();
        let kept = state.read().await.unwrap().segments(0..256).await.unwrap();
        assert_eq!(kept.iter().map(|segment| u64::from(segment.count)).sum::<u64>(), 256);
        state.close().await.unwrap();
        assert_once(dir.path(), &home.key, c, 255, &ended, &inject).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_caller_waits_for_one_sync() {
    // What opening and closing sync is the same with one deal and with fifty.
    let (home, c) = prepared(3).await;
    let mut counted = Vec::new();
    for (part, deals) in [(Part::Once, 1), (Part::Fifty, 50)] {
        let (dir, trace) = (copied(&home), tempfile::NamedTempFile::new().unwrap());
        let to = trace.path().display().to_string();
        let calls = "trace=fsync,fdatasync,syncfs,sync_file_range,msync,sync";
        let strace = ["strace", "-f", "-qq", "-o", &to, "-e", calls, "-e", "signal=none"];
        let ended = wait(spawn(&strace, part, dir.path(), Some(c), &[]));
        assert_eq!(ended.told.len(), deals, "{}", ended.output);
        let lines = fs::read_to_string(trace.path()).unwrap();
        counted.push(lines.lines().filter(|line| !line.contains("resumed>")).count());
    }
    assert_eq!(counted[1] - counted[0], 49, "{counted:?}");
}
