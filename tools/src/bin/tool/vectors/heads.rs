//! More keys, notes, checkpoints, tiles and proofs: cases on either side of a limit.

use fairdeal::log::{
    Checkpoint, Hash, HashTile, KeyId, KeyName, Note, Signature, SignerKey, TilePath, VerifierKey,
    verify_consistency, verify_inclusion,
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::vectors::signatures::{Signed, cofactor_only, honest, odd_encodings, raised};

fn signer(name: &str, byte: u8) -> SignerKey {
    SignerKey::from_seed(KeyName::parse(name).expect("legal"), &[byte; 32])
}

/// The text of a key, valid or not.
fn key_text(name: &str, key: &[u8]) -> String {
    use base64::Engine as _;
    let id = Sha256::new().chain_update(name).chain_update(b"\n\x01").chain_update(key).finalize();
    let bytes = [&[1][..], key].concat();
    format!("{name}+{}+{}", hex::encode(&id[..4]), base64::engine::general_purpose::STANDARD.encode(bytes))
}

pub fn keys() -> Vec<Value> {
    let mut vectors = Vec::new();
    let mut add = |name: &str, vkey: &str, legal: bool| {
        let key = VerifierKey::parse(vkey);
        assert_eq!(key.is_ok(), legal, "{name}");
        vectors.push(match key {
            Ok(key) => json!({ "name": name, "vkey": vkey, "key_name": key.name().as_str(), "id": key.id().to_string(),
                "public_key": hex::encode(key.public_key()) }),
            Err(_) => json!({ "name": name, "vkey": vkey, "error": "key" }),
        });
    };
    for (at, small) in curve25519_dalek::constants::EIGHT_TORSION.iter().enumerate() {
        let bytes = small.compress().to_bytes();
        add(&format!("a key of small order, point {at}"), &key_text("k", &bytes), false);
        let mixed = small + curve25519_dalek::constants::ED25519_BASEPOINT_POINT;
        let bytes = mixed.compress().to_bytes();
        add(&format!("the base point and point {at}"), &key_text("k", &bytes), true);
    }
    for (what, bytes) in odd_encodings() {
        add(&format!("not decoded: {what}"), &key_text("k", &bytes), false);
    }
    let three = {
        let mut three = [0; 32];
        three[0] = 3;
        three
    };
    add("y = 3, the point that y = p + 3 would be", &key_text("k", &three), true);
    let good = honest(3, b"").key;
    add("a key of 33 bytes", &key_text("k", &[&good[..], b"\0"].concat()), false);
    add("a plus in the name", &key_text("k+k", &good), false);
    add("a control character in the name", &key_text("k\u{80}", &good), false);
    add("a zero-width space in the name", &key_text("k\u{200b}", &good), true);
    vectors
}

pub fn notes() -> Vec<Value> {
    let (ours, other) = (signer("cards.example/log", 7), signer("witness.example/w", 8));
    let text = "cards.example/log\n3\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n";
    let line = |name: &str, id: [u8; 4], bytes: &[u8]| {
        let name = KeyName::parse(name).expect("legal");
        Signature::new(name, KeyId::from_bytes(id), bytes.to_vec()).expect("legal")
    };
    let own = line("cards.example/log", ours.verifier().id().to_bytes(), &ours.sign(text.as_bytes()));
    let with = |lines: Vec<Signature>| Note::new(text, lines).expect("legal").to_text();
    let mut id = ours.verifier().id().to_bytes();
    id[3] ^= 1;
    let other_id = line("cards.example/log", id, &ours.sign(text.as_bytes()));
    let other_name = line("cards.example/other", ours.verifier().id().to_bytes(), &[0; 64]);
    let short = line("cards.example/log", ours.verifier().id().to_bytes(), &[0; 63]);
    let long = line(
        "cards.example/log",
        ours.verifier().id().to_bytes(),
        &[ours.sign(text.as_bytes()).to_vec(), vec![0]].concat(),
    );
    let ours_key = ours.verifier().to_text();
    let unlike = Signed { key: [0; 32], ..honest(3, text.as_bytes()) };
    let dalek = VerifierKey::new(KeyName::parse("k").expect("legal"), &honest(3, b"").key).expect("legal");
    let by = |signed: &Signed| with(vec![line("k", dalek.id().to_bytes(), &signed.bytes())]);
    let text_of = |text: &str| Note::sign(text, &[&ours]).expect("legal").to_text();
    let spelled = |text: &str| {
        let signature =
            line("cards.example/log", ours.verifier().id().to_bytes(), &ours.sign(text.as_bytes()));
        format!("{text}\n{}\n", signature.to_text())
    };
    let hundred = with(vec![own.clone(); 100]);
    let mut vectors = Vec::new();
    let mut add = |name: &str, note: &str, keys: &[&str], error: Option<&str>| {
        let mut vector = json!({ "name": name, "note": note, "keys": keys });
        let known: Vec<VerifierKey> =
            keys.iter().map(|key| VerifierKey::parse(key).expect("legal")).collect();
        let known: Vec<&VerifierKey> = known.iter().collect();
        let parsed = Note::parse(note);
        let found = match &parsed {
            Err(_) => Some("note-malformed"),
            Ok(parsed) => parsed.verify(&known).is_err().then_some("note-unverified"),
        };
        assert_eq!(found, error, "{name}: {parsed:?}");
        if let Some(error) = error {
            vector["error"] = json!(error);
        } else {
            let parsed = parsed.expect("a note");
            let verified = parsed.verify(&known).expect("signed");
            let names: Vec<&str> = verified.signers().iter().map(|key| key.name().as_str()).collect();
            vector["text"] = json!(parsed.text());
            vector["signatures"] = json!(parsed.signatures().len());
            vector["verified"] = json!(names);
        }
        vectors.push(vector);
    };
    let keys = [ours_key.as_str()];
    add(
        "a known name with another key ID beside the key's own",
        &with(vec![other_id.clone(), own.clone()]),
        &keys,
        None,
    );
    add("a known name with another key ID alone", &with(vec![other_id]), &keys, Some("note-unverified"));
    add(
        "a known key ID under another name beside the key's own",
        &with(vec![other_name.clone(), own.clone()]),
        &keys,
        None,
    );
    add("a known key ID under another name alone", &with(vec![other_name]), &keys, Some("note-unverified"));
    add(
        "a signature of 63 bytes by a known key",
        &with(vec![short, own.clone()]),
        &keys,
        Some("note-unverified"),
    );
    add(
        "a signature of 65 bytes by a known key",
        &with(vec![long, own.clone()]),
        &keys,
        Some("note-unverified"),
    );
    add("the key's own signature twice", &with(vec![own.clone(), own.clone()]), &keys, None);
    add("100 signatures", &hundred, &keys, None);
    add("no known keys", &with(vec![own.clone()]), &[], Some("note-unverified"));
    let both = Note::sign(text, &[&other, &ours]).expect("legal").to_text();
    let other_key = other.verifier().to_text();
    add("names in the note's order, not the keys'", &both, &[&ours_key, &other_key], None);
    add("a delete character in the text", &text_of("a\u{7f}b\n"), &keys, None);
    add("C1 control characters in the text", &text_of("a\u{80}\u{85}\u{9f}b\n"), &keys, None);
    add("U+001F in the text", &spelled("a\u{1f}b\n"), &keys, Some("note-malformed"));
    add("U+0000 in the text", &spelled("a\u{0}b\n"), &keys, Some("note-malformed"));
    add("a carriage return in the text", &spelled("a\rb\n"), &keys, Some("note-malformed"));
    add(
        "a delete character in a signer's name",
        &with(vec![own.clone()]).replacen("\u{2014} cards", "\u{2014} c\u{7f}rds", 1),
        &keys,
        Some("note-malformed"),
    );
    add("a text of an empty line", &text_of("\n"), &keys, None);
    add(
        "an empty line between signatures: the text ends at the last one",
        &format!("{}\n{}\n", with(vec![own.clone()]), own.to_text()),
        &keys,
        Some("note-unverified"),
    );
    add("a byte order mark", &format!("\u{feff}{}", with(vec![own.clone()])), &keys, Some("note-unverified"));
    let four = format!("{text}\n{}\n\u{2014} x AAAAAA==\n", own.to_text());
    add("a signature of no bytes after its key ID", &four, &keys, Some("note-malformed"));
    let bits = format!("{text}\n{}\n\u{2014} x AAAAAAB=\n", own.to_text());
    add("a stranger's signature whose last bits are not zero", &bits, &keys, Some("note-malformed"));
    let unpadded = format!("{text}\n{}\n\u{2014} x AAAAAAA\n", own.to_text());
    add("a stranger's signature without its padding", &unpadded, &keys, Some("note-malformed"));
    let dalek_key = dalek.to_text();
    let message = text.as_bytes();
    add("a key made with the group itself", &by(&honest(3, message)), &[&dalek_key], None);
    add(
        "S raised by the group's order",
        &by(&raised(&honest(3, message))),
        &[&dalek_key],
        Some("note-unverified"),
    );
    add(
        "a signature that verifies times the cofactor only",
        &by(&cofactor_only(3, message)),
        &[&dalek_key],
        Some("note-unverified"),
    );
    let small_r = Signed { r: [0; 32], ..unlike };
    add("an R of small order", &by(&small_r), &[&dalek_key], Some("note-unverified"));
    vectors
}

pub fn checkpoints() -> Vec<Value> {
    let root = Hash::from_bytes([0x5a; 32]).to_base64();
    let empty = fairdeal::log::EMPTY_ROOT.to_base64();
    let leaf = fairdeal::log::leaf_hash(b"").to_base64();
    let zero = Hash::from_bytes([0; 32]).to_base64();
    let mut vectors = Vec::new();
    for (name, text, legal) in [
        ("size 0 with another root", format!("cards.example/log\n0\n{root}\n"), false),
        ("size 0 with the root of one empty leaf", format!("cards.example/log\n0\n{leaf}\n"), false),
        ("size 0 with a root of zeros", format!("cards.example/log\n0\n{zero}\n"), false),
        ("size 0 with its root and an extension line", format!("cards.example/log\n0\n{empty}\nx\n"), true),
        ("size 1 with the root of the empty tree", format!("cards.example/log\n1\n{empty}\n"), true),
        ("a size of two zeros", format!("cards.example/log\n00\n{empty}\n"), false),
        ("a size of minus zero", format!("cards.example/log\n-0\n{empty}\n"), false),
        ("a size of 2^64", format!("cards.example/log\n18446744073709551616\n{root}\n"), false),
        ("a size in other digits", format!("cards.example/log\n\u{661}\n{root}\n"), false),
        ("a size with a space before it", format!("cards.example/log\n 1\n{root}\n"), false),
        ("a root of 33 bytes", format!("cards.example/log\n1\n{}\n", "A".repeat(44)), false),
        ("a root in the other alphabet", format!("cards.example/log\n1\n{}\n", "_".repeat(43) + "="), false),
        ("a space after the root", format!("cards.example/log\n1\n{root} \n"), false),
        ("an extension line of a space", format!("cards.example/log\n1\n{root}\n \n"), true),
        ("an empty line at the end", format!("cards.example/log\n1\n{root}\n\n"), false),
    ] {
        let checkpoint = Checkpoint::parse(&text);
        assert_eq!(checkpoint.is_ok(), legal, "{name}");
        vectors.push(match checkpoint {
            Ok(one) => {
                json!({ "name": name, "text": text, "origin": one.origin(), "size": one.size().to_string(),
                "root": one.root().to_hex(), "extensions": one.extensions() })
            }
            Err(_) => json!({ "name": name, "text": text, "error": "checkpoint-malformed" }),
        });
    }
    vectors
}

pub fn tiles() -> Vec<Value> {
    let mut vectors = hash_tiles();
    for path in [
        "tile/0/000.p/255",
        "tile/0/x001/000",
        "tile/0/x999/x999/999",
        "tile/62/000.p/1",
        "tile/entries/000.p/0",
        "tile/entries/000.p/256",
        "tile/0/000.p/001",
        "tile/0/000.P/1",
        "tile/0/000.p/1/",
        "tile/0/000.p/1.p/1",
        "tile/0/X001/000",
        "tile/0/x01/000",
        "tile/0/x0001/000",
        "tile/0/x001/x000",
        "tile/0/x000/x001/000",
        "tile/+1/000",
        "tile/ 1/000",
        "tile/0/00\u{661}",
        "tile/0/000\n",
        "tile/Entries/000",
        "Tile/0/000",
        "tile//0/000",
        "tile/0/x009/x223/x372/x036/x854/x775/807",
    ] {
        vectors.push(match TilePath::parse(path) {
            Err(_) => json!({ "name": format!("not a path: {path}"), "kind": "path", "path": path, "error": "tile-path" }),
            Ok(parsed) => {
                let level = match parsed.level() {
                    fairdeal::log::Level::Entries => json!("entries"),
                    fairdeal::log::Level::Hashes(level) => json!(level),
                };
                json!({ "name": path, "kind": "path", "path": path, "level": level, "index": parsed.index().to_string(),
                    "width": parsed.width() })
            }
        });
    }
    vectors
}

fn hash_tiles() -> Vec<Value> {
    let hashes = |count: u8| (0..count).flat_map(|n| [n; 32]).collect::<Vec<u8>>();
    let full: Vec<u8> = (0..=255).flat_map(|n| [n; 32]).collect();
    let longer = |bytes: &[u8], more: usize| [bytes, &vec![0xff; more][..]].concat();
    let mut vectors = Vec::new();
    for (name, bytes, width) in [
        ("one hash", hashes(1), 1),
        ("three hashes", hashes(3), 3),
        ("a full tile", full.clone(), 256),
        ("no bytes for one hash", Vec::new(), 1),
        ("no bytes for no hash", Vec::new(), 0),
        ("a byte too few", hashes(3)[1..].to_vec(), 3),
        ("a hash too few", hashes(2), 3),
        ("overlong by a byte", longer(&hashes(3), 1), 3),
        ("overlong by a hash", hashes(4), 3),
        ("a full tile for a partial one", full.clone(), 3),
        ("a full tile, overlong by a byte", longer(&full, 1), 256),
        ("a full tile, overlong by a hash", longer(&full, 32), 256),
        ("a tile of 257 hashes", longer(&full, 32), 257),
    ] {
        let mut vector =
            json!({ "name": name, "kind": "hashes", "tile": hex::encode(&bytes), "width": width });
        match HashTile::parse(&bytes, width) {
            Ok(tile) => vector["hashes"] = json!(tile.hashes().iter().map(Hash::to_hex).collect::<Vec<_>>()),
            Err(_) => vector["error"] = json!("tile"),
        }
        vectors.push(vector);
    }
    vectors
}

/// Proofs of the largest and the smallest trees.
pub fn proofs() -> Vec<Value> {
    let leaf = fairdeal::log::leaf_hash(b"x");
    let empty = fairdeal::log::EMPTY_ROOT;
    let most = u64::MAX >> 1;
    let mut vectors = Vec::new();
    let mut inclusion = |name: &str, index: u64, size: u64, root: Hash, proof: &[Hash], holds: bool| {
        assert_eq!(verify_inclusion(&leaf, index, size, proof, &root).is_ok(), holds, "{name}");
        let hexes: Vec<String> = proof.iter().map(Hash::to_hex).collect();
        let mut vector = json!({ "name": name, "kind": "inclusion", "leaf_hash": leaf.to_hex(), "index": index, "size": size,
            "root": root.to_hex(), "proof": hexes });
        vector[if holds { "ok" } else { "error" }] = if holds { json!(true) } else { json!("proof") };
        vectors.push(vector);
    };
    inclusion("a leaf of no tree", 0, 0, leaf, &[], false);
    inclusion("a leaf of no tree, under the empty root", 0, 0, empty, &[], false);
    // The left-most path, of 63 hashes, through the largest tree.
    let siblings = vec![empty; 63];
    let root = siblings.iter().fold(leaf, |root, sibling| fairdeal::log::node_hash(&root, sibling));
    inclusion("the first leaf of the largest tree", 0, most, root, &siblings, true);
    inclusion("the first leaf of the largest tree, a hash too few", 0, most, root, &siblings[1..], false);
    inclusion("the first leaf of a tree of 2^63", 0, most + 1, root, &siblings, false);
    let mut consistency = |name: &str, old: (u64, Hash), new: (u64, Hash), proof: &[Hash], holds: bool| {
        let found = verify_consistency(old.0, &old.1, new.0, &new.1, proof).is_ok();
        assert_eq!(found, holds, "{name}");
        let hexes: Vec<String> = proof.iter().map(Hash::to_hex).collect();
        let mut vector = json!({ "name": name, "kind": "consistency", "old_size": old.0, "old_root": old.1.to_hex(),
            "size": new.0, "root": new.1.to_hex(), "proof": hexes });
        vector[if holds { "ok" } else { "error" }] = if holds { json!(true) } else { json!("proof") };
        vectors.push(vector);
    };
    consistency("from nothing to a tree of 2^63", (0, empty), (most + 1, leaf), &[], false);
    consistency("one size of 2^63", (most + 1, leaf), (most + 1, leaf), &[], false);
    consistency("from nothing to the largest tree", (0, empty), (most, leaf), &[], true);
    consistency("from nothing, with another root than nothing's", (0, leaf), (1, leaf), &[], false);
    consistency("from nothing to nothing with another root", (0, leaf), (0, leaf), &[], false);
    consistency("from nothing with a proof", (0, empty), (1, leaf), &[leaf], false);
    consistency("one size with two roots", (1, empty), (1, leaf), &[], false);
    consistency("one size with a proof", (1, leaf), (1, leaf), &[leaf], false);
    let two = fairdeal::log::node_hash(&leaf, &empty);
    consistency("one to two without a proof", (1, leaf), (2, two), &[], false);
    consistency("one to two, the old root repeated in the proof", (1, leaf), (2, two), &[leaf, empty], false);
    consistency("one to two", (1, leaf), (2, two), &[empty], true);
    vectors
}
