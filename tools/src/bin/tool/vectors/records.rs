//! Entries: canonical and not, legal and not.

use fairdeal::deal::{Deck, DrandRandomness, Method};
use fairdeal::record::entry::{BeaconTerms, Entry, EntryError, Mixing};
use serde_json::{Value, json};

use crate::vectors::File;
use tools::paper::{PaperLog, Player, counting_seed, int};

pub fn files() -> Vec<File> {
    vec![File {
        name: "entries.json",
        about: "spec/ledger.md, entries: one at a time, without what the log around them decides",
        vectors: entries(),
    }]
}

/// A vector of an entry's text, with its computed verdict, which must be the expected one.
pub fn entry(name: &str, text: &str, expected: &str) -> Value {
    let found = match Entry::parse(text.as_bytes()) {
        Ok(Entry::Other(_)) => json!({ "kind": "other-protocol" }),
        Ok(entry) => json!({ "kind": entry.kind() }),
        Err(EntryError::NotCanonical(_)) => json!({ "error": "not-canonical" }),
        Err(_) => json!({ "error": "invalid-entry" }),
    };
    let found_word = found.get("kind").or(found.get("error")).and_then(Value::as_str).expect("a word");
    assert_eq!(found_word, expected, "{name}: {text}");
    let mut vector = json!({ "name": name, "entry": text });
    vector.as_object_mut().expect("an object").extend(found.as_object().expect("an object").clone());
    vector
}

/// The five honest entries, as JSON to alter.
pub struct Honest {
    pub commit: Value,
    pub lock: Value,
    pub deal: Value,
    pub opened: Value,
    pub void: Value,
    pub reveal: Value,
}

fn honest() -> Honest {
    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |_| {});
    let seen = log.seen();
    log.deal(&commit, &seed.mac(), 0, &[("alice", "lucky")]);
    let mut players = [Player::new("alice", "lucky", 1), Player::new("bob", "seven", 2)];
    players[1].seen = Some(seen);
    let locked = players.iter().map(|p| p.hashed(&commit.commitment, 1)).collect();
    let lock = log.lock(commit.commitment, 1, locked);
    log.deal_locked(&commit, &seed.mac(), 1, lock, &players);
    log.void(commit.commitment, Some(2), None);
    log.reveal(&seed);
    let read = |at: usize| serde_json::from_slice(&log.entries()[at]).expect("JSON");
    Honest { commit: read(0), deal: read(1), lock: read(2), opened: read(3), void: read(4), reveal: read(5) }
}

pub fn text(value: &Value) -> String {
    fairdeal::record::json::to_canonical(value)
}

/// `base` with the value at a JSON pointer replaced, added or (null) removed.
pub fn change(base: &Value, pointer: &str, value: Value) -> String {
    let mut changed = base.clone();
    let (parent, field) = pointer.rsplit_once('/').expect("a pointer");
    let parent = changed.pointer_mut(parent).expect("it is there");
    match (parent, value) {
        (Value::Object(members), Value::Null) => drop(members.remove(field)),
        (Value::Object(members), value) => drop(members.insert(field.to_owned(), value)),
        (Value::Array(items), value) => items[field.parse::<usize>().expect("a place")] = value,
        _ => unreachable!("objects and arrays"),
    }
    text(&changed)
}

fn entries() -> Vec<Value> {
    let honest = honest();
    let mut vectors = good(&honest);
    vectors.extend(not_canonical(&honest));
    vectors.extend(invalid_commits(&honest.commit));
    vectors.extend(invalid_rounds(&honest));
    vectors.extend(crate::vectors::forms::entries(&honest));
    vectors
}

