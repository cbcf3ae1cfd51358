//! Many commands at once: batches, two handles on one ledger, and repeated requests.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use fairdeal::deal::{Commitment, Nonce};
use fairdeal::record::finding::Code;
use fairdeal_ledger::store::{Fault, Sqlite, State as _, StoreError};
use fairdeal_ledger::{
    Choice, ErrorKind, Ledger, LedgerError, LedgerOptions, NewDeal, NewReveal, Parts,
};
use futures::future::join_all;

use super::ledger_faulty::Plan;
use super::ledger_support::*;

fn commits(plan: &Plan) -> usize {
    plan.calls().iter().filter(|call| **call == "COMMIT").count()
}

async fn counted(home: &Home, options: LedgerOptions) -> (Ledger, Plan) {
    let plan = Plan::default();
    let parts = Parts::of_folder(home.path(), options).await.expect("a ledger");
    let ledger = Ledger::open_on(plan.wrap(parts)).await.expect("opens");
    (ledger, plan)
}

#[tokio::test]
async fn who_asks_while_another_process_has_the_head_is_in_the_next_batch() {
    let home = Home::new().await;
    let (ledger, plan) = counted(&home, options()).await;
    let c = commit(&ledger).await;
    let other =
        Sqlite::open(&home.private().join("state.sqlite"), options().wait).await.expect("opens");
    let held = other.begin().await.expect("the head");
    plan.arm(None);
    let deal = |n: u64| {
        let ledger = ledger.clone();
        tokio::spawn(async move { ledger.deal(c, round(&n.to_string()), None).await })
    };
    let mut deals = vec![deal(0)];
    // The first one waits for the head when the others come.
    tokio::time::sleep(Duration::from_millis(200)).await;
    deals.extend((1..20).map(deal));
    tokio::time::sleep(Duration::from_millis(200)).await;
    held.roll_back().await.expect("let go");
    for deal in deals {
        deal.await.expect("ended").expect("dealt");
    }
    assert_eq!(commits(&plan), 1, "all of them in one transaction");
}

#[tokio::test]
async fn a_refusal_answers_its_own_caller_and_harms_nobody_else_in_its_batch() {
    let home = Home::new().await;
    let delay = LedgerOptions { max_batch_delay: Duration::from_millis(300), ..options() };
    let (ledger, plan) = counted(&home, delay).await;
    let c = commit(&ledger).await;
    plan.arm(None);
    let kinds = [0, 1, 2].into_iter().cycle().take(90);
    let deals = (0..).zip(kinds).map(|(n, kind): (u64, _)| {
        let ledger = ledger.clone();
        async move {
            match kind {
                0 => ledger.deal(c, round(&format!("{n}")), None).await,
                1 => ledger.deal(Commitment::from_bytes([9; 32]), round("x"), None).await,
                _ => {
                    let nonce = Nonce::new(500).expect("small");
                    ledger.deal(c, NewDeal { nonce: Some(nonce), ..round("x") }, None).await
                }
            }
        }
    });
    let answers = join_all(deals).await;
    assert_eq!(commits(&plan), 1, "all of them in one transaction");
    let mut nonces = BTreeSet::new();
    for (kind, answer) in [0, 1, 2].into_iter().cycle().zip(answers) {
        match (kind, answer) {
            (0, Ok(done)) => assert!(nonces.insert(done.nonce)),
            (1, Err(LedgerError::Refused(found))) => assert_eq!(found[0].code, Code::NoCommitment),
            (2, Err(LedgerError::Refused(found))) => assert_eq!(found[0].code, Code::NonceGap),
            (_, other) => panic!("{kind}: {other:?}"),
        }
    }
    assert_eq!(nonces.len(), 30);
    ledger.reveal(c, NewReveal::default(), None).await.expect("revealed");
    assert_eq!(home.audit().findings, []);
    assert_eq!(home.audit().size, 32);
}

