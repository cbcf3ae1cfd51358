//! `fairdeal reveal`: makes a server seed public.

use std::io::{self, IsTerminal as _, Write as _};

use super::args;
use super::exit::Failure;
use super::operator::{self, LedgerArgs, NextArgs, RetryArgs};
use super::out::{Out, count, plain};
use super::which::{self, Which};
use fairdeal::deal::Nonce;
use fairdeal_ledger::{Named, NewReveal};

/// Publish a server seed, so that anybody can replay its rounds
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,

    /// Reveal only if this is the next round. Refuses if an unexpected round was dealt
    #[arg(long, value_name = "N", value_parser = args::nonce)]
    nonce: Option<Nonce>,

    /// Reveal a sealed table although rounds of it are left, or a hand that the service dealt is in
    /// play
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
    if !args.force {
        may_end(args, &named, out)?;
    }
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

/// Asks before a sealed table ends: a hand may be in play. Without a terminal it is refused if rounds
/// are left.
fn may_end(args: &Args, named: &Named, out: &Out) -> Result<(), Failure> {
    let summary = operator::read(args.ledger.read(), async |ledger| {
        ledger.show(ledger.find(named).await?).await
    })?;
    let (terms, next) = (&summary.terms, summary.next);
    if !terms.sealed || summary.ended.is_some() {
        return Ok(());
    }
    let table = plain(terms.table.as_str());
    let unused = ended_early(next, terms.rounds.value());
    let is_early = unused.is_some();
    let unused = unused.unwrap_or_else(|| "all rounds are played".to_owned());
    let says = format!("table {table}: {unused}; a reveal ends it and makes every card public");
    // A hand may be in play: of hands that a terminal dealt, nobody else knows.
    if !out.json() && io::stdin().is_terminal() && io::stderr().is_terminal() {
        // Without the question, the answer is no.
        let _ = write!(io::stderr(), "{says}. Reveal? [y/N] ");
        let mut answer = String::new();
        let read = io::stdin().read_line(&mut answer);
        if read.is_ok() && matches!(answer.trim(), "y" | "Y" | "yes") {
            return Ok(());
        }
        return Err(Failure::usage("nothing is revealed").code("rounds-left"));
    }
    if !is_early {
        return Ok(());
    }
    Err(Failure::usage(says).code("rounds-left").hint("--force reveals it all the same."))
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
