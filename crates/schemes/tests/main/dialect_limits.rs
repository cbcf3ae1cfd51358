//! The limits of schemes: exact, complete and deterministic (spec/dialects.md, sections 17 to
//! 23).

use fairdeal_schemes::dialect::limits::{DrawBias, MultiplierBias, RangeBias, Ratio};
use fairdeal_schemes::dialect::{
    self, Bias, Limits, Mapping, Ranges, Rotation, Standing, Statement,
};
use serde_json::{Value as Json, json};

fn limits(name: &str) -> Limits {
    Limits::of(dialect::find(name).expect("known"))
}

fn draws(name: &str) -> DrawBias {
    match limits(name).bias {
        Bias::Draws(draws) => draws,
        Bias::Multiplier(_) => panic!("{name} deals cards"),
    }
}

fn multiplier(name: &str) -> MultiplierBias {
    match limits(name).bias {
        Bias::Multiplier(bias) => bias,
        Bias::Draws(_) => panic!("{name} gives multipliers"),
    }
}

fn statement<'l>(limits: &'l Limits, code: &str) -> &'l Statement {
    limits.statements.iter().find(|statement| statement.code == code).expect("each code")
}

const WORDS: u64 = 1 << 32;

#[test]
#[expect(clippy::integer_division_remainder_used, reason = "counts of words, by their formulas")]
fn of_52_cards_48_own_one_word_more_than_the_other_four() {
    let bias = draws("stake-replace");
    let [one] = &bias.ranges[..] else { panic!("one range") };
    assert_eq!((one.range, one.words_refused, one.biased), (52, 0, true));
    assert_eq!((one.least, one.most, one.values_with_most), (82_595_524, 82_595_525, WORDS % 52));
    assert_eq!(one.deviation, Ratio::new(48_u32, WORDS));
    let words = one.words.as_ref().expect("listed");
    assert_eq!(words.iter().sum::<u64>(), WORDS);
    // 13 values have 13 × 48/52 = 12 extra words, so one in 13 has no extra word: 12, 25, 38 and
    // 51.
    let fewest: Vec<usize> = (0..52).filter(|&value| words[value] == one.least).collect();
    assert_eq!(fewest, [12, 25, 38, 51]);
    for (value, words) in words.iter().enumerate() {
        // The mapping itself, at the first and the last word of each value.
        let value = u32::try_from(value).expect("52");
        let first = (u64::from(value) * WORDS).div_ceil(52);
        let at = |word: u64| Mapping::Multiply.settle(u32::try_from(word).expect("32 bits"), 52);
        assert_eq!((at(first), at(first + words - 1)), (Some(value), Some(value)));
    }
}

#[test]
#[expect(clippy::integer_division_remainder_used, reason = "counts of words, by their formulas")]
fn every_range_that_a_dialect_draws_follows_from_two_to_the_32_alone() {
    let of_one =
        |range: &RangeBias| (range.words_refused, range.least, range.most, range.values_with_most);
    for (name, from, to) in [
        ("stake-video-poker", 52, 43),
        ("duel-video-poker", 52, 2),
        ("liqd-blackjack", 416, 2),
        ("fairdeal/v1", 52, 2),
    ] {
        let bias = draws(name);
        let ranges: Vec<u32> = bias.ranges.iter().map(|one| one.range).collect();
        assert_eq!(ranges, (to..=from).rev().collect::<Vec<_>>(), "{name}");
        assert_eq!(bias.biased, name == "stake-video-poker");
        for one in &bias.ranges {
            let range = u64::from(one.range);
            let expected = match name {
                "stake-video-poker" => (0, WORDS / range, WORDS.div_ceil(range), WORDS % range),
                "duel-video-poker" => {
                    let limit = (WORDS - 1) - (WORDS - 1) % range;
                    (WORDS - limit, limit / range, limit / range, range)
                }
                _ => (WORDS % range, WORDS / range, WORDS / range, range),
            };
            assert_eq!(of_one(one), expected, "{name} {range}");
            assert_eq!(one.words.is_some(), range <= 52);
            assert_eq!(one.biased, one.least != one.most);
            assert_eq!(one.deviation.is_zero(), !one.biased);
        }
    }
}

