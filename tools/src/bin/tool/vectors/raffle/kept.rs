//! Documents of raffles with what the reader kept.

use fairdeal::beacon::Chain;
use serde_json::{Value, json};
use tools::raffles::{PaperRaffle, Promise};

use super::documents::Says::{Refused, Verdict};
use super::documents::{Cases, FAIR, UNPROVED, given, member};
use super::promises::{case, of_quicknet, seen_before, signature, usual, with};

pub fn documents(cases: &mut Cases) {
    let mut raffle = usual();
    let promise = raffle.document(raffle.receipt(&[]));
    let keeps = |case: Value, kept: &[&Value]| {
        let kept: Vec<String> = kept.iter().map(ToString::to_string).collect();
        with(case, [("kept", json!(kept))])
    };
    let drawn = with(case(&raffle, &promise), [given()]);
    cases.add("the reader kept the document", keeps(drawn.clone(), &[&promise]), &FAIR);
    let fork = PaperRaffle::promise(Promise { seed: 1, ..of_quicknet(&Chain::quicknet()) }, |_| {});
    let other = fork.document(fork.receipt(&[]));
    let inconsistent: &[&str] = &["inconsistent"; 3];
    let forked = keeps(drawn.clone(), &[&other]);
    cases.add(
        "the reader kept another promise of the same log",
        forked,
        &Verdict(1, "caught", true, inconsistent),
    );
    let mut elsewhere = usual();
    elsewhere.log = tools::paper::PaperLog::new("other.example/log", 9);
    for bytes in raffle.log.entries() {
        elsewhere.log.append_bytes(bytes);
    }
    let of_other_log = elsewhere.document(elsewhere.receipt(&[]));
    cases.add(
        "the reader kept a document of another log",
        keeps(drawn.clone(), &[&of_other_log]),
        &UNPROVED,
    );
    let both = keeps(drawn, &[&of_other_log, &promise]);
    cases.add("the reader kept two documents, one of them this one", both, &FAIR);
    raffle.deal(&signature(), |_| {});
    let dealt = raffle.document(raffle.receipt(&[]));
    let late = keeps(case(&raffle, &dealt), &[&dealt]);
    cases.add("the document that the reader kept has the deal", late, &UNPROVED);
    of_kept(cases, &keeps);
    let mut of_policy = keeps(seen_before(&usual(), 60), &[&of_other_log]);
    of_policy["beacon"] = given().1;
    cases.add("witnessed, but the reader kept another document", of_policy, &UNPROVED);
    let unread = with(case(&raffle, &dealt), [("kept", json!(["{}"]))]);
    cases.add("what the reader kept is no document", unread, &Refused(2));
}

/// What only a kept document's own receipt shows, and its seed.
fn of_kept(cases: &mut Cases, keeps: &dyn Fn(Value, &[&Value]) -> Value) {
    let mut raffle = usual();
    let promise = raffle.document(raffle.receipt(&[]));
    let drawn = with(case(&raffle, &promise), [given()]);
    let without_seed = |document: &Value| {
        let mut document = document.clone();
        drop(member(&mut document, "server_seed"));
        document
    };
    let of_reader = case(&raffle, &without_seed(&promise));
    cases.add(
        "the seed is that of the document that the reader kept",
        keeps(with(of_reader, [given()]), &[&promise]),
        &FAIR,
    );
    let mut broken = promise.clone();
    broken["receipt"]["entries"][1]["proof"] = broken["receipt"]["entries"][0]["proof"].clone();
    cases.add(
        "the document that the reader kept has another proof",
        keeps(drawn.clone(), &[&broken]),
        &UNPROVED,
    );
    raffle.deal(&signature(), |result| {
        if let Some(indices) = result["indices"].as_array_mut() {
            indices.swap(0, 1);
        }
    });
    let dealt = raffle.document(raffle.receipt(&[]));
    let caught = Verdict(1, "caught", true, &["result-mismatch"]);
    cases.add(
        "other winners in the log, only in the document that the reader kept",
        keeps(drawn.clone(), &[&dealt]),
        &caught,
    );
    cases.add(
        "other winners in the log, only in the document that the reader kept without the seed",
        keeps(drawn, &[&without_seed(&dealt)]),
        &caught,
    );
    cases.add(
        "other winners in the log, in the document and in the one that the reader kept",
        keeps(case(&raffle, &dealt), &[&dealt]),
        &caught,
    );
}
