//! `fairdeal raffle`: winners drawn from a list, proved by one file (spec/raffle.md).

mod hash;
mod verify;
mod words;

use clap::Subcommand;

use super::exit::Failure;
use super::out::Out;

/// Check a raffle: winners drawn from a list
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
  fairdeal raffle verify raffle.json --list list.txt --key log.key
  fairdeal raffle verify raffle.json --list list.txt --line \"ticket 118\"
  fairdeal raffle hash addresses.txt --page https://club.example/raffle \\
      -o list.txt --links links.txt";

#[derive(Debug, Subcommand)]
enum Action {
    /// Check a raffle's document, and compute its winners
    #[command(after_help = verify::EXAMPLES)]
    Verify(Box<verify::Args>),
    /// Make a list of hashed lines, and a link for each entrant
    #[command(after_help = hash::EXAMPLES)]
    Hash(hash::Args),
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    match &args.action {
        Action::Verify(args) => verify::run(args, out),
        Action::Hash(args) => hash::run(args, out),
    }
}
