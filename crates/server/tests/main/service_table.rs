//! The calls that a table needs: hands in play, openings, rotation that one can follow,
//! reveals in time.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is a failure with a place")]

use fairdeal::deal::{Blind, ClientSeed, Commitment, Label, Nonce};
use fairdeal::record::entry::{LoggedContribution, PlayerSigner, RoundOf, Table};
use fairdeal::record::receipt::{Document, verify};
use fairdeal_ledger::tokens::{Right, Scope};
use serde_json::{Value, json};

use crate::service_support::{Running, seed};

fn rounds(service: &Running, path: &str) -> Vec<Value> {
    service.get(&format!("{path}/rounds")).is(200)["rounds"].as_array().unwrap().clone()
}

#[test]
fn a_used_up_commitment_is_revealed_and_its_successor_came_with_its_last_deal() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "a/../b", "rounds": 2}));
    let deal = |nonce: u64| {
        let body = json!({"nonce": nonce, "contributions": [{"from": "alice", "seed": "x"}]});
        service.post(&format!("{path}/deals"), &body).is(201)
    };
    assert!(deal(0).get("next").is_none());
    let last = deal(1);
    service.holds(&last["next"]["receipt"]);
    assert_eq!(last["next"]["index"], last["index"].as_u64().unwrap() + 1);
    service.until("a reveal", |service| {
        (service.get(&path).is(200)["state"] == "revealed").then_some(())
    });
    let table = service.get("/v1/tables?table=a%2F..%2Fb").is(200);
    assert_eq!(table["commitment"]["commitment"], last["next"]["commitment"]);
    assert_eq!(table["commitment"]["state"], "unused");
    let receipts = service.get(&format!("{path}/receipts?rounds=0-1"));
    assert!(receipts.header("cache-control").unwrap().contains("immutable"));
    receipts.is(200)["receipts"]
        .as_array()
        .unwrap()
        .iter()
        .for_each(|receipt| service.holds(receipt));
}

#[test]
fn a_chain_ends_where_next_is_false() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "main", "rounds": 1}));
    let body = json!({"contributions": [{"from": "alice", "seed": "x"}], "next": false});
    let deal = service.post(&format!("{path}/deals"), &body).is(201);
    assert!(deal.get("next").is_none());
    service.until("a reveal", |service| {
        (service.get(&path).is(200)["state"] == "revealed").then_some(())
    });
    assert_eq!(
        service.get("/v1/commitments?table=main").is(200)["commitments"].as_array().unwrap().len(),
        1
    );
    let ends = service.commit(&json!({"table": "other", "rounds": 1, "next": false}));
    assert!(service.post(&format!("{ends}/deals"), &seed("a", "x")).is(201).get("next").is_none());
}

#[test]
fn a_chain_that_was_ended_stays_ended_whoever_reveals() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "main", "rounds": 1, "reveal": "manual"}));
    let body = json!({"contributions": [{"from": "alice", "seed": "x"}], "next": false});
    service.post(&format!("{path}/deals"), &body).is(201);
    assert!(service.post(&format!("{path}/reveal"), &json!({})).is(201).get("next").is_none());
}

#[test]
fn a_lock_with_a_player_s_secret_is_refused_before_its_void_is_made() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "main", "mixing": "hashes"}));
    let locks = format!("{path}/locks");
    let hash = json!({"from": "alice", "hash": "11".repeat(32)});
    service.post(&locks, &json!({"contributions": [hash]})).is(201);
    for secret in ["seed", "blind"] {
        let mut kept = hash.clone();
        kept[secret] = json!("0a".repeat(32));
        let body = json!({"contributions": [kept], "void": {"nonce": 0, "reason": "misdeal"}});
        let problem = service.post(&locks, &body).refuses(400, "secret");
        assert!(!problem.to_string().contains("0a0a"), "{problem}");
    }
    assert_eq!(rounds(&service, &path)[0]["state"], "locked");
}

#[test]
fn at_its_deadline_a_locked_round_is_voided_and_the_commitment_revealed_in_time() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "main", "reveal_in": "6s"}));
    service.post(&format!("{path}/locks"), &seed("alice", "x")).is(201);
    let standing = service.until("a reveal", |service| {
        Some(service.get(&path).is(200)).filter(|standing| standing["state"] == "revealed")
    });
    assert_eq!(standing["overdue"], false);
    let round = &rounds(&service, &path)[0];
    assert_eq!(
        (&round["state"], &round["reason"]),
        (&json!("voided"), &json!("the commitment's time is over"))
    );
    let table = service.get("/v1/tables?table=main").is(200);
    assert_eq!(table["commitment"]["after"], standing["commitment"], "the table goes on");
}

