//! A log judged in ranges, from its files: the verdict of the whole audit, or a reason to judge it
//! in order.

#![allow(clippy::indexing_slicing, reason = "in a test, a panic is a failure with a place")]

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use fairdeal::log::{Checkpoint, VerifierKey};
use fairdeal::sample::{Sample, SampleError, SampleTerms};
use fairdeal_audit::source::{
    AuditOptions, Audited, Files, LogSource, Nodes, NotInRanges, RANGE, ReadError, ReadRange,
    SourceError,
};
use fairdeal_audit::{AuditVerdict, Share, Signatures, SortedEntries, Times};

use super::audit_shares::{
    JudgedRange, MERGES, Merged, json, judge_buckets, judge_range, merged, times_of,
};
use tools::paper::{PaperLog, counting_seed, seeing};

/// A log's files, some of them with other answers.
#[derive(Clone, Debug)]
struct Held {
    files: Arc<BTreeMap<String, Vec<u8>>>,
    changed: BTreeMap<String, Result<Vec<u8>, ReadError>>,
}

impl Files for Held {
    fn name(&self) -> String {
        "a log in memory".to_owned()
    }

    fn read(&self, path: &str, _: u64) -> Result<Vec<u8>, ReadError> {
        let published = || self.files.get(path).cloned().ok_or(ReadError::Missing);
        self.changed.get(path).cloned().unwrap_or_else(published)
    }
}

impl Held {
    fn new(files: BTreeMap<String, Vec<u8>>) -> Self {
        Self { files: Arc::new(files), changed: BTreeMap::new() }
    }

    fn with(&self, path: &str, found: Result<Vec<u8>, ReadError>) -> Self {
        assert!(self.files.contains_key(path), "{path}");
        let mut held = self.clone();
        held.changed.insert(path.to_owned(), found);
        held
    }

    /// With one bit changed.
    fn flipped(&self, path: &str) -> Self {
        let mut bytes = self.files.get(path).expect("a file").clone();
        *bytes.last_mut().expect("not empty") ^= 1;
        self.with(path, Ok(bytes))
    }

    fn source(&self) -> LogSource {
        LogSource::open(Box::new(self.clone())).expect("a checkpoint")
    }

    fn nodes(&self) -> Nodes {
        Nodes::new(Box::new(self.clone()))
    }

    fn in_order(&self, key: &VerifierKey, times: Times, since: &[(String, String)]) -> Audited {
        let options = AuditOptions { times, since, ..AuditOptions::under(key) };
        self.source().audit(&options, |_, _| {}).expect("judged")
    }

    fn settle(&self, share: &mut Share, size: u64) {
        self.source().settle(share, &mut self.nodes(), size).expect("readable").expect("tiles");
    }

    /// Reads and judges all ranges.
    fn judged(&self, key: &VerifierKey, clock: Option<u64>) -> Vec<(ReadRange, JudgedRange)> {
        let size = self.source().size();
        let judge = |start| {
            let end = size.min(start + RANGE);
            let read =
                self.source().read_range(size, start..end).expect("readable").expect("whole tiles");
            let take = |sorted: SortedEntries<'_>| {
                judge_range(sorted, clock, |share| self.settle(share, size))
            };
            let judged =
                read.sorted(key, Signatures::Verified, take).expect("bundles").expect("sound");
            (read, judged)
        };
        (0..size).step_by(usize::try_from(RANGE).expect("small")).map(judge).collect()
    }

    /// The verdict from all ranges and their shares.
    fn whole(
        &self,
        key: &VerifierKey,
        times: Times,
        read: &[ReadRange],
        merged: Merged,
    ) -> Result<Result<AuditVerdict, NotInRanges>, SourceError> {
        let source = self.source();
        let checkpoint = source.signed_checkpoint(key).expect("signed");
        let trees: Vec<_> = read.iter().map(|range| range.tree.clone()).collect();
        let options = AuditOptions { times, ..AuditOptions::under(key) };
        source.verdict_in_ranges(&options, &checkpoint, &trees, merged)
    }
}

/// Several ranges, judged once for all tests.
struct Several {
    key: VerifierKey,
    held: Held,
    times: Times,
    read: Vec<ReadRange>,
    judged: Vec<JudgedRange>,
}

