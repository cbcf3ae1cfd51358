//! Results over all valid rounds, counted each once: reported, never a verdict (docs/statistics.md).
//!
//! Replay is exact, so what numbers can still say is whether seeds were chosen for what they give. Cards are numbered in the
//! order of our own decks, which have ranks; only as many cards are taken as every round deals whatever is played, from the
//! seeds where a row shows fewer, since a row's length may depend on its cards.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::hash::{BuildHasher as _, Hash, RandomState};

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::deal::{Card, Choices, Deck, DeckName, below};
use crate::dialect::check::Checker;
use crate::dialect::law::{Law, Multiplier, Ranges};
use crate::dialect::play::Outcome;
use crate::dialect::round::Round;
use crate::dialect::{Cents, Dialect};
use crate::stats::nulls::merged_pearson;
use crate::stats::number::{bump, count, index, real};
use crate::stats::tail::{binomial_at_least, binomial_either, chi_square_above};
use crate::stats::{Counts, Report, Shape, Skipped, Test, adjust_together};

/// The least multiplier, in hundredths, of each class that is counted; neighbours that expect under five are one.
const CLASSES: [u64; 24] = [
    100, 101, 105, 110, 120, 130, 150, 175, 200, 250, 300, 400, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000,
    10_000, 20_000, 50_000, 100_000, 1_000_000,
];

/// Items of one deck of 52.
const DECK: u32 = 52;

/// What numbers say of many rounds.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Statistics {
    /// Whether any of the tests has an adjusted p under 0.01; fair rounds do that in at most one file of a hundred.
    pub alarm: bool,
    /// By what was dealt, adjusted together.
    pub groups: Vec<Group>,
    /// Valid rounds that another row had before.
    pub repeated: u64,
    /// Valid rounds that are no uniform deal of a deck that is known.
    pub not_counted: u64,
}

/// Rounds of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// A deck's name, `standard-52, with replacement`, or `multipliers`.
    pub of: String,
    /// How many cards of each round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<u32>,
    /// The tests.
    #[serde(flatten)]
    pub report: Report,
}

/// Counts of results.
pub(super) struct Tables {
    dialect: &'static dyn Dialect,
    checker: Checker,
    seen: HashSet<u64>,
    keys: RandomState,
    repeated: u64,
    not_counted: u64,
    results: Results,
}

enum Results {
    /// By deck and draw.
    Decks(BTreeMap<(u32, u32), (DeckName, Counts)>),
    /// By position, then by card.
    Replaced { rounds: u64, positions: Vec<[u64; 52]> },
    /// By class.
    Multipliers { law: Multiplier, classes: [u64; CLASSES.len()] },
}

impl Tables {
    pub(super) fn new(dialect: &'static dyn Dialect) -> Self {
        let results = match dialect.law() {
            Law::Draws(Ranges::Down { .. }) => Results::Decks(BTreeMap::new()),
            Law::Draws(Ranges::Same(_)) => {
                Results::Replaced { rounds: 0, positions: vec![[0; 52]; index(dialect.always_dealt())] }
            }
            Law::Multiplier(law) => Results::Multipliers { law, classes: [0; CLASSES.len()] },
        };
        Self {
            dialect,
            checker: Checker::new(dialect),
            seen: HashSet::new(),
            keys: RandomState::new(),
            repeated: 0,
            not_counted: 0,
            results,
        }
    }

    /// Counts a valid row, unless its round, which `known_by` tells from others, was counted.
    pub(super) fn take(&mut self, row: u64, round: &Round<'_>, known_by: &impl Hash) {
        if !self.seen.insert(self.keys.hash_one(known_by)) {
            self.repeated = self.repeated.saturating_add(1);
        } else if self.counted(row, round).is_none() {
            self.not_counted = self.not_counted.saturating_add(1);
        }
    }

    fn counted(&mut self, row: u64, round: &Round<'_>) -> Option<()> {
        if let Results::Multipliers { classes, .. } = &mut self.results {
            let cents = round.result?.0;
            let class = CLASSES.partition_point(|least| *least <= cents).checked_sub(1)?;
            bump(classes, class);
            return Some(());
        }
        let items = self.dialect.deck_items(round);
        let want = items.filter(|_| round.full == Some(true)).unwrap_or_else(|| self.dialect.always_dealt());
        let cards = self.cards(round, index(want))?;
        match &mut self.results {
            Results::Replaced { rounds, positions } => {
                *rounds = rounds.saturating_add(1);
                for (position, card) in positions.iter_mut().zip(&cards) {
                    let item = DeckName::Standard52.cards().iter().position(|one| one == card)?;
                    bump(position, item);
                }
            }
            Results::Decks(groups) => {
                // A cycle is no uniform order.
                let items = items.filter(|_| round.method.as_deref() != Some("cycle"))?;
                let deck = DeckName::ALL.iter().copied().find(|deck| deck.items() == items)?;
                let shape = Shape::of(&Deck::Named(deck), want).ok()?;
                let numbers = numbered(deck, &cards, row)?;
                groups.entry((items, want)).or_insert_with(|| (deck, Counts::of(shape))).1.add(&numbers);
            }
            Results::Multipliers { .. } => {}
        }
        Some(())
    }

