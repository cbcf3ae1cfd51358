//! `fairdeal lock`: fixes a round's contributions before the deal.

use super::args;
use super::beacon::{self, ChainArgs};
use super::contributions::{self, ContributionArgs};
use super::exit::Failure;
use super::hints::first_digits;
use super::operator::{self, Deadline, LedgerArgs, RetryArgs};
use super::out::{FAINT, Out, plain};
use super::seats::SeatsArgs;
use super::which::Which;
use fairdeal::deal::{Label, Nonce};
use fairdeal::record::Entry;
use fairdeal::record::entry::Mixing;
use fairdeal_ledger::{NewLock, raffle_rules};
use fairdeal_server::told;

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

    /// The round, which must be the next
    #[arg(long, value_name = "N", value_parser = args::nonce)]
    nonce: Option<Nonce>,

    /// Lock even if the commitment is overdue. Its reveal will be late, and every audit will say so
    #[arg(long)]
    late: bool,

    #[command(flatten)]
    retry: RetryArgs,

    #[command(flatten)]
    chains: ChainArgs,

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
      carl gets cards but brings no seed
  fairdeal lock --table gifts
      where a beacon is mixed in: the lock names its round";

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let mut given = args.contributions.read_with(&args.hashed)?;
    if !given.is_empty() {
        given = contributions::counted(given)?;
    }
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
    let asked = operator::ask_with(&args.ledger, args.chains.options()?, async |ledger| {
        let commitment = ledger.find(&named).await?;
        let terms = ledger.show(commitment).await?.terms;
        if given.is_empty() && terms.mixing != Mixing::Beacon {
            return Ok(None);
        }
        let locked = ledger.lock(commitment, lock, key).await;
        let done = locked.map_err(|error| contributions::not_next(error, &given, args.nonce))?;
        let out = match &done.entry {
            Entry::Lock(lock) => told::out(lock, &terms, &ledger.beacons().chains),
            _ => None,
        };
        Ok(Some((Deadline::at(&terms, &done), done, out, raffle_rules(&terms).is_some())))
    })?;
    let (deadline, done, waits, is_raffle) = asked.ok_or_else(|| contributions::wrong_count(0))?;
    let again = args.ledger.again();
    let answer = operator::Answer::new(&done, again).waits(waits).by(Some(deadline));
    out.did(answer.done());
    out.show(&answer, |out| {
        answer.print("locked", out);
        // A player who is missing, or a seat that is spelt otherwise, is noticed now or never.
        if let Entry::Lock(entry) = &done.entry {
            if let Some(round) = entry.beacon {
                let (digits, again) = (first_digits(&done.commitment), args.ledger.again());
                out.field("beacon", beacon::round(round.value(), waits));
                if is_raffle {
                    more!(out, "{FAINT}Then: fairdeal raffle page {digits}{again} -o DIR{FAINT:#}");
                } else {
                    more!(out, "{FAINT}Then: fairdeal deal {digits}{again} --beacon HEX, its signature.{FAINT:#}");
                    more!(out, "{FAINT}Or --beacon-relay URL, a server to ask for that.{FAINT:#}");
                }
            }
            let joined = |labels: &mut dyn Iterator<Item = &Label>| {
                labels.map(|one| plain(one.as_str())).collect::<Vec<_>>().join(", ")
            };
            let players = entry.contributions.iter().flatten().map(|one| &one.from);
            if entry.contributions.is_some() {
                out.field("players", joined(&mut players.into_iter()));
            }
            if let Some(seats) = &entry.seats {
                out.field("seats", joined(&mut seats.iter()));
            }
        }
    });
    Ok(())
}
