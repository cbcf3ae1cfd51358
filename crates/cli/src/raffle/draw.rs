//! `fairdeal raffle draw`: draws a raffle once its number is out, and writes its page again.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::page::{FilesArgs, RELAY, RaffleFiles};
use super::verify::given_beacon;
use super::words;
use crate::beacon::ChainArgs;
use crate::exit::Failure;
use crate::hints::first_digits;
use crate::operator::{self, LedgerArgs};
use crate::out::{Out, pasted};
use crate::waiting::Waiting;
use crate::which::Which;
use crate::{files, time};
use fairdeal::beacon::{Chain, Chains};
use fairdeal::deal::{Commitment, Digest};
use fairdeal::raffle::{Entrant, RaffleVerdict};
use fairdeal::record::entry::BeaconSignature;
use fairdeal::record::life::locked_to;
use fairdeal_ledger::{BeaconOptions, Ledger, LedgerError, NewDeal, NewReveal};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,

    /// The number that decides, in place of asking a server: the beacon's signature in 96 hex digits,
    /// or a file with it or with drand's answer for the round
    #[arg(long, value_name = "FILE-or-HEX")]
    beacon: Option<String>,

    /// Wait for the draw
    #[arg(long)]
    wait_for_draw: bool,

    /// The file of links that raffle hash made: the winners are then named by their addresses
    #[arg(long, value_name = "FILE")]
    links: Option<PathBuf>,

    #[command(flatten)]
    chains: ChainArgs,

    #[command(flatten)]
    files: FilesArgs,

    #[command(flatten)]
    ledger: LedgerArgs,
}

pub(super) const EXAMPLES: &str = "\
Examples:
  fairdeal raffle draw 630dcd -o winter
  fairdeal raffle draw 630dcd -o winter --wait-for-draw
  fairdeal raffle draw 630dcd -o winter --links links.txt
      names the winners of hashed lines
  fairdeal raffle draw 630dcd -o winter --beacon round.json
      without a network

It logs the draw and the seed. A draw that it cannot finish, because no server answers, is finished by the next call.";

/// What became of the draw.
enum Drawn {
    /// Its number is out at this time, in Unix milliseconds.
    NotYet(u64),
    /// Its number is out, and no server gave it.
    NoNumber(Box<NoNumber>),
    /// Drawn, or given up.
    Ended(Commitment, Box<RaffleFiles>),
}

/// What to ask for in place of the servers.
struct NoNumber {
    commitment: Commitment,
    chain: Digest,
    round: u64,
    /// Why there is no number.
    says: String,
}

/// The `--json` output.
#[derive(Serialize)]
struct Answer<'a> {
    commitment: Commitment,
    number: String,
    folder: &'a Path,
    #[serde(flatten)]
    verdict: &'a RaffleVerdict,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let beacon = given_beacon(args.beacon.as_deref())?.map(|given| given.signature);
    let chains = args.chains.read()?;
    let entrants = args.links.as_deref().map(entrants).transpose()?.unwrap_or_default();
    let policy = args.ledger.policy_for_readers()?;
    let named = args.which.one(&args.ledger.again())?;
    let relays = args.files.beacon_relay.clone();
    let options = BeaconOptions { chains: chains.clone(), relays };
    let drawn = operator::ask_with(&args.ledger, options, async |ledger| {
        let commitment = ledger.find(&named).await?;
        // A commitment that is no raffle is refused before anything is dealt.
        drop(ledger.raffle_document(commitment).await?);
        if let Some(waits) = advance(args, ledger, commitment, beacon).await? {
            return Ok(waits);
        }
        let files = RaffleFiles::read(ledger, commitment, policy).await?;
        Ok(Drawn::Ended(commitment, Box::new(files)))
    })?;
    match drawn {
        Drawn::NotYet(at) => {
            let left = time::span(at.saturating_sub(time::now()));
            let says = format!("the draw is at {}, in {left}", time::day_and_time(at));
            Err(Failure::unavailable(says)
                .code("awaits-beacon")
                .hint("Come again then, or give --wait-for-draw."))
        }
        Drawn::NoNumber(none) => Err(no_number(&none, args)),
        Drawn::Ended(commitment, files) => {
            out.did(format!("the draw of {commitment} is in the log"));
            let _made = args.files.check(Some(commitment))?;
            args.files.write(&files)?;
            tell(args, (commitment, &files), (chains, &entrants), out)
        }
    }
}

