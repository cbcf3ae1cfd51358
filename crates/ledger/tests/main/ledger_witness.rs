//! A ledger that asks witnesses (spec/witness.md, section 28), against witnesses that keep to the
//! protocol, that fail, and that lie.

mod attacked;
pub(crate) mod scripted;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use fairdeal::deal::Commitment;
use fairdeal::log::{Policy, SignedCheckpoint, WitnessSigner};
use fairdeal::record::entry::Entry;
use fairdeal::record::receipt::{Document, ReaderGiven, Shown, verify_with};
use fairdeal_ledger::{
    Ledger, LedgerError, LedgerOptions, NewDeal, NewReveal, WitnessMode, Witnessing,
};
use tokio::time::Instant;

use self::scripted::{Honest, Reply, Scripted, locked, policy, quick};
use super::ledger_support::*;

async fn try_open(home: &Home, witnesses: Witnessing) -> Result<Ledger, LedgerError> {
    let publish_wait = Duration::from_secs(3);
    let options = LedgerOptions { witnesses: Some(witnesses), publish_wait, ..options() };
    Ledger::open(home.path(), options).await
}

async fn open(home: &Home, policy: &Arc<Policy>, mode: WitnessMode) -> Ledger {
    try_open(home, quick(policy, mode)).await.expect("opens")
}

/// The published checkpoint, and whether a quorum of a policy has signed it.
fn published(home: &Home, policy: &Policy) -> (u64, bool) {
    let note = std::fs::read_to_string(home.public().join("checkpoint")).expect("a checkpoint");
    let signed = SignedCheckpoint::parse(&note).expect("a checkpoint");
    let size = signed.verify(&home.key).expect("signed by the log").size();
    (size, signed.witnessed(policy).expect("each line verifies").quorum.is_some())
}

/// Waits until it holds.
async fn until(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(30), "{what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn anchors(home: &Home) -> Vec<(u64, u64)> {
    let of = |(index, entry): (u64, Entry)| match entry {
        Entry::Anchor(anchor) => Some((index, anchor.size.value())),
        _ => None,
    };
    (0..).zip(home.audit().entries).filter_map(of).collect()
}

#[tokio::test]
async fn only_checkpoints_that_a_quorum_has_signed_are_published_and_receipts_show_the_times() {
    let home = Home::quick().await;
    let witnesses = [1, 2, 3].map(|one| Scripted::honest(one, &home.key));
    let policy = policy(2, &witnesses.each_ref());
    let ledger = open(&home, &policy, WitnessMode::Publish).await;
    let c = ledger.commit(terms("main"), None).await.expect("committed").commitment;
    let dealt = ledger.deal(c, round("x"), None).await.expect("dealt");
    let (size, is_signed) = published(&home, &policy);
    assert!(size >= 2 && is_signed, "{size}");
    // Files are there before anybody is asked to sign their size.
    let asked: Vec<u64> =
        witnesses[0].requests().iter().map(|one| one.checkpoint.unverified().size()).collect();
    assert!(asked.is_sorted() && asked.first() == Some(&0), "{asked:?}");
    until("an anchor", || !anchors(&home).is_empty()).await;
    until("over the deal", || anchors(&home).iter().any(|(_, size)| *size > dealt.index)).await;
    ledger.reveal(c, NewReveal::default(), None).await.expect("revealed");
    let receipt = ledger.receipt(c, dealt.nonce).await.expect("a receipt");
    let has_anchor = receipt.entries.iter().any(|one| one.entry.contains("\"entry\":\"anchor\""));
    assert!(has_anchor, "the first anchor over the deal is in its receipt");
    let given = ReaderGiven { policy: Some((*policy).clone()), ..ReaderGiven::default() };
    let verdict = verify_with(&Document::Receipt(receipt), &home.key, &given);
    for fact in [Shown::Logged, Shown::Replayed, Shown::Witnessed, Shown::Timed] {
        assert!(verdict.shown.contains(&fact), "{fact:?}: {verdict:?}");
    }
    ledger.close().await.expect("closed");
    home.audit();
}

