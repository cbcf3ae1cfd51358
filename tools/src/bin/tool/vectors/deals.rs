//! Derivation, sampling, shuffles and seals.

use fairdeal::deal::{
    Choices, Commitment, Contribution, Contributions, Deck, DeckName, DrandRandomness, Method, Nonce, Plan,
    SealKey, Seen, ServerSeed, below, digest_of_items, message,
};
use serde_json::{Value, json};

use crate::vectors::File;
use tools::paper::{counting_seed, nonce};

pub fn files() -> Vec<File> {
    vec![
        File {
            name: "derivation.json",
            about: "spec/shuffle.md, derivation: message, key and seal key of a round",
            vectors: derivation(),
        },
        File {
            name: "below.json",
            about: "spec/shuffle.md, below: which words settle which value of `ways`",
            vectors: sampling(),
        },
        File {
            name: "shuffles.json",
            about: "spec/shuffle.md, methods and decks: whole deals",
            vectors: shuffles(),
        },
        File { name: "seals.json", about: "spec/shuffle.md, sealed deals", vectors: seals() },
    ]
}

/// The inputs of a round.
struct Inputs {
    seed: ServerSeed,
    nonce: u64,
    clients: Vec<Contribution>,
    drand: Option<[u8; 32]>,
}

fn client(from: &str, seed: &str) -> Contribution {
    Contribution::new(from, seed).expect("legal")
}

fn clients(pairs: &[(&str, &str)]) -> Vec<Contribution> {
    pairs.iter().map(|(from, seed)| client(from, seed)).collect()
}

fn inputs(first: u8, nonce: u64, pairs: &[(&str, &str)]) -> Inputs {
    Inputs { seed: counting_seed(first), nonce, clients: clients(pairs), drand: None }
}

impl Inputs {
    fn contributions(&self) -> Contributions {
        match self.drand {
            None => Contributions::of_clients(self.clients.clone()).expect("legal"),
            Some(drand) => {
                Contributions::with_drand(self.clients.clone(), DrandRandomness::from_bytes(drand))
                    .expect("legal")
            }
        }
    }

    fn nonce(&self) -> Nonce {
        nonce(self.nonce)
    }

    fn json(&self, name: &str) -> Value {
        let contribution = |one: &Contribution| {
            let mut out = json!({ "from": one.from.as_str(), "seed": one.seed.as_str() });
            if let Some(seen) = &one.seen {
                out["seen"] = json!({ "size": seen.size, "root": hex::encode(seen.root) });
            }
            out
        };
        let mut out = json!({
            "name": name,
            "server_seed": self.seed.reveal().as_str(),
            "nonce": self.nonce,
            "contributions": self.clients.iter().map(contribution).collect::<Vec<_>>(),
        });
        if let Some(drand) = self.drand {
            out["drand"] = json!(hex::encode(drand));
        }
        out
    }
}

fn with(mut base: Value, more: &Value) -> Value {
    let (Value::Object(base_members), Value::Object(more)) = (&mut base, more) else {
        unreachable!("objects")
    };
    base_members.extend(more.clone());
    base
}

