//! Two nodes on one ledger: what one of them has committed and not published, the other one counts
//! too.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use fairdeal_ledger::store::Fault;
use fairdeal_ledger::{
    BatchEvent, BatchObserver, Ledger, LedgerError, LedgerOptions, NewDeal, Parts,
};
use tokio::time::Instant;

use super::ledger_faulty::{Plan, Truth};
use super::ledger_support::*;

const SOON: Duration = Duration::from_millis(200);
const LAG: Duration = Duration::from_secs(2);

async fn open(home: &Home, plan: &Plan) -> Ledger {
    let options = LedgerOptions { publish_wait: SOON, max_lag: LAG, ..options() };
    let parts = Parts::of_folder(home.path(), options).await.expect("a ledger");
    Ledger::open_on(plan.wrap(parts)).await.expect("opens")
}

#[tokio::test]
async fn a_node_deals_nothing_once_what_another_one_committed_was_not_published_for_max_lag() {
    let (home, plan) = (Home::quick().await, Plan::default());
    let (one, two) = (open(&home, &plan).await, open(&home, &plan).await);
    let a = commit(&one).await;
    let b = two.commit(terms("other"), None).await.expect("committed").commitment;
    plan.cut(Some(Fault::Unreachable));
    let start = Instant::now();
    one.deal(a, round("x"), None).await.expect_err("is not published");
    // Until then it deals: the first deal of the other node is young.
    tokio::time::sleep(LAG / 2).await;
    let error = two.deal(b, round("y"), None).await.expect_err("is not published");
    assert!(matches!(error, LedgerError::Unpublished { .. }), "{error}");
    tokio::time::sleep_until(start + LAG + SOON).await;
    let error = two.deal(b, round("z"), None).await.expect_err("nothing is published");
    assert!(matches!(error, LedgerError::PublishingBehind { entries: 2, .. }), "{error}");
    let health = two.health();
    assert!(health.behind && health.lag >= LAG && health.head == 4, "{health:?}");
    plan.cut(None);
    while two.deal(b, round("z"), None).await.is_err() {
        assert!(start.elapsed() < Duration::from_secs(30), "{:?}", two.health());
        tokio::time::sleep(SOON).await;
    }
    assert_eq!(two.health().lag, Duration::ZERO);
}

#[tokio::test]
async fn a_node_that_looked_at_nothing_for_long_deals_on_a_healthy_ledger() {
    let (home, plan) = (Home::quick().await, Plan::default());
    let (one, two) = (open(&home, &plan).await, open(&home, &plan).await);
    let a = commit(&one).await;
    let b = two.commit(terms("other"), None).await.expect("committed").commitment;
    for wait in 0..3 {
        one.deal(a, round("x"), None).await.expect("dealt");
        two.show(b).await.expect("known");
        tokio::time::sleep(LAG * wait + SOON).await;
        two.deal(b, round("y"), None).await.expect("dealt");
    }
}

#[tokio::test]
async fn a_caller_is_told_in_time_also_where_a_look_at_the_files_hangs() {
    let (home, plan) = (Home::quick().await, Plan::default());
    let ledger = open(&home, &plan).await;
    let c = commit(&ledger).await;
    plan.slow(Duration::from_secs(12));
    // By then an idle ledger looks at the checkpoint, and that hangs.
    tokio::time::sleep(Duration::from_secs(11)).await;
    let start = Instant::now();
    let error = ledger.deal(c, round("x"), None).await.expect_err("is not published");
    assert!(matches!(error, LedgerError::Unpublished { .. }), "{error}");
    assert!(start.elapsed() < SOON * 5, "{:?}", start.elapsed());
}

#[tokio::test]
async fn who_found_no_space_is_not_ready_before_there_is_room_for_a_batch() {
    let (home, plan) = (Home::quick().await, Plan::default());
    let ledger = open(&home, &plan).await;
    let c = commit(&ledger).await;
    let small = || vec![memo("note", "a", "b")];
    plan.room(Some(64 * 1024));
    plan.arm(Some((2, Truth::Nothing, Fault::NoSpace)));
    while ledger.deal(c, round("x"), None).await.is_ok() {
        plan.arm(Some((0, Truth::Nothing, Fault::NoSpace)));
    }
    plan.arm(None);
    for _ in 0..2 {
        assert!(
            matches!(ledger.ready().await, Err(LedgerError::Store(error)) if error.fault == Fault::NoSpace)
        );
        ledger.write_memos(small()).await.expect("a small one fits");
    }
    plan.room(None);
    ledger.ready().await.expect("there is room");
    assert_eq!(ledger.memos("space", "", None, 1).await.expect("read"), []);
}

#[tokio::test]
async fn entries_are_counted_where_they_are_committed_also_those_that_ride_along_or_are_not_published()
 {
    let (home, plan) = (Home::quick().await, Plan::default());
    let counted: Arc<Mutex<Vec<(&str, u64)>>> = Arc::default();
    let counts = Arc::clone(&counted);
    let observer = BatchObserver::new(move |event| {
        if let BatchEvent::Committed { kinds, .. } = event {
            counts.lock().expect("nobody panicked").extend(kinds.iter());
        }
    });
    let options = LedgerOptions { publish_wait: SOON, observer: Some(observer), ..options() };
    let parts = Parts::of_folder(home.path(), options).await.expect("a ledger");
    let ledger = Ledger::open_on(plan.wrap(parts)).await.expect("opens");
    let c = ledger
        .commit(with(terms("main"), |t| t.rounds = int(1)), None)
        .await
        .expect("committed")
        .commitment;
    plan.cut(Some(Fault::Unreachable));
    let deal = NewDeal { next: true, ..round("x") };
    ledger.deal(c, deal, None).await.expect_err("is not published");
    assert_eq!(
        *counted.lock().expect("nobody panicked"),
        [("commit", 1), ("commit", 1), ("deal", 1)]
    );
}
