//! `fairdeal audit`: judges a whole log (spec/audit.md).

mod memory;
mod page;
mod tables;
mod verdict;
mod watch;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::beacon::ChainArgs;
use super::exit::Failure;
use super::known::{Chosen, KnownLog};
use super::logs::{Log, LogArgs};
use super::out::Out;
use super::policy::ReadersPolicy;
use super::time::When;
use super::{files, known, logs, note, time};
use fairdeal::beacon::Chains;
use fairdeal::record::Entry;
use fairdeal_audit::source::{AuditOptions, LogSource, SourceError, StateUnused};
use fairdeal_audit::{Missed, Signatures, Times};
use fairdeal_schemes::report::is_page;

use memory::Remembered;
use tables::Tables;
use verdict::Beside;
use watch::{Line, Watcher};

/// Judge a whole log: no round is missing, every deal follows
///
/// Only an audit shows that no round is missing between those in the log. It applies every rule to
/// every entry, replays every deal whose seed is revealed, rebuilds the tree, and compares every
/// tile.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(super) struct Args {
    #[command(flatten)]
    log: LogArgs,

    /// The log's verifier key, or a file with it. The log must have its name as origin [default:
    /// the known key of the log's origin, see fairdeal trust]
    #[arg(long, value_name = "VKEY")]
    key: Option<String>,

    /// Your witnesses: a tlog-policy file. Anchors and the checkpoint are judged by it [default: the
    /// policy that is kept with the known key, see fairdeal trust]
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,

    /// The time at which to judge what is overdue: now, 2026-01-31T12:00:00Z, 2026-01-31 for the
    /// end of that day in UTC (for today: now), or Unix milliseconds [default: now for a URL, else
    /// the last entry's time]
    #[arg(long, value_name = "TIME", value_parser = time::parse_when)]
    as_of: Option<When>,

    /// The time of your clock, for tests and records [default: the system's]. No entry may be more
    /// than 5 minutes ahead
    #[arg(long, value_name = "TIME", value_parser = time::parse_time)]
    clock: Option<u64>,

    /// Skip the signatures of contributions. They take most of the time if all are signed
    #[arg(long)]
    skip_signatures: bool,

    #[command(flatten)]
    chains: ChainArgs,

    /// Skip the signatures of beacons
    #[arg(long, conflicts_with = "beacon_chain")]
    skip_beacons: bool,

    /// A checkpoint that you saved: the log must continue it; may be repeated
    #[arg(long, value_name = "NOTE")]
    since: Vec<PathBuf>,

    /// Continue the audit saved in this file, then save this one there. A new file starts from the
    /// first entry
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,

    /// Test the randomness of the deals too: reported, never part of the verdict
    #[arg(long)]
    statistics: bool,

    /// Write the audit as one HTML page for other people, with statistics; "-" is stdout
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Write the page without statistics. They take several times as long as the audit itself
    #[arg(long, requires = "html", conflicts_with = "statistics")]
    no_statistics: bool,

    /// Print each finding when it is met, one JSON object a line: {"finding": …}; at the end
    /// {"verdict": …} as in --json
    #[arg(long, conflicts_with = "cache")]
    ndjson: bool,

    /// Write entries.csv, rounds.csv and findings.csv into this folder. Replaces older ones
    #[arg(long, value_name = "DIR")]
    csv: Option<PathBuf>,

    /// For a log behind a URL: keep its full tiles and entries and its last verified checkpoint in
    /// this folder
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal audit fairdeal-ledger --key log.key
  fairdeal audit public --key log.key --since saved.note --as-of now
  fairdeal audit public --key log.key --policy witnesses.policy
  fairdeal audit fairdeal-ledger --key log.key --html audit.html
  fairdeal audit fairdeal-ledger --key log.key --html audit.html --no-statistics
  fairdeal audit https://cards.example/log --key log.key \\
      --cache ~/.cache/fairdeal
  fairdeal audit fairdeal-ledger --key log.key --json | jq .findings
  fairdeal audit fairdeal-ledger --key log.key --ndjson \\
      | jq -c 'select(.finding).finding'
  fairdeal audit fairdeal-ledger --key log.key --csv tables

A commitment is overdue if it is not revealed in time, judged at --as-of. Exit 1: the log is at fault. Exit 3: the log \
cannot be read.

