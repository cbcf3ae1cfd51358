//! Every path of small decks, walked; and the wrong variants of the field, which must fail the same
//! walk.

#![expect(
    clippy::integer_division_remainder_used,
    reason = "it inverts the sampler, and tries the faults themselves"
)]
#![expect(clippy::manual_swap, reason = "the XOR swap is one of the faults")]

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::deal::{Choices, Contribution, Contributions, Deck, Nonce, ServerSeed, below};

/// Calls `run` once for every sequence of choices there is, and counts the orders that come out.
///
/// The choices are used as words: `run` asks for a value under `ways` and gets each in turn.
fn enumerate(run: impl Fn(&mut dyn FnMut(u32) -> u32) -> Vec<u32>) -> BTreeMap<Vec<u32>, u64> {
    let mut orders = BTreeMap::new();
    let mut path: Vec<(u32, u32)> = Vec::new(); // (value, ways)
    loop {
        let mut depth = 0;
        let order = run(&mut |ways| {
            if depth == path.len() {
                path.push((0, ways));
            }
            let (value, known) = path[depth];
            assert_eq!(known, ways, "the ways of a choice follow from the choices before it");
            depth += 1;
            value
        });
        path.truncate(depth);
        *orders.entry(order).or_insert(0) += 1;
        while let Some((value, ways)) = path.pop() {
            if value + 1 < ways {
                path.push((value + 1, ways));
                break;
            }
        }
        if path.is_empty() {
            return orders;
        }
    }
}

/// The least word that settles `value` of `ways`: the inverse of the sampler, so that the real code
/// is walked.
fn word_for(value: u32, ways: u32) -> u32 {
    let word = ((u64::from(value) << 32) / u64::from(ways) + 2).min(u64::from(u32::MAX));
    let word = u32::try_from(word).unwrap();
    assert_eq!(settle(word, ways), Some(value));
    word
}

/// The product's own code, its words chosen so that every sequence of draws is taken once.
fn ours(method: Method, items: u32, draw: u32) -> BTreeMap<Vec<u32>, u64> {
    let plan = Plan::new(method, items, draw).unwrap();
    enumerate(|choose| {
        // The ways of each draw are what the specification says they are.
        let mut ways = match method {
            Method::Shuffle => (2..=items).rev().collect::<Vec<_>>().into_iter(),
            Method::Cycle => (2..items).rev().collect::<Vec<_>>().into_iter(),
        };
        let word = || {
            let ways = ways.next().expect("no word is drawn where there is one way");
            word_for(choose(ways), ways)
        };
        let dealt = plan.deal_from(word, &mut ());
        assert!(draw < items || ways.next().is_none(), "every choice was made");
        dealt.items
    })
}

/// The key of a round under a seed of this byte.
fn some_key(byte: u8) -> DealKey {
    let players =
        Contributions::of_clients(vec![crate::deal::Contribution::new("a", "x").unwrap()]).unwrap();
    crate::deal::ServerSeed::from_bytes(&mut [byte; 32])
        .mac()
        .deal_key(Nonce::new(0).unwrap(), &players)
}

fn factorial(n: u32) -> u64 {
    (1..=u64::from(n)).product()
}

/// The test that the right shuffle passes and each wrong one fails: all n! orders, equally often.
fn reaches_every_order_equally_often(orders: &BTreeMap<Vec<u32>, u64>, items: u32) -> bool {
    let counts: BTreeSet<u64> = orders.values().copied().collect();
    let all_items: BTreeSet<u32> = (0..items).collect();
    let every_order_is_one =
        orders.keys().all(|order| order.iter().copied().collect::<BTreeSet<u32>>() == all_items);
    every_order_is_one
        && u64::try_from(orders.len()).unwrap() == factorial(items)
        && counts.len() == 1
}

#[test]
fn all_orders_of_up_to_six_items_are_reached_equally_often() {
    for items in 1..=6 {
        let orders = ours(Method::Shuffle, items, items);
        assert!(reaches_every_order_equally_often(&orders, items), "{items} items");
    }
}

