//! The published files are out of reach, or slow: what is committed stays, callers are told in
//! time, nothing new is accepted that the world cannot see, and the ledger catches up by itself.

use std::time::Duration;

use fairdeal::deal::{Commitment, Nonce};
use fairdeal::record::receipt::{Document, verify};
use fairdeal_ledger::store::{Fault, Sqlite, State as _, StoreError};
use fairdeal_ledger::{
    ErrorKind, Health, Ledger, LedgerError, LedgerOptions, NewReveal, Parts, Reader,
};
use futures::future::join_all;
use tokio::time::Instant;

use super::ledger_faulty::Plan;
use super::ledger_support::*;

const SOON: Duration = Duration::from_millis(200);
const LATE: Duration = Duration::from_hours(1);

async fn open(home: &Home, plan: &Plan, options: LedgerOptions) -> Ledger {
    let parts = Parts::of_folder(home.path(), options).await.expect("a ledger");
    Ledger::open_on(plan.wrap(parts)).await.expect("opens")
}

/// A ledger with one deal, whose callers wait `SOON`.
async fn dealt(max_lag: Duration) -> (Home, Plan, Ledger, Commitment) {
    let (home, plan) = (Home::quick().await, Plan::default());
    let ledger =
        open(&home, &plan, LedgerOptions { publish_wait: SOON, max_lag, ..options() }).await;
    let c = commit(&ledger).await;
    ledger.deal(c, round("before"), None).await.expect("dealt");
    (home, plan, ledger, c)
}

