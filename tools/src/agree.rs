//! Thousands of generated documents, judged here and by the reference: both give the same verdict,
//! or both give none.
//!
//! The documents are those of the fixtures with changes in their structure. A case names its kind,
//! so that the reference can judge it alone. The answers are compared without free text.

#![allow(
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "in a test, a panic is a failure with a place, and these choices need no evenness"
)]

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use fairdeal::record::Entry;
use serde_json::{Value, json};

use crate::answers::ours;
use crate::dice::Dice;
use crate::mutation::Json;
use crate::paper::PaperLog;
use crate::random_log::Writer;
use crate::tables::{self, Listed};

/// The documents to change.
pub struct Corpus {
    /// Files with their key and their reader's inputs.
    receipts: Vec<(Value, String, Value)>,
    /// Evidence with its key.
    evidence: Vec<(Value, String)>,
    /// Vectors of several files, with what the reader kept.
    several: Vec<Value>,
    entries: Vec<Value>,
    /// Whole logs, entry by entry, with their keys.
    logs: Vec<(Vec<Vec<u8>>, String)>,
    mine: Vec<Value>,
    rows: Vec<(String, Value)>,
    names: Vec<Listed>,
}

fn fixture(path: &str) -> Value {
    let path = crate::root().join("fixtures").join(path);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).expect("JSON")
}

fn vectors(name: &str) -> Vec<Value> {
    fixture(&format!("vectors/{name}.json"))["vectors"].as_array().expect("an array").clone()
}

impl Corpus {
    pub fn read() -> Self {
        let mut receipts = Vec::new();
        let mut mine = Vec::new();
        for vector in vectors("receipts") {
            let Ok(file) = serde_json::from_str(vector["file"].as_str().expect("text")) else {
                continue;
            };
            let given = json!({ "mine": vector["mine"], "players": vector["players"], "seat": vector["seat"] });
            mine.extend(vector["mine"].as_array().into_iter().flatten().cloned());
            receipts.push((file, vector["key"].as_str().expect("text").to_owned(), given));
        }
        let evidence = vectors("evidence").into_iter().filter_map(|vector| {
            let file = serde_json::from_str(vector["file"].as_str()?).ok()?;
            Some((file, vector["key"].as_str()?.to_owned()))
        });
        let evidence = evidence.collect();
        let several = vectors("several");
        let text = |vector: &Value| serde_json::from_str(vector["entry"].as_str()?).ok();
        let entries = vectors("entries").iter().filter_map(text).collect();
        let root = crate::root().join("fixtures/logs");
        let mut folders: Vec<_> = std::fs::read_dir(root)
            .expect("the logs")
            .map(|f| f.expect("readable").path())
            .collect();
        folders.sort();
        let logs = folders.iter().filter_map(|folder| log(folder)).collect();
        let mut rows = Vec::new();
        for dialect in fairdeal_schemes::dialect::ALL {
            let file = fixture(&format!("dialects/{}.json", dialect.name.replace('/', "-")));
            let some: Vec<Value> =
                file["rows"].as_array().expect("an array").iter().take(3).cloned().collect();
            rows.push((dialect.name.to_owned(), json!(some)));
        }
        Self { receipts, evidence, several, entries, logs, mine, rows, names: tables::listed() }
    }

    /// A document, and the question to the reference.
    pub fn case(&self, dice: &mut Dice) -> Value {
        let mut case = self.bare_case(dice);
        if case["kind"] == "files" {
            keep(&mut case, dice);
        }
        case
    }

