//! The findings, by code: what each means, where to look, and the first ones in full.

use maud::{Markup, html};

use super::PageContext;
use super::entry_bytes::{OF_EACH, Shelf};
use super::followers::followers;
use super::meaning::{meaning, title};
use super::rules::{Rule, code_in};
use super::words::{many, number, shown};
use fairdeal::record::finding::Accused;
use fairdeal::record::{Code, Finding};
use fairdeal_audit::AuditVerdict;

/// The most findings of each code that are printed. Further ones are counted.
const LISTED: usize = 20;

pub(super) fn section(verdict: &AuditVerdict, about: &PageContext<'_>) -> Markup {
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
    let mut kinds: Vec<(Code, u64)> = verdict
        .counts
        .iter()
        .filter_map(|(code, count)| Some((first(code)?.code, *count)))
        .collect();
    // If this copy is not the signed log, that comes first: the other findings may follow from it.
    let is_about_copy = |code: &Code| matches!(code, Code::TreeMismatch | Code::BadSignature);
    kinds.sort_by_key(|(code, _)| (!is_about_copy(code), code.class(), *code));
    let mut shelf = Shelf::of(about.entries);
    let articles: Vec<Markup> =
        kinds.iter().map(|(code, count)| of_code(*code, *count, verdict, &mut shelf)).collect();
    html! {
        div class="scroll" tabindex="0" role="region" aria-label="Kinds of findings" {
            table class="kinds" {
                thead { tr { th scope="col" { "What" } th scope="col" { "Concerns" } th scope="col" class="n" { "Times" } } }
                tbody {
                    @for (code, count) in &kinds {
                        tr {
                            th scope="row" { a href=(format!("#{code}")) { (meaning(*code).title) } }
                            td { (title(code.class())) }
                            td class="n" { (number(*count)) }
                        }
                    }
                }
            }
        }
        p {
            "The gravest class comes first. Of each kind, the first " (LISTED) " are shown; "
            code { "fairdeal audit --json" } " lists up to a thousand of each, and "
            code { "--csv" } " lists all."
            @if !about.entries.is_empty() {
                " With the first " (OF_EACH) " of each kind are the bytes of their entry, as long as there is room on this page."
            }
        }
        @for article in &articles { (article) }
    }
}

fn of_code(code: Code, count: u64, verdict: &AuditVerdict, shelf: &mut Shelf<'_>) -> Markup {
    let all: Vec<&Finding> = verdict.findings.iter().filter(|one| one.code == code).collect();
    let of = all.get(..LISTED).unwrap_or(&all);
    let more = count.saturating_sub(u64::try_from(of.len()).unwrap_or(u64::MAX));
    let words = meaning(code);
    let rule = Rule::of(code);
    let rule_id = format!("{code}-rule");
    let mut shown: Vec<Option<Markup>> =
        of.iter().take(OF_EACH).map(|one| one.index.and_then(|index| shelf.take(index))).collect();
    shown.resize(of.len(), None);
    html! {
        article class=(format!("finding {}", code.class())) id=(code) {
            h3 { (words.title) }
            p class="code-line" {
                code { (code) } " · " (code.class()) " · " (many(count, "time", "times")) " · accuses " (accused(verdict.accuses(code)))
            }
            p { (words.means) }
            p class="look" { b { "What to look at. " } (code_in(words.look)) }
            @if let Some(rule) = rule { p class="look" id=(rule_id) { b { "The rule. " } (rule.quoted()) } }
            div class="scroll" tabindex="0" role="region" aria-label=(format!("Findings: {code}")) {
                table {
                    thead { tr { th scope="col" class="n" { "Entry" } th scope="col" class="n" { "Round" }
                        th scope="col" { "What was expected, and what came" } } }
                    tbody { @for (one, bytes) in of.iter().zip(&shown) { (row(one, rule, &rule_id, bytes.as_ref())) } }
                }
            }
            @if more > 0 { p class="more" { "and " (number(more)) " more" (followers(&all, of.len(), more)) } }
        }
    }
}

fn accused(accused: Accused) -> &'static str {
    match accused {
        Accused::Operator => "the operator, whose key signed it",
        Accused::Writer => {
            "whoever wrote or sent this copy of the log: the operator, if it publishes it here"
        }
        Accused::Nobody => "nobody: nothing here shows whose fault it is",
    }
}

fn row(one: &Finding, rule: Option<Rule>, rule_id: &str, bytes: Option<&Markup>) -> Markup {
    html! {
        tr class=[bytes.map(|_| "shows")] {
            td class="n" { @match one.index { Some(index) => (number(index)), None => { span title="on the log as a whole" { "log" } } } }
            td class="n" { @match one.nonce { Some(nonce) => (nonce), None => "–" } }
            td {
                (shown(&one.says))
                div class="under" {
                    @if let Some(rule) = rule { a href=(format!("#{rule_id}")) { "rule 9.3, row " (rule.row) } }
                    @if let Some(commitment) = one.commitment { " · under commitment " span class="code" { (commitment.to_text()) } }
                }
            }
        }
        // In a separate row: on a telephone the last column is too narrow for it.
        @if let Some(bytes) = bytes { tr { td colspan="3" class="bytes" { (bytes) } } }
    }
}
