//! Backups: what is in them, and what is made of them.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is a failure with a place")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use fairdeal_ledger::{Backup, BackupParts, Ledger, LedgerError, NewReveal, Restore};

use super::ledger_support::{Audit, Home, options, round, terms};

const ALL: BackupParts = BackupParts { keys: true, entries: true };

async fn backup(home: &Home, to: &Path, parts: BackupParts) -> Result<Backup, LedgerError> {
    Ledger::backup(home.path(), options(), to, parts, &mut |_, _| ()).await
}

async fn restore(from: &Path, dir: &Path, against: &str) -> Result<u64, LedgerError> {
    let from = Restore { backup: from.to_owned(), keys: None, public: None };
    Ledger::restore(&from, dir, options(), against).await
}

fn checkpoint(home: &Home) -> String {
    fs::read_to_string(home.public().join("checkpoint")).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_made_while_a_ledger_deals_is_a_whole_one_of_some_moment() {
    let home = Home::quick().await;
    let ledger = home.open().await;
    let c = ledger.commit(terms("main"), None).await.unwrap().commitment;
    // The first bundle leaves the state when the ledger closes.
    let first = (0..300).map(|n| {
        let ledger = ledger.clone();
        async move { ledger.deal(c, round(&format!("first {n}")), None).await }
    });
    futures::future::try_join_all(first).await.unwrap();
    ledger.close().await.unwrap();
    let ledger = home.open().await;
    let dealing = tokio::spawn({
        let ledger = ledger.clone();
        async move {
            for n in 0..600 {
                ledger.deal(c, round(&format!("lucky {n}")), None).await.unwrap();
            }
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let mut sizes = Vec::new();
    while !dealing.is_finished() {
        let to = folder.path().join(sizes.len().to_string());
        sizes.push((to.clone(), backup(&home, &to, ALL).await.unwrap()));
    }
    dealing.await.unwrap();
    assert!(sizes.iter().any(|(_, saved)| saved.files > 0 && saved.entries < 901), "{sizes:?}");
    ledger.close().await.unwrap();
    // As if the world had seen nothing after it: each of them makes a ledger that deals and whose
    // log is sound.
    for (from, saved) in [sizes.first().unwrap(), sizes.last().unwrap()] {
        let dir = from.with_extension("restored");
        let note = fs::read_to_string(from.join("checkpoint")).unwrap();
        assert_eq!(restore(from, &dir, &note).await.unwrap(), saved.entries);
        let ledger = Ledger::open(&dir, options()).await.unwrap();
        if saved.entries > 0 {
            ledger.deal(c, round("after"), None).await.unwrap();
            ledger.reveal(c, NewReveal::default(), None).await.unwrap();
        }
        ledger.close().await.unwrap();
        assert_eq!(Audit::of(&dir.join("public"), &home.key).findings, []);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_is_its_owner_s_alone_and_without_keys_unless_they_are_asked_for() {
    let home = Home::quick().await;
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("backup");
    let saved = backup(&home, &to, BackupParts { keys: false, entries: true }).await.unwrap();
    assert_eq!(saved.keys, [""; 0]);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode(&to), 0o700);
    for entry in fs::read_dir(to.join("private")).unwrap() {
        let path = entry.unwrap().path();
        assert!(path.ends_with("state.sqlite"), "{}", path.display());
        assert_eq!(mode(&path), 0o600);
    }
    match backup(&home, &to, ALL).await {
        Err(LedgerError::NotEmpty { path, .. }) => assert_eq!(path, to),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_ledger_is_made_of_a_backup_that_is_older_than_what_the_world_has_seen() {
    let home = Home::quick().await;
    let ledger = home.open().await;
    let c = ledger.commit(terms("main"), None).await.unwrap().commitment;
    let folder = tempfile::tempdir().unwrap();
    let (from, dir) = (folder.path().join("backup"), folder.path().join("restored"));
    backup(&home, &from, ALL).await.unwrap();
    ledger.deal(c, round("lucky"), None).await.unwrap();
    ledger.close().await.unwrap();
    match restore(&from, &dir, &checkpoint(&home)).await {
        Err(LedgerError::OlderState { state: 1, public: 2 }) => {}
        other => panic!("{other:?}"),
    }
    assert!(!dir.exists());
    // Nor is the backup itself one.
    match Ledger::open(&from, options()).await {
        Err(LedgerError::NoCheckpoint) => {}
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_ledger_is_made_of_a_backup_of_another_tree_or_of_one_that_was_not_finished() {
    let home = Home::quick().await;
    let folder = tempfile::tempdir().unwrap();
    let [early, from, dir] = ["early", "backup", "restored"].map(|name| folder.path().join(name));
    backup(&home, &early, ALL).await.unwrap();
    let ledger = home.open().await;
    ledger.commit(terms("main"), None).await.unwrap();
    ledger.close().await.unwrap();
    backup(&home, &from, ALL).await.unwrap();
    // A fork that the operator's own key has signed, from the earlier backup.
    let note = fs::read_to_string(early.join("checkpoint")).unwrap();
    let fork = folder.path().join("fork");
    restore(&early, &fork, &note).await.unwrap();
    let ledger = Ledger::open(&fork, options()).await.unwrap();
    ledger.commit(terms("other"), None).await.unwrap();
    ledger.close().await.unwrap();
    let forked = fs::read_to_string(fork.join("public/checkpoint")).unwrap();
    match restore(&from, &dir, &forked).await {
        Err(LedgerError::OtherTree { size: 1, .. }) => {}
        other => panic!("{other:?}"),
    }
    assert_eq!(fs::read_dir(&dir).unwrap().count(), 0, "nothing is left");
    fs::remove_file(from.join("checkpoint")).unwrap();
    match restore(&from, &dir, &checkpoint(&home)).await {
        Err(LedgerError::NotALedger { says, .. }) => {
            assert!(says.contains("not finished"), "{says}");
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_whose_entries_are_damaged_is_told_and_leaves_nothing_behind() {
    let home = Home::quick().await;
    let ledger = home.open().await;
    let c = ledger.commit(terms("main"), None).await.unwrap().commitment;
    for n in 0..300 {
        ledger.deal(c, round(&format!("lucky {n}")), None).await.unwrap();
    }
    ledger.close().await.unwrap();
    let bundle = home.public().join("tile/entries/000");
    let mut bytes = fs::read(&bundle).unwrap();
    bytes[100] ^= 1;
    fs::write(&bundle, bytes).unwrap();
    let folder = tempfile::tempdir().unwrap();
    match backup(&home, folder.path(), ALL).await {
        Err(LedgerError::OtherTree { size: 301, .. }) => {}
        other => panic!("{other:?}"),
    }
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        0,
        "nothing is left in the way of the next one"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drill_compares_a_whole_backup_and_leaves_nothing_that_could_sign() {
    let home = Home::quick().await;
    let ledger = home.open().await;
    let c = ledger.commit(terms("main"), None).await.unwrap().commitment;
    ledger.deal(c, round("lucky"), None).await.unwrap();
    ledger.close().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (backed, dir) = (folder.path().join("backup"), folder.path().join("scratch"));
    backup(&home, &backed, ALL).await.unwrap();
    let from = Restore { backup: backed.clone(), keys: None, public: None };
    let drill = async || Ledger::drill(&from, &dir, options(), &mut |_, _| ()).await;
    let found = drill().await.unwrap();
    assert_eq!((found.entries, found.published, found.commitments), (2, 2, 1));
    assert_eq!(found.faults, []);
    assert!(!dir.exists());
    // A folder that was there stays, and stays empty.
    fs::create_dir(&dir).unwrap();
    drill().await.unwrap();
    assert_eq!(fs::read_dir(&dir).unwrap().count(), 0);
    // A backup that lost its keys is no backup to rely on.
    fs::remove_file(backed.join("private/signing.key")).unwrap();
    assert!(matches!(drill().await, Err(LedgerError::NoSigningKey { .. })));
    assert_eq!(fs::read_dir(&dir).unwrap().count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copied_folder_signs_nothing_until_it_was_compared_with_the_world() {
    let home = Home::quick().await;
    let ledger = home.open().await;
    let c = ledger.commit(terms("main"), None).await.unwrap().commitment;
    ledger.close().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy");
    let copied =
        std::process::Command::new("cp").arg("-a").arg(home.path()).arg(&copy).status().unwrap();
    assert!(copied.success());
    let ledger = home.open().await;
    ledger.deal(c, round("lucky"), None).await.unwrap();
    ledger.close().await.unwrap();
    let opened = Ledger::open(&copy, options()).await;
    assert!(matches!(&opened, Err(LedgerError::Copied(path)) if *path == copy), "{opened:?}");
    // A copy can be read; fsck says why it does not write.
    let reader = fairdeal_ledger::Reader::open(&copy, options()).await.unwrap();
    assert_eq!(reader.published_size().await.unwrap(), 1);
    let found = Ledger::fsck(&copy, options(), false, &mut |_, _| ()).await.unwrap();
    assert!(found.faults.is_empty() && found.read_only.unwrap().contains("is a copy"));
    let repaired = Ledger::fsck(&copy, options(), true, &mut |_, _| ()).await;
    assert!(matches!(repaired, Err(LedgerError::Copied(_))), "{repaired:?}");
    // The world has seen more: this copy never signs.
    let republished = Ledger::republish(&copy, options(), &checkpoint(&home)).await;
    let is_older = matches!(republished, Err(LedgerError::OlderState { state: 1, public: 2 }));
    assert!(is_older, "{republished:?}");
    // A renamed folder is no copy; a copy that has all entries may go on.
    let beside = tempfile::tempdir_in(home.path().parent().unwrap()).unwrap();
    let renamed = beside.path().join("renamed");
    fs::create_dir(&renamed).unwrap();
    for part in ["public", "private"] {
        fs::rename(home.path().join(part), renamed.join(part)).unwrap();
    }
    Ledger::open(&renamed, options()).await.unwrap().close().await.unwrap();
    let moved = folder.path().join("moved");
    let copied =
        std::process::Command::new("cp").arg("-a").arg(&renamed).arg(&moved).status().unwrap();
    assert!(copied.success());
    let note = fs::read_to_string(renamed.join("public/checkpoint")).unwrap();
    assert_eq!(Ledger::republish(&moved, options(), &note).await.unwrap(), 2);
    let ledger = Ledger::open(&moved, options()).await.unwrap();
    ledger.deal(c, round("seven"), None).await.unwrap();
    ledger.close().await.unwrap();
}
