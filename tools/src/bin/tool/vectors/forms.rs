//! Entries: signed contributions, layouts, seats, limits, and values of the wrong type.

use serde_json::{Value, json};

use crate::vectors::records::{Honest, change, entry, text};

pub fn entries(honest: &Honest) -> Vec<Value> {
    let mut vectors = commits(&honest.commit);
    vectors.extend(rounds(honest));
    vectors.extend(arrays(honest));
    vectors.extend(spellings(honest));
    vectors.extend(limits(honest));
    vectors
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn commits(commit: &Value) -> Vec<Value> {
    let digest = "ab".repeat(32);
    let list = |count: u64, draw: u64| {
        let listed = parsed(&change(commit, "/deck", json!({"count": count, "sha256": digest})));
        parsed(&change(&listed, "/draw", json!(draw)))
    };
    let sealed = |draw: u64| change(&list(5000, draw), "/sealed", json!(true));
    let layout = |draw: u64, layout: Value| {
        let drawn = parsed(&change(commit, "/draw", json!(draw)));
        change(&drawn, "/layout", layout)
    };
    let holdem = || json!({"board": [3, 1, 1], "burn": true, "hand": 2});
    let cycle = parsed(&change(commit, "/method", json!("cycle")));
    let beacon = parsed(&change(commit, "/mixing", json!("beacon")));
    let cases = [
        ("a sealed draw of 4,096", sealed(4096), true),
        ("a sealed draw of 4,097", sealed(4097), false),
        ("an unsealed draw of 4,097", text(&list(5000, 4097)), true),
        ("every contribution signed", change(commit, "/signed", json!(true)), true),
        ("signed as false", change(commit, "/signed", json!(false)), false),
        ("signed as a number", change(commit, "/signed", json!(1)), false),
        ("signed as text", change(commit, "/signed", json!("true")), false),
        ("a layout of hands alone", layout(52, json!({"hand": 5})), true),
        ("a layout with a board and burnt cards", layout(52, holdem()), true),
        ("a layout with burn as false", layout(52, json!({"board": [3], "burn": false, "hand": 2})), true),
        ("a layout that has room for one seat exactly", layout(10, holdem()), true),
        ("a layout that has room for none", layout(9, holdem()), false),
        ("a layout with a cycle", change(&cycle, "/layout", json!({"hand": 1})), false),
        ("a layout with burn and no board", layout(52, json!({"burn": true, "hand": 2})), false),
        ("a layout with burn as false and no board", layout(52, json!({"burn": false, "hand": 2})), false),
        ("a layout without a hand", layout(52, json!({"board": [3]})), false),
        ("a layout with a hand of none", layout(52, json!({"hand": 0})), false),
        ("a layout with a hand of 64", change(&list(1000, 64), "/layout", json!({"hand": 64})), true),
        ("a layout with a hand of 65", change(&list(1000, 65), "/layout", json!({"hand": 65})), false),
        ("a layout with an empty board", layout(52, json!({"board": [], "hand": 2})), false),
        ("a layout with a street of none", layout(52, json!({"board": [3, 0], "hand": 2})), false),
        (
            "a layout with a street of 64",
            change(&list(1000, 66), "/layout", json!({"board": [64], "hand": 2})),
            true,
        ),
        (
            "a layout with a street of 65",
            change(&list(1000, 67), "/layout", json!({"board": [65], "hand": 2})),
            false,
        ),
        (
            "a layout of 64 streets",
            change(&list(1000, 65), "/layout", json!({"board": vec![1; 64], "hand": 1})),
            true,
        ),
        (
            "a layout of 65 streets",
            change(&list(1000, 66), "/layout", json!({"board": vec![1; 65], "hand": 1})),
            false,
        ),
        ("a layout with an unknown member", layout(52, json!({"hand": 2, "seats": 3})), false),
        ("a layout whose burn is null", layout(52, json!({"board": [3], "burn": null, "hand": 2})), false),
        ("a layout whose board is a number", layout(52, json!({"board": 3, "hand": 2})), false),
        ("a layout as an array", layout(52, json!([[3, 1, 1], true, 2])), false),
        ("a layout as text", layout(52, json!("hold'em")), false),
        ("mixing as an object", change(commit, "/mixing", json!({"seeds": null})), false),
        (
            "mixing as an object of an object",
            change(commit, "/mixing", json!({"beacon": {"chain": digest, "margin": 1}})),
            false,
        ),
        ("mixing as an array", change(commit, "/mixing", json!(["seeds"])), false),
        ("a method as an object", change(commit, "/method", json!({"shuffle": null})), false),
        ("a deck as an array", change(commit, "/deck", json!([10, digest])), false),
        ("a deck as an object of its name", change(commit, "/deck", json!({"standard-52": null})), false),
        (
            "a deck that has both a name and a list",
            change(commit, "/deck", json!({"count": 10, "name": "standard-52", "sha256": digest})),
            false,
        ),
        ("a beacon as an array", change(&beacon, "/beacon", json!([digest, 1])), false),
        ("a beacon without its chain", change(&beacon, "/beacon", json!({"margin": 1})), false),
        (
            "a beacon whose margin is negative",
            change(&beacon, "/beacon", json!({"chain": digest, "margin": -1})),
            false,
        ),
        (
            "a beacon whose margin is none",
            change(&beacon, "/beacon", json!({"chain": digest, "margin": 0})),
            true,
        ),
        ("the largest list", text(&list(1 << 20, 1 << 20)), true),
        (
            "a cycle of two",
            change(&parsed(&change(&list(2, 2), "/method", json!("cycle"))), "/ext", json!(digest)),
            true,
        ),
        ("an origin of 255 bytes", change(commit, "/origin", json!("o".repeat(255))), true),
        ("an origin with a zero-width space", change(commit, "/origin", json!("a\u{200b}b")), true),
        ("an origin with U+2000", change(commit, "/origin", json!("a\u{2000}b")), false),
        ("an origin with U+200A", change(commit, "/origin", json!("a\u{200a}b")), false),
        ("an origin with U+1680", change(commit, "/origin", json!("a\u{1680}b")), false),
        ("an origin with U+2028", change(commit, "/origin", json!("a\u{2028}b")), false),
        ("an origin with U+202F", change(commit, "/origin", json!("a\u{202f}b")), false),
        ("an origin with U+205F", change(commit, "/origin", json!("a\u{205f}b")), false),
        ("an origin with U+0085", change(commit, "/origin", json!("a\u{85}b")), false),
        (
            "an origin with U+180E, which is white space no more",
            change(commit, "/origin", json!("a\u{180e}b")),
            true,
        ),
        ("an origin with a delete character", change(commit, "/origin", json!("a\u{7f}b")), false),
        ("a table with a line separator", change(commit, "/table", json!("a\u{2028}b")), true),
        ("a table with a delete character", change(commit, "/table", json!("a\u{7f}b")), false),
        (
            "a table of 64 characters and 128 bytes",
            change(commit, "/table", json!("\u{e9}".repeat(64))),
            true,
        ),
        (
            "a table of 65 characters and 130 bytes",
            change(commit, "/table", json!("\u{e9}".repeat(65))),
            false,
        ),
    ];
    cases
        .into_iter()
        .map(|(name, text, legal)| entry(name, &text, if legal { "commit" } else { "invalid-entry" }))
        .collect()
}

fn rounds(honest: &Honest) -> Vec<Value> {
    let Honest { lock, deal, opened, .. } = honest;
    let key = "ab".repeat(32);
    let signature = format!("{}==", "A".repeat(86));
    let signed = |base: &Value, at: usize| {
        let keyed = parsed(&change(base, &format!("/contributions/{at}/key"), json!(key)));
        parsed(&change(&keyed, &format!("/contributions/{at}/signature"), json!(signature)))
    };
    let seats = |base: &Value, seats: Value| change(base, "/seats", seats);
    let labels = |count: usize| -> Vec<String> {
        let more = (2..count).map(|at| format!("c{at:02}"));
        ["alice", "bob"].map(str::to_owned).into_iter().chain(more).collect()
    };
    let of = |base: &Value, at: &str, value: Value| {
        change(&signed(base, 0), &format!("/contributions/0/{at}"), value)
    };
    let clear = parsed(&change(lock, "/contributions", json!([{"from": "a", "seed": "s"}])));
    let opens = |count: usize| {
        let one = opened["opened"][0].clone();
        json!(vec![one; count])
    };
    let mut vectors: Vec<Value> = Vec::new();
    let mut add = |name: &str, text: String, expected: &str| vectors.push(entry(name, &text, expected));
    for (kind, base) in [("lock", lock), ("deal", deal)] {
        add(&format!("a {kind} with a signed contribution"), text(&signed(base, 0)), kind);
        let without = |member| of(base, member, Value::Null);
        add(&format!("a {kind} with a key and no signature"), without("signature"), "invalid-entry");
        add(&format!("a {kind} with a signature and no key"), without("key"), "invalid-entry");
        add(
            &format!("a {kind} with a key in capitals"),
            of(base, "key", json!("AB".repeat(32))),
            "invalid-entry",
        );
        add(
            &format!("a {kind} with a key of 31 bytes"),
            of(base, "key", json!("ab".repeat(31))),
            "invalid-entry",
        );
        add(
            &format!("a {kind} with a key that is no point: the signature shows it"),
            of(base, "key", json!(format!("02{}", "00".repeat(31)))),
            kind,
        );
        let short = json!(format!("{}=", "A".repeat(83)));
        add(&format!("a {kind} with a signature of 62 bytes"), of(base, "signature", short), "invalid-entry");
        let long = json!(format!("{}=", "A".repeat(87)));
        add(&format!("a {kind} with a signature of 65 bytes"), of(base, "signature", long), "invalid-entry");
        let bits = json!(format!("{}B==", "A".repeat(85)));
        add(
            &format!("a {kind} with a signature whose last bits are not zero"),
            of(base, "signature", bits),
            "invalid-entry",
        );
        let unpadded = json!("A".repeat(86));
        add(
            &format!("a {kind} with a signature without its padding"),
            of(base, "signature", unpadded),
            "invalid-entry",
        );
        add(
            &format!("a {kind} with seats, one of them without a contribution"),
            seats(base, json!(["carol", "bob", "alice"])),
            kind,
        );
        add(&format!("a {kind} with 64 seats"), seats(base, json!(labels(64))), kind);
        add(&format!("a {kind} with 65 seats"), seats(base, json!(labels(65))), "invalid-entry");
        add(
            &format!("a {kind} with a seat of 65 bytes"),
            seats(base, json!(["alice", "bob", "c".repeat(65)])),
            "invalid-entry",
        );
        add(
            &format!("a {kind} with a seat without a name"),
            seats(base, json!(["alice", "bob", ""])),
            "invalid-entry",
        );
        add(
            &format!("a {kind} with a control character in a seat"),
            seats(base, json!(["alice", "bob", "\t"])),
            "invalid-entry",
        );
        add(&format!("a {kind} with seats as text"), seats(base, json!("alice")), "invalid-entry");
        add(
            &format!("a {kind} whose seats are null"),
            {
                let mut null = base.clone();
                null["seats"] = Value::Null;
                text(&null)
            },
            "invalid-entry",
        );
    }
    add(
        "a lock with seats of a beacon's round alone",
        {
            let mut beacon = lock.clone();
            beacon["beacon"] = json!(1);
            beacon.as_object_mut().expect("an object").remove("contributions");
            seats(&beacon, json!(["alice"]))
        },
        "lock",
    );
    add("a deal with a lock and seats", seats(opened, json!(["alice", "bob"])), "invalid-entry");
    add("64 opened", change(opened, "/opened", opens(64)), "deal");
    add("65 opened", change(opened, "/opened", opens(65)), "invalid-entry");
    add(
        "opened out of order: not the grammar's to judge",
        {
            let both = json!([opened["opened"][1], opened["opened"][0]]);
            change(opened, "/opened", both)
        },
        "deal",
    );
    add(
        "an opened seed of 257 bytes",
        change(opened, "/opened/0/seed", json!("s".repeat(257))),
        "invalid-entry",
    );
    add(
        "an opened seed with a control character",
        change(opened, "/opened/0/seed", json!("\u{80}")),
        "invalid-entry",
    );
    add(
        "an opened label of 65 bytes",
        change(opened, "/opened/0/from", json!("f".repeat(65))),
        "invalid-entry",
    );
    add(
        "an opened blind of 31 bytes",
        change(opened, "/opened/0/blind", json!("ab".repeat(31))),
        "invalid-entry",
    );
    add("an opened with an unknown member", change(opened, "/opened/0/hash", json!(key)), "invalid-entry");
    add("a beacon's signature of 96 bytes", change(opened, "/beacon", json!("8f".repeat(96))), "deal");
    add(
        "a beacon's signature of 64 bytes",
        change(opened, "/beacon", json!("8f".repeat(64))),
        "invalid-entry",
    );
    add(
        "a beacon's signature in capitals",
        change(opened, "/beacon", json!("8F".repeat(48))),
        "invalid-entry",
    );
    add(
        "a seen whose signature is of 69 bytes",
        change(lock, "/contributions/1/seen/signature", json!("A".repeat(92))),
        "invalid-entry",
    );
    add(
        "a seen that is null",
        {
            let mut null = lock.clone();
            null["contributions"][0]["seen"] = Value::Null;
            text(&null)
        },
        "invalid-entry",
    );
    add(
        "a lock whose seed is null beside its hash",
        {
            let mut null = lock.clone();
            null["contributions"][0]["seed"] = Value::Null;
            text(&null)
        },
        "invalid-entry",
    );
    add("a lock in the clear", text(&clear), "lock");
    add(
        "a deal whose lock is null",
        {
            let mut null = deal.clone();
            null["lock"] = Value::Null;
            text(&null)
        },
        "invalid-entry",
    );
    add("a deal of no cards but null", change(deal, "/result", json!({"cards": null})), "invalid-entry");
    add("a blame of 65 bytes", change(&honest.void, "/blame", json!("b".repeat(65))), "invalid-entry");
    add("an empty blame", change(&honest.void, "/blame", json!("")), "invalid-entry");
    vectors
}

/// Arrays of an object's values, which some readers accept as the object.
fn arrays(honest: &Honest) -> Vec<Value> {
    let Honest { lock, deal, opened, void, reveal, commit } = honest;
    // In the order of the members, as a reader would expect them.
    let values = |of: &Value| json!(of.as_object().expect("an object").values().collect::<Vec<_>>());
    let mut cases = Vec::new();
    for (kind, base) in
        [("commit", commit), ("lock", lock), ("deal", deal), ("void", void), ("reveal", reveal)]
    {
        cases.push((format!("a {kind} as an array"), text(&values(base))));
    }
    for (name, base, at) in [
        ("a contribution of a lock as an array", lock, "/contributions/0"),
        ("a contribution of a deal as an array", deal, "/contributions/0"),
        ("a seen as an array", lock, "/contributions/1/seen"),
        ("an opened as an array", opened, "/opened/0"),
        ("a result as an array", deal, "/result"),
    ] {
        let array = values(base.pointer(at).expect("it is there"));
        cases.push((name.to_owned(), change(base, at, array)));
    }
    let object = |base: &Value, at: &str| {
        let array = base.pointer(at).and_then(Value::as_array).expect("an array").clone();
        let members = array.into_iter().enumerate().map(|(at, value)| (at.to_string(), value));
        change(base, at, Value::Object(members.collect()))
    };
    cases.push(("contributions as an object".to_owned(), object(lock, "/contributions")));
    cases.push(("opened as an object".to_owned(), object(opened, "/opened")));
    cases.push((
        "a contribution alone, in no array".to_owned(),
        change(deal, "/contributions", deal["contributions"][0].clone()),
    ));
    cases.into_iter().map(|(name, text)| entry(&name, &text, "invalid-entry")).collect()
}

fn spellings(honest: &Honest) -> Vec<Value> {
    let void = text(&honest.void);
    let mut vectors = Vec::new();
    for (spelling, expected) in [
        ("2", "void"),
        ("2.0", "not-canonical"),
        ("2e0", "not-canonical"),
        ("2E0", "not-canonical"),
        ("20e-1", "not-canonical"),
        ("+2", "not-canonical"),
        ("2.", "not-canonical"),
        ("0x2", "not-canonical"),
        ("9007199254740991", "void"),
        ("9007199254740992", "invalid-entry"),
        ("9007199254740993", "not-canonical"),
        ("18446744073709551615", "not-canonical"),
        ("18446744073709552000", "invalid-entry"),
        ("100000000000000000000", "invalid-entry"),
        ("1e+21", "invalid-entry"),
        ("1e21", "not-canonical"),
        ("1000000000000000000000", "not-canonical"),
        ("2.5", "invalid-entry"),
        ("-1", "invalid-entry"),
        ("true", "invalid-entry"),
        ("NaN", "not-canonical"),
        ("Infinity", "not-canonical"),
    ] {
        let text = void.replacen("\"nonce\":2", &format!("\"nonce\":{spelling}"), 1);
        vectors.push(entry(&format!("a nonce that is written {spelling}"), &text, expected));
    }
    // By UTF-16 a supplementary character (D83C...) stands before U+FF21, by code points and by UTF-8 after it.
    let digest = "00".repeat(32);
    let other = |members: &str| {
        format!("{{\"commitment\":\"{digest}\",\"entry\":\"commit\",\"protocol\":\"\",\"time\":5,{members}}}")
    };
    let (card, wide) = ("\"\u{1f0a1}\":1", "\"\u{ff21}\":2");
    let ordered = [
        ("members in the order of UTF-16", other(&format!("{card},{wide}")), "other-protocol"),
        ("members in the order of UTF-8", other(&format!("{wide},{card}")), "not-canonical"),
        (
            "U+E000 after a supplementary character",
            other("\"\u{10ffff}\":1,\"\u{e000}\":2"),
            "other-protocol",
        ),
        (
            "U+E000 before a supplementary character",
            other("\"\u{e000}\":2,\"\u{10ffff}\":1"),
            "not-canonical",
        ),
        (
            "U+D7FF before a supplementary character",
            other("\"\u{d7ff}\":2,\"\u{10000}\":1"),
            "other-protocol",
        ),
        ("an empty name first", other("\"z\":1").replacen('{', "{\"\":1,", 1), "other-protocol"),
        ("a supplementary character as two escapes", other("\"\\ud83c\\udca1\":1"), "not-canonical"),
        ("a delete character as it is", other("\"z\":\"\u{7f}\""), "other-protocol"),
        ("a delete character escaped", other("\"z\":\"\\u007f\""), "not-canonical"),
        ("a control character escaped in small letters", other("\"z\":\"\\u001f\""), "other-protocol"),
        ("a control character escaped in capitals", other("\"z\":\"\\u001F\""), "not-canonical"),
        ("a newline escaped by its number", other("\"z\":\"\\u000a\""), "not-canonical"),
        ("a line separator as it is", other("\"z\":\"\u{2028}\""), "other-protocol"),
        ("a line separator escaped", other("\"z\":\"\\u2028\""), "not-canonical"),
    ];
    vectors.extend(ordered.iter().map(|(name, text, expected)| entry(name, text, expected)));
    vectors
}

fn limits(honest: &Honest) -> Vec<Value> {
    let digest = "00".repeat(32);
    let other = |z: &str| {
        format!("{{\"commitment\":\"{digest}\",\"entry\":\"commit\",\"protocol\":\"\",\"time\":5,\"z\":{z}}}")
    };
    // The object counts too.
    let arrays = |depth: usize| other(&format!("{}{}", "[".repeat(depth - 1), "]".repeat(depth - 1)));
    let objects = |depth: usize| other(&format!("{}1{}", "{\"a\":".repeat(depth - 1), "}".repeat(depth - 1)));
    let long = |length: usize| {
        let empty = other("\"\"").len();
        other(&format!("\"{}\"", "x".repeat(length - empty)))
    };
    let bare = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let reveal = text(&honest.reveal);
    let unread = format!("{reveal}{}", " ".repeat(65_536 - reveal.len()));
    vec![
        entry("arrays nested 127 deep", &arrays(127), "other-protocol"),
        entry("arrays nested 128 deep", &arrays(128), "not-canonical"),
        entry("objects nested 127 deep", &objects(127), "other-protocol"),
        entry("objects nested 128 deep", &objects(128), "not-canonical"),
        entry("nothing but 127 arrays", &bare(127), "invalid-entry"),
        entry("65,535 bytes", &long(65_535), "other-protocol"),
        entry("65,536 bytes", &long(65_536), "invalid-entry"),
        entry("65,536 bytes that are not canonical", &unread, "invalid-entry"),
    ]
}
