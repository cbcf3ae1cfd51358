//! The page: the verdict first, then the findings, then the numbers, then what an audit cannot
//! show.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::passed_over::found_by_class;
use super::words::{many, number, shown, spelled};
use super::{PLOT_CSS, PageContext, findings, followers, limits, numbers, passed_over, statistics};
use fairdeal::record::Code;
use fairdeal::record::finding::Class;
use fairdeal_audit::AuditVerdict;

const PAGE_CSS: &str = include_str!("page.css");

/// Nothing may be loaded or run, even if a text of the log got around the escaping.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

pub(super) fn page(verdict: &AuditVerdict, about: &PageContext<'_>) -> Markup {
    let title = if verdict.holds { "holds" } else { "does not hold" };
    let title = format!("Audit of {}: {title}", spelled(about.origin));
    let footer = html! {
        "Made by fairdeal " (shown(about.version)) " from the log alone. The rules for a log "
        "are in spec/ledger.md, section 9; the statistics are described in docs/statistics.md."
    };
    shell(&title, about.version, &header(verdict, about), &sections(verdict, about), &footer)
}

/// A page of these parts, which needs no other file.
pub(crate) fn shell(
    title: &str,
    version: &str,
    header: &Markup,
    sections: &[Section],
    footer: &Markup,
) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                meta name="generator" content=(format!("fairdeal {}", spelled(version)));
                title { (title) }
                style { (PreEscaped(PLOT_CSS)) (PreEscaped(PAGE_CSS)) }
            }
            body {
                @if let Some((id, ..)) = sections.first() { a class="skip" href=(format!("#{id}")) { "Skip to what was found" } }
                (header)
                nav aria-label="Contents" {
                    ol {
                        @for (id, title, _) in sections { li { a href=(format!("#{id}")) { (title) } } }
                    }
                }
                main {
                    @for (id, title, body) in sections {
                        section id=(id) aria-labelledby=(format!("{id}-title")) {
                            h2 id=(format!("{id}-title")) { (title) }
                            (body)
                        }
                    }
                }
                footer { p { (footer) } }
            }
        }
    }
}

/// A part of the page: its id, its title and its body.
pub(crate) type Section = (&'static str, &'static str, Markup);

fn sections(verdict: &AuditVerdict, about: &PageContext<'_>) -> Vec<Section> {
    let found = ("findings", "What was found", findings::section(verdict, about));
    let repeat = ("repeat", "Check it yourself", limits::repeat(verdict, about));
    if nothing_judged(verdict) {
        // Numbers of nothing would read like numbers of this log.
        return vec![found, repeat];
    }
    let statistics = verdict
        .statistics
        .as_ref()
        .map(|found| ("statistics", "Do the cards look shuffled?", statistics::section(found)));
    let limits = limits::limits(statistics.is_some());
    let reveals = numbers::reveals(&verdict.reported);
    let mut all = vec![
        found,
        ("commitments", "The life of each commitment", numbers::commitments(verdict)),
        ("voids", "Deals that were called off", numbers::voids(verdict)),
        ("reveals", "How long secrets stayed secret", reveals),
        ("seeds", "The players’ part", numbers::seeds(verdict)),
    ];
    all.extend(statistics);
    all.extend([("limits", "What this audit cannot show", limits), repeat]);
    all
}

/// Whether the audit found something before it came to the first entry.
fn nothing_judged(verdict: &AuditVerdict) -> bool {
    !verdict.holds && verdict.size == 0
}

