//! The states that a ledger refuses, those that it repairs, and those that it reports.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use fairdeal::deal::Commitment;
use fairdeal::record::entry::Entry;
use fairdeal_ledger::{
    ClockFault, ErrorKind, Ledger, LedgerError, NewCommit, NewReveal, Parts, TileFault,
};

use super::ledger_support::*;

/// A closed ledger with this many entries: a commit and deals.
async fn grown(entries: usize) -> (Home, Commitment) {
    let home = Home::new().await;
    let ledger = home.open().await;
    let c = commit(&ledger).await;
    deals(&ledger, c, entries - 1).await;
    ledger.close().await.expect("closed");
    (home, c)
}

async fn deals(ledger: &Ledger, c: Commitment, count: usize) {
    let one = |n: usize| {
        let ledger = ledger.clone();
        async move { ledger.deal(c, round(&format!("{n}")), None).await }
    };
    futures::future::try_join_all((0..count).map(one)).await.expect("dealt");
}

async fn refused(home: &Home) -> LedgerError {
    let error = Ledger::open(home.path(), options()).await.expect_err("is refused");
    assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
    error
}

/// Replaces a ledger's files by others.
fn replace(dir: &Path, with: &Path) {
    fs::remove_dir_all(dir).expect("removed");
    fs::create_dir(dir).expect("made");
    let mode = fs::metadata(with).expect("is there").permissions();
    fs::set_permissions(dir, mode).expect("set");
    copy(with, dir);
}

#[tokio::test]
async fn an_older_backup_is_refused_with_both_sizes() {
    let (home, c) = grown(3).await;
    let backup = tempfile::tempdir().expect("a folder");
    copy(home.path(), backup.path());
    let ledger = home.open().await;
    deals(&ledger, c, 2).await;
    ledger.close().await.expect("closed");
    replace(&home.private(), &backup.path().join("private"));
    let error = refused(&home).await;
    assert!(matches!(error, LedgerError::OlderState { state: 3, public: 5 }), "{error}");
    assert_eq!(home.audit().size, 5, "nothing was written");
}

#[tokio::test]
async fn a_backup_that_went_another_way_is_refused_with_both_roots() {
    let (home, c) = grown(3).await;
    let other = tempfile::tempdir().expect("a folder");
    copy(home.path(), other.path());
    for (dir, entries, way) in [(home.path(), 3, "one way"), (other.path(), 2, "another")] {
        let ledger = Ledger::open(dir, options()).await.expect("opens");
        deals(&ledger, c, 1).await;
        ledger.deal(c, round(way), None).await.expect("dealt");
        deals(&ledger, c, entries).await;
        ledger.close().await.expect("closed");
    }
    let theirs = Audit::of(&other.path().join("public"), &home.key);
    replace(&home.public(), &other.path().join("public"));
    match refused(&home).await {
        LedgerError::OtherTree { size, state, public } => {
            assert_eq!((size, public), (theirs.size, theirs.root));
            assert_ne!(state, public);
        }
        error => panic!("{error}"),
    }
    assert_eq!(Audit::of(&home.public(), &home.key).root, theirs.root, "nothing was written");
}

#[tokio::test]
async fn another_key_vault_state_or_log_is_refused_with_both_values() {
    let (home, _) = grown(2).await;
    let (other, _) = grown(2).await;
    let swapped = |file: &str| {
        let dir = tempfile::tempdir().expect("a folder");
        copy(home.path(), dir.path());
        fs::copy(other.path().join(file), dir.path().join(file)).expect("copied");
        Home { dir, key: home.key.clone() }
    };
    let (ours, theirs) = (home.key.to_text(), other.key.to_text());
    match refused(&swapped("private/signing.key")).await {
        LedgerError::WrongKey { state, found } => {
            assert_eq!((state, found), (ours.clone(), theirs.clone()));
        }
        error => panic!("{error}"),
    }
    match refused(&swapped("private/state.sqlite")).await {
        LedgerError::WrongKey { state, found } => {
            assert_eq!((state, found), (theirs, ours.clone()));
        }
        error => panic!("{error}"),
    }
    match refused(&swapped("private/vault.key")).await {
        LedgerError::WrongVault { state, found } => assert_ne!(state, found),
        error => panic!("{error}"),
    }
    match refused(&swapped("public/checkpoint")).await {
        LedgerError::ForeignCheckpoint { key, .. } => assert_eq!(key, ours),
        error => panic!("{error}"),
    }
}

