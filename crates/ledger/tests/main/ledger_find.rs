//! How a commitment and its rounds are found again.

use fairdeal::deal::Commitment;
use fairdeal::record::entry::{Entry, Table};
use fairdeal_ledger::{Choice, FirstDigits, LedgerError, Named, NewDeal, NewReveal};

use super::ledger_support::*;

fn table(name: &str) -> Table {
    Table::new(name).expect("a name")
}

fn digits(commitment: &Commitment, count: usize) -> Named {
    Named::Digits(FirstDigits::new(&commitment.to_text()[..count]).expect("enough digits"))
}

#[tokio::test]
async fn a_commitment_is_found_by_any_number_of_its_first_digits_and_by_its_table() {
    let home = Home::quick().await;
    let ledger = home.open().await;
    let mut made = Vec::new();
    for nth in 0..40 {
        let done = ledger.commit(terms(&format!("table {nth}")), None).await.expect("committed");
        made.push(done.commitment);
    }
    for (nth, commitment) in made.iter().enumerate() {
        // Six digits of one of forty are those of another one once in twenty thousand runs of this
        // test: eight.
        for count in [8, 9, 31, 63] {
            assert_eq!(ledger.find(&digits(commitment, count)).await.expect("found"), *commitment);
        }
        let named = Named::LastOf(table(&format!("table {nth}")));
        assert_eq!(ledger.find(&named).await.expect("found"), *commitment);
    }
    let all = Choice {
        between: Some((Commitment::from_bytes([0; 32]), Commitment::from_bytes([255; 32]))),
        ..Choice::default()
    };
    assert_eq!(ledger.list(&all, 0, u32::MAX).await.expect("listed").len(), 40);
    let unknown = ledger.find(&digits(&Commitment::from_bytes([0; 32]), 60)).await;
    assert!(matches!(unknown, Err(LedgerError::UnknownDigits(_))), "{unknown:?}");
    let unknown = ledger.find(&Named::LastOf(table("nowhere"))).await;
    assert!(matches!(unknown, Err(LedgerError::UnknownTable(_))), "{unknown:?}");
}

#[tokio::test]
async fn what_has_ended_is_not_among_what_is_open() {
    let home = Home::quick().await;
    let ledger = home.open().await;
    let mut chain = Vec::new();
    let mut next = ledger
        .commit(with(terms("one"), |t| t.rounds = int(1)), None)
        .await
        .expect("committed")
        .commitment;
    for _ in 0..3 {
        chain.push(next);
        let deal = NewDeal { next: true, ..round("x") };
        let dealt = ledger.deal(next, deal, None).await.expect("dealt");
        next = dealt.next.expect("a next one").1.commitment;
    }
    chain.push(next);
    ledger.reveal(chain[1], NewReveal::default(), None).await.expect("revealed");
    let open = Choice { table: Some(table("one")), open: true, between: None };
    let listed = ledger.list(&open, 0, u32::MAX).await.expect("listed");
    let listed: Vec<Commitment> = listed.into_iter().map(|one| one.commitment).collect();
    assert_eq!(listed, [chain[0], chain[2], chain[3]]);
    match ledger.find(&Named::OpenOf(table("one"))).await {
        Err(LedgerError::Several { found, .. }) => assert_eq!(found, listed),
        other => panic!("{other:?}"),
    }
    for done in [chain[0], chain[2]] {
        ledger.reveal(done, NewReveal::default(), None).await.expect("revealed");
    }
    assert_eq!(
        ledger.find(&Named::OpenOf(table("one"))).await.expect("only one is left"),
        chain[3]
    );
    ledger.reveal(chain[3], NewReveal::default(), None).await.expect("revealed");
    let none = ledger.find(&Named::OpenOf(table("one"))).await;
    assert!(matches!(none, Err(LedgerError::NothingOpen(_))), "{none:?}");
}

#[tokio::test]
async fn rounds_are_listed_whole_in_order_and_from_any_of_them() {
    let home = Home::quick().await;
    let ledger = home.open().await;
    let of = |name: &str| with(terms(name), |t| t.rounds = int(1000));
    let other = ledger.commit(of("before"), None).await.expect("committed").commitment;
    let c = ledger.commit(of("main"), None).await.expect("committed").commitment;
    let after = ledger.commit(of("after"), None).await.expect("committed").commitment;
    assert_eq!(ledger.rounds(c, 0, 10).await.expect("listed").len(), 0);
    // Over the border of a bundle, and with another table's rounds between.
    for nth in 0..200 {
        ledger.deal(other, round("y"), None).await.expect("dealt");
        if nth % 3 == 0 {
            ledger.lock(c, locked("x"), None).await.expect("locked");
            ledger.deal(c, NewDeal::default(), None).await.expect("dealt");
        } else {
            ledger.deal(c, round("x"), None).await.expect("dealt");
        }
    }
    ledger.lock(c, locked("x"), None).await.expect("locked");
    ledger.deal(after, round("z"), None).await.expect("dealt");
    for (from, most) in
        [(0, 201), (0, 1), (3, 1), (4, 5), (150, 1000), (200, 1), (201, 1), (u64::MAX, 1)]
    {
        let rounds = ledger.rounds(c, from, most).await.expect("listed");
        let expected = from..from.saturating_add(u64::from(most)).min(201).max(from);
        assert!(
            rounds.iter().map(|one| one.nonce.value()).eq(expected),
            "from {from}, {most} of them"
        );
        for one in rounds {
            let kinds: Vec<&str> = one.entries.iter().map(|(_, entry)| entry.kind()).collect();
            let expected: &[&str] = match one.nonce.value() {
                200 => &["lock"],
                nth if nth % 3 == 0 => &["lock", "deal"],
                _ => &["deal"],
            };
            assert_eq!(kinds, expected, "round {}", one.nonce);
            assert!(one.entries.iter().all(|(_, entry)| entry.commitment() == Some(c)));
        }
    }
}

#[tokio::test]
async fn sealed_cards_are_shown_with_their_round_once_the_seed_is_public_and_not_before() {
    let home = Home::quick().await;
    let ledger = home.open().await;
    let sealed = with(terms("sealed"), |t| {
        t.sealed = true;
        t.draw = int(5);
    });
    let c = ledger.commit(sealed, None).await.expect("committed").commitment;
    let dealt = ledger.deal(c, round("x"), None).await.expect("dealt");
    let zero = dealt.nonce.expect("a round");
    assert_eq!(ledger.round(c, zero).await.expect("shown").items, None);
    ledger.reveal(c, NewReveal::default(), None).await.expect("revealed");
    let shown = ledger.round(c, zero).await.expect("shown");
    assert_eq!(shown.items.expect("public now").len(), 5);
    assert!(matches!(shown.entries[..], [(1, Entry::Deal(_))]));
}
