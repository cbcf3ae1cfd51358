//! Reading and writing entries, and verifying a receipt, each beside the least work that it needs.
//!
//! The floor of reading an entry is serde's own reading to a `Value`, since something has to read
//! the JSON. Its second row adds the leaf's hash, which an audit needs anyway. The floor of writing
//! one is a copy of its bytes and the leaf's hash. The floor of a receipt is its cryptography: the
//! Ed25519 signature, the tree's hashes, and the primitives of the deal.

#[path = "support.rs"]
mod support;

use std::hint::black_box;

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use ed25519_dalek::{Signature, VerifyingKey};
use fairdeal::deal::{Contribution, Contributions, Nonce, message};
use fairdeal::log::{SignedCheckpoint, VerifierKey, leaf_hash, verify_inclusion};
use fairdeal::record::Entry;
use fairdeal::record::receipt::{Document, Receipt, verify};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::{Digest, Sha256};
use support::{Outcome, Table};

fn main() -> Outcome {
    let table = Table::new("record", 400);
    entries(&table)?;
    receipts(&table)
}

/// The vector of this name.
fn vector(file: &str, name: &str) -> Result<Value, Box<dyn std::error::Error>> {
    let text =
        std::fs::read(format!("{}/fixtures/vectors/{file}.json", env!("CARGO_MANIFEST_DIR")))?;
    let mut content: Value = serde_json::from_slice(&text)?;
    let vectors =
        content.pointer_mut("/vectors").and_then(Value::as_array_mut).ok_or("no vectors")?;
    let found = vectors
        .iter_mut()
        .find(|vector| vector.pointer("/name").is_some_and(|found| found == name));
    Ok(found.ok_or(format!("no vector is called {name:?}"))?.take())
}

fn text(vector: &Value, field: &str) -> Result<String, Box<dyn std::error::Error>> {
    Ok(vector.get(field).and_then(Value::as_str).ok_or("no text")?.to_owned())
}

fn entries(table: &Table) -> Outcome {
    for name in ["a deal", "a commit", "a lock with seats", "a reveal"] {
        let bytes = text(&vector("entries", name)?, "entry")?.into_bytes();
        let entry = Entry::parse(&bytes)?;
        let row = |what: &str| format!("{what} {name}, {} B", bytes.len());
        table.row(
            &row("read"),
            || Entry::parse(black_box(&bytes)),
            || serde_json::from_slice::<Value>(black_box(&bytes)),
        );
        table.row(
            &(row("read") + ", by its leaf's hash"),
            || Entry::parse(black_box(&bytes)),
            || leaf_hash(black_box(&bytes)),
        );
        table.row(
            &row("write"),
            || black_box(&entry).to_text(),
            || {
                let copy = black_box(&bytes).clone();
                (leaf_hash(&copy), copy)
            },
        );
    }
    Ok(())
}

fn receipts(table: &Table) -> Outcome {
    for name in ["a revealed round", "the same entries in a larger log", "before the reveal"] {
        let vector = vector("receipts", name)?;
        let (file, key) =
            (text(&vector, "file")?.into_bytes(), VerifierKey::parse(&text(&vector, "key")?)?);
        let document = Document::parse(&file)?;
        if !verify(&document, &key).holds {
            return Err(format!("{name} does not hold").into());
        }
        let bare = Bare::of(document.receipt(), &key)?;
        table.row(
            &format!("verify {name}"),
            || Document::parse(black_box(&file)).map(|document| verify(&document, &key)),
            || bare.verify(),
        );
    }
    Ok(())
}

/// The inputs of the hashes and the signature in a receipt's verification, prepared beforehand.
struct Bare<'a> {
    receipt: &'a Receipt,
    checkpoint: SignedCheckpoint,
    key: VerifyingKey,
    signature: Signature,
    message: Vec<u8>,
}

impl<'a> Bare<'a> {
    fn of(receipt: &'a Receipt, key: &VerifierKey) -> Result<Self, Box<dyn std::error::Error>> {
        let checkpoint = SignedCheckpoint::parse(&receipt.checkpoint)?;
        let signature = checkpoint.note().signatures().first().ok_or("no signature")?.bytes();
        let player = Contributions::of_clients(vec![Contribution::new("alice", "lucky")?])?;
        Ok(Self {
            receipt,
            key: VerifyingKey::from_bytes(key.public_key())?,
            signature: Signature::from_slice(signature)?,
            message: message(Nonce::new(0)?, &player),
            checkpoint,
        })
    }

    fn verify(&self) -> Result<[u8; 256], Box<dyn std::error::Error>> {
        self.key.verify_strict(self.checkpoint.note().text().as_bytes(), &self.signature)?;
        let head = self.checkpoint.unverified();
        for one in &self.receipt.entries {
            let leaf = leaf_hash(one.entry.as_bytes());
            verify_inclusion(&leaf, one.index.value(), head.size(), &one.proof, head.root())?;
        }
        let mut stream = [0; 256];
        if self.receipt.entries.len() > 2 {
            let commitment = Sha256::digest([7; 32]);
            let key =
                Hmac::<Sha256>::new_from_slice(&commitment)?.chain_update(&self.message).finalize();
            ChaCha20::new(&key.into_bytes(), &[0; 12].into()).apply_keystream(&mut stream);
        }
        Ok(stream)
    }
}
