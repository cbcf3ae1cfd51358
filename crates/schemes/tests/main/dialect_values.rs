//! Cards, multipliers and fractions: what is read of texts, and how it prints.

use fairdeal_schemes::dialect::limits::{MultiplierBias, Ratio};
use fairdeal_schemes::dialect::{
    Ace, Cents, CentsError, DeckOrder, Foreign, Inner, Multiplier, SuitOrder, cards_text,
    read_card, read_cards,
};

const STAKE: DeckOrder =
    DeckOrder { suits: SuitOrder(*b"dhsc"), inner: Inner::Suit, ace: Ace::High };
const LIQD: DeckOrder = DeckOrder { suits: SuitOrder(*b"chsd"), inner: Inner::Rank, ace: Ace::Low };

#[test]
fn fresh_decks_hold_each_card_once_in_the_stated_order() {
    let cards = |order: DeckOrder, positions: [u32; 5]| {
        cards_text(&positions.map(|position| order.card(position).expect("a number")))
    };
    assert_eq!(cards(STAKE, [0, 1, 4, 32, 51]), "2D 2H 3D 10D AC");
    assert_eq!(cards(LIQD, [0, 12, 13, 51, 52]), "AC KC AH KD AC");
    for order in [STAKE, LIQD] {
        let mut all: Vec<_> =
            (0..52).map(|position| order.card(position).expect("a number")).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 52);
    }
}

/// Texts in the place of cards that are no cards.
fn found(text: &str) -> Result<usize, String> {
    read_cards(text).map(|cards| cards.len()).map_err(|error| error.found())
}

#[test]
fn every_way_of_writing_a_card_is_read_and_prints_in_one() {
    for position in 0..52 {
        let card = STAKE.card(position).expect("a number");
        let text = Foreign(card).to_string();
        for text in [text.clone(), text.to_lowercase(), card.to_string()] {
            assert_eq!(read_card(&text), Ok(card), "{text}");
        }
    }
    for (text, card) in [
        ("HEART:11", "JH"),
        ("CLUB:1", "AC"),
        ("SPADE:13", "KS"),
        ("10♥", "10H"),
        ("A♠", "AS"),
        ("X1", "X1"),
        ("heart:1", "AH"),
    ] {
        assert_eq!(Foreign(read_card(text).expect("a number")).to_string(), card);
    }
    for text in [
        "", "1H", "11H", "H", "10", "10HH", "10 H", "HEART:0", "HEART:14", "HEART:+1", "HEART:01",
        "HEARTS:1", "é", "X3",
    ] {
        let error = read_card(text).expect_err(text);
        assert_eq!(error.found(), format!("{text:?}"));
    }
}

#[test]
fn several_cards_are_read_apart_or_joined() {
    let expected = ["10H", "AS", "2C"].map(|text| read_card(text).expect("a number"));
    for text in ["10H AS 2C", "10H,AS,2C", "10H, AS, 2C", "ThAs2c"] {
        assert_eq!(read_cards(text).as_deref(), Ok(&expected[..]), "{text}");
    }
    assert_eq!(read_cards("10H").map(|cards| cards.len()), Ok(1));
    assert_eq!(read_cards("").map(|cards| cards.len()), Ok(0));
    assert_eq!(found("10H AX"), Err("\"AX\"".to_owned()));
    assert_eq!(found("ThAs2"), Err("\"ThAs2\"".to_owned()));
}

#[test]
fn multipliers_are_read_exactly_and_print_with_two_decimals() {
    for (text, cents, printed) in [
        ("1.83", 183, "1.83"),
        ("1.00", 100, "1.00"),
        ("1", 100, "1.00"),
        ("1.8", 180, "1.80"),
        ("0.05", 5, "0.05"),
        ("1.830000", 183, "1.83"),
        ("1234.5x", 123_450, "1234.50"),
        ("1,234.56×", 123_456, "1234.56"),
        ("12,345,678", 1_234_567_800, "12345678.00"),
        ("7,74", 774, "7.74"),
        ("7,7x", 770, "7.70"),
        ("1234,5600", 123_456, "1234.56"),
    ] {
        assert_eq!(Cents::parse(text), Ok(Cents(cents)), "{text}");
        assert_eq!(Cents(cents).to_string(), printed);
    }
}

#[test]
fn what_is_no_multiplier_is_named() {
    for text in [
        "",
        ".",
        "1.",
        ".5",
        "-1.00",
        "+1",
        "1,",
        "1,23.4",
        "1234,567.8",
        ",123",
        "1,,234",
        "1.2.3",
        "1.234,5",
        "1,2,3",
        "1,234,56",
        "1e3",
        "NaN",
        "1 .0",
        "１",
        "x",
    ] {
        assert_eq!(Cents::parse(text), Err(CentsError::Other(text.to_owned())), "{text}");
    }
    for text in ["1.835", "0.001", "184467440737095517", "99999999999999999999"] {
        assert_eq!(Cents::parse(text), Err(CentsError::Finer(text.to_owned())), "{text}");
    }
}

#[test]
fn a_comma_before_three_digits_may_be_a_point_or_not_so_it_is_asked() {
    for (text, readings) in [
        ("7,740", ["7.740", "7740"]),
        ("1234,567×", ["1234.567", "1234567"]),
        ("0,001", ["0.001", "0001"]),
    ] {
        let [one, other] = readings.map(str::to_owned);
        let expected = Err(CentsError::Ambiguous(text.to_owned(), one, other));
        assert_eq!(Cents::parse(text), expected, "{text}");
    }
}

const CRASH: Multiplier = Multiplier::exact(99, 1, 32);

