//! `fairdeal init`: makes a new ledger.

use std::path::Path;

use serde::Serialize;

use super::exit::Failure;
use super::hints;
use super::operator::{self, LedgerPath};
use super::out::{FAINT, Out, pasted, shown};
use fairdeal::record::entry::Origin;
use fairdeal_ledger::Ledger;

/// Make a new ledger: a folder with new keys and an empty log
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    dir: LedgerPath,

    /// The log's name, in its key and every checkpoint: a host and a path of yours, without
    /// "https://"
    #[arg(long, value_name = "NAME", value_parser = |text: &str| Origin::new(text))]
    origin: Origin,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal init fairdeal-ledger --origin cards.example/log
  fairdeal init /srv/cards --origin cards.example/2026 \\
      && export FAIRDEAL_LEDGER=/srv/cards
  fairdeal init --origin cards.example/log \\
      --vault-key-command 'pass show cards/vault' cards";

/// The command that prints the log's key.
const KEY: &str = "log-key";

/// The next commands: name, options, and what for.
const NEXT: [(&str, &str, &str); 3] = [
    (KEY, "-o", "the key, for every verifier"),
    ("commit", "--table main --sealed", "a table of cards: docs/operators.md"),
    ("raffle new LIST", "--winners 1 --in 1h -o raffle", "a raffle: docs/raffle.md"),
];

#[derive(Serialize)]
struct Answer<'a> {
    origin: &'a str,
    key: String,
}

/// A file for the log's key. If that file has another ledger's key, the name has this ledger's.
fn key_file(dir: &Path) -> String {
    let usual = Path::new("log.key");
    match dir.file_name().filter(|_| usual.exists()) {
        Some(name) => pasted(&Path::new(name).with_added_extension("key")),
        None => pasted(usual),
    }
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let (at, again) = (args.dir.location(), args.dir.again());
    let (dir, key_file) = (shown(&at.dir), key_file(&at.dir));
    let public = at.tiles.clone().unwrap_or_else(|| format!("{dir}/public"));
    let made = operator::block_on(Ledger::init_with(at, &args.origin, &args.dir.vault.options()))?;
    let key = made.map_err(|error| hints::failure(error, &again))?;
    let answer = Answer { origin: args.origin.as_str(), key: key.to_text() };
    out.did(format!("the ledger is made. fairdeal {KEY}{} prints its key", again.folder()));
    out.show(&answer, |out| {
        out.field("origin", answer.origin);
        out.field("key", &answer.key);
        say!(out, "{FAINT}Publish the key, and serve {public} to everyone. Keep {dir}/private secret.{FAINT:#}");
        out.line("Next:");
        for (command, options, says) in NEXT {
            // The key is in the folder, wherever the other parts are.
            let line = if command == KEY {
                format!("fairdeal {command}{} {options} {}", again.folder(), key_file)
            } else {
                format!("fairdeal {command}{again} {options}")
            };
            say!(out, "  {line}\n      {FAINT}{says}{FAINT:#}");
        }
    });
    Ok(())
}
