//! Signed contributions, layouts and lists.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fairdeal::deal::{Blind, ClientSeed, Commitment, Digest, List};
use fairdeal::record::entry::{
    Layout, LoggedContribution, Place, PlayerSigner, RoundOf, signed_message, verify_contribution,
};
use serde_json::{Value, json};

use crate::vectors::File;
use crate::vectors::judged::{ORIGIN, paper, value_of};
use crate::vectors::signatures::{Signed, cofactor_only, honest, raised, small_key};
use tools::paper::{label, nonce, seeing};

pub fn files() -> Vec<File> {
    vec![
        File {
            name: "contributions.json",
            about: "spec/ledger.md, section 8.3: what a contribution's signature is over, and whether it verifies",
            vectors: contributions(),
        },
        File {
            name: "layouts.json",
            about: "spec/ledger.md, section 8.7: who gets the item dealt at each place",
            vectors: layouts(),
        },
        File {
            name: "lists.json",
            about: "spec/shuffle.md, section 6.2, and spec/receipt.md, section 11.7: a list's file and the deck that it is",
            vectors: lists(),
        },
    ]
}

pub const COMMITMENT: [u8; 32] = [0xc0; 32];

fn round(origin: &str, nonce_value: u64) -> RoundOf<'_> {
    RoundOf { origin, commitment: Commitment::from_bytes(COMMITMENT), nonce: nonce(nonce_value) }
}

fn clear(from: &str, seed: &str) -> LoggedContribution {
    LoggedContribution::clear(label(from), ClientSeed::new(seed).expect("a seed"), None)
}

/// A hash of the same seed, for the same round.
fn hashed(one: &LoggedContribution, of: &RoundOf<'_>) -> LoggedContribution {
    let contribution = one.with_seed(one.seed.clone().expect("a seed"));
    let hash = contribution.hash(&of.commitment, of.nonce, &Blind::from_bytes([5; 32]));
    LoggedContribution::promised(one.from.clone(), hash, one.seen.clone())
}

/// A contribution with a key and signature of the maker's own choice.
fn forged(one: &LoggedContribution, signed: &Signed) -> LoggedContribution {
    let mut value = value_of(one);
    value["key"] = json!(hex::encode(signed.key));
    value["signature"] = json!(STANDARD.encode(signed.bytes()));
    serde_json::from_value(value).expect("a contribution")
}