    /// The first cards of a round: those that its row shows, which follow from its seeds, or as many of them.
    fn cards(&mut self, round: &Round<'_>, want: usize) -> Option<Vec<Card>> {
        if let Some(shown) = round.cards.as_ref().and_then(|cards| cards.get(..want)) {
            return Some(shown.to_vec());
        }
        match self.checker.outcome(round, want).ok()? {
            Outcome::Cards(mut cards) if cards.len() >= want => {
                cards.truncate(want);
                Some(cards)
            }
            _ => None,
        }
    }

    pub(super) fn finish(self) -> Statistics {
        let mut groups = match self.results {
            Results::Decks(groups) => groups
                .into_iter()
                .map(|((_, draw), (deck, counts))| Group {
                    of: deck.as_str().to_owned(),
                    draw: Some(draw),
                    report: counts.report(),
                })
                .collect(),
            Results::Replaced { rounds, positions } => vec![Group {
                of: "standard-52, with replacement".to_owned(),
                draw: u32::try_from(positions.len()).ok(),
                report: replaced(rounds, &positions),
            }],
            Results::Multipliers { law, classes } => {
                vec![Group { of: "multipliers".to_owned(), draw: None, report: multipliers(law, &classes) }]
            }
        };
        adjust_together(groups.iter_mut().map(|group| &mut group.report));
        let alarm = groups.iter().any(|group| group.report.alarm);
        Statistics { alarm, groups, repeated: self.repeated, not_counted: self.not_counted }
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables")
            .field("dialect", &self.dialect)
            .field("seen", &self.seen.len())
            .finish_non_exhaustive()
    }
}

/// Item numbers of cards. Of several decks equal cards are told apart by a draw keyed with the row, so that a hand that
/// comes twice is not dealt from the same copies.
fn numbered(deck: DeckName, cards: &[Card], row: u64) -> Option<Vec<u32>> {
    let item =
        |card: &Card| deck.cards().iter().position(|one| one == card).and_then(|at| u32::try_from(at).ok());
    let copies = deck.items().checked_div(DECK).filter(|_| deck.items() > 54);
    let Some(copies) = copies else { return cards.iter().map(item).collect() };
    let mut words = Words { row, block: 0, left: Vec::new() };
    let mut taken: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut numbers = Vec::with_capacity(cards.len());
    for card in cards {
        let first = item(card)?;
        let left = taken.entry(first).or_insert_with(|| (0..copies).collect());
        let ways = Choices::new(u32::try_from(left.len()).ok()?).ok()?;
        let copy = left.swap_remove(index(below(ways, || words.next())));
        numbers.push(first + DECK * copy);
    }
    Some(numbers)
}

/// Words of SHA-256 over a row's number and a counter.
struct Words {
    row: u64,
    block: u64,
    left: Vec<u32>,
}

impl Words {
    fn next(&mut self) -> u32 {
        if self.left.is_empty() {
            let input = [self.row.to_be_bytes(), self.block.to_be_bytes()].concat();
            let digest = Sha256::digest(input);
            self.left = digest.as_chunks::<4>().0.iter().map(|bytes| u32::from_be_bytes(*bytes)).collect();
            self.block = self.block.saturating_add(1);
        }
        self.left.pop().unwrap_or_default()
    }
}

/// A test's name, and its statistic and p or why there is none.
type Outcomes = Vec<(String, Result<(f64, f64), String>)>;

/// Tests so far, unadjusted.
fn report(decks: u64, outcomes: Outcomes) -> Report {
    let mut report = Report { decks, alarm: false, tests: Vec::new(), skipped: Vec::new() };
    for (name, outcome) in outcomes {
        match outcome {
            Ok((statistic, p)) => report.tests.push(Test { name, statistic, p, p_adjusted: p }),
            Err(why) => report.skipped.push(Skipped { name, why }),
        }
    }
    report
}

/// With replacement every card of every position is independent: X² of all of them, and the aces of each position.
fn replaced(rounds: u64, positions: &[[u64; 52]]) -> Report {
    let draws = rounds.saturating_mul(count(positions.len()));
    let expected = real(draws) / 52.0;
    let cards = if expected < 5.0 {
        Err(format!("needs 260 cards, there are {draws}"))
    } else {
        let found = |card: usize| positions.iter().filter_map(|cells| cells.get(card)).sum::<u64>();
        let statistic: f64 = (0..52).map(|card| (real(found(card)) - expected).powi(2) / expected).sum();
        Ok((statistic, chi_square_above(statistic, 51.0)))
    };
    let mut outcomes = vec![("cards".to_owned(), cards)];
    for (seat, cells) in (1..).zip(positions) {
        let cards = DeckName::Standard52.cards().iter().zip(cells);
        let aces: u64 =
            cards.filter(|(card, _)| card.as_bytes().starts_with(b"A")).map(|(_, cell)| cell).sum();
        let outcome = if rounds == 0 {
            Err("there are no rounds".to_owned())
        } else {
            Ok((real(aces), binomial_at_least(aces, rounds, 1.0 / 13.0)))
        };
        outcomes.push((format!("seat {seat}, ace"), outcome));
    }
    report(rounds, outcomes)
}

