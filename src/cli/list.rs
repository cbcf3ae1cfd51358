//! `fairdeal list`: lists a ledger's commitments.

use serde::Serialize;

use super::exit::Failure;
use super::operator::{self, ReadArgs};
use super::out::{Out, plain, terminal_width};
use super::table::Rows;
use super::{show, time};
use crate::ledger::Choice;
use crate::record::entry::Table;

/// List all commitments, in log order
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Only those of this table
    #[arg(long, value_name = "TABLE", value_parser = |text: &str| Table::new(text))]
    table: Option<Table>,

    /// Only those that must still be revealed or voided, the most urgent first
    #[arg(long)]
    due: bool,

    #[command(flatten)]
    ledger: ReadArgs,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal list
  fairdeal list --due                 what to reveal, and by when
  fairdeal list --table main
  fairdeal list --json | jq -r '.commitments[] | select(.state == \"open\") | .commitment'";

/// Terminals this wide have room for whole commitments.
const WIDE: usize = 150;

/// The digits of a commitment where there is no room for all. The commands take them too.
const DIGITS: usize = 12;

#[derive(Serialize)]
struct Answer {
    commitments: Vec<show::Answer>,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let choice = Choice { table: args.table.clone(), open: args.due, between: None };
    let all = operator::read(&args.ledger, async |ledger| ledger.list(&choice, 0, u32::MAX).await)?;
    let now = time::now();
    let mut commitments: Vec<_> = all.into_iter().map(|one| show::Answer::at(one, now)).collect();
    if args.due {
        commitments.sort_by_key(|one| one.reveal_by);
    }
    let answer = Answer { commitments };
    out.show(&answer, |out| print(&answer, args, now, out));
    Ok(())
}

fn print(answer: &Answer, args: &Args, now: u64, out: &mut Out) {
    if answer.commitments.is_empty() {
        out.line(match (&args.table, args.due) {
            (None, true) => "Nothing is due.".to_owned(),
            (Some(table), true) => format!("Nothing is due at table {}.", plain(table.as_str())),
            (Some(table), false) => format!("Table {} has no commitments.", plain(table.as_str())),
            (None, false) => "No commitments yet. fairdeal commit --table NAME makes one.".to_owned(),
        });
        return;
    }
    let narrow = terminal_width().is_some_and(|columns| columns < WIDE);
    let mut rows = Rows::new(["entry", "table", "state", "rounds", "reveal by", "commitment"]);
    for one in &answer.commitments {
        let mut commitment = one.commitment.to_text();
        if narrow {
            commitment.truncate(DIGITS);
        }
        rows.add([
            one.index.to_string(),
            plain(one.table.as_str()),
            one.state_at(now),
            format!("{}/{}", one.next, one.rounds),
            time::utc(one.reveal_by),
            commitment,
        ]);
    }
    // A time and a commitment can be copied.
    rows.print(&[4, 5], out);
}
