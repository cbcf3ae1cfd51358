//! The memos: data that the operator keeps next to the log.

use fairdeal::deal::Commitment;
use fairdeal_ledger::tokens::Token;
use fairdeal_ledger::{
    ErrorKind, Ledger, Memo, Memos, NewCommit, NewDeal, NewReveal, NewVoid, POLICY,
};

use super::ledger_support::*;

fn with_policy(table: &str, policy: &str) -> NewCommit {
    NewCommit { policy: Some(policy.to_owned()), ..terms(table) }
}

async fn policy(ledger: &Ledger, commitment: &Commitment) -> Option<String> {
    let found = ledger.memos(POLICY, &commitment.to_string(), None, 1).await.expect("read");
    found.into_iter().next().map(|(_, policy)| policy)
}

#[tokio::test]
async fn a_commitment_s_policy_is_inherited_by_whatever_follows_it_and_is_not_in_the_log() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let terms = with(with_policy("main", "reveal when done"), |t| t.rounds = int(2));
    let first = ledger.commit(terms, None).await.expect("committed").commitment;
    let deal = || NewDeal { next: true, ..round("x") };
    assert!(ledger.deal(first, deal(), None).await.expect("dealt").next.is_none());
    let (_, second) =
        ledger.deal(first, deal(), None).await.expect("dealt").next.expect("it follows");
    assert_eq!(policy(&ledger, &second.commitment).await.as_deref(), Some("reveal when done"));
    let void = NewVoid { next: true, ..void(None) };
    let (_, third) =
        ledger.void(second.commitment, void, None).await.expect("voided").next.expect("it follows");
    assert_eq!(policy(&ledger, &third.commitment).await.as_deref(), Some("reveal when done"));
    let last = third.commitment;
    // A policy that was written later is the one that is inherited.
    let changed = memo(POLICY, &last.to_string(), "reveal by hand");
    ledger.write_memos(vec![changed]).await.expect("written");
    let reveal = NewReveal { next: true, ..NewReveal::default() };
    let (_, next) =
        ledger.reveal(last, reveal, None).await.expect("revealed").next.expect("it follows");
    assert_eq!(policy(&ledger, &next.commitment).await.as_deref(), Some("reveal by hand"));
    let audit = home.audit();
    assert_eq!(audit.findings, []);
    assert!(!format!("{:?}", audit.entries).contains("reveal when done"));
}

#[tokio::test]
async fn rounds_of_one_batch_that_use_a_commitment_up_together_pass_its_policy_on() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let terms = with(with_policy("main", "kept"), |t| t.rounds = int(5));
    let c = ledger.commit(terms, None).await.expect("committed").commitment;
    let deals =
        (0..5).map(|n| ledger.deal(c, NewDeal { next: true, ..round(&format!("{n}")) }, None));
    let done = futures::future::try_join_all(deals).await.expect("dealt");
    let next: Vec<_> = done.into_iter().filter_map(|done| done.next).collect();
    let [(_, next)] = next.as_slice() else { panic!("{next:?}") };
    assert_eq!(policy(&ledger, &next.commitment).await.as_deref(), Some("kept"));
}

#[tokio::test]
async fn a_policy_is_part_of_the_request_that_an_idempotency_key_names() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let first = ledger.commit(with_policy("main", "one"), key("commit")).await.expect("committed");
    let again = ledger.commit(with_policy("main", "one"), key("commit")).await.expect("the same");
    assert_eq!(first.commitment, again.commitment);
    for other in [with_policy("main", "two"), terms("main")] {
        let error = ledger.commit(other, key("commit")).await.expect_err("another request");
        assert_eq!(error.code(), "key-reused");
    }
}

#[tokio::test]
async fn a_refused_commitment_leaves_no_policy() {
    let home = Home::new().await;
    let ledger = home.open().await;
    ledger.commit(with_policy("main", "one"), None).await.expect("committed");
    ledger.commit(with_policy("main", "two"), None).await.expect_err("the first is open");
    let kept = ledger.memos(POLICY, "", None, 9).await.expect("read");
    assert_eq!(kept.iter().map(|(_, policy)| policy.as_str()).collect::<Vec<_>>(), ["one"]);
}

