//! One paper log, the inputs of its audit, and the expected findings.

use std::collections::BTreeSet;

use fairdeal::log::VerifierKey;
use fairdeal_audit::Signatures;

use crate::logs::folders::Files;
use tools::paper::{PaperLog, write_files};
use tools::question::Question;

/// A log and its question.
pub struct Case {
    pub name: &'static str,
    about: &'static str,
    log: Files,
    question: Question,
    finds: &'static [&'static str],
}

impl Case {
    /// A log whose audit must find these codes, and no others.
    pub fn new(
        name: &'static str,
        about: &'static str,
        log: &PaperLog,
        finds: &'static [&'static str],
    ) -> Self {
        Self { name, about, log: log.files(), question: Question::new(log.key()), finds }
    }

    /// The same log in one file.
    pub fn exported(mut self, log: &PaperLog) -> Self {
        self.log = Files::from([("export".to_owned(), log.exported())]);
        self
    }

    /// Judged as of a time.
    pub fn at(mut self, as_of: u64) -> Self {
        self.question.times.as_of = Some(as_of);
        self
    }

    /// Judged by a reader whose clock has this time.
    pub fn by_clock(mut self, clock: u64) -> Self {
        self.question.times.clock = Some(clock);
        self
    }

    /// Judged without the signatures of contributions.
    pub fn skipping_signatures(mut self) -> Self {
        self.question.signatures = Signatures::Skipped;
        self
    }

    /// Compared with a checkpoint that somebody saved.
    pub fn since(mut self, note: String) -> Self {
        self.question.hold_against(note);
        self
    }

    /// Judged under another key.
    pub fn under(mut self, key: &VerifierKey) -> Self {
        self.question.key = key.clone();
        self
    }

    /// Judged by a reader with a policy.
    pub fn policy(mut self, policy: &str) -> Self {
        self.question.policy = Some(policy.to_owned());
        self
    }

    /// Changes one file; `None` removes it.
    pub fn with(mut self, path: &str, change: impl FnOnce(Vec<u8>) -> Option<Vec<u8>>) -> Self {
        let bytes = self.log.remove(path).expect("a file of the log");
        if let Some(bytes) = change(bytes) {
            self.log.insert(path.to_owned(), bytes);
        }
        self
    }

    /// All files of the folder, with the inputs and the expected verdict.
    pub fn files(&self) -> Files {
        let folder = tempfile::tempdir().expect("a folder");
        write_files(folder.path(), &self.log);
        let verdict = self.question.audit(folder.path());
        let found: BTreeSet<&str> = verdict.counts.keys().copied().collect();
        let expected: BTreeSet<&str> = self.finds.iter().copied().collect();
        assert_eq!(found, expected, "{}: {:?}", self.name, verdict.findings);
        let mut files = self.log.clone();
        files.extend(self.question.files(self.about, &verdict));
        files
    }
}
