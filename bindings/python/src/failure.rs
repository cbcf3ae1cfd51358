//! Errors, as the exceptions of `fairdeal.errors`.

use fairdeal::record::Finding;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// Why there is no answer: the exit codes of the command (spec/cli.md, section 1) are exceptions
/// here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// 1: it was checked and does not hold.
    DoesNotHold,
    /// 2: an argument is wrong.
    Usage,
    /// 3: it could not be checked.
    Unavailable,
}

/// Why there is no answer.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    kind: Kind,
    code: &'static str,
    says: String,
    findings: Vec<Finding>,
}

impl Failure {
    /// An argument is wrong.
    pub(crate) fn usage(argument: &str, says: impl std::fmt::Display) -> Self {
        let says = format!("{argument}: {says}");
        Self { kind: Kind::Usage, code: "usage", says, findings: Vec::new() }
    }

    /// It could not be checked.
    pub(crate) fn unavailable(says: impl ToString) -> Self {
        Self {
            kind: Kind::Unavailable,
            code: "unavailable",
            says: says.to_string(),
            findings: Vec::new(),
        }
    }

    /// It was checked, and these are found.
    pub(crate) fn findings(about: &str, findings: Vec<Finding>) -> Self {
        let first = findings.first().map(|first| (first.code.as_str(), first.says.clone()));
        let (code, says) = first.unwrap_or(("does-not-hold", String::new()));
        Self { kind: Kind::DoesNotHold, code, says: format!("{about}: {code}: {says}"), findings }
    }

    /// It was checked, and is wrong.
    pub(crate) fn unsound(says: impl ToString) -> Self {
        let says = says.to_string();
        Self { kind: Kind::DoesNotHold, code: "does-not-hold", says, findings: Vec::new() }
    }
}

/// A class of `fairdeal.errors`.
fn class(py: Python<'_>, kind: Kind) -> PyResult<&Bound<'_, PyType>> {
    static DOES_NOT_HOLD: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static USAGE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static UNAVAILABLE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let (cell, name) = match kind {
        Kind::DoesNotHold => (&DOES_NOT_HOLD, "DoesNotHoldError"),
        Kind::Usage => (&USAGE, "UsageError"),
        Kind::Unavailable => (&UNAVAILABLE, "UnavailableError"),
    };
    cell.import(py, "fairdeal.errors", name)
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        Python::attach(|py| {
            let findings = serde_json::to_string(&failure.findings).unwrap_or_default();
            match class(py, failure.kind) {
                Ok(class) => Self::from_type(class.clone(), (failure.code, failure.says, findings)),
                Err(error) => error,
            }
        })
    }
}

/// An answer as JSON.
pub(crate) fn json(answer: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string(answer).map_err(Failure::unavailable)
}
