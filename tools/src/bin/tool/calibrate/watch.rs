//! The watch: false alarms over 10,000 looks, and how soon it sees wrong sources, from the start or
//! late.

use fairdeal_audit::stats::EProcess;
use fairdeal_schemes::lab::{Kind, Sampler, Shuffle};

const LOOKS: u64 = 10_000;

pub fn print() {
    println!("## The watch: fair deals, looked at after each of {LOOKS}\n");
    println!("| items | runs | alarms | share |");
    println!("|---|---|---|---|");
    for (items, runs) in [(6, 4_000), (52, 400)] {
        let alarms = (0..runs)
            .filter(|run| alarm(Shuffle::FisherYates, items, 0, *run, LOOKS).is_some())
            .count();
        println!("| {items} | {runs} | {alarms} | {:.3} % |", 100.0 * alarms as f64 / runs as f64);
    }
    println!("\n## The watch: deals until the alarm, from the first wrong one (median of 5)\n");
    println!("| source | wrong from the start | after 10,000 fair deals |");
    println!("|---|---|---|");
    for source in Shuffle::ALL.iter().copied().filter(|source| source.kind() == Kind::Wrong) {
        println!("| {} | {} | {} |", source.as_str(), median(source, 0), median(source, LOOKS));
    }
    println!();
}

fn median(source: Shuffle, fair: u64) -> String {
    const MOST: u64 = 50_000;
    let mut deals: Vec<u64> = (0..5)
        .map(|run| alarm(source, 52, fair, 90_000 + run, fair + MOST).unwrap_or(u64::MAX))
        .collect();
    deals.sort_unstable();
    if deals[2] == u64::MAX { format!("> {MOST}") } else { (deals[2] - fair).to_string() }
}

/// The deal that raised the alarm, if the first `fair` deals come from a right source.
fn alarm(source: Shuffle, items: u32, fair: u64, seed: u64, most: u64) -> Option<u64> {
    let mut right = Sampler::new(Shuffle::FisherYates, items, seed).expect("a deck");
    let mut wrong = Sampler::new(source, items, seed + 1_000_000).expect("a deck");
    let mut watch = EProcess::of(right.shape().clone());
    while watch.deals() < most {
        let deal = if watch.deals() < fair { right.deal() } else { wrong.deal() };
        if watch.add(&deal).is_some() {
            return Some(watch.deals());
        }
    }
    None
}
