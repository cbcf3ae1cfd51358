//! How many deals it takes to see each wrong source at p < 1e-6, adjusted for all tests.

use fairdeal_audit::stats::Counts;
use fairdeal_schemes::lab::{Kind, Sampler, Shuffle};

/// Runs per source; the median is reported.
const RUNS: u64 = 9;
const LEVEL: f64 = 1e-6;

/// Sources that two million deals do not show.
const WEAK: [Shuffle; 2] = [Shuffle::Modulo16, Shuffle::Float16];

pub fn print() {
    println!("## Deals needed to see a wrong source at p < 1e-6, adjusted (looks ten a decade)\n");
    println!("| source | least | median of {RUNS} | most | test that saw it |");
    println!("|---|---|---|---|---|");
    let wrong = Shuffle::ALL
        .iter()
        .copied()
        .filter(|source| source.kind() == Kind::Wrong && !WEAK.contains(source));
    for source in wrong {
        row(source, RUNS, 2_000_000, None);
    }
    println!("\nOne test alone, not adjusted:\n");
    println!("| source and test | least | median of {RUNS} | most | |");
    println!("|---|---|---|---|---|");
    row(Shuffle::Modulo8, RUNS, 100_000, Some("digits"));
    row(Shuffle::SortKeys, RUNS, 100_000, Some("adjacent pairs"));
    row(Shuffle::SwapAny, RUNS, 100_000, Some("position by card"));
    println!();
}

/// 16-bit words: these take an hour.
pub fn print_weak() {
    println!("## The same for 16-bit words\n");
    println!("| source | least | median of 3 | most | test that saw it |");
    println!("|---|---|---|---|---|");
    for source in WEAK {
        row(source, 3, 100_000_000, None);
    }
    println!();
}

fn row(source: Shuffle, runs: u64, most: u64, only: Option<&str>) {
    let mut needed: Vec<(u64, String)> =
        (0..runs).map(|run| needed(source, run, most, only)).collect();
    needed.sort();
    let shown = |at: usize| match needed[at].0 {
        u64::MAX => format!("> {most}"),
        deals => deals.to_string(),
    };
    let middle = needed.len() / 2;
    println!(
        "| {} | {} | {} | {} | {} |",
        source.as_str(),
        shown(0),
        shown(middle),
        shown(needed.len() - 1),
        needed[middle].1
    );
}

fn needed(source: Shuffle, run: u64, most: u64, only: Option<&str>) -> (u64, String) {
    let mut sampler = Sampler::new(source, 52, 7_000 + run).expect("a deck");
    let mut counts = Counts::of(sampler.shape().clone());
    let (mut step, mut look, mut dealt) = (0, 1, 0);
    while look <= most {
        while dealt < look {
            counts.add(&sampler.deal());
            dealt += 1;
        }
        let tests = counts.report().tests;
        let p = |test: &fairdeal_audit::stats::Test| {
            if only.is_some() { test.p } else { test.p_adjusted }
        };
        let tests = tests.iter().filter(|test| only.is_none_or(|name| name == test.name));
        let best = tests.min_by(|a, b| p(a).total_cmp(&p(b)));
        if let Some(best) = best.filter(|best| p(best) < LEVEL) {
            return (look, best.name.clone());
        }
        step += 1;
        look = 10.0_f64.powf(f64::from(step) / 10.0).round() as u64;
    }
    (u64::MAX, "none".to_owned())
}
