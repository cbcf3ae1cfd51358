//! The battery and the watch by their public API: fair decks, merges, files, and saved state.

#![expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::unwrap_used,
    reason = "tests of counts, which are small"
)]

use std::collections::BTreeMap;

use fairdeal::deal::DeckName;
use fairdeal_audit::stats::{Alarm, Counts, DeckLines, EProcess, LineError, Shape, count_lines};
use fairdeal_schemes::lab::{Sampler, Shuffle, sample};
use proptest::prelude::*;

fn deals(source: Shuffle, items: u32, many: usize, seed: u64) -> Vec<Vec<u32>> {
    let mut sampler = Sampler::new(source, items, seed).unwrap();
    (0..many).map(|_| sampler.deal()).collect()
}

/// The number of runs in which each test's p was at or under a tenth, and under a hundredth, over
/// `runs` runs of fair decks.
fn levels(
    source: Shuffle,
    items: u32,
    decks: u64,
    runs: u64,
) -> (BTreeMap<String, (u64, u64)>, u64) {
    let mut found: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    let mut alarms = 0;
    for run in 0..runs {
        let report = sample(source, items, decks, run).unwrap().report();
        alarms += u64::from(report.alarm);
        for test in report.tests {
            let one = found.entry(test.name).or_default();
            one.0 += u64::from(test.p <= 0.1);
            one.1 += u64::from(test.p <= 0.01);
        }
    }
    (found, alarms)
}

/// Statistics with such fine values that their p is uniform.
const FINE: [&str; 8] = [
    "inversions",
    "position by card",
    "adjacent pairs",
    "digits",
    "digits, means",
    "8-bit modulo",
    "16-bit modulo",
    "16-bit float",
];

/// Seeded, so it is the same every time. Five standard errors are allowed. The full table is in
/// docs/statistics.md.
#[test]
fn p_values_of_fair_decks_are_uniform_or_larger_and_alarms_are_rarer_than_one_in_a_hundred() {
    for (source, items, decks, runs) in [
        (Shuffle::FisherYates, 52, 30, 200),
        (Shuffle::FisherYates, 36, 100, 100),
        (Shuffle::FisherYates, 6, 60, 500),
        (Shuffle::FromLast, 52, 30, 100),
        (Shuffle::Partial, 52, 60, 500),
    ] {
        let (found, alarms) = levels(source, items, decks, runs);
        let spread = |share: f64| 5.0 * (share * (1.0 - share) * runs as f64).sqrt();
        for (name, (tenths, hundredths)) in found {
            let (tenths, hundredths) = (tenths as f64, hundredths as f64);
            let (tenth, hundredth) = (0.1 * runs as f64, 0.01 * runs as f64);
            let what = format!(
                "{} {items} {decks}: {name}: {tenths} {hundredths} of {runs}",
                source.as_str()
            );
            // Descents of few short decks have coarse values: their normal tail may be a fifth
            // larger.
            assert!(tenths <= 1.2 * tenth + spread(0.1), "{what}");
            assert!(hundredths <= 1.2 * hundredth + spread(0.01), "{what}");
            if FINE.contains(&name.as_str()) {
                assert!(tenths >= tenth - spread(0.1), "{what}");
            }
        }
        assert!(alarms as f64 <= 0.01 * runs as f64 + spread(0.01), "{alarms} alarms of {runs}");
    }
}

fn cut(all: &[Vec<u32>], shape: &Shape, cuts: &[usize]) -> Counts {
    let mut cuts: Vec<usize> =
        cuts.iter().map(|cut| cut % (all.len() + 1)).chain([0, all.len()]).collect();
    cuts.sort_unstable();
    let mut parts: Vec<Counts> = Vec::new();
    for ends in cuts.windows(2) {
        let mut part = Counts::of(shape.clone());
        all[ends[0]..ends[1]].iter().for_each(|deck| part.add(deck));
        parts.push(part);
    }
    // A tree, from the right.
    while parts.len() > 1 {
        let right = parts.pop().unwrap();
        parts.last_mut().unwrap().merge(&right).unwrap();
    }
    parts.pop().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn ranges_cut_anywhere_merge_into_the_same_counts(seed: u64, cuts in prop::collection::vec(0_usize..1000, 0..8), partial: bool) {
        let source = if partial { Shuffle::Partial } else { Shuffle::Seed16 };
        let mut all = deals(source, 52, 60, seed);
        all.insert(30, vec![0; all[0].len()]); // not a deal: the overlap skips it
        let shape = Shape::of_items(52, source.draw(52)).unwrap();
        let whole = cut(&all, &shape, &[]);
        prop_assert_eq!(whole.decks(), 60);
        prop_assert_eq!(whole.faulty(), 1);
        let merged = cut(&all, &shape, &cuts);
        prop_assert_eq!(&merged, &whole);
        prop_assert_eq!(merged.report(), whole.report());
        let text = serde_json::to_string(&merged).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Counts>(&text).unwrap(), &whole);
        prop_assert_eq!(serde_json::to_string(&whole).unwrap(), text);
    }
}

