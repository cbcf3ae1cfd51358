//! `fairdeal open`: opens cards of a sealed deal.

use std::path::Path;

use serde::Serialize;

use super::exit::Failure;
use super::operator::{self, OutputArgs, ReadArgs};
use super::out::Out;
use super::which::{self, Which};
use fairdeal::deal::{Commitment, Nonce};

/// Open cards of a sealed deal, each provable alone
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,

    /// The round, then the cards, by their places in deal order from 0
    #[arg(value_name = "NONCE T")]
    words: Vec<String>,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    ledger: ReadArgs,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal open 630dcd 0 0 1 -o alice.json       the first two cards
  fairdeal open 630dcd 0 4 | fairdeal verify - --key log.key";

#[derive(Serialize)]
struct Saved<'a> {
    commitment: Commitment,
    nonce: Nonce,
    opened: &'a [u32],
    file: Option<&'a Path>,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    args.output.check()?;
    let (named, words) =
        args.which.first(args.words.iter().map(String::as_str), &args.ledger.again())?;
    let [nonce, cards @ ..] = words.as_slice() else {
        return Err(Failure::usage("expected NONCE and a card's place T or more, found neither"));
    };
    let (nonce, cards) = (which::round(nonce)?, places(cards)?);
    let mut sorted = cards.clone();
    sorted.sort_unstable();
    if let Some([twice, _]) = sorted.array_windows().find(|[a, b]| a == b) {
        return Err(usage!("expected each card once, found {twice} twice"));
    }
    let (commitment, opening) = operator::read(&args.ledger, async |ledger| {
        let commitment = ledger.find(&named).await?;
        Ok((commitment, ledger.opening(commitment, nonce, &cards).await?))
    })?;
    let saved = Saved { commitment, nonce, opened: &cards, file: args.output.file() };
    args.output.hand_over(&opening.to_text(), &saved, out)
}

/// Cards' places. At least one.
fn places(words: &[&str]) -> Result<Vec<u32>, Failure> {
    if words.is_empty() {
        return Err(Failure::usage("expected a card's place T or more, found none"));
    }
    let place = |word: &&str| {
        word.parse().map_err(|_| usage!("expected a card's place, counted from 0, found {word:?}"))
    };
    words.iter().map(place).collect()
}
