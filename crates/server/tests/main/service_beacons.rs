//! Rounds that wait for a beacon: locked, dealt by the service, and told.

use std::sync::atomic::Ordering;

use fairdeal::beacon::Chains;
use fairdeal_ledger::{BeaconOptions, LedgerOptions};
use fairdeal_server::ServiceOptions;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::ledger_support::quick_folder;
use crate::relay::{Relay, seconds};
use crate::service_support::{Running, seed};

/// A service in a folder, which knows this relay's chain and asks these relays.
fn service_in(dir: TempDir, relay: &Relay, relays: Vec<String>) -> Running {
    let beacons =
        BeaconOptions { chains: Chains::with([relay.chain.chain()]).expect("one key"), relays };
    let options = LedgerOptions { beacons, ..LedgerOptions::default() };
    Running::on_ledger(dir, options, ServiceOptions::default(), |parts| parts)
}

/// A new service, which asks this relay.
pub(crate) fn service(relay: &Relay) -> Running {
    service_in(quick_folder(), relay, vec![relay.url.clone()])
}

/// The terms of a table with rounds of this relay's chain.
fn terms(relay: &Relay, margin: u64) -> Value {
    let beacon = json!({"chain": relay.chain.chain().hash().to_string(), "margin": margin});
    json!({"table": "main", "mixing": "beacon", "draw": 5, "rounds": 1, "beacon": beacon})
}

fn round(service: &Running, path: &str) -> Value {
    service.get(&format!("{path}/rounds/0")).is(200)
}

fn in_state(service: &Running, path: &str, state: &str) -> Value {
    service.until(state, |service| {
        let got = service.get(&format!("{path}/rounds/0"));
        // On a busy machine an entry waits until it is published.
        let is_next = got.status == 503 && got.text().contains("not-published");
        (!is_next).then(|| got.is(200)).filter(|round| round["state"] == state)
    })
}

#[test]
fn the_service_deals_a_locked_round_when_its_beacon_is_out_and_the_table_goes_on() {
    let relay = Relay::new();
    let service = service(&relay);
    let path = service.commit(&terms(&relay, 5_000));
    let standing = service.get(&path).is(200);
    assert_eq!(standing["beacon"], terms(&relay, 5_000)["beacon"]);
    let lock = service.post(&format!("{path}/locks"), &json!({})).is(201);
    let (number, out) = (lock["beacon"].as_u64().unwrap(), lock["out"].as_u64().unwrap());
    assert_eq!(out, relay.chain.chain().out(number) * 1000);
    let locked = round(&service, &path);
    assert_eq!((&locked["beacon"], &locked["out"]), (&lock["beacon"], &lock["out"]));
    assert!(locked.get("signature").is_none());
    let beacon = format!("/v1/beacons/{}/{number}", relay.chain.chain().hash());
    service.get(&beacon).refuses(404, "not-out");
    let early = service.post(&format!("{path}/deals"), &json!({}));
    early.refuses(503, "awaits-beacon");
    let wait: u64 = early.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=6).contains(&wait), "{wait}");
    assert_eq!(relay.asked(), 0, "it is not out");

    let dealt = in_state(&service, &path, "dealt");
    assert_eq!(dealt["signature"], hex::encode(relay.chain.sign(number)));
    let told = service.get(&beacon);
    assert_eq!(told.is(200), json!({"round": number, "signature": dealt["signature"]}));
    assert!(told.header("cache-control").unwrap().contains("immutable"));
    service.holds(&service.get(&format!("{path}/rounds/0/receipt")).is(200));
    let standing = service.until("a reveal", |service| {
        Some(service.get(&path).is(200)).filter(|standing| standing["state"] == "revealed")
    });
    let table = service.get("/v1/tables?table=main").is(200)["commitment"].clone();
    assert_eq!(table["after"], standing["commitment"], "the next one follows");
    assert_eq!(table["beacon"], standing["beacon"]);
    assert_eq!(relay.strange.lock().unwrap().as_slice(), [""; 0]);
}

#[test]
fn a_signature_that_is_brought_deals_the_round_without_a_relay_and_another_one_is_refused() {
    let relay = Relay::new();
    relay.has.store(false, Ordering::SeqCst);
    let service = service(&relay);
    let path = service.commit(&terms(&relay, 0));
    let lock = service.post(&format!("{path}/locks"), &seed("alice", "x")).is(201);
    let number = lock["beacon"].as_u64().unwrap();
    let beacon = format!("/v1/beacons/{}/{number}", relay.chain.chain().hash());
    service
        .until("the beacon is out", |service| (service.get(&beacon).status == 503).then_some(()));
    let silent = service.get(&beacon);
    silent.refuses(503, "awaits-beacon");
    assert_eq!(silent.header("retry-after"), Some("1"));
    let path_of_deals = format!("{path}/deals");
    let silent = service.post(&path_of_deals, &json!({}));
    let problem = silent.refuses(503, "awaits-beacon");
    assert_eq!(silent.header("retry-after"), Some("1"));
    assert!(!problem.to_string().contains(&relay.url), "{problem}");
    let brought = |round: u64| json!({"beacon": hex::encode(relay.chain.sign(round))});
    service.post(&path_of_deals, &brought(number + 1)).refuses(409, "beacon-signature");
    service.post(&path_of_deals, &json!({"beacon": "ab"})).refuses(400, "bad-request");
    service.post(&path_of_deals, &brought(number)).is(201);
    let dealt = round(&service, &path);
    assert_eq!(dealt["signature"], brought(number)["beacon"]);
    assert_eq!(dealt["players"][0]["from"], "alice");
    service.until("its signature", |service| {
        let told = service.get(&beacon);
        (told.status == 200).then(|| assert_eq!(told.json()["signature"], dealt["signature"]))
    });
}

