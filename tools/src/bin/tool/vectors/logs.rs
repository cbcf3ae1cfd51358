//! Keys, notes, checkpoints, tiles and proofs.

use fairdeal::log::{
    Checkpoint, EntryBundle, Frontier, Hash, KeyName, Level, Note, ProofPlan, Signature, SignerKey, TilePath,
    VerifierKey, leaf_hash, tiles,
};
use serde_json::{Value, json};

use crate::vectors::File;

pub fn files() -> Vec<File> {
    vec![
        File {
            name: "keys.json",
            about: "C2SP signed-note: verifier keys in Go's encoding",
            vectors: [keys(), crate::vectors::heads::keys()].concat(),
        },
        File {
            name: "notes.json",
            about: "C2SP signed-note: notes, and which of the given keys signed them",
            vectors: [notes(), crate::vectors::heads::notes()].concat(),
        },
        File {
            name: "checkpoints.json",
            about: "C2SP tlog-checkpoint: the note's text",
            vectors: [checkpoints(), crate::vectors::heads::checkpoints()].concat(),
        },
        File {
            name: "tiles.json",
            about: "C2SP tlog-tiles: paths, entry bundles, and the tiles of a tree",
            vectors: [tile_vectors(), crate::vectors::heads::tiles()].concat(),
        },
        File {
            name: "proofs.json",
            about: "RFC 6962: inclusion and consistency",
            vectors: [proofs(), crate::vectors::heads::proofs()].concat(),
        },
    ]
}

fn signer(name: &str, byte: u8) -> SignerKey {
    SignerKey::from_seed(KeyName::parse(name).expect("legal"), &[byte; 32])
}

fn keys() -> Vec<Value> {
    let ours = signer("cards.example/log", 7).verifier().to_text();
    let mut vectors = Vec::new();
    for (name, vkey) in [
        ("a key of ours", ours.clone()),
        ("Go's example", "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW".to_owned()),
        ("a name in UTF-8", signer("k\u{e4}se.example/\u{1f0a1}", 9).verifier().to_text()),
    ] {
        let key = VerifierKey::parse(&vkey).expect("legal");
        vectors.push(
            json!({ "name": name, "vkey": vkey, "key_name": key.name().as_str(), "id": key.id().to_string(),
            "public_key": hex::encode(key.public_key()) }),
        );
    }
    let (name, rest) = ours.split_once('+').expect("two parts at least");
    for (what, vkey) in [
        ("no key at all", String::new()),
        ("another id", format!("{name}+00000000+{}", &rest[9..])),
        ("the id in capitals", format!("{name}+{}+{}", rest[..8].to_uppercase(), &rest[9..])),
        ("no name", format!("+{rest}")),
        ("a space in the name", format!("cards example+{rest}")),
        ("a no-break space in the name", format!("cards\u{a0}example+{rest}")),
        ("a key of 31 bytes", format!("{name}+{}", &rest[..rest.len() - 4])),
        ("base64 without padding", ours.trim_end_matches('=').to_owned() + "A"),
        ("another key type", "PeterNeumann+c74f20a3+Alpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW".to_owned()),
        ("a line feed after it", format!("{ours}\n")),
    ] {
        assert!(VerifierKey::parse(&vkey).is_err(), "{what}");
        vectors.push(json!({ "name": what, "vkey": vkey, "error": "key" }));
    }
    vectors
}

