//! Two handles on one state: who waits, and who sees what.

use std::sync::Arc;
use std::time::Duration;

use fairdeal_ledger::store::{Fault, Growth, Head, State};

use super::*;

/// A dropped connection may take a moment to let go of the head.
async fn begin_soon(state: &dyn State) -> Box<dyn fairdeal_ledger::store::Transaction> {
    for _ in 0..20 {
        if let Ok(transaction) = state.begin().await {
            return transaction;
        }
    }
    panic!("the head is not let go")
}

pub(crate) async fn a_transaction_that_is_dropped_or_rolled_back_has_done_nothing(made: &Made) {
    let growth = Growth {
        commitments: vec![life(1, "main", 0)],
        tables: vec![(table("main"), commitment(1))],
        rounds: vec![round(0, 0, 1)],
        memos: vec![memo("token", "a", "b")],
        ..Growth::of_head(head(1))
    };
    let mut dropped = made.one.begin().await.unwrap();
    dropped.write(&growth).await.unwrap();
    drop(dropped);
    let mut undone = begin_soon(&*made.other).await;
    assert_eq!(undone.head().await.unwrap(), first_head());
    undone.write(&growth).await.unwrap();
    undone.roll_back().await.unwrap();
    let mut read = made.one.read().await.unwrap();
    assert_eq!(read.head().await.unwrap(), first_head());
    assert_eq!(read.lives(&[commitment(1)]).await.unwrap(), []);
    assert_eq!(read.round(0, nonce(0)).await.unwrap(), Vec::<u64>::new());
    assert_eq!(read.memos("token", "", None, 9).await.unwrap(), []);
    // And the same can be written now.
    write(&*made.one, &growth).await;
}

pub(crate) async fn while_one_holds_the_head_another_waits_and_is_told_that_it_is_busy(
    made: &Made,
) {
    let held = made.one.begin().await.unwrap();
    assert!(tokio::time::timeout(WAIT / 2, made.other.begin()).await.is_err(), "it waits");
    let error = made.other.begin().await.err().expect("is held");
    assert_eq!(error.fault, Fault::Busy, "{error}");
    let error = made.other.write_memos(&[memo("token", "a", "b")]).await.expect_err("is held");
    assert_eq!(error.fault, Fault::Busy, "{error}");
    let error = made.other.drop_entries(256).await.expect_err("is held");
    assert_eq!(error.fault, Fault::Busy, "{error}");
    held.roll_back().await.unwrap();
    made.other.begin().await.unwrap().roll_back().await.unwrap();
}

pub(crate) async fn who_waits_gets_the_head_as_the_other_left_it(made: &Made) {
    let other = Arc::clone(&made.other);
    let mut held = made.one.begin().await.unwrap();
    let waiting = tokio::spawn(async move {
        // A busy machine may take longer than WAIT to connect.
        let mut transaction = loop {
            match other.begin().await {
                Ok(transaction) => break transaction,
                Err(error) => assert_eq!(error.fault, Fault::Busy, "{error}"),
            }
        };
        let found =
            (transaction.head().await.unwrap(), transaction.lives(&[commitment(1)]).await.unwrap());
        transaction.roll_back().await.unwrap();
        found
    });
    tokio::time::sleep(WAIT / 8).await;
    let growth = Growth { commitments: vec![life(1, "main", 0)], ..Growth::of_head(head(1)) };
    held.write(&growth).await.unwrap();
    held.commit().await.unwrap();
    assert_eq!(waiting.await.unwrap(), (head(1), vec![life(1, "main", 0)]));
}

pub(crate) async fn reading_beside_a_writer_waits_for_nobody_and_sees_what_was_before(made: &Made) {
    let mut read = made.other.read().await.unwrap();
    let mut writing = made.one.begin().await.unwrap();
    writing
        .write(&Growth { commitments: vec![life(1, "main", 0)], ..Growth::of_head(head(1)) })
        .await
        .unwrap();
    let reading = async {
        assert_eq!(read.head().await.unwrap(), first_head());
        assert_eq!(read.lives(&[commitment(1)]).await.unwrap(), []);
        assert_eq!(made.one.read().await.unwrap().head().await.unwrap(), first_head());
    };
    // One that waited for the writer, which waits here, would never end.
    tokio::time::timeout(Duration::from_mins(1), reading).await.expect("it waits for nobody");
    writing.commit().await.unwrap();
    assert_eq!(read.head().await.unwrap(), head(1), "and then what is now");
}

pub(crate) async fn a_transaction_sees_what_it_has_written(made: &Made) {
    let mut writing = made.one.begin().await.unwrap();
    let mut dealt = life(1, "main", 0);
    dealt.life.next = 1;
    let growth = Growth {
        commitments: vec![dealt.clone()],
        tables: vec![(table("main"), commitment(1))],
        rounds: vec![round(0, 0, 1)],
        answers: vec![answer("key", 1, 5)],
        ..Growth::of_head(head(2))
    };
    writing.write(&growth).await.unwrap();
    assert_eq!(writing.head().await.unwrap(), head(2));
    assert_eq!(writing.lives(&[commitment(1)]).await.unwrap(), [dealt]);
    assert_eq!(writing.tables(&[table("main")]).await.unwrap(), [(table("main"), commitment(1))]);
    assert_eq!(writing.round(0, nonce(0)).await.unwrap(), [1]);
    assert_eq!(writing.answers(&["key".to_owned()], 0).await.unwrap(), [answer("key", 1, 5)]);
    writing.roll_back().await.unwrap();
}

pub(crate) async fn a_lease_excludes_another_until_it_is_dropped(made: &Made) {
    let lease = made.one.lease().await.unwrap().expect("nobody has it");
    assert!(made.other.lease().await.unwrap().is_none());
    assert!(made.one.lease().await.unwrap().is_none(), "nor the same process twice");
    drop(lease);
    let mut again = made.other.lease().await.unwrap();
    // A server may need a moment to let go.
    for _ in 0..200 {
        if again.is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
        again = made.other.lease().await.unwrap();
    }
    let again = again.expect("it was let go");
    assert!(made.one.lease().await.unwrap().is_none());
    // The right to publish is another one than the head's lock.
    made.one.begin().await.unwrap().roll_back().await.unwrap();
    drop(again);
}

pub(crate) async fn a_closed_head_is_kept_with_its_reason_and_takes_no_memos(made: &Made) {
    let closed = Head { closed: Some("it went elsewhere".to_owned()), ..head(1) };
    write(&*made.one, &Growth::of_head(closed.clone())).await;
    assert_eq!(made.other.read().await.unwrap().head().await.unwrap(), closed);
    let error = made.other.write_memos(&[memo("token", "a", "b")]).await.expect_err("closed");
    assert!(
        error.fault == Fault::Denied && error.to_string().contains("it went elsewhere"),
        "{error}"
    );
    write(&*made.one, &Growth::of_head(head(1))).await;
    made.other.write_memos(&[memo("token", "a", "b")]).await.unwrap();
}
