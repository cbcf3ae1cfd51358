//! Tests of rounds that are no whole decks: cards with replacement, classes of multipliers, and
//! equal cards of several decks made different (docs/statistics.md).

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};

use super::Report;
use super::battery::Why;
use super::nulls::merged_pearson;
use super::number::{count, index, real};
use super::tail::{binomial_at_least, binomial_either, chi_square_above};
use fairdeal::deal::{Card, Choices, DeckName, below};

/// Items of one deck of 52.
const DECK: u32 = 52;

/// Item numbers of cards. Of several decks equal cards are distinguished by a draw keyed with the
/// row, so that a hand that comes twice is not dealt from the same copies.
#[must_use]
pub fn numbered(deck: DeckName, cards: &[Card], row: u64) -> Option<Vec<u32>> {
    let item = |card: &Card| {
        deck.cards().iter().position(|one| one == card).and_then(|at| u32::try_from(at).ok())
    };
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
            self.left =
                digest.as_chunks::<4>().0.iter().map(|bytes| u32::from_be_bytes(*bytes)).collect();
            self.block += 1;
        }
        self.left.pop().expect("a digest has eight words")
    }
}

/// With replacement every card of every position is independent: X² of all of them, and the aces of
/// each position.
#[must_use]
pub fn with_replacement(rounds: u64, positions: &[[u64; 52]]) -> Report {
    let draws = rounds.saturating_mul(count(positions.len()));
    let expected = real(draws) / 52.0;
    let cards = if expected < 5.0 {
        Err(Why(format!("needs 260 cards, there are {draws}")))
    } else {
        let found = |card: usize| positions.iter().filter_map(|cells| cells.get(card)).sum::<u64>();
        let statistic: f64 =
            (0..52).map(|card| (real(found(card)) - expected).powi(2) / expected).sum();
        Ok((statistic, chi_square_above(statistic, 51.0)))
    };
    let mut outcomes = vec![("cards".to_owned(), cards)];
    for (seat, cells) in (1..).zip(positions) {
        let cards = DeckName::Standard52.cards().iter().zip(cells);
        let aces: u64 =
            cards.filter(|(card, _)| card.as_bytes().starts_with(b"A")).map(|(_, cell)| cell).sum();
        let outcome = if rounds == 0 {
            Err(Why("there are no rounds".to_owned()))
        } else {
            Ok((real(aces), binomial_at_least(aces, rounds, 1.0 / 13.0)))
        };
        outcomes.push((format!("seat {seat}, ace"), outcome));
    }
    Report::of(rounds, outcomes)
}

/// X² of classes with their shares, and how many rounds are of the first, whose own name and share
/// are given.
#[must_use]
pub fn classes(name: &str, counts: &[u64], shares: &[f64], (first, share): (&str, f64)) -> Report {
    let rounds: u64 = counts.iter().sum();
    let pearson = merged_pearson(counts.iter().copied(), shares, rounds)
        .map(|(statistic, df)| (statistic, chi_square_above(statistic, df)))
        .ok_or_else(|| Why(format!("needs two classes that expect 5; there are {rounds} rounds")));
    let of_first = if rounds == 0 {
        Err(Why("there are no rounds".to_owned()))
    } else {
        Ok((real(counts[0]), binomial_either(counts[0], rounds, share)))
    };
    Report::of(rounds, vec![(name.to_owned(), pearson), (first.to_owned(), of_first)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::adjust_together;
    use crate::stats::number::bump;

    /// Files of fair rounds: how many of them raise an alarm, and how many have a least p under a
    /// half.
    fn files(report: impl Fn(&mut Words) -> Report) -> (usize, Vec<f64>) {
        let mut reports: Vec<Report> = (0..300)
            .map(|file| report(&mut Words { row: file, block: 0, left: Vec::new() }))
            .collect();
        for report in &mut reports {
            adjust_together([report]);
        }
        let first = reports.iter().map(|report| report.tests[0].p).collect();
        (reports.iter().filter(|report| report.alarm).count(), first)
    }

    /// Uniform, as far as 300 values tell: Kolmogorov's distance under 1.63/√300 in 99 of 100
    /// cases.
    fn is_uniform(mut values: Vec<f64>) -> bool {
        values.sort_by(f64::total_cmp);
        let all = real(count(values.len()));
        let distance =
            (1..).zip(&values).map(|(at, p)| (real(at) / all - p).abs()).fold(0.0, f64::max);
        distance < 0.094 + 1.0 / all
    }

    /// At least so many hundredths in so many of 2^32 cases: 99 % of the share.
    const LEAST: [u64; 6] = [100, 101, 150, 200, 1_000, 10_000];

    fn at_least(cents: u64) -> f64 {
        if cents <= 100 { 1.0 } else { 99.0 / real(cents) }
    }

    #[test]
    fn fair_multipliers_have_p_values_as_they_should_be() {
        let ends = LEAST[1..].iter().map(|cents| at_least(*cents)).chain([0.0]);
        let shares: Vec<f64> =
            LEAST.iter().zip(ends).map(|(cents, end)| at_least(*cents) - end).collect();
        let (alarms, first) = files(|words| {
            let mut counts = [0; LEAST.len()];
            for _ in 0..400 {
                let uniform = (f64::from(words.next()) + 1.0) / 2.0_f64.powi(32);
                let class = LEAST.iter().rposition(|cents| uniform <= at_least(*cents));
                bump(&mut counts, class.expect("all are 1.00 or more"));
            }
            classes("multipliers", &counts, &shares, ("multiplier 1.00", shares[0]))
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
            with_replacement(400, &positions)
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
                bump(&mut copies, index((item - 7) / 52));
            }
        }
        // 2,000 of each, with a spread of 32.
        assert!(copies.iter().all(|times| times.abs_diff(2_000) < 160), "{copies:?}");
        assert_eq!(numbered(deck, &[card; 9], 0), None, "there are no nine of a card");
        assert_eq!(numbered(DeckName::Standard52, &[card], 0), Some(vec![7]));
    }
}
