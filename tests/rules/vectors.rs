//! Every vector of `fixtures/vectors`.

#![expect(clippy::indexing_slicing, reason = "in a test, a panic is a failure with a place")]

use fairdeal::deal::{
    Choices, Contribution, ContributionError, Contributions, Deck, DeckName, Digest,
    DrandRandomness, Method, Nonce, Plan, PlanError, SealKey, Seen, ServerSeed, below,
    digest_of_items, message,
};
use fairdeal::log::{
    Checkpoint, EntryBundle, Hash, HashTile, Level, Note, TilePath, VerifierKey, tiles,
    verify_consistency, verify_inclusion,
};
use fairdeal::record::entry::{Entry, EntryError};
use serde_json::{Value, json};

/// The result for a vector's inputs: the output, or the code of the refusal.
pub(crate) type Outcome = Result<Value, &'static str>;

/// Runs `of` over a file's vectors and lists each that differs; returns how many there were.
pub(crate) fn check(file: &str, of: impl Fn(&Value) -> Outcome) -> usize {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/vectors/").to_owned() + file;
    let text = std::fs::read_to_string(path).expect("the vectors are part of the project");
    let content: Value = serde_json::from_str(&text).expect("JSON");
    let vectors = content["vectors"].as_array().expect("an array");
    let mut wrong = Vec::new();
    for vector in vectors {
        let expected = vector.get("error").and_then(Value::as_str);
        match (of(vector), expected) {
            (Err(found), Some(expected)) if found == expected => {}
            (Ok(found), None) => {
                for (field, value) in found.as_object().expect("an object") {
                    if vector.get(field) != Some(value) {
                        wrong.push(format!(
                            "{}: {field}: {value} is not {:?}",
                            vector["name"],
                            vector.get(field)
                        ));
                    }
                }
            }
            (found, expected) => {
                wrong.push(format!("{}: {found:?}, expected error {expected:?}", vector["name"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{file}:\n{}", wrong.join("\n"));
    vectors.len()
}

pub(crate) fn text<'a>(vector: &'a Value, field: &str) -> &'a str {
    vector[field].as_str().unwrap_or_else(|| panic!("{field} is text in {vector}"))
}

pub(crate) fn number(vector: &Value, field: &str) -> u64 {
    vector[field].as_u64().unwrap_or_else(|| panic!("{field} is a number in {vector}"))
}

fn small(vector: &Value, field: &str) -> u32 {
    u32::try_from(number(vector, field)).expect("a small number")
}

fn bytes32(value: &Value) -> [u8; 32] {
    hex::decode(value.as_str().expect("hex")).expect("hex").try_into().expect("32 bytes")
}

fn hash(value: &Value) -> Hash {
    Hash::from_bytes(bytes32(value))
}

fn hashes(value: &Value) -> Vec<Hash> {
    value.as_array().expect("an array").iter().map(hash).collect()
}

/// The bytes of `field`, or of its hex.
fn bytes(vector: &Value, field: &str) -> Vec<u8> {
    match vector.get(field) {
        Some(text) => text.as_str().expect("text").as_bytes().to_vec(),
        None => hex::decode(text(vector, &format!("{field}_hex"))).expect("hex"),
    }
}

fn inputs(vector: &Value) -> Result<(ServerSeed, Nonce, Contributions), &'static str> {
    let seed = ServerSeed::parse(text(vector, "server_seed")).map_err(|_| "server-seed")?;
    let nonce = Nonce::new(number(vector, "nonce")).map_err(|_| "nonce")?;
    let code = |error: ContributionError| match error {
        ContributionError::FromLength(_) | ContributionError::FromControl(_) => "from",
        ContributionError::SeedLength(_) | ContributionError::SeedControl(_) => "seed",
        ContributionError::Repeated(_) => "duplicate-from",
        _ => "contributions",
    };
    let client = |one: &Value| {
        let mut contribution = Contribution::new(text(one, "from"), text(one, "seed"))?;
        contribution.seen = one
            .get("seen")
            .map(|seen| Seen { size: number(seen, "size"), root: bytes32(&seen["root"]) });
        Ok(contribution)
    };
    let clients: Result<Vec<Contribution>, ContributionError> =
        vector["contributions"].as_array().expect("an array").iter().map(client).collect();
    let clients = clients.map_err(code)?;
    let contributions = match vector.get("drand") {
        Some(drand) => {
            Contributions::with_drand(clients, DrandRandomness::from_bytes(bytes32(drand)))
        }
        None => Contributions::of_clients(clients),
    };
    Ok((seed, nonce, contributions.map_err(code)?))
}

fn plan(vector: &Value) -> Result<(Plan, Option<Deck>), &'static str> {
    let deck = match vector.get("deck") {
        Some(name) => {
            Some(Deck::Named(DeckName::parse(name.as_str().expect("text")).map_err(|_| "deck")?))
        }
        None => None,
    };
    let items = deck.map_or_else(|| small(vector, "items"), |deck| deck.items());
    let method = Method::parse(text(vector, "method")).expect("a method");
    let plan = Plan::new(method, items, small(vector, "draw")).map_err(|error| match error {
        PlanError::Items(_) | PlanError::ShortCycle(_) => "items",
        _ => "draw",
    })?;
    Ok((plan, deck))
}

#[test]
fn every_file_of_vectors_is_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/vectors");
    let name = |file: std::io::Result<std::fs::DirEntry>| file.expect("a file").file_name();
    let mut found: Vec<_> = std::fs::read_dir(folder).expect("the vectors").map(name).collect();
    found.sort();
    assert_eq!(
        found,
        [
            "beacon.json",
            "below.json",
            "checkpoints.json",
            "contributions.json",
            "cosignature.json",
            "derivation.json",
            "entries.json",
            "evidence.json",
            "exports.json",
            "keys.json",
            "layouts.json",
            "lists.json",
            "notes.json",
            "policy.json",
            "proofs.json",
            "quorum.json",
            "raffle.json",
            "receipts.json",
            "seals.json",
            "several.json",
            "shuffles.json",
            "signatures.json",
            "tiles.json",
        ]
    );
}

#[test]
fn derivations_agree() {
    let seen = check("derivation.json", |vector| {
        let (seed, nonce, contributions) = inputs(vector)?;
        Ok(json!({
            "commitment": seed.commitment().to_text(),
            "message": hex::encode(message(nonce, &contributions)),
            "key": seed.mac().deal_key(nonce, &contributions).reveal(),
            "seal_key": SealKey::derive(&seed.mac(), nonce, &contributions).reveal(),
        }))
    });
    assert_eq!(seen, 30);
}

#[test]
fn samplings_agree() {
    let seen = check("below.json", |vector| {
        let ways = Choices::new(small(vector, "ways")).map_err(|_| "ways")?;
        let words: Vec<u32> = serde_json::from_value(vector["words"].clone()).expect("words");
        let mut drawn = 0;
        let value = below(ways, || {
            drawn += 1;
            words[drawn - 1]
        });
        Ok(json!({ "value": value, "drawn": drawn }))
    });
    assert_eq!(seen, 30);
}

#[test]
fn shuffles_agree() {
    let seen = check("shuffles.json", |vector| {
        let (seed, nonce, contributions) = inputs(vector)?;
        let (plan, deck) = plan(vector)?;
        let dealt = plan.deal(&seed.mac(), nonce, &contributions);
        let mut made = json!({ "words": dealt.words, "rejected": dealt.rejected });
        if dealt.items.len() <= 1000 {
            made["indices"] = json!(dealt.items);
        } else {
            made["digest"] = json!(digest_of_items(&dealt.items).to_text());
        }
        if let Some(deck) = deck {
            made["cards"] = json!(deck.text_of(&dealt.items).expect("its own cards"));
        }
        Ok(made)
    });
    assert_eq!(seen, 39);
}

#[test]
fn a_word_is_really_rejected_in_one_of_the_rounds_of_52_cards() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/vectors/shuffles.json");
    let content: Value =
        serde_json::from_slice(&std::fs::read(path).expect("a file")).expect("JSON");
    let rejecting = |v: &&Value| v["rejected"].as_u64() > Some(0) && v["deck"] == "standard-52";
    assert_eq!(
        content["vectors"].as_array().expect("an array").iter().filter(rejecting).count(),
        1
    );
}

