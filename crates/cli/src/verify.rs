//! `fairdeal verify`: checks receipts and openings (spec/receipt.md).

mod brought;
mod dealt;
mod given;
mod headline;
mod since;
mod together;
mod verdict;

use std::path::{Path, PathBuf};

use super::beacon::ChainArgs;
use super::exit::{Exit, Failure};
use super::known::{self, Chosen, KnownLog, Named};
use super::out::Out;
use super::policy::ReadersPolicy;
use super::{args, files, logs};
use fairdeal::log::Policy;
use fairdeal::record::Code;
use fairdeal::record::receipt::{Given, ReaderGiven, Shown};
use fairdeal_audit::answer::{
    Content, JudgedFile, JudgedFiles, ReadFile, Reading, ReceiptsAnswer, commit_of,
};

use given::{Brought, GivenArgs};
pub(super) use given::{own, players};
pub(super) use headline::wrong;
use since::SavedView;
pub(super) use verdict::{print_findings, print_witnessed, says_not_shown, says_shown};

/// Check receipts and openings, offline, with the log's key
///
/// Prints what is shown, and what is not. Several files are also compared with each other.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Receipts, openings and evidence of a player; "-" is stdin
    #[arg(value_name = "FILE", required_unless_present = "mine")]
    files: Vec<PathBuf>,

    /// The log's verifier key, or a file with it. The checkpoint must have its name as origin
    /// [default: the known key of the log that the files name, see fairdeal trust]
    #[arg(long, value_name = "VKEY")]
    key: Option<String>,

    /// Your witnesses: a tlog-policy file. It decides "witnessed" and "timed" [default: the policy
    /// that is kept with the known key, see fairdeal trust]
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,

    #[command(flatten)]
    given: GivenArgs,

    #[command(flatten)]
    chains: ChainArgs,

    /// The list that was dealt, to print the result as its items
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,

    /// A checkpoint that you saved: the files must be of the same log
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
  fairdeal verify receipt.json --mine alice.json           was my seed mixed?
  fairdeal verify receipt.json --mine alice.json --mine lock.json   was it fair?
  fairdeal verify receipt.json --policy witnesses.policy     when was it dealt?
  fairdeal verify receipt.json --client alice=lucky --player bob=3b6a…9de2
  fairdeal verify opening.json --seat alice                are these my cards?
  fairdeal verify --mine evidence.json     all that a page has kept for you
  fairdeal verify receipt.json --since saved.note --log fairdeal-ledger
  fairdeal replay receipt.json --trace        the same deal, every draw of it

A sound receipt from before the reveal holds too, with \"replayed\" in the list of what is not shown.

Without --key the key is the one that you know for the log that the files name (fairdeal trust). A log that is not known is \
an error: a file's own word for its key proves nothing.

Of several files, each that can be read is judged. Exit 1: one of them does not hold, or they contradict each other. Else \
exit 3: one of them can't be read, or what you brought is of none of their rounds. Exit 0: all were read, and all hold. Exit \
0 is also that of \"unproved\": a program reads \"state\" with --json, which is \"fair\" where the seed was yours.";

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    // A mistyped key is reported before the files are read.
    let given_key = args.key.as_deref().map(args::verifier_key).transpose()?;
    let list = args.list.as_deref().map(args::read_list).transpose()?;
    let Brought { mut given, kept } = args.given.read()?;
    given.chains = args.chains.read()?;
    let mut read = Reading::default();
    for path in &args.files {
        add_file(&mut read, path, &mut given)?;
    }
    for (name, bytes) in kept {
        read.add(&name, &bytes, true, &mut given);
    }
    if read.files.is_empty() {
        return Err(Failure::usage(
            "FILE: expected a receipt, an opening or evidence, found only contributions",
        ));
    }
    if read.files.iter().all(|file| matches!(file.content, Content::Unread(_))) {
        return Err(none_read(read.files));
    }
    let chosen = match given_key {
        Some(key) => Some(Chosen { key, known: None }),
        None => look_up(&read.files)?,
    };
    let policy = match &chosen {
        Some(chosen) => ReadersPolicy::of(args.policy.as_deref(), chosen)?,
        None => None,
    };
    given.policy = policy.as_ref().map(|policy| Policy::clone(&policy.policy));
    let saved = match (&args.since, &chosen) {
        (Some(path), Some(Chosen { key, .. })) => Some((SavedView::read(path, key)?, key)),
        _ => None,
    };
    given.heads.extend(saved.iter().map(|(saved, _)| saved.head()));
    let mut judged = JudgedFiles::of(read, chosen.as_ref().map(|chosen| &chosen.key), &given);
    if given.seat.is_some() && !judged.may_have_an_opening() {
        return Err(Failure::usage("--seat: expected an opening among the files, found none"));
    }
    for file in judged.judged() {
        if let (Some(list), Some(commit)) = (&list, file.document.as_ref().and_then(commit_of)) {
            args::of_the_list(list, &file.name, commit.deck)?;
        }
    }
    let not_joined = match &saved {
        Some((saved, key)) => saved.join(&mut judged, args.log.as_deref(), key)?,
        None => Vec::new(),
    };
    let continued = saved.map(|(saved, _)| saved.size());
    let continued = continued.filter(|_| not_joined.is_empty() && is_of_one_log(&judged));
    let sound = judged.together.is_empty() && judged.judged().all(|file| file.verdict.holds);
    let known = chosen.as_ref().and_then(|chosen| chosen.known.as_ref());
    let answer = ReceiptsAnswer::with(&judged, known.map(KnownLog::form), continued);
    let JudgedFiles { files, together, claims } = &judged;
    out.show(&answer, |out| {
        together::print_findings(files, together, !given.heads.is_empty(), out);
        for (at, file) in files.iter().enumerate() {
            if at > 0 {
                out.line("");
            }
            verdict::print(file, &given, list.as_ref(), out);
        }
        if files.len() > 1 {
            out.line("");
            together::print(files, together, out);
        }
        together::print_claims(claims, out);
        verdict::print_continued(continued, out);
        if let Some(known) = known {
            known::print(known, out);
        }
        if let Some(policy) = &policy {
            policy.print(out);
        }
    });
    if !sound {
        out.does_not_hold();
    }
    let unread = files.iter().filter_map(|file| match file {
        JudgedFile::Unread { says, .. } => Some(Failure::unavailable(says)),
        JudgedFile::Judged(_) => None,
    });
    let not_compared = judged.is_of_another_round().then(|| Failure::unavailable(ANOTHER_ROUND));
    let failures: Vec<Failure> = unread.chain(not_joined).chain(not_compared).collect();
    if !failures.is_empty() {
        // The verdicts come first, then why there are not more of them.
        out.flush()?;
        failures.iter().for_each(Failure::print);
        if sound {
            out.could_not_be_checked();
        }
    }
    Ok(())
}