#[test]
fn a_start_from_any_order_is_as_uniform() {
    // Relabelling the start relabels the results one to one: shown, not assumed, for a start of our
    // choice.
    let start = [3, 0, 4, 1, 2];
    let relabelled: BTreeMap<Vec<u32>, u64> = ours(Method::Shuffle, 5, 5)
        .into_iter()
        .map(|(order, n)| (order.iter().map(|&i| start[index(i)]).collect(), n))
        .collect();
    assert!(reaches_every_order_equally_often(&relabelled, 5));
}

#[test]
fn partial_draws_are_uniform_and_a_prefix_of_the_full_deal() {
    for draw in 1..=6 {
        let orders = ours(Method::Shuffle, 6, draw);
        assert_eq!(u64::try_from(orders.len()).unwrap(), factorial(6) / factorial(6 - draw));
        assert!(orders.values().all(|&n| n == 1));
    }
    let key = some_key(1);
    let full = Plan::shuffle(416, 416).unwrap().deal_with(&key).items;
    for draw in [1, 2, 51, 52, 415] {
        assert_eq!(Plan::shuffle(416, draw).unwrap().deal_with(&key).items, full[..index(draw)]);
    }
}

#[test]
fn two_equal_items_stand_in_each_place_equally_often() {
    // Items 0 and 1 print alike: each of the 4!/2! visible orders comes up exactly twice.
    let mut visible: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
    for (order, n) in ours(Method::Shuffle, 4, 4) {
        *visible.entry(order.into_iter().map(|i| i.max(1)).collect()).or_insert(0) += n;
    }
    assert_eq!(visible.len(), 12);
    assert!(visible.values().all(|&n| n == 2));
}

fn is_one_cycle(order: &[u32]) -> bool {
    let mut at = 0;
    let mut steps = 0;
    loop {
        at = index(order[at]);
        steps += 1;
        if at == 0 {
            return steps == order.len();
        }
    }
}

#[test]
fn cycles_are_single_and_all_of_them_are_reached_equally_often() {
    for items in 2..=6 {
        let orders = ours(Method::Cycle, items, items);
        assert_eq!(u64::try_from(orders.len()).unwrap(), factorial(items - 1));
        assert!(orders.values().all(|&n| n == 1));
        assert!(orders.keys().all(|order| is_one_cycle(order)));
    }
    let key = some_key(1);
    assert!(is_one_cycle(&Plan::cycle(1000).unwrap().deal_with(&key).items));
}