#[test]
fn seals_agree() {
    let seen = check("seals.json", |vector| {
        let (seed, nonce, contributions) = inputs(vector)?;
        let (plan, _) = plan(vector)?;
        let dealt = plan.deal(&seed.mac(), nonce, &contributions);
        let sealed = SealKey::derive(&seed.mac(), nonce, &contributions).seal(
            &seed.commitment(),
            nonce,
            &dealt.items,
        );
        Ok(json!({
            "seal": sealed.seal().to_text(),
            "card_seals": sealed.card_seals().iter().map(Digest::to_text).collect::<Vec<_>>(),
            "salts": sealed.salts().iter().map(hex::encode).collect::<Vec<_>>(),
        }))
    });
    assert_eq!(seen, 4);
}

#[test]
fn entries_agree() {
    let seen = check("entries.json", |vector| match Entry::parse(&bytes(vector, "entry")) {
        Ok(Entry::Other(_)) => Ok(json!({ "kind": "other-protocol" })),
        Ok(entry) => {
            let printed = entry.to_text().expect("what parses can be written");
            assert_eq!(printed.as_bytes(), bytes(vector, "entry"), "what parses prints back");
            Ok(json!({ "kind": entry.kind() }))
        }
        Err(EntryError::NotCanonical(_)) => Err("not-canonical"),
        Err(_) => Err("invalid-entry"),
    });
    assert_eq!(seen, 348);
}

