//! The limits of readers and writers, and how long they hold the service: places, limits, other
//! sites' pages, lists, records.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is a failure with a place")]

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use fairdeal::record::entry::Table;
use fairdeal_ledger::tokens::{Right, Scope};
use fairdeal_server::{ServiceLimits, ServiceOptions};
use serde_json::{Value, json};

use crate::ledger_faulty::Plan;
use crate::ledger_support::quick_folder;
use crate::service_support::{Running, seed};

fn limited(limits: ServiceLimits) -> ServiceOptions {
    ServiceOptions { limits, ..ServiceOptions::default() }
}

/// Sends bytes, and reads until the service closes the connection.
fn raw(service: &Running, request: &str) -> String {
    let mut socket = TcpStream::connect(service.url.strip_prefix("http://").unwrap()).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    socket.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_read_whose_files_do_not_come_ends_in_time_and_gives_its_place_back() {
    let plan = Plan::default();
    let limits =
        ServiceLimits { reads: 1, request: Duration::from_secs(1), ..ServiceLimits::default() };
    let service = Running::on_stores(quick_folder(), limited(limits), |parts| plan.wrap(parts));
    service.commit(&json!({"table": "main"}));
    plan.slow(Duration::from_secs(40));
    let got = service.get("/tile/0/000.p/1");
    got.refuses(503, "too-slow");
    assert!(got.header("retry-after").is_some());
    service.get("/v1/tables?table=main").is(200);
}

#[test]
fn the_answer_repeats_the_name_that_a_proxy_gave_the_request() {
    let service = Running::new();
    let longest = "x".repeat(128);
    let longer = format!("{longest}x");
    let (longest, longer) = (longest.as_str(), longer.as_str());
    for (given, repeated) in
        [("4f0c-17", Some("4f0c-17")), (longest, Some(longest)), (longer, None)]
    {
        let got = service.get_with("/v1/nothing", &[("x-request-id", given)]);
        got.refuses(404, "no-such-path");
        assert_eq!(got.header("x-request-id"), repeated);
    }
    assert_eq!(service.get("/v1/tables").header("x-request-id"), None);
}

#[test]
fn one_token_never_has_all_places() {
    let limits = ServiceLimits { writes: 2, ..ServiceLimits::default() };
    let service = Running::with(limited(limits));
    let path = service.commit(&json!({"table": "main"}));
    let other = service.token("other", &[Right::Write], Vec::new());
    let deals = format!("{path}/deals");
    std::thread::scope(|scope| {
        let held = service.hold_publishing();
        let first = scope.spawn(|| service.post(&deals, &seed("alice", "x")));
        // It is committed, and waits to be published.
        service.until("a deal", |service| (service.get(&path).is(200)["next"] == 1).then_some(()));
        let got = service.post(&deals, &seed("bob", "y"));
        got.refuses(429, "too-many-requests");
        assert_eq!(got.header("retry-after"), Some("1"));
        service.post_as(&other, &format!("{path}/rounds/0/done"), &[], b"").is(200);
        drop(held);
        first.join().unwrap().is(201);
    });
    service.post(&deals, &seed("bob", "y")).is(201);
}

#[test]
fn the_operator_s_answers_are_for_no_page_of_another_site() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "main", "sealed": true}));
    service.post(&format!("{path}/deals"), &seed("alice", "x")).is(201);
    let allowed = "access-control-allow-origin";
    for public in
        ["/checkpoint", "/v1/commitments", &path, "/readyz", "/v1/nothing", "/openapi.json"]
    {
        assert_eq!(service.get(public).header(allowed), Some("*"), "{public}");
    }
    let token = format!("Bearer {}", service.token);
    let rounds = format!("{path}/rounds/0/openings/0");
    for operators in ["/metrics", &rounds, &format!("{path}/openings")] {
        let got = service.get_with(operators, &[("authorization", &token)]);
        assert_eq!((got.status, got.header(allowed)), (200, None), "{operators}");
    }
    assert_eq!(service.post(&format!("{path}/deals"), &seed("bob", "y")).header(allowed), None);
    assert_eq!(service.post_as("", "/v1/commitments", &[], b"{}").header(allowed), None);
    let host = service.url.strip_prefix("http://").unwrap();
    let preflight = |path: &str, method: &str| {
        raw(
            &service,
            &format!(
                "OPTIONS {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: https://other.example\r\n\
                 Access-Control-Request-Method: {method}\r\nConnection: close\r\n\r\n"
            ),
        )
    };
    for (path, method, is_allowed) in [
        ("/v1/commitments", "GET", true),
        ("/checkpoint", "GET", true),
        ("/v1/commitments", "POST", false),
        ("/metrics", "GET", false),
        (&*format!("{path}/deals"), "POST", false),
        (&*rounds, "GET", false),
    ] {
        let answer = preflight(path, method);
        assert_eq!(
            answer.contains("access-control-allow-origin: *"),
            is_allowed,
            "{method} {path}: {answer}"
        );
        assert!(!answer.to_lowercase().contains("authorization"), "{answer}");
    }
}