pub(crate) const ANOTHER_ROUND: &str = "expected a contribution to a round of the files, found only contributions to other \
                             rounds or logs: nothing shows whether yours was mixed";

/// Whether all files are logged, and none is found to be of another tree.
fn is_of_one_log(judged: &JudgedFiles) -> bool {
    let logged = |file: &JudgedFile| file.judged().is_some_and(|file| file.shows(Shown::Logged));
    let alone = judged.judged().flat_map(|file| &file.verdict.findings);
    let mut findings = alone.chain(&judged.together);
    judged.files.iter().all(logged) && findings.all(|found| found.code != Code::Inconsistent)
}

/// Exit 3, with why each of the files can't be read.
fn none_read(read: Vec<ReadFile>) -> Failure {
    let mut failures = read.into_iter().filter_map(|file| match file.content {
        Content::Unread(says) => Some(says),
        _ => None,
    });
    let first = Failure::unavailable(failures.next().expect("a command line has a file"));
    let others: Vec<String> = failures.collect();
    if others.is_empty() { first } else { first.hint(others.join("\n")) }
}

/// The known key of the log that all files name; `None` where no file needs a key, because none is
/// a receipt.
fn look_up(read: &[ReadFile]) -> Result<Option<Chosen>, Failure> {
    let mut named: Option<(&str, Named)> = None;
    for ReadFile { name, content, .. } in read {
        let Content::Document(document) = content else { continue };
        let Some(this) = Named::in_checkpoint(&document.receipt().checkpoint) else {
            return Err(usage!("{name}: its checkpoint names no log: give --key"));
        };
        match &named {
            Some((first, other)) if other.origin != this.origin => {
                return Err(usage!(
                    "{first} names the log {}, {name} {}",
                    other.signed,
                    this.signed
                )
                .hint("One command checks files of one log. Give --key to say which."));
            }
            Some(_) => {}
            None => named = Some((name, this)),
        }
    }
    named.map(|(name, this)| known::key_of(None, name, || Ok(this))).transpose()
}

/// Reads a file.
/// Exit 2 for an empty name.
fn add_file(read: &mut Reading, path: &Path, given: &mut ReaderGiven) -> Result<(), Failure> {
    let name = files::name(path);
    match files::read(path) {
        Ok(bytes) => {
            read.add(&name, &bytes, false, given);
            let is_invalid =
                |file: &ReadFile| file.name == name && matches!(file.content, Content::Invalid(_));
            if read.files.last().is_some_and(is_invalid) && Given::parse_kept(&bytes).is_ok() {
                logs::warn(&format!(
                    "{name}: this is a contribution, and no receipt. Give it with --mine, and the receipt of its round as FILE"
                ));
            }
        }
        Err(failure) if failure.exit() == Exit::Unavailable => {
            read.unread(&name, failure.into_says());
        }
        Err(failure) => return Err(failure),
    }
    Ok(())
}

/// Explains a verdict's token. Empty for an unknown one.
pub(super) fn explain(token: &str, shown: bool) -> &'static str {
    verdict::explain(token, shown)
}
