//! The sources: their exact probabilities on short decks, and the same by sampling.

#![expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::integer_division_remainder_used,
    clippy::unwrap_used,
    reason = "tests of counts, which are small"
)]

use std::collections::BTreeMap;

use fairdeal_schemes::lab::{
    Exact, ExactError, Fraction, Kind, Paths, Sampler, Shuffle, decimal, enumerate,
};

fn walked(source: Shuffle, items: u32) -> Exact {
    enumerate(source, items).unwrap()
}

fn total(exact: &Exact) -> Fraction {
    exact.orders.values().sum()
}

/// All but the source with 2^20 seeds, which would take as many shuffles.
fn quick() -> impl Iterator<Item = Shuffle> {
    Shuffle::ALL.iter().copied().filter(|source| *source != Shuffle::Seed20)
}

#[test]
fn the_right_sources_are_exactly_uniform_and_the_wrong_ones_are_not() {
    for source in quick() {
        for items in 3..=5 {
            let exact = walked(source, items);
            assert_eq!(total(&exact), Fraction::from_integer(1), "{} {items}", source.as_str());
            assert_eq!(
                exact.is_uniform(),
                source.kind() == Kind::Right,
                "{} {items}",
                source.as_str()
            );
            assert_eq!(exact.total_variation() == Fraction::ZERO, exact.is_uniform());
        }
    }
    for source in quick().filter(|source| source.kind() == Kind::Right) {
        assert!(walked(source, 6).is_uniform(), "{}", source.as_str());
    }
}

#[test]
fn the_counts_of_paths_are_those_of_the_divisibility_arguments() {
    for n in 3..=6_u32 {
        let wide = u128::from(n);
        let factorial: u128 = (1..=wide).product();
        let paths = |source| walked(source, n).paths;
        assert_eq!(paths(Shuffle::FisherYates), Paths::Counted(factorial));
        assert_eq!(paths(Shuffle::Forward), Paths::Counted(factorial));
        assert_eq!(paths(Shuffle::InsideOut), Paths::Counted(factorial));
        assert_eq!(paths(Shuffle::Sattolo), Paths::Counted(factorial / wide));
        assert_eq!(paths(Shuffle::SwapAny), Paths::Counted(wide.pow(n)));
        assert_eq!(paths(Shuffle::NeverSelf), Paths::Counted((wide - 1).pow(n)));
        assert_eq!(paths(Shuffle::RandomSwaps), Paths::Counted(wide.pow(2 * n)));
        assert_eq!(paths(Shuffle::SortKeys), Paths::Counted(256_u128.pow(n)));
        assert_eq!(paths(Shuffle::StopsEarly), Paths::Counted(factorial / 2));
        assert_eq!(paths(Shuffle::LastStays), Paths::Counted(factorial / wide));
        assert_eq!(paths(Shuffle::Riffle5), Paths::Counted(1 << (5 * n)));
        assert_eq!(paths(Shuffle::Modulo8), Paths::Counted(256_u128.pow(n - 1)));
        assert_eq!(paths(Shuffle::VisitedSet), Paths::Endless);
    }
}

#[test]
fn probabilities_known_from_elsewhere_come_out() {
    let thirds: Vec<String> =
        walked(Shuffle::SwapAny, 3).orders.values().map(Fraction::to_string).collect();
    assert_eq!(thirds, ["4/27", "5/27", "5/27", "5/27", "4/27", "4/27"]);
    // Insertion sort with coins leaves the first of three in place when both others stop above it.
    assert_eq!(walked(Shuffle::CompareInsertion, 3).orders[&vec![0, 1, 2]].to_string(), "1/4");
    // One riffle of n cards leaves them in order with probability (n+1)/2^n; Bayer and Diaconis
    // 1992 for more: C(2^k + n − 1, n)/2^(kn).
    let binomial: u128 = (0..3).map(|i| 34 - i).product::<u128>() / 6;
    let identity = Fraction::new(binomial, 32_u128.pow(3));
    assert_eq!(walked(Shuffle::Riffle5, 3).orders.get(&vec![0, 1, 2]).copied(), Some(identity));
    // Two equal 8-bit keys keep their order.
    assert_eq!(walked(Shuffle::SortKeys, 2).orders[&vec![0, 1]].to_string(), "257/512");
    // One ace in three comes first unless both shuffles miss it: 1 − (2/3)².
    let ace_first: Fraction = walked(Shuffle::AceOfTwo, 3)
        .orders
        .iter()
        .filter(|(deck, _)| deck[0] == 2)
        .map(|(_, chance)| chance)
        .sum();
    assert_eq!(ace_first.to_string(), "5/9");
}

