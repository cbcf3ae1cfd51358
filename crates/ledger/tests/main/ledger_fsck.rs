//! The faults that `fsck` names, the data that it makes again, and the data that it leaves alone.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is a failure with a place")]

use std::fs;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::process::Command;

use fairdeal_ledger::{Choice, Fsck};
use sqlx::ConnectOptions as _;
use sqlx::sqlite::SqliteConnectOptions;

mod in_place;

use super::ledger_folder::{fsck, grown, run, sql};
use super::ledger_support::{Home, commit, key, round, terms};

/// A copy of a ledger or of its private folder, which does not know that it is a copy.
fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap();
    assert!(copied.success());
    for place in ["place", "private/place"] {
        let _none = fs::remove_file(to.join(place));
    }
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

/// A ledger that went another way than the world's, as a restored backup does that deals on. The
/// folder has the world's `public` and `private`.
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
    for statement in [
        &*rows.leak(),
        "DELETE FROM tail WHERE first = (SELECT max(first) FROM tail)",
        "DELETE FROM tail",
    ] {
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

/// The tables that follow from the log, and the indexes.
const DERIVED: [&str; 13] = [
    "life",
    "life_open",
    "chain",
    "round",
    "new_round",
    "tail",
    "node",
    "commitment_of_table",
    "sqlite_autoindex_commitment_1",
    "sqlite_autoindex_answer_1",
    "sqlite_autoindex_answer_2",
    "sqlite_autoindex_memo_1",
    "sqlite_autoindex_memo_2",
];

/// All rows that nothing else holds.
async fn own_rows(home: &Home) -> Vec<String> {
    let mut rows = Vec::new();
    for (table, columns) in [
        ("ledger", "quote(note) || quote(frontier) || quote(sum)"),
        (
            "commitment",
            "quote(place) || quote(commitment) || quote(name) || quote(terms) || quote(seed) || quote(sum)",
        ),
        (
            "answer",
            "quote(place) || quote(name) || quote(again) || quote(request) || quote(at) || quote(sum)",
        ),
        ("memo", "quote(kind) || quote(key) || quote(name) || quote(value) || quote(sum)"),
    ] {
        let query = format!("SELECT {columns} FROM {table} NOT INDEXED ORDER BY rowid");
        rows.extend(texts(home, query.leak()).await);
    }
    rows
}

async fn texts(home: &Home, query: &'static str) -> Vec<String> {
    let options = SqliteConnectOptions::new().filename(home.private().join("state.sqlite"));
    let mut connection = options.connect().await.unwrap();
    let found = sqlx::query_scalar(query).fetch_all(&mut connection).await.unwrap();
    sqlx::Connection::close(connection).await.unwrap();
    found
}

#[tokio::test]
async fn a_malformed_page_is_named_and_keeps_no_file_from_its_check_and_repair() {
    let whole = grown().await;
    let home = Home { dir: tempfile::tempdir().unwrap(), key: whole.key.clone() };
    let tile = home.public().join("tile/1/000.p/1");
    for name in DERIVED.into_iter().chain(["answer", "memo", "commitment"]) {
        put_back(whole.path(), home.path());
        zero(&home, name).await;
        fs::remove_file(&tile).unwrap();
        let found = fsck(&home, false).await;
        assert!(
            found
                .faults
                .iter()
                .any(|fault| fault.says.contains("malformed") || fault.what == "database"),
            "{name}: {found:?}"
        );
        assert!(named(&found).contains(&("tile/1/000.p/1", false)), "{name}: {found:?}");
        assert!(
            found.faults.iter().all(|fault| !fault.says.contains("not connected")),
            "{name}: {found:?}"
        );
        let found = fsck(&home, true).await;
        assert!(named(&found).contains(&("tile/1/000.p/1", true)), "{name}: {found:?}");
        assert!(
            found.faults.iter().all(|fault| !fault.says.contains("not connected")),
            "{name}: {found:?}"
        );
        assert_eq!(
            found.faults.iter().all(|fault| fault.repaired),
            DERIVED.contains(&name),
            "{name}: {found:?}"
        );
    }
}

#[tokio::test]
async fn malformed_tables_and_indexes_that_follow_from_the_log_are_made_again_and_nothing_else_changes()
 {
    let whole = grown().await;
    let ledger = whole.open().await;
    let c = ledger.list(&Choice::default(), 0, 9).await.unwrap()[1].commitment;
    let mut indices = Vec::new();
    for n in 0..9 {
        indices.push(ledger.deal(c, round("x"), key(&format!("k{n}"))).await.unwrap().index);
    }
    ledger.close().await.unwrap();
    let rows = own_rows(&whole).await;
    let home = Home { dir: tempfile::tempdir().unwrap(), key: whole.key.clone() };
    for names in DERIVED.map(|name| vec![name]).into_iter().chain([DERIVED.to_vec()]) {
        put_back(whole.path(), home.path());
        for name in &names {
            zero(&home, name).await;
        }
        let damaged = fs::read(home.private().join("state.sqlite")).unwrap();
        let found = fsck(&home, true).await;
        assert!(!found.faults.is_empty(), "{names:?}");
        assert!(found.faults.iter().all(|fault| fault.repaired), "{names:?}: {found:?}");
        let kept = found.kept.expect("a damaged file is kept");
        assert_eq!(kept, home.private().join("state.sqlite.damaged"));
        // But for the first page, which says how the file is written.
        assert_eq!(fs::read(&kept).unwrap()[4096..], damaged[4096..], "{names:?}");
        assert_eq!(fsck(&home, false).await.faults, [], "{names:?}");
        assert_eq!(own_rows(&home).await, rows, "{names:?}");
        let ledger = home.open().await;
        let again = ledger.deal(c, round("x"), key("k3")).await.unwrap();
        assert_eq!(again.index, indices[3], "{names:?}");
        ledger.deal(c, round("y"), None).await.unwrap();
        ledger.close().await.unwrap();
        assert_eq!(home.audit().findings, [], "{names:?}");
        assert_eq!(fsck(&home, false).await.faults, [], "{names:?}");
    }
}

#[tokio::test]
async fn a_table_that_leads_to_anothers_pages_costs_no_row_that_nothing_else_holds() {
    let whole = grown().await;
    let rows = own_rows(&whole).await;
    let home = Home { dir: tempfile::tempdir().unwrap(), key: whole.key.clone() };
    for (wrong, of) in [("life", "commitment"), ("tail", "answer"), ("new_round", "ledger")] {
        put_back(whole.path(), home.path());
        let damage = format!(
            "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = \
             (SELECT rootpage FROM sqlite_schema WHERE name = '{of}') WHERE name = '{wrong}'"
        );
        run(&home, damage.leak()).await;
        let found = fsck(&home, true).await;
        assert!(!found.faults.is_empty(), "{wrong}");
        assert_eq!(own_rows(&home).await, rows, "{wrong}: {found:?}");
        assert!(found.faults.iter().all(|fault| fault.repaired), "{wrong}: {found:?}");
        assert_eq!(fsck(&home, false).await.faults, [], "{wrong}");
    }
}

#[tokio::test]
async fn a_free_page_that_is_a_rows_too_is_written_by_no_repair() {
    let home = grown().await;
    let rows = own_rows(&home).await;
    // The file's list of free pages has one that the seeds are in.
    run(&home, "PRAGMA wal_checkpoint(TRUNCATE)").await;
    let root =
        texts(&home, "SELECT CAST(rootpage AS TEXT) FROM sqlite_schema WHERE name = 'commitment'")
            .await;
    let root: u32 = root[0].parse().unwrap();
    let mut file =
        fs::OpenOptions::new().write(true).open(home.private().join("state.sqlite")).unwrap();
    file.seek(SeekFrom::Start(32)).unwrap();
    file.write_all(&[root.to_be_bytes(), 1_u32.to_be_bytes()].concat()).unwrap();
    drop(file);
    zero(&home, "chain").await;
    let before = fs::read(home.private().join("state.sqlite")).unwrap();
    let found = fsck(&home, true).await;
    assert!(found.faults.iter().all(|fault| fault.repaired), "{found:?}");
    assert_eq!(own_rows(&home).await, rows, "{found:?}");
    assert_eq!(fsck(&home, false).await.faults, []);
    let after = fs::read(found.kept.unwrap()).unwrap();
    let page = usize::try_from(root - 1).unwrap() * 4096;
    assert_eq!(before[page..page + 4096], after[page..page + 4096]);
}

#[tokio::test]
async fn an_index_that_leads_to_rows_that_are_gone_is_not_made_to_agree_and_no_key_is_dealt_twice()
{
    let home = Home::new().await;
    let ledger = home.open().await;
    let c = commit(&ledger).await;
    ledger.deal(c, round("x"), key("k0")).await.unwrap();
    ledger.close().await.unwrap();
    let state = home.private().join("state.sqlite");
    run(&home, "PRAGMA wal_checkpoint(TRUNCATE)").await;
    let older = fs::read(&state).unwrap();
    let ledger = home.open().await;
    ledger.deal(c, round("x"), key("k1")).await.unwrap();
    ledger.close().await.unwrap();
    run(&home, "PRAGMA wal_checkpoint(TRUNCATE)").await;
    // The disk has lost the last write of the answers' page.
    let root =
        texts(&home, "SELECT CAST(rootpage AS TEXT) FROM sqlite_schema WHERE name = 'answer'")
            .await;
    let page = (root[0].parse::<usize>().unwrap() - 1) * 4096;
    let mut bytes = fs::read(&state).unwrap();
    bytes[page..page + 4096].copy_from_slice(&older[page..page + 4096]);
    fs::write(&state, bytes).unwrap();
    for repair in [false, true, true] {
        let found = fsck(&home, repair).await;
        assert!(found.faults.iter().any(|fault| !fault.repaired), "{found:?}");
        assert_eq!(
            found.faults.iter().any(|fault| fault
                .says
                .contains("answer: rows that nothing else holds are gone: 1")),
            repair,
            "{found:?}"
        );
        let ledger = home.open().await;
        ledger.deal(c, round("x"), key("k1")).await.expect_err("its answer is gone");
        ledger.close().await.unwrap();
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
        assert!(
            says.contains(&made[at].to_string()) && says.contains(&format!("entry {at}")),
            "{says}"
        );
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

#[tokio::test]
async fn an_older_partial_file_that_is_damaged_is_named_and_made_again_whether_a_full_one_is_there_or_not()
 {
    let home = Home::new().await;
    deal(&home, &["x", "y", "z"]).await;
    let tile = |path: &str| home.public().join("tile").join(path);
    let files = ["0/000.p/2", "entries/000.p/3"];
    let right = files.map(|file| fs::read(tile(file)).unwrap());
    let damage = || {
        for (file, right) in files.iter().zip(&right) {
            let mut bytes = right.clone();
            bytes[9] ^= 1;
            fs::create_dir_all(tile(file).parent().unwrap()).unwrap();
            fs::write(tile(file), bytes).unwrap();
        }
    };
    let check = async |repair: bool| {
        let found = fsck(&home, repair).await;
        let wanted = files.map(|file| format!("tile/{file}"));
        let mut found: Vec<(String, bool)> =
            found.faults.into_iter().map(|fault| (fault.what, fault.repaired)).collect();
        found.sort();
        assert_eq!(found, wanted.map(|file| (file, repair)));
    };
    damage();
    check(false).await;
    check(true).await;
    assert_eq!(files.map(|file| fs::read(tile(file)).unwrap()), right);
    assert_eq!(fsck(&home, false).await.faults, []);
    // Once a full file has taken their place, they are gone. One that is there is read by whoever
    // has an older checkpoint.
    let many: Vec<&str> = std::iter::repeat_n("x", 260).collect();
    deal(&home, &many).await;
    assert!(!tile(files[0]).exists());
    assert_eq!(fsck(&home, false).await.faults, []);
    damage();
    check(false).await;
    check(true).await;
    assert_eq!(files.map(|file| fs::read(tile(file)).unwrap()), right);
}

#[tokio::test]
async fn a_file_beyond_the_newest_entry_is_named_and_stays() {
    let home = Home::new().await;
    deal(&home, &["x"]).await;
    let beyond = home.public().join("tile/entries/000.p/3");
    fs::write(&beyond, "of a commit that the disk has lost").unwrap();
    for repair in [false, true] {
        let found = fsck(&home, repair).await;
        assert_eq!(named(&found), [("tile/entries/000.p/3", false)], "{found:?}");
    }
    assert!(beyond.exists());
}

#[tokio::test]
async fn what_cannot_be_tidied_keeps_no_finding_about_a_file_from_being_told() {
    let home = grown().await;
    fs::remove_file(home.public().join("tile/1/000.p/1")).unwrap();
    // A name that no file can have: what is left of an interrupted write is no file.
    fs::remove_dir_all(home.public().join(".new")).unwrap();
    fs::write(home.public().join(".new"), "").unwrap();
    let found = fsck(&home, true).await;
    let wanted = [("tile/1/000.p/1", false), ("public", false)];
    assert_eq!(named(&found), wanted, "{found:?}");
}
