//! `fairdeal check`: rounds of other operators' schemes, one or a file of them (spec/dialects.md).

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
/// Checks one round from its seeds, or a file of rounds. Without a dialect, lists the known
/// dialects.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[command(after_help = EXAMPLES, group = ArgGroup::new("rounds").args(["server_seed", "file", "limits"]))]
pub(super) struct Args {
    /// The operator's scheme; an operator alone, such as stake, lists its schemes, and nothing lists all
    #[arg(value_name = "DIALECT", value_parser = known(), hide_possible_values = true)]
    dialect: Option<Asked>,

    /// List the known dialects
    #[arg(long, conflicts_with_all = ["dialect", "rounds"])]
    list: bool,

    /// Print what no round of the scheme can show, and its exact bias
    #[arg(long, requires = "dialect", conflicts_with_all = ["server_seed", "file"])]
    limits: bool,

    /// The round's server seed, or the game's hash on a chain; "-" reads it from stdin, "@FILE"
    /// from a file
    #[arg(long, value_name = "HEX", requires = "dialect")]
    server_seed: Option<String>,

    /// The client seed, the public salt of a chain, or the drand value of duel-crash
    #[arg(long, value_name = "TEXT", requires = "server_seed", conflicts_with = "file")]
    client_seed: Option<String>,

    /// The round's number under its seeds
    #[arg(long, value_name = "N", requires = "server_seed", conflicts_with = "file")]
    nonce: Option<String>,

    /// The commitment that was shown before the round, 64 hex digits
    #[arg(long, value_name = "HEX", requires = "server_seed", conflicts_with = "file")]
    commitment: Option<String>,

    /// How many cards to print [default: 10, or as many as are expected]
    #[arg(long, value_name = "N", requires = "server_seed", conflicts_with = "file", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    cards: Option<u16>,

    /// The result that the operator showed: the first cards, such as "10H AS", or a multiplier,
    /// such as 1.83
    #[arg(long, value_name = "RESULT", requires = "server_seed", conflicts_with = "file")]
    expect: Option<String>,

    /// Another column of the dialect's rows, such as `game_id=12306894`; may be given several times
    #[arg(long, value_name = "COLUMN=VALUE", requires = "server_seed", conflicts_with = "file", value_parser = pair)]
    with: Vec<(Column, String)>,

    /// A file of rounds: a JSON array, an object with such an array, JSON lines, or CSV with
    /// commas, semicolons or tabs; "-" is stdin
    #[arg(long, value_name = "ROWS", requires = "dialect", conflicts_with = "server_seed")]
    file: Option<PathBuf>,

    /// The name that a column has in the file; may be given several times
    #[arg(long, value_name = "COLUMN=NAME", requires = "file", value_parser = pair)]
    map: Vec<(Column, String)>,

    /// Also test the results of valid rows; takes some microseconds a row, and gives no verdict
    #[arg(long, requires = "file")]
    statistics: bool,

    /// Write the check as a page, in one file that needs nothing else; "-" is stdout
    #[arg(long, value_name = "FILE", requires = "file", conflicts_with = "brief")]
    html: Option<PathBuf>,

