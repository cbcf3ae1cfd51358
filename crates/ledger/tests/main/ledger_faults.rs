//! Every call on a store fails once, or succeeds and reports a failure. In every case an operation
//! is done once or not at all, what was acknowledged stays, and the same idempotency key gets the
//! same answer.

use std::time::Duration;

use fairdeal::deal::{Commitment, Nonce};
use fairdeal::record::entry::Entry;
use fairdeal_ledger::store::Fault;
use fairdeal_ledger::{
    Done, Ledger, LedgerError, LedgerOptions, NewDeal, NewLock, NewReveal, Parts,
};

use super::ledger_faulty::{Plan, Truth};
use super::ledger_support::*;

/// The operations to try while the stores fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Try {
    Commit,
    Deal,
    DealOfLock,
    /// A lock with the void of the round before: two entries or none.
    LockWithVoid,
    /// The deal that fills the first bundle, after which it is read back and dropped from the
    /// database.
    FillBundle,
    Reveal,
}

impl Try {
    const ALL: [Self; 6] = [
        Self::Commit,
        Self::Deal,
        Self::DealOfLock,
        Self::LockWithVoid,
        Self::FillBundle,
        Self::Reveal,
    ];

    /// How many entries it makes.
    fn entries(self) -> usize {
        if self == Self::LockWithVoid { 2 } else { 1 }
    }

    /// The ledger before the operation.
    async fn prepare(self) -> (Home, Commitment) {
        let home = Home::new().await;
        let ledger = home.open().await;
        let c = commit(&ledger).await;
        ledger.deal(c, round("before"), None).await.expect("dealt");
        match self {
            Self::Commit | Self::Deal | Self::Reveal => {}
            Self::DealOfLock | Self::LockWithVoid => {
                drop(ledger.lock(c, locked("before"), None).await.expect("locked"));
            }
            Self::FillBundle => {
                let deals = (2..255).map(|n| {
                    let (ledger, n) = (ledger.clone(), format!("{n}"));
                    async move { ledger.deal(c, round(&n), None).await }
                });
                futures::future::try_join_all(deals).await.expect("dealt");
            }
        }
        ledger.close().await.expect("closed");
        (home, c)
    }

    async fn run(self, ledger: &Ledger, c: Commitment) -> Result<Done, LedgerError> {
        let once = key("tried once");
        match self {
            Self::Commit => ledger.commit(terms("other"), once).await,
            Self::Deal | Self::FillBundle => ledger.deal(c, round("tried"), once).await,
            Self::DealOfLock => ledger.deal(c, NewDeal::default(), once).await,
            Self::LockWithVoid => {
                ledger.lock(c, NewLock { void: Some(void(Some(1))), ..locked("tried") }, once).await
            }
            Self::Reveal => ledger.reveal(c, NewReveal::default(), once).await,
        }
    }
}

/// The calls that an operation makes on its stores when nothing fails.
async fn calls(one: Try, home: &Home, c: Commitment) -> Vec<&'static str> {
    let copied = copied(home);
    let plan = Plan::default();
    let parts = Parts::of_folder(copied.path(), options()).await.expect("a ledger");
    let ledger = Ledger::open_on(plan.wrap(parts)).await.expect("opens");
    plan.arm(None);
    one.run(&ledger, c).await.expect("nothing fails");
    ledger.close().await.expect("closes");
    plan.calls()
}

fn copied(home: &Home) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    copy(home.path(), dir.path());
    dir
}

