//! The line that matters first: whether a file holds, and what that means, in words.

use crate::out::{BAD, GOOD, Out, STRONG, UNSURE, plain, terminal_width, width, wrapped};
use crate::round_line;
use fairdeal::deal::Label;
use fairdeal::record::finding::Accused;
use fairdeal::record::receipt::{
    Compared, NotShown, ReaderGiven, ReceiptFinding, ReceiptVerdict, Shown, VerdictState,
};
use fairdeal::record::{Code, Entry};
use fairdeal_audit::answer::VerifiedFile;

/// `receipt.json  holds: the promised seed and the players' seeds give this result`. On a terminal
/// that is too narrow the words are a line of their own.
pub(super) fn print(file: &VerifiedFile, given: &ReaderGiven, out: &mut Out) {
    let wrong = || wrong(&file.verdict, given);
    let name = quoted(&file.name);
    let (style, verdict, says) = match file.verdict.state {
        Some(VerdictState::Fair) => (GOOD, "fair", fair(file).to_owned()),
        Some(VerdictState::Unproved) => {
            (UNSURE, "unproved", format!(": {}", VerdictState::Unproved.in_words()))
        }
        Some(VerdictState::Caught) => (BAD, "caught", format!(": {}", wrong())),
        None if file.verdict.holds => (STRONG, "holds", sound(file)),
        None => (BAD, "does not hold", format!(": {}", wrong())),
    };
    let head = format!("{STRONG}{name}{STRONG:#}  {style}{verdict}{style:#}");
    let columns =
        [name.as_str(), "  ", verdict, &says].iter().map(|part| part.chars().count()).sum();
    if terminal_width().is_none_or(|width| width >= columns) {
        return say!(out, "{head}{says}");
    }
    let (mark, words) = says.split_at(1);
    say!(out, "{head}{mark}");
    for line in wrapped(words.trim_start(), width().saturating_sub(2)) {
        say!(out, "  {line}");
    }
}

/// A file's name. Evidence names its files: a name that could be taken for words of this program is
/// in quotation marks.
fn quoted(name: &str) -> String {
    let inner = name.split_once(": ").map_or(name, |(_, inner)| inner);
    let is_word =
        |text: &str| text.chars().all(|each| each.is_alphanumeric() || "._-/".contains(each));
    if is_word(inner) { plain(name) } else { format!("{:?}", plain(name)) }
}

/// The text after "fair".
fn fair(file: &VerifiedFile) -> &'static str {
    if file.shows(Shown::Yours) {
        ", and your seed was in it"
    } else {
        ": a beacon decided that nobody could know"
    }
}

/// The text after "holds", where nothing shows yet how the cards came about.
fn sound(file: &VerifiedFile) -> String {
    if file.does_not_show(NotShown::Judged) {
        return ", but its promise is of another protocol, which is not judged here".to_owned();
    }
    if file.is_apart {
        return ", but nothing shows that it is of the log whose view you saved".to_owned();
    }
    let yours = if file.shows(Shown::Yours) { "; your seed was mixed" } else { "" };
    let is_dealt = file.verdict.deal.is_some();
    let says = if is_dealt && file.does_not_show(NotShown::Beacon) {
        ", but the chain of its beacon is not known: see --beacon-chain"
    } else if file.shows(Shown::Opened) {
        ": these are the sealed cards; the seed is not revealed yet"
    } else if is_dealt {
        ", but nobody can replay the deal yet: the seed is not revealed"
    } else {
        without_a_deal(file)
    };
    format!("{says}{yours}")
}

fn without_a_deal(file: &VerifiedFile) -> &'static str {
    let entries = file.document.iter().flat_map(|document| &document.receipt().entries);
    let kinds: Vec<&str> =
        entries.filter_map(|one| Some(Entry::parse(one.entry.as_bytes()).ok()?.kind())).collect();
    if kinds.contains(&"void") {
        ", but nothing was dealt: it is voided"
    } else if kinds.contains(&"lock") {
        ", made before the round was dealt"
    } else {
        ", but it shows a promise and no round"
    }
}

