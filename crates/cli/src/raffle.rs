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