/// A named shuffle of n items, given a source of choices.
type Variant = (&'static str, fn(u32, &mut dyn FnMut(u32) -> u32) -> Vec<u32>);

/// The wrong variants of the sources, each as it is usually written.
const WRONG: [Variant; 7] = [
    ("swap with any position", |n, choose| {
        let mut deck: Vec<u32> = (0..n).collect();
        for i in 0..n {
            deck.swap(index(i), index(choose(n)));
        }
        deck
    }),
    ("swap with any position but its own", |n, choose| {
        let mut deck: Vec<u32> = (0..n).collect();
        for i in 0..n {
            let other = choose(n - 1);
            deck.swap(index(i), index(if other >= i { other + 1 } else { other }));
        }
        deck
    }),
    ("never itself (a cycle sold as a shuffle)", |n, choose| {
        let mut deck: Vec<u32> = (0..n).collect();
        for i in (1..n).rev() {
            deck.swap(index(i), index(choose(i)));
        }
        deck
    }),
    ("remainder without rejection", |n, choose| {
        let mut deck: Vec<u32> = (0..n).collect();
        for i in (1..n).rev() {
            deck.swap(index(i), index(choose(16) % (i + 1)));
        }
        deck
    }),
    ("off by one: stops before the last pair", |n, choose| {
        let mut deck: Vec<u32> = (0..n).collect();
        for i in (2..n).rev() {
            deck.swap(index(i), index(choose(i + 1)));
        }
        deck
    }),
    ("XOR swap onto itself", |n, choose| {
        let mut deck: Vec<u32> = (0..n).collect();
        for i in (1..n).rev() {
            let (i, j) = (index(i), index(choose(i + 1)));
            deck[i] ^= deck[j];
            deck[j] ^= deck[i];
            deck[i] ^= deck[j];
        }
        deck
    }),
    ("n swaps of two random positions", |n, choose| {
        let mut deck: Vec<u32> = (0..n).collect();
        for _ in 0..n {
            let (i, j) = (choose(n), choose(n));
            deck.swap(index(i), index(j));
        }
        deck
    }),
];

#[test]
fn the_wrong_variants_fail_the_test_that_ours_passes() {
    for (name, variant) in WRONG {
        for items in 3..=4 {
            let orders = enumerate(|choose| variant(items, choose));
            assert!(
                !reaches_every_order_equally_often(&orders, items),
                "{name} passed for {items} items"
            );
        }
    }
}

#[test]
fn an_empty_deck_and_senseless_draws_are_refused() {
    assert_eq!(Plan::shuffle(0, 0), Err(PlanError::Items(0)));
    assert_eq!(Plan::shuffle(MAX_ITEMS + 1, 1), Err(PlanError::Items(MAX_ITEMS + 1)));
    assert_eq!(Plan::shuffle(52, 0), Err(PlanError::Draw { draw: 0, items: 52 }));
    assert_eq!(Plan::shuffle(52, 53), Err(PlanError::Draw { draw: 53, items: 52 }));
    assert_eq!(Plan::cycle(1), Err(PlanError::ShortCycle(1)));
    assert_eq!(Plan::new(Method::Cycle, 5, 4), Err(PlanError::PartialCycle { draw: 4, items: 5 }));
}

#[test]
fn one_item_takes_no_word_nor_does_a_cycle_of_two() {
    let dealt =
        Plan::shuffle(1, 1).unwrap().deal_from(|| unreachable!("no word is needed"), &mut ());
    assert_eq!(dealt, Dealt { items: vec![0], words: 0, rejected: 0 });
    let dealt = Plan::cycle(2).unwrap().deal_from(|| unreachable!("no word is needed"), &mut ());
    assert_eq!(dealt, Dealt { items: vec![1, 0], words: 0, rejected: 0 });
}

#[test]
fn a_rejected_word_is_counted_and_the_next_one_decides() {
    let mut words = [0, u32::MAX, 0].into_iter();
    let dealt = Plan::shuffle(3, 3).unwrap().deal_from(|| words.next().unwrap(), &mut ());
    assert_eq!(dealt, Dealt { items: vec![2, 0, 1], words: 3, rejected: 1 });
}

#[test]
fn the_draws_of_a_deal_and_the_public_rule_are_the_same() {
    for ways in [2, 3, 6, 52, 1 << 20] {
        for word in [0, 1, 2, 7, 715_827_883, u32::MAX] {
            let mut words = [word, 0x9999_9999].into_iter();
            let public = below(Choices::new(ways).unwrap(), || words.next().unwrap());
            let mut words = [word, 0x9999_9999].into_iter();
            let first =
                Plan::shuffle(ways, 1).unwrap().deal_from(|| words.next().unwrap(), &mut ());
            assert_eq!(first.items, [public]);
        }
    }
}

#[test]
fn a_deal_from_a_key_is_the_deal_from_its_words() {
    for byte in 0..=255 {
        let key = some_key(byte);
        for items in [1, 2, 52, 64, 65, 66, 129, 416, 1000] {
            for plan in [Plan::shuffle(items, items), Plan::shuffle(items, 1), Plan::cycle(items)] {
                let Ok(plan) = plan else { continue };
                let mut words = key.words();
                let from_words = plan.deal_from(|| words.next_word(), &mut ());
                assert_eq!(plan.deal_with(&key), from_words);
                assert_eq!(words.drawn(), from_words.words);
            }
        }
    }
}

#[test]
fn the_protocols_example_is_reproduced() {
    use crate::deal::{Contribution, Deck, ServerSeed};
    let text = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    let players =
        Contributions::of_clients(vec![Contribution::new("alice", "lucky").unwrap()]).unwrap();
    let mac = ServerSeed::parse(text).unwrap().mac();
    let dealt = Plan::shuffle(52, 52).unwrap().deal(&mac, Nonce::new(0).unwrap(), &players);
    let cards = "Td3h6d9d4cJhKhAsQh2dJcAhQd7c2s9sTc6h8dKd8hJd5h5d5s8s6c7s4s4d6sKs4h7dJs3cAdKc7h8c3dQs5c9cThAcQc2h9h2cTs3s";
    assert_eq!(Deck::standard().text_of(&dealt.items).unwrap(), cards);
    assert_eq!((dealt.words, dealt.rejected), (51, 0));
}

#[test]
fn six_decks_deal_each_card_six_times_and_tell_its_copies_apart() {
    use crate::deal::{Contribution, Deck, DeckName, ServerSeed};
    let deck = Deck::Named(DeckName::Standard52x6);
    let players =
        Contributions::of_clients(vec![Contribution::new("alice", "lucky").unwrap()]).unwrap();
    let mac = ServerSeed::from_bytes(&mut [1; 32]).mac();
    let items = Plan::shuffle(deck.items(), 312)
        .unwrap()
        .deal(&mac, Nonce::new(0).unwrap(), &players)
        .items;
    assert_eq!(items.iter().copied().collect::<BTreeSet<u32>>(), (0..312).collect());
    let text = deck.text_of(&items).unwrap();
    let mut times: BTreeMap<&[u8; 2], u32> = BTreeMap::new();
    for card in text.as_bytes().as_chunks::<2>().0 {
        *times.entry(card).or_insert(0) += 1;
    }
    assert_eq!(times.len(), 52);
    assert!(times.values().all(|&n| n == 6), "{times:?}");
}

#[test]
fn a_key_deals_its_own_cards_and_no_others() {
    let seed = crate::deal::ServerSeed::from_bytes(&mut [9; 32]);
    let players = vec![crate::deal::Contribution::new("alice", "lucky").unwrap()];
    let players = Contributions::of_clients(players).unwrap();
    for name in DeckName::ALL {
        for draw in [1, 5, name.items()] {
            let plan = Plan::shuffle(name.items(), draw).unwrap();
            let key = seed.mac().deal_key(Nonce::new(3).unwrap(), &players);
            let text = crate::deal::Deck::Named(name).text_of(&plan.deal_with(&key).items).unwrap();
            let mut cards = text.as_bytes().as_chunks::<2>().0.to_vec();
            assert!(plan.deals(&key, name, &cards), "{draw} of {name:?}");
            let (_, fewer) = cards.split_last().unwrap();
            assert!(!plan.deals(&key, name, fewer));
            assert!(!plan.deals(&key, DeckName::Jokers54, &cards) || name == DeckName::Jokers54);
            for at in 0..cards.len() {
                let own = cards[at];
                cards[at] = if own == *b"7h" { *b"8h" } else { *b"7h" };
                assert!(!plan.deals(&key, name, &cards), "card {at} of {draw} of {name:?}");
                cards[at] = own;
            }
        }
    }
}

#[test]
fn a_plan_tells_how_many_items_there_are_and_how_many_are_drawn() {
    let plan = Plan::new(Method::Shuffle, 52, 5).unwrap();
    assert_eq!((plan.items(), plan.draw()), (52, 5));
}

#[test]
fn a_block_is_sure_only_where_no_word_that_counts_may_be_rejected() {
    let sure = [(1_u32 << 31 | 1 << 16).to_le_bytes(); BLOCK];
    let mut settled = [0; BLOCK];
    assert!(settle_all(&sure, 52, 51, &mut settled));
    assert_eq!((settled[0], settled[50]), (26, 1), "half of the ways");
    for place in 0..51 {
        let mut block = sure;
        block[place] = [0; 4]; // the word that is rejected first
        assert!(!settle_all(&block, 52, 51, &mut settled), "{place}");
    }
    let mut block = sure;
    block[51] = [0; 4];
    assert!(settle_all(&block, 52, 51, &mut settled), "no draw takes this word");
}

#[test]
fn a_whole_deck_is_compared_the_quick_way() {
    let plan = Plan::new(Method::Shuffle, 52, 52).unwrap();
    let contributions =
        Contributions::of_clients(vec![Contribution::new("a", "x").unwrap()]).unwrap();
    let key =
        ServerSeed::from_bytes(&mut [7; 32]).mac().deal_key(Nonce::new(0).unwrap(), &contributions);
    let text = Deck::standard().text_of(&plan.deal_with(&key).items).unwrap();
    let mut cards = text.as_bytes().as_chunks::<2>().0.to_vec();
    assert_eq!(plan.deals_surely::<52>(&key, DeckName::Standard52, &cards), Some(true));
    cards.swap(3, 4);
    assert_eq!(plan.deals_surely::<52>(&key, DeckName::Standard52, &cards), Some(false));
}
