//! Openings: impossible cards, places, and files of other shapes.

use std::collections::BTreeSet;

use fairdeal::deal::{Deck, DeckName, Digest, Label, Method, SealKey};
use fairdeal::record::entry::{Cards, Commit, Entry, Layout, ResultForm};
use fairdeal::record::receipt::{OpenedCard, Opening, Salt};
use serde_json::{Value, json};

use crate::vectors::judged::{Cases, Reader, paper, value_of};
use crate::vectors::verdicts::CLIENTS;
use tools::paper::{PaperLog, counting_seed, int, label, logged_clients, mixed, nonce};

pub fn receipts() -> Vec<Value> {
    let mut cases = Cases::new();
    cards(&mut cases);
    cycles(&mut cases);
    places(&mut cases);
    without_effect(&mut cases);
    shapes(&mut cases);
    cases.vectors
}

/// A sealed deal of items that the operator chooses.
pub struct Sealed {
    pub commit: Box<Commit>,
    pub items: Vec<u32>,
    pub entries: Vec<u64>,
}

/// The items that the seeds give.
pub fn dealt(commit: &Commit, seed: u8) -> Vec<u32> {
    let contributions = mixed(&logged_clients(CLIENTS));
    commit.plan().expect("legal").deal(&counting_seed(seed).mac(), nonce(0), &contributions).items
}

impl Sealed {
    pub fn deal(
        log: &mut PaperLog,
        change: impl FnOnce(&mut Commit),
        seats: &[&str],
        items: impl FnOnce(&Commit) -> Vec<u32>,
    ) -> Self {
        let seed = counting_seed(0);
        let (c, commit) = log.commit(&seed, |commit| {
            commit.sealed = true;
            change(commit);
        });
        let mut deal = log.deal_entry(&commit, &seed.mac(), 0, CLIENTS);
        let items = items(&commit);
        let seal = Self::key().seal(&commit.commitment, nonce(0), &items);
        deal.result =
            ResultForm { cards: None, digest: None, indices: None, seal: Some(seal.seal()) };
        let labels: Vec<Label> = seats.iter().map(|seat| label(seat)).collect();
        deal.seats = Some(labels).filter(|seats| !seats.is_empty());
        let d = log.append(&Entry::Deal(Box::new(deal)));
        Self { commit, items, entries: vec![c, d] }
    }

    fn key() -> SealKey {
        SealKey::derive(&counting_seed(0).mac(), nonce(0), &mixed(&logged_clients(CLIENTS)))
    }

    pub fn open(&self, log: &PaperLog, places: &[usize]) -> String {
        let seals = Self::key().seal(&self.commit.commitment, nonce(0), &self.items);
        let card = |&t: &usize| OpenedCard {
            t: int(u64::try_from(t).expect("small")),
            item: int(u64::from(self.items[t])),
            salt: Salt(seals.salts()[t]),
        };
        let opened = places.iter().map(card).collect();
        Opening::new(log.receipt(&self.entries), seals.card_seals().to_vec(), opened).to_text()
    }
}

const MISMATCH: &[&str] = &["result-mismatch"];
const PLACED: &[&str] = &["placed-mismatch"];

/// A change to a file.
type Change<'a> = &'a dyn Fn(&mut Value);

fn edited(text: &str, change: impl FnOnce(&mut Value)) -> String {
    let mut file: Value = serde_json::from_str(text).expect("JSON");
    change(&mut file);
    file.to_string()
}

