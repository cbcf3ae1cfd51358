//! Compares each null distribution with the counts over all decks.

use std::collections::BTreeMap;

use super::*;
use crate::stats::nulls::{eulerian, matches};
use crate::stats::number::index;
use crate::stats::order::{self, Scratch};
use crate::stats::tail::{
    Pooled, binomial_at_least, binomial_at_most, chi_square_above, normal_above, poisson_at_least,
};
use crate::stats::{Counts, Shape};

/// Every order of `n` items.
fn orders(n: u32) -> Vec<Vec<u32>> {
    let mut all = vec![vec![]];
    for next in 0..n {
        all = all
            .into_iter()
            .flat_map(|order: Vec<u32>| {
                (0..=order.len()).map(move |at| {
                    let mut longer = order.clone();
                    longer.insert(at, next);
                    longer
                })
            })
            .collect();
    }
    all
}

fn share(values: impl IntoIterator<Item = u32>) -> Vec<f64> {
    let mut counts = BTreeMap::new();
    let mut total = 0;
    for value in values {
        *counts.entry(value).or_insert(0) += 1;
        total += 1;
    }
    let last = counts.keys().next_back().copied().unwrap_or(0);
    (0..=last)
        .map(|value| f64::from(counts.get(&value).copied().unwrap_or(0)) / f64::from(total))
        .collect()
}

fn assert_close(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}: {found:?} {expected:?}");
    for (f, e) in found.iter().zip(expected) {
        assert!((f - e).abs() < 1e-12, "{what}: {found:?} {expected:?}");
    }
}

#[test]
fn holm_multiplies_the_smallest_by_all_and_never_descends() {
    let mut tests: Vec<Test> = [0.04, 0.01, 0.03, 0.005]
        .map(|p| Test { name: String::new(), statistic: 0.0, p, p_adjusted: p })
        .to_vec();
    adjust(&mut tests);
    let adjusted: Vec<f64> = tests.iter().map(|test| test.p_adjusted).collect();
    assert_eq!(adjusted, [0.06, 0.03, 0.06, 0.02]);
}

#[test]
fn descents_and_rising_sequences_are_eulerian_over_all_decks() {
    let mut scratch = Scratch::default();
    for n in 2..=7 {
        let all = orders(n);
        assert_close(
            &share(all.iter().map(|deck| order::descents(deck))),
            &eulerian(n),
            "descents",
        );
        let rising = all.iter().map(|deck| {
            assert!(scratch.place(deck, n, n));
            order::descents(&scratch.places)
        });
        assert_close(&share(rising), &eulerian(n), "rising sequences");
    }
}

#[test]
fn matches_have_the_rencontres_law_over_all_decks_and_all_prefixes() {
    for n in 1..=7 {
        let identity: Vec<u32> = (0..n).collect();
        for draw in 1..=n {
            let found =
                orders(n).into_iter().map(|deck| order::matches(&deck[..index(draw)], &identity));
            let mut found = share(found);
            found.resize(index(draw) + 1, 0.0);
            assert_close(&found, &matches(n, draw), "matches");
        }
    }
}

#[test]
fn parity_is_even_and_inversions_have_their_mean_and_variance_over_all_decks() {
    let mut scratch = Scratch::default();
    for n in 4..=7 {
        let all = orders(n);
        let each: Vec<u64> = all.iter().map(|deck| scratch.inversions(deck, n)).collect();
        assert_eq!(each.iter().filter(|i| **i & 1 == 1).count() * 2, all.len());
        for (deck, inversions) in all.iter().zip(&each) {
            assert_eq!(u64::from(n - cycles(deck)) & 1, inversions & 1, "{deck:?}");
        }
        let (n, total) = (f64::from(n), real(count(all.len())));
        let mean = each.iter().map(|i| real(*i)).sum::<f64>() / total;
        let variance = each.iter().map(|i| (real(*i) - mean).powi(2)).sum::<f64>() / total;
        assert!((mean - n * (n - 1.0) / 4.0).abs() < 1e-9);
        assert!((variance - n * (n - 1.0) * (2.0 * n + 5.0) / 72.0).abs() < 1e-9);
    }
}

