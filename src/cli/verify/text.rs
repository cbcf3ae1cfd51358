//! A verdict as people read it.

use crate::cli::cards;
use crate::cli::out::{BAD, FAINT, GOOD, Out, STRONG, plain, terminal_width, wrapped};
use crate::deal::{Deck, List, Method};
use crate::record::receipt::{Document, NotShown, ReceiptFinding, Shown, Verdict};

/// One file's verdict.
pub(in crate::cli) fn print(
    name: &str,
    document: Option<&Document>,
    verdict: &Verdict,
    list: Option<&List>,
    out: &mut Out,
) {
    let name = plain(name);
    if verdict.holds {
        out.line(format_args!("{STRONG}{name}{STRONG:#}  {GOOD}holds{GOOD:#}"));
    } else {
        out.line(format_args!("{STRONG}{name}{STRONG:#}  {BAD}does not hold{BAD:#}"));
    }
    for finding in &verdict.findings {
        print_finding(finding, out);
    }
    if let Some(commitment) = verdict.commitment {
        out.field("commitment", commitment);
    }
    if let Some(nonce) = verdict.nonce {
        out.field("round", nonce);
    }
    let commit = document.and_then(super::commit);
    match (&verdict.result.indices, list) {
        (Some(indices), Some(list)) => {
            let method = commit.as_ref().map_or(Method::Shuffle, |commit| commit.method);
            let items = indices.iter().filter_map(|index| u32::try_from(index.value()).ok());
            cards::items(out, method, list, items);
        }
        _ => cards::result(out, &verdict.result),
    }
    if let Some(Document::Opening(opening)) = document {
        opened(commit.map(|commit| commit.deck), opening, list, out);
    }
    let mut label = "shown";
    for shown in &verdict.shown {
        out.field(label, format_args!("{GOOD}{:<16}{GOOD:#} {}", shown.as_str(), says_shown(*shown)));
        label = "";
    }
    if !verdict.committed_first.is_empty() && !verdict.shown.contains(&Shown::CommittedFirst) {
        let names: Vec<String> = verdict.committed_first.iter().map(|name| plain(name)).collect();
        out.field(label, format_args!("tied to the promise after it was published: {}", names.join(", ")));
    }
    let mut label = "not shown";
    for not_shown in &verdict.not_shown {
        let line = format_args!("{:<16} {FAINT}{}{FAINT:#}", not_shown.as_str(), says_not_shown(*not_shown));
        out.field(label, line);
        label = "";
    }
}

/// What several files say against one another.
pub(super) fn print_between(findings: &[ReceiptFinding], out: &mut Out) {
    if findings.is_empty() {
        out.line("They do not contradict one another.");
    } else {
        out.line(format_args!("{BAD}They contradict one another{BAD:#}"));
    }
    for finding in findings {
        print_finding(finding, out);
    }
}

fn print_finding(finding: &ReceiptFinding, out: &mut Out) {
    let code = finding.code;
    let at = finding.index.map_or_else(String::new, |index| format!(" at entry {index}"));
    let says = plain(&finding.says);
    // Only on a terminal: elsewhere a finding is one line, for whoever searches it.
    let columns = terminal_width().map_or(usize::MAX, |columns| columns.saturating_sub(4));
    let mut lines = wrapped(&format!("{code}{at}: {says}"), columns).into_iter();
    let first = lines.next().unwrap_or_default();
    let rest = first.strip_prefix(code.as_str()).unwrap_or_default();
    out.line(format_args!("  {BAD}{code}{BAD:#}{rest}"));
    for line in lines {
        out.line(format_args!("    {line}"));
    }
}

/// The cards of an opening that are shown.
fn opened(deck: Option<Deck>, opening: &crate::record::receipt::Opening, list: Option<&List>, out: &mut Out) {
    for card in &opening.opened {
        let number = u32::try_from(card.item.value()).ok();
        let named = deck.zip(number).and_then(|(deck, item)| deck.text_of(&[item]).ok());
        let item = match (named, list) {
            (Some(text), _) => cards::lines(&text, 80).concat(),
            (None, Some(list)) => cards::item(list, number),
            (None, None) => format!("item {}", card.item),
        };
        out.field(&format!("card {}", card.t), item);
    }
}

/// What a token means.
pub(super) fn explain(token: &str, shown: bool) -> &'static str {
    if shown {
        let all = [
            Shown::Logged,
            Shown::Replayed,
            Shown::Opened,
            Shown::CommittedFirst,
            Shown::Yours,
            Shown::Authentic,
        ];
        return all.into_iter().find(|one| one.as_str() == token).map_or("", says_shown);
    }
    let all = [
        NotShown::Judged,
        NotShown::Replayed,
        NotShown::Opened,
        NotShown::CommittedFirst,
        NotShown::Yours,
        NotShown::Authentic,
        NotShown::Beacon,
        NotShown::NoCollusion,
        NotShown::Witnessed,
        NotShown::Complete,
    ];
    all.into_iter().find(|one| one.as_str() == token).map_or("", says_not_shown)
}

fn says_shown(shown: Shown) -> &'static str {
    match shown {
        Shown::Logged => "every entry is in the log that the key signed",
        Shown::Replayed => "the promised seed gives exactly this result",
        Shown::Opened => "the cards shown are the ones that were sealed",
        Shown::CommittedFirst => "every seed was tied to the promise after it was published",
        Shown::Yours => "what you brought was mixed, exactly as you gave it",
        Shown::Authentic => "every seed is yours or signed by its player's key",
    }
}

fn says_not_shown(not_shown: NotShown) -> &'static str {
    match not_shown {
        NotShown::Judged => "what another protocol asks for",
        NotShown::Replayed => "that the seeds give this result",
        NotShown::Opened => "that the cards shown were the ones sealed",
        NotShown::CommittedFirst => "that every seed was tied to the promise after it was published",
        NotShown::Yours => "that what you brought was mixed",
        NotShown::Authentic => "whose seeds these are: the dealer may have invented players",
        NotShown::Beacon => "that the beacon's number is the beacon's",
        NotShown::NoCollusion => "that dealer and players did not choose together",
        NotShown::Witnessed => "that others saw the same log",
        NotShown::Complete => "that the log holds nothing back; an audit shows it",
    }
}
