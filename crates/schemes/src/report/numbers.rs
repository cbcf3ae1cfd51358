//! Numbers on which the verdict does not depend: commitments, voids, reveals, players' seeds.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::plots::{BARS, bars};
use super::words::{many, number, percent, shown};
use fairdeal::utc::span;
use fairdeal_audit::stats::number::count;
use fairdeal_audit::{AuditVerdict, Reported};

/// The most tables, names and seeds that are listed; a log may have more.
const LISTED: usize = 40;

pub(super) fn commitments(verdict: &AuditVerdict) -> Markup {
    let reported = &verdict.reported;
    let voided =
        reported.tables.values().fold(0_u64, |sum, one| sum.saturating_add(one.voided_commitments));
    let open = verdict.commitments.saturating_sub(verdict.reveals).saturating_sub(voided);
    let parts = [
        ("revealed", "a", verdict.reveals),
        ("withdrawn unused", "b", voided),
        ("still open", "c", open),
    ];
    let named = rounds(&reported.rounds_per_commitment);
    let tables = rounds(&reported.commitments_per_table);
    html! {
        p {
            "A commitment is a promise: the fingerprint of a secret, published before anything is dealt with it. It ends when the "
            "secret is revealed, and only then can its deals be checked. One that was never used may be withdrawn."
        }
        @if verdict.commitments > 0 {
            div class="stack" aria-hidden="true" {
                @for (_, class, part) in parts { @if part > 0 { span class=(class) style=(format!("flex-grow:{part}")) {} } }
            }
        }
        dl class="legend" {
            @for (name, class, part) in parts {
                div { dt { span class=(format!("key {class}")) aria-hidden="true" {} (name) }
                    dd { b { (number(part)) } " " (percent(part, verdict.commitments)) } }
            }
            div { dt { "never used" } dd { b { (number(reported.never_used)) } " " (percent(reported.never_used, verdict.commitments)) } }
            div { dt { "revealed before all rounds were played" }
                dd { b { (number(reported.ended_early)) } " " (percent(reported.ended_early, verdict.commitments)) } }
            div { dt { "rounds locked, and neither dealt nor called off by the end of the log" } dd { b { (number(reported.unanswered_locks)) } } }
            div { dt { "deals whose secret is not out" }
                dd { b { (number(reported.unrevealed_deals)) } " " (percent(reported.unrevealed_deals, verdict.deals)) } }
        }
        @if verdict.not_judged > 0 {
            p { (many(verdict.not_judged, "commitment", "commitments")) " of other protocols are in the log and were not judged." }
        }
        @if !named.is_empty() {
            figure {
                figcaption { b { "Rounds under one commitment. " } "How many commitments had this many rounds, with the ones that were called off." }
                div class="scroll plot" tabindex="0" role="group" aria-label="Rounds under one commitment" {
                    (bars("Rounds under one commitment", &spoken(&named), &named, "rounds", "commitments"))
                }
            }
        }
        @if !tables.is_empty() {
            figure {
                figcaption { b { "Commitments of one table. " } "How many tables had this many commitments." }
                div class="scroll plot" tabindex="0" role="group" aria-label="Commitments of one table" {
                    (bars("Commitments of one table", &spoken(&tables), &tables, "commitments", "tables"))
                }
            }
        }
    }
}

/// Bars from the least to the greatest; adjacent ones are joined if there are too many.
fn rounds(by: &BTreeMap<u64, u64>) -> Vec<(String, u64)> {
    let (Some(least), Some(most)) = (by.keys().next(), by.keys().next_back()) else {
        return Vec::new();
    };
    let wide = most.saturating_sub(*least).saturating_add(1).div_ceil(count(BARS)).max(1);
    let starts = (0_u64..).map_while(|at| least.checked_add(at.checked_mul(wide)?));
    let bar = |from: u64| {
        let to = from.saturating_add(wide - 1);
        let name =
            if wide == 1 { number(from) } else { format!("{}–{}", number(from), number(to)) };
        (name, by.range(from..=to).fold(0_u64, |sum, (_, more)| sum.saturating_add(*more)))
    };
    starts.take_while(|from| from <= most).take(BARS).map(bar).collect()
}

/// A chart as text, for readers who cannot see it.
fn spoken(named: &[(String, u64)]) -> String {
    let parts = named.iter().filter(|(_, count)| *count > 0);
    parts.map(|(name, count)| format!("{name}: {}", number(*count))).collect::<Vec<_>>().join("; ")
}

