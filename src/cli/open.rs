//! `fairdeal open`: opens cards of a sealed deal.

use std::path::PathBuf;

use serde::Serialize;

use super::args;
use super::exit::Failure;
use super::operator::{self, ReadArgs};
use super::out::Out;
use crate::deal::{Commitment, Nonce};

/// Open cards of a sealed deal, each provable alone, without the server seed
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The commitment
    #[arg(value_name = "C", value_parser = args::commitment)]
    commitment: Commitment,

    /// The round
    #[arg(value_name = "NONCE", value_parser = args::nonce)]
    nonce: Nonce,

    /// The cards, by their places in deal order from 0
    #[arg(value_name = "T", required = true)]
    cards: Vec<u32>,

    /// Save the opening here [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    ledger: ReadArgs,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal open 630dcd…10dd 0 0 1 -o alice.json       the first two cards
  fairdeal open 630dcd…10dd 0 4 | fairdeal verify - --key log.key";

#[derive(Serialize)]
struct Saved<'a> {
    commitment: Commitment,
    nonce: Nonce,
    opened: &'a [u32],
    file: Option<&'a PathBuf>,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let Args { commitment, nonce, cards, .. } = args;
    let mut sorted = cards.clone();
    sorted.sort_unstable();
    if let Some([twice, _]) = sorted.array_windows().find(|[a, b]| a == b) {
        return Err(Failure::usage(format!("T: expected each card once, found {twice} twice")));
    }
    let opening =
        operator::read(&args.ledger, out, async |ledger| ledger.opening(*commitment, *nonce, cards).await)?;
    let saved = Saved { commitment: *commitment, nonce: *nonce, opened: cards, file: args.output.as_ref() };
    operator::hand_over(args.output.as_deref(), &opening.to_text(), &saved, out)
}