    fn bare_case(&self, dice: &mut Dice) -> Value {
        match dice.below(20) {
            16..19 => of_random_log(dice),
            19 => self.evidence(dice),
            0..3 => {
                json!({ "kind": "entry", "hex": hex::encode(mutated_entry(dice.of(&self.entries), dice)) })
            }
            3..8 => {
                let (file, key, given) = dice.of(&self.receipts).clone();
                let mine = self.given(&given, dice);
                let seat = if dice.one_in(12) { json!("alice") } else { given["seat"].clone() };
                json!({
                    "kind": "files", "files": [named("a", mutated_file(&file, dice))], "key": key,
                    "mine": mine, "players": object(&given["players"]), "seat": seat,
                })
            }
            8 => self.several(dice),
            9 => {
                let (first, key, given) = dice.of(&self.receipts).clone();
                let same: Vec<_> =
                    self.receipts.iter().filter(|(_, other, _)| *other == key).collect();
                let (second, ..) = (*dice.of(&same)).clone();
                let mut file = |name, file: &Value| {
                    named(
                        name,
                        if dice.one_in(2) { file.to_string() } else { mutated_file(file, dice) },
                    )
                };
                let files = [file("a", &first), file("b", &second)];
                let mine = self.given(&given, dice);
                let seat = if dice.one_in(6) { json!("alice") } else { Value::Null };
                json!({
                    "kind": "files", "files": files, "key": key, "mine": mine,
                    "players": object(&given["players"]), "seat": seat,
                })
            }
            10..14 => {
                let (entries, key) = dice.of(&self.logs);
                let (entries, is_excerpt) = (self.mutated_log(entries, dice), dice.one_in(2));
                json!({ "kind": "entries", "entries": entries, "key": key, "excerpt": is_excerpt, "first": 0 })
            }
            14 if !self.mine.is_empty() => {
                json!({ "kind": "mine", "hex": hex::encode(changed(dice.of(&self.mine), dice)) })
            }
            _ => self.rows(dice),
        }
    }

    /// A file of rows, and the question to another implementation.
    pub fn rows(&self, dice: &mut Dice) -> Value {
        let (dialect, rows) = dice.of(&self.rows);
        // Rows without a commitment need no walk down a chain, which takes a second.
        let is_table = !dice.one_in(if dialect == "bustabit" { 24 } else { 3 });
        let file = match rows.as_array() {
            Some(some) if is_table => tables::file(dialect, some, &self.names, dice),
            _ => changed(rows, dice).into_bytes(),
        };
        json!({ "kind": "rows", "dialect": dialect, "hex": hex::encode(file) })
    }

    /// Evidence with a change, alone or beside a receipt.
    fn evidence(&self, dice: &mut Dice) -> Value {
        let (file, key) = dice.of(&self.evidence);
        let text = if dice.one_in(6) { file.to_string() } else { changed(file, dice) };
        let mut files = vec![named("evidence.json", text)];
        if dice.one_in(3) {
            files.push(named("b", dice.of(&self.receipts).0.to_string()));
        }
        json!({ "kind": "files", "files": files, "key": key, "mine": [], "players": {}, "seat": null })
    }

    /// Several files of which one is changed or missing.
    fn several(&self, dice: &mut Dice) -> Value {
        let vector = dice.of(&self.several);
        let mut files: Vec<Value> = vector["files"].as_array().expect("an array").clone();
        let at = dice.below(files.len());
        if files.len() > 1 && dice.one_in(4) {
            files.remove(at);
        } else if dice.one_in(2)
            && let Ok(file) = serde_json::from_str(files[at]["text"].as_str().expect("text"))
        {
            files[at]["text"] = json!(mutated_file(&file, dice));
        }
        for file in &mut files {
            file["hex"] = json!(hex::encode(file["text"].as_str().expect("text")));
        }
        let mut case = json!({
            "kind": "files", "files": files, "key": vector["key"], "seat": vector["seat"],
            "mine": self.given(vector, dice), "players": object(&vector["players"]),
        });
        if vector["since"].is_string() {
            case["since"] = vector["since"].clone();
        }
        case
    }

    fn given(&self, given: &Value, dice: &mut Dice) -> Value {
        match given["mine"].as_array() {
            Some(mine) => json!(mine),
            None if !self.mine.is_empty() && dice.one_in(4) => json!([dice.of(&self.mine)]),
            None => json!([]),
        }
    }

    fn mutated_log(&self, entries: &[Vec<u8>], dice: &mut Dice) -> Vec<String> {
        let mut entries: Vec<Vec<u8>> = entries.to_vec();
        for _ in 0..=dice.below(2) {
            let at = dice.below(entries.len());
            match dice.below(5) {
                0 => drop(entries.remove(at)),
                1 => entries.push(entries[at].clone()),
                2 => {
                    let with = dice.below(entries.len());
                    entries.swap(at, with);
                }
                3 => entries[at] = mutated_entry(dice.of(&self.entries), dice).into_bytes(),
                _ => {
                    if let Ok(value) = serde_json::from_slice::<Value>(&entries[at]) {
                        entries[at] = mutated_entry(&value, dice).into_bytes();
                    }
                }
            }
            if entries.is_empty() {
                break;
            }
        }
        entries.into_iter().map(hex::encode).collect()
    }
}