#[test]
#[expect(clippy::integer_division_remainder_used, reason = "counts of words, by their formulas")]
fn duel_refuses_words_for_nothing_where_the_range_is_a_power_of_two() {
    for one in &draws("duel-video-poker").ranges {
        let range = u64::from(one.range);
        let needed = WORDS % range;
        let expected = if range.is_power_of_two() { range } else { needed };
        assert_eq!(one.words_refused, expected, "{range}");
        assert_eq!(needed == 0, range.is_power_of_two());
    }
    let all_eight: f64 = draws("duel-video-poker")
        .ranges
        .iter()
        .map(|one| (Ratio::new(one.words_refused, WORDS).decimal()).powi(8))
        .sum();
    // "about once in 10^63 rounds", as the dialect says
    assert!((62.5..63.5).contains(&-all_eight.log10()), "{all_eight}");
}

#[test]
fn the_bounds_on_a_deal_are_the_sums_of_its_draws() {
    // docs/dialects.md: 220/2^32 over and 255/2^32 under; a card of stake-replace 4/2^32 and 48/2^32.
    for (name, draws_of_it, over, under) in
        [("stake-video-poker", 10, 220_u128, 255_u128), ("stake-replace", 100, 400, 4_800)]
    {
        let bias = draws(name);
        assert_eq!(bias.draws, draws_of_it);
        assert_eq!(bias.likeliest, Ratio::new(over, u128::from(WORDS) - over), "{name}");
        assert_eq!(bias.least_likely, Ratio::new(under, WORDS), "{name}");
        // Each draw deviates by less than range/2^32: under 2^-26.
        assert!(bias.ranges.iter().all(|one| one.deviation.decimal() < 2.0_f64.powi(-26)));
        assert!(bias.unseen_rounds.is_some_and(|rounds| rounds > 5e14));
    }
    let largest: Vec<u128> =
        draws("stake-video-poker").ranges.iter().map(|one| one.deviation.numerator()).collect();
    assert_eq!(largest, [48, 50, 46, 39, 32, 42, 34, 31, 40, 27]); // the table of docs/dialects.md
    for (name, refused) in [("duel-video-poker", 656), ("liqd-blackjack", 40_712)] {
        let bias = draws(name);
        assert_eq!(bias.ranges.iter().map(|one| one.words_refused).sum::<u64>(), refused, "{name}");
    }
    for name in ["duel-video-poker", "liqd-blackjack", "fairdeal/v1"] {
        let bias = draws(name);
        assert!(bias.likeliest.is_zero() && bias.least_likely.is_zero(), "{name}");
        assert_eq!(bias.unseen_rounds, None);
    }
}

#[test]
#[expect(clippy::integer_division_remainder_used, reason = "the formula that is rounded down")]
fn multipliers_are_as_likely_as_their_formula_says_and_never_likelier() {
    for (name, numerator, denominator, bits, edge) in [
        ("bustabit", 99_u128, 1_u128, 52, "1/100"),
        ("duel-crash", 999, 10, 32, "1/1000"),
        ("stake-crash", 99, 1, 32, "1/100"),
    ] {
        let bias = multiplier(name);
        let cases = 1_u128 << bits;
        assert_eq!(
            (bias.bits, u128::from(bias.cases), bias.house_edge.to_string()),
            (bits, cases, edge.into())
        );
        for point in &bias.points {
            let cents = u128::from(
                fairdeal_schemes::dialect::Cents::parse(&point.multiplier).expect("printed").0,
            );
            let at_least = |cents| {
                if cents <= 100 { cases } else { numerator * cases / (denominator * cents) }
            };
            assert_eq!(u128::from(point.at_least), at_least(cents), "{name} {}", point.multiplier);
            assert_eq!(u128::from(point.exactly), at_least(cents) - at_least(cents + 1));
            // probability + deviation = ideal, over cases × D·c
            let over = |ratio: Ratio| {
                ratio.numerator() * (denominator * cents * cases / ratio.denominator())
            };
            assert_eq!(over(point.probability) + over(point.deviation), over(point.ideal));
        }
        assert_eq!(u128::from(bias.points[0].exactly), bias.lowest.numerator());
        let (largest, searched) =
            (bias.largest_deviation.deviation, bias.largest_deviation_to_10000.deviation);
        assert!(largest.numerator() * cases < largest.denominator(), "{name}: under 2^-{bits}");
        assert!(searched.numerator() * cases < searched.denominator());
        let ratio = searched.decimal() / largest.decimal();
        assert!((0.999..=1.0).contains(&ratio), "{name}: {ratio}");
    }
    let page = std::fs::read_to_string(tools::root().join("docs/dialects.md")).expect("a page");
    for (name, first_impossible, largest) in [
        ("duel-crash", Some("6556.18"), "4290672328.70"), // 99.9·2^32 hundredths, truncated
        ("stake-crash", Some("6522.83"), "4252017623.04"), // 99·2^32
        ("bustabit", None, "4458563631096791.04"),
    ] {
        let found = multiplier(name);
        assert_eq!(found.first_impossible.as_deref(), first_impossible, "{name}");
        assert_eq!(found.largest, largest, "{name}");
        let (_, study) = page.split_once(&format!("### `{name}`")).expect("its section");
        let study = study.split("\n### ").next().expect("its text");
        let numbers = first_impossible.into_iter().chain([largest]);
        numbers.for_each(|number| assert!(study.contains(number), "{name}: {number}"));
    }
}