fn contributions() -> Vec<Value> {
    let mut vectors = Vec::new();
    let mut add = |name: &str, of: &RoundOf<'_>, one: &LoggedContribution, verifies: bool| {
        assert_eq!(verify_contribution(of, one).is_ok(), verifies, "{name}");
        vectors.push(json!({ "name": name, "origin": of.origin, "commitment": of.commitment.to_text(),
            "nonce": of.nonce.value(), "contribution": value_of(one), "message": hex::encode(signed_message(of, one)),
            "verifies": verifies }));
    };
    let alice = PlayerSigner::from_seed(&[9; 32]);
    let of = round(ORIGIN, 3);
    let plain = clear("alice", "lucky");
    let signed = alice.sign(&of, plain.clone());
    add("a seed in the clear", &of, &signed, true);
    let mut log = paper();
    log.append_bytes(b"x");
    let seen = seeing("alice", "lucky", &log.seen());
    let signed_seen = alice.sign(&of, seen.clone());
    add("a seed of one who saw a checkpoint", &of, &signed_seen, true);
    let hash = hashed(&plain, &of);
    let signed_hash = alice.sign(&of, hash.clone());
    add("a hash", &of, &signed_hash, true);
    let hash_seen = alice.sign(&of, hashed(&seen, &of));
    add("a hash of one who saw a checkpoint, which only the hash names", &of, &hash_seen, true);
    let first = round(ORIGIN, 0);
    add("round 0", &first, &alice.sign(&first, plain.clone()), true);
    let last = round(ORIGIN, (1 << 53) - 1);
    add("the greatest nonce", &last, &alice.sign(&last, plain.clone()), true);
    let long_origin = "o".repeat(255);
    let long = round(&long_origin, 3);
    let longest = clear(&"f".repeat(64), &"s".repeat(256));
    add("the longest fields", &long, &alice.sign(&long, longest), true);
    let utf8 = round("k\u{e4}se.example/\u{1f0a1}", 3);
    add("UTF-8, signed as given", &utf8, &alice.sign(&utf8, clear("zo\u{eb}", "na\u{ef}ve")), true);

    add("moved to another round", &round(ORIGIN, 4), &signed, false);
    let elsewhere = RoundOf { commitment: Commitment::from_bytes([0xc1; 32]), ..of };
    add("moved to another commitment", &elsewhere, &signed, false);
    add("moved to another log", &round("cards.example/lo", 3), &signed, false);
    add("under another label", &of, &LoggedContribution { from: label("bob"), ..signed.clone() }, false);
    let seed = ClientSeed::new("luckz").ok();
    add("another seed", &of, &LoggedContribution { seed, ..signed.clone() }, false);
    let promised = LoggedContribution { hash: Some(Digest::from_bytes([1; 32])), ..signed_hash.clone() };
    add("another hash", &of, &promised, false);
    let attached = LoggedContribution { seen: seen.seen.clone(), ..signed.clone() };
    add("a checkpoint attached to it afterwards", &of, &attached, false);
    let taken = LoggedContribution { seen: None, ..signed_seen.clone() };
    add("a checkpoint taken from it", &of, &taken, false);
    let mut replaced = signed_seen.clone();
    log.append_bytes(b"y");
    replaced.seen = Some(log.seen());
    add("another checkpoint in its place", &of, &replaced, false);
    let attached = LoggedContribution { seen: seen.seen.clone(), ..signed_hash.clone() };
    add("a checkpoint attached to a hash is not signed, and the hash is what binds it", &of, &attached, true);
    let key = Some(PlayerSigner::from_seed(&[8; 32]).key());
    add("under another key", &of, &LoggedContribution { key, ..signed }, false);
    let opened = LoggedContribution { hash: None, seed: plain.seed.clone(), ..signed_hash };
    add("a hash's signature under the seed in the clear", &of, &opened, false);

    let message = signed_message(&of, &plain);
    add("by a key made with the group itself", &of, &forged(&plain, &honest(3, &message)), true);
    let over_order = raised(&honest(3, &message));
    add("the same with S raised by the group's order", &of, &forged(&plain, &over_order), false);
    let cofactor = cofactor_only(3, &message);
    add("one that verifies times the cofactor only", &of, &forged(&plain, &cofactor), false);
    add("a key of small order, which signs anything", &of, &forged(&plain, &small_key(&message)), false);
    let mut none = honest(3, &message);
    none.key = {
        let mut two = [0; 32];
        two[0] = 2;
        two
    };
    add("a key that is no point", &of, &forged(&plain, &none), false);
    vectors
}

fn layouts() -> Vec<Value> {
    let cases = [
        ("one hand, one seat", json!({"hand": 5}), 5, 1),
        ("five cards each to three, once around and again", json!({"hand": 5}), 15, 3),
        ("cards that are left over are nobody's", json!({"hand": 5}), 17, 3),
        ("one card too few for three", json!({"hand": 5}), 14, 3),
        ("hold'em for three, with burnt cards", json!({"board": [3, 1, 1], "burn": true, "hand": 2}), 14, 3),
        ("the same of the whole deck", json!({"board": [3, 1, 1], "burn": true, "hand": 2}), 52, 3),
        (
            "hold'em for as many as fit in a deck",
            json!({"board": [3, 1, 1], "burn": true, "hand": 2}),
            52,
            22,
        ),
        ("hold'em for one more", json!({"board": [3, 1, 1], "burn": true, "hand": 2}), 52, 23),
        ("hold'em for three, one card too few", json!({"board": [3, 1, 1], "burn": true, "hand": 2}), 13, 3),
        ("burn is false", json!({"board": [3, 1, 1], "burn": false, "hand": 2}), 12, 3),
        ("burn is absent, which is the same", json!({"board": [3, 1, 1], "hand": 2}), 11, 3),
        ("one card too few without burning", json!({"board": [3, 1, 1], "hand": 2}), 10, 3),
        ("one card each and a street of one", json!({"board": [1], "burn": true, "hand": 1}), 4, 2),
        ("the largest hand", json!({"hand": 64}), 64, 1),
        ("the most seats", json!({"hand": 1}), 64, 64),
        ("the most streets", json!({"board": vec![1; 64], "burn": true, "hand": 1}), 130, 2),
        ("the longest street", json!({"board": [64], "hand": 1}), 65, 1),
    ];
    let mut vectors = Vec::new();
    for (name, layout, draw, count) in cases {
        let seats: Vec<String> = (0..count).map(|seat| format!("seat {seat}")).collect();
        let mut vector = json!({ "name": name, "layout": layout, "draw": draw, "seats": seats });
        let read: Layout = serde_json::from_value(layout).expect("a layout");
        if read.most_seats(draw) < count {
            vector["error"] = json!("room");
        } else {
            let place = |t| match read.place(t, count) {
                Some(Place::Seat { seat, card }) => {
                    json!({ "seat": seats[usize::try_from(seat).expect("small")], "card": card })
                }
                Some(Place::Street(street)) => json!({ "street": street }),
                Some(Place::Burnt(burnt)) => json!({ "burnt": burnt }),
                None => Value::Null,
            };
            vector["places"] = json!((0..draw).map(place).collect::<Vec<_>>());
        }
        vectors.push(vector);
    }
    vectors
}

