//! Receipts with results that no seeds give, with deals from a beacon, and with entries and files
//! at a limit.

mod beacons;

use fairdeal::deal::{Deck, DeckName, Digest, Method};
use fairdeal::log::Note;
use fairdeal::record::entry::{Commit, Entry};
use serde_json::{Value, json};

use crate::vectors::judged::{Cases, changed, paper, put, value_of};
use crate::vectors::verdicts::CLIENTS;
use tools::paper::{PaperLog, counting_seed, int, logged_clients};

pub fn receipts() -> Vec<Value> {
    let mut cases = Cases::new();
    impossible(&mut cases);
    forms(&mut cases);
    beacons::judged(&mut cases);
    limits(&mut cases);
    shapes(&mut cases);
    cases.vectors
}

const MISMATCH: &[&str] = &["result-mismatch"];

/// A deal with a result that the operator made up.
fn with_result(log: &mut PaperLog, change: impl FnOnce(&mut Commit), result: &Value) -> (u64, u64) {
    let seed = counting_seed(0);
    let (c, commit) = log.commit(&seed, change);
    let deal = log.deal_entry(&commit, &seed.mac(), 0, CLIENTS);
    let mut deal = value_of(&deal);
    deal["result"] = result.clone();
    (c, put(log, &deal))
}

fn list(count: u64, draw: u64, method: Method) -> impl Fn(&mut Commit) {
    move |commit| {
        commit.deck = Deck::list(count, Digest::from_bytes([9; 32])).expect("legal");
        commit.draw = int(draw);
        commit.method = method;
    }
}

fn named(deck: DeckName, draw: u64, method: Method) -> impl Fn(&mut Commit) {
    move |commit| {
        commit.deck = Deck::Named(deck);
        commit.draw = int(draw);
        commit.method = method;
    }
}

