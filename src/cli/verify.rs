//! `fairdeal verify`: checks receipts and openings (spec/receipt.md).

mod answer;
mod brought;
mod dealt;
mod given;
mod headline;
mod reading;
mod since;
mod together;
mod verdict;

use std::path::PathBuf;

use super::args;
use super::exit::Failure;
use super::known::{self, Chosen, Named};
use super::out::Out;
use crate::log::VerifierKey;
use crate::record::Entry;
use crate::record::entry::{Commit, ResultForm};
use crate::record::receipt::{self, Document, Given, NotShown, ReceiptFinding, ReceiptVerdict, Shown};

use answer::Answer;
use given::GivenArgs;
use reading::{Content, Reading};

/// Check receipts and openings, offline, with only the log's verifier key
///
/// Prints what is shown, and what is not. Several files are also compared with each other.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Receipts, openings and evidence of a player; "-" is stdin
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// The log's verifier key, or a file with it. The checkpoint must have its name as origin [default: the known key of
    /// the log that the files name, see fairdeal trust]
    #[arg(long, value_name = "VKEY")]
    key: Option<String>,

    #[command(flatten)]
    given: GivenArgs,

    /// The list that was dealt, to print the result as its items
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,

    /// A checkpoint that you saved: the receipts must be of the same log
    #[arg(long, value_name = "NOTE")]
    since: Option<PathBuf>,

    /// The log; needed if --since has another size than a receipt's checkpoint
    #[arg(long, value_name = "DIR-or-URL", requires = "since")]
    log: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal verify receipt.json --key log.key
  fairdeal trust add log.key --from \"the notice board\"      from then on:
  fairdeal verify receipt.json
  fairdeal verify hers.json his.json             do they contradict each other?
  fairdeal verify receipt.json --mine alice.json     was my contribution mixed?
  fairdeal verify receipt.json --client alice=lucky --player bob=3b6a…9de2
  fairdeal verify opening.json --seat alice                are these my cards?
  fairdeal verify evidence.json                  all that a player's page has kept
  fairdeal verify receipt.json --since saved.note --log fairdeal-ledger
  fairdeal replay receipt.json --trace        the same deal, every draw of it

A sound receipt from before the reveal holds too, with \"replayed\" in the list of what is not shown.

Without --key the key is the one that you know for the log that the files name (fairdeal trust). A log that is not known is \
an error: a file's own word for its key proves nothing.

Of several files, each that can be read is judged. Exit 1: one of them does not hold, or they contradict each other. Else \
exit 3: one of them can't be read. Exit 0: all were read, and all hold.";

/// A file and its verdict.
struct Judged {
    name: String,
    document: Option<Document>,
    verdict: ReceiptVerdict,
    /// Of a sealed deal that was replayed: the cards under the seal.
    under_seal: Option<ResultForm>,
}

impl Judged {
    fn is_opening(&self) -> bool {
        matches!(self.document, Some(Document::Opening(_)))
    }

    /// The commit at the start of the file, where the verdict is about it.
    fn commit(&self) -> Option<Box<Commit>> {
        self.verdict.commitment?;
        self.document.as_ref().and_then(commit)
    }

    fn shows(&self, what: Shown) -> bool {
        self.verdict.shown.contains(&what)
    }

    fn does_not_show(&self, what: NotShown) -> bool {
        self.verdict.not_shown.contains(&what)
    }
}

/// A file after the judging, in the order of the command line.
enum File {
    Judged(Box<Judged>),
    Unread { name: String, failure: Failure },
}

impl File {
    fn judged(&self) -> Option<&Judged> {
        match self {
            Self::Judged(file) => Some(file),
            Self::Unread { .. } => None,
        }
    }
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    // A mistyped key is told before the files are read.
    let given_key = args.key.as_deref().map(args::verifier_key).transpose()?;
    let list = args.list.as_deref().map(args::read_list).transpose()?;
    let mut given = args.given.read()?;
    let Reading { files: read, claims } = Reading::of(&args.files, &mut given)?;
    if read.iter().all(|(_, content)| matches!(content, Content::Unread(_))) {
        return Err(none_read(read));
    }
    let chosen = match given_key {
        Some(key) => Some(Chosen { key, known: None }),
        None => look_up(&read)?,
    };
    let (mut files, together) = judge_all(read, chosen.as_ref().map(|chosen| &chosen.key), &given);
    // An invalid file may have been meant as one; it has a finding of its own.
    let may_be_opening = |file: &Judged| file.document.is_none() || file.is_opening();
    if given.seat.is_some() && !files.iter().filter_map(File::judged).any(may_be_opening) {
        return Err(Failure::usage("--seat: expected an opening among the files, found none"));
    }
    for file in files.iter().filter_map(File::judged) {
        if let (Some(list), Some(commit)) = (&list, file.document.as_ref().and_then(commit)) {
            args::of_the_list(list, &file.name, commit.deck)?;
        }
    }
    let continued = match (&args.since, &chosen) {
        (Some(path), Some(Chosen { key, .. })) => {
            since::hold_against(&mut files, path, args.log.as_deref(), key)?
        }
        _ => None,
    };
    let sound = together.is_empty() && files.iter().filter_map(File::judged).all(|file| file.verdict.holds);
    let known = chosen.as_ref().and_then(|chosen| chosen.known.as_ref());
    let answer = Answer::of(&files, &together, known, continued, &claims);
    out.show(&answer, |out| {
        for (at, file) in files.iter().enumerate() {
            if at > 0 {
                out.line("");
            }
            verdict::print(file, &given, list.as_ref(), out);
        }
        if files.len() > 1 || !together.is_empty() {
            out.line("");
            together::print(&files, &together, !given.heads.is_empty(), out);
        }
        together::print_claims(&claims, out);
        verdict::print_continued(continued, out);
        if let Some(known) = known {
            known::print(known, out);
        }
    });
    if !sound {
        out.does_not_hold();
    }
    let mut failures = files.iter().filter_map(|file| match file {
        File::Unread { failure, .. } => Some(failure),
        File::Judged(_) => None,
    });
    if let Some(first) = failures.next() {
        // The verdicts come first, then why there are not more of them.
        out.flush()?;
        first.print();
        failures.for_each(Failure::print);
        if sound {
            out.could_not_be_checked();
        }
    }
    Ok(())
}