fn good(honest: &Honest) -> Vec<Value> {
    let Honest { commit, lock, deal, opened, void, reveal } = honest;
    let digest = "ab".repeat(32);
    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(1);
    log.commit(&seed, |c| {
        c.mixing = Mixing::Beacon;
        c.beacon =
            Some(BeaconTerms { chain: fairdeal::deal::Digest::from_bytes([0x52; 32]), margin: int(5000) });
        c.sealed = true;
        c.deck = Deck::list(4096, fairdeal::deal::Digest::from_bytes([1; 32])).expect("legal");
        c.draw = int(4096);
        c.method = Method::Cycle;
    });
    let beacon = String::from_utf8(log.entries()[0].clone()).expect("UTF-8");
    let mut beacon_lock = lock.clone();
    beacon_lock.as_object_mut().expect("an object").remove("contributions");
    let signature = hex::encode([0x8f; 48]);
    let _ = DrandRandomness::of_signature(&[0x8f; 48]);
    vec![
        entry("a commit", &text(commit), "commit"),
        entry(
            "a commit with every optional field",
            &{
                let with_after = change(commit, "/after", json!(digest));
                let with_after: Value = serde_json::from_str(&with_after).expect("JSON");
                let with_rules: Value =
                    serde_json::from_str(&change(&with_after, "/rules", json!(digest))).expect("JSON");
                change(&with_rules, "/ext", json!(digest))
            },
            "commit",
        ),
        entry("a sealed cycle through a list, mixing a beacon", &beacon, "commit"),
        entry(
            "a table in UTF-8",
            &change(commit, "/table", json!("Tisch \u{1f0a1} \u{20ac}\u{a0}")),
            "commit",
        ),
        entry("a table with quotes and backslashes", &change(commit, "/table", json!("\"\\/")), "commit"),
        entry("the longest table", &change(commit, "/table", json!("t".repeat(128))), "commit"),
        entry("the most rounds", &change(commit, "/rounds", json!(1_000_000)), "commit"),
        entry(
            "a reveal 366 days later",
            &change(commit, "/reveal_by", json!(commit["time"].as_u64().expect("a time") + 366 * 86_400_000)),
            "commit",
        ),
        entry("a deal", &text(deal), "deal"),
        entry("a lock of hashes, one with what was seen", &text(lock), "lock"),
        entry("a lock with seats", &change(lock, "/seats", json!(["bob", "alice"])), "lock"),
        entry("a lock of a beacon's round alone", &change(&beacon_lock, "/beacon", json!(1)), "lock"),
        entry("a deal that opens a lock", &text(opened), "deal"),
        entry("a deal of a beacon", &change(opened, "/beacon", json!(signature)), "deal"),
        entry("a deal of indices", &change(deal, "/result", json!({"indices": [0, 1_048_575]})), "deal"),
        entry("a deal of a digest", &change(deal, "/result", json!({"digest": digest})), "deal"),
        entry("a deal of a seal", &change(deal, "/result", json!({"seal": digest})), "deal"),
        entry("a deal of jokers", &change(deal, "/result", json!({"cards": "X1X2Ts"})), "deal"),
        entry("a void of a round", &text(void), "void"),
        entry("a void with blame", &change(void, "/blame", json!("bob")), "void"),
        entry("a void of a whole commitment", &change(void, "/nonce", Value::Null), "void"),
        entry("a reveal", &text(reveal), "reveal"),
        entry(
            "a commit of another protocol",
            &text(&json!({"commitment": digest, "entry": "commit", "protocol": "fairdeal/v2", "time": 5})),
            "other-protocol",
        ),
        entry(
            "a commit of another protocol with more in it",
            &text(
                &json!({"a": 1.5, "commitment": digest, "entry": "commit", "protocol": "", "time": 5, "z": [null]}),
            ),
            "other-protocol",
        ),
        entry("a commit of another protocol with numbers of every layout", &odd_numbers(), "other-protocol"),
    ]
}

/// Shortest digits by ECMA-262, one of them halfway between two.
fn odd_numbers() -> String {
    let z = json!([5e-324, -0.000_001, 1e-7, 0.1, 740_480_717_292_460.2, 1e20, 1e21, 1e23]);
    let digest = "00".repeat(32);
    text(&json!({"commitment": digest, "entry": "commit", "protocol": "", "time": 5, "z": z}))
}