/// One or two receipts of a generated log, honest or not, at two sizes of it.
fn of_random_log(dice: &mut Dice) -> Value {
    let (log, saved) = Writer::new(dice).write();
    if dice.one_in(3) {
        return audited(&log, &saved, dice);
    }
    let sizes = [dice.below(log.entries().len()) + 1, log.entries().len()];
    let files: Vec<String> =
        sizes.iter().filter_map(|size| random_receipt(&log, *size, dice)).collect();
    let key = log.key().to_text();
    match files.as_slice() {
        [] => json!({ "kind": "entry", "hex": hex::encode(&log.entries()[0]) }),
        files => {
            let most = if dice.one_in(3) { 1 } else { 2 };
            let files: Vec<Value> =
                files.iter().take(most).map(|file| named("receipt", file.clone())).collect();
            json!({ "kind": "files", "files": files, "key": key, "mine": [], "players": {}, "seat": null })
        }
    }
}

/// The audit of a whole log, with checkpoints that somebody saved, clocks, and what was missed.
fn audited(log: &PaperLog, saved: &[String], dice: &mut Dice) -> Value {
    let mut since: Vec<String> = Vec::new();
    while dice.one_in(2) && since.len() < 3 {
        let note = dice.of(saved).clone();
        since.push(match dice.below(8) {
            0 => note.replace('\n', "\r\n"),
            1 => changed(&json!(note), dice),
            _ => note,
        });
    }
    let commits = log.entries().iter().filter_map(|entry| match Entry::parse(entry).ok()? {
        Entry::Commit(commit) => Some(commit.commitment),
        _ => None,
    });
    let later = [0, 86_400_000, 40_000_000_000].map(|more| log.time + more);
    let commits: Vec<_> = commits.filter(|_| dice.one_in(4)).collect();
    let missed: Vec<Value> = commits
        .into_iter()
        .map(|commitment| json!({ "commitment": commitment, "clock": dice.of(&later) }))
        .collect();
    let time = |dice: &mut Dice| dice.one_in(2).then(|| *dice.of(&later));
    json!({
        "kind": "export", "hex": hex::encode(log.exported()), "key": log.key().to_text(),
        "since": since, "missed": missed, "as_of": time(dice), "clock": time(dice),
    })
}

/// Lets the reader keep some of a case's files, and have a saved view: mostly the checkpoint of one
/// of them.
fn keep(case: &mut Value, dice: &mut Dice) {
    let mut notes = Vec::new();
    for file in case["files"].as_array_mut().expect("an array") {
        if dice.one_in(3) {
            file["kept"] = json!(true);
        }
        let bytes = hex::decode(file["hex"].as_str().expect("text")).expect("hex");
        let value: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        let places = ["/checkpoint", "/since/0/checkpoint", "/files/0/file/checkpoint"];
        notes.extend(places.iter().filter_map(|at| Some(value.pointer(at)?.as_str()?.to_owned())));
    }
    if !notes.is_empty() && dice.one_in(4) {
        let note = dice.of(&notes).clone();
        case["since"] = json!(if dice.one_in(4) { note.replacen('\n', "\n1", 1) } else { note });
    }
}

/// A file of a case.
fn named(name: &str, bytes: impl AsRef<[u8]>) -> Value {
    json!({ "name": name, "hex": hex::encode(bytes) })
}

/// A receipt of some round of a log's first entries, mostly complete.
fn random_receipt(log: &PaperLog, size: usize, dice: &mut Dice) -> Option<String> {
    let mut early = PaperLog::new("cards.example/log", 7);
    for entry in log.entries().iter().take(size) {
        early.append_bytes(entry);
    }
    let entries: Vec<(u64, Entry)> = (0..)
        .zip(early.entries())
        .filter_map(|(at, entry)| Some((at, Entry::parse(entry).ok()?)))
        .collect();
    let commits: Vec<_> = entries.iter().filter(|(_, entry)| entry.kind() == "commit").collect();
    let (first, commit) = *dice.of(if commits.is_empty() { return None } else { &commits });
    let under = |entry: &Entry| entry.commitment() == commit.commitment();
    let nonces: Vec<_> =
        entries.iter().filter(|(_, e)| under(e)).filter_map(|(_, e)| e.nonce()).collect();
    let nonce = if nonces.is_empty() { None } else { Some(*dice.of(&nonces)) };
    let wanted =
        |entry: &Entry| under(entry) && (entry.nonce() == nonce || entry.nonce().is_none());
    let mut indices: Vec<u64> = entries
        .iter()
        .filter(|(at, entry)| at >= first && (wanted(entry) || dice.one_in(40)))
        .map(|(at, _)| *at)
        .collect();
    if indices.len() > 2 && dice.one_in(8) {
        indices.remove(dice.below(indices.len()));
    }
    Some(early.receipt(&indices).to_text())
}

