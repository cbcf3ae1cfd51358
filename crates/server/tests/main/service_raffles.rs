//! Raffles: promised with a token, read and drawn by everybody.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is a failure with a place")]

use fairdeal::beacon::Chains;
use fairdeal::log::VerifierKey;
use fairdeal::raffle::{
    GivenBeacon, RaffleDocument, RaffleGiven, RaffleVerdict, Tickets, verify_raffle,
};
use fairdeal::record::receipt::{ReaderGiven, Shown};
use serde_json::{Value, json};

use crate::relay::{Relay, seconds};
use crate::service_beacons::service;
use crate::service_support::{Running, seed};

/// A raffle that is drawn in so many seconds.
fn raffle(relay: &Relay, list: &str, winners: u32, wait: u64) -> Value {
    json!({
        "list": list, "rules": {"winners": winners, "title": "Winter"}, "at": seconds() + wait,
        "chain": relay.chain.chain().hash().to_string(),
    })
}

/// What a reader of this document and list sees, with the beacon's signature if they have it.
fn verdict(relay: &Relay, key: &str, document: &Value, list: &str, has: bool) -> RaffleVerdict {
    let document = RaffleDocument::parse(document.to_string().as_bytes()).unwrap();
    let tickets = Tickets::parse(list.as_bytes()).unwrap();
    let key = VerifierKey::parse(key).unwrap();
    let chains = Chains::with([relay.chain.chain()]).expect("one key");
    let reader = ReaderGiven { chains, ..ReaderGiven::default() };
    let given = RaffleGiven { reader, ..RaffleGiven::default() };
    let first = verify_raffle(&document, &tickets, &key, &given).unwrap();
    if !has {
        return first;
    }
    let round = first.beacon.unwrap().round.value();
    let signature = hex::encode(relay.chain.sign(round));
    let beacon = Some(GivenBeacon::parse(signature.as_bytes()).unwrap());
    verify_raffle(&document, &tickets, &key, &RaffleGiven { beacon, ..given }).unwrap()
}

fn winners(verdict: &RaffleVerdict) -> Vec<String> {
    verdict.drawn.iter().flatten().map(|winner| winner.line.clone()).collect()
}

#[test]
fn a_raffle_is_promised_drawn_and_revealed_and_anybody_can_compute_it_before() {
    let relay = Relay::new();
    let service = service(&relay);
    let key = service.get("/v1/log").is(200)["key"].as_str().unwrap().to_owned();
    // Anna has two tickets.
    let list = "anna\nbob\ncarol\nanna\ndave\n";
    let request = raffle(&relay, list, 2, 4);
    let at = request["at"].as_u64().unwrap();
    let promised = service.post("/v1/raffles", &request).is(201);
    let c = promised["commitment"].as_str().unwrap().to_owned();
    let path = format!("/v1/raffles/{c}");
    let before = service.get(&path).is(200);
    assert!(before.get("server_seed").is_some(), "the lock is published: {before}");
    assert_eq!(before["rules"], json!({"title": "Winter", "winners": 2}));
    let first = verdict(&relay, &key, &before, list, false);
    assert!(first.drawn.is_none() && first.has_seed && first.receipt.findings.is_empty());
    assert_eq!((first.count, first.different), (5, 4));
    let out = first.beacon.unwrap().out.unwrap();
    assert_eq!(out, at, "at its second");

    // The list is there under its digest, and nothing else.
    let terms = service.get(&format!("/v1/commitments/{c}")).is(200);
    let digest = terms["deck"]["sha256"].as_str().unwrap().to_owned();
    let got = service.get(&format!("/v1/lists/{digest}"));
    assert_eq!((got.status, got.text()), (200, list));
    assert_eq!(got.header("content-type"), Some("text/plain; charset=utf-8"));
    service.get(&format!("/v1/lists/{}", "0".repeat(64))).refuses(404, "no-such-list");
    service.get("/v1/lists/0").refuses(400, "bad-request");

    // Whoever has the number computes the winners from the promise alone.
    let early = winners(&verdict(&relay, &key, &before, list, true));
    assert_eq!(early.len(), 2);
    let after = service.until("a reveal", |service| {
        let got = service.get(&path);
        if got.status != 200 {
            // The deal is committed, and not published yet.
            return None;
        }
        let found = got.is(200);
        let is_revealed = verdict(&relay, &key, &found, list, false).shows(Shown::Replayed);
        is_revealed.then_some(found)
    });
    let drawn = verdict(&relay, &key, &after, list, false);
    assert_eq!((winners(&drawn), drawn.receipt.holds), (early, true));
    let round = drawn.beacon.unwrap().round.value();
    let beacon = format!("/v1/beacons/{}/{round}", relay.chain.chain().hash());
    assert_eq!(service.get(&beacon).is(200)["signature"], hex::encode(relay.chain.sign(round)));
    let tables = service.get("/v1/tables").is(200);
    let table = &tables["tables"][0];
    assert_eq!(table["commitment"], c, "no other commitment follows: {tables}");
}

