//! p-values on fair decks: how often each test's p is at or under a level, over thousands of runs.

use std::collections::BTreeMap;

use fairdeal::lab::{Source, sample};

const LEVELS: [f64; 4] = [0.5, 0.1, 0.01, 0.001];

pub fn print() {
    println!("## p-values on fair decks\n");
    for (items, decks, runs) in [
        (52, 20, 20_000),
        (52, 100, 20_000),
        (52, 1_000, 5_000),
        (52, 5_000, 2_000),
        (6, 30, 20_000),
        (6, 1_000, 10_000),
        (36, 200, 10_000),
        (104, 100, 4_000),
    ] {
        table(Source::FisherYates, items, decks, runs);
    }
    table(Source::Partial, 52, 200, 20_000);
}

fn table(source: Source, items: u32, decks: u64, runs: u32) {
    let mut under: BTreeMap<String, [u32; LEVELS.len()]> = BTreeMap::new();
    let mut alarms = 0_u32;
    let mut order = Vec::new();
    for run in 0..runs {
        let report = sample(source, items, decks, u64::from(run) + 1_000_000).expect("a deck").report();
        alarms += u32::from(report.alarm);
        for test in report.tests {
            if !order.contains(&test.name) {
                order.push(test.name.clone());
            }
            let counts = under.entry(test.name).or_default();
            for (count, level) in counts.iter_mut().zip(LEVELS) {
                *count += u32::from(test.p <= level);
            }
        }
    }
    println!(
        "{} of {items} items, {decks} deals, {runs} runs: {alarms} alarms ({:.2} %)\n",
        source.name(),
        100.0 * f64::from(alarms) / f64::from(runs)
    );
    println!("| test | p ≤ 0.5 | ≤ 0.1 | ≤ 0.01 | ≤ 0.001 |");
    println!("|---|---|---|---|---|");
    for name in order {
        let shares = under[&name].map(|count| format!("{:.4}", f64::from(count) / f64::from(runs)));
        println!("| {name} | {} |", shares.join(" | "));
    }
    println!();
}
