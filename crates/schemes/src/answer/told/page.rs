//! The page of `fairdeal check --html`: the totals first, then the rows that are not valid, then what
//! the rows show together and what no row shows.

use maud::{Markup, html};

use super::{Line, habits_lines, limits_lines};
use crate::answer::{Looked, Totals};
use crate::dialect::{Dialect, RowVerdict};
use crate::report::{Section, many, number, shell, shown, spelled};
use fairdeal::spelled::quoted;

/// The most rows that are listed.
const LISTED: usize = 200;

/// A row that is not valid.
#[derive(Clone, Debug)]
pub struct InvalidRow {
    /// Its number, from 0.
    pub number: u64,
    /// The line that it begins in, from 1.
    pub line: u64,
    /// The verdict.
    pub verdict: RowVerdict,
    /// The expected value, and the one that was found.
    pub says: String,
}

/// The content of the page besides the counts.
#[derive(Clone, Copy, Debug)]
pub struct CheckContext<'a> {
    /// The scheme.
    pub dialect: &'a Dialect,
    /// The file's name.
    pub file: &'a str,
    /// The options of the command that name columns, such as `client_seed=beacon`.
    pub maps: &'a [String],
    /// Where the file breaks off, if it does.
    pub error: Option<&'a str>,
    /// The first rows that are not valid.
    pub invalid: &'a [InvalidRow],
    /// The version of the checking program.
    pub version: &'a str,
}

/// The page as HTML.
#[must_use]
pub fn page(totals: &Totals, looked: &Looked, about: &CheckContext<'_>) -> String {
    let mut sections: Vec<Section> = vec![("rows", "Rows that are not valid", rows(totals, about))];
    if looked.would_verify.failing > 0 {
        let text = looked.would_verify.to_string();
        let body = html! { ul { @for line in text.lines() { li { (shown(line)) } } } };
        sections.push(("would", "What would make them verify", body));
    }
    let together = lines(&habits_lines(&looked.rows_show));
    let limits = lines(&limits_lines(&looked.cannot_show));
    sections.extend([
        ("together", "What these rows show together", together),
        ("limits", "What no row of this scheme shows", limits),
        ("repeat", "Check it yourself", repeat(about)),
    ]);
    let title = format!("{}: {}", spelled(about.file), about.dialect.title);
    let footer = html! {
        "Made by fairdeal " (shown(about.version)) " from the file alone. The schemes are described in spec/dialects.md."
    };
    shell(&title, about.version, &header(totals, about), &sections, &footer).into_string()
}

fn header(totals: &Totals, about: &CheckContext<'_>) -> Markup {
    let is_whole = about.error.is_none();
    let holds = is_whole && totals.invalid() == 0;
    let is_wrong = totals.invalid() > totals.of(RowVerdict::Unreadable);
    let (class, badge, sign) = match () {
        () if holds => ("verdict holds", " Holds", "✓"),
        () if is_wrong => ("verdict fails", " Does not hold", "✕"),
        () => ("verdict late", " Not all could be read", "!"),
    };
    let unreadable = totals.of(RowVerdict::Unreadable);
    html! {
        header class=(class) {
            p class="eyebrow" { "Check of rounds: " (about.dialect.title) }
            p class="badge" { span aria-hidden="true" { (sign) } (badge) }
            h1 {
                span class="name" { (shown(about.file)) } ": "
                @if holds { "all " (many(totals.rows(), "row follows", "rows follow")) " from the seeds" }
                @else {
                    (number(totals.invalid() - unreadable)) " of " (many(totals.rows(), "row does", "rows do"))
                    " not follow from the seeds"
                    @if unreadable > 0 { "; " (number(unreadable)) " can’t be read" }
                }
            }
            @if let Some(error) = about.error { p class="lead" { b { "The file breaks off. " } (shown(error)) } }
            p class="lead" {
                "A valid row’s result follows from its seeds"
                @if totals.has_no_rule() {
                    ". No commitment is checked: the sources of this scheme give no rule for it"
                } @else {
                    ", and its commitment opens, if it shows one"
                }
                ". That does not prove a fair round: the operator may have chosen among seeds, or left rounds out. "
                a href="#limits" { "What no row shows" } "."
            }
            dl class="facts" {
                (fact("Rows", totals.rows(), "in the file"))
                (fact("Valid", totals.valid(), "follow from their seeds"))
                (fact("No commitment", totals.not_opened(), "valid, but none opens"))
                (fact("Not valid", totals.invalid() - unreadable, "do not follow"))
                (fact("Unreadable", unreadable, "say too little, or something else"))
            }
        }
    }
}

fn fact(label: &str, value: u64, says: &str) -> Markup {
    html! { div { dt { (label) } dd { b { (number(value)) } span { (says) } } } }
}

fn rows(totals: &Totals, about: &CheckContext<'_>) -> Markup {
    if totals.invalid() == 0 {
        return html! { p class="none" { "None." } };
    }
    let listed = about.invalid.get(..LISTED).unwrap_or(about.invalid);
    let more = totals.invalid().saturating_sub(u64::try_from(listed.len()).unwrap_or(u64::MAX));
    html! {
        div class="scroll" tabindex="0" role="region" aria-label="Rows that are not valid" {
            table class="small" {
                thead { tr { th scope="col" class="n" { "Row" } th scope="col" class="n" { "Line" } th scope="col" { "Verdict" }
                    th scope="col" { "What was expected, and what came" } } }
                tbody { @for InvalidRow { number: row, line, verdict, says } in listed {
                    tr { td class="n" { (number(*row)) } td class="n" { (number(*line)) } td { code { (verdict) } } td { (shown(says)) } }
                } }
            }
        }
        p class="more" {
            "Rows are counted from 0, lines from 1."
            @if more > 0 { " And " (number(more)) " more: " code { "fairdeal check --json" } " lists all." }
        }
    }
}

/// Labelled lines; one without a label continues the line above.
fn lines(lines: &[Line]) -> Markup {
    html! {
        dl class="limits" { @for Line { label, text } in lines {
            @if !label.is_empty() { dt { (label) } }
            dd { (shown(text)) }
        } }
    }
}

fn repeat(about: &CheckContext<'_>) -> Markup {
    let word = |text: &str| spelled(&quoted(text));
    let maps: Vec<String> = about.maps.iter().map(|map| word(map)).collect();
    html! {
        p { "You need the file and the " code { "fairdeal" } " tool:" }
        pre tabindex="0" { code { "fairdeal check " (about.dialect.name) " --file " (word(about.file)) @for map in &maps { " \\\n  --map " (map) } } }
    }
}
