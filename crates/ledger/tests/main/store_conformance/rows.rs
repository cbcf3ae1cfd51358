//! Rows that are written, and read back.

use std::collections::BTreeSet;

use fairdeal::log::{Hash, Node};
use fairdeal::record::entry::Entry;
use fairdeal::record::life::{End, Open};
use fairdeal_ledger::store::{
    Answer, Choice, Fault, Growth, Head, RoundEntry, Segment, StoredLife, Ticked,
};
use serde_json::json;

use super::*;

pub(crate) async fn the_first_head_is_what_was_written(made: &Made) {
    for state in [&made.one, &made.other] {
        assert_eq!(state.read().await.unwrap().head().await.unwrap(), first_head());
        let mut transaction = state.begin().await.unwrap();
        assert_eq!(transaction.head().await.unwrap(), first_head());
        transaction.roll_back().await.unwrap();
    }
}

pub(crate) async fn entries_are_read_in_order_and_within_the_range_alone(made: &Made) {
    let segment = |first: u64| Segment {
        first,
        count: 100,
        bytes: vec![u8::try_from(first % 251).unwrap(); 300],
    };
    let segments: Vec<Segment> = [0, 100, 256, 356].map(segment).to_vec();
    // Written in another order than read.
    let growth =
        Growth { segments: segments.iter().rev().cloned().collect(), ..Growth::of_head(head(456)) };
    write(&*made.one, &growth).await;
    let mut read = made.other.read().await.unwrap();
    for (range, wanted) in
        [(0..256, &segments[..2]), (256..512, &segments[2..]), (100..101, &segments[1..2])]
    {
        assert_eq!(read.segments(range.clone()).await.unwrap(), wanted, "{range:?}");
    }
    assert_eq!(read.segments(512..768).await.unwrap(), []);
    assert_eq!(read.segments(101..256).await.unwrap(), [], "a segment is found by its first entry");
}

pub(crate) async fn what_is_written_by_a_batch_is_read_back_as_it_was(made: &Made) {
    let clock =
        Ticked { boot: "a boot".to_owned(), passed: 7, unix: u64::try_from(i64::MAX).unwrap() };
    let mut head = Head { clock: Some(clock), key_time: 99, ..head(3) };
    let locked = {
        let mut stored = life(1, "main", 0);
        let lock = json!({
            "commitment": commitment(1), "contributions": [{"from": "alice", "seed": "x"}], "entry": "lock",
            "nonce": 4, "time": 1_800_000_000_001_u64,
        });
        let Entry::Lock(lock) = Entry::parse(lock.to_string().as_bytes()).unwrap() else {
            panic!("a lock")
        };
        stored.life.next = 4;
        stored.life.open = Some(Open { index: 2, lock });
        stored
    };
    let growth = Growth {
        rounds: vec![round(0, 4, 2)],
        commitments: vec![locked.clone(), life(2, "other", 1)],
        tables: vec![(table("main"), commitment(1)), (table("other"), commitment(2))],
        ..Growth::of_head(head.clone())
    };
    write(&*made.one, &growth).await;
    let mut read = made.other.read().await.unwrap();
    assert_eq!(read.head().await.unwrap(), head);
    assert_eq!(read.lives(&[commitment(1)]).await.unwrap(), std::slice::from_ref(&locked));
    // The lock is dealt, and the commitment ends.
    let mut ended = locked;
    ended.life.open = None;
    ended.life.next = 5;
    ended.life.end = Some(End::Revealed);
    ended.ended_at = Some(3);
    head.clock = None;
    let growth = Growth {
        rounds: vec![RoundEntry::end(0, 3)],
        lives: vec![ended.clone()],
        ..Growth::of_head(head.clone())
    };
    write(&*made.other, &growth).await;
    let mut read = made.one.read().await.unwrap();
    assert_eq!(read.lives(&[commitment(1)]).await.unwrap(), [ended]);
    assert_eq!(read.lives(&[commitment(2)]).await.unwrap(), [life(2, "other", 1)]);
    assert_eq!(read.lives(&[commitment(9)]).await.unwrap(), [], "what is not there is left out");
    assert_eq!(read.lives(&[]).await.unwrap(), []);
    assert_eq!(read.head().await.unwrap(), head);
}