fn impossible(cases: &mut Cases) {
    let (shuffle, cycle) = (Method::Shuffle, Method::Cycle);
    let shifted = |deck: DeckName, by: u32| {
        let order: Vec<u32> = (0..deck.items()).map(|at| (at + by) % deck.items()).collect();
        json!({ "cards": Deck::Named(deck).text_of(&order).expect("cards") })
    };
    let cards = |text: &str| json!({ "cards": text });
    let indices = |of: &[u32]| json!({ "indices": of });
    // The seeds are unknown before the reveal: until then a possible result holds.
    let short = DeckName::Short36;
    let decks: Vec<(&str, DeckName, u64, Method, Value, bool)> = vec![
        (
            "a possible result, whatever the seeds",
            DeckName::Standard52,
            5,
            shuffle,
            cards("2c3c4c5c6c"),
            true,
        ),
        ("a card twice", DeckName::Standard52, 5, shuffle, cards("2c3c4c5c2c"), false),
        (
            "a joker from a deck without",
            DeckName::Standard52,
            5,
            shuffle,
            cards("2cX14c5c6c"),
            false,
        ),
        ("both jokers", DeckName::Jokers54, 5, shuffle, cards("X2X14c5c6c"), true),
        ("one joker twice", DeckName::Jokers54, 5, shuffle, cards("X1X14c5c6c"), false),
        ("a five from a deck without", short, 5, shuffle, cards("5c7c8c9c6c"), false),
        (
            "a card twice from two decks",
            DeckName::Standard52x2,
            5,
            shuffle,
            cards("2c2c4c4c6c"),
            true,
        ),
        (
            "a card three times from two decks",
            DeckName::Standard52x2,
            5,
            shuffle,
            cards("2c2c4c4c2c"),
            false,
        ),
        (
            "a card eight times from eight decks",
            DeckName::Standard52x8,
            8,
            shuffle,
            cards(&"As".repeat(8)),
            true,
        ),
        (
            "a card nine times from eight decks",
            DeckName::Standard52x8,
            9,
            shuffle,
            cards(&"As".repeat(9)),
            false,
        ),
        ("a card too many", DeckName::Standard52, 5, shuffle, cards("2c3c4c5c6c7c"), false),
        ("all cards move on by one: a cycle", short, 36, cycle, shifted(short, 1), true),
        ("all cards move on by two: two cycles", short, 36, cycle, shifted(short, 2), false),
        ("nobody moves: no cycle", short, 36, cycle, shifted(short, 0), false),
        ("nobody moves in a shuffle", short, 36, shuffle, shifted(short, 0), true),
        (
            "two decks move on by one: a cycle",
            DeckName::Standard52x2,
            104,
            cycle,
            shifted(DeckName::Standard52x2, 1),
            true,
        ),
        (
            "two decks, a copy for a copy",
            DeckName::Standard52x2,
            104,
            cycle,
            shifted(DeckName::Standard52x2, 52),
            false,
        ),
        (
            "two decks, by two: the kinds fall apart",
            DeckName::Standard52x2,
            104,
            cycle,
            shifted(DeckName::Standard52x2, 2),
            false,
        ),
    ];
    for (name, deck, draw, method, result, is_possible) in decks {
        cases.log(name, if is_possible { &[] } else { MISMATCH }, |log| {
            let (c, d) = with_result(log, named(deck, draw, method), &result);
            vec![c, d]
        });
    }
    let lists: Vec<(&str, u64, u64, Method, Value, bool)> = vec![
        ("the last item of a list", 10, 3, shuffle, indices(&[9, 0, 1]), true),
        ("an item past the end of a list", 10, 3, shuffle, indices(&[10, 0, 1]), false),
        ("an item of a list twice", 10, 3, shuffle, indices(&[9, 0, 9]), false),
        ("an item of a list too few", 10, 3, shuffle, indices(&[9, 0]), false),
        ("a whole list as it stands", 4, 4, shuffle, indices(&[0, 1, 2, 3]), true),
        ("a cycle of a list", 4, 4, cycle, indices(&[1, 2, 3, 0]), true),
        ("the same cycle, read the other way", 4, 4, cycle, indices(&[3, 0, 1, 2]), true),
        ("a cycle of a list that falls apart", 4, 4, cycle, indices(&[1, 0, 3, 2]), false),
        ("one of a list keeps their own", 4, 4, cycle, indices(&[1, 2, 0, 3]), false),
        ("two exchange", 2, 2, cycle, indices(&[1, 0]), true),
        ("two keep their own", 2, 2, cycle, indices(&[0, 1]), false),
    ];
    for (name, count, draw, method, result, is_possible) in lists {
        cases.log(name, if is_possible { &[] } else { MISMATCH }, |log| {
            let (c, d) = with_result(log, list(count, draw, method), &result);
            vec![c, d]
        });
    }
    cases.log("an impossible result is found once, the seed out or not", MISMATCH, |log| {
        let (c, d) = with_result(log, named(DeckName::Standard52, 2, shuffle), &cards("2c2c"));
        vec![c, d, log.reveal(&counting_seed(0))]
    });
    cases.log("a possible result is found once the seed is out", MISMATCH, |log| {
        let (c, d) = with_result(log, named(DeckName::Standard52, 2, shuffle), &cards("2c3c"));
        vec![c, d, log.reveal(&counting_seed(0))]
    });
    cases.log(
        "what was mixed is open, and the result impossible",
        &["lock-mismatch", "result-mismatch"],
        |log| {
            let seed = counting_seed(0);
            let (c, commit) = log.commit(&seed, |c| c.draw = int(2));
            let l = log.lock(commit.commitment, 0, logged_clients(CLIENTS));
            let mut deal = value_of(&log.deal_entry(&commit, &seed.mac(), 0, CLIENTS));
            deal["result"] = cards("AsAs");
            vec![c, l, put(log, &deal), log.reveal(&seed)]
        },
    );
    cases.log(
        "what was mixed is open, and the result possible: not judged",
        &["lock-mismatch"],
        |log| {
            let seed = counting_seed(0);
            let (c, commit) = log.commit(&seed, |c| c.draw = int(2));
            let l = log.lock(commit.commitment, 0, logged_clients(CLIENTS));
            let mut deal = value_of(&log.deal_entry(&commit, &seed.mac(), 0, CLIENTS));
            deal["result"] = cards("AsKs");
            vec![c, l, put(log, &deal), log.reveal(&seed)]
        },
    );
}

