//! `fairdeal log-key`: prints the log's verifier key.

use std::path::{Path, PathBuf};

use serde::Serialize;
use zeroize::Zeroizing;

use super::exit::Failure;
use super::files;
use super::operator::LedgerDir;
use super::out::{Out, shown};
use crate::log::SignerKey;

/// Print the log's verifier key, which every verifier needs
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    dir: LedgerDir,

    /// Save the key here [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal log-key -o log.key           publish this file, for `--key log.key`
  fairdeal log-key --ledger /srv/cards";

#[derive(Serialize)]
struct Answer {
    key: String,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    // Derived from the signing key: a second copy could differ.
    let key = signer(&args.dir.ledger)?.verifier().to_text();
    let answer = Answer { key: key.clone() };
    match args.output.as_deref().filter(|path| *path != Path::new("-")) {
        Some(path) => {
            files::save(path, &format!("{key}\n"))?;
            out.show(&answer, |out| out.field("saved", shown(path)));
        }
        None => out.show(&answer, |out| out.line(&key)),
    }
    Ok(())
}

/// The signing key of a ledger.
pub(super) fn signer(ledger: &Path) -> Result<SignerKey, Failure> {
    let path = ledger.join("private").join("signing.key");
    let text = Zeroizing::new(files::read_text(&path)?);
    SignerKey::parse(text.trim_end())
        .map_err(|error| Failure::unavailable(format!("{}: {error}", path.display())))
}