pub(crate) async fn a_life_that_is_older_than_its_rounds_is_damaged(made: &Made) {
    let new = life(1, "main", 0);
    let mut locked = new.clone();
    let lock = json!({
        "commitment": commitment(1), "contributions": [{"from": "alice", "seed": "x"}], "entry": "lock",
        "nonce": 0, "time": 1_800_000_000_001_u64,
    });
    let Entry::Lock(lock) = Entry::parse(lock.to_string().as_bytes()).unwrap() else {
        panic!("a lock")
    };
    locked.life.open = Some(Open { index: 1, lock: lock.clone() });
    let mut dealt = new.clone();
    dealt.life.next = 1;
    let mut again = dealt.clone();
    again.life.open = Some(Open { index: 3, lock });
    let mut ended = dealt.clone();
    (ended.life.end, ended.ended_at) = (Some(End::Revealed), Some(4));
    let all = [
        (new.clone(), None),
        (locked, Some(round(0, 0, 1))),
        (dealt, Some(round(0, 0, 2))),
        (again, Some(round(0, 1, 3))),
        (ended, Some(RoundEntry::end(0, 4))),
    ];
    let growth = Growth { commitments: vec![new], ..Growth::of_head(head(1)) };
    write(&*made.one, &growth).await;
    for (nth, (now, entry)) in all.iter().enumerate() {
        let lives = vec![now.clone()];
        let rounds = entry.iter().copied().collect();
        write(&*made.one, &Growth { lives: lives.clone(), rounds, ..Growth::of_head(head(5)) })
            .await;
        let mut read = made.other.read().await.unwrap();
        assert_eq!(read.lives(&[commitment(1)]).await.unwrap(), lives);
        assert_eq!(read.lives_from(&Choice::default(), 0, 9).await.unwrap(), lives);
        for (other, (older, _)) in all.iter().take(nth).enumerate() {
            let lives = vec![older.clone()];
            write(&*made.one, &Growth { lives, ..Growth::of_head(head(5)) }).await;
            let error = read.lives(&[commitment(1)]).await.expect_err("it is another one");
            assert_eq!(error.fault, Fault::Damaged, "{other} in place of {nth}: {error}");
            let error =
                read.lives_from(&Choice::default(), 0, 9).await.expect_err("it is another one");
            assert_eq!(error.fault, Fault::Damaged, "{other} in place of {nth}: {error}");
        }
    }
}

pub(crate) async fn commitments_are_chosen_by_table_by_openness_and_by_range_in_log_order(
    made: &Made,
) {
    let mut lives: Vec<StoredLife> = (1..=6)
        .map(|n| life(n * 16, if n % 2 == 0 { "even" } else { "odd" }, u64::from(n) * 10))
        .collect();
    for stored in &mut lives[..3] {
        stored.life.end = Some(End::Voided);
        stored.ended_at = Some(stored.life.index + 1);
    }
    let ends =
        lives[..3].iter().map(|stored| RoundEntry::end(stored.life.index, stored.life.index + 1));
    let growth = Growth {
        commitments: lives.iter().rev().cloned().collect(),
        rounds: ends.collect(),
        ..Growth::of_head(head(70))
    };
    write(&*made.one, &growth).await;
    let mut read = made.other.read().await.unwrap();
    let mut chosen = async |choice: Choice, from: u64, most: u32| {
        let found = read.lives_from(&choice, from, most).await.unwrap();
        found.iter().map(|stored| stored.life.index).collect::<Vec<u64>>()
    };
    let all = Choice::default;
    assert_eq!(chosen(all(), 0, 99).await, [10, 20, 30, 40, 50, 60]);
    assert_eq!(chosen(all(), 20, 3).await, [20, 30, 40], "from its own index on");
    assert_eq!(chosen(all(), 61, 3).await, Vec::<u64>::new());
    assert_eq!(chosen(Choice { open: true, ..all() }, 0, 99).await, [40, 50, 60]);
    let odd = || Choice { table: Some(table("odd")), ..all() };
    assert_eq!(chosen(odd(), 0, 99).await, [10, 30, 50]);
    assert_eq!(chosen(Choice { open: true, ..odd() }, 0, 99).await, [50]);
    let between = Some((commitment(32), commitment(80)));
    assert_eq!(
        chosen(Choice { between, ..all() }, 0, 99).await,
        [20, 30, 40, 50],
        "both ends are in"
    );
    assert_eq!(chosen(Choice { between, open: true, ..odd() }, 0, 99).await, [50]);
    assert_eq!(
        chosen(Choice { table: Some(table("none")), ..all() }, 0, 99).await,
        Vec::<u64>::new()
    );
}

