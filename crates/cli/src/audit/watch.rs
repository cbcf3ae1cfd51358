//! An audit while it runs: its progress, its findings as lines, its tables.

use serde::Serialize;

use super::tables::{Tables, Written};
use super::verdict::Answer;
use crate::bar::Bar;
use crate::out::Out;
use fairdeal_audit::source::{AuditObserver, StopAudit};
use fairdeal_audit::{AuditRows, Keep, WithNulls};

/// One line of `--ndjson`.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Line<'a> {
    /// Printed when it is met.
    Finding(WithNulls<'a>),
    /// The last line; without it there is no verdict.
    Verdict(Answer<'a>),
}

impl Line<'_> {
    pub(super) fn print(&self, out: &mut Out) {
        out.line(serde_json::to_string(self).expect("a plain struct with text for keys"));
    }
}

/// Follows an audit.
#[derive(Debug)]
pub(super) struct Watcher<'a> {
    /// The output for each finding, with `--ndjson`.
    lines: Option<&'a mut Out>,
    /// `None` with lines, which show progress themselves.
    bar: Option<Bar>,
    tables: Option<Tables>,
    written: Written,
}

impl<'a> Watcher<'a> {
    /// `what` says on the bar what is done.
    pub(super) fn new(
        what: &'static str,
        lines: Option<&'a mut Out>,
        tables: Option<Tables>,
    ) -> Self {
        let bar = lines.is_none().then(|| Bar::new(what));
        Self { lines, bar, tables, written: Written::default() }
    }

    /// Ends the audit. Returns the tables, if any, and their numbers of rows.
    pub(super) fn finish(self) -> Option<(Tables, Written)> {
        self.bar.into_iter().for_each(Bar::finish);
        self.tables.map(|tables| (tables, self.written))
    }
}

impl AuditObserver for Watcher<'_> {
    fn progress(&mut self, done: u64, size: u64) {
        self.bar.iter().for_each(|bar| bar.at(done, size));
    }

    fn wanted(&self) -> Option<Keep> {
        let lines = self.lines.as_ref().map(|_| Keep::Findings);
        self.tables.as_ref().map_or(lines, |_| Some(Keep::All))
    }

    fn rows(&mut self, rows: AuditRows) -> Result<(), StopAudit> {
        if let Some(out) = self.lines.as_mut().filter(|_| !rows.findings.is_empty()) {
            rows.findings
                .iter()
                .for_each(|finding| Line::Finding(WithNulls(finding, None)).print(out));
            out.flush().map_err(|failure| StopAudit(failure.into_says()))?;
        }
        if let Some(tables) = &mut self.tables {
            let Written { entries, rounds, findings } = tables.add(&rows).map_err(StopAudit)?;
            let written = &mut self.written;
            written.entries += entries;
            written.rounds += rounds;
            written.findings += findings;
        }
        Ok(())
    }
}
