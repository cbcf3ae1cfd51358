//! A log judged in shares: what they come to is what the audit in order finds, however they are
//! shared out and merged.

#![allow(clippy::indexing_slicing, reason = "in a test, a panic is a failure with a place")]

use std::collections::{BTreeMap, HashSet};

use fairdeal::deal::Commitment;
use fairdeal::log::{Frontier, VerifierKey, leaf_hash};
use fairdeal::record::entry::{Commit, Deal, LoggedContribution, Table};
use fairdeal_audit::source::{crossing_bytes, crossing_entries};
use fairdeal_audit::{
    AuditVerdict, CrossingEntry, Share, ShareEnd, ShareSum, SharedSeeds, Signatures, SortedEntries,
    Times, Turn, bucket_of, turns_hold,
};
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::audit::{audit, random_log, roots};
use tools::paper::{PaperLog, counting_seed, int, logged_clients, nonce, seeing};

/// The order in which the parts of shares are merged.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Merge {
    /// All at once, as they are.
    AtOnce,
    /// Each from its bytes, the last one first.
    FromTheEnd,
    /// Each from its bytes, two and two.
    InPairs,
}

pub(crate) const MERGES: [Merge; 3] = [Merge::AtOnce, Merge::FromTheEnd, Merge::InPairs];

fn through_bytes<T: Serialize + DeserializeOwned>(part: &T) -> T {
    serde_json::from_slice(&serde_json::to_vec(part).expect("JSON")).expect("what was written")
}

impl Merge {
    fn all<T>(self, mut parts: Vec<T>, join: impl Fn(Vec<T>) -> T) -> T
    where
        T: Serialize + DeserializeOwned,
    {
        match self {
            Self::AtOnce => join(parts),
            Self::FromTheEnd => {
                let last = parts.pop().expect("at least one");
                let add = |sum, part| join(vec![sum, through_bytes(&part)]);
                through_bytes(&parts.into_iter().rev().fold(last, add))
            }
            Self::InPairs => {
                parts = parts.iter().map(through_bytes).collect();
                while parts.len() > 1 {
                    let mut left = parts.into_iter();
                    let two = || {
                        Some(left.by_ref().take(2).collect()).filter(|two: &Vec<T>| !two.is_empty())
                    };
                    parts = std::iter::from_fn(two).map(&join).collect();
                }
                through_bytes(&parts.pop().expect("at least one"))
            }
        }
    }
}

/// A range, judged, and what it leaves to the buckets.
pub(crate) struct JudgedRange {
    end: ShareEnd,
    ended: Vec<Commitment>,
    crossing: Vec<(Commitment, u64, Vec<u8>)>,
    times: Option<(u64, u64)>,
}

/// Shares that are merged: their sum, the seeds that are compared, and whether there are more.
pub(crate) type Merged = (ShareSum, SharedSeeds, bool);

/// `settle` compares what players have seen with the log. `None` if an entry is not judged, or time
/// runs back.
pub(crate) fn judge_range(
    sorted: SortedEntries<'_>,
    clock: Option<u64>,
    settle: impl FnOnce(&mut Share),
) -> Option<JudgedRange> {
    let SortedEntries { mut share, ended, crossing, times, is_sound } = sorted;
    settle(&mut share);
    let owned = |one: CrossingEntry<'_>| (one.commitment, one.index, one.bytes.to_vec());
    let crossing = crossing.into_iter().map(owned).collect();
    is_sound.then(|| JudgedRange {
        end: share.end(Times { as_of: None, clock }),
        ended,
        crossing,
        times,
    })
}

/// The time as of which the log of these ranges is judged; `None` if time runs back.
pub(crate) fn times_of(ranges: &[JudgedRange], times: Times) -> Option<Times> {
    let moments: Vec<u64> =
        ranges.iter().filter_map(|one| one.times).flat_map(|(a, b)| [a, b]).collect();
    let as_of = times.as_of.or(moments.last().copied());
    moments.is_sorted().then_some(Times { as_of, ..times })
}

