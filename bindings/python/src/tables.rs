//! The tables of an audit, page by page, and single entries as they are published.

use std::collections::BTreeSet;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use fairdeal_audit::answer::AuditTable;
use fairdeal_audit::source::{AuditObserver, AuditOptions, LogSource, PublishedEntry, StopAudit};
use fairdeal_audit::{AuditRows, Keep};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::deals::{key, policy};
use crate::failure::{Failure, json};
use crate::logs::{Log, When, signatures, unavailable};
use crate::waiting::{OFTEN, detach};

/// How many pages wait for their reader: then the audit waits too, so that a log of any length
/// needs little memory.
const AHEAD: usize = 4;

/// Rows as JSON lines, `None` at the end, or why there is none. Without an end the table is not
/// whole.
type Page = Result<Option<Vec<u8>>, Failure>;

/// Sends the rows of one table.
struct Sender {
    table: AuditTable,
    to: SyncSender<Page>,
}

impl AuditObserver for Sender {
    fn progress(&mut self, _: u64, _: u64) {}

    fn wanted(&self) -> Option<Keep> {
        Some(if self.table == AuditTable::Findings { Keep::Findings } else { Keep::All })
    }

    fn rows(&mut self, rows: AuditRows) -> Result<(), StopAudit> {
        let lines = self.table.json_lines(&rows).map_err(|error| StopAudit(error.to_string()))?;
        // Pages without rows are sent too: so it is seen that nobody reads any more.
        self.to.send(Ok(Some(lines))).map_err(|_| StopAudit("nobody reads the rows".to_owned()))
    }
}

/// The rows of a table of an audit, read while the audit runs on a thread of its own.
#[pyclass(module = "fairdeal._fairdeal", frozen)]
pub(crate) struct TablePages(Mutex<Option<Receiver<Page>>>);

#[pymethods]
impl TablePages {
    /// Begins the audit.
    #[staticmethod]
    fn of(
        py: Python<'_>,
        log: Log,
        key: &str,
        when: When,
        table: &str,
        policy: Option<&[u8]>,
        skip_signatures: bool,
    ) -> PyResult<Self> {
        let key = self::key(key)?;
        let policy = detach(py, || self::policy(policy, &key))?;
        let table = AuditTable::named(table)
            .ok_or_else(|| Failure::usage("table", format_args!("there is no table {table:?}")))?;
        let (to, pages) = sync_channel(AHEAD);
        thread::spawn(move || {
            let mut sender = Sender { table, to };
            let audited = log.open().and_then(|mut source| {
                let options = AuditOptions {
                    policy: policy.as_ref(),
                    times: when.times(&log),
                    signatures: signatures(skip_signatures),
                    ..AuditOptions::under(&key)
                };
                source.audit_watched(&options, &mut sender).map_err(unavailable)
            });
            // If nobody reads any more, nobody asks why either.
            let _ = sender.to.send(audited.map(|_| None));
        });
        Ok(Self(Mutex::new(Some(pages))))
    }

    /// The next rows as JSON lines; `None` after the last one.
    fn next_page(&self, py: Python<'_>) -> PyResult<Option<Vec<u8>>> {
        detach(py, || {
            let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(pages) = left.as_ref() else { return Ok(None) };
            loop {
                match pages.recv_timeout(OFTEN) {
                    Ok(Ok(Some(page))) if page.is_empty() => {}
                    Ok(Ok(Some(page))) => return Ok(Some(page)),
                    Ok(end) => {
                        *left = None;
                        return Ok(end?);
                    }
                    Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals())?,
                    Err(RecvTimeoutError::Disconnected) => {
                        return Err(PyRuntimeError::new_err(
                            "the audit ended without its last rows",
                        ));
                    }
                }
            }
        })
    }
}

/// An entry of a log as it is published.
#[derive(serde::Serialize)]
struct Published<'a> {
    index: u64,
    file: Option<&'a str>,
    offset: u64,
    leaf: String,
    text: Option<&'a str>,
}

impl<'a> Published<'a> {
    fn of(entry: &'a PublishedEntry) -> Self {
        Self {
            index: entry.index,
            file: entry.file.as_deref(),
            offset: entry.offset,
            leaf: entry.leaf.to_hex(),
            text: std::str::from_utf8(&entry.bytes).ok(),
        }
    }
}

/// The entries at some indices, as JSON.
#[pyfunction]
pub(crate) fn published(py: Python<'_>, log: Log, indices: BTreeSet<u64>) -> PyResult<String> {
    Ok(detach(py, || {
        let files = log.files()?;
        let has_tiles = files.has_tiles();
        let source = LogSource::open(files).map_err(unavailable)?;
        let found: Vec<PublishedEntry> = if has_tiles {
            let indices: Vec<u64> = indices.into_iter().collect();
            let bundles = indices.chunk_by(|left, right| left / 256 == right / 256);
            bundles.flat_map(|some| source.published(&some.iter().copied().collect())).collect()
        } else {
            // It is read from its start, once.
            source.published(&indices)
        };
        json(&found.iter().map(Published::of).collect::<Vec<_>>())
    })?)
}
