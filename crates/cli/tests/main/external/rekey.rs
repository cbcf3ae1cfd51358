//! A change of the vault key that is killed at any point leaves a ledger that opens, and goes on
//! when it is asked for again.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "in a test, a panic is a failure with a place"
)]

use std::path::Path;
use std::process::{Command, Output};

use fairdeal_ledger::{Ledger, LedgerOptions, REKEY_POINTS, VaultKeyCommand};

use crate::ledger_support::{Home, copy, options, round, terms};

const NEW: &str = "printf %064d 7";

async fn prepared() -> Home {
    let home = Home::quick().await;
    let ledger = home.open().await;
    for table in ["a", "b", "c"] {
        let c = ledger.commit(terms(table), None).await.unwrap().commitment;
        ledger.deal(c, round("lucky"), None).await.unwrap();
    }
    ledger.close().await.unwrap();
    home
}

fn rekey(before: &[&str], dir: &Path, to_command: bool, fault: &str) -> Output {
    let mut words: Vec<&str> = before.to_vec();
    words.extend([env!("CARGO_BIN_EXE_fairdeal"), "rekey", "--json", dir.to_str().unwrap()]);
    if to_command {
        words.extend(["--new-vault-key-command", NEW]);
    }
    Command::new(words[0]).args(&words[1..]).env("FAIRDEAL_FAULT", fault).output().unwrap()
}

/// The ledger opens under one of the keys, and the same command ends with all seeds under the new
/// one and no key left over.
async fn goes_on(dir: &Path, to_command: bool, case: &str) {
    let by_command = LedgerOptions { vault_key: Some(VaultKeyCommand::new(NEW)), ..options() };
    let mut opened = Ledger::open(dir, options()).await;
    if opened.is_err() && to_command {
        opened = Ledger::open(dir, by_command.clone()).await;
    }
    opened.unwrap_or_else(|error| panic!("{case}: {error}")).close().await.unwrap();
    let again = rekey(&[], dir, to_command, "");
    assert!(again.status.success(), "{case}: {}", String::from_utf8_lossy(&again.stderr));
    let options = if to_command { by_command } else { options() };
    let checked = Ledger::fsck(dir, options, false, &mut |_, _| ()).await.unwrap();
    assert_eq!(checked.faults, [], "{case}");
    let names =
        std::fs::read_dir(dir.join("private")).unwrap().map(|entry| entry.unwrap().file_name());
    let keys: Vec<_> =
        names.filter(|name| name.to_string_lossy().starts_with("vault.key")).collect();
    let expected: &[&str] = if to_command { &[] } else { &["vault.key"] };
    assert_eq!(keys, expected, "{case}");
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_any_named_point_of_a_rekey_the_ledger_opens_and_the_same_command_goes_on() {
    let home = prepared().await;
    for to_command in [false, true] {
        for point in REKEY_POINTS {
            let dir = tempfile::tempdir().unwrap();
            copy(home.path(), dir.path());
            let killed = rekey(&[], dir.path(), to_command, point);
            assert_eq!(killed.status.code(), None, "{point} is passed");
            goes_on(dir.path(), to_command, point).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_at_any_system_call_of_a_rekey_that_writes_the_ledger_opens_and_the_same_command_goes_on()
 {
    let home = prepared().await;
    let mut kills = 0;
    for to_command in [false, true] {
        for call in ["write", "pwrite64", "fsync", "rename", "unlink", "ftruncate"] {
            for nth in 1.. {
                let dir = tempfile::tempdir().unwrap();
                copy(home.path(), dir.path());
                let (trace, inject) =
                    (format!("trace={call}"), format!("inject={call}:signal=SIGKILL:when={nth}"));
                let strace =
                    ["strace", "-f", "-qq", "-o", "/dev/null", "-e", &trace, "-e", &inject];
                let ended = rekey(&strace, dir.path(), to_command, "");
                if ended.status.success() {
                    break;
                }
                goes_on(dir.path(), to_command, &inject).await;
                kills += 1;
                assert!(nth < 200, "{inject}: {}", String::from_utf8_lossy(&ended.stderr));
            }
        }
    }
    assert!(kills > 20, "{kills} kills");
}