#[tokio::test]
async fn an_idle_log_gets_one_anchor_over_its_last_deal_and_no_other() {
    let home = Home::quick().await;
    let witness = Scripted::honest(1, &home.key);
    let policy = policy(1, &[&witness]);
    let ledger = open(&home, &policy, WitnessMode::Publish).await;
    let c = ledger.commit(terms("main"), None).await.expect("committed").commitment;
    let last = ledger.deal(c, round("x"), None).await.expect("dealt").index;
    until("an anchor over it", || anchors(&home).iter().any(|(_, size)| *size > last)).await;
    let found = anchors(&home);
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(anchors(&home), found);
    ledger.close().await.expect("closed");
    // Neither does a restart write one.
    let ledger = open(&home, &policy, WitnessMode::Publish).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(anchors(&home), found);
    ledger.close().await.expect("closed");
}

#[tokio::test]
async fn anchors_keep_their_distance_also_after_a_restart() {
    let home = Home::quick().await;
    let witness = Scripted::honest(1, &home.key);
    let policy = policy(1, &[&witness]);
    let options = || Witnessing {
        anchor_every: Duration::from_secs(3),
        ..quick(&policy, WitnessMode::Publish)
    };
    let ledger = try_open(&home, options()).await.expect("opens");
    let c = ledger.commit(terms("main"), None).await.expect("committed").commitment;
    until("the first anchor", || anchors(&home).len() == 1).await;
    let start = Instant::now();
    ledger.deal(c, round("x"), None).await.expect("dealt");
    ledger.close().await.expect("closed");
    let ledger = try_open(&home, options()).await.expect("opens");
    until("the second anchor", || anchors(&home).len() == 2).await;
    assert!(start.elapsed() > Duration::from_millis(2500), "{:?}", start.elapsed());
    ledger.close().await.expect("closed");
}

#[tokio::test]
async fn nothing_is_dealt_before_a_quorum_has_signed_the_head_and_then_it_is() {
    let home = Home::quick().await;
    let is_away = Arc::new(AtomicBool::new(true));
    let away = Arc::clone(&is_away);
    let one = Scripted::start(1, &home.key, move |_, _| {
        away.load(Ordering::Relaxed).then(|| Reply::new(500, "no"))
    });
    let two = Scripted::honest(2, &home.key);
    let policy = policy(2, &[&one, &two]);
    let ledger = open(&home, &policy, WitnessMode::Publish).await;
    let error = ledger.commit(terms("main"), None).await.expect_err("one of two is away");
    assert!(matches!(error, LedgerError::Unwitnessed(_)), "{error}");
    assert!(error.to_string().contains("w0: status 500"), "{error}");
    assert_eq!((error.code(), error.status()), ("unwitnessed", 503));
    assert!(ledger.health().witnesses.waits);
    is_away.store(false, Ordering::Relaxed);
    until("it is back", || !ledger.health().witnesses.waits).await;
    let c = ledger.commit(terms("main"), None).await.expect("committed").commitment;
    // It goes away in the middle: the entry is committed, and published once it is back.
    is_away.store(true, Ordering::Relaxed);
    let error = ledger.deal(c, round("x"), key("d")).await.expect_err("not published");
    assert!(matches!(error, LedgerError::Unpublished { .. }), "{error}");
    assert_eq!(published(&home, &policy).0, 1);
    is_away.store(false, Ordering::Relaxed);
    until("published", || published(&home, &policy).0 >= 2).await;
    assert!(ledger.deal(c, round("x"), key("d")).await.expect("its answer").repeated);
    ledger.close().await.expect("closed");
}