fn forms(cases: &mut Cases) {
    let seed = counting_seed(0);
    for (name, draw, codes) in [
        ("a draw of exactly 1,000, written out", 1000, &[][..]),
        ("a draw of 1,001, as a digest", 1001, &[]),
    ] {
        cases.log(name, codes, |log| {
            let (c, commit) = log.commit(&seed, list(1001, draw, Method::Shuffle));
            let d = log.deal(&commit, &seed.mac(), 0, CLIENTS);
            vec![c, d, log.reveal(&seed)]
        });
    }
    let digest = json!({ "digest": "ab".repeat(32) });
    let many: Vec<u32> = (0..1001).collect();
    let cases_of: Vec<(&str, u64, Value)> = vec![
        ("a draw of exactly 1,000, as a digest", 1000, digest.clone()),
        ("a draw of 1,001, written out", 1001, json!({ "indices": many })),
        ("a draw of 1,000, with an item more", 1000, json!({ "indices": many })),
        ("cards from a list", 1, json!({ "cards": "As" })),
    ];
    for (name, draw, result) in cases_of {
        cases.log(name, MISMATCH, |log| {
            let (c, d) = with_result(log, list(1001, draw, Method::Shuffle), &result);
            vec![c, d, log.reveal(&seed)]
        });
    }
    for (name, result) in [
        ("indices from a named deck", json!({ "indices": [0] })),
        ("a digest from a named deck", digest.clone()),
    ] {
        cases.log(name, MISMATCH, |log| {
            let (c, d) = with_result(log, named(DeckName::Standard52, 1, Method::Shuffle), &result);
            vec![c, d]
        });
    }
    cases.log("cards of a sealed deal in the open", MISMATCH, |log| {
        let (c, d) = with_result(
            log,
            |commit| {
                commit.sealed = true;
                commit.draw = int(1);
            },
            &json!({ "cards": "As" }),
        );
        vec![c, d]
    });
    cases.log("a digest that is another", MISMATCH, |log| {
        let (c, d) = with_result(log, list(1001, 1001, Method::Shuffle), &digest);
        vec![c, d, log.reveal(&seed)]
    });
    cases.log("a digest that is another, before the reveal", &[], |log| {
        let (c, d) = with_result(log, list(1001, 1001, Method::Shuffle), &digest);
        vec![c, d]
    });
}

fn limits(cases: &mut Cases) {
    let digest = "ab".repeat(32);
    let other =
        json!({ "commitment": digest, "entry": "commit", "protocol": "fairdeal/v2", "time": 1 });
    let padded = |length: usize| {
        let mut entry = json!({ "commitment": digest, "entry": "spin", "text": "", "time": 1 });
        entry["text"] = json!("x".repeat(length - entry.to_string().len()));
        assert_eq!(entry.to_string().len(), length);
        entry
    };
    for (name, length, codes) in [
        ("65,535 bytes under another protocol are passed over", 65_535, &[][..]),
        ("65,536 bytes are no entry, under another protocol neither", 65_536, &["invalid-entry"]),
    ] {
        cases.log(name, codes, |log| vec![put(log, &other), put(log, &padded(length))]);
    }
    cases.log(
        "65,536 bytes that are not canonical are too long first",
        &["invalid-entry"],
        |log| {
            let (c, _) = log.commit(&counting_seed(0), |_| {});
            vec![c, log.append_bytes(&[b' '; 65_536])]
        },
    );
    cases.log("a deal whose nonce is the last", &[], |log| {
        let seed = counting_seed(0);
        let (c, commit) = log.commit(&seed, |c| c.rounds = int(3));
        vec![c, log.deal(&commit, &seed.mac(), 2, CLIENTS)]
    });
    cases.log("a reveal at the very end of its time", &[], |log| {
        let seed = counting_seed(0);
        let (c, commit) = log.commit(&seed, |_| {});
        log.time = commit.reveal_by.value() - 1000;
        vec![c, log.reveal(&seed)]
    });
    cases.log("a reveal a millisecond later", &["late-reveal"], |log| {
        let seed = counting_seed(0);
        let (c, commit) = log.commit(&seed, |_| {});
        log.time = commit.reveal_by.value() - 999;
        vec![c, log.reveal(&seed)]
    });
}

