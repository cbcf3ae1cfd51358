//! `fairdeal reveal`: makes a server seed public.

use super::args;
use super::exit::Failure;
use super::operator::{self, LedgerArgs, NextArgs, RetryArgs};
use super::out::Out;
use super::which::{self, Which};
use crate::deal::Nonce;
use crate::ledger::NewReveal;

/// Make a commitment's server seed public, so that everybody can replay its rounds
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,

    /// Reveal only if this is the next round. Refuses if an unexpected round was dealt
    #[arg(long, value_name = "N", value_parser = args::nonce)]
    nonce: Option<Nonce>,

    /// Reveal even while a hand that the service dealt is in play
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    next: NextArgs,

    #[command(flatten)]
    retry: RetryArgs,

    #[command(flatten)]
    ledger: LedgerArgs,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal reveal 630dcd
  fairdeal reveal --table main
  fairdeal reveal 630dcd --next    and publish the table's next commitment

With the seed, every card is public, folded ones too. No more rounds can be dealt under this commitment.";

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    args.which.held(&args.retry)?;
    let (named, key) = (which::to_end(args.which.one()?), args.retry.idempotency_key.clone());
    let reveal = NewReveal { nonce: args.nonce, force: args.force, next: args.next.next, ext: None };
    let done = operator::ask(&args.ledger, async |ledger| {
        ledger.reveal(ledger.find(&named).await?, reveal, key).await
    })?;
    let answer = operator::Answer::new(&done);
    out.show(&answer, |out| answer.print("revealed", out));
    Ok(())
}