#[tokio::test]
async fn an_idle_ledger_answers_one_by_one_and_a_busy_one_grows_its_batches_by_itself() {
    let home = Home::new().await;
    let (ledger, plan) = counted(&home, options()).await;
    let c = commit(&ledger).await;
    plan.arm(None);
    for _ in 0..5 {
        ledger.deal(c, round("x"), None).await.expect("dealt");
    }
    assert_eq!(commits(&plan), 5);
    plan.arm(None);
    let all = join_all((0..500).map(|_| ledger.deal(c, round("x"), None))).await;
    assert!(all.iter().all(Result::is_ok));
    assert!(commits(&plan) <= 50, "500 deals took {} transactions", commits(&plan));
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn a_batch_may_use_what_it_has_just_made() {
    let home = Home::new().await;
    let delay = LedgerOptions { max_batch_delay: Duration::from_millis(200), ..options() };
    let (ledger, plan) = counted(&home, delay).await;
    plan.arm(None);
    let tables: Vec<String> = (0..20).map(|n| format!("table {n}")).collect();
    let commits_at_once =
        join_all(tables.iter().map(|table| ledger.commit(terms(table), None))).await;
    assert_eq!(commits(&plan), 1);
    let made: Vec<Commitment> =
        commits_at_once.into_iter().map(|done| done.expect("done").commitment).collect();
    assert_eq!(made.iter().collect::<BTreeSet<_>>().len(), 20);
    plan.arm(None);
    let mut in_order: Vec<_> = ledger
        .list(&Choice::default(), 0, u32::MAX)
        .await
        .expect("listed")
        .into_iter()
        .map(|s| s.commitment)
        .collect();
    let steps = in_order.drain(..).flat_map(|c| [(c, 0), (c, 1), (c, 2)]);
    let done = join_all(steps.map(|(c, step)| {
        let ledger = ledger.clone();
        async move {
            match step {
                0 => ledger.lock(c, locked("x"), None).await,
                1 => ledger.deal(c, NewDeal::default(), None).await,
                _ => ledger.reveal(c, NewReveal::default(), None).await,
            }
        }
    }))
    .await;
    assert!(done.iter().all(Result::is_ok), "{done:?}");
    assert_eq!(commits(&plan), 1);
    assert_eq!(home.audit().findings, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_handles_on_one_ledger_make_one_order_and_no_nonce_twice() {
    let home = Home::new().await;
    let (one, two) = (home.open().await, home.open().await);
    let c = commit(&one).await;
    let mut tasks = Vec::new();
    for ledger in [&one, &two] {
        for lane in 0..4 {
            let ledger = ledger.clone();
            tasks.push(tokio::spawn(async move {
                let mut nonces = Vec::new();
                for n in 0..25 {
                    let done =
                        ledger.deal(c, round(&format!("{lane}/{n}")), None).await.expect("dealt");
                    nonces.push(done.nonce.expect("a round").value());
                }
                nonces
            }));
        }
    }
    let mut nonces: Vec<u64> = Vec::new();
    for task in tasks {
        nonces.extend(task.await.expect("ended"));
    }
    nonces.sort_unstable();
    assert_eq!(nonces, (0..200).collect::<Vec<u64>>());
    one.close().await.expect("closed");
    two.reveal(c, NewReveal::default(), None).await.expect("revealed");
    assert_eq!(home.audit().findings, []);
    assert_eq!(home.audit().size, 202);
}

#[tokio::test]
async fn who_waits_longer_than_allowed_for_another_process_is_told_so() {
    let home = Home::new().await;
    let wait = Duration::from_secs(1);
    let options = LedgerOptions { wait, publish_wait: wait, ..options() };
    let ledger = Ledger::open(home.path(), options).await.expect("opens");
    let c = commit(&ledger).await;
    let other = Sqlite::open(&home.private().join("state.sqlite"), wait).await.expect("opens");
    let held = other.begin().await.expect("the lock");
    let error = ledger.deal(c, round("x"), None).await.expect_err("locked");
    assert!(matches!(&error, LedgerError::Store(StoreError { fault: Fault::Busy, .. })), "{error}");
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    held.roll_back().await.expect("let go");
    ledger.deal(c, round("x"), None).await.expect("dealt");

    let lease = loop {
        // The last publisher may still be removing files.
        if let Some(lease) = other.lease().await.expect("asked") {
            break lease;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    };
    let error = ledger.deal(c, round("y"), key("once")).await.expect_err("not published");
    assert!(matches!(&error, LedgerError::Unpublished { index: 2, .. }), "{error}");
    drop(lease);
    assert!(ledger.deal(c, round("y"), key("once")).await.expect("the same deal").repeated);
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn the_same_key_and_request_get_the_same_answer_and_another_request_is_refused() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let first = ledger.commit(terms("main"), key("commit")).await.expect("done");
    let again = ledger.commit(terms("main"), key("commit")).await.expect("done");
    assert_eq!((first.commitment, first.repeated, again.repeated), (again.commitment, false, true));
    let c = first.commitment;
    let dealt = ledger.deal(c, round("x"), key("deal")).await.expect("dealt");
    let again = ledger.deal(c, round("x"), key("deal")).await.expect("dealt");
    assert_eq!((&dealt.entry, &dealt.items, again.repeated), (&again.entry, &again.items, true));
    for other in [
        ledger.deal(c, round("y"), key("deal")).await,
        ledger.lock(c, locked("x"), key("deal")).await,
    ] {
        let error = other.expect_err("another request");
        assert!(matches!(&error, LedgerError::KeyReused(key) if key == "deal"), "{error}");
        assert_eq!(error.kind(), ErrorKind::Usage);
    }
    assert_eq!(home.audit().size, 2);
}

#[tokio::test]
async fn one_key_in_one_batch_is_done_once() {
    let home = Home::new().await;
    let delay = LedgerOptions { max_batch_delay: Duration::from_millis(200), ..options() };
    let (ledger, _) = counted(&home, delay).await;
    let sealed = with(terms("main"), |t| t.sealed = true);
    let c = ledger.commit(sealed, None).await.expect("done").commitment;
    let answers = join_all((0..10).map(|_| ledger.deal(c, round("x"), key("deal")))).await;
    let answers: Vec<_> = answers.into_iter().map(|done| done.expect("dealt")).collect();
    assert_eq!(answers.iter().filter(|done| !done.repeated).count(), 1);
    assert!(answers.iter().all(|done| done.index == 1 && done.card_seals == answers[0].card_seals));
    assert!(answers[0].card_seals.is_some());
    assert_eq!(home.audit().size, 2);
}

#[tokio::test]
async fn a_key_is_remembered_for_a_day_even_when_its_entry_has_left_the_database_and_no_longer() {
    let home = Home::new().await;
    let clock = TestClock::new();
    let parts = Parts::of_folder(home.path(), options()).await.expect("a ledger");
    let ledger = Ledger::open_on(Parts { clock: Arc::<TestClock>::clone(&clock), ..parts })
        .await
        .expect("opens");
    let c = ledger
        .commit(
            fairdeal_ledger::NewCommit { reveal_in: Duration::from_hours(72), ..terms("main") },
            None,
        )
        .await
        .expect("done")
        .commitment;
    ledger.lock(c, locked("x"), None).await.expect("locked");
    let first = ledger.deal(c, NewDeal::default(), key("deal")).await.expect("dealt");
    join_all((0..300).map(|n| ledger.deal(c, round("x"), key(&format!("{n}"))))).await;
    for _ in 0..24 {
        clock.pass(3_600_000);
        ledger.deal(c, round("an hour later"), None).await.expect("dealt");
    }
    let again = ledger.deal(c, NewDeal::default(), key("deal")).await.expect("dealt");
    assert_eq!((again.repeated, &again.entry, &again.items), (true, &first.entry, &first.items));
    clock.pass(1);
    let error = ledger
        .deal(c, NewDeal::default(), key("deal"))
        .await
        .expect_err("forgotten, and judged anew");
    assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn a_refused_request_is_not_remembered() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let first = commit(&ledger).await;
    ledger.commit(terms("main"), key("commit")).await.expect_err("the first is open");
    ledger.reveal(first, NewReveal::default(), None).await.expect("revealed");
    assert!(!ledger.commit(terms("main"), key("commit")).await.expect("its turn now").repeated);
}
