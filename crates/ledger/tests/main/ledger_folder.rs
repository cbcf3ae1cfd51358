//! A ledger's folder: made once, read where nothing can be written, checked and repaired.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is a failure with a place")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::atomic::{AtomicBool, Ordering};

use fairdeal::deal::Nonce;
use fairdeal::record::entry::Origin;
use fairdeal_ledger::{
    Choice, Fsck, Ledger, LedgerError, LedgerOptions, NewCommit, NewDeal, NewReveal, Reader,
};
use sqlx::ConnectOptions as _;
use sqlx::sqlite::SqliteConnectOptions;

use super::ledger_support::{
    Home, commit, locked, move_rounds, options, origin, round, terms, void,
};

pub(crate) async fn fsck(home: &Home, repair: bool) -> Fsck {
    Ledger::fsck(home.path(), options(), repair, &mut |_, _| ()).await.unwrap()
}

/// Changes rows of a closed ledger's database.
pub(crate) async fn sql(home: &Home, statement: &'static str) {
    assert!(run(home, statement).await > 0, "{statement}");
}

/// Runs statements. Returns how many rows they changed.
pub(crate) async fn run(home: &Home, statements: &'static str) -> u64 {
    let path = home.private().join("state.sqlite");
    let mut connection = SqliteConnectOptions::new().filename(path).connect().await.unwrap();
    let done = sqlx::raw_sql(statements).execute(&mut connection).await.unwrap();
    sqlx::Connection::close(connection).await.unwrap();
    done.rows_affected()
}

/// A closed ledger with over a bundle of entries, a locked round and a commitment that ended.
pub(crate) async fn grown() -> Home {
    let home = Home::new().await;
    let ledger = home.open().await;
    let ended = commit(&ledger).await;
    ledger.deal(ended, round("x"), None).await.unwrap();
    ledger.reveal(ended, NewReveal::default(), None).await.unwrap();
    let c = commit(&ledger).await;
    for _ in 0..300 {
        ledger.deal(c, round("x"), None).await.unwrap();
    }
    let other = NewCommit { policy: Some("by hand".to_owned()), ..terms("other") };
    let other = ledger.commit(other, None).await.unwrap().commitment;
    ledger.lock(other, locked("x"), None).await.unwrap();
    ledger.close().await.unwrap();
    move_rounds(&home.private().join("state.sqlite"), 150).await;
    home
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_inits_at_once_one_wins_and_its_ledger_stays_whole() {
    for _ in 0..20 {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("ledger");
        let inits = (0..4).map(|_| {
            let path = path.clone();
            tokio::spawn(async move { Ledger::init(&path, &origin()).await })
        });
        let made = futures::future::join_all(inits.collect::<Vec<_>>()).await;
        let (won, lost): (Vec<_>, Vec<_>) =
            made.into_iter().map(Result::unwrap).partition(Result::is_ok);
        assert_eq!(won.len(), 1, "{lost:?}");
        for error in lost {
            assert!(matches!(error, Err(LedgerError::NotEmpty { .. })), "{error:?}");
        }
        let ledger = Ledger::open(&path, options()).await.unwrap();
        assert_eq!(Some(ledger.verifier_key()), won[0].as_ref().ok());
        commit(&ledger).await;
        ledger.close().await.unwrap();
        let mut names: Vec<_> =
            fs::read_dir(&path).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["private", "public"], "nothing is left of the others");
    }
}

#[tokio::test]
async fn an_interrupted_init_is_named_and_what_is_to_be_done() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join(".init-0011223344556677")).unwrap();
    let error = Ledger::open(dir.path(), options()).await.unwrap_err().to_string();
    assert!(
        error.contains("its init or restore was interrupted")
            && error.contains("remove the folder"),
        "{error}"
    );
}

#[tokio::test]
async fn no_ledger_is_made_inside_another_nor_under_a_name_with_a_scheme() {
    let home = Home::new().await;
    for inside in ["public/mine", "private/mine", "public", "mine"] {
        let error = Ledger::init(&home.path().join(inside), &origin()).await.unwrap_err();
        assert!(error.to_string().contains("inside the ledger"), "{inside}: {error}");
    }
    assert!(!home.path().join("mine").exists());
    let dir = tempfile::tempdir().unwrap();
    let scheme = Origin::new("https://cards.example/log").unwrap();
    let error = Ledger::init(&dir.path().join("new"), &scheme).await.unwrap_err().to_string();
    assert!(error.contains("cards.example/log") && error.contains("https://"), "{error}");
}