static SEVERAL: LazyLock<Several> = LazyLock::new(|| {
    // Half of the rounds are void, which takes less time.
    let terms = SampleTerms { deals: 68_000, players: 1, void_every: 2, ..SampleTerms::default() };
    let signer = Sample::signer(&terms, 1).expect("terms");
    let mut files = BTreeMap::new();
    let publish = |path: &str, bytes: &[u8]| {
        files.insert(path.to_owned(), bytes.to_vec());
        Ok::<(), SampleError>(())
    };
    Sample::new(&terms, 1).expect("terms").publish(&signer, publish).expect("entries");
    let (key, held) = (signer.verifier().clone(), Held::new(files));
    let clock = Some(1_800_000_000_000);
    let (read, judged): (Vec<_>, Vec<_>) = held.judged(&key, clock).into_iter().unzip();
    let times = times_of(&judged, Times { as_of: None, clock }).expect("time goes on");
    Several { key, held, times, read, judged }
});

#[test]
fn a_log_judged_in_ranges_has_the_verdict_of_the_whole_audit() {
    let Several { key, held, times, read, judged } = &*SEVERAL;
    assert_eq!(judged.len(), 3);
    let given = Times { as_of: None, ..*times };
    let expected = held.in_order(key, given, &[]).verdict;
    assert!(expected.holds);
    for buckets in [1, 5] {
        let settle = |share: &mut Share| held.settle(share, expected.size);
        let ends = judge_buckets(key, judged, buckets, *times, settle).expect("it holds");
        for merge in MERGES {
            let merged = merged(judged, &ends, merge);
            let found = held.whole(key, given, read, merged).expect("readable").expect("in ranges");
            assert_eq!(json(&found), json(&expected), "{buckets} buckets, {merge:?}");
        }
    }
}

#[test]
fn a_tile_over_several_ranges_is_compared_when_they_are_put_together() {
    let Several { key, held, times, read, judged } = &*SEVERAL;
    let whole = |held: &Held, read: &[ReadRange]| {
        let ends = judge_buckets(key, judged, 1, *times, |_| {}).expect("it holds");
        held.whole(key, *times, read, merged(judged, &ends, MERGES[0]))
    };
    let path = "tile/2/000.p/2";
    let says =
        |held: &Held| whole(held, read).expect("readable").expect_err("it is wrong").to_string();
    assert_eq!(says(&held.flipped(path)), format!("{path}: hash 1 is not that of the entries"));
    let missing = held.with(path, Err(ReadError::Missing));
    assert_eq!(says(&missing), format!("{path}: the checkpoint promises it, and it is missing"));
    let unreadable = held.with(path, Err(ReadError::Unreadable("no network".to_owned())));
    assert!(matches!(whole(&unreadable, read), Err(SourceError::Unreadable { .. })));
    let fewer = whole(held, &read[..2]).expect("readable").expect_err("a range is not there");
    assert_eq!(fewer.to_string(), "the root is not that of the checkpoint");
}

#[test]
fn a_tile_of_the_second_level_is_compared_where_its_range_is_read() {
    let Several { held, .. } = &*SEVERAL;
    let (size, path) = (held.source().size(), "tile/1/001");
    let says = held.flipped(path).source().read_range(size, RANGE..2 * RANGE);
    let says = says.expect("readable").expect_err("it is wrong").to_string();
    assert_eq!(says, format!("{path}: hash 255 is not that of the entries"));
}

/// 700 entries, in three bundles.
fn small() -> (PaperLog, Held) {
    let mut log = PaperLog::new("cards.example/log", 7);
    for number in 0..700_u64 {
        log.append_bytes(number.to_string().as_bytes());
    }
    let held = Held::new(log.files());
    (log, held)
}

fn read(held: &Held, range: Range<u64>) -> Result<ReadRange, String> {
    held.source().read_range(700, range).expect("readable").map_err(|why| why.to_string())
}

#[test]
fn a_range_begins_with_a_tile_and_ends_with_one_or_with_the_log() {
    let (_, held) = small();
    assert_eq!(read(&held, 0..700).expect("the whole log").tree.range.end(), 700);
    #[expect(clippy::reversed_empty_ranges, reason = "that is what is asked for")]
    for range in [256..700, 1..700, 0..256, 0..699, 0..RANGE, RANGE..2 * RANGE, 700..0] {
        let says =
            format!("expected a range of whole tiles, found {} to {}", range.start, range.end);
        assert_eq!(read(&held, range).expect_err("no such range"), says);
    }
}

