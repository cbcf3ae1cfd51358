//! How many deals it takes to see each wrong source at p < 1e-6, adjusted for all tests.

use fairdeal::lab::{Kind, Sampler, Source};
use fairdeal::stats::{Counts, Report};

/// Runs per source; the median is reported.
const RUNS: usize = 9;
const LEVEL: f64 = 1e-6;
/// Looks at 20, 25, 32, … deals: ten a decade.
const MOST: u64 = 2_000_000;

pub fn print() {
    println!("## Deals needed to see a wrong source at adjusted p < {LEVEL:e}\n");
    println!("| source | least | median | most | test that saw it |");
    println!("|---|---|---|---|---|");
    for source in Source::ALL.into_iter().filter(|source| source.kind() == Kind::Wrong) {
        let mut needed: Vec<(u64, String)> = (0..RUNS).map(|run| needed(source, run as u64)).collect();
        needed.sort();
        let shown =
            |at: usize| if needed[at].0 > MOST { format!("> {MOST}") } else { needed[at].0.to_string() };
        println!(
            "| {} | {} | {} | {} | {} |",
            source.name(),
            shown(0),
            shown(RUNS / 2),
            shown(RUNS - 1),
            needed[RUNS / 2].1
        );
    }
    println!();
}

fn needed(source: Source, run: u64) -> (u64, String) {
    let limit = if source == Source::Modulo16 || source == Source::Float16 { 100_000 } else { MOST };
    let mut sampler = Sampler::new(source, 52, 7_000 + run).expect("a deck");
    let mut counts = Counts::of(sampler.shape().clone());
    let mut step = 0;
    let mut look = 1;
    let mut dealt = 0;
    while look <= limit {
        while dealt < look {
            counts.add(&sampler.deal());
            dealt += 1;
        }
        let report: Report = counts.report();
        let best = report.tests.iter().min_by(|a, b| a.p_adjusted.total_cmp(&b.p_adjusted)).expect("tests");
        if best.p_adjusted < LEVEL {
            return (look, best.name.clone());
        }
        step += 1;
        look = (10.0_f64.powf(f64::from(step) / 10.0).round()) as u64;
    }
    (MOST + 1, "none".to_owned())
}
