//! `fairdeal reveal`: makes a server seed public.

use super::args;
use super::exit::Failure;
use super::operator::{self, LedgerArgs, NextArgs, RetryArgs};
use super::out::{Out, count};
use super::which::{self, Which};
use fairdeal::deal::Nonce;
use fairdeal_ledger::NewReveal;

/// Publish a server seed, so that anybody can replay its rounds
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
    let (named, key) =
        (which::to_end(args.which.one(&args.ledger.again())?), args.retry.idempotency_key.clone());
    let reveal =
        NewReveal { nonce: args.nonce, force: args.force, next: args.next.next, ext: None };
    let (done, summary) = operator::ask(&args.ledger, async |ledger| {
        let done = ledger.reveal(ledger.find(&named).await?, reveal, key).await?;
        // The seed is revealed: that is reported even if the commitment cannot be read.
        let summary = ledger.show(done.commitment).await.ok();
        Ok((done, summary))
    })?;
    let answer = operator::Answer::new(&done, args.ledger.again());
    out.did(answer.done());
    out.show(&answer, |out| {
        answer.print("revealed", out);
        if let Some(says) = summary.and_then(|one| ended_early(one.next, one.terms.rounds.value()))
        {
            out.field("ended early", says);
        }
    });
    Ok(())
}

/// Warns of a reveal before the last round: nothing can be dealt under the commitment any more.
fn ended_early(played: u64, rounds: u64) -> Option<String> {
    let unused = rounds.checked_sub(played).filter(|&unused| unused > 0)?;
    let are = if unused == 1 { "is" } else { "are" };
    Some(format!("{unused} of {} {are} unused", count(rounds, "round", "rounds")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_that_a_reveal_gives_up_are_counted() {
        assert_eq!(ended_early(1, 1000).as_deref(), Some("999 of 1000 rounds are unused"));
        assert_eq!(ended_early(999, 1000).as_deref(), Some("1 of 1000 rounds is unused"));
        assert_eq!(ended_early(1000, 1000), None);
    }
}
