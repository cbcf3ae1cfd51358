//! A lock whose beacon would be out too late to deal its round (spec/beacon.md, 34.1).

use std::time::Duration;

use fairdeal::beacon::Chains;
use fairdeal::record::entry::{BeaconTerms, Mixing};
use fairdeal_ledger::clock::{Clock as _, SystemClock};
use fairdeal_ledger::{BeaconOptions, Ledger, LedgerError, LedgerOptions, NewCommit, NewLock};
use tools::beacons::OwnChain;

use crate::ledger_support::*;

/// Checks a refusal of a lock.
fn is_too_late(refused: Result<fairdeal_ledger::Done, LedgerError>, expected: u64) {
    match refused.expect_err("too late") {
        LedgerError::TooLate { out: Some(out), .. } => assert_eq!(out, expected),
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn a_lock_is_refused_whose_beacon_is_out_after_the_last_moment_of_a_round() {
    let now = SystemClock::start().read().unix / 1000;
    // Its next round is out in half an hour, whenever this test runs.
    let own = OwnChain { secret: 11, genesis: now - 1_800, period: 3_600 };
    let out = (now + 1_800) * 1000;
    let home = Home::quick().await;
    let beacons =
        BeaconOptions { chains: Chains::with([own.chain()]).expect("one key"), relays: Vec::new() };
    let opened = Ledger::open(home.path(), LedgerOptions { beacons, ..options() }).await;
    let ledger = opened.expect("opens");
    let waits = |table: &str| {
        with(terms(table), |terms| {
            terms.mixing = Mixing::Beacon;
            terms.beacon = Some(BeaconTerms { chain: own.chain().hash(), margin: int(0) });
        })
    };
    let c = ledger.commit(waits("main"), None).await.expect("committed").commitment;
    let by = |by: u64| NewLock { by: Some(by), ..NewLock::default() };
    is_too_late(ledger.lock(c, by(out - 1), None).await, out);
    ledger.lock(c, by(out), None).await.expect("in time");

    // Without a moment of the caller's it is the one of the reveal.
    let soon = NewCommit { reveal_in: Duration::from_secs(1_000), ..waits("soon") };
    let c = ledger.commit(soon, None).await.expect("committed").commitment;
    is_too_late(ledger.lock(c, NewLock::default(), None).await, out);
    let late = NewLock { late: true, ..NewLock::default() };
    ledger.lock(c, late, None).await.expect("its reveal may be late");
    ledger.close().await.expect("closed");
}
