//! What a lying relay, silent witnesses and a wrong request can do to rounds that wait for a beacon.

use std::sync::atomic::AtomicUsize;

use super::*;

#[tokio::test]
async fn relays_that_failed_are_left_alone_for_a_while_however_many_ask() {
    let (home, own) = (Home::quick().await, chain());
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let silent = relay(move |_| {
        count.fetch_add(1, Ordering::Relaxed);
        answer(500, "")
    });
    let ledger = Ledger::open(home.path(), with_relays(&own, vec![silent])).await.expect("opens");
    let hash = own.chain().hash();
    let each = (0..50).map(|_| ledger.beacon(&hash, 1));
    for found in futures::future::join_all(each).await {
        assert_eq!(found.expect_err("no signature").code(), "awaits-beacon");
    }
    assert!(asked.load(Ordering::Relaxed) <= 2, "{asked:?}");
    // Then it is asked again, and other rounds have not waited.
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let before = asked.load(Ordering::Relaxed);
    for round in [1, 2] {
        ledger.beacon(&hash, round).await.expect_err("no signature");
    }
    assert_eq!(asked.load(Ordering::Relaxed), before + 2);
    ledger.close().await.expect("closed");
}

#[tokio::test]
async fn a_draw_whose_lock_is_refused_leaves_no_commitment_behind() {
    let (home, own) = (Home::quick().await, chain());
    let ledger = Ledger::open(home.path(), with_relays(&own, Vec::new())).await.expect("opens");
    let first = ledger.commit(waits_for(&own, 0), None).await.expect("committed").commitment;
    ledger.void(first, void(None), None).await.expect("voided");
    // Under a layout a lock needs seats, which a draw has not.
    let draw = with(waits_for(&own, 0), |terms| {
        (terms.sealed, terms.draw) = (true, int(52));
        terms.layout = Some(serde_json::from_str("{\"hand\":2}").expect("a layout"));
    });
    let draw = NewCommit { draw_at: Some(now() + 100), ..draw };
    let error = ledger.commit(draw, None).await.expect_err("no seats");
    assert_ne!(error.code(), "damaged", "{error}");
    // And no round is out after the greatest time.
    let far = NewCommit { draw_at: Some(9_007_199_254_742), ..waits_for(&own, 0) };
    let error = ledger.commit(far, None).await.expect_err("no round");
    assert_eq!(error.code(), "invalid", "{error}");
    // The next commitment follows the last one that is in the log.
    let done = ledger.commit(waits_for(&own, 0), None).await.expect("committed");
    let Entry::Commit(commit) = &done.entry else { panic!("{:?}", done.entry) };
    assert_eq!(commit.after, Some(first));
    ledger.close().await.expect("closed");
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn a_void_that_waits_for_witnesses_until_the_round_is_out_is_not_done() {
    let (home, own) = (Home::quick().await, chain());
    let silent = Arc::new(AtomicU64::new(0));
    let is_silent = Arc::clone(&silent);
    let (_, options) = witnessed(&home, &own, WitnessMode::Publish, move || {
        (is_silent.load(Ordering::Relaxed) > 0).then(|| Reply::new(503, ""))
    });
    let ledger = Ledger::open(home.path(), options.clone()).await.expect("opens");
    let c = ledger.commit(waits_for(&own, 16_000), None).await.expect("committed").commitment;
    // The lock is committed, and no witness signs it.
    silent.store(1, Ordering::Relaxed);
    let lock = ledger.lock(c, NewLock::default(), None);
    tokio::time::timeout(Duration::from_secs(2), lock).await.expect_err("it is not published");
    let open = ledger.show(c).await.expect("shown").open.expect("a lock");
    let out = own.chain().out(open.lock.beacon.expect("a round").value());
    // A new process waits for its first quorum, and gets it when the round is out. (The old one's
    // lock is dropped with it.)
    drop(ledger);
    let options = LedgerOptions { publish_wait: Duration::from_secs(30), ..options };
    let ledger = loop {
        match Ledger::open(home.path(), options.clone()).await {
            Ok(ledger) => break ledger,
            Err(error) => assert_eq!(error.code(), "busy", "{error}"),
        }
    };
    let speaks = tokio::spawn(async move {
        while now() <= out {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        silent.store(0, Ordering::Relaxed);
    });
    assert!(now() + 5 <= out, "it may still be voided");
    let done = ledger.finish(c, NewDeal::default()).await.expect("finished");
    assert_eq!(done.entry.kind(), "deal", "{:?}", done.entry);
    assert!(done.entry.time() >= out * 1_000);
    speaks.await.expect("no panic");
    ledger.close().await.expect("closed");
    assert_eq!(home.audit().findings, []);
}

/// A table in anchor mode whose lock witnesses sign with this time, in seconds after its beacon's
/// round is out. Returns how the ledger finishes it.
async fn seen_at(after_out: i64) -> &'static str {
    let (home, own) = (Home::quick().await, chain());
    let time = Arc::new(AtomicU64::new(0));
    let witnesses = [1, 2, 3].map(|number| {
        let time = Arc::clone(&time);
        Scripted::start(number, &home.key, move |_, honest| {
            let time = time.load(Ordering::Relaxed);
            honest.clock = time.cast_signed() - now().cast_signed();
            (time == 0).then(|| Reply::new(503, ""))
        })
    });
    let policy = policy(2, &witnesses.each_ref());
    let witnesses = Some(quick(&policy, WitnessMode::Anchor));
    let options = LedgerOptions { witnesses, ..with_relays(&own, vec![honest(&own)]) };
    let ledger = Ledger::open(home.path(), options).await.expect("opens");
    let c = ledger.commit(waits_for(&own, 12_000), None).await.expect("committed").commitment;
    let locked = ledger.lock(c, NewLock::default(), None).await.expect("locked");
    let Entry::Lock(lock) = &locked.entry else { panic!("{:?}", locked.entry) };
    let out = own.chain().out(lock.beacon.expect("a round").value());
    time.store(out.saturating_add_signed(after_out), Ordering::Relaxed);
    let done = ledger.finish(c, NewDeal::default()).await.expect("finished");
    ledger.close().await.expect("closed");
    assert_eq!(home.audit().findings, []);
    match done.entry {
        Entry::Deal(_) => "deal",
        Entry::Void(void) if void.time.value() < out * 1_000 => "void",
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_lock_that_witnesses_have_seen_5_seconds_before_is_dealt_and_4_seconds_before_voided() {
    assert_eq!(tokio::join!(seen_at(-5), seen_at(-4)), ("deal", "void"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_finish_a_round_once_and_its_lock_keeps_its_time_whichever_publishes() {
    let (home, own) = (Home::quick().await, chain());
    let (policy, options) = witnessed(&home, &own, WitnessMode::Publish, || None);
    // No other anchor is due than those of locks.
    let anchor_every = Duration::from_hours(1);
    let witnesses = options.witnesses.clone().map(|one| Witnessing { anchor_every, ..one });
    let options = LedgerOptions { witnesses, publish_wait: Duration::from_secs(30), ..options };
    let one = Ledger::open(home.path(), options.clone()).await.expect("opens");
    let two = Ledger::open(home.path(), options).await.expect("opens");
    let other = two.commit(terms("other"), None).await.expect("committed").commitment;
    for table in 0..4 {
        // The second node publishes all the time, also what the first has locked.
        let load = tokio::spawn({
            let two = two.clone();
            async move {
                for seed in 0..20 {
                    two.deal(other, round(&format!("{table}/{seed}")), None).await.expect("dealt");
                }
            }
        });
        let terms = with(waits_for(&own, 10_000), |terms| {
            terms.table = format!("beacon {table}").parse().expect("a table");
        });
        let c = one.commit(terms, None).await.expect("committed").commitment;
        one.lock(c, NewLock::default(), None).await.expect("locked");
        let ends =
            tokio::join!(one.finish(c, NewDeal::default()), two.finish(c, NewDeal::default()));
        load.await.expect("no panic");
        let is_deal = |end: &Result<fairdeal_ledger::Done, LedgerError>| {
            end.as_ref().is_ok_and(|done| done.entry.kind() == "deal")
        };
        let deals = [is_deal(&ends.0), is_deal(&ends.1)];
        assert_eq!(deals.iter().filter(|one| **one).count(), 1, "{ends:?}");
        one.reveal(c, NewReveal::default(), None).await.expect("revealed");
        let found = verdict(&one, c, &own, Some(&policy)).await;
        assert!(found.shown.contains(&Shown::LockedBeforeBeacon), "{table}: {found:?}");
    }
    one.close().await.expect("closed");
    two.close().await.expect("closed");
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn a_witness_with_a_wrong_time_that_answers_first_hides_no_lock() {
    for (mode, clock) in
        [(WitnessMode::Publish, -1_000_000_000), (WitnessMode::Anchor, 100_000_000_000)]
    {
        let (home, own) = (Home::quick().await, chain());
        let witnesses = [1, 2, 3].map(|number| {
            Scripted::start(number, &home.key, move |_, honest| {
                honest.clock = if number == 3 { clock } else { 0 };
                // The second honest one comes after a quorum with the wrong one.
                std::thread::sleep(Duration::from_millis(if number == 2 { 700 } else { 0 }));
                None
            })
        });
        let policy = policy(2, &witnesses.each_ref());
        let witnesses = Some(quick(&policy, mode));
        let publish_wait = Duration::from_secs(3);
        let relays = with_relays(&own, vec![honest(&own)]);
        let options = LedgerOptions { witnesses, publish_wait, ..relays };
        let ledger = Ledger::open(home.path(), options).await.expect("opens");
        let c = ledger.commit(waits_for(&own, 12_000), None).await.expect("committed").commitment;
        ledger.lock(c, NewLock::default(), None).await.expect("locked");
        let dealt = ledger.finish(c, NewDeal::default()).await.expect("finished");
        assert_eq!(dealt.entry.kind(), "deal", "{mode:?}");
        ledger.reveal(c, NewReveal::default(), None).await.expect("revealed");
        let found = verdict(&ledger, c, &own, Some(&policy)).await;
        assert!(found.shown.contains(&Shown::LockedBeforeBeacon), "{mode:?}: {found:?}");
        ledger.close().await.expect("closed");
        assert_eq!(home.audit().findings, []);
    }
}
