//! `fairdeal republish`: writes the published files again if the checkpoint is gone.

use std::path::Path;

use serde::Serialize;

use super::again::Again;
use super::exit::Failure;
use super::logs::Log;
use super::operator::{self, LedgerPath};
use super::out::{FAINT, Out, count};
use super::{files, hints};
use fairdeal_ledger::{Ledger, LedgerError};

/// The most bytes of a checkpoint that are read.
const LONGEST: u64 = 1 << 20;

/// Publish a log again whose checkpoint is gone, or that was moved
///
/// A state from a backup may be older than what was published: dealing on would fork the log. So
/// the state must continue the newest checkpoint that anybody has: a mirror's, a player's, an
/// auditor's.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    dir: LedgerPath,

    /// The newest checkpoint that the world has seen: a file, or the URL of a mirror of the log
    #[arg(long, value_name = "NOTE-or-URL")]
    against: String,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal republish --against saved.note
  fairdeal republish /srv/cards --against https://mirror.example/cards";

#[derive(Serialize)]
struct Answer {
    size: u64,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    from_outside(&args.against, &args.dir.dir())?;
    let note = seen(&args.against)?;
    let options = args.dir.vault.options();
    let published = operator::block_on(Ledger::republish(args.dir.location(), options, &note))?;
    let failure = |error| failure(error, &args.against, &args.dir.again(), &[]);
    let answer = Answer { size: published.map_err(failure)? };
    out.show(&answer, |out| {
        out.field("published", count(answer.size, "entry", "entries"));
        more!(out, "{FAINT}{ONE_LEDGER}{FAINT:#}");
    });
    Ok(())
}

/// A warning for an operator with a second copy of a ledger.
pub(super) const ONE_LEDGER: &str = "From now on this folder is the ledger. If another copy of it can still run, end it: two that deal are a fork.";

/// Refuses a checkpoint of the folder itself: it says nothing of what the world has seen.
fn from_outside(against: &str, dir: &Path) -> Result<(), Failure> {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    match (real(Path::new(against)), real(dir)) {
        (Some(note), Some(dir)) if note.starts_with(&dir) => Err(usage!(
            "--against {against}: expected a checkpoint that the world has seen, found one of this folder itself"
        )),
        _ => Ok(()),
    }
}

/// An error about the note is about what `--against` names.
pub(super) fn failure(
    error: LedgerError,
    against: &str,
    again: &Again,
    places: &[&Path],
) -> Failure {
    match error {
        LedgerError::ForeignNote { .. } => {
            unavailable!("--against {against}: {error}").code(error.code())
        }
        error => hints::failure_at(&error, again, places),
    }
}

/// Reads the newest checkpoint that the world has seen: a file, or a mirror: its URL, that of its
/// checkpoint, or its folder.
pub(super) fn seen(against: &str) -> Result<String, Failure> {
    let is_url = against.starts_with("http://") || against.starts_with("https://");
    if !is_url && !Path::new(against).is_dir() {
        return files::read_text(Path::new(against));
    }
    let mirror = Log::new(against, None, None)?.open()?;
    let bytes = mirror.read("checkpoint", LONGEST);
    let bytes = bytes.map_err(|error| unavailable!("{}: {error}", mirror.name()))?;
    String::from_utf8(bytes).map_err(|error| usage!("{}: {error}", mirror.name()))
}
