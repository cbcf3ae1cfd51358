//! p-values on fair decks: how often each test's p is at or under a level, and whether they are
//! uniform.

use std::collections::{BTreeMap, BTreeSet};

use fairdeal_schemes::lab::{Shuffle, sample};

const LEVELS: [f64; 4] = [0.5, 0.1, 0.01, 0.001];

pub fn print() {
    println!("## p-values on fair decks\n");
    for (items, decks, runs) in [
        (52, 20, 20_000),
        (52, 100, 20_000),
        (52, 1_000, 40_000),
        (52, 5_000, 2_000),
        (6, 30, 20_000),
        (6, 1_000, 10_000),
        (36, 200, 10_000),
        (104, 100, 4_000),
    ] {
        table(Shuffle::FisherYates, items, decks, runs);
    }
    table(Shuffle::Partial, 52, 200, 20_000);
}

fn table(source: Shuffle, items: u32, decks: u64, runs: u32) {
    let mut found: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let mut alarms = 0_u32;
    let mut order = Vec::new();
    for run in 0..runs {
        let report =
            sample(source, items, decks, u64::from(run) + 1_000_000).expect("a deck").report();
        alarms += u32::from(report.alarm);
        for test in report.tests {
            if !order.contains(&test.name) {
                order.push(test.name.clone());
            }
            found.entry(test.name).or_default().push(test.p);
        }
    }
    let share = f64::from(alarms) / f64::from(runs);
    let error = 100.0 * (share * (1.0 - share) / f64::from(runs)).sqrt();
    let share = 100.0 * share;
    println!(
        "{} of {items} items, {decks} deals, {runs} runs: {alarms} alarms ({share:.2} ± {error:.2} %)\n",
        source.as_str()
    );
    println!("| test | p ≤ 0.5 | ≤ 0.1 | ≤ 0.01 | ≤ 0.001 | uniform? (Kolmogorov–Smirnov) |");
    println!("|---|---|---|---|---|---|");
    for name in order {
        let mut ps = found.remove(&name).expect("a test");
        ps.sort_by(f64::total_cmp);
        let all = ps.len() as f64;
        let shares =
            LEVELS.map(|level| format!("{:.4}", ps.partition_point(|p| *p <= level) as f64 / all));
        println!("| {name} | {} | {} |", shares.join(" | "), smirnov(&ps));
    }
    println!();
}

/// The p of the Kolmogorov–Smirnov distance from uniform, for tests with many values; other tests
/// cannot be uniform.
fn smirnov(ascending: &[f64]) -> String {
    let all = ascending.len() as f64;
    let values: BTreeSet<u64> = ascending.iter().map(|p| p.to_bits()).collect();
    let most =
        ascending.chunk_by(|a, b| a.to_bits() == b.to_bits()).map(<[f64]>::len).max().unwrap_or(0);
    if most as f64 > 0.01 * all {
        return format!("discrete: {} values", values.len());
    }
    let distance = ascending.iter().enumerate().fold(0.0_f64, |far, (at, p)| {
        far.max((p - at as f64 / all).abs()).max(((at + 1) as f64 / all - p).abs())
    });
    let x = distance * (all.sqrt() + 0.12 + 0.11 / all.sqrt());
    let term = |k: f64| (-2.0 * k * k * x * x).exp();
    let tail: f64 = (0..50).map(|k| term(f64::from(2 * k + 1)) - term(f64::from(2 * k + 2))).sum();
    format!("p = {:.3}", (2.0 * tail).clamp(0.0, 1.0))
}
