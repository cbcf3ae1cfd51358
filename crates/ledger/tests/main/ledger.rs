//! The ledger's operations when nothing fails.

use std::time::Duration;

use fairdeal::deal::{Blind, ClientSeed, Contribution, Deck, Digest, Method, Nonce};
use fairdeal::log::{Checkpoint, SignedCheckpoint, SignerKey};
use fairdeal::record::entry::{
    Entry, Int, LogSignature, LoggedContribution, Mixing, PlayerSigner, Reason, RoundOf,
    SeenCheckpoint,
};
use fairdeal::record::finding::Code;
use fairdeal::record::life::End;
use fairdeal::record::receipt::{Document, NotShown, Shown, verify};
use fairdeal_ledger::{
    Choice, ErrorKind, Given, Ledger, LedgerError, NewCommit, NewDeal, NewLock, NewReveal, NewVoid,
};

use super::ledger_support::*;

fn nonce(value: u64) -> Nonce {
    Nonce::new(value).expect("a small number")
}

fn codes(error: &LedgerError) -> Vec<Code> {
    match error {
        error if error.kind() == ErrorKind::Refused => {
            error.findings().iter().map(|f| f.code).collect()
        }
        other => panic!("expected a refusal, found {other}"),
    }
}

#[tokio::test]
async fn a_whole_life_is_published_and_a_stranger_finds_nothing_in_it() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let c = commit(&ledger).await;
    let dealt = ledger.deal(c, round("lucky"), None).await.unwrap();
    assert_eq!((dealt.nonce, dealt.index, dealt.repeated), (Some(nonce(0)), 1, false));
    assert_eq!(Deck::standard().text_of(dealt.items.as_ref().unwrap()).unwrap(), cards(&dealt));
    let lock = ledger.lock(c, locked("again"), None).await.unwrap();
    let second = ledger.deal(c, NewDeal::default(), None).await.unwrap();
    assert_eq!((lock.nonce, second.nonce), (Some(nonce(1)), Some(nonce(1))));
    ledger.void(c, void(Some(2)), None).await.unwrap();
    ledger.reveal(c, NewReveal::default(), None).await.unwrap();
    let shown = ledger.show(c).await.unwrap();
    assert_eq!((shown.next, shown.ended), (3, Some(End::Revealed)));

    let audit = home.audit();
    assert_eq!(audit.findings, []);
    let kinds: Vec<&str> = audit.entries.iter().map(Entry::kind).collect();
    assert_eq!(kinds, ["commit", "deal", "lock", "deal", "void", "reveal"]);
    ledger.close().await.unwrap();
}

#[tokio::test]
async fn a_receipt_verifies_with_the_key_alone_before_and_after_the_reveal() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let c = commit(&ledger).await;
    ledger.deal(c, round("lucky"), None).await.unwrap();
    let judged = |receipt| verify(&Document::Receipt(receipt), &home.key);

    let early = judged(ledger.receipt(c, Some(nonce(0))).await.unwrap());
    assert!(early.holds, "{early:?}");
    assert!(early.shown.contains(&Shown::Logged) && early.not_shown.contains(&NotShown::Replayed));
    ledger.reveal(c, NewReveal::default(), None).await.unwrap();
    let late = judged(ledger.receipt(c, Some(nonce(0))).await.unwrap());
    assert!(late.holds && late.shown.contains(&Shown::Replayed), "{late:?}");
    let whole = ledger.receipt(c, None).await.unwrap();
    assert_eq!(whole.entries.len(), 2, "the commit and the reveal");
    assert!(judged(whole).holds);
}

