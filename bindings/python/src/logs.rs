//! Logs: audited, and tested.

use std::fs::{self, File};
use std::path::Path;

use fairdeal_audit::answer::LogStatisticsAnswer;
use fairdeal_audit::source::{
    AuditOptions, Export, ExportError, Files, Http, HttpLimits, LogFolder, LogSource, ReadError,
    SourceError, entries,
};
use fairdeal_audit::{Signatures, Times, Unjudged};
use pyo3::prelude::*;

use crate::deals::{key, policy};
use crate::failure::{Failure, json};
use crate::waiting::{Watch, detach, run};

/// A log, as the Python half gives it: a path, a URL, or an object that reads files.
#[derive(FromPyObject)]
pub(crate) enum Log {
    /// A path or an HTTP URL.
    Named(String),
    /// Has `name`, and `read(path, at_most)` that returns bytes, or `None` if there is no such
    /// file.
    Read(Py<PyAny>),
}

impl Log {
    /// Whether it is read where it is published.
    fn is_live(&self) -> bool {
        match self {
            Self::Named(name) => name.contains("://"),
            Self::Read(_) => true,
        }
    }

    pub(crate) fn open(&self) -> Result<LogSource, Failure> {
        LogSource::open(self.files()?).map_err(unavailable)
    }

    pub(crate) fn files(&self) -> Result<Box<dyn Files>, Failure> {
        let name = match self {
            Self::Named(name) => name,
            Self::Read(reader) => return FilesOf::new(reader).map(|files| Box::new(files) as _),
        };
        if name.is_empty() {
            return Err(Failure::usage("log", "expected a path or a URL, found an empty text"));
        }
        if self.is_live() {
            let http = Http::new(name, HttpLimits::default());
            return Ok(Box::new(http.map_err(|error| Failure::usage("log", error))?));
        }
        let unreadable = |says: String| Failure::unavailable(format_args!("{name}: {says}"));
        let about = fs::metadata(Path::new(name)).map_err(|error| unreadable(error.to_string()))?;
        if about.is_dir() {
            return Ok(Box::new(LogFolder::open(Path::new(name))));
        }
        let file = File::open(name).map_err(|error| unreadable(error.to_string()))?;
        Ok(Box::new(Export::open(name, file).map_err(|error| unreadable(error.to_string()))?))
    }
}

/// The files of a log that Python reads.
#[derive(Debug)]
struct FilesOf {
    name: String,
    reader: Py<PyAny>,
}

impl FilesOf {
    fn new(reader: &Py<PyAny>) -> Result<Self, Failure> {
        Python::attach(|py| {
            let name = reader.getattr(py, "name").and_then(|name| name.extract(py));
            let name = name.map_err(|error| Failure::usage("log", error))?;
            Ok(Self { name, reader: reader.clone_ref(py) })
        })
    }
}

impl Files for FilesOf {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn read(&self, path: &str, at_most: u64) -> Result<Vec<u8>, ReadError> {
        let read = Python::attach(|py| -> PyResult<Option<Vec<u8>>> {
            let read = self.reader.call_method1(py, "read", (path, at_most))?;
            read.extract(py)
        });
        match read {
            Ok(Some(bytes)) if u64::try_from(bytes.len()).is_ok_and(|length| length > at_most) => {
                Err(ReadError::TooLong { at_most })
            }
            Ok(Some(bytes)) => Ok(bytes),
            Ok(None) => Err(ReadError::Missing),
            Err(error) => Err(ReadError::Unreadable(error.to_string())),
        }
    }
}

pub(crate) fn unavailable(error: SourceError) -> Failure {
    Failure::unavailable(error)
}

/// The times at which a log is judged, by the command's own rules: now for a log that is live, else
/// its last entry.
#[derive(Clone, Copy, FromPyObject)]
pub(crate) struct When {
    /// Unix milliseconds; `None` is the system's time.
    #[pyo3(item)]
    now: Option<u64>,
    #[pyo3(item)]
    as_of: Option<u64>,
    /// Whether `as_of` is now.
    #[pyo3(item)]
    as_of_now: bool,
}