async fn one_case(one: Try, home: &Home, c: Commitment, n: usize, truth: Truth, fault: Fault) {
    let copied = copied(home);
    let before = Audit::of(&copied.path().join("public"), &home.key);
    let plan = Plan::default();
    let parts = Parts::of_folder(copied.path(), options()).await.expect("a ledger");
    let ledger = Ledger::open_on(plan.wrap(parts)).await.expect("opens");
    plan.arm(Some((n, truth, fault)));
    let first = one.run(&ledger, c).await;
    drop(ledger.close().await);
    let call = plan.calls().get(n).copied().unwrap_or("none");
    let case = format!("{one:?}, call {n} ({call}), {truth:?}, {fault:?}: {first:?}");

    // In every case the published log is complete, and has what was acknowledged.
    let left = Audit::of(&copied.path().join("public"), &home.key);
    assert_eq!(left.findings, [], "{case}");
    if let Ok(first) = &first {
        let index = usize::try_from(first.index).expect("small");
        assert_eq!(
            left.entries.get(index),
            Some(&first.entry),
            "{case}: acknowledged before it was published"
        );
    }

    // Another process, with working stores.
    let ledger =
        Ledger::open(copied.path(), options()).await.unwrap_or_else(|e| panic!("{case}: {e}"));
    let after = Audit::of(&copied.path().join("public"), &home.key);
    assert_eq!(after.findings, [], "{case}");
    assert_eq!(
        after.entries.get(..before.entries.len()),
        Some(before.entries.as_slice()),
        "{case}"
    );
    let done = after.entries.len() - before.entries.len();
    assert!([0, one.entries()].contains(&done), "{case}: {done} entries");
    if first.is_ok() {
        assert_ne!(done, 0, "{case}: acknowledged and lost");
    }

    let again = one.run(&ledger, c).await.unwrap_or_else(|e| panic!("{case}: again: {e}"));
    assert_eq!(again.repeated, done > 0, "{case}");
    if let Ok(first) = &first {
        assert_eq!(
            (&first.entry, first.index, &first.items),
            (&again.entry, again.index, &again.items),
            "{case}"
        );
    }
    if one == Try::LockWithVoid {
        ledger
            .deal(c, NewDeal::default(), None)
            .await
            .unwrap_or_else(|e| panic!("{case}: deal: {e}"));
    }
    if one != Try::Reveal {
        ledger
            .reveal(c, NewReveal::default(), None)
            .await
            .unwrap_or_else(|e| panic!("{case}: reveal: {e}"));
    }
    let end = Audit::of(&copied.path().join("public"), &home.key);
    assert_eq!(end.findings, [], "{case}: every deal replays");
    let index = usize::try_from(again.index).expect("small");
    assert_eq!(
        end.entries.get(index),
        Some(&again.entry),
        "{case}: what is answered is what is logged"
    );
    let reveals = end.entries.iter().filter(|e| matches!(e, Entry::Reveal(_))).count();
    assert_eq!(reveals, 1, "{case}");
    ledger.close().await.unwrap_or_else(|e| panic!("{case}: {e}"));
}

async fn matrix(one: Try) {
    let (home, c) = one.prepare().await;
    let calls = calls(one, &home, c).await;
    for wanted in ["begin", "lives", "answers", "write", "COMMIT", "lease", "publish"] {
        assert!(calls.contains(&wanted), "{one:?} calls {wanted}: {calls:?}");
    }
    // Until COMMIT, the deal that fills a bundle is like any other.
    let first =
        if one == Try::FillBundle { calls.iter().position(|call| *call == "COMMIT") } else { None };
    for n in first.unwrap_or(0)..calls.len() {
        for truth in [Truth::Nothing, Truth::Everything] {
            for fault in [Fault::Unknown, Fault::Disk] {
                one_case(one, &home, c, n, truth, fault).await;
            }
        }
        // A failure with a known reason: nothing was done.
        for fault in [Fault::NoSpace, Fault::Denied, Fault::Busy] {
            one_case(one, &home, c, n, Truth::Nothing, fault).await;
        }
    }
}

#[tokio::test]
async fn a_commit_is_done_once_or_not_at_all_whatever_call_fails() {
    matrix(Try::Commit).await;
}

#[tokio::test]
async fn a_deal_is_done_once_or_not_at_all_whatever_call_fails() {
    matrix(Try::Deal).await;
}

#[tokio::test]
async fn a_locked_deal_is_done_once_or_not_at_all_whatever_call_fails() {
    matrix(Try::DealOfLock).await;
}

#[tokio::test]
async fn a_lock_and_the_void_that_goes_with_it_are_both_done_once_or_neither_whatever_call_fails() {
    matrix(Try::LockWithVoid).await;
}

#[tokio::test]
async fn a_lock_that_is_refused_leaves_the_round_before_as_it_was() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let c = commit(&ledger).await;
    ledger.lock(c, locked("before"), None).await.expect("locked");
    let before = home.audit().entries.len();
    // Another round than the next, no seed, and the void of a round that is not locked.
    let wrong = |nonce| NewLock { nonce: Some(Nonce::new(nonce).expect("small")), ..locked("x") };
    for lock in [
        NewLock { void: Some(void(Some(0))), ..wrong(2) },
        NewLock { void: Some(void(Some(0))), ..NewLock::default() },
        NewLock { void: Some(void(Some(1))), ..wrong(1) },
        NewLock { void: Some(void(None)), ..wrong(1) },
    ] {
        ledger.lock(c, lock.clone(), None).await.expect_err(&format!("{lock:?}"));
        let shown = ledger.show(c).await.expect("is there");
        assert_eq!((shown.next, shown.open.is_some()), (0, true), "{lock:?}");
    }
    assert_eq!(home.audit().entries.len(), before, "nothing was logged");
    // In one batch with others, too.
    let (refused, dealt) = tokio::join!(
        ledger.lock(c, NewLock { void: Some(void(Some(0))), ..wrong(2) }, None),
        ledger.deal(c, NewDeal::default(), None),
    );
    refused.expect_err("round 2 is not the next");
    assert_eq!(dealt.expect("dealt").nonce.map(Nonce::value), Some(0));
}

