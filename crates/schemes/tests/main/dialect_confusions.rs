//! Each usual confusion, made in whole files of every dialect, is recognised.

use fairdeal_schemes::dialect::{
    Ace, Checker, Committed, Cursor, CursorCounts, DeckOrder, DialectOutcome, HexForm, Inner,
    Mapping, Role, Scheme, SuitOrder, Walk,
};
use sha2::{Digest as _, Sha256};

use crate::dialect_rows::{
    assert_named, codes, dealt, diagnose, has_commitments, made, named, of_cards, settle, shift,
    valid, walked,
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
fn shifted_columns_are_named_by_where_the_right_value_stands() {
    for dialect in made() {
        // Each row has a seed of its own: the first one is lost, and the last row keeps its own.
        let mut rows = valid(dialect, 20, 1);
        shift(&mut rows, |round| &mut round.server_seed);
        assert_named("server seeds", dialect, &rows, &["server-seed-of-row-before"], 1);

        let mut rows = valid(dialect, 40, 4);
        shift(&mut rows, |round| &mut round.client_seed);
        assert_named("client seeds", dialect, &rows, &["client-seed-of-row-before"], 0);

        // Each row with seeds and a nonce of its own.
        let mut rows: Vec<_> = valid(dialect, 40, 1).into_iter().step_by(2).collect();
        for (nonce, round) in (5..).zip(&mut rows).filter(|_| of_cards(&dialect)) {
            round.nonce = Some(nonce);
            settle(dialect, dialect.scheme, round);
        }
        let mut records = rows.clone();
        shift(&mut records, |round| &mut round.server_seed);
        shift(&mut records, |round| &mut round.client_seed);
        shift(&mut records, |round| &mut round.commitment);
        shift(&mut rows, |round| &mut round.cards);
        shift(&mut rows, |round| &mut round.result);
        if of_cards(&dialect) {
            assert_named("records", dialect, &records, &["seeds-of-row-before"], 1);
            assert_named("results", dialect, &rows, &["result-of-row-before"], 1);
        } else {
            // There are only seeds and results here: it makes no difference which of them are shifted.
            assert_named("results", dialect, &rows, &["seeds-of-row-after"], 0);
        }

        if has_commitments(dialect) {
            let mut rows = valid(dialect, 20, 1);
            shift(&mut rows, |round| &mut round.commitment);
            assert_named("commitments", dialect, &rows, &["commitment-of-row-before"], 1);
        }
    }
}

#[test]
fn a_record_with_the_seed_of_the_one_before_is_named_over_all_its_rows() {
    for dialect in made().filter(|dialect| dialect.name != "duel-crash") {
        let mut rows = valid(dialect, 40, 5);
        let seeds: Vec<_> = rows.iter().map(|round| round.server_seed.clone()).collect();
        for at in 5..40 {
            rows[at].server_seed = seeds[at - 5].clone();
        }
        assert_named("records", dialect, &rows, &["server-seed-of-other-after"], 5);
    }
}

#[test]
fn a_nonce_that_is_off_by_one_is_named() {
    for dialect in made().filter(|dialect| dialect.name != "stake-crash") {
        for (off, code) in [(1, "nonce-less"), (-1, "nonce-more")] {
            let mut rows = valid(dialect, 30, 3);
            for round in &mut rows {
                round.nonce = round.nonce.and_then(|nonce| nonce.checked_add_signed(off));
            }
            if rows[0].nonce.is_some() {
                assert_named("nonce", dialect, &rows, &[code], 0);
            }
        }
    }
}

#[test]
fn other_casing_and_white_space_are_named() {
    type Rewrite = fn(&str) -> String;
    let rewrites: [(&str, Rewrite); 3] = [
        ("lower", |text| text.to_ascii_uppercase()),
        ("trimmed", |text| format!(" {text}  ")),
        ("trimmed", |text| format!("{text}\r\n")),
    ];
    for dialect in made() {
        for (code, rewrite) in rewrites {
            let rewritten = |text: &str| Some(rewrite(text).into());
            let mut rows = valid(dialect, 24, 3);
            for round in &mut rows {
                round.server_seed = rewritten(round.server_seed.as_deref().unwrap());
            }
            // In upper case the bytes are the same: only a scheme that uses the text sees a difference.
            let scheme = dialect.scheme;
            let is_text =
                scheme.seed == HexForm::Text || scheme.committed == Committed::Hash(HexForm::Text);
            if code != "lower" || is_text {
                assert_named("server seed", dialect, &rows, &[&format!("server-seed-{code}")], 0);
            }
            let mut rows = valid(dialect, 24, 3);
            for round in &mut rows {
                round.client_seed = rewritten(round.client_seed.as_deref().unwrap());
            }
            // A drand value counts by its bytes; the name in our contributions does not count.
            if !(code == "lower" && dialect.name == "duel-crash") && dialect.name != "fairdeal/v1" {
                assert_named("client seed", dialect, &rows, &[&format!("client-seed-{code}")], 0);
            }
        }
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
        assert_named("form", dialect, &dealt(dialect, scheme, 12, 3), &[code], 0);
        let mut rows = valid(dialect, 12, 3);
        for round in &mut rows {
            let line = format!("{}\n", round.server_seed.as_deref().unwrap());
            round.commitment = Some(Sha256::digest(line).into());
        }
        assert_named("line", dialect, &rows, &["commitment-of-line"], 0);
    }
}

#[test]
fn each_choice_of_a_scheme_is_named_where_it_is_another() {
    for dialect in walked() {
        let own = dialect.scheme;
        let counted = |counts, from| Scheme { cursor: Cursor { counts, from }, ..own };
        let (other_form, key) = match own.seed {
            HexForm::Text => (HexForm::Decoded, "key-decoded"),
            HexForm::Decoded => (HexForm::Text, "key-text"),
        };
        let schemes = [
            (Scheme { seed: other_form, ..own }, key),
            (counted(own.cursor.counts, 1), ""),
            (counted(CursorCounts::Digests, 0), "cursor-digests-from-0"),
            (counted(CursorCounts::Draws, 0), "cursor-draws-from-0"),
            (counted(CursorCounts::Positions, 0), "cursor-positions-from-0"),
            (counted(CursorCounts::Hands(4), 0), "cursor-again-after-4"),
            (counted(CursorCounts::Hands(5), 0), "cursor-again-after-5"),
            (Scheme { mapping: Mapping::Multiply, ..own }, "mapping-multiply"),
            (Scheme { mapping: Mapping::Modulo(1 << 32), ..own }, "mapping-modulo-2^32"),
            (Scheme { walk: Walk::Forward, ..own }, "walk-forward"),
            (Scheme { walk: Walk::Backward, ..own }, "walk-backward"),
            (Scheme { walk: Walk::Remove, ..own }, "walk-remove"),
            (Scheme { walk: Walk::Fill, ..own }, "walk-fill"),
            (Scheme { walk: Walk::Replace, ..own }, "walk-replace"),
        ];
        for (scheme, code) in schemes {
            let rows = dealt(dialect, scheme, 8, 3);
            let (found, valid) = diagnose(dialect, &rows);
            // A choice may make no difference here: where positions increase, draws and positions count the same.
            if valid.len() == rows.len() {
                assert!(
                    scheme == own || scheme.mapping != own.mapping || scheme.cursor != own.cursor
                );
                continue;
            }
            let first = codes(&found.diagnoses[0]).join("+");
            assert_eq!(found.diagnoses.len(), 1, "{} {scheme:?}: {found}", dialect.name);
            assert_eq!(
                found.diagnoses[0].rows, found.failing,
                "{} {scheme:?}: {found}",
                dialect.name
            );
            let another = match (dialect.name, scheme.walk) {
                // "Another dialect" is the better explanation.
                ("stake-video-poker", Walk::Replace) => Some("dialect-stake-replace"),
                ("stake-replace", Walk::Remove) => Some("dialect-stake-video-poker"),
                ("duel-video-poker", Walk::Fill) => Some("cards-from-end"),
                _ => None,
            };
            if let Some(another) = another {
                assert_eq!(first, another);
            } else if code.is_empty() {
                assert!(first.starts_with("cursor-") && first.ends_with("-from-1"), "{first}");
            } else if code == "cursor-positions-from-0" && scheme.walk != Walk::Backward {
                assert_eq!(first, "cursor-draws-from-0", "{}", dialect.name);
            } else {
                assert_eq!(first, code, "{}", dialect.name);
            }
        }
    }
    for name in ["stake-crash", "duel-crash"] {
        let dialect = named(name);
        let own = dialect.scheme;
        let (form, key) = if own.seed == HexForm::Text {
            (HexForm::Decoded, "key-decoded")
        } else {
            (HexForm::Text, "key-text")
        };
        assert_named(
            "key",
            dialect,
            &dealt(dialect, Scheme { seed: form, ..own }, 12, 1),
            &[key],
            0,
        );
    }
    let crash = named("stake-crash");
    let exchanged = Scheme { role: Role::Message, ..crash.scheme };
    assert_named("roles", crash, &dealt(crash, exchanged, 12, 1), &["roles-exchanged"], 0);
    let duel = named("duel-crash");
    let from_one =
        Scheme { cursor: Cursor { counts: CursorCounts::Digests, from: 1 }, ..duel.scheme };
    assert_named("cursor", duel, &dealt(duel, from_one, 12, 1), &["cursor-digests-from-1"], 0);
}

#[test]
fn a_deck_in_another_order_is_named_over_many_rows() {
    let orders = [
        (*b"shdc", Inner::Suit, Ace::Low, "deck-shdc-by-rank-ace-low"),
        (*b"cdhs", Inner::Rank, Ace::High, "deck-cdhs-by-suit-ace-high"),
        (*b"hcsd", Inner::Rank, Ace::Low, "deck-hcsd-by-suit-ace-low"),
        (*b"dsch", Inner::Suit, Ace::High, "deck-dsch-by-rank-ace-high"),
    ];
    for dialect in walked() {
        for (suits, inner, ace, code) in orders {
            let deck = DeckOrder { suits: SuitOrder(suits), inner, ace };
            let rows = dealt(dialect, Scheme { deck, ..dialect.scheme }, 10, 3);
            assert_named("deck", dialect, &rows, &[code], 0);
        }
    }
}

#[test]
fn cards_shown_in_another_order_and_cents_are_named() {
    for dialect in made().filter(of_cards) {
        let shown = |change: fn(&mut Vec<fairdeal::deal::Card>)| {
            let mut rows = valid(dialect, 10, 3);
            for round in &mut rows {
                change(round.cards.as_mut().unwrap());
            }
            rows
        };
        assert_named(
            "exchanged",
            dialect,
            &shown(|cards| cards.swap(2, 3)),
            &["cards-exchanged"],
            0,
        );
        assert_named("reversed", dialect, &shown(|cards| cards.reverse()), &["cards-reversed"], 0);
        assert_named(
            "rotated",
            dialect,
            &shown(|cards| cards.rotate_left(3)),
            &["cards-reordered"],
            0,
        );
    }
    for name in ["duel-video-poker", "liqd-blackjack"] {
        let dialect = named(name);
        let mut rows = valid(dialect, 6, 2);
        for round in &mut rows {
            let Ok(DialectOutcome::Cards(cards)) = Checker::new(dialect).outcome(round, 416) else {
                panic!("cards")
            };
            round.cards = Some(cards.into_iter().rev().take(6).collect());
        }
        assert_named("from the end", dialect, &rows, &["cards-from-end"], 0);
    }
    for name in ["stake-crash", "duel-crash"] {
        let dialect = named(name);
        let mut rows = valid(dialect, 30, 1);
        for round in &mut rows {
            round.result.as_mut().unwrap().0 += 1;
        }
        assert_named("a cent", dialect, &rows, &["cent-more"], 0);
    }
}

#[test]
fn exchanged_columns_and_another_dialect_are_named() {
    for dialect in made()
        .filter(|dialect| !["duel-crash", "fairdeal/v1", "stake-crash"].contains(&dialect.name))
    {
        let mut rows = valid(dialect, 10, 2);
        for round in &mut rows {
            std::mem::swap(&mut round.server_seed, &mut round.client_seed);
        }
        assert_named("columns", dialect, &rows, &["columns-exchanged"], 0);
    }
    for (of, read_as) in [
        ("stake-video-poker", "stake-replace"),
        ("stake-video-poker", "duel-video-poker"),
        ("duel-video-poker", "stake-video-poker"),
        ("liqd-blackjack", "stake-video-poker"),
        ("liqd-blackjack", "stake-replace"),
        ("fairdeal/v1", "stake-video-poker"),
        ("duel-crash", "stake-crash"),
    ] {
        let rows = valid(named(of), 10, 2);
        assert_named(of, named(read_as), &rows, &[&format!("dialect-{of}")], 0);
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
