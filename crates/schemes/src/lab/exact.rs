//! Every path of a shuffle on a short deck, and so the exact probability of every order.
//!
//! Comparator sorts have finitely many paths: each answer halves a path's probability, and six
//! items take at most 15 answers. The visited set has infinitely many, because an item can be
//! refused any number of times. So the series is summed: with k of n items taken, each free item
//! comes with probability Σᵣ (k/n)ʳ/n = 1/(n−k), and a step is one uniform choice among the free
//! items.

use std::collections::BTreeMap;

use num_rational::Ratio;

use super::choose::{Choose, Narrow};
use super::shuffle::Shuffle;
use super::steps::Work;
use fairdeal_audit::stats::number::{index, item};

/// The longest deck that is enumerated: 720 orders.
pub const LONGEST_EXACT: u32 = 6;

/// An exact probability, in lowest terms.
pub type Fraction = Ratio<u128>;

/// Every order that a shuffle can deal, with its probability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exact {
    /// The items in deal order, and the probability. Not all are permutations: the XOR swap loses
    /// cards.
    pub orders: BTreeMap<Vec<u32>, Fraction>,
    /// The number of paths.
    pub paths: Paths,
    /// The number of orders of a right shuffle: n!/(n−k)!.
    possible: u128,
}

/// The number of sequences of choices of a shuffle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paths {
    /// This number. Paths are not equally likely if choices are biased or paths differ in length.
    Counted(u128),
    /// Infinitely many: there is no longest path.
    Endless,
}

/// A deck was not enumerated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExactError {
    /// Too long, or empty.
    #[error(
        "expected 1 to {LONGEST_EXACT} items, of which every order is followed, found {0}; sample it instead"
    )]
    Items(u32),
}

/// Walks every path of `shuffle` on a deck of 1 to 6 items.
///
/// Time: milliseconds, except for the small seeds, which take 2^16 and 2^20 shuffles. The largest
/// number of paths is 2^80, of 16-bit words and six items, so that no fraction overflows.
///
/// # Errors
/// [`ExactError`].
pub fn enumerate(shuffle: Shuffle, items: u32) -> Result<Exact, ExactError> {
    if items == 0 || items > LONGEST_EXACT {
        return Err(ExactError::Items(items));
    }
    let mut now =
        BTreeMap::from([(Work::new((0..items).collect()), (Fraction::from_integer(1), 1_u128))]);
    for at in 0..shuffle.steps(items) {
        let mut next: BTreeMap<Work, (Fraction, u128)> = BTreeMap::new();
        for (work, (chance, paths)) in now {
            let mut walker = Walker::new(items);
            loop {
                let mut after = work.clone();
                shuffle.step(at, items, &mut after, &mut walker);
                let sum = next.entry(after).or_insert((Fraction::ZERO, 0));
                sum.0 += chance * walker.chance();
                sum.1 += paths * walker.ways();
                if !walker.turn() {
                    break;
                }
            }
        }
        now = next;
    }
    let (mut orders, mut total) = (BTreeMap::new(), 0_u128);
    for (work, (chance, paths)) in now {
        *orders.entry(shuffle.dealt(items, &work.list)).or_insert(Fraction::ZERO) += chance;
        total += paths;
    }
    let paths = if shuffle == Shuffle::VisitedSet { Paths::Endless } else { Paths::Counted(total) };
    let possible = (0..shuffle.draw(items)).map(|taken| u128::from(items - taken)).product();
    Ok(Exact { orders, paths, possible })
}

impl Exact {
    /// The probability of each item (column) at each position (row) of a deal, rounded.
    #[must_use]
    pub fn positions(&self, items: u32) -> Vec<Vec<f64>> {
        let longest = self.orders.keys().map(Vec::len).max().unwrap_or(0);
        let mut rows = vec![vec![0.0; index(items)]; longest];
        for (order, probability) in &self.orders {
            for (row, item) in rows.iter_mut().zip(order) {
                row[index(*item)] += decimal(*probability);
            }
        }
        rows
    }