#[tokio::test]
async fn a_sealed_deal_shows_nobody_its_cards_until_they_are_opened_one_by_one() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let c = ledger.commit(with(terms("main"), |t| t.sealed = true), None).await.unwrap().commitment;
    let dealt = ledger.deal(c, round("lucky"), None).await.unwrap();
    assert_eq!(dealt.items, None);
    assert_eq!(dealt.card_seals.as_ref().unwrap().len(), 5);

    let opening = ledger.opening(c, nonce(0), &[4, 1, 4]).await.unwrap();
    assert_eq!(Some(&opening.card_seals), dealt.card_seals.as_ref());
    let places: Vec<u64> = opening.opened.iter().map(|card| card.t.value()).collect();
    assert_eq!(places, [1, 4]);
    let verdict = verify(&Document::Opening(opening), &home.key);
    assert!(verdict.holds && verdict.shown.contains(&Shown::Opened), "{verdict:?}");

    let error = ledger.opening(c, nonce(0), &[5]).await.unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (ErrorKind::Usage, "expected a card of 1 to 5, found card 6 (in JSON t 5, from 0)")
    );
    let error = ledger.opening(c, nonce(1), &[0]).await.unwrap_err();
    assert!(matches!(error, LedgerError::UnknownRound { next: 1, .. }), "{error}");
}

