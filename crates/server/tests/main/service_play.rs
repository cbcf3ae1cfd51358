//! The table to play at (web/play.md). How the player's kit catches each cheat is tried in `web/test/play.test.js`.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is a failure with a place")]

use std::sync::Arc;

use fairdeal::deal::Deck;
use fairdeal::deal::{Blind, ClientSeed, Commitment, Contribution, Label, Nonce};
use fairdeal::log::SignerKey;
use fairdeal::record::entry::Terms;
use fairdeal::record::entry::{LoggedContribution, PlayerSigner, RoundOf};
use fairdeal::record::receipt::{Document, verify};
use fairdeal_ledger::{Ledger, LedgerOptions, NewCommit};
use fairdeal_server::{Service, ServiceError, ServiceOptions};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::ledger_support::{origin, quick_folder};
use crate::service_support::{Got, Running};

const RULES: &str = include_str!("../../../../web/play-rules.txt");

/// A folder with a new ledger, and its signing key.
fn game() -> (tempfile::TempDir, Arc<SignerKey>) {
    let dir = quick_folder();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(Ledger::init(dir.path(), &origin())).unwrap();
    let text = std::fs::read_to_string(dir.path().join("private/signing.key")).unwrap();
    (dir, Arc::new(SignerKey::parse(text.trim_end()).unwrap()))
}

fn table() -> Running {
    let (dir, key) = game();
    Running::on(dir, ServiceOptions { play: Some(key), ..ServiceOptions::default() })
}

/// A visitor has no token.
fn post(service: &Running, path: &str, body: &Value) -> Got {
    service.post_as("", path, &[], body.to_string().as_bytes())
}

/// What a visitor gives for a hand, and what opens it.
fn brought(hand: &Value) -> (Value, Value) {
    let commitment = Commitment::parse(hand["commitment"].as_str().unwrap()).unwrap();
    let (from, seed) = (Label::new("you").unwrap(), ClientSeed::new("lucky").unwrap());
    let blind = Blind::from_bytes([7; 32]);
    let contribution = Contribution { from: from.clone(), seed, seen: None };
    let hash = contribution.hash(&commitment, Nonce::FIRST, &blind);
    let origin = origin();
    let round = RoundOf { origin: origin.as_str(), commitment, nonce: Nonce::FIRST };
    let signer = PlayerSigner::from_seed(&[9; 32]);
    let given = signer.sign(&round, LoggedContribution::promised(from, hash, None));
    (
        serde_json::to_value(given).unwrap(),
        json!({"from": "you", "seed": "lucky", "blind": blind.to_text()}),
    )
}

/// Whether an opening or a receipt holds.
fn judged(service: &Running, document: &Value) -> bool {
    verify(&document.to_string().parse::<Document>().unwrap(), &service.key).holds
}

#[test]
fn the_pages_of_a_service_with_a_table_offer_to_play() {
    let service = table();
    for page in ["/", "/verify.html", "/play.html"] {
        let got = service.get(page);
        let of_file = Running::new().get(page);
        let without = got.text().replacen(" data-offers=\"play\"", "", 1);
        assert!(without != got.text() && without == of_file.text(), "{}", got.text());
        let tag = got.header("etag").unwrap().to_owned();
        assert_ne!(
            Some(tag.as_str()),
            of_file.header("etag"),
            "who kept the page without a table gets the other one"
        );
        assert_eq!(service.get_with(page, &[("if-none-match", &tag)]).status, 304);
    }
}

