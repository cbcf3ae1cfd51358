//! `fairdeal bench`: a load on a running service.

use std::time::Duration;

use super::args;
use super::bar::Bar;
use super::exit::Failure;
use super::out::{BAD, FAINT, Out, count};
use super::time;
use super::waiting::Waiting;
use crate::entropy::random;
use crate::load::{self, LoadError, LoadPlan, LoadReport};

/// Put a load on a running service: deals at a steady rate, their latencies, and their receipts verified on the way
///
/// It deals for real: use a service of its own, not one that players use. Every run makes tables of its own.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The service's address
    url: String,

    /// A token with the right to write
    #[arg(long, value_name = "TOKEN", env = "FAIRDEAL_TOKEN", hide_env_values = true)]
    token: String,

    /// The log's key, to verify receipts with: a verifier key, or a file with one
    #[arg(long, value_name = "KEY")]
    key: Option<String>,

    /// How many tables
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    tables: u32,

    /// How many players bring a seed to each deal
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=64))]
    players: u32,

    /// Deals a second, whether or not the service keeps up [default: each connection sends when it is answered]
    #[arg(long, value_name = "N", value_parser = rate)]
    rate: Option<f64>,

    /// For how long
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time::parse_duration)]
    time: Duration,

    /// How many connections
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    connections: u32,

    /// Verify one of so many receipts; 0 for none. Needs --key
    #[arg(long, value_name = "N", default_value_t = 16)]
    verify_every: u32,
}

const EXAMPLES: &str = "\
Examples:
  fairdeal bench http://127.0.0.1:8080 --token $TOKEN --key log.key
  fairdeal bench http://127.0.0.1:8080 --rate 2000 --time 60s --connections 256 --json";

fn rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(rate) if rate > 0.0 && rate <= 1e7 => Ok(rate),
        _ => Err("expected a number over 0, at most 10000000".to_owned()),
    }
}

pub(super) fn run(args: &Args, out: &mut Out) -> Result<(), Failure> {
    let key = args.key.as_deref().map(args::verifier_key).transpose()?;
    let name = random::<4>().map_err(|error| Failure::unavailable(error.to_string()))?;
    let plan = LoadPlan {
        url: args.url.clone(),
        token: args.token.clone(),
        key,
        prefix: format!("bench-{}-", hex::encode(*name)),
        tables: args.tables,
        players: args.players,
        rate: args.rate,
        time: args.time,
        connections: args.connections,
        verify_every: args.verify_every,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::unavailable(format!("the system: {error}")))?;
    let bar = Bar::of_time("bench");
    let most = load::ANSWER.as_secs();
    let says = format!("{}: a call without an answer is given up after {most} s", args.url);
    let progress = Waiting::new(says).until(|over, deals| bar.at_time(deals, over, args.time));
    let report = runtime.block_on(load::run(plan, progress));
    bar.finish();
    let report = report.map_err(|error| match error {
        LoadError::Target(error) => Failure::usage(error.to_string()),
        LoadError::OtherKey { .. } => Failure::usage(format!("--key: {error}")),
        LoadError::Refused { status: 401 | 403, .. } => {
            Failure::usage(error.to_string()).hint("fairdeal token add NAME makes a token.")
        }
        error => Failure::unavailable(error.to_string()),
    })?;
    out.show(&report, |out| print(&report, out));
    if !report.holds() {
        return Err(Failure::unsound(count(report.wrong, "answer does not hold", "answers do not hold")));
    }
    // A load that was not answered was not carried.
    if report.broken > 0 {
        let how = report.how.as_deref().unwrap_or("no answer");
        let calls = count(report.broken, "call broke", "calls broke");
        return Err(Failure::unavailable(format!("{calls}: {how}")));
    }
    Ok(())
}

/// The width of the longest bar.
const WIDTH: u64 = 40;

fn print(report: &LoadReport, out: &mut Out) {
    out.field(
        "deals",
        format_args!("{} in {:.1} s, {:.0} a second", report.deals, report.seconds, report.rate),
    );
    let asked = report.asked_rate.map_or_else(
        || "each sends when it is answered".to_owned(),
        |rate| format!("{rate} a second asked for"),
    );
    let connections = count(u64::from(report.connections), "connection", "connections");
    let tables = count(u64::from(report.tables), "table", "tables");
    let players = count(u64::from(report.players), "player", "players");
    out.field("load", format_args!("{connections}, {tables}, {players} a deal; {asked}"));
    let load::Latency { p50, p90, p99, p99_9, max, mean } = report.latency;
    out.field("latency", format_args!("p50 {p50:.2} ms · p90 {p90:.2} · p99 {p99:.2} · p99.9 {p99_9:.2}"));
    out.more(format_args!("max {max:.2} · mean {mean:.2} {FAINT}from the intended time{FAINT:#}"));
    let bars = report.bars();
    let most = bars.iter().map(|(_, many)| *many).max().unwrap_or(0).max(1);
    for (under, many) in bars {
        let length = usize::try_from((many * WIDTH).div_ceil(most)).unwrap_or(0);
        out.more(format_args!("{FAINT}< {under:>9.3} ms{FAINT:#} {:<40} {many}", "█".repeat(length)));
    }
    for (code, many) in &report.refused {
        out.field("refused", format_args!("{BAD}{many}{BAD:#} {code}"));
    }
    if report.broken > 0 {
        let how = report.how.as_deref().unwrap_or("");
        out.field("broken", format_args!("{BAD}{}{BAD:#} {how}", report.broken));
    }
    out.field("receipts", format_args!("{} verified, {} wrong", report.verified, report.wrong));
}
