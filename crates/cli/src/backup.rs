//! `fairdeal backup`: saves a ledger.

use std::path::PathBuf;

use serde::Serialize;

use super::bar::Bar;
use super::exit::Failure;
use super::hints;
use super::operator::{self, Parts};
use super::out::{FAINT, Out, shown};
use fairdeal_ledger::{BackupParts, Ledger};

/// Save a ledger in a folder, also while a service runs on it
///
/// The saved ledger is verified. The keys are not in it: whoever has them and the state can see
/// every hidden card. Save them once, elsewhere. docs/operators.md says what to save, how often,
/// and what to do after a loss.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A new or empty folder
    to: PathBuf,

    #[command(flatten)]
    dir: Parts,

    /// With the keys: this backup alone is enough to open every seed, and to sign
    #[arg(long)]
    with_keys: bool,

    /// Without the entries that were published long ago: any mirror of the log has them
    #[arg(long)]
    state_only: bool,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal backup /mnt/backup/cards-2026-11-22
  fairdeal backup hourly --state-only --ledger /srv/cards";

#[derive(Serialize)]
struct Answer {
    size: u64,
    commitments: u64,
    files: u64,
    keys: Vec<&'static str>,
    vault: String,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let bar = Bar::new("verify");
    let waiting = args.dir.vault().waiting(&args.dir.location().dir, None);
    let mut progress = waiting.until(|done, size| bar.at(done, size));
    let (at, options) = (args.dir.location(), args.dir.vault().options());
    let parts = BackupParts { keys: args.with_keys, entries: !args.state_only };
    let saved = operator::block_on(Ledger::backup(at, options, &args.to, parts, &mut progress))?;
    drop(progress);
    bar.finish();
    let saved = saved.map_err(|error| hints::failure_at(&error, &args.dir.again(), &[&args.to]))?;
    let answer = Answer {
        size: saved.entries,
        commitments: saved.commitments,
        files: saved.files,
        keys: saved.keys,
        vault: saved.vault,
    };
    out.show(&answer, |out| print(&answer, args, out));
    Ok(())
}

fn print(answer: &Answer, args: &Args, out: &mut Out) {
    out.field("saved", shown(&args.to));
    let which = if args.state_only { ", of which the oldest are in a mirror alone" } else { "" };
    field!(out, "entries", "{}{which}", answer.size);
    field!(out, "seeds", "{}, under the vault key {}", answer.commitments, answer.vault);
    if answer.keys.is_empty() {
        say!(out, "{FAINT}The keys are not in it: keep them elsewhere.{FAINT:#}");
    } else {
        out.field("keys", answer.keys.join(", "));
        say!(out, "{FAINT}Whoever has this backup can see every hidden card, and sign.{FAINT:#}");
    }
}