#[tokio::test]
async fn others_may_not_write_where_a_ledger_publishes() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a/b");
    Ledger::init(&path, &origin()).await.unwrap();
    for (folder, mode) in [("", 0o755), ("public", 0o755), ("private", 0o700)] {
        let found = fs::metadata(path.join(folder)).unwrap().permissions().mode() & 0o777;
        assert_eq!(found & !mode, 0, "{folder}: {found:o}");
    }
}

#[tokio::test]
async fn reading_neither_publishes_nor_waits_for_who_does() {
    let home = grown().await;
    let ledger = home.open().await;
    // Another process holds the right to publish, and another one the tree's head.
    let lock = fs::File::create(home.private().join("publisher.lock")).unwrap();
    fs::set_permissions(home.private().join("publisher.lock"), fs::Permissions::from_mode(0o600))
        .unwrap();
    lock.try_lock().unwrap();
    let none = LedgerOptions { wait: std::time::Duration::ZERO, ..options() };
    let reader = Reader::open(home.path(), none).await.unwrap();
    let listed = reader.list(&Choice::default(), 0, 10).await.unwrap();
    assert_eq!(listed.len(), 3);
    let c = listed[1].commitment;
    assert_eq!(reader.show(c).await.unwrap().next, 300);
    reader.receipt(c, Some(Nonce::new(299).unwrap())).await.unwrap();
    reader.close().await.unwrap();
    drop(ledger);
}

#[tokio::test]
async fn a_list_comes_in_pages_in_log_order() {
    let home = Home::new().await;
    let ledger = home.open().await;
    for table in 0..10 {
        ledger.commit(terms(&format!("table {table}")), None).await.unwrap();
    }
    let (mut from, mut found) = (0, Vec::new());
    loop {
        let page = ledger.list(&Choice::default(), from, 3).await.unwrap();
        let Some(last) = page.last() else { break };
        from = last.index + 1;
        found.extend(page.iter().map(|one| one.index));
    }
    assert_eq!(found, (0..10).collect::<Vec<u64>>());
}

#[tokio::test]
async fn rounds_are_found_before_and_after_their_rows_move() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let mut tables = Vec::new();
    for table in 0..4 {
        tables
            .push(ledger.commit(terms(&format!("table {table}")), None).await.unwrap().commitment);
    }
    for _ in 0..12 {
        let deals = (0..50).flat_map(|_| tables.iter().map(|c| ledger.deal(*c, round("x"), None)));
        futures::future::try_join_all(deals).await.unwrap();
    }
    let path = home.private().join("state.sqlite");
    let mut connection = SqliteConnectOptions::new().filename(path).connect().await.unwrap();
    let mut rows = Vec::new();
    for count in ["SELECT count(*) FROM round", "SELECT count(*) FROM new_round"] {
        rows.push(sqlx::query_scalar::<_, i64>(count).fetch_one(&mut connection).await.unwrap());
    }
    assert!(rows.iter().all(|rows| *rows > 0) && rows.iter().sum::<i64>() == 2400, "{rows:?}");
    for c in tables {
        let found = ledger.rounds(c, 0, u32::MAX).await.unwrap();
        assert!(found.iter().map(|round| round.nonce.value()).eq(0..600), "{found:?}");
        for nonce in [0, 599].map(|nonce| Nonce::new(nonce).unwrap()) {
            assert!(ledger.receipt(c, Some(nonce)).await.is_ok());
        }
    }
    ledger.close().await.unwrap();
    assert_eq!(fsck(&home, false).await.faults, []);
}

#[tokio::test]
async fn a_ledger_that_is_whole_has_no_faults() {
    let home = grown().await;
    let found = fsck(&home, false).await;
    assert_eq!(found.faults, [], "{found:?}");
    assert_eq!((found.entries, found.published, found.commitments), (306, 306, 3));
    let home = Home::new().await;
    assert_eq!(fsck(&home, false).await.faults, [], "nor has an empty one");
}

