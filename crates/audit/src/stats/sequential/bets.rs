//! All bets of all copies, with the counts since each copy started.
//!
//! | bet | predicted over fair |
//! |---|---|
//! | a law with probabilities q | (α·q + c)/((α + t − 1)·q), α 2, 20, 200, 2000 |
//! | digits | the product over ranges s of s·(α + C)/(s·α + t − 1), α 1, 8, 64, 512 |
//! | position × card | the product over positions of l·(α + C)/Σ over the l cards left of (α + C), α 4, 64, 1024 |
//! | an ace at a seat | the likelihood ratio of best-of-two in a fraction f of the deals, f .02, .05, .1, .3, 1 |
//!
//! Each α or f is a separate bet. The evidence of a kind of bet is their average; the copy's is
//! the average of its kinds.
//!
//! A cell has the counts of all copies side by side, so that one pass over a deal serves them all.
//! The rows of position × card are visited once for a block of deals, and not once for each: a row
//! fits in the nearest cache, the table does not. Each deal is still predicted from all deals
//! before it, and how deals are divided into blocks changes no bit.

use serde::{Deserialize, Serialize};

use super::fair::{Fair, Seen};
use super::log_mean;
use super::product::{LANES, Lanes, Product};
use crate::stats::number::index;
use crate::stats::shape::Shape;

const LAW_PRIORS: [f64; 4] = [2.0, 20.0, 200.0, 2000.0];
const DIGIT_PRIORS: [f64; 4] = [1.0, 8.0, 64.0, 512.0];
const POSITION_PRIORS: [f64; 3] = [4.0, 64.0, 1024.0];
const FRACTIONS: [f64; 5] = [0.02, 0.05, 0.1, 0.3, 1.0];

/// Factors that are multiplied before one division: eight counts under 2^31 stay under 2^256.
const TOGETHER: usize = 8;

/// The counts of one cell, for each copy. Under 2^31: a watch takes no more deals.
type Cell = [i32; LANES];

/// All bets, and the counts that they predict from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Bets {
    /// The evidence for each seat and fraction.
    aces: Vec<[Product; 5]>,
    /// Deals since each copy started.
    deals: Cell,
    /// Without ranges there is no evidence.
    digits: Option<[Product; 4]>,
    digit_counts: Vec<Cell>,
    laws: Vec<Learnt>,
    positions: Option<[Product; 3]>,
    position_counts: Vec<Cell>,
}

/// One law's counts, and its evidence for each prior.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Learnt {
    counts: Vec<Cell>,
    evidence: [Product; 4],
    times: Cell,
}

impl Bets {
    pub(super) fn of(shape: &Shape, fair: &Fair) -> Self {
        let laws = fair.laws.iter().map(|(_, law)| Learnt {
            counts: vec![[0; LANES]; law.probabilities.len()],
            evidence: [Product::ONE; 4],
            times: [0; LANES],
        });
        let digit_counts = vec![[0; LANES]; shape.ranges().map(index).sum()];
        let position_counts = vec![[0; LANES]; shape.position_cells()];
        Self {
            aces: if fair.ace.is_some() {
                vec![[Product::ONE; 5]; shape.seats().len()]
            } else {
                Vec::new()
            },
            deals: [0; LANES],
            digits: (!digit_counts.is_empty()).then_some([Product::ONE; 4]),
            digit_counts,
            laws: laws.collect(),
            positions: (!position_counts.is_empty()).then_some([Product::ONE; 3]),
            position_counts,
        }
    }

    /// Starts a copy again, with evidence 1.
    pub(super) fn restart(&mut self, lane: usize) {
        let cells = self.digit_counts.iter_mut().chain(&mut self.position_counts);
        cells
            .chain(self.laws.iter_mut().flat_map(|law| &mut law.counts))
            .for_each(|cell| cell[lane] = 0);
        self.deals[lane] = 0;
        for law in &mut self.laws {
            law.times[lane] = 0;
            law.evidence.iter_mut().for_each(|product| product.restart(lane));
        }
        let tables = self.digits.iter_mut().flatten().chain(self.positions.iter_mut().flatten());
        tables.chain(self.aces.as_flattened_mut()).for_each(|product| product.restart(lane));
    }

