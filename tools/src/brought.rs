//! Files to verify and their reader's inputs, as vectors and attacks have them
//! (fixtures/README.md).

#![expect(clippy::indexing_slicing, reason = "in a test, a panic is a failure with a place")]

use fairdeal::deal::{Commitment, Label};
use fairdeal::log::VerifierKey;
use fairdeal::record::entry::PlayerKey;
use fairdeal::record::receipt::{Given, ReaderGiven};
use fairdeal_audit::answer::{Content, JudgedFiles, Reading, ReceiptsAnswer};
use serde_json::{Value, json};

use crate::answers::without_says;
use crate::paper::{Player, paper_key};

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

/// A contribution that its reader remembers.
pub fn own(from: &str, seed: &str) -> Value {
    json!({ "from": from, "seed": seed })
}

/// An object with more members, or with other values of them.
pub fn with(mut base: Value, members: &Value) -> Value {
    base.as_object_mut()
        .expect("an object")
        .extend(members.as_object().expect("an object").clone());
    base
}

/// The members for the round of a contribution to a paper log.
pub fn round_of(commitment: &Commitment, nonce: u64) -> Value {
    json!({ "log": paper_key().to_text(), "commitment": commitment, "nonce": nonce })
}

/// What a player keeps of a hashed contribution.
pub fn kept(player: &Player, commitment: &Commitment, nonce: u64) -> Value {
    let hash = player.hashed(commitment, nonce).hash;
    let own = json!({
        "from": player.from, "seed": player.seed, "blind": player.blind.to_text(), "hash": hash,
    });
    with(own, &round_of(commitment, nonce))
}

/// What a command says of files (spec/receipt.md, 11.5): its exit code, and its verdict without
/// free text and without the members that it may add; no verdict if there is none.
pub fn verify(
    files: &[(&str, impl AsRef<[u8]>)],
    key: &VerifierKey,
    mut given: ReaderGiven,
) -> (i32, Option<Value>) {
    let mut reading = Reading::default();
    for (name, text) in files {
        reading.add(name, text.as_ref(), &mut given);
    }
    let unread =
        reading.files.iter().filter(|(_, content)| matches!(content, Content::Unread(_))).count();
    if unread == reading.files.len() {
        return (3, None);
    }
    let judged = JudgedFiles::of(reading, Some(key), &given);
    if given.seat.is_some() && !judged.may_have_an_opening() {
        return (2, None);
    }
    let is_found = !judged.together.is_empty() || judged.judged().any(|file| !file.verdict.holds);
    let verdict = without_added(json!(ReceiptsAnswer::of(&judged)));
    (if is_found { 1 } else { 3 * i32::from(unread > 0) }, Some(verdict))
}

/// The same for one file alone: the verdict is that on the file.
pub fn verify_alone(text: &str, key: &VerifierKey, given: ReaderGiven) -> (i32, Option<Value>) {
    let (exit, verdict) = verify(&[("", text)], key, given);
    let alone = verdict.map(|mut verdict| {
        let mut alone = verdict["receipts"][0].take();
        alone.as_object_mut().expect("a verdict").remove("file");
        alone
    });
    (exit, alone)
}

/// A command's verdict without free text, and without the members that it may add.
pub fn without_added(verdict: Value) -> Value {
    let mut verdict = without_says(verdict);
    for added in ["known", "continues", "says"] {
        verdict.as_object_mut().expect("a verdict").remove(added);
    }
    for receipt in verdict["receipts"].as_array_mut().expect("a list") {
        *receipt = without_says(receipt.take());
        let receipt = receipt.as_object_mut().expect("a verdict");
        for added in ["table", "time", "opened"] {
            receipt.remove(added);
        }
        if receipt.contains_key("seal") {
            receipt.remove("cards");
            receipt.remove("indices");
        }
        if let Some(error) = receipt.get_mut("error").and_then(Value::as_object_mut) {
            error.remove("says");
        }
    }
    verdict
}

/// What a command says of a case's files.
pub fn judged(case: &Value) -> (i32, Option<Value>) {
    verify(&files(case), &key_of(case), given(case))
}
