//! The inputs to start from: the vectors of `fixtures/`, right and wrong ones, and a few others.

use fairdeal::log::{
    AddCheckpoint, Checkpoint, EMPTY_ROOT, KeyName, MemoryLog, Note, SignedCheckpoint, SignerKey,
    TlogProof, VerifierKey,
};
use fairdeal::record::receipt::{Document, ReceiptVerdict, verify};
use serde_json::Value;

/// The vectors of a file.
fn vectors(text: &str) -> Vec<Value> {
    let content: Value = serde_json::from_str(text).expect("the vectors are JSON");
    content.get("vectors").and_then(Value::as_array).expect("an array").clone()
}

fn note_vectors() -> Vec<Value> {
    vectors(include_str!("../../../fixtures/vectors/notes.json"))
}

fn receipt_vectors() -> Vec<Value> {
    vectors(include_str!("../../../fixtures/vectors/receipts.json"))
}

fn text(vector: &Value, field: &str) -> Option<Vec<u8>> {
    vector.get(field).and_then(Value::as_str).map(|text| text.as_bytes().to_vec())
}

fn bytes(vector: &Value, field: &str) -> Option<Vec<u8>> {
    let digits = || vector.get(format!("{field}_hex")).and_then(Value::as_str);
    text(vector, field).or_else(|| Some(hex::decode(digits()?).expect("hex")))
}

fn key_of(vector: &Value, at: &str) -> Option<VerifierKey> {
    VerifierKey::parse(vector.pointer(at).and_then(Value::as_str)?).ok()
}

/// Two bytes of width, before the input with that width.
fn wide(width: u64, bytes: &[u8]) -> Vec<u8> {
    [&u16::try_from(width).expect("a width").to_be_bytes(), bytes].concat()
}

pub fn policies() -> Vec<Vec<u8>> {
    let all = vectors(include_str!("../../../fixtures/vectors/policy.json"));
    all.iter().filter_map(|vector| text(vector, "policy")).collect()
}

/// The list of most raffles of the vectors.
pub const TICKETS: &str = include_str!("../../../fixtures/raffles/drawn/list.txt");

fn raffle_vectors() -> Vec<Value> {
    vectors(include_str!("../../../fixtures/vectors/raffle.json"))
}

pub fn raffles() -> Vec<Vec<u8>> {
    let all = raffle_vectors();
    all.iter().flat_map(|vector| [text(vector, "file"), text(vector, "beacon")]).flatten().collect()
}

pub fn entrant_links() -> Vec<Vec<u8>> {
    raffle_vectors().iter().filter_map(|vector| text(vector, "link")).collect()
}

pub fn tlog_proofs() -> Vec<Vec<u8>> {
    let signer = SignerKey::from_seed("cards.example/log".parse().expect("a name"), &[7; 32]);
    let mut log = MemoryLog::new();
    for entry in 0..9_u8 {
        log.append([entry]);
    }
    let checkpoint = log.checkpoint(&signer).expect("its own name").to_text();
    let proof = |index, extra: Option<&[u8]>| {
        let proof = log.inclusion_proof(index).expect("an entry");
        let (extra, checkpoint) = (extra.map(<[u8]>::to_vec), checkpoint.clone());
        TlogProof { extra, index, proof, checkpoint }.to_text().into_bytes()
    };
    vec![proof(0, None), proof(8, Some(b"extra")), proof(4, None)]
}

pub fn add_checkpoints() -> Vec<Vec<u8>> {
    let signer = SignerKey::from_seed("cards.example/log".parse().expect("a name"), &[7; 32]);
    let mut log = MemoryLog::new();
    for entry in 0..9_u8 {
        log.append([entry]);
    }
    let note = log.checkpoint(&signer).expect("its own name").to_text();
    let request = |old_size| {
        let proof = log.consistency_proof(old_size).expect("a smaller tree");
        let checkpoint = SignedCheckpoint::parse(&note).expect("a checkpoint");
        AddCheckpoint { old_size, proof, checkpoint }.to_text().into_bytes()
    };
    vec![request(0), request(5), request(9)]
}

