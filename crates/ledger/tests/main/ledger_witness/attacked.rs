//! What a minority of lying witnesses, a power cut and a second process cannot do to a ledger that
//! has witnesses.

use super::*;
use crate::ledger_power::{Cut, deals, files, is_durable, open_after};

async fn sleep(millis: u64) {
    tokio::time::sleep(Duration::from_millis(millis)).await;
}

/// Deals every few milliseconds for a while. Returns how many were published.
async fn under_load(ledger: &Ledger, c: Commitment, seconds: u64) -> usize {
    let (start, mut deals) = (Instant::now(), Vec::new());
    while start.elapsed() < Duration::from_secs(seconds) {
        let (ledger, seed) = (ledger.clone(), deals.len().to_string());
        deals.push(tokio::spawn(async move { ledger.deal(c, round(&seed), None).await.is_ok() }));
        sleep(10).await;
    }
    let mut published = 0;
    for deal in deals {
        published += usize::from(deal.await.expect("no panic"));
    }
    published
}

/// A witness that names one entry more than it is asked for, as soon as another one can be there.
fn names_one_more(number: u8, home: &Home, lies: &Arc<AtomicBool>) -> Scripted {
    let lies = Arc::clone(lies);
    Scripted::start(number, &home.key, move |request, _| {
        lies.load(Ordering::Relaxed).then(|| {
            std::thread::sleep(Duration::from_millis(1_100));
            Reply::size(request.checkpoint.unverified().size() + 1)
        })
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn one_witness_that_names_each_newest_size_ends_no_round_of_the_others() {
    let home = Home::quick().await;
    let lies = Arc::new(AtomicBool::new(false));
    let liar = names_one_more(1, &home, &lies);
    let slow = |number| {
        let slow = Arc::clone(&lies);
        Scripted::start(number, &home.key, move |_, _| {
            if slow.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1_300));
            }
            None
        })
    };
    let (two, three) = (slow(2), slow(3));
    let policy = policy(2, &[&liar, &two, &three]);
    let ledger = open(&home, &policy, WitnessMode::Publish).await;
    let c = commit(&ledger).await;
    lies.store(true, Ordering::Relaxed);
    let published = under_load(&ledger, c, 5).await;
    assert!(published > 50, "two of three sign within 1.3 s: {published}");
    lies.store(false, Ordering::Relaxed);
    ledger.close().await.expect("closed");
}

#[tokio::test(flavor = "multi_thread")]
async fn rounds_keep_their_distance_whatever_witnesses_say() {
    let home = Home::quick().await;
    // The newest size while it lies; 0 before and after.
    let head = Arc::new(AtomicU64::new(0));
    let newest = Arc::clone(&head);
    let one = Scripted::start(1, &home.key, move |request, _| {
        let (size, start) = (request.checkpoint.unverified().size(), Instant::now());
        let is_larger = || newest.load(Ordering::Relaxed) > size;
        while !is_larger()
            && newest.load(Ordering::Relaxed) > 0
            && start.elapsed().as_millis() < 1_500
        {
            std::thread::sleep(Duration::from_millis(5));
        }
        is_larger().then(|| Reply::size(newest.load(Ordering::Relaxed)))
    });
    let policy = policy(1, &[&one]);
    let options =
        Witnessing { every: Duration::from_secs(1), ..quick(&policy, WitnessMode::Publish) };
    let ledger = try_open(&home, options).await.expect("opens");
    let c = commit(&ledger).await;
    let before = one.requests().len();
    let telling = async {
        loop {
            head.store(ledger.health().head, Ordering::Relaxed);
            sleep(2).await;
        }
    };
    tokio::select! {
        () = telling => {}
        _ = under_load(&ledger, c, 4) => {}
    }
    head.store(0, Ordering::Relaxed);
    let mut sizes: Vec<u64> =
        one.requests()[before..].iter().map(|one| one.checkpoint.unverified().size()).collect();
    sizes.dedup();
    assert!((3..=9).contains(&sizes.len()), "a round a second: {sizes:?}");
    ledger.close().await.expect("closed");
}

