//! The attacks of `fixtures/attacks`, a JSON file each (fixtures/README.md).

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fairdeal::log::{EntryBundle, TilePath};
use serde_json::{Value, json};

use crate::brought;
use crate::paper::write_files;
use crate::question::{Question, missed, without_says};

/// All attacks, by name.
pub fn attacks() -> Vec<(String, Value)> {
    let folder = crate::root().join("fixtures/attacks");
    let mut attacks: Vec<_> = std::fs::read_dir(folder)
        .expect("part of the project")
        .map(|file| {
            let path = file.expect("readable").path();
            let name = path.file_stem().and_then(|name| name.to_str()).expect("UTF-8").to_owned();
            let text = std::fs::read(path).expect("a file");
            (name, serde_json::from_slice(&text).expect("JSON"))
        })
        .collect();
    attacks.sort_by(|(one, _), (other, _)| one.cmp(other));
    attacks
}

/// The member of a case for a log's files.
pub fn log_value(files: &BTreeMap<String, Vec<u8>>) -> Value {
    let text = |bytes: &[u8]| json!(std::str::from_utf8(bytes).expect("text"));
    let value = |(path, bytes): (&String, &Vec<u8>)| {
        let value = if path == "checkpoint" {
            text(bytes)
        } else if path.starts_with("tile/entries/") {
            let width = TilePath::parse(path).expect("a path").width();
            let bundle = EntryBundle::parse(bytes, width).expect("a bundle");
            bundle.entries().iter().map(|entry| text(entry)).collect()
        } else {
            json!(STANDARD.encode(bytes))
        };
        (path.clone(), value)
    };
    files.iter().map(value).collect()
}

/// The files of an audited log.
pub fn log_files(case: &Value) -> BTreeMap<String, Vec<u8>> {
    let bytes = |value: &Value| STANDARD.decode(value.as_str().expect("text")).expect("base64");
    let file = |(path, value): (&String, &Value)| {
        let entry = |entry: &Value| entry.as_str().expect("text").as_bytes().to_vec();
        let bytes = match value {
            Value::Array(entries) => {
                EntryBundle::new(entries.iter().map(entry).collect()).expect("a bundle").to_bytes()
            }
            _ if path == "checkpoint" => entry(value),
            _ => bytes(value),
        };
        (path.clone(), bytes)
    };
    match case.get("export") {
        Some(export) => BTreeMap::from([("export".to_owned(), bytes(export))]),
        None => case["log"].as_object().expect("an object").iter().map(file).collect(),
    }
}

/// What a command says of an attack: its exit code, and the verdict without free text, if there is
/// one.
pub fn judged(case: &Value) -> (i32, Option<Value>) {
    match brought::text_of(case, "command") {
        "audit" => {
            let folder = tempfile::tempdir().expect("a folder");
            write_files(folder.path(), &log_files(case));
            let mut question = Question::new(&brought::key_of(case));
            question.times.as_of = case["as_of"].as_u64();
            question.times.clock = case["clock"].as_u64();
            question.missed = missed(case);
            question.policy = case["policy"].as_str().map(str::to_owned);
            let verdict =
                question.try_audit(folder.path()).ok().map(|verdict| without_says(&verdict));
            let exit = verdict.as_ref().map_or(3, |verdict| i32::from(verdict["holds"] != true));
            (exit, verdict)
        }
        "verify" => brought::judged(case),
        other => panic!("{other} judges nothing"),
    }
}
