//! `fairdeal void`: voids a round, or a commitment that was never used.

use super::args;
use super::exit::Failure;
use super::operator::{self, LedgerArgs, NextArgs, RetryArgs};
use super::out::Out;
use super::which::{self, Which};
use fairdeal::deal::{Label, Nonce};
use fairdeal::record::entry::Reason;
use fairdeal_ledger::NewVoid;

/// Void a round, or a whole commitment that was never used
///
/// The log keeps the reason. Audits count voids, by table and by who is blamed.
#[derive(Debug, clap::Args)]
#[command(visible_alias = "abort", after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,

    /// The round, which must be the next. Without it, the whole commitment
    #[arg(value_name = "NONCE")]
    round: Option<String>,

    /// The same as NONCE
    #[arg(long, value_name = "N", value_parser = args::nonce, conflicts_with = "round")]
    nonce: Option<Nonce>,

    /// Why, for everyone to read
    #[arg(long, value_name = "TEXT", value_parser = |text: &str| Reason::new(text))]
    reason: Reason,

    /// The player to blame, one of those in the round's lock. It is your word, not proof
    #[arg(long, value_name = "FROM")]
    blame: Option<String>,

    #[command(flatten)]
    next: NextArgs,

    #[command(flatten)]
    retry: RetryArgs,

    #[command(flatten)]
    ledger: LedgerArgs,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal void 630dcd 3 --reason \"bob never opened his hash\" --blame bob
  fairdeal void 630dcd --reason \"table closed before the first hand\"
  fairdeal void 630dcd --reason \"other terms agreed\" --next";

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let blame = args.blame.as_deref().map(Label::new).transpose();
    let blame = blame.map_err(|error| usage!("--blame: {error}"))?;
    args.which.held(&args.retry)?;
    let (named, round) = args.which.with_round(args.round.as_deref(), &args.ledger.again())?;
    let (named, nonce) = (which::to_end(named), round.or(args.nonce));
    if blame.is_some() && nonce.is_none() {
        return Err(Failure::usage("--blame: expected a round's NONCE with it, found none"));
    }
    let void =
        NewVoid { nonce, reason: args.reason.clone(), blame, next: args.next.next, ext: None };
    let key = args.retry.idempotency_key.clone();
    let done = operator::ask(&args.ledger, async |ledger| {
        ledger.void(ledger.find(&named).await?, void, key).await
    })?;
    let answer = operator::Answer::new(&done, args.ledger.again());
    out.did(answer.done());
    out.show(&answer, |out| answer.print("voided", out));
    Ok(())
}