#[tokio::test]
async fn a_cosigned_checkpoint_that_a_power_cut_tore_between_two_sectors_is_written_again() {
    let home = Home::quick().await;
    let witnesses = [1, 2, 3].map(|one| Scripted::honest(one, &home.key));
    let policy = policy(2, &witnesses.each_ref());
    let ledger = open(&home, &policy, WitnessMode::Publish).await;
    let c = commit(&ledger).await;
    ledger.deal(c, round("x"), None).await.expect("dealt");
    ledger.close().await.expect("closed");
    let at = home.public().join("checkpoint");
    let mut whole = std::fs::read(&at).expect("a checkpoint");
    if whole.len() < 600 {
        // A quorum of two: the third one's line is as long.
        let text = String::from_utf8(whole.clone()).expect("a text");
        let line = text.lines().last().expect("a line").to_owned() + "\n";
        whole.extend(line.bytes());
    }
    assert!(whole.len() > 512, "{}", whole.len());
    let (first, second) = whole.split_at(512);
    for torn in [
        first.to_vec(),
        [first, &vec![0; second.len()]].concat(),
        [&[0; 512], second].concat(),
        vec![0; whole.len()],
    ] {
        std::fs::write(&at, &torn).expect("written");
        let ledger = open(&home, &policy, WitnessMode::Publish).await;
        ledger.deal(c, round("y"), None).await.expect("dealt");
        ledger.close().await.expect("closed");
        assert!(published(&home, &policy).1);
    }
    let other =
        String::from_utf8(whole).expect("a text").replacen("test.example", "best.example", 1);
    std::fs::write(&at, &other.as_bytes()[..512]).expect("written");
    let opened = try_open(&home, quick(&policy, WitnessMode::Publish)).await;
    let error = opened.expect_err("another log's");
    assert!(matches!(error, LedgerError::ForeignCheckpoint { .. }), "{error}");
}

#[tokio::test]
async fn a_process_without_a_policy_publishes_nothing_over_what_witnesses_have_signed() {
    let home = Home::quick().await;
    let one = Scripted::honest(1, &home.key);
    let policy = policy(1, &[&one]);
    // It was opened while the log's checkpoint had the log's signature alone.
    let without = Ledger::open(
        home.path(),
        LedgerOptions { publish_wait: Duration::from_secs(2), ..options() },
    )
    .await
    .expect("opens");
    let with = open(&home, &policy, WitnessMode::Publish).await;
    let c = commit(&with).await;
    let error = without.deal(c, round("x"), None).await.expect_err("no policy");
    assert!(error.to_string().contains("--policy"), "{error}");
    assert!(published(&home, &policy).1, "the checkpoint stays signed");
    let error = without.deal(c, round("z"), None).await.expect_err("it has stopped");
    assert!(matches!(error, LedgerError::Stopped(_)), "{error}");
    with.deal(c, round("y"), None).await.expect("dealt");
    assert!(published(&home, &policy).1);
    with.close().await.expect("closed");
}

#[tokio::test]
async fn a_clock_that_is_far_ahead_of_the_witnesses_deals_and_publishes_nothing() {
    let home = Home::quick().await;
    let one = Scripted::honest(1, &home.key);
    let policy = policy(1, &[&one]);
    locked(&one.honest).clock = -250;
    let ledger = open(&home, &policy, WitnessMode::Publish).await;
    let error = ledger.commit(terms("main"), None).await.expect_err("nothing is dealt");
    assert!(matches!(error, LedgerError::Unwitnessed(_)), "{error}");
    assert!(
        error.to_string().contains("clock: this machine's is more than 240 s ahead"),
        "{error}"
    );
    assert_eq!(published(&home, &policy), (0, false));
    locked(&one.honest).clock = -200;
    until("it is not so far", || !ledger.health().witnesses.waits).await;
    let c = commit(&ledger).await;
    // The witnesses' clocks are set: an audit would take this entry's time for one that is ahead.
    locked(&one.honest).clock = -400;
    let error = ledger.deal(c, round("x"), None).await.expect_err("not published");
    assert!(matches!(error, LedgerError::Unpublished { .. }), "{error}");
    assert!(error.to_string().contains("clock: "), "{error}");
    assert_eq!(published(&home, &policy).0, 1);
    locked(&one.honest).clock = 0;
    until("published", || published(&home, &policy).0 >= 2).await;
    ledger.close().await.expect("closed");
}

/// The indexes of the anchors in a round's receipt, which verifies with its times.
async fn anchored(
    ledger: &Ledger,
    home: &Home,
    policy: &Policy,
    done: &fairdeal_ledger::Done,
) -> Vec<u64> {
    let receipt = ledger.receipt(done.commitment, done.nonce).await.expect("a receipt");
    let anchors = receipt.entries.iter().filter(|one| one.entry.contains("\"entry\":\"anchor\""));
    let anchors = anchors.map(|one| one.index.value()).collect();
    let given = ReaderGiven { policy: Some(policy.clone()), ..ReaderGiven::default() };
    let verdict = verify_with(&Document::Receipt(receipt), &home.key, &given);
    assert!(verdict.shown.contains(&Shown::Witnessed), "{verdict:?}");
    anchors
}

