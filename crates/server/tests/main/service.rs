//! The service: real requests to a real server (spec/http.md).

#![expect(clippy::unwrap_used, reason = "in a test, a panic is a failure with a place")]

use std::time::Duration;

use fairdeal::record::entry::Table;
use fairdeal_audit::source::{AuditOptions, Http, HttpLimits, LogSource};
use fairdeal_ledger::tokens::{Right, Scope};
use fairdeal_server::{ServiceLimits, ServiceOptions};
use serde_json::json;

use crate::service_support::{Running, seed};

#[test]
fn every_step_of_a_round_answers_with_a_receipt_that_holds() {
    let service = Running::new();
    let commit = service.post("/v1/commitments", &json!({"table": "main", "draw": 5})).is(201);
    service.holds(&commit["receipt"]);
    let path = format!("/v1/commitments/{}", commit["commitment"].as_str().unwrap());
    let lock = service.post(&format!("{path}/locks"), &seed("alice", "lucky")).is(201);
    service.holds(&lock["receipt"]);
    let deal = service.post(&format!("{path}/deals"), &json!({"nonce": 0})).is(201);
    service.holds(&deal["receipt"]);
    assert_eq!(deal["cards"].as_str().unwrap().len(), 10);
    let void =
        service.post(&format!("{path}/voids"), &json!({"nonce": 1, "reason": "a test"})).is(201);
    service.holds(&void["receipt"]);
    let reveal = service.post(&format!("{path}/reveal"), &json!({"nonce": 2})).is(201);
    service.holds(&reveal["receipt"]);
    service.holds(&reveal["next"]["receipt"]);
    assert_eq!(reveal["server_seed"].as_str().unwrap().len(), 64);
    assert_eq!(
        [&commit, &lock, &deal, &void, &reveal].map(|one| one["index"].as_u64().unwrap()),
        [0, 1, 2, 3, 4]
    );
    let receipt = service.get(&format!("{path}/rounds/0/receipt")).is(200);
    service.holds(&receipt);
    assert_eq!(receipt["entries"].as_array().unwrap().len(), 4, "commit, lock, deal, reveal");
    let log = Http::new(&service.url, HttpLimits::default()).unwrap();
    let mut source = LogSource::open(Box::new(log)).unwrap();
    let verdict = source.audit(&AuditOptions::under(&service.key), |_, _| {}).unwrap().verdict;
    assert!(verdict.holds && verdict.size == 6, "{verdict:?}");
}

#[test]
fn a_retry_gets_the_same_answer_and_another_request_under_its_key_is_refused() {
    let service = Running::new();
    let terms = json!({"table": "main", "rounds": 1});
    let first = service.post_under("a", "/v1/commitments", &terms).is(201);
    let again = service.post_under("a", "/v1/commitments", &terms).is(200);
    assert_eq!(first["commitment"], again["commitment"]);
    service
        .post_under("a", "/v1/commitments", &json!({"table": "other"}))
        .refuses(422, "key-reused");
    let other = service.token("other", &[Right::Write], Vec::new());
    let theirs = json!({"table": "theirs"}).to_string();
    let got =
        service.post_as(&other, "/v1/commitments", &[("idempotency-key", "a")], theirs.as_bytes());
    got.is(201);
    let path = format!("/v1/commitments/{}", first["commitment"].as_str().unwrap());
    let deal = service.post_under("b", &format!("{path}/deals"), &seed("alice", "x")).is(201);
    // It is used up, and the service reveals it: the answer stays.
    service.until("a reveal", |service| {
        (service.get(&path).is(200)["state"] == "revealed").then_some(())
    });
    let again = service.post_under("b", &format!("{path}/deals"), &seed("alice", "x")).is(200);
    assert_eq!(deal["cards"], again["cards"]);
    assert_eq!(deal["next"]["commitment"], again["next"]["commitment"]);
    assert_eq!(service.get("/v1/commitments").is(200)["commitments"].as_array().unwrap().len(), 3);
}