fn cards(cases: &mut Cases) {
    let nine = |commit: &mut Commit| commit.draw = int(9);
    let twice = |commit: &Commit| {
        let mut items = dealt(commit, 0);
        items[8] = items[0];
        items
    };
    let mut log = paper();
    let mut sealed = Sealed::deal(&mut log, nine, &[], twice);
    cases.file("an item sealed twice, opened once", &sealed.open(&log, &[8]), &[]);
    cases.file("an item sealed twice, opened beside others", &sealed.open(&log, &[0, 3]), &[]);
    cases.file("an item sealed twice, opened twice", &sealed.open(&log, &[0, 8]), MISMATCH);
    sealed.entries.push(log.reveal(&counting_seed(0)));
    let revealed = sealed.open(&log, &[0, 8]);
    cases.file("an item sealed twice, opened twice and revealed: found once", &revealed, MISMATCH);
    let mut log = paper();
    let outside = |commit: &Commit| {
        let mut items = dealt(commit, 0);
        items[2] = 52;
        items
    };
    let sealed = Sealed::deal(&mut log, nine, &[], outside);
    cases.file(
        "an item that the deck does not have is sealed, and not opened",
        &sealed.open(&log, &[0]),
        &[],
    );
    cases.file("an item that the deck does not have", &sealed.open(&log, &[2]), MISMATCH);
    for (name, count, places) in [
        ("more card seals than the draw", 10, &[0_usize][..]),
        ("a card past the draw", 10, &[9]),
        ("fewer card seals than the draw, as the deal seals them", 8, &[0]),
    ] {
        let mut log = paper();
        let sealed = Sealed::deal(&mut log, nine, &[], |commit| {
            let mut items = dealt(commit, 0);
            items.resize(count, 51);
            items
        });
        cases.file(name, &sealed.open(&log, places), MISMATCH);
    }
    let mut log = paper();
    let sealed = Sealed::deal(&mut log, nine, &[], |commit| dealt(commit, 0));
    let text = sealed.open(&log, &[8, 0, 4]);
    cases.file("cards opened in any order", &text, &[]);
    let past = edited(&text, |f| f["opened"][0]["t"] = json!(9));
    cases.file("a card past the list of card seals", &past, &["opening-mismatch"]);
    cases.file("every card opened", &sealed.open(&log, &[0, 1, 2, 3, 4, 5, 6, 7, 8]), &[]);
    let mut log = paper();
    let most = Sealed::deal(
        &mut log,
        |commit| {
            commit.deck = Deck::list(5000, Digest::from_bytes([9; 32])).expect("legal");
            commit.draw = int(4096);
        },
        &[],
        |commit| dealt(commit, 0),
    );
    cases.file("the last of 4,096 sealed items of a list", &most.open(&log, &[4095]), &[]);
}

fn cycles(cases: &mut Cases) {
    let cycle = |commit: &mut Commit| {
        commit.deck = Deck::list(6, Digest::from_bytes([9; 32])).expect("legal");
        commit.draw = int(6);
        commit.method = Method::Cycle;
    };
    // 0 and 3 swap; 5 stays; 1, 2 and 4 form a cycle.
    let broken = |_: &Commit| vec![3, 2, 4, 0, 1, 5];
    let mut log = paper();
    let sealed = Sealed::deal(&mut log, cycle, &[], broken);
    for (name, places, codes) in [
        ("one edge of a short cycle", &[0][..], &[][..]),
        ("edges of several short cycles, none closed", &[0, 1, 2], &[]),
        ("two edges that close", &[0, 3], MISMATCH),
        ("two edges that close, among others", &[1, 3, 2, 0], MISMATCH),
        ("three edges that close", &[4, 1, 2], MISMATCH),
        ("an item that keeps its own place", &[5], MISMATCH),
    ] {
        cases.file(name, &sealed.open(&log, places), codes);
    }
    let mut log = paper();
    let sealed = Sealed::deal(&mut log, cycle, &[], |commit| dealt(commit, 0));
    cases.file("all edges of one whole cycle", &sealed.open(&log, &[0, 1, 2, 3, 4, 5]), &[]);
    cases.file("all edges of one whole cycle but one", &sealed.open(&log, &[5, 4, 3, 2, 1]), &[]);
    let mut log = paper();
    let shuffled = |commit: &mut Commit| {
        commit.deck = Deck::list(6, Digest::from_bytes([9; 32])).expect("legal");
        commit.draw = int(6);
    };
    let sealed = Sealed::deal(&mut log, shuffled, &[], broken);
    cases.file("short cycles of a shuffle are nothing", &sealed.open(&log, &[0, 3, 5]), &[]);
    let mut log = paper();
    let copies = |commit: &mut Commit| {
        commit.deck = Deck::Named(DeckName::Standard52x2);
        commit.draw = int(104);
        commit.method = Method::Cycle;
    };
    let copied = |_: &Commit| (0..104).map(|t| (t + 52) % 104).collect();
    let sealed = Sealed::deal(&mut log, copies, &[], copied);
    cases.file("a copy for a copy: its items close", &sealed.open(&log, &[7, 59]), MISMATCH);
    cases.file("a copy for a copy, one of them", &sealed.open(&log, &[7]), &[]);
}

