use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::deal::{ClientSeed, Deck, Digest, Label, Nonce};

fn int(value: u64) -> Int {
    Int::new(value).unwrap()
}

fn digest() -> impl Strategy<Value = Digest> {
    any::<[u8; 32]>().prop_map(Digest::from_bytes)
}

fn commitment() -> impl Strategy<Value = Commitment> {
    any::<[u8; 32]>().prop_map(Commitment::from_bytes)
}

/// Text without control characters, in all the scripts that a string may have.
fn text(most: usize) -> impl Strategy<Value = String> {
    "\\PC{1,40}"
        .prop_map(move |s| s.chars().filter(|c| !c.is_control()).collect::<String>())
        .prop_map(move |mut s| {
            while s.len() > most {
                s.pop();
            }
            if s.is_empty() { "x".to_owned() } else { s }
        })
}

fn time() -> impl Strategy<Value = u64> {
    0..Int::MAX - MAX_REVEAL_IN
}

fn commit() -> impl Strategy<Value = Entry> {
    let optional = (
        proptest::option::of(commitment()),
        proptest::option::of(digest()),
        proptest::option::of(digest()),
    );
    let terms = (1..=MAX_ROUNDS, 1..=MAX_REVEAL_IN, any::<bool>(), 1..=52_u64, text(128));
    (commitment(), optional, terms, time()).prop_map(
        |(commitment, (after, ext, rules), terms, time)| {
            let (rounds, reveal_in, sealed, draw, table) = terms;
            let terms = Terms {
                draw: int(draw),
                ext,
                mixing: Mixing::Hashes,
                rounds: int(rounds),
                rules,
                sealed,
                ..Terms::new(Table::new(table).unwrap(), Deck::standard())
            };
            let origin = Origin::new("cards.example/log").unwrap();
            let reveal_by = int(time + reveal_in);
            let commit = Commit::new(commitment, origin, terms, int(time), reveal_by);
            Entry::from(Commit { after, ..commit })
        },
    )
}

fn contributions() -> impl Strategy<Value = Vec<LoggedContribution>> {
    prop::collection::btree_map(text(64), (text(256), any::<bool>(), digest()), 1..6).prop_map(
        |all| {
            let one = |(from, (seed, hashed, hash)): (String, (String, bool, Digest))| {
                let from = Label::new(from).unwrap();
                if hashed {
                    LoggedContribution::promised(from, hash, None)
                } else {
                    LoggedContribution::clear(from, ClientSeed::new(seed).unwrap(), None)
                }
            };
            all.into_iter().map(one).collect()
        },
    )
}

fn lock() -> impl Strategy<Value = Entry> {
    (commitment(), contributions(), time(), 0..Nonce::MAX).prop_map(
        |(commitment, contributions, time, nonce)| {
            Entry::Lock(Box::new(Lock {
                beacon: None,
                commitment,
                seats: Some(contributions.iter().rev().map(|one| one.from.clone()).collect()),
                contributions: Some(contributions),
                entry: LockWord,
                ext: None,
                nonce: Nonce::new(nonce).unwrap(),
                time: int(time),
            }))
        },
    )
}

fn void() -> impl Strategy<Value = Entry> {
    (commitment(), text(256), time(), proptest::option::of(0..Nonce::MAX)).prop_map(
        |(commitment, reason, time, nonce)| {
            Entry::Void(Box::new(Void {
                blame: nonce.map(|_| Label::new("bob").unwrap()),
                commitment,
                entry: VoidWord,
                ext: None,
                nonce: nonce.map(|n| Nonce::new(n).unwrap()),
                reason: Reason::new(reason).unwrap(),
                time: int(time),
            }))
        },
    )
}

fn entry() -> impl Strategy<Value = Entry> {
    prop_oneof![commit(), lock(), void()]
}

proptest! {
    #[test]
    fn what_is_written_reads_back_the_same(entry in entry()) {
        let text = entry.to_text().unwrap();
        prop_assert_eq!(Entry::parse(text.as_bytes()).unwrap(), entry);
    }

    #[test]
    fn what_is_written_is_another_implementations_canonical_form(entry in entry()) {
        let text = entry.to_text().unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(serde_json_canonicalizer::to_string(&value).unwrap(), text);
    }

    #[test]
    fn a_changed_byte_never_reads_as_the_same_entry(entry in entry(), at in any::<prop::sample::Index>(), bit in 0..8_u8) {
        let mut bytes = entry.to_text().unwrap().into_bytes();
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        if let Ok(changed) = Entry::parse(&bytes) {
            prop_assert_ne!(&changed, &entry);
            if !matches!(changed, Entry::Other(_)) {
                prop_assert_eq!(changed.to_text().unwrap().into_bytes(), bytes);
            }
        }
    }
}