/// The entrants of a file of links. Exit 2 if a line is no address, tab and link.
fn entrants(path: &Path) -> Result<Vec<Entrant>, Failure> {
    let text = files::read_text(path).map_err(|failure| failure.of("--links"))?;
    let entrant = |(number, line): (usize, &str)| {
        let link = line.split_once('\t').map_or(line, |(_, link)| link);
        let name = files::name(path);
        Entrant::parse_link(link).map_err(|error| usage!("--links {name}: line {number}: {error}"))
    };
    (1..).zip(text.lines()).map(entrant).collect()
}

/// Exit 3.
fn no_number(none: &NoNumber, args: &Args) -> Failure {
    let NoNumber { commitment, chain, round, says } = none;
    // The public server has the public chain, also where others were asked.
    let own = args.files.beacon_relay.first().filter(|_| *chain != Chain::quicknet().hash());
    let relay = own.map_or(RELAY, |relay| relay.trim_end_matches('/'));
    let (digits, again) = (first_digits(commitment), args.ledger.again());
    let dir = pasted(args.files.dir());
    Failure::unavailable(says).code("awaits-beacon").hint(format!(
        "Come again later. Or open {relay}/{chain}/public/{round} in a browser, save what it shows as round.json, and give it with --beacon: it is verified.\n\
         fairdeal raffle draw {digits}{again} -o {dir} --beacon round.json"
    ))
}

/// Deals and reveals, as far as it is not done. Returns what it waits for, if it does.
async fn advance(
    args: &Args,
    ledger: &Ledger,
    commitment: Commitment,
    beacon: Option<BeaconSignature>,
) -> Result<Option<Drawn>, LedgerError> {
    let summary = ledger.show(commitment).await?;
    if summary.ended.is_some() {
        return Ok(None);
    }
    if let Some(open) = &summary.open {
        let locked = locked_to(&summary.terms, &open.lock, Some(&ledger.beacons().chains));
        let named = locked.as_ref().map(|locked| (locked.chain.hash(), locked.round));
        let out = locked.map(|locked| locked.out().saturating_mul(1000));
        if let Some(out) = out.filter(|out| *out > time::now() && !args.wait_for_draw) {
            return Ok(Some(Drawn::NotYet(out)));
        }
        // However late: the winners are the same, and a draw that is not logged helps nobody.
        let deal = NewDeal { beacon, late: true, ..NewDeal::default() };
        let waiting =
            out.map(|out| Waiting::new(format!("the draw at {}", time::day_and_time(out))));
        let finished = ledger.finish(commitment, deal).await;
        drop(waiting);
        match (finished, named) {
            (Err(LedgerError::AwaitsBeacon { says, .. }), Some((chain, round))) => {
                let none = NoNumber { commitment, chain, round, says };
                return Ok(Some(Drawn::NoNumber(Box::new(none))));
            }
            (finished, _) => drop(finished?),
        }
    }
    // A draw that was given up ends its only round.
    if ledger.show(commitment).await?.ended.is_none() {
        drop(ledger.reveal(commitment, NewReveal::default(), None).await?);
    }
    Ok(None)
}

/// What the page will say, and who has won.
fn tell(
    args: &Args,
    (commitment, files): (Commitment, &RaffleFiles),
    (chains, entrants): (Chains, &[Entrant]),
    out: &mut Out,
) -> Result<(), Failure> {
    let verdict = files.verdict(chains)?;
    let (number, folder) = (files.number(), args.files.dir());
    let answer = Answer { commitment, number, folder, verdict: &verdict };
    out.show(&answer, |out| {
        out.field("raffle", commitment);
        out.field("number", &answer.number);
        words::print_winners(&verdict, entrants, out);
        if let Some(void) = verdict.void {
            out.long_field("given up", &words::given_up(&verdict, void.value()));
        }
        args.files.print(files, out);
        if verdict.void.is_none() {
            out.field(
                "next",
                "put the new page in the place of the first one, and tell the winners",
            );
        }
    });
    Ok(())
}
