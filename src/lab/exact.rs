//! Every path of a source on a short deck, and so the exact probability of every order.
//!
//! Comparator sorts are finite: each answer halves a path's probability, and a deck of six ends after at most 15. The
//! visited set is not: an item can be refused any number of times. There the series is summed: with k of n items taken,
//! a new one v comes with probability Σᵣ (k/n)ʳ/n = 1/(n−k), so a step is one uniform choice among those left.

use std::collections::BTreeMap;

use super::choose::{Choose, Narrow};
use super::fraction::Fraction;
use super::shuffle::Shuffle;
use super::steps::Work;
use crate::stats::number::{index, item};

/// The longest deck that is walked: 720 orders.
pub const LONGEST_EXACT: u32 = 6;

/// Every order that a source can deal, with its probability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exact {
    /// By the items in deal order. Not all are permutations: the XOR swap loses cards.
    pub orders: BTreeMap<Vec<u32>, Fraction>,
    /// How many ways lead there.
    pub paths: Paths,
    /// How many orders there should be: n!/(n−k)!.
    possible: u128,
}

/// How many sequences of choices there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paths {
    /// So many, not all equally likely where choices are biased or paths differ in length.
    Counted(u128),
    /// No longest: the limit was taken.
    Endless,
}

/// A deck was not walked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExactError {
    /// Too long, or empty.
    #[error("decks of 1 to {LONGEST_EXACT} items are walked, not {0}; sample it instead")]
    Items(u32),
    /// A probability's fraction does not fit 128 bits.
    #[error("a probability does not fit a fraction of 128-bit numbers")]
    TooFine,
}

/// Walks every path of `source` on a deck of 1 to 6 items.
///
/// Time: a blink, except for the seeds, which are 2^16 and 2^20 shuffles.
///
/// # Errors
/// [`ExactError::Items`]; [`ExactError::TooFine`] cannot happen with the sources there are.
pub fn enumerate(source: Shuffle, items: u32) -> Result<Exact, ExactError> {
    if items == 0 || items > LONGEST_EXACT {
        return Err(ExactError::Items(items));
    }
    let mut now = BTreeMap::from([(Work::new((0..items).collect()), (Fraction::ONE, 1_u128))]);
    for at in 0..source.steps(items) {
        let mut next: BTreeMap<Work, (Fraction, u128)> = BTreeMap::new();
        for (work, (chance, paths)) in now {
            let mut walker = Walker::new(items);
            loop {
                let mut after = work.clone();
                source.step(at, items, &mut after, &mut walker);
                let reached = chance.times(walker.chance()?).ok_or(ExactError::TooFine)?;
                let sum = next.entry(after).or_insert((Fraction::ZERO, 0));
                sum.0 = sum.0.plus(reached).ok_or(ExactError::TooFine)?;
                sum.1 = walker
                    .ways()
                    .and_then(|ways| sum.1.checked_add(paths.checked_mul(ways)?))
                    .unwrap_or(u128::MAX);
                if !walker.turn() {
                    break;
                }
            }
        }
        now = next;
    }
    let (mut orders, mut total) = (BTreeMap::new(), 0_u128);
    for (work, (chance, paths)) in now {
        let sum = orders.entry(source.dealt(items, &work.list)).or_insert(Fraction::ZERO);
        *sum = sum.plus(chance).ok_or(ExactError::TooFine)?;
        total = total.saturating_add(paths);
    }
    let paths = if source == Shuffle::VisitedSet { Paths::Endless } else { Paths::Counted(total) };
    let possible = (0..source.draw(items)).map(|taken| u128::from(items - taken)).product();
    Ok(Exact { orders, paths, possible })
}

impl Exact {
    /// Whether every order there is has the same probability.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        let each = Fraction::new(1, self.possible);
        u128::try_from(self.orders.len()) == Ok(self.possible)
            && self.orders.iter().all(|(order, chance)| is_order(order) && Some(*chance) == each)
    }

    /// Half the sum of all distances from the uniform probability: the most that a bet on one deal can gain. None where it
    /// does not fit a fraction.
    #[must_use]
    pub fn total_variation(&self) -> Option<Fraction> {
        let each = Fraction::new(1, self.possible)?;
        // Orders above the uniform probability, and all that are no orders at all.
        let mut gain = Fraction::ZERO;
        for (order, chance) in &self.orders {
            let due = if is_order(order) { each } else { Fraction::ZERO };
            if chance.to_f64() > due.to_f64() {
                gain = gain.plus(chance.distance(due)?)?;
            }
        }
        Some(gain)
    }
}

/// Whether all items are different.
fn is_order(dealt: &[u32]) -> bool {
    dealt.iter().enumerate().all(|(at, item)| !dealt.iter().skip(at + 1).any(|other| other == item))
}

/// One question that was answered: the answer, how many there are, and this one's probability and paths.
#[derive(Clone, Copy, Debug)]
struct Turn {
    answer: u32,
    answers: u32,
    chance: Fraction,
    ways: u128,
}