fn holdem() -> Layout {
    serde_json::from_value(json!({ "board": [3, 1, 1], "burn": true, "hand": 2 }))
        .expect("a layout")
}

fn places(cases: &mut Cases) {
    let seats = ["carol", "alice", "bob"];
    let table = |commit: &mut Commit| {
        commit.draw = int(15);
        commit.layout = Some(holdem());
    };
    let mut log = paper();
    let sealed = Sealed::deal(&mut log, table, &seats, |commit| dealt(commit, 0));
    let at = |places: &[usize]| sealed.open(&log, places);
    // Carol has 0 and 3, alice 1 and 4, bob 2 and 5; 6, 10 and 12 are burnt; 14 is nobody's.
    let alice = || Reader::sits("alice");
    cases.file("a table's every card opened", &at(&(0..15).collect::<Vec<_>>()), &[]);
    for (name, places, codes) in [
        ("a seat's own cards", &[1, 4][..], &[][..]),
        ("a seat's own cards and the streets", &[7, 1, 8, 9, 11, 4, 13], &[]),
        ("the streets alone", &[7, 8, 9], &[]),
        ("another seat's card", &[1, 3], PLACED),
        ("the card before a seat's own", &[0], PLACED),
        ("a burnt card", &[1, 4, 6], PLACED),
        ("the burnt card before the last street", &[12], PLACED),
        ("nobody's card", &[14], PLACED),
    ] {
        cases.file_for(&alice(), &format!("{name}, for a seat"), &at(places), codes);
    }
    let nobody = Reader::sits("dave");
    cases.file_for(&nobody, "a street, for somebody who does not sit there", &at(&[7]), &[]);
    cases.file_for(&nobody, "a card, for somebody who does not sit there", &at(&[1]), PLACED);
    let wrong = edited(&at(&[1]), |f| f["opened"][0]["item"] = json!(sealed.items[1] ^ 1));
    cases.file_for(
        &alice(),
        "a card that is not the one, for a seat",
        &wrong,
        &["opening-mismatch", "placed-mismatch"],
    );
    let receipt = log.receipt(&sealed.entries).to_text();
    cases.file_for(&alice(), "a receipt is not for a seat", &receipt, &["usage"]);

    let mut log = paper();
    let plain =
        Sealed::deal(&mut log, |commit| commit.draw = int(15), &seats, |commit| dealt(commit, 0));
    cases.file("seats without a layout say nothing of places", &plain.open(&log, &[1]), &[]);
    cases.file_for(
        &alice(),
        "a card without a layout, for a seat",
        &plain.open(&log, &[1]),
        PLACED,
    );

    let seed = counting_seed(0);
    for (name, seats, codes) in [
        ("a table's cards are placed", Some(&seats[..]), &[][..]),
        ("a layout, and no seats", None, &["invalid-entry"]),
        (
            "more seats than there is room for",
            Some(&["alice", "bob", "c", "d", "e"]),
            &["invalid-entry"],
        ),
    ] {
        cases.log(name, codes, |log| {
            let (c, commit) = log.commit(&seed, table);
            let mut deal = log.deal_entry(&commit, &seed.mac(), 0, CLIENTS);
            deal.seats = seats.map(|seats| seats.iter().map(|seat| label(seat)).collect());
            vec![c, log.append(&Entry::Deal(Box::new(deal)))]
        });
    }
    cases.log("indices of a list are placed, by the seats of the lock", &[], |log| {
        let (c, commit) = log.commit(&seed, |commit| {
            table(commit);
            commit.deck = Deck::list(100, Digest::from_bytes([9; 32])).expect("legal");
        });
        let (l, deal) = locked_with_seats(log, &commit, Some(&seats));
        vec![c, l, log.append(&deal)]
    });
    cases.log("a lock without seats under a layout", &["invalid-entry", "lock-mismatch"], |log| {
        let (c, commit) = log.commit(&seed, table);
        let (l, deal) = locked_with_seats(log, &commit, None);
        vec![c, l, log.append(&deal)]
    });
    cases.log("a result with a card too many is placed as it stands", MISMATCH, |log| {
        let (c, commit) = log.commit(&seed, |commit| {
            commit.draw = int(4);
            commit.layout = Some(serde_json::from_value(json!({ "hand": 2 })).expect("a layout"));
        });
        let mut deal = log.deal_entry(&commit, &seed.mac(), 0, CLIENTS);
        let cards = deal.result.cards.as_ref().expect("cards").as_str();
        deal.result.cards = Some(Cards::new(format!("{cards}X1")).expect("cards"));
        deal.seats = Some(vec![label("bob"), label("alice")]);
        vec![c, log.append(&Entry::Deal(Box::new(deal)))]
    });
}

