//! `fairdeal deal`: deals the next round and logs it.

use std::path::PathBuf;

use super::beacon::BeaconArgs;
use super::contributions::{self, ContributionArgs};
use super::exit::Failure;
use super::operator::{self, Deadline, LedgerArgs, NextArgs, RetryArgs};
use super::out::Out;
use super::seats::SeatsArgs;
use super::which::Which;
use super::{args, cards};
use fairdeal::deal::{ContributionError, Contributions, Nonce};
use fairdeal::record::entry::BeaconSignature;
use fairdeal_ledger::{LedgerError, NewDeal, POLICY};
use fairdeal_server::told::hands_of;

/// Deal the next round
///
/// After a lock, the contributions open its hashes. Clear seeds in the lock need not be given
/// again.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,

    #[command(flatten)]
    contributions: ContributionArgs,

    #[command(flatten)]
    seats: SeatsArgs,

    /// The list that is dealt from: the answer then has the items' names
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,

    /// After a lock that names a beacon's round: the signature of that round, 96 hex digits
    #[arg(long, value_name = "HEX", value_parser = |text: &str| BeaconSignature::parse(text))]
    beacon: Option<BeaconSignature>,

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
    beacons: BeaconArgs,

    #[command(flatten)]
    ledger: LedgerArgs,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal deal 630dcd --client alice=lucky --client bob=7
  fairdeal deal --table main --client alice=lucky --client bob=7 \\
      --seats bob,alice,carl
  fairdeal deal 630dcd --contributions alice.json --contributions bob.json
      after a lock of hashes
  fairdeal deal 630dcd --client alice=lucky --nonce 3 --idempotency-key hand-17
  fairdeal deal --table gifts --client ann=7 --list guests.txt
      names the winners
  fairdeal deal --table draw --beacon-relay https://api.drand.sh
      asks that server for the signature of the beacon's round
  fairdeal deal 630dcd --client alice=lucky --next
      and publish the table's next commitment";

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let given = args.contributions.read()?;
    if given.len() > Contributions::MAX {
        return Err(Failure::usage(ContributionError::Count(given.len()).to_string()));
    }
    let list = args.list.as_deref().map(args::read_list).transpose()?;
    args.which.held(&args.retry)?;
    let (named, key) = (args.which.one(&args.ledger.again())?, args.retry.idempotency_key.clone());
    let round = NewDeal {
        nonce: args.nonce,
        seats: args.seats.read()?,
        contributions: given.clone(),
        beacon: args.beacon,
        late: args.late,
        by: None,
        in_play: false,
        with: None,
        next: args.next.next,
        ext: None,
    };
    let (done, deadline, hands, terms) =
        operator::ask_with(&args.ledger, args.beacons.options()?, async |ledger| {
            let commitment = ledger.find(&named).await?;
            let terms = ledger.show(commitment).await?.terms;
            if let Some(list) = list.as_ref().filter(|list| list.deck() != terms.deck) {
                let says = format!("--list: expected {}, found {}", terms.deck, list.deck());
                return Err(LedgerError::Invalid(says));
            }
            // A service that made it reveals it once no sealed hand is in play.
            let in_play = !ledger.memos(POLICY, &commitment.to_text(), None, 1).await?.is_empty();
            let dealt = ledger.deal(commitment, NewDeal { in_play, ..round }, key).await;
            let done = dealt.map_err(|error| contributions::not_next(error, &given, args.nonce))?;
            let deadline = Some(Deadline::at(&terms, &done));
            // The deal is reported also if this cannot be read.
            let hands = match done.nonce {
                Some(nonce) => hands_of(ledger, &terms, (commitment, nonce), &[]).await,
                None => Ok(None),
            };
            let hands = hands.unwrap_or_default();
            Ok((done, deadline, hands, terms))
        })?;
    let answer = operator::Answer::new(&done, args.ledger.again()).by(deadline);
    let answer = answer.of(hands, terms.layout.as_ref());
    out.did(answer.done());
    out.show(&answer, |out| {
        answer.print("dealt", out);
        if let (Some(list), Some(items)) = (&list, done.items.as_ref().filter(|_| !terms.sealed)) {
            cards::items(out, terms.method, list, items.iter().copied());
        }
    });
    Ok(())
}