#[test]
fn every_dialect_says_each_thing_and_leaves_nothing_empty() {
    let codes = [
        "commitment",
        "seed",
        "rotation",
        "committed-first",
        "client-seed",
        "last-speaker",
        "secrecy",
        "order",
        "completeness",
        "aborts",
        "time",
        "same-for-all",
        "stakes",
    ];
    for dialect in dialect::ALL {
        let name = dialect.name;
        for text in [dialect.title, dialect.covers, dialect.seed, dialect.last, dialect.source] {
            assert!(!text.trim().is_empty(), "{name}");
        }
        assert!(
            !dialect.also.is_empty() && dialect.also.iter().all(|says| !says.trim().is_empty()),
            "{name}"
        );
        let limits = Limits::of(dialect);
        let found: Vec<&str> = limits.statements.iter().map(|one| one.code).collect();
        assert_eq!(found[..codes.len()], codes, "{name}");
        assert!(found[codes.len()..].iter().all(|code| *code == "also"), "{name}");
        assert_eq!(found.len() - codes.len(), dialect.also.len());
        for one in &limits.statements {
            assert!(
                !one.says.trim().is_empty() && !one.says.contains(['\n', '\r']),
                "{name} {}",
                one.code
            );
            assert!(!one.says.ends_with('.') && !one.says.contains("  "), "{name}: {}", one.says);
        }
    }
}

#[test]
fn orders_are_counted_in_bits() {
    let bits = |name| limits(name).seed.result_bits;
    assert_eq!(bits("duel-video-poker"), Some(225)); // 52! is 2^225.58
    assert_eq!(bits("stake-video-poker"), Some(55)); // 52!/42! is 2^55.7
    assert_eq!(bits("liqd-blackjack"), Some(2_229)); // 416!/8!^52
    assert_eq!((bits("stake-replace"), bits("bustabit")), (None, Some(52)));
}

#[test]
fn only_a_chain_shows_an_order_and_only_our_log_the_rest() {
    for dialect in dialect::ALL {
        let limits = Limits::of(dialect);
        let standing = |code: &str| statement(&limits, code).standing;
        let name = dialect.name;
        let rest = ["completeness", "aborts", "time", "same-for-all"].map(standing);
        let (order, rotation) = (standing("order"), standing("rotation"));
        match (dialect.rotation, name) {
            (Rotation::Logged, _) => {
                assert_eq!(
                    (order, rotation, rest),
                    (Standing::InTheLog, Standing::InTheLog, [Standing::InTheLog; 4])
                );
            }
            (Rotation::Chain, "bustabit" | "bustabit-v2") => {
                assert_eq!((order, rotation), (Standing::Shown, Standing::InPart));
                let [completeness, aborts, time, _] = rest;
                assert_eq!(
                    (completeness, aborts, time),
                    (Standing::InPart, Standing::NotShown, Standing::NotShown)
                );
            }
            // An unknown chain shows no more than no chain.
            _ => assert_eq!(
                (order, rotation, rest),
                (Standing::NotShown, Standing::NotShown, [Standing::NotShown; 4])
            ),
        }
        assert_eq!(standing("secrecy"), Standing::NotShown, "{name}");
        assert_eq!(standing("stakes"), Standing::NotShown, "{name}");
    }
    let says = |name: &str, code: &str| statement(&limits(name), code).says.to_string();
    assert!(says("liqd-blackjack", "commitment").contains("of the server seed's text"));
    assert!(says("duel-crash", "commitment").contains("of the bytes"));
    assert!(says("bustabit", "commitment").contains("chain"));
    assert!(says("stake-crash", "commitment").contains("no rule"));
    assert!(says("stake-video-poker", "rotation").contains("nonce 0 again"));
    assert!(
        says("liqd-blackjack", "seed").contains("at most 128 bits, where some 2229 decide a round")
    );
}

