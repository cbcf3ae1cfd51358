//! The service's own work: reveals in time, however many, and none that the world
//! contradicts.

#![expect(clippy::unwrap_used, reason = "in a test, a panic is a failure with a place")]

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fairdeal::deal::{Commitment, Deck};
use fairdeal::record::entry::{Table, Terms};
use fairdeal_ledger::clock::{Clock as _, SystemClock};
use fairdeal_ledger::{Ledger, LedgerOptions, NewCommit, NewDeal};
use fairdeal_server::ServiceOptions;
use serde_json::json;
use tokio::runtime::Runtime;

use crate::ledger_support::{copy, quick_folder, round};
use crate::service_support::{Running, seed};

/// Answers each request on an address with these bytes.
fn answering(address: SocketAddr, body: &Arc<Mutex<String>>) {
    let (listener, body) = (TcpListener::bind(address).unwrap(), Arc::clone(body));
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, body) = (stream.unwrap(), body.lock().unwrap().clone());
            let _request = stream.read(&mut [0; 4096]);
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            let _gone = stream.write_all(format!("{head}{body}").as_bytes());
        }
    });
}

/// An address at which nobody answers yet.
fn free() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

fn in_the_world(address: SocketAddr) -> ServiceOptions {
    ServiceOptions { public_url: Some(format!("http://{address}")), ..ServiceOptions::default() }
}

fn commitment(path: &str) -> Commitment {
    path.rsplit('/').next().unwrap().parse().unwrap()
}

#[test]
fn reveals_that_are_due_together_are_made_together() {
    let service = Running::new();
    let terms =
        |table: usize| json!({"table": format!("t{table}"), "reveal_in": "10s", "next": false});
    let paths: Vec<String> = (0..40).map(|table| service.commit(&terms(table))).collect();
    // While nothing can be published, none waits for the one before.
    let held = service.hold_publishing();
    service.until("40 reveals", |service| {
        (service.get("/readyz").json()["unpublished"] == 40).then_some(())
    });
    drop(held);
    for path in &paths {
        service.until("a reveal", |service| {
            (service.get(path).is(200)["state"] == "revealed").then_some(())
        });
    }
}

#[test]
fn what_is_due_does_not_wait_for_the_publication_of_what_was_due_before() {
    let service = Running::new();
    let clock = SystemClock::start();
    for reveal_in in ["10s", "11s", "12s"] {
        service.commit(&json!({"table": reveal_in, "reveal_in": reveal_in, "next": false}));
    }
    let held = service.hold_publishing();
    service.until("3 reveals", |service| {
        (service.get("/readyz").json()["unpublished"] == 3).then_some(())
    });
    // The last one is due after 10.8 seconds. The first one's publication is waited for from 9 to
    // 19.
    assert!(clock.read().passed < Duration::from_secs(17), "{:?}", clock.read().passed);
    drop(held);
}

#[test]
fn the_end_of_the_last_hand_is_followed_by_the_reveal_at_once() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "main", "sealed": true, "rounds": 1}));
    service.post(&format!("{path}/deals"), &seed("alice", "x")).is(201);
    // It has looked by now, and found the hand in play.
    std::thread::sleep(Duration::from_millis(500));
    let clock = SystemClock::start();
    service.post(&format!("{path}/rounds/0/done"), &json!({})).is(200);
    service.until("a reveal", |service| {
        (service.get(&path).is(200)["state"] == "revealed").then_some(())
    });
    assert!(clock.read().passed < Duration::from_secs(4), "it looks by itself every five seconds");
}

#[test]
fn a_lock_that_cannot_follow_its_void_leaves_the_round_and_the_table_as_they_were() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "main", "rounds": 1}));
    service.post(&format!("{path}/locks"), &seed("alice", "x")).is(201);
    let mut lock = seed("bob", "y");
    lock["void"] = json!({"nonce": 0, "reason": "alice left"});
    let problem = service.post(&format!("{path}/locks"), &lock).refuses(409, "too-many-rounds");
    assert_eq!(problem["table"]["commitment"]["locked"], 0, "nothing was voided: {problem}");
    lock["void"]["next"] = json!(true);
    service.post(&format!("{path}/locks"), &lock).refuses(400, "bad-request");
    // The void alone ends the commitment, and the table goes on.
    let voided = service
        .post(&format!("{path}/voids"), &json!({"nonce": 0, "reason": "alice left"}))
        .is(201);
    assert_eq!(voided["next"]["index"], 3, "{voided}");
}