/// Exit 3, with why each of the files can't be read.
fn none_read(read: Vec<(String, Content)>) -> Failure {
    let mut failures = read.into_iter().filter_map(|(_, content)| match content {
        Content::Unread(failure) => Some(failure),
        _ => None,
    });
    let first = failures.next().expect("a command line has a file");
    let others: Vec<String> = failures.map(Failure::into_says).collect();
    if others.is_empty() { first } else { first.hint(others.join("\n")) }
}

/// The known key of the log that all files name; `None` where no file needs a key, because none is a receipt.
fn look_up(read: &[(String, Content)]) -> Result<Option<Chosen>, Failure> {
    let mut named: Option<(&str, Named)> = None;
    for (name, content) in read {
        let Content::Document(document) = content else { continue };
        let Some(this) = Named::in_checkpoint(&document.receipt().checkpoint) else {
            return Err(Failure::usage(format!("{name}: its checkpoint names no log: give --key")));
        };
        match &named {
            Some((first, other)) if other.origin != this.origin => {
                let says = format!("{first} names the log {}, {name} {}", other.signed, this.signed);
                return Err(Failure::usage(says)
                    .hint("One command checks files of one log. Give --key to say which."));
            }
            Some(_) => {}
            None => named = Some((name, this)),
        }
    }
    named.map(|(name, this)| known::key_of(None, name, || Ok(this))).transpose()
}

/// Judges each file that was read alone, then all of them together.
fn judge_all(
    read: Vec<(String, Content)>,
    key: Option<&VerifierKey>,
    given: &Given,
) -> (Vec<File>, Vec<ReceiptFinding>) {
    let documents: Vec<(&str, &Document)> = read
        .iter()
        .filter_map(|(name, content)| match content {
            Content::Document(document) => Some((name.as_str(), document)),
            _ => None,
        })
        .collect();
    let (verdicts, between) =
        key.map(|key| receipt::verify_several(&documents, key, given)).unwrap_or_default();
    // A file is compared with another one, not with itself (spec/receipt.md, 11.6).
    let readable = read.iter().filter(|(_, content)| !matches!(content, Content::Unread(_))).count();
    let several = readable + given.heads.len() > 1;
    let between = if several { between } else { Vec::new() };
    let mut verdicts = verdicts.into_iter();
    let file = |(name, content)| match content {
        Content::Document(document) => {
            let verdict = verdicts.next().expect("every document is judged");
            let under_seal = under_seal(&document, &verdict);
            File::Judged(Box::new(Judged { name, document: Some(document), verdict, under_seal }))
        }
        Content::Invalid(says) => {
            let verdict = ReceiptVerdict::invalid(says);
            File::Judged(Box::new(Judged { name, document: None, verdict, under_seal: None }))
        }
        Content::Unread(failure) => File::Unread { name, failure },
    };
    (read.into_iter().map(file).collect(), between)
}

/// The cards of a sealed deal that was replayed.
fn under_seal(document: &Document, verdict: &ReceiptVerdict) -> Option<ResultForm> {
    verdict.result.seal.filter(|_| verdict.shown.contains(&Shown::Replayed))?;
    super::replayed::Revealed::of(document.receipt()).ok()?.in_clear()
}

/// Explains a verdict's token. Empty for an unknown one.
pub(super) fn explain(token: &str, shown: bool) -> &'static str {
    verdict::explain(token, shown)
}

/// The commit at the start of a file.
fn commit(document: &Document) -> Option<Box<Commit>> {
    let first = document.receipt().entries.first()?;
    match Entry::parse(first.entry.as_bytes()) {
        Ok(Entry::Commit(commit)) => Some(commit),
        _ => None,
    }
}