/// X² of the classes with their exact probabilities, and how many are 1.00.
fn multipliers(law: Multiplier, classes: &[u64; CLASSES.len()]) -> Report {
    let rounds: u64 = classes.iter().sum();
    let cases = real(law.at_least(Cents(0)));
    let ends = CLASSES.iter().skip(1).map(|least| law.at_least(Cents(*least))).chain([0]);
    let shares: Vec<f64> = CLASSES
        .iter()
        .zip(ends)
        .map(|(least, end)| real(law.at_least(Cents(*least)).saturating_sub(end)) / cases)
        .collect();
    let pearson = merged_pearson(classes.iter().copied(), &shares, rounds)
        .map(|(statistic, df)| (statistic, chi_square_above(statistic, df)))
        .ok_or_else(|| format!("needs two classes that expect 5; there are {rounds} rounds"));
    let [lowest, ..] = *classes;
    let share = real(law.exactly(Cents(100))) / cases;
    let at_one = if rounds == 0 {
        Err("there are no rounds".to_owned())
    } else {
        Ok((real(lowest), binomial_either(lowest, rounds, share)))
    };
    report(rounds, vec![("multipliers".to_owned(), pearson), ("multiplier 1.00".to_owned(), at_one)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files of fair rounds: how many of them raise an alarm, and how many have a least p under a half.
    fn files(report: impl Fn(&mut Words) -> Report) -> (usize, Vec<f64>) {
        let mut reports: Vec<Report> =
            (0..300).map(|file| report(&mut Words { row: file, block: 0, left: Vec::new() })).collect();
        for report in &mut reports {
            adjust_together([report]);
        }
        let first = reports.iter().map(|report| report.tests[0].p).collect();
        (reports.iter().filter(|report| report.alarm).count(), first)
    }

    /// Uniform, as far as 300 values tell: Kolmogorov's distance under 1.63/√300 in 99 of 100 cases.
    fn is_uniform(mut values: Vec<f64>) -> bool {
        values.sort_by(f64::total_cmp);
        let all = real(count(values.len()));
        let distance = (1..).zip(&values).map(|(at, p)| (real(at) / all - p).abs()).fold(0.0, f64::max);
        distance < 0.094 + 1.0 / all
    }

    #[test]
    fn fair_multipliers_have_p_values_as_they_should_be() {
        let law = Multiplier { numerator: 99, denominator: 1, bits: 32 };
        let (alarms, first) = files(|words| {
            let mut classes = [0; CLASSES.len()];
            for _ in 0..400 {
                let cents = law.of(u64::from(words.next()) + 1).0;
                bump(&mut classes, CLASSES.partition_point(|least| *least <= cents) - 1);
            }
            multipliers(law, &classes)
        });
        assert!(alarms <= 9, "{alarms}"); // 3 are expected at most
        assert!(is_uniform(first));
    }

    #[test]
    fn fair_cards_with_replacement_have_p_values_as_they_should_be() {
        let (alarms, first) = files(|words| {
            let mut positions = vec![[0; 52]; 4];
            for _ in 0..400 {
                for cells in &mut positions {
                    bump(cells, index(below(Choices::new(52).unwrap(), || words.next())));
                }
            }
            replaced(400, &positions)
        });
        assert!(alarms <= 9, "{alarms}");
        assert!(is_uniform(first));
    }

    #[test]
    fn equal_cards_of_several_decks_become_different_items_and_each_copy_comes_alike() {
        let deck = DeckName::Standard52x8;
        let card = deck.cards()[7];
        let mut copies = [0; 8];
        for row in 0..4_000 {
            let items = numbered(deck, &[card; 4], row).unwrap();
            let mut different = items.clone();
            different.sort_unstable();
            different.dedup();
            assert_eq!(different.len(), 4);
            assert!(items.iter().all(|item| deck.card(*item) == Some(card)));
            for item in items {
                bump(&mut copies, index((item - 7).checked_div(52).unwrap()));
            }
        }
        // 2,000 of each, with a spread of 32.
        assert!(copies.iter().all(|times| times.abs_diff(2_000) < 160), "{copies:?}");
        assert_eq!(numbered(deck, &[card; 9], 0), None, "there are no nine of a card");
        assert_eq!(numbered(DeckName::Standard52, &[card], 0), Some(vec![7]));
    }
}