#[test]
fn the_json_of_the_section_keeps_its_shape() {
    let keys =
        |json: &Json| json.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    for dialect in dialect::ALL {
        let json = serde_json::to_value(Limits::of(dialect)).expect("plain");
        assert_eq!(json, serde_json::to_value(Limits::of(dialect)).expect("plain"));
        assert_eq!(
            keys(&json),
            ["bias", "covers", "dialect", "seed", "source", "statements", "title"]
        );
        for one in json["statements"].as_array().expect("a list") {
            assert_eq!(keys(one), ["code", "says", "standing"]);
        }
    }
    let mut json = serde_json::to_value(&limits("stake-replace").bias).expect("plain");
    let words = json["ranges"][0].as_object_mut().expect("one").remove("words").expect("listed");
    assert_eq!(words.as_array().map(Vec::len), Some(52));
    let over = |exact: &str, decimal: f64| json!({"exact": exact, "decimal": decimal});
    let words = 4_294_967_296.0;
    assert_eq!(
        json,
        json!({
            "kind": "draws", "biased": true, "word_bits": 32, "draws": 100,
            "likeliest": over("400/4294966896", 400.0 / 4_294_966_896.0),
            "least_likely": over("4800/4294967296", 4800.0 / words),
            "unseen_rounds": json["unseen_rounds"],
            "ranges": [{
                "range": 52, "words_refused": 0, "least": 82_595_524, "most": 82_595_525, "values_with_most": 48,
                "biased": true, "deviation": over("48/4294967296", 48.0 / words),
                "probability_least": over("82595524/4294967296", 82_595_524.0 / words),
                "probability_most": over("82595525/4294967296", 82_595_525.0 / words),
            }],
        })
    );
    let json = serde_json::to_value(&limits("stake-crash").bias).expect("plain");
    assert_eq!(json["kind"], "multiplier");
    assert_eq!(
        json["points"][4],
        json!({
            "multiplier": "2.00", "exactly": 10_577_158, "at_least": 2_126_008_811_u64,
            "probability": over("2126008811/4294967296", 2_126_008_811.0 / words),
            "ideal": over("99/200", 0.495),
            "deviation": over("104/858993459200", 104.0 / 858_993_459_200.0),
            "relative": over("104/425201762304", 104.0 / 425_201_762_304.0),
        })
    );
}

/// A dialect is found by its name, so the tests above test the dialects that they name.
#[test]
fn the_limits_are_those_of_the_dialect() {
    for dialect in dialect::ALL {
        assert_eq!(limits(dialect.name).dialect, dialect.name);
    }
}

/// The value that a mapping gives for a word of `bits` bits: the formulas of `Mapping::settle`,
/// scaled down.
fn settle(mapping: Mapping, bits: u32, word: u64, range: u64) -> Option<u64> {
    let all = 1 << bits;
    match mapping {
        Mapping::Multiply => Some((word * range) >> bits),
        Mapping::Exact => ((word * range) % all >= all % range).then_some((word * range) >> bits),
        Mapping::Remainder => Some(word % range),
        Mapping::Modulo(most) => (word < most - most % range).then_some(word % range),
    }
}

