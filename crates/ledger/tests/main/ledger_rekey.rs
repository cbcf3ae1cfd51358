//! Another vault key: what opens the ledger after it, and what is left of the old one.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is a failure with a place")]

use std::fs;
use std::path::Path;

use fairdeal_ledger::store::{Sqlite, State as _};
use fairdeal_ledger::{
    Choice, Fault, Ledger, LedgerError, LedgerOptions, NewReveal, VaultKeyCommand,
};

use super::ledger_support::{Home, options, round, terms};

/// All that stands in the files of a folder.
fn bytes_of(folder: &Path) -> Vec<u8> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        all.extend(fs::read(entry.unwrap().path()).unwrap());
    }
    all
}

fn holds(all: &[u8], some: &[u8]) -> bool {
    all.windows(some.len()).any(|window| window == some)
}

/// The seeds as they are sealed in a ledger's state.
async fn sealed(home: &Home) -> Vec<Vec<u8>> {
    let state =
        Sqlite::open_to_read(&home.private().join("state.sqlite"), options().wait).await.unwrap();
    let lives = state.read().await.unwrap().lives_from(&Choice::default(), 0, 1000).await.unwrap();
    state.close().await.unwrap();
    lives.into_iter().map(|stored| stored.seed.to_vec()).collect()
}

/// A ledger with commitments of every kind: used, revealed, voided, new.
async fn prepared() -> Home {
    let home = Home::quick().await;
    let ledger = home.open().await;
    for n in 0..300 {
        let c = ledger.commit(terms(&format!("table-{n}")), None).await.unwrap().commitment;
        if n % 3 > 0 {
            ledger.deal(c, round("lucky"), None).await.unwrap();
        }
        if n % 3 > 1 {
            ledger.reveal(c, NewReveal::default(), None).await.unwrap();
        }
    }
    ledger.close().await.unwrap();
    home
}

async fn rekey(home: &Home, new: Option<&VaultKeyCommand>) -> Result<(), LedgerError> {
    let done = Ledger::rekey(home.path(), options(), new, &mut |_, _| ()).await?;
    assert!(done.scrubbed, "nobody else reads");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_rekey_neither_the_old_key_nor_a_seed_sealed_under_it_is_left_in_any_file() {
    let home = prepared().await;
    let key = fs::read(home.private().join("vault.key")).unwrap();
    let old = sealed(&home).await;
    let before = bytes_of(&home.private());
    assert!(old.iter().all(|seed| holds(&before, seed)), "the search finds what is there");
    rekey(&home, None).await.unwrap();
    let after = bytes_of(&home.private());
    for seed in &old {
        assert!(!holds(&after, seed));
    }
    assert!(!holds(&after, key.trim_ascii_end()));
    let new = sealed(&home).await;
    assert_eq!(new.len(), old.len());
    assert!(new.iter().zip(&old).all(|(new, old)| new != old));
    let checked = Ledger::fsck(home.path(), options(), false, &mut |_, _| ()).await.unwrap();
    assert_eq!(checked.faults, [], "every seed opens under the new key");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ledger_that_is_open_under_the_old_key_stops_at_its_next_command() {
    let home = prepared().await;
    let ledger = home.open().await;
    // A reader of an older state keeps the log of changes alive: the seeds may be in it.
    let done = Ledger::rekey(home.path(), options(), None, &mut |_, _| ()).await.unwrap();
    assert_eq!(done.seeds, 300);
    let size = ledger.published_size().await.unwrap();
    match ledger.commit(terms("one more"), None).await {
        Err(LedgerError::WrongVault { state, .. }) => assert_eq!(state, done.vault),
        other => panic!("{other:?}"),
    }
    match ledger.commit(terms("one more"), None).await {
        Err(LedgerError::Stopped(_)) => {}
        other => panic!("{other:?}"),
    }
    drop(ledger);
    let ledger = home.open().await;
    assert_eq!(ledger.published_size().await.unwrap(), size);
    ledger.commit(terms("one more"), None).await.unwrap();
    ledger.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn while_another_process_holds_the_head_a_rekey_waits_and_then_changes_nothing() {
    let home = prepared().await;
    let before = sealed(&home).await;
    let state = Sqlite::open(&home.private().join("state.sqlite"), options().wait).await.unwrap();
    let held = state.begin().await.unwrap();
    let soon = LedgerOptions { wait: std::time::Duration::from_millis(50), ..options() };
    match Ledger::rekey(home.path(), soon, None, &mut |_, _| ()).await {
        Err(LedgerError::Store(error)) => assert_eq!(error.fault, Fault::Busy),
        other => panic!("{other:?}"),
    }
    held.roll_back().await.unwrap();
    assert_eq!(sealed(&home).await, before);
    home.open().await.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_moves_to_a_command_is_erased_from_the_folder_and_back_again() {
    let home = prepared().await;
    let command = VaultKeyCommand::new("printf %064d 7");
    rekey(&home, Some(&command)).await.unwrap();
    assert!(!home.private().join("vault.key").exists());
    let by_command = LedgerOptions { vault_key: Some(command.clone()), ..options() };
    Ledger::open(home.path(), by_command.clone()).await.unwrap().close().await.unwrap();
    match Ledger::open(home.path(), options()).await {
        Err(error @ LedgerError::NoLedger { .. }) => {
            assert!(error.to_string().contains("--vault-key-command"), "{error}");
        }
        other => panic!("{other:?}"),
    }
    Ledger::rekey(home.path(), by_command, None, &mut |_, _| ()).await.unwrap();
    home.open().await.close().await.unwrap();
    let names: Vec<_> =
        fs::read_dir(home.private()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(!names.iter().any(|name| name.to_string_lossy().contains("vault.key.")), "{names:?}");
}
