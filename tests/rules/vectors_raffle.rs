//! The vectors of raffles, and the raffles that are files.

use std::path::Path;

use fairdeal::beacon::Chain;
use fairdeal::deal::ServerSeed;
use fairdeal::raffle::{
    Address, Entrant, RaffleDocument, RaffleRules, RaffleSecret, Tickets, TicketsError,
};
use serde_json::{Value, json};
use tools::raffles::{PaperRaffle, Promise, judged};

use crate::vectors::{Outcome, check, number, text};

fn entrant(vector: &Value) -> Outcome {
    let mut secret: [u8; 32] =
        hex::decode(text(vector, "secret")).expect("hex").try_into().expect("32 bytes");
    let address = Address::new(text(vector, "address")).map_err(|_| "address")?;
    let entrant = Entrant::new(&RaffleSecret::from_bytes(&mut secret), address);
    let link = entrant.link(text(vector, "page"));
    Ok(json!({
        "form": entrant.address.as_str(), "salt": entrant.salt.to_text(), "line": entrant.line(),
        "link": link,
    }))
}

fn winners(vector: &Value) -> Outcome {
    let numbers = || {
        let (count, modulo) = (number(vector, "numbers"), number(vector, "modulo"));
        let line = |number: u64| number.rem_euclid(modulo).to_string() + "\n";
        (0..count).map(line).collect::<Vec<_>>().concat()
    };
    let list = vector["list"].as_str().map_or_else(numbers, str::to_owned);
    let tickets = Tickets::parse(list.as_bytes()).map_err(|_| "list")?;
    let winners = u32::try_from(number(vector, "winners")).expect("small");
    let draw = tickets.draw(winners).ok_or("winners")?;
    let signature: [u8; 48] =
        hex::decode(text(vector, "signature")).expect("hex").try_into().expect("48 bytes");
    let (chain, rules, contributions) = (Chain::quicknet(), RaffleRules::new(winners), vec![]);
    let promise =
        Promise { list: &list, rules, chain: &chain, round: 1000, seed: 0, contributions };
    let mut raffle = PaperRaffle::promise(promise, |_| {});
    raffle.seed = ServerSeed::parse(text(vector, "server_seed")).expect("a seed");
    let items = tickets.winners(&raffle.result(&signature).items, winners);
    Ok(json!({ "different": tickets.different(), "draw": draw, "items": items }))
}

#[test]
fn raffles_agree() {
    let seen = check("raffle.json", |vector| match text(vector, "kind") {
        "entrant" => entrant(vector),
        "link" => {
            let entrant = Entrant::parse_link(text(vector, "link")).map_err(|_| "link")?;
            Ok(json!({
                "form": entrant.address.as_str(), "salt": entrant.salt.to_text(),
                "line": entrant.line(),
            }))
        }
        "winners" => winners(vector),
        _ => {
            let (exit, verdict) = judged(vector);
            assert_eq!(vector.get("verdict"), verdict.as_ref(), "{}", vector["name"]);
            Ok(json!({ "exit": exit }))
        }
    });
    assert_eq!(seen, 199);
}

#[test]
fn the_raffles_that_are_files_are_judged_as_they_say() {
    let folder = tools::root().join("fixtures/raffles");
    let mut seen = 0;
    for raffle in std::fs::read_dir(folder).expect("the fixtures are part of the project") {
        let raffle = raffle.expect("readable").path();
        let read = |name: &str| std::fs::read_to_string(raffle.join(name)).ok();
        let case = read("case.json").expect("each raffle has a case");
        let mut case: Value = serde_json::from_str(&case).expect("JSON");
        let files = [
            ("file", "document.json"),
            ("list", "list.txt"),
            ("key", "log.key"),
            ("policy", "policy"),
        ];
        for (member, name) in files {
            if let Some(text) = read(name) {
                let text = if member == "key" { text.trim() } else { text.as_str() };
                case[member] = json!(text);
            }
        }
        let (exit, verdict) = judged(&case);
        assert_eq!(json!(exit), case["exit"], "{}", raffle.display());
        assert_eq!(verdict.as_ref(), case.get("verdict"), "{}", raffle.display());
        seen += 1;
    }
    assert_eq!(seen, 6);
}

/// The document of a fixture.
fn document() -> (RaffleDocument, String) {
    let path = tools::root().join(Path::new("fixtures/raffles/drawn/document.json"));
    let text = std::fs::read_to_string(path).expect("a fixture");
    (RaffleDocument::parse(text.as_bytes()).expect("a document"), text)
}

#[test]
fn a_document_prints_to_one_of_the_same_meaning() {
    let (document, text) = document();
    assert_eq!(RaffleDocument::parse(document.to_text().as_bytes()), Ok(document.clone()));
    let again = document.clone().with_policy("quorum none\n".to_owned()).expect("a policy");
    assert_eq!(again.policy(), Some("quorum none\n"));
    assert!(again.list().is_none() && again.server_seed().is_some());
    assert_eq!(RaffleDocument::parse(again.to_text().as_bytes()), Ok(again));
    assert!(document.clone().with_policy(String::new()).is_err());
    let long = |bytes: usize| document.clone().with_policy("#".repeat(bytes));
    assert!(long(1 << 20).is_ok() && long((1 << 20) + 1).is_err());
    let padded = |bytes: usize| text.clone() + &" ".repeat(bytes - text.len());
    let most = RaffleDocument::MOST;
    assert!(RaffleDocument::parse(padded(most).as_bytes()).is_ok());
    assert!(RaffleDocument::parse(padded(most + 1).as_bytes()).is_err());
}

#[test]
fn an_error_names_what_was_expected() {
    let (_, text) = document();
    let says = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        RaffleDocument::parse(text.replacen(from, to, 1).as_bytes()).unwrap_err().to_string()
    };
    let winners = says("\"winners\": 3", "\"winners\": 1001");
    assert!(winners.contains("rules.winners: expected 1 to 1000, found 1001"), "{winners}");
    let rules = says("\"winners\": 3", "\"winners\": 2");
    assert!(rules.contains("rules: expected the SHA-256 of the document's rules"), "{rules}");
    let seed = says("\"server_seed\": \"00", "\"server_seed\": \"ff");
    assert!(seed.contains("server_seed"), "{seed}");
    let unknown = says("\"rules\"", "\"Rules\"");
    assert!(unknown.contains("Rules"), "{unknown}");
    let list = Tickets::parse(b"a\n\n").unwrap_err();
    assert!(matches!(list, TicketsError::List(_)) && list.to_string().contains("line 2"));
}
