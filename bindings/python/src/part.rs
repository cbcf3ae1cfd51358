//! Parts of a log, read on one machine and judged on another.

use fairdeal_audit::source::{AuditOptions, LogPart};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::deals::key;
use crate::failure::{Failure, json};
use crate::logs::{Log, When, signatures, unavailable};

/// Consecutive bundles of a log.
#[pyclass(module = "fairdeal._fairdeal", frozen)]
pub(crate) struct Part(LogPart);

#[pymethods]
impl Part {
    /// Reads a range of a log's entries.
    #[staticmethod]
    fn of_range(py: Python<'_>, log: Log, start: u64, end: u64) -> PyResult<Self> {
        let part = py.detach(|| log.open()?.part(start..end).map_err(|error| wrong(&error)));
        Ok(Self(part?))
    }

    /// Where it starts, where it ends, and the size of its log.
    fn place(&self) -> (u64, u64, u64) {
        let range = self.0.range();
        (range.start, range.end, self.0.log_size())
    }

    /// This part and the one that comes right after it, as one.
    fn merged(&self, py: Python<'_>, right: &Self) -> PyResult<Self> {
        let merged = py.detach(|| {
            let mut left = self.0.clone();
            left.merge(right.0.clone()).map(|()| left).map_err(|error| wrong(&error))
        });
        Ok(Self(merged?))
    }

    /// As bytes.
    fn to_bytes(&self, py: Python<'_>) -> Vec<u8> {
        py.detach(|| self.0.to_bytes())
    }

    /// From its bytes.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let part = py.detach(|| LogPart::from_bytes(bytes));
        part.map(Self).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The verdict on the whole log, as JSON.
    fn finish(
        &self,
        py: Python<'_>,
        log: Log,
        key: &str,
        when: When,
        since: Vec<(String, String)>,
        skip_signatures: bool,
    ) -> PyResult<String> {
        let key = self::key(key)?;
        Ok(py.detach(|| {
            let mut source = log.open()?;
            let options = AuditOptions {
                times: when.times(&log),
                signatures: signatures(skip_signatures),
                since: &since,
                ..AuditOptions::under(&key)
            };
            json(&source.audit_part(&options, &self.0).map_err(unavailable)?.verdict)
        })?)
    }
}

fn wrong(error: &fairdeal_audit::source::PartError) -> Failure {
    use fairdeal_audit::source::PartError;
    match error {
        PartError::Unreadable(says) => Failure::unavailable(says),
        error => Failure::usage("range", error),
    }
}