fn derivation() -> Vec<Value> {
    let many: Vec<(String, String)> =
        (0..64).map(|i| (format!("p{i:02}"), format!("seed {}", 63 - i))).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(f, s)| (f.as_str(), s.as_str())).collect();
    let (long_from, long_seed) = ("f".repeat(64), "s".repeat(256));
    let mut seen = inputs(0, 7, &[("alice", "lucky"), ("bob", "lucky")]);
    seen.clients[1].seen = Some(Seen { size: 70_000, root: [0xab; 32] });
    let mut drand = inputs(0, 8, &[("alice", "lucky")]);
    drand.drand = Some([0xcd; 32]);
    let mut drand_alone = inputs(0, 9, &[]);
    drand_alone.drand = Some([0xcd; 32]);
    let good = [
        ("the example", inputs(0, 0, &[("alice", "lucky")])),
        ("the greatest nonce", inputs(0, Nonce::MAX, &[("alice", "lucky")])),
        ("another label, the same message", inputs(0, 0, &[("zoe", "lucky")])),
        ("order does not count", inputs(1, 1, &[("a", "zz"), ("b", "y"), ("c", "x")])),
        ("order does not count, the other way round", inputs(1, 1, &[("c", "zz"), ("b", "x"), ("a", "y")])),
        (
            "a shorter seed sorts first: its length is encoded before it",
            inputs(1, 2, &[("a", "zzz"), ("b", "aaaa")]),
        ),
        ("two of the same seed", inputs(1, 3, &[("a", "same"), ("b", "same")])),
        (
            "UTF-8, hashed as given: composed and decomposed differ",
            inputs(2, 0, &[("zo\u{eb}", "na\u{ef}ve \u{1f0a1}"), ("zoe\u{308}", "nai\u{308}ve")]),
        ),
        ("white space at both ends stays", inputs(2, 1, &[(" a ", " b ")])),
        ("the longest fields", inputs(2, 2, &[(&long_from, &long_seed)])),
        ("64 contributions", inputs(2, 3, &many)),
        ("one who saw a checkpoint", seen),
        ("one client and a drand round", drand),
        ("a drand round alone", drand_alone),
    ];
    let mut vectors: Vec<Value> = good
        .iter()
        .map(|(name, input)| {
            let mac = input.seed.mac();
            let made = json!({
                "commitment": input.seed.commitment().to_text(),
                "message": hex::encode(message(input.nonce(), &input.contributions())),
                "key": mac.deal_key(input.nonce(), &input.contributions()).reveal(),
                "seal_key": SealKey::derive(&mac, input.nonce(), &input.contributions()).reveal(),
            });
            with(input.json(name), &made)
        })
        .collect();
    let base = inputs(0, 0, &[("alice", "lucky")]).json("");
    let sixty_five: Vec<Value> = (0..65).map(|i| json!({"from": format!("p{i}"), "seed": "s"})).collect();
    let seed = counting_seed(0).reveal().to_string();
    for (name, field, value, error) in [
        ("a server seed of 31 bytes", "server_seed", json!(seed[2..]), "server-seed"),
        ("a server seed of 33 bytes", "server_seed", json!(format!("{seed}00")), "server-seed"),
        ("a server seed in capitals", "server_seed", json!(seed.to_uppercase()), "server-seed"),
        ("an empty server seed", "server_seed", json!(""), "server-seed"),
        ("a nonce past 2^53-1", "nonce", json!(1_u64 << 53), "nonce"),
        ("no contributions", "contributions", json!([]), "contributions"),
        ("65 contributions", "contributions", json!(sixty_five), "contributions"),
        ("an empty label", "contributions", json!([{"from": "", "seed": "s"}]), "from"),
        ("a label of 65 bytes", "contributions", json!([{"from": "f".repeat(65), "seed": "s"}]), "from"),
        (
            "a label of 33 characters and 66 bytes",
            "contributions",
            json!([{"from": "\u{e9}".repeat(33), "seed": "s"}]),
            "from",
        ),
        (
            "a control character in a label",
            "contributions",
            json!([{"from": "a\u{9f}", "seed": "s"}]),
            "from",
        ),
        ("an empty seed", "contributions", json!([{"from": "a", "seed": ""}]), "seed"),
        ("a seed of 257 bytes", "contributions", json!([{"from": "a", "seed": "s".repeat(257)}]), "seed"),
        ("a line feed in a seed", "contributions", json!([{"from": "a", "seed": "s\n"}]), "seed"),
        ("a delete character in a seed", "contributions", json!([{"from": "a", "seed": "\u{7f}"}]), "seed"),
        (
            "one label twice",
            "contributions",
            json!([{"from": "a", "seed": "1"}, {"from": "b", "seed": "2"}, {"from": "a", "seed": "3"}]),
            "duplicate-from",
        ),
    ] {
        let mut vector = base.clone();
        vector["name"] = json!(name);
        vector[field] = value;
        vector["error"] = json!(error);
        vectors.push(vector);
    }
    vectors
}