fn not_canonical(honest: &Honest) -> Vec<Value> {
    let reveal = text(&honest.reveal);
    let void = text(&honest.void);
    let mut vectors: Vec<Value> = [
        ("nothing", String::new()),
        ("not JSON", "entry".to_owned()),
        ("cut short", reveal[..reveal.len() - 1].to_owned()),
        ("a line feed after it", format!("{reveal}\n")),
        ("a space in it", reveal.replacen(':', ": ", 1)),
        ("members in another order", {
            let (first, rest) = reveal[1..].split_once(',').expect("two members");
            format!("{{{},{first}}}", &rest[..rest.len() - 1])
        }),
        ("a member twice", reveal.replacen('{', "{\"commitment\":\"\",", 1)),
        ("an escape that is not needed", void.replacen("player", "pl\\u0061yer", 1)),
        ("a slash escaped", text(&honest.commit).replacen("cards.example/", "cards.example\\/", 1)),
        ("an integer written as a float", format!("{{{}", &reveal[1..]).replacen("000}", "000.0}", 1)),
        ("an integer written with an exponent", reveal.replacen("000}", "e3}", 1)),
        ("minus zero", void.replacen("\"nonce\":2", "\"nonce\":-0", 1)),
        ("a leading zero", void.replacen("\"nonce\":2", "\"nonce\":02", 1)),
        ("an integer that no double holds", void.replacen("\"nonce\":2", "\"nonce\":9007199254740993", 1)),
        ("a number past all doubles", void.replacen("\"nonce\":2", "\"nonce\":1e400", 1)),
        ("a number rounded up where it lies halfway", odd_numbers().replacen("460.2", "460.3", 1)),
        ("half a surrogate pair", void.replacen("player", "\\ud800", 1)),
        ("a byte order mark", format!("\u{feff}{reveal}")),
        ("nested too deep", format!("{}{}", "[".repeat(128), "]".repeat(128))),
    ]
    .into_iter()
    .map(|(name, text)| entry(name, &text, "not-canonical"))
    .collect();
    let mut bytes = reveal.into_bytes();
    bytes[5] = 0xff;
    assert!(matches!(Entry::parse(&bytes), Err(EntryError::NotCanonical(_))));
    vectors.push(json!({ "name": "not UTF-8", "entry_hex": hex::encode(bytes), "error": "not-canonical" }));
    vectors
}

