//! `fairdeal restore`: makes a ledger of a backup.

use std::path::PathBuf;

use serde::Serialize;

use super::bar::Bar;
use super::exit::Failure;
use super::out::{FAINT, Out, count, shown};
use super::vault::VaultArgs;
use super::{fsck, operator, republish};
use fairdeal_ledger::{Ledger, LedgerError, Restore};

/// Make a ledger from a backup, if nothing newer was published
///
/// A state from a backup may be older than what was published: dealing on would fork the log. So
/// the backup must continue the newest checkpoint that anybody has. If it does not, nothing is
/// made, and no way leads on under this key: docs/operators.md.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The folder that `fairdeal backup` made
    backup: PathBuf,

    /// A new or empty folder
    dir: PathBuf,

    /// The newest checkpoint that the world has seen: a file, or the URL of a mirror of the log
    #[arg(long, value_name = "NOTE-or-URL", required_unless_present = "drill")]
    against: Option<String>,

    /// An exercise: restore against the backup's own checkpoint, compare everything as `fairdeal
    /// fsck` does, and remove it again, so that it never signs
    #[arg(long, conflicts_with = "against")]
    drill: bool,

    /// A folder with signing.key and vault.key, if they are not in the backup
    #[arg(long, value_name = "DIR")]
    keys: Option<PathBuf>,

    /// A folder with the published files, if the backup is of the state alone: a mirror of the log
    #[arg(long, value_name = "DIR")]
    public: Option<PathBuf>,

    #[command(flatten)]
    vault: VaultArgs,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal restore /mnt/backup/cards-2026-11-22 /srv/cards --keys /mnt/keys \\
      --against https://mirror.example/cards
  fairdeal restore hourly /srv/cards --keys /mnt/keys --public /mnt/mirror \\
      --against saved.note
  fairdeal restore /mnt/backup/cards-2026-11-22 scratch --keys /mnt/keys --drill";

#[derive(Serialize)]
struct Answer {
    size: u64,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let Args { backup, keys, public, .. } = args;
    let from = Restore { backup: backup.clone(), keys: keys.clone(), public: public.clone() };
    let Some(against) = &args.against else { return drill(&from, args, out) };
    let note = republish::seen(against)?;
    let made = operator::block_on(Ledger::restore(&from, &args.dir, args.vault.options(), &note))?;
    let answer = Answer { size: made.map_err(|error| failure(error, args))? };
    out.show(&answer, |out| {
        out.field("restored", shown(&args.dir));
        out.field("published", count(answer.size, "entry", "entries"));
        more!(out, "{FAINT}{}{FAINT:#}", republish::ONE_LEDGER);
    });
    Ok(())
}

/// The exercise.
fn drill(from: &Restore, args: &Args, out: &mut Out) -> Result<(), Failure> {
    let bar = Bar::new("check");
    let mut progress = |done, size| bar.at(done, size);
    let drilled = Ledger::drill(from, &args.dir, args.vault.options(), &mut progress);
    let checked = operator::block_on(drilled)?.map_err(|error| failure(error, args))?;
    bar.finish();
    let dir = args.dir.as_path();
    fsck::told(checked, &dir.into(), &dir.into(), false, out)
}

/// An error about the backup says so, and what else to give.
fn failure(error: LedgerError, args: &Args) -> Failure {
    let is_without_keys = matches!(error, LedgerError::NoSigningKey { .. });
    let against = args.against.as_deref().unwrap_or_default();
    let failure = republish::failure(error, against, &args.dir.as_path().into(), &[&args.backup]);
    if is_without_keys {
        return failure.hint(
            "--keys DIR names a folder with signing.key and vault.key: this backup was made without them.",
        );
    }
    failure
}
