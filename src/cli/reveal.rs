//! `fairdeal reveal`: the server seed, made public; every round under it can be replayed from then on.

use super::args;
use super::exit::Failure;
use super::operator::{self, LedgerArgs, NextArgs, RetryArgs};
use super::out::Out;
use crate::deal::{Commitment, Nonce};
use crate::ledger::{LedgerError, NewReveal};
use crate::record::{Code, Finding};

/// Make a commitment's server seed public: every round under it can be replayed from then on
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The commitment
    #[arg(value_name = "C", value_parser = args::commitment)]
    commitment: Commitment,

    /// Reveal only if this would be the next round: if a round was dealt that you don't know of, nothing is done
    #[arg(long, value_name = "N", value_parser = args::nonce)]
    nonce: Option<Nonce>,

    #[command(flatten)]
    next: NextArgs,

    #[command(flatten)]
    retry: RetryArgs,

    #[command(flatten)]
    ledger: LedgerArgs,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal reveal 630dcd…10dd
  fairdeal reveal 630dcd…10dd --next    and the table plays on under a new one

Once the seed is public every card is, folded ones too. No more rounds can be dealt under it.";

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let (commitment, nonce, key) = (args.commitment, args.nonce, args.retry.idempotency_key.clone());
    let done = operator::ask(&args.ledger, out, async |ledger| {
        if let Some(nonce) = nonce {
            let next = ledger.show(commitment).await?.next;
            if next != nonce.value() {
                return Err(LedgerError::Refused(vec![not_next(commitment, nonce, next)]));
            }
        }
        let reveal = NewReveal { next: args.next.next, ..NewReveal::default() };
        ledger.reveal(commitment, reveal, key).await
    })?;
    let answer = operator::Answer::new(&done);
    out.show(&answer, |out| answer.print("revealed", out));
    Ok(())
}

fn not_next(commitment: Commitment, nonce: Nonce, next: u64) -> Finding {
    Finding {
        code: Code::NonceGap,
        index: None,
        commitment: Some(commitment),
        nonce: Some(nonce),
        says: format!("the next round is {next}, found {nonce}"),
    }
}
