//! `fairdeal checkpoint`: a player's saved view of a log, verified and consistent with the one before.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::exit::Failure;
use super::logs::Log;
use super::note::part_of_this_log;
use super::out::{GOOD, Out, plain, shown};
use super::{args, files, note, view};
use crate::log::{SignedCheckpoint, VerifierKey};

/// Save a view of a log: its checkpoint, verified, and consistent with the last one saved
///
/// Whoever keeps such a view notices when the log is rewritten, or shown to others in another form.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The log: a ledger's folder or its public part, or a URL
    #[arg(value_name = "DIR-or-URL")]
    log: String,

    /// The log's verifier key, or a file with it
    #[arg(long, value_name = "VKEY")]
    key: String,

    /// The view saved before: the log must continue it
    #[arg(long, value_name = "NOTE")]
    since: Option<PathBuf>,

    /// Save the checkpoint here; a view that is there must be continued too, and is else left as it is
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Keep the full tiles of a log behind a URL in this folder, and read them from there next time
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal checkpoint https://cards.example/log --key log.key -o saved.note
  fairdeal checkpoint fairdeal-ledger --key log.key --since another.note

The file of -o that is there is a view saved before: it is replaced by one that continues it and by no other. A view that
contradicts it is kept beside it, in saved.note.contradicts: the two, signed by one key, are evidence against it. Exit 1:
the log does not continue what was saved. Exit 2: what is there is no view of this log under this key.";

#[derive(Serialize)]
struct Answer<'a> {
    holds: bool,
    origin: &'a str,
    size: u64,
    root: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<u64>,
    checkpoint: String,
}

/// A view that the log must continue.
struct Saved {
    name: String,
    note: SignedCheckpoint,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let key = args::verifier_key(&args.key)?;
    let output = args.output.as_deref().filter(|path| !files::is_stdout(path));
    let log = Log::new(&args.log, args.cache.as_deref(), Some(&key))?;
    let since = args
        .since
        .as_deref()
        .map(|path| note::read_saved(path, &key, out).map(|note| Saved { name: files::name(path), note }));
    let since = since.transpose()?;
    let there = output.map(|path| there(path, &key)).transpose()?.flatten();
    // What the log shows, where it contradicts the view that is to be replaced.
    let mut other = None;
    let seen = view::look(&log, &key, out, |view| {
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
            let hint = format!("{path} is as it was; what the log shows now is in {beside}: keep both");
            return Err(failure.hint(hint));
        }
        (seen, _, _) => seen?,
    };
    log.warn();
    // Only now: a view that holds is never replaced by one that does not continue it.
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
    };
    let continued: BTreeSet<u64> = continued.collect();
    out.show(&answer, |out| print(args, &answer, &continued, out));
    Ok(())
}

/// The view that is to be replaced, where one is there.
fn there(path: &Path, key: &VerifierKey) -> Result<Option<Saved>, Failure> {
    if !path.try_exists().map_err(|error| files::unwritable(path, &error))? {
        return Ok(None);
    }
    let name = path.display().to_string();
    let other = |says: String| {
        let expected = "expected no file, or a view of this log under this key that was saved before";
        Failure::usage(format!("-o {name}: {expected}; it stays as it is: {says}"))
    };
    let text = files::read_text(path).map_err(|failure| other(failure.into_says()))?;
    let note = SignedCheckpoint::parse(&text).map_err(|error| other(error.to_string()))?;
    note::verified(&note, key).map_err(other)?;
    Ok(Some(Saved { name, note }))
}

fn print(args: &Args, answer: &Answer<'_>, continued: &BTreeSet<u64>, out: &mut Out) {
    if args.output.as_deref() == Some(Path::new("-")) {
        out.text(&answer.checkpoint);
        return;
    }
    out.field("origin", plain(answer.origin));
    out.field("size", answer.size);
    out.field("root", &answer.root);
    out.field("signed", format_args!("{GOOD}by the key given{GOOD:#}"));
    for size in continued {
        out.field("continues", format_args!("{GOOD}{}{GOOD:#}", part_of_this_log(*size)));
    }
    if let Some(path) = &args.output {
        out.field("saved", shown(path));
    }
}