#[test]
fn counts_of_another_shape_are_refused_and_change_nothing() {
    let mut left = sample(Shuffle::FisherYates, 52, 3, 1).unwrap();
    let before = left.clone();
    let error = left.merge(&sample(Shuffle::Partial, 52, 3, 1).unwrap()).unwrap_err();
    assert!(error.to_string().contains("5 of 52 standard-52"), "{error}");
    assert_eq!(left, before);
}

#[test]
fn state_whose_tables_are_not_those_of_its_deck_is_refused() {
    let text = serde_json::to_string(&sample(Shuffle::FisherYates, 6, 30, 1).unwrap()).unwrap();
    for (from, to) in [
        ("\"items\":6", "\"items\":7"),
        ("\"draw\":6", "\"draw\":5"),
        ("\"draw\":6", "\"draw\":0"),
        ("\"overlap\":{", "\"overlap\":{\"4000000000\":1,"),
        ("\"digits\":[", "\"digits\":[0,"),
        ("\"level\":0", "\"level\":65"),
        ("\"first\":[", "\"first\":[0,"),
    ] {
        assert!(text.contains(from), "{from} in {text}");
        assert!(serde_json::from_str::<Counts>(&text.replacen(from, to, 1)).is_err(), "{to}");
    }
}

#[test]
fn a_deck_that_is_no_permutation_raises_the_alarm_and_is_counted_nowhere_else() {
    let mut counts = sample(Shuffle::FisherYates, 52, 100, 5).unwrap();
    assert!(!counts.report().alarm);
    counts.add(&[0; 52]);
    let report = counts.report();
    assert!(report.alarm);
    assert_eq!((report.decks, counts.faulty()), (100, 1));
    let gate = &report.tests[0];
    assert_eq!((gate.name.as_str(), gate.statistic, gate.p), ("permutation", 1.0, 0.0));
}

#[test]
fn one_repeated_deck_of_52_raises_the_alarm_and_repeated_draws_do_only_when_there_are_too_many() {
    let mut counts = Counts::of(Shape::of_items(52, 52).unwrap());
    let all = deals(Shuffle::FisherYates, 52, 100, 5);
    for deck in &all {
        counts.add(deck);
    }
    counts.add(&all[40]);
    let report = counts.report();
    let twice = report.tests.iter().find(|test| test.name == "no deal twice").unwrap();
    assert_eq!(twice.statistic.to_bits(), 1.0_f64.to_bits());
    assert!(report.alarm && twice.p_adjusted < 1e-50);
    // There are 2652 draws of 2 of 52: among 100 of them, two equal ones are expected.
    let mut draws = Counts::of(Shape::of_items(52, 2).unwrap());
    for deck in &all {
        draws.add(&deck[..2]);
    }
    assert!(!draws.report().alarm);
}

#[test]
fn what_too_few_deals_cannot_say_is_named_with_the_reason() {
    let report = sample(Shuffle::FisherYates, 52, 3, 5).unwrap().report();
    let why: BTreeMap<_, _> =
        report.skipped.iter().map(|one| (one.name.as_str(), one.why.as_str())).collect();
    assert_eq!(why["position by card"], "needs 20 deals, there are 3");
    assert_eq!(why["overlap"], "needs two cells that expect 5; there are 2 values");
    let partial = sample(Shuffle::Partial, 52, 100, 5).unwrap().report();
    let why: BTreeMap<_, _> =
        partial.skipped.iter().map(|one| (one.name.as_str(), one.why.as_str())).collect();
    assert_eq!(why["parity"], "needs whole decks, 5 of 52 cards are dealt");
    for items in 1..=5 {
        for decks in [0, 1, 2, 50] {
            let report = sample(Shuffle::FisherYates, items, decks, 5).unwrap().report();
            assert!(!report.alarm, "{items} items, {decks} deals: {report:?}");
        }
    }
}

