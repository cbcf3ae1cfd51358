//! `fairdeal receipt`: makes a receipt.

use std::path::Path;

use serde::Serialize;

use super::exit::Failure;
use super::files;
use super::operator::{self, OutputArgs, ReadArgs};
use super::out::Out;
use super::which::Which;
use fairdeal::deal::{Commitment, Nonce};

/// Make a receipt: a file that anybody can verify offline
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,

    /// The round. Without it, the receipt has only the commitment and its reveal
    #[arg(value_name = "NONCE")]
    nonce: Option<String>,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    ledger: ReadArgs,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal receipt 630dcd 0 -o receipt.json
  fairdeal receipt --table main 12 -o receipt.json
  fairdeal receipt 630dcd 0 | fairdeal verify - --key log.key";

#[derive(Serialize)]
struct Saved<'a> {
    commitment: Commitment,
    #[serde(skip_serializing_if = "Option::is_none")]
    nonce: Option<Nonce>,
    entries: Vec<u64>,
    file: Option<&'a Path>,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    args.output.check()?;
    let (named, nonce) = args.which.with_round(args.nonce.as_deref(), &args.ledger.again())?;
    let (commitment, receipt) = operator::read(&args.ledger, async |ledger| {
        let commitment = ledger.find(&named).await?;
        Ok((commitment, ledger.receipt(commitment, nonce).await?))
    })?;
    let entries = receipt.entries.iter().map(|one| one.index.value()).collect();
    let saved = Saved { commitment, nonce, entries, file: args.output.file() };
    args.output.hand_over(files::save_new, &receipt.to_text(), &saved, out)
}