With --cache the log must continue the last verified checkpoint. A log with fewer entries is not judged (exit 3). A log \
with another history is a finding, and its checkpoint is saved beside the last one. Cached files are judged too. Of each \
kind of file, the last one and another one are read from the log again and compared.

--ndjson and --csv list every finding, while --json keeps 1,000 of each code. The exception: of contributors' checkpoints \
that contradict the log they too list 1,000, because these count only once all files agree. Findings that need the end of \
the log come last. Without a line {\"verdict\": …} there is no verdict. --ndjson does not go with --cache: a finding in \
cached files makes the audit read the log again, and lines on stdout cannot be taken back.

The tables have a header, CRLF line ends, and times in Unix milliseconds. Text that a spreadsheet could take for a formula \
(it starts with = + - @, a tab or a line end) gets an apostrophe in front. So does text that starts with an apostrophe: \
remove the first one. An entry's effect is false if a finding ended its judging or its commitment is of another protocol. \
The tables are written when the audit is done. With --state, --ndjson and --csv list only the new entries.";

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let name = args.log.name()?;
    let chosen = known::key_of_log(args.key.as_deref(), &name)?;
    let policy = ReadersPolicy::of(args.policy.as_deref(), &chosen)?;
    let Chosen { key, known } = chosen;
    check_outputs(args, out)?;
    let chains = if args.skip_beacons { Chains::none() } else { args.chains.read()? };
    let log = Log::new(&name, args.cache.as_deref(), Some(&key))?;
    let mut since = Vec::new();
    for path in &args.since {
        since.push((files::name(path), note::read_any("--since", path)?.0));
    }
    let remembered = Remembered::read(&log, &key)?;
    since.extend(remembered.as_ref().and_then(Remembered::since));
    let state = match &args.state {
        Some(path) if path.exists() => Some(files::read_text(path)?),
        Some(_) => Some(String::new()),
        None => None,
    };
    let clock = args.clock.unwrap_or_else(time::now);
    let as_of = as_of(args, &log, clock)?;
    let unavailable = |error: SourceError| match (&error, &args.state) {
        (SourceError::State(_), Some(path)) => {
            unavailable!("--state {}: {error}", files::name(path))
        }
        _ => Failure::unavailable(error.to_string()),
    };
    let statistics = args.statistics || args.html.is_some() && !args.no_statistics;
    let what = if statistics { "audit, statistics" } else { "audit" };
    let options = AuditOptions {
        key: &key,
        policy: policy.as_ref().map(|policy| &policy.policy),
        chains: &chains,
        times: Times { as_of, clock: Some(clock) },
        signatures: if args.skip_signatures { Signatures::Skipped } else { Signatures::Verified },
        since: &since,
        missed: Missed::new(),
        statistics,
        statistics_after: None,
        state: state.as_deref(),
    };
    let (source, mut audited, tables) = loop {
        let mut source = LogSource::open(log.open()?).map_err(unavailable)?;
        if let Some((now, _)) = memory::signed(&source, &key) {
            remembered.as_ref().map_or(Ok(()), |remembered| remembered.check_size(&log, &now))?;
            log.compare_again(&now);
        }
        let tables = args.csv.as_deref().map(Tables::create).transpose()?;
        let mut watcher = Watcher::new(what, args.ndjson.then_some(&mut *out), tables);
        let audited = source.audit_watched(&options, &mut watcher).map_err(unavailable)?;
        let tables = watcher.finish();
        if audited.verdict.holds || !log.distrust() {
            break (source, audited, tables);
        }
        // Start the tables again: findings from cached files must not stay.
    };
    log.settle(!audited.verdict.findings.iter().any(memory::about_the_tree));
    log.warn();
    if let Some(remembered) = &remembered {
        remembered
            .learn(&source, &key, &mut audited.verdict)?
            .iter()
            .for_each(|says| logs::warn(says));
        audited.continued.retain(|(name, _)| *name != remembered.name());
    }
    if let Some(unused) = args.state.as_deref().zip(audited.anew) {
        warn_unused(unused);
    }
    let verdict = &audited.verdict;
    // Tables before the state: from a saved state their rows would not be met again.
    let written = tables.map(|(tables, written)| tables.keep().map(|()| written)).transpose()?;
    if let (Some(path), Some(state)) = (&args.state, &audited.state) {
        files::save(path, state)?;
    }
    if !verdict.holds {
        out.does_not_hold();
    }
    let page = args.html.as_deref().map(|file| (file, page::of(args, &log, &key, &audited)));
    if let Some((_, page)) = page.as_ref().filter(|(file, _)| files::is_stdout(file)) {
        out.text(page);
        return Ok(());
    }
    // Saved before it is said, so that nothing is said to be saved that is not. The verdict is
    // printed in any case.
    let saved =
        page.as_ref().map(|(file, page)| files::save(file, page).map(|()| *file)).transpose();
    let written = Beside {
        is_another_tree: audited.is_another_tree,
        judged_before: args.state.is_some().then_some(audited.judged_before),
        cached: log.served_from_cache(),
        tables: args.csv.as_deref().zip(written),
        page: saved.as_ref().ok().copied().flatten(),
    };
    if args.ndjson {
        Line::Verdict(written.with(verdict)).print(out);
    } else {
        let answer = written.with(verdict);
        out.show(&answer, |out| {
            verdict::print(log.name(), verdict, &audited.continued, &written, out);
            print_judged_by(known.as_ref(), policy.as_ref(), out);
        });
    }
    saved.map(|_| ())
}

