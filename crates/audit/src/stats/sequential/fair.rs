//! The probabilities of fair deals, computed once; and the values of one deal, computed once for
//! all copies.

use crate::stats::nulls::{LONGEST_EULERIAN, eulerian, matches};
use crate::stats::number::{index, real};
use crate::stats::order::{self, Scratch};
use crate::stats::shape::{ACE, Shape};

/// The fair probabilities of a value; values beyond the ends count as the ends.
#[derive(Clone, Debug)]
pub(super) struct Law {
    first: u32,
    pub(super) probabilities: Vec<f64>,
}

impl Law {
    /// Joins values at the ends whose probability is under one in a million to their neighbours.
    fn trimmed(probabilities: &[f64]) -> Self {
        const LEAST: f64 = 1e-6;
        let (mut first, mut low, mut kept) = (0, 0.0, Vec::new());
        for &p in probabilities {
            if kept.is_empty() && low + p < LEAST {
                low += p;
                first += 1;
            } else {
                kept.push(p + std::mem::take(&mut low));
            }
        }
        let mut high = 0.0;
        while kept.len() > 1 && kept.last().is_some_and(|p| p + high < LEAST) {
            high += kept.pop().expect("more than one is left");
        }
        if let Some(last) = kept.last_mut() {
            *last += high + low;
        }
        Self { first, probabilities: kept }
    }

    fn cell(&self, value: u32) -> usize {
        index(value.saturating_sub(self.first)).min(self.probabilities.len() - 1)
    }
}

/// The laws of the statistics that are bet on, as far as a deal of this shape has them.
#[derive(Clone, Debug)]
pub(super) struct Fair {
    pub(super) laws: Vec<(Statistic, Law)>,
    /// The probability of an ace at a seat; `None` without ranks.
    pub(super) ace: Option<f64>,
}

/// One number of a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Statistic {
    Parity,
    Descents,
    Rising,
    Overlap,
}

impl Statistic {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Parity => "parity",
            Self::Descents => "descents",
            Self::Rising => "rising sequences",
            Self::Overlap => "overlap",
        }
    }
}

impl Fair {
    pub(super) fn of(shape: &Shape) -> Self {
        let mut laws = Vec::new();
        if shape.is_whole() && (2..=LONGEST_EULERIAN).contains(&shape.items()) {
            let descents = Law::trimmed(&eulerian(shape.items()));
            laws.push((Statistic::Parity, Law { first: 0, probabilities: vec![0.5, 0.5] }));
            laws.push((Statistic::Descents, descents.clone()));
            laws.push((Statistic::Rising, descents));
        }
        laws.push((Statistic::Overlap, Law::trimmed(&matches(shape.items(), shape.draw()))));
        let aces = shape.items_of_rank()[usize::from(ACE)];
        let ace = (aces > 0).then(|| real(aces) / f64::from(shape.items()));
        Self { laws, ace }
    }
}

/// The values of one deal that are bet on.
#[derive(Debug)]
pub(super) struct Seen {
    /// The cell of each law; `None` without a value (the first deal has no overlap).
    pub(super) cells: Vec<Option<usize>>,
    /// Range and digit, widest range first.
    pub(super) digits: Vec<(u32, usize)>,
    /// Whether each seat got an ace.
    pub(super) aces: Vec<bool>,
}

impl Seen {
    /// `scratch` has the places of `dealt`.
    pub(super) fn of(
        dealt: &[u32],
        last: Option<&[u32]>,
        shape: &Shape,
        fair: &Fair,
        scratch: &mut Scratch,
    ) -> Self {
        let items = shape.items();
        let value = |statistic: Statistic, scratch: &mut Scratch| match statistic {
            Statistic::Parity => {
                Some(u32::from(!scratch.inversions(dealt, items).is_multiple_of(2)))
            }
            Statistic::Descents => Some(order::descents(dealt)),
            Statistic::Rising => Some(order::descents(&scratch.places)),
            Statistic::Overlap => last.map(|last| order::matches(last, dealt)),
        };
        let cells = fair
            .laws
            .iter()
            .map(|(what, law)| value(*what, scratch).map(|v| law.cell(v)))
            .collect();
        let counted = shape.ranges().count();
        let mut digits = Vec::with_capacity(counted);
        if counted > 0 {
            scratch.digits(dealt, items, |range, digit| digits.push((range, index(digit))));
        }
        let is_ace = |seat: &u32| shape.ranks()[index(dealt[index(*seat)])] == ACE;
        let aces = if fair.ace.is_some() {
            shape.seats().iter().map(is_ace).collect()
        } else {
            Vec::new()
        };
        Self { cells, digits, aces }
    }
}
