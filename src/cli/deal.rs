//! `fairdeal deal`: deals the next round and logs it.

use super::args;
use super::contributions::{self, ContributionArgs, Given};
use super::exit::Failure;
use super::operator::{self, LedgerArgs, NextArgs, RetryArgs};
use super::out::Out;
use super::seats::SeatsArgs;
use crate::deal::{Commitment, ContributionError, Contributions, Nonce};
use crate::ledger::{Done, IdempotencyKey, Ledger, LedgerError, NewDeal};
use crate::record::entry::Lock;

/// Deal the next round
///
/// After a lock, the contributions open its hashes. Clear seeds in the lock need not be given again.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The commitment
    #[arg(value_name = "C", value_parser = args::commitment)]
    commitment: Commitment,

    #[command(flatten)]
    contributions: ContributionArgs,

    #[command(flatten)]
    seats: SeatsArgs,

    /// The round, which must be the next
    #[arg(long, value_name = "N", value_parser = args::nonce)]
    nonce: Option<Nonce>,

    /// Deal even if the commitment is overdue. Its reveal will be late, and every audit will say so
    #[arg(long)]
    late: bool,

    #[command(flatten)]
    next: NextArgs,

    #[command(flatten)]
    retry: RetryArgs,

    #[command(flatten)]
    ledger: LedgerArgs,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal deal 630dcd…10dd --client alice=lucky --client bob=7
  fairdeal deal 630dcd…10dd --contributions alice.json --contributions bob.json    after a lock of hashes
  fairdeal deal 630dcd…10dd --client alice=lucky --client bob=7 --seats bob,alice,carl
  fairdeal deal 630dcd…10dd --client alice=lucky --nonce 3 --idempotency-key hand-17
  fairdeal deal 630dcd…10dd --client alice=lucky --next    and publish the table's next commitment";

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let given = args.contributions.read()?;
    if given.len() > Contributions::MAX {
        return Err(Failure::usage(ContributionError::Count(given.len()).to_string()));
    }
    if let Some(one) = given.iter().find(|one| one.seed.is_none()) {
        let says =
            format!("contribution of {:?}: expected its \"seed\", found a hash alone", one.from.as_str());
        return Err(Failure::usage(says));
    }
    let (commitment, key) = (args.commitment, args.retry.idempotency_key.clone());
    let nonce = contributions::round(&given, &commitment, args.nonce)?;
    let seats = args.seats.read(&given)?;
    let round = NewDeal { nonce, seats, late: args.late, next: args.next.next, ..NewDeal::default() };
    let done = operator::ask(&args.ledger, out, async |ledger| {
        let dealt = deal(ledger, commitment, round, given, key).await;
        dealt.map_err(|error| contributions::not_next(error, nonce, args.nonce))
    })?;
    let answer = operator::Answer::new(&done);
    out.show(&answer, |out| answer.print("dealt", out));
    Ok(())
}

/// Whether a contribution opens a hash or is mixed in the clear depends on the lock, which the ledger knows.
async fn deal(
    ledger: &Ledger,
    commitment: Commitment,
    round: NewDeal,
    given: Vec<Given>,
    key: Option<IdempotencyKey>,
) -> Result<Done, LedgerError> {
    let open = ledger.show(commitment).await?.open;
    if open.is_some() && round.seats.is_some() {
        let says = "--seats: expected none: the round is locked, and the lock has its seats";
        return Err(LedgerError::Invalid(says.to_owned()));
    }
    if open.is_none() && given.is_empty() && key.is_none() {
        let says = ContributionError::Count(0).to_string();
        return Err(LedgerError::Invalid(format!(
            "{says}: the round has no lock, so it needs --client or --contributions"
        )));
    }
    let first = match &open {
        Some(open) => after_lock(round.clone(), given.clone(), Some(&open.lock))?,
        None => in_clear(round.clone(), given.clone()),
    };
    let dealt = ledger.deal(commitment, first, key.clone()).await;
    match dealt {
        // A retry after the deal finds no lock. Send the request of then: a known key never does anything new.
        Err(LedgerError::KeyReused(reused)) if open.is_none() => {
            let again = ledger.deal(commitment, after_lock(round, given, None)?, key).await;
            again.map_err(|_| LedgerError::KeyReused(reused))
        }
        dealt => dealt,
    }
}

fn in_clear(round: NewDeal, given: Vec<Given>) -> NewDeal {
    let contributions = given.into_iter().filter_map(|one| one.clear().ok()).collect();
    NewDeal { contributions, ..round }
}

/// The openings of the lock's hashes. A clear seed that the lock already has is left out.
fn after_lock(mut deal: NewDeal, given: Vec<Given>, lock: Option<&Lock>) -> Result<NewDeal, LedgerError> {
    for one in given {
        let has = |lock: &Lock| {
            let mut logged = lock.contributions().iter();
            logged.any(|logged| logged.from == one.from && logged.seed.is_some() && logged.seed == one.seed)
        };
        match (lock.map(has), one.blind) {
            (Some(true), _) | (None, None) => {}
            (_, Some(_)) => deal.opened.extend(one.opened().ok()),
            (Some(false), None) => {
                return Err(LedgerError::Invalid(format!(
                    "contribution of {:?}: the round is locked, expected the \"seed\" that it has, or the \"seed\" \
                     and \"blind\" that open its hash; found another seed",
                    one.from.as_str()
                )));
            }
        }
    }
    Ok(deal)
}