#[test]
fn a_commitment_for_the_operator_alone_is_left_alone() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "main", "rounds": 1, "reveal": "manual"}));
    service.post(&format!("{path}/deals"), &seed("alice", "x")).is(201);
    let deadline = service.commit(&json!({"table": "other", "rounds": 1, "reveal": "deadline"}));
    service.post(&format!("{deadline}/deals"), &seed("alice", "x")).is(201);
    std::thread::sleep(std::time::Duration::from_secs(2));
    assert_eq!(service.get(&path).is(200)["state"], "used-up");
    assert_eq!(service.get(&deadline).is(200)["state"], "used-up");
}

#[test]
fn no_round_begins_when_a_hand_would_run_into_the_deadline_and_a_retry_is_answered_all_the_same() {
    let service = Running::new();
    let path =
        service.commit(&json!({"table": "main", "reveal_in": "24h", "last_deal_before": "86395s"}));
    let deals = format!("{path}/deals");
    let first = json!({"nonce": 0, "contributions": [{"from": "alice", "seed": "x"}]});
    let deal = service.post_under("k", &deals, &first).is(201);
    std::thread::sleep(std::time::Duration::from_secs(5));
    let late = json!({"nonce": 1, "contributions": [{"from": "alice", "seed": "y"}]});
    let problem = service.post(&deals, &late).refuses(409, "too-late");
    assert_eq!(problem["table"]["commitment"]["next"], 1);
    service.post(&format!("{path}/locks"), &late).refuses(409, "too-late");
    assert_eq!(service.post_under("k", &deals, &first).is(200)["cards"], deal["cards"]);
}

#[test]
fn a_sealed_hand_stays_hidden_until_it_is_over() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "main", "sealed": true, "rounds": 1}));
    let body =
        json!({"contributions": [{"from": "alice", "seed": "x"}], "open": [0], "public": true});
    let deal = service.post_under("k", &format!("{path}/deals"), &body).is(201);
    assert!(deal.get("cards").is_none() && deal["card_seals"].as_array().unwrap().len() == 52);
    assert_eq!(deal["opened"][0]["t"], 0);
    assert_eq!(
        service.post_under("k", &format!("{path}/deals"), &body).is(200)["opened"],
        deal["opened"]
    );
    let standing = service.get(&path).is(200);
    assert_eq!(standing["in_play"], json!([0]), "{standing}");
    let problem = service.post(&format!("{path}/reveal"), &json!({})).refuses(409, "round-in-play");
    assert_eq!(problem["in_play"], json!([0]));

    let opening = service.ask(&format!("{path}/rounds/0/openings/1,2"));
    assert_eq!(opening.header("cache-control"), Some("no-store"));
    let document: Document = opening.text().parse().unwrap();
    assert!(verify(&document, &service.key).holds);
    service.get(&format!("{path}/rounds/0/openings/1")).refuses(401, "unauthorized");
    let writer = service.token("dealer", &[Right::Write], Vec::new());
    let asked = [("authorization", &*format!("Bearer {writer}"))];
    service.get_with(&format!("{path}/rounds/0/openings/1"), &asked).refuses(403, "forbidden");
    service.ask(&format!("{path}/rounds/0/openings/52")).refuses(404, "unknown-card");
    service.ask(&format!("{path}/rounds/0/openings/1,,2")).refuses(400, "bad-request");
    service
        .post(&format!("{path}/rounds/0/openings"), &json!({"t": [3, 4], "public": true}))
        .is(200);
    let shown = service.get(&format!("{path}/rounds/0")).is(200);
    let places: Vec<_> =
        shown["opened"].as_array().unwrap().iter().map(|card| card["t"].clone()).collect();
    assert_eq!(places, [0, 3, 4].map(|t| json!(t)), "those for everybody, and no others");
    assert_eq!(shown["card_seals"], deal["card_seals"]);

    service.post(&format!("{path}/rounds/1/done"), &json!({})).refuses(404, "unknown-round");
    assert_eq!(service.get(&path).is(200)["state"], "used-up", "it waits for the end of the hand");
    assert_eq!(
        service.post(&format!("{path}/rounds/0/done"), &json!({})).is(200)["in_play"],
        json!([])
    );
    service.until("a reveal", |service| {
        (service.get(&path).is(200)["state"] == "revealed").then_some(())
    });
    assert_eq!(
        service.get(&format!("{path}/rounds/0")).is(200)["items"].as_array().unwrap().len(),
        52
    );
}

