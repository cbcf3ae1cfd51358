//! What `fsck` names, what it makes again, and what it leaves alone.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is a failure with a place")]

use std::fs;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::process::Command;

use fairdeal::ledger::{Choice, Fsck};
use sqlx::ConnectOptions as _;
use sqlx::sqlite::SqliteConnectOptions;

use super::ledger_folder::{fsck, grown, run, sql};
use super::ledger_support::{Home, commit, key, round, terms};

fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap();
    assert!(copied.success());
}

/// Puts a copy in the place of a folder.
fn put_back(from: &Path, to: &Path) {
    fs::remove_dir_all(to).unwrap();
    copy(from, to);
}

async fn deal(home: &Home, seeds: &[&str]) {
    let ledger = home.open().await;
    let c = match ledger.list(&Choice::default(), 0, 1).await.unwrap().first() {
        Some(found) => found.commitment,
        None => commit(&ledger).await,
    };
    for seed in seeds {
        ledger.deal(c, round(seed), None).await.unwrap();
    }
    ledger.close().await.unwrap();
}

fn named(found: &Fsck) -> Vec<(&str, bool)> {
    found.faults.iter().map(|fault| (fault.what.as_str(), fault.repaired)).collect()
}

fn same_files(one: &Path, other: &Path) -> bool {
    Command::new("diff").arg("-rq").arg(one).arg(other).status().unwrap().success()
}

/// A ledger that went another way than the world's, as a restored backup does that deals on. The folder has the world's
/// `public` and `private`.
async fn forked() -> (Home, tempfile::TempDir) {
    let (home, kept) = (Home::new().await, tempfile::tempdir().unwrap());
    deal(&home, &["x"]).await;
    let (backup, world) = (kept.path().join("backup"), kept.path().join("world"));
    copy(home.path(), &backup);
    deal(&home, &["seen", "seen too"]).await;
    copy(home.path(), &world);
    for part in ["public", "private"] {
        put_back(&backup.join(part), &home.path().join(part));
    }
    deal(&home, &["fork", "fork too"]).await;
    (home, kept)
}

#[tokio::test]
async fn files_of_another_tree_than_the_states_are_neither_accused_nor_overwritten() {
    let (home, kept) = forked().await;
    let world = kept.path().join("world/public");
    put_back(&world, &home.public());
    for repair in [false, true] {
        let found = fsck(&home, repair).await;
        assert_eq!(named(&found), [("checkpoint", false)], "{found:?}");
        assert!(same_files(&world, &home.public()), "{repair}");
    }
}

#[tokio::test]
async fn a_tail_that_is_not_the_logs_is_named_and_made_again_from_what_is_published() {
    // Rows of another log of the same length: their checksums hold.
    let (home, kept) = forked().await;
    let fork = kept.path().join("fork.sqlite");
    fs::copy(home.private().join("state.sqlite"), &fork).unwrap();
    for part in ["public", "private"] {
        put_back(&kept.path().join("world").join(part), &home.path().join(part));
    }
    let rows = format!(
        "ATTACH '{}' AS fork; DELETE FROM tail; INSERT INTO tail SELECT * FROM fork.tail",
        fork.display()
    );
    for statement in
        [&*rows.leak(), "DELETE FROM tail WHERE first = (SELECT max(first) FROM tail)", "DELETE FROM tail"]
    {
        run(&home, statement).await;
        let found = fsck(&home, false).await;
        assert_eq!(named(&found), [("tail", false)], "{statement}: {found:?}");
        let found = fsck(&home, true).await;
        assert_eq!(named(&found), [("tail", true)], "{statement}: {found:?}");
        assert_eq!(fsck(&home, false).await.faults, [], "{statement}");
        deal(&home, &["y"]).await;
        assert_eq!(home.audit().findings, [], "{statement}");
        for part in ["public", "private"] {
            put_back(&kept.path().join("world").join(part), &home.path().join(part));
        }
    }
}

/// Fills the root page of a table or an index with zeros.
async fn zero(home: &Home, name: &str) {
    let path = home.private().join("state.sqlite");
    let options = SqliteConnectOptions::new().filename(&path);
    let mut connection = options.connect().await.unwrap();
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut connection).await.unwrap();
    let root: i64 = sqlx::query_scalar("SELECT rootpage FROM sqlite_schema WHERE name = ?")
        .bind(name)
        .fetch_one(&mut connection)
        .await
        .unwrap();
    sqlx::Connection::close(connection).await.unwrap();
    let mut file = fs::OpenOptions::new().write(true).open(path).unwrap();
    file.seek(SeekFrom::Start(u64::try_from(root - 1).unwrap() * 4096)).unwrap();
    file.write_all(&[0; 4096]).unwrap();
}

