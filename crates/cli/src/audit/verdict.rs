//! Prints an audit: the verdict, the findings, the numbers.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Serialize;

use super::tables::Written;
use crate::accused::{About, print_accused};
use crate::out::{BAD, FAINT, GOOD, Out, STRONG, columns_beside, count, plain, shown, wrapped};
use crate::stats::probability;
use crate::{note, time};
use fairdeal::record::{Code, Finding};
use fairdeal::utc::span;
use fairdeal_audit::{AuditVerdict, Reported, StatisticsSummary, TableCounts, WitnessReport};
use fairdeal_schemes::report::{behind, followers, found_by_class, overdue_by_clock, passed_over};

/// Findings printed of each code. The others are counted, and are in `--json`.
const PRINTED_OF_EACH: usize = 5;

/// The lines next to the verdict: the files that were read and written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beside<'a> {
    /// Whether the entries are not those that were signed.
    pub(super) is_another_tree: bool,
    /// With `--state`: how many of the first entries only the audit before judged.
    pub(super) judged_before: Option<u64>,
    /// Files that came from the cache.
    pub(super) cached: u64,
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
    judged_before: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

impl Beside<'_> {
    pub(super) fn with<'a>(&self, verdict: &'a AuditVerdict) -> Answer<'a> {
        let file = self.page.map(|file| file.to_string_lossy().into_owned());
        Answer { verdict, judged_before: self.judged_before, file }
    }
}

/// Prints the audit, the saved views that the log continues, and the files that were written.
pub(super) fn print(
    log: &str,
    verdict: &AuditVerdict,
    continued: &[(String, u64)],
    beside: &Beside<'_>,
    out: &mut Out,
) {
    let name = plain(log);
    // The first sentence says what was not checked, so that nobody takes the verdict for more than
    // it is.
    let but = if verdict.holds { ", but" } else { ";" };
    let but = passed_over(verdict, beside.judged_before.unwrap_or(0), beside.cached)
        .map_or_else(String::new, |says| format!("{but} {says}"));
    if verdict.holds {
        say!(out, "{STRONG}{name}{STRONG:#}  {GOOD}holds{GOOD:#}{but}");
    } else {
        let found = found_by_class(verdict);
        say!(out, "{STRONG}{name}{STRONG:#}  {BAD}does not hold{BAD:#}: {found}{but}");
    }
    if let Some(says) = overdue_by_clock(verdict) {
        say!(out, "  {BAD}{says}{BAD:#} (--as-of now)");
    }
    if beside.is_another_tree {
        let says = "These entries are not those that were signed: what follows is about this copy. \
                    Fetch it again before you accuse anybody.";
        for line in wrapped(says, columns_beside(2)) {
            say!(out, "  {line}");
        }
    }
    print_findings(verdict, out);
    let accused = verdict.findings.iter().map(|one| verdict.accuses(one.code));
    print_accused(accused, About::Copy, out);
    let by_clock =
        |one: &Finding| one.code == Code::TimeAhead && !one.says.contains("under your policy");
    if verdict.findings.iter().any(by_clock) {
        out.field("", "time-ahead is only as right as your clock: compare it with another");
    }
    if !verdict.holds && verdict.size == 0 {
        // Numbers of nothing would read like numbers of this log.
        say!(out, "{FAINT}No entry was judged.{FAINT:#}");
        return;
    }
    out.field("entries", verdict.size);
    out.field("root", verdict.root.to_hex());
    if let Some(last) = verdict.last_time {
        let before =
            behind(verdict).map_or_else(String::new, |it| format!(", {it} before your clock"));
        field!(out, "last entry", "{}{before}", time::utc(last));
    }
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
    if let Some(witnesses) = &verdict.witnesses {
        print_witnesses(witnesses, verdict, out);
    }
    if let Some(statistics) = &verdict.statistics {
        field!(
            out,
            "statistics",
            "{} (never part of the verdict)",
            summed_up(&statistics.summary())
        );
    }
    if let Some((dir, Written { entries, rounds, findings })) = beside.tables {
        field!(
            out,
            "written",
            "{}: {}, {}, {}",
            shown(dir),
            count(entries, "entry", "entries"),
            count(rounds, "round", "rounds"),
            count(findings, "finding", "findings")
        );
    }
    if let Some(page) = beside.page {
        field!(out, "page", "{}: open it in a browser", shown(page));
    }
    let is_covered = |one: &WitnessReport| one.by.is_some() && one.not_covered == 0;
    let is_timed = verdict.witnesses.as_ref().is_some_and(is_covered);
    let when = if is_timed { "" } else { " when anything happened;" };
    say!(
        out,
        "{FAINT}Not shown: that everybody was given this log (compare saved checkpoints);{when} rounds and \
         tables that were never written.{FAINT:#}"
    );
}