/// Three times the planned number of deals for p < 1e-6; the measured figures are in
/// docs/statistics.md.
#[test]
fn the_battery_sees_every_wrong_source_in_three_times_the_deals_that_were_planned() {
    for (source, planned) in [
        (Shuffle::SwapAny, 300),
        (Shuffle::NeverSelf, 30),
        (Shuffle::RandomSwaps, 30),
        (Shuffle::CompareQuick, 300),
        (Shuffle::CompareMerge, 300),
        (Shuffle::CompareInsertion, 300),
        (Shuffle::CompareTim, 300),
        (Shuffle::Sattolo, 30),
        (Shuffle::Modulo8, 300),
        (Shuffle::SortKeys, 300),
        (Shuffle::Seed16, 1_000),
        (Shuffle::Riffle5, 30),
        (Shuffle::Riffle6, 30),
        (Shuffle::Riffle7, 100),
        (Shuffle::Riffle8, 300),
        (Shuffle::StopsEarly, 100),
        (Shuffle::LastStays, 30),
        (Shuffle::AceOfTwo, 1_000),
    ] {
        let report = sample(source, 52, 3 * planned, 1).unwrap().report();
        let least = report.tests.iter().map(|test| test.p_adjusted).fold(1.0, f64::min);
        assert!(least < 1e-6, "{} in {} deals: {least}", source.as_str(), 3 * planned);
    }
    assert!((1..4).any(|decks| sample(Shuffle::XorSwap, 52, decks, 1).unwrap().report().alarm));
}

fn text(deck: DeckName, items: &[u32]) -> String {
    items.iter().map(|item| deck.card(*item).unwrap().to_string()).collect()
}

#[test]
fn a_file_of_decks_is_read_line_by_line_and_its_length_names_the_deck() {
    for deck in DeckName::ALL {
        let all = deals(Shuffle::FisherYates, deck.items(), 25, 3);
        let file: String = all.iter().map(|items| text(deck, items) + "\n").collect();
        let counts = count_lines(file.as_bytes(), DeckLines::whole()).unwrap();
        assert_eq!((counts.shape().deck(), counts.decks(), counts.faulty()), (Some(deck), 25, 0));
        assert!(!counts.report().alarm, "{}", deck.as_str());
        if deck.items() <= 54 {
            let mut direct = Counts::of(counts.shape().clone());
            for items in &all {
                direct.add(items);
            }
            assert_eq!(counts, direct);
        }
    }
}

#[test]
fn copies_of_a_card_are_told_apart_without_bias() {
    let mut lines = DeckLines::whole();
    let mut first_is_lower = 0;
    for items in deals(Shuffle::FisherYates, 104, 400, 9) {
        let read = lines.read(text(DeckName::Standard52x2, &items).as_bytes()).unwrap();
        let place = |item| read.iter().position(|found| *found == item).unwrap();
        first_is_lower += u32::from(place(7) < place(59));
    }
    assert!((150..=250).contains(&first_is_lower), "{first_is_lower} of 400");
}

#[test]
fn a_wrong_line_is_named_with_what_came_and_what_was_expected() {
    let whole = text(DeckName::Standard52, &(0..52).collect::<Vec<_>>());
    let read = |file: &str, lines| count_lines(file.as_bytes(), lines).unwrap_err().to_string();
    assert_eq!(
        read(&format!("{whole}\n{whole} \r\n"), DeckLines::whole()),
        "line 2: expected 104 characters like line 1, found 105"
    );
    assert_eq!(
        read(&format!("{whole}\n\n{whole}"), DeckLines::whole()),
        "line 2: expected 104 characters like line 1, found 0"
    );
    assert_eq!(
        read(&whole.replace("4c", "1c"), DeckLines::whole()),
        "line 1, character 5: \"1c\" is no card of standard-52"
    );
    assert_eq!(
        read(&whole.replace("4c", "X1"), DeckLines::whole()),
        "line 1, character 5: \"X1\" is no card of standard-52"
    );
    let tens = whole.replace('T', "10");
    let at = tens.find("3s").unwrap() + 1;
    assert_eq!(
        read(&tens.replacen("3s", "1s", 1), DeckLines::whole()),
        format!("line 1, character {at}: \"1s\" is no card of standard-52")
    );
    assert!(
        read("AsKs\n", DeckLines::whole())
            .starts_with("line 1: no deck is 4 characters long; there are 104 (standard-52)")
    );
    assert_eq!(
        read("AsK\n", DeckLines::of(DeckName::Standard52)),
        "line 1: 3 characters are no deal of standard-52: two for each of 1 to 52 cards"
    );
    assert_eq!(count_lines(b"", DeckLines::whole()), Err(LineError::Nothing));
    let draws =
        count_lines(b"AsKsQsJsTs\nAsKsQsJsAs", DeckLines::of(DeckName::Standard52)).unwrap();
    assert_eq!((draws.shape().draw(), draws.decks(), draws.faulty()), (5, 1, 1));
}