fn cycles(deck: &[u32]) -> u32 {
    let mut seen = vec![false; deck.len()];
    let mut found = 0;
    for start in 0..deck.len() {
        found += u32::from(!seen[start]);
        let mut at = start;
        while !seen[at] {
            seen[at] = true;
            at = index(deck[at]);
        }
    }
    found
}

#[test]
fn every_sequence_of_digits_belongs_to_one_deck() {
    let mut scratch = Scratch::default();
    for n in 2..=6 {
        let mut sequences: Vec<Vec<u32>> = Vec::new();
        for deck in orders(n) {
            let mut digits = Vec::new();
            scratch.digits(&deck, n, |range, digit| {
                assert!(digit < range);
                digits.push(digit);
            });
            assert_eq!(digits.len(), index(n - 1));
            sequences.push(digits);
        }
        sequences.sort();
        sequences.dedup();
        assert_eq!(sequences.len(), orders(n).len());
    }
}

#[test]
fn over_all_decks_once_each_statistic_is_its_mean() {
    for n in 4..=6 {
        let mut counts = Counts::of(Shape::of_items(n, n).unwrap());
        for deck in orders(n) {
            counts.add(&deck);
        }
        let report = counts.report();
        for name in [
            "position by card",
            "adjacent pairs",
            "digits",
            "digits, means",
            "inversions",
            "descents",
            "descents, shape",
            "rising sequences",
            "rising sequences, shape",
            "8-bit modulo",
        ] {
            let test = report.tests.iter().find(|test| test.name == name).expect(name);
            assert!(test.statistic.abs() < 1e-9, "{n}: {name} {}", test.statistic);
        }
    }
}

/// A quadratic form's mean over one deck, and mean, variance and third cumulant over all pairs of
/// decks.
fn moments(n: u32, draw: u32, form: fn(&Tally) -> Pooled) -> (f64, [f64; 3], Pooled) {
    let mut prefixes: Vec<Vec<u32>> =
        orders(n).into_iter().map(|deck| deck[..index(draw)].to_vec()).collect();
    prefixes.sort();
    prefixes.dedup();
    let one = Counts::of(Shape::of_items(n, draw).unwrap());
    let mean = |values: &[f64]| values.iter().sum::<f64>() / real(count(values.len()));
    let mut singles = Vec::new();
    let mut pairs = Vec::new();
    let mut limit = None;
    for first in &prefixes {
        let mut with_first = one.clone();
        with_first.add(first);
        singles.push(form(&with_first.tally).statistic);
        limit = Some(form(&with_first.tally));
        for second in &prefixes {
            let mut both = with_first.clone();
            both.add(second);
            pairs.push(form(&both.tally).statistic);
        }
    }
    let centre = mean(&pairs);
    let power = |k: i32| mean(&pairs.iter().map(|x| (x - centre).powi(k)).collect::<Vec<_>>());
    (mean(&singles), [centre, power(2), power(3)], limit.unwrap())
}

/// Over pairs the mean is df, the variance df, and the third central moment κ, to within
/// `tolerance`.
fn assert_moments(n: u32, draw: u32, form: fn(&Tally) -> Pooled, tolerance: f64) {
    let (single, [mean, variance, third], expected) = moments(n, draw, form);
    assert!((single - expected.df).abs() < 1e-9, "{n} {draw}: {single} {expected:?}");
    assert!((mean - expected.df).abs() < 1e-9, "{n} {draw}: {mean} {expected:?}");
    assert!((variance - expected.df).abs() < 1e-9, "{n} {draw}: {variance} {expected:?}");
    let off = (third - expected.pair_third).abs() / expected.pair_third;
    assert!(off < tolerance, "{n} {draw}: third {third} {expected:?}");
}

#[test]
fn position_by_card_has_its_degrees_of_freedom_over_all_pairs_of_decks() {
    for n in 3..=5 {
        assert_moments(n, n, super::tables::positions, 1e-9);
        assert_moments(n, n - 1, super::tables::positions, 1e-9);
        assert_moments(n, 2, super::tables::positions, 0.6);
    }
}

