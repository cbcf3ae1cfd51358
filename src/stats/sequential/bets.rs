//! One copy of all bets, with the counts since it started.
//!
//! | bet | predicted over fair |
//! |---|---|
//! | a law with probabilities q | (α·q + c)/((α + t − 1)·q), α 2, 20, 200, 2000 |
//! | digits | the product over ranges s of s·(α + C)/(s·α + t − 1), α 1, 8, 64, 512 |
//! | position × card | the product over positions of l·(α + C)/Σ over the l cards left of (α + C), α 4, 64, 1024 |
//! | an ace at a seat | the likelihood ratio of best-of-two in a fraction f of the deals, f .02, .05, .1, .3, 1 |
//!
//! Each α or f is a bet of its own. The evidence of a kind of bet is their average; the copy's is the average of its
//! kinds.

use serde::{Deserialize, Serialize};

use super::fair::{Fair, Seen};
use super::{log_mean, real};
use crate::stats::number::{bump, index};
use crate::stats::shape::Shape;

const LAW_PRIORS: [f64; 4] = [2.0, 20.0, 200.0, 2000.0];
const DIGIT_PRIORS: [f64; 4] = [1.0, 8.0, 64.0, 512.0];
const POSITION_PRIORS: [f64; 3] = [4.0, 64.0, 1024.0];
const FRACTIONS: [f64; 5] = [0.02, 0.05, 0.1, 0.3, 1.0];

/// Bets, and the counts that they predict from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Bets {
    /// ln of the evidence for each seat and fraction.
    aces: Vec<[f64; 5]>,
    deals: u64,
    digits: Option<[f64; 4]>,
    digit_counts: Vec<u64>,
    laws: Vec<Learnt>,
    positions: Option<[f64; 3]>,
    position_counts: Vec<u64>,
}

/// One law's counts and ln of its evidence for each prior.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Learnt {
    counts: Vec<u64>,
    logs: [f64; 4],
    times: u64,
}

impl Bets {
    pub(super) fn of(shape: &Shape, fair: &Fair) -> Self {
        let laws = fair.laws.iter().map(|(_, law)| Learnt {
            counts: vec![0; law.probabilities.len()],
            logs: [0.0; 4],
            times: 0,
        });
        let digit_counts: Vec<u64> = vec![0; shape.ranges().map(index).sum()];
        let position_counts = vec![0; shape.position_cells()];
        Self {
            aces: if fair.ace.is_some() { vec![[0.0; 5]; shape.seats().len()] } else { Vec::new() },
            deals: 0,
            digits: (!digit_counts.is_empty()).then_some([0.0; 4]),
            digit_counts,
            laws: laws.collect(),
            positions: (!position_counts.is_empty()).then_some([0.0; 3]),
            position_counts,
        }
    }

    /// Starts again, with evidence 1.
    pub(super) fn restart(&mut self) {
        self.aces.fill([0.0; 5]);
        self.deals = 0;
        self.digits = self.digits.map(|_| [0.0; 4]);
        self.digit_counts.fill(0);
        for law in &mut self.laws {
            law.counts.fill(0);
            law.logs = [0.0; 4];
            law.times = 0;
        }
        self.positions = self.positions.map(|_| [0.0; 3]);
        self.position_counts.fill(0);
    }

