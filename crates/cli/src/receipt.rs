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

    /// In place of C: make a C2SP tlog-proof of the entry of this index, for verifiers of any
    /// transparency log
    #[arg(
        long,
        value_name = "ENTRY",
        group = "Which",
        conflicts_with_all = ["commitment", "table", "nonce"]
    )]
    tlog_proof: Option<u64>,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    ledger: ReadArgs,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal receipt 630dcd 0 -o receipt.json
  fairdeal receipt --table main 12 -o receipt.json
  fairdeal receipt 630dcd 0 | fairdeal verify - --key log.key
  fairdeal receipt --tlog-proof 7 -o entry-7.tlog-proof";

#[derive(Serialize)]
struct Saved<'a> {
    commitment: Commitment,
    #[serde(skip_serializing_if = "Option::is_none")]
    nonce: Option<Nonce>,
    entries: Vec<u64>,
    file: Option<&'a Path>,
}

#[derive(Serialize)]
struct SavedProof<'a> {
    index: u64,
    file: Option<&'a Path>,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    args.output.check()?;
    if let Some(index) = args.tlog_proof {
        let proof = operator::read(&args.ledger, async |ledger| ledger.tlog_proof(index).await)?;
        let saved = SavedProof { index, file: args.output.file() };
        return args.output.hand_over(files::save_new, &proof.to_text(), &saved, out);
    }
    let (named, nonce) = args.which.with_round(args.nonce.as_deref(), &args.ledger.again())?;
    let (commitment, receipt) = operator::read(&args.ledger, async |ledger| {
        let commitment = ledger.find(&named).await?;
        Ok((commitment, ledger.receipt(commitment, nonce).await?))
    })?;
    let entries = receipt.entries.iter().map(|one| one.index.value()).collect();
    let saved = Saved { commitment, nonce, entries, file: args.output.file() };
    args.output.hand_over(files::save_new, &receipt.to_text(), &saved, out)
}