#[test]
fn adjacent_pairs_have_their_degrees_of_freedom_over_all_pairs_of_decks() {
    assert_moments(4, 4, super::tables::neighbours, 1.0);
    assert_moments(5, 5, super::tables::neighbours, 1.0);
}

#[test]
fn digits_have_their_degrees_of_freedom_over_all_pairs_of_decks() {
    for n in 3..=5 {
        assert_moments(n, n, super::digits::choices, 1e-9);
        assert_moments(n, 2, super::digits::choices, 1e-9);
    }
}

#[test]
fn a_longer_decks_first_positions_are_judged_like_a_prefix() {
    let shape = Shape::of_items(600, 600).unwrap();
    assert_eq!(shape.positions(), 436); // 436 × 600 < 2^18 < 437 × 600
    assert_eq!(shape.ranges().count(), 0);
    let mut counts = Counts::of(shape);
    let deck: Vec<u32> = (0..600).rev().collect();
    (0..30).for_each(|_| counts.add(&deck));
    let report = counts.report();
    assert!(report.alarm);
    let skipped: Vec<&str> = report.skipped.iter().map(|skipped| skipped.name.as_str()).collect();
    assert!(skipped.contains(&"digits") && skipped.contains(&"adjacent pairs"), "{skipped:?}");
}

/// Exact to all digits shown: sums of integers and of Decimal with 60 digits.
#[test]
fn tails_are_within_1e_8_of_exact_sums_far_out() {
    let near =
        |found: f64, exact: f64| assert!((found / exact - 1.0).abs() < 1e-8, "{found:e} {exact:e}");
    near(chi_square_above(3000.0, 2600.0), 5.958_817_409_933_48e-8);
    near(chi_square_above(4000.0, 2600.0), 3.292_285_974_016_66e-63);
    near(chi_square_above(6000.0, 2600.0), 5.722_805_142_677_888e-269);
    near(chi_square_above(80.0, 12.0), 4.127_308_729_731_736e-12);
    near(binomial_at_least(600, 1000, 0.5), 1.364_232_078_033_009e-10);
    near(binomial_at_least(900, 1000, 0.5), 6.701_717_790_006_296e-162);
    near(binomial_at_least(30, 30, 0.5), 9.313_225_746_154_785e-10);
    near(binomial_at_least(10, 30, 1.0 / 52.0), 1.461_388_499_886_215e-10);
    near(binomial_at_least(80_001, 1_000_000, 1.0 / 13.0), 8.314_045_931_786_635e-31);
    near(binomial_at_most(400, 1000, 0.5), 1.364_232_078_033_009e-10);
    near(normal_above(5.0), 2.866_515_718_791_946e-7);
    near(normal_above(30.0), 4.906_713_927_148_764e-198);
    near(poisson_at_least(1, 1e-60), 1e-60);
    near(1.0 - poisson_at_least(3, 2.0), 5.0 * (-2.0_f64).exp());
}

#[test]
fn reports_adjusted_together_are_one_family_and_again_changes_nothing() {
    let test = |p: f64| Test { name: p.to_string(), statistic: 0.0, p, p_adjusted: p };
    let report = |ps: &[f64]| {
        let mut tests: Vec<Test> = ps.iter().map(|p| test(*p)).collect();
        adjust(&mut tests);
        Report { decks: 1, alarm: alarms(&tests), tests, skipped: Vec::new() }
    };
    // Alone 0.004 is an alarm of two tests; of four it is none, and 0.0005 still is.
    let mut reports = [report(&[0.004, 0.5]), report(&[0.0005, 0.9])];
    assert_eq!(reports.each_ref().map(|report| report.alarm), [true, true]);
    adjust_together(&mut reports);
    let adjusted: Vec<f64> =
        reports.iter().flat_map(|r| &r.tests).map(|test| test.p_adjusted).collect();
    let expected = [0.004 * 3.0, 1.0, 0.0005 * 4.0, 1.0];
    assert!(
        adjusted.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12),
        "{adjusted:?}"
    );
    assert_eq!(reports.each_ref().map(|report| report.alarm), [false, true]);
    let before = reports.clone();
    adjust_together(&mut reports);
    assert_eq!(reports, before);
    adjust_together(&mut Vec::<Report>::new());
}