#[test]
fn after_a_length_beside_chunks_and_after_a_body_that_is_late_the_connection_ends() {
    let limits = ServiceLimits { request: Duration::from_secs(1), ..ServiceLimits::default() };
    let service = Running::with(limited(limits));
    let host = service.url.strip_prefix("http://").unwrap();
    let head = format!(
        "POST /v1/commitments HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\n",
        service.token
    );
    // Bytes after the chunks are no request, whatever the length says.
    let smuggled = format!("GET /checkpoint HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let body = "{\"table\":\"one\"}";
    let chunks = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let both = "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n";
    let answer = raw(&service, &format!("{head}{both}{chunks}{smuggled}"));
    assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
    assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{answer}");
    let late = raw(&service, &format!("{head}Content-Length: 20\r\n\r\n{{"));
    assert!(late.starts_with("HTTP/1.1 408 ") && late.contains("connection: close"), "{late}");
}

#[test]
fn tables_are_listed_page_by_page_whatever_their_names_hold() {
    let service = Running::new();
    let mut names =
        ["a", "a/b", "a/../b", "..", "%2e", "ü", "z?x=1&y", "tisch 5"].map(str::to_owned).to_vec();
    let made: Vec<String> =
        names.iter().map(|name| service.commit(&json!({"table": name}))).collect();
    let first = made[0].rsplit('/').next().unwrap();
    names.sort();
    let mut found: Vec<String> = Vec::new();
    let mut after = String::new();
    loop {
        let page = service.get(&format!("/v1/tables?most=3{after}")).is(200);
        let tables = page["tables"].as_array().unwrap();
        assert!(tables.len() <= 3, "{page}");
        found.extend(tables.iter().map(|one| one["table"].as_str().unwrap().to_owned()));
        let Some(next) = page["next"].as_str() else { break };
        let coded = next.bytes().fold(String::new(), |coded, byte| format!("{coded}%{byte:02x}"));
        after = format!("&after={coded}");
    }
    assert_eq!(found, names);
    let page = service.get("/v1/tables?after=a%00").status;
    assert_eq!(page, 400, "no table has such a name");
    let one = service.get("/v1/tables?most=1&after=%2e%2e").is(200);
    assert_eq!(one["tables"][0], json!({"table": "a", "commitment": first}));
    for most in ["0", "1001", "-1", "x"] {
        service.get(&format!("/v1/tables?most={most}")).refuses(400, "bad-request");
    }
}

#[test]
fn who_opened_what_is_read_by_who_may_open_at_that_table() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "main", "sealed": true, "draw": 12}));
    let seats =
        service.token("seats", &[Right::Open], vec![Scope::Table(Table::new("main").unwrap())]);
    for round in 0..2 {
        service.post(&format!("{path}/deals"), &seed("alice", "x")).is(201);
        let openings = format!("{path}/rounds/{round}/openings");
        service.post_as(&seats, &openings, &[], b"{\"t\": [10, 2]}").is(200);
        service.post(&openings, &json!({"t": [2, 3], "public": true})).is(200);
    }
    let as_seats = |query: &str| {
        let token = format!("Bearer {seats}");
        service.get_with(&format!("{path}/openings{query}"), &[("authorization", &token)])
    };
    let told = |page: &Value| -> Vec<String> {
        let opened = page["openings"].as_array().unwrap().iter();
        opened
            .map(|one| {
                let public =
                    one.get("public").map_or("nobody", |public| public["by"].as_str().unwrap());
                format!(
                    "{}/{} {} {public}",
                    one["nonce"],
                    one["t"],
                    one["first"]["by"].as_str().unwrap()
                )
            })
            .collect()
    };
    let got = as_seats("?most=4");
    assert_eq!(got.header("cache-control"), Some("no-store"));
    let page = got.is(200);
    assert_eq!(told(&page), ["0/2 seats all", "0/3 all all", "0/10 seats nobody", "1/2 seats all"]);
    assert_eq!(page["next"], "1/2");
    let rest = as_seats("?most=4&after=1/2").is(200);
    assert_eq!(
        (told(&rest), rest.get("next")),
        (vec!["1/3 all all".into(), "1/10 seats nobody".into()], None)
    );
    for wrong in ["?after=x", "?after=-1/0", "?after=1", "?most=0", "?before=1"] {
        as_seats(wrong).refuses(400, "bad-request");
    }
    service.get(&format!("{path}/openings")).refuses(401, "unauthorized");
    let writer = service.token("writer", &[Right::Write], Vec::new());
    let other =
        service.token("other", &[Right::Open], vec![Scope::Table(Table::new("else").unwrap())]);
    for token in [writer, other] {
        let token = format!("Bearer {token}");
        service
            .get_with(&format!("{path}/openings"), &[("authorization", &token)])
            .refuses(403, "forbidden");
    }
}
