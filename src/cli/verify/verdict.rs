//! Prints a verdict.

use super::{Judged, brought, dealt};
use crate::cli::note;
use crate::cli::out::{BAD, FAINT, GOOD, Out, STRONG, plain};
use crate::deal::List;
use crate::record::receipt::{Document, Given, NotShown, ReceiptFinding, Shown};

/// One file's verdict.
pub(super) fn print(file: &Judged, given: &Given, list: Option<&List>, out: &mut Out) {
    let Judged { name, document, verdict } = file;
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
    dealt::print(document.as_ref(), verdict, list, out);
    if let (Some(seat), Some(Document::Opening(_)), true) = (&given.seat, document, verdict.holds) {
        let seat = plain(seat.as_str());
        out.field("seat", format_args!("each card shown is {seat}'s or the board's"));
    }
    brought::print(verdict, given, out);
    let mut label = "shown";
    for shown in &verdict.shown {
        out.field(label, format_args!("{GOOD}{:<16}{GOOD:#} {}", shown.as_str(), says_shown(*shown)));
        label = "";
    }
    let mut label = "not shown";
    for not_shown in &verdict.not_shown {
        let line = format_args!("{:<16} {FAINT}{}{FAINT:#}", not_shown.as_str(), says_not_shown(*not_shown));
        out.field(label, line);
        label = "";
    }
}

/// Prints what several files show together. Only files whose entries the log signed and includes were compared.
pub(super) fn print_together(files: &[Judged], findings: &[ReceiptFinding], out: &mut Out) {
    for file in files.iter().filter(|file| !file.verdict.holds) {
        out.line(format_args!("{} {BAD}does not hold{BAD:#} by itself.", plain(&file.name)));
    }
    let logged = files.iter().filter(|file| file.verdict.shown.contains(&Shown::Logged)).count();
    let others = if logged < files.len() { "The others" } else { "They" };
    match findings {
        [] if logged < 2 => {
            out.line("No files were compared: that takes two files of this log.");
        }
        [] => out.line(format_args!("{others} do not contradict each other.")),
        findings => {
            // One file can contradict itself.
            let who = if logged < 2 { "One of them alone shows" } else { "Together they show" };
            out.line(format_args!("{BAD}{who} that the operator broke the rule, or signed two logs:{BAD:#}"));
            for finding in findings {
                print_finding(finding, out);
            }
        }
    }
}

/// Prints the saved view that all files fit.
pub(super) fn print_continued(size: Option<u64>, out: &mut Out) {
    if let Some(size) = size {
        out.field("continues", note::part_of_this_log(size));
    }
}

fn print_finding(finding: &ReceiptFinding, out: &mut Out) {
    let at = finding.index.map_or_else(String::new, |index| format!(" at entry {index}"));
    out.finding(finding.code.as_str(), &format!("{at}: {}", plain(&finding.says)));
}

/// Explains a token.
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
        NotShown::Seats,
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
        Shown::Yours => "your contribution was mixed, exactly as you gave it",
        Shown::Authentic => "every seed is yours or signed by its player's key",
    }
}

fn says_not_shown(not_shown: NotShown) -> &'static str {
    match not_shown {
        NotShown::Judged => "a commitment of another protocol, which is not judged here",
        NotShown::Replayed => "that the seeds give this result",
        NotShown::Opened => "that the cards shown were the ones sealed",
        NotShown::CommittedFirst => "that every seed was tied to the promise after it was published",
        NotShown::Yours => "that your contribution was mixed",
        NotShown::Authentic => "whose seeds these are: the dealer may have invented players",
        NotShown::Seats => "that the seats were given before the cards were known to the dealer",
        NotShown::Beacon => "that the beacon's number is the beacon's",
        NotShown::NoCollusion => "that dealer and players did not choose together",
        NotShown::Witnessed => "that others saw the same log",
        NotShown::Complete => "that the log holds nothing back; an audit shows it",
    }
}
