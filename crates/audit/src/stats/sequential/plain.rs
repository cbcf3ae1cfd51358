//! A second implementation of the watch, for tests, that follows its formulas: one copy after the
//! other, a logarithm for each factor.

use super::fair::{Fair, Seen};
use super::{EProcess, RUNGS, log_mean, log_sum};
use crate::stats::number::{index, item, real};
use crate::stats::order::Scratch;
use crate::stats::shape::Shape;
use fairdeal::deal::{Deck, DeckName};

/// One copy: its counts, and ln of the evidence of each kind of bet for each parameter.
#[derive(Clone)]
struct Plain {
    deals: f64,
    laws: Vec<Vec<f64>>,
    digits: Vec<Vec<f64>>,
    positions: Vec<Vec<f64>>,
    logs: Vec<Vec<f64>>,
}

impl Plain {
    fn of(shape: &Shape, fair: &Fair) -> Self {
        let seats = shape.seats().len();
        let mut logs = vec![vec![0.0; 4]; fair.laws.len()];
        logs.extend([vec![0.0; 4], vec![0.0; 3]]);
        logs.extend(fair.ace.map(|_| vec![0.0; 5 * seats]));
        Self {
            deals: 0.0,
            laws: fair.laws.iter().map(|(_, law)| vec![0.0; law.probabilities.len()]).collect(),
            digits: shape.ranges().map(|range| vec![0.0; index(range)]).collect(),
            positions: vec![vec![0.0; index(shape.items())]; index(shape.draw())],
            logs,
        }
    }

    fn take(&mut self, dealt: &[u32], seen: &Seen, shape: &Shape, fair: &Fair) {
        let mut kinds = self.logs.iter_mut();
        for ((counts, (_, law)), cell) in self.laws.iter_mut().zip(&fair.laws).zip(&seen.cells) {
            let logs = kinds.next().unwrap();
            let Some(cell) = *cell else { continue };
            let (q, times) = (law.probabilities[cell], counts.iter().sum::<f64>());
            for (log, prior) in logs.iter_mut().zip([2.0, 20.0, 200.0, 2000.0]) {
                *log += ((prior * q + counts[cell]) / ((prior + times) * q)).ln();
            }
            counts[cell] += 1.0;
        }
        let logs = kinds.next().unwrap();
        for (counts, (range, digit)) in self.digits.iter_mut().zip(&seen.digits) {
            let s = f64::from(*range);
            for (log, prior) in logs.iter_mut().zip([1.0, 8.0, 64.0, 512.0]) {
                *log += (s * (prior + counts[*digit]) / (s * prior + self.deals)).ln();
            }
            counts[*digit] += 1.0;
        }
        let logs = kinds.next().unwrap();
        for (position, counts) in self.positions.iter_mut().enumerate() {
            let left: Vec<u32> =
                (0..shape.items()).filter(|card| !dealt[..position].contains(card)).collect();
            let card = index(dealt[position]);
            for (log, prior) in logs.iter_mut().zip([4.0, 64.0, 1024.0]) {
                let all: f64 = left.iter().map(|card| prior + counts[index(*card)]).sum();
                *log += (f64::from(item(left.len())) * (prior + counts[card]) / all).ln();
            }
            counts[card] += 1.0;
        }
        if let Some(q) = fair.ace {
            let both =
                seen.aces.iter().flat_map(|ace| [0.02, 0.05, 0.1, 0.3, 1.0].map(|f| (*ace, f)));
            for (log, (ace, fraction)) in kinds.next().unwrap().iter_mut().zip(both) {
                let best_of_two = if ace { 1.0 - (1.0 - q).powi(2) } else { (1.0 - q).powi(2) };
                let fair = if ace { q } else { 1.0 - q };
                *log += ((fraction * best_of_two + (1.0 - fraction) * fair) / fair).ln();
            }
        }
        self.deals += 1.0;
    }

    fn log(&self) -> f64 {
        log_mean(&self.logs.iter().map(|logs| log_mean(logs)).collect::<Vec<_>>())
    }
}

/// ln of the evidence after each deal.
fn plainly(deals: &[Vec<u32>], shape: &Shape) -> Vec<f64> {
    let (fair, mut scratch) = (Fair::of(shape), Scratch::default());
    let fresh = Plain::of(shape, &fair);
    let mut first = fresh.clone();
    let mut rungs: Vec<(Vec<f64>, Plain)> =
        RUNGS.iter().map(|_| (Vec::new(), fresh.clone())).collect();
    let mut last: Option<&[u32]> = None;
    let mut logs = Vec::new();
    for dealt in deals {
        assert!(scratch.place(dealt, shape.items(), shape.draw()));
        let seen = Seen::of(dealt, last, shape, &fair, &mut scratch);
        first.take(dealt, &seen, shape, &fair);
        let mut all = vec![first.log() + 0.5_f64.ln()];
        for ((ended, now), length) in rungs.iter_mut().zip(RUNGS) {
            now.take(dealt, &seen, shape, &fair);
            let stake = |m: usize| (1.0 / 12.0 / (real(m as u64) * real(m as u64 + 1))).ln();
            let number = ended.len() + 1;
            all.extend((1..).zip(ended.iter()).map(|(m, log)| stake(m) + log));
            all.push(stake(number) + now.log());
            all.push((1.0 / 12.0 / real(number as u64 + 1)).ln());
            if now.deals >= f64::from(length) {
                ended.push(now.log());
                *now = fresh.clone();
            }
        }
        last = Some(dealt);
        logs.push(log_sum(all.iter().copied()));
    }
    logs
}

/// Deals of a source that is right but for every fifth deal, from deal 700 on: there the first
/// cards come in order.
fn deals(shape: &Shape, count: usize) -> Vec<Vec<u32>> {
    let mut state = 88_172_645_463_325_252_u64;
    let mut below = |ways: u32| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        u32::try_from(state >> 33).unwrap() % ways
    };
    let one = |number: usize| {
        let mut deck: Vec<u32> = (0..shape.items()).collect();
        let first = if number > 700 && number.is_multiple_of(5) { 2 } else { 0 };
        for place in first..shape.draw() {
            deck.swap(index(place), index(place + below(shape.items() - place)));
        }
        deck.truncate(index(shape.draw()));
        deck
    };
    (0..count).map(one).collect()
}

#[test]
fn the_evidence_after_each_deal_is_that_of_the_formulas_however_deals_are_grouped() {
    for shape in [
        Shape::of_items(6, 6).unwrap(),
        Shape::of(&Deck::standard(), 5).unwrap(),
        Shape::of(&Deck::Named(DeckName::Short36), 36).unwrap(),
    ] {
        let deals = deals(&shape, 1_100);
        let expected = plainly(&deals, &shape);
        let mut one_by_one = EProcess::of(shape.clone());
        for (dealt, expected) in deals.iter().zip(&expected) {
            one_by_one.add(dealt);
            let found = one_by_one.log();
            assert!((found - expected).abs() < 1e-9, "{}: {found} {expected}", one_by_one.deals());
        }
        for group in [3, 16, 100, 1_100] {
            let mut grouped = EProcess::of(shape.clone());
            for deals in deals.chunks(group) {
                grouped.add_each(deals.iter().map(Vec::as_slice));
            }
            assert_eq!(grouped, one_by_one, "{group}");
        }
    }
}
