//! `fairdeal stats`: tests whether many deals look uniform. Never a verdict on one deal.

mod of_log;

use std::path::{Path, PathBuf};

use super::exit::Failure;
use super::files;
use super::logs::LogArgs;
use super::out::{BAD, FAINT, GOOD, Out, STRONG, plain, terminal_width, wrapped};
use fairdeal::deal::DeckName;
use fairdeal_audit::stats::{DeckLines, Report, Test, count_lines};

/// Test the randomness of many decks, which replay cannot see
///
/// Runs every test of docs/statistics.md and adjusts for their number: at most 1 % of files of fair
/// decks raise an alarm.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    log: LogArgs,

    /// The log's verifier key, or a file with it. With it, only deals that the audit replays are
    /// counted; without it, all
    #[arg(long, value_name = "VKEY", conflicts_with = "decks")]
    key: Option<String>,

    /// Count only the deals in the log's entries after this index, to test an alarm with deals that
    /// did not raise it
    #[arg(long, value_name = "INDEX", conflicts_with = "decks")]
    after: Option<u64>,

    /// Decks, one a line, two characters for each card, in deal order; "-" is stdin
    #[arg(long, value_name = "FILE", conflicts_with_all = ["log", "ledger"])]
    decks: Option<PathBuf>,

    /// The deck that each line is dealt from [default: each line is a whole deck; its length says
    /// which]
    #[arg(long, value_name = "DECK", requires = "decks", value_parser = |text: &str| DeckName::parse(text))]
    deck: Option<DeckName>,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal stats fairdeal-ledger --key log.key
  fairdeal stats fairdeal-ledger --key log.key --after 20058
  fairdeal stats --decks shuffles.txt
  fairdeal stats --decks flops.txt --deck standard-52
  fairdeal lab modulo-8 --decks 1000 --print | fairdeal stats --decks -

Exit 1 on an alarm. An alarm is no proof: by chance the tests raise one in at most 1 of 100 fair files, and for a log's \
deals the watch in at most 1 of 100 more for each deck. What tells chance from a cause is new deals: a cause raises the \
alarm again, chance hardly ever does. docs/statistics.md says what these tests cannot see; that is what the commitments \
are for.";

/// Decks need no log.
const NO_LOG: &str = "--decks FILE tests decks of a file.";

/// Tests printed without an alarm: those with the smallest p.
const PRINTED: usize = 8;

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    match &args.decks {
        Some(decks) => of_decks(decks, args, out),
        None => of_log::run(args, &args.log.name().map_err(|failure| failure.hint(NO_LOG))?, out),
    }
}

fn of_decks(decks: &Path, args: &Args, out: &mut Out) -> Result<(), Failure> {
    let name = files::name(decks);
    let bytes = files::read(decks)?;
    let lines = args.deck.map_or_else(DeckLines::whole, DeckLines::of);
    let counts = count_lines(&bytes, lines).map_err(|error| unavailable!("{name}: {error}"))?;
    let report = counts.report();
    out.show(&report, |out| {
        print(&name, &report, out);
        if report.alarm {
            let next = "shuffle as many decks again, and test those alone, in a file of their own.";
            explain("file", 1, &report.tests, next, out);
        }
    });
    if report.alarm {
        out.does_not_hold();
    }
    Ok(())
}

pub(super) fn print(name: &str, report: &Report, out: &mut Out) {
    let name = plain(name);
    if report.alarm {
        say!(out, "{STRONG}{name}{STRONG:#}  {BAD}alarm{BAD:#}");
    } else {
        say!(out, "{STRONG}{name}{STRONG:#}  {GOOD}no alarm{GOOD:#}");
    }
    out.field("decks", report.decks);
    let mut tests: Vec<&Test> = report.tests.iter().collect();
    tests.sort_by(|a, b| a.p_adjusted.total_cmp(&b.p_adjusted).then(a.p.total_cmp(&b.p)));
    let alarming =
        tests.iter().filter(|test| test.p_adjusted < fairdeal_audit::stats::FAMILY).count();
    let shown = alarming.max(PRINTED).min(tests.len());
    let wide = tests[..shown].iter().map(|test| test.name.chars().count()).fold(26, usize::max) + 2;
    say!(out, "{FAINT}{:<wide$}{:>14}{:>12}{:>12}{FAINT:#}", "test", "statistic", "p", "adjusted");
    for test in &tests[..shown] {
        let style = if test.p_adjusted < fairdeal_audit::stats::FAMILY {
            BAD
        } else {
            anstyle::Style::new()
        };
        say!(
            out,
            "{style}{:<wide$}{:>14.3}{:>12}{:>12}{style:#}",
            plain(&test.name),
            test.statistic,
            probability(test.p),
            probability(test.p_adjusted)
        );
    }
    if let Some(more) = tests.len().checked_sub(shown).filter(|&more| more > 0) {
        say!(out, "{FAINT}and {more} more, each with a larger p{FAINT:#}");
    }
    for skipped in &report.skipped {
        say!(out, "{FAINT}not run: {}: {}{FAINT:#}", plain(&skipped.name), skipped.why);
    }
}

/// Explains an alarm: how often chance raises one in fair logs or files (`what`), and what to do
/// next.
fn explain(what: &str, percent: usize, tests: &[Test], next: &str, out: &mut Out) {
    let mut says = vec![format!(
        "An alarm is no proof. Chance alone raises one in at most {percent} of 100 fair {what}s."
    )];
    let smallest = tests.iter().map(|test| test.p_adjusted).fold(1.0, f64::min);
    if smallest < 0.001 {
        let p = probability(smallest);
        says.push(format!("It gives an adjusted p of {p} or less in at most that share of them."));
    }
    says.push(
        "New deals tell chance from a cause: a cause raises the alarm again, chance hardly ever."
            .into(),
    );
    says.push(format!("Next: {next}"));
    let columns = terminal_width().unwrap_or(usize::MAX);
    out.line("");
    says.iter().flat_map(|line| wrapped(line, columns)).for_each(|line| out.line(line));
}

/// A probability; small ones with their exponent.
pub(super) fn probability(p: f64) -> String {
    if p == 0.0 || p >= 0.001 { format!("{p:.4}") } else { format!("{p:.1e}") }
}
