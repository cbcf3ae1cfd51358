//! Files to verify and their reader's inputs: the cases of `fixtures/attacks` with the command "verify".

#![expect(clippy::indexing_slicing, reason = "in a test, a panic is a failure with a place")]

use std::collections::BTreeMap;
use std::path::Path;

use fairdeal::deal::Label;
use fairdeal::log::VerifierKey;
use fairdeal::record::entry::PlayerKey;
use fairdeal::record::receipt::{Document, Own, ReaderGiven, ReceiptError, ReceiptVerdict, verify_several};
use serde_json::{Value, json};

use crate::question::{case_of, key_of, named_in, strip_says};

/// Receipts and openings, and everything that their reader has beside them. Files have a name and a text.
pub struct Brought {
    pub key: VerifierKey,
    pub files: Vec<(String, String)>,
    pub mine: Vec<(String, String)>,
    pub players: BTreeMap<String, String>,
    pub seat: Option<String>,
}

impl Brought {
    pub fn nothing(key: &VerifierKey) -> Self {
        let (files, mine, players) = (Vec::new(), Vec::new(), BTreeMap::new());
        Self { key: key.clone(), files, mine, players, seat: None }
    }

    /// The contents of a case's folder.
    pub fn read(folder: &Path) -> Self {
        let case = case_of(folder);
        let players = case["players"].as_object().expect("an object").iter();
        let players = players.map(|(from, key)| (from.clone(), key.as_str().expect("text").to_owned()));
        Self {
            key: key_of(folder),
            files: named_in(folder, &case, "files"),
            mine: named_in(folder, &case, "mine"),
            players: players.collect(),
            seat: case["seat"].as_str().map(str::to_owned),
        }
    }

    /// Writes its members of `case.json`.
    pub fn write(&self, case: &mut Value) {
        let names = |files: &[(String, String)]| files.iter().map(|(name, _)| json!(name)).collect::<Value>();
        case["files"] = names(&self.files);
        case["mine"] = names(&self.mine);
        case["players"] = json!(self.players);
        case["seat"] = json!(self.seat);
    }

    /// The verdict of spec/receipt.md, section 11.5, without free text; `None` if a file can't be read.
    pub fn verify(&self) -> Option<Value> {
        let mut read: Vec<(&str, Result<Document, String>)> = Vec::new();
        for (name, text) in &self.files {
            read.push(match Document::parse(text.as_bytes()) {
                Ok(document) => (name, Ok(document)),
                Err(ReceiptError::Invalid(says)) => (name, Err(says)),
                Err(_) => return None,
            });
        }
        let documents: Vec<(&str, &Document)> =
            read.iter().filter_map(|(name, document)| Some((*name, document.as_ref().ok()?))).collect();
        let (verdicts, among) = verify_several(&documents, &self.key, &self.given()?);
        let mut verdicts = verdicts.into_iter();
        let mut receipts = Vec::new();
        for (name, document) in &read {
            let verdict = match document {
                Ok(_) => verdicts.next().expect("one for each"),
                Err(says) => ReceiptVerdict::invalid(says),
            };
            let mut verdict = serde_json::to_value(verdict).expect("JSON");
            strip_says(&mut verdict);
            if let [_] = read.as_slice() {
                return Some(verdict);
            }
            verdict["file"] = json!(name);
            receipts.push(verdict);
        }
        let holds = among.is_empty() && receipts.iter().all(|verdict| verdict["holds"] == true);
        let mut together = json!({ "holds": holds, "findings": among, "receipts": receipts });
        strip_says(&mut together);
        Some(together)
    }

    fn given(&self) -> Option<ReaderGiven> {
        let mine = self.mine.iter().map(|(_, text)| Own::parse(text.as_bytes()).ok());
        let player = |(from, key): (&String, &String)| {
            (Label::new(from).expect("a label"), PlayerKey::parse(key).expect("a key"))
        };
        Some(ReaderGiven {
            mine: mine.collect::<Option<_>>()?,
            players: self.players.iter().map(player).collect(),
            seat: self.seat.as_ref().map(|seat| Label::new(seat).expect("a label")),
            ..ReaderGiven::default()
        })
    }
}