fn invalid_commits(commit: &Value) -> Vec<Value> {
    let time = commit["time"].as_u64().expect("a time");
    let digest = "ab".repeat(32);
    let list = json!({"count": 10, "sha256": digest});
    let altered: Value = serde_json::from_str(&change(commit, "/deck", list.clone())).expect("JSON");
    let cycle: Value = serde_json::from_str(&change(commit, "/method", json!("cycle"))).expect("JSON");
    let beacon: Value = serde_json::from_str(&change(commit, "/mixing", json!("beacon"))).expect("JSON");
    let chain = json!({"chain": digest, "margin": 1});
    let mut cases = vec![
        ("not an object".to_owned(), "5".to_owned()),
        ("an array".to_owned(), "[]".to_owned()),
        ("an empty object".to_owned(), "{}".to_owned()),
        ("no known kind".to_owned(), change(commit, "/entry", json!("Commit"))),
        ("a kind that is no text".to_owned(), change(commit, "/entry", json!(1))),
    ];
    let mut add = |name: &str, text: String| cases.push((name.to_owned(), text));
    for field in [
        "commitment",
        "deck",
        "draw",
        "method",
        "mixing",
        "origin",
        "protocol",
        "reveal_by",
        "rounds",
        "sealed",
        "table",
        "time",
    ] {
        add(&format!("a commit without {field}"), change(commit, &format!("/{field}"), Value::Null));
    }
    for field in ["after", "beacon", "ext", "rules"] {
        let mut null = commit.clone();
        null[field] = Value::Null;
        add(&format!("a commit whose {field} is null"), text(&null));
    }
    add("an unknown field", change(commit, "/note", json!("x")));
    add("a field of another entry", change(commit, "/nonce", json!(0)));
    add("a commitment in capitals", change(commit, "/commitment", json!("AB".repeat(32))));
    add("a commitment of 31 bytes", change(commit, "/commitment", json!("ab".repeat(31))));
    add("a time that is a float", change(commit, "/time", json!(1.5)));
    add("a time that is negative", change(commit, "/time", json!(-1)));
    add("a time that is text", change(commit, "/time", json!("5")));
    add("a time past 2^53-1", change(commit, "/time", json!(1_u64 << 53)));
    add("an empty table", change(commit, "/table", json!("")));
    add("a table of 129 bytes", change(commit, "/table", json!("t".repeat(129))));
    add("a control character in a table", change(commit, "/table", json!("t\u{85}")));
    add("an empty origin", change(commit, "/origin", json!("")));
    add("an origin with a space", change(commit, "/origin", json!("a b")));
    add("an origin with an ideographic space", change(commit, "/origin", json!("a\u{3000}b")));
    add("an origin with a plus", change(commit, "/origin", json!("a+b")));
    add("an origin of 256 bytes", change(commit, "/origin", json!("o".repeat(256))));
    add("an unknown method", change(commit, "/method", json!("riffle")));
    add("an unknown mixing", change(commit, "/mixing", json!("both")));
    add("sealed as a number", change(commit, "/sealed", json!(0)));
    add("no rounds", change(commit, "/rounds", json!(0)));
    add("too many rounds", change(commit, "/rounds", json!(1_000_001)));
    add("a draw of none", change(commit, "/draw", json!(0)));
    add("a draw of more than the deck", change(commit, "/draw", json!(53)));
    add("a partial cycle", change(&cycle, "/draw", json!(51)));
    add("a cycle of one", {
        let one: Value =
            serde_json::from_str(&change(&cycle, "/deck", json!({"count": 1, "sha256": digest})))
                .expect("JSON");
        change(&one, "/draw", json!(1))
    });
    add("a reveal at the commit's time", change(commit, "/reveal_by", json!(time)));
    add(
        "a reveal more than 366 days later",
        change(commit, "/reveal_by", json!(time + 366 * 86_400_000 + 1)),
    );
    add("an unknown deck", change(commit, "/deck", json!("standard-53")));
    add("a list of none", change(&altered, "/deck/count", json!(0)));
    add("a list of more than 2^20", change(&altered, "/deck/count", json!((1 << 20) + 1)));
    add("a list with an unknown field", change(&altered, "/deck/name", json!("x")));
    add("a list without its digest", change(&altered, "/deck/sha256", Value::Null));
    add("a draw of more than the list", change(&altered, "/draw", json!(11)));
    add("mixing beacon without a beacon", text(&beacon));
    add("a beacon under other mixing", change(commit, "/beacon", chain.clone()));
    add("a beacon without its margin", change(&beacon, "/beacon", json!({"chain": digest})));
    add(
        "another protocol without a time",
        text(&json!({"commitment": digest, "entry": "commit", "protocol": "fairdeal/v2"})),
    );
    add(
        "another protocol with a short commitment",
        text(&json!({"commitment": "ab", "entry": "commit", "protocol": "fairdeal/v2", "time": 1})),
    );
    add("a protocol that is no text", change(commit, "/protocol", json!(1)));
    cases.into_iter().map(|(name, text)| entry(&name, &text, "invalid-entry")).collect()
}

