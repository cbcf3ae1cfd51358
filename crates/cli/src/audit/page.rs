//! The audit as an HTML page: adds what only the command line knows.

use std::path::Path;

use crate::logs::Log;
use crate::{files, time};
use fairdeal::log::VerifierKey;
use fairdeal::record::Entry;
use fairdeal_audit::AuditVerdict;
use fairdeal_audit::source::{Audited, LogSource};
use fairdeal_schemes::report::{EntryBytes, PageContext, entries_to_show, html};

pub(super) fn of(args: &super::Args, log: &Log, key: &VerifierKey, audited: &Audited) -> String {
    let verdict = &audited.verdict;
    let since: Vec<String> = args.since.iter().map(|path| shared(&files::name(path))).collect();
    let name = shared(log.typed());
    let (text, as_of, clock) =
        (key.to_text(), verdict.as_of.map(time::utc), verdict.clock.map(time::utc));
    let entries = entries(log, verdict);
    let first = entries.first().filter(|entry| entry.index == 0);
    let first = first.and_then(|entry| Entry::parse(&entry.bytes).ok());
    let period = first.zip(verdict.last_time);
    let period = period.map(|(first, last)| (time::utc(first.time()), time::utc(last)));
    let continued: Vec<u64> = audited.continued.iter().map(|(_, size)| *size).collect();
    let about = PageContext {
        log: &name,
        origin: key.name().as_str(),
        key: &text,
        period: period.as_ref().map(|(first, last)| (first.as_str(), last.as_str())),
        as_of: as_of.as_deref(),
        clock: clock.as_deref(),
        since: &since,
        continued: &continued,
        judged_before: audited.judged_before,
        cached: log.served_from_cache(),
        is_another_tree: audited.is_another_tree,
        entries: &entries,
        version: env!("CARGO_PKG_VERSION"),
    };
    html(verdict, &about)
}

/// A file's name on a page for others: where it is on this machine is nobody's business, and nobody
/// else's place.
fn shared(name: &str) -> String {
    let path = Path::new(name);
    let last = path.file_name().filter(|_| path.is_absolute());
    last.map_or_else(|| name.to_owned(), |last| last.to_string_lossy().into_owned())
}

/// Reads the first entry and those that the page shows again. A log from stdin cannot be read
/// again; if another log cannot be read any more, the page is written without its entries.
fn entries(log: &Log, verdict: &AuditVerdict) -> Vec<EntryBytes> {
    let mut wanted = entries_to_show(verdict);
    wanted.insert(0);
    if log.is_stdin() {
        return Vec::new();
    }
    let Some(source) = log.open().ok().and_then(|files| LogSource::open(files).ok()) else {
        return Vec::new();
    };
    let name = shared(&source.name());
    let shown = source.published(&wanted).into_iter().map(|entry| EntryBytes {
        place: entry.file.map_or_else(|| name.clone(), |file| format!("{name}/{file}")),
        index: entry.index,
        bytes: entry.bytes,
        leaf: entry.leaf,
        offset: entry.offset,
    });
    shown.collect()
}