pub fn notes() -> Vec<Vec<u8>> {
    note_vectors().iter().filter_map(|vector| bytes(vector, "note")).collect()
}

/// The keys of the notes that verify, and the texts that each key has signed.
pub fn signed_texts() -> Vec<(VerifierKey, Vec<String>)> {
    let mut signed: Vec<(VerifierKey, Vec<String>)> = Vec::new();
    for vector in note_vectors() {
        let Some(key) = key_of(&vector, "/keys/0") else { continue };
        if !signed.iter().any(|(known, _)| *known == key) {
            signed.push((key, Vec::new()));
        }
    }
    for note in notes().into_iter().chain(signed_heads()) {
        let Some(note) = std::str::from_utf8(&note).ok().and_then(|note| Note::parse(note).ok())
        else {
            continue;
        };
        for (key, texts) in &mut signed {
            if note.verify(&[key]).is_ok() {
                texts.push(note.text().to_owned());
            }
        }
    }
    signed
}

pub fn verifier_keys() -> Vec<Vec<u8>> {
    let keys = vectors(include_str!("../../../fixtures/vectors/keys.json"));
    keys.iter().filter_map(|vector| text(vector, "vkey")).collect()
}

pub fn signer_keys() -> Vec<Vec<u8>> {
    let signer =
        |(name, byte)| SignerKey::from_seed(KeyName::parse(name).expect("a name"), &[byte; 32]);
    let keys = [("cards.example/log", 7), ("x", 0), ("лог", 255)].map(signer);
    keys.iter().map(|key| key.to_secret_text().as_bytes().to_vec()).collect()
}

pub fn checkpoints() -> Vec<Vec<u8>> {
    let checkpoints = vectors(include_str!("../../../fixtures/vectors/checkpoints.json"));
    let texts = checkpoints.iter().filter_map(|vector| text(vector, "text"));
    texts.chain(notes()).chain(signed_heads()).collect()
}

/// The checkpoints of the receipts, in their notes.
fn signed_heads() -> Vec<Vec<u8>> {
    let files = documents();
    let read = files.iter().filter_map(|file| Document::parse(file).ok());
    read.map(|document| document.receipt().checkpoint.clone().into_bytes()).collect()
}

fn tile_vectors(kind: &str) -> Vec<Value> {
    let tiles = vectors(include_str!("../../../fixtures/vectors/tiles.json"));
    tiles
        .into_iter()
        .filter(|vector| vector.get("kind").is_some_and(|found| found == kind))
        .collect()
}

pub fn tile_paths() -> Vec<Vec<u8>> {
    tile_vectors("path").iter().filter_map(|vector| text(vector, "path")).collect()
}

pub fn hash_tiles() -> Vec<Vec<u8>> {
    [1, 2, 5, 256]
        .map(|width| wide(width, &[b'h'; 32].repeat(usize::try_from(width).expect("small"))))
        .to_vec()
}

pub fn entry_bundles() -> Vec<Vec<u8>> {
    let bundle = |vector: &Value| {
        let bytes = hex::decode(vector.get("bundle")?.as_str()?).expect("hex");
        Some(wide(vector.get("width")?.as_u64()?, &bytes))
    };
    tile_vectors("bundle").iter().filter_map(bundle).collect()
}

/// Each checkpoint with as many entries as it promises, but perhaps not the signed ones; and one
/// without entries.
pub fn exports() -> Vec<Vec<u8>> {
    let signer = SignerKey::from_seed(KeyName::parse("x").expect("a name"), &[0; 32]);
    let empty =
        Checkpoint::new("x", 0, EMPTY_ROOT).expect("legal").sign(&signer).expect("our own name");
    let heads = signed_heads().into_iter().chain([empty.to_text().into_bytes()]);
    let export = |head: Vec<u8>| {
        let size =
            SignedCheckpoint::parse(std::str::from_utf8(&head).ok()?).ok()?.unverified().size();
        let length = u32::try_from(head.len()).ok()?;
        let mut file = [b"fairdeal/export/v1\n".as_slice(), &length.to_be_bytes(), &head].concat();
        for _ in 0..size {
            file.extend(b"\x00\x05entry");
        }
        Some(file)
    };
    heads.filter_map(export).collect()
}