#[tokio::test]
async fn a_deal_that_fills_a_bundle_is_done_once_or_not_at_all_whatever_call_fails() {
    let calls = {
        let (home, c) = Try::FillBundle.prepare().await;
        calls(Try::FillBundle, &home, c).await
    };
    assert!(calls.contains(&"drop_entries") && calls.contains(&"remove_partials"), "{calls:?}");
    matrix(Try::FillBundle).await;
}

#[tokio::test]
async fn a_reveal_is_done_once_or_not_at_all_whatever_call_fails() {
    matrix(Try::Reveal).await;
}

#[tokio::test]
async fn opening_after_a_fault_at_any_call_succeeds_and_changes_nothing() {
    for one in Try::ALL {
        let (home, c) = one.prepare().await;
        let plan = Plan::default();
        // The last entry is committed, but not yet published.
        let publish_wait = Duration::from_millis(100);
        let parts = Parts::of_folder(home.path(), LedgerOptions { publish_wait, ..options() });
        let ledger =
            Ledger::open_on(plan.wrap(parts.await.expect("a ledger"))).await.expect("opens");
        plan.cut(Some(Fault::NoSpace));
        let error = one.run(&ledger, c).await.expect_err("not published");
        assert!(matches!(error, LedgerError::Unpublished { .. }), "{error}");
        ledger.close().await.expect_err("not published");
        plan.cut(None);

        let count = {
            let copied = copied(&home);
            let parts = Parts::of_folder(copied.path(), options()).await.expect("a ledger");
            plan.arm(None);
            let ledger = Ledger::open_on(plan.wrap(parts)).await.expect("opens");
            let count = plan.calls().len();
            ledger.close().await.expect("closes");
            count
        };
        for n in 0..count {
            for truth in [Truth::Nothing, Truth::Everything] {
                let copied = copied(&home);
                let parts = Parts::of_folder(copied.path(), options()).await.expect("a ledger");
                plan.arm(Some((n, truth, Fault::Unknown)));
                if let Ok(ledger) = Ledger::open_on(plan.wrap(parts)).await {
                    drop(ledger.close().await);
                }
                let ledger = Ledger::open(copied.path(), options()).await.expect("opens again");
                let again = one.run(&ledger, c).await.expect("the same answer");
                assert!(again.repeated, "{one:?}, call {n}");
                assert_eq!(Audit::of(&copied.path().join("public"), &home.key).findings, []);
                ledger.close().await.expect("closes");
            }
        }
    }
}

/// A ledger that is ready for a deal, and which call of the deal is its COMMIT.
async fn before_its_commit() -> (Home, Commitment, usize) {
    let (home, c) = Try::Deal.prepare().await;
    let calls = calls(Try::Deal, &home, c).await;
    let commit = calls.iter().position(|call| *call == "COMMIT").expect("one COMMIT");
    (home, c, commit)
}

#[tokio::test]
async fn a_lost_answer_to_commit_is_settled_by_asking_and_a_failed_sync_stops_the_ledger() {
    let (home, c, commit) = before_its_commit().await;
    for (truth, fault, acknowledged, stopped) in [
        (Truth::Everything, Fault::Unknown, true, false),
        (Truth::Nothing, Fault::Unknown, false, false),
        (Truth::Nothing, Fault::NoSpace, false, false),
        (Truth::Everything, Fault::Disk, false, true),
        (Truth::Nothing, Fault::Disk, false, true),
    ] {
        let copied = copied(&home);
        let plan = Plan::default();
        let parts = Parts::of_folder(copied.path(), options()).await.expect("a ledger");
        let ledger = Ledger::open_on(plan.wrap(parts)).await.expect("opens");
        plan.arm(Some((commit, truth, fault)));
        let first = Try::Deal.run(&ledger, c).await;
        assert_eq!(first.is_ok(), acknowledged, "{truth:?} {fault:?}: {first:?}");
        let next = ledger.deal(c, round("next"), None).await;
        match next {
            Ok(_) => assert!(!stopped),
            Err(LedgerError::Stopped(why)) => assert!(stopped && why.contains("COMMIT"), "{why}"),
            Err(error) => panic!("{error}"),
        }
    }
}