#[test]
fn cards_are_opened_by_seat_and_by_street_and_those_of_two_seats_only_with_force() {
    let service = Running::new();
    // Nobody shows all hands to everybody by leaving out a member.
    let unsaid = json!({"table": "main", "layout": "holdem", "draw": 12});
    let problem = service.post("/v1/commitments", &unsaid).is(400);
    assert!(problem["detail"].as_str().unwrap().starts_with("sealed: expected"), "{problem}");
    let terms = json!({"table": "main", "sealed": true, "layout": "holdem", "draw": 12});
    let path = service.commit(&terms);
    let seats =
        json!({"seats": ["alice", "bob"], "contributions": [{"from": "alice", "seed": "x"}]});
    let deal = service.post(&format!("{path}/deals"), &seats).is(201);
    assert_eq!(deal["hands"]["seats"], json!({"alice": [null, null], "bob": [null, null]}));
    let openings = format!("{path}/rounds/0/openings");
    let places = |body: &Value| -> Vec<u64> {
        let opening = service.post(&openings, body).is(200);
        opening["opened"]
            .as_array()
            .unwrap()
            .iter()
            .map(|card| card["t"].as_u64().unwrap())
            .collect()
    };
    assert_eq!(places(&json!({"seat": "alice"})), [0, 2]);
    assert_eq!(places(&json!({"seat": "bob"})), [1, 3]);
    // A card is burnt before each street.
    assert_eq!(places(&json!({"street": 1, "public": true})), [5, 6, 7]);
    assert_eq!(places(&json!({"street": 2, "public": true})), [9]);
    let board = &service.get(&format!("{path}/rounds/0")).is(200)["hands"]["board"];
    assert!(
        board[0]
            .as_array()
            .unwrap()
            .iter()
            .chain(board[1].as_array().unwrap())
            .all(Value::is_string)
    );
    assert_eq!(board[2], json!([null]), "the river is hidden");
    for (body, code) in [
        (json!({"seat": "carol"}), "unknown-card"),
        (json!({"street": 4}), "unknown-card"),
        (json!({"t": [12]}), "unknown-card"),
    ] {
        service.post(&openings, &body).refuses(404, code);
    }
    for (t, whose) in [(json!([0, 1]), "of two seats"), (json!([4]), "burnt")] {
        service.post(&openings, &json!({"t": t})).refuses(409, "not-one-seat");
        assert!(!places(&json!({"t": t, "force": true})).is_empty(), "{whose}");
    }
}

#[test]
fn who_opened_a_card_first_and_who_first_for_everybody_stays_known() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "main", "sealed": true}));
    let mallory = service.token("mallory", &[Right::Open], Vec::new());
    let open = |token: &str, public: bool| {
        let body = json!({"t": [7], "public": public}).to_string();
        service.post_as(token, &format!("{path}/rounds/0/openings"), &[], body.as_bytes()).is(200)
    };
    service.post(&format!("{path}/deals"), &seed("alice", "x")).is(201);
    open(&mallory, false);
    open(&service.token, true);
    open(&mallory, true);
    let by = |kind: &str| {
        service.memos(kind).into_iter().map(|(_, one)| one["by"].clone()).collect::<Vec<_>>()
    };
    assert_eq!((by("opened"), by("opened-public")), (vec![json!("mallory")], vec![json!("all")]));
    assert!(
        service.memos("opened")[0].1["at"].as_u64()
            <= service.memos("opened-public")[0].1["at"].as_u64()
    );
    assert_eq!(service.get(&format!("{path}/rounds/0")).is(200)["opened"][0]["t"], 7);
}

#[test]
fn a_card_that_is_opened_for_everybody_and_for_somebody_at_once_is_shown_to_everybody() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "main", "sealed": true, "draw": 2}));
    let other = service.token("other", &[Right::Open], Vec::new());
    for nonce in 0..30 {
        service.post(&format!("{path}/deals"), &seed("alice", "x")).is(201);
        let round = format!("{path}/rounds/{nonce}");
        let open = |token: &str, public: bool| {
            let body = json!({"t": [0], "public": public}).to_string();
            service.post_as(token, &format!("{round}/openings"), &[], body.as_bytes()).is(200);
        };
        std::thread::scope(|scope| {
            scope.spawn(|| open(&other, false));
            open(&service.token, true);
        });
        let shown = service.get(&round).is(200);
        assert_eq!(shown["opened"].as_array().map(Vec::len), Some(1), "round {nonce}: {shown}");
    }
}

