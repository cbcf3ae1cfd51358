//! The statistics of the deals: all tests together, then each deck's map and evidence over time.

use maud::{Markup, html};

use super::heat::Heat;
use super::plots::{RAREST, evidence, p_values};
use super::tests_in_words::{ASKED, looks_at};
use super::words::{many, number, probability, shown, spelled, statistic};
use fairdeal_audit::stats::number::count;
use fairdeal_audit::stats::{Alarm, FAMILY, Report, Test};
use fairdeal_audit::{DealGroup, EProcessTrace, LogStatistics, StatisticsSummary};

/// The most decks with their own pictures. A map takes up to 200 kB.
const DRAWN: usize = 6;
/// The most decks, and tests, that are listed.
const LISTED: usize = 60;

pub(super) fn section(found: &LogStatistics) -> Markup {
    let reports = found.adjusted();
    let StatisticsSummary { deals: decks, alarms, watches, .. } = found.summary();
    let mut groups: Vec<(&DealGroup, &Report)> = found.groups.iter().zip(&reports).collect();
    groups.sort_by_key(|(group, _)| std::cmp::Reverse(group.report.decks));
    html! {
        p class="aside" { b { "Reported, never a verdict. " }
            "Computing a deal again is exact. Statistics are for what that cannot see: selected seeds, selectively "
            "called-off deals, players’ seeds that can be guessed. Chance alone raises an alarm of these tests in at most "
            "1 % of all fair logs, and of the evidence over time in at most 1 % for each deck."
        }
        @if decks == 0 {
            p class="none" { "There are no deals to count." }
        } @else {
            p class=(if alarms > 0 || watches > 0 { "result alarm" } else { "result" }) {
                @if alarms > 0 {
                    b { "Alarm. " } (many(alarms, "test finds", "tests find")) " in " (many(decks, "deal", "deals"))
                    " what fair decks would hardly ever show."
                } @else if watches > 0 {
                    b { "Alarm. " } "No test over all deals raised it, but the evidence over time did: see below."
                } @else {
                    b { "No alarm. " } (many(decks, "deal looks", "deals look")) " as fair decks do."
                }
            }
            (not_counted(found.not_counted))
            (surprise(&reports))
            @for (group, _) in groups.iter().take(DRAWN) { (pictures(group)) }
            @if groups.len() > DRAWN { (others(&groups)) }
            (tests(&groups))
        }
        @if decks == 0 { (not_counted(found.not_counted)) }
    }
}

fn not_counted(deals: u64) -> Markup {
    html! {
        @if deals > 0 {
            p {
                (many(deals, "deal is", "deals are")) " not counted: the method is not a shuffle, the list is too long, the secret is not revealed yet, "
                "or the cards do not match it."
            }
        }
    }
}

fn named(group: &DealGroup) -> String {
    format!("{}, {} drawn", spelled(&group.deck), number(group.draw))
}

/// All tests in one plot.
fn surprise(reports: &[Report]) -> Markup {
    html! {
        figure {
            figcaption {
                b { "How surprising is each test? " }
                "Each dot is a test. Up: how rare its result is among fair decks. Across: how rare the result of this rank should be "
                "among so many tests. The dots of fair decks are near the dashed line or below it; a dot above the red line is an alarm."
                @if reports.iter().flat_map(|report| &report.tests).any(|test| test.p < 10_f64.powf(-RAREST)) {
                    " Dots at the very top are rarer still."
                }
            }
            div class="scroll plot" tabindex="0" role="group" aria-label="p-values of all tests" { (p_values(&reports.iter().collect::<Vec<_>>())) }
        }
    }
}