#[test]
fn without_a_token_for_it_nothing_is_written() {
    let service = Running::new();
    let post = |token: &str, table: &str| {
        service.post_as(
            token,
            "/v1/commitments",
            &[],
            json!({"table": table}).to_string().as_bytes(),
        )
    };
    let refused = post("", "main");
    refused.refuses(401, "unauthorized");
    assert!(refused.header("www-authenticate").unwrap().starts_with("Bearer"));
    post("fairdeal_0000", "main").refuses(401, "unauthorized");
    let reader = service.token("reader", &[Right::Read], Vec::new());
    post(&reader, "main").refuses(403, "forbidden");
    let poker = service.token(
        "poker",
        &[Right::Write],
        vec![Scope::Prefix("poker/".to_owned()), Scope::Table(Table::new("main").unwrap())],
    );
    post(&poker, "other").refuses(403, "forbidden");
    post(&poker, "poker/1").is(201);
    let main = post(&poker, "main").is(201);
    let other = service.commit(&json!({"table": "other"}));
    service.post_as(&poker, &format!("{other}/deals"), &[], b"{}").refuses(403, "forbidden");
    let unknown = format!("/v1/commitments/{}/deals", "ab".repeat(32));
    service.post_as(&poker, &unknown, &[], b"{}").refuses(403, "forbidden");
    service.post(&unknown[..], &seed("alice", "x")).refuses(404, "unknown-commitment");
    let opening =
        format!("/v1/commitments/{}/rounds/0/openings", main["commitment"].as_str().unwrap());
    service.post_as(&poker, &opening, &[], b"{\"t\":[0]}").refuses(403, "forbidden");
    assert_eq!(
        service.get("/checkpoint").text().lines().nth(1),
        Some("3"),
        "the log has three entries"
    );
}

#[test]
fn a_revoked_token_is_refused_within_a_second_or_two() {
    let service = Running::new();
    let token = service.token("t", &[Right::Write], Vec::new());
    service.post_as(&token, "/v1/commitments", &[], b"{\"table\":\"a\"}").is(201);
    let hash = fairdeal_ledger::tokens::TokenHash::of(&token);
    let memo = fairdeal_ledger::tokens::Token::generate("t", &[], Vec::new(), 1)
        .unwrap()
        .2
        .revoked_at(2)
        .memo(hash);
    service.write(vec![memo]);
    service.until("a refusal", |service| {
        let got = service.post_as(&token, "/v1/commitments", &[], b"{\"table\":\"a\"}");
        (got.status == 401).then_some(())
    });
}

#[test]
fn a_request_that_cannot_be_read_is_refused_with_the_place_of_its_fault() {
    let service = Running::new();
    let post = |body: &[u8]| service.post_as(&service.token, "/v1/commitments", &[], body);
    for (body, place) in [
        ("{\"table\":\"a\",\"colour\":1}", "colour"),
        ("{\"table\":7}", "table"),
        ("{\"table\":\"\"}", "table"),
        ("{\"table\":\"a\",\"table\":\"b\"}", "table"),
        ("{\"table\":\"a\",\"draw\":null}", "draw"),
        ("{\"table\":\"a\",\"draw\":53}", "draw"),
        ("{\"table\":\"a\",\"deck\":\"tarot\"}", "deck"),
        ("{\"table\":\"a\",\"deck\":{\"count\":0,\"sha256\":\"\"}}", "deck"),
        ("{\"table\":\"a\",\"reveal_in\":\"1w\"}", "reveal_in"),
        ("{\"table\":\"a\",\"reveal_in\":\"367d\"}", "reveal_in"),
        ("{\"table\":\"a\",\"reveal_in\":\"1h\",\"last_deal_before\":\"1h\"}", "last_deal_before"),
        ("{\"table\":\"a\",\"mixing\":\"beacon\"}", "mixing"),
        ("{}", "table"),
        ("[\"a\"]", "expected an object, found a list"),
        ("{\"table\":7}", "found 7"),
        (
            "{\"table\":\"a\",\"draw\":\"5\"}",
            "draw: expected a whole number from 0 to 4294967295, found \"5\"",
        ),
        ("{\"table\":\"a\",\"rounds\":-1}", "rounds: expected a whole number from 0 on, found -1"),
        ("{\"table\":\"a\",\"sealed\":1}", "sealed: expected true or false, found 1"),
        ("{\"table\":\"a\"} x", "object"),
        ("{\"table\":", "expected a value, found the end, at line 1, column 9"),
    ] {
        let got = post(body.as_bytes());
        assert_eq!(got.status, 400, "{body}: {}", got.text());
        let detail = got.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains(place), "{body}: {detail}");
    }
    post(b"\xff\xfe").refuses(400, "bad-request");
    let text = [("content-type", "text/plain")];
    let says = service.post_as(&service.token, "/v1/commitments", &text, b"{}");
    let says = says.refuses(415, "unsupported-media-type");
    assert_eq!(says["detail"], "Content-Type: expected application/json, found \"text/plain\"");
    let too_long = post(&vec![b' '; 64 * 1024 + 1]);
    too_long.refuses(413, "body-too-large");
    assert_eq!(too_long.header("connection"), Some("close"), "its body was not read");
    let refused = service.post_as("wrong", "/v1/commitments", &[], b"{}");
    assert_eq!((refused.status, refused.header("connection")), (401, Some("close")));
    assert_eq!(post(b"{}").header("connection"), None, "its body was read");
    let keys = [("idempotency-key", "")];
    service.post_as(&service.token, "/v1/commitments", &keys, b"{}").refuses(400, "bad-request");
    for path in [
        "/v1/commitments/xyz",
        "/v1/commitments?most=0",
        "/v1/commitments?most=x",
        "/v1/commitments?colour=1",
        "/v1/tables?table=",
        "/v1/events?after=-1",
    ] {
        service.get(path).refuses(400, "bad-request");
    }
    let says = |path| service.get(path).refuses(400, "bad-request")["detail"].clone();
    let known = "expected a member \"table\", \"open\", \"from\" or \"most\"";
    assert_eq!(
        says("/v1/commitments?colour=1"),
        format!("the query: colour: {known}, found \"colour\"")
    );
    let number = "expected a whole number, found another text";
    assert_eq!(says("/v1/commitments?most=x"), format!("the query: most: {number}"));
    service.get("/v1/nothing").refuses(404, "no-such-path");
    service.get("/v1/tables?table=none").refuses(404, "unknown-table");
    let got = service.post("/checkpoint", &json!({}));
    got.refuses(405, "method-not-allowed");
    assert!(got.header("allow").unwrap().contains("GET"));
}

