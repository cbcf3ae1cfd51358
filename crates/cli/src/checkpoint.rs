//! `fairdeal checkpoint`: saves a verified view of a log, consistent with the last one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::exit::Failure;
use super::known::{self, Chosen, KnownLog};
use super::logs::{Log, LogArgs};
use super::note::part_of_this_log;
use super::out::{GOOD, Out, plain, shown};
use super::{files, note, view};
use fairdeal::log::{SignedCheckpoint, VerifierKey};

/// Save a verified view of a log, which continues the last one
///
/// With saved views you notice when the log is rewritten, or when others are shown another log.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    log: LogArgs,

    /// The log's verifier key, or a file with it [default: the known key of the log's origin, see
    /// fairdeal trust]
    #[arg(long, value_name = "VKEY")]
    key: Option<String>,

    /// An older view: the log must continue it
    #[arg(long, value_name = "NOTE")]
    since: Option<PathBuf>,

    /// Save the checkpoint in this file. If it has an older view, the log must continue that one
    /// too
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// For a log behind a URL: keep its full tiles in this folder, and read them from there next
    /// time
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal checkpoint https://cards.example/log --key log.key -o saved.note
  fairdeal checkpoint fairdeal-ledger --key log.key --since another.note

An existing -o file is only replaced by a view that continues it. A view that contradicts it is saved beside it, in \
saved.note.contradicts: two views signed by one key that contradict each other are evidence against the log. Exit 1: the \
log does not continue a saved view. Exit 2: the existing file is no view of this log under this key.";

#[derive(Serialize)]
struct Answer<'a> {
    holds: bool,
    origin: &'a str,
    size: u64,
    root: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<u64>,
    checkpoint: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a Path>,
}

/// A saved view, which the log must continue.
struct Saved {
    name: String,
    note: SignedCheckpoint,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let name = args.log.name()?;
    let Chosen { key, known } = known::key_of_log(args.key.as_deref(), &name)?;
    let output = args.output.as_deref().filter(|path| !files::is_stdout(path));
    let log = Log::new(&name, args.cache.as_deref(), Some(&key))?;
    let since = args.since.as_deref().map(|path| {
        note::read_saved("--since", path, &key).map(|note| Saved { name: files::name(path), note })
    });
    let since = since.transpose()?;
    let there = output.map(|path| there(path, &key)).transpose()?.flatten();
    // The log's checkpoint, if it contradicts the view to be replaced.
    let mut other = None;
    let seen = view::look(&log, &key, |view| {
        other = None;
        if let Some(saved) = &since {
            view.continues(saved.note.unverified(), &saved.name)?;
        }
        let text = view.note().to_text();
        if let Some(saved) = &there {
            view.continues(saved.note.unverified(), &saved.name).inspect_err(|fault| {
                other = fault.is_contradiction().then(|| text.clone());
            })?;
        }
        Ok((text, view.checkpoint().clone()))
    });
    let (note, checkpoint) = match (seen, output, &other) {
        (Err(failure), Some(path), Some(other)) => {
            let beside = files::save_beside(path, other)?;
            let (path, beside) = (path.display(), beside.display());
            let hint =
                format!("{path} is unchanged. The log's view of now is in {beside}. Keep both.");
            return Err(failure.hint(hint));
        }
        (seen, _, _) => seen?,
    };
    log.warn();
    // Only after all checks: a sound view is never replaced by one that does not continue it.
    if let Some(path) = output {
        files::save(path, &note)?;
    }
    let continued = since.iter().chain(&there).map(|saved| saved.note.unverified().size());
    let answer = Answer {
        holds: true,
        origin: checkpoint.origin(),
        size: checkpoint.size(),
        root: checkpoint.root().to_hex(),
        since: since.as_ref().map(|saved| saved.note.unverified().size()),
        checkpoint: note,
        file: output,
    };
    let continued: BTreeSet<u64> = continued.collect();
    out.show(&answer, |out| print(args, &answer, known.as_ref(), &continued, out));
    Ok(())
}

/// The view to be replaced, if there is one.
fn there(path: &Path, key: &VerifierKey) -> Result<Option<Saved>, Failure> {
    if !path.try_exists().map_err(|error| files::unwritable(path, &error))? {
        return Ok(None);
    }
    let name = path.display().to_string();
    let other = |says: String| {
        let expected = "expected no file, or an older view of this log under this key";
        usage!("-o {name}: {expected}; the file is unchanged: {says}")
    };
    let text = files::read_text(path).map_err(|failure| other(failure.into_says()))?;
    let note = SignedCheckpoint::parse(&text).map_err(|error| other(error.to_string()))?;
    note::verified(&note, key).map_err(other)?;
    Ok(Some(Saved { name, note }))
}

fn print(
    args: &Args,
    answer: &Answer<'_>,
    known: Option<&KnownLog>,
    continued: &BTreeSet<u64>,
    out: &mut Out,
) {
    if args.output.as_deref() == Some(Path::new("-")) {
        out.text(&answer.checkpoint);
        return;
    }
    out.field("origin", plain(answer.origin));
    out.field("size", answer.size);
    out.field("root", &answer.root);
    match known {
        None => field!(out, "signed", "{GOOD}by the key given{GOOD:#}"),
        Some(log) => {
            let (name, since) = (plain(&known::name_of(&log.key)), log.since());
            field!(out, "signed", "{GOOD}by {name}{GOOD:#}, {since}");
        }
    }
    for size in continued {
        field!(out, "continues", "{GOOD}{}{GOOD:#}", part_of_this_log(*size));
    }
    if let Some(path) = &args.output {
        out.field("saved", shown(path));
    }
}