#[tokio::test]
async fn what_is_no_key_or_no_database_is_named_by_its_path_and_never_repeated() {
    let (home, _) = grown(2).await;
    for file in ["signing.key", "vault.key", "state.sqlite"] {
        let dir = tempfile::tempdir().expect("a folder");
        copy(home.path(), dir.path());
        fs::write(dir.path().join("private").join(file), "nearly the secret").expect("written");
        let error = refused(&Home { dir, key: home.key.clone() }).await.to_string();
        assert!(error.contains(file) && !error.contains("nearly the secret"), "{error}");
    }
}

#[tokio::test]
async fn what_others_may_read_is_refused_with_its_mode() {
    for (path, mode) in [
        ("private", 0o750),
        ("private/signing.key", 0o640),
        ("private/vault.key", 0o604),
        ("private/state.sqlite", 0o666),
    ] {
        let (home, _) = grown(2).await;
        let path = home.path().join(path);
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("set");
        match refused(&home).await {
            LedgerError::Exposed { path: named, found, .. } => {
                assert_eq!(named, path);
                assert!(found.ends_with(&format!("{mode:o}")), "{found}");
            }
            error => panic!("{error}"),
        }
    }
    let (home, _) = grown(2).await;
    let (from, to) = (home.private().join("vault.key"), home.path().join("elsewhere"));
    fs::rename(&from, &to).expect("moved");
    std::os::unix::fs::symlink(&to, &from).expect("linked");
    assert!(refused(&home).await.to_string().contains("a symbolic link"));
}

#[tokio::test]
async fn everything_private_is_for_its_owner_alone_while_a_ledger_works() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let c = commit(&ledger).await;
    deals(&ledger, c, 3).await;
    let mode = |path: &Path| fs::metadata(path).expect("is there").permissions().mode() & 0o7777;
    assert_eq!(mode(&home.private()), 0o700);
    let files: Vec<_> = fs::read_dir(home.private())
        .expect("a folder")
        .map(|e| e.expect("a file").path())
        .collect();
    assert!(files.iter().any(|path| path.ends_with("state.sqlite-wal")), "{files:?}");
    for file in files {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
}

#[tokio::test]
async fn a_copy_of_the_database_alone_holds_no_seed() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let c = commit(&ledger).await;
    deals(&ledger, c, 3).await;
    let files = fs::read_dir(home.private()).expect("a folder").map(|e| e.expect("a file").path());
    let dump: Vec<u8> = files.flat_map(|file| fs::read(file).expect("read")).collect();
    let holds = |bytes: &[u8]| dump.windows(bytes.len()).any(|window| window == bytes);
    let revealed = ledger.reveal(c, NewReveal::default(), None).await.expect("revealed");
    let Entry::Reveal(reveal) = &revealed.entry else { panic!("{revealed:?}") };
    assert!(holds(c.as_bytes()), "the commitment is there to be found");
    assert!(
        !holds(reveal.server_seed.seed().expose())
            && !holds(reveal.server_seed.to_text().as_bytes())
    );
}

/// Damages one published file, opens the ledger, and returns what a full check then finds.
async fn damage(home: &Home, path: &str, with: Option<&[u8]>) -> (Ledger, Vec<TileFault>) {
    let file = home.public().join(path);
    match with {
        Some(bytes) => fs::write(&file, bytes).expect("written"),
        None => fs::remove_file(&file).expect("removed"),
    }
    let ledger = home.open().await;
    let faults = ledger.check_tiles().await.expect("checked");
    (ledger, faults)
}

#[tokio::test]
async fn damage_at_the_right_edge_is_found_at_start_and_rebuilt() {
    let (home, _) = grown(300).await;
    for path in ["tile/entries/001.p/44", "tile/0/001.p/44", "tile/1/000.p/1"] {
        for with in [None, Some(b"garbage".as_slice()), Some(&[])] {
            let (ledger, faults) = damage(&home, path, with).await;
            assert_eq!(faults, [], "{path}: opening had put it right");
            assert_eq!(home.audit().size, 300);
            ledger.close().await.expect("closed");
        }
    }
}

#[tokio::test]
async fn a_full_tile_that_is_missing_or_cut_short_anywhere_is_found_by_a_whole_check_and_rebuilt() {
    let (home, _) = grown(300).await;
    for with in [None, Some(b"garbage".as_slice())] {
        let (ledger, faults) = damage(&home, "tile/0/000", with).await;
        let [fault] = faults.as_slice() else { panic!("{faults:?}") };
        assert_eq!((fault.path.as_str(), fault.rebuilt), ("tile/0/000", true), "{fault:?}");
        assert_eq!(home.audit().size, 300);
        ledger.close().await.expect("closed");
    }
}