#[tokio::test]
async fn what_follows_from_the_log_is_made_again_and_the_rest_is_named() {
    for (statement, what) in [
        ("UPDATE life SET next = next - 1 WHERE place = 3", "life"),
        (
            "UPDATE life SET lock_entry = NULL, lock_place = NULL WHERE lock_place IS NOT NULL",
            "life",
        ),
        ("DELETE FROM life WHERE place = 3", "life"),
        ("UPDATE chain SET place = 0 WHERE name = 'main'", "chain"),
        ("DELETE FROM chain WHERE name = 'other'", "chain"),
        ("UPDATE round SET nonce = nonce + 1000 WHERE place = 100", "round"),
        ("UPDATE round SET sum = zeroblob(8) WHERE place = 100", "round"),
        ("DELETE FROM round WHERE place = 101", "round"),
        ("UPDATE new_round SET nonce = nonce + 1000 WHERE place = 200", "round"),
        ("UPDATE new_round SET sum = zeroblob(8) WHERE place = 200", "round"),
        ("DELETE FROM new_round WHERE place = 201", "round"),
        ("UPDATE node SET hash = zeroblob(32) WHERE level = 8", "node"),
        ("DELETE FROM node", "node"),
    ] {
        let home = grown().await;
        sql(&home, statement).await;
        let found = fsck(&home, false).await;
        assert!(
            found.faults.iter().any(|fault| fault.what == what && !fault.repaired),
            "{statement}: {found:?}"
        );
        let repaired = fsck(&home, true).await;
        assert!(repaired.faults.iter().all(|fault| fault.repaired), "{statement}: {repaired:?}");
        assert_eq!(fsck(&home, false).await.faults, [], "{statement}");
        let ledger = home.open().await;
        let c = ledger.list(&Choice::default(), 3, 1).await.unwrap()[0].commitment;
        let done = ledger.deal(c, round("x"), None).await.unwrap();
        assert_eq!(done.nonce, Some(Nonce::new(300).unwrap()), "{statement}");
        assert_eq!(home.audit().findings, [], "{statement}");
    }
    for (statement, what) in [
        ("UPDATE commitment SET seed = zeroblob(72) WHERE place = 3", "commitment"),
        ("DELETE FROM commitment WHERE place = 3", "commitment"),
        ("UPDATE memo SET value = 'changed' WHERE kind = 'policy'", "memo"),
    ] {
        let home = grown().await;
        sql(&home, statement).await;
        let found = fsck(&home, true).await;
        assert!(
            found.faults.iter().any(|fault| fault.what == what && !fault.repaired),
            "{statement}: {found:?}"
        );
    }
}

#[tokio::test]
async fn the_end_of_a_commitment_is_none_of_its_rounds() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let c = commit(&ledger).await;
    ledger.deal(c, round("x"), None).await.unwrap();
    ledger.reveal(c, NewReveal::default(), None).await.unwrap();
    let none = |error: LedgerError| {
        assert!(matches!(error, LedgerError::UnknownRound { next: 1, .. }), "{error}");
    };
    for nonce in [Nonce::new(1).unwrap(), Nonce::LAST] {
        none(ledger.receipt(c, Some(nonce)).await.unwrap_err());
        none(ledger.round(c, nonce).await.unwrap_err());
        assert!(ledger.rounds(c, nonce.value(), 9).await.unwrap().is_empty());
    }
    assert_eq!(ledger.rounds(c, 0, 9).await.unwrap().len(), 1);
    ledger.close().await.unwrap();
}