/// 64 contributions whose every field is as long as it can get in JSON.
fn longest_contributions() -> Vec<LoggedContribution> {
    let one = |i: u32| {
        let from = Label::new(format!("{i:02}{}", "\"".repeat(62))).unwrap();
        let seen = SeenCheckpoint {
            root: Digest::from_bytes([2; 32]),
            signature: LogSignature::new([0; 4], &[0; 64]),
            size: int(Int::MAX),
        };
        LoggedContribution::clear(from, ClientSeed::new("\\".repeat(256)).unwrap(), Some(seen))
    };
    (0..64).map(one).collect()
}

#[test]
fn the_longest_lock_and_the_longest_deal_fit_into_a_bundle() {
    let contributions = longest_contributions();
    let lock = Entry::Lock(Box::new(Lock {
        beacon: Some(int(Int::MAX)),
        commitment: Commitment::from_bytes([1; 32]),
        seats: Some(contributions.iter().map(|one| one.from.clone()).collect()),
        contributions: Some(contributions.clone()),
        entry: LockWord,
        ext: Some(Digest::from_bytes([3; 32])),
        nonce: Nonce::new(Nonce::MAX).unwrap(),
        time: int(Int::MAX),
    }));
    let deal = Entry::Deal(Box::new(Deal {
        beacon: None,
        commitment: Commitment::from_bytes([1; 32]),
        contributions: Some(contributions),
        entry: DealWord,
        ext: Some(Digest::from_bytes([3; 32])),
        lock: None,
        nonce: Nonce::new(Nonce::MAX).unwrap(),
        opened: None,
        result: ResultForm { indices: Some(vec![int(1_048_575); 1000]), ..ResultForm::EMPTY },
        seats: None,
        time: int(Int::MAX),
    }));
    for entry in [lock, deal] {
        let length = entry.to_text().map(|text| text.len());
        assert!(length.as_ref().is_ok_and(|&length| length > 60_000), "{length:?}");
    }
}

#[test]
fn an_entry_that_no_bundle_can_hold_is_no_entry() {
    assert_eq!(Entry::parse(&vec![b' '; MAX_ENTRY + 1]), Err(EntryError::TooLong(MAX_ENTRY + 1)));
}

#[test]
fn an_error_names_the_field_what_was_expected_and_what_came() {
    let text = r#"{"commitment":"00","entry":"reveal","server_seed":"","time":1}"#;
    let error = Entry::parse(text.as_bytes()).unwrap_err().to_string();
    assert!(
        error.starts_with(
            "commitment: expected 64 lowercase hex digits (32 bytes), found 2 characters"
        ),
        "{error}"
    );
    let text = format!(
        r#"{{"commitment":"{}","entry":"void","nonce":-1,"reason":"x","time":1}}"#,
        "ab".repeat(32)
    );
    let error = Entry::parse(text.as_bytes()).unwrap_err().to_string();
    assert!(
        error.starts_with("nonce: expected an integer from 0 to 9007199254740991, found -1"),
        "{error}"
    );
}

#[test]
fn an_error_names_the_member_also_among_the_terms_of_a_commit() {
    let (origin, table) = ("a".parse().unwrap(), "table 1".parse().unwrap());
    let (terms, time) = (Terms::new(table, Deck::standard()), int(1_000));
    let commit = Commit::new(Commitment::from_bytes([7; 32]), origin, terms, time, int(9_000));
    let text = Entry::from(commit).to_text().unwrap();
    let integer = "expected an integer from 0 to 9007199254740991";
    for (from, to, says) in [
        ("\"draw\":52", "\"draw\":\"5\"", format!("draw: {integer}, found \"5\"")),
        ("\"time\":1000", "\"time\":\"5\"", format!("time: {integer}, found \"5\"")),
        ("\"draw\":52,", "", "expected a member \"draw\", found none".to_owned()),
        ("standard-52", "standard-53", "deck: ".to_owned()),
    ] {
        let error = Entry::parse(text.replace(from, to).as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with(&says), "{error}");
    }
    let unknown = text.replace("\"entry\"", "\"else\":1,\"entry\"");
    let error = Entry::parse(unknown.as_bytes()).unwrap_err().to_string();
    assert!(error.ends_with("found \"else\""), "{error}");
}
