//! `fairdeal audit`: does the whole log keep its promises? (spec/ledger.md, section 9)

mod page;
mod text;

use std::path::PathBuf;

use super::bar::Bar;
use super::exit::Failure;
use super::logs::Log;
use super::out::Out;
use super::{args, files, time};
use crate::source::{Options, Source};

/// Judge a whole log: what no single receipt shows, that nothing is missing
///
/// Applies every rule to every entry, replays every deal whose seed is out, rebuilds the tree and compares every tile.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The log: a ledger's folder or its public part, a URL, an exported file, or "-" for one on stdin
    #[arg(value_name = "LOG")]
    log: String,

    /// The log's verifier key, or a file with it; its name is the origin that the log must have
    #[arg(long, value_name = "VKEY")]
    key: String,

    /// When it is judged: Unix milliseconds, or as in 2026-01-31T12:00:00Z; else the last entry's time
    #[arg(long, value_name = "TIME", value_parser = time::parse_time)]
    now: Option<u64>,

    /// A checkpoint that you saved: the log must continue it; may be given several times
    #[arg(long, value_name = "NOTE")]
    since: Vec<PathBuf>,

    /// Go on from the audit that this file has put aside, and put this one aside there; a new file starts anew
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,

    /// Also judge the randomness of the deals: reported, never part of the verdict
    #[arg(long)]
    statistics: bool,

    /// Write the audit as one page for people who were not there, statistics too; "-" is stdout
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Keep the full tiles and entries of a log behind a URL in this folder, and read them from there next time
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal audit fairdeal-ledger --key log.key
  fairdeal audit public --key log.key --since saved.note --now 2026-12-01T00:00:00Z
  fairdeal audit fairdeal-ledger --key log.key --html audit.html
  fairdeal audit https://cards.example/log --key log.key --cache ~/.cache/fairdeal
  fairdeal audit fairdeal-ledger --key log.key --json | jq .findings

A commitment that is not revealed in time is overdue as of --now. Exit 1: the log is at fault. Exit 3: there is none to judge.";

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let key = args::verifier_key(&args.key)?;
    // Before the work: a long audit should not end with this.
    args.html.as_deref().map_or(Ok(()), |file| files::check_output("--html", file, out))?;
    let log = Log::new(&args.log, args.cache.as_deref(), Some(&key))?;
    let mut since = Vec::new();
    for path in &args.since {
        since.push((files::name(path), files::read_text(path)?));
    }
    let state = match &args.state {
        Some(path) if path.exists() => Some(files::read_text(path)?),
        Some(_) => Some(String::new()),
        None => None,
    };
    let unavailable = |error: crate::source::SourceError| Failure::unavailable(error.to_string());
    let options = Options {
        key: &key,
        as_of: args.now,
        since: &since,
        statistics: args.statistics || args.html.is_some(),
        state: state.as_deref(),
    };
    let audited = loop {
        let mut source = Source::open(log.open()?).map_err(unavailable)?;
        let bar = Bar::new();
        let audited = source.audit(&options, |done, size| bar.at(done, size)).map_err(unavailable)?;
        bar.finish();
        if audited.verdict.holds || !log.distrust() {
            break audited;
        }
    };
    log.warn();
    let verdict = audited.verdict;
    if let (Some(path), Some(state)) = (&args.state, audited.state) {
        files::save(path, &state)?;
    }
    if !verdict.holds {
        out.does_not_hold();
    }
    let page = args.html.as_deref().map(|file| (file, page::of(args, &key, &verdict)));
    if let Some((_, page)) = page.as_ref().filter(|(file, _)| files::is_stdout(file)) {
        out.text(page);
        return Ok(());
    }
    out.show(&verdict, |out| text::print(log.name(), &verdict, out));
    if let Some((file, page)) = &page {
        files::save(file, page)?;
    }
    Ok(())
}
