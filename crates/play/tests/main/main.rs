//! The table to play at (web/play.md). How the player's kit catches each cheat is tried in
//! `web/test/play.test.js`.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is a failure with a place")]

use std::path::{Path, PathBuf};

use fairdeal::deal::{Blind, ClientSeed, Commitment, Contribution, Label, Nonce};
use fairdeal::log::VerifierKey;
use fairdeal::record::entry::{LoggedContribution, PlayerSigner, RoundOf};
use fairdeal::record::receipt::{Document, verify};
use fairdeal_play::{PlayTable, PlayTableError};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::runtime::Runtime;
use ureq::http::Response;

const RULES: &str = include_str!("../../../../web/play-rules.txt");

/// A table that is open until it is dropped.
struct Running {
    url: String,
    key: VerifierKey,
    agent: ureq::Agent,
    _table: PlayTable,
    _runtime: Runtime,
}

impl Running {
    fn new() -> Self {
        let runtime = Runtime::new().unwrap();
        let table = runtime.block_on(PlayTable::open("127.0.0.1:0".parse().unwrap())).unwrap();
        let url = table.url().strip_suffix("/play.html").unwrap().to_owned();
        let agent = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
        let about = agent.get(format!("{url}/play")).call().unwrap().body_mut().read_to_string();
        let about: Value = serde_json::from_str(&about.unwrap()).unwrap();
        let key = about["key"].as_str().unwrap().parse().unwrap();
        Self { url, key, agent, _table: table, _runtime: runtime }
    }

    fn get(&self, path: &str) -> Got {
        self.get_with(path, "accept", "*/*")
    }

    fn get_with(&self, path: &str, header: &str, value: &str) -> Got {
        let asked = self.agent.get(format!("{}{path}", self.url)).header(header, value);
        Got::of(asked.call().unwrap())
    }

    /// Checks that a receipt holds.
    #[track_caller]
    fn holds(&self, receipt: &Value) {
        assert!(judged(self, receipt), "{receipt}");
    }
}

/// An answer.
struct Got {
    status: u16,
    /// Those of its headers that every answer has for browsers.
    guards: [Option<String>; 2],
    tag: Option<String>,
    text: String,
}

impl Got {
    fn of(mut response: Response<ureq::Body>) -> Self {
        let header = |name| {
            let value = response.headers().get(name);
            value.map(|value| value.to_str().unwrap().to_owned())
        };
        let tag = header("etag");
        let guards = ["x-content-type-options", "referrer-policy"].map(header);
        let text = response.body_mut().read_to_string().unwrap();
        Self { status: response.status().as_u16(), guards, tag, text }
    }

    /// Its JSON, after checking the status.
    #[track_caller]
    fn is(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        serde_json::from_str(&self.text).unwrap()
    }

    /// A problem of this status and code.
    #[track_caller]
    fn refuses(&self, status: u16, code: &str) {
        assert_eq!(self.is(status)["code"], code, "{}", self.text);
    }
}

/// A player has no token.
fn post(service: &Running, path: &str, body: &Value) -> Got {
    let asked = service.agent.post(format!("{}{path}", service.url));
    Got::of(asked.content_type("application/json").send(body.to_string()).unwrap())
}