#[test]
fn the_log_is_served_as_tlog_tiles_asks() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "main"}));
    service.post(&format!("{path}/deals"), &seed("alice", "x")).is(201);
    let checkpoint = service.get("/checkpoint");
    assert_eq!(checkpoint.header("content-type"), Some("text/plain; charset=utf-8"));
    assert_eq!(checkpoint.header("cache-control"), Some("no-cache"));
    assert_eq!(checkpoint.header("access-control-allow-origin"), Some("*"));
    let tag = checkpoint.header("etag").unwrap();
    assert_eq!(service.get_with("/checkpoint", &[("if-none-match", tag)]).status, 304);
    for path in ["/tile/0/000.p/2", "/tile/entries/000.p/2"] {
        let tile = service.get(path);
        assert_eq!(tile.status, 200, "{path}");
        assert_eq!(tile.header("content-type"), Some("application/octet-stream"));
        assert!(tile.header("cache-control").unwrap().contains("immutable"));
        let tag = tile.header("etag").unwrap();
        let not_changed =
            service.get_with(path, &[("if-none-match", &format!("\"other\", {tag}"))]);
        assert_eq!((not_changed.status, not_changed.body.len()), (304, 0));
        assert_eq!(not_changed.header("etag"), Some(tag));
    }
    for wrong in [
        "/tile/0/000",
        "/tile/0/0",
        "/tile/0/000.p/3",
        "/tile/x/000",
        "/tile/entries/../checkpoint",
    ] {
        assert_eq!(service.get(wrong).status, 404, "{wrong}");
    }
}

#[test]
fn the_operator_may_have_an_address_apart() {
    let service =
        Running::with(ServiceOptions { operator_apart: true, ..ServiceOptions::default() });
    service.post("/v1/commitments", &json!({"table": "main"})).is(201);
    let agent = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
    let mut public = agent
        .post(format!("{}/v1/commitments", service.url))
        .header("authorization", format!("Bearer {}", service.token))
        .header("content-type", "application/json")
        .send(&b"{\"table\":\"b\"}"[..])
        .unwrap();
    assert_eq!(public.status(), 405, "the public face has reads alone at that path");
    let says = public.body_mut().read_to_string().unwrap();
    assert!(says.contains("calls with a token go to the address of --operator-listen"), "{says}");
    assert_eq!(service.get("/metrics").status, 404);
    assert_eq!(service.get("/v1/tables?table=main").status, 200);
    let metrics =
        agent.get(format!("{}/metrics", service.operator_url.as_ref().unwrap())).call().unwrap();
    assert_eq!(metrics.status(), 200);
}

