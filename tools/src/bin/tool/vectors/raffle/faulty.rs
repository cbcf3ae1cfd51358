//! Documents that cannot be read, and commits that are no raffle's.

use fairdeal::beacon::Chain;
use fairdeal::deal::{Deck, Method};
use fairdeal::raffle::RaffleRules;
use fairdeal::record::entry::{Commit, Int, Layout, Terms};
use serde_json::{Value, json};
use tools::paper::int;
use tools::raffles::{PaperRaffle, Promise};

use super::documents::Says::{Refused, Verdict};
use super::documents::{Cases, FAIR, Says, given, member};
use super::promises::{REPEATED, case, changed, of_quicknet, seen_before, usual, with};

pub fn documents(cases: &mut Cases) {
    let before = with(seen_before(&usual(), 60), [given()]);
    let mut change = |name: &str, change: &dyn Fn(&mut Value), says: &Says| {
        cases.add(name, changed(&before, change), says);
    };
    let bad = &Refused(3);
    change(
        "a policy and a list, for information",
        &|document| {
            document["policy"] = json!("quorum none\n");
            document["list"] = json!("https://club.example/list.txt");
        },
        &FAIR,
    );
    change("an unknown member", &|document| document["more"] = json!(1), bad);
    change("the winners in the document", &|document| document["winners"] = json!(3), bad);
    change("no format", &|document| drop(member(document, "format")), bad);
    change("another format", &|document| document["format"] = json!("fairdeal/raffle/v2"), bad);
    change("no rules", &|document| drop(member(document, "rules")), bad);
    change("a member that is null", &|document| document["list"] = json!(null), bad);
    change("an empty policy", &|document| document["policy"] = json!(""), bad);
    change("an empty list's URL", &|document| document["list"] = json!(""), bad);
    change(
        "a control character in the list's URL",
        &|document| document["list"] = json!("a\nb"),
        bad,
    );
    change("a URL of 2,048 bytes", &|document| document["list"] = json!("a".repeat(2048)), &FAIR);
    change("a URL of 2,049 bytes", &|document| document["list"] = json!("a".repeat(2049)), bad);
    for (name, rules) in [
        ("other winners than the promise's", json!({ "winners": 2 })),
        ("no winner", json!({ "winners": 0 })),
        ("1,001 winners", json!({ "winners": 1001 })),
        ("winners that are a text", json!({ "winners": "3" })),
        ("rules that are an array", json!([["a"], "b", 3])),
    ] {
        change(name, &|document| document["rules"] = rules.clone(), bad);
    }
    for (name, member, value) in [
        ("another title", "title", json!("Summer raffle of the Rowing Club")),
        ("an empty title", "title", json!("")),
        ("prizes in another order", "prizes", json!(["a bicycle", "a weekend for two"])),
        ("more prizes than winners", "prizes", json!(["a", "b", "c", "d"])),
        ("no prizes in an array", "prizes", json!([])),
        ("an unknown rule", "more", json!(1)),
    ] {
        change(name, &|document| document["rules"][member] = value.clone(), bad);
    }
    let other = "01".repeat(32);
    change(
        "the server seed of another commitment",
        &|document| document["server_seed"] = json!(other),
        bad,
    );
    let upper = |document: &mut Value| {
        let seed = document["server_seed"].as_str().expect("text").to_uppercase();
        document["server_seed"] = json!(seed);
    };
    change("the server seed in uppercase", &upper, bad);
    change(
        "a receipt without the lock",
        &|document| {
            drop(document["receipt"]["entries"].as_array_mut().and_then(Vec::pop));
        },
        bad,
    );
    change(
        "a receipt without entries",
        &|document| document["receipt"]["entries"] = json!([]),
        bad,
    );
    change(
        "a receipt that is an opening",
        &|document| {
            document["receipt"]["format"] = json!("fairdeal/opening/v1");
        },
        bad,
    );
    change(
        "a receipt with an unknown member",
        &|document| document["receipt"]["more"] = json!(1),
        bad,
    );
    change(
        "a receipt whose indices are not under its size",
        &|document| {
            document["receipt"]["entries"][1]["index"] = json!(2);
        },
        bad,
    );
    change(
        "a receipt with another proof",
        &|document| {
            let proof = document["receipt"]["entries"][0]["proof"].clone();
            document["receipt"]["entries"][1]["proof"] = proof;
        },
        &Verdict(1, "", true, &["tree-mismatch"]),
    );
    let text = before["file"].as_str().expect("text").to_owned();
    let twice = format!("{{\"list\":\"a\",\"list\":\"a\",{}", &text[1..]);
    let mut as_text = |name: &str, text: String, says: &Says| {
        cases.add(name, with(before.clone(), [("file", json!(text))]), says);
    };
    as_text("a byte order mark", format!("\u{feff}{text}"), &FAIR);
    as_text("a member twice", twice, bad);
    as_text("no JSON", "raffle".to_owned(), bad);
    as_text("an array around it", format!("[{text}]"), bad);
    as_text("a receipt, and no document", usual().receipt(&[]).to_text(), bad);
}

pub fn commits(cases: &mut Cases) {
    let layout: Layout = serde_json::from_value(json!({ "hand": 1 })).expect("a layout");
    let mut add = |name: &str, promise: Promise<'_>, change: &dyn Fn(&mut Commit)| {
        let raffle = PaperRaffle::promise(promise, change);
        // The maker of documents refuses it too, so the usual document takes its receipt.
        let mut document = usual().document(usual().receipt(&[]));
        document["receipt"] = serde_json::from_str(&raffle.receipt(&[]).to_text()).expect("JSON");
        document["rules"] = json!(raffle.rules);
        cases.add(name, with(case(&raffle, &document), [given()]), &Refused(3));
    };
    let chain = Chain::quicknet();
    let usual = || of_quicknet(&chain);
    add("two rounds", usual(), &|commit| commit.rounds = int(2));
    add("a sealed commit", usual(), &|commit| commit.sealed = true);
    add("a layout", usual(), &|commit| commit.layout = Some(layout.clone()));
    add("a cycle", usual(), &|commit| {
        (commit.method, commit.draw) = (Method::Cycle, int(12));
    });
    add("a named deck", usual(), &|commit| commit.deck = Deck::standard());
    add("a commit without rules", usual(), &|commit| commit.rules = None);
    add("a draw of one more than the winners", usual(), &|commit| commit.draw = int(4));
    add("all of a list of different lines drawn", usual(), &|commit| commit.draw = int(12));
    let repeated = || Promise { list: REPEATED, rules: RaffleRules::new(2), ..usual() };
    add("repeated lines, and only the winners drawn", repeated(), &|commit| commit.draw = int(2));
    let too_many = Promise { rules: RaffleRules::new(6), ..repeated() };
    add("more winners than entrants", too_many, &|commit| commit.draw = int(9));
    add("a commit of other terms", usual(), &|commit| {
        let terms = Terms::new(commit.table.clone(), commit.deck);
        commit.terms = Terms {
            beacon: commit.beacon.clone(),
            mixing: commit.mixing,
            rounds: Int::ONE,
            ..terms
        };
    });
}
