//! Each usual confusion, made in whole files of every dialect, is named.

use fairdeal::deal::Contribution;
use fairdeal_schemes::dialect::{
    Checker, Committed, HexForm, Inner, Rotation, RowVerdict, Scheme, SuitOrder,
};
use sha2::{Digest as _, Sha256};

use crate::dialect_rows::{
    Rows, assert_named, commitment, dealt, diagnose, has_commitments, made, named, of_a_beacon,
    of_cards, settle, shift, telling, valid, walked,
};

#[test]
fn rows_as_they_are_made_here_are_valid_and_none_is_diagnosed() {
    for dialect in made() {
        let (found, valid) = diagnose(dialect, &valid(dialect, 12, 4));
        assert_eq!(
            (found.failing, found.diagnoses.len(), valid.len()),
            (0, 0, 12),
            "{}",
            dialect.name
        );
        assert_eq!(found.to_string(), "");
    }
}

#[test]
fn a_commitment_of_the_other_form_or_of_a_line_is_named() {
    for dialect in made().filter(|dialect| has_commitments(dialect)) {
        let (form, code) = match dialect.scheme.committed {
            Committed::Hash(HexForm::Text) => (HexForm::Decoded, "commitment-of-decoded"),
            _ => (HexForm::Text, "commitment-of-text"),
        };
        let scheme = Scheme { committed: Committed::Hash(form), ..dialect.scheme };
        assert_named("form", dialect, &dealt(dialect, scheme, 12, 3), code, 0);
        let mut rows = valid(dialect, 12, 3);
        for round in &mut rows {
            let line = format!("{}\n", round.server_seed.as_deref().unwrap());
            round.commitment = Some(Sha256::digest(line).into());
        }
        assert_named("line", dialect, &rows, "commitment-of-line", 0);
    }
}

#[test]
fn a_nonce_that_is_off_by_one_is_named() {
    for dialect in telling().filter(|dialect| dialect.rotation != Rotation::Chain) {
        for (off, code) in [(1, "nonce-less"), (-1, "nonce-more")] {
            let mut rows = valid(dialect, 30, 3);
            for round in &mut rows {
                round.nonce = round.nonce.and_then(|nonce| nonce.checked_add_signed(off));
            }
            if rows[0].nonce.is_some() {
                assert_named("nonce", dialect, &rows, code, 0);
            }
        }
    }
}

#[test]
fn a_game_of_few_results_needs_more_rows() {
    for dialect in ["stake-plinko", "stake-wheel"].map(named) {
        let mut rows = valid(dialect, 240, 3);
        for round in &mut rows {
            round.nonce = round.nonce.map(|nonce| nonce + 1);
        }
        assert_named("nonce", dialect, &rows, "nonce-less", 0);
    }
}

#[test]
fn a_whole_shoe_is_diagnosed_too() {
    let dialect = named("liqd-blackjack");
    let mut round = valid(dialect, 1, 1).remove(0);
    let Ok(fairdeal_schemes::dialect::DialectOutcome::Cards(cards)) =
        fairdeal_schemes::dialect::Checker::new(dialect).outcome(&round, 416)
    else {
        panic!("cards")
    };
    (round.cards, round.nonce) = (Some(cards), round.nonce.map(|nonce| nonce + 1));
    assert_named("a shoe", dialect, &[round], "nonce-less", 0);
}

type Rewrite = fn(&str) -> String;

/// The ways to write a seed: the end of the code, the operator's seed, and the seed of the row.
const WRITTEN: [(&str, Rewrite, Rewrite); 10] = [
    ("lower", str::to_owned, str::to_uppercase),
    ("upper", str::to_uppercase, str::to_lowercase),
    ("trimmed", str::to_owned, |seed| format!(" {seed}  ")),
    ("trimmed", str::to_owned, |seed| format!("{seed}\r\n")),
    ("no-apostrophe", str::to_owned, |seed| format!("'{seed}")),
    ("visible", str::to_owned, |seed| format!("{seed}\u{200b}\u{fe0f}")),
    (
        "straight-quotes",
        |seed| format!("{seed}'\""),
        |seed| seed.replace('\'', "’").replace('"', "“"),
    ),
    (
        "unescaped",
        |seed| format!("{seed}&<>"),
        |seed| seed.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"),
    ),
    ("nfc", |seed| format!("{seed}zo\u{eb}"), |seed| seed.replace('\u{eb}', "e\u{308}")),
    ("nfd", |seed| format!("{seed}zoe\u{308}"), |seed| seed.replace("e\u{308}", "\u{eb}")),
];

