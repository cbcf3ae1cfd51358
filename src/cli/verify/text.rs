//! A verdict as people read it.

use crate::cli::cards;
use crate::cli::out::{BAD, FAINT, GOOD, Out, STRONG, plain};
use crate::deal::{Deck, List};
use crate::record::entry::Int;
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
    result(verdict, list, out);
    if let Some(Document::Opening(opening)) = document {
        opened(document.and_then(super::deck), opening, list, out);
    }
    let mut label = "shown";
    for shown in &verdict.shown {
        out.field(label, format_args!("{GOOD}{:<16}{GOOD:#} {}", shown.as_str(), says_shown(*shown)));
        label = "";
    }
    if !verdict.committed_first.is_empty() && !verdict.shown.contains(&Shown::CommittedFirst) {
        let names: Vec<String> = verdict.committed_first.iter().map(|name| plain(name)).collect();
        out.field(label, format_args!("chose after the commitment: {}", names.join(", ")));
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
    let says = plain(&finding.says);
    match finding.index {
        Some(index) => out.line(format_args!("  {BAD}{code}{BAD:#} at entry {index}: {says}")),
        None => out.line(format_args!("  {BAD}{code}{BAD:#}: {says}")),
    }
}

/// The result that was logged, in its one form.
fn result(verdict: &Verdict, list: Option<&List>, out: &mut Out) {
    let result = &verdict.result;
    if let Some(text) = &result.cards {
        cards::field(out, "cards", text.as_str());
    }
    if let Some(indices) = &result.indices {
        match list {
            Some(list) => {
                for (place, index) in (1..).zip(indices) {
                    out.field(&format!("{place}"), item_of(list, *index));
                }
            }
            None => {
                let numbers: Vec<String> = indices.iter().map(ToString::to_string).collect();
                out.field("indices", numbers.join(" "));
            }
        }
    }
    if let Some(digest) = &result.digest {
        out.field("digest", digest);
    }
    if let Some(seal) = &result.seal {
        out.field("seal", seal);
    }
}

/// The cards of an opening that are shown.
fn opened(deck: Option<Deck>, opening: &crate::record::receipt::Opening, list: Option<&List>, out: &mut Out) {
    for card in &opening.opened {
        let number = u32::try_from(card.item.value()).ok();
        let named = deck.zip(number).and_then(|(deck, item)| deck.text_of(&[item]).ok());
        let item = match (named, list) {
            (Some(text), _) => cards::lines(&text, 80).concat(),
            (None, Some(list)) => item_of(list, card.item),
            (None, None) => format!("item {}", card.item),
        };
        out.field(&format!("card {}", card.t), item);
    }
}

fn item_of(list: &List, index: Int) -> String {
    let item = usize::try_from(index.value()).ok().and_then(|at| list.items().get(at));
    item.map_or_else(|| format!("item {index}"), |item| plain(item))
}

fn says_shown(shown: Shown) -> &'static str {
    match shown {
        Shown::Logged => "every entry is in the log that the key signed",
        Shown::Replayed => "the promised seed gives exactly this result",
        Shown::Opened => "the cards shown are the ones that were sealed",
        Shown::CommittedFirst => "every player chose after the dealer had",
    }
}

fn says_not_shown(not_shown: NotShown) -> &'static str {
    match not_shown {
        NotShown::Judged => "what another protocol asks for",
        NotShown::Replayed => "that the seeds give this result",
        NotShown::Opened => "that the cards shown were the ones sealed",
        NotShown::CommittedFirst => "that every player chose after the dealer had",
        NotShown::Beacon => "that the beacon's number is the beacon's",
        NotShown::NoCollusion => "that dealer and a player did not choose together",
        NotShown::Witnessed => "that others saw the same log",
        NotShown::Complete => "that the log holds nothing back; an audit shows it",
    }
}