#[test]
fn keys_agree() {
    let seen = check("keys.json", |vector| {
        let key = VerifierKey::parse(text(vector, "vkey")).map_err(|_| "key")?;
        assert_eq!(key.to_text(), text(vector, "vkey"), "what parses prints back");
        Ok(
            json!({ "key_name": key.name().as_str(), "id": key.id().to_string(), "public_key": hex::encode(key.public_key()) }),
        )
    });
    assert_eq!(seen, 43);
}

#[test]
fn notes_agree() {
    let seen = check("notes.json", |vector| {
        let bytes = bytes(vector, "note");
        let note = std::str::from_utf8(&bytes).map_err(|_| "note-malformed")?;
        let parsed = Note::parse(note).map_err(|_| "note-malformed")?;
        assert_eq!(parsed.to_text(), note, "what parses prints back");
        let keys: Vec<VerifierKey> = vector["keys"]
            .as_array()
            .expect("an array")
            .iter()
            .map(|key| VerifierKey::parse(key.as_str().expect("text")).expect("a key"))
            .collect();
        let verified =
            parsed.verify(&keys.iter().collect::<Vec<_>>()).map_err(|_| "note-unverified")?;
        let names: Vec<&str> = verified.signers().iter().map(|key| key.name().as_str()).collect();
        Ok(
            json!({ "text": parsed.text(), "signatures": parsed.signatures().len(), "verified": names }),
        )
    });
    assert_eq!(seen, 50);
}

#[test]
fn checkpoints_agree() {
    let seen = check("checkpoints.json", |vector| {
        let checkpoint =
            Checkpoint::parse(text(vector, "text")).map_err(|_| "checkpoint-malformed")?;
        assert_eq!(checkpoint.to_text(), text(vector, "text"), "what parses prints back");
        Ok(json!({ "origin": checkpoint.origin(), "size": checkpoint.size().to_string(),
            "root": checkpoint.root().to_hex(), "extensions": checkpoint.extensions() }))
    });
    assert_eq!(seen, 32);
}

#[test]
fn tiles_agree() {
    let level_of = |level| match level {
        Level::Entries => json!("entries"),
        Level::Hashes(level) => json!(level),
    };
    let seen = check("tiles.json", |vector| match text(vector, "kind") {
        "path" => {
            let path = TilePath::parse(text(vector, "path")).map_err(|_| "tile-path")?;
            assert_eq!(path.to_text(), text(vector, "path"), "what parses prints back");
            Ok(
                json!({ "level": level_of(path.level()), "index": path.index().to_string(), "width": path.width() }),
            )
        }
        "bundle" => {
            let bytes = hex::decode(text(vector, "bundle")).expect("hex");
            let width = u16::try_from(number(vector, "width")).expect("a width");
            let bundle = EntryBundle::parse(&bytes, width).map_err(|_| "bundle")?;
            assert_eq!(bundle.to_bytes(), bytes, "what parses prints back");
            Ok(json!({ "entries": bundle.entries().iter().map(hex::encode).collect::<Vec<_>>() }))
        }
        "hashes" => {
            let bytes = hex::decode(text(vector, "tile")).expect("hex");
            let width = u16::try_from(number(vector, "width")).expect("a width");
            let tile = HashTile::parse(&bytes, width).map_err(|_| "tile")?;
            assert_eq!(tile.to_bytes(), bytes, "what parses prints back");
            Ok(json!({ "hashes": tile.hashes().iter().map(Hash::to_hex).collect::<Vec<_>>() }))
        }
        "tree" => {
            let (full, partial): (Vec<_>, Vec<_>) =
                tiles(number(vector, "size")).partition(|path| path.width() == 256);
            let mut names: Vec<String> = partial.into_iter().map(TilePath::to_text).collect();
            names.sort();
            let mut counts = serde_json::Map::new();
            for path in full {
                let level = level_of(path.level());
                let level = level.as_str().map_or_else(|| level.to_string(), str::to_owned);
                let count = counts.get(&level).and_then(Value::as_u64).unwrap_or(0) + 1;
                counts.insert(level, json!(count));
            }
            Ok(json!({ "tiles": names, "counts": counts }))
        }
        other => panic!("unknown kind {other}"),
    });
    assert_eq!(seen, 82);
}

#[test]
fn proofs_agree() {
    let seen = check("proofs.json", |vector| {
        let (size, root, proof) =
            (number(vector, "size"), hash(&vector["root"]), hashes(&vector["proof"]));
        let holds = match text(vector, "kind") {
            "inclusion" => {
                let leaf = hash(&vector["leaf_hash"]);
                verify_inclusion(&leaf, number(vector, "index"), size, &proof, &root).is_ok()
            }
            "consistency" => {
                let old = hash(&vector["old_root"]);
                verify_consistency(number(vector, "old_size"), &old, size, &root, &proof).is_ok()
            }
            other => panic!("unknown kind {other}"),
        };
        if holds { Ok(json!({ "ok": true })) } else { Err("proof") }
    });
    assert_eq!(seen, 137);
}