/// Judges the buckets. An error says why the log is to be judged in order.
pub(crate) fn judge_buckets(
    key: &VerifierKey,
    ranges: &[JudgedRange],
    buckets: u32,
    times: Times,
    settle: impl Fn(&mut Share),
) -> Result<Vec<ShareEnd>, &'static str> {
    let mut known: HashSet<Commitment> = HashSet::new();
    if !ranges.iter().flat_map(|range| &range.ended).all(|ended| known.insert(*ended)) {
        return Err("committed twice");
    }
    let of = |name: &[u8]| bucket_of(b"salt", name, buckets);
    let in_bucket = |bucket| {
        let mut share = Share::new(key.clone(), Signatures::Verified);
        for range in ranges {
            let its = range
                .crossing
                .iter()
                .filter(|(commitment, ..)| of(commitment.as_bytes()) == bucket);
            let entries: Vec<_> = its
                .map(|(c, index, bytes)| CrossingEntry { index: *index, commitment: *c, bytes })
                .collect();
            let bytes = crossing_bytes(&entries);
            for (index, entry) in crossing_entries(&bytes).expect("what was written") {
                share.take(index, entry);
            }
        }
        settle(&mut share);
        share.end(times)
    };
    let ends: Vec<ShareEnd> = (0..buckets).map(in_bucket).collect();
    if !ends.iter().flat_map(|end| &end.turns).all(|turn| known.insert(turn.commitment)) {
        return Err("committed twice");
    }
    for bucket in 0..buckets {
        let all = ranges.iter().map(|range| &range.end).chain(&ends);
        let turns: Vec<Turn> = all.flat_map(|end| end.turns.iter().rev().cloned()).collect();
        let mut turns = through_bytes(&turns);
        turns.retain(|turn| of(turn.table.as_bytes()) == bucket);
        if !turns_hold(turns) {
            return Err("out of turn");
        }
    }
    Ok(ends)
}

/// Merges the shares of ranges and buckets.
pub(crate) fn merged(ranges: &[JudgedRange], buckets: &[ShareEnd], merge: Merge) -> Merged {
    let all = || ranges.iter().map(|range| &range.end).chain(buckets);
    let sum = merge.all(all().map(|end| end.sum.clone()).collect(), |sums| {
        sums.into_iter().fold(ShareSum::default(), |mut sum, one| {
            sum.add(one);
            sum
        })
    });
    let first = merge.all(all().map(|end| end.seeds.clone()).collect(), SharedSeeds::first_of);
    let givers = all().map(|end| end.seeds.clone().only(&first)).collect();
    let givers = merge.all(givers, SharedSeeds::joined);
    (sum, givers, first.are_more())
}

/// The verdicts on a log in ranges of so many entries, one for each way to merge.
fn in_shares(
    log: &PaperLog,
    (range, buckets): (usize, u32),
    merges: &[Merge],
) -> Result<Vec<AuditVerdict>, &'static str> {
    let (key, roots) = (log.key(), roots(log));
    let settle = |share: &mut Share| {
        for claim in share.take_claims() {
            let own =
                |size| (size, *roots.get(usize::try_from(size).expect("small")).expect("a size"));
            let roots: BTreeMap<_, _> = claim.sizes().map(own).collect();
            claim.contradicted_by(&roots).into_iter().for_each(|finding| share.find(finding));
        }
    };
    let mut ranges = Vec::new();
    for entries in log.entries().chunks(range) {
        let first = u64::try_from(ranges.len() * range).expect("small");
        let entries: Vec<&[u8]> = entries.iter().map(Vec::as_slice).collect();
        let sorted = SortedEntries::of(key, Signatures::Verified, first, &entries);
        ranges.push(judge_range(sorted, None, settle).ok_or("not judged, or time runs back")?);
    }
    let times = times_of(&ranges, Times::default()).ok_or("time runs back")?;
    let ends = judge_buckets(key, &ranges, buckets, times, settle)?;
    let mut tree = Frontier::new();
    log.entries().iter().for_each(|entry| tree.push(leaf_hash(entry)).expect("room"));
    let verdict = |merge: &Merge| {
        let (sum, seeds, more) = merged(&ranges, &ends, *merge);
        let sound = sum.is_sound();
        sound
            .then(|| sum.verdict(key, &tree, Times::default(), (seeds, more)))
            .ok_or("without effect")
    };
    merges.iter().map(verdict).collect()
}

pub(crate) fn json(verdict: &AuditVerdict) -> String {
    serde_json::to_string(verdict).expect("JSON")
}

fn in_order(log: &PaperLog) -> AuditVerdict {
    audit(log, None)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_log_that_is_judged_in_shares_has_the_verdict_of_the_audit_in_order(
        number in any::<u64>(),
        range in 1_usize..50,
        buckets in 1_u32..5,
        merge in prop::sample::select(MERGES.as_slice()),
    ) {
        let log = random_log(number);
        match in_shares(&log, (range, buckets), &[merge]) {
            Ok(verdicts) => prop_assert_eq!(json(&verdicts[0]), json(&in_order(&log))),
            Err(why) => prop_assert!(!in_order(&log).holds, "it holds, and is said to have: {}", why),
        }
    }
}

/// A log with some commitments, each at its table, whose deals no reveal will judge.
struct Tables {
    log: PaperLog,
    commits: Vec<(Box<Commit>, u64)>,
    deal: Deal,
}