impl When {
    pub(crate) fn times(self, log: &Log) -> Times {
        let clock = self.now.unwrap_or_else(unix_now);
        let is_now = self.as_of_now || self.as_of.is_none() && log.is_live();
        Times { as_of: if is_now { Some(clock) } else { self.as_of }, clock: Some(clock) }
    }
}

/// How the signatures of contributions are taken.
pub(crate) fn signatures(skip: bool) -> Signatures {
    if skip { Signatures::Skipped } else { Signatures::Verified }
}

/// A verdict as JSON, the state to resume from, how many entries only the audit before judged, and
/// the saved views that the log continues.
type Audited = (String, Option<String>, u64, Vec<(String, u64)>);

/// Judges a log.
#[pyfunction]
#[pyo3(signature = (
    log, key, when, since, *, policy, skip_signatures, statistics, state, progress
))]
#[expect(clippy::too_many_arguments, reason = "each is an argument of the Python function")]
pub(crate) fn audit(
    py: Python<'_>,
    log: Log,
    key: &str,
    when: When,
    since: Vec<(String, String)>,
    policy: Option<&[u8]>,
    skip_signatures: bool,
    statistics: bool,
    state: Option<String>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Audited> {
    let key = self::key(key)?;
    let work = |work: &_| {
        let policy = self::policy(policy, &key)?;
        let mut source = log.open()?;
        let options = AuditOptions {
            policy: policy.as_ref(),
            times: when.times(&log),
            signatures: signatures(skip_signatures),
            since: &since,
            statistics,
            state: state.as_deref(),
            ..AuditOptions::under(&key)
        };
        let audited = source.audit_watched(&options, &mut Watch(work)).map_err(unavailable)?;
        Ok::<_, Failure>((
            json(&audited.verdict)?,
            audited.state,
            audited.judged_before,
            audited.continued,
        ))
    };
    Ok(run(py, progress.as_ref(), work)??)
}

/// How many entries a log's checkpoint promises, unverified.
#[pyfunction]
pub(crate) fn log_size(py: Python<'_>, log: Log) -> PyResult<u64> {
    Ok(detach(py, || log.open().map(|source| source.size()))?)
}

/// Tests a log's deals: with a key those that are replayed, without one all. Returns JSON.
#[pyfunction]
#[pyo3(signature = (log, key, after, progress))]
pub(crate) fn stats_of_log(
    py: Python<'_>,
    log: Log,
    key: Option<&str>,
    after: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let key = key.map(self::key).transpose()?;
    let work = |work: &_| {
        let (found, size) = if let Some(key) = &key {
            let options = AuditOptions {
                statistics: true,
                statistics_after: after,
                ..AuditOptions::under(key)
            };
            let audited =
                log.open()?.audit_watched(&options, &mut Watch(work)).map_err(unavailable)?;
            let verdict = audited.verdict;
            let found = verdict
                .statistics
                .ok_or_else(|| Failure::unavailable("no statistics were made"))?;
            (found, verdict.size)
        } else {
            let mut deals = Unjudged::after(after);
            let read = entries(log.files()?, None, |entry| deals.take(entry), |_, _| {});
            let read = read.map_err(|error| match error {
                ExportError::Fault(finding) => Failure::findings("log", vec![finding]),
                error => Failure::unavailable(error),
            })?;
            (deals.finish(), read.size)
        };
        if let Some(after) = after.filter(|_| found.groups.is_empty()) {
            let last = size.saturating_sub(1);
            let says = format!("no deal to count after {after}, the log's last entry is {last}");
            return Err(Failure::unavailable(says));
        }
        json(&LogStatisticsAnswer::of(&found, size, after))
    };
    Ok(run(py, progress.as_ref(), work)??)
}

/// The system's time, in Unix milliseconds.
#[expect(clippy::disallowed_methods, reason = "the reader's clock, where the caller gives none")]
fn unix_now() -> u64 {
    let now =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}