/// Copies a folder: a backup that somebody restores with cp.
fn copy(from: &std::path::Path, to: &std::path::Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    std::fs::set_permissions(to, std::fs::metadata(from)?.permissions())?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Puts a ledger's files back as they were in a copy, in the same folders: a disk's snapshot.
fn put_back(home: &Home, backup: &std::path::Path) {
    std::fs::remove_dir_all(home.public()).expect("removed");
    for entry in std::fs::read_dir(home.private()).expect("a folder").flatten() {
        std::fs::remove_file(entry.path()).expect("removed");
    }
    for part in ["public", "private"] {
        copy(&backup.join(part), &home.path().join(part)).expect("put back");
    }
}

async fn dealt_ahead(home: &Home, policy: &Arc<Policy>) -> (tempfile::TempDir, Commitment) {
    let ledger = open(home, policy, WitnessMode::Publish).await;
    let c = ledger.commit(terms("main"), None).await.expect("committed").commitment;
    ledger.close().await.expect("closed");
    let backup = quick_folder();
    copy(home.path(), backup.path()).expect("copied");
    let ledger = open(home, policy, WitnessMode::Publish).await;
    for seed in ["x", "y"] {
        ledger.deal(c, round(seed), None).await.expect("dealt");
    }
    ledger.close().await.expect("closed");
    (backup, c)
}

#[tokio::test]
async fn a_restored_backup_deals_nothing() {
    let home = Home::quick().await;
    let witnesses = [1, 2, 3].map(|one| Scripted::honest(one, &home.key));
    let policy = policy(2, &witnesses.each_ref());
    let (backup, c) = dealt_ahead(&home, &policy).await;
    put_back(&home, backup.path());
    let before = published(&home, &policy);
    let ledger = open(&home, &policy, WitnessMode::Publish).await;
    let error = ledger.deal(c, round("z"), None).await.expect_err("the witnesses know more");
    assert!(
        matches!(error, LedgerError::Unwitnessed(_) | LedgerError::WitnessesContradict(_)),
        "{error}"
    );
    assert!(error.to_string().contains("is it a restored backup?"), "{error}");
    let health = ledger.health().witnesses;
    assert!(health.contradict && health.waits, "{health:?}");
    let closed = ledger.close().await;
    assert!(closed.is_err(), "no quorum has signed: {closed:?}");
    assert_eq!(published(&home, &policy).0, before.0);
}

#[tokio::test]
async fn one_witness_that_claims_more_does_not_stop_the_house_and_two_of_three_do() {
    let home = Home::quick().await;
    let liars = Arc::new(AtomicU64::new(0));
    let witnesses = [1_u8, 2, 3].map(|number| {
        let liars = Arc::clone(&liars);
        Scripted::start(number, &home.key, move |_, _| {
            (u64::from(number) <= liars.load(Ordering::Relaxed)).then(|| Reply::size(1_000_000))
        })
    });
    let policy = policy(2, &witnesses.each_ref());
    let ledger = open(&home, &policy, WitnessMode::Publish).await;
    let c = ledger.commit(terms("main"), None).await.expect("committed").commitment;
    liars.store(1, Ordering::Relaxed);
    for seed in ["a", "b", "c"] {
        ledger.deal(c, round(seed), None).await.expect("two of three sign");
    }
    until("its claim", || ledger.health().witnesses.each[0].claim.is_some()).await;
    assert!(!ledger.health().witnesses.contradict);
    liars.store(2, Ordering::Relaxed);
    let error = ledger.deal(c, round("d"), None).await.expect_err("no quorum");
    assert!(matches!(error, LedgerError::Unpublished { .. }), "{error}");
    let error = ledger.deal(c, round("e"), None).await.expect_err("contradiction");
    assert_eq!((error.code(), error.status()), ("witnesses-contradict", 503), "{error}");
    assert!(error.to_string().contains("witness w1: it has signed 1000000 entries"), "{error}");
    // They sign again: the ledger goes on.
    liars.store(0, Ordering::Relaxed);
    until("no contradiction", || !ledger.health().witnesses.contradict).await;
    ledger.deal(c, round("f"), None).await.expect("dealt");
    assert!(ledger.health().stopped.is_none());
    ledger.close().await.expect("closed");
}

/// What one witness of one answers, and the words for the operator.
async fn answers(reply: Reply, words: &str) {
    let home = Home::quick().await;
    let script = reply.clone();
    let one = Scripted::start(1, &home.key, move |_, _| Some(script.clone()));
    let policy = policy(1, &[&one]);
    let ledger = open(&home, &policy, WitnessMode::Publish).await;
    let error = ledger.commit(terms("main"), None).await.expect_err("no cosignature").to_string();
    assert!(error.contains(words), "{}: expected {words:?}, found {error}", reply.status);
    assert_eq!(published(&home, &policy), (0, false));
    assert!(ledger.close().await.is_err());
    assert!(one.requests().len() < 20, "it is not asked all the time: {}", one.requests().len());
}

#[tokio::test]
async fn every_answer_of_a_witness_is_told_in_words_and_none_is_a_signature_unless_it_is_one() {
    let busy = |seconds: &str| Reply {
        headers: format!("Retry-After: {seconds}\r\n"),
        ..Reply::new(429, "slow down")
    };
    let redirect =
        Reply { headers: "Location: http://127.0.0.1:9/\r\n".to_owned(), ..Reply::new(302, "") };
    let drip = Reply { drip: Duration::from_millis(100), ..Reply::new(200, vec![b'x'; 1000]) };
    let (other, cases) = (
        Home::quick().await,
        [
            (Reply::new(200, ""), "without a cosignature"),
            (Reply::new(200, "— w1.example AAAA\n"), "without a cosignature"),
            (Reply::new(200, vec![b'a'; 20_000]), "more than 16384 bytes"),
            (Reply::size("99999999999999999999999"), "409 without a size"),
            (Reply::size("-1"), "409 without a size"),
            (Reply::size("01"), "409 without a size"),
            (Reply::size(u64::MAX), "it has signed 18446744073709551615 entries"),
            (Reply::size(0), "has 0 entries"),
            (Reply::new(409, "other"), "another tree (status 409)"),
            (Reply::new(422, "other"), "another tree (status 422)"),
            (busy("3"), "status 429"),
            (busy("Wed, 21 Oct 2026 07:28:00 GMT"), "status 429"),
            (Reply::new(503, ""), "status 503"),
            (Reply::new(403, ""), "not set up"),
            (Reply::new(404, ""), "not set up"),
            (redirect, "status 302"),
            (drip, "timeout"),
        ],
    );
    drop(other);
    let all = cases.map(|(reply, words)| answers(reply, words));
    futures::future::join_all(all).await;
}

#[tokio::test]
async fn a_cosignature_of_another_checkpoint_or_key_is_none() {
    let home = Home::quick().await;
    let one = Scripted::start(1, &home.key, |request, honest| {
        // Of the first request's checkpoint, for ever.
        static FIRST: std::sync::Mutex<Option<String>> = std::sync::Mutex::new(None);
        let mut first = locked(&FIRST);
        let line = first.get_or_insert_with(|| honest.sign(&request.checkpoint)).clone();
        Some(Reply::new(200, line))
    });
    let two = Scripted::start(2, &home.key, |request, _| {
        let other = Honest::new(9).sign(&request.checkpoint);
        Some(Reply::new(200, other))
    });
    for (k, bad) in [(1, &one), (1, &two)] {
        let policy = policy(k, &[bad]);
        let ledger = open(&home, &policy, WitnessMode::Publish).await;
        let committed = ledger.commit(terms("main"), None).await;
        let error = committed.expect_err("no quorum").to_string();
        assert!(error.contains("without a cosignature"), "{error}");
        drop(ledger.close().await);
    }
}

#[tokio::test]
async fn a_witness_that_was_rolled_back_is_asked_from_there_and_told() {
    let home = Home::quick().await;
    let one = Scripted::honest(1, &home.key);
    let policy = policy(1, &[&one]);
    let ledger = open(&home, &policy, WitnessMode::Publish).await;
    let c = commit(&ledger).await;
    let old = {
        let honest = locked(&one.honest);
        (honest.size, honest.root)
    };
    ledger.deal(c, round("x"), None).await.expect("dealt");
    until("an anchor", || anchors(&home).len() > 1).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    {
        let mut honest = locked(&one.honest);
        (honest.size, honest.root) = old;
    }
    ledger.deal(c, round("y"), None).await.expect("dealt");
    assert_eq!(ledger.health().witnesses.each[0].rolled_back, 1);
    ledger.close().await.expect("closed");
}

#[tokio::test]
async fn a_clock_that_is_61_seconds_off_writes_no_anchor_and_says_so() {
    // Ahead by more: a busy machine takes seconds from the witness's clock to the ledger's.
    for clock in [90, -61] {
        let home = Home::quick().await;
        let one = Scripted::honest(1, &home.key);
        locked(&one.honest).clock = clock;
        let policy = policy(1, &[&one]);
        let ledger = open(&home, &policy, WitnessMode::Publish).await;
        let c = commit(&ledger).await;
        ledger.deal(c, round("x"), None).await.expect("dealt");
        until("the alarm", || ledger.health().witnesses.unanchored.is_some()).await;
        let why = ledger.health().witnesses.unanchored.expect("why");
        assert!(why.starts_with("clock: "), "{why}");
        assert_eq!(anchors(&home), []);
        ledger.close().await.expect("closed");
    }
    let home = Home::quick().await;
    let one = Scripted::honest(1, &home.key);
    locked(&one.honest).clock = 57;
    let policy = policy(1, &[&one]);
    let ledger = open(&home, &policy, WitnessMode::Publish).await;
    commit(&ledger).await;
    until("an anchor", || !anchors(&home).is_empty()).await;
    ledger.close().await.expect("closed");
}

#[tokio::test]
async fn in_anchor_mode_a_dead_network_stops_nothing_and_anchors_come_when_it_is_back() {
    let home = Home::quick().await;
    let is_away = Arc::new(AtomicBool::new(true));
    let away = Arc::clone(&is_away);
    let one = Scripted::start(1, &home.key, move |_, _| {
        away.load(Ordering::Relaxed).then(|| Reply::new(502, ""))
    });
    let policy = policy(1, &[&one]);
    let ledger = open(&home, &policy, WitnessMode::Anchor).await;
    let c = commit(&ledger).await;
    let start = Instant::now();
    for round_of in 0..20 {
        ledger.deal(c, round(&round_of.to_string()), None).await.expect("dealt");
    }
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert_eq!(anchors(&home), []);
    is_away.store(false, Ordering::Relaxed);
    until("an anchor over all", || anchors(&home).last().is_some_and(|(_, size)| *size >= 21))
        .await;
    ledger.close().await.expect("closed");
    home.audit();
}

#[tokio::test]
async fn two_nodes_that_ask_the_same_witnesses_deal_both() {
    let home = Home::quick().await;
    let witnesses = [1, 2, 3].map(|one| Scripted::honest(one, &home.key));
    let policy = policy(2, &witnesses.each_ref());
    let one = open(&home, &policy, WitnessMode::Publish).await;
    let two = open(&home, &policy, WitnessMode::Publish).await;
    let a = one.commit(terms("a"), None).await.expect("committed").commitment;
    let b = two.commit(terms("b"), None).await.expect("committed").commitment;
    let deals = |ledger: Ledger, c| async move {
        for seed in 0..30 {
            let deal = NewDeal { ..round(&seed.to_string()) };
            ledger.deal(c, deal, None).await.expect("dealt");
        }
        ledger
    };
    let (one, two) = tokio::join!(deals(one, a), deals(two, b));
    for ledger in [&one, &two] {
        let health = ledger.health().witnesses;
        assert!(health.each.iter().all(|one| one.claim.is_none()), "{health:?}");
    }
    one.close().await.expect("closed");
    two.close().await.expect("closed");
    assert!(published(&home, &policy).1);
    home.audit();
}

#[tokio::test]
async fn a_ledger_whose_checkpoints_witnesses_sign_is_not_opened_without_a_policy() {
    let home = Home::quick().await;
    let one = Scripted::honest(1, &home.key);
    let policy = policy(1, &[&one]);
    let ledger = open(&home, &policy, WitnessMode::Publish).await;
    commit(&ledger).await;
    ledger.close().await.expect("closed");
    let error = Ledger::open(home.path(), options()).await.expect_err("no policy");
    assert!(error.to_string().contains("--policy"), "{error}");
    assert_eq!(error.code(), "invalid");
    // A quorum of none ends the use of witnesses.
    let none = Arc::new(Policy::parse(b"quorum none\n").expect("a policy"));
    let ledger = open(&home, &none, WitnessMode::Publish).await;
    ledger.commit(terms("other"), None).await.expect("committed");
    ledger.close().await.expect("closed");
    home.open().await.close().await.expect("the checkpoint has one line again");
}

#[tokio::test]
async fn a_policy_that_cannot_work_is_refused_before_anything_is_dealt() {
    let home = Home::quick().await;
    let one = Scripted::honest(1, &home.key);
    let text = policy(1, &[&one]);
    let witness = text.witnesses()[0].key.to_text();
    let many = (0..100_u8).map(|number| {
        let name = format!("w{number}.example").parse().expect("a name");
        let key = WitnessSigner::from_seed(name, &[number; 32]).key().to_text();
        format!("witness w{number} {key} http://127.0.0.1:1")
    });
    let many = many.collect::<Vec<_>>().join("\n");
    for (lines, words) in [
        (format!("{many}\nquorum w0\n"), "expected at most 99"),
        (format!("witness w {witness}\nquorum w\n"), "expected URLs"),
        (format!("witness w {witness} ftp://w.example\nquorum w\n"), "expected URLs"),
        (
            format!("log {}\nwitness w {witness} {}\nquorum w\n", other_key(), one.url),
            "expected a line \"log\" for test.example/log",
        ),
    ] {
        let policy = Arc::new(Policy::parse(lines.as_bytes()).expect("a policy"));
        let opened = try_open(&home, quick(&policy, WitnessMode::Publish)).await;
        let error = opened.expect_err("it cannot work").to_string();
        assert!(error.contains(words), "expected {words:?}, found {error}");
    }
}

fn other_key() -> String {
    let signer =
        fairdeal::log::SignerKey::from_seed("other.example/log".parse().expect("a name"), &[3; 32]);
    signer.verifier().to_text()
}
