//! `fairdeal rounds`: lists the rounds of a commitment.

use serde::Serialize;

use super::exit::Failure;
use super::hints::first_digits;
use super::operator::{self, ReadArgs};
use super::out::{FAINT, Out};
use super::round;
use super::table::Rows;
use super::time;
use super::which::Which;
use fairdeal::deal::Commitment;
use fairdeal_server::told::RoundTold;

/// List the rounds of a commitment: when, who, and what was dealt
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    which: Which,

    /// The first round to list
    #[arg(long, value_name = "NONCE", default_value_t = 0)]
    from: u64,

    /// How many rounds to list
    #[arg(long, value_name = "N", default_value_t = MOST, value_parser = clap::value_parser!(u32).range(1..))]
    most: u32,

    #[command(flatten)]
    ledger: ReadArgs,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal rounds 630dcd
  fairdeal rounds --table main --from 100 --most 20
  fairdeal rounds --table main --json | jq '.rounds[].cards'";

/// How many rounds are listed at once.
const MOST: u32 = 100;

/// As many cards as fit next to the other columns.
const CARDS: usize = 9;

#[derive(Serialize)]
struct Answer {
    commitment: Commitment,
    /// How many are locked, dealt or voided.
    done: u64,
    rounds: Vec<RoundTold>,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let named = args.which.one(&args.ledger.again())?;
    let answer = operator::read(&args.ledger, async |ledger| {
        let commitment = ledger.find(&named).await?;
        let rounds = ledger.rounds(commitment, args.from, args.most).await?;
        let summary = ledger.show(commitment).await?;
        let done = summary.next + u64::from(summary.open.is_some());
        let chains = &ledger.beacons().chains;
        let told = |round| RoundTold::of(round, &summary.terms, chains, &[]);
        Ok(Answer { commitment, done, rounds: rounds.into_iter().map(told).collect() })
    })?;
    out.show(&answer, |out| print(&answer, args, out));
    Ok(())
}

fn print(answer: &Answer, args: &Args, out: &mut Out) {
    let Some(last) = answer.rounds.last() else {
        out.line(match answer.done {
            0 => "No rounds yet.".to_owned(),
            done => format!("No round from {} on: the last is {}.", args.from, done - 1),
        });
        return;
    };
    let mut rows = Rows::new(["round", "entry", "time", "state", "players", "dealt"]);
    for round in &answer.rounds {
        let (index, time) = round::last(round)
            .map_or_else(Default::default, |at| (at.index.to_string(), time::utc(at.time)));
        let state = round.state.as_str().to_owned();
        rows.add([
            round.nonce.to_string(),
            index,
            time,
            state,
            round::players(round),
            round::outcome(round, CARDS),
        ]);
    }
    rows.print(&[0, 1, 2], out);
    let next = last.nonce.value() + 1;
    if next < answer.done {
        let (more, digits) = (answer.done - next, first_digits(&answer.commitment));
        let most = if args.most == MOST { String::new() } else { format!(" --most {}", args.most) };
        let again = args.ledger.again();
        let line = format_args!("{more} more: fairdeal rounds {digits} --from {next}{most}{again}");
        say!(out, "{FAINT}{line}{FAINT:#}");
    }
}
