//! How a command ends, and what it says when it did not do what it was asked.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

use serde::Serialize;

use super::out::{BAD, Out, plain};
use crate::record::Finding;

/// The four ends of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// It holds, or it is done.
    Holds,
    /// It was checked, and does not hold.
    DoesNotHold,
    /// The command line is wrong, or a file that stands for a part of it.
    Usage,
    /// It could not be checked or done: unreadable, unreachable, busy, out of space.
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

/// A command that did not do what it was asked: an exit code and a line that says why.
#[derive(Debug)]
pub(super) struct Failure {
    exit: Exit,
    says: String,
    hint: Option<String>,
}

/// What stands on stdout, with `--json`, where something was checked and does not hold.
#[derive(Serialize)]
struct Findings<'a> {
    holds: bool,
    findings: &'a [Finding],
}

impl Failure {
    /// Exit 2.
    pub(super) fn usage(says: impl Into<String>) -> Self {
        Self { exit: Exit::Usage, says: says.into(), hint: None }
    }

    /// Exit 3.
    pub(super) fn unavailable(says: impl Into<String>) -> Self {
        Self { exit: Exit::Unavailable, says: says.into(), hint: None }
    }

    /// Exit 1: the findings go to stdout, their first to stderr as the error. `about` is what does not hold.
    pub(super) fn findings(about: &str, findings: &[Finding], out: &mut Out) -> Self {
        out.show(&Findings { holds: false, findings }, |out| {
            for finding in findings {
                out.field("finding", format_args!("{BAD}{}{BAD:#}", finding.code));
            }
        });
        findings
            .first()
            .map_or_else(|| Self::does_not_hold(about.to_owned()), |first| Self::found(about, first))
    }

    /// Exit 1: the finding goes to stderr alone, where stdout has something else on it.
    pub(super) fn found(about: &str, finding: &Finding) -> Self {
        Self::does_not_hold(format!("{about}: {}: {}", finding.code, finding.says))
    }

    fn does_not_hold(says: String) -> Self {
        Self { exit: Exit::DoesNotHold, says, hint: None }
    }

    /// Adds what to do about it.
    #[must_use]
    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// What it says, for whoever says it in another place.
    pub(super) fn into_says(self) -> String {
        self.says
    }

    /// What it says.
    pub(super) fn says(&self) -> &str {
        &self.says
    }

    pub(super) fn exit(&self) -> Exit {
        self.exit
    }

    /// To stderr. Where even that can't be written, the exit code is all there is.
    pub(super) fn print(&self) {
        let mut text = format!("{BAD}error:{BAD:#} {}\n", plain(&self.says));
        for line in self.hint.iter().flat_map(|hint| hint.lines()) {
            let _ = writeln!(text, "{}", plain(line));
        }
        let _ = anstream::stderr().lock().write_all(text.as_bytes());
    }
}