#[test]
fn a_limited_token_is_not_told_by_openings_whether_a_commitment_exists() {
    let service = Running::new();
    let scopes = vec![Scope::Table(Table::new("main").unwrap())];
    let limited = service.token("limited", &[Right::Open], scopes);
    let openings = format!("/v1/commitments/{}/rounds/0/openings", "ab".repeat(32));
    service.post_as(&limited, &openings, &[], b"{\"t\":[0]}").refuses(403, "forbidden");
    let asked = [("authorization", &*format!("Bearer {limited}"))];
    service.get_with(&format!("{openings}/0"), &asked).refuses(403, "forbidden");
    service.ask(&format!("{openings}/0")).refuses(404, "unknown-commitment");
}

#[test]
fn a_reveal_in_the_middle_of_a_hand_must_be_forced() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "main", "sealed": true}));
    service.post(&format!("{path}/deals"), &seed("alice", "x")).is(201);
    service.post(&format!("{path}/reveal"), &json!({"nonce": 1})).refuses(409, "round-in-play");
    service.post(&format!("{path}/reveal"), &json!({"nonce": 1, "force": true})).is(201);
    assert_eq!(service.get(&path).is(200)["in_play"], json!([]));
}

#[test]
fn who_does_not_open_is_named_and_voided_with_the_lock_of_the_next_round() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "main", "mixing": "hashes"}));
    let commitment: Commitment = path.rsplit('/').next().unwrap().parse().unwrap();
    let hashed = |from: &str, nonce: u64| {
        let seed = ClientSeed::new("s").unwrap();
        let clear = LoggedContribution::clear(Label::new(from).unwrap(), seed.clone(), None);
        let blind = Blind::parse(&"0a".repeat(32)).unwrap();
        let nonce = Nonce::new(nonce).unwrap();
        let round = RoundOf { log: &service.key, commitment, nonce };
        round.hash(&clear.with_seed(seed), &blind).to_string()
    };
    let lock = |nonce: u64, players: &[&str]| {
        let all: Vec<Value> =
            players.iter().map(|from| json!({"from": from, "hash": hashed(from, nonce)})).collect();
        json!({"nonce": nonce, "contributions": all})
    };
    service.post(&format!("{path}/locks"), &lock(0, &["alice", "bob"])).is(201);
    let alice = json!({"from": "alice", "seed": "s", "blind": "0a".repeat(32)});
    let problem = service
        .post(&format!("{path}/deals"), &json!({"nonce": 0, "contributions": [alice]}))
        .refuses(409, "unopened-hash");
    assert_eq!(problem["from"], json!(["bob"]));
    assert_eq!(problem["table"]["commitment"]["locked"], 0);
    let mut next = lock(1, &["alice", "carl"]);
    next["void"] = json!({"nonce": 0, "reason": "bob never opened", "blame": "bob"});
    let locked = service.post_under("k", &format!("{path}/locks"), &next).is(201);
    assert_eq!(locked["index"], 3, "right after its void");
    assert_eq!(
        service.post_under("k", &format!("{path}/locks"), &next).is(200)["index"],
        locked["index"]
    );
    let voided = &rounds(&service, &path)[0];
    assert_eq!((&voided["state"], &voided["blame"]), (&json!("voided"), &json!("bob")));
    // Another request under the key makes nothing: neither without the void nor with another one.
    let mut other = next.clone();
    other["void"]["nonce"] = json!(1);
    for other in [&other, &lock(1, &["alice", "carl"])] {
        service.post_under("k", &format!("{path}/locks"), other).refuses(422, "key-reused");
    }
    assert_eq!(rounds(&service, &path)[1]["state"], "locked");
    let wrong = json!({"from": "carl", "seed": "other", "blind": "0a".repeat(32)});
    let given = json!({"nonce": 1, "contributions": [alice, wrong]});
    assert!(service.post(&format!("{path}/deals"), &given).status >= 400);
    let lacks =
        service.post(&format!("{path}/deals"), &json!({"contributions": [{"from": "alice"}]}));
    assert_eq!(lacks.refuses(400, "invalid")["from"], json!(["alice"]));
}

