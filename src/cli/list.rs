//! `fairdeal list`: lists a ledger's commitments.

use comfy_table::{Cell, ContentArrangement, Table, presets};
use serde::Serialize;

use super::exit::Failure;
use super::operator::{self, ReadArgs};
use super::out::{Out, plain, terminal_width};
use super::{show, time};

/// List all commitments, in log order
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    ledger: ReadArgs,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal list
  fairdeal list --json | jq -r '.commitments[] | select(.state == \"open\") | .commitment'";

/// Terminals this wide have room for whole commitments.
const WIDE: usize = 120;

#[derive(Serialize)]
struct Answer {
    commitments: Vec<show::Answer>,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let all = operator::read(&args.ledger, out, async |ledger| ledger.list(0, u32::MAX).await)?;
    let answer = Answer { commitments: all.into_iter().map(show::Answer::from).collect() };
    out.show(&answer, |out| print(&answer, out));
    Ok(())
}

fn print(answer: &Answer, out: &mut Out) {
    if answer.commitments.is_empty() {
        out.line("No commitments yet. fairdeal commit --table NAME makes one.");
        return;
    }
    let columns = terminal_width();
    let narrow = columns.is_some_and(|columns| columns < WIDE);
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["entry", "table", "state", "rounds", "reveal by", "commitment"]);
    match columns.and_then(|columns| u16::try_from(columns).ok()) {
        Some(columns) => table.set_content_arrangement(ContentArrangement::Dynamic).set_width(columns),
        None => table.set_content_arrangement(ContentArrangement::Disabled),
    };
    for one in &answer.commitments {
        let mut commitment = one.commitment.to_text();
        if narrow {
            commitment = commitment.chars().take(12).chain(['…']).collect();
        }
        table.add_row([
            Cell::new(one.index),
            Cell::new(plain(one.table.as_str())),
            Cell::new(one.state.as_str()),
            Cell::new(format!("{}/{}", one.next, one.rounds)),
            Cell::new(time::utc(one.reveal_by)),
            Cell::new(commitment),
        ]);
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    for line in table.lines() {
        out.line(line.trim_end());
    }
}
