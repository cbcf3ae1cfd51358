//! `fairdeal raffle`: winners drawn from a list, proved by one file (spec/raffle.md).

mod audited;
mod draw;
mod hash;
mod kept;
mod list;
mod number;
mod page;
mod promise;
mod shapes;
mod spelling;
mod verify;
mod words;

use clap::Subcommand;

use super::exit::Failure;
use super::out::Out;
use fairdeal::beacon::Chains;
use fairdeal::record::life::locked_to;
use fairdeal_ledger::{Summary, raffle_rules};
pub(super) use number::of as number;
pub(super) use page::RELAY;

/// Draw winners from a list, or check such a raffle
///
/// The organiser fixes the list and the time of the draw in a log. The winners follow from the list,
/// the organiser's seed and a public number that comes out at that time.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, subcommand_required = true, disable_help_subcommand = true)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal raffle new guests.txt --winners 3 --in 1h -o winter
  fairdeal raffle draw 630dcd -o winter
  fairdeal void 630dcd --reason \"a name was missing\"   gives a raffle up
  fairdeal raffle verify raffle.json --list list.txt --key log.key
  fairdeal raffle verify raffle.json --list list.txt --line \"ticket 118\"
  fairdeal raffle hash addresses.txt --page https://club.example/raffle \\
      -o list.txt --links links.txt";

#[derive(Debug, Subcommand)]
enum Action {
    /// Promise a raffle: fix its list and the time of its draw, and write its page
    #[command(after_help = promise::EXAMPLES)]
    New(Box<promise::Args>),
    /// Draw a raffle once its number is out, and write its page again
    #[command(after_help = draw::EXAMPLES)]
    Draw(Box<draw::Args>),
    /// Write a raffle's page again, as the raffle stands now
    #[command(after_help = page::EXAMPLES)]
    Page(Box<page::Args>),
    /// Check a raffle's document, and compute its winners
    #[command(after_help = verify::EXAMPLES)]
    Verify(Box<verify::Args>),
    /// Make a list of hashed lines, and a link for each entrant
    #[command(after_help = hash::EXAMPLES)]
    Hash(hash::Args),
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    match &args.action {
        Action::New(args) => promise::run(args, out),
        Action::Draw(args) => draw::run(args, out),
        Action::Page(args) => page::run(args, out),
        Action::Verify(args) => verify::run(args, out),
        Action::Hash(args) => hash::run(args, out),
    }
}

/// Since when the winners of a locked raffle can be known, or from when on, in Unix milliseconds. If
/// its chain is not known here, it is the time after which the chain's next round is.
pub(super) fn known_since(summary: &Summary, chains: &Chains) -> Option<u64> {
    let terms = &summary.terms;
    let lock = &summary.open.as_ref().filter(|_| raffle_rules(terms).is_some())?.lock;
    let margin = terms.beacon.as_ref()?.margin.value();
    let least = lock.time.value().saturating_add(margin);
    let locked = locked_to(terms, lock, Some(chains));
    Some(locked.map_or(least, |locked| locked.out().saturating_mul(1000)))
}
