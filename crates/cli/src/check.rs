//! `fairdeal check`: rounds of other operators' schemes, one or a file of them (spec/dialects.md).

mod forms;
mod habits;
mod limits;
mod line;
mod one;
mod report;
mod rows;
mod totals;

use std::path::PathBuf;

use clap::ArgGroup;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::exit::Failure;
use super::out::{FAINT, Out, STRONG, width, wrapped};
use fairdeal_schemes::answer::{DialectList, ListedDialect};
use fairdeal_schemes::dialect::{self, Column, Dialect};

/// Check rounds of other operators: commitment, seeds, result
///
/// One round from its seeds, or a file of rounds. Without a dialect, lists those that are known.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[command(after_help = EXAMPLES, group = ArgGroup::new("rounds").args(["server_seed", "file", "limits"]))]
pub(super) struct Args {
    /// The scheme; without it, all are listed
    #[arg(value_name = "DIALECT", value_parser = known(), requires = "rounds", hide_possible_values = true)]
    dialect: Option<&'static Dialect>,

    /// List the dialects that are known
    #[arg(long, conflicts_with_all = ["dialect", "rounds"])]
    list: bool,

    /// Print the limits of the scheme, which no round changes: its exact bias, and what it cannot
    /// show
    #[arg(long, requires = "dialect", conflicts_with_all = ["server_seed", "file"])]
    limits: bool,

    /// The round's server seed, of a chain the game's hash; "-" reads it from stdin, "@FILE" from a
    /// file
    #[arg(long, value_name = "HEX", requires = "dialect")]
    server_seed: Option<String>,

    /// The client's seed, of a chain its public salt, of duel-crash the drand value
    #[arg(long, value_name = "TEXT", requires = "server_seed", conflicts_with = "file")]
    client_seed: Option<String>,

    /// The round's number under its seeds
    #[arg(long, value_name = "N", requires = "server_seed", conflicts_with = "file")]
    nonce: Option<String>,

    /// The commitment that was published before the round, 64 hex digits
    #[arg(long, value_name = "HEX", requires = "server_seed", conflicts_with = "file")]
    commitment: Option<String>,

    /// How many cards are printed [default: 10, or as many as are expected]
    #[arg(long, value_name = "N", requires = "server_seed", conflicts_with = "file", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    cards: Option<u16>,

    /// The result that the operator gave: the first cards, such as "10H AS", or a multiplier, such
    /// as 1.83
    #[arg(long, value_name = "RESULT", requires = "server_seed", conflicts_with = "file")]
    expect: Option<String>,

    /// Another column of a dialect's rows, such as `game_id=12306894`; may be given several times
    #[arg(long, value_name = "COLUMN=VALUE", requires = "server_seed", conflicts_with = "file", value_parser = pair)]
    with: Vec<(Column, String)>,

    /// Rounds: a JSON array of objects, an object with one in "rows", JSON lines, or CSV with a
    /// header; "-" is stdin
    #[arg(long, value_name = "ROWS", requires = "dialect", conflicts_with = "server_seed")]
    file: Option<PathBuf>,

    /// Read a column from what has this name in the file; may be given several times
    #[arg(long, value_name = "COLUMN=NAME", requires = "file", value_parser = pair)]
    map: Vec<(Column, String)>,

    /// Test the results of valid rows too: statistics, which are no verdict, at some microseconds a
    /// row
    #[arg(long, requires = "file")]
    statistics: bool,

    /// The verdicts alone, without what rows show together and what no row shows
    #[arg(long, requires = "file", conflicts_with = "statistics")]
    brief: bool,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal check
  fairdeal check stake-video-poker --server-seed 51b5258b38fef00c9887b7ad6c728035 \\
      --client-seed 6ec29c0c4180fd3f802534e6c98810ff --nonce 0 --expect \"5S AS JS QS JH\"
  fairdeal check bustabit --with game_id=12306894 --expect 1.83 \\
      --server-seed 8d3b9726ca7bc5e3637bf2079e09eaf2a9d67df4e6f50ff23a7b593bd802cca6
  fairdeal check duel-crash --file rounds.csv --map client_seed=beacon
  fairdeal check duel-video-poker --limits
  fairdeal check liqd-blackjack --file hands.json --json |
      jq '.rows[] | select(.verdict != \"valid\")'

Columns are known by their names (server_seed, commitment, client_seed, nonce, cards, result), whatever their case and with \
\"-\", \" \" or nothing for \"_\", and by what operators call them: server_seed_hash or hashed_server_seed is the commitment, \
game_hash or hash of a chain the server seed, salt or drand_randomness the client seed, multiplier, crash_point or bust the \
result. In CSV an empty field is as if it were not there.

Under the verdicts stands what would make rows verify that do not (the usual confusions: text for bytes, a neighbour's \
seed, a nonce off by one, upper case, a space too many; such a row is not verified), and what the rows show together (seeds \
used once, twice or never opened, nonces left out). --limits prints what no row of the scheme shows, its exact bias among it.

A row that can't be read is unreadable, and the others are checked. Exit 0: all rows are valid. Exit 1: one is not. Exit 3: \
the file can't be read, none of its rows can (perhaps a column is missing), or it breaks off in the middle of its syntax; \
the rows before are checked and printed.

A valid round is one whose result follows from its seeds and whose commitment, where one is shown, opens. That it was fair \
no check of one round can say: the operator may have chosen among seeds, or left rounds out.";

fn known() -> impl TypedValueParser<Value = &'static Dialect> {
    let named = |dialect: &Dialect| PossibleValue::new(dialect.name).help(dialect.title);
    PossibleValuesParser::new(dialect::ALL.map(named))
        .try_map(|name| dialect::find(&name).ok_or("expected a dialect that is known"))
}

/// `COLUMN=…`, split at the first `=`.
fn pair(text: &str) -> Result<(Column, String), String> {
    let (column, value) = text.split_once('=').ok_or("expected COLUMN=…, found no \"=\"")?;
    let columns = || Column::ALL.map(Column::as_str).join(", ");
    let column = Column::named(column)
        .ok_or_else(|| format!("expected a column, found {column:?}; there are {}", columns()))?;
    Ok((column, value.to_owned()))
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    match (args.dialect, &args.file, &args.server_seed) {
        (Some(dialect), Some(file), _) => rows::run(dialect, file, args, out),
        (Some(dialect), None, Some(seed)) => one::run(dialect, seed, args, out),
        (Some(dialect), None, None) => {
            report::limits(dialect, out);
            Ok(())
        }
        _ => {
            list(out);
            Ok(())
        }
    }
}

fn list(out: &mut Out) {
    let list = DialectList::all();
    let columns = width().saturating_sub(4);
    out.show(&list, |out| {
        for ListedDialect { name, title, covers, source } in &list.dialects {
            say!(out, "{STRONG}{name}{STRONG:#}  {title}");
            for line in wrapped(covers, columns) {
                say!(out, "  {line}");
            }
            for line in wrapped(&format!("source: {source}"), columns) {
                say!(out, "  {FAINT}{line}{FAINT:#}");
            }
        }
    });
}