    /// Print only the verdicts
    #[arg(long, requires = "file", conflicts_with = "statistics")]
    brief: bool,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal check
  fairdeal check stake-video-poker \\
      --server-seed 51b5258b38fef00c9887b7ad6c728035 \\
      --client-seed 6ec29c0c4180fd3f802534e6c98810ff --nonce 0 \\
      --expect \"5S AS JS QS JH\"
  fairdeal check bustabit --with game_id=12306894 --expect 1.83 --server-seed \\
      8d3b9726ca7bc5e3637bf2079e09eaf2a9d67df4e6f50ff23a7b593bd802cca6
  fairdeal check duel-crash --file rounds.csv --map client_seed=beacon
  fairdeal check liqd-blackjack --file hands.json --html check.html
  fairdeal check duel-video-poker --limits
  fairdeal check liqd-blackjack --file hands.json --json |
      jq '.rows[] | select(.verdict != \"valid\")'

A column is found by its name (server_seed, commitment, client_seed, nonce, cards, result), in \
any case and with \"-\", \" \" or nothing in the place of \"_\", and by the names that operators \
use, such as seed_hash for the commitment, salt for the client seed, crash_point for the result \
and, on a chain, hash for the server seed: spec/dialects.md has the list. Two names of one column \
are refused: --map says which one counts. An empty field of CSV is not given.

After the verdicts come the change that would make failing rows verify, if a usual confusion \
explains them (text for bytes, the seed of another row, a nonce off by one, upper case, a space \
too many), and what the rows show together (seeds used for nonce 0 only or used again, nonces \
skipped, rounds doubled, commitments never opened). A row that such a change explains is still \
not verified. --limits prints what no row of the scheme shows.

A row that can't be read is unreadable, and the other rows are checked. Exit 0: all rows are \
valid. Exit 1: a row is not valid. Exit 3: the file can't be read, no row can be read (perhaps a \
column is missing), or the file ends in the middle of its syntax; the rows before are checked \
and printed.

A round is valid if its result follows from its seeds and its commitment, if one is shown, \
opens. No check of one round shows that it was fair: the operator may have chosen among seeds, \
or left rounds out.";

/// The first argument of a check.
#[derive(Clone, Copy, Debug)]
enum Asked {
    Scheme(&'static Dialect),
    /// All schemes of an operator, by the start of their names.
    Operator(&'static str),
}

fn known() -> impl TypedValueParser<Value = Asked> {
    let schemes = dialect::ALL.map(|one| PossibleValue::new(one.name).help(one.title)).into_iter();
    let of_operators = operators().map(|name| PossibleValue::new(name).help("lists its schemes"));
    PossibleValuesParser::new(schemes.chain(of_operators)).try_map(|name| {
        let scheme = dialect::find(&name).map(Asked::Scheme);
        let operator = || operators().find(|one| *one == name).map(Asked::Operator);
        scheme.or_else(operator).ok_or("expected a dialect that is known")
    })
}

/// The operators whose schemes have the operator's name and one of their own.
fn operators() -> impl Iterator<Item = &'static str> {
    let mut last = "";
    let named = dialect::ALL.into_iter().filter_map(|one| Some(one.name.split_once('-')?.0));
    named.filter(move |name| std::mem::replace(&mut last, *name) != *name)
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
    let dialect = match args.dialect {
        Some(Asked::Scheme(dialect)) => dialect,
        Some(Asked::Operator(name))
            if args.file.is_some() || args.server_seed.is_some() || args.limits =>
        {
            return Err(usage!(
                "{name}: expected a scheme, found an operator: fairdeal check {name} lists its schemes"
            ));
        }
        Some(Asked::Operator(name)) => {
            list(&DialectList::of_operator(name), out);
            return Ok(());
        }
        None => {
            list(&DialectList::all(), out);
            return Ok(());
        }
    };
    match (&args.file, &args.server_seed) {
        (Some(file), _) => rows::run(dialect, file, args, out),
        (None, Some(seed)) => one::run(dialect, seed, args, out),
        (None, None) if args.limits => {
            report::limits(dialect, out);
            Ok(())
        }
        (None, None) => Err(usage!(
            "{}: expected a round (--server-seed), a file of rounds (--file), or --limits",
            dialect.name
        )),
    }
}

fn list(list: &DialectList, out: &mut Out) {
    let columns = width().saturating_sub(4);
    out.show(list, |out| {
        for ListedDialect { name, title, covers, source } in &list.dialects {
            out.line(format_args!("{STRONG}{name}{STRONG:#}  {title}"));
            for line in wrapped(covers, columns) {
                out.line(format_args!("  {line}"));
            }
            for line in wrapped(&format!("source: {source}"), columns) {
                out.line(format_args!("  {FAINT}{line}{FAINT:#}"));
            }
        }
    });
}
