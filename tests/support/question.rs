//! What is asked about a log's folder, and the verdict that is expected: the `case.json` of fixtures/README.md.

#![expect(clippy::indexing_slicing, reason = "in a test, a panic is a failure with a place")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fairdeal::audit::{Signatures, Times, Verdict};
use fairdeal::log::VerifierKey;
use fairdeal::source::{Options, Source};
use serde_json::{Value, json};

/// What an audit can find; `beacon-round` takes a beacon's clock, which this version does not know.
pub const CODES: [&str; 26] = [
    "not-canonical",
    "invalid-entry",
    "no-commitment",
    "duplicate-commitment",
    "after-reveal",
    "after-void",
    "void-after-use",
    "open-round",
    "nonce-gap",
    "too-many-rounds",
    "seed-mismatch",
    "out-of-turn",
    "time-runs-back",
    "split-view",
    "contribution-signature",
    "weak-mixing",
    "beacon-signature",
    "lock-mismatch",
    "unopened-hash",
    "result-mismatch",
    "late-reveal",
    "overdue",
    "time-ahead",
    "tree-mismatch",
    "bad-signature",
    "inconsistent",
];

/// The folders of `fixtures/logs`, by name.
pub fn folders() -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/logs");
    let entries = std::fs::read_dir(root).expect("the logs are part of the project");
    let mut folders: Vec<_> = entries
        .map(|entry| entry.expect("readable"))
        .map(|entry| (entry.file_name().into_string().expect("UTF-8"), entry.path()))
        .collect();
    folders.sort();
    folders
}

/// Under which key, when, and against which older checkpoints a log is judged.
pub struct Question {
    pub key: VerifierKey,
    pub times: Times,
    pub signatures: Signatures,
    pub since: Vec<(String, String)>,
}

impl Question {
    pub fn new(key: &VerifierKey) -> Self {
        Self {
            key: key.clone(),
            times: Times::default(),
            signatures: Signatures::Verified,
            since: Vec::new(),
        }
    }

    /// Adds a checkpoint that somebody saved.
    pub fn hold_against(&mut self, note: String) {
        self.since.push((format!("since-{}.note", self.since.len()), note));
    }

    /// The question that a folder asks, and the verdict that it expects.
    pub fn read(folder: &Path) -> (Self, Value) {
        let text = |name: &str| std::fs::read_to_string(folder.join(name)).expect("part of the case");
        let mut case: Value = serde_json::from_str(&text("case.json")).expect("JSON");
        let key = VerifierKey::parse(text("key").trim_end()).expect("a key");
        let since = case["since"].as_array().expect("an array").iter();
        let since = since.map(|name| name.as_str().expect("text")).map(|name| (name.to_owned(), text(name)));
        let times = Times { as_of: case["as_of"].as_u64(), clock: case["clock"].as_u64() };
        let is_skipped = case["skip_signatures"].as_bool().expect("a bool");
        let signatures = if is_skipped { Signatures::Skipped } else { Signatures::Verified };
        (Self { key, times, signatures, since: since.collect() }, case["expect"].take())
    }

    pub fn audit(&self, folder: &Path) -> Verdict {
        let (times, signatures) = (self.times, self.signatures);
        let options = Options { times, signatures, since: &self.since, ..Options::under(&self.key) };
        Source::folder(folder).expect("a log").audit(&options, |_, _| {}).expect("a verdict").verdict
    }

    /// The files that stand beside the log's own.
    pub fn files(&self, about: &str, verdict: &Verdict) -> BTreeMap<String, Vec<u8>> {
        let names: Vec<&String> = self.since.iter().map(|(name, _)| name).collect();
        let expect = without_says(verdict);
        let case = json!({
            "about": about,
            "as_of": self.times.as_of,
            "clock": self.times.clock,
            "skip_signatures": self.signatures == Signatures::Skipped,
            "since": names,
            "expect": expect,
        });
        let mut files = BTreeMap::from([
            ("case.json".to_owned(), format!("{case:#}\n").into_bytes()),
            ("key".to_owned(), format!("{}\n", self.key.to_text()).into_bytes()),
        ]);
        files.extend(self.since.iter().map(|(name, note)| (name.clone(), note.clone().into_bytes())));
        files
    }
}

/// The verdict of spec/audit.md, section 15, without what is free text in it and what was asked beside.
pub fn without_says(verdict: &Verdict) -> Value {
    let mut verdict = serde_json::to_value(verdict).expect("JSON");
    verdict.as_object_mut().expect("an object").remove("statistics");
    for finding in verdict["findings"].as_array_mut().expect("an array") {
        finding.as_object_mut().expect("an object").remove("says");
    }
    verdict
}