    /// Whether both have tables of the same sizes, and every product is sound.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let tables = |bets: &Self| {
            (
                bets.aces.len(),
                bets.digit_counts.len(),
                bets.position_counts.len(),
                bets.digits.is_some(),
            )
        };
        let laws =
            |bets: &Self| -> Vec<usize> { bets.laws.iter().map(|law| law.counts.len()).collect() };
        let tables_of_evidence =
            self.digits.iter().flatten().chain(self.positions.iter().flatten());
        let evidence = tables_of_evidence.chain(self.aces.as_flattened());
        tables(self) == tables(other)
            && laws(self) == laws(other)
            && self.positions.is_some() == other.positions.is_some()
            && evidence.chain(self.laws.iter().flat_map(|law| &law.evidence)).all(Product::is_sound)
    }

    /// The number of deals that each copy has taken.
    pub(super) const fn deals(&self) -> &[i32; LANES] {
        &self.deals
    }

    /// Bets on each of some deals by the counts before it, then counts it; `look` gets the evidence
    /// of each copy after each deal. `dealt` has the deals one after another.
    pub(super) fn take(
        &mut self,
        dealt: &[u32],
        seen: &[Seen],
        shape: &Shape,
        fair: &Fair,
        mut look: impl FnMut(Lanes),
    ) {
        let factors = self.take_positions(dealt, shape);
        for (at, seen) in seen.iter().enumerate() {
            for ((learnt, (_, law)), cell) in self.laws.iter_mut().zip(&fair.laws).zip(&seen.cells)
            {
                if let Some(cell) = *cell {
                    learnt.take(cell, law.probabilities[cell]);
                }
            }
            self.take_digits(seen);
            if let Some((evidence, factors)) = self.positions.as_mut().zip(factors.get(at)) {
                for (evidence, factor) in evidence.iter_mut().zip(factors) {
                    evidence.times_product(factor);
                }
            }
            if let Some(fair) = fair.ace {
                for (evidence, ace) in self.aces.iter_mut().zip(&seen.aces) {
                    for (evidence, fraction) in evidence.iter_mut().zip(FRACTIONS) {
                        // Best of two has probability 1 − (1 − q)², in a fraction of the deals.
                        let factor = if *ace {
                            1.0 + fraction * (1.0 - fair)
                        } else {
                            1.0 - fraction * fair
                        };
                        evidence.times(&[factor; LANES]);
                    }
                }
            }
            self.deals.iter_mut().for_each(|deals| *deals += 1);
            look(self.evidence());
        }
    }

    fn take_digits(&mut self, seen: &Seen) {
        let Some(evidence) = &mut self.digits else { return };
        let before = self.deals.map(f64::from);
        let mut start = 0;
        for digits in seen.digits.chunks(TOGETHER) {
            let mut fractions = [Fraction::ONE; 4];
            for &(range, digit) in digits {
                let each = 1.0 / f64::from(range);
                let cell = &mut self.digit_counts[start + digit];
                let (counts, expected) = (cell.map(f64::from), before.map(|before| before * each));
                for (fraction, prior) in fractions.iter_mut().zip(DIGIT_PRIORS) {
                    fraction.times(prior, &counts, &expected);
                }
                add_one(cell);
                start += index(range);
            }
            for (evidence, fraction) in evidence.iter_mut().zip(fractions) {
                evidence.times(&fraction.value());
            }
        }
    }

    /// Counts the cards of some deals. Returns the factors for each deal and prior.
    fn take_positions(&mut self, dealt: &[u32], shape: &Shape) -> Vec<[Product; 3]> {
        let (width, draw) = (index(shape.items()), index(shape.draw()));
        let all = dealt.chunks_exact(draw);
        let mut fractions = vec![[Fraction::ONE; 3]; all.len()];
        let mut factors = vec![[Product::ONE; 3]; all.len()];
        let rows = self.position_counts.chunks_exact_mut(width);
        let last = rows.len().saturating_sub(1);
        for (position, row) in rows.enumerate() {
            let left = width - position;
            let each = 1.0 / f64::from(super::item(left));
            let mut before = self.deals;
            for (fractions, dealt) in fractions.iter_mut().zip(all.clone()) {
                let (earlier, now) = dealt.split_at(position);
                // This position has counted `before` cards; those dealt earlier in this deal cannot
                // come. If fewer are left than were dealt, it is quicker to add up those that are
                // left.
                let left_counts = if draw == width && left < position {
                    sum(row, now)
                } else {
                    let gone = sum(row, earlier);
                    std::array::from_fn(|lane| before[lane].wrapping_sub(gone[lane]))
                };
                let cell = &mut row[index(now[0])];
                let counts = cell.map(f64::from);
                let expected = left_counts.map(|counts: i32| f64::from(counts) * each);
                for (fraction, prior) in fractions.iter_mut().zip(POSITION_PRIORS) {
                    fraction.times(prior, &counts, &expected);
                }
                add_one(cell);
                add_one(&mut before);
            }
            if position % TOGETHER == TOGETHER - 1 || position == last {
                let both = factors.as_flattened_mut().iter_mut().zip(fractions.as_flattened_mut());
                for (factor, fraction) in both {
                    factor.times(&fraction.value());
                    *fraction = Fraction::ONE;
                }
            }
        }
        factors
    }

    /// The evidence of each copy: the average of its kinds of bets.
    fn evidence(&self) -> Lanes {
        let (mut all, mut kinds) = ([0.0; LANES], 0.0);
        let mut add = |products: &[Product]| {
            let mut sums = [0.0; LANES];
            let mut count = 0.0;
            for product in products {
                product.add_to(&mut sums);
                count += 1.0;
            }
            let each = 1.0 / count;
            all.iter_mut().zip(sums).for_each(|(all, sum)| *all += sum * each);
            kinds += 1.0;
        };
        self.laws.iter().for_each(|law| add(&law.evidence));
        self.digits.iter().for_each(|digits| add(digits));
        self.positions.iter().for_each(|positions| add(positions));
        if !self.aces.is_empty() {
            add(self.aces.as_flattened());
        }
        let each = 1.0 / kinds;
        all.map(|sum| sum * each)
    }

    /// ln of a copy's evidence.
    pub(super) fn log(&self, lane: usize) -> f64 {
        log_mean(&self.logs(lane).collect::<Vec<_>>())
    }

    /// ln of the evidence of each bet of a copy.
    fn logs(&self, lane: usize) -> impl Iterator<Item = f64> {
        let mean = move |products: &[Product]| {
            log_mean(&products.iter().map(|product| product.ln(lane)).collect::<Vec<_>>())
        };
        let laws = self.laws.iter().map(move |law| mean(&law.evidence));
        let tables = self.digits.iter().map(move |products| mean(products));
        let tables = tables.chain(self.positions.iter().map(move |products| mean(products)));
        let aces = (!self.aces.is_empty()).then(|| mean(self.aces.as_flattened()));
        laws.chain(tables).chain(aces)
    }

    /// The name of each bet, and ln of the first copy's evidence.
    pub(super) fn parts(&self, fair: &Fair) -> Vec<(&'static str, f64)> {
        let laws = fair.laws.iter().map(|(what, _)| what.name());
        let tables = [self.digits.map(|_| "digits"), self.positions.map(|_| "position by card")];
        let names = laws.chain(tables.into_iter().flatten()).chain(fair.ace.map(|_| "aces"));
        names.zip(self.logs(0)).collect()
    }
}

