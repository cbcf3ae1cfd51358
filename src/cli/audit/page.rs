//! The audit as an HTML page: adds what only the command line knows.

use crate::audit::AuditVerdict;
use crate::cli::logs::Log;
use crate::cli::{files, time};
use crate::log::VerifierKey;
use crate::report::{EntryBytes, PageContext, entries_to_show, html};
use crate::source::{Audited, LogSource};

pub(super) fn of(args: &super::Args, log: &Log, key: &VerifierKey, audited: &Audited) -> String {
    let verdict = &audited.verdict;
    let since: Vec<String> = args.since.iter().map(|path| files::name(path)).collect();
    let (text, as_of, clock) = (key.to_text(), verdict.as_of.map(time::utc), verdict.clock.map(time::utc));
    let entries = entries(log, verdict);
    let continued: Vec<u64> = audited.continued.iter().map(|(_, size)| *size).collect();
    let about = PageContext {
        log: log.typed(),
        origin: key.name().as_str(),
        key: &text,
        as_of: as_of.as_deref(),
        clock: clock.as_deref(),
        since: &since,
        continued: &continued,
        judged_before: audited.judged_before,
        entries: &entries,
        version: env!("CARGO_PKG_VERSION"),
    };
    html(verdict, &about)
}

/// The entries that the page shows, read again. None of stdin, which cannot be; and where the log cannot be read any
/// more, the page is written without them.
fn entries(log: &Log, verdict: &AuditVerdict) -> Vec<EntryBytes> {
    let wanted = entries_to_show(verdict);
    if wanted.is_empty() || log.is_stdin() {
        return Vec::new();
    }
    let Some(source) = log.open().ok().and_then(|files| LogSource::open(files).ok()) else {
        return Vec::new();
    };
    let name = source.name();
    let shown = source.published(&wanted).into_iter().map(|entry| EntryBytes {
        place: entry.file.map_or_else(|| name.clone(), |file| format!("{name}/{file}")),
        index: entry.index,
        bytes: entry.bytes,
        leaf: entry.leaf,
        offset: entry.offset,
    });
    shown.collect()
}
