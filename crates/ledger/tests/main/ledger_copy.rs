//! A state that is copied elsewhere: the ledger goes on there, and nowhere else.

use std::path::Path;

use fairdeal::deal::Commitment;
use fairdeal_ledger::{
    BackupParts, ErrorKind, Ledger, LedgerError, Location, Memos, NewCommit, NewDeal, NewReveal,
    Reader, StatePlace, copy_state,
};

use super::ledger_support::*;

/// A ledger in the middle of a locked round, with something of everything, and its commitment.
pub(crate) async fn amid_a_round() -> (Home, Commitment) {
    let home = Home::quick().await;
    let ledger = home.open().await;
    let terms = NewCommit { policy: Some("by hand".to_owned()), ..terms("main") };
    let c = ledger.commit(terms, None).await.expect("committed").commitment;
    let deals = (0..600).map(|n| {
        let ledger = ledger.clone();
        async move { ledger.deal(c, round(&format!("{n}")), key(&format!("{n}"))).await }
    });
    futures::future::try_join_all(deals).await.expect("dealt");
    ledger.commit(with(self::terms("sealed"), |t| t.sealed = true), None).await.expect("committed");
    ledger.write_memos(vec![memo("token", "door", "open")]).await.expect("written");
    ledger.lock(c, locked("x"), None).await.expect("locked");
    ledger.close().await.expect("closed");
    (home, c)
}

fn terms(table: &str) -> NewCommit {
    super::ledger_support::terms(table)
}

/// Copies a ledger's state, and returns how it went.
pub(crate) async fn copy_to(from: &StatePlace, to: &StatePlace) -> Result<(), LedgerError> {
    let mut last = (0, 0);
    let copied = copy_state(from, to, &options(), &mut |done, all| {
        assert!(last.0 <= done && done <= all, "{done} of {all} after {last:?}");
        last = (done, all);
    })
    .await?;
    assert_eq!((copied.commitments, copied.memos), (2, 2));
    assert!(copied.rounds >= 601 && copied.answers >= 600, "{copied:?}");
    Ok(())
}

/// A moved state goes on at its new place, with all its data, and no longer at its old one.
pub(crate) async fn goes_on(home: &Home, c: Commitment, old: Location, new: Location) {
    let moved = |error: LedgerError| {
        assert!(matches!(error, LedgerError::Moved(_)), "{error}");
        assert_eq!(error.kind(), ErrorKind::Unavailable);
        assert!(error.to_string().contains("it went to"), "{error}");
    };
    moved(Ledger::open(&old, options()).await.expect_err("closed"));
    moved(Memos::open(&old, options()).await.expect_err("closed"));
    Reader::open(&old, options()).await.expect("can be read").close().await.expect("closes");

    let ledger = Ledger::open(&new, options()).await.expect("opens");
    assert!(ledger.deal(c, round("7"), key("7")).await.expect("remembered").repeated);
    assert!(ledger.show(c).await.expect("is there").open.is_some(), "the round is locked");
    ledger.deal(c, NewDeal::default(), None).await.expect("the lock is dealt");
    assert_eq!(ledger.memos("token", "", None, 9).await.expect("read").len(), 1);
    assert_eq!(ledger.memos("policy", "", None, 9).await.expect("read")[0].1, "by hand");
    ledger.lock(c, locked("y"), None).await.expect("locked for the next move");
    ledger.close().await.expect("closed");
    let found = Ledger::fsck(&new, options(), false, &mut |_, _| ()).await.expect("checked");
    assert_eq!(found.faults, [], "{found:?}");
    assert_eq!(home.audit().findings, []);
}

/// A ledger's folder with the same keys and the same published files, and no state.
pub(crate) fn without_state(home: &Home) -> tempfile::TempDir {
    let dir = quick_folder();
    copy(home.path(), dir.path());
    for file in std::fs::read_dir(dir.path().join("private")).expect("a folder") {
        let path = file.expect("a file").path();
        if path.extension().is_none_or(|ending| ending != "key") {
            std::fs::remove_file(path).expect("removed");
        }
    }
    std::fs::remove_dir_all(dir.path().join("public")).expect("removed");
    std::os::unix::fs::symlink(home.public(), dir.path().join("public")).expect("linked");
    dir
}

fn folder(dir: &Path) -> StatePlace {
    StatePlace::Folder(dir.to_owned())
}

