//! Files to verify and their reader's inputs, as vectors and attacks have them
//! (fixtures/README.md).

#![expect(clippy::indexing_slicing, reason = "in a test, a panic is a failure with a place")]

use fairdeal::deal::{Commitment, Label};
use fairdeal::log::{Policy, VerifierKey, Witness, verify_checkpoint};
use fairdeal::record::entry::PlayerKey;
use fairdeal::record::receipt::{Given, ReaderGiven, SeenHead};
use fairdeal_audit::answer::{Content, JudgedFile, JudgedFiles, ReadFile, Reading, ReceiptsAnswer};
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

/// A policy as the vectors have it.
pub fn policy_in_json(policy: &Policy) -> Value {
    let key = |one: &Witness| one.key.to_text();
    let twice = policy.counted_twice();
    json!({
        "hash": hex::encode(policy.hash()),
        "logs": policy.logs().iter().map(|log| log.key.to_text()).collect::<Vec<_>>(),
        "witnesses": policy.witnesses().iter().map(key).collect::<Vec<_>>(),
        "q": policy.liars_for_times(),
        "v": policy.liars_for_two_views(),
        "counted_twice": twice.iter().map(|(a, b)| [key(a), key(b)]).collect::<Vec<_>>(),
    })
}

/// The policy of a case, if it has one.
pub fn policy_of(case: &Value) -> Option<Policy> {
    case["policy"].as_str().map(|text| Policy::parse(text.as_bytes()).expect("a policy"))
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
        policy: policy_of(case),
        ..ReaderGiven::default()
    }
}

/// A file of a case.
#[derive(Debug)]
pub struct CaseFile {
    /// Its name.
    pub name: String,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// Whether the reader kept it.
    pub is_kept: bool,
}

impl CaseFile {
    /// A file that somebody gave the reader.
    pub fn given(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Self { name: name.to_owned(), bytes: bytes.into(), is_kept: false }
    }

    /// A file that the reader kept.
    pub fn kept(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Self { is_kept: true, ..Self::given(name, bytes) }
    }
}

/// A case's `files`: JSON as `file`, or exactly this `text`.
pub fn files(case: &Value) -> Vec<CaseFile> {
    let text = |one: &Value| match &one["text"] {
        Value::String(text) => text.clone(),
        _ => format!("{:#}\n", one["file"]),
    };
    let file = |one: &Value| CaseFile {
        is_kept: one["kept"] == true,
        ..CaseFile::given(text_of(one, "name"), text(one))
    };
    case["files"].as_array().expect("an array").iter().map(file).collect()
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
/// free text and without the members that it may add; no verdict if there is none. `since` is the
/// note of a saved view; no log is given.
pub fn verify(
    files: &[CaseFile],
    key: &VerifierKey,
    mut given: ReaderGiven,
    since: Option<&str>,
) -> (i32, Option<Value>) {
    let mut reading = Reading::default();
    for file in files {
        reading.add(&file.name, &file.bytes, file.is_kept, &mut given);
    }
    let is_unread = |file: &ReadFile| matches!(file.content, Content::Unread(_));
    let mut is_unchecked = reading.files.iter().any(is_unread);
    if reading.files.iter().all(is_unread) {
        return (3, None);
    }
    let saved = since.map(|note| verify_checkpoint(note, key));
    let Ok(saved) = saved.transpose() else { return (3, None) };
    match &saved {
        Some(saved) if !saved.extensions().is_empty() => return (3, None),
        Some(saved) if saved.size() == 0 => return (2, None),
        _ => {}
    }
    let head = since.map(|note| (String::new(), SeenHead::of(note.to_owned())));
    given.heads.extend(head);
    let mut judged = JudgedFiles::of(reading, Some(key), &given);
    if given.seat.is_some() && !judged.may_have_an_opening() {
        return (2, None);
    }
    let is_found = !judged.together.is_empty() || judged.judged().any(|file| !file.verdict.holds);
    for file in &mut judged.files {
        let (JudgedFile::Judged(file), Some(saved)) = (file, &saved) else { continue };
        if file.takes_the_log_at(saved.size()) {
            file.set_apart();
            is_unchecked = true;
        }
    }
    is_unchecked |= judged.is_of_another_round();
    let verdict = without_added(json!(ReceiptsAnswer::of(&judged)));
    (if is_found { 1 } else { 3 * i32::from(is_unchecked) }, Some(verdict))
}

/// The same for one file alone: the verdict is that on the file.
pub fn verify_alone(text: &str, key: &VerifierKey, given: ReaderGiven) -> (i32, Option<Value>) {
    let (exit, verdict) = verify(&[CaseFile::given("", text)], key, given, None);
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

/// A command's answer to a vector of evidence.
pub fn judged_evidence(vector: &Value) -> (i32, Option<Value>) {
    let file = CaseFile {
        is_kept: vector["kept"] == true,
        ..CaseFile::given("evidence.json", text_of(vector, "file"))
    };
    verify(&[file], &key_of(vector), ReaderGiven::default(), None)
}

/// What a command says of a case's files.
pub fn judged(case: &Value) -> (i32, Option<Value>) {
    verify(&files(case), &key_of(case), given(case), case["since"].as_str())
}
