//! Memos: texts under a kind and a key.

use fairdeal_ledger::store::{Growth, Memo};

use super::*;

fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
    of.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

pub(crate) async fn memos_are_found_by_kind_and_prefix_in_byte_order_page_by_page(made: &Made) {
    // Byte order is not that of a dictionary: capitals first, then small letters, then Ä.
    let keys = ["B", "a", "a b", "a/b", "ab", "b", "Ä", "🂡"];
    let mut memos: Vec<Memo> =
        keys.iter().rev().map(|key| memo("token", key, &format!("token {key}"))).collect();
    memos.push(memo("tokens", "a", "another kind"));
    memos.push(memo("toke", "n/a", "another kind"));
    made.one.write_memos(&memos).await.unwrap();
    let mut read = made.other.read().await.unwrap();
    let mut found = async |kind: &str, prefix: &str, after: Option<&str>, most: u32| {
        let found = read.memos(kind, prefix, after, most).await.unwrap();
        assert!(
            found.iter().all(|(key, value)| kind != "token" || *value == format!("token {key}"))
        );
        found.into_iter().map(|(key, _)| key).collect::<Vec<_>>()
    };
    assert_eq!(found("token", "", None, 99).await, keys);
    assert_eq!(found("token", "a", None, 99).await, ["a", "a b", "a/b", "ab"]);
    assert_eq!(found("token", "a", Some("a"), 2).await, ["a b", "a/b"]);
    assert_eq!(found("token", "a", Some("a/b"), 99).await, ["ab"]);
    assert_eq!(found("token", "a", Some("B"), 1).await, ["a"]);
    assert_eq!(found("token", "a", Some("b"), 99).await, Vec::<String>::new());
    assert_eq!(found("token", "a/b/c", None, 99).await, Vec::<String>::new());
    assert_eq!(found("toke", "", None, 99).await, ["n/a"]);
    assert_eq!(found("none", "", None, 99).await, Vec::<String>::new());
    let keys = ["ab", "B", "none"].map(str::to_owned);
    assert_eq!(
        read.memos_of("token", &keys).await.unwrap(),
        pairs(&[("B", "token B"), ("ab", "token ab")])
    );
    assert_eq!(read.memos_of("token", &[]).await.unwrap(), []);
}

pub(crate) async fn of_two_memos_with_one_key_the_last_counts_and_none_removes(made: &Made) {
    let gone = |key: &str| Memo { value: None, ..memo("token", key, "") };
    made.one
        .write_memos(&[memo("token", "a", "1"), memo("token", "a", "2"), memo("token", "b", "1")])
        .await
        .unwrap();
    let mut read = made.other.read().await.unwrap();
    assert_eq!(read.memos("token", "", None, 9).await.unwrap(), pairs(&[("a", "2"), ("b", "1")]));
    made.one.write_memos(&[gone("a"), gone("none"), memo("token", "b", "3")]).await.unwrap();
    assert_eq!(read.memos("token", "", None, 9).await.unwrap(), pairs(&[("b", "3")]));
    made.one
        .write_memos(&[gone("b"), memo("token", "b", "4"), memo("token", "a", "5"), gone("a")])
        .await
        .unwrap();
    assert_eq!(read.memos("token", "", None, 9).await.unwrap(), pairs(&[("b", "4")]));
    made.one.write_memos(&[]).await.unwrap();
}

pub(crate) async fn a_batch_s_memos_are_written_with_it_or_not_at_all(made: &Made) {
    let growth = Growth { memos: vec![memo("policy", "a", "x")], ..Growth::of_head(head(1)) };
    let mut undone = made.one.begin().await.unwrap();
    undone.write(&growth).await.unwrap();
    undone.roll_back().await.unwrap();
    let mut read = made.other.read().await.unwrap();
    assert_eq!(read.memos("policy", "", None, 9).await.unwrap(), []);
    write(&*made.one, &growth).await;
    assert_eq!(read.memos("policy", "", None, 9).await.unwrap(), pairs(&[("a", "x")]));
}

pub(crate) async fn memos_of_all_kinds_are_listed_page_by_page(made: &Made) {
    let memos: Vec<Memo> = [("a", "1"), ("a", "2"), ("b", "0"), ("b", "Ä"), ("c", "1")]
        .map(|(kind, key)| memo(kind, key, key))
        .to_vec();
    made.one.write_memos(&memos).await.unwrap();
    let mut read = made.other.read().await.unwrap();
    let (mut after, mut found) = (None::<Memo>, Vec::new());
    loop {
        let page = read.memos_after(after.as_ref(), 2).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some(last.clone());
        found.extend(page);
    }
    assert_eq!(found, memos);
}

pub(crate) async fn texts_of_every_script_and_length_come_back(made: &Made) {
    let long = "x".repeat(16 * 1024);
    let memos = vec![
        memo("token", "quote ' \" \\ ; --", "$1 ? :name %"),
        memo("token", "🂡 ♠ é e\u{301}", &long),
        memo("token", "empty", ""),
        memo("token", &"k".repeat(512), "line\nbreak\ttab"),
    ];
    made.one.write_memos(&memos).await.unwrap();
    let mut read = made.other.read().await.unwrap();
    for Memo { kind, key, value } in memos {
        assert_eq!(read.memos(&kind, &key, None, 1).await.unwrap(), [(key, value.unwrap())]);
    }
    let stored = life(1, "a \"table\" with ♠ and é", 0);
    write(&*made.one, &Growth { commitments: vec![stored.clone()], ..Growth::of_head(head(1)) })
        .await;
    assert_eq!(read.lives(&[commitment(1)]).await.unwrap(), [stored]);
}