pub(super) fn voids(verdict: &AuditVerdict) -> Markup {
    let reported = &verdict.reported;
    let tables = reported.tables_by_share();
    let voided = tables.iter().fold(0_u64, |sum, (_, one)| sum.saturating_add(one.voided_rounds));
    let blamed = Reported::by_count(&reported.blamed);
    html! {
        p {
            "A round can be called off; its number is then used up. There are honest reasons: a player leaves, a connection breaks. "
            "But someone who knows the cards could call off rounds that do not suit them. So ask about a rate that is high, or that differs "
            "between tables or names. Once the seeds are locked, the cards are settled: ask also about each round that was called off after that."
        }
        @if reported.voided_locks > 0 {
            p { b { (number(reported.voided_locks)) } " rounds were called off after their seeds were locked, at all tables together." }
        }
        @if tables.is_empty() { p class="none" { "There is no table." } } @else {
            (listing(&["Table", "Commitments", "Dealt", "Called off", "Rate", "After the seeds were locked", "Withdrawn unused"], tables.len(), "tables", &html! {
                @for (name, one) in tables.iter().take(LISTED) {
                    tr {
                        th scope="row" { (shown(name)) }
                        td class="n" { (number(one.commitments)) }
                        td class="n" { (number(one.deals)) }
                        td class="n" { (number(one.voided_rounds)) }
                        td class="n" { (percent(one.voided_rounds, one.deals.saturating_add(one.voided_rounds))) }
                        td class="n" { (number(one.voided_locks)) }
                        td class="n" { (number(one.voided_commitments)) }
                    }
                }
            }))
        }
        @if !blamed.is_empty() {
            h3 { "Whom the operator named" }
            p { "A void may name who caused it. That is only the operator’s word." }
            (listing(&["Name", "Rounds called off", "Share of all"], blamed.len(), "names", &html! {
                @for (name, count) in blamed.iter().take(LISTED) {
                    tr { th scope="row" { (shown(name)) } td class="n" { (number(*count)) } td class="n" { (percent(*count, voided)) } }
                }
            }))
        }
    }
}

/// A table of at most [`LISTED`] rows: names in the first column, numbers in the others.
fn listing(heads: &[&str], all: usize, what: &str, rows: &Markup) -> Markup {
    html! {
        div class="scroll listing" tabindex="0" role="region" aria-label=(heads.join(", ")) {
            table {
                thead { tr { @for (at, head) in heads.iter().enumerate() { th scope="col" class=[(at > 0).then_some("n")] { (head) } } } }
                tbody { (rows) }
            }
        }
        @if all > LISTED { p class="more" { "and " (number(count(all.saturating_sub(LISTED)))) " more " (what) } }
    }
}

pub(super) fn reveals(reported: &Reported) -> Markup {
    let delays = &reported.reveal_delays;
    let (Some(shortest), Some(longest)) = (delays.shortest, delays.longest) else {
        return html! { p class="none" { "No reveal has taken effect yet, so no deal of this log could be checked." } };
    };
    let mean = delays.total.checked_div(delays.count).unwrap_or(0);
    let named = doublings(&delays.by_doubling);
    html! {
        p {
            "From the promise to its reveal, by the operator’s own times: " (span(shortest)) " at the shortest, " (span(longest))
            " at the longest, " (span(mean)) " on average, over " (many(delays.count, "reveal", "reveals")) ". "
            "Until its reveal a deal rests on the promise alone."
        }
        figure {
            figcaption { b { "Time from commitment to reveal. " } "Each bar starts at the time under it, and ends at twice that." }
            div class="scroll plot" tabindex="0" role="group" aria-label="Time from commitment to reveal" {
                (bars("Time from commitment to reveal", &spoken(&named), &named, "at least this long, and less than twice as long", "reveals"))
            }
        }
    }
}

/// A bar for each power of two between the least and the greatest; there are at most 65.
fn doublings(by: &BTreeMap<u64, u64>) -> Vec<(String, u64)> {
    let (Some(least), Some(most)) = (by.keys().next(), by.keys().next_back()) else {
        return Vec::new();
    };
    let next = |at: &u64| if *at == 0 { Some(1) } else { at.checked_mul(2) };
    std::iter::successors(Some(*least), next)
        .take_while(|at| at <= most)
        .map(|at| (span(at), by.get(&at).copied().unwrap_or(0)))
        .collect()
}

pub(super) fn seeds(verdict: &AuditVerdict) -> Markup {
    let reported = &verdict.reported;
    let weak = Reported::by_count(&reported.weak_seeds);
    html! {
        p {
            "Each player may add a seed, so that the operator alone cannot decide the cards. This protects a player only if nobody else "
            "knows or can guess the seed, and if the seed was tied to the operator’s promise: by a hash for it, "
            "or by a view of the log that holds it. Otherwise the operator could have made its promise, or the tie, once it knew the seed."
        }
        dl class="legend" {
            div { dt { "rounds with a seed that nothing ties to the published promise" }
                dd { b { (number(reported.rounds_without_committed_first)) } " " (percent(reported.rounds_without_committed_first, verdict.deals)) } }
            @if reported.beacon_rounds > 0 {
                div { dt { "rounds with a public random number, whose signatures this version does not check" }
                    dd { b { (number(reported.beacon_rounds)) } " " (percent(reported.beacon_rounds, verdict.deals)) } }
            }
        }
        @if weak.is_empty() {
            p { "No seed was brought by three or more players." }
        } @else {
            h3 { "Seeds that many bring" }
            p { "A seed that three or more players bring can be guessed, and protects none of them." }
            (listing(&["Seed", "Players"], weak.len(), "seeds", &html! {
                @for (seed, count) in weak.iter().take(LISTED) {
                    tr { th scope="row" class="code" { (shown(seed)) } td class="n" { (number(*count)) } }
                }
            }))
        }
        @if reported.seeds_not_told_apart {
            p { "Not all seeds were compared: there are too many different ones." }
        }
    }
}
