//! `fairdeal lock`: fixes a round's contributions before the deal.

use super::args;
use super::contributions::{self, ContributionArgs};
use super::exit::Failure;
use super::operator::{self, Deadline, LedgerArgs, RetryArgs};
use super::out::{Out, plain};
use super::seats::SeatsArgs;
use super::which::Which;
use fairdeal::deal::{Label, Nonce};
use fairdeal::record::Entry;
use fairdeal_ledger::NewLock;

/// Fix a round's contributions before the deal
///
/// With hashes, players commit first and open later: the last to speak gains nothing.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,

    #[command(flatten)]
    contributions: ContributionArgs,

    /// A player's hash, made by `fairdeal contribution FROM --for C:NONCE`; split at the last "="
    #[arg(long, value_name = "FROM=HEX")]
    hashed: Vec<String>,

    #[command(flatten)]
    seats: SeatsArgs,

    /// A beacon's round to mix in; not in this version yet
    #[arg(long, value_name = "ROUND")]
    beacon: Option<u64>,

    /// The round, which must be the next
    #[arg(long, value_name = "N", value_parser = args::nonce)]
    nonce: Option<Nonce>,

    /// Lock even if the commitment is overdue. Its reveal will be late, and every audit will say so
    #[arg(long)]
    late: bool,

    #[command(flatten)]
    retry: RetryArgs,

    #[command(flatten)]
    ledger: LedgerArgs,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal lock 630dcd --hashed alice=b8cd…2b51 --hashed bob=07fa…91c4
  fairdeal lock --table main --contributions alice.give.json \\
      --contributions bob.give.json
  fairdeal lock 630dcd --client alice=lucky --client bob=7 \\
      --seats carl,bob,alice
      carl gets cards but brings no seed";

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    if args.beacon.is_some() {
        return Err(Failure::usage("--beacon: expected none: this version has no beacons yet"));
    }
    let given = contributions::counted(args.contributions.read_with(&args.hashed)?)?;
    let seats = args.seats.read()?;
    let lock = NewLock {
        nonce: args.nonce,
        contributions: given.clone(),
        seats,
        late: args.late,
        by: None,
        void: None,
        ext: None,
    };
    args.which.held(&args.retry)?;
    let (named, key) = (args.which.one(&args.ledger.again())?, args.retry.idempotency_key.clone());
    let (done, deadline) = operator::ask(&args.ledger, async |ledger| {
        let locked = ledger.lock(ledger.find(&named).await?, lock, key).await;
        let done = locked.map_err(|error| contributions::not_next(error, &given, args.nonce))?;
        let deadline = Deadline::of(ledger, &done).await;
        Ok((done, deadline))
    })?;
    let answer = operator::Answer::new(&done, args.ledger.again()).by(deadline);
    out.did(answer.done());
    out.show(&answer, |out| {
        answer.print("locked", out);
        // A player who is missing, or a seat that is spelt otherwise, is noticed now or never.
        if let Entry::Lock(entry) = &done.entry {
            let joined = |labels: &mut dyn Iterator<Item = &Label>| {
                labels.map(|one| plain(one.as_str())).collect::<Vec<_>>().join(", ")
            };
            let players = entry.contributions.iter().flatten().map(|one| &one.from);
            out.field("players", joined(&mut players.into_iter()));
            if let Some(seats) = &entry.seats {
                out.field("seats", joined(&mut seats.iter()));
            }
        }
    });
    Ok(())
}