impl Learnt {
    fn take(&mut self, cell: usize, fair: f64) {
        let (counts, times) = (self.counts[cell].map(f64::from), self.times.map(f64::from));
        for (evidence, prior) in self.evidence.iter_mut().zip(LAW_PRIORS) {
            let expected = prior * fair;
            evidence.times(&std::array::from_fn(|lane| {
                (expected + counts[lane]) / ((prior + times[lane]) * fair)
            }));
        }
        add_one(&mut self.counts[cell]);
        add_one(&mut self.times);
    }
}

#[inline]
fn add_one(cell: &mut Cell) {
    for count in cell {
        *count = count.wrapping_add(1); // a watch takes fewer than 2^31 deals
    }
}

/// The sum over these cards' cells.
#[inline]
fn sum(row: &[Cell], cards: &[u32]) -> Cell {
    let mut sum = [0_i32; LANES];
    for &card in cards {
        for (sum, count) in sum.iter_mut().zip(&row[index(card)]) {
            *sum = sum.wrapping_add(*count); // a row's counts add up to its deals, under 2^31
        }
    }
    sum
}

/// A few factors, predicted over fair, before the division.
#[derive(Clone, Copy)]
struct Fraction {
    over: Lanes,
    under: Lanes,
}

impl Fraction {
    const ONE: Self = Self { over: [1.0; LANES], under: [1.0; LANES] };

    /// Multiplies by (prior + counts) / (prior + expected).
    #[inline]
    fn times(&mut self, prior: f64, counts: &Lanes, expected: &Lanes) {
        for (over, count) in self.over.iter_mut().zip(counts) {
            *over *= prior + count;
        }
        for (under, expected) in self.under.iter_mut().zip(expected) {
            *under *= prior + expected;
        }
    }

    #[inline]
    fn value(&self) -> Lanes {
        std::array::from_fn(|lane| self.over[lane] / self.under[lane])
    }
}