#[test]
fn a_changed_or_missing_file_of_a_range_is_named_and_for_the_audit_in_order() {
    let (log, held) = small();
    for path in [
        "tile/0/001",
        "tile/0/002.p/188",
        "tile/1/000.p/2",
        "tile/entries/001",
        "tile/entries/002.p/188",
    ] {
        let missing = held.with(path, Err(ReadError::Missing));
        let says = read(&missing, 0..700).expect_err("it is missing");
        assert_eq!(says, format!("{path}: the checkpoint promises it, and it is missing"));
        let says = read(&held.flipped(path), 0..700).expect_err("it is wrong");
        let tile = path.replace("entries", "0");
        assert!(
            says.starts_with(&tile) && says.ends_with("is not that of the entries"),
            "{path}: {says}"
        );
        for held in [missing, held.flipped(path)] {
            let verdict = held.in_order(log.key(), Times::default(), &[]).verdict;
            assert!(verdict.counts.contains_key("tree-mismatch"), "{path}");
        }
        let endless = held.with(path, Err(ReadError::TooLong { at_most: 9 }));
        assert_eq!(
            read(&endless, 0..700).expect_err("it is too long"),
            format!("{path}: expected at most 9 bytes, and it goes on")
        );
    }
}

#[test]
fn a_file_that_cannot_be_read_says_nothing_about_the_log() {
    let (_, held) = small();
    for path in ["tile/0/001", "tile/1/000.p/2", "tile/entries/002.p/188"] {
        let held = held.with(path, Err(ReadError::Unreadable("no network".to_owned())));
        let Err(SourceError::Unreadable { name, says }) = held.source().read_range(700, 0..700)
        else {
            panic!("{path} is not read");
        };
        assert_eq!((name.as_str(), says), ("a log in memory", format!("{path}: no network")));
    }
}

#[test]
fn a_full_tile_may_stand_in_the_place_of_the_last_one() {
    let (mut log, held) = small();
    while log.size() < 768 {
        log.append_bytes(b"later");
    }
    let mut files = log.files();
    for path in ["tile/0/002.p/188", "tile/entries/002.p/188"] {
        assert!(!files.contains_key(path));
    }
    files.insert("checkpoint".to_owned(), held.files["checkpoint"].clone());
    files.insert("tile/1/000.p/2".to_owned(), held.files["tile/1/000.p/2"].clone());
    let (own, later) = (read(&held, 0..700), read(&Held::new(files), 0..700));
    let trees = [own, later].map(|read| read.expect("in ranges").tree.range.hashes().to_vec());
    assert_eq!(trees[0], trees[1]);
}

/// Older checkpoints, and whether the audit in order says that the log continues them.
fn older(log: &PaperLog) -> Vec<(&'static str, String, bool)> {
    let of = |key: u8, size: usize| {
        let mut old = PaperLog::new("cards.example/log", key);
        for entry in &log.entries()[..size] {
            old.append_bytes(entry);
        }
        old
    };
    let and = |mut log: PaperLog, entry: &[u8]| {
        log.append_bytes(entry);
        log.checkpoint()
    };
    vec![
        ("no entries", of(7, 0).checkpoint(), true),
        ("one entry", of(7, 1).checkpoint(), true),
        ("a power of two", of(7, 512).checkpoint(), true),
        ("another size", of(7, 601).checkpoint(), true),
        ("the same size", log.checkpoint(), true),
        ("a fork", and(of(7, 300), b"fork"), false),
        ("a fork of the same size", and(of(7, 699), b"fork"), false),
        ("a larger one", and(of(7, 700), b"later"), false),
    ]
}

/// Older checkpoints that cannot be used.
fn unusable(log: &PaperLog) -> Vec<(String, String)> {
    let stranger = PaperLog::new("cards.example/log", 8);
    let extended =
        Checkpoint::parse(&format!("{}extension\n", log.checkpoint_text())).expect("a checkpoint");
    [
        ("another key", stranger.checkpoint()),
        ("no note", "trust me".to_owned()),
        ("an extension line", extended.sign(&log.signer).expect("its key").to_text()),
    ]
    .map(|(name, note)| (name.to_owned(), note))
    .into()
}