pub(crate) async fn a_table_s_last_commitment_is_the_newest_and_an_unknown_table_has_none(
    made: &Made,
) {
    let growth = Growth {
        commitments: vec![life(1, "main", 0), life(2, "main", 1), life(3, "other", 2)],
        tables: vec![(table("main"), commitment(2)), (table("other"), commitment(3))],
        ..Growth::of_head(head(3))
    };
    write(&*made.one, &growth).await;
    let asked = [table("other"), table("none"), table("main")];
    let wanted = [(table("other"), commitment(3)), (table("main"), commitment(2))];
    assert_eq!(made.other.read().await.unwrap().tables(&asked).await.unwrap(), wanted);
    let growth = Growth {
        commitments: vec![life(4, "main", 3)],
        tables: vec![(table("main"), commitment(4))],
        ..Growth::of_head(head(4))
    };
    write(&*made.other, &growth).await;
    let mut read = made.one.read().await.unwrap();
    assert_eq!(read.tables(&asked[2..]).await.unwrap(), [(table("main"), commitment(4))]);
    assert_eq!(read.tables(&[]).await.unwrap(), []);
    assert_eq!(read.tables_after(None, 9).await.unwrap(), [table("main"), table("other")]);
    assert_eq!(read.tables_after(None, 1).await.unwrap(), [table("main")]);
    assert_eq!(read.tables_after(Some(&table("main")), 9).await.unwrap(), [table("other")]);
    assert_eq!(read.tables_after(Some(&table("other")), 9).await.unwrap(), []);
    // `chain` must agree with the commitments that exist.
    write(
        &*made.other,
        &Growth { commitments: vec![life(5, "main", 4)], ..Growth::of_head(head(5)) },
    )
    .await;
    let error = read.tables(&asked[2..]).await.expect_err("they differ");
    assert_eq!(error.fault, Fault::Damaged, "{error}");
}

pub(crate) async fn rounds_are_listed_by_commit_nonce_and_index_page_by_page(made: &Made) {
    let rounds = [
        round(0, 0, 1),
        round(0, 0, 2),
        round(0, 1, 7),
        round(3, 0, 4),
        round(3, 9, 5),
        round(3, 10, 6),
    ];
    let growth =
        Growth { rounds: rounds.iter().rev().copied().collect(), ..Growth::of_head(head(8)) };
    write(&*made.one, &growth).await;
    let mut read = made.other.read().await.unwrap();
    assert_eq!(read.round(0, nonce(0)).await.unwrap(), [1, 2]);
    assert_eq!(read.round(3, nonce(1)).await.unwrap(), Vec::<u64>::new());
    let (mut after, mut found) = (None, Vec::new());
    loop {
        let page = read.rounds_after(after, 2).await.unwrap();
        after = page.last().copied().or(after);
        found.extend(page.iter().copied());
        if page.is_empty() {
            break;
        }
        assert_eq!(page.len(), 2);
    }
    assert_eq!(found, rounds);
}

pub(crate) async fn nodes_are_read_by_level_and_range(made: &Made) {
    let node = |level: u32, index: u64| {
        (Node::new(level, index).unwrap(), hash(u64::from(level) * 1000 + index))
    };
    let nodes = (0..300).map(|index| node(8, index)).chain([node(16, 0), node(16, 1)]);
    write(&*made.one, &Growth { nodes: nodes.collect(), ..Growth::of_head(head(1)) }).await;
    let mut read = made.other.read().await.unwrap();
    let wanted: Vec<(u64, Hash)> = (256..300).map(|index| (index, hash(8000 + index))).collect();
    assert_eq!(read.nodes(8, 256..512).await.unwrap(), wanted);
    assert_eq!(read.nodes(16, 1..2).await.unwrap(), [(1, hash(16_001))]);
    assert_eq!(read.nodes(24, 0..256).await.unwrap(), []);
}