fn sampling() -> Vec<Value> {
    let ways = |n| Choices::new(n).expect("1 to 2^20");
    // For each value, the first word that could give it: its low product is the smallest for that value. Among
    // them are the words at the limit: the least low product that is accepted, and the greatest that is rejected.
    let edge = |n: u32, keep: bool| {
        let excess = (1_u64 << 32) % u64::from(n);
        let first = |value: u32| (u64::from(value) << 32).div_ceil(u64::from(n));
        let words = (0..n).map(first).map(|word| (word * u64::from(n) % (1 << 32), word));
        let found = if keep {
            words.filter(|(low, _)| *low >= excess).min()
        } else {
            words.filter(|(low, _)| *low < excess).max()
        };
        u32::try_from(found.expect("there is one").1).expect("a word")
    };
    let mut cases: Vec<(String, u32, Vec<u32>)> = vec![
        ("one way takes no word".into(), 1, vec![5, 6]),
        ("two ways, the least word".into(), 2, vec![0]),
        ("two ways, the greatest word".into(), 2, vec![u32::MAX]),
        ("two ways, the last word of the first half".into(), 2, vec![(1 << 31) - 1]),
        ("three ways, one rejected".into(), 3, vec![0, u32::MAX]),
        ("three ways, the first word that is kept".into(), 3, vec![1]),
        ("52 ways".into(), 52, vec![0x1234_5678]),
        ("2^20 ways, nothing is ever rejected".into(), 1 << 20, vec![0]),
        ("2^20 ways, the greatest word".into(), 1 << 20, vec![u32::MAX]),
        ("2^20 - 1 ways, many rejected".into(), (1 << 20) - 1, vec![0, 0, 0, 0, 0, 0, 0, 0, 0xdead_beef]),
    ];
    for n in [3, 5, 6, 7, 52, 51, 416, 1_000_003 >> 1, (1 << 20) - 1] {
        cases.push((format!("{n} ways, exactly on the edge"), n, vec![edge(n, true)]));
        cases.push((format!("{n} ways, just under the edge"), n, vec![edge(n, false), 0xffff_0000]));
    }
    let mut vectors: Vec<Value> = cases
        .into_iter()
        .map(|(name, n, words)| {
            let mut drawn = 0;
            let value = below(ways(n), || {
                drawn += 1;
                words[drawn - 1]
            });
            json!({ "name": name, "ways": n, "words": words, "value": value, "drawn": drawn })
        })
        .collect();
    for (name, n) in [("no ways", 0_u32), ("2^20 + 1 ways", (1 << 20) + 1)] {
        assert!(Choices::new(n).is_err());
        vectors.push(json!({ "name": name, "ways": n, "words": [1], "error": "ways" }));
    }
    vectors
}

/// The first round under the counting seed in which a 52-card shuffle rejects a word: one in 7.2 million. So it is
/// checked by dealing it, and not searched for again.
const FIRST_REJECTING: u64 = 2_925_786;

