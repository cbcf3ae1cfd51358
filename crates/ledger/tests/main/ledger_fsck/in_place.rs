//! States that are open elsewhere, states whose file was replaced, and damage that one caller
//! meets.

use std::fs;
use std::time::Duration;

use fairdeal_ledger::{Choice, IdempotencyKey, Ledger, LedgerOptions};

use super::super::ledger_folder::{fsck, grown, run, sql};
use super::super::ledger_support::{Home, commit, key, memo, options, round};
use super::deal;

#[tokio::test]
async fn a_state_that_others_have_open_is_not_made_anew_and_they_go_on() {
    let home = grown().await;
    let other = home.open().await;
    let c = other.list(&Choice::default(), 3, 1).await.unwrap()[0].commitment;
    let dealt = other.deal(c, round("x"), key("k")).await.unwrap();
    run(&home, "DELETE FROM node").await;
    let soon = LedgerOptions { wait: Duration::from_millis(50), ..options() };
    let found = Ledger::fsck(home.path(), soon, true, &mut |_, _| ()).await.unwrap();
    assert!(found.faults.iter().all(|fault| !fault.repaired), "{found:?}");
    assert!(
        found.faults.iter().any(|fault| fault.says.contains("another process has it open")),
        "{found:?}"
    );
    assert!(!found.needs_backup && found.kept.is_none(), "{found:?}");
    let again = other.deal(c, round("x"), key("k")).await.unwrap();
    assert_eq!((again.repeated, again.index), (true, dealt.index));
    other.close().await.unwrap();
    let mut names: Vec<_> =
        fs::read_dir(home.private()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["place", "publisher.lock", "signing.key", "state.sqlite", "vault.key"]);
    assert!(fsck(&home, true).await.faults.iter().all(|fault| fault.repaired));
    assert_eq!(fsck(&home, false).await.faults, []);
}

#[tokio::test]
async fn a_ledger_whose_state_is_another_file_by_now_deals_nothing() {
    let home = Home::new().await;
    deal(&home, &["x"]).await;
    let stale = home.open().await;
    let c = stale.list(&Choice::default(), 0, 1).await.unwrap()[0].commitment;
    let (file, aside) = (home.private().join("state.sqlite"), home.private().join("aside"));
    run(&home, "PRAGMA wal_checkpoint(TRUNCATE)").await;
    fs::copy(&file, &aside).unwrap();
    fs::rename(&aside, &file).unwrap();
    let error = stale.deal(c, round("x"), None).await.expect_err("its file is another one's name");
    assert!(error.to_string().contains("open the ledger again"), "{error}");
    let error = stale.write_memos(vec![memo("token", "a", "b")]).await.expect_err("the same");
    assert!(error.to_string().contains("open the ledger again"), "{error}");
    drop(stale);
    assert_eq!(home.audit().size, 2);
    deal(&home, &["x"]).await;
    assert_eq!(home.audit().size, 3);
}

/// A key whose row of answers is damaged.
#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_answer_refuses_its_own_caller_and_nobody_else() {
    let home = Home::quick().await;
    let ledger = home.open().await;
    let c = commit(&ledger).await;
    let key = IdempotencyKey::new("hand-1").unwrap();
    ledger.deal(c, round("x"), Some(key.clone())).await.unwrap();
    ledger.close().await.unwrap();
    for damage in ["UPDATE answer SET at = at + 1", "UPDATE answer SET name = 'hand-2'"] {
        sql(&home, damage).await;
        let ledger = home.open().await;
        let all: Vec<_> = (0..60)
            .map(|n| {
                let (ledger, key) = (ledger.clone(), (n % 6 == 0).then(|| key.clone()));
                let is_damaged = key.is_some();
                let deal = async move { ledger.deal(c, round("x"), key).await };
                (is_damaged, tokio::spawn(deal))
            })
            .collect();
        for (is_damaged, deal) in all {
            let dealt = deal.await.unwrap();
            assert_eq!(dealt.is_err(), is_damaged, "{dealt:?}");
            if let Err(error) = dealt {
                assert!(error.is_damage(), "{error}");
            }
        }
        ledger.close().await.unwrap();
    }
}