pub(crate) async fn an_answer_is_found_by_its_key_until_it_is_too_old(made: &Made) {
    let answers = vec![answer("a", 1, 10), answer("b", 2, 20), answer("Ä 🂡", 3, 30)];
    write(&*made.one, &Growth { answers, ..Growth::of_head(head(4)) }).await;
    let mut read = made.other.read().await.unwrap();
    let keys = ["a", "b", "Ä 🂡", "none"].map(str::to_owned);
    let found =
        |answers: Vec<Answer>| answers.into_iter().map(|one| one.index).collect::<BTreeSet<u64>>();
    assert_eq!(found(read.answers(&keys, 0).await.unwrap()), BTreeSet::from([1, 2, 3]));
    assert_eq!(
        found(read.answers(&keys, 20).await.unwrap()),
        BTreeSet::from([2, 3]),
        "from this time on"
    );
    assert_eq!(read.answers(&[], 0).await.unwrap(), []);
    let all = [answer("a", 1, 10), answer("b", 2, 20), answer("Ä 🂡", 3, 30)];
    assert_eq!(read.answers_after(None, 2).await.unwrap(), all[..2]);
    assert_eq!(read.answers_after(Some(2), 2).await.unwrap(), all[2..]);
}

pub(crate) async fn old_answers_are_forgotten_when_new_ones_are_written(made: &Made) {
    let answers = (1..=9).map(|n| answer(&format!("key {n}"), n, n * 10)).collect();
    write(&*made.one, &Growth { answers, ..Growth::of_head(head(10)) }).await;
    let new = vec![answer("new", 10, 100)];
    write(&*made.one, &Growth { answers: new, forget_before: 50, ..Growth::of_head(head(11)) })
        .await;
    let keys: Vec<_> = (1..=9).map(|n| format!("key {n}")).collect();
    let found = made.other.read().await.unwrap().answers(&keys, 0).await.unwrap();
    let found: BTreeSet<u64> = found.into_iter().map(|one| one.index).collect();
    assert_eq!(found, (5..=9).collect());
    // A key that was forgotten can be used anew.
    let again = vec![answer("key 1", 11, 110)];
    write(&*made.one, &Growth { answers: again, forget_before: 50, ..Growth::of_head(head(12)) })
        .await;
}

pub(crate) async fn a_key_that_is_too_old_can_be_used_anew_before_its_answer_is_removed(
    made: &Made,
) {
    // More than one batch removes.
    let answers = (1..=9000).map(|n| answer(&format!("key {n}"), n, 10)).collect();
    write(&*made.one, &Growth { answers, ..Growth::of_head(head(9001)) }).await;
    let again = vec![answer("key 8999", 9001, 100), answer("key 9000", 9002, 100)];
    let growth = Growth { answers: again, forget_before: 50, ..Growth::of_head(head(9003)) };
    write(&*made.one, &growth).await;
    let keys = ["key 1", "key 8998", "key 8999", "key 9000"].map(str::to_owned);
    let mut read = made.other.read().await.unwrap();
    let found =
        |answers: Vec<Answer>| answers.into_iter().map(|one| one.index).collect::<BTreeSet<u64>>();
    assert_eq!(found(read.answers(&keys, 50).await.unwrap()), BTreeSet::from([9001, 9002]));
    assert_eq!(found(read.answers(&keys, 0).await.unwrap()), BTreeSet::from([8998, 9001, 9002]));
}

pub(crate) async fn entries_are_dropped_once_and_the_head_says_from_where_they_are_kept(
    made: &Made,
) {
    let segment = |first: u64| Segment { first, count: 256, bytes: vec![1; 600] };
    let growth =
        Growth { segments: [0, 256, 512].map(segment).to_vec(), ..Growth::of_head(head(768)) };
    write(&*made.one, &growth).await;
    made.other.drop_entries(512).await.unwrap();
    made.other.drop_entries(256).await.unwrap();
    let mut read = made.one.read().await.unwrap();
    assert_eq!(read.head().await.unwrap(), Head { kept: 512, ..head(768) });
    assert_eq!(read.segments(256..512).await.unwrap(), []);
    assert_eq!(read.segments(512..768).await.unwrap(), [segment(512)]);
    // A batch drops what its head no longer keeps.
    write(&*made.one, &Growth::of_head(Head { kept: 768, ..head(768) })).await;
    assert_eq!(read.segments(512..768).await.unwrap(), []);
}

