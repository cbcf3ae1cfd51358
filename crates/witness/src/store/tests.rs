use fairdeal::log::leaf_hash;

use super::*;

fn signed(size: u64, root: u8) -> Signed {
    Signed { size, root: leaf_hash(&[root]), time: size, note: "a\nnote\n".to_owned() }
}

async fn made() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("state");
    std::fs::write(&path, "").unwrap();
    Store::create(&path, "a key").await.unwrap();
    (dir, path)
}

/// What two witnesses on one database do to each other: each takes the size that it finds, signs the
/// next one with a root of its own, and never finds a root of its own changed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_that_write_one_file_give_one_root_to_each_size() {
    let (_dir, path) = made().await;
    let one = |root: u8| {
        let path = path.clone();
        tokio::spawn(async move {
            let mut store = Store::open(&path, "a key").await.unwrap();
            let mut given = Vec::new();
            for _ in 0..200 {
                let next = |last: HashMap<String, Signed>| {
                    let size = last.get("log").map_or(0, |last| last.size) + 1;
                    let logs = HashMap::from([("log".to_owned(), signed(size, root))]);
                    (Changes { logs, evidence: Vec::new() }, size)
                };
                given.push(store.transact(&["log"], next).await.unwrap());
            }
            given
        })
    };
    let (one, two) = (one(1), one(2));
    let mut all = [one.await.unwrap(), two.await.unwrap()].concat();
    all.sort_unstable();
    assert_eq!(all, (1..=400).collect::<Vec<u64>>(), "each size was given once");
}

#[tokio::test]
async fn what_is_committed_is_there_after_it_is_opened_again() {
    let (_dir, path) = made().await;
    let mut store = Store::open(&path, "a key").await.unwrap();
    let largest = signed(u64::MAX >> 1, 7);
    let odd = "an \"origin\" \\ of\u{7f} é words".to_owned();
    let logs = HashMap::from([(odd.clone(), largest.clone()), ("b".to_owned(), signed(1, 1))]);
    store.transact(&[], |_| (Changes { logs, ..Changes::default() }, ())).await.unwrap();
    store.close().await;
    let mut store = Store::open(&path, "a key").await.unwrap();
    let found = store.transact(&[&odd, "none"], |last| (Changes::default(), last)).await.unwrap();
    assert_eq!(found, HashMap::from([(odd.clone(), largest)]));
    assert_eq!(store.last().await.unwrap().len(), 2);
}

#[tokio::test]
async fn evidence_is_kept_once_and_no_more_than_a_log_can_fill() {
    let (_dir, path) = made().await;
    let mut store = Store::open(&path, "a key").await.unwrap();
    let one = |origin: &str, number: u64| Contradiction {
        origin: origin.to_owned(),
        time: number,
        signed: "one\n".to_owned(),
        note: format!("{origin} {number}\n"),
        proof: String::new(),
    };
    let mut evidence: Vec<Contradiction> =
        (0..20).flat_map(|n| [one("a", n), one("a", n)]).collect();
    evidence.push(one("b", 0));
    let changes = Changes { evidence, ..Changes::default() };
    store.transact(&[], |_| (changes, ())).await.unwrap();
    let found = super::evidence(&path, "a key").await.unwrap();
    let expected: Vec<Contradiction> = (0..16).map(|n| one("a", n)).chain([one("b", 0)]).collect();
    assert_eq!(found, expected);
}

#[tokio::test]
async fn the_state_of_another_key_or_version_or_none_is_refused() {
    let (dir, path) = made().await;
    let refused = Store::open(&path, "another key").await.unwrap_err().to_string();
    assert!(
        refused.contains("expected the state of another key, found that of a key"),
        "{refused}"
    );
    Store::open(&dir.path().join("none"), "a key").await.unwrap_err();
    assert!(!dir.path().join("none").exists(), "a lost state is not made anew");
    let mut connection = options(&path).connect().await.unwrap();
    sqlx::query("UPDATE witness SET format = 2").execute(&mut connection).await.unwrap();
    let refused = Store::open(&path, "a key").await.unwrap_err().to_string();
    assert!(refused.contains("expected a state of version 1, found 2"), "{refused}");
}