#[tokio::test]
async fn a_lost_answer_to_commit_is_settled_when_the_database_is_back() {
    let (home, c, commit) = before_its_commit().await;
    for (truth, away, max_lag, settled) in [
        (Truth::Everything, 3, Duration::from_mins(1), Some(true)),
        (Truth::Nothing, 3, Duration::from_mins(1), Some(false)),
        // It is away for too long to tell the caller; not for the ledger.
        (Truth::Everything, 10, Duration::from_millis(500), None),
        (Truth::Nothing, 10, Duration::from_millis(500), None),
    ] {
        let copied = copied(&home);
        let plan = Plan::default();
        let options = LedgerOptions { max_lag, ..options() };
        let parts = Parts::of_folder(copied.path(), options).await.expect("a ledger");
        let ledger = Ledger::open_on(plan.wrap(parts)).await.expect("opens");
        let before = ledger.published_size().await.expect("its size");
        plan.arm(Some((commit, truth, Fault::Unknown)));
        plan.then_away(away);
        let first = Try::Deal.run(&ledger, c).await;
        if let Some(done) = settled {
            assert_eq!(first.is_ok(), done, "{truth:?}: {first:?}");
            ledger.deal(c, round("next"), None).await.expect("it goes on");
        } else {
            assert!(matches!(first, Err(LedgerError::Unsettled(_))), "{first:?}");
            let next = ledger.deal(c, round("next"), None).await;
            assert!(
                matches!(&next, Err(LedgerError::Store(e)) if e.fault == Fault::Unreachable),
                "{next:?}"
            );
            // Nobody deals, and what was committed is published all the same.
            let there = before + u64::from(truth == Truth::Everything);
            while plan.is_away() || ledger.published_size().await.expect("its size") < there {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            ledger.ready().await.expect("it goes on");
            ledger.deal(c, round("next"), None).await.expect("it goes on");
            assert_eq!(ledger.published_size().await.expect("its size"), there + 1);
        }
    }
}

#[tokio::test]
async fn when_space_returns_the_same_handle_goes_on() {
    let (home, c) = Try::Deal.prepare().await;
    let calls = calls(Try::Deal, &home, c).await;
    let plan = Plan::default();
    let parts = Parts::of_folder(home.path(), options()).await.expect("a ledger");
    let ledger = Ledger::open_on(plan.wrap(parts)).await.expect("opens");
    for (n, call) in calls.iter().enumerate() {
        let once = key(&format!("{n}"));
        plan.arm(Some((n, Truth::Nothing, Fault::NoSpace)));
        let first = ledger.deal(c, round("x"), once.clone()).await;
        plan.arm(None);
        let again = ledger
            .deal(c, round("x"), once)
            .await
            .unwrap_or_else(|e| panic!("call {n} ({call}): {e}"));
        if let Ok(first) = first {
            assert_eq!(first.entry, again.entry, "call {n} ({call})");
        }
    }
    ledger.reveal(c, NewReveal::default(), None).await.expect("revealed");
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn who_found_no_space_is_not_ready_until_a_write_succeeds() {
    let (home, c) = Try::Deal.prepare().await;
    let write = calls(Try::Deal, &home, c)
        .await
        .iter()
        .position(|call| *call == "write")
        .expect("it writes");
    let plan = Plan::default();
    let parts = Parts::of_folder(home.path(), options()).await.expect("a ledger");
    let ledger = Ledger::open_on(plan.wrap(parts)).await.expect("opens");
    let no_space = |n| plan.arm(Some((n, Truth::Nothing, Fault::NoSpace)));
    let is_refused = |found: Result<(), LedgerError>| match found {
        Err(LedgerError::Store(error)) => assert_eq!(error.fault, Fault::NoSpace),
        other => panic!("{other:?}"),
    };
    no_space(write);
    is_refused(ledger.deal(c, round("x"), None).await.map(drop));
    plan.arm(None);
    ledger.ready().await.expect("there is space again, and nobody had to deal for it");
    let tries = plan.calls().iter().position(|call| *call == "write_memos").expect("it tries");
    assert_eq!(ledger.memos("space", "", None, 1).await.expect("read"), []);

    no_space(write);
    is_refused(ledger.deal(c, round("x"), None).await.map(drop));
    for _ in 0..2 {
        no_space(tries);
        is_refused(ledger.ready().await);
    }
    plan.arm(None);
    // A right that was taken away, a lock that somebody keeps, a server that reads and does not
    // write.
    for fault in [Fault::Denied, Fault::Busy, Fault::Unreachable] {
        let same = |found: Result<(), LedgerError>| match found {
            Err(LedgerError::Store(error)) => assert_eq!(error.fault, fault),
            other => panic!("{other:?}"),
        };
        plan.arm(Some((write, Truth::Nothing, fault)));
        same(ledger.deal(c, round("x"), None).await.map(drop));
        plan.arm(Some((tries, Truth::Nothing, fault)));
        same(ledger.ready().await);
        plan.arm(None);
        ledger.ready().await.expect("writes succeed again");
    }
    ledger.deal(c, round("x"), None).await.expect("dealt");
    plan.arm(None);
    ledger.ready().await.expect("the deal has shown it");
    assert!(!plan.calls().contains(&"write_memos"), "{:?}", plan.calls());
}