pub(crate) async fn what_follows_from_the_log_can_be_made_anew_and_what_does_not_stays(
    made: &Made,
) {
    let mut dealt = life(1, "main", 0);
    dealt.life.next = 1;
    let derived = Growth {
        lives: vec![dealt, life(2, "main", 1)],
        tables: vec![(table("main"), commitment(2))],
        nodes: vec![(Node::new(8, 0).unwrap(), hash(1))],
        rounds: vec![round(0, 0, 2)],
        segments: vec![Segment { first: 0, count: 3, bytes: vec![7; 9] }],
        ..Growth::of_head(head(3))
    };
    let growth = Growth {
        segments: vec![Segment { first: 0, count: 2, bytes: vec![1; 4] }],
        answers: vec![answer("key", 1, 1)],
        commitments: derived.lives.clone(),
        tables: vec![(table("main"), commitment(1))],
        nodes: vec![(Node::new(8, 0).unwrap(), hash(2))],
        rounds: vec![round(0, 0, 2), round(0, 7, 3)],
        memos: vec![memo("token", "a", "b")],
        ..Growth::of_head(head(3))
    };
    write(&*made.one, &growth).await;
    let mut transaction = made.one.begin().await.unwrap();
    assert_eq!(transaction.check().await.unwrap(), Vec::<String>::new());
    // A file must not be open elsewhere. Connections to a server stay.
    let leave = async || {
        if made.other.readers().is_none() {
            made.other.close().await.unwrap();
        }
    };
    leave().await;
    let undone = transaction.anew().await.unwrap().transaction;
    undone.roll_back().await.unwrap();
    assert_eq!(
        made.other.read().await.unwrap().rounds_after(None, 9).await.unwrap(),
        growth.rounds
    );
    leave().await;
    let mut transaction = made.one.begin().await.unwrap().anew().await.unwrap().transaction;
    assert_eq!(transaction.head().await.unwrap(), head(3));
    assert_eq!(transaction.rounds_after(None, 9).await.unwrap(), []);
    transaction.write(&derived).await.unwrap();
    transaction.commit().await.unwrap();
    let mut read = made.other.read().await.unwrap();
    assert_eq!(read.lives_from(&Choice::default(), 0, 9).await.unwrap(), derived.lives);
    assert_eq!(read.tables(&[table("main")]).await.unwrap(), derived.tables);
    assert_eq!(read.nodes(8, 0..256).await.unwrap(), [(0, hash(1))]);
    assert_eq!(read.rounds_after(None, 9).await.unwrap(), derived.rounds);
    assert_eq!(read.segments(0..256).await.unwrap(), derived.segments);
    assert_eq!(read.answers(&["key".to_owned()], 0).await.unwrap(), growth.answers);
    assert_eq!(
        read.memos("token", "", None, 9).await.unwrap().len(),
        1,
        "memos follow from nothing, and stay"
    );
}

pub(crate) async fn many_rows_at_once_are_written_and_read(made: &Made) {
    let count: u64 = 9000;
    let growth = Growth {
        rounds: (0..count).map(|n| round(0, n, n + 1)).collect(),
        answers: (0..count).map(|n| answer(&format!("key {n}"), n, 1)).collect(),
        nodes: (0..count).map(|n| (Node::new(8, n).unwrap(), hash(n))).collect(),
        segments: (0..count)
            .map(|n| Segment { first: n, count: 1, bytes: n.to_be_bytes().to_vec() })
            .collect(),
        memos: (0..300).map(|n| memo("token", &format!("{n:04}"), "x")).collect(),
        ..Growth::of_head(head(count))
    };
    write(&*made.one, &growth).await;
    let mut read = made.other.read().await.unwrap();
    assert_eq!(read.rounds_after(None, 10_000).await.unwrap(), growth.rounds);
    let keys: Vec<_> = (0..600).map(|n| format!("key {n}")).collect();
    assert_eq!(read.answers(&keys, 0).await.unwrap().len(), 600);
    assert_eq!(read.nodes(8, 0..count).await.unwrap().len(), 9000);
    assert_eq!(read.segments(0..count).await.unwrap(), growth.segments);
    assert_eq!(read.memos("token", "", None, 1000).await.unwrap().len(), 300);
}