fn shuffles() -> Vec<Value> {
    let alice: &[(&str, &str)] = &[("alice", "lucky")];
    let named = |name| Deck::Named(name);
    let mut vectors = Vec::new();
    let mut decks = vec![
        ("the example: 52 cards".to_owned(), 0, Deck::standard(), 52, Method::Shuffle),
        ("its first five cards".to_owned(), 0, Deck::standard(), 5, Method::Shuffle),
        ("its first card".to_owned(), 0, Deck::standard(), 1, Method::Shuffle),
        ("a round that rejects a word".to_owned(), FIRST_REJECTING, Deck::standard(), 52, Method::Shuffle),
        ("a cycle of 52 cards".to_owned(), 0, Deck::standard(), 52, Method::Cycle),
        ("a cycle of 36 cards".to_owned(), 1, named(DeckName::Short36), 36, Method::Cycle),
    ];
    for name in DeckName::ALL {
        decks.push((format!("all of {}", name.as_str()), 2, named(name), name.items(), Method::Shuffle));
        decks.push((format!("ten cards of {}", name.as_str()), 2, named(name), 10, Method::Shuffle));
    }
    for (name, n, deck, draw, method) in decks {
        let input = inputs(0, n, alice);
        let dealt = Plan::new(method, deck.items(), draw).expect("legal").deal(
            &input.seed.mac(),
            input.nonce(),
            &input.contributions(),
        );
        assert_eq!(dealt.rejected > 0, n == FIRST_REJECTING, "{name}");
        let Deck::Named(deck_name) = deck else { unreachable!("all of them are named") };
        let made = json!({
            "method": method.as_str(), "deck": deck_name.as_str(), "draw": draw, "indices": dealt.items, "words": dealt.words,
            "rejected": dealt.rejected, "cards": deck.text_of(&dealt.items).expect("its own cards"),
        });
        vectors.push(with(input.json(&name), &made));
    }
    for (name, items, draw, method) in [
        ("one item takes no word", 1, 1, Method::Shuffle),
        ("two items", 2, 2, Method::Shuffle),
        ("three items", 3, 3, Method::Shuffle),
        ("one of three items", 3, 1, Method::Shuffle),
        ("a cycle of two", 2, 2, Method::Cycle),
        ("a cycle of three", 3, 3, Method::Cycle),
        ("1,000 items, written out", 1000, 1000, Method::Shuffle),
        ("1,001 items, as a digest", 1001, 1001, Method::Shuffle),
        ("a draw of 1,000 from 2^20", 1 << 20, 1000, Method::Shuffle),
        ("2^20 items", 1 << 20, 1 << 20, Method::Shuffle),
        ("a cycle of 2^20", 1 << 20, 1 << 20, Method::Cycle),
    ] {
        let input = inputs(3, 11, &[("alice", "lucky"), ("bob", "seven")]);
        let dealt = Plan::new(method, items, draw).expect("legal").deal(
            &input.seed.mac(),
            input.nonce(),
            &input.contributions(),
        );
        let mut made = json!({ "method": method.as_str(), "items": items, "draw": draw, "words": dealt.words, "rejected": dealt.rejected });
        if draw <= 1000 {
            made["indices"] = json!(dealt.items);
        } else {
            made["digest"] = json!(digest_of_items(&dealt.items).to_text());
        }
        vectors.push(with(input.json(name), &made));
    }
    let base = inputs(0, 0, alice);
    for (name, more) in [
        ("no items", json!({"method": "shuffle", "items": 0, "draw": 0, "error": "items"})),
        ("2^20 + 1 items", json!({"method": "shuffle", "items": (1 << 20) + 1, "draw": 1, "error": "items"})),
        ("a draw of none", json!({"method": "shuffle", "items": 52, "draw": 0, "error": "draw"})),
        (
            "a draw of more than there is",
            json!({"method": "shuffle", "items": 52, "draw": 53, "error": "draw"}),
        ),
        ("a cycle of one", json!({"method": "cycle", "items": 1, "draw": 1, "error": "items"})),
        ("half a cycle", json!({"method": "cycle", "items": 10, "draw": 5, "error": "draw"})),
        (
            "a deck that does not exist",
            json!({"method": "shuffle", "deck": "standard-53", "draw": 1, "error": "deck"}),
        ),
        (
            "a deck's name in capitals",
            json!({"method": "shuffle", "deck": "Standard-52", "draw": 1, "error": "deck"}),
        ),
    ] {
        vectors.push(with(base.json(name), &more));
    }
    vectors
}

fn seals() -> Vec<Value> {
    let mut vectors = Vec::new();
    for (name, n, deck, draw, method) in [
        ("the example, sealed", 0, Deck::standard(), 52, Method::Shuffle),
        ("five cards, sealed", 5, Deck::standard(), 5, Method::Shuffle),
        ("a sealed cycle", 6, Deck::Named(DeckName::Short36), 36, Method::Cycle),
        ("eight decks, sealed", 7, Deck::Named(DeckName::Standard52x8), 416, Method::Shuffle),
    ] {
        let input = inputs(0, n, &[("alice", "lucky")]);
        let mac = input.seed.mac();
        let commitment: Commitment = input.seed.commitment();
        let contributions = input.contributions();
        let dealt =
            Plan::new(method, deck.items(), draw).expect("legal").deal(&mac, input.nonce(), &contributions);
        let sealed = SealKey::derive(&mac, input.nonce(), &contributions).seal(
            &commitment,
            input.nonce(),
            &dealt.items,
        );
        let Deck::Named(deck_name) = deck else { unreachable!("all of them are named") };
        let made = json!({
            "method": method.as_str(), "deck": deck_name.as_str(), "draw": draw, "seal": sealed.seal().to_text(),
            "card_seals": sealed.card_seals().iter().map(fairdeal::deal::Digest::to_text).collect::<Vec<_>>(),
            "salts": sealed.salts().iter().map(hex::encode).collect::<Vec<_>>(),
        });
        vectors.push(with(input.json(name), &made));
    }
    vectors
}