fn object(value: &Value) -> Value {
    if value.is_object() { value.clone() } else { json!({}) }
}

/// The entries of a small log of the fixtures.
fn log(folder: &Path) -> Option<(Vec<Vec<u8>>, String)> {
    let key = std::fs::read_to_string(folder.join("key")).ok()?.trim_end().to_owned();
    let bundle = (1..=40_u16).find_map(|width| {
        let bytes = std::fs::read(folder.join(format!("tile/entries/000.p/{width}"))).ok()?;
        fairdeal::log::EntryBundle::parse(&bytes, width).ok()
    })?;
    Some((bundle.into_entries(), key))
}

fn changed(value: &Value, dice: &mut Dice) -> String {
    let mut json = Json::of(value);
    for _ in 0..=dice.below(2) {
        json.mutate(dice);
    }
    json.text()
}

/// An entry with a change; mostly still canonical.
fn mutated_entry(value: &Value, dice: &mut Dice) -> String {
    let mut json = Json::of(value);
    json.mutate(dice);
    if !dice.one_in(4) {
        json.sort();
    }
    json.text()
}

/// A receipt or an opening with a change in the file or in one of its entries.
fn mutated_file(file: &Value, dice: &mut Dice) -> String {
    if dice.one_in(2) {
        return changed(file, dice);
    }
    let mut file = file.clone();
    let at = if file.get("receipt").is_some() { "/receipt/entries" } else { "/entries" };
    let entries = file.pointer_mut(at).and_then(Value::as_array_mut);
    let Some(entries) = entries.filter(|entries| !entries.is_empty()) else {
        return changed(&file, dice);
    };
    let at = dice.below(entries.len());
    let text = entries[at]
        .get("entry")
        .and_then(Value::as_str)
        .and_then(|text| serde_json::from_str(text).ok());
    if let Some(value) = text {
        entries[at]["entry"] = json!(mutated_entry(&value, dice));
    }
    file.to_string()
}

/// Asks the reference about cases; returns those on which it differs, with both answers.
pub fn disagreements(cases: &[Value]) -> Vec<(Value, Value, Value)> {
    let program = crate::root().join("spec/reference/fairdeal.py");
    let file = tempfile::NamedTempFile::new().expect("a file");
    let mut out = std::io::BufWriter::new(file.as_file());
    for (n, case) in cases.iter().enumerate() {
        let mut case = case.clone();
        case["n"] = json!(n);
        writeln!(out, "{case}").expect("written");
    }
    out.flush().expect("written");
    drop(out);
    let run = Command::new("python3")
        .arg(program)
        .arg("agree")
        .arg(file.path())
        .stdout(Stdio::piped())
        .spawn();
    let mut run = run.expect("python3 is needed for this test");
    let answers = BufReader::new(run.stdout.take().expect("piped"));
    let mut differ = Vec::new();
    let mut answered = 0;
    for (case, answer) in cases.iter().zip(answers.lines()) {
        let mut answer: Value = serde_json::from_str(&answer.expect("a line")).expect("JSON");
        let n = answer.as_object_mut().expect("an object").remove("n");
        assert_eq!(n, Some(json!(answered)));
        answered += 1;
        let mut own = ours(case);
        for one in [&mut own, &mut answer] {
            if let Some(findings) = one.get_mut("findings").and_then(Value::as_array_mut) {
                findings.sort_by_key(ToString::to_string);
            }
        }
        if own != answer {
            differ.push((case.clone(), own, answer));
        }
    }
    assert!(run.wait().expect("it ends").success(), "the reference ended with an error");
    assert_eq!(answered, cases.len(), "the reference answers each case");
    differ
}
