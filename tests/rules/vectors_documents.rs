//! The vectors of players, of files with their verdicts, and of exported logs.

#![allow(clippy::indexing_slicing, reason = "in a test, a panic is a failure with a place")]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fairdeal::deal::{Blind, Commitment, List, Nonce};
use fairdeal::log::{KeyName, VerifierKey};
use fairdeal::record::entry::{Layout, LoggedContribution, Place, RoundOf, signed_message};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use tools::brought::{given, judged, judged_evidence, key_of, verify_alone};
use tools::question::audit_export;

use crate::vectors::{check, number, text};

fn read<T: DeserializeOwned>(vector: &Value, field: &str) -> T {
    serde_json::from_value(vector[field].clone())
        .unwrap_or_else(|error| panic!("{field} in {vector}: {error}"))
}

fn bytes<const LENGTH: usize>(vector: &Value, field: &str) -> [u8; LENGTH] {
    hex::decode(text(vector, field)).expect("hex").try_into().expect("so many bytes")
}

#[test]
fn signatures_agree() {
    let seen = check("signatures.json", |vector| {
        let name = KeyName::parse("k").expect("a name");
        let message = hex::decode(text(vector, "message")).expect("hex");
        let key = VerifierKey::new(name, &bytes(vector, "public_key")).map_err(|_| "signature")?;
        let verified = key.verify_signature(&message, &bytes(vector, "signature"));
        verified.map(|()| json!({ "ok": true })).map_err(|_| "signature")
    });
    assert_eq!(seen, 91);
}

#[test]
fn contributions_agree() {
    let seen = check("contributions.json", |vector| {
        let commitment: Commitment = read(vector, "commitment");
        let nonce = Nonce::new(number(vector, "nonce")).expect("a nonce");
        let log = VerifierKey::parse(text(vector, "log")).expect("a key");
        let round = RoundOf { log: &log, commitment, nonce };
        let contribution: LoggedContribution = read(vector, "contribution");
        if vector.get("blind").is_some() {
            let blind = Blind::parse(text(vector, "blind")).expect("a blind");
            let clear = contribution.with_seed(contribution.seed.clone().expect("a seed"));
            return Ok(json!({ "hash": round.hash(&clear, &blind).to_text() }));
        }
        let verified = fairdeal::record::entry::verify_contribution(&round, &contribution);
        Ok(
            json!({ "message": hex::encode(signed_message(&round, &contribution)), "verifies": verified.is_ok() }),
        )
    });
    assert_eq!(seen, 36);
}

#[test]
fn layouts_agree() {
    let seen = check("layouts.json", |vector| {
        let layout: Layout = read(vector, "layout");
        let seats: Vec<String> = read(vector, "seats");
        let (draw, count) = (number(vector, "draw"), u64::try_from(seats.len()).expect("small"));
        if layout.most_seats(draw) < count {
            return Err("room");
        }
        let place = |t| match layout.place(t, count) {
            Some(Place::Seat { seat, card }) => {
                json!({ "seat": seats[usize::try_from(seat).expect("small")], "card": card })
            }
            Some(Place::Street(street)) => json!({ "street": street }),
            Some(Place::Burnt(burnt)) => json!({ "burnt": burnt }),
            None => Value::Null,
        };
        Ok(json!({ "places": (0..draw).map(place).collect::<Vec<_>>() }))
    });
    assert_eq!(seen, 17);
}

#[test]
fn lists_agree() {
    let seen = check("lists.json", |vector| {
        let list = List::parse(&hex::decode(text(vector, "list_hex")).expect("hex"))
            .map_err(|_| "list")?;
        if list.deck() != read(vector, "deck") {
            return Err("list-mismatch");
        }
        Ok(json!({ "items": list.items() }))
    });
    assert_eq!(seen, 23);
}

/// A vector's members for what a command says.
fn answer((exit, verdict): (i32, Option<Value>)) -> Value {
    match verdict {
        Some(verdict) => json!({ "exit": exit, "verdict": verdict }),
        None => json!({ "exit": exit }),
    }
}

#[test]
fn receipts_agree() {
    let seen = check("receipts.json", |vector| {
        Ok(answer(verify_alone(text(vector, "file"), &key_of(vector), given(vector))))
    });
    assert_eq!(seen, 389);
}

#[test]
fn several_files_agree() {
    let seen = check("several.json", |vector| Ok(answer(judged(vector))));
    assert_eq!(seen, 111);
}

#[test]
fn evidence_agrees() {
    let seen = check("evidence.json", |vector| Ok(answer(judged_evidence(vector))));
    assert_eq!(seen, 58);
}

#[test]
fn exports_agree() {
    let seen = check("exports.json", |vector| {
        let export = STANDARD.decode(text(vector, "export")).expect("base64");
        let Some(verdict) = audit_export(&export, &key_of(vector)) else {
            return Ok(json!({ "exit": 3 }));
        };
        let exit = i32::from(verdict["holds"] != json!(true));
        Ok(json!({ "exit": exit, "verdict": verdict }))
    });
    assert_eq!(seen, 42);
}