#[test]
fn a_seed_that_is_written_in_another_way_is_named() {
    for dialect in telling() {
        let scheme = dialect.scheme;
        for (code, own, shown) in WRITTEN {
            let is_case = matches!(code, "lower" | "upper");
            let is_hex = !matches!(code, "straight-quotes" | "unescaped" | "nfc" | "nfd");
            // In another case the bytes are the same: only a scheme that uses the text sees it.
            let is_text =
                scheme.seed == HexForm::Text || scheme.committed == Committed::Hash(HexForm::Text);
            if if is_hex { is_text || !is_case } else { dialect.seed_digits.is_none() } {
                let mut rows = valid(dialect, 24, 3);
                for round in &mut rows {
                    let seed = own(round.server_seed.as_deref().unwrap());
                    round.commitment = commitment(&scheme, &seed);
                    round.server_seed = Some(seed.clone().into());
                    settle(dialect, scheme, round);
                    round.server_seed = Some(shown(&seed).into());
                }
                assert_named(code, dialect, &rows, &format!("server-seed-{code}"), 0);
            }
            // A drand value counts by its bytes.
            if !of_a_beacon(&dialect) || is_hex && !is_case {
                let mut rows = valid(dialect, 24, 3);
                for round in &mut rows {
                    let seed = own(round.client_seed.as_deref().unwrap());
                    round.client_seed = Some(seed.clone().into());
                    settle(dialect, scheme, round);
                    round.client_seed = Some(shown(&seed).into());
                }
                // The label of a contribution, which comes first, does not enter the deal.
                if dialect.name != "fairdeal/v1" || code != "no-apostrophe" {
                    assert_named(code, dialect, &rows, &format!("client-seed-{code}"), 0);
                }
            }
        }
    }
}

#[test]
fn a_contribution_whose_seed_is_written_in_another_way_is_named() {
    let dialect = named("fairdeal/v1");
    let mut rows = valid(dialect, 12, 3);
    for round in &mut rows {
        let seed = round.client_seed.take().unwrap();
        let given = |seed: String| Some(vec![Contribution::new("zo\u{eb}", seed).unwrap()]);
        round.contributions = given(format!("{seed}\u{eb}"));
        settle(dialect, dialect.scheme, round);
        round.contributions = given(format!("{seed}e\u{308}"));
    }
    assert_named("contributions", dialect, &rows, "client-seed-nfc", 0);
}

#[test]
fn the_randomness_of_drand_is_not_taken_for_its_signature_and_the_message_says_so() {
    let dialect = named("duel-crash");
    let mut round = valid(dialect, 1, 1).remove(0);
    round.client_seed = Some("ab".repeat(32).into());
    let found = Checker::new(dialect).check(&round);
    assert_eq!(found.verdict, RowVerdict::Unreadable);
    assert!(found.says.ends_with("takes drand's signature"), "{}", found.says);
}

#[test]
fn another_dialect_is_named() {
    for (of, read_as) in [
        ("stake-video-poker", "stake-replace"),
        ("stake-video-poker", "duel-video-poker"),
        ("stake-replace", "stake-video-poker"),
        ("duel-video-poker", "stake-video-poker"),
        ("liqd-blackjack", "stake-video-poker"),
        ("liqd-blackjack", "stake-replace"),
        ("fairdeal/v1", "stake-video-poker"),
        ("duel-crash", "stake-crash"),
    ] {
        assert_named(of, named(read_as), &valid(named(of), 10, 2), &format!("dialect-{of}"), 0);
    }
}

#[test]
fn a_key_of_the_other_form_is_named() {
    for dialect in telling().filter(|dialect| dialect.name != "fairdeal/v1") {
        let (seed, code) = match dialect.scheme.seed {
            HexForm::Text => (HexForm::Decoded, "key-decoded"),
            HexForm::Decoded => (HexForm::Text, "key-text"),
        };
        assert_named(
            "key",
            dialect,
            &dealt(dialect, Scheme { seed, ..dialect.scheme }, 12, 1),
            code,
            0,
        );
    }
}

#[test]
fn suits_in_another_order_are_named_and_ranks_are_not() {
    for dialect in walked() {
        let own = dialect.scheme;
        for suits in [*b"shdc", *b"hcsd", *b"cdsh"] {
            let deck = fairdeal_schemes::dialect::DeckOrder { suits: SuitOrder(suits), ..own.deck };
            assert_named(
                "suits",
                dialect,
                &dealt(dialect, Scheme { deck, ..own }, 10, 3),
                "suits-exchanged",
                0,
            );
        }
        let inner = if own.deck.inner == Inner::Suit { Inner::Rank } else { Inner::Suit };
        let deck = fairdeal_schemes::dialect::DeckOrder { inner, ..own.deck };
        let (found, _) = diagnose(dialect, &dealt(dialect, Scheme { deck, ..own }, 10, 3));
        assert_eq!((found.failing, found.unexplained), (10, 10), "{found}");
    }
}