#[tokio::test]
async fn a_life_that_went_back_is_refused_and_made_again() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let c = commit(&ledger).await;
    ledger.deal(c, round("x"), None).await.unwrap();
    ledger.close().await.unwrap();
    for step in ["lock", "deal", "reveal", "void"] {
        run(&home, "CREATE TABLE kept AS SELECT * FROM life").await;
        let ledger = home.open().await;
        let c = ledger.list(&Choice::default(), 0, 9).await.unwrap().last().unwrap().commitment;
        match step {
            "lock" => ledger.lock(c, locked("x"), None).await.map(|_| ()).unwrap(),
            "deal" => ledger.deal(c, NewDeal::default(), None).await.map(|_| ()).unwrap(),
            "reveal" => ledger.reveal(c, NewReveal::default(), None).await.map(|_| ()).unwrap(),
            _ => ledger.void(c, void(None), None).await.map(|_| ()).unwrap(),
        }
        let entries = home.audit().size;
        ledger.close().await.unwrap();
        run(&home, "DELETE FROM life; INSERT INTO life SELECT * FROM kept; DROP TABLE kept").await;
        let ledger = home.open().await;
        let asked = [
            ledger.deal(c, round("x"), None).await,
            ledger.reveal(c, NewReveal::default(), None).await,
            ledger.void(c, void(None), None).await,
        ];
        for answer in asked {
            let error = answer.expect_err("the life is an older one").to_string();
            assert!(error.contains("one of them is older"), "{step}: {error}");
        }
        ledger.close().await.unwrap();
        assert_eq!(home.audit().size, entries, "{step}: nothing was signed");
        let repaired = fsck(&home, true).await;
        assert!(repaired.faults.iter().any(|fault| fault.what == "life"), "{step}: {repaired:?}");
        assert_eq!(fsck(&home, false).await.faults, [], "{step}");
        if step == "reveal" {
            let ledger = home.open().await;
            commit(&ledger).await;
            ledger.close().await.unwrap();
        }
    }
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn an_index_that_is_not_that_of_its_table_is_found_and_made_again() {
    let home = grown().await;
    // The index of another question, under the name of this one.
    let path = home.private().join("state.sqlite");
    for statement in [
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'IS NULL', 'IS NOT NULL') WHERE name = 'life_open'",
        "REINDEX life_open",
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'IS NOT NULL', 'IS NULL') WHERE name = 'life_open'",
    ] {
        let mut connection = SqliteConnectOptions::new().filename(&path).connect().await.unwrap();
        sqlx::query(statement).execute(&mut connection).await.unwrap();
        sqlx::Connection::close(connection).await.unwrap();
    }
    let found = fsck(&home, false).await;
    assert!(
        found.faults.iter().all(|fault| fault.what == "database" && !fault.repaired),
        "{found:?}"
    );
    assert!(found.faults.iter().any(|fault| fault.says.contains("life_open")), "{found:?}");
    let repaired = fsck(&home, true).await;
    assert!(repaired.faults.iter().all(|fault| fault.repaired), "{repaired:?}");
    assert_eq!(fsck(&home, false).await.faults, []);
    let open = Choice { open: true, ..Choice::default() };
    let listed = home.open().await.list(&open, 0, u32::MAX).await.unwrap();
    assert!(!listed.is_empty() && listed.iter().all(|one| one.ended.is_none()));
}