/// Gives every sequence of answers once.
#[derive(Debug)]
struct Walker {
    turns: Vec<Turn>,
    depth: usize,
    /// Ways in which n keys can compare: by item, how many different keys are smaller; and how many different there are.
    levels: Vec<(Vec<u32>, u32)>,
    items: u32,
}

impl Walker {
    fn new(items: u32) -> Self {
        Self { turns: Vec::new(), depth: 0, levels: Vec::new(), items }
    }

    /// The answer at this depth: the one that it stands at, or the first.
    fn answer(&mut self, answers: u32, weigh: impl Fn(u32) -> (Fraction, u128)) -> u32 {
        if self.depth == self.turns.len() {
            self.turns.push(Turn { answer: 0, answers, chance: Fraction::ZERO, ways: 0 });
        }
        let mut given = 0;
        if let Some(turn) = self.turns.get_mut(self.depth) {
            (turn.chance, turn.ways) = weigh(turn.answer);
            given = turn.answer;
        }
        self.depth += 1;
        given
    }

    fn chance(&self) -> Result<Fraction, ExactError> {
        let product = self.turns.iter().try_fold(Fraction::ONE, |product, turn| product.times(turn.chance));
        product.ok_or(ExactError::TooFine)
    }

    fn ways(&self) -> Option<u128> {
        self.turns.iter().try_fold(1_u128, |product, turn| product.checked_mul(turn.ways))
    }

    /// On to the next sequence of answers; false after the last.
    fn turn(&mut self) -> bool {
        self.turns.truncate(self.depth);
        self.depth = 0;
        while let Some(mut turn) = self.turns.pop() {
            turn.answer += 1;
            if turn.answer < turn.answers {
                self.turns.push(turn);
                return true;
            }
        }
        false
    }
}

/// `ways` of `of`, as a probability; `of` is never 0.
fn share(ways: u128, of: u128) -> (Fraction, u128) {
    (Fraction::new(ways, of).unwrap_or(Fraction::ZERO), ways)
}

impl Choose for Walker {
    #[expect(
        clippy::integer_division_remainder_used,
        reason = "the words of each value are counted, bias and all"
    )]
    fn choose(&mut self, ways: u32, how: Narrow) -> u32 {
        if ways < 2 {
            return 0;
        }
        self.answer(ways, |value| match how {
            Narrow::Exact => share(1, u128::from(ways)),
            Narrow::Modulo(bits) => {
                let words = 1_u32 << bits;
                share(u128::from(words / ways + u32::from(value < words % ways)), u128::from(words))
            }
            Narrow::Float(bits) => {
                let words = 1_u64 << bits;
                let from = |value: u32| (words * u64::from(value)).div_ceil(u64::from(ways));
                share(u128::from(from(value + 1) - from(value)), u128::from(words))
            }
        })
    }

    fn untaken(&mut self, taken: &[bool]) -> u32 {
        let left: Vec<u32> = (0..).zip(taken).filter(|(_, taken)| !**taken).map(|(item, _)| item).collect();
        let at = self.below(item(left.len()));
        left.get(index(at)).copied().unwrap_or(0)
    }

    /// Keys matter only by how they compare: m different ones out of 2^bits can be chosen in C(2^bits, m) ways.
    fn keys(&mut self, items: u32, bits: u32) -> Vec<u32> {
        if self.levels.is_empty() {
            self.levels = levels(self.items);
        }
        let levels = std::mem::take(&mut self.levels);
        let words = 1_u128 << bits;
        let at = self.answer(item(levels.len()), |at| {
            let different = levels.get(index(at)).map_or(0, |(_, different)| *different);
            share(choices(words, different), words.saturating_pow(items))
        });
        let keys = levels.get(index(at)).map(|(keys, _)| keys.clone()).unwrap_or_default();
        self.levels = levels;
        keys
    }
}

/// C(words, m).
#[expect(clippy::integer_division_remainder_used, reason = "a binomial coefficient; each division is exact")]
fn choices(words: u128, m: u32) -> u128 {
    (0..u128::from(m)).fold(1, |product, i| product * (words - i) / (i + 1))
}

/// Every list of `items` numbers in which each of 0 … m−1 comes, with its m: the weak orders.
fn levels(items: u32) -> Vec<(Vec<u32>, u32)> {
    let mut found = Vec::new();
    for different in 1..=items {
        let mut keys = vec![0_u32; index(items)];
        loop {
            if (0..different).all(|key| keys.contains(&key)) {
                found.push((keys.clone(), different));
            }
            // Count up, the first key fastest.
            let Some(at) = keys.iter().position(|key| key + 1 < different) else { break };
            for (place, key) in keys.iter_mut().enumerate().take(at + 1) {
                *key = if place == at { *key + 1 } else { 0 };
            }
        }
    }
    found
}
