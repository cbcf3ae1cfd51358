//! `fairdeal checkpoint`: a player's saved view of a log, verified and consistent with the one before.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::exit::Failure;
use super::logs::Log;
use super::out::{GOOD, Out, plain};
use super::{args, files, note, view};

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

    /// Save the checkpoint here; where the log does not continue --since, nothing is written
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Keep the full tiles of a log behind a URL in this folder, and read them from there next time
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal checkpoint https://cards.example/log --key log.key -o saved.note
  fairdeal checkpoint fairdeal-ledger --key log.key --since saved.note -o saved.note";

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

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let key = args::verifier_key(&args.key)?;
    let log = Log::new(&args.log, args.cache.as_deref(), Some(&key))?;
    let saved = match &args.since {
        Some(path) => Some((files::name(path), note::read_saved(path, &key, out)?)),
        None => None,
    };
    let (note, checkpoint) = view::look(&log, &key, out, |view| {
        if let Some((name, saved)) = &saved {
            view.continues(saved.unverified(), name)?;
        }
        Ok((view.note().to_text(), view.checkpoint().clone()))
    })?;
    log.warn();
    let since = saved.map(|(_, saved)| saved.unverified().size());
    // Only now: a view that holds is never replaced by one that does not continue it.
    if let Some(path) = args.output.as_deref().filter(|path| *path != Path::new("-")) {
        files::save(path, &note)?;
    }
    let answer = Answer {
        holds: true,
        origin: checkpoint.origin(),
        size: checkpoint.size(),
        root: checkpoint.root().to_hex(),
        since,
        checkpoint: note,
    };
    out.show(&answer, |out| print(args, &answer, out));
    Ok(())
}

fn print(args: &Args, answer: &Answer<'_>, out: &mut Out) {
    if args.output.as_deref() == Some(Path::new("-")) {
        out.text(&answer.checkpoint);
        return;
    }
    out.field("origin", plain(answer.origin));
    out.field("size", answer.size);
    out.field("root", &answer.root);
    out.field("signed", format_args!("{GOOD}by the key given{GOOD:#}"));
    if let (Some(size), Some(path)) = (answer.since, &args.since) {
        let name = files::name(path);
        out.field("continues", format_args!("{GOOD}{name}{GOOD:#}, a view of size {size}"));
    }
    if let Some(path) = &args.output {
        out.field("saved", path.display());
    }
}