fn notes() -> Vec<Value> {
    let (ours, other) = (signer("cards.example/log", 7), signer("witness.example/w", 8));
    let text = "cards.example/log\n3\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n";
    let vkey = |key: &SignerKey| key.verifier().to_text();
    let signed = Note::sign(text, &[&ours]).expect("legal").to_text();
    let both = Note::sign(text, &[&ours, &other]).expect("legal").to_text();
    let grease =
        Signature::new(KeyName::parse("grease.example").expect("legal"), other.verifier().id(), vec![1; 9])
            .expect("legal");
    let mut greased = Note::parse(&signed).expect("legal").signatures().to_vec();
    greased.insert(0, grease);
    let greased = Note::new(text, greased).expect("legal").to_text();
    let blank_lines = Note::sign("a text\n\nwith an empty line\n", &[&ours]).expect("legal").to_text();
    let utf8 = Note::sign("h\u{e9} \u{1f0a1} \u{7f}\n", &[&ours]).expect("legal").to_text();
    let mut vectors = Vec::new();
    for (name, note, keys) in [
        ("one signature", &signed, vec![vkey(&ours)]),
        ("two signatures, both keys known", &both, vec![vkey(&ours), vkey(&other)]),
        ("two signatures, one key known", &both, vec![vkey(&other)]),
        ("a signature by nobody we know, of no known kind, is kept and ignored", &greased, vec![vkey(&ours)]),
        ("an empty line in the text", &blank_lines, vec![vkey(&ours)]),
        ("a text in UTF-8", &utf8, vec![vkey(&ours)]),
        ("keys that signed nothing do not matter", &signed, vec![vkey(&other), vkey(&ours)]),
    ] {
        let parsed = Note::parse(note).expect("legal");
        let known: Vec<VerifierKey> = keys.iter().map(|k| VerifierKey::parse(k).expect("legal")).collect();
        let known: Vec<&VerifierKey> = known.iter().collect();
        let verified: Vec<String> =
            parsed.verify(&known).expect("signed").signers().iter().map(|k| k.name().to_string()).collect();
        vectors.push(json!({ "name": name, "note": note, "keys": keys, "text": parsed.text(), "signatures": parsed.signatures().len(),
            "verified": verified }));
    }
    let line = signed.rsplit_once("\n\n").expect("a note").1.to_owned();
    let flipped = {
        let at = line.len() - 20;
        let other = if line.as_bytes()[at] == b'A' { "B" } else { "A" };
        format!("{text}\n{}{other}{}", &line[..at], &line[at + 1..])
    };
    for (name, note, error) in [
        ("nothing", String::new(), "note-malformed"),
        ("a text without signatures", text.to_owned(), "note-malformed"),
        ("a text and an empty line", format!("{text}\n"), "note-malformed"),
        ("no empty line before the signatures", format!("{text}{line}"), "note-malformed"),
        ("no line feed at the end", signed.trim_end().to_owned(), "note-malformed"),
        ("a hyphen for the dash", signed.replace('\u{2014}', "-"), "note-malformed"),
        ("carriage returns", signed.replace('\n', "\r\n"), "note-malformed"),
        ("a tab in the text", signed.replacen("3\n", "3\t\n", 1), "note-malformed"),
        (
            "a signature that is not base64",
            format!("{text}\n\u{2014} cards.example/log !!!!\n"),
            "note-malformed",
        ),
        (
            "a signature of four bytes",
            format!("{text}\n\u{2014} cards.example/log AAAAAA==\n"),
            "note-malformed",
        ),
        ("two spaces before the signature", signed.replacen("log ", "log  ", 2), "note-malformed"),
        ("101 signatures", format!("{text}\n{}", line.repeat(101)), "note-malformed"),
        ("another text", signed.replacen("\n3\n", "\n4\n", 1), "note-unverified"),
        ("a signature changed", flipped, "note-unverified"),
        (
            "signed by another key alone",
            Note::sign(text, &[&other]).expect("legal").to_text(),
            "note-unverified",
        ),
        (
            "the key's own signature fails beside one that holds",
            format!(
                "{text}\n{}\n{line}",
                Note::sign("x\n", &[&ours]).expect("legal").signatures()[0].to_text()
            ),
            "note-unverified",
        ),
    ] {
        match (Note::parse(&note), error) {
            (Err(_), "note-malformed") => {}
            (Ok(parsed), "note-unverified") => assert!(parsed.verify(&[ours.verifier()]).is_err(), "{name}"),
            (found, _) => panic!("{name}: {found:?}"),
        }
        vectors.push(json!({ "name": name, "note": note, "keys": [vkey(&ours)], "error": error }));
    }
    let mut not_utf8 = signed.into_bytes();
    not_utf8[0] = 0xff;
    vectors.push(json!({ "name": "not UTF-8", "note_hex": hex::encode(not_utf8), "keys": [vkey(&ours)], "error": "note-malformed" }));
    vectors
}

