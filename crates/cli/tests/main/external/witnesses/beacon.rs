//! Rounds that wait for a beacon, with three witnesses of ours: an audit under the policy counts
//! nothing that was not before its beacon.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use fairdeal::beacon::Chains;
use fairdeal::record::entry::{BeaconTerms, Mixing};
use fairdeal_ledger::{BeaconOptions, Done, NewDeal, NewLock};
use tools::beacons::OwnChain;

use super::nodes::Shared;
use super::ours::now;
use super::*;

/// A relay on loopback that has every round of the chain.
fn relay(own: &'static OwnChain) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let (mut head, mut byte) = (Vec::new(), [0]);
            while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|n| n == 1) {
                head.push(byte[0]);
            }
            let head = String::from_utf8(head).expect("a text");
            let path = head.split(' ').nth(1).expect("a path");
            let round = path.rsplit('/').next().and_then(|round| round.parse().ok());
            let signature = hex::encode(own.sign(round.expect("a number")));
            let body =
                format!("{{\"round\":{},\"signature\":\"{signature}\"}}", round.expect("it"));
            let length = body.len();
            let head =
                format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
            // The ledger may have given up.
            let _gone = stream.write_all(format!("{head}{body}").as_bytes());
        }
    });
    url
}

/// Locks the next round of a table, and finishes it.
async fn finished(ledger: &Ledger, table: &str, own: &OwnChain) -> Done {
    let new = with(terms(table), |terms| {
        terms.mixing = Mixing::Beacon;
        terms.beacon = Some(BeaconTerms { chain: own.chain().hash(), margin: int(12_000) });
    });
    let c = ledger.commit(new, None).await.expect("committed").commitment;
    ledger.lock(c, NewLock::default(), None).await.expect("locked");
    let done = ledger.finish(c, NewDeal::default()).await.expect("finished");
    ledger.reveal(c, NewReveal::default(), None).await.expect("revealed");
    done
}

/// A chain with a round each second, since an hour ago.
fn chain() -> &'static OwnChain {
    Box::leak(Box::new(OwnChain { secret: 11, genesis: now() - 3_600, period: 1 }))
}

/// The same options with that chain, and with no other anchors than those of locks.
fn waiting(options: LedgerOptions, mode: WitnessMode, own: &'static OwnChain) -> LedgerOptions {
    let anchor_every = Duration::from_hours(1);
    let asked = options.witnesses.clone().map(|one| Witnessing { mode, anchor_every, ..one });
    let beacons = BeaconOptions {
        chains: Chains::with([own.chain()]).expect("one key"),
        relays: vec![relay(own)],
    };
    LedgerOptions { witnesses: asked, beacons, ..options }
}

/// The program finds so many deals with a beacon under a policy, each locked before it.
fn before_beacons(home: &Home, policy: &str, own: &OwnChain, deals: u32) {
    std::fs::write(home.path().join("chain"), own.info().to_string()).expect("written");
    std::fs::write(home.path().join("policy"), policy).expect("written");
    std::fs::write(home.path().join("log.key"), home.key.to_text()).expect("written");
    let words = ["audit", "public", "--key", "log.key", "--policy", "policy"];
    let words = [&words[..], &["--beacon-chain", "chain"]].concat();
    let (code, verdict) = fairdeal(home.path(), &words);
    assert_eq!((code, &verdict["findings"]), (Some(0), &serde_json::json!([])), "{verdict}");
    assert_eq!(verdict["reported"]["beacon_rounds"], deals, "{verdict}");
    assert_eq!(verdict["unverified"]["beacons"], 0, "{verdict}");
    let report = &verdict["witnesses"];
    assert_eq!(report["locks_not_before_beacon"], 0, "{report}");
    assert_eq!(report["voids_not_before_beacon"], 0, "{report}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_audit_finds_every_lock_of_a_ledger_in_both_modes_before_its_beacon() {
    let own = chain();
    for mode in [WitnessMode::Publish, WitnessMode::Anchor] {
        let home = Home::quick().await;
        let witnesses = Ours::three(home.path(), &home.key);
        let policy = ours::two_of(&witnesses);
        let options = quick(&parsed(&policy), 20);
        let options = waiting(options, mode, own);
        let ledger = Ledger::open(home.path(), options).await.expect("opens");
        let tables = ["one", "two", "three"].map(|table| finished(&ledger, table, own));
        for done in futures::future::join_all(tables).await {
            assert_eq!(done.entry.kind(), "deal", "{mode:?}");
        }
        ledger.close().await.expect("closed");
        before_beacons(&home, &policy, own, 3);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_on_postgresql_that_both_finish_a_round_deal_it_once() {
    let (shared, own) = (Shared::new().await, chain());
    let options = || waiting(quick(&parsed(&shared.policy), 20), WitnessMode::Publish, own);
    let one = Ledger::open_on(shared.parts(options()).await).await.expect("opens");
    let two = Ledger::open_on(shared.parts(options()).await).await.expect("opens");
    let commits = (0..4).map(|table| {
        let node = if table % 2 == 0 { &one } else { &two };
        let new = with(terms(&format!("beacon {table}")), |terms| {
            terms.mixing = Mixing::Beacon;
            terms.beacon = Some(BeaconTerms { chain: own.chain().hash(), margin: int(12_000) });
        });
        node.commit(new, None)
    });
    for done in futures::future::try_join_all(commits).await.expect("committed") {
        // Either node may lock what the other one has committed.
        one.lock(done.commitment, NewLock::default(), None).await.expect("locked");
        let ends = tokio::join!(
            one.finish(done.commitment, NewDeal::default()),
            two.finish(done.commitment, NewDeal::default()),
        );
        let is_deal = |end: &Result<Done, LedgerError>| {
            end.as_ref().is_ok_and(|done| done.entry.kind() == "deal")
        };
        let deals = [is_deal(&ends.0), is_deal(&ends.1)];
        assert_eq!(deals.iter().filter(|one| **one).count(), 1, "{ends:?}");
    }
    one.close().await.expect("closed");
    two.close().await.expect("closed");
    assert_eq!(shared.home.audit().findings, []);
    before_beacons(&shared.home, &shared.policy, own, 4);
}
