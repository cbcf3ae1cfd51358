//! Vectors of files with their reader's inputs, and the library's verdicts.

use std::collections::BTreeMap;

use fairdeal::log::VerifierKey;
use fairdeal::record::entry::PlayerKey;
use fairdeal::record::json::to_canonical;
use fairdeal::record::receipt::{Document, Receipt, verify};
use serde_json::{Value, json};

use tools::brought::{given, judged, verify_alone};
use tools::paper::PaperLog;

/// The reader's inputs beside the files and the key.
#[derive(Clone, Default)]
pub struct Reader {
    pub mine: Vec<Value>,
    pub players: Vec<(&'static str, String)>,
    pub seat: Option<&'static str>,
    /// The note of a saved view.
    pub since: Option<String>,
}

impl Reader {
    pub fn brought(mine: impl IntoIterator<Item = Value>) -> Self {
        Self { mine: mine.into_iter().collect(), ..Self::default() }
    }

    pub fn knows(players: impl IntoIterator<Item = (&'static str, PlayerKey)>) -> Self {
        let players = players.into_iter().map(|(from, key)| (from, key.to_text())).collect();
        Self { players, ..Self::default() }
    }

    pub fn saved(since: String) -> Self {
        Self { since: Some(since), ..Self::default() }
    }

    pub fn sits(seat: &'static str) -> Self {
        Self { seat: Some(seat), ..Self::default() }
    }

    pub fn and(self, other: Self) -> Self {
        let mine = [self.mine, other.mine].concat();
        Self {
            mine,
            players: [self.players, other.players].concat(),
            seat: self.seat.or(other.seat),
            since: self.since.or(other.since),
        }
    }

    /// The members for them in a vector.
    fn write(&self, vector: &mut Value) {
        if !self.mine.is_empty() {
            vector["mine"] = json!(self.mine);
        }
        if !self.players.is_empty() {
            vector["players"] = json!(self.players.iter().cloned().collect::<BTreeMap<_, _>>());
        }
        if let Some(seat) = self.seat {
            vector["seat"] = json!(seat);
        }
        if let Some(since) = &self.since {
            vector["since"] = json!(since);
        }
    }
}

/// A vector with the computed verdict; `expected` has the finding codes that the name promises, or
/// "unreadable".
pub fn vector(name: &str, file: &str, key: &VerifierKey, expected: &[&str]) -> Value {
    vector_for(&Reader::default(), name, file, key, expected)
}

pub fn vector_for(
    reader: &Reader,
    name: &str,
    file: &str,
    key: &VerifierKey,
    expected: &[&str],
) -> Value {
    let mut vector = json!({ "name": name, "file": file, "key": key.to_text() });
    reader.write(&mut vector);
    let answer = verify_alone(file, key, given(&vector));
    put_answer(&mut vector, answer, expected, name);
    vector
}

/// Writes what a command says into a vector. `expected` has the codes of the findings, among the
/// files or of the one file, or "unreadable" or "usage".
pub fn put_answer(
    vector: &mut Value,
    (exit, verdict): (i32, Option<Value>),
    expected: &[&str],
    name: &str,
) {
    vector["exit"] = json!(exit);
    let Some(verdict) = verdict else {
        let says = if exit == 3 { "unreadable" } else { "usage" };
        assert_eq!(expected, [says], "{name}");
        return;
    };
    let found = verdict["findings"].as_array().expect("an array").iter();
    let codes: Vec<&str> = found.filter_map(|found| found["code"].as_str()).collect();
    assert_eq!(codes, expected, "{name}: {verdict}");
    vector["verdict"] = verdict;
}

/// A vector of several files, each with its name, its text and perhaps `kept`; `expected` has the
/// findings among them, or "unreadable".
pub fn several(
    reader: &Reader,
    name: &str,
    files: &[Value],
    key: &VerifierKey,
    expected: &[&str],
) -> Value {
    let mut vector = json!({ "name": name, "files": files, "key": key.to_text() });
    reader.write(&mut vector);
    let answer = judged(&vector);
    put_answer(&mut vector, answer, expected, name);
    vector
}

/// Vectors of paper logs under one key: each a log of its own, and one file about some of its
/// entries.
pub struct Cases {
    pub vectors: Vec<Value>,
    pub key: VerifierKey,
}

pub use tools::paper::ORIGIN;

/// A log of the operator.
pub fn paper() -> PaperLog {
    PaperLog::new(ORIGIN, 7)
}

impl Cases {
    pub fn new() -> Self {
        Self { vectors: Vec::new(), key: paper().key().clone() }
    }

    /// A receipt of all entries so far.
    pub fn log(
        &mut self,
        name: &str,
        expected: &[&str],
        write: impl FnOnce(&mut PaperLog) -> Vec<u64>,
    ) {
        self.log_for(&Reader::default(), name, expected, write);
    }

    pub fn log_for(
        &mut self,
        reader: &Reader,
        name: &str,
        expected: &[&str],
        write: impl FnOnce(&mut PaperLog) -> Vec<u64>,
    ) {
        let mut log = paper();
        let indices = write(&mut log);
        let file = log.receipt(&indices).to_text();
        self.file_for(reader, name, &file, expected);
    }

    pub fn file(&mut self, name: &str, file: &str, expected: &[&str]) {
        self.file_for(&Reader::default(), name, file, expected);
    }

    pub fn file_for(&mut self, reader: &Reader, name: &str, file: &str, expected: &[&str]) {
        self.vectors.push(vector_for(reader, name, file, &self.key, expected));
    }
}

/// A receipt as JSON, changed.
pub fn changed(receipt: &Receipt, change: impl FnOnce(&mut Value)) -> String {
    let mut file = serde_json::to_value(receipt).expect("JSON");
    change(&mut file);
    file.to_string()
}

/// Appends an entry that is JSON.
pub fn put(log: &mut PaperLog, entry: &Value) -> u64 {
    log.append_bytes(to_canonical(entry).as_bytes())
}

/// A type's JSON.
pub fn value_of(of: &impl serde::Serialize) -> Value {
    serde_json::to_value(of).expect("JSON")
}

/// Whether a receipt shows a token.
pub fn shows(log: &PaperLog, indices: &[u64], token: &str) -> bool {
    let document = Document::parse(log.receipt(indices).to_text().as_bytes()).expect("a receipt");
    verify(&document, log.key()).shown.iter().any(|shown| shown.as_str() == token)
}