#[test]
fn a_hand_goes_from_its_promise_to_its_reveal_without_a_token() {
    let service = table();
    let about = service.get("/play").is(200);
    assert_eq!(about["key"], service.key.to_text());
    assert_eq!(about["rules"], hex::encode(Sha256::digest(RULES)));
    assert_eq!(about["cheats"].as_array().unwrap().len(), 5);
    post(&service, "/play/rounds?cheat=fork-view", &json!({})).refuses(400, "bad-request");
    let hand = post(&service, "/play/rounds", &json!({})).is(201);
    service.holds(&hand["promise"]);
    let path = format!("/play/rounds/{}", hand["round"].as_str().unwrap());
    post(&service, &format!("{path}/show"), &json!({})).refuses(409, "out-of-order");
    let (given, opened) = brought(&hand);
    let locked = post(&service, &format!("{path}/hash"), &given).is(200);
    service.holds(&locked["lock"]);
    assert_eq!(post(&service, &format!("{path}/hash"), &given).is(200), locked, "asked again");
    let wrong = json!({"from": "you", "seed": "another", "blind": opened["blind"]});
    post(&service, &format!("{path}/open"), &wrong).refuses(409, "unopened-hash");
    let dealt = post(&service, &format!("{path}/open"), &opened).is(200);
    let places = |answer: &Value| -> Vec<u64> {
        answer["opening"]["opened"]
            .as_array()
            .unwrap()
            .iter()
            .map(|card| card["t"].as_u64().unwrap())
            .collect()
    };
    assert!(judged(&service, &dealt["opening"]));
    assert_eq!(places(&dealt), [0, 2, 4, 6, 8]);
    service.holds(&dealt["next"]);
    let shown = post(&service, &format!("{path}/show"), &json!({})).is(200);
    assert_eq!(places(&shown), [1, 3, 5, 7, 9]);
    service.holds(&shown["reveal"]);
    assert!(shown["reveal"].to_string().contains("server_seed"));
    let next = post(&service, "/play/rounds", &json!({"after": hand["round"]})).is(201);
    assert_eq!(next["table"], hand["table"]);
    assert_eq!(next["promise"]["entries"][0]["entry"], dealt["next"]["entries"][0]["entry"]);
    let other = post(&service, "/play/rounds", &json!({"after": "0".repeat(32)})).is(201);
    assert_ne!(other["table"], hand["table"], "nobody sits down at another visitor's table");
}

#[test]
fn a_forged_hand_holds_by_itself_and_the_log_never_had_it() {
    let service = table();
    let hand = post(&service, "/play/rounds", &json!({"cheat": "fork-view"})).is(201);
    let path = format!("/play/rounds/{}", hand["round"].as_str().unwrap());
    let (given, opened) = brought(&hand);
    let locked = post(&service, &format!("{path}/hash"), &given).is(200);
    let dealt = post(&service, &format!("{path}/open"), &opened).is(200);
    assert!(judged(&service, &dealt["opening"]), "one file shows nothing of it");
    let entries = |receipt: &Value| receipt["entries"].as_array().unwrap().clone();
    let (honest, forged) = (entries(&locked["lock"]), entries(&dealt["opening"]["receipt"]));
    assert_eq!(honest[1]["index"], forged[1]["index"]);
    assert_ne!(honest[1]["entry"], forged[1]["entry"]);
    let logged =
        service.get_with("/v1/events", &[("accept", "application/json")]).is(200).to_string();
    assert!(!logged.contains("\\\"deal\\\"") && logged.contains("misdeal"), "{logged}");
}

#[test]
fn a_ledger_with_other_tables_is_no_table_to_play_at() {
    let (dir, key) = game();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let ledger = Ledger::open(dir.path(), LedgerOptions::default()).await.unwrap();
        let terms = Terms::new("main".parse().unwrap(), Deck::standard());
        ledger.commit(NewCommit::new(terms), None).await.unwrap();
        let options = ServiceOptions { play: Some(key), ..ServiceOptions::default() };
        let refused = Service::start(ledger, options).await.unwrap_err();
        assert!(matches!(&refused, ServiceError::Ledger(error) if error.to_string().contains("\"main\"")));
    });
}

#[test]
fn without_the_option_there_is_no_dealer_and_with_two_addresses_the_public_one_has_it() {
    let service = Running::new();
    service.get("/play").refuses(404, "no-such-path");
    post(&service, "/play/rounds", &json!({})).refuses(404, "no-such-path");
    let (dir, key) = game();
    let options =
        ServiceOptions { play: Some(key), operator_apart: true, ..ServiceOptions::default() };
    let service = Running::on(dir, options);
    service.get("/play").is(200);
}