/// The contribution of a visitor to a hand, and its opening.
fn brought(service: &Running, hand: &Value) -> (Value, Value) {
    let commitment = Commitment::parse(hand["commitment"].as_str().unwrap()).unwrap();
    let (from, seed) = (Label::new("you").unwrap(), ClientSeed::new("lucky").unwrap());
    let blind = Blind::from_bytes([7; 32]);
    let contribution = Contribution { from: from.clone(), seed, seen: None };
    let round = RoundOf { log: &service.key, commitment, nonce: Nonce::FIRST };
    let hash = round.hash(&contribution, &blind);
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
fn every_page_of_the_table_offers_to_play() {
    let service = Running::new();
    for (page, file) in
        [("/", "verify.html"), ("/verify.html", "verify.html"), ("/play.html", "play.html")]
    {
        let got = service.get(page);
        let file = std::fs::read_to_string(Path::new("../../web").join(file)).unwrap();
        let without = got.text.replacen(" data-offers=\"play\"", "", 1);
        assert!(without != got.text && without == file, "{}", got.text);
        assert_eq!(service.get_with(page, "if-none-match", &got.tag.unwrap()).status, 304);
    }
    assert_eq!(service.get("/play-rules.txt").text, RULES);
    for path in ["/play.html", "/play", "/checkpoint", "/no-such-page.html"] {
        let guards = service.get(path).guards;
        assert_eq!(guards, ["nosniff", "no-referrer"].map(|word| Some(word.to_owned())), "{path}");
    }
    service.get("/no-such-page.html").refuses(404, "no-such-path");
}

#[test]
fn a_hand_goes_from_its_promise_to_its_reveal_without_a_token() {
    let service = Running::new();
    let about = service.get("/play").is(200);
    assert_eq!(about["key"], service.key.to_text());
    assert_eq!(about["rules"], hex::encode(Sha256::digest(RULES)));
    assert_eq!(about["cheats"].as_array().unwrap().len(), 5);
    post(&service, "/play/rounds?cheat=fork-view", &json!({})).refuses(400, "bad-request");
    let hand = post(&service, "/play/rounds", &json!({})).is(201);
    service.holds(&hand["promise"]);
    let path = format!("/play/rounds/{}", hand["round"].as_str().unwrap());
    post(&service, &format!("{path}/show"), &json!({})).refuses(409, "out-of-order");
    let (given, opened) = brought(&service, &hand);
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
    let service = Running::new();
    let hand = post(&service, "/play/rounds", &json!({"cheat": "fork-view"})).is(201);
    let path = format!("/play/rounds/{}", hand["round"].as_str().unwrap());
    let (given, opened) = brought(&service, &hand);
    let locked = post(&service, &format!("{path}/hash"), &given).is(200);
    let dealt = post(&service, &format!("{path}/open"), &opened).is(200);
    assert!(judged(&service, &dealt["opening"]), "one file shows nothing of it");
    let entries = |receipt: &Value| receipt["entries"].as_array().unwrap().clone();
    let (honest, forged) = (entries(&locked["lock"]), entries(&dealt["opening"]["receipt"]));
    assert_eq!(honest[1]["index"], forged[1]["index"]);
    assert_ne!(honest[1]["entry"], forged[1]["entry"]);
    let logged = service.get_with("/v1/events", "accept", "application/json").is(200).to_string();
    assert!(!logged.contains("\\\"deal\\\"") && logged.contains("misdeal"), "{logged}");
}

#[test]
fn the_ledger_is_a_temporary_folder_that_goes_with_the_table() {
    let folders = || -> Vec<PathBuf> {
        let all = std::fs::read_dir(std::env::temp_dir()).unwrap();
        let all = all.map(|entry| entry.unwrap().path());
        all.filter(|path| path.to_string_lossy().contains("fairdeal-play-")).collect()
    };
    let has_log = |path: &PathBuf, key: &VerifierKey| {
        let key = key.to_text();
        std::fs::read_to_string(path.join("private/signing.key")).is_ok_and(|signing| {
            let signer = fairdeal::log::SignerKey::parse(signing.trim_end()).unwrap();
            signer.verifier().to_text() == key
        })
    };
    let service = Running::new();
    let folder = folders().into_iter().find(|path| has_log(path, &service.key)).unwrap();
    let Running { _table: table, _runtime: runtime, .. } = service;
    runtime.block_on(table.close()).unwrap();
    assert!(!folder.exists());
}

#[test]
fn a_table_is_for_one_machine_alone() {
    let runtime = Runtime::new().unwrap();
    let refused = runtime.block_on(PlayTable::open("0.0.0.0:0".parse().unwrap())).unwrap_err();
    assert!(matches!(refused, PlayTableError::NotLoopback(_)), "{refused}");
}

#[test]
fn a_page_of_another_site_cannot_call() {
    let service = Running::new();
    let asked = service.agent.post(format!("{}/play/rounds", service.url));
    Got::of(asked.content_type("text/plain").send("{}").unwrap()).refuses(400, "bad-request");
}
