//! The statistics of a log's deals: the counts and the watch beside the drawing of the deals, and
//! an audit with them beside the plain audit.
//!
//! The floor of one deal: an HMAC, the keystream and the shuffle, as the operator deals.

#[path = "memory_log.rs"]
mod memory_log;
#[path = "support.rs"]
mod support;

use std::hint::black_box;

use fairdeal::deal::{Contribution, Contributions, Deck, Nonce, Plan, SeedMac, ServerSeed};
use fairdeal::sample::SampleTerms;
use fairdeal_audit::stats::{Counts, EProcess, Shape};
use memory_log::{MemoryLog, one_core, two_cores};
use rayon::ThreadPool;
use rayon::prelude::*;
use support::{Outcome, Table};

fn main() -> Outcome {
    alone()?;
    of_an_audit()
}

/// Few, so that a round is often not interrupted.
const DEALS: u32 = 4_096;

/// The counts and the watch of a deal of 52 cards.
fn alone() -> Outcome {
    let table = Table::new("statistics, a deal of 52 cards", 200);
    let dealer = Dealer::new()?;
    let nonces: Vec<Nonce> = (0..u64::from(DEALS)).map(Nonce::new).collect::<Result<_, _>>()?;
    let deals: Vec<Vec<u32>> = nonces.iter().map(|nonce| dealer.deal(*nonce)).collect();
    let shape = Shape::of(&Deck::standard(), 52)?;
    let count = |deals: &[Vec<u32>]| {
        let mut counts = Counts::of(shape.clone());
        for deal in deals {
            counts.add(deal);
        }
        counts
    };
    let floor = || nonces.iter().fold(0, |sum, nonce| sum ^ dealer.deal(*nonce)[0]);
    table.row_of("the counts, one core", DEALS, || count(&deals), floor);
    let two = two_cores()?;
    let count_together = || {
        let parts: Vec<Counts> = two.install(|| deals.par_chunks(1_024).map(count).collect());
        let mut all = Counts::of(shape.clone());
        parts.iter().all(|part| all.merge(part).is_ok())
    };
    table.row_of("the counts, two cores", DEALS, count_together, floor);
    let watch = || {
        let mut watch = EProcess::of(shape.clone());
        black_box(watch.add_each(deals.iter().map(Vec::as_slice)));
        watch.log10()
    };
    table.row_of("the watch, one core", DEALS, watch, floor);
    Ok(())
}

/// An audit that counts the deals, beside the plain audit of the same log.
fn of_an_audit() -> Outcome {
    const BY_ONE: &str = "a million deals, one core, by the plain audit";
    const BY_TWO: &str = "a million deals, two cores, by the plain audit";
    const SHORT: &str = "of 20,000 commitments with one round each, one core";
    let table = Table::new("audit with statistics, an entry", 3);
    if table.is_chosen(BY_ONE) || table.is_chosen(BY_TWO) {
        let log = MemoryLog::of(&SampleTerms { deals: 1_000_000, ..SampleTerms::default() })?;
        audits(&table, &log, BY_ONE, &one_core()?)?;
        audits(&table, &log, BY_TWO, &two_cores()?)?;
    }
    if table.is_chosen(SHORT) {
        let log =
            MemoryLog::of(&SampleTerms { deals: 20_000, rounds: 1, ..SampleTerms::default() })?;
        audits(&table, &log, SHORT, &one_core()?)?;
    }
    Ok(())
}

fn audits(table: &Table, log: &MemoryLog, name: &str, pool: &ThreadPool) -> Outcome {
    let files = log.files()?;
    let count = u32::try_from(log.entries.len())?;
    let audit = |statistics| pool.install(|| log.audit(&files, statistics));
    table.row_of(name, count, || audit(true), || audit(false));
    Ok(())
}

/// Deals rounds under one seed.
struct Dealer {
    seed: SeedMac,
    plan: Plan,
    players: Contributions,
}

impl Dealer {
    fn new() -> Result<Self, Box<dyn std::error::Error>> {
        let players = ["alice", "bob"].map(|name| Contribution::new(name, "8768f051da99c8b5"));
        let players = players.into_iter().collect::<Result<_, _>>()?;
        Ok(Self {
            seed: ServerSeed::from_bytes(&mut [7; 32]).mac(),
            plan: Plan::shuffle(52, 52)?,
            players: Contributions::of_clients(players)?,
        })
    }

    fn deal(&self, nonce: Nonce) -> Vec<u32> {
        self.plan.deal(&self.seed, nonce, &self.players).items
    }
}