#[tokio::test]
async fn a_full_bundle_that_is_missing_anywhere_is_named_by_a_whole_check() {
    let (home, _) = grown(300).await;
    let (_, faults) = damage(&home, "tile/entries/000", None).await;
    let [fault] = faults.as_slice() else { panic!("{faults:?}") };
    assert_eq!((fault.path.as_str(), fault.rebuilt), ("tile/entries/000", false), "{fault:?}");
}

#[tokio::test]
async fn other_bytes_elsewhere_are_found_by_a_whole_check_and_rebuilt_or_named() {
    let (home, c) = grown(300).await;
    let (ledger, faults) = damage(&home, "tile/0/000", Some(&[0; 8192])).await;
    let [fault] = faults.as_slice() else { panic!("{faults:?}") };
    assert_eq!((fault.path.as_str(), fault.rebuilt), ("tile/0/000", true), "{fault:?}");
    assert_eq!(home.audit().size, 300);
    ledger.close().await.expect("closed");
    let (ledger, faults) = damage(&home, "tile/entries/000", Some(b"garbage")).await;
    let [fault] = faults.as_slice() else { panic!("{faults:?}") };
    assert_eq!((fault.path.as_str(), fault.rebuilt), ("tile/entries/000", false), "{fault:?}");
    let error = ledger.receipt(c, None).await.expect_err("the commit's bytes are gone");
    assert!(error.to_string().contains("tile/entries/000"), "{error}");
}

#[tokio::test]
async fn a_lost_bundle_at_the_right_edge_is_named_and_nothing_is_built_on_it() {
    let (home, _) = grown(256).await;
    let saved = fs::read(home.public().join("tile/entries/000")).expect("is there");
    fs::remove_file(home.public().join("tile/entries/000")).expect("removed");
    match refused(&home).await {
        LedgerError::LostTiles(faults) => assert_eq!(faults[0].path, "tile/entries/000"),
        error => panic!("{error}"),
    }
    // A mirror has the file: when it is back, it is checked like everything else.
    fs::write(home.public().join("tile/entries/000"), saved).expect("written");
    home.open().await.close().await.expect("closed");
    assert_eq!(home.audit().size, 256);
}