impl Tables {
    fn new() -> Self {
        let mut log = PaperLog::new("cards.example/log", 7);
        let mut commits = Vec::new();
        for number in 0..3_u8 {
            let (_, commit) = log.commit(&counting_seed(number * 40), |commit| {
                (commit.draw, commit.rounds) = (int(1), int(10_000));
                commit.table = Table::new(format!("table {number}")).expect("a table");
            });
            commits.push((commit, 0));
        }
        let deal = log.deal_entry(&commits[0].0, &counting_seed(0).mac(), 0, &[("alice", "lucky")]);
        Self { log, commits, deal }
    }

    /// A deal at a table. Its cards are not those of its seeds.
    fn deal(&mut self, table: usize, logged: Vec<LoggedContribution>) {
        let (commit, next) = &mut self.commits[table];
        let time = self.log.tick();
        let deal =
            Deal::in_clear(commit.commitment, nonce(*next), logged, self.deal.result.clone(), time);
        self.log.append(&deal.into());
        *next += 1;
    }

    fn void(&mut self, table: usize, blame: &str) {
        let (commit, next) = &mut self.commits[table];
        self.log.lock(commit.commitment, *next, logged_clients(&[(blame, "lucky")]));
        self.log.void(commit.commitment, Some(*next), Some(blame));
        *next += 1;
    }

    /// Deals with 64 players each, of whom each gives one of these seeds.
    fn seeds(&mut self, numbers: std::ops::Range<u64>, table: impl Fn(u64) -> usize) {
        for start in numbers.clone().step_by(64) {
            let seeds: Vec<String> = (start..numbers.end.min(start + 64))
                .map(|number| format!("seed {number}"))
                .collect();
            let clients: Vec<(String, &str)> = seeds
                .iter()
                .enumerate()
                .map(|(at, seed)| (format!("player {at:02}"), seed.as_str()))
                .collect();
            let clients: Vec<(&str, &str)> =
                clients.iter().map(|(from, seed)| (from.as_str(), *seed)).collect();
            self.deal(table(start / 64), logged_clients(&clients));
        }
    }
}

/// The verdicts are the same, in whatever order the shares are merged.
fn same_in_shares(log: &PaperLog, merges: &[Merge]) -> AuditVerdict {
    let verdict = in_order(log);
    let found = in_shares(log, (800, 8), merges)
        .unwrap_or_else(|why| panic!("{why}: {:?}", verdict.findings));
    for (found, merge) in found.iter().zip(merges) {
        assert_eq!(json(found), json(&verdict), "{merge:?}");
    }
    verdict
}

/// The first table's seeds come first; the second has more than 100,000; the third has some of each
/// time.
fn three_tables(deal: u64) -> usize {
    if deal < 20 {
        0
    } else if deal.is_multiple_of(40) {
        2
    } else {
        1
    }
}

#[test]
fn of_more_than_100_000_seeds_those_that_come_first_in_the_log_are_compared() {
    let mut tables = Tables::new();
    tables.seeds(0..104_000, three_tables);
    // The 100,000th seed is compared, and the next, of the same entry, is not. The sixth is among
    // the last of the second table, whose own first 100,000 do not have it.
    for (seed, givers) in [("seed 99999", 2), ("seed 100000", 4), ("seed 5", 2), ("seed 103999", 5)]
    {
        for giver in 0..givers {
            tables.deal(1 + giver % 2, logged_clients(&[(&format!("giver {giver}"), seed)]));
        }
    }
    for giver in ["another", "player 05"] {
        tables.deal(1, logged_clients(&[(giver, "seed 5")]));
    }
    let reported = same_in_shares(&tables.log, &[Merge::FromTheEnd, Merge::InPairs]).reported;
    let weak = [("seed 5".to_owned(), 4), ("seed 99999".to_owned(), 3)];
    assert_eq!((reported.weak_seeds, reported.seeds_not_told_apart), (weak.into(), true));
}

#[test]
fn it_is_told_that_there_are_more_seeds_from_the_100_001st_on() {
    let mut tables = Tables::new();
    tables.seeds(0..100_000, three_tables);
    tables.deal(2, logged_clients(&[("again", "seed 99999")]));
    assert!(!same_in_shares(&tables.log, &[Merge::AtOnce]).reported.seeds_not_told_apart);
    tables.deal(2, logged_clients(&[("again", "seed 100000")]));
    assert!(same_in_shares(&tables.log, &[Merge::AtOnce]).reported.seeds_not_told_apart);
}