    /// Whether every possible order has the same probability, and there is nothing else.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        let each = Fraction::new(1, self.possible);
        u128::try_from(self.orders.len()) == Ok(self.possible)
            && self.orders.iter().all(|(order, chance)| is_order(order) && *chance == each)
    }

    /// The total variation distance from uniform: half the sum of all differences of probabilities,
    /// and the most that a bet on one deal can gain.
    #[must_use]
    pub fn total_variation(&self) -> Fraction {
        let each = Fraction::new(1, self.possible);
        // Only orders that are too likely count. A deal with repeated items should not come at all.
        let excess = |(order, chance): (&Vec<u32>, &Fraction)| {
            let due = if is_order(order) { each } else { Fraction::ZERO };
            if *chance > due { chance - due } else { Fraction::ZERO }
        };
        self.orders.iter().map(excess).sum()
    }
}

/// A probability as f64, rounded.
#[must_use]
pub fn decimal(probability: Fraction) -> f64 {
    fairdeal_audit::stats::Ratio::new(*probability.numer(), *probability.denom()).decimal()
}

/// Whether all items are different.
fn is_order(dealt: &[u32]) -> bool {
    dealt.iter().enumerate().all(|(at, item)| !dealt.iter().skip(at + 1).any(|other| other == item))
}

/// One choice on a path: the answer, how many there are, and this answer's probability and paths.
#[derive(Clone, Copy, Debug)]
struct Turn {
    answer: u32,
    answers: u32,
    chance: Fraction,
    ways: u128,
}

/// Makes the choices of each path once.
#[derive(Debug)]
struct Walker {
    turns: Vec<Turn>,
    depth: usize,
    /// Ways in which n keys can compare: for each item how many different keys are smaller, and how
    /// many different keys there are.
    levels: Vec<(Vec<u32>, u32)>,
    items: u32,
}

impl Walker {
    fn new(items: u32) -> Self {
        Self { turns: Vec::new(), depth: 0, levels: Vec::new(), items }
    }

    /// The current answer at this depth; the first answer if the depth is new.
    fn answer(&mut self, answers: u32, weigh: impl Fn(u32) -> (Fraction, u128)) -> u32 {
        if self.depth == self.turns.len() {
            self.turns.push(Turn { answer: 0, answers, chance: Fraction::ZERO, ways: 0 });
        }
        let turn = &mut self.turns[self.depth];
        (turn.chance, turn.ways) = weigh(turn.answer);
        self.depth += 1;
        turn.answer
    }

    fn chance(&self) -> Fraction {
        self.turns.iter().map(|turn| turn.chance).product()
    }

    fn ways(&self) -> u128 {
        self.turns.iter().map(|turn| turn.ways).product()
    }

    /// Moves on to the next path; false after the last.
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
    (Fraction::new(ways, of), ways)
}

impl Choose for Walker {
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
        let left: Vec<u32> =
            (0..).zip(taken).filter(|(_, taken)| !**taken).map(|(item, _)| item).collect();
        let at = self.below(item(left.len()));
        left[index(at)]
    }

    /// Only the comparisons of keys matter: m different keys out of 2^bits can be chosen in
    /// C(2^bits, m) ways.
    fn keys(&mut self, items: u32, bits: u32) -> Vec<u32> {
        if self.levels.is_empty() {
            self.levels = levels(self.items);
        }
        let levels = std::mem::take(&mut self.levels);
        let words = 1_u128 << bits;
        let at = self.answer(item(levels.len()), |at| {
            share(choices(words, levels[index(at)].1), words.saturating_pow(items))
        });
        let keys = levels[index(at)].0.clone();
        self.levels = levels;
        keys
    }
}

/// C(words, m); each division is exact.
fn choices(words: u128, m: u32) -> u128 {
    (0..u128::from(m)).fold(1, |product, i| product * (words - i) / (i + 1))
}

/// The weak orders: every list of `items` numbers that has all of 0 … m−1 and no others, with its
/// m.
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