/// Says which known key and which policy judged.
fn print_judged_by(known: Option<&KnownLog>, policy: Option<&ReadersPolicy>, out: &mut Out) {
    if let Some(known) = known {
        known::print(known, out);
    }
    if let Some(policy) = policy {
        policy.print(out);
    }
}

/// Says why a state was not used.
fn warn_unused((path, why): (&Path, StateUnused)) {
    let says = match why {
        StateUnused::Unsigned => {
            "its checkpoint is not signed by the key, so the audit began with the first entry, and does not use it"
        }
        StateUnused::OtherPolicy => {
            "its audit was under another policy or under none, so this one began with the first entry"
        }
    };
    logs::warn(&format!("--state {}: {says}", files::name(path)));
}

/// In milliseconds.
const A_DAY: u64 = 86_400_000;

/// The time at which commitments are judged overdue; `None`: that of the last entry.
fn as_of(args: &Args, log: &Log, clock: u64) -> Result<Option<u64>, Failure> {
    match args.as_of {
        Some(When::Now) => Ok(Some(clock)),
        Some(When::EndOf(time)) if time / A_DAY == clock / A_DAY => Ok(Some(clock)),
        Some(When::At(time) | When::EndOf(time)) => {
            is_after_the_first_entry(log, time).map(|()| Some(time))
        }
        None => Ok(log.is_live().then_some(clock)),
    }
}

/// A time before the log's first entry is a slip: no commitment could be overdue, and every log would
/// hold. A log on stdin can be read only once, and is not looked at.
/// Exit 2 if it is earlier. What cannot be read here is the audit's to say.
fn is_after_the_first_entry(log: &Log, time: u64) -> Result<(), Failure> {
    if log.is_stdin() {
        return Ok(());
    }
    let source = log.open().ok().and_then(|files| LogSource::open(files).ok());
    let first = source.and_then(|source| source.published(&BTreeSet::from([0])).pop());
    let Some(Ok(first)) = first.map(|first| Entry::parse(&first.bytes)) else { return Ok(()) };
    let begun = first.time();
    if begun <= time {
        return Ok(());
    }
    Err(usage!(
        "--as-of: expected a time after the log's first entry, which is of {}, found {}",
        time::utc(begun),
        time::utc(time)
    ))
}

/// Refuses, before the work, outputs that do not go together.
/// Before the work: a long audit should not fail at its end.
fn check_outputs(args: &Args, out: &Out) -> Result<(), Failure> {
    if let Some(file) = &args.html {
        files::check_output("--html", file, out)?;
        files::check_replaces("--html", file, "an audit's page", is_page)?;
        files::check_writable(file)?;
    }
    if let Some(file) = &args.state {
        files::check_keeps("--state", file)?;
        files::check_writable(file)?;
    }
    check_lists(args, out)
}

fn check_lists(args: &Args, out: &Out) -> Result<(), Failure> {
    if args.ndjson && out.json() {
        return Err(Failure::usage("--ndjson: expected no --json, which prints one object"));
    }
    if args.ndjson && args.html.as_deref().is_some_and(files::is_stdout) {
        return Err(Failure::usage(
            "--html -: expected a file: with --ndjson stdout has the findings",
        ));
    }
    if args.csv.as_deref() == Some(Path::new("-")) {
        return Err(Failure::usage("--csv -: expected a folder, for three tables"));
    }
    Ok(())
}