/// Waits until the ledger is as wanted.
async fn until(ledger: &Ledger, wanted: impl Fn(&Health) -> bool) -> Health {
    let start = Instant::now();
    loop {
        let health = ledger.health();
        if wanted(&health) {
            return health;
        }
        assert!(start.elapsed() < Duration::from_secs(30), "{health:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn an_idle_ledger_publishes_what_another_left_and_what_somebody_took_back() {
    let (home, plan, ledger, c) = dealt(LATE).await;
    let checkpoint = home.public().join("checkpoint");
    let before = std::fs::read(&checkpoint).expect("read");
    let published = async |entries: &str| {
        let start = Instant::now();
        while !std::fs::read_to_string(&checkpoint).expect("read").contains(entries) {
            assert!(start.elapsed() < Duration::from_mins(1), "nobody publishes it");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    // It commits, and ends before it can publish.
    let idle = home.open().await;
    plan.cut(Some(Fault::Unreachable));
    let error = ledger.deal(c, round("x"), None).await.expect_err("is not published");
    assert!(matches!(error, LedgerError::Unpublished { .. }), "{error}");
    drop(ledger);
    published("\n3\n").await;
    // Somebody puts an older checkpoint back.
    idle.deal(c, round("y"), None).await.expect("dealt");
    std::fs::write(&checkpoint, before).expect("written");
    published("\n4\n").await;
    idle.close().await.expect("closed");
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn a_reveal_that_is_not_published_yet_keeps_back_no_receipt_of_its_rounds() {
    let (home, plan, ledger, c) = dealt(LATE).await;
    plan.cut(Some(Fault::Unreachable));
    let error = ledger.reveal(c, NewReveal::default(), None).await.expect_err("is not published");
    assert!(matches!(error, LedgerError::Unpublished { .. }), "{error}");
    let reader = Reader::open(home.path(), options()).await.expect("opens");
    let ended = reader.show(c).await.expect("known").ended;
    assert!(ended.is_some(), "the state has the reveal");
    let receipt = reader.receipt(c, Some(Nonce::FIRST)).await.expect("a receipt");
    assert_eq!(receipt.entries.len(), 2, "commit and deal");
    let verdict = verify(&Document::Receipt(receipt), reader.verifier_key());
    assert!(verdict.holds, "{verdict:?}");
    plan.cut(None);
    until(&ledger, |health| health.published == health.head).await;
    let receipt = reader.receipt(c, Some(Nonce::FIRST)).await.expect("a receipt");
    assert_eq!(receipt.entries.len(), 3, "and the reveal");
}

#[tokio::test]
async fn a_caller_is_told_in_time_and_the_ledger_publishes_by_itself_when_it_can() {
    for fault in [Fault::Unreachable, Fault::NoSpace] {
        let (home, plan, ledger, c) = dealt(LATE).await;
        assert_eq!((ledger.health().head, ledger.health().published), (2, 2));
        plan.cut(Some(fault));
        let start = Instant::now();
        for n in 2..5 {
            let error = ledger
                .deal(c, round("x"), key(&n.to_string()))
                .await
                .expect_err("is not published");
            let LedgerError::Unpublished { index, why, .. } = &error else { panic!("{error}") };
            assert_eq!(*index, n);
            assert!(
                matches!(&**why, LedgerError::Store(StoreError { fault: found, .. }) if *found == fault)
            );
            assert_eq!((error.kind(), error.code()), (ErrorKind::Unavailable, "not-published"));
        }
        assert!(start.elapsed() >= SOON * 3, "each caller waited for the stated time");
        let health = ledger.health();
        assert_eq!((health.head, health.published, health.behind), (5, 2, false));
        assert!(health.unpublished_since.is_some() && health.lag >= SOON * 3, "{health:?}");
        assert!(health.failing.expect("why").contains("it is cut off"));
        assert_eq!(home.audit().size, 2);
        plan.cut(None);
        let health = until(&ledger, |health| health.published == 5).await;
        assert_eq!((health.unpublished_since, health.failing), (None, None));
        let audit = home.audit();
        for n in 2..5 {
            let again =
                ledger.deal(c, round("x"), key(&n.to_string())).await.expect("the same deal");
            assert!(again.repeated && again.index == n);
            assert_eq!(audit.entries.get(usize::try_from(n).expect("small")), Some(&again.entry));
        }
        assert_eq!(home.audit().findings, []);
    }
}

#[tokio::test]
async fn the_callers_of_a_publication_that_hangs_are_told_in_time_and_so_are_those_behind_it() {
    let (home, plan, ledger, c) = dealt(LATE).await;
    plan.slow(Duration::from_secs(6));
    let start = Instant::now();
    let deals = (0..20).map(|n| {
        let ledger = ledger.clone();
        async move {
            tokio::time::sleep(Duration::from_millis(n * 20)).await;
            ledger.deal(c, round(&n.to_string()), None).await
        }
    });
    for answer in join_all(deals).await {
        let error = answer.expect_err("is not published");
        assert!(matches!(&error, LedgerError::Unpublished { .. }), "{error}");
        assert!(error.to_string().contains("under way"), "{error}");
    }
    assert!(start.elapsed() < Duration::from_secs(6), "before the first publication has ended");
    plan.slow(Duration::ZERO);
    until(&ledger, |health| health.published == 22).await;
    assert_eq!((home.audit().size, home.audit().findings), (22, vec![]));
}

#[tokio::test]
async fn a_caller_that_still_waits_when_publishing_works_again_gets_its_answer() {
    let (home, plan) = (Home::quick().await, Plan::default());
    let ledger = open(&home, &plan, options()).await;
    let c = commit(&ledger).await;
    plan.cut(Some(Fault::Unreachable));
    let deals = (0..20).map(|n| {
        let ledger = ledger.clone();
        async move { ledger.deal(c, round(&n.to_string()), None).await }
    });
    let mend = async {
        until(&ledger, |health| health.failing.is_some() && health.head > 1).await;
        plan.cut(None);
    };
    let (answers, ()) = tokio::join!(join_all(deals), mend);
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    assert_eq!((home.audit().size, home.audit().findings), (21, vec![]));
}

#[tokio::test]
async fn after_the_stated_lag_nothing_new_is_accepted_until_the_world_has_seen_the_rest() {
    let (home, plan, ledger, c) = dealt(SOON * 2).await;
    plan.cut(Some(Fault::Unreachable));
    let error = ledger.deal(c, round("x"), key("x")).await.expect_err("is not published");
    assert!(matches!(error, LedgerError::Unpublished { index: 2, .. }), "{error}");
    let since = until(&ledger, |health| health.behind).await.unpublished_since.expect("one waits");
    let refused = [
        ledger.commit(terms("other"), None).await,
        ledger.lock(c, locked("y"), None).await,
        ledger.deal(c, round("y"), None).await,
        ledger.deal(c, round("x"), key("x")).await,
        ledger.reveal(c, NewReveal::default(), None).await,
    ];
    for error in refused.into_iter().map(|answer| answer.expect_err("is refused")) {
        assert!(
            matches!(error, LedgerError::PublishingBehind { entries: 1, since: found } if found == since)
        );
        assert_eq!((error.kind(), error.code()), (ErrorKind::Unavailable, "publishing-behind"));
    }
    assert_eq!(ledger.health().head, 3, "nothing was committed");
    assert_eq!(ledger.show(c).await.expect("reading goes on").next, 2);
    plan.cut(None);
    until(&ledger, |health| !health.behind).await;
    assert!(ledger.deal(c, round("x"), key("x")).await.expect("the same deal").repeated);
    ledger.reveal(c, NewReveal::default(), None).await.expect("revealed");
    assert_eq!((home.audit().size, home.audit().findings), (4, vec![]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn however_many_callers_there_are_each_is_answered_and_what_was_committed_is_published() {
    let (home, plan, ledger, c) = dealt(Duration::from_secs(2)).await;
    plan.cut(Some(Fault::Unreachable));
    let callers = (0..6_000).map(|n| {
        let ledger = ledger.clone();
        tokio::spawn(async move { ledger.deal(c, round(&n.to_string()), None).await })
    });
    let (mut committed, mut refused) = (0, 0);
    for answer in join_all(callers).await {
        match answer.expect("ended").expect_err("is not published") {
            LedgerError::Unpublished { .. } => committed += 1,
            LedgerError::PublishingBehind { .. } => refused += 1,
            error => panic!("{error}"),
        }
    }
    assert_eq!(committed + refused, 6_000);
    assert_eq!(ledger.health().head, 2 + committed);
    plan.cut(None);
    until(&ledger, |health| health.published == health.head).await;
    ledger.reveal(c, NewReveal::default(), None).await.expect("revealed");
    ledger.close().await.expect("closes");
    assert_eq!((home.audit().size, home.audit().findings), (3 + committed, vec![]));
    // Entries published from the database were read back from the files before the database
    // dropped them.
    let whole = (3 + committed) / 256;
    assert!(whole > 0);
    for index in 0..whole {
        let partials = home.public().join(format!("tile/entries/{index:03}.p"));
        assert!(!partials.exists(), "{}", partials.display());
    }
    let state = Sqlite::open(&home.private().join("state.sqlite"), SOON).await.expect("opens");
    assert_eq!(state.read().await.expect("reads").head().await.expect("a head").kept, whole * 256);
}

#[tokio::test]
async fn a_fault_that_waiting_does_not_mend_is_told_at_once_and_is_tried_again_all_the_same() {
    let (home, plan, ledger, c) = dealt(LATE).await;
    drop(ledger);
    let ledger = open(&home, &plan, LedgerOptions { publish_wait: LATE, ..options() }).await;
    plan.cut(Some(Fault::Denied));
    let error = ledger.deal(c, round("x"), None).await.expect_err("is not published");
    assert!(matches!(error, LedgerError::Unpublished { index: 2, .. }), "{error}");
    plan.cut(None);
    until(&ledger, |health| health.published == 3).await;
    assert_eq!((home.audit().size, home.audit().findings), (3, vec![]));
}

#[tokio::test]
async fn the_ledger_of_one_command_tells_the_first_failure_and_waits_for_what_is_slow() {
    let (home, plan, ledger, c) = dealt(LATE).await;
    ledger.close().await.expect("closes");
    let options = LedgerOptions { publish_wait: Duration::ZERO, one_shot: true, ..options() };
    let ledger = open(&home, &plan, options).await;
    plan.slow(Duration::from_millis(1_200));
    ledger.deal(c, round("x"), None).await.expect("dealt");
    plan.slow(Duration::ZERO);
    plan.cut(Some(Fault::Unreachable));
    let error = ledger.deal(c, round("y"), None).await.expect_err("is not published");
    assert!(matches!(error, LedgerError::Unpublished { index: 3, .. }), "{error}");
    ledger.close().await.expect_err("is not published");
}

#[tokio::test]
async fn a_fault_that_leaves_the_disk_unknown_stops_the_ledger_and_is_not_tried_again() {
    for fault in [Fault::Disk, Fault::Unknown] {
        let (home, plan, ledger, c) = dealt(LATE).await;
        plan.cut(Some(fault));
        let error = ledger.deal(c, round("x"), None).await.expect_err("is not published");
        assert!(matches!(error, LedgerError::Unpublished { index: 2, .. }), "{error}");
        plan.cut(None);
        assert!(matches!(ledger.deal(c, round("y"), None).await, Err(LedgerError::Stopped(_))));
        assert!(ledger.health().stopped.expect("why").contains("it is cut off"));
        tokio::time::sleep(SOON).await;
        assert_eq!((home.audit().size, ledger.health().published), (2, 2));
        ledger.close().await.expect_err("an entry is not published");
        home.open().await;
        assert_eq!((home.audit().size, home.audit().findings), (3, vec![]));
    }
}

#[tokio::test]
async fn a_ledger_that_cannot_publish_can_be_closed_and_the_next_one_publishes() {
    let (home, plan, ledger, c) = dealt(LATE).await;
    plan.cut(Some(Fault::Unreachable));
    let waiting = {
        let ledger = ledger.clone();
        tokio::spawn(async move { ledger.deal(c, round("x"), None).await })
    };
    until(&ledger, |health| health.head == 3).await;
    let error = ledger.close().await.expect_err("an entry is not published");
    assert!(
        matches!(error, LedgerError::Store(StoreError { fault: Fault::Unreachable, .. })),
        "{error}"
    );
    assert!(matches!(
        waiting.await.expect("ended"),
        Err(LedgerError::Unpublished { index: 2, .. })
    ));
    plan.cut(None);
    home.open().await;
    assert_eq!((home.audit().size, home.audit().findings), (3, vec![]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_waits_for_a_slow_one_to_publish_does_not_fail_its_callers() {
    let home = Home::quick().await;
    let plan = Plan::default();
    // Each waits much shorter for the other's lease than a publication takes.
    let options = LedgerOptions { wait: Duration::from_millis(50), ..options() };
    let nodes = [open(&home, &plan, options.clone()).await, open(&home, &plan, options).await];
    let c = commit(&nodes[0]).await;
    plan.slow(Duration::from_millis(150));
    let callers = (0..30).map(|n| {
        let node = nodes[n % 2].clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(u64::try_from(n).expect("small") * 20)).await;
            node.deal(c, round(&n.to_string()), None).await
        })
    });
    for answer in join_all(callers).await {
        let answer = answer.expect("ended");
        // The database's lock is waited for with the same short patience.
        if let Err(error) = answer {
            assert!(
                matches!(error, LedgerError::Store(StoreError { fault: Fault::Busy, .. })),
                "{error}"
            );
        }
    }
    plan.slow(Duration::ZERO);
    assert_eq!(home.audit().findings, []);
    let [one, other] = nodes;
    one.close().await.expect("closes");
    other.close().await.expect("closes");
}

#[tokio::test]
async fn a_holder_of_the_right_to_publish_that_hangs_stops_nobody_where_the_store_checks_each_step()
{
    let (home, plan) = (Home::quick().await, Plan::default());
    let publish_wait = Duration::from_secs(5);
    let options = LedgerOptions { wait: Duration::from_millis(50), publish_wait, ..options() };
    let ledger = open(&home, &plan, options.clone()).await;
    let c = commit(&ledger).await;
    let state =
        Sqlite::open(&home.private().join("state.sqlite"), options.wait).await.expect("opens");
    let hung = state.lease().await.expect("asked").expect("free");
    let error =
        ledger.deal(c, round("in a folder"), None).await.expect_err("two may not write there");
    assert!(matches!(error, LedgerError::Unpublished { .. }), "{error}");
    plan.conditional();
    for seed in ["one", "two"] {
        ledger.deal(c, round(seed), None).await.expect("published");
    }
    ledger.close().await.expect("closes");
    let another = open(&home, &plan, options).await;
    another.deal(c, round("three"), None).await.expect("published");
    drop(hung);
    assert_eq!((home.audit().size, home.audit().findings), (5, vec![]));
}

#[tokio::test]
async fn a_store_that_says_for_a_while_that_there_is_no_checkpoint_stops_a_ledger_only_where_it_checks_nothing()
 {
    for is_conditional in [false, true] {
        let (home, plan, one, c) = dealt(LATE).await;
        if is_conditional {
            plan.conditional();
        }
        let other = open(&home, &plan, options()).await;
        other.deal(c, round("elsewhere"), None).await.expect("dealt");
        plan.no_checkpoint(true);
        let error = one.deal(c, round("here"), None).await.expect_err("is not published");
        let LedgerError::Unpublished { why, .. } = &error else { panic!("{error}") };
        assert!(matches!(**why, LedgerError::NoCheckpoint), "{why}");
        assert_eq!(
            one.ready().await.expect_err("says so").code(),
            if is_conditional { "no-checkpoint" } else { "stopped" }
        );
        assert_eq!(one.health().stopped.is_none(), is_conditional);
        plan.no_checkpoint(false);
        if is_conditional {
            until(&one, |health| health.published == 4).await;
            one.deal(c, round("after"), None).await.expect("dealt");
        }
    }
}

#[tokio::test]
async fn what_another_node_commits_between_two_batches_is_published_with_them() {
    let (home, plan) = (Home::quick().await, Plan::default());
    let (one, other) = (open(&home, &plan, options()).await, home.open().await);
    let c = commit(&one).await;
    let deal = |node: &Ledger, n: u64| {
        let node = node.clone();
        tokio::spawn(async move { node.deal(c, round(&n.to_string()), None).await })
    };
    for answer in join_all((1..253).map(|n| deal(&one, n))).await {
        answer.expect("ended").expect("dealt");
    }
    // While the one publishes, it commits again, the other fills the bundle of 256, and the one
    // commits once more.
    plan.slow(Duration::from_millis(900));
    let (mut deals, mut size) = (Vec::new(), 253);
    for (node, count) in [(&one, 1), (&one, 1), (&other, 3), (&one, 1)] {
        deals.extend((size..size + count).map(|n| deal(node, n)));
        size += count;
        until(node, |health| health.head == size).await;
    }
    for answer in join_all(deals).await {
        answer.expect("ended").expect("dealt");
    }
    assert_eq!((home.audit().size, home.audit().findings), (259, vec![]));
}

#[tokio::test]
async fn who_deals_nothing_knows_what_another_has_published() {
    let home = Home::quick().await;
    let (one, other) = (home.open().await, home.open().await);
    let c = commit(&one).await;
    for _ in 0..4 {
        one.deal(c, round("x"), None).await.expect("dealt");
    }
    other.ready().await.expect("ready");
    let health = other.health();
    assert_eq!((health.head, health.published, health.behind), (5, 5, false));
}