#[test]
fn past_a_limit_a_request_is_refused_at_once_and_told_when_to_come_again() {
    let none = ServiceLimits { writes: 0, ..ServiceLimits::default() };
    let service = Running::with(ServiceOptions { limits: none, ..ServiceOptions::default() });
    let got = service.post("/v1/commitments", &json!({"table": "main"}));
    got.refuses(503, "overloaded");
    assert_eq!(got.header("retry-after"), Some("1"));
    assert_eq!(service.get("/checkpoint").status, 200, "reads have a number of their own");
    let none = ServiceLimits { reads: 0, streams: 0, connections: 1, ..ServiceLimits::default() };
    let service = Running::with(ServiceOptions { limits: none, ..ServiceOptions::default() });
    service.get("/checkpoint").refuses(503, "overloaded");
    // The agent keeps its connection: it is the only one.
    let other = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
    let mut full = other.get(format!("{}/healthz", service.url)).call().unwrap();
    assert_eq!(full.status(), 503);
    assert!(full.body_mut().read_to_string().unwrap().contains("too-many-connections"));
}

#[test]
fn a_service_does_not_go_on_from_a_state_that_is_older_than_what_the_world_has() {
    let service = Running::new();
    let terms = json!({"table": "main"});
    service.commit(&terms);
    let dir = service.stop();
    let backup = tempfile::tempdir().unwrap();
    copy(dir.path(), backup.path());
    let world = Running::on(dir, ServiceOptions::default());
    world.commit(&json!({"table": "second"}));
    let options =
        ServiceOptions { public_url: Some(world.url.clone()), ..ServiceOptions::default() };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let refused = runtime.block_on(async {
        let ledger =
            fairdeal_ledger::Ledger::open(backup.path(), fairdeal_ledger::LedgerOptions::default());
        fairdeal_server::Service::start(ledger.await.unwrap(), options).await.map(drop)
    });
    let says = refused.unwrap_err().to_string();
    assert!(says.contains("1 ") && says.contains('2') && says.contains(&world.url), "{says}");
}

/// A copy of a ledger, which does not know that it is a copy.
fn copy(from: &std::path::Path, to: &std::path::Path) {
    let status =
        std::process::Command::new("cp").arg("-a").arg(from.join(".")).arg(to).status().unwrap();
    assert!(status.success());
    std::fs::remove_file(to.join("private/place")).unwrap();
}

#[test]
fn a_stop_finishes_and_closes_the_ledger_and_a_new_start_goes_on() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "main"}));
    let mut stream = service.stream("/v1/events?after=0", "");
    service.post(&format!("{path}/deals"), &seed("alice", "x")).is(201);
    assert_eq!(stream.next().1, "deal");
    let dir = service.stop();
    let service = Running::on(dir, ServiceOptions::default());
    service
        .post(
            &format!("{path}/deals"),
            &json!({"nonce": 1, "contributions": [{"from": "a", "seed": "y"}]}),
        )
        .is(201);
    assert_eq!(service.get("/readyz").is(200)["ready"], true);
    assert_eq!(service.get("/healthz").text(), "ok\n");
}

#[test]
fn the_document_of_the_api_is_the_one_in_the_specification() {
    let path = tools::root().join("spec/openapi.json");
    let made = fairdeal_server::openapi();
    if std::env::var("FAIRDEAL_DOCS").is_ok_and(|mode| mode == "overwrite") {
        std::fs::write(&path, &made).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(made == kept, "FAIRDEAL_DOCS=overwrite writes {} again", path.display());
    let service = Running::new();
    assert_eq!(service.get("/openapi.json").text(), made);
    assert!(service.get("/docs").text().contains("<title>"));
}

#[test]
fn the_numbers_of_the_service_need_a_token_and_name_what_was_refused() {
    let service = Running::new();
    service.get("/metrics").refuses(401, "unauthorized");
    service.get("/v1/tables?table=none").refuses(404, "unknown-table");
    service.post("/v1/commitments", &json!({"table": "main"})).is(201);
    let numbers = service.ask("/metrics");
    for name in ["batch_entries", "commit_seconds", "publish_seconds"] {
        let counted = format!("fairdeal_{name}_bucket{{le=\"+Inf\"}} ");
        assert!(numbers.text().contains(&counted), "{name}: {}", numbers.text());
    }
    assert!(
        numbers.text().contains("fairdeal_refusals_total{code=\"unknown-table\"}"),
        "{}",
        numbers.text()
    );
    assert_eq!(Duration::from_mins(1), ServiceOptions::default().reveal_ahead);
}