#[test]
fn no_swap_with_itself_and_sattolo_reach_the_orders_that_they_are_said_to() {
    for n in 3..=6 {
        let factorial: usize = (1..=n as usize).product();
        let never = walked(Shuffle::NeverSelf, n);
        assert_eq!(never.orders.len(), factorial / 2);
        let cycles = walked(Shuffle::Sattolo, n);
        assert_eq!(cycles.orders.len(), factorial / n as usize);
        assert!(
            cycles.orders.keys().all(|order| order.iter().zip(0..).all(|(item, at)| *item != at))
        );
        assert_eq!(walked(Shuffle::StopsEarly, n).orders.len(), factorial / 2);
        assert!(walked(Shuffle::LastStays, n).orders.keys().all(|order| order[0] == n - 1));
        let lost = walked(Shuffle::XorSwap, n);
        assert!(
            lost.orders.keys().any(|order| order.iter().filter(|item| **item == 0).count() > 1)
        );
    }
}

/// Every source, sampled with a fixed seed, against its own exact probabilities: X² within six
/// standard deviations.
#[test]
fn sampling_agrees_with_the_walk() {
    const DECKS: u32 = 6_000;
    for source in quick() {
        let exact = walked(source, 4);
        let mut sampler = Sampler::new(source, 4, 77).unwrap();
        let mut found: BTreeMap<Vec<u32>, u32> = BTreeMap::new();
        for _ in 0..DECKS {
            *found.entry(sampler.deal()).or_default() += 1;
        }
        assert!(found.keys().all(|order| exact.orders.contains_key(order)), "{}", source.as_str());
        let statistic: f64 = exact
            .orders
            .iter()
            .map(|(order, chance)| {
                let expected = decimal(*chance) * f64::from(DECKS);
                (f64::from(found.get(order).copied().unwrap_or(0)) - expected).powi(2) / expected
            })
            .sum();
        let df = exact.orders.len() as f64 - 1.0;
        assert!(
            statistic < df + 6.0 * (2.0 * df).sqrt() + 6.0,
            "{}: {statistic} for {df}",
            source.as_str()
        );
    }
}

#[test]
fn every_source_deals_any_number_of_items_and_whole_decks_but_for_the_xor_swap() {
    for source in Shuffle::ALL {
        for items in [1, 2, 7, 36, 64, 104, 200] {
            let mut dealt = Sampler::new(source, items, 5).unwrap().deal();
            assert_eq!(dealt.len() as u32, source.draw(items), "{} {items}", source.as_str());
            if source != Shuffle::XorSwap {
                dealt.sort_unstable();
                dealt.dedup();
                assert_eq!(dealt.len() as u32, source.draw(items), "{} {items}", source.as_str());
                assert!(dealt.iter().all(|item| *item < items));
            }
        }
    }
}

#[test]
fn every_source_has_a_name_of_its_own_and_two_sentences() {
    for source in Shuffle::ALL {
        assert_eq!(source.to_string().parse(), Ok(source));
        let says = source.says();
        assert!(says.matches(['.', '?']).count() >= 2 && says.ends_with('.'), "{says}");
    }
    assert!("bogo".parse::<Shuffle>().is_err());
}

#[test]
fn decks_that_are_too_long_to_walk_are_refused() {
    assert_eq!(enumerate(Shuffle::SwapAny, 7), Err(ExactError::Items(7)));
    assert_eq!(enumerate(Shuffle::SwapAny, 0), Err(ExactError::Items(0)));
    assert!(Sampler::new(Shuffle::SwapAny, 0, 1).is_err());
}

/// The same seed always gives the same decks, so the tables of the documentation can be made again.
#[test]
fn a_seed_always_gives_the_same_decks() {
    let deal = |source| Sampler::new(source, 10, 1).unwrap().deal();
    assert_eq!(deal(Shuffle::FisherYates), deal(Shuffle::FisherYates));
    assert_ne!(
        Sampler::new(Shuffle::FisherYates, 10, 2).unwrap().deal(),
        deal(Shuffle::FisherYates)
    );
}