#[test]
fn no_reader_makes_the_service_ask_a_relay() {
    let relay = Relay::new();
    let service = service(&relay);
    let hash = relay.chain.chain().hash();
    for round in [1, 50, 90] {
        service.get(&format!("/v1/beacons/{hash}/{round}")).refuses(404, "unknown-beacon");
    }
    let chain = "ab".repeat(32);
    service.get(&format!("/v1/beacons/{chain}/1")).refuses(404, "unknown-chain");
    service.get(&format!("/v1/beacons/{hash}/9007199254740991")).refuses(404, "not-out");
    for wrong in
        [format!("{hash}/0"), format!("{hash}/01"), format!("{hash}/latest"), "ab/1".into()]
    {
        service.get(&format!("/v1/beacons/{wrong}")).refuses(400, "bad-request");
    }
    assert_eq!(relay.asked(), 0);
}

#[test]
fn terms_that_the_service_could_not_keep_are_refused() {
    let relay = Relay::new();
    let service = service(&relay);
    let mut other = terms(&relay, 0);
    other["beacon"]["chain"] = json!("ab".repeat(32));
    service.post("/v1/commitments", &other).refuses(400, "invalid");
    other["mixing"] = json!("hashes");
    service.post("/v1/commitments", &other).refuses(400, "bad-request");
    let plain = json!({"table": "main", "mixing": "beacon"});
    let path = service.commit(&plain);
    let beacon = service.get(&path).is(200)["beacon"].clone();
    assert_eq!(beacon["margin"], 20_000, "{beacon}");
    let alone = Running::new();
    let problem = alone.post("/v1/commitments", &plain).refuses(400, "invalid");
    assert!(problem["detail"].as_str().unwrap().contains("--beacon-relay"), "{problem}");
    let seeds = alone.commit(&json!({"table": "main"}));
    alone.post(&format!("{seeds}/locks"), &json!({})).refuses(400, "invalid");
}

#[test]
fn a_lock_whose_beacon_would_be_out_after_the_last_deal_is_refused() {
    let relay = Relay::new();
    let service = service(&relay);
    // The last round begins 9 s after the commitment.
    let mut terms = terms(&relay, 9_000);
    terms["reveal_in"] = json!("10s");
    let path = service.commit(&terms);
    let problem = service.post(&format!("{path}/locks"), &json!({})).refuses(409, "too-late");
    assert!(problem["detail"].as_str().unwrap().contains("the beacon"), "{problem}");
    terms["table"] = json!("other");
    terms["beacon"]["margin"] = json!(5_000);
    let path = service.commit(&terms);
    service.post(&format!("{path}/locks"), &json!({})).is(201);
}

#[test]
fn a_round_that_no_relay_finishes_is_voided_and_its_commitment_revealed_in_time() {
    let relay = Relay::new();
    relay.has.store(false, Ordering::SeqCst);
    let service = service(&relay);
    let mut terms = terms(&relay, 0);
    terms["reveal_in"] = json!("10s");
    let path = service.commit(&terms);
    service.post(&format!("{path}/locks"), &json!({})).is(201);
    let voided = in_state(&service, &path, "voided");
    assert_eq!(voided["reason"], "the commitment's time is over");
    let standing = service.until("a reveal", |service| {
        Some(service.get(&path).is(200)).filter(|standing| standing["state"] == "revealed")
    });
    assert_eq!(standing["overdue"], false);
    let (by, voided) = (standing["reveal_by"].as_u64().unwrap(), &voided["voided"]["time"]);
    // Half of the time after the deadline is for the relays.
    assert!((by - 500..by).contains(&voided.as_u64().unwrap()), "{voided}, {by}");
    assert!(relay.asked() > 1);
}

#[test]
fn a_round_that_was_locked_before_the_start_is_dealt_after_it() {
    let relay = Relay::new();
    let first = service(&relay);
    let path = first.commit(&terms(&relay, 2_000));
    let lock = first.post(&format!("{path}/locks"), &json!({})).is(201);
    let dir = first.stop();
    while lock["out"].as_u64().unwrap() > seconds() * 1000 {
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let again = service_in(dir, &relay, vec!["http://127.0.0.1:1".to_owned(), relay.url.clone()]);
    in_state(&again, &path, "dealt");
    assert_eq!(again.get("/readyz").is(200)["late_beacons"], 0);
}