fn tests(groups: &[(&DealGroup, &Report)]) -> Markup {
    let several = groups.len() > 1;
    let mut all: Vec<(&DealGroup, &Test)> = groups
        .iter()
        .flat_map(|(group, report)| report.tests.iter().map(move |test| (*group, test)))
        .collect();
    all.sort_by(|a, b| a.1.p_adjusted.total_cmp(&b.1.p_adjusted).then(a.1.p.total_cmp(&b.1.p)));
    let skipped: Vec<(&DealGroup, &fairdeal_audit::stats::Skipped)> = groups
        .iter()
        .flat_map(|(group, report)| report.skipped.iter().map(move |one| (*group, one)))
        .collect();
    html! {
        h3 { "All tests" }
        div class="scroll" tabindex="0" role="region" aria-label="Tests" {
            table class="small dense" {
                caption { "Tests, the most surprising first. " i { "p" } " is the probability of such a result among fair decks; "
                    "adjusted, of one so extreme in any of " (number(count(all.len()))) " tests (Holm)." }
                thead { tr { th scope="col" { "Test" } th scope="col" { "Looks at" } th scope="col" class="n" { "Statistic" } th scope="col" class="n" { i { "p" } }
                    th scope="col" class="n" { "adjusted" } } }
                tbody {
                    @for (group, test) in all.iter().take(LISTED) {
                        tr class=[(test.p_adjusted < FAMILY).then_some("alarm")] {
                            th scope="row" { (test.name) @if several { div class="under" { (named(group)) } } }
                            td { (looks_at(&test.name)) }
                            td class="n" { (statistic(test.statistic)) }
                            td class="n" { (probability(test.p)) }
                            td class="n" { (probability(test.p_adjusted)) }
                        }
                    }
                }
            }
        }
        @if all.len() > LISTED { p class="more" { "and " (number(count(all.len().saturating_sub(LISTED)))) " more tests, each less surprising" } }
        @if !skipped.is_empty() {
            h3 { "Tests that were not run" }
            ul class="small" {
                @for (group, one) in skipped.iter().take(LISTED) {
                    li { b { (one.name) } @if several { " (" (named(group)) ")" } ": " (one.why) }
                }
            }
            @if skipped.len() > LISTED { p class="more" { "and " (number(count(skipped.len().saturating_sub(LISTED)))) " more" } }
        }
        h3 { "What laboratories ask of a shuffle" }
        div class="scroll" tabindex="0" role="region" aria-label="What laboratories ask of a shuffle" {
            table class="small" {
                thead { tr { th scope="col" { "Asked" } th scope="col" { "Looked at here by" } } }
                tbody { @for (asked, by) in ASKED { tr { th scope="row" { (asked) } td { (by) } } } }
            }
        }
    }
}

fn pictures(group: &DealGroup) -> Markup {
    let name = named(group);
    html! {
        article class="group" {
            h3 { (shown(&name)) ": " (many(group.report.decks, "deal", "deals")) }
            @if let Some(heat) = Heat::counted(&group.counts) {
                @if heat.is_sparse { p { b { "Who ends up where? " } "No map is drawn: " (heat.says) " The tests below count these deals all the same." } }
                @else { figure {
                    figcaption {
                        b { "Who ends up where? " }
                        "Each column is an item of the deck, each row a place in the deal. The shade shows how far the count is from the average of "
                        "fair deals; one shade is " (heat.step) ". Fair deals look like noise; stripes, blocks and diagonals do not come from a fair shuffle. "
                        (heat.says)
                    }
                    div class="scroll plot map" tabindex="0" role="group" aria-label="Map of places and items" { (heat.draw(&format!("Places and items: {name}"), None)) }
                } }
            }
            @if let Some(watched) = &group.watch { (watch(watched)) }
        }
    }
}

fn watch(watched: &EProcessTrace) -> Markup {
    let (class, says) = match watched.alarm {
        Some(Alarm::Evidence(deal)) => {
            ("result alarm", format!("The evidence reached 100 at deal {}.", number(deal)))
        }
        Some(Alarm::NotADeal(deal)) => {
            ("result alarm", format!("Deal {} is no deal of this deck.", number(deal)))
        }
        None => {
            ("result", format!("It never reached 100 in {}.", many(watched.deals, "deal", "deals")))
        }
    };
    html! {
        figure {
            figcaption {
                b { "Evidence over time. " }
                "Imagine a gambler who bets, deal after deal, that the decks are not fair, and starts with 1. If they are fair, the chance "
                "that the gambler ever holds 100 is at most 1 %, however long it goes on. The line is what the gambler holds. "
                span class=(class) { (says) }
            }
            div class="scroll plot" tabindex="0" role="group" aria-label="Evidence over time" { (evidence(watched)) }
        }
    }
}

/// Decks without pictures.
fn others(groups: &[(&DealGroup, &Report)]) -> Markup {
    html! {
        h3 { "Other decks" }
        ul class="small" {
            @for (group, report) in groups.iter().skip(DRAWN).take(LISTED) { li { (shown(&named(group))) ": " (many(report.decks, "deal", "deals")) } }
        }
        @if groups.len() > DRAWN.saturating_add(LISTED) {
            p class="more" { "and " (number(count(groups.len().saturating_sub(DRAWN.saturating_add(LISTED))))) " more" }
        }
    }
}