#[tokio::test]
async fn memos_are_written_beside_an_open_ledger_that_deals_and_stay() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let c = commit(&ledger).await;
    let beside = Memos::open(home.path(), options()).await.expect("opens");
    let (dealt, written) = tokio::join!(
        futures::future::try_join_all((0..50).map(|n| ledger.deal(
            c,
            round(&format!("{n}")),
            None
        ))),
        beside.write(vec![memo("token", "door", "open"), memo("token", "window", "shut")]),
    );
    dealt.expect("dealt");
    written.expect("written");
    let found = ledger.memos("token", "", None, 9).await.expect("read");
    assert_eq!(
        found,
        [("door", "open"), ("window", "shut")].map(|(key, value)| (key.into(), value.into()))
    );
    beside.close().await.expect("closed");
    ledger
        .write_memos(vec![Memo { value: None, ..memo("token", "door", "") }])
        .await
        .expect("written");
    ledger.close().await.expect("closed");
    let again = home.open().await;
    assert_eq!(again.memos("token", "d", None, 9).await.expect("read"), []);
    assert_eq!(again.memos("token", "w", None, 9).await.expect("read").len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_memos_that_are_added_the_first_stays_also_where_two_come_at_once() {
    let home = Home::quick().await;
    let (one, other) = (home.open().await, home.open().await);
    for n in 0..40 {
        let (mine, shared) = (format!("{n}/mine"), format!("{n}/shared"));
        let add = |ledger: &Ledger, own: &str, by: &str| {
            let memos = vec![memo("first", &shared, by), memo("first", own, by)];
            let ledger = ledger.clone();
            tokio::spawn(async move { ledger.add_memos(memos).await })
        };
        let (first, second) =
            (add(&one, &mine, "one"), add(&other, &format!("{n}/theirs"), "other"));
        first.await.expect("ended").expect("added");
        second.await.expect("ended").expect("added");
        let before = one.memos("first", &format!("{n}/"), None, 9).await.expect("read");
        assert_eq!(before.len(), 3, "{before:?}");
        other
            .add_memos(vec![memo("first", &shared, "late"), memo("first", &mine, "late")])
            .await
            .expect("fine");
        assert_eq!(one.memos("first", &format!("{n}/"), None, 9).await.expect("read"), before);
    }
    let c = commit(&one).await;
    other.add_memos(vec![memo("first", "last", "other")]).await.expect("added");
    one.deal(c, round("x"), None).await.expect("the head is as it was");
    assert_eq!(home.audit().findings, []);
}

#[tokio::test]
async fn what_is_no_small_text_under_a_kind_and_a_key_is_refused() {
    let home = Home::new().await;
    let ledger = home.open().await;
    let long = "x".repeat(16 * 1024 + 1);
    for (kind, key, value) in [
        ("", "a", "x"),
        ("with/slash", "a", "x"),
        ("Large", "a", "x"),
        ("token", "", "x"),
        ("token", "line\nbreak", "x"),
        ("token", &long[..513], "x"),
        ("token", "a", &long),
        ("token", "a", "nul\0"),
    ] {
        let error = ledger.write_memos(vec![memo(kind, key, value)]).await.expect_err("refused");
        assert_eq!(error.kind(), ErrorKind::Usage, "{kind:?} {key:?}: {error}");
    }
    ledger
        .write_memos(vec![memo("token", &long[..512], &long[1..])])
        .await
        .expect("the longest of each");
    for policy in [&long[..1025], "nul\0"] {
        let error = ledger.commit(with_policy("main", policy), None).await.expect_err("refused");
        assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
    }
    ledger.commit(with_policy("main", &long[..1024]), None).await.expect("the longest");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_tokens_that_are_made_at_once_under_one_name_one_is_kept() {
    let home = Home::quick().await;
    for name in ["one", "two", "three", "four", "five"] {
        let made = (0..4).map(|_| {
            let dir = home.path().to_owned();
            tokio::spawn(async move {
                let memos = Memos::open(dir, options()).await.expect("opens");
                let (_, hash, token) =
                    Token::generate(name, &[], Vec::new(), 1).expect("a good name");
                let kept = memos.add_token(hash, &token).await.expect("written or not");
                memos.close().await.expect("closed");
                usize::from(kept)
            })
        });
        let kept: usize =
            futures::future::join_all(made).await.into_iter().map(|one| one.expect("joined")).sum();
        let memos = Memos::open(home.path(), options()).await.expect("opens");
        let there = memos
            .tokens()
            .await
            .expect("read")
            .iter()
            .filter(|(_, one)| one.name() == name)
            .count();
        assert_eq!((kept, there), (1, 1));
        memos.close().await.expect("closed");
    }
}
