//! Prints a verdict.

use anstyle::Style;

use super::{brought, dealt, headline};
use crate::accused::{About, print_accused};
use crate::out::{BAD, FAINT, GOOD, LABEL, Out, STRONG, columns_beside, plain, wrapped};
use crate::{note, time};
use fairdeal::deal::List;
use fairdeal::record::Code;
use fairdeal::record::receipt::{
    Document, NotShown, ReaderGiven, ReceiptFinding, SeenByWitnesses, Shown, WitnessedRound,
};
use fairdeal_audit::answer::{JudgedFile, VerifiedFile};

/// One file's verdict, or that there is none.
pub(super) fn print(file: &JudgedFile, given: &ReaderGiven, list: Option<&List>, out: &mut Out) {
    match file {
        JudgedFile::Judged(file) => print_judged(file, given, list, out),
        JudgedFile::Unread { name, .. } => {
            say!(out, "{STRONG}{}{STRONG:#}  {BAD}can't be read{BAD:#}: not checked", plain(name));
        }
    }
}

fn print_judged(file: &VerifiedFile, given: &ReaderGiven, list: Option<&List>, out: &mut Out) {
    let VerifiedFile { document, verdict, .. } = file;
    headline::print(file, given, out);
    for line in headline::why(file, given) {
        for line in wrapped(&line, columns_beside(2)) {
            say!(out, "  {line}");
        }
    }
    // The other file of the round has the rest.
    if file.is_kept && file.is_passed_over() {
        return;
    }
    print_findings(&verdict.findings, out);
    print_accused(verdict.findings.iter().map(|one| one.accuses), About::File, out);
    if let Some(round) = headline::round(file) {
        out.long_field("table", &round);
    }
    dealt::print(file, given, list, out);
    if let (Some(seat), Some(Document::Opening(_)), true) = (&given.seat, document, verdict.holds) {
        let seat = plain(seat.as_str());
        field!(out, "seat", "each card shown is {seat}'s or the board's");
    }
    brought::print(verdict, out);
    if let Some(commitment) = verdict.commitment {
        out.field("commitment", commitment);
    }
    if let Some(nonce) = verdict.nonce {
        out.field("round", nonce);
    }
    if let Some(witnessed) = &verdict.witnessed {
        print_witnessed(witnessed, out);
    }
    if let Some(before) = verdict.before_beacon {
        out.field("beacon", format_args!("locked {before} s before it was out"));
    }
    print_tokens(&verdict.shown, &verdict.not_shown, out);
}

/// What was shown, and what was not, each token with its meaning in words.
fn print_tokens(shown: &[Shown], not_shown: &[NotShown], out: &mut Out) {
    let all = shown.iter().map(|one| one.as_str()).chain(not_shown.iter().map(|one| one.as_str()));
    let width = all.map(str::len).fold(TOKEN, usize::max);
    let mut label = "shown";
    for shown in shown {
        let token = (shown.as_str(), width);
        explained(label, token, says_shown(*shown), (GOOD, Style::new()), out);
        label = "";
    }
    let mut label = "not shown";
    for not_shown in not_shown {
        let token = (not_shown.as_str(), width);
        explained(label, token, says_not_shown(*not_shown), (Style::new(), FAINT), out);
        label = "";
    }
}

/// Which of the reader's witnesses had seen the round's entries, and by when.
pub(crate) fn print_witnessed(witnessed: &WitnessedRound, out: &mut Out) {
    let WitnessedRound { lock, deal, reveal, of } = witnessed;
    let all = [("lock", lock), ("deal", deal), ("reveal", reveal)];
    out.fields(
        "witnesses",
        all.into_iter().filter_map(|(what, seen)| {
            let SeenByWitnesses { by, witnesses } = seen.as_ref()?;
            let by = by.map_or_else(
                || "at a time that they do not say".to_owned(),
                |by| format!("by {}", time::day_and_time(by.saturating_mul(1000))),
            );
            Some(format!("{} of your {of} witnesses had seen the {what} {by}", witnesses.len()))
        }),
    );
}

/// The least width of the tokens' column.
const TOKEN: usize = 16;

/// A token and what it means; on a terminal in as many lines as it takes.
fn explained(
    label: &str,
    (token, width): (&str, usize),
    says: &str,
    (of_token, of_says): (Style, Style),
    out: &mut Out,
) {
    let (mut label, mut token) = (label, token);
    for line in wrapped(says, columns_beside(LABEL + width + 1)) {
        let token_and_line =
            format_args!("{of_token}{token:<width$}{of_token:#} {of_says}{line}{of_says:#}");
        out.field(label, token_and_line);
        (label, token) = ("", "");
    }
}

/// Prints the saved view that all files fit.
pub(super) fn print_continued(size: Option<u64>, out: &mut Out) {
    if let Some(size) = size {
        out.field("continues", note::part_of_this_log(size));
    }
}

