//! The answers to readers while the state changes, is out of reach, or is not published yet.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fairdeal_ledger::store::Fault;
use fairdeal_server::{ServiceLimits, ServiceOptions};
use serde_json::json;

use crate::ledger_faulty::Plan;
use crate::ledger_support::quick_folder;
use crate::service_support::{Running, seed};

fn on(plan: &Plan) -> Running {
    Running::on_stores(quick_folder(), ServiceOptions::default(), |parts| plan.wrap(parts))
}

#[test]
fn who_reads_what_is_not_published_yet_is_told_to_ask_again_and_of_no_key() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "main"}));
    std::thread::scope(|scope| {
        let held = service.hold_publishing();
        let dealt = scope.spawn(|| service.post(&format!("{path}/deals"), &seed("alice", "x")));
        for read in ["rounds/0/receipt", "rounds/0", "receipts?rounds=0-0"] {
            let got = service.until("a deal", |service| {
                Some(service.get(&format!("{path}/{read}"))).filter(|got| got.status != 404)
            });
            let problem = got.refuses(503, "not-published");
            let says = problem["detail"].as_str().unwrap();
            assert!(says.contains("ask again") && !says.contains("key"), "{read}: {says}");
            assert_eq!(problem["index"], 1, "{problem}");
            assert!(got.header("retry-after").is_some());
        }
        drop(held);
        dealt.join().unwrap().is(201);
    });
    service.get(&format!("{path}/rounds/0")).is(200);
}

#[test]
fn receipts_are_kept_for_ever_only_with_the_end_of_their_commitment_in_them() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "main"}));
    service.post(&format!("{path}/deals"), &seed("alice", "x")).is(201);
    let receipts = || {
        let got = service.get(&format!("{path}/receipts?rounds=0-0"));
        let receipt = &got.is(200)["receipts"][0];
        service.holds(receipt);
        let entries = receipt["entries"].as_array().unwrap().len();
        (entries, got.header("cache-control").unwrap().contains("immutable"))
    };
    std::thread::scope(|scope| {
        let held = service.hold_publishing();
        let revealed = scope.spawn(|| service.post(&format!("{path}/reveal"), &json!({})));
        service.until("a reveal", |service| {
            (service.get(&path).is(200)["state"] == "revealed").then_some(())
        });
        assert_eq!(receipts(), (2, false), "the reveal is committed and not published");
        drop(held);
        revealed.join().unwrap().is(201);
    });
    assert_eq!(receipts(), (3, true));
}

#[test]
fn no_event_of_a_table_is_passed_over_while_the_state_cannot_be_read() {
    let plan = Plan::default();
    let service = on(&plan);
    let json = [("accept", "application/json")];
    service.commit(&json!({"table": "one"}));
    // The service has not asked yet whose this one is.
    service.commit_beside("two");
    service.until("an entry", |service| {
        (service.get_with("/v1/events", &json).is(200)["last"] == 1).then_some(())
    });
    plan.unread(Some(Fault::Unreachable));
    service.get_with("/v1/events?after=0&table=two", &json).refuses(503, "unreachable");
    let cut = service.stream("/v1/events?after=0&table=two", "Connection: close\r\n").rest();
    assert!(!cut.contains("event:"), "it ended, and may be resumed: {cut}");
    plan.unread(None);
    let page = service.get_with("/v1/events?after=0&table=two", &json).is(200);
    assert_eq!((&page["events"][0]["index"], &page["last"]), (&json!(1), &json!(1)));
}

#[test]
fn who_deals_is_told_what_is_committed_where_its_receipt_cannot_be_made() {
    let plan = Plan::default();
    let service = on(&plan);
    let path = service.commit(&json!({"table": "main"}));
    let deals = format!("{path}/deals");
    service.post(&deals, &seed("alice", "x")).is(201);
    plan.unread(Some(Fault::Busy));
    let problem = service.post_under("k", &deals, &seed("alice", "y")).refuses(503, "busy");
    plan.unread(None);
    let says = problem["detail"].as_str().unwrap();
    assert!(says.contains("committed") && says.contains("same idempotency key"), "{says}");
    assert_eq!(problem["index"], 2, "{problem}");
    let again = service.post_under("k", &deals, &seed("alice", "y")).is(200);
    assert_eq!(again["index"], 2);
}

#[test]
fn however_many_read_deals_are_answered() {
    let plan = Plan::default();
    plan.readers(8, Duration::from_millis(50));
    let service = on(&plan);
    let path = service.commit(&json!({"table": "main"}));
    let deal = || service.post(&format!("{path}/deals"), &seed("alice", "x"));
    deal().is(201);
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..120 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    service.get(&format!("{path}/receipts?rounds=0-0"));
                }
            });
        }
        std::thread::sleep(Duration::from_millis(500));
        let answers: Vec<u16> = (0..8).map(|_| deal().status).collect();
        let ready = service.get("/readyz").status;
        stop.store(true, Ordering::Relaxed);
        assert_eq!((answers, ready), (vec![201; 8], 200));
    });
}

#[test]
fn who_has_no_token_takes_no_place_of_the_dealer_s() {
    let plan = Plan::default();
    plan.readers(8, Duration::from_millis(20));
    let limits = ServiceLimits { writes: 1, ..ServiceLimits::default() };
    let options = ServiceOptions { limits, ..ServiceOptions::default() };
    let service = Running::on_stores(quick_folder(), options, |parts| plan.wrap(parts));
    let path = service.commit(&json!({"table": "main"}));
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for stranger in 0..16 {
            let (service, path, stop) = (&service, &path, &stop);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let token = format!("fairdeal_{stranger:064}");
                    service.post_as(&token, &format!("{path}/deals"), &[], b"{}");
                }
            });
        }
        std::thread::sleep(Duration::from_millis(500));
        let deal = || service.post(&format!("{path}/deals"), &seed("alice", "x")).status;
        let answers: Vec<u16> = (0..16).map(|_| deal()).collect();
        stop.store(true, Ordering::Relaxed);
        assert_eq!(answers, vec![201; 16]);
    });
}

#[test]
fn a_published_file_that_is_lost_is_told_and_its_entries_are_not_read_out() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "main"}));
    for n in 0..260 {
        service.post(&format!("{path}/deals"), &seed("alice", &n.to_string())).is(201);
    }
    assert_eq!(service.get("/readyz").is(200)["damaged_files"], 0);
    let dir = service.stop();
    let bundle = dir.path().join("public/tile/entries/000");
    let mut bytes = std::fs::read(&bundle).unwrap();
    bytes[500] ^= 1;
    std::fs::write(&bundle, bytes).unwrap();
    let service = Running::on(dir, ServiceOptions::default());
    let ready = service.until("a look", |service| {
        let ready = service.get("/readyz").is(200);
        (ready["damaged_files"] != 0).then_some(ready)
    });
    assert_eq!((&ready["damaged_files"], &ready["ready"]), (&json!(1), &json!(true)), "{ready}");
    let json = [("accept", "application/json")];
    service.get_with("/v1/events?after=0", &json).refuses(503, "damaged");
    service.post(&format!("{path}/deals"), &seed("alice", "dealt on")).is(201);
}