#[test]
fn suits_in_another_order_are_named_in_all_columns_of_a_hand() {
    let dialect = named("duel-video-poker");
    let suits = |text: &str| text.replace('S', "x").replace('H', "S").replace('x', "H");
    let mut round =
        crate::dialects::round(&crate::dialects::rows("duel-video-poker")[0]).into_owned();
    for cards in [&mut round.cards, &mut round.held, &mut round.last].into_iter().flatten() {
        let shown = suits(&fairdeal_schemes::dialect::cards_text(cards));
        *cards = fairdeal_schemes::dialect::read_cards(&shown).unwrap();
    }
    assert!(round.held.is_some() && round.last.is_some());
    assert_named("a hand", dialect, &[round], "suits-exchanged", 0);
}

#[test]
fn cards_in_another_order_are_named() {
    type Order = fn(&mut Vec<fairdeal::deal::Card>);
    let orders: [Order; 3] =
        [|cards| cards.swap(2, 3), |cards| cards.reverse(), |cards| cards.rotate_left(3)];
    for dialect in made().filter(of_cards) {
        for order in orders {
            let mut rows = valid(dialect, 10, 3);
            for round in &mut rows {
                order(round.cards.as_mut().unwrap());
            }
            assert_named("order", dialect, &rows, "cards-reordered", 0);
        }
    }
}

#[test]
fn shifted_columns_are_named_by_where_the_right_value_is() {
    type Turn = fn(&mut Rows);
    let directions: [(&str, Turn); 2] = [("previous", |_| {}), ("next", |rows| rows.reverse())];
    for dialect in telling() {
        for (side, turn) in directions {
            // Each row has another seed: the first one is lost, and the last row keeps its
            // own.
            let mut rows = valid(dialect, 20, 1);
            shift(&mut rows, |round| &mut round.server_seed);
            turn(&mut rows);
            assert_named("server seeds", dialect, &rows, &format!("server-seed-{side}"), 1);

            let mut rows = valid(dialect, 40, 4);
            shift(&mut rows, |round| &mut round.client_seed);
            turn(&mut rows);
            assert_named("client seeds", dialect, &rows, &format!("client-seed-{side}"), 0);

            if has_commitments(dialect) {
                let mut rows = valid(dialect, 20, 1);
                shift(&mut rows, |round| &mut round.commitment);
                turn(&mut rows);
                assert_named("commitments", dialect, &rows, &format!("commitment-{side}"), 1);
            }
        }
    }
}

#[test]
fn a_record_with_the_seed_of_the_one_before_is_named_over_all_its_rows() {
    for dialect in telling().filter(|dialect| !of_a_beacon(dialect)) {
        let mut rows = valid(dialect, 40, 5);
        let seeds: Vec<_> = rows.iter().map(|round| round.server_seed.clone()).collect();
        for at in 5..40 {
            rows[at].server_seed = seeds[at - 5].clone();
        }
        assert_named("records", dialect, &rows, "server-seed-next", 5);
    }
}

#[test]
fn exchanged_columns_are_named() {
    for dialect in telling().filter(|dialect| dialect.rotation == Rotation::AtWill) {
        let mut rows = valid(dialect, 10, 2);
        for round in &mut rows {
            std::mem::swap(&mut round.server_seed, &mut round.client_seed);
        }
        assert_named("seeds", dialect, &rows, "columns-exchanged", 0);
    }
    for dialect in
        made().filter(|dialect| has_commitments(dialect) && dialect.seed_digits != Some(32))
    {
        let mut rows = valid(dialect, 10, 2);
        for round in &mut rows {
            let seed = hex::encode(round.commitment.unwrap());
            let commitment = hex::decode(round.server_seed.as_deref().unwrap()).unwrap();
            (round.server_seed, round.commitment) = (Some(seed.into()), commitment.try_into().ok());
        }
        assert_named("seed and hash", dialect, &rows, "hash-exchanged", 0);
    }
}

#[test]
fn rows_that_need_two_changes_are_not_explained() {
    for dialect in made().filter(of_cards) {
        let mut rows = valid(dialect, 10, 1);
        for round in &mut rows {
            round.nonce = round.nonce.map(|nonce| nonce + 1);
            let line = format!("{}\n", round.server_seed.as_deref().unwrap());
            round.commitment = Some(Sha256::digest(line).into());
        }
        let (found, _) = diagnose(dialect, &rows);
        assert_eq!(
            (found.failing, found.unexplained, found.diagnoses.len()),
            (10, 10, 0),
            "{found}"
        );
    }
}
