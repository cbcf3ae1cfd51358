//! Times our code and its floor in turns, so that other load on the machine slows both equally.
//!
//! No benchmark library interleaves two functions in one process and prints their ratio, the one
//! figure that stays right on a busy machine. Names on the command line choose cases: `cargo bench
//! --bench deal -- shuffle`.

#![expect(clippy::print_stdout, reason = "the table is what a bench is for")]

use std::hint::black_box;
use std::time::{Duration, Instant};

/// The result of a bench: a case that fails prints no row.
pub(crate) type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A round is a batch of calls that is long enough for the clock.
const BATCH_TIME: Duration = Duration::from_micros(250);

/// The options of the command line.
pub(crate) struct Asked {
    names: Vec<String>,
    is_measured: bool,
}

impl Asked {
    pub(crate) fn new() -> Self {
        let (flags, names) =
            std::env::args().skip(1).partition::<Vec<_>, _>(|one| one.starts_with("--"));
        Self { names, is_measured: flags.iter().any(|flag| flag == "--bench") }
    }

    /// How often each case is timed. Without `--bench`, as in `cargo test --benches`, one short
    /// round each is enough.
    pub(crate) fn rounds(&self, measured: u32) -> u32 {
        if self.is_measured { measured } else { 1 }
    }

    /// Whether to run a case of this name.
    pub(crate) fn is_for(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|one| name.contains(one))
    }
}

/// A table with a row for each case.
pub(crate) struct Table {
    rounds: u32,
    asked: Asked,
}

impl Table {
    /// Prints the head. Each is timed `rounds` times.
    #[allow(dead_code, reason = "the service's bench has tables of its own")]
    pub(crate) fn new(title: &str, rounds: u32) -> Self {
        let asked = Asked::new();
        let rounds = asked.rounds(rounds);
        println!(
            "{title}: ns a call, least of {rounds} rounds; the ratio's spread is its deciles over the rounds"
        );
        println!("{:<52}{:>10}{:>10}{:>8}  spread", "", "ours", "floor", "ratio");
        Self { rounds, asked }
    }

    /// Times `ours` against `floor`, with equally many calls of each.
    #[allow(dead_code, reason = "the audit's bench has rows of many things alone")]
    pub(crate) fn row<A, B>(&self, name: &str, ours: impl FnMut() -> A, floor: impl FnMut() -> B) {
        self.row_of(name, 1, ours, floor);
    }

    /// Whether to print a row of this name.
    pub(crate) fn is_chosen(&self, name: &str) -> bool {
        self.asked.is_for(name)
    }

    /// The same for calls that do `count` things: the times are for one thing.
    pub(crate) fn row_of<A, B>(
        &self,
        name: &str,
        count: u32,
        mut ours: impl FnMut() -> A,
        mut floor: impl FnMut() -> B,
    ) {
        if !self.is_chosen(name) {
            return;
        }
        let calls = batch(&mut ours, self.rounds);
        let (mut our_times, mut floor_times) = (Vec::new(), Vec::new());
        for round in 0..self.rounds {
            // Alternate who goes first, so that neither always finds the caches of the other.
            if round & 1 == 0 {
                our_times.push(time(calls, &mut ours));
                floor_times.push(time(calls, &mut floor));
            } else {
                floor_times.push(time(calls, &mut floor));
                our_times.push(time(calls, &mut ours));
            }
        }
        let mut ratios: Vec<f64> = our_times.iter().zip(&floor_times).map(|(a, b)| a / b).collect();
        ratios.sort_by(f64::total_cmp);
        let each = |times: &[f64]| minimum(times) / f64::from(count);
        let (least, bare) = (each(&our_times), each(&floor_times));
        let (low, high) =
            (decile(&ratios), decile(&ratios.iter().rev().copied().collect::<Vec<_>>()));
        let rate = if count > 1 {
            format!(", {:.2} million a second", 1e3 / least)
        } else {
            String::new()
        };
        println!(
            "{name:<52}{least:>10.1}{bare:>10.1}{:>8.2}  {low:.2} to {high:.2}{rate}",
            least / bare
        );
    }
}

/// How many calls fill a batch.
fn batch<A>(call: &mut impl FnMut() -> A, rounds: u32) -> u32 {
    let mut calls = 1_u32;
    while rounds > 1 && time(calls, call) * f64::from(calls) < BATCH_TIME.as_secs_f64() * 1e9 {
        calls = calls.saturating_mul(2);
    }
    calls
}

/// Nanoseconds a call.
#[expect(
    clippy::disallowed_methods,
    reason = "a bench is about time; the library never asks for it"
)]
pub(crate) fn time<A>(calls: u32, call: &mut impl FnMut() -> A) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        black_box(call());
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(calls)
}

pub(crate) fn minimum(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::INFINITY, f64::min)
}

/// A tenth of the way into a sorted list.
#[expect(
    clippy::integer_division_remainder_used,
    reason = "a place in a list; nothing random is reduced"
)]
fn decile(sorted: &[f64]) -> f64 {
    sorted.get(sorted.len() / 10).copied().unwrap_or(f64::NAN)
}
