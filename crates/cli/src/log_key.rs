//! `fairdeal log-key`: prints the log's verifier key.

use std::path::Path;

use serde::Serialize;
use zeroize::Zeroizing;

use super::exit::Failure;
use super::files;
use super::operator::{LedgerDir, OutputArgs};
use super::out::{Out, shown};
use fairdeal::log::SignerKey;

/// Print the log's verifier key, which every verifier needs
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    dir: LedgerDir,

    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal log-key -o log.key           publish this file, for `--key log.key`
  fairdeal log-key --ledger /srv/cards";

#[derive(Serialize)]
struct Answer<'a> {
    key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a Path>,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    args.output.check()?;
    // Derived from the signing key: a second copy could differ.
    let key = signer(&args.dir.ledger)?.verifier().to_text();
    let answer = Answer { key: key.clone(), file: args.output.file() };
    match args.output.save_line(&key)? {
        Some(path) => out.show(&answer, |out| out.field("saved", shown(path))),
        None => out.show(&answer, |out| out.line(&key)),
    }
    Ok(())
}

/// The signing key of a ledger.
pub(super) fn signer(ledger: &Path) -> Result<SignerKey, Failure> {
    let path = ledger.join("private").join("signing.key");
    let text = Zeroizing::new(files::read_text(&path)?);
    SignerKey::parse(text.trim_end()).map_err(|error| unavailable!("{}: {error}", path.display()))
}