#[test]
fn of_more_than_100_000_givers_of_one_seed_100_000_are_counted() {
    let mut tables = Tables::new();
    let mut giver = 0;
    for deal in 0..1_570 {
        let names: Vec<String> =
            (giver..giver + 64).map(|number| format!("player {number:06}")).collect();
        let clients: Vec<(&str, &str)> =
            names.iter().map(|name| (name.as_str(), "lucky")).collect();
        // Some players play at two tables.
        tables.deal(deal % 2, logged_clients(&clients));
        if deal % 100 == 0 {
            tables.deal(2, logged_clients(&clients));
        }
        giver += 64;
    }
    assert_eq!(
        same_in_shares(&tables.log, &[Merge::FromTheEnd]).reported.weak_seeds,
        [("lucky".to_owned(), 100_000)].into()
    );
}

#[test]
fn the_first_100_blamed_names_of_the_log_are_listed_with_all_their_voids() {
    let mut tables = Tables::new();
    // A later name comes first in the order of letters.
    for number in (0..250).rev() {
        tables.void(number % 3, &format!("player {number:03}"));
    }
    for number in (0..250).step_by(7) {
        tables.void((number + 1) % 3, &format!("player {number:03}"));
    }
    let blamed = same_in_shares(&tables.log, &MERGES).reported.blamed;
    assert_eq!(blamed.len(), 100);
    assert_eq!((blamed.get("player 150"), blamed.get("player 149")), (Some(&1), None));
    assert_eq!(blamed.get("player 245"), Some(&2));
}

#[test]
fn what_is_found_in_shares_is_what_the_audit_in_order_finds() {
    let mut tables = Tables::new();
    tables.deal(0, logged_clients(&[("alice", "lucky")]));
    tables.deal(1, logged_clients(&[("alice", "another")]));
    let mut fork = PaperLog::new("cards.example/log", 7);
    fork.append_bytes(b"fork");
    tables.deal(0, vec![seeing("bob", "lucky", &fork.seen())]);
    tables.deal(2, vec![seeing("bob", "lucky", &tables.log.seen())]);
    tables.log.reveal(&counting_seed(40)); // its cards are not those of its seeds
    tables.log.time += 1 << 40;
    tables.log.reveal(&counting_seed(0)); // the last one stays overdue
    let verdict = same_in_shares(&tables.log, &MERGES);
    let found: Vec<&str> = verdict.counts.keys().copied().collect();
    assert_eq!(found, ["late-reveal", "overdue", "result-mismatch", "split-view"]);
}

/// Turns of a table, each with its number, that of the turn before, and when it was made and
/// closed.
fn turns(table: &str, of: &[(u8, Option<u8>, u64, Option<u64>)]) -> Vec<Turn> {
    let commitment = |number: u8| Commitment::from_bytes([number; 32]);
    let turn = |&(number, after, index, closed): &(u8, Option<u8>, u64, Option<u64>)| Turn {
        index,
        table: table.to_owned(),
        commitment: commitment(number),
        after: after.map(commitment),
        closed,
    };
    of.iter().map(turn).collect()
}

#[test]
fn turns_hold_where_each_commit_names_the_one_before_and_that_is_closed() {
    let mut all = turns(
        "table 1",
        &[(1, None, 0, Some(4)), (2, Some(1), 5, Some(9)), (3, Some(2), 11, None)],
    );
    all.extend(turns("table 2", &[(4, None, 1, Some(3)), (5, Some(4), 6, None)]));
    for _ in 0..all.len() {
        all.rotate_left(1);
        assert!(turns_hold(all.clone()));
        assert!(turns_hold(all.iter().rev().cloned().collect()));
    }
    assert!(turns_hold(Vec::new()));
}

#[test]
fn turns_do_not_hold_where_a_table_has_two_open_commitments() {
    assert!(!turns_hold(turns("table 1", &[(1, None, 0, None), (2, Some(1), 5, None)])));
    assert!(!turns_hold(turns("table 1", &[(1, None, 0, Some(6)), (2, Some(1), 5, None)])));
    assert!(turns_hold(turns("table 1", &[(1, None, 0, Some(4)), (2, Some(1), 5, None)])));
}

#[test]
fn turns_do_not_hold_where_a_commit_names_another_before_it() {
    for after in [None, Some(3), Some(2)] {
        assert!(
            !turns_hold(turns("table 1", &[(1, None, 0, Some(4)), (2, after, 5, None)])),
            "{after:?}"
        );
    }
    assert!(!turns_hold(turns("table 1", &[(1, Some(3), 0, None)])), "it is the first");
}

#[test]
fn turns_do_not_hold_where_a_commitment_is_made_twice() {
    assert!(!turns_hold(turns("table 1", &[(1, None, 0, Some(4)), (1, Some(1), 5, None)])));
    let (mut two, other) =
        (turns("table 1", &[(1, None, 0, Some(4))]), turns("table 2", &[(1, None, 5, None)]));
    two.extend(other);
    assert!(!turns_hold(two));
}