#[test]
fn events_resume_by_index_and_can_be_of_one_table() {
    let service = Running::new();
    let one = service.commit(&json!({"table": "one"}));
    let mut live = service.stream("/v1/events", "");
    let two = service.commit(&json!({"table": "two"}));
    let next = live.next();
    assert_eq!((next.0, next.1.as_str()), (1, "commit"), "it begins with what comes next");
    for (path, name) in [(&one, "a"), (&two, "b"), (&one, "c")] {
        service.post(&format!("{path}/deals"), &seed(name, "x")).is(201);
    }
    let mut resumed = service.stream("/v1/events?after=0", "Last-Event-ID: 2\r\n");
    assert_eq!(resumed.next().0, 3, "the header counts");
    let mut of_one = service.stream("/v1/events?after=0&table=one", "");
    assert_eq!([of_one.next().0, of_one.next().0], [2, 4]);
    let json = [("accept", "application/json")];
    let page = service.get_with("/v1/events?table=two", &json).is(200);
    let events: Vec<_> =
        page["events"].as_array().unwrap().iter().map(|event| event["index"].clone()).collect();
    assert_eq!((events, &page["last"]), (vec![json!(1), json!(3)], &json!(4)));
    let bytes = page["events"][0]["entry"].as_str().unwrap();
    assert!(
        fairdeal::record::entry::Entry::parse(bytes.as_bytes()).is_ok(),
        "the entry's exact bytes"
    );
    let empty = service.get_with("/v1/events?after=4", &json).is(200);
    assert_eq!((empty["events"].as_array().unwrap().len(), &empty["last"]), (0, &json!(4)));
}

#[test]
fn a_page_of_events_is_cached_for_who_asks_with_the_same_headers_alone() {
    let service = Running::new();
    service.commit(&json!({"table": "main"}));
    service.until("an event", |service| {
        (service.get_with("/v1/events", &[("accept", "application/json")]).is(200)["last"] == 0)
            .then_some(())
    });
    let vary = |got: &crate::service_support::Got| {
        let all = got.headers.iter().filter(|(name, _)| name == "vary");
        all.map(|(_, value)| value.to_lowercase()).collect::<Vec<_>>().join(", ")
    };
    let page = service.get_with("/v1/events", &[("accept", "application/json")]);
    assert!(vary(&page).contains("accept, last-event-id"), "{}", vary(&page));
    let resumed = [("accept", "application/json"), ("last-event-id", "0")];
    let resumed = service.get_with("/v1/events", &resumed);
    assert_ne!(page.body, resumed.body, "one URL, two answers");
    assert!(vary(&resumed).contains("accept, last-event-id"), "{}", vary(&resumed));
    assert_eq!(resumed.header("cache-control"), Some("no-store"), "a cache may not know of Vary");
}

#[test]
fn the_numbers_say_so_when_no_reveal_is_next() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "main", "reveal_in": "20s", "next": false}));
    let next = |service: &Running| {
        let numbers = service.ask("/metrics");
        let line = numbers
            .text()
            .lines()
            .find_map(|line| line.strip_prefix("fairdeal_next_reveal_seconds "));
        line.map(|number| number.parse::<f64>().unwrap())
    };
    service.until("a reveal that is next", |service| next(service).filter(|next| next.is_finite()));
    service.post(&format!("{path}/reveal"), &json!({"next": false})).is(201);
    service.until("no reveal", |service| next(service).filter(|next| *next == f64::INFINITY));
}

#[test]
fn a_signature_that_is_not_over_this_round_is_of_its_player_alone() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "main"}));
    let commitment = Commitment::parse(path.rsplit('/').next().unwrap()).unwrap();
    let by = |label: &str, nonce: u64| {
        let nonce = Nonce::new(nonce).unwrap();
        let seed = ClientSeed::new("x").unwrap();
        let one = LoggedContribution::clear(Label::new(label).unwrap(), seed, None);
        let signer = PlayerSigner::from_seed(&[1; 32]);
        signer.sign(&RoundOf { log: &service.key, commitment, nonce }, one)
    };
    let body = json!({"contributions": [by("alice", 7), by("bob", 0)]});
    let problem =
        service.post(&format!("{path}/deals"), &body).refuses(409, "contribution-signature");
    assert_eq!(problem["from"], json!(["alice"]), "{problem}");
}