fn header(verdict: &AuditVerdict, about: &PageContext<'_>) -> Markup {
    let (class, badge, sign) = match () {
        () if verdict.holds && about.judged_before > 0 => {
            ("verdict late", " Holds, as far as it was read", "✓")
        }
        () if verdict.holds => ("verdict holds", " Holds", "✓"),
        () if is_about_time(verdict) => ("verdict late", " Does not hold", "!"),
        () => ("verdict fails", " Does not hold", "✕"),
    };
    html! {
        header class=(class) {
            p class="eyebrow" { "Audit of a public card-dealing log" }
            p class="badge" { span aria-hidden="true" { (sign) } (badge) }
            h1 { (sentence(verdict, about)) }
            @if about.is_another_tree { p class="lead" {
                b { "These entries are not those that were signed. " }
                "What follows is about this copy: fetch the log again before you accuse anybody."
            } }
            @if nothing_judged(verdict) {
                p class="lead" { "No entry was judged. The list below says why." }
            } @else if verdict.size == 0 {
                p class="lead" { "There is nothing in it yet, neither a promise nor a deal." }
            } @else if verdict.holds {
                p class="lead" { (lead(verdict, about.judged_before)) }
                @if verdict.statistics.as_ref().is_some_and(|found| found.summary().is_alarm()) {
                    p class="lead" {
                        (if verdict.unverified.is_any() { "No rule that was checked is broken." } else { "No rule is broken." })
                        " The statistics raise an alarm, as they do for about one in a hundred fair logs: "
                        a href="#statistics" { "see below" } "."
                    }
                }
            } @else {
                p class="lead" {
                    @if let Some(says) = following(verdict) { "Of these, " (says) ". " }
                    @if is_about_time(verdict) { "No card and no order is wrong: something came too early, too late or not yet. " }
                    "The list below names each thing that does not hold, where it is, and what it means. "
                    "A finding is a fact about the log; each says whom it accuses."
                }
            }
            @if let Some(says) = passed_over::noticed(verdict) { p class="lead" { (says) } }
            @for size in about.continued { p class="lead" { "A saved view of " (many(*size, "entry", "entries")) " is part of this log." } }
            @if let Some(says) = passed_over::overdue_by_clock(verdict) {
                p class="lead" { b { (says) } " (" code { "--as-of now" } "): the log was judged as of an earlier time." }
            }
            @if !nothing_judged(verdict) { dl class="facts" {
                (fact("Deals", &number(verdict.deals), "rounds dealt"))
                (fact("Commitments", &number(verdict.commitments), "secrets promised in advance"))
                (fact("Reveals", &number(verdict.reveals), "secrets made public"))
                @let things = if found(verdict) == 1 { "thing that does not hold" } else { "things that do not hold" };
                (fact("Findings", &number(found(verdict)), things))
                (fact("Entries", &number(verdict.size), "the size of the log"))
            } }
            @if !nothing_judged(verdict) { p {
                "Not shown: that everybody was given this log; when anything happened; rounds that were never written to it. "
                a href="#limits" { "All that an audit cannot show" } "."
            } }
            dl class="identity" {
                @if let Some((first, last)) = about.period.filter(|_| !nothing_judged(verdict)) { div { dt { "Covers" } dd {
                    (shown(&spoken(first))) " to " (shown(&spoken(last))) ", by the times in the log"
                } } }
                @if !nothing_judged(verdict) { div { dt { "As of" } dd { @match about.as_of {
                    Some(as_of) => (shown(&spoken(as_of)))
                    None => { "no time: no entry had effect, and none was given" }
                } } } }
                @if let Some(clock) = about.clock { div { dt { "Clock" } dd {
                    (shown(&spoken(clock))) ", the reader’s"
                    @if let Some(behind) = passed_over::behind(verdict) { ": the last entry is " (behind) " before it" }
                } } }
                div { dt { "Key" } dd class="code" { (shown(about.key)) } }
                @if !nothing_judged(verdict) { div { dt { "Root" } dd class="code" { (verdict.root.to_hex()) } } }
            }
        }
    }
}

fn fact(label: &str, value: &str, says: &str) -> Markup {
    html! { div { dt { (label) } dd { b { (value) } span { (says) } } } }
}

/// Whether all findings are about times: no card and no order is wrong.
fn is_about_time(verdict: &AuditVerdict) -> bool {
    verdict.findings.iter().all(|finding| finding.code.class() == Class::Time)
}

/// The number of findings.
fn found(verdict: &AuditVerdict) -> u64 {
    verdict.counts.values().sum()
}

/// A sentence on the findings that follow from another finding.
fn following(verdict: &AuditVerdict) -> Option<String> {
    let gaps = verdict.counts.get(Code::NonceGap.as_str()).copied().unwrap_or_default();
    followers::among(&verdict.findings, gaps)
}

/// The verdict in one sentence.
fn sentence(verdict: &AuditVerdict, about: &PageContext<'_>) -> Markup {
    html! {
        // A log of which no entry was judged may be any log, not the key's.
        span class="name" { (shown(if nothing_judged(verdict) { about.log } else { about.origin })) }
        @if verdict.holds && verdict.size == 0 {
            " is empty: it holds, but shows nothing"
        } @else if verdict.holds {
            " holds: nothing was found in " (many(verdict.deals, "deal", "deals"))
        } @else {
            " does not hold: " (found_by_class(verdict))
        }
        @if let Some(says) = passed_over::passed_over(verdict, about.judged_before, about.cached) { @if verdict.holds { "; but " } @else { "; " } (says) }
    }
}

/// A description of what the audit did.
fn lead(verdict: &AuditVerdict, judged_before: u64) -> String {
    if judged_before > 0 {
        return format!(
            "This audit continued a saved state. It did not read the first {}: that they were judged, the state says, which \
             nobody signs. It read and checked the others, and compared the log’s hash tree with that of the state. \
             Only an audit without the state judges the whole log again.",
            many(judged_before, "entry", "entries")
        );
    }
    let computed = if verdict.reveals == 0 {
        "no secret is out yet, so no deal was computed again"
    } else if verdict.unverified.beacons > 0 {
        "the deals whose secret is out were computed again, card by card; those with a beacon, from the number that the log claims"
    } else {
        "every deal whose secret is out was computed again, card by card"
    };
    let read = if verdict.unverified.is_any() {
        "Every entry was read and, except for what is named above, checked against the rules"
    } else {
        "Every entry was read and checked against the rules"
    };
    format!(
        "{read}, {computed}, and the log’s hash tree was rebuilt. Nothing that was checked breaks a promise."
    )
}

/// `2026-01-31 12:00:00 UTC`.
fn spoken(as_of: &str) -> String {
    as_of.replacen('T', " ", 1).replacen('Z', " UTC", 1)
}
