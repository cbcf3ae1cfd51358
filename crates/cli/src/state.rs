//! `fairdeal state`: what is done with a ledger's state as a whole.

use std::time::Duration;

use clap::Subcommand;
use serde::Serialize;

use super::bar::Bar;
use super::exit::Failure;
use super::hints;
use super::operator;
use super::out::{Out, count};
use fairdeal_ledger::{LedgerOptions, StatePlace, copy_state};

/// Copy a ledger's state into another database, and go on there
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, subcommand_required = true, disable_help_subcommand = true)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Copy a state. Nothing can be dealt meanwhile, and afterwards from the copy alone
    Copy {
        /// The state as it is: a ledger's folder, or
        /// postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME
        #[arg(value_name = "FROM", env = "FAIRDEAL_COPY_FROM", hide_env_values = true)]
        from: StatePlace,

        /// The new place, in the same form: a folder's private/ without a state, or a schema
        /// without one
        #[arg(value_name = "TO", env = "FAIRDEAL_COPY_TO", hide_env_values = true)]
        to: StatePlace,

        /// How long to wait for another process that uses the ledger
        #[arg(long, value_name = "SECONDS", default_value_t = 5)]
        wait: u64,
    },
}

const EXAMPLES: &str = "\
Examples:
  fairdeal state copy ./fairdeal-ledger postgres://cards@db.example/cards
  fairdeal state copy postgres://cards@db.example/cards ./fairdeal-ledger

The keys stay in the ledger's folder, and the published files where they are. Every row is read again and compared, and \
the checkpoint is verified. The old state stays, and deals nothing any more: it says where it went. A copy that was \
interrupted goes on when it is asked for again.";

#[derive(Serialize)]
struct Answer {
    from: String,
    to: String,
    entries: u64,
    commitments: u64,
    rounds: u64,
    answers: u64,
    memos: u64,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let Action::Copy { from, to, wait } = &args.action;
    let options = LedgerOptions { wait: Duration::from_secs(*wait), ..LedgerOptions::default() };
    let bar = Bar::of("copy", "rows");
    let mut progress = |done, all| bar.at(done, all);
    let copied = operator::block_on(copy_state(from, to, &options, &mut progress))?;
    bar.finish();
    let copied = copied
        .map_err(|error| hints::failure(error, &std::path::Path::new(&from.to_string()).into()))?;
    let answer = Answer {
        from: from.to_string(),
        to: to.to_string(),
        entries: copied.entries,
        commitments: copied.commitments,
        rounds: copied.rounds,
        answers: copied.answers,
        memos: copied.memos,
    };
    out.show(&answer, |out| {
        let commitments = count(answer.commitments, "commitment", "commitments");
        field!(out, "copied", "{}, {commitments}", count(answer.entries, "entry", "entries"));
        field!(out, "from", "{}, from which nothing is dealt any more", answer.from);
        out.field("to", &answer.to);
    });
    Ok(())
}