#[tokio::test]
async fn a_locked_round_is_dealt_from_what_its_players_had_hashed() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let terms = with(terms("main"), |t| t.mixing = Mixing::Hashes);
    let c = ledger.commit(terms, None).await.unwrap().commitment;
    let players = ["carol", "alice", "bob"]
        .map(|from| (from, format!("seed of {from}"), Blind::from_bytes([7; 32])));
    let hashed = |(from, seed, blind): &(&str, String, Blind)| {
        let contribution = Contribution::new(*from, seed.as_str()).unwrap();
        Given {
            hash: Some(hash_in_round_0(&ledger, c, &contribution, blind)),
            ..Given::of(label(from))
        }
    };
    let opened = |(from, seed, blind): &(&str, String, Blind)| Given {
        blind: Some(*blind),
        seed: Some(ClientSeed::new(seed.as_str()).unwrap()),
        ..Given::of(label(from))
    };
    let error = ledger.deal(c, round("clear"), None).await.unwrap_err();
    assert_eq!(codes(&error), [Code::WeakMixing]);
    let lock = NewLock {
        contributions: players.iter().map(hashed).collect(),
        seats: Some(vec![label("bob"), label("carol"), label("alice")]),
        ..NewLock::default()
    };
    ledger.lock(c, lock, None).await.unwrap();
    let two = NewDeal {
        contributions: players.iter().take(2).map(opened).collect(),
        ..NewDeal::default()
    };
    assert_eq!(codes(&ledger.deal(c, two, None).await.unwrap_err()), [Code::UnopenedHash]);
    let all = NewDeal { contributions: players.iter().map(opened).collect(), ..NewDeal::default() };
    ledger.deal(c, all, None).await.unwrap();
    ledger.reveal(c, NewReveal::default(), None).await.unwrap();
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn every_form_of_result_is_dealt_and_replays() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let list = |count| Deck::list(count, Digest::from_bytes([3; 32])).unwrap();
    let forms = [
        (list(5000), Some(1000), Method::Shuffle),
        (list(5000), Some(1001), Method::Shuffle),
        (list(20_000), None, Method::Shuffle),
        (list(40), None, Method::Cycle),
        (Deck::standard(), None, Method::Shuffle),
    ];
    for (table, (deck, draw, method)) in ["a", "b", "c", "d", "e"].into_iter().zip(forms) {
        let can_be_sealed = draw.unwrap_or(deck.items()) <= 4096;
        for sealed in [false, true].into_iter().filter(|sealed| !sealed || can_be_sealed) {
            let terms = with(terms(table), |t| {
                t.deck = deck;
                t.draw = int(draw.unwrap_or(deck.items()));
                t.method = method;
                t.sealed = sealed;
            });
            let c = ledger.commit(terms, None).await.unwrap().commitment;
            let done = ledger.deal(c, round("x"), None).await.unwrap();
            let drawn = usize::try_from(draw.unwrap_or(deck.items())).unwrap();
            assert_eq!(done.items.map(|items| items.len()), (!sealed).then_some(drawn));
            assert_eq!(done.card_seals.map(|seals| seals.len()), sealed.then_some(drawn));
            ledger.reveal(c, NewReveal::default(), None).await.unwrap();
        }
    }
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn what_the_judge_would_find_is_refused_and_leaves_nothing_behind() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let unknown = fairdeal::deal::Commitment::from_bytes([9; 32]);
    let c =
        ledger.commit(with(terms("main"), |t| t.rounds = int(1)), None).await.unwrap().commitment;
    let at = |value| NewDeal { nonce: Some(nonce(value)), ..round("x") };
    for (error, code) in [
        (ledger.deal(unknown, round("x"), None).await, Code::NoCommitment),
        (ledger.lock(unknown, locked("x"), None).await, Code::NoCommitment),
        (ledger.reveal(unknown, NewReveal::default(), None).await, Code::NoCommitment),
        (ledger.deal(c, at(1), None).await, Code::NonceGap),
        (ledger.commit(terms("main"), None).await, Code::OutOfTurn),
    ] {
        let error = error.unwrap_err();
        assert_eq!((codes(&error), error.kind()), (vec![code], ErrorKind::Refused), "{error}");
    }
    ledger.deal(c, round("x"), None).await.unwrap();
    assert_eq!(codes(&ledger.deal(c, round("x"), None).await.unwrap_err()), [Code::TooManyRounds]);
    let next = commit(&ledger).await;
    ledger.deal(next, round("x"), None).await.unwrap();
    assert_eq!(home.audit().size, 4);
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn what_no_entry_can_say_is_the_callers_mistake() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let c = commit(&ledger).await;
    let twice = NewDeal {
        contributions: vec![clear("a", "x").into(), clear("a", "y").into()],
        ..NewDeal::default()
    };
    for (error, says) in [
        (ledger.commit(with(terms("t"), |t| t.draw = int(53)), None).await, "draw"),
        (ledger.commit(with(terms("t"), |t| t.rounds = int(0)), None).await, "rounds"),
        (
            ledger
                .commit(NewCommit { reveal_in: Duration::from_hours(400 * 24), ..terms("t") }, None)
                .await,
            "reveal_by",
        ),
        (
            ledger.commit(NewCommit { reveal_in: Duration::ZERO, ..terms("t") }, None).await,
            "reveal_by",
        ),
        (ledger.commit(with(terms("t"), |t| t.mixing = Mixing::Beacon), None).await, "mixing"),
        (ledger.deal(c, NewDeal::default(), None).await, "the round has no lock"),
        (ledger.deal(c, twice, None).await, "contributions"),
        (ledger.lock(c, NewLock::default(), None).await, "contributions"),
    ] {
        let error = error.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
        assert!(error.to_string().contains(says), "{error}");
    }
    assert_eq!(home.audit().size, 1);
}

#[tokio::test]
async fn contributions_may_come_in_any_order() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let c = commit(&ledger).await;
    let contributions =
        ["zoe", "bob", "élise", "alice"].map(|from| clear(from, "x").into()).to_vec();
    ledger.deal(c, NewDeal { contributions, ..NewDeal::default() }, None).await.unwrap();
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn a_tables_commitments_form_one_chain() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let (a, other) = (commit(&ledger).await, ledger.commit(terms("other"), None).await.unwrap());
    let error = ledger.commit(terms("main"), None).await.unwrap_err();
    assert_eq!(
        (codes(&error), error.kind()),
        (vec![Code::OutOfTurn], ErrorKind::Refused),
        "{error}"
    );
    ledger.reveal(a, NewReveal::default(), None).await.unwrap();
    let b = commit(&ledger).await;
    assert_eq!(ledger.show(b).await.unwrap().terms.after, Some(a));
    assert_eq!(ledger.show(other.commitment).await.unwrap().terms.after, None);
    let listed: Vec<_> = ledger
        .list(&Choice::default(), 0, u32::MAX)
        .await
        .unwrap()
        .into_iter()
        .map(|s| s.commitment)
        .collect();
    assert_eq!(listed, [a, other.commitment, b]);
}

