//! `fairdeal verify`: checks receipts and openings (spec/receipt.md).

mod brought;
mod dealt;
mod given;
mod since;
mod verdict;

use std::path::PathBuf;

use serde::Serialize;

use super::exit::Failure;
use super::out::Out;
use super::{args, files};
use crate::deal::List;
use crate::log::VerifierKey;
use crate::record::Entry;
use crate::record::entry::Commit;
use crate::record::receipt::{self, Document, Given, ReceiptError, ReceiptFinding, ReceiptVerdict};

use given::GivenArgs;

/// Check receipts and openings, offline, with only the log's verifier key
///
/// Prints what is shown, and what is not. Several files are also compared with each other.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Receipts and openings; "-" is stdin
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// The log's verifier key, or a file with it. The checkpoint must have its name as origin
    #[arg(long, value_name = "VKEY")]
    key: String,

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
  fairdeal verify hers.json his.json --key log.key         do they contradict each other?
  fairdeal verify receipt.json --key log.key --mine alice.json    was my contribution mixed?
  fairdeal verify receipt.json --key log.key --client alice=lucky --player bob=3b6a…9de2
  fairdeal verify opening.json --key log.key --seat alice          are these my cards?
  fairdeal verify receipt.json --key log.key --since saved.note --log fairdeal-ledger

A sound receipt from before the reveal holds too, with \"replayed\" in the list of what is not shown.";

/// A file and its verdict.
struct Judged {
    name: String,
    document: Option<Document>,
    verdict: ReceiptVerdict,
}

impl Judged {
    fn is_opening(&self) -> bool {
        matches!(self.document, Some(Document::Opening(_)))
    }
}

/// The `--json` output for several files. For one file it is the verdict.
#[derive(Serialize)]
struct Several<'a> {
    holds: bool,
    findings: &'a [ReceiptFinding],
    receipts: Vec<Named<'a>>,
}

#[derive(Serialize)]
struct Named<'a> {
    file: &'a str,
    #[serde(flatten)]
    verdict: &'a ReceiptVerdict,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let key = args::verifier_key(&args.key)?;
    let list = args.list.as_deref().map(args::read_list).transpose()?;
    let given = args.given.read()?;
    let (mut files, together) = judge_all(&args.files, &key, &given)?;
    // An invalid file may have been meant as one; it has a finding of its own.
    let may_be_opening = |file: &Judged| file.document.is_none() || file.is_opening();
    if given.seat.is_some() && !files.iter().any(may_be_opening) {
        return Err(Failure::usage("--seat: expected an opening among the files, found none"));
    }
    for file in &files {
        of_the_list(file, list.as_ref())?;
    }
    let continued = match &args.since {
        Some(path) => since::hold_against(&mut files, path, args.log.as_deref(), &key)?,
        None => None,
    };
    let holds = together.is_empty() && files.iter().all(|file| file.verdict.holds);
    if let [file] = files.as_slice() {
        out.show(&file.verdict, |out| {
            verdict::print(file, &given, list.as_ref(), out);
            verdict::print_continued(continued, out);
        });
    } else {
        let named = |file| {
            let Judged { name, verdict, .. }: &Judged = file;
            Named { file: name, verdict }
        };
        let receipts = files.iter().map(named).collect();
        out.show(&Several { holds, findings: &together, receipts }, |out| {
            for file in &files {
                verdict::print(file, &given, list.as_ref(), out);
                out.line("");
            }
            verdict::print_together(&files, &together, out);
            verdict::print_continued(continued, out);
        });
    }
    if !holds {
        out.does_not_hold();
    }
    Ok(())
}

/// Judges each file alone, then all together.
fn judge_all(
    paths: &[PathBuf],
    key: &VerifierKey,
    given: &Given,
) -> Result<(Vec<Judged>, Vec<ReceiptFinding>), Failure> {
    let read = paths.iter().map(|path| Ok((files::name(path), read(path)?)));
    let read: Vec<(String, Result<Document, String>)> = read.collect::<Result<_, Failure>>()?;
    let documents: Vec<(&str, &Document)> =
        read.iter().filter_map(|(name, document)| Some((name.as_str(), document.as_ref().ok()?))).collect();
    let (verdicts, between) = receipt::verify_several(&documents, key, given);
    let mut verdicts = verdicts.into_iter();
    let judged = read.into_iter().map(|(name, document)| match document {
        Ok(document) => {
            let verdict = verdicts.next().unwrap_or_else(|| ReceiptVerdict::invalid("it was not judged"));
            Judged { name, document: Some(document), verdict }
        }
        Err(says) => Judged { name, document: None, verdict: ReceiptVerdict::invalid(says) },
    });
    let judged = judged.collect::<Vec<_>>();
    Ok((judged, between))
}

/// Reads a file. Exit 3 if it is not readable as JSON; the inner error if it is no receipt.
fn read(path: &std::path::Path) -> Result<Result<Document, String>, Failure> {
    match Document::parse(&files::read(path)?) {
        Ok(document) => Ok(Ok(document)),
        Err(ReceiptError::Unreadable(says)) => Err(Failure::unavailable(format!(
            "{}: expected a receipt or an opening, found no readable JSON: {says}",
            files::name(path)
        ))),
        Err(error) => Ok(Err(error.to_string())),
    }
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

/// Exit 2 if `--list` is not the list that was dealt.
fn of_the_list(file: &Judged, list: Option<&List>) -> Result<(), Failure> {
    let (Some(list), Some(commit)) = (list, file.document.as_ref().and_then(commit)) else { return Ok(()) };
    let deck = commit.deck;
    if list.deck() == deck {
        return Ok(());
    }
    Err(Failure::usage(format!("--list: {} was dealt from {deck}, this file is {}", file.name, list.deck())))
}
