//! Exit codes and errors.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

use serde::Serialize;

use super::out::{BAD, Out, plain};
use crate::record::Finding;

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

/// Why a command failed: an exit code, a line, and perhaps a hint.
#[derive(Debug)]
pub(super) struct Failure {
    exit: Exit,
    says: String,
    hint: Option<String>,
}

/// The `--json` output for something that does not hold.
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

    /// Exit 1. All findings go to stdout, the first to stderr as the error. `about` names what does not hold.
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

    /// Exit 1. The finding goes to stderr only, because stdout has other output.
    pub(super) fn found(about: &str, finding: &Finding) -> Self {
        Self::does_not_hold(format!("{about}: {}: {}", finding.code, finding.says))
    }

    /// Exit 1, with what is wrong. Stdout has the rest.
    pub(super) fn unsound(says: String) -> Self {
        Self::does_not_hold(says)
    }

    fn does_not_hold(says: String) -> Self {
        Self { exit: Exit::DoesNotHold, says, hint: None }
    }

    /// Adds a hint: what to do about it.
    #[must_use]
    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Its line, by value.
    pub(super) fn into_says(self) -> String {
        self.says
    }

    /// Its line.
    pub(super) fn says(&self) -> &str {
        &self.says
    }

    pub(super) fn exit(&self) -> Exit {
        self.exit
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