#[tokio::test]
async fn receipts_show_their_anchors_also_once_the_state_was_repaired() {
    let home = Home::quick().await;
    let one = Scripted::honest(1, &home.key);
    let policy = policy(1, &[&one]);
    let ledger = open(&home, &policy, WitnessMode::Publish).await;
    let c = commit(&ledger).await;
    let dealt = ledger.deal(c, round("x"), None).await.expect("dealt");
    until("over the deal", || anchors(&home).iter().any(|(_, size)| *size > dealt.index)).await;
    let before = anchored(&ledger, &home, &policy, &dealt).await;
    assert_eq!(before.len(), 1);
    ledger.close().await.expect("closed");
    let given =
        LedgerOptions { witnesses: Some(quick(&policy, WitnessMode::Publish)), ..options() };
    let check = |repair| {
        let given = given.clone();
        let path = home.path();
        async move { Ledger::fsck(path, given, repair, &mut |_, _| ()).await.expect("checked").faults }
    };
    assert_eq!(check(false).await, []);
    let size = anchors(&home)[0].1;
    for damage in [
        fairdeal_ledger::Memo::remove("anchor", format!("{size:020}")),
        memo("anchor", "last", "1 1 1"),
        memo("anchor", "00000000000000000000", "1 0 1"),
    ] {
        let state = fairdeal_ledger::Memos::open(home.path(), given.clone()).await.expect("opens");
        state.write(vec![damage]).await.expect("written");
        state.close().await.expect("closed");
        let faults = check(true).await;
        assert!(matches!(&faults[..], [one] if one.what == "anchor" && one.repaired), "{faults:?}");
        assert_eq!(check(false).await, []);
        let ledger = open(&home, &policy, WitnessMode::Publish).await;
        assert_eq!(anchored(&ledger, &home, &policy, &dealt).await, before);
        ledger.close().await.expect("closed");
    }
    home.audit();
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_that_wait_shorter_than_a_witness_takes_do_not_end_its_rounds() {
    let home = Home::quick().await;
    let one = Scripted::start(1, &home.key, |_, _| {
        std::thread::sleep(Duration::from_millis(200));
        None
    });
    let policy = policy(1, &[&one]);
    let given = LedgerOptions {
        witnesses: Some(quick(&policy, WitnessMode::Publish)),
        publish_wait: Duration::from_millis(50),
        ..options()
    };
    let ledger = Ledger::open(home.path(), given).await.expect("opens");
    until("the first quorum", || !ledger.health().witnesses.waits).await;
    let c = loop {
        if let Ok(done) = ledger.commit(terms("main"), key("c")).await {
            break done.commitment;
        }
    };
    let before = published(&home, &policy).0;
    under_load(&ledger, c, 3).await;
    assert!(
        published(&home, &policy).0 > before + 100,
        "{before}: {:?}",
        published(&home, &policy)
    );
    until("all", || ledger.health().unpublished_since.is_none()).await;
    ledger.close().await.expect("closed");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_anchor_has_the_fewest_lines_where_the_first_choice_has_too_many() {
    let home = Home::quick().await;
    let witnesses: Vec<Scripted> =
        (1..=32).map(|number| Scripted::honest(number, &home.key)).collect();
    let every = policy(1, &witnesses.iter().collect::<Vec<_>>());
    let mut lines = Vec::new();
    for (at, one) in every.witnesses().iter().enumerate() {
        let url = String::from_utf8(one.url.clone().expect("a URL")).expect("a text");
        lines.push(format!("witness w{at} {} {url}", one.key.to_text()));
    }
    let names = |range: std::ops::Range<u32>| {
        range.map(|at| format!("w{at}")).collect::<Vec<_>>().join(" ")
    };
    lines.push(format!("group few all {}", names(0..3)));
    lines.push(format!("group many all {}", names(3..32)));
    lines.push("group g any few many\nquorum g\n".to_owned());
    let text = lines.join("\n");
    let policy = Arc::new(Policy::parse(text.as_bytes()).expect("a policy"));
    let ledger = open(&home, &policy, WitnessMode::Publish).await;
    // A size that all of them have signed.
    let c = commit(&ledger).await;
    until("all", || ledger.health().witnesses.each.iter().all(|one| one.signed >= Some(1))).await;
    let dealt = ledger.deal(c, round("x"), None).await.expect("dealt");
    until("an anchor", || anchors(&home).iter().any(|(_, size)| *size > dealt.index)).await;
    assert_eq!(ledger.health().witnesses.unanchored, None);
    ledger.reveal(c, NewReveal::default(), None).await.expect("revealed");
    anchored(&ledger, &home, &policy, &dealt).await;
    ledger.close().await.expect("closed");
    home.audit();
}

#[tokio::test]
async fn one_wrong_time_beside_a_clock_that_is_a_little_slow_stops_no_anchor() {
    let home = Home::quick().await;
    let witnesses = [1, 2, 3].map(|one| Scripted::honest(one, &home.key));
    locked(&witnesses[0].honest).clock = -1_000_000_000;
    locked(&witnesses[1].honest).clock = -70;
    let policy = policy(2, &witnesses.each_ref());
    let ledger = open(&home, &policy, WitnessMode::Anchor).await;
    let c = commit(&ledger).await;
    let dealt = ledger.deal(c, round("x"), None).await.expect("dealt");
    until("an anchor", || anchors(&home).iter().any(|(_, size)| *size > dealt.index)).await;
    assert_eq!(ledger.health().witnesses.unanchored, None);
    ledger.close().await.expect("closed");
    home.audit();
    // Two of them are a quorum of wrong clocks: no line can be left out.
    locked(&witnesses[1].honest).clock = -1_000_000_000;
    let ledger = open(&home, &policy, WitnessMode::Anchor).await;
    ledger.deal(c, round("y"), None).await.expect("dealt");
    locked(&witnesses[2].honest).clock = -70;
    let why = || ledger.health().witnesses.unanchored.unwrap_or_default();
    until("a refusal", || why().starts_with("clock: this machine's is more than 60 s ahead")).await;
    ledger.close().await.expect("closed");
}

/// What a power cut leaves of the files after the mark, and of the checkpoint: the witnesses have
/// signed it, and do not forget.
#[tokio::test(flavor = "multi_thread")]
async fn after_a_power_cut_the_witnesses_sign_on_and_nothing_is_lost() {
    let home = Home::quick().await;
    let witnesses = [1, 2, 3].map(|one| Scripted::honest(one, &home.key));
    // With three lines the checkpoint is longer than a sector.
    let policy = policy(3, &witnesses.each_ref());
    let ledger = open(&home, &policy, WitnessMode::Publish).await;
    let c = commit(&ledger).await;
    deals(&ledger, c, 200).await;
    let old = std::fs::read(home.public().join("checkpoint")).expect("a checkpoint");
    deals(&ledger, c, 200).await;
    let last = ledger.deal(c, round("last"), None).await.expect("dealt").index;
    until("an anchor over it", || anchors(&home).iter().any(|(_, size)| *size > last)).await;
    let (seen, anchored) = (ledger.checkpoint().await.expect("published"), anchors(&home));
    let cut = quick_folder();
    copy(home.path(), cut.path()).expect("copied");
    let signed = witnesses.each_ref().map(|one| {
        let honest = locked(&one.honest);
        (honest.size, honest.root)
    });
    ledger.close().await.expect("closed");

    let after: Vec<_> = files(&cut.path().join("public/tile"))
        .into_iter()
        .filter(|path| !is_durable(path))
        .map(|path| path.strip_prefix(cut.path()).expect("in it").to_owned())
        .collect();
    assert!(after.len() > 4, "{after:?}");
    for (how, is_checkpoint_old) in Cut::ALL.into_iter().flat_map(|how| [(how, true), (how, false)])
    {
        let case = format!("{how:?}, old checkpoint: {is_checkpoint_old}");
        put_back(&home, cut.path());
        for path in &after {
            how.at(&home.path().join(path));
        }
        let checkpoint = home.public().join("checkpoint");
        match (how, is_checkpoint_old) {
            (_, true) => std::fs::write(&checkpoint, &old).expect("written"),
            // A checkpoint that is lost is for `fairdeal republish`.
            (Cut::Lost, false) => {}
            // A disk writes whole sectors.
            (Cut::Half, false) => {
                let whole = std::fs::read(&checkpoint).expect("a checkpoint");
                std::fs::write(&checkpoint, whole.get(..512).expect("longer")).expect("written");
            }
            (_, false) => how.at(&checkpoint),
        }
        for (witness, signed) in witnesses.iter().zip(signed) {
            let mut honest = locked(&witness.honest);
            (honest.size, honest.root) = signed;
        }
        let options =
            LedgerOptions { witnesses: Some(quick(&policy, WitnessMode::Publish)), ..options() };
        let ledger =
            open_after(home.path(), options).await.unwrap_or_else(|e| panic!("{case}: {e}"));
        ledger.holds_against(&seen).await.unwrap_or_else(|e| panic!("{case}: {e}"));
        ledger.deal(c, round("after"), None).await.unwrap_or_else(|e| panic!("{case}: {e}"));
        ledger.close().await.unwrap_or_else(|e| panic!("{case}: {e}"));
        let (size, is_signed) = published(&home, &policy);
        assert!(size > signed[0].0 && is_signed, "{case}: {size}");
        assert_eq!(anchors(&home).get(..anchored.len()), Some(&*anchored), "{case}");
        assert_eq!(home.audit().findings, [], "{case}");
    }
}
