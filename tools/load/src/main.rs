//! `cargo run --release -p fairdeal-load -- URL`: a load on a running service.
//!
//! It deals for real: use a service of its own, not one that players use. Every run makes tables of
//! its own.

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use fairdeal::log::VerifierKey;
use load::{LoadPlan, LoadReport};

/// Put a load on a running service: deals at a steady rate, their latencies, and receipts verified
/// on the way
#[derive(Debug, Parser)]
struct Args {
    /// The service's address
    url: String,

    /// A token with the right to write
    #[arg(long, env = "FAIRDEAL_TOKEN", hide_env_values = true)]
    token: String,

    /// The log's verifier key, to verify receipts with
    #[arg(long)]
    key: Option<VerifierKey>,

    /// The prefix of the tables' names [default: of this process alone]
    #[arg(long)]
    prefix: Option<String>,

    /// How many tables
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    tables: u32,

    /// How many players bring a seed to each deal
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=64))]
    players: u32,

    /// Deals a second, whether or not the service keeps up [default: each connection sends when it
    /// is answered]
    #[arg(long, value_parser = rate)]
    rate: Option<f64>,

    /// For how many seconds
    #[arg(long, default_value_t = 10)]
    seconds: u64,

    /// How many connections
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    connections: u32,

    /// Verify one of so many receipts; 0 for none. Needs --key
    #[arg(long, default_value_t = 16)]
    verify_every: u32,
}

fn rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(rate) if rate > 0.0 && rate <= 1e7 => Ok(rate),
        _ => Err("expected a number over 0, at most 10000000".to_owned()),
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    let plan = LoadPlan {
        url: args.url,
        token: args.token,
        key: args.key,
        prefix: args.prefix.unwrap_or_else(|| format!("load-{}-", std::process::id())),
        tables: args.tables,
        players: args.players,
        rate: args.rate,
        time: Duration::from_secs(args.seconds),
        connections: args.connections,
        verify_every: args.verify_every,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    match runtime.map(|runtime| runtime.block_on(load::run(plan, |_, _| ()))) {
        Ok(Ok(report)) => tell(&report),
        Ok(Err(error)) => failed(&error),
        Err(error) => failed(&error),
    }
}

#[expect(clippy::print_stdout, reason = "a tool prints its report")]
fn tell(report: &LoadReport) -> ExitCode {
    println!("{}", serde_json::to_string_pretty(report).expect("a plain structure"));
    if report.holds() && report.broken == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[expect(clippy::print_stderr, reason = "a tool says why it stopped")]
fn failed(error: &dyn std::error::Error) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::FAILURE
}
