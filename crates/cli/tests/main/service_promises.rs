//! The promises of spec/http.md about keys, answers, problems and the start, in the cases where an
//! eye on the usual one misses it.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::process::Command;
use std::time::Duration;

use serde_json::json;

use crate::service_support::{Running, seed};
use fairdeal::log::VerifierKey;
use load::{LoadError, LoadPlan};

#[test]
fn the_same_key_with_another_body_is_refused_and_opens_no_card() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "main", "sealed": true, "rounds": 2}));
    let deals = format!("{path}/deals");
    let mut body = json!({"contributions": [{"from": "alice", "seed": "x"}], "open": [0]});
    let first = service.post_under("k", &deals, &body).is(201);
    assert_eq!(service.post_under("k", &deals, &body).is(200)["opened"], first["opened"]);
    body["public"] = json!(true);
    service.post_under("k", &deals, &body).refuses(422, "key-reused");
    body["open"] = json!([2]);
    service.post_under("k", &deals, &body).refuses(422, "key-reused");
    body["public"] = json!(false);
    service.post_under("k", &deals, &body).refuses(422, "key-reused");
    service.post_under("k", &deals, &seed("alice", "x")).refuses(422, "key-reused");
    assert_eq!(service.memos("opened").len(), 1, "{:?}", service.memos("opened"));
    assert_eq!(service.memos("opened-public").len(), 0);

    // A refused request does not use its key up: with `force` it may come again under it.
    let reveal = format!("{path}/reveal");
    service.post_under("r", &reveal, &json!({})).refuses(409, "round-in-play");
    service.post_under("r", &reveal, &json!({"force": true})).is(201);
    service.post_under("r", &reveal, &json!({"force": true})).is(200);
    service.post_under("r", &reveal, &json!({})).refuses(422, "key-reused");
}

#[test]
fn no_cache_keeps_the_answer_of_a_write() {
    let service = Running::new();
    let kept =
        service.post("/v1/commitments", &json!({"table": "main", "sealed": true, "rounds": 2}));
    assert_eq!(kept.header("cache-control"), Some("no-store"));
    let path = format!("/v1/commitments/{}", kept.is(201)["commitment"].as_str().unwrap());
    let body = json!({"contributions": [{"from": "alice", "seed": "x"}], "open": [0]});
    let dealt = service.post(&format!("{path}/deals"), &body);
    assert_eq!((dealt.status, dealt.header("cache-control")), (201, Some("no-store")));
    let done = service.post(&format!("{path}/rounds/0/done"), &json!({}));
    assert_eq!((done.status, done.header("cache-control")), (200, Some("no-store")));
}

#[test]
fn a_problem_names_the_players_whom_it_is_about() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "main", "mixing": "hashes"}));
    let (locks, deals) = (format!("{path}/locks"), format!("{path}/deals"));
    let hash = "ab".repeat(32);
    let hashed = |from: &str| json!({"from": from, "hash": hash});
    let of = |one: &serde_json::Value| json!({"contributions": [hashed("alice"), one]});
    let secret = json!({"from": "bob", "hash": hash, "seed": "x"});
    assert_eq!(service.post(&locks, &of(&secret)).refuses(400, "secret")["from"], json!(["bob"]));
    let empty = json!({"from": "bob"});
    assert_eq!(service.post(&locks, &of(&empty)).refuses(400, "invalid")["from"], json!(["bob"]));
    let clear = json!({"from": "bob", "seed": "x"});
    assert_eq!(
        service.post(&locks, &of(&clear)).refuses(409, "weak-mixing")["from"],
        json!(["bob"])
    );
    service.post(&locks, &of(&hashed("bob"))).is(201);
    let opens = |from: &str| json!({"from": from, "seed": "x", "blind": "0a".repeat(32)});
    let wrong = json!({"contributions": [opens("alice"), opens("bob")]});
    assert_eq!(
        service.post(&deals, &wrong).refuses(409, "unopened-hash")["from"],
        json!(["alice", "bob"]),
        "a wrong seed opens nothing"
    );

    let signed = service.commit(&json!({"table": "signed", "signed": true}));
    let body = json!({"contributions": [{"from": "carl", "seed": "x"}]});
    for call in ["locks", "deals"] {
        let problem = service.post(&format!("{signed}/{call}"), &body).refuses(409, "weak-mixing");
        assert_eq!(problem["from"], json!(["carl"]), "{problem}");
    }
}

#[test]
fn who_asks_for_what_comes_after_no_index_is_told_what_came() {
    let service = Running::new();
    for query in ["after=x", "after=-1", "after=18446744073709551616"] {
        let given = query.trim_start_matches("after=");
        let problem = service.get(&format!("/v1/events?{query}")).refuses(400, "bad-request");
        let says = problem["detail"].as_str().unwrap();
        assert!(says.contains("after: expected an index") && says.contains(given), "{says}");
    }
    let problem =
        service.get_with("/v1/events", &[("last-event-id", "x")]).refuses(400, "bad-request");
    assert_eq!(problem["detail"], "Last-Event-ID: expected an index, found \"x\"");
}

#[test]
fn a_public_address_that_is_none_ends_the_start_with_2() {
    let dir = crate::ledger_support::quick_folder();
    for url in ["notaurl", "", "ftp://cards.example"] {
        let output = Command::new(env!("CARGO_BIN_EXE_fairdeal"))
            .args(["serve", "none", "--listen", "127.0.0.1:0", "--public-url", url])
            .current_dir(dir.path())
            .output()
            .unwrap();
        let says = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{url:?}: {says}");
        assert!(says.contains("--public-url") && says.contains("http://"), "{url:?}: {says}");
    }
}

#[test]
fn a_load_counts_the_calls_that_break_and_one_with_another_log_s_key_says_so() {
    let load = |url: &str, token: &str, key: Option<&VerifierKey>| {
        let plan = LoadPlan {
            url: url.to_owned(),
            token: token.to_owned(),
            key: key.cloned(),
            prefix: "load-".to_owned(),
            tables: 1,
            players: 2,
            rate: Some(5.0),
            time: Duration::from_secs(1),
            connections: 1,
            verify_every: 16,
        };
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(load::run(plan, |_, _| ()))
    };
    // It makes the table's commitment, and then answers nothing any more.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for (number, stream) in listener.incoming().enumerate() {
            let mut stream = stream.unwrap();
            if number == 0 {
                let _request = stream.read(&mut [0; 4096]).unwrap();
                let body = r#"{"commitment":"c","receipt":{}}"#;
                write!(
                    stream,
                    "HTTP/1.1 201 Created\r\nContent-Length: {}\r\n\r\n{body}",
                    body.len()
                )
                .unwrap();
            }
        }
    });
    let report = load(&url, "none", None).unwrap();
    assert!(report.broken > 0, "{report:?}");

    let (service, other) = (Running::new(), Running::new());
    let error = load(&service.url, &service.token, Some(&other.key)).unwrap_err();
    assert!(matches!(error, LoadError::OtherKey { .. }), "{error}");
    assert!(error.to_string().contains("expected a log that signs with"), "{error}");
}