#[test]
fn what_a_deal_cannot_open_is_refused_before_it_is_dealt() {
    let service = Running::new();
    let open = commitment(&service.commit(&json!({"table": "open"})));
    let sealed =
        commitment(&service.commit(&json!({"table": "sealed", "sealed": true, "draw": 5})));
    let mut deal = seed("alice", "x");
    deal["open"] = json!([0]);
    service.post(&format!("/v1/commitments/{open}/deals"), &deal).refuses(409, "not-sealed");
    deal["open"] = json!([0, 5]);
    service.post(&format!("/v1/commitments/{sealed}/deals"), &deal).refuses(404, "unknown-card");
    for path in [open, sealed] {
        assert_eq!(
            service.get(&format!("/v1/commitments/{path}")).is(200)["next"],
            0,
            "nothing was dealt"
        );
    }
    deal["open"] = json!([0, 4]);
    let dealt = service.post(&format!("/v1/commitments/{sealed}/deals"), &deal).is(201);
    assert_eq!(dealt["opened"].as_array().unwrap().len(), 2);
}

#[test]
fn a_sealed_hand_that_another_program_dealt_is_not_shown_before_its_end() {
    let service = Running::new();
    // A commitment of the service, dealt by the command line: its hand is in play.
    let made = commitment(&service.commit(&json!({"table": "made", "sealed": true, "rounds": 1})));
    let dealt = Command::new(env!("CARGO_BIN_EXE_fairdeal"))
        .args(["deal", &made.to_string(), "--client", "alice=x", "--ledger"])
        .arg(service.dir.path())
        .output()
        .unwrap();
    assert!(dealt.status.success(), "{dealt:?}");
    // And one that the service knows nothing of.
    let other = Runtime::new().unwrap().block_on(async {
        let ledger = Ledger::open(service.dir.path(), LedgerOptions::default()).await.unwrap();
        let table = Table::new("other").unwrap();
        let terms = Terms { sealed: true, ..Terms::new(table, Deck::standard()) };
        let c = ledger.commit(NewCommit::new(terms), None).await.unwrap().commitment;
        ledger
            .deal(
                c,
                NewDeal { contributions: round("x").contributions, ..NewDeal::default() },
                None,
            )
            .await
            .unwrap();
        ledger.close().await.unwrap();
        c
    });
    std::thread::sleep(Duration::from_secs(2));
    for c in [made, other] {
        assert_eq!(service.get(&format!("/v1/commitments/{c}")).is(200)["state"], "used-up", "{c}");
    }
    let made = format!("/v1/commitments/{made}");
    assert_eq!(service.get(&made).is(200)["in_play"], json!([0]));
    service.post(&format!("{made}/rounds/0/done"), &json!({})).is(200);
    service.until("a reveal", |service| {
        (service.get(&made).is(200)["state"] == "revealed").then_some(())
    });
}

#[test]
fn once_the_world_contradicts_the_state_nothing_is_signed_not_even_a_reveal() {
    let service = Running::new();
    service.commit(&json!({"table": "main", "reveal_in": "8s"}));
    let dir = service.stop();
    let older = quick_folder();
    copy(dir.path(), older.path());
    let world = Running::on(dir, ServiceOptions::default());
    world.commit(&json!({"table": "second"}));
    // Nobody answers at the start; then the world has more.
    let address = free();
    let service = Running::on(older, in_the_world(address));
    answering(address, &Arc::new(Mutex::new(world.get("/checkpoint").text().to_owned())));
    let before = service.get("/checkpoint").text().to_owned();
    service.until("a stop", |service| (service.ask("/readyz").status == 503).then_some(()));
    service.post("/v1/commitments", &json!({"table": "third"})).refuses(503, "stopped");
    std::thread::sleep(Duration::from_secs(9));
    assert_eq!(service.get("/checkpoint").text(), before, "the reveal was due meanwhile");
}

#[test]
fn a_page_in_the_place_of_the_checkpoint_stops_nothing() {
    let address = free();
    let body = Arc::new(Mutex::new("<html>we are back soon</html>".to_owned()));
    answering(address, &body);
    let service = Running::on(quick_folder(), in_the_world(address));
    service.commit(&json!({"table": "main", "reveal_in": "8s"}));
    std::thread::sleep(Duration::from_secs(3));
    let path = service.commit(&json!({"table": "second"}));
    assert_eq!(service.get(&path).is(200)["state"], "unused");
}