#[tokio::test]
async fn the_next_commitment_rides_behind_the_entry_that_ends_the_last_one() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let terms = with(terms("main"), |t| t.rounds = int(2));
    let first = ledger.commit(terms.clone(), None).await.unwrap().commitment;
    let next = |seed| NewDeal { next: true, ..round(seed) };
    assert!(ledger.deal(first, next("x"), None).await.unwrap().next.is_none(), "it is not used up");
    let done = ledger.deal(first, next("y"), key("last")).await.unwrap();
    let (index, second) = done.next.clone().unwrap();
    assert_eq!((index, second.after), (done.index + 1, Some(first)));
    assert_eq!((second.rounds.value(), &second.table), (2, &terms.terms.table));
    // The same request with the same key gives the same one, not a third.
    let again = ledger.deal(first, next("y"), key("last")).await.unwrap();
    assert_eq!((again.repeated, again.next), (true, done.next));
    // The table already has a next one.
    let revealed =
        ledger.reveal(first, NewReveal { next: true, ..NewReveal::default() }, None).await.unwrap();
    assert!(revealed.next.is_none());
    let reason = Reason::new("closed").unwrap();
    let void = NewVoid { nonce: None, reason, blame: None, next: true, ext: None };
    let (_, third) = ledger.void(second.commitment, void, None).await.unwrap().next.unwrap();
    assert_eq!(third.after, Some(second.commitment));
    assert_eq!(home.audit().findings, []);
    assert_eq!(home.audit().size, 7);
}

#[tokio::test]
async fn a_signature_that_does_not_verify_is_never_written() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let c = ledger.commit(with(terms("main"), |t| t.signed = true), None).await.unwrap().commitment;
    let log = ledger.verifier_key();
    let signer = PlayerSigner::from_seed(&[5; 32]);
    let by_player = |at: u64| {
        let round = RoundOf { log, commitment: c, nonce: nonce(at) };
        NewDeal {
            contributions: vec![signer.sign(&round, clear("alice", "x")).into()],
            ..NewDeal::default()
        }
    };
    for (deal, code) in
        [(round("x"), Code::WeakMixing), (by_player(1), Code::ContributionSignature)]
    {
        let error = ledger.deal(c, deal, None).await.unwrap_err();
        assert_eq!((codes(&error), error.kind()), (vec![code], ErrorKind::Refused), "{error}");
    }
    ledger.deal(c, by_player(0), None).await.unwrap();
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn a_late_reveal_is_better_than_none_and_says_so() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let terms = NewCommit { reveal_in: Duration::from_millis(1), ..terms("main") };
    let c = ledger.commit(terms, None).await.unwrap().commitment;
    tokio::time::sleep(Duration::from_millis(5)).await;
    let late = ledger.reveal(c, NewReveal::default(), key("once")).await.unwrap();
    assert_eq!(late.findings.iter().map(|f| f.code).collect::<Vec<_>>(), [Code::LateReveal]);
    let again = ledger.reveal(c, NewReveal::default(), key("once")).await.unwrap();
    assert_eq!((again.findings, again.repeated), (late.findings, true));
}