fn lists() -> Vec<Value> {
    let mut vectors = Vec::new();
    let mut add = |name: &str, bytes: &[u8], deck: Value, error: Option<&str>| {
        let list = List::parse(bytes);
        let found = match &list {
            Err(_) => Some("list"),
            Ok(list) if value_of(&list.deck()) != deck => Some("list-mismatch"),
            Ok(_) => None,
        };
        assert_eq!(found, error, "{name}");
        let mut vector = json!({ "name": name, "list_hex": hex::encode(bytes), "deck": deck });
        match found {
            Some(error) => vector["error"] = json!(error),
            None => vector["items"] = json!(list.expect("a list").items()),
        }
        vectors.push(vector);
    };
    let deck = |bytes: &[u8]| value_of(&List::parse(bytes).expect("a list").deck());
    let names = b"anna\nbob\ncarol\n";
    for (name, bytes) in [
        ("three names", names.as_slice()),
        ("one item", b"a\n"),
        ("one name twice is two items", b"a\na\n"),
        ("white space is part of an item", b" a \n\t\n"),
        ("UTF-8, as it is", "zo\u{eb}\nzoe\u{308}\n\u{2028}\n\u{85}\n".as_bytes()),
        ("a byte order mark further on", "a\u{feff}\n".as_bytes()),
        ("control characters but CR", b"a\x00b\x7f\n\x0b\x0c\n"),
    ] {
        add(name, bytes, deck(bytes), None);
    }
    let known = deck(names);
    for (name, bytes) in [
        ("nothing", b"".as_slice()),
        ("an empty line alone", b"\n"),
        ("no line feed after the last", b"anna\nbob\ncarol"),
        ("an empty line at the end", b"anna\nbob\ncarol\n\n"),
        ("an empty line within", b"anna\n\nbob\ncarol\n"),
        ("an empty line at the start", b"\nanna\nbob\ncarol\n"),
        ("carriage returns", b"anna\r\nbob\r\ncarol\r\n"),
        ("a carriage return within an item", b"an\rna\nbob\ncarol\n"),
        ("a byte order mark", b"\xef\xbb\xbfanna\nbob\ncarol\n"),
        ("not UTF-8", b"anna\nb\xffb\ncarol\n"),
        ("half a character at the end", b"anna\nbob\ncarol\xc3\n"),
        ("an encoded surrogate", b"anna\nbob\ncar\xed\xa0\x80ol\n"),
    ] {
        add(name, bytes, known.clone(), Some("list"));
    }
    let mut more = known.clone();
    more["count"] = json!(4);
    let mut other = known.clone();
    other["sha256"] = json!("ab".repeat(32));
    add("another order", b"bob\nanna\ncarol\n", known.clone(), Some("list-mismatch"));
    add("a name more", b"anna\nbob\ncarol\ndave\n", known, Some("list-mismatch"));
    add("another count than the commit says", names, more, Some("list-mismatch"));
    add("another digest than the commit says", names, other, Some("list-mismatch"));
    vectors
}