#[test]
fn every_case_has_one_multiplier_and_they_are_counted_exactly() {
    for law in [Multiplier::exact(99, 1, 12), Multiplier::exact(999, 10, 13)] {
        let all = 1_u64 << law.bits;
        let results: Vec<Cents> = (1..=all).map(|w| law.of(w)).collect();
        for cents in (0..2_000).chain([all * 99, all * 100, all * 200]).map(Cents) {
            let found = results.iter().filter(|result| **result == cents).count();
            assert_eq!(Ok(law.exactly(cents)), found.try_into(), "{cents}");
            let found = results.iter().filter(|result| **result >= cents).count();
            assert_eq!(Ok(law.at_least(cents)), found.try_into(), "at least {cents}");
        }
    }
}

#[test]
fn the_ends_of_the_range_are_what_the_formula_says() {
    assert_eq!(CRASH.of(1), Cents(99 << 32));
    assert_eq!(CRASH.of(1 << 32), Cents(100)); // floor(99), raised
    assert_eq!(CRASH.of(0), CRASH.of(1));
    assert_eq!(CRASH.at_least(Cents(u64::MAX)), 0);
    let bustabit = Multiplier::exact(99, 1, 52);
    assert_eq!(bustabit.of(1), Cents(99 << 52));
}

#[test]
fn a_fraction_stays_as_it_was_counted() {
    let ratio = Ratio::new(48_u64, 1_u64 << 32);
    assert_eq!(ratio.to_string(), "48/2^32");
    assert_eq!(Ratio::new(1_u32, 100_u32).to_string(), "1/100");
    let json = serde_json::to_value(ratio).expect("a number");
    assert_eq!(
        json,
        serde_json::json!({"exact": "48/4294967296", "decimal": 48.0 / 4_294_967_296.0})
    );
    assert_eq!(Ratio::new(7_u32, 0_u32), Ratio::new(0_u32, 1_u32));
}

#[test]
fn decimals_hold_far_beyond_64_bits() {
    let ratio = Ratio::new(1_u128 << 100, 1_u128 << 120);
    assert!((ratio.decimal() - 2.0_f64.powi(-20)).abs() < 1e-20);
}

const SMALL: [Multiplier; 3] =
    [Multiplier::exact(99, 1, 12), Multiplier::exact(999, 10, 12), Multiplier::exact(97, 3, 11)];

/// a/b − c/d over b·d, where a/b is not less.
fn distance(ideal: (u128, u128), found: (u128, u128)) -> (u128, u128) {
    let (up, down) = (ideal.0 * found.1, found.0 * ideal.1);
    assert!(up >= down, "rounding never makes a multiplier likelier");
    (up - down, ideal.1 * found.1)
}

#[test]
fn the_largest_deviations_are_those_that_going_through_all_multipliers_finds() {
    for law in SMALL {
        let cases = 1_u64 << law.bits;
        let results: Vec<u64> = (1..=cases).map(|w| law.of(w).0).collect();
        let mut worst = (0, 1);
        let mut worst_to_10000 = (0, 1);
        let last = law.of(1).0;
        let mut sorted = results.clone();
        sorted.sort_unstable();
        for cents in 101..=(last + 1_000).max(1_000_000) {
            let at_least = results.len() - sorted.partition_point(|one| *one < cents);
            let found = (u128::try_from(at_least).expect("a number"), u128::from(cases));
            let ideal = (u128::from(law.numerator), u128::from(law.denominator * cents));
            let off = distance(ideal, found);
            if off.0 * worst.1 > worst.0 * off.1 {
                worst = off;
            }
            if cents == 1_000_000 {
                worst_to_10000 = worst;
            }
        }
        let same = |ratio: Ratio, (over, under): (u128, u128)| {
            ratio.numerator() * under == ratio.denominator() * over
        };
        let bias = MultiplierBias::of(law);
        let largest = bias.largest_deviation.deviation;
        assert!(same(largest, worst), "{law:?}");
        assert!(same(bias.largest_deviation_to_10000.deviation, worst_to_10000), "{law:?}");
        assert!(largest.decimal() < 1.0 / 2.0_f64.powi(law.bits.try_into().expect("a number")));
    }
}

#[test]
fn a_point_is_what_counting_gives() {
    for law in SMALL {
        let results: Vec<u64> = (1..=1_u64 << law.bits).map(|w| law.of(w).0).collect();
        for point in MultiplierBias::of(law).points {
            let cents = Cents::parse(&point.multiplier).expect("printed").0;
            let found = |of: &dyn Fn(&&u64) -> bool| {
                u64::try_from(results.iter().filter(of).count()).expect("a number")
            };
            assert_eq!(point.exactly, found(&|one| **one == cents));
            assert_eq!(point.at_least, found(&|one| **one >= cents));
            let gap = point.ideal.decimal() - point.probability.decimal();
            assert!((gap - point.deviation.decimal()).abs() < 1e-12, "{law:?} {cents}");
            assert!((gap / point.ideal.decimal() - point.relative.decimal()).abs() < 1e-12);
        }
    }
}

#[test]
fn the_house_keeps_what_the_numbers_say() {
    let edges = [(99, 1, 0.01), (999, 10, 0.001)];
    for (numerator, denominator, edge) in edges {
        let law = Multiplier::exact(numerator, denominator, 32);
        let bias = MultiplierBias::of(law);
        assert!((bias.house_edge.decimal() - edge).abs() < 1e-12);
        // Going out at c pays c with the probability of c or more.
        for point in bias.points.iter().skip(1) {
            let paid =
                point.multiplier.parse::<f64>().expect("a number") * point.probability.decimal();
            assert!((1.0 - paid - edge).abs() < 1e-3, "{}", point.multiplier);
        }
    }
}
