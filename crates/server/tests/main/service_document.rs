//! The document of the API says what each call answers, and nothing that it cannot answer.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is a failure with a place")]

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::service_support::{Running, seed};

/// The operations of the document: path, method, operation.
fn operations(document: &Value) -> Vec<(&String, &String, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    paths
        .iter()
        .flat_map(|(path, methods)| {
            methods
                .as_object()
                .unwrap()
                .iter()
                .map(move |(method, operation)| (path, method, operation))
        })
        .collect()
}

#[test]
fn each_response_of_the_document_has_a_description_and_a_status_that_its_call_can_answer() {
    let document: Value = serde_json::from_str(&fairdeal_server::openapi()).unwrap();
    let mut looked_at = 0;
    for (path, method, operation) in operations(&document) {
        let place = format!("{method} {path}");
        let responses = operation["responses"].as_object().unwrap();
        for (status, response) in responses {
            let says = response["description"].as_str().unwrap_or_default();
            assert!(!says.is_empty(), "{place}: {status} has no description");
            looked_at += 1;
        }
        let parameters = operation["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
        let keyed = parameters.iter().any(|one| one["name"] == "Idempotency-Key");
        let token = operation.get("security").is_some();
        let body = operation.get("requestBody").is_some();
        let file = operation["tags"] == json!(["log"]);
        assert_eq!(body, method == "post", "{place}");
        // A status, and whether this call may or must have it.
        let table = [
            (&["200", "400"][..], true, true),
            (&["401"], token, token),
            (&["408", "413", "415"], body, body),
            (&["201", "422"], keyed, keyed),
            (&["304"], file, file),
            (&["403", "409", "429"], token, false),
            (&["405"], body, false),
            (&["404", "503"], true, false),
        ];
        let known: BTreeSet<_> =
            table.iter().flat_map(|(statuses, ..)| statuses.iter().copied()).collect();
        for status in responses.keys() {
            assert!(known.contains(status.as_str()), "{place}: {status} is in no row of the table");
        }
        for (statuses, may, must) in table {
            for status in statuses {
                let has = responses.contains_key(*status);
                assert!(may || !has, "{place} cannot answer {status}");
                assert!(has || !must, "{place} answers {status}, and the document does not say so");
            }
        }
    }
    assert!(looked_at > 100, "{looked_at}");
}

#[test]
fn a_call_of_the_operators_takes_no_query_and_does_nothing_when_it_has_one() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "main", "sealed": true}));
    for call in
        ["deals?x=1", "deals?nonce=7", "locks?nonce=0", "voids?reason=late", "reveal?force=false"]
    {
        let problem = service
            .post(&format!("{path}/{call}"), &seed("alice", "x"))
            .refuses(400, "bad-request");
        assert!(
            problem["detail"].as_str().unwrap().starts_with("the query: "),
            "{call}: {problem}"
        );
    }
    service
        .post("/v1/commitments?table=other", &json!({"table": "other"}))
        .refuses(400, "bad-request");
    assert_eq!(service.get("/readyz").is(200)["published"], 1, "nothing was done");
    // A request without a token learns nothing of it.
    service.post_as("none", &format!("{path}/deals?x=1"), &[], b"{}").refuses(401, "unauthorized");
    service.post(&format!("{path}/deals?"), &seed("alice", "x")).is(201);
    service.ask(&format!("{path}/rounds/0/openings/0?public=true")).refuses(400, "bad-request");
    service.ask(&format!("{path}/rounds/0/openings/0")).is(200);
}

#[test]
fn the_numbers_say_whether_the_service_is_ready() {
    let service = Running::new();
    let numbers = service.ask("/metrics");
    assert!(numbers.text().contains("\nfairdeal_ready 1\n"), "{}", numbers.text());
}
