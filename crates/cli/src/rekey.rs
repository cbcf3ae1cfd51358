//! `fairdeal rekey`: another vault key.

use serde::Serialize;

use super::bar::Bar;
use super::exit::Failure;
use super::hints;
use super::operator::{self, LedgerPath};
use super::out::{FAINT, Out};
use super::vault;
use fairdeal_ledger::{Ledger, VaultKeyCommand};

/// Change the vault key: encrypt every server seed again
///
/// Erases the old key. Stop the service first: one that runs on refuses its next command. If this
/// is interrupted, the ledger opens as before, and the same command goes on. The signing key stays:
/// it is the log's identity.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    dir: LedgerPath,

    /// A command for `sh -c` that prints the new key, if it shall not be in private/vault.key
    #[arg(long, value_name = "CMD", value_parser = vault::command)]
    new_vault_key_command: Option<VaultKeyCommand>,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal rekey
  fairdeal rekey /srv/cards --new-vault-key-command 'pass show cards/vault'
      moves the key out of the folder; from now on with --vault-key-command";

#[derive(Serialize)]
struct Answer {
    vault: String,
    seeds: u64,
    resumed: bool,
    scrubbed: bool,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let bar = Bar::new("seal");
    let waiting = args.dir.vault.waiting(&args.dir.dir(), None);
    let mut progress = waiting.until(|done, all| bar.at(done, all));
    let new = args.new_vault_key_command.as_ref();
    let at = args.dir.location();
    let changed =
        operator::block_on(Ledger::rekey(at, args.dir.vault.options(), new, &mut progress))?;
    drop(progress);
    bar.finish();
    let changed = changed.map_err(|error| hints::failure(error, &args.dir.again()))?;
    let answer = Answer {
        vault: changed.vault,
        seeds: changed.seeds,
        resumed: changed.resumed,
        scrubbed: changed.scrubbed,
    };
    out.show(&answer, |out| print(&answer, out));
    Ok(())
}

fn print(answer: &Answer, out: &mut Out) {
    out.field("vault key", &answer.vault);
    if answer.resumed {
        out.field("seeds", "were sealed under it before; the change is finished now");
    } else {
        field!(out, "seeds", "{} sealed under it", answer.seeds);
    }
    if !answer.scrubbed {
        say!(
            out,
            "{FAINT}The database may still have the seeds as they were sealed under the old key: somebody was reading.{FAINT:#}"
        );
    }
    say!(
        out,
        "Make a new backup now: old backups open under the old key alone (docs/operators.md)."
    );
}
