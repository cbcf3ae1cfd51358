//! `fairdeal receipt`: makes a receipt.

use std::path::PathBuf;

use serde::Serialize;

use super::args;
use super::exit::Failure;
use super::operator::{self, ReadArgs};
use super::out::Out;
use crate::deal::{Commitment, Nonce};

/// Make a receipt: one JSON file, verifiable offline with only the log's key
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The commitment
    #[arg(value_name = "C", value_parser = args::commitment)]
    commitment: Commitment,

    /// The round. Without it, the receipt has only the commitment and its reveal
    #[arg(value_name = "NONCE", value_parser = args::nonce)]
    nonce: Option<Nonce>,

    /// Save the receipt here [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    ledger: ReadArgs,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal receipt 630dcd…10dd 0 -o receipt.json
  fairdeal receipt 630dcd…10dd 0 | fairdeal verify - --key log.key";

#[derive(Serialize)]
struct Saved<'a> {
    commitment: Commitment,
    #[serde(skip_serializing_if = "Option::is_none")]
    nonce: Option<Nonce>,
    entries: Vec<u64>,
    file: Option<&'a PathBuf>,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let Args { commitment, nonce, .. } = *args;
    let receipt = operator::read(&args.ledger, out, async |ledger| ledger.receipt(commitment, nonce).await)?;
    let entries = receipt.entries.iter().map(|one| one.index.value()).collect();
    let saved = Saved { commitment, nonce, entries, file: args.output.as_ref() };
    operator::hand_over(args.output.as_deref(), &receipt.to_text(), &saved, out)
}
