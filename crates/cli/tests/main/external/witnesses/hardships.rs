//! What may happen to a ledger and its witnesses: slow, dead, wrong clocks, a full disk, and an old
//! state that comes back.

use std::sync::atomic::Ordering;
use std::time::Duration;

use fairdeal::deal::Commitment;
use fairdeal_ledger::Ledger;
use tokio::time::Instant;

use super::ours::{Ours, parsed, two_of};
use super::{anchors, audits, note, quick, until};
use crate::ledger_support::*;

/// A ledger in publish mode, with three witnesses of which two must sign.
struct Table {
    home: Home,
    witnesses: [Ours; 3],
    policy: String,
    ledger: Ledger,
    commitment: Commitment,
}

impl Table {
    async fn new() -> Self {
        let home = Home::quick().await;
        let witnesses = Ours::three(home.path(), &home.key);
        let policy = two_of(&witnesses);
        let ledger = Ledger::open(home.path(), quick(&parsed(&policy), 20)).await.expect("opens");
        let commitment = ledger.commit(terms("main"), None).await.expect("committed").commitment;
        Self { home, witnesses, policy, ledger, commitment }
    }

    async fn deal(&self, count: u32) {
        for _ in 0..count {
            let done = self.ledger.deal(self.commitment, round("x"), None).await.expect("dealt");
            let policy = parsed(&self.policy);
            let published = note(&self.home);
            assert!(published.unverified().size() > done.index);
            assert!(published.witnessed(&policy).expect("each verifies").quorum.is_some());
        }
    }

    fn answer(&self, witness: usize) -> String {
        self.ledger.health().witnesses.each[witness].answer.clone().unwrap_or_default()
    }

    /// The last deal gets its anchor, and the audit under the policy holds.
    async fn ends(self) {
        let last = self.ledger.deal(self.commitment, round("x"), None).await.expect("dealt").index;
        until("an anchor over it", || {
            anchors(&self.home).last().is_some_and(|one| one.size.value() > last)
        })
        .await;
        assert_eq!(self.ledger.health().witnesses.unanchored, None);
        self.ledger.close().await.expect("closed");
        audits(&self.home, &self.policy, true);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_a_slow_witness_or_a_dead_one_the_others_quorum_deals_on() {
    let mut table = Table::new().await;
    table.deal(3).await;
    table.witnesses[0].delay.store(1500, Ordering::Relaxed);
    let start = Instant::now();
    table.deal(40).await;
    // Each of the 40 waits for no slow one.
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    // The slow one and one other are a quorum too: then deals are as slow.
    table.witnesses[1].stop();
    table.deal(2).await;
    until("the dead one is told of", || table.answer(1).contains("onnect")).await;
    table.witnesses[0].delay.store(0, Ordering::Relaxed);
    let start = Instant::now();
    table.deal(40).await;
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    // It comes back and signs from where it was.
    table.witnesses[1].start_again();
    until("it signs again", || table.answer(1).starts_with("signed ")).await;
    let health = table.ledger.health().witnesses;
    assert!(
        health.each.iter().all(|one| one.claim.is_none() && one.rolled_back == 0),
        "{health:?}"
    );
    table.ends().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_a_witness_whose_clock_goes_back_or_a_day_ahead_the_others_quorum_deals_on() {
    let table = Table::new().await;
    table.deal(3).await;
    let clock = &table.witnesses[0].clock;
    // It has just signed, so its clock is more than 5 seconds behind.
    clock.store(-9, Ordering::Relaxed);
    table.deal(5).await;
    until("it refuses", || table.answer(0) == "status 503").await;
    table.deal(5).await;
    clock.store(0, Ordering::Relaxed);
    until("it signs", || table.answer(0).starts_with("signed ")).await;
    clock.store(86_400, Ordering::Relaxed);
    table.deal(5).await;
    until("it signs a day ahead", || table.answer(0).starts_with("signed ")).await;
    let before = anchors(&table.home).len();
    table.deal(5).await;
    until("anchors go on", || anchors(&table.home).len() > before).await;
    // Nine seconds back, and then a day: it has promised a later time, and refuses until then.
    clock.store(86_400 - 9, Ordering::Relaxed);
    table.deal(5).await;
    until("it refuses", || table.answer(0) == "status 503").await;
    clock.store(0, Ordering::Relaxed);
    table.deal(5).await;
    // One liar moves neither time the wrong way.
    let policy = parsed(&table.policy);
    for anchor in anchors(&table.home) {
        let witnessed = anchor.witnessed(&policy, origin().as_str()).expect("its lines");
        let quorum = witnessed.quorum.expect("two of three");
        let written = anchor.time.value() / 1000;
        assert!(quorum.since.is_some_and(|since| since <= written + 1), "{quorum:?}");
        assert!(quorum.by.is_none_or(|by| by + 60 >= written), "{quorum:?}");
    }
    table.ends().await;
}