/// What the witnesses of the reader's policy show.
fn print_witnesses(witnesses: &WitnessReport, verdict: &AuditVerdict, out: &mut Out) {
    let WitnessReport { anchors, proving, by, longest, not_covered, reveals_not_in_time, .. } =
        witnesses;
    field!(
        out,
        "anchors",
        "{anchors}, {proving} of them with a quorum of your witnesses and this log's root"
    );
    let covered = verdict.size.saturating_sub(*not_covered);
    let seen = match by {
        Some(by) => format!(" by {}", time::utc(by.saturating_mul(1000))),
        None => String::new(),
    };
    let longest = longest.map_or_else(String::new, |longest| {
        format!("; at most {} between two such times", span(longest.saturating_mul(1000)))
    });
    let after = if *not_covered > 0 { "; nothing after that" } else { "" };
    field!(out, "witnessed", "{covered} of {} entries{seen}{longest}{after}", verdict.size);
    if *reveals_not_in_time > 0 {
        let says = "not shown by your witnesses to be in time";
        let reveals = count(*reveals_not_in_time, "reveal", "reveals");
        field!(out, "reveals", "{reveals} {says}");
    }
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
    if verdict.reported.voided_locks > 0 {
        parts.push(format!("{} voided after their lock", verdict.reported.voided_locks));
    }
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

/// The statistics in a line.
fn summed_up(found: &StatisticsSummary) -> String {
    let deals = count(found.deals, "deal", "deals");
    match &found.strongest {
        _ if found.deals == 0 => "there are no deals to count".to_owned(),
        Some(test) if found.alarms > 0 => format!(
            "{BAD}alarm{BAD:#}: {} of {}; strongest \"{}\", adjusted p {}",
            found.alarms,
            count(found.tests, "test", "tests"),
            plain(&test.name),
            probability(test.p_adjusted)
        ),
        _ if found.watches > 0 => {
            format!("{BAD}alarm{BAD:#}: the evidence over time in {deals}, in none of all tests")
        }
        _ => format!("no alarm in {deals}"),
    }
}

fn print_reported(reported: &Reported, out: &mut Out) {
    let table = |(table, counts): &(&str, &TableCounts)| {
        let locked = match counts.voided_locks {
            0 => String::new(),
            locks => format!(" ({locks} of them locked)"),
        };
        format!(
            "{}: {}, {} dealt, {}{locked} and {} voided",
            plain(table),
            count(counts.commitments, "commitment", "commitments"),
            counts.deals,
            count(counts.voided_rounds, "round", "rounds"),
            count(counts.voided_commitments, "commitment", "commitments")
        )
    };
    out.fields("tables", reported.tables_by_share().iter().take(PRINTED_OF_EACH).map(table));
    if let Some(more) = reported.tables.len().checked_sub(PRINTED_OF_EACH).filter(|&more| more > 0)
    {
        more!(out, "and {} more", count(more, "table", "tables"));
    }
    let seed = |(seed, users): &(&str, u64)| {
        format!("{} was used by {users} contributors", plain(&format!("{seed:?}")))
    };
    out.fields(
        "weak seeds",
        Reported::by_count(&reported.weak_seeds).iter().take(PRINTED_OF_EACH).map(seed),
    );
    let blamed = |(name, rounds): &(&str, u64)| {
        format!(
            "{}: {}, by the operator's word",
            plain(name),
            count(*rounds, "voided round", "voided rounds")
        )
    };
    out.fields(
        "blamed",
        Reported::by_count(&reported.blamed).iter().take(PRINTED_OF_EACH).map(blamed),
    );
    if reported.rounds_without_committed_first > 0 {
        let says = "dealt with a seed that nothing ties to the promise";
        field!(out, "rounds", "{} {says}", reported.rounds_without_committed_first);
    }
}

/// The first findings of each code, in the order of spec/audit.md, 13.4: what is wrong with the
/// whole log is read first.
fn print_findings(verdict: &AuditVerdict, out: &mut Out) {
    let mut printed = BTreeSet::new();
    for code in verdict.findings.iter().map(|finding| finding.code) {
        if !printed.insert(code) {
            continue;
        }
        let of_code: Vec<&Finding> =
            verdict.findings.iter().filter(|finding| finding.code == code).collect();
        of_code.iter().take(PRINTED_OF_EACH).for_each(|finding| print_finding(finding, out));
        let count = verdict.counts.get(code.as_str()).copied().unwrap_or_default();
        if let Some(more) = count.checked_sub(PRINTED_OF_EACH as u64).filter(|&more| more > 0) {
            let follow = followers(&of_code, PRINTED_OF_EACH, more);
            say!(out, "    and {more} more of {code}{follow}");
        }
    }
}

fn print_finding(finding: &Finding, out: &mut Out) {
    let at = finding.index.map_or_else(String::new, |index| format!(" at entry {index}"));
    let round = finding.nonce.map_or_else(String::new, |nonce| format!(", round {nonce}"));
    out.finding(finding.code.as_str(), &format!("{at}{round}: {}", plain(&finding.says)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use fairdeal_audit::stats::Test;

    #[test]
    fn the_statistics_are_one_line() {
        let test = |p_adjusted| Test {
            name: "seat 1, rank".to_owned(),
            statistic: 9.0,
            p: 0.0,
            p_adjusted,
        };
        let found = |deals, alarms, watches, p| {
            let strongest = (deals > 0).then(|| test(p));
            summed_up(&StatisticsSummary { deals, tests: 40, alarms, strongest, watches })
        };
        assert_eq!(found(0, 0, 0, 1.0), "there are no deals to count");
        assert_eq!(found(297_060, 0, 0, 0.4), "no alarm in 297060 deals");
        let alarm = format!("{BAD}alarm{BAD:#}: ");
        let says = r#"4 of 40 tests; strongest "seat 1, rank", adjusted p 7.0e-75"#;
        assert_eq!(found(900, 4, 1, 7e-75), format!("{alarm}{says}"));
        assert_eq!(
            found(900, 0, 1, 0.4),
            format!("{alarm}the evidence over time in 900 deals, in none of all tests")
        );
    }
}