pub fn entries() -> Vec<Vec<u8>> {
    let entries = vectors(include_str!("../../../fixtures/vectors/entries.json"));
    entries.iter().filter_map(|vector| bytes(vector, "entry")).collect()
}

/// The key of the receipts.
pub fn key() -> VerifierKey {
    receipt_vectors().iter().find_map(|vector| key_of(vector, "/key")).expect("a key")
}

/// Receipts that hold, and files that are not receipts. Receipts with a fault are left out: without
/// it they may hold, and say what no honest one says.
pub fn documents() -> Vec<Vec<u8>> {
    let files = receipt_vectors();
    let faulty = |vector: &&Value| vector.get("exit").is_some_and(|exit| exit == 1);
    files
        .iter()
        .filter(|vector| !faulty(vector))
        .filter_map(|vector| text(vector, "file"))
        .collect()
}

pub fn evidence() -> Vec<Vec<u8>> {
    let files = vectors(include_str!("../../../fixtures/vectors/evidence.json"));
    files.iter().filter_map(|vector| text(vector, "file")).collect()
}

/// The verdicts on the honest receipts.
pub fn verdicts() -> Vec<ReceiptVerdict> {
    let (key, files) = (key(), documents());
    let verdicts = files.iter().filter_map(|file| Some(verify(&Document::parse(file).ok()?, &key)));
    verdicts.filter(|verdict| verdict.holds).collect()
}

pub fn lists() -> Vec<Vec<u8>> {
    let lists = ["", "\n", "anna\n", "anna\nbo b\nünal\n", "a\r\n", "\u{feff}a\n", "a\nb"];
    lists.map(|list| list.as_bytes().to_vec()).to_vec()
}

/// Two real rounds of several dialects, in every form.
pub fn rows() -> Vec<Vec<u8>> {
    let files = [
        include_str!("../../../fixtures/dialects/bustabit.json"),
        include_str!("../../../fixtures/dialects/duel-video-poker.json"),
        include_str!("../../../fixtures/dialects/fairdeal-v1.json"),
    ];
    let forms = |file: &str| {
        let file: Value = serde_json::from_str(file).expect("JSON");
        let rows: Vec<&Value> = file.get("rows")?.as_array()?.iter().take(2).collect();
        let lines: Vec<String> = rows.iter().map(ToString::to_string).collect();
        let array = format!("[{}]", lines.join(",\n"));
        Some([
            format!("{{\"dialect\":\"x\",\"rows\":{array},\"x\":[{{}}]}}"),
            lines.join("\n"),
            array,
        ])
    };
    let tables = [
        "game_id;hash;salt;bust\r\n12306894;8d3b9726;\"a \"\"b\"\"; c\";1.83\r\n\r\n;x;;2",
        "serverSeed,nonce,cards,held,x\nab,7,\"10H,AS\",10H,\n\"a\nb\",,10H AS 2C,,",
        "contributions\tdeck\n\"[{\"\"from\"\":\"\"a\"\",\"\"seed\"\":\"\"b\"\"}]\"\tstandard-52\n",
    ];
    let forms = files.into_iter().filter_map(forms).flatten().map(String::into_bytes);
    forms.chain(tables.map(|table| table.as_bytes().to_vec())).collect()
}

/// The contributions of every entry that has any.
pub fn contributions() -> Vec<Vec<u8>> {
    let entries = entries();
    let read = entries.iter().filter_map(|entry| serde_json::from_slice::<Value>(entry).ok());
    read.filter_map(|entry| Some(entry.get("contributions")?.to_string().into_bytes())).collect()
}
