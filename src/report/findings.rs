//! The findings, by code: what each means, where to look, and the first ones in full.

use maud::{Markup, html};

use super::meaning::{Touches, meaning};
use super::words::{many, number, shown};
use crate::audit::AuditVerdict;
use crate::record::{Code, Finding};

/// How many findings of each code are printed; the others are counted.
const LISTED: usize = 20;

pub(super) fn section(verdict: &AuditVerdict) -> Markup {
    if verdict.counts.is_empty() {
        return html! {
            p class="none" { "Nothing." }
            p { "The audit looked for all of these, in every entry:" }
            ul class="columns" {
                li { "a deal whose cards are not the ones that its seeds give" }
                li { "a secret that is not the one that was promised" }
                li { "rounds that are missing, repeated or out of order" }
                li { "a promise used before its turn, or withdrawn after use" }
                li { "a secret that came late or not at all" }
                li { "players’ seeds left out, changed or mixed in more weakly than promised" }
                li { "a history that was rewritten, or that players saw differently" }
                li { "entries that nobody can read, and a log that is not signed" }
            }
        };
    }
    // Every counted code has a finding that is kept in full.
    let first = |code: &str| verdict.findings.iter().find(|one| one.code.as_str() == code);
    let mut kinds: Vec<(Code, u64)> =
        verdict.counts.iter().filter_map(|(code, count)| Some((first(code)?.code, *count))).collect();
    kinds.sort_by_key(|(code, _)| (Touches::of(*code), *code));
    html! {
        div class="scroll" tabindex="0" role="region" aria-label="Kinds of findings" {
            table class="kinds" {
                thead { tr { th scope="col" { "What" } th scope="col" { "Concerns" } th scope="col" class="n" { "Times" } } }
                tbody {
                    @for (code, count) in &kinds {
                        tr {
                            th scope="row" { a href=(format!("#{code}")) { (meaning(*code).title) } }
                            td { (Touches::of(*code).title()) }
                            td class="n" { (number(*count)) }
                        }
                    }
                }
            }
        }
        p {
            "Findings on the cards and the seeds come first. Of each kind, the first " (LISTED) " are shown; "
            code { "fairdeal audit --json" } " lists up to a thousand of each."
        }
        @for (code, count) in &kinds { (of_code(*code, *count, verdict)) }
    }
}

fn of_code(code: Code, count: u64, verdict: &AuditVerdict) -> Markup {
    let of: Vec<&Finding> = verdict.findings.iter().filter(|one| one.code == code).take(LISTED).collect();
    let more = count.saturating_sub(u64::try_from(of.len()).unwrap_or(u64::MAX));
    let words = meaning(code);
    html! {
        article class="finding" id=(code) {
            h3 { (words.title) }
            p class="code-line" { code { (code) } " · " (many(count, "time", "times")) }
            p { (words.means) }
            p class="look" { b { "What to look at. " } (words.look) }
            div class="scroll" tabindex="0" role="region" aria-label=(format!("Findings: {code}")) {
                table {
                    thead { tr { th scope="col" class="n" { "Entry" } th scope="col" class="n" { "Round" }
                        th scope="col" { "What was expected, and what came" } } }
                    tbody { @for one in of { (row(one)) } }
                }
            }
            @if more > 0 { p class="more" { "and " (number(more)) " more" } }
        }
    }
}

fn row(one: &Finding) -> Markup {
    html! {
        tr {
            td class="n" { @match one.index { Some(index) => (number(index)), None => { span title="on the log as a whole" { "log" } } } }
            td class="n" { @match one.nonce { Some(nonce) => (nonce), None => "–" } }
            td {
                (shown(&one.says))
                @if let Some(commitment) = one.commitment { div class="under" { "under commitment " span class="code" { (commitment.to_text()) } } }
            }
        }
    }
}
