//! One attack: what is judged, the expected findings, and what is still shown.

use serde_json::{Value, json};

use fairdeal::log::VerifierKey;

use crate::logs::folders::Files;
use tools::brought::Brought;
use tools::paper::{PaperLog, write_files};
use tools::question::{Question, case_files, without_says};

/// An attack's name, and the files of its folder.
pub type Attack = (&'static str, Files);

/// Exactly these findings in a verdict: "code index", or "code" alone; of one of several files "file: code index".
fn assert_found(name: &str, verdict: &Value, expected: &[String]) {
    let list = |verdict: &Value, prefix: &str| -> Vec<String> {
        let finding = |found: &Value| {
            let code = found["code"].as_str().expect("a code");
            found["index"]
                .as_u64()
                .map_or_else(|| format!("{prefix}{code}"), |index| format!("{prefix}{code} {index}"))
        };
        verdict["findings"].as_array().expect("findings").iter().map(finding).collect()
    };
    let mut found = list(verdict, "");
    for receipt in verdict["receipts"].as_array().into_iter().flatten() {
        found.extend(list(receipt, &format!("{}: ", receipt["file"].as_str().expect("a name"))));
    }
    assert_eq!(found, expected, "{name}: {verdict:#}");
}

/// The members of every attack's `case.json`.
fn case(about: &str, command: &str, verdict: Option<Value>) -> Value {
    let mut case = json!({ "about": about, "command": command });
    case["exit"] = json!(verdict.as_ref().map_or(3, |verdict| i32::from(verdict["holds"] != true)));
    if let Some(verdict) = verdict {
        case["expect"] = verdict;
    }
    case
}

/// A log to audit.
pub struct Audited {
    name: &'static str,
    about: &'static str,
    log: Files,
    question: Question,
    has: Vec<(&'static str, u64)>,
}

pub fn audit(name: &'static str, about: &'static str, log: &PaperLog) -> Audited {
    Audited { name, about, log: log.files(), question: Question::new(log.key()), has: Vec::new() }
}

impl Audited {
    /// The log is this file.
    pub fn export(mut self, bytes: Vec<u8>) -> Self {
        self.log = Files::from([("export".to_owned(), bytes)]);
        self
    }

    pub fn judged_as_of(mut self, as_of: u64) -> Self {
        self.question.times.as_of = Some(as_of);
        self
    }

    pub fn by_clock(mut self, clock: u64) -> Self {
        self.question.times.clock = Some(clock);
        self
    }

    /// The verdict has this number, by its JSON pointer.
    pub fn has(mut self, pointer: &'static str, number: u64) -> Self {
        self.has.push((pointer, number));
        self
    }

    /// Exactly this is found.
    pub fn finds<T: ToString>(self, findings: impl IntoIterator<Item = T>) -> Attack {
        let expected: Vec<String> = findings.into_iter().map(|found| found.to_string()).collect();
        let verdict = self.judge().expect("a verdict");
        assert_found(self.name, &verdict, &expected);
        for (pointer, number) in &self.has {
            assert_eq!(verdict.pointer(pointer), Some(&json!(number)), "{}: {verdict:#}", self.name);
        }
        self.files(Some(verdict))
    }

    /// Nothing is found.
    pub fn holds(self) -> Attack {
        self.finds::<&str>([])
    }

    /// There is no verdict.
    pub fn not_judged(self) -> Attack {
        let found = self.judge();
        assert!(found.is_err(), "{}: {found:?}", self.name);
        self.files(None)
    }

    fn judge(&self) -> Result<Value, String> {
        let folder = tempfile::tempdir().expect("a folder");
        write_files(folder.path(), &self.log);
        self.question.try_audit(folder.path()).map(|verdict| without_says(&verdict))
    }

    fn files(self, verdict: Option<Value>) -> Attack {
        let mut files = self.question.files_with(case(self.about, "audit", verdict));
        files.extend(self.log);
        (self.name, files)
    }
}

/// Files to verify.
pub struct Verified {
    name: &'static str,
    about: &'static str,
    brought: Brought,
    shows: Vec<&'static str>,
    hides: Vec<&'static str>,
}

pub fn verify(name: &'static str, about: &'static str, key: &VerifierKey) -> Verified {
    Verified { name, about, brought: Brought::nothing(key), shows: Vec::new(), hides: Vec::new() }
}

impl Verified {
    pub fn file(mut self, name: &str, text: impl Into<String>) -> Self {
        self.brought.files.push((name.to_owned(), text.into()));
        self
    }

    /// What the reader brought to the round.
    pub fn mine(mut self, own: &Value) -> Self {
        let name = format!("mine-{}.json", self.brought.mine.len());
        self.brought.mine.push((name, format!("{own:#}\n")));
        self
    }

    /// A key that a player gave to the reader.
    pub fn player(mut self, from: &str, key: String) -> Self {
        self.brought.players.insert(from.to_owned(), key);
        self
    }

    pub fn seat(mut self, seat: &str) -> Self {
        self.brought.seat = Some(seat.to_owned());
        self
    }

    /// The verdict on the one file shows exactly this.
    pub fn shows(mut self, tokens: &[&'static str]) -> Self {
        self.shows = tokens.to_vec();
        self
    }

    /// The verdict names exactly this as not shown, beside what is never shown.
    pub fn not(mut self, tokens: &[&'static str]) -> Self {
        self.hides = tokens.to_vec();
        self
    }

    /// Exactly this is found.
    pub fn finds<T: ToString>(self, findings: impl IntoIterator<Item = T>) -> Attack {
        let expected: Vec<String> = findings.into_iter().map(|found| found.to_string()).collect();
        let verdict = self.brought.verify().expect("a verdict");
        assert_found(self.name, &verdict, &expected);
        if !self.shows.is_empty() {
            assert_eq!(verdict["shown"], json!(self.shows), "{}: {verdict:#}", self.name);
        }
        if !self.hides.is_empty() {
            let never = ["witnessed", "complete"];
            let hidden: Vec<&str> = self.hides.iter().copied().chain(never).collect();
            assert_eq!(verdict["not_shown"], json!(hidden), "{}: {verdict:#}", self.name);
        }
        self.files(Some(verdict))
    }

    /// Nothing is found.
    pub fn holds(self) -> Attack {
        self.finds::<&str>([])
    }

    /// There is no verdict.
    pub fn not_judged(self) -> Attack {
        let found = self.brought.verify();
        assert!(found.is_none(), "{}: {found:?}", self.name);
        self.files(None)
    }

    fn files(self, verdict: Option<Value>) -> Attack {
        let mut case = case(self.about, "verify", verdict);
        self.brought.write(&mut case);
        let mut files = case_files(&case, &self.brought.key);
        let own = self.brought.files.into_iter().chain(self.brought.mine);
        files.extend(own.map(|(name, text)| (name, text.into_bytes())));
        (self.name, files)
    }
}
