//! Prints an audit: the verdict, the findings, the numbers.

use std::path::Path;

use serde::Serialize;

use super::tables::Written;
use crate::audit::{AuditVerdict, Reported, TableCounts};
use crate::cli::out::{BAD, FAINT, GOOD, Out, STRONG, count, plain, shown};
use crate::cli::{note, time};
use crate::record::Finding;
use crate::report::{overdue_by_clock, passed_over};
use crate::utc::span;

/// Findings printed of each code. The others are counted, and are in `--json`.
const PRINTED_OF_EACH: usize = 5;

/// What was written beside the verdict.
#[derive(Clone, Copy, Debug)]
pub(super) struct Files<'a> {
    /// The folder of the tables, and their numbers of rows.
    pub(super) tables: Option<(&'a Path, Written)>,
    /// The page.
    pub(super) page: Option<&'a Path>,
}

/// The `--json` output: the verdict, and the page's file if one was written.
#[derive(Debug, Serialize)]
pub(super) struct Answer<'a> {
    #[serde(flatten)]
    verdict: &'a AuditVerdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

impl Files<'_> {
    pub(super) fn with<'a>(&self, verdict: &'a AuditVerdict) -> Answer<'a> {
        Answer { verdict, file: self.page.map(|file| file.to_string_lossy().into_owned()) }
    }
}

/// Prints the audit, the saved views that the log continues, and the files that were written.
pub(super) fn print(
    log: &str,
    verdict: &AuditVerdict,
    continued: &[(String, u64)],
    written: &Files<'_>,
    out: &mut Out,
) {
    let name = plain(log);
    // The first sentence says what was not checked, so that nobody takes the verdict for more than it is.
    let but = if verdict.holds { ", but" } else { ";" };
    let but = passed_over(verdict).map_or_else(String::new, |says| format!("{but} {says}"));
    if verdict.holds {
        out.line(format_args!("{STRONG}{name}{STRONG:#}  {GOOD}holds{GOOD:#}{but}"));
    } else {
        out.line(format_args!("{STRONG}{name}{STRONG:#}  {BAD}does not hold{BAD:#}{but}"));
    }
    if let Some(says) = overdue_by_clock(verdict) {
        out.line(format_args!("  {BAD}{says}{BAD:#} (--as-of now)"));
    }
    for (code, count) in &verdict.counts {
        let of_code = verdict.findings.iter().filter(|finding| finding.code.as_str() == *code);
        of_code.take(PRINTED_OF_EACH).for_each(|finding| print_finding(finding, out));
        if let Some(more) = count.checked_sub(PRINTED_OF_EACH as u64).filter(|&more| more > 0) {
            out.line(format_args!("    and {more} more of {code}"));
        }
    }
    if !verdict.holds && verdict.size == 0 {
        // Numbers of nothing would read like numbers of this log.
        out.line(format_args!("{FAINT}No entry was judged.{FAINT:#}"));
        return;
    }
    out.field("entries", verdict.size);
    out.field("root", verdict.root.to_hex());
    out.field("commitments", counted_commitments(verdict));
    out.field("rounds", counted_rounds(verdict));
    out.field("voids", verdict.voids);
    out.field("reveals", reveals(verdict));
    if let Some(as_of) = verdict.as_of {
        out.field("as of", time::utc(as_of));
    }
    if let Some(clock) = verdict.clock {
        out.field("clock", time::utc(clock));
    }
    for (_, size) in continued {
        out.field("continues", note::part_of_this_log(*size));
    }
    print_reported(&verdict.reported, out);
    if let Some((dir, Written { entries, rounds, findings })) = written.tables {
        out.field(
            "written",
            format_args!(
                "{}: {}, {}, {}",
                shown(dir),
                count(entries, "entry", "entries"),
                count(rounds, "round", "rounds"),
                count(findings, "finding", "findings")
            ),
        );
    }
    if let Some(page) = written.page {
        out.field("page", format_args!("{}: open it in a browser", shown(page)));
    }
    let note = "Not shown: that everybody was given this log (compare saved checkpoints), and when anything happened.";
    out.line(format_args!("{FAINT}{note}{FAINT:#}"));
}

fn counted_commitments(verdict: &AuditVerdict) -> String {
    let mut parts = vec![verdict.commitments.to_string()];
    if verdict.reported.never_used > 0 {
        parts.push(format!("{} never used", verdict.reported.never_used));
    }
    if verdict.reported.ended_early > 0 {
        parts.push(format!("{} ended early", verdict.reported.ended_early));
    }
    if verdict.not_judged > 0 {
        parts.push(format!("and {} of other protocols, not judged", verdict.not_judged));
    }
    parts.join(", ")
}

fn counted_rounds(verdict: &AuditVerdict) -> String {
    let mut parts = vec![format!("{} dealt", verdict.deals)];
    if verdict.reported.unrevealed_deals > 0 {
        parts.push(format!("{} of them not revealed yet", verdict.reported.unrevealed_deals));
    }
    if verdict.reported.unanswered_locks > 0 {
        parts.push(format!("{} locked and not answered", verdict.reported.unanswered_locks));
    }
    parts.join(", ")
}

fn reveals(verdict: &AuditVerdict) -> String {
    let delays = &verdict.reported.reveal_delays;
    match (delays.shortest, delays.longest, delays.total.checked_div(delays.count)) {
        (Some(only), _, _) if delays.count == 1 => format!("1, {} after its commit", span(only)),
        (Some(shortest), Some(longest), Some(mean)) => format!(
            "{}, {} to {} after their commit, {} on average",
            verdict.reveals,
            span(shortest),
            span(longest),
            span(mean)
        ),
        _ => verdict.reveals.to_string(),
    }
}

fn print_reported(reported: &Reported, out: &mut Out) {
    let table = |(table, counts): (&String, &TableCounts)| {
        let locked = match counts.voided_locks {
            0 => String::new(),
            locks => format!(" ({locks} of them locked)"),
        };
        format!(
            "{}: {} dealt, {}{locked} and {} voided",
            plain(table),
            counts.deals,
            count(counts.voided_rounds, "round", "rounds"),
            count(counts.voided_commitments, "commitment", "commitments")
        )
    };
    out.fields("tables", reported.tables.iter().take(PRINTED_OF_EACH).map(table));
    if let Some(more) = reported.tables.len().checked_sub(PRINTED_OF_EACH).filter(|&more| more > 0) {
        out.more(format_args!("and {} more", count(more, "table", "tables")));
    }
    let seed = |(seed, users): (&String, &u64)| {
        format!("{} was used by {users} contributors", plain(&format!("{seed:?}")))
    };
    out.fields("weak seeds", reported.weak_seeds.iter().take(PRINTED_OF_EACH).map(seed));
    let blamed = |(name, rounds): (&String, &u64)| {
        format!(
            "{}: {}, by the operator's word",
            plain(name),
            count(*rounds, "voided round", "voided rounds")
        )
    };
    out.fields("blamed", reported.blamed.iter().take(PRINTED_OF_EACH).map(blamed));
    if reported.rounds_without_committed_first > 0 {
        let says = "dealt with a seed that nothing ties to the promise after it was published";
        out.field("rounds", format_args!("{} {says}", reported.rounds_without_committed_first));
    }
}

fn print_finding(finding: &Finding, out: &mut Out) {
    let at = finding.index.map_or_else(String::new, |index| format!(" at entry {index}"));
    let round = finding.nonce.map_or_else(String::new, |nonce| format!(", round {nonce}"));
    out.finding(finding.code.as_str(), &format!("{at}{round}: {}", plain(&finding.says)));
}