/// The text after "caught" or "does not hold", by the gravest finding.
pub(crate) fn wrong(verdict: &ReceiptVerdict, given: &ReaderGiven) -> &'static str {
    let has = |code: Code| verdict.findings.iter().any(|finding| finding.code == code);
    let differs = |from: &Label| {
        verdict.compared.iter().any(|(one, how)| one == from && matches!(how, Compared::Differs(_)))
    };
    // Only a contribution of the reader that names its round accuses somebody.
    let is_own = |finding: &ReceiptFinding| {
        finding.code == Code::ContributionMismatch && finding.accuses == Accused::Operator
    };
    let mismatch = if verdict.findings.iter().any(is_own) {
        "it does not have the contribution that you kept"
    } else if given.mine.iter().any(|own| own.round().is_none() && differs(&own.from)) {
        "it does not have the seed that you gave, which may be mistyped or of another round"
    } else {
        "a contribution in it does not fit the key or the evidence that you were given"
    };
    // With a policy the fault may be in a line of a witness.
    let unsigned = match given.policy {
        None => "the log's key did not sign it",
        Some(_) => "its checkpoint is not signed as it should be",
    };
    let all = [
        (Code::InvalidReceipt, "it is no receipt"),
        (Code::BadSignature, unsigned),
        (Code::TreeMismatch, "its entries are not those of the log that was signed"),
        (Code::Inconsistent, "it is not of the log whose view you saved"),
        (Code::SeedMismatch, "the revealed seed is not the promised one"),
        (Code::ResultMismatch, "the seeds do not give this result"),
        (Code::OpeningMismatch, "these are not the cards that were sealed"),
        (Code::ContributionMismatch, mismatch),
        (Code::PlacedMismatch, "a card in it is not for this seat"),
    ];
    let found = all.into_iter().find(|(code, _)| has(*code));
    found.map_or("its entries break the rules of the log", |(_, says)| says)
}

/// What keeps a verdict from being "fair", and what would help; and what came of the reader's
/// contributions.
pub(super) fn why(file: &VerifiedFile, given: &ReaderGiven) -> Vec<String> {
    let verdict = &file.verdict;
    let mut lines: Vec<String> = verdict
        .compared
        .iter()
        .filter_map(|(from, how)| Some(format!("{}: {}", plain(from.as_str()), row(how)?)))
        .collect();
    if verdict.state == Some(VerdictState::Unproved) {
        let in_evidence = given.in_evidence.iter().filter(|one| one.is_kept);
        let mut own = given.mine.iter().chain(in_evidence.map(|one| &one.contribution)).peekable();
        let says = if own.peek().is_none() {
            Some(if given.in_evidence.is_empty() {
                "give the contribution that you kept with --mine"
            } else {
                "whoever wrote this evidence can have invented its contributions: give it with --mine if you kept it yourself"
            })
        } else if !file.shows(Shown::Yours) {
            None
        } else if own.any(|own| own.hash.is_some() && !own.given) {
            Some(
                "nothing shows that your seed was still unknown when the others were fixed: give the receipt of the lock, that you kept before you opened your seed, with --mine too",
            )
        } else {
            Some(
                "nothing shows that the operator did not know your seed before the others were fixed: ask for a table with hashed seeds, and keep the file of your own hash",
            )
        };
        lines.extend(says.map(str::to_owned));
    }
    lines
}

/// The outcome of comparing a contribution, in words; `None` where the headline has it.
fn row(how: &Compared) -> Option<&'static str> {
    Some(match how {
        Compared::OfAnotherRound => {
            "your contribution names another round or another log, and was not compared"
        }
        Compared::NotMixedYet => "nothing was mixed yet",
        Compared::Voided => "the round was given up, and nothing was mixed",
        Compared::NotInRound => {
            "the round does not have your contribution: it came too late, was changed on its way, or somebody else used your name. When the round was locked, nobody else knew your seed"
        }
        Compared::Locked => "the lock has your contribution",
        Compared::SignedOther => {
            "the round has another contribution than yours, and your own key signed it"
        }
        Compared::Mixed | Compared::Differs(_) => return None,
    })
}

/// The line of the round; `None` where the file has no commitment.
pub(super) fn round(file: &VerifiedFile) -> Option<String> {
    let commit = file.commit()?;
    let players = file.verdict.contributions.iter().map(|one| (&one.from, one.seed.as_ref()));
    let (what, time) = match &file.verdict.deal {
        Some((_, deal)) => ("dealt", deal.time),
        None => ("promised", commit.time),
    };
    Some(round_line::of(&commit.table, players, what, time))
}