#[tokio::test]
async fn after_the_time_to_reveal_no_round_is_locked_or_dealt_unknowingly() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let terms = |table| NewCommit { reveal_in: Duration::from_secs(2), ..terms(table) };
    let c = ledger.commit(terms("main"), None).await.unwrap().commitment;
    let open = ledger.commit(terms("other"), None).await.unwrap().commitment;
    ledger.deal(c, round("in time"), key("in time")).await.unwrap();
    ledger.lock(open, locked("seed"), None).await.unwrap();
    tokio::time::sleep(Duration::from_millis(2050)).await;
    for error in [
        ledger.deal(c, round("late"), None).await.unwrap_err(),
        ledger.lock(c, locked("late"), None).await.unwrap_err(),
        ledger.deal(open, NewDeal::default(), None).await.unwrap_err(),
    ] {
        assert!(matches!(error, LedgerError::Overdue { .. }), "{error}");
        assert_eq!(error.kind(), ErrorKind::Usage);
    }
    assert_eq!(home.audit().size, 4, "nothing was written");
    let again = ledger.deal(c, round("in time"), key("in time")).await.unwrap();
    assert!(again.repeated, "what was done in time is answered again");
    ledger.lock(c, NewLock { late: true, ..locked("late") }, None).await.unwrap();
    ledger.deal(c, NewDeal { late: true, ..NewDeal::default() }, None).await.unwrap();
    let void = NewVoid {
        nonce: Some(nonce(0)),
        reason: Reason::new("too late").unwrap(),
        blame: None,
        next: false,
        ext: None,
    };
    ledger.void(open, void, None).await.unwrap();
    for commitment in [c, open] {
        let late = ledger.reveal(commitment, NewReveal::default(), None).await.unwrap();
        assert_eq!(late.findings.iter().map(|f| f.code).collect::<Vec<_>>(), [Code::LateReveal]);
    }
}

#[tokio::test]
async fn a_hash_is_not_locked_with_what_opens_it_and_a_hidden_seed_not_without_it() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let c = commit(&ledger).await;
    let blind = Blind::from_bytes([7; 32]);
    let alice = Contribution::new("alice", "lucky").unwrap();
    let hash = Some(hash_in_round_0(&ledger, c, &alice, &blind));
    let (seed, blind) = (Some(ClientSeed::new("lucky").unwrap()), Some(blind));
    let none = Given::of(label("alice"));
    let lock = |alice: Given| NewLock { contributions: vec![alice], ..NewLock::default() };
    for secret in [
        Given { hash, blind, seed: seed.clone(), ..none.clone() },
        Given { hash, blind, ..none.clone() },
        Given { hash, seed: seed.clone(), ..none.clone() },
    ] {
        let error = ledger.lock(c, lock(secret), None).await.unwrap_err();
        assert!(matches!(error, LedgerError::Secret { .. }), "{error}");
    }
    let error =
        ledger.lock(c, lock(Given { seed, blind, ..none.clone() }), None).await.unwrap_err();
    assert!(matches!(error, LedgerError::Contribution { .. }), "{error}");
    assert_eq!(home.audit().size, 1, "nothing was written");
    ledger.lock(c, lock(Given { hash, ..none }), None).await.unwrap();
}

#[tokio::test]
async fn a_ledger_goes_on_where_it_was_closed() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let c = commit(&ledger).await;
    ledger.deal(c, round("one"), None).await.unwrap();
    let other = ledger.clone();
    ledger.close().await.unwrap();
    assert!(matches!(other.show(c).await, Err(LedgerError::Closed)));
    assert!(matches!(other.deal(c, round("two"), None).await, Err(LedgerError::Closed)));

    let ledger = home.open().await;
    let dealt = ledger.deal(c, round("two"), None).await.unwrap();
    assert_eq!(dealt.nonce, Some(nonce(1)));
    ledger.reveal(c, NewReveal::default(), None).await.unwrap();
    assert_eq!(home.audit().findings, []);
    assert_eq!(
        ledger.checkpoint().await.unwrap(),
        std::fs::read_to_string(home.public().join("checkpoint")).unwrap()
    );
}

