//! Files to verify and their reader's inputs, as vectors and attacks have them
//! (fixtures/README.md).

#![expect(clippy::indexing_slicing, reason = "in a test, a panic is a failure with a place")]

use fairdeal::deal::Label;
use fairdeal::log::VerifierKey;
use fairdeal::record::entry::PlayerKey;
use fairdeal::record::receipt::{
    Document, Given, ReaderGiven, ReceiptError, ReceiptVerdict, State, verify_several,
};
use serde_json::{Value, json};

use crate::answers::without_says;

/// The text of a member.
pub fn text_of<'a>(case: &'a Value, member: &str) -> &'a str {
    case[member].as_str().unwrap_or_else(|| panic!("{member} is no text in {case}"))
}

/// The key of a case.
pub fn key_of(case: &Value) -> VerifierKey {
    VerifierKey::parse(text_of(case, "key")).expect("a key")
}

/// The members of a case for its reader's inputs; each of them may be absent.
pub fn given(case: &Value) -> ReaderGiven {
    let own = |own: &Value| Given::parse_kept(own.to_string().as_bytes()).expect("a contribution");
    let label = |text: &str| Label::new(text).expect("a label");
    let players = case["players"].as_object().into_iter().flatten();
    let player = |(from, key): (&String, &Value)| {
        (label(from), PlayerKey::parse(key.as_str().expect("text")).expect("a key"))
    };
    ReaderGiven {
        mine: case["mine"].as_array().into_iter().flatten().map(own).collect(),
        players: players.map(player).collect(),
        seat: case["seat"].as_str().map(label),
        ..ReaderGiven::default()
    }
}

/// The names and the contents of a case's `files`: JSON as `file`, or exactly this `text`.
pub fn files(case: &Value) -> Vec<(&str, String)> {
    let text = |one: &Value| match &one["text"] {
        Value::String(text) => text.clone(),
        _ => format!("{:#}\n", one["file"]),
    };
    let files = case["files"].as_array().expect("an array").iter();
    files.map(|one| (text_of(one, "name"), text(one))).collect()
}

/// The verdict of spec/receipt.md, section 11.5, on files, without free text; `None` if a file
/// can't be read.
pub fn verify(
    files: &[(&str, impl AsRef<[u8]>)],
    key: &VerifierKey,
    given: &ReaderGiven,
) -> Option<Value> {
    let mut read: Vec<(&str, Result<Document, String>)> = Vec::new();
    for (name, text) in files {
        read.push(match Document::parse(text.as_ref()) {
            Ok(document) => (name, Ok(document)),
            Err(ReceiptError::Invalid(says)) => (name, Err(says)),
            Err(_) => return None,
        });
    }
    let documents: Vec<(&str, &Document)> =
        read.iter().filter_map(|(name, document)| Some((*name, document.as_ref().ok()?))).collect();
    let (verdicts, among) = verify_several(&documents, key, given);
    let mut verdicts = verdicts.into_iter();
    let judged = |(name, document): &(&str, Result<Document, String>)| {
        let verdict = match document {
            Ok(_) => verdicts.next().expect("one for each"),
            Err(says) => ReceiptVerdict::invalid(says),
        };
        let mut verdict = without_says(json!(verdict));
        verdict["file"] = json!(name);
        verdict
    };
    let receipts: Vec<Value> = read.iter().map(judged).collect();
    let holds = among.is_empty() && receipts.iter().all(|verdict| verdict["holds"] == true);
    let states: Vec<Option<State>> =
        receipts.iter().map(|one| State::named(one["state"].as_str()?)).collect();
    let mut all = json!({ "holds": holds });
    if let Some(state) = State::of_several(!among.is_empty(), &states) {
        all["state"] = json!(state);
    }
    all["findings"] = json!(among);
    all["receipts"] = json!(receipts);
    Some(without_says(all))
}

/// The verdict on a case's files.
pub fn judged(case: &Value) -> Option<Value> {
    verify(&files(case), &key_of(case), &given(case))
}
