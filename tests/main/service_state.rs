//! What readers are told while the state changes, is out of reach, or is not published yet.

use serde_json::json;

use crate::service_support::{Running, seed};

#[test]
fn who_reads_what_is_not_published_yet_is_told_to_ask_again_and_of_no_key() {
    let service = Running::new();
    let path = service.commit(&json!({"table": "main"}));
    std::thread::scope(|scope| {
        let held = service.hold_publishing();
        let dealt = scope.spawn(|| service.post(&format!("{path}/deals"), &seed("alice", "x")));
        for read in ["rounds/0/receipt", "rounds/0", "receipts?rounds=0-0"] {
            let got = service.until("a deal", |service| {
                Some(service.get(&format!("{path}/{read}"))).filter(|got| got.status != 404)
            });
            let problem = got.refuses(503, "not-published");
            let says = problem["detail"].as_str().unwrap();
            assert!(says.contains("ask again") && !says.contains("key"), "{read}: {says}");
            assert_eq!(problem["index"], 1, "{problem}");
            assert!(got.header("retry-after").is_some());
        }
        drop(held);
        dealt.join().unwrap().is(201);
    });
    service.get(&format!("{path}/rounds/0")).is(200);
}