fn shapes(cases: &mut Cases) {
    let mut log = paper();
    let seed = counting_seed(0);
    let (c, commit) = log.commit(&seed, |_| {});
    let entries = [c, log.deal(&commit, &seed.mac(), 0, CLIENTS), log.reveal(&seed)];
    let receipt = log.receipt(&entries);
    let invalid: &[&str] = &["invalid-receipt"];
    let file = serde_json::to_value(&receipt).expect("JSON");
    let whole = json!([file["format"], file["entries"], file["checkpoint"]]);
    cases.file("a receipt as an array", &whole.to_string(), invalid);
    let shown = changed(&receipt, |f| {
        let one = f["entries"][0].clone();
        f["entries"][0] = json!([one["index"], one["entry"], one["proof"]]);
    });
    cases.file("an entry shown as an array", &shown, invalid);
    let object = changed(&receipt, |f| f["entries"] = json!({ "0": f["entries"][0] }));
    cases.file("the entries as an object", &object, invalid);
    let inner = changed(&receipt, |f| {
        let entry: Value =
            serde_json::from_str(f["entries"][0]["entry"].as_str().expect("text")).expect("JSON");
        f["entries"][0]["entry"] = entry;
    });
    cases.file("an entry as an object and not as its text", &inner, invalid);
    let text = receipt.to_text();
    for (name, to) in
        [("1.0", "1.0"), ("1e0", "1e0"), ("10e-1", "10e-1"), ("1E+0", "1E+0"), ("-0", "-0")]
    {
        let from = if name == "-0" { "\"index\": 0" } else { "\"index\": 1" };
        let file = text.replacen(from, &format!("\"index\": {to}"), 1);
        cases.file(&format!("an index that is written {name}"), &file, invalid);
    }
    let long = text.replacen("\"index\": 1", "\"index\": 9007199254740992", 1);
    cases.file("an index of 2^53", &long, invalid);
    let deep = |depth: usize| {
        changed(&receipt, |f| {
            let mut nested = json!([]);
            for _ in 2..depth {
                nested = json!([nested]);
            }
            f["x"] = nested;
        })
    };
    cases.file("nested 127 deep in an unknown member", &deep(127), invalid);
    cases.file("nested 128 deep in an unknown member", &deep(128), &["unreadable"]);
    let nowhere = text.replacen("\"proof\"", "\"x\": [{\"a\": 1, \"a\": 2}], \"proof\"", 1);
    cases.file("a member twice within an unknown member", &nowhere, &["unreadable"]);
    let escaped = text.replacen('{', "{\"for\\u006dat\": \"x\",", 1);
    cases.file("a member twice, once escaped", &escaped, &["unreadable"]);

    let bad: &[&str] = &["bad-signature"];
    let note = Note::sign(&format!("{}extension\n", log.checkpoint_text()), &[&log.signer])
        .expect("legal");
    let extended = changed(&receipt, |f| f["checkpoint"] = json!(note.to_text()));
    cases.file("a checkpoint with an extension line", &extended, bad);
    let other_id = changed(&receipt, |f| {
        let signed = Note::sign(&log.checkpoint_text(), &[&log.signer]).expect("legal");
        let mut id = log.key().id().to_bytes();
        id[0] ^= 1;
        let line = &signed.signatures()[0];
        let id = fairdeal::log::KeyId::from_bytes(id);
        let line = fairdeal::log::Signature::new(line.name().clone(), id, line.bytes().to_vec())
            .expect("legal");
        f["checkpoint"] =
            json!(Note::new(&log.checkpoint_text(), vec![line]).expect("legal").to_text());
    });
    cases.file("a checkpoint signed under the key's name with another ID", &other_id, bad);
    hidden(cases);
    let no_checkpoint = changed(&receipt, |f| {
        let signed = Note::sign("a text\n", &[&log.signer]).expect("legal");
        f["checkpoint"] = json!(signed.to_text());
        f["entries"][2]["index"] = json!(1_000_000);
    });
    cases.file(
        "a signed note that is no checkpoint: no index is over its size",
        &no_checkpoint,
        bad,
    );
    cases.log("a commit and another log's: it is no receipt", &["invalid-receipt"], |log| {
        let (c, _) = log.commit(&seed, |_| {});
        let other =
            json!({ "commitment": "ab".repeat(32), "entry": "commit", "protocol": "x", "time": 1 });
        vec![c, put(log, &other)]
    });
    cases.log("a second commit of the same commitment", &["duplicate-commitment"], |log| {
        let (c, _) = log.commit(&seed, |_| {});
        let (again, _) = log.commit(&seed, |_| {});
        vec![c, again]
    });
    cases.log(
        "a second commit of a commitment that is not judged",
        &["duplicate-commitment"],
        |log| {
            let of = seed.commitment().to_text();
            let other = put(
                log,
                &json!({ "commitment": of, "entry": "commit", "protocol": "x", "time": 1 }),
            );
            let (again, _) = log.commit(&seed, |_| {});
            vec![other, again]
        },
    );
    cases.log("a commit that is not grammatical, of a commitment that is not judged", &[], |log| {
        let of = seed.commitment().to_text();
        let other =
            put(log, &json!({ "commitment": of, "entry": "commit", "protocol": "x", "time": 1 }));
        let half = put(
            log,
            &json!({ "commitment": of, "entry": "commit", "protocol": "fairdeal/v1", "time": 1 }),
        );
        vec![other, half]
    });
    cases.log("rounds of another protocol are not looked at", &[], |log| {
        let of = seed.commitment().to_text();
        let other =
            put(log, &json!({ "commitment": of, "entry": "commit", "protocol": "x", "time": 1 }));
        let mut scratch = paper();
        let (_, commit) = scratch.commit(&seed, |_| {});
        let deals = [0, 1].map(|n| {
            log.append(&Entry::Deal(Box::new(scratch.deal_entry(&commit, &seed.mac(), n, CLIENTS))))
        });
        vec![other, deals[0], deals[1]]
    });
}

