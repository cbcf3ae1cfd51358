//! Receipts that are changed, and several receipts together.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use fairdeal::log::{MemoryLog, SignerKey, VerifierKey};
use fairdeal::record::entry::SeenCheckpoint;
use fairdeal::record::receipt::{
    Document, Given, GivenFile, NotShown, Opening, ReaderGiven, Receipt, ReceiptError,
    ReceiptVerdict, Salt, Shown, verify, verify_several, verify_with,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use tools::paper::{PaperLog, Player, counting_seed, opening, seeing};

const PLAYERS: &[(&str, &str)] = &[("alice", "lucky"), ("bob", "seven")];

/// A receipt with a lock of hashes, its deal and the reveal, among another table's entries.
fn whole_receipt() -> (VerifierKey, Receipt) {
    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(0);
    for n in 0..5_u8 {
        log.append_bytes(&[n]);
    }
    let (c, commit) = log.commit(&seed, |_| {});
    let players = [Player::new("alice", "lucky", 1), Player::new("bob", "seven", 2)];
    let lock = log.lock(
        commit.commitment,
        0,
        players.iter().map(|p| p.hashed(&commit.commitment, 0)).collect(),
    );
    let deal = log.deal_locked(&commit, &seed.mac(), 0, lock, &players);
    let reveal = log.reveal(&seed);
    log.append_bytes(b"later");
    (log.key().clone(), log.receipt(&[c, lock, deal, reveal]))
}

fn judge(bytes: &[u8], key: &VerifierKey) -> Option<ReceiptVerdict> {
    match Document::parse(bytes) {
        Ok(document) => Some(verify(&document, key)),
        Err(ReceiptError::Invalid(says)) => Some(ReceiptVerdict::invalid(says)),
        Err(_) => None,
    }
}

/// A verdict without what depends on the form of the file.
fn meaning(verdict: &ReceiptVerdict) -> Value {
    serde_json::to_value(verdict).expect("JSON")
}

#[test]
fn the_whole_receipt_holds() {
    let (key, receipt) = whole_receipt();
    let verdict = judge(receipt.to_text().as_bytes(), &key).expect("readable");
    assert!(verdict.holds, "{:?}", verdict.findings);
    assert_eq!(meaning(&verdict)["shown"], json!(["logged", "replayed", "committed-first"]));
    assert_eq!(meaning(&verdict)["committed_first"], json!(["alice", "bob"]));
}

/// The whole receipt as a file, the key that signed it, and what the file means.
static WHOLE: LazyLock<(VerifierKey, Vec<u8>, Value)> = LazyLock::new(|| {
    let (key, receipt) = whole_receipt();
    let file = receipt.to_text().into_bytes();
    let honest = meaning(&judge(&file, &key).expect("readable"));
    (key, file, honest)
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_flipped_bit_never_leaves_a_receipt_that_holds_with_another_meaning(at in any::<prop::sample::Index>(), bit in 0..8_u8) {
        let (key, file, honest) = &*WHOLE;
        let (mut bytes, at) = (file.clone(), at.index(file.len()));
        bytes[at] ^= 1 << bit;
        if let Some(verdict) = judge(&bytes, key).filter(|v| v.holds) {
            prop_assert_eq!(&meaning(&verdict), honest);
        }
    }
}

#[test]
fn an_entry_dropped_swapped_or_repeated_never_holds_with_another_meaning() {
    let (key, receipt) = whole_receipt();
    let honest = meaning(&judge(receipt.to_text().as_bytes(), &key).expect("readable"));
    let file = serde_json::to_value(&receipt).expect("JSON");
    let count = receipt.entries.len();
    let mut held = Vec::new();
    let mut try_it = |name: String, file: Value| {
        let verdict = judge(file.to_string().as_bytes(), &key).expect("readable");
        if verdict.holds {
            held.push((name, meaning(&verdict)));
        }
    };
    for at in 0..count {
        let mut dropped = file.clone();
        dropped["entries"].as_array_mut().expect("an array").remove(at);
        try_it(format!("without entry {at}"), dropped);
        for with in 0..count {
            if with == at {
                continue;
            }
            let mut swapped = file.clone();
            swapped["entries"].as_array_mut().expect("an array").swap(at, with);
            try_it(format!("{at} and {with} swapped"), swapped);
            let mut renamed = file.clone();
            let entry = renamed["entries"][at]["entry"].clone();
            renamed["entries"][at]["entry"] = renamed["entries"][with]["entry"].clone();
            renamed["entries"][with]["entry"] = entry;
            try_it(format!("the texts of {at} and {with} swapped"), renamed);
            let mut repeated = file.clone();
            let again = repeated["entries"][at].clone();
            repeated["entries"].as_array_mut().expect("an array").insert(with, again);
            try_it(format!("{at} repeated at {with}"), repeated);
        }
    }
    // Two removals leave a true receipt that shows less: without the deal, and without the reveal.
    let names: Vec<&str> = held.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["without entry 2", "without entry 3"]);
    for (_, less) in &held {
        assert_eq!(less["not_shown"][0], "replayed");
    }
    // Only the opening shows what a hash names.
    assert_eq!(held[0].1["shown"], json!(["logged"]));
    assert_eq!(held[1].1["shown"], json!(["logged", "committed-first"]));
    assert_eq!((&held[0].1["cards"], &held[1].1["cards"]), (&Value::Null, &honest["cards"]));
}

#[test]
fn a_proof_with_any_hash_changed_does_not_hold() {
    let (key, receipt) = whole_receipt();
    let file = serde_json::to_value(&receipt).expect("JSON");
    let mut tried = 0;
    for at in 0..receipt.entries.len() {
        for step in 0..receipt.entries[at].proof.len() {
            let mut changed = file.clone();
            changed["entries"][at]["proof"][step] =
                json!("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
            let verdict = judge(changed.to_string().as_bytes(), &key).expect("readable");
            assert_eq!(verdict.findings[0].code.as_str(), "tree-mismatch");
            tried += 1;
        }
    }
    assert!(tried > 8);
}

/// The codes that several files give together.
fn together(files: &[&Receipt], key: &VerifierKey) -> Vec<&'static str> {
    let documents: Vec<Document> = files.iter().map(|r| Document::Receipt((*r).clone())).collect();
    let labels = ["a.json", "b.json", "c.json"].into_iter();
    let named: Vec<GivenFile<'_>> =
        labels.zip(&documents).map(|(name, document)| GivenFile::new(name, document)).collect();
    let (_, together) = verify_several(&named, key, &ReaderGiven::default());
    together.iter().map(|f| f.code.as_str()).collect()
}

#[test]
fn two_deals_for_one_round_in_two_receipts_are_seen_when_they_are_put_side_by_side() {
    let seed = counting_seed(0);
    let receipt_of = |clients: &[(&str, &str)], filler: bool| {
        let mut log = PaperLog::new("cards.example/log", 7);
        let (c, commit) = log.commit(&seed, |_| {});
        if filler {
            log.append_bytes(b"the fork has one entry more");
        }
        let d = log.deal(&commit, &seed.mac(), 0, clients);
        let r = log.reveal(&seed);
        (log.key().clone(), log.receipt(&[c, d, r]))
    };
    let (key, one) = receipt_of(PLAYERS, false);
    let (_, other) = receipt_of(&[("alice", "another")], true);
    assert!(judge(one.to_text().as_bytes(), &key).expect("readable").holds);
    assert!(judge(other.to_text().as_bytes(), &key).expect("readable").holds);
    assert_eq!(together(&[&one, &one], &key), [""; 0]);
    assert!(together(&[&one, &other], &key).contains(&"inconsistent"));
}

#[test]
fn two_roots_for_one_size_are_a_fork() {
    let seed = counting_seed(0);
    let receipt_of = |last: &[u8]| {
        let mut log = PaperLog::new("cards.example/log", 7);
        let (c, commit) = log.commit(&seed, |_| {});
        let d = log.deal(&commit, &seed.mac(), 0, PLAYERS);
        log.append_bytes(last);
        (log.key().clone(), log.receipt(&[c, d]))
    };
    let (key, one) = receipt_of(b"one");
    let (_, other) = receipt_of(b"other");
    assert_eq!(together(&[&one, &other], &key), ["inconsistent"]);
    // Unsigned claims are no evidence.
    let mut forged = serde_json::to_value(&other).expect("JSON");
    forged["checkpoint"] = json!(one.checkpoint.replacen("\n3\n", "\n4\n", 1));
    let forged: Receipt = serde_json::from_value(forged).expect("a receipt's form");
    assert_eq!(together(&[&one, &forged], &key), [""; 0]);
}

/// A forked log's two sides, with a sealed deal each at one index under one commitment. Each opens
/// one card: the same card, at another place.
fn forked_sealed_deals() -> (VerifierKey, [Opening; 2]) {
    let seed = counting_seed(0);
    let side = |text: &str, places: &[u32]| {
        let mut log = PaperLog::new("cards.example/log", 7);
        let (c, commit) = log.commit(&seed, |c| c.sealed = true);
        let clients = [("alice", text)];
        let d = log.deal(&commit, &seed.mac(), 0, &clients);
        let opening = opening(log.receipt(&[c, d]), &commit, &seed.mac(), 0, &clients, places);
        (log.key().clone(), opening)
    };
    let items = |text: &str| -> Vec<u64> {
        side(text, &[0, 1, 2, 3, 4]).1.opened.iter().map(|card| card.item.value()).collect()
    };
    let one = items("lucky");
    for text in (0..100).map(|n| n.to_string()) {
        let other = items(&text);
        for (a, b) in (0..5).flat_map(|a| (0..5).map(move |b| (a, b))).filter(|(a, b)| a != b) {
            if one[a] == other[b] {
                let place = |at: usize| [u32::try_from(at).expect("under 5")];
                let (key, first) = side("lucky", &place(a));
                return (key, [first, side(&text, &place(b)).1]);
            }
        }
    }
    panic!("no card was dealt twice in a hundred deals");
}

#[test]
fn openings_of_two_deals_at_one_index_are_a_fork_and_show_no_card_twice() {
    let (key, sides) = forked_sealed_deals();
    let documents: Vec<Document> = sides.into_iter().map(Document::Opening).collect();
    let named: Vec<GivenFile<'_>> = ["a.json", "b.json"]
        .into_iter()
        .zip(&documents)
        .map(|(name, document)| GivenFile::new(name, document))
        .collect();
    let (each, together) = verify_several(&named, &key, &ReaderGiven::default());
    assert!(each.iter().all(|verdict| verdict.holds));
    let codes: BTreeSet<&str> = together.iter().map(|found| found.code.as_str()).collect();
    assert_eq!(codes, BTreeSet::from(["inconsistent"]));
}

#[test]
fn an_entry_that_cannot_be_read_and_names_no_shown_commitment_accuses_nobody_in_several_files() {
    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(0);
    let (c, commit) = log.commit(&seed, |_| {});
    let (other, time) = (counting_seed(50).commitment().to_text(), log.time);
    let unread = log.append_bytes(
        format!(r#"{{"commitment":"{other}","entry":"reveal","time":{time}}}"#).as_bytes(),
    );
    let d = log.deal(&commit, &seed.mac(), 0, PLAYERS);
    let key = log.key().clone();
    let (whole, with_it) = (log.receipt(&[c, d]), log.receipt(&[c, unread, d]));
    assert_eq!(together(&[&whole, &with_it], &key), [""; 0]);
}

#[test]
fn a_deal_that_answers_another_lock_opens_nothing_of_this_one() {
    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(0);
    let (c, commit) = log.commit(&seed, |_| {});
    let players = [Player::new("alice", "lucky", 1)];
    let hashed = players.iter().map(|p| p.hashed(&commit.commitment, 0)).collect();
    let lock = log.lock(commit.commitment, 0, hashed);
    let deal = log.deal_locked(&commit, &seed.mac(), 0, lock + 1, &players);
    let verdict =
        judge(log.receipt(&[c, lock, deal]).to_text().as_bytes(), log.key()).expect("readable");
    assert!(verdict.findings.iter().any(|found| found.code.as_str() == "lock-mismatch"));
    assert_eq!(verdict.contributions.iter().filter(|one| one.seed.is_some()).count(), 0);
}

#[test]
fn a_deal_that_neither_replays_nor_opens_is_found_by_its_seeds_and_by_its_opening() {
    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(0);
    let (c, commit) = log.commit(&seed, |c| c.sealed = true);
    let mut deal = log.deal_entry(&commit, &seed.mac(), 0, PLAYERS);
    deal.result.seal = log.deal_entry(&commit, &seed.mac(), 1, PLAYERS).result.seal;
    let d = log.append(&deal.into());
    let r = log.reveal(&seed);
    let opening = opening(log.receipt(&[c, d, r]), &commit, &seed.mac(), 0, PLAYERS, &[0]);
    let codes: Vec<&str> = verify(&Document::Opening(opening), log.key())
        .findings
        .iter()
        .map(|found| found.code.as_str())
        .collect();
    assert_eq!(codes, ["result-mismatch", "opening-mismatch"]);
}

#[test]
fn two_roots_of_one_size_in_one_entry_are_told_once() {
    let seed = counting_seed(0);
    let seen_of = |filler: &[u8]| {
        let mut log = PaperLog::new("cards.example/log", 7);
        log.commit(&seed, |_| {});
        log.append_bytes(filler);
        log.seen()
    };
    let mut log = PaperLog::new("cards.example/log", 7);
    let (c, commit) = log.commit(&seed, |_| {});
    log.append_bytes(b"one");
    let logged = vec![
        seeing("alice", "lucky", &seen_of(b"one")),
        seeing("bob", "seven", &seen_of(b"other")),
    ];
    let deal = log.deal_entry_of(&commit, &seed.mac(), 0, logged);
    let d = log.append(&deal.into());
    let (key, one) = (log.key().clone(), log.receipt(&[c, d]));
    assert_eq!(together(&[&one, &one], &key), ["inconsistent"]);
}

#[test]
fn a_salt_prints_as_its_32_hex_digits() {
    assert_eq!(Salt([0xab; 16]).to_text(), "ab".repeat(16));
}

#[test]
fn what_is_shown_prints_as_its_token() {
    assert_eq!(Shown::Logged.to_string(), "logged");
    assert_eq!(NotShown::NoCollusion.to_string(), "no-collusion");
}

#[test]
fn an_opening_reads_as_it_was_printed() {
    let (_, [opening, _]) = forked_sealed_deals();
    assert_eq!(
        Document::parse(opening.to_text().as_bytes()).expect("readable"),
        Document::Opening(opening)
    );
}

#[test]
fn a_view_of_an_empty_log_is_refused_in_what_a_reader_kept() {
    let kept = |seen: &SeenCheckpoint| {
        Given::parse_kept(
            json!({ "from": "alice", "seed": "lucky", "seen": seen }).to_string().as_bytes(),
        )
    };
    let mut log = PaperLog::new("cards.example/log", 7);
    assert!(kept(&log.seen()).is_err_and(|error| error.to_string().contains("seen.size")));
    log.append_bytes(b"one");
    kept(&log.seen()).expect("a view of one entry");
}

#[test]
fn a_receipt_out_of_a_log_proves_each_view_that_its_entries_name() {
    let signer = SignerKey::from_seed("cards.example/log".parse().expect("a name"), &[7; 32]);
    let (mut paper, seed) = (PaperLog::new("cards.example/log", 7), counting_seed(0));
    let (_, commit) = paper.commit(&seed, |_| {});
    let logged = vec![seeing("alice", "lucky", &paper.seen())];
    let deal = paper.deal_entry_of(&commit, &seed.mac(), 0, logged);
    paper.append(&deal.into());
    let mut log = MemoryLog::new();
    for entry in paper.entries() {
        log.append(entry.clone());
    }
    let receipt = Receipt::of(&log, 0..2, &signer).expect("a receipt");
    assert_eq!(receipt.seen().iter().map(|seen| seen.size.value()).collect::<Vec<_>>(), [1]);
    let verdict = verify(&Document::Receipt(receipt), signer.verifier());
    assert_eq!(verdict.committed_first, ["alice"], "{verdict:?}");
}

#[test]
fn a_contribution_of_the_readers_without_its_seed_shows_nothing_and_accuses_nobody() {
    let file = |name: &str| {
        std::fs::read_to_string(tools::root().join("fixtures/receipts").join(name)).expect("a file")
    };
    let (document, key) = (file("round.json"), file("log.key"));
    let document: Document = document.parse().expect("a receipt");
    let key: VerifierKey = key.trim().parse().expect("a key");
    let judged = |one: Given| {
        verify_with(&document, &key, &ReaderGiven { mine: vec![one], ..ReaderGiven::default() })
    };
    let alice = || "alice".parse().expect("a label");
    let without = judged(Given::of(alice()));
    assert!(without.holds && !without.shown.contains(&Shown::Yours), "{without:?}");
    let with = judged(Given::with_seed(alice(), "lucky".parse().expect("a seed")));
    assert!(with.holds && with.shown.contains(&Shown::Yours), "{with:?}");
    assert!(!judged(Given::with_seed(alice(), "another".parse().expect("a seed"))).holds);
}