#[test]
fn an_older_checkpoint_that_the_key_did_not_sign_as_it_is_says_nothing_about_the_log() {
    let log = PaperLog::new("cards.example/log", 7);
    let held = Held::new(log.files());
    for saved in unusable(&log) {
        let options =
            AuditOptions { since: std::slice::from_ref(&saved), ..AuditOptions::under(log.key()) };
        let audited = held.source().audit(&options, |_, _| {});
        assert!(
            matches!(&audited, Err(SourceError::OlderCheckpoint { name, .. }) if *name == saved.0),
            "{saved:?}: {audited:?}"
        );
    }
}

fn continues(
    held: &Held,
    log: &PaperLog,
    since: &[(String, String)],
) -> Result<Result<(), NotInRanges>, SourceError> {
    let source = held.source();
    let checkpoint = source.signed_checkpoint(log.key()).expect("signed");
    source.continues(log.key(), since, &checkpoint, &mut held.nodes())
}

#[test]
fn an_older_checkpoint_is_continued_where_the_audit_in_order_says_so() {
    let (log, held) = small();
    let mut all = Vec::new();
    for (name, note, expected) in older(&log) {
        let since = vec![(name.to_owned(), note)];
        let audited = held.in_order(log.key(), Times::default(), &since);
        assert_eq!(audited.continued.len() == 1, expected, "{name}");
        let found = continues(&held, &log, &since).expect("readable");
        assert_eq!(found.is_ok(), expected, "{name}: {found:?}");
        if let Err(why) = found {
            assert!(why.to_string().starts_with(&format!("{name}: ")), "{why}");
        }
        all.extend(since.into_iter().filter(|_| expected));
    }
    assert_eq!(continues(&held, &log, &all).expect("readable"), Ok(()));
    all.push(("a fork".to_owned(), older(&log)[5].1.clone()));
    assert!(continues(&held, &log, &all).expect("readable").is_err(), "one of them is");
}

#[test]
fn no_changed_tile_shows_that_an_older_checkpoint_is_continued() {
    let (log, held) = small();
    let since = vec![("old".to_owned(), older(&log)[3].1.clone())];
    let path = "tile/0/002.p/188";
    assert!(continues(&held.flipped(path), &log, &since).expect("readable").is_err());
    let unreadable = held.with(path, Err(ReadError::Unreadable("no network".to_owned())));
    assert!(matches!(continues(&unreadable, &log, &since), Err(SourceError::Unreadable { .. })));
}

#[test]
fn what_players_have_seen_is_compared_with_roots_from_the_tiles() {
    let mut log = PaperLog::new("cards.example/log", 7);
    let seed = counting_seed(0);
    let (_, commit) = log.commit(&seed, |_| {});
    let (own, mut fork) = (log.seen(), PaperLog::new("cards.example/log", 7));
    fork.append_bytes(b"fork");
    for (n, seen) in (0..).zip([&own, &fork.seen(), &own]) {
        let deal = log.deal_entry_of(&commit, &seed.mac(), n, vec![seeing("alice", "lucky", seen)]);
        log.append(&deal.into());
    }
    let (held, key) = (Held::new(log.files()), log.key());
    let expected = held.in_order(key, Times::default(), &[]).verdict;
    assert_eq!(expected.counts.get("split-view"), Some(&1));
    let (read, judged): (Vec<_>, Vec<_>) = held.judged(key, None).into_iter().unzip();
    let times = times_of(&judged, Times::default()).expect("time goes on");
    let ends = judge_buckets(key, &judged, 1, times, |share| held.settle(share, log.size()))
        .expect("sound");
    let found = held.whole(key, Times::default(), &read, merged(&judged, &ends, MERGES[0]));
    assert_eq!(json(&found.expect("readable").expect("in ranges")), json(&expected));
    // Without the tile it is not said that a player saw another log.
    let missing = held.with("tile/0/000.p/4", Err(ReadError::Missing));
    let mut share = Share::new(key.clone(), Signatures::Verified);
    (0..).zip(log.entries()).for_each(|(index, entry)| share.take(index, entry));
    let settled =
        missing.source().settle(&mut share, &mut missing.nodes(), log.size()).expect("readable");
    assert!(settled.is_err_and(|why| why.to_string().ends_with("it is missing")));
}