/// A broken rule under a checkpoint that does not verify: who signed the entries?
fn hidden(cases: &mut Cases) {
    let (mut log, seed) = (paper(), counting_seed(0));
    let (c, commit) = log.commit(&seed, |_| {});
    let r = log.reveal(&seed);
    let d = log.deal(&commit, &seed.mac(), 0, CLIENTS);
    let receipt = log.receipt(&[c, r, d]);
    let text = log.checkpoint_text();
    let broken = |note: &Note| changed(&receipt, |f| f["checkpoint"] = json!(note.to_text()));
    let found: &[&str] = &["bad-signature", "after-reveal"];
    let extended = Note::sign(&format!("{text}extension\n"), &[&log.signer]).expect("legal");
    cases.file(
        "a broken rule under a checkpoint with an extension line",
        &broken(&extended),
        found,
    );
    let own = Note::sign(&text, &[&log.signer]).expect("legal").signatures()[0].clone();
    let mut bytes = own.bytes().to_vec();
    bytes[0] ^= 1;
    let wrong = fairdeal::log::Signature::new(own.name().clone(), own.id(), bytes).expect("legal");
    let both = Note::new(&text, vec![wrong.clone(), own]).expect("legal");
    cases.file(
        "a broken rule under a checkpoint with one more signature, which does not verify",
        &broken(&both),
        found,
    );
    let alone = Note::new(&text, vec![wrong]).expect("legal");
    cases.file("a broken rule under a signature that does not verify", &broken(&alone), found);
    let stripped = changed(&receipt, |f| {
        f["checkpoint"] = json!(extended.to_text());
        f["entries"][0]["proof"] = json!([]);
    });
    cases.file(
        "a broken rule under a checkpoint with an extension line, and an entry that is not in its tree",
        &stripped,
        &["bad-signature", "tree-mismatch", "after-reveal"],
    );
}
