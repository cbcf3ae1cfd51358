//! Tests of the results of all valid rounds, each counted once: a report, never a verdict
//! (docs/statistics.md).
//!
//! Replay is exact, so what numbers can still show is whether seeds were chosen for their results.
//! Cards are numbered in the order of our own decks. Only the cards that every round deals are
//! counted, since how many more a row shows may depend on the cards; if a row shows fewer, they
//! come from its seeds.

use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasher as _, Hash, RandomState};

use serde::Serialize;

use crate::dialect::{
    Cents, Checker, Column, Dialect, DialectOutcome, Law, Multiplier, Ranges, Round,
};
use fairdeal::deal::{Card, Deck, DeckName};
use fairdeal_audit::stats::number::{bump, index, real};
use fairdeal_audit::stats::rounds::{classes, numbered, with_replacement};
use fairdeal_audit::stats::{Counts, Report, Shape, adjust_together};

/// The least multiplier of each class, in hundredths; the first one has all under 1.01. Neighbouring
/// classes that expect under five are merged.
const CLASSES: [u64; 24] = [
    100, 101, 105, 110, 120, 130, 150, 175, 200, 250, 300, 400, 500, 700, 1_000, 1_500, 2_000,
    3_000, 5_000, 10_000, 20_000, 50_000, 100_000, 1_000_000,
];

/// The tests of many rounds.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct HabitStatistics {
    /// Whether a test has an adjusted p under 0.01, as at most one in a hundred files of fair
    /// rounds has.
    pub alarm: bool,
    /// One for each kind of deal, adjusted together.
    pub groups: Vec<ResultGroup>,
    /// Valid rows of the same round as an earlier row.
    pub repeated: u64,
    /// Valid rounds that are not a uniform deal of a known deck.
    pub not_counted: u64,
}

/// Rounds of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ResultGroup {
    /// A deck's name, `standard-52, with replacement`, or `multipliers`.
    pub of: String,
    /// The number of cards of each round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<u32>,
    /// The tests.
    #[serde(flatten)]
    pub report: Report,
}

/// Counts of results.
#[derive(Debug)]
pub(super) struct Tables {
    dialect: &'static Dialect,
    checker: Checker,
    seen: HashSet<u64>,
    keys: RandomState,
    results: Results,
    found: HabitStatistics,
}

#[derive(Debug)]
enum Results {
    /// By deck and draw.
    Decks(BTreeMap<(u32, u32), (DeckName, Counts)>),
    /// By position, then by card.
    Replaced { rounds: u64, positions: Vec<[u64; 52]> },
    /// No tests: games of numbers and symbols.
    Games,
    /// By class.
    Multipliers { law: Multiplier, classes: [u64; CLASSES.len()] },
}

impl Tables {
    pub(super) fn new(dialect: &'static Dialect) -> Self {
        let results = match dialect.law {
            Law::Draws(_) if !dialect.reads(Column::Cards) => Results::Games,
            Law::Draws(Ranges::Down { .. } | Ranges::Each(_)) => Results::Decks(BTreeMap::new()),
            Law::Draws(Ranges::Same(_)) => Results::Replaced {
                rounds: 0,
                positions: vec![[0; 52]; index(dialect.always_dealt)],
            },
            Law::Multiplier(law) => Results::Multipliers { law, classes: [0; CLASSES.len()] },
        };
        let (checker, found) = (Checker::new(dialect), HabitStatistics::default());
        Self { dialect, checker, seen: HashSet::new(), keys: RandomState::new(), results, found }
    }

    /// Counts a valid row, unless its round was counted before. `known_by` identifies the round.
    pub(super) fn take(&mut self, row: u64, round: &Round<'_>, known_by: &impl Hash) {
        if !self.seen.insert(self.keys.hash_one(known_by)) {
            self.found.repeated += 1;
        } else if self.counted(row, round).is_none() {
            self.found.not_counted += 1;
        }
    }

    fn counted(&mut self, row: u64, round: &Round<'_>) -> Option<()> {
        if let Results::Multipliers { classes, .. } = &mut self.results {
            let cents = round.result?.0;
            let class = CLASSES.partition_point(|least| *least <= cents.max(100)).checked_sub(1)?;
            bump(classes, class);
            return Some(());
        }
        let items = self.dialect.deck_items(round);
        let want = items.filter(|_| round.full == Some(true)).unwrap_or(self.dialect.always_dealt);
        let cards = self.cards(round, index(want))?;
        match &mut self.results {
            Results::Replaced { rounds, positions } => {
                *rounds += 1;
                for (position, item) in
                    positions.iter_mut().zip(numbered(DeckName::Standard52, &cards, row)?)
                {
                    bump(position, index(item));
                }
            }
            Results::Decks(groups) => {
                // A cycle is not a uniform order.
                let items = items.filter(|_| round.method.as_deref() != Some("cycle"))?;
                let deck = DeckName::ALL.into_iter().find(|deck| deck.items() == items)?;
                let shape = Shape::of(&Deck::Named(deck), want).ok()?;
                let numbers = numbered(deck, &cards, row)?;
                groups
                    .entry((items, want))
                    .or_insert_with(|| (deck, Counts::of(shape)))
                    .1
                    .add(&numbers);
            }
            Results::Games => return None,
            Results::Multipliers { .. } => unreachable!("counted above"),
        }
        Some(())
    }

    /// The first cards of a round: those that its row shows, or if these are too few, those of its
    /// seeds.
    fn cards(&mut self, round: &Round<'_>, want: usize) -> Option<Vec<Card>> {
        if let Some(shown) = round.cards.as_ref().and_then(|cards| cards.get(..want)) {
            return Some(shown.to_vec());
        }
        let DialectOutcome::Cards(mut cards) = self.checker.outcome(round, want).ok()? else {
            return None;
        };
        cards.truncate(want);
        (cards.len() == want).then_some(cards)
    }

    pub(super) fn finish(self) -> HabitStatistics {
        let group = |of: &str, draw, report| ResultGroup { of: of.to_owned(), draw, report };
        let mut groups: Vec<ResultGroup> = match &self.results {
            Results::Decks(decks) => decks
                .iter()
                .map(|((_, draw), (deck, counts))| {
                    group(deck.as_str(), Some(*draw), counts.report())
                })
                .collect(),
            Results::Replaced { rounds, positions } => vec![group(
                "standard-52, with replacement",
                Some(self.dialect.always_dealt),
                with_replacement(*rounds, positions),
            )],
            Results::Games => Vec::new(),
            Results::Multipliers { law, classes } => {
                vec![group("multipliers", None, multipliers(*law, classes))]
            }
        };
        adjust_together(groups.iter_mut().map(|group| &mut group.report));
        let alarm = groups.iter().any(|group| group.report.alarm);
        HabitStatistics { alarm, groups, ..self.found }
    }
}

fn multipliers(law: Multiplier, counts: &[u64; CLASSES.len()]) -> Report {
    let share = |cases: u64| real(cases) / real(law.at_least(Cents(0)));
    let at_least = |cents: &u64| law.at_least(Cents(*cents));
    let ends = CLASSES[1..].iter().map(at_least).chain([0]);
    // A result under 1.00 is in the first class, where an operator may show 1.00 in its place.
    let starts = [0].iter().chain(&CLASSES[1..]);
    let shares: Vec<f64> =
        starts.zip(ends).map(|(from, end)| share(at_least(from) - end)).collect();
    let first = if law.least < 100 { "multiplier 1.00 or less" } else { "multiplier 1.00" };
    classes("multipliers", counts, &shares, (first, shares[0]))
}
