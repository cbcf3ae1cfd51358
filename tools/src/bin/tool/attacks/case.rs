//! One attack: what is judged, the expected findings, and what is still shown.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fairdeal::deal::Commitment;
use fairdeal::log::VerifierKey;
use fairdeal_audit::Missed;
use serde_json::{Value, json};

use tools::attack::{judged, log_files, log_value};
use tools::paper::PaperLog;
use tools::question::missed_value;

/// An attack's name, and its case.
pub type Attack = (&'static str, Value);

/// Exactly these findings in a verdict: "code index", or "code" alone; of one of several files
/// "file: code index".
fn assert_found(name: &str, verdict: &Value, expected: &[String]) {
    let list = |verdict: &Value, prefix: &str| -> Vec<String> {
        let finding = |found: &Value| {
            let code = found["code"].as_str().expect("a code");
            found["index"].as_u64().map_or_else(
                || format!("{prefix}{code}"),
                |index| format!("{prefix}{code} {index}"),
            )
        };
        verdict["findings"].as_array().expect("findings").iter().map(finding).collect()
    };
    let mut found = list(verdict, "");
    match verdict["receipts"].as_array().map_or(&[][..], Vec::as_slice) {
        [one] => found.extend(list(one, "")),
        receipts => {
            for receipt in receipts {
                found.extend(list(
                    receipt,
                    &format!("{}: ", receipt["file"].as_str().expect("a name")),
                ));
            }
        }
    }
    assert_eq!(found, expected, "{name}: {verdict:#}");
}

/// A case with what a command says of it.
fn with_verdict(mut case: Value, (exit, verdict): (i32, Option<Value>)) -> Value {
    case["exit"] = json!(exit);
    if let Some(verdict) = verdict {
        case["verdict"] = verdict;
    }
    case
}

/// There is no verdict on a case.
fn unjudged(name: &'static str, case: Value) -> Attack {
    let found = judged(&case);
    assert_eq!(found, (3, None), "{name}");
    (name, with_verdict(case, found))
}

/// A log to audit.
pub struct Audited {
    name: &'static str,
    case: Value,
    has: Vec<(&'static str, u64)>,
}

pub fn audit(name: &'static str, about: &'static str, log: &PaperLog) -> Audited {
    let files = log.files();
    let case = json!({
        "about": about, "command": "audit", "key": log.key().to_text(), "log": log_value(&files),
    });
    assert_eq!(log_files(&case), files, "{name}");
    Audited { name, case, has: Vec::new() }
}

impl Audited {
    /// The log is this file.
    pub fn export(mut self, bytes: &[u8]) -> Self {
        let case = self.case.as_object_mut().expect("an object");
        case.remove("log");
        case.insert("export".to_owned(), json!(STANDARD.encode(bytes)));
        self
    }

    /// Something else is in the place of the checkpoint.
    pub fn checkpoint(mut self, text: &str) -> Self {
        self.case["log"]["checkpoint"] = json!(text);
        self
    }

    pub fn judged_as_of(mut self, as_of: u64) -> Self {
        self.case["as_of"] = json!(as_of);
        self
    }

    pub fn by_clock(mut self, clock: u64) -> Self {
        self.case["clock"] = json!(clock);
        self
    }

    /// An earlier audit found this commitment overdue by its reader's clock.
    pub fn missed(mut self, commitment: Commitment, clock: u64) -> Self {
        self.case["missed"] = missed_value(&Missed::from([(commitment, clock)]));
        self
    }

    /// The reader's witnesses.
    pub fn policy(mut self, policy: &str) -> Self {
        self.case["policy"] = json!(policy);
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
        let (exit, verdict) = judged(&self.case);
        let verdict = verdict.expect("a verdict");
        assert_found(self.name, &verdict, &expected);
        for (pointer, number) in &self.has {
            assert_eq!(
                verdict.pointer(pointer),
                Some(&json!(number)),
                "{}: {verdict:#}",
                self.name
            );
        }
        (self.name, with_verdict(self.case, (exit, Some(verdict))))
    }

    /// Nothing is found.
    pub fn holds(self) -> Attack {
        self.finds::<&str>([])
    }

    /// There is no verdict.
    pub fn not_judged(self) -> Attack {
        unjudged(self.name, self.case)
    }
}

/// Files to verify.
pub struct Verified {
    name: &'static str,
    case: Value,
    shows: Vec<&'static str>,
    hides: Vec<&'static str>,
    state: Option<&'static str>,
}

pub fn verify(name: &'static str, about: &'static str, key: &VerifierKey) -> Verified {
    let case = json!({ "about": about, "command": "verify", "key": key.to_text() });
    Verified { name, case, shows: Vec::new(), hides: Vec::new(), state: None }
}

impl Verified {
    fn push(mut self, member: &str, value: Value) -> Self {
        match &mut self.case[member] {
            Value::Array(values) => values.push(value),
            absent => *absent = json!([value]),
        }
        self
    }

    /// A file of this JSON.
    pub fn file(self, name: &str, text: impl AsRef<str>) -> Self {
        let file: Value = serde_json::from_str(text.as_ref()).expect("JSON");
        self.push("files", json!({ "name": name, "file": file }))
    }

    /// A file of this JSON that the reader kept.
    pub fn kept(self, name: &str, text: impl AsRef<str>) -> Self {
        let file: Value = serde_json::from_str(text.as_ref()).expect("JSON");
        self.push("files", json!({ "name": name, "file": file, "kept": true }))
    }

    /// A file of exactly this text.
    pub fn text(self, name: &str, text: &str) -> Self {
        self.push("files", json!({ "name": name, "text": text }))
    }

    /// The reader's own contribution to the round.
    pub fn mine(self, own: &Value) -> Self {
        self.push("mine", own.clone())
    }

    /// A key that a player gave to the reader.
    #[expect(clippy::needless_pass_by_value, reason = "its callers make the text for it")]
    pub fn player(mut self, from: &str, key: String) -> Self {
        self.case["players"][from] = json!(key);
        self
    }

    /// The reader's witnesses.
    pub fn policy(mut self, policy: &str) -> Self {
        self.case["policy"] = json!(policy);
        self
    }

    pub fn seat(mut self, seat: &str) -> Self {
        self.case["seat"] = json!(seat);
        self
    }

    /// The state of all files together.
    pub fn is(mut self, state: &'static str) -> Self {
        self.state = Some(state);
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
        let (exit, verdict) = judged(&self.case);
        let verdict = verdict.expect("a verdict");
        assert_found(self.name, &verdict, &expected);
        if let Some(state) = self.state {
            assert_eq!(verdict["state"], json!(state), "{}: {verdict:#}", self.name);
        }
        let first = &verdict["receipts"][0];
        if !self.shows.is_empty() {
            assert_eq!(first["shown"], json!(self.shows), "{}: {verdict:#}", self.name);
        }
        if !self.hides.is_empty() {
            // With a policy the caller says whether it is witnessed.
            let never = ["witnessed", "complete"];
            let never = if self.case["policy"].is_null() { &never[..] } else { &never[1..] };
            let hidden: Vec<&str> = self.hides.iter().chain(never).copied().collect();
            assert_eq!(first["not_shown"], json!(hidden), "{}: {verdict:#}", self.name);
        }
        (self.name, with_verdict(self.case, (exit, Some(verdict))))
    }

    /// Nothing is found.
    pub fn holds(self) -> Attack {
        self.finds::<&str>([])
    }

    /// There is no verdict.
    pub fn not_judged(self) -> Attack {
        unjudged(self.name, self.case)
    }
}