#[test]
fn what_cannot_matter_in_a_file_of_decks_does_not() {
    let plain: String = deals(Shuffle::FisherYates, 54, 20, 3)
        .iter()
        .map(|items| text(DeckName::Jokers54, items) + "\n")
        .collect();
    let counted = |file: &str| count_lines(file.as_bytes(), DeckLines::whole());
    let expected = counted(&plain);
    assert!(expected.is_ok());
    for file in [
        format!("\u{feff}{plain}"),
        plain.replace('\n', "\r\n"),
        format!("{plain}\r\n\n"),
        plain.trim_end().to_owned(),
        plain.replace('T', "10"),
        plain.to_uppercase().replace('T', "10"),
        plain.to_lowercase(),
    ] {
        assert_eq!(counted(&file), expected, "{file:.120}");
    }
    assert_eq!(counted("\u{feff}\r\n\n"), Err(LineError::Nothing));
}

fn watch(source: Shuffle, items: u32, seed: u64, most: u64) -> EProcess {
    let mut sampler = Sampler::new(source, items, seed).unwrap();
    let mut watch = EProcess::of(sampler.shape().clone());
    while watch.deals() < most && watch.add(&sampler.deal()).is_none() {}
    watch
}

#[test]
fn fair_deals_raise_the_watch_in_at_most_one_run_of_a_hundred_however_often_it_looks() {
    let alarms = (0..100)
        .filter(|seed| watch(Shuffle::FisherYates, 6, *seed, 1_000).alarm().is_some())
        .count();
    assert!(alarms <= 4, "{alarms} of 100"); // at most 1 expected; over 4 would have a chance under half a percent
}

#[test]
fn the_watch_sees_wrong_shuffles_while_they_happen() {
    for (source, within) in [
        (Shuffle::Sattolo, 40),
        (Shuffle::NeverSelf, 40),
        (Shuffle::RandomSwaps, 40),
        (Shuffle::SwapAny, 600),
        (Shuffle::Riffle6, 60),
        (Shuffle::LastStays, 40),
        (Shuffle::Modulo8, 6_000),
        (Shuffle::AceOfTwo, 1_500),
    ] {
        let seen = watch(source, 52, 3, within);
        assert!(
            matches!(seen.alarm(), Some(Alarm::Evidence(_))),
            "{} {}",
            source.as_str(),
            seen.log10()
        );
    }
    assert_eq!(watch(Shuffle::XorSwap, 52, 3, 100).alarm(), Some(Alarm::NotADeal(1)));
}

#[test]
fn a_late_onset_is_seen_by_a_fresh_copy_long_before_the_first_one_sees_it() {
    let mut watch = watch(Shuffle::FisherYates, 52, 11, 4_000);
    assert_eq!(watch.alarm(), None);
    let mut sampler = Sampler::new(Shuffle::SwapAny, 52, 12).unwrap();
    while watch.add(&sampler.deal()).is_none() && watch.deals() < 10_000 {}
    let Some(Alarm::Evidence(at)) = watch.alarm() else { panic!("no alarm: {}", watch.log10()) };
    assert!(at < 8_000, "{at}");
}

#[test]
fn the_alarm_stays_and_the_state_goes_on_where_it_was() {
    let all = deals(Shuffle::FisherYates, 6, 600, 4);
    let mut through = EProcess::of(Shape::of_items(6, 6).unwrap());
    let mut resumed = through.clone();
    for (at, deck) in all.iter().enumerate() {
        through.add(deck);
        resumed.add(deck);
        if at % 97 == 0 {
            let text = serde_json::to_string(&resumed).unwrap();
            resumed = serde_json::from_str(&text).unwrap();
        }
    }
    assert_eq!(through, resumed);
    assert_eq!(through.log10().to_bits(), resumed.log10().to_bits());
    assert_eq!(through.add(&[0; 6]), Some(Alarm::NotADeal(601)));
    assert_eq!(through.add(&all[0]), Some(Alarm::NotADeal(601)));
    let text = serde_json::to_string(&through).unwrap().replacen("\"items\":6", "\"items\":7", 1);
    assert!(serde_json::from_str::<EProcess>(&text).is_err());
}