    /// Whether both have tables of the same sizes.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let tables = |bets: &Self| {
            (bets.aces.len(), bets.digit_counts.len(), bets.position_counts.len(), bets.digits.is_some())
        };
        let laws = |bets: &Self| -> Vec<usize> { bets.laws.iter().map(|law| law.counts.len()).collect() };
        tables(self) == tables(other)
            && laws(self) == laws(other)
            && self.positions.is_some() == other.positions.is_some()
    }

    pub(super) const fn deals(&self) -> u64 {
        self.deals
    }

    /// Bets on a deal by the counts so far, then counts it.
    pub(super) fn take(&mut self, dealt: &[u32], seen: &Seen, shape: &Shape, fair: &Fair) {
        for ((learnt, (_, law)), cell) in self.laws.iter_mut().zip(&fair.laws).zip(&seen.cells) {
            if let Some(cell) = *cell {
                learnt.take(cell, law.probabilities[cell]);
            }
        }
        self.take_digits(seen);
        self.take_positions(dealt, index(shape.items()));
        if let Some(fair) = fair.ace {
            for (logs, ace) in self.aces.iter_mut().zip(&seen.aces) {
                for (log, fraction) in logs.iter_mut().zip(FRACTIONS) {
                    // Best of two has probability 1 − (1 − q)², in a fraction of the deals.
                    let more = fraction * fair * (1.0 - fair);
                    *log += if *ace { (more / fair).ln_1p() } else { (-more / (1.0 - fair)).ln_1p() };
                }
            }
        }
        self.deals = self.deals.saturating_add(1);
    }

    fn take_digits(&mut self, seen: &Seen) {
        let Some(logs) = &mut self.digits else { return };
        let before = real(self.deals);
        let mut products = [Product::default(); 4];
        let mut start = 0;
        for &(range, digit) in &seen.digits {
            let s = f64::from(range);
            let count = real(self.digit_counts[start + digit]);
            for (product, prior) in products.iter_mut().zip(DIGIT_PRIORS) {
                product.times(s * (prior + count) / s.mul_add(prior, before));
            }
            bump(&mut self.digit_counts, start + digit);
            start += index(range);
        }
        for (log, product) in logs.iter_mut().zip(products) {
            *log += product.ln();
        }
    }

    fn take_positions(&mut self, dealt: &[u32], width: usize) {
        let Some(logs) = &mut self.positions else { return };
        let before = self.deals;
        let mut products = [Product::default(); 3];
        for (position, row) in self.position_counts.chunks_exact_mut(width).enumerate() {
            let card = dealt[position];
            let here = |card: &u32| row[index(*card)];
            // This position has counted `before` cards; those dealt earlier in this deal cannot come.
            let left_counts = real(before.saturating_sub(dealt[..position].iter().map(here).sum()));
            let left = real(super::count(width - position));
            let count = real(here(&card));
            for (product, prior) in products.iter_mut().zip(POSITION_PRIORS) {
                product.times(left * (prior + count) / left.mul_add(prior, left_counts));
            }
            bump(row, index(card));
        }
        for (log, product) in logs.iter_mut().zip(products) {
            *log += product.ln();
        }
    }

    /// ln of the copy's evidence.
    pub(super) fn log(&self) -> f64 {
        log_mean(&self.logs().collect::<Vec<_>>())
    }

    /// ln of the evidence of each bet.
    fn logs(&self) -> impl Iterator<Item = f64> {
        let laws = self.laws.iter().map(|law| log_mean(&law.logs));
        let tables = self.digits.map(|logs| log_mean(&logs)).into_iter();
        let tables = tables.chain(self.positions.map(|logs| log_mean(&logs)));
        let aces = (!self.aces.is_empty()).then(|| log_mean(self.aces.as_flattened()));
        laws.chain(tables).chain(aces)
    }

    /// The name of each bet, and ln of its evidence.
    pub(super) fn parts(&self, fair: &Fair) -> Vec<(&'static str, f64)> {
        let laws = fair.laws.iter().map(|(what, _)| what.name());
        let tables = [self.digits.map(|_| "digits"), self.positions.map(|_| "position by card")];
        laws.chain(tables.into_iter().flatten()).chain(fair.ace.map(|_| "aces")).zip(self.logs()).collect()
    }
}

impl Learnt {
    fn take(&mut self, cell: usize, fair: f64) {
        let count = real(self.counts[cell]);
        for (log, prior) in self.logs.iter_mut().zip(LAW_PRIORS) {
            *log += ((prior * fair + count) / ((prior + real(self.times)) * fair)).ln();
        }
        bump(&mut self.counts, cell);
        self.times = self.times.saturating_add(1);
    }
}

/// A product. Its logarithm is taken only before it would overflow or underflow.
#[derive(Clone, Copy, Debug)]
struct Product {
    factor: f64,
    log: f64,
}

impl Default for Product {
    fn default() -> Self {
        Self { factor: 1.0, log: 0.0 }
    }
}

impl Product {
    fn times(&mut self, factor: f64) {
        self.factor *= factor;
        if !(1e-200..1e200).contains(&self.factor) {
            self.log += self.factor.ln();
            self.factor = 1.0;
        }
    }

    fn ln(self) -> f64 {
        self.log + self.factor.ln()
    }
}