#[tokio::test]
async fn damaged_files_are_found_wherever_they_are() {
    let home = grown().await;
    fs::write(home.public().join("tile/0/000"), [0; 8192]).unwrap();
    let found = fsck(&home, false).await;
    assert_eq!(
        found.faults.iter().map(|fault| fault.what.as_str()).collect::<Vec<_>>(),
        ["tile/0/000"]
    );
    assert!(fsck(&home, true).await.faults.iter().all(|fault| fault.repaired));
    assert_eq!(fsck(&home, false).await.faults, []);
    let bundle = home.public().join("tile/entries/000");
    let mut bytes = fs::read(&bundle).unwrap();
    bytes[1000] ^= 1;
    fs::write(&bundle, bytes).unwrap();
    let found = fsck(&home, true).await;
    assert!(
        found.faults.iter().any(|fault| fault.what == "tile/entries/000" && !fault.repaired),
        "{found:?}"
    );
    // The state agrees with the checkpoint: nothing is wrong with that.
    assert!(found.faults.iter().all(|fault| fault.what != "checkpoint"), "{found:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_ledger_is_checked_while_it_deals() {
    let home = Home::quick().await;
    let ledger = home.open().await;
    let c = commit(&ledger).await;
    let deal = |n: u64| {
        let ledger = ledger.clone();
        async move { ledger.deal(c, round(&n.to_string()), None).await }
    };
    // More than what is read before anybody has to wait.
    for some in 0..10 {
        futures::future::try_join_all((some * 256..(some + 1) * 256).map(&deal)).await.unwrap();
    }
    let is_over = AtomicBool::new(false);
    let dealing = async {
        let mut dealt = 2560;
        while !is_over.load(Ordering::Relaxed) {
            futures::future::try_join_all((dealt..dealt + 50).map(&deal)).await.unwrap();
            dealt += 50;
        }
        dealt
    };
    let checking = async {
        for repair in [false, true, false] {
            let found = fsck(&home, repair).await;
            assert_eq!((found.faults.as_slice(), found.commitments), (&[][..], 1), "{repair}");
            assert!(found.entries > 2560, "{found:?}");
        }
        is_over.store(true, Ordering::Relaxed);
    };
    let (dealt, ()) = tokio::join!(dealing, checking);
    assert!(dealt >= 2560 + 3 * 50, "{dealt}");
    ledger.close().await.unwrap();
    assert_eq!(fsck(&home, false).await.faults, []);
}

/// Puts an older copy of the state into a ledger.
fn restore(home: &Home, older: &std::path::Path) {
    for name in ["state.sqlite", "state.sqlite-wal", "state.sqlite-shm"] {
        let _gone = fs::remove_file(home.private().join(name));
    }
    fs::copy(older, home.private().join("state.sqlite")).unwrap();
}

#[tokio::test]
async fn a_log_is_published_anew_only_by_a_state_that_continues_what_the_world_has_seen() {
    let home = grown().await;
    let backup = home.path().parent().unwrap().join(format!("{}.backup", home.path().display()));
    fs::copy(home.private().join("state.sqlite"), &backup).unwrap();
    let early = fs::read_to_string(home.public().join("checkpoint")).unwrap();
    let ledger = home.open().await;
    let c = ledger.list(&Choice::default(), 3, 1).await.unwrap()[0].commitment;
    ledger.deal(c, round("x"), None).await.unwrap();
    let late = ledger.checkpoint().await.unwrap();
    ledger.close().await.unwrap();
    let republish = async |against: &str| Ledger::republish(home.path(), options(), against).await;

    // The newest state, an empty folder but for the full bundles, which no database has: all of it
    // comes back.
    fs::remove_file(home.public().join("checkpoint")).unwrap();
    fs::remove_dir_all(home.public().join("tile/0")).unwrap();
    fs::remove_dir_all(home.public().join("tile/1")).unwrap();
    fs::remove_dir_all(home.public().join("tile/entries/001.p")).unwrap();
    assert_eq!(republish(&early).await.unwrap(), 307);
    assert_eq!((home.audit().size, home.audit().findings.len()), (307, 0));

    // One that is damaged is as good as gone.
    for damaged in [&b""[..], b"test.example/log\n307\n", &[0xff; 9]] {
        fs::write(home.public().join("checkpoint"), damaged).unwrap();
        assert_eq!(republish(&early).await.unwrap(), 307);
    }

    // Without a full bundle nothing is signed.
    fs::remove_file(home.public().join("checkpoint")).unwrap();
    let bundle = fs::read(home.public().join("tile/entries/000")).unwrap();
    fs::remove_file(home.public().join("tile/entries/000")).unwrap();
    assert!(matches!(republish(&late).await.unwrap_err(), LedgerError::LostTiles(_)));
    assert!(!home.public().join("checkpoint").exists());
    fs::write(home.public().join("tile/entries/000"), bundle).unwrap();

    // A backup that is older than what the world has seen, and one that went another way.
    restore(&home, &backup);
    fs::write(home.public().join("checkpoint"), &late).unwrap();
    let error = republish(&early).await.unwrap_err();
    assert!(matches!(error, LedgerError::OlderState { state: 306, public: 307 }), "{error}");
    assert_eq!(fs::read_to_string(home.public().join("checkpoint")).unwrap(), late, "it stays");
    // Another log's is not replaced.
    let stranger = fs::read(Home::new().await.public().join("checkpoint")).unwrap();
    fs::write(home.public().join("checkpoint"), &stranger).unwrap();
    let error = republish(&early).await.unwrap_err();
    assert!(matches!(error, LedgerError::ForeignCheckpoint { .. }), "{error}");
    fs::write(home.public().join("checkpoint"), &late).unwrap();
    let found = fsck(&home, true).await;
    let wrong: Vec<(&str, bool)> =
        found.faults.iter().map(|one| (one.what.as_str(), one.repaired)).collect();
    assert_eq!(
        (found.entries, found.published, wrong),
        (306, 307, vec![("checkpoint", false)]),
        "{found:?}"
    );
    fs::remove_file(home.public().join("checkpoint")).unwrap();
    let error = republish(&late).await.unwrap_err();
    assert!(matches!(error, LedgerError::OlderState { state: 306, public: 307 }), "{error}");
    let other = Home::new().await;
    let stranger = fs::read_to_string(other.public().join("checkpoint")).unwrap();
    let error = republish(&stranger).await.unwrap_err();
    assert!(matches!(error, LedgerError::ForeignNote { .. }), "{error}");
    assert!(!home.public().join("checkpoint").exists(), "nothing was signed");
    fs::remove_file(backup).unwrap();
}
