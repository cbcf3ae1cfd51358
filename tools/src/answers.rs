//! This implementation's answers to cases, in the shape of the reference's answers.

#![allow(clippy::indexing_slicing, reason = "in a test, a panic is a failure with a place")]

use std::collections::BTreeMap;

use fairdeal::log::{EMPTY_ROOT, Frontier, Hash, VerifierKey, leaf_hash};
use fairdeal::record::entry::SeenCheckpoint;
use fairdeal::record::life::{Effect, Extent, Judge, View};
use fairdeal::record::receipt::{Given, SignedBy};
use fairdeal::record::{Entry, EntryError, Finding};
use fairdeal_audit::Times;
use fairdeal_schemes::dialect::{self, Checker, RowVerdict};
use fairdeal_schemes::rows::{Names, Rows};
use serde_json::{Value, json};

use crate::brought::{CaseFile, given, key_of, text_of, verify};
use crate::question::{Question, missed};

/// This implementation's answer to a case, in the reference's shape.
pub fn ours(case: &Value) -> Value {
    let bytes = |value: &Value| hex::decode(value.as_str().expect("text")).expect("hex");
    let key = || key_of(case);
    match case["kind"].as_str().expect("text") {
        "entry" => match Entry::parse(&bytes(&case["hex"])) {
            Ok(Entry::Other(_)) => json!({ "code": null, "entry_kind": "other-protocol" }),
            Ok(entry) => json!({ "code": null, "entry_kind": entry.kind() }),
            Err(EntryError::NotCanonical(_)) => {
                json!({ "code": "not-canonical", "entry_kind": null })
            }
            Err(_) => json!({ "code": "invalid-entry", "entry_kind": null }),
        },
        "files" => {
            let files = case["files"].as_array().expect("an array").iter();
            let file = |file: &Value| CaseFile {
                is_kept: file["kept"] == true,
                ..CaseFile::given(text_of(file, "name"), bytes(&file["hex"]))
            };
            let files: Vec<CaseFile> = files.map(file).collect();
            let (exit, verdict) = verify(&files, &key(), given(case), case["since"].as_str());
            json!({ "exit": exit, "verdict": verdict })
        }
        "entries" => {
            let extent =
                if case["excerpt"] == json!(true) { Extent::Excerpt } else { Extent::Whole };
            let entries: Vec<Vec<u8>> =
                case["entries"].as_array().expect("an array").iter().map(bytes).collect();
            json!({ "findings": judged(&entries, &key(), extent) })
        }
        "export" => {
            let mut question = Question::new(&key());
            question.times = Times { as_of: case["as_of"].as_u64(), clock: case["clock"].as_u64() };
            question.missed = missed(case);
            for note in case["since"].as_array().into_iter().flatten() {
                question.hold_against(note.as_str().expect("text").to_owned());
            }
            let verdict = question.try_audit_export(&bytes(&case["hex"])).ok();
            let exit = verdict.as_ref().map_or(3, |verdict| i32::from(!verdict.holds));
            let verdict = verdict.map(|verdict| crate::question::without_says(&verdict));
            json!({ "exit": exit, "verdict": verdict })
        }
        "mine" => json!({ "ok": Given::parse_kept(&bytes(&case["hex"])).is_ok() }),
        "rows" => {
            json!({ "rows": rows(case["dialect"].as_str().expect("text"), &bytes(&case["hex"])) })
        }
        other => panic!("{other} is no kind of case"),
    }
}

/// A log that is known from its first entry, with its roots; an excerpt has no roots.
struct Known<'a> {
    key: SignedBy<'a>,
    roots: Vec<Hash>,
}

impl View for Known<'_> {
    fn origin(&self) -> &str {
        self.key.origin()
    }

    fn key(&self) -> Option<&VerifierKey> {
        self.key.key()
    }

    fn is_signed(&self, seen: &SeenCheckpoint) -> bool {
        self.key.is_signed(seen)
    }

    fn has_another_root(&self, size: u64, root: &Hash) -> bool {
        let known = usize::try_from(size).ok().and_then(|size| self.roots.get(size));
        known.is_some_and(|known| known != root)
    }
}

/// The findings of judging entries in order, with replays.
fn judged(entries: &[Vec<u8>], key: &VerifierKey, extent: Extent) -> Value {
    let mut roots = Vec::new();
    if extent == Extent::Whole {
        let mut tree = Frontier::new();
        roots.push(EMPTY_ROOT);
        for entry in entries {
            tree.push(leaf_hash(entry)).expect("room");
            roots.push(tree.root());
        }
    }
    let mut judge = Judge::new(Known { key: SignedBy(key), roots }, extent);
    let mut waiting = BTreeMap::new();
    let mut found: Vec<Finding> = Vec::new();
    for (index, bytes) in (0_u64..).zip(entries) {
        let judged = judge.apply_bytes(index, bytes);
        found.extend(judged.findings);
        let Ok(entry) = Entry::parse(bytes) else { continue };
        let Some(commitment) = entry.commitment() else { continue };
        match judged.effect {
            Some(Effect::Dealt(nonce, Some(deal))) => {
                drop(waiting.insert((commitment, nonce), deal));
            }
            Some(Effect::Revealed(seed)) => {
                let life = judge.life(&commitment).expect("it has effect");
                let mac = seed.seed().mac();
                let own = waiting.iter().filter(|((of, _), _)| *of == commitment);
                found.extend(own.filter_map(|(_, deal)| deal.replay(&life.commit, &mac)));
            }
            _ => {}
        }
    }
    let mut found: Vec<(String, Option<u64>)> =
        found.iter().map(|finding| (finding.code.as_str().to_owned(), finding.index)).collect();
    found.sort();
    json!(found)
}

/// The first letters of the verdicts on a file's rows; `None` if the file cannot be read.
fn rows(dialect: &str, bytes: &[u8]) -> Option<String> {
    let scheme = dialect::find(dialect).expect("known");
    let mut checker = Checker::new(scheme);
    let mut rows = Rows::new(bytes, Names::of(scheme));
    let mut letters = String::new();
    while let Some(batch) = rows.next_batch().ok()? {
        for row in batch.rows(0..batch.len()) {
            let verdict =
                row.round.map_or(RowVerdict::Unreadable, |round| checker.check(&round).verdict);
            letters.extend(verdict.as_str().chars().next());
        }
    }
    Some(letters)
}

/// A verdict without the free text of its findings.
pub fn without_says(mut verdict: Value) -> Value {
    let findings = verdict.get_mut("findings").and_then(Value::as_array_mut);
    for finding in findings.into_iter().flatten() {
        if let Some(finding) = finding.as_object_mut() {
            finding.remove("says");
        }
    }
    verdict
}
