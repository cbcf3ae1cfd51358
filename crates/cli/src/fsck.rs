//! `fairdeal fsck`: compares a ledger's state, its published files and its checkpoint.

use serde::Serialize;

use super::again::Again;
use super::bar::Bar;
use super::exit::Failure;
use super::hints;
use super::operator::{self, LedgerPath};
use super::out::{BAD, GOOD, Out};
use fairdeal_ledger::{Fsck, Ledger, Location};

/// Compare a ledger's state, published files and checkpoint
///
/// Compares entry by entry; nothing can be dealt meanwhile. The published log alone is checked by
/// `fairdeal audit`, which needs no secret.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    dir: LedgerPath,

    /// Make again what follows from the log: damaged files, and the state in a new file. Stop the
    /// service first
    #[arg(long)]
    repair: bool,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal fsck
  fairdeal fsck /srv/cards --repair";

#[derive(Serialize)]
struct Answer {
    holds: bool,
    size: u64,
    published: u64,
    commitments: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    read_only: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<String>,
    faults: Vec<Fault>,
}

#[derive(Serialize)]
struct Fault {
    what: String,
    says: String,
    repaired: bool,
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let bar = Bar::new("check");
    let waiting = args.dir.vault.waiting(&args.dir.dir(), None);
    let mut progress = waiting.until(|done, size| bar.at(done, size));
    let options = args.dir.vault.options();
    let checked =
        operator::block_on(Ledger::fsck(args.dir.location(), options, args.repair, &mut progress))?;
    drop(progress);
    bar.finish();
    let checked = checked.map_err(|error| hints::failure(error, &args.dir.again()))?;
    told(checked, &args.dir.location(), &args.dir.again(), args.repair, out)
}

/// Prints what was found.
pub(super) fn told(
    checked: Fsck,
    at: &Location,
    again: &Again,
    repair: bool,
    out: &mut Out,
) -> Result<(), Failure> {
    let faults: Vec<Fault> = checked
        .faults
        .into_iter()
        .map(|fault| Fault { what: fault.what, says: fault.says, repaired: fault.repaired })
        .collect();
    // In a folder everybody knows where they are.
    let files = at.tiles.is_some().then(|| at.shown_tiles());
    let holds = faults.iter().all(|fault| fault.repaired);
    let answer = Answer {
        holds,
        size: checked.entries,
        published: checked.published,
        commitments: checked.commitments,
        files,
        read_only: checked.read_only,
        kept: checked.kept.map(|path| path.display().to_string()),
        faults,
    };
    out.show(&answer, |out| print(&answer, out));
    if holds {
        return Ok(());
    }
    let left = answer.faults.iter().filter(|fault| !fault.repaired);
    let first = left
        .clone()
        .next()
        .map_or_else(String::new, |fault| format!("{}: {}", fault.what, fault.says));
    let more = if left.count() > 1 { ", and more" } else { "" };
    let failure = Failure::unsound(format!("{first}{more}"));
    let of_checkpoint = answer.faults.iter().any(|fault| fault.what == "checkpoint");
    Err(if of_checkpoint && answer.published == 0 {
        // It is gone, or damaged: then nothing tells how many are published.
        failure.hint(format!(
            "Find the newest checkpoint that anybody has seen, and give it to: fairdeal republish{} --against NOTE-or-URL (docs/operators.md).",
            again.as_argument()
        ))
    } else if of_checkpoint {
        failure.hint(
            "Find the newest checkpoint that anybody has seen. docs/operators.md says what to do with it.",
        )
    } else if checked.needs_backup && at.state.is_none() {
        failure.hint(
            "A backup has the rest: fairdeal restore BACKUP DIR --against NOTE-or-URL (docs/operators.md).",
        )
    } else if checked.needs_backup {
        failure.hint("A dump of the database has the rest: docs/operators.md.")
    } else if repair {
        failure.hint("docs/operators.md says what to do about the rest.")
    } else {
        failure.hint("With --repair, what can be made again is.")
    })
}

fn print(answer: &Answer, out: &mut Out) {
    field!(out, "entries", "{}, of which {} are published", answer.size, answer.published);
    out.field("commitments", answer.commitments);
    if let Some(files) = answer.files.as_ref().filter(|_| !answer.faults.is_empty()) {
        out.field("files", files);
    }
    if let Some(why) = &answer.read_only {
        field!(out, "read only", "{why}; others may have dealt meanwhile");
    }
    if let Some(kept) = &answer.kept {
        out.field("kept", format_args!("{kept}: the damaged state"));
    }
    for fault in &answer.faults {
        let state = if fault.repaired { "repaired" } else { "wrong" };
        field!(out, state, "{}: {}", fault.what, fault.says);
    }
    if answer.faults.is_empty() {
        say!(out, "{GOOD}State, files and checkpoint agree.{GOOD:#}");
    } else if answer.holds {
        say!(out, "{GOOD}All of it was made again.{GOOD:#}");
    } else {
        say!(out, "{BAD}State, files and checkpoint do not agree.{BAD:#}");
    }
}