fn checkpoints() -> Vec<Value> {
    let root = Hash::from_bytes([0x5a; 32]).to_base64();
    let empty = fairdeal::log::EMPTY_ROOT.to_base64();
    let mut vectors = Vec::new();
    for (name, text) in [
        (
            "the specification's example",
            "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
                .to_owned(),
        ),
        ("an empty tree", format!("cards.example/log\n0\n{empty}\n")),
        ("the largest tree", format!("cards.example/log\n9223372036854775807\n{root}\n")),
        ("extension lines", format!("cards.example/log\n1\n{root}\none\ntwo\n")),
        ("an origin with a space", format!("cards example log\n1\n{root}\n")),
    ] {
        let checkpoint = Checkpoint::parse(&text).expect("legal");
        vectors.push(json!({ "name": name, "text": text, "origin": checkpoint.origin(), "size": checkpoint.size().to_string(),
            "root": checkpoint.root().to_hex(), "extensions": checkpoint.extensions() }));
    }
    for (name, text) in [
        ("nothing", String::new()),
        ("two lines", "cards.example/log\n1\n".to_owned()),
        ("no line feed at the end", format!("cards.example/log\n1\n{root}")),
        ("no origin", format!("\n1\n{root}\n")),
        ("a size with a leading zero", format!("cards.example/log\n01\n{root}\n")),
        ("a size with a sign", format!("cards.example/log\n+1\n{root}\n")),
        ("a size past 2^63-1", format!("cards.example/log\n9223372036854775808\n{root}\n")),
        ("no size", format!("cards.example/log\n\n{root}\n")),
        ("a root of 31 bytes", format!("cards.example/log\n1\n{}\n", &root[..40])),
        ("a root without its padding", format!("cards.example/log\n1\n{}\n", root.trim_end_matches('='))),
        ("a root whose last bits are not zero", format!("cards.example/log\n1\n{}\n", "B".repeat(43) + "=")),
        ("an empty extension line", format!("cards.example/log\n1\n{root}\n\ntwo\n")),
    ] {
        assert!(Checkpoint::parse(&text).is_err(), "{name}");
        vectors.push(json!({ "name": name, "text": text, "error": "checkpoint-malformed" }));
    }
    vectors
}

fn tile_vectors() -> Vec<Value> {
    let mut vectors = Vec::new();
    for path in [
        "tile/0/000",
        "tile/0/x001/x234/067",
        "tile/0/273.p/112",
        "tile/1/001.p/17",
        "tile/2/000.p/1",
        "tile/63/000",
        "tile/entries/000",
        "tile/entries/x001/000.p/255",
        "tile/0/999",
    ] {
        let parsed = TilePath::parse(path).expect("legal");
        let level = match parsed.level() {
            Level::Entries => json!("entries"),
            Level::Hashes(level) => json!(level),
        };
        vectors.push(json!({ "name": path, "kind": "path", "path": path, "level": level, "index": parsed.index().to_string(),
            "width": parsed.width() }));
    }
    for path in [
        "",
        "tile/",
        "tile/0",
        "tile/0/",
        "tile/64/000",
        "tile/00/000",
        "tile/0/0",
        "tile/0/1000",
        "tile/0/x000/000",
        "tile/0/001/000",
        "tile/0/000.p/0",
        "tile/0/000.p/256",
        "tile/0/000.p/01",
        "tile/0/000.p",
        "tile/0/000.p/",
        "/tile/0/000",
        "tile/0/000/",
        "tile/data/000",
        "tile/8/000",
        "tile/-1/000",
        "tile/entries/x1/000",
        "tile/0/x001",
    ] {
        if TilePath::parse(path).is_err() {
            vectors.push(json!({ "name": format!("not a path: {path}"), "kind": "path", "path": path, "error": "tile-path" }));
        }
    }
    for (name, entries) in [
        ("one entry", vec![b"a".to_vec()]),
        ("an empty entry", vec![Vec::new(), b"b".to_vec()]),
        ("the longest entry", vec![vec![b'x'; 65_535]]),
    ] {
        let bytes = EntryBundle::new(entries.clone()).expect("legal").to_bytes();
        vectors.push(
            json!({ "name": name, "kind": "bundle", "bundle": hex::encode(bytes), "width": entries.len(),
            "entries": entries.iter().map(hex::encode).collect::<Vec<_>>() }),
        );
    }
    for (name, bundle, width) in [
        ("one byte of a length", "00", 1_u16),
        ("an entry cut short", "000361", 1),
        ("a byte left over", "0001616200", 1),
        ("fewer entries than its width", "000161", 2),
        ("more entries than its width", "000161000162", 1),
        ("nothing at all", "", 1),
    ] {
        assert!(EntryBundle::parse(&hex::decode(bundle).expect("hex"), width).is_err(), "{name}");
        vectors.push(
            json!({ "name": name, "kind": "bundle", "bundle": bundle, "width": width, "error": "bundle" }),
        );
    }
    for size in [0_u64, 1, 255, 256, 257, 65_536, 70_000] {
        let mut partial = Vec::new();
        let mut full = serde_json::Map::new();
        for path in tiles(size) {
            if path.width() < 256 {
                partial.push(path.to_text());
            } else {
                let level = match path.level() {
                    Level::Entries => "entries".to_owned(),
                    Level::Hashes(level) => level.to_string(),
                };
                let count = full.get(&level).and_then(Value::as_u64).unwrap_or(0) + 1;
                full.insert(level, json!(count));
            }
        }
        partial.sort();
        vectors.push(json!({ "name": format!("a tree of {size}"), "kind": "tree", "size": size, "tiles": partial, "counts": full }));
    }
    vectors
}