#[tokio::test]
async fn a_new_ledger_needs_an_empty_folder() {
    let home = Home::new().await;
    let error = Ledger::init(home.path(), &origin()).await.unwrap_err();
    assert!(matches!(&error, LedgerError::NotEmpty { .. }), "{error}");
    assert_eq!(error.kind(), ErrorKind::Usage);
    let empty = tempfile::tempdir().unwrap();
    std::fs::write(empty.path().join("notes.txt"), "mine").unwrap();
    let error = Ledger::init(empty.path(), &origin()).await.unwrap_err();
    assert!(error.to_string().contains("notes.txt"), "{error}");
    assert_eq!(std::fs::read_dir(empty.path()).unwrap().count(), 1, "nothing was written");
    let error = Ledger::open(empty.path(), options()).await.unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string().contains("no ledger")),
        (ErrorKind::Unavailable, true),
        "{error}"
    );
}

/// The `seen` of a player who saw this note, as logged.
fn seen(note: &str) -> SeenCheckpoint {
    let note = SignedCheckpoint::parse(note).expect("a checkpoint");
    let signature = note.note().signatures().first().expect("one");
    let bytes: &[u8; 64] = signature.bytes().try_into().expect("Ed25519");
    SeenCheckpoint {
        root: Digest::from_bytes(*note.unverified().root().as_bytes()),
        signature: LogSignature::new(signature.id().to_bytes(), bytes),
        size: Int::new(note.unverified().size()).expect("small"),
    }
}

fn saw(seen: SeenCheckpoint) -> NewDeal {
    let contribution = LoggedContribution { seen: Some(seen), ..clear("alice", "x") };
    NewDeal { contributions: vec![contribution.into()], ..NewDeal::default() }
}

#[tokio::test]
async fn what_a_player_has_seen_is_held_against_the_tree_wherever_its_hashes_are() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let c = commit(&ledger).await;
    let mut notes = vec![ledger.checkpoint().await.expect("published")];
    // Sizes in the first bundle, which is dropped from the database, at its end, and in the newest
    // bundle.
    for more in [2, 97, 155, 1, 1, 200, 70] {
        let deals = (0..more).map(|_| ledger.deal(c, round("x"), None));
        futures::future::try_join_all(deals).await.expect("dealt");
        notes.push(ledger.checkpoint().await.expect("published"));
    }
    for note in &notes {
        let dealt = ledger.deal(c, saw(seen(note)), None).await.expect("dealt");
        let receipt = ledger.receipt(c, dealt.nonce).await.expect("a receipt");
        let verdict = verify(&Document::Receipt(receipt), &home.key);
        assert!(verdict.shown.contains(&Shown::CommittedFirst), "{verdict:?}");
    }
    ledger.reveal(c, NewReveal::default(), None).await.expect("revealed");
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn a_checkpoint_that_this_log_did_not_sign_or_contradicts_is_not_dealt_with() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let c = commit(&ledger).await;
    ledger.deal(c, round("x"), None).await.expect("dealt");
    let text = std::fs::read_to_string(home.private().join("signing.key")).expect("a key");
    let signer = SignerKey::parse(text.trim_end()).expect("a key");
    let saw_signed = |size, signer: &SignerKey| {
        let root = fairdeal::log::leaf_hash(b"another tree");
        let checkpoint = Checkpoint::new(origin().as_str(), size, root).expect("a checkpoint");
        seen(&checkpoint.sign(signer).expect("signed").to_text())
    };
    let stranger = SignerKey::from_seed(signer.verifier().name().clone(), &[7; 32]);
    for (seen, code) in [
        (saw_signed(1, &signer), Code::SplitView),
        (saw_signed(2, &signer), Code::SplitView),
        (saw_signed(3, &signer), Code::SplitView),
        (saw_signed(1, &stranger), Code::InvalidEntry),
    ] {
        assert_eq!(codes(&ledger.deal(c, saw(seen), None).await.expect_err("refused")), [code]);
    }
    assert_eq!(home.audit().size, 2);
}