#[tokio::test]
async fn full_bundles_leave_the_database_and_their_partial_tiles_go() {
    let (home, c) = grown(300).await;
    let state =
        fairdeal_ledger::store::Sqlite::open(&home.private().join("state.sqlite"), options().wait)
            .await
            .expect("opens");
    let mut read = fairdeal_ledger::store::State::read(&state).await.expect("reads");
    assert_eq!(read.segments(0..256).await.expect("reads"), []);
    let kept = read.segments(256..512).await.expect("reads");
    assert_eq!(kept.iter().map(|segment| u64::from(segment.count)).sum::<u64>(), 44);
    let first = fairdeal::deal::Nonce::new(0).expect("small");
    assert_eq!(read.round(0, first).await.expect("reads"), [1], "its index is still known");
    assert!(!home.public().join("tile/entries/000.p").exists());
    assert!(home.public().join("tile/entries/001.p").exists());
    drop(read);
    // Receipts are made from the tiles and from the database.
    let ledger = home.open().await;
    for nonce in [0, 200, 255, 298] {
        let nonce = fairdeal::deal::Nonce::new(nonce).expect("small");
        ledger.receipt(c, Some(nonce)).await.expect("a receipt");
    }
    ledger.reveal(c, NewReveal::default(), None).await.expect("revealed");
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn without_a_checkpoint_nothing_is_signed_since_the_world_may_have_seen_more() {
    let (home, _) = grown(5).await;
    fs::remove_file(home.public().join("checkpoint")).expect("removed");
    assert!(matches!(refused(&home).await, LedgerError::NoCheckpoint));
    fs::remove_dir_all(home.public()).expect("removed");
    fs::create_dir(home.public()).expect("made");
    assert!(matches!(refused(&home).await, LedgerError::NoCheckpoint));
}

#[tokio::test]
async fn a_tile_that_somebody_else_wrote_stops_the_ledger_and_is_left_alone() {
    let (home, c) = grown(2).await;
    let theirs = home.public().join("tile/entries/000.p/3");
    fs::write(&theirs, "another log").expect("written");
    let ledger = home.open().await;
    let error = ledger.deal(c, round("x"), key("once")).await.expect_err("is not published");
    assert!(
        matches!(&error, LedgerError::Unpublished { index: 2, why, .. }
        if matches!(&**why, LedgerError::TileDiffers { path } if path == "tile/entries/000.p/3")),
        "{error}"
    );
    assert!(matches!(ledger.deal(c, round("y"), None).await, Err(LedgerError::Stopped(_))));
    assert_eq!(fs::read(&theirs).expect("is there"), b"another log");
    assert_eq!(home.audit().size, 2, "the published log is as it was");
    drop(ledger.close().await);
    assert!(refused(&home).await.to_string().contains("tile/entries/000.p/3"));
    fs::remove_file(&theirs).expect("removed");
    let ledger = home.open().await;
    assert!(ledger.deal(c, round("x"), key("once")).await.expect("the same deal").repeated);
    assert_eq!(home.audit().size, 3);
}

#[tokio::test]
async fn where_nothing_can_be_written_the_error_is_clear_and_the_same_handle_goes_on_later() {
    let (home, c) = grown(2).await;
    // A file where a folder should be: the system refuses it to everybody, root too.
    let (tile, aside) = (home.public().join("tile"), home.path().join("aside"));
    let ledger = home.open().await;
    fs::rename(&tile, &aside).expect("moved");
    fs::write(&tile, "").expect("written");
    let error = ledger.deal(c, round("x"), key("once")).await.expect_err("is not published");
    assert!(matches!(&error, LedgerError::Unpublished { index: 2, .. }), "{error}");
    assert!(error.to_string().contains("Not a directory"), "{error}");
    fs::remove_file(&tile).expect("removed");
    fs::rename(&aside, &tile).expect("moved");
    let again = ledger.deal(c, round("x"), key("once")).await.expect("the same deal");
    assert!(again.repeated);
    assert_eq!((home.audit().size, again.index), (3, 2));
}

async fn with_clock(home: &Home, clock: &Arc<TestClock>) -> Ledger {
    let parts = Parts::of_folder(home.path(), options()).await.expect("a ledger");
    Ledger::open_on(Parts { clock: Arc::<TestClock>::clone(clock), ..parts }).await.expect("opens")
}

#[tokio::test]
async fn a_log_s_time_never_runs_back_when_the_clock_does() {
    let home = Home::new().await;
    let clock = TestClock::new();
    let ledger = with_clock(&home, &clock).await;
    let c = commit(&ledger).await;
    let mut times = Vec::new();
    for step in [5_000, -4_000, -59_000, 1_000, 30_000] {
        clock.set(clock.now().saturating_add_signed(step));
        times.push(ledger.deal(c, round("x"), None).await.expect("dealt").entry.time());
    }
    let start = TestClock::START;
    assert_eq!(times, [start + 5_000, start + 5_000, start + 5_000, start + 5_000, start + 5_000]);
    drop(ledger);
    // Nor in a process that starts with a clock a little behind the log.
    clock.set(start - 50_000);
    let ledger = with_clock(&home, &clock).await;
    assert_eq!(ledger.deal(c, round("x"), None).await.expect("dealt").entry.time(), start + 5_000);
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn a_jump_of_over_a_minute_either_way_stops_the_ledger_until_it_is_confirmed() {
    let home = Home::new().await;
    let clock = TestClock::new();
    let ledger = with_clock(&home, &clock).await;
    let terms = NewCommit { reveal_in: Duration::from_hours(24), ..terms("main") };
    let c = ledger.commit(terms, None).await.expect("committed").commitment;
    clock.pass(10_000_000);
    ledger.deal(c, round("time may pass"), None).await.expect("dealt");
    for jump in [60_001, -60_001] {
        let stood = clock.now();
        clock.set(stood.saturating_add_signed(jump));
        for _ in 0..2 {
            match ledger.deal(c, round("x"), None).await.expect_err("the clock jumped") {
                LedgerError::Clock(ClockFault::Jumped { expected, found }) => {
                    assert_eq!((expected, found), (stood, clock.now()));
                }
                error => panic!("{error}"),
            }
        }
        ledger.confirm_clock();
        ledger.deal(c, round("x"), None).await.expect("dealt");
    }
    assert_eq!(home.audit().findings, []);
}
