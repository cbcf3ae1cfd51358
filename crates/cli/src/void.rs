//! `fairdeal void`: voids a round, or a commitment that was never used.

use super::args;
use super::exit::Failure;
use super::hints::first_digits;
use super::operator::{self, LedgerArgs, NextArgs, RetryArgs};
use super::out::Out;
use super::time::day_and_time;
use super::which::{self, Which};
use super::{raffle, time};
use fairdeal::deal::{Label, Nonce};
use fairdeal::record::entry::{Int, Reason};
use fairdeal_ledger::{NewVoid, Summary, raffle_rules};

/// Void a round, or a whole commitment that was never used
///
/// The log keeps the reason. Audits count voids, by table and by who is blamed.
#[derive(Debug, clap::Args)]
#[command(visible_alias = "abort", after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,

    /// The round, which must be the next. Without it, the whole commitment: that is its round, if it
    /// has only one and this is locked
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

    /// Give a raffle up although its number is out
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
  fairdeal void 630dcd 3 --reason \"bob never opened his hash\" --blame bob
  fairdeal void 630dcd --reason \"table closed before the first hand\"
  fairdeal void 630dcd --reason \"other terms agreed\" --next
  fairdeal void 630dcd --reason \"a name was missing\"       gives a raffle up";

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let blame = args.blame.as_deref().map(Label::new).transpose();
    let blame = blame.map_err(|error| usage!("--blame: {error}"))?;
    args.which.held(&args.retry)?;
    let (named, round) = args.which.with_round(args.round.as_deref(), &args.ledger.again())?;
    let (named, nonce) = (which::to_end(named), round.or(args.nonce));
    if blame.is_some() && nonce.is_none() {
        return Err(Failure::usage("--blame: expected a round's NONCE with it, found none"));
    }
    let mut void =
        NewVoid { nonce, reason: args.reason.clone(), blame, next: args.next.next, ext: None };
    let key = args.retry.idempotency_key.clone();
    let (done, to_draw, number) = operator::ask(&args.ledger, async |ledger| {
        let commitment = ledger.find(&named).await?;
        let summary = ledger.show(commitment).await?;
        let known_since = raffle::known_since(&summary, &ledger.beacons().chains);
        if let Some(since) = known_since.filter(|since| *since <= time::now() && !args.force) {
            return Ok(Err(too_late(since)));
        }
        // An open raffle that is not locked has no page yet, and no number.
        let document = match known_since {
            Some(_) => ledger.raffle_document(commitment).await.ok(),
            None => None,
        };
        let is_late = known_since.is_some_and(|since| since <= time::now());
        let number = document.map(|document| (raffle::number(&document), is_late));
        let Summary { terms, used, .. } = summary;
        // The same for a request that is repeated after its void.
        let is_one_round = terms.rounds == Int::ONE && used;
        if is_one_round {
            void.nonce = void.nonce.or(Some(Nonce::FIRST));
        }
        let is_raffle = raffle_rules(&terms).is_some();
        let done = ledger.void(commitment, void, key).await?;
        Ok(Ok((done, is_one_round && is_raffle, number)))
    })??;
    let again = args.ledger.again();
    let digits = first_digits(&done.commitment);
    let answer = operator::Answer::new(&done, again.clone());
    out.did(answer.done());
    out.show(&answer, |out| {
        answer.print("voided", out);
        if let Some((number, is_late)) = &number {
            let go_on = if *is_late { "show the winners" } else { "keep counting down" };
            out.long_field("pages", &format!(
                "pages that were sent already {go_on}: tell people that raffle number {number} is given up"
            ));
        }
        if to_draw {
            field!(out, "next", "fairdeal raffle draw {digits}{again} -o DIR");
            more!(
                out,
                "logs the seed, and writes the raffle's files: they say that you gave it up"
            );
        }
    });
    Ok(())
}

/// Exit 2.
fn too_late(since: u64) -> Failure {
    let since = day_and_time(since);
    usage!("the winners can be known since {since}: everybody will see that you stopped after it").hint(
        "fairdeal raffle draw logs the draw. --force gives the raffle up all the same: its page shows who would have won.",
    )
}