#[tokio::test]
async fn a_malformed_page_is_named_and_keeps_no_file_from_its_check_and_repair() {
    let whole = grown().await;
    let home = Home { dir: tempfile::tempdir().unwrap(), key: whole.key.clone() };
    let tile = home.public().join("tile/1/000.p/1");
    for name in [
        "life",
        "life_open",
        "chain",
        "round",
        "new_round",
        "tail",
        "commitment_of_table",
        "sqlite_autoindex_answer_1",
        "sqlite_autoindex_memo_1",
        "answer",
        "memo",
        "commitment",
    ] {
        put_back(whole.path(), home.path());
        zero(&home, name).await;
        fs::remove_file(&tile).unwrap();
        let found = fsck(&home, false).await;
        assert!(
            found.faults.iter().any(|fault| fault.says.contains("malformed") || fault.what == "database"),
            "{name}: {found:?}"
        );
        assert!(named(&found).contains(&("tile/1/000.p/1", false)), "{name}: {found:?}");
        assert!(found.faults.iter().all(|fault| !fault.says.contains("not connected")), "{name}: {found:?}");
        let found = fsck(&home, true).await;
        assert!(named(&found).contains(&("tile/1/000.p/1", true)), "{name}: {found:?}");
        assert!(found.faults.iter().all(|fault| !fault.says.contains("not connected")), "{name}: {found:?}");
    }
}

#[tokio::test]
async fn a_wrong_file_beyond_the_checkpoint_is_found_and_made_again() {
    let home = Home::new().await;
    deal(&home, &["x"]).await;
    let older = fs::read(home.public().join("checkpoint")).unwrap();
    deal(&home, &["y", "z"]).await;
    fs::write(home.public().join("checkpoint"), older).unwrap();
    let bundle = home.public().join("tile/entries/000.p/4");
    let mut bytes = fs::read(&bundle).unwrap();
    bytes[9] ^= 1;
    fs::write(&bundle, bytes).unwrap();
    let found = fsck(&home, false).await;
    assert_eq!(named(&found), [("tile/entries/000.p/4", false)], "{found:?}");
    let found = fsck(&home, true).await;
    assert_eq!(named(&found), [("tile/entries/000.p/4", true)], "{found:?}");
    deal(&home, &["after"]).await;
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn of_commitments_the_missing_one_alone_is_accused_and_by_its_name() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let mut made = Vec::new();
    for n in 0..6 {
        made.push(ledger.commit(terms(&format!("t{n}")), None).await.unwrap().commitment);
    }
    ledger.close().await.unwrap();
    sql(&home, "DELETE FROM commitment WHERE place IN (2, 4)").await;
    let found = fsck(&home, true).await;
    let lost: Vec<&str> = found
        .faults
        .iter()
        .filter(|fault| fault.what == "commitment")
        .map(|fault| fault.says.as_str())
        .collect();
    assert_eq!(lost.len(), 2, "{found:?}");
    for (says, at) in lost.iter().zip([2, 4]) {
        assert!(says.contains(&made[at].to_string()) && says.contains(&format!("entry {at}")), "{says}");
    }
    assert!(found.faults.iter().all(|fault| !fault.says.contains("stands otherwise")), "{found:?}");
}

#[tokio::test]
async fn a_file_that_cannot_be_written_keeps_no_other_from_its_repair() {
    let home = grown().await;
    let tile = |path: &str| home.public().join("tile").join(path);
    for path in ["0/000", "1/000.p/1", "entries/001.p/50"] {
        fs::remove_file(tile(path)).unwrap();
    }
    fs::create_dir_all(tile("0/000/x")).unwrap();
    let found = fsck(&home, true).await;
    let wanted = [("tile/entries/001.p/50", true), ("tile/0/000", false), ("tile/1/000.p/1", true)];
    assert_eq!(named(&found), wanted, "{found:?}");
    fs::remove_dir_all(tile("0/000")).unwrap();
    assert_eq!(named(&fsck(&home, true).await), [("tile/0/000", true)]);
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn each_damaged_answer_to_a_key_is_named() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let c = commit(&ledger).await;
    for n in 0..9 {
        ledger.deal(c, round("x"), key(&format!("k{n}"))).await.unwrap();
    }
    ledger.close().await.unwrap();
    sql(&home, "UPDATE answer SET at = at + 1 WHERE place IN (3, 7)").await;
    let found = fsck(&home, true).await;
    assert_eq!(named(&found), [("answer", false), ("answer", false)], "{found:?}");
    for (fault, at) in found.faults.iter().zip([3, 7]) {
        assert!(fault.says.contains(&format!("answer {at}:")), "{}", fault.says);
    }
}
