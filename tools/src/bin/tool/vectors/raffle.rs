//! Raffles (spec/raffle.md): entrants, winners, and documents with their verdicts.

mod documents;
mod faulty;
mod kept;
mod promises;

use fairdeal::beacon::Chain;
use fairdeal::deal::ServerSeed;
use fairdeal::raffle::{Address, Entrant, RaffleRules, RaffleSecret, Tickets};
use serde_json::{Value, json};
use tools::beacons::{OwnChain, recorded};
use tools::raffles::{PaperRaffle, Promise};

use crate::vectors::File;

pub use documents::example_files;

pub fn files() -> Vec<File> {
    vec![File {
        name: "raffle.json",
        about: "spec/raffle.md: of kind \"entrant\" the salt, line and link of an address; of \"link\" what an entrant's link says; of \"winners\" the draw of a list and its winning items; of \"document\" what a command says of a document and a list",
        vectors: [entrants(), links(), winners(), documents::vectors()]
            .into_iter()
            .flatten()
            .collect(),
    }]
}

/// The chain of the raffles that do not wait for `quicknet`.
const OWN: OwnChain = OwnChain { secret: 7, genesis: 1_700_000_000, period: 30 };

/// The secret whose bytes count up from 0.
fn secret() -> ([u8; 32], RaffleSecret) {
    let bytes: [u8; 32] = std::array::from_fn(|at| u8::try_from(at).expect("under 32"));
    (bytes, RaffleSecret::from_bytes(&mut bytes.clone()))
}

const PAGE: &str = "https://club.example/raffle";

fn entrants() -> Vec<Value> {
    let (bytes, secret) = secret();
    let long = "a".repeat(256);
    let too_long = "a".repeat(257);
    let vector = |address: &str| {
        let mut vector = json!({
            "kind": "entrant", "secret": hex::encode(bytes), "address": address, "page": PAGE,
        });
        match Address::new(address) {
            Ok(address) => {
                let entrant = Entrant::new(&secret, address);
                let link = entrant.link(PAGE);
                assert_eq!(Entrant::parse_link(&link).as_ref(), Ok(&entrant));
                vector["form"] = json!(entrant.address.as_str());
                vector["salt"] = json!(entrant.salt.to_text());
                vector["line"] = json!(entrant.line());
                vector["link"] = json!(link);
            }
            Err(_) => vector["error"] = json!("address"),
        }
        vector
    };
    [
        "anna@example.org",
        " Anna@Example.org",
        "\t\n\u{b}\u{c}\r ANNA@EXAMPLE.ORG\r\n",
        "anna@example.org.",
        "Ünal Ö",
        "\u{a0}anna@example.org",
        "İ I ı K",
        "e\u{301}",
        "\u{e9}",
        "100% & a=b # c + ~_-.",
        "\u{1f0a1}",
        &long,
        "",
        " \t ",
        &too_long,
        "anna\n@example.org",
        "anna\u{7f}",
        "anna\u{85}",
        "\u{feff}anna",
    ]
    .into_iter()
    .map(vector)
    .collect()
}