#[test]
fn an_open_raffle_takes_the_seeds_of_others_and_has_a_document_from_its_lock_on() {
    let relay = Relay::new();
    let service = service(&relay);
    let key = service.get("/v1/log").is(200)["key"].as_str().unwrap().to_owned();
    let list = "1\n2\n3\n";
    let mut open = raffle(&relay, list, 1, 0);
    open.as_object_mut().unwrap().remove("at");
    open["margin"] = json!(2_000);
    open["table"] = json!("spring");
    let c = service.post("/v1/raffles", &open).is(201)["commitment"].as_str().unwrap().to_owned();
    let path = format!("/v1/raffles/{c}");
    service.get(&path).refuses(404, "no-raffle");
    let locks = format!("/v1/commitments/{c}/locks");
    service.post(&locks, &seed("bob", "lucky")).is(201);
    let document = service.get(&path).is(200);
    let found = verdict(&relay, &key, &document, list, true);
    assert_eq!((winners(&found).len(), found.receipt.contributions.len()), (1, 1));
}

#[test]
fn a_repeated_request_is_the_same_raffle_and_another_one_has_a_table_of_its_own() {
    let relay = Relay::new();
    let service = service(&relay);
    let request = raffle(&relay, "a\nb\n", 1, 60);
    let first = service.post_under("k", "/v1/raffles", &request).is(201);
    let again = service.post_under("k", "/v1/raffles", &request).is(200);
    assert_eq!(first["commitment"], again["commitment"]);
    for key in ["l", "m"] {
        let other = service.post_under(key, "/v1/raffles", &request).is(201);
        assert_ne!(other["commitment"], first["commitment"]);
    }
    service.post("/v1/raffles", &request).is(201);
    service.post("/v1/raffles", &request).is(201);
    let tables = service.get("/v1/tables").is(200);
    assert_eq!(tables["tables"].as_array().unwrap().len(), 5, "{tables}");
}

#[test]
fn what_makes_no_raffle_is_refused() {
    let relay = Relay::new();
    let service = service(&relay);
    let good = raffle(&relay, "a\nb\n", 1, 60);
    let refused = |change: &dyn Fn(&mut Value), status: u16, code: &str, says: &str| {
        let mut request = good.clone();
        change(&mut request);
        let got = service.post("/v1/raffles", &request);
        got.refuses(status, code);
        assert!(got.text().contains(says), "{}", got.text());
    };
    refused(&|one| one["rules"]["winners"] = json!(3), 400, "invalid", "at most 2");
    refused(&|one| one["rules"]["winners"] = json!(0), 400, "invalid", "1 to 1000");
    refused(&|one| one["list"] = json!(""), 400, "invalid", "");
    refused(&|one| one["list"] = json!("a\n\nb\n"), 400, "invalid", "");
    refused(&|one| one["at"] = json!(seconds() - 5), 400, "invalid", "to come");
    refused(&|one| one["margin"] = json!(5), 400, "bad-request", "not both");
    refused(&|one| drop(one.as_object_mut().unwrap().remove("at")), 400, "bad-request", "not both");
    refused(&|one| one["chain"] = json!("0".repeat(64)), 400, "invalid", "--beacon-chain");
    refused(&|one| one["rules"]["more"] = json!(1), 400, "bad-request", "more");
    service
        .post_as("", "/v1/raffles", &[], good.to_string().as_bytes())
        .refuses(401, "unauthorized");
    // A commitment that is no raffle has no document, and its seed stays secret.
    let beacon = json!({"chain": good["chain"], "margin": 60_000});
    let terms =
        json!({"table": "main", "mixing": "beacon", "draw": 5, "rounds": 1, "beacon": beacon});
    let path = service.commit(&terms);
    service.post(&format!("{path}/locks"), &json!({})).is(201);
    service.get(&path.replace("commitments", "raffles")).refuses(404, "no-raffle");
    service.get(&format!("/v1/raffles/{}", "0".repeat(64))).refuses(404, "unknown-commitment");
}

#[test]
fn a_service_without_a_relay_promises_no_raffle() {
    let service = Running::new();
    let relay = Relay::new();
    service.post("/v1/raffles", &raffle(&relay, "a\nb\n", 1, 60)).refuses(400, "invalid");
}
