//! Documents of raffles, each with what a command says of it.

use fairdeal::beacon::Chain;
use fairdeal::deal::ClientSeed;
use fairdeal::record::entry::{Commit, LoggedContribution};
use serde_json::{Value, json};
use tools::beacons::recorded;
use tools::paper::{Player, int, label, policy};
use tools::raffles::{PaperRaffle, judged};

use super::promises::{
    REPEATED, TICKETS, case, chains, changed, hashed, of_own, of_quicknet, open, seen_before,
    signature, usual, with, with_list,
};
use super::{OWN, faulty, kept, numbers};

/// What a command must say: its exit code, with a verdict its state (empty: none), whether there
/// are winners, and the codes of its findings.
pub enum Says {
    Verdict(u8, &'static str, bool, &'static [&'static str]),
    Refused(u8),
}

use Says::{Refused, Verdict};

pub const FAIR: Says = Verdict(0, "fair", true, &[]);
pub const UNPROVED: Says = Verdict(0, "unproved", true, &[]);
/// Nothing is wrong, and nothing was drawn.
const NOT_DRAWN: Says = Verdict(0, "", false, &[]);

pub struct Cases(Vec<Value>);

impl Cases {
    pub fn add(&mut self, name: &str, case: Value, says: &Says) {
        let (exit, verdict) = judged(&case);
        let mut vector = with(case, [("name", json!(name)), ("exit", json!(exit))]);
        match (says, &verdict) {
            (Refused(expected), None) => assert_eq!(exit, *expected, "{name}"),
            (Verdict(expected, state, is_drawn, codes), Some(verdict)) => {
                assert_eq!(exit, *expected, "{name}: {verdict}");
                assert_eq!(verdict["state"].as_str().unwrap_or(""), *state, "{name}: {verdict}");
                assert_eq!(verdict["drawn"].is_array(), *is_drawn, "{name}: {verdict}");
                let found = verdict["findings"].as_array().into_iter().flatten();
                let found: Vec<&str> = found.filter_map(|one| one["code"].as_str()).collect();
                assert_eq!(found, *codes, "{name}");
                vector["verdict"] = verdict.clone();
            }
            _ => panic!("{name}: exit {exit}, {verdict:?}"),
        }
        self.0.push(vector);
    }
}

pub fn vectors() -> Vec<Value> {
    let mut cases = Cases(Vec::new());
    life(&mut cases);
    witnesses(&mut cases);
    kept::documents(&mut cases);
    signatures(&mut cases);
    results(&mut cases);
    lists(&mut cases);
    lines(&mut cases);
    chains_and_rounds(&mut cases);
    contributions(&mut cases);
    faulty::documents(&mut cases);
    faulty::commits(&mut cases);
    cases.0
}

/// The signature of the usual raffle's round, as a case has it.
pub fn given() -> (&'static str, Value) {
    ("beacon", json!(hex::encode(signature())))
}

fn life(cases: &mut Cases) {
    let mut raffle = usual();
    let before = seen_before(&raffle, 60);
    cases.add("before the draw", before.clone(), &NOT_DRAWN);
    let unseeded = changed(&before, |document| drop(member(document, "server_seed")));
    cases.add("before the draw, the seed still secret", unseeded.clone(), &NOT_DRAWN);
    let aborted = with(before.clone(), [given()]);
    cases.add("the organiser does nothing after the round, the signature is given", aborted, &FAIR);
    let unseeded = with(unseeded, [given()]);
    cases.add("the signature is given, the seed still secret", unseeded, &NOT_DRAWN);
    let size = raffle.anchor(&[(1, raffle.out - 60), (3, raffle.out - 60)]);
    raffle.deal(&signature(), |_| {});
    let anchored = |raffle: &PaperRaffle| {
        let mut receipt = raffle.receipt(&[]);
        receipt.seen = Some(vec![raffle.log.seen_proof(size)]);
        with(case(raffle, &raffle.document(receipt)), [("policy", json!(policy(2, 3)))])
    };
    cases.add("dealt, witnessed by an anchor", anchored(&raffle), &FAIR);
    raffle.reveal();
    let whole = anchored(&raffle);
    cases.add("dealt and revealed", whole.clone(), &FAIR);
    let of_log = changed(&whole, |document| drop(member(document, "server_seed")));
    cases.add("the seed is that of the reveal", of_log, &FAIR);
    for (name, after) in [("before", None), ("a second after", Some(1000))] {
        let mut raffle = usual();
        let size = raffle.anchor(&[(1, raffle.out - 90), (2, raffle.out - 90)]);
        match after {
            Some(after) => raffle.void(after),
            None => raffle.entries.push(raffle.log.void(raffle.commit.commitment, Some(0), None)),
        }
        let mut receipt = raffle.receipt(&[]);
        receipt.seen = Some(vec![raffle.log.seen_proof(size)]);
        let case = case(&raffle, &raffle.document(receipt));
        let case = with(case, [("policy", json!(policy(2, 3))), given()]);
        let name = format!("given up {name} the round is out");
        cases.add(&name, case, &Verdict(0, "", true, &[]));
    }
    let other = with(
        before,
        [
            ("key", json!(tools::paper::PaperLog::new("cards.example/log", 8).key().to_text())),
            given(),
        ],
    );
    cases.add("another key", other, &Verdict(1, "", true, &["bad-signature"]));
}

pub fn member(document: &mut Value, name: &str) -> Option<Value> {
    document.as_object_mut().and_then(|document| document.remove(name))
}

fn witnesses(cases: &mut Cases) {
    let raffle = usual();
    for (name, seconds, says) in [
        ("witnessed five seconds before the round", 5, FAIR),
        ("witnessed four seconds before the round", 4, UNPROVED),
        ("witnessed when the round was out", 0, UNPROVED),
    ] {
        cases.add(name, with(seen_before(&raffle, seconds), [given()]), &says);
    }
    let mut no_policy = with(seen_before(&raffle, 60), [given()]);
    drop(member(&mut no_policy, "policy"));
    cases.add("no policy", no_policy.clone(), &UNPROVED);
    let none = with(no_policy.clone(), [("policy", json!("quorum none\n"))]);
    cases.add("a policy whose quorum is none", none, &UNPROVED);
    let three = with(no_policy, [("policy", json!(policy(3, 3)))]);
    cases.add("a policy that needs one witness more", three, &UNPROVED);
}

fn signatures(cases: &mut Cases) {
    let before = seen_before(&usual(), 60);
    let hex_of = |round: u64| hex::encode(recorded(round));
    let answer = |round: u64, of: u64| json!({ "round": round, "signature": hex_of(of) });
    let mut add = |name: &str, beacon: String, says: &Says| {
        cases.add(name, with(before.clone(), [("beacon", json!(beacon))]), says);
    };
    add(
        "an answer of drand",
        format!("{:#}\n", with(answer(1000, 1000), [("randomness", json!("00"))])),
        &FAIR,
    );
    add("the signature with white space around it", format!("\n {}\r\n", hex_of(1000)), &FAIR);
    add("an answer after a byte order mark", format!("\u{feff}{}", answer(1000, 1000)), &FAIR);
    add("the signature of the round after", hex_of(1001), &Refused(2));
    add("an answer of the round after", answer(1001, 1001).to_string(), &Refused(2));
    add(
        "an answer with the signature of the round after",
        answer(1000, 1001).to_string(),
        &Refused(2),
    );
    add("an answer that names the round before", answer(999, 1000).to_string(), &Refused(2));
    add(
        "an answer that names the round twice",
        format!("{{\"round\":1000,\"round\":1000,\"signature\":\"{}\"}}", hex_of(1000)),
        &Refused(2),
    );
    add("an answer without a round", json!({ "signature": hex_of(1000) }).to_string(), &Refused(2));
    add(
        "an answer whose round is a text",
        json!({ "round": "1000", "signature": hex_of(1000) }).to_string(),
        &Refused(2),
    );
    add(
        "an answer whose round is no integer",
        format!("{{\"round\":1000.0,\"signature\":\"{}\"}}", hex_of(1000)),
        &Refused(2),
    );
    add(
        "an answer with white space in the signature",
        json!({ "round": 1000, "signature": hex_of(1000) + " " }).to_string(),
        &Refused(2),
    );
    add("uppercase digits", hex_of(1000).to_uppercase(), &Refused(2));
    add("half a signature", hex_of(1000)[..48].to_owned(), &Refused(2));
    add("no signature", String::new(), &Refused(2));
    add("an array", format!("[1000, \"{}\"]", hex_of(1000)), &Refused(2));
}

fn results(cases: &mut Cases) {
    let swapped = |result: &mut Value| {
        if let Some(indices) = result["indices"].as_array_mut() {
            indices.swap(0, 1);
        }
    };
    let unseeded = |case: &Value| changed(case, |document| drop(member(document, "server_seed")));
    let mut raffle = usual();
    raffle.deal(&signature(), swapped);
    let dealt = case(&raffle, &raffle.document(raffle.receipt(&[])));
    let caught = Verdict(1, "caught", true, &["result-mismatch"]);
    cases.add(
        "other winners in the log than follow from the document's seed",
        dealt.clone(),
        &caught,
    );
    cases.add("other winners in the log, the seed still secret", unseeded(&dealt), &NOT_DRAWN);
    raffle.reveal();
    let revealed = case(&raffle, &raffle.document(raffle.receipt(&[])));
    cases.add("other winners in the log than follow from the revealed seed", revealed, &caught);
    let mut raffle = usual();
    raffle.deal(&recorded(1001), |_| {});
    let wrong = case(&raffle, &raffle.document(raffle.receipt(&[])));
    let codes: &[&str] = &["beacon-signature"];
    cases.add(
        "dealt with the signature of the round after",
        wrong.clone(),
        &Verdict(1, "caught", false, codes),
    );
    let wrong = with(wrong, [given()]);
    cases.add(
        "the same, and the right signature is given",
        wrong,
        &Verdict(1, "caught", true, codes),
    );
}

fn lists(cases: &mut Cases) {
    let before = with(seen_before(&usual(), 60), [given()]);
    let mut add = |name: &str, list: String| {
        cases.add(name, with(before.clone(), [("list", json!(list))]), &Refused(2));
    };
    add("an entrant who came after the promise", format!("{TICKETS}ticket 13\n"));
    add("a line less", TICKETS.replace("ticket 12\n", ""));
    add("a line changed", TICKETS.replace("ticket 12", "ticket 99"));
    add("two lines in another order", TICKETS.replace("01\nticket 02", "02\nticket 01"));
    add("a list without its last line end", TICKETS.trim_end().to_owned());
    add("a list that ends its lines as on Windows", TICKETS.replace('\n', "\r\n"));
    add("an empty list", String::new());
    for (name, list, winners) in [
        ("one line", "a\n".to_owned(), 1),
        ("as many winners as lines", TICKETS.to_owned(), 12),
        ("tickets of one entrant", REPEATED.to_owned(), 2),
        ("as many winners as entrants", REPEATED.to_owned(), 5),
        ("one entrant", "a\na\na\n".to_owned(), 1),
        ("1,001 tickets, two of them alike", numbers(1001, 1000), 3),
        ("1,001 tickets, all different", numbers(1001, 1001), 3),
    ] {
        let mut raffle = with_list(&list, winners);
        let size = raffle.anchor(&[(1, raffle.out - 60), (2, raffle.out - 60)]);
        raffle.deal(&signature(), |_| {});
        raffle.reveal();
        let mut receipt = raffle.receipt(&[]);
        receipt.seen = Some(vec![raffle.log.seen_proof(size)]);
        let case =
            with(case(&raffle, &raffle.document(receipt)), [("policy", json!(policy(2, 3)))]);
        cases.add(name, case, &FAIR);
    }
}

fn lines(cases: &mut Cases) {
    let repeated = with(seen_before(&with_list(REPEATED, 2), 60), [given()]);
    for line in ["anna", "bob", "emil", "Anna", "frank", ""] {
        let name = format!("the line {line:?}");
        cases.add(&name, with(repeated.clone(), [("line", json!(line))]), &FAIR);
    }
    let mut early = with(repeated, [("line", json!("anna"))]);
    drop(member(&mut early, "beacon"));
    cases.add("a line before the draw", early, &NOT_DRAWN);
    let (entrants, list) = hashed();
    let hashed = with(seen_before(&with_list(&list, 2), 60), [given()]);
    let mut add = |name: &str, link: String, says: &Says| {
        cases.add(name, with(hashed.clone(), [("link", json!(link))]), says);
    };
    for (name, entrant) in [("anna", &entrants[0]), ("bob, who has two tickets", &entrants[1])] {
        add(&format!("the link of {name}"), entrant.link("https://club.example/raffle"), &FAIR);
    }
    let mut wrong = entrants[0].clone();
    wrong.salt = entrants[1].salt;
    add("a link with another entrant's salt", wrong.link("raffle.html"), &FAIR);
    add("a link with a short salt", "raffle.html#salt=00&address=anna".to_owned(), &Refused(2));
}

fn chains_and_rounds(cases: &mut Cases) {
    let mut raffle = of_own(1_000_000);
    let known = with(
        seen_before(&raffle, 60),
        [("chains", chains(&OWN)), ("beacon", json!(hex::encode(OWN.sign(1_000_000))))],
    );
    cases.add("another chain, which the reader knows", known.clone(), &FAIR);
    let mut unknown = known.clone();
    drop(member(&mut unknown, "chains"));
    cases.add("a chain that the reader does not know", unknown, &NOT_DRAWN);
    let nothing = with(known.clone(), [("chains", json!([{}]))]);
    cases.add("a chain's file that is none", nothing, &Refused(2));
    let next = with(known, [("beacon", json!(hex::encode(OWN.sign(1_000_001))))]);
    cases.add("another chain, the signature of the round after", next, &Refused(2));
    raffle.deal(&OWN.sign(1_000_000), |_| {});
    let dealt = case(&raffle, &raffle.document(raffle.receipt(&[])));
    cases.add("dealt with a chain that the reader does not know", dealt, &NOT_DRAWN);
    for (name, change) in [("sooner", -3000_i64), ("later", 3000)] {
        let shift = |commit: &mut Commit| {
            if let Some(terms) = &mut commit.beacon {
                terms.margin = int(terms.margin.value().saturating_add_signed(change));
            }
        };
        let raffle = PaperRaffle::promise(of_quicknet(&Chain::quicknet()), shift);
        let case = with(seen_before(&raffle, 60), [given()]);
        let name = format!("the lock names another round: the right one is out {name}");
        cases.add(&name, case, &Verdict(1, "caught", false, &["beacon-round"]));
    }
}

fn contributions(cases: &mut Cases) {
    let clear = |from: &str, seed: &str| {
        LoggedContribution::clear(label(from), ClientSeed::new(seed).expect("a seed"), None)
    };
    let raffle = open(vec![clear("alice", "lucky"), clear("bob", "seven")]);
    let case = with(seen_before(&raffle, 60), [given()]);
    cases.add("an open raffle", case.clone(), &FAIR);
    let mine = |seed: &str| ("mine", json!([{ "from": "alice", "seed": seed }]));
    cases.add("an open raffle with the reader's seed", with(case.clone(), [mine("lucky")]), &FAIR);
    let other = with(case.clone(), [mine("unlucky")]);
    cases.add(
        "an open raffle with another seed than the reader's",
        other,
        &Verdict(1, "", true, &["contribution-mismatch"]),
    );
    let mut absent = with(case, [("mine", json!([{ "from": "carol", "seed": "x" }]))]);
    drop(member(&mut absent, "policy"));
    cases.add(
        "an open raffle without the reader's seed",
        absent,
        &Verdict(1, "", true, &["contribution-mismatch"]),
    );
    let dan = Player::new("dan", "hidden", 3);
    let hashed = open(vec![dan.hashed(&tools::paper::counting_seed(0).commitment(), 0)]);
    let case = with(seen_before(&hashed, 60), [given()]);
    cases.add("a hash in the lock", case, &Verdict(1, "caught", false, &["weak-mixing"]));
}

/// Whole raffles, each as files: the document, its list and what is said of them.
pub fn example_files() -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut add = |name: &str, about: &str, case: &Value, says: &Says| {
        let mut cases = Cases(Vec::new());
        cases.add(about, case.clone(), says);
        let mut case = cases.0.remove(0);
        for (member, file) in [
            ("file", "document.json"),
            ("list", "list.txt"),
            ("key", "log.key"),
            ("policy", "policy"),
        ] {
            if let Some(text) = self::member(&mut case, member) {
                let mut text = text.as_str().expect("text").to_owned();
                if file == "document.json" {
                    let document: Value = serde_json::from_str(&text).expect("JSON");
                    text = format!("{document:#}\n");
                }
                if file == "log.key" {
                    text.push('\n');
                }
                files.push((format!("raffles/{name}/{file}"), text));
            }
        }
        drop(self::member(&mut case, "kind"));
        let about = self::member(&mut case, "name").expect("a name");
        case["about"] = about;
        files.push((format!("raffles/{name}/case.json"), format!("{case:#}\n")));
    };
    let mut raffle = usual();
    let before = seen_before(&raffle, 60);
    add("before", "a raffle before its draw", &before, &NOT_DRAWN);
    add(
        "aborted",
        "the organiser stopped after the round: the winners follow from the given signature",
        &with(before, [given()]),
        &FAIR,
    );
    let size = raffle.anchor(&[(1, raffle.out - 60), (2, raffle.out - 60)]);
    raffle.deal(&signature(), |_| {});
    raffle.reveal();
    let mut receipt = raffle.receipt(&[]);
    receipt.seen = Some(vec![raffle.log.seen_proof(size)]);
    let drawn = with(case(&raffle, &raffle.document(receipt)), [("policy", json!(policy(2, 3)))]);
    add("drawn", "the same raffle, dealt and revealed", &drawn, &FAIR);
    let mut no_policy = drawn;
    drop(member(&mut no_policy, "policy"));
    add("no-policy", "the same raffle, without a policy", &no_policy, &UNPROVED);
    let mut wrong = usual();
    wrong.deal(&signature(), |result| {
        if let Some(indices) = result["indices"].as_array_mut() {
            indices.swap(0, 1);
        }
    });
    let wrong = case(&wrong, &wrong.document(wrong.receipt(&[])));
    add(
        "wrong-winners",
        "the log has other winners than follow",
        &wrong,
        &Verdict(1, "caught", true, &["result-mismatch"]),
    );
    let (entrants, list) = hashed();
    let hashed = with(
        seen_before(&with_list(&list, 2), 60),
        [given(), ("link", json!(entrants[1].link("https://club.example/raffle")))],
    );
    add("hashed", "hashed lines, and the link of an entrant with two tickets", &hashed, &FAIR);
    files
}