fn links() -> Vec<Value> {
    let salt = "00112233445566778899aabbccddeeff";
    let upper = salt.to_uppercase();
    let padded = |more: usize| {
        let start = format!("#salt={salt}&address=a&x=");
        format!("{start}{}", "y".repeat(Entrant::MOST - start.len() + more))
    };
    let vector = |link: String| {
        let mut vector = json!({ "kind": "link", "link": link });
        match Entrant::parse_link(&link) {
            Ok(entrant) => {
                vector["salt"] = json!(entrant.salt.to_text());
                vector["form"] = json!(entrant.address.as_str());
                vector["line"] = json!(entrant.line());
            }
            Err(_) => vector["error"] = json!("link"),
        }
        vector
    };
    [
        format!("{PAGE}#salt={salt}&address=anna%40example.org"),
        format!("#address=Anna%40Example.org&salt={salt}"),
        format!("{PAGE}?a=b#&more&x=y&salt={salt}&address=%C3%bc+%20"),
        format!("{PAGE}#salt={salt}&address=a=b"),
        format!("{PAGE}#salt={salt}&address=ü#x"),
        format!("{PAGE}?salt={salt}&address=a"),
        format!("{PAGE}#a#salt={salt}&address=a"),
        format!("{PAGE}#salt={salt}"),
        format!("{PAGE}#salt={salt}&address"),
        format!("{PAGE}#salt={salt}&address="),
        format!("{PAGE}#address=a"),
        format!("{PAGE}#salt={salt}&salt={salt}&address=a"),
        format!("{PAGE}#salt={upper}&address=a"),
        format!("{PAGE}#salt={}&address=a", &salt[..30]),
        format!("{PAGE}#salt={salt}&address=%"),
        format!("{PAGE}#salt={salt}&address=%4"),
        format!("{PAGE}#salt={salt}&address=%+4"),
        format!("{PAGE}#salt={salt}&address=%gg"),
        format!("{PAGE}#salt={salt}&address=%ff"),
        format!("{PAGE}#salt={salt}&address=a%0Ab"),
        format!("{PAGE}#salt={salt}&address=%20"),
        padded(0),
        padded(1),
    ]
    .into_iter()
    .map(vector)
    .collect()
}

/// A list of the numbers under `numbers`, each taken modulo `modulo`.
fn numbers(numbers: u32, modulo: u32) -> String {
    (0..numbers).fold(String::new(), |mut list, number| {
        list += &number.rem_euclid(modulo).to_string();
        list.push('\n');
        list
    })
}

fn winners() -> Vec<Value> {
    let mut vectors = Vec::new();
    let mut add = |mut vector: Value, list: &str, winners: u32| {
        vector["kind"] = json!("winners");
        vector["winners"] = json!(winners);
        let tickets = match Tickets::parse(list.as_bytes()) {
            Ok(tickets) if tickets.draw(winners).is_some() => tickets,
            Ok(_) => {
                vector["error"] = json!("winners");
                return vectors.push(vector);
            }
            Err(_) => {
                vector["error"] = json!("list");
                return vectors.push(vector);
            }
        };
        let rules = RaffleRules::new(winners);
        let chain = Chain::quicknet();
        let contributions = vec![];
        let promise = Promise { list, rules, chain: &chain, round: 1000, seed: 0, contributions };
        let raffle = PaperRaffle::promise(promise, |_| {});
        let items = raffle.result(&recorded(1000)).items;
        vector["server_seed"] = json!(seed_in_hex(&raffle.seed));
        vector["signature"] = json!(hex::encode(recorded(1000)));
        vector["different"] = json!(tickets.different());
        vector["draw"] = json!(raffle.commit.draw);
        vector["items"] = json!(tickets.winners(&items, winners));
        vectors.push(vector);
    };
    for (list, winners) in [
        ("a\n", 1),
        ("a\n", 2),
        ("a\nb\n", 1),
        ("a\nb\n", 2),
        ("a\na\n", 1),
        ("a\na\n", 2),
        ("a\nb\na\na\nc\n", 2),
        ("a\nb\na\na\nc\n", 3),
        ("a\nb\na\na\nc\n", 4),
        ("a\nA\n a\na \n", 4),
        ("\u{e9}\ne\u{301}\n", 2),
        ("", 1),
        ("a\n\n", 1),
        ("a", 1),
        ("a\r\n", 1),
    ] {
        add(json!({ "list": list }), list, winners);
    }
    for (count, modulo, winners) in [
        (500, 500, 3),
        (500, 100, 3),
        (1000, 1000, 1000),
        (1001, 1001, 1000),
        (1001, 1000, 1000),
        (1001, 999, 1000),
        (1 << 20, 1 << 20, 1000),
        (1 << 20, 1000, 1000),
        ((1 << 20) + 1, 1000, 1),
    ] {
        let list = numbers(count, modulo);
        add(json!({ "numbers": count, "modulo": modulo }), &list, winners);
    }
    vectors
}

fn seed_in_hex(seed: &ServerSeed) -> String {
    seed.reveal().to_string()
}