fn locked_with_seats(log: &mut PaperLog, commit: &Commit, seats: Option<&[&str]>) -> (u64, Entry) {
    let clear = logged_clients(CLIENTS);
    let l = log.size();
    let time = log.tick();
    let mut lock = json!({ "commitment": commit.commitment.to_text(), "contributions": value_of(&clear), "entry": "lock",
        "nonce": 0, "time": time.value() });
    if let Some(seats) = seats {
        lock["seats"] = json!(seats);
    }
    crate::vectors::judged::put(log, &lock);
    let mut deal = log.deal_entry(commit, &counting_seed(0).mac(), 0, CLIENTS);
    (deal.contributions, deal.lock) = (None, Some(int(l)));
    (l, Entry::Deal(Box::new(deal)))
}

fn without_effect(cases: &mut Cases) {
    let seed = counting_seed(0);
    let nine = |commit: &mut Commit| commit.draw = int(9);
    let mut log = paper();
    let mut sealed = Sealed::deal(&mut log, nine, &[], |commit| dealt(commit, 0));
    let other = log.append_bytes(b"{}");
    sealed.entries.push(other);
    cases.file(
        "an opening whose receipt has a finding of its own",
        &sealed.open(&log, &[0]),
        &["invalid-entry"],
    );
    sealed.entries = vec![sealed.entries[1]];
    cases.file("an opening without its commit", &sealed.open(&log, &[0]), &["invalid-receipt"]);

    // A deal after the reveal.
    let mut log = paper();
    let (c, commit) = log.commit(&seed, |commit| {
        commit.sealed = true;
        nine(commit);
    });
    let r = log.reveal(&seed);
    let d = log.deal(&commit, &seed.mac(), 0, CLIENTS);
    let items = dealt(&commit, 0);
    let late = Sealed { commit, items, entries: vec![c, r, d] };
    cases.file("an opening of a deal without effect", &late.open(&log, &[0]), &["after-reveal"]);
    let found = &["after-reveal", "placed-mismatch"];
    cases.file_for(
        &Reader::sits("alice"),
        "the same, for a seat: found at the last entry",
        &late.open(&log, &[0]),
        found,
    );

    // A seal where the commit requires cards.
    let mut log = paper();
    let (c, commit) = log.commit(&seed, nine);
    let items = dealt(&commit, 0);
    let mut deal = log.deal_entry(&commit, &seed.mac(), 0, CLIENTS);
    let seal = Sealed::key().seal(&commit.commitment, nonce(0), &items).seal();
    deal.result = ResultForm { cards: None, digest: None, indices: None, seal: Some(seal) };
    let d = log.append(&Entry::Deal(Box::new(deal)));
    let unsealed = Sealed { commit, items, entries: vec![c, d] };
    cases.file(
        "a seal under a commitment that is not sealed, opened",
        &unsealed.open(&log, &[0]),
        MISMATCH,
    );
}

