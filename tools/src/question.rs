//! The inputs of an audit beside a log's folder, and its expected verdict: the `case.json` of
//! fixtures/README.md.

#![expect(clippy::indexing_slicing, reason = "in a test, a panic is a failure with a place")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fairdeal::log::{Policy, VerifierKey};
use fairdeal_audit::source::{AuditOptions, Export, LogSource, SourceError};
use fairdeal_audit::{AuditVerdict, Missed, Signatures, Times};
use serde_json::{Value, json};

/// The codes that an audit of a random log can find: all but `beacon-round`, since random logs name
/// no known chain.
pub const CODES: [&str; 28] = [
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
    "backdated",
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
    "rolled-back",
];

/// The folders of `fixtures/logs`, by name.
pub fn folders() -> Vec<(String, PathBuf)> {
    let root = crate::root().join("fixtures/logs");
    let entries = std::fs::read_dir(root).expect("part of the project");
    let mut folders: Vec<_> = entries
        .map(|entry| entry.expect("readable"))
        .map(|entry| (entry.file_name().into_string().expect("UTF-8"), entry.path()))
        .collect();
    folders.sort();
    folders
}

/// The verdict on an exported log, without the `says` of its findings; `None` if the file cannot be
/// read.
pub fn audit_export(export: &[u8], key: &VerifierKey) -> Option<Value> {
    Question::new(key).try_audit_export(export).ok().map(|verdict| without_says(&verdict))
}

/// The text of a file in a case's folder.
fn text_of(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).expect("part of the case")
}

/// The key, the times and the older checkpoints of an audit.
pub struct Question {
    pub key: VerifierKey,
    pub times: Times,
    pub signatures: Signatures,
    pub since: Vec<(String, String)>,
    /// Commitments that earlier audits found overdue, with the clock of each.
    pub missed: Missed,
    /// The text of the reader's policy.
    pub policy: Option<String>,
}

/// The member `missed` of a case.
pub fn missed(case: &Value) -> Missed {
    let one = |one: &Value| {
        let commitment = one["commitment"].as_str().expect("text").parse().expect("a commitment");
        (commitment, one["clock"].as_u64().expect("a time"))
    };
    case["missed"].as_array().into_iter().flatten().map(one).collect()
}

/// The member itself.
pub fn missed_value(missed: &Missed) -> Value {
    let one = |(commitment, clock)| json!({ "commitment": commitment, "clock": clock });
    missed.iter().map(one).collect()
}

impl Question {
    pub fn new(key: &VerifierKey) -> Self {
        let (times, signatures) = (Times::default(), Signatures::Verified);
        let missed = Missed::new();
        Self { key: key.clone(), times, signatures, since: Vec::new(), missed, policy: None }
    }

    /// Adds a checkpoint that somebody saved.
    pub fn hold_against(&mut self, note: String) {
        self.since.push((format!("since-{}.note", self.since.len()), note));
    }

    /// The question of a folder, and its expected verdict.
    pub fn read(folder: &Path) -> (Self, Value) {
        let mut case: Value = serde_json::from_str(&text_of(folder, "case.json")).expect("JSON");
        let skips = case["skip_signatures"].as_bool().expect("a bool");
        let since = case["since"].as_array().expect("an array").iter();
        let since = since.map(|name| name.as_str().expect("text").to_owned());
        let question = Self {
            key: VerifierKey::parse(text_of(folder, "key").trim_end()).expect("a key"),
            times: Times { as_of: case["as_of"].as_u64(), clock: case["clock"].as_u64() },
            signatures: if skips { Signatures::Skipped } else { Signatures::Verified },
            since: since.map(|name| (name.clone(), text_of(folder, &name))).collect(),
            missed: missed(&case),
            policy: std::fs::read_to_string(folder.join("policy")).ok(),
        };
        (question, case["verdict"].take())
    }

    pub fn audit(&self, folder: &Path) -> AuditVerdict {
        self.try_audit(folder).expect("a verdict")
    }

    /// The verdict, or why there is none. The log is the folder's, or the file `export` in it.
    pub fn try_audit(&self, folder: &Path) -> Result<AuditVerdict, String> {
        self.try_audit_of(match std::fs::File::open(folder.join("export")) {
            Ok(file) => LogSource::open(Box::new(
                Export::open("export", file).map_err(|error| error.to_string())?,
            )),
            Err(_) => LogSource::folder(folder),
        })
    }

    /// The same on a log as one file.
    pub fn try_audit_export(&self, export: &[u8]) -> Result<AuditVerdict, String> {
        let bytes = std::io::Cursor::new(export.to_vec());
        let export = Export::open("export", bytes).map_err(|error| error.to_string())?;
        self.try_audit_of(LogSource::open(Box::new(export)))
    }

    fn try_audit_of(&self, source: Result<LogSource, SourceError>) -> Result<AuditVerdict, String> {
        let Self { times, signatures, since, .. } = self;
        let (times, signatures, missed) = (*times, *signatures, self.missed.clone());
        let policy = self.policy.as_ref().map(|text| Policy::parse(text.as_bytes()));
        let policy = policy.transpose().map_err(|error| error.to_string())?.map(Arc::new);
        let policy = policy.as_ref();
        let options = AuditOptions {
            times,
            signatures,
            since,
            missed,
            policy,
            ..AuditOptions::under(&self.key)
        };
        let audited = source.and_then(|mut source| source.audit(&options, |_, _| {}));
        audited.map(|audited| audited.verdict).map_err(|error| error.to_string())
    }

    /// The files beside the log's own.
    pub fn files(&self, about: &str, verdict: &AuditVerdict) -> BTreeMap<String, Vec<u8>> {
        let names: Vec<&String> = self.since.iter().map(|(name, _)| name).collect();
        let mut case = json!({
            "about": about,
            "as_of": self.times.as_of,
            "clock": self.times.clock,
            "skip_signatures": self.signatures == Signatures::Skipped,
            "since": names,
            "verdict": without_says(verdict),
        });
        if !self.missed.is_empty() {
            case["missed"] = missed_value(&self.missed);
        }
        let own = [
            ("case.json".to_owned(), format!("{case:#}\n")),
            ("key".to_owned(), format!("{}\n", self.key.to_text())),
        ];
        let policy = self.policy.iter().map(|text| ("policy".to_owned(), text.clone()));
        let files = own.into_iter().chain(self.since.iter().cloned()).chain(policy);
        files.map(|(name, text)| (name, text.into_bytes())).collect()
    }
}

/// The verdict of spec/audit.md, section 15, without free text and without additional members.
pub fn without_says(verdict: &AuditVerdict) -> Value {
    let mut verdict = crate::answers::without_says(json!(verdict));
    verdict.as_object_mut().expect("an object").remove("statistics");
    verdict
}
