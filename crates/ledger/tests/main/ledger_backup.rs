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
    let dealing = tokio::spawn({
        let ledger = ledger.clone();
        async move {
            for n in 0..900 {
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