fn invalid_rounds(honest: &Honest) -> Vec<Value> {
    let Honest { lock, deal, opened, void, reveal, .. } = honest;
    let digest = "ab".repeat(32);
    let mut cases: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, text: String| cases.push((name.to_owned(), text));
    for (kind, base) in [("lock", lock), ("deal", deal), ("void", void), ("reveal", reveal)] {
        for field in ["commitment", "time"] {
            add(&format!("a {kind} without {field}"), change(base, &format!("/{field}"), Value::Null));
        }
        add(&format!("a {kind} with an unknown field"), change(base, "/x", json!(1)));
        add(&format!("a {kind} whose ext is short"), change(base, "/ext", json!("ab")));
    }
    for (kind, base) in [("lock", lock), ("deal", deal)] {
        add(&format!("a {kind} without a nonce"), change(base, "/nonce", Value::Null));
        add(&format!("a {kind} without contributions"), change(base, "/contributions", Value::Null));
        add(&format!("a {kind} with empty contributions"), change(base, "/contributions", json!([])));
        add(
            &format!("a {kind} whose contribution has no label"),
            change(base, "/contributions/0/from", Value::Null),
        );
        add(
            &format!("a {kind} whose contribution has an unknown field"),
            change(base, "/contributions/0/x", json!(1)),
        );
        add(&format!("a {kind} with 65 contributions"), {
            let many: Vec<Value> =
                (0..65).map(|i| json!({"from": format!("p{i:02}"), "seed": "s"})).collect();
            change(base, "/contributions", json!(many))
        });
        let pair = |a: &str, b: &str| json!([{"from": a, "seed": "s"}, {"from": b, "seed": "s"}]);
        add(&format!("a {kind} with one label twice"), change(base, "/contributions", pair("a", "a")));
        add(&format!("a {kind} with labels out of order"), change(base, "/contributions", pair("b", "a")));
        add(
            &format!("a {kind} with a seed of 257 bytes"),
            change(base, "/contributions", json!([{"from": "a", "seed": "s".repeat(257)}])),
        );
        add(
            &format!("a {kind} with a control character in a label"),
            change(base, "/contributions", json!([{"from": "\t", "seed": "s"}])),
        );
    }
    add("a contribution with both a seed and a hash", change(lock, "/contributions/0/seed", json!("s")));
    add("a contribution with neither", change(lock, "/contributions/0/hash", Value::Null));
    add("a hash in a deal", change(deal, "/contributions", json!([{"from": "a", "hash": digest}])));
    add("a seen of size 0", change(lock, "/contributions/1/seen/size", json!(0)));
    add("a seen without its root", change(lock, "/contributions/1/seen/root", Value::Null));
    add("a seen whose signature is short", change(lock, "/contributions/1/seen/signature", json!("AAAA")));
    add("a seen whose signature is not base64", change(lock, "/contributions/1/seen/signature", json!("?")));
    add("seats that leave one out", change(lock, "/seats", json!(["alice"])));
    add("seats with one twice", change(lock, "/seats", json!(["alice", "bob", "bob"])));
    add("seats with a stranger in the place of one", change(lock, "/seats", json!(["alice", "eve"])));
    add("empty seats", change(lock, "/seats", json!([])));
    add("a beacon's round 0", change(lock, "/beacon", json!(0)));
    add("a deal with both contributions and a lock", change(deal, "/lock", json!(2)));
    add("a deal that opens without a lock", change(deal, "/opened", opened["opened"].clone()));
    add("a deal with a beacon and no lock", change(deal, "/beacon", json!("8f".repeat(48))));
    add("a beacon's signature of 47 bytes", change(opened, "/beacon", json!("8f".repeat(47))));
    add("an empty opened", change(opened, "/opened", json!([])));
    add("an opening without its blind", change(opened, "/opened/0/blind", Value::Null));
    add("no result", change(deal, "/result", Value::Null));
    add("an empty result", change(deal, "/result", json!({})));
    add("two results", change(deal, "/result", json!({"digest": digest, "seal": digest})));
    add("no cards", change(deal, "/result", json!({"cards": ""})));
    add("half a card", change(deal, "/result", json!({"cards": "As2"})));
    add("a card that does not exist", change(deal, "/result", json!({"cards": "1s"})));
    add("cards in capitals", change(deal, "/result", json!({"cards": "AS"})));
    add("no indices", change(deal, "/result", json!({"indices": []})));
    add("an index past 2^20-1", change(deal, "/result", json!({"indices": [1 << 20]})));
    add("an index that is negative", change(deal, "/result", json!({"indices": [-1]})));
    add("a void without a reason", change(void, "/reason", Value::Null));
    add("an empty reason", change(void, "/reason", json!("")));
    add("a reason of 257 bytes", change(void, "/reason", json!("r".repeat(257))));
    add("a line feed in a reason", change(void, "/reason", json!("a\nb")));
    add("blame without a round", {
        let whole: Value = serde_json::from_str(&change(void, "/nonce", Value::Null)).expect("JSON");
        change(&whole, "/blame", json!("bob"))
    });
    add("a reveal without a seed", change(reveal, "/server_seed", Value::Null));
    add("a reveal of 31 bytes", change(reveal, "/server_seed", json!("00".repeat(31))));
    cases.into_iter().map(|(name, text)| entry(&name, &text, "invalid-entry")).collect()
}