#[tokio::test]
async fn a_state_that_was_copied_amid_a_round_goes_on_in_the_copy_alone() {
    let (home, c) = amid_a_round().await;
    let other = without_state(&home);
    copy_to(&folder(home.path()), &folder(other.path())).await.expect("copied");
    goes_on(&home, c, Location::folder(home.path()), Location::folder(other.path())).await;
    let ledger = Ledger::open(other.path(), options()).await.expect("opens");
    ledger.deal(c, NewDeal::default(), None).await.expect("dealt");
    ledger.reveal(c, NewReveal::default(), None).await.expect("revealed");
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn a_ledger_that_is_open_while_its_state_moves_deals_nothing_afterwards() {
    let (home, c) = amid_a_round().await;
    let other = without_state(&home);
    let ledger = home.open().await;
    copy_to(&folder(home.path()), &folder(other.path())).await.expect("copied");
    let error = ledger.deal(c, NewDeal::default(), None).await.expect_err("it went");
    assert!(matches!(error, LedgerError::Moved(_)), "{error}");
    let error = ledger.write_memos(vec![memo("token", "a", "b")]).await.expect_err("it went");
    assert!(error.to_string().contains("it went to"), "{error}");
}

#[tokio::test]
async fn a_state_that_was_moved_is_not_ready_not_checked_not_saved_and_keeps_the_vault_key_of_both()
{
    let (home, c) = amid_a_round().await;
    let other = without_state(&home);
    let ledger = home.open().await;
    ledger.ready().await.expect("ready");
    copy_to(&folder(home.path()), &folder(other.path())).await.expect("copied");
    let mut found = vec![ledger.ready().await.expect_err("it went")];
    drop(ledger);
    found.push(
        Ledger::rekey(home.path(), options(), None, &mut |_, _| ()).await.expect_err("it went"),
    );
    found.push(
        Ledger::fsck(home.path(), options(), true, &mut |_, _| ()).await.expect_err("it went"),
    );
    let to = quick_folder();
    let parts = BackupParts { keys: true, entries: true };
    let saved =
        Ledger::backup(home.path(), options(), &to.path().join("b"), parts, &mut |_, _| ()).await;
    found.push(saved.expect_err("it went"));
    for error in found {
        assert!(matches!(error, LedgerError::Moved(_)), "{error}");
    }
    // The keys of both are still the same.
    let keys = [home.path(), other.path()]
        .map(|dir| std::fs::read(dir.join("private/vault.key")).expect("read"));
    assert_eq!(keys[0], keys[1]);
    goes_on(&home, c, Location::folder(home.path()), Location::folder(other.path())).await;
}

#[tokio::test]
async fn a_state_is_never_copied_over_another_nor_twice_to_two_places() {
    let (home, _) = amid_a_round().await;
    let (other, third) = (without_state(&home), without_state(&home));
    let strange = Home::quick().await;
    let [from, to, third, strange] =
        [home.path(), other.path(), third.path(), strange.path()].map(folder);
    let error = copy_to(&from, &strange).await.expect_err("holds another ledger");
    assert!(matches!(error, LedgerError::Taken { .. }), "{error}");
    let error = copy_to(&from, &from).await.expect_err("itself");
    assert!(matches!(error, LedgerError::Invalid(_)), "{error}");
    let error = copy_to(&third, &to).await.expect_err("nothing there");
    assert!(matches!(error, LedgerError::NotALedger { .. }), "{error}");
    home.open().await.close().await.expect("none of these closed it");
    copy_to(&from, &to).await.expect("copied");
    let error = copy_to(&from, &third).await.expect_err("it went");
    assert!(matches!(error, LedgerError::Moved(_)), "{error}");
    let error = copy_to(&from, &to).await.expect_err("that is open by now");
    assert!(error.to_string().ends_with("and the copy there is finished"), "{error}");
    let error = copy_to(&to, &from).await.expect_err("the old one stays as it is");
    assert!(matches!(error, LedgerError::Taken { .. }), "{error}");
}

/// Writes the reason why a state is closed, as a copy that stopped there has left it.
async fn close_with(dir: &Path, closed: Option<String>) {
    use fairdeal_ledger::store::{Growth, Head, Sqlite, State as _};
    let path = dir.join("private/state.sqlite");
    let state = Sqlite::open(&path, options().wait).await.expect("opens");
    let mut transaction = state.begin().await.expect("begins");
    let head = Head { closed, ..transaction.head().await.expect("a head") };
    transaction.write(&Growth::of_head(head)).await.expect("written");
    transaction.commit().await.expect("done");
}

#[tokio::test]
async fn a_copy_that_was_interrupted_at_any_step_deals_nothing_and_goes_on_when_asked_again() {
    let (home, c) = amid_a_round().await;
    let other = without_state(&home);
    let [from, to] = [home.path(), other.path()].map(folder);
    // Killed before anything was in the new file.
    let file = other.path().join("private/state.sqlite");
    std::fs::write(&file, "").expect("written");
    let own = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    std::fs::set_permissions(&file, own).expect("its owner's");
    copy_to(&from, &to).await.expect("copied");
    // As it is when the last step is missing: both are closed.
    let waiting = format!("it is a copy of {from}, which is not closed yet");
    close_with(other.path(), Some(waiting.clone())).await;
    for dir in [home.path(), other.path()] {
        let error = Ledger::open(dir, options()).await.expect_err("closed");
        assert!(matches!(error, LedgerError::Moved(_)), "{error}");
    }
    copy_to(&from, &to).await.expect("its last step");
    // And when the source was not closed yet: it may go on, and then the copy is too old.
    close_with(other.path(), Some(waiting.clone())).await;
    close_with(home.path(), None).await;
    copy_to(&from, &to).await.expect("its last two steps");
    close_with(other.path(), Some(waiting)).await;
    close_with(home.path(), None).await;
    let ledger = home.open().await;
    ledger.deal(c, NewDeal::default(), None).await.expect("the lock is dealt");
    ledger.close().await.expect("closed");
    let error = copy_to(&from, &to).await.expect_err("older");
    assert!(error.to_string().contains("remove that copy, and ask again"), "{error}");
    std::fs::remove_file(&file).expect("removed");
    let ledger = home.open().await;
    ledger.lock(c, locked("x"), None).await.expect("locked");
    ledger.close().await.expect("closed");
    copy_to(&from, &to).await.expect("anew");
    goes_on(&home, c, Location::folder(home.path()), Location::folder(other.path())).await;
}