fn shapes(cases: &mut Cases) {
    let mut log = paper();
    let nine = |commit: &mut Commit| commit.draw = int(9);
    let sealed = Sealed::deal(&mut log, nine, &[], |commit| dealt(commit, 0));
    let text = sealed.open(&log, &[0, 8]);
    let invalid: &[&str] = &["invalid-receipt"];
    let array = |value: &Value, names: &[&str]| {
        json!(names.iter().map(|name| value[*name].clone()).collect::<Vec<_>>())
    };
    let one = |f: &Value| array(f, &["format", "receipt", "card_seals", "opened"]);
    let file: Value = serde_json::from_str(&text).expect("JSON");
    cases.file("an opening as an array", &one(&file).to_string(), invalid);
    let changes: [(&str, Change<'_>); 13] = [
        ("an opened card as an array", &|f| {
            f["opened"][0] = array(&f["opened"][0], &["t", "item", "salt"]);
        }),
        ("the receipt of an opening as an array", &|f| {
            f["receipt"] = array(&f["receipt"], &["format", "entries", "checkpoint"]);
        }),
        ("the receipt of an opening as text", &|f| f["receipt"] = json!(f["receipt"].to_string())),
        ("an opening in the place of its receipt", &|f| f["receipt"] = f.clone()),
        ("an opening without its receipt", &|f| {
            drop(f.as_object_mut().expect("object").remove("receipt"));
        }),
        ("an opened card without its salt", &|f| {
            drop(f["opened"][0].as_object_mut().expect("object").remove("salt"));
        }),
        ("an opened card with an unknown member", &|f| f["opened"][0]["card"] = json!("As")),
        ("a card number of 2^20", &|f| f["opened"][0]["item"] = json!(1 << 20)),
        ("a place of 4,096", &|f| f["opened"][0]["t"] = json!(4096)),
        ("a card seal in capitals", &|f| f["card_seals"][0] = json!("AB".repeat(32))),
        ("a card seal of 31 bytes", &|f| f["card_seals"][0] = json!("ab".repeat(31))),
        ("4,097 card seals", &|f| f["card_seals"] = json!(vec!["ab".repeat(32); 4097])),
        ("a receipt's word for an opening", &|f| f["format"] = json!("fairdeal/receipt/v1")),
    ];
    for (name, change) in changes {
        cases.file(name, &edited(&text, change), invalid);
    }
    cases.file(
        "the greatest place and card number",
        &edited(&text, |f| {
            f["opened"][0]["t"] = json!(4095);
            f["opened"][0]["item"] = json!((1 << 20) - 1);
        }),
        &["opening-mismatch"],
    );
    for (name, from, to) in [
        ("an opening's member twice", "\"card_seals\"", "\"opened\": [], \"card_seals\""),
        ("an opened card's member twice", "\"t\": 0", "\"t\": 0, \"t\": 0"),
        (
            "a member of an opening's receipt twice",
            "\"checkpoint\"",
            "\"checkpoint\": \"\", \"checkpoint\"",
        ),
    ] {
        let twice = text.replacen(from, to, 1);
        assert_ne!(twice, text, "{name}");
        cases.file(name, &twice, &["unreadable"]);
    }
    let names: BTreeSet<&str> = cases.vectors.iter().filter_map(|v| v["name"].as_str()).collect();
    assert_eq!(names.len(), cases.vectors.len(), "no name twice");
}
