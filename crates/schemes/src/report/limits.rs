//! The limits of every audit, and the commands that repeat this audit.

use maud::{Markup, html};
use serde::Deserialize;

use super::PageContext;
use super::rules::code_in;
use super::words::spelled;
use fairdeal::spelled::quoted;
use fairdeal::utc::typed;
use fairdeal_audit::AuditVerdict;

/// The most older checkpoints in the command.
const SINCE: usize = 50;

/// A thing that no audit shows.
#[derive(Deserialize)]
struct Limit {
    term: &'static str,
    says: &'static str,
    /// Whether it is of an audit with statistics, or of one without; of both if it is not given.
    statistics: Option<bool>,
}

pub(super) fn limits(statistics: bool) -> Markup {
    let all: Vec<Limit> =
        serde_json::from_str(include_str!("limits.json")).expect("a list of limits");
    let here = all.iter().filter(|one| one.statistics.is_none_or(|with| with == statistics));
    html! {
        p { "A log that holds proves much, but not everything. This page cannot show:" }
        dl class="limits" {
            @for Limit { term, says, .. } in here { dt { (term) } dd { (code_in(says)) } }
        }
    }
}

pub(super) fn repeat(verdict: &AuditVerdict, about: &PageContext<'_>) -> Markup {
    // The command must be the one that was typed: only characters that could harm a terminal are
    // spelled out.
    let word = |text: &str| spelled(&quoted(text));
    let mut audit =
        vec![format!("fairdeal audit {}", word(about.log)), format!("--key {}", word(about.key))];
    audit.extend(verdict.as_of.map(|as_of| format!("--as-of {}", typed(as_of))));
    audit.extend(verdict.clock.map(|clock| format!("--clock {}", typed(clock))));
    audit.extend((verdict.unverified.signatures > 0).then(|| "--skip-signatures".to_owned()));
    audit.extend(about.since.iter().take(SINCE).map(|since| format!("--since {}", word(since))));
    let audit = audit.join(" \\\n  ");
    html! {
        p {
            "You need the log, the key and the " code { "fairdeal" } " tool. Take the key from a source that you trust, not from this page. The same log "
            "gives the same verdict, the same numbers and this same page, byte for byte, on every machine."
        }
        @if about.judged_before > 0 { p {
            "This page is of an audit that continued a saved state. The command below judges every entry, so that its page "
            "differs from this one."
        } }
        ol class="steps" {
            li { p { "Judge the whole log, as it was judged here:" } pre tabindex="0" { code { (audit) } } }
            li { p { "See every finding and every number, for a program to read:" } pre tabindex="0" { code { (audit) " \\\n  --json" } } }
            li { p { "Check one deal against its receipt, without the log:" }
                pre tabindex="0" { code { "fairdeal verify receipt.json --key " (word(about.key)) } } }
        }
        @if verdict.size > 0 || verdict.holds { p {
            "The audit was of " b { (verdict.size) } " " (if verdict.size == 1 { "entry. Its" } else { "entries. Their" }) " root, " span class="code" { (verdict.root.to_hex()) }
            ", is a fingerprint of all of them in order: if yours is the same, so is your log."
        } }
    }
}
