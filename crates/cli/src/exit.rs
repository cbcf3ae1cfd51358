//! Exit codes and errors.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

use serde::Serialize;

use super::out::{BAD, plain};
use fairdeal::record::Finding;
use fairdeal::spelled::legible;
use fairdeal_audit::answer::Beside;

/// [`Failure::usage`] of a formatted text.
macro_rules! usage {
    ($($text:tt)+) => { $crate::exit::Failure::usage(format!($($text)+)) };
}

/// [`Failure::unavailable`] of a formatted text.
macro_rules! unavailable {
    ($($text:tt)+) => { $crate::exit::Failure::unavailable(format!($($text)+)) };
}

/// A command's exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// 0: it holds, or it is done.
    Holds,
    /// 1: it was checked and does not hold.
    DoesNotHold,
    /// 2: the command line is wrong, or a file that is a part of it.
    Usage,
    /// 3: it could not be checked or done: unreadable, unreachable, busy, out of space.
    Unavailable,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Holds => Self::SUCCESS,
            Exit::DoesNotHold => Self::from(1),
            Exit::Usage => Self::from(2),
            Exit::Unavailable => Self::from(3),
        }
    }
}

/// Why a command gave no answer: an exit code, a line, and perhaps a hint.
#[derive(Debug)]
pub(super) struct Failure {
    exit: Exit,
    code: &'static str,
    says: String,
    hint: Option<String>,
    findings: Vec<Finding>,
}

/// The `--json` output of a command that gave no answer (spec/cli.md, errors).
#[derive(Serialize)]
struct Told<'a> {
    error: Error<'a>,
}

#[derive(Serialize)]
struct Error<'a> {
    code: &'a str,
    says: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
    #[serde(skip_serializing_if = "<[Finding]>::is_empty")]
    findings: &'a [Finding],
}

impl<'a> From<&'a Failure> for Beside<'a> {
    fn from(failure: &'a Failure) -> Self {
        Self { code: failure.code, says: &failure.says }
    }
}

impl Failure {
    fn new(exit: Exit, code: &'static str, says: impl Into<String>) -> Self {
        Self { exit, code, says: says.into(), hint: None, findings: Vec::new() }
    }

    /// Exit 2.
    pub(super) fn usage(says: impl Into<String>) -> Self {
        Self::new(Exit::Usage, "usage", says)
    }

    /// Exit 3.
    pub(super) fn unavailable(says: impl Into<String>) -> Self {
        Self::new(Exit::Unavailable, "unavailable", says)
    }

    /// Exit 1, for the first of these findings. `about` names what does not hold.
    pub(super) fn findings(about: &str, findings: &[Finding]) -> Self {
        let Some(first) = findings.first() else { return Self::unsound(about) };
        let says = format!("{about}: {}: {}", first.code, first.says);
        Self {
            findings: findings.to_vec(),
            ..Self::new(Exit::DoesNotHold, first.code.as_str(), says)
        }
    }

    /// Exit 1: a rule of the log forbids it, and nothing was done.
    pub(super) fn refused(about: &str, findings: Vec<Finding>) -> Self {
        let all: Vec<&str> = findings.iter().map(|finding| finding.says.as_str()).collect();
        let code = findings.first().map_or("refused", |first| first.code.as_str());
        let says = format!("{about}: {}; nothing changed", all.join("; "));
        Self { findings, ..Self::new(Exit::DoesNotHold, code, says) }
    }

    /// Exit 1, with what is wrong. Stdout has the rest.
    pub(super) fn unsound(says: impl Into<String>) -> Self {
        Self::new(Exit::DoesNotHold, "does-not-hold", says)
    }

    /// Adds a hint: what to do about it.
    #[must_use]
    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Names the option that it is about.
    #[must_use]
    pub(super) fn of(mut self, option: &str) -> Self {
        self.says = format!("{option} {}", self.says);
        self
    }

    /// Sets its code, for programs.
    #[must_use]
    pub(super) fn code(mut self, code: &'static str) -> Self {
        self.code = code;
        self
    }

    /// Its line.
    pub(super) fn into_says(self) -> String {
        self.says
    }

    pub(super) fn exit(&self) -> Exit {
        self.exit
    }

    /// Its JSON object.
    pub(super) fn to_json(&self) -> String {
        let Self { code, says, hint, findings, .. } = self;
        let told = Told { error: Error { code, says, hint: hint.as_deref(), findings } };
        let json = serde_json::to_string(&told).expect("a plain struct with text for keys");
        legible(json).into_owned()
    }

    /// Prints to stderr. If even that fails, the exit code must do.
    pub(super) fn print(&self) {
        let mut text = format!("{BAD}error:{BAD:#} {}\n", plain(&self.says));
        for line in self.hint.iter().flat_map(|hint| hint.lines()) {
            let _ = writeln!(text, "{}", plain(line));
        }
        let _ = anstream::stderr().lock().write_all(text.as_bytes());
    }
}