/// Prints the findings, a bad signature first: some of the others may have no other cause.
pub(crate) fn print_findings(findings: &[ReceiptFinding], out: &mut Out) {
    let (causes, others): (Vec<_>, Vec<_>) =
        findings.iter().partition(|finding| finding.code == Code::BadSignature);
    let (following, others): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|finding| !causes.is_empty() && may_follow(finding.code));
    causes.into_iter().chain(others).for_each(|finding| print_finding(finding, out));
    if !following.is_empty() {
        out.line("  What may only follow from the bad signature:");
        for finding in following {
            print_finding(finding, out);
        }
    }
}

/// Whether a finding may be there only because another key signed the log, or another checkpoint:
/// its proofs lead to that one, and views that players saw are signed by that key: a lock with such
/// a view is invalid, and then its deal names no lock. A hash covers the log's name, and a commit
/// has effect in its own log only.
fn may_follow(code: Code) -> bool {
    matches!(
        code,
        Code::TreeMismatch
            | Code::Inconsistent
            | Code::InvalidEntry
            | Code::LockMismatch
            | Code::UnopenedHash
            | Code::NoCommitment
    )
}

pub(super) fn print_finding(finding: &ReceiptFinding, out: &mut Out) {
    let at = finding.index.map_or_else(String::new, |index| format!(" at entry {index}"));
    out.finding(finding.code.as_str(), &format!("{at}: {}", plain(&finding.says)));
}

/// Explains a token.
pub(super) fn explain(token: &str, shown: bool) -> &'static str {
    if shown {
        let all = [
            Shown::Logged,
            Shown::Drawn,
            Shown::Replayed,
            Shown::Opened,
            Shown::CommittedFirst,
            Shown::Yours,
            Shown::Authentic,
            Shown::Witnessed,
            Shown::Timed,
            Shown::LockedBeforeBeacon,
            Shown::KeptBeforeBeacon,
        ];
        return all.into_iter().find(|one| one.as_str() == token).map_or("", says_shown);
    }
    let all = [
        NotShown::Judged,
        NotShown::Drawn,
        NotShown::Replayed,
        NotShown::Opened,
        NotShown::CommittedFirst,
        NotShown::Yours,
        NotShown::Authentic,
        NotShown::Seats,
        NotShown::Beacon,
        NotShown::NoCollusion,
        NotShown::Witnessed,
        NotShown::Timed,
        NotShown::LockedBeforeBeacon,
        NotShown::KeptBeforeBeacon,
        NotShown::Complete,
    ];
    all.into_iter().find(|one| one.as_str() == token).map_or("", says_not_shown)
}

pub(crate) fn says_shown(shown: Shown) -> &'static str {
    match shown {
        Shown::Logged => "every entry is in the log that the key signed",
        Shown::Drawn => "the list, the promised seed and the number give these winners",
        Shown::Replayed => "the promised seed gives exactly this result",
        Shown::Opened => "the cards shown are the ones that were sealed",
        Shown::CommittedFirst => "whoever made each contribution knew the promise",
        Shown::Yours => "your contribution was mixed, exactly as you gave it",
        Shown::Authentic => "every seed is yours or signed by its player's key",
        Shown::Witnessed => "a quorum of your witnesses had seen every entry",
        Shown::Timed => "your witnesses had seen the deal within five minutes of its time",
        Shown::LockedBeforeBeacon => {
            "nobody could know the beacon when your witnesses saw the lock"
        }
        Shown::KeptBeforeBeacon => "you kept this promise before its beacon was out",
    }
}

pub(crate) fn says_not_shown(not_shown: NotShown) -> &'static str {
    match not_shown {
        NotShown::Judged => "a commitment of another protocol, which is not judged here",
        NotShown::Drawn => "who has won",
        NotShown::Replayed => "that the seeds give this result",
        NotShown::Opened => "that the cards shown were the ones sealed",
        NotShown::CommittedFirst => "that whoever made each contribution knew the promise",
        NotShown::Yours => "that your contribution was mixed",
        NotShown::Authentic => "whose seeds these are: the dealer may have invented players",
        NotShown::Seats => "that the seats were given before the cards were known to the dealer",
        NotShown::Beacon => "that the beacon's signature is the beacon's",
        NotShown::NoCollusion => "that dealer and players did not choose together",
        NotShown::Witnessed => "that others saw the same log",
        NotShown::Timed => "that your witnesses had seen the deal within five minutes of its time",
        NotShown::LockedBeforeBeacon => "that the round was locked before its beacon was out",
        NotShown::KeptBeforeBeacon => "that you kept this promise before its beacon was out",
        NotShown::Complete => {
            "that no round is missing between those in the log; an audit shows it. Nothing shows what was never written"
        }
    }
}