#[test]
fn the_words_of_every_value_are_those_that_going_through_all_words_finds() {
    for (bits, ranges) in [(16, [2, 3, 13, 32, 51, 52, 416]), (9, [2, 7, 43, 52, 64, 100, 416])] {
        let all = 1_u64 << bits;
        for mapping in [
            Mapping::Multiply,
            Mapping::Exact,
            Mapping::Remainder,
            Mapping::Modulo(all),
            Mapping::Modulo(all - 1),
        ] {
            for range in ranges {
                let mut words = vec![0_u64; usize::try_from(range).expect("few")];
                let mut refused = 0;
                for word in 0..all {
                    match settle(mapping, bits, word, range) {
                        Some(value) => words[usize::try_from(value).expect("few")] += 1,
                        None => refused += 1,
                    }
                }
                let found = RangeBias::of(mapping, all, u32::try_from(range).expect("few"));
                let (least, most) = (words.iter().min().copied(), words.iter().max().copied());
                assert_eq!(
                    (Some(found.least), Some(found.most)),
                    (least, most),
                    "{mapping:?} {range}"
                );
                assert_eq!(found.words_refused, refused);
                let with_most = words.iter().filter(|one| Some(**one) == most).count();
                assert_eq!(Ok(found.values_with_most), with_most.try_into());
                assert!(found.words.is_none_or(|found| found == words));
            }
        }
    }
}

#[test]
fn at_32_bits_each_value_begins_and_ends_where_the_mapping_itself_says() {
    for range in [2, 13, 43, 51, 52] {
        let bias = RangeBias::of(Mapping::Multiply, 1 << 32, range);
        let mut next = 0_u64;
        for (value, words) in (0..).zip(bias.words.expect("a short range")) {
            let settled =
                |word: u64| Mapping::Multiply.settle(u32::try_from(word).expect("a number"), range);
            assert_eq!(settled(next), Some(value));
            next += words;
            assert_eq!(settled(next - 1), Some(value));
        }
        assert_eq!(next, 1 << 32);
    }
}

#[test]
fn where_a_limit_refuses_words_the_mapping_itself_refuses_from_there_on() {
    for most in [1_u64 << 32, (1 << 32) - 1] {
        for range in 2..=416 {
            let mapping = Mapping::Modulo(most);
            let bias = RangeBias::of(mapping, 1 << 32, range);
            let accepted = bias.least * u64::from(range);
            assert_eq!(accepted + bias.words_refused, 1 << 32);
            let settled = |word: u64| mapping.settle(u32::try_from(word).expect("a number"), range);
            assert_eq!(settled(accepted - 1), Some(range - 1));
            assert!(bias.words_refused == 0 || settled(accepted).is_none());
        }
    }
}

/// All products of one word count for each draw, against the bound.
#[test]
fn no_order_is_further_from_its_share_than_the_bound() {
    let bias = DrawBias::of(Mapping::Multiply, Ranges::Down { from: 52, to: 43 });
    let product = |words: fn(&RangeBias) -> u64| {
        let factor = |one: &RangeBias| {
            let (words, range) = (u128::from(words(one)), u128::from(one.range));
            Ratio::new(words * range, 1_u128 << 32).decimal()
        };
        bias.ranges.iter().map(factor).product::<f64>()
    };
    let (up, down) = (product(|one| one.most) - 1.0, 1.0 - product(|one| one.least));
    for (found, bound) in [(up, bias.likeliest), (down, bias.least_likely)] {
        let bound = bound.decimal();
        // Rounding of the products themselves: ten factors of 2^-53.
        assert!(
            found > 0.0 && found <= bound + 2e-15 && bound < 1.000_001 * found,
            "{found} {bound}"
        );
    }
}

#[test]
fn the_chi_square_of_52_cards_grows_by_three_in_2_to_the_58_draws() {
    // 48 cards are off by 4/2^32 of their share and 4 by 48/2^32: (48·16 + 4·2304)/52 = 192, over
    // 2^64.
    let bias = DrawBias::of(Mapping::Multiply, Ranges::Same(52));
    let rounds = bias.unseen_rounds.expect("a number");
    // A round draws any number of cards; the bounds are over 100.
    let draws = rounds * 100.0;
    assert!((draws / (2.0_f64.powi(64) / 192.0) - 1.0).abs() < 1e-9, "{rounds}");
    let fair = DrawBias::of(Mapping::Exact, Ranges::Same(52));
    assert_eq!((fair.biased, fair.likeliest.is_zero(), fair.unseen_rounds), (false, true, None));
}