fn proofs() -> Vec<Value> {
    let leaves: Vec<Hash> = (0..300_u32).map(|i| leaf_hash(&i.to_be_bytes())).collect();
    let mut nodes = std::collections::BTreeMap::new();
    let mut roots = vec![fairdeal::log::EMPTY_ROOT];
    let mut tree = Frontier::new();
    for leaf in &leaves {
        tree.push_with(*leaf, |node, hash| {
            nodes.insert(node, hash);
        })
        .expect("room");
        roots.push(tree.root());
    }
    let fetch = |node| nodes.get(&node).copied().ok_or("kept");
    let at = |size: u64| roots[usize::try_from(size).expect("small")].to_hex();
    let hexes = |proof: &[Hash]| proof.iter().map(Hash::to_hex).collect::<Vec<_>>();
    let mut vectors = Vec::new();
    for (index, size) in [
        (0, 1),
        (0, 2),
        (1, 2),
        (2, 3),
        (0, 7),
        (6, 7),
        (5, 8),
        (255, 256),
        (256, 257),
        (0, 300),
        (299, 300),
        (128, 300),
    ] {
        let proof = ProofPlan::inclusion(index, size).expect("legal").prove(fetch).expect("kept");
        let leaf = leaves[usize::try_from(index).expect("small")].to_hex();
        let good = json!({ "name": format!("leaf {index} of {size}"), "kind": "inclusion", "leaf_hash": leaf, "index": index, "size": size,
            "root": at(size), "proof": hexes(&proof), "ok": true });
        let bad = |name: &str, field: &str, value: Value| {
            let mut vector = good.clone();
            let members = vector.as_object_mut().expect("an object");
            members.remove("ok");
            members.insert("name".into(), json!(format!("leaf {index} of {size}, {name}")));
            members.insert(field.into(), value);
            members.insert("error".into(), json!("proof"));
            vector
        };
        let mut longer = hexes(&proof);
        longer.push(at(size));
        vectors.push(bad("a hash too many", "proof", json!(longer)));
        vectors.push(bad("another leaf", "leaf_hash", json!(at(0))));
        vectors.push(bad("past the end", "index", json!(size)));
        if let [_, rest @ ..] = proof.as_slice() {
            vectors.push(bad("a hash too few", "proof", json!(hexes(rest))));
            vectors.push(bad("another place", "index", json!(index ^ 1)));
        }
        vectors.push(good);
    }
    for (old, size) in [
        (0, 0),
        (0, 5),
        (1, 1),
        (1, 2),
        (3, 7),
        (4, 8),
        (6, 8),
        (255, 256),
        (256, 300),
        (299, 300),
        (300, 300),
    ] {
        let proof = ProofPlan::consistency(old, size).expect("legal").prove(fetch).expect("kept");
        let good = json!({ "name": format!("{old} to {size}"), "kind": "consistency", "old_size": old, "old_root": at(old), "size": size,
            "root": at(size), "proof": hexes(&proof), "ok": true });
        let bad = |name: &str, field: &str, value: Value| {
            let mut vector = good.clone();
            let members = vector.as_object_mut().expect("an object");
            members.remove("ok");
            members.insert("name".into(), json!(format!("{old} to {size}, {name}")));
            members.insert(field.into(), value);
            members.insert("error".into(), json!("proof"));
            vector
        };
        let mut longer = hexes(&proof);
        longer.push(at(1));
        vectors.push(bad("a hash too many", "proof", json!(longer)));
        vectors.push(bad("another old root", "old_root", json!(at(100))));
        vectors.push(bad("from more than there is", "old_size", json!(size + 1)));
        if old != 0 && old != size {
            vectors.push(bad("another root", "root", json!(at(100))));
        }
        vectors.push(good);
    }
    vectors
}
