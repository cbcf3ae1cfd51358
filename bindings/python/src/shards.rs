//! An audit in ranges and buckets, for `fairdeal.distributed`: each function is one task, on bytes.

use std::collections::HashSet;

use fairdeal::deal::Commitment;
use fairdeal::log::{CompactRange, Hash, VerifierKey, verify_checkpoint};
use fairdeal_audit::source::{
    AuditOptions, LogSource, Nodes, NotInRanges, RangeTree, SourceError, crossing_bytes,
    crossing_entries,
};
use fairdeal_audit::{
    Share, ShareEnd, ShareSum, SharedSeeds, SortedEntries, Times, Turn, bucket_of,
};
use pyo3::prelude::*;
use serde::de::DeserializeOwned;

use crate::deals::{key, policy};
use crate::failure::{Failure, json};
use crate::logs::{Log, When, signatures, unavailable};
use crate::waiting::detach;

/// Why a log is not judged in ranges, or a result.
type Told<T> = (Option<String>, Option<T>);

/// A sum, seeds, and the turns of each bucket of tables; all JSON.
type Judged = (Vec<u8>, Vec<u8>, Vec<Vec<u8>>);

/// The result of a range: the times of its first and last entry, its tree, its share, and for each
/// bucket the entries that cross and the commitments that ended.
type Ranged = (Option<(u64, u64)>, String, Judged, Vec<(Vec<u8>, Vec<u8>)>);

/// How entries and tables are shared out.
struct Buckets<'a> {
    salt: &'a [u8],
    count: u32,
}

impl Buckets<'_> {
    fn of(&self, name: &[u8]) -> usize {
        usize::try_from(bucket_of(self.salt, name, self.count)).expect("a count of buckets")
    }

    /// One list for each bucket.
    fn split<T>(&self, all: Vec<T>, name: impl Fn(&T) -> Vec<u8>) -> Vec<Vec<T>> {
        let mut split: Vec<Vec<T>> = (0..self.count).map(|_| Vec::new()).collect();
        for one in all {
            let at = self.of(&name(&one));
            split[at].push(one);
        }
        split
    }

    fn judged(&self, end: ShareEnd) -> Result<Judged, Failure> {
        let turns = self.split(end.turns, |turn| turn.table.as_bytes().to_vec());
        let turns = turns.iter().map(bytes).collect::<Result<_, _>>()?;
        Ok((bytes(&end.sum)?, bytes(&end.seeds)?, turns))
    }
}

fn bytes(value: &impl serde::Serialize) -> Result<Vec<u8>, Failure> {
    serde_json::to_vec(value).map_err(Failure::unavailable)
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(bytes).map_err(|error| {
        Failure::unavailable(format_args!("expected a saved part of an audit: {error}"))
    })
}

/// The inner result as a reason or a value.
fn told<T>(result: Result<T, NotInRanges>) -> Told<T> {
    match result {
        Ok(value) => (None, Some(value)),
        Err(NotInRanges(says)) => (Some(says), None),
    }
}

/// The size and the note of a log that can be judged in ranges: its checkpoint is signed, and it
/// has tiles. Under a policy every log is judged in order.
#[pyfunction]
pub(crate) fn log_head(
    py: Python<'_>,
    log: Log,
    key: &str,
    policy: Option<&[u8]>,
) -> PyResult<Option<(u64, String)>> {
    let key = self::key(key)?;
    Ok(detach(py, || {
        let policy = self::policy(policy, &key)?;
        let source = log.open()?;
        let note = source.note().to_owned();
        let signed = source.signed_checkpoint(&key).filter(|_| policy.is_none());
        Ok::<_, Failure>(signed.map(|checkpoint| (checkpoint.size(), note)))
    })?)
}

/// A log whose tiles give the roots of checkpoints that players have seen.
fn settle(
    source: &LogSource,
    log: &Log,
    share: &mut Share,
    size: u64,
) -> Result<Result<(), NotInRanges>, Failure> {
    let mut nodes = Nodes::new(log.files()?);
    source.settle(share, &mut nodes, size).map_err(unavailable)
}

/// Reads and judges a range.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one task of a graph")]
pub(crate) fn judge_range(
    py: Python<'_>,
    log: Log,
    key: &str,
    size: u64,
    range: (u64, u64),
    buckets: u32,
    salt: &[u8],
    clock: Option<u64>,
    skip_signatures: bool,
) -> PyResult<Told<Ranged>> {
    let key = self::key(key)?;
    let buckets = Buckets { salt, count: buckets };
    let work = || -> Result<Told<Ranged>, Failure> {
        let source = log.open()?;
        let ranged = match source.read_range(size, range.0..range.1).map_err(unavailable)? {
            Ok(ranged) => ranged,
            Err(says) => return Ok(told(Err(says))),
        };
        let sorted = ranged.sorted(&key, signatures(skip_signatures), |sorted| {
            let SortedEntries { share, ended, crossing, times, is_sound } = sorted;
            let crossing = buckets.split(crossing, |entry| entry.commitment.as_bytes().to_vec());
            let crossing: Vec<Vec<u8>> = crossing.iter().map(crossing_bytes).collect();
            (share, ended, crossing, times, is_sound)
        });
        let (mut share, ended, crossing, times, is_sound) = match sorted {
            Ok(sorted) => sorted,
            Err(says) => return Ok(told(Err(says))),
        };
        if !is_sound {
            return Ok(told(Err(NotInRanges(
                "an entry is not judged, or time runs back".to_owned(),
            ))));
        }
        if let Err(says) = settle(&source, &log, &mut share, size)? {
            return Ok(told(Err(says)));
        }
        // Every life of it has ended: only the clock is looked at.
        let end = share.end(Times { as_of: None, clock });
        let ended = buckets.split(ended, |commitment| commitment.as_bytes().to_vec());
        let ended = ended.iter().map(bytes).collect::<Result<Vec<_>, _>>()?;
        let parts = crossing.into_iter().zip(ended).collect();
        Ok((None, Some((times, tree_json(&ranged.tree)?, buckets.judged(end)?, parts))))
    };
    Ok(detach(py, work)?)
}

/// Judges the commitments of a bucket: the crossing entries and the ended commitments of every
/// range, in order.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one task of a graph")]
pub(crate) fn judge_bucket(
    py: Python<'_>,
    log: Log,
    key: &str,
    size: u64,
    parts: Vec<(Vec<u8>, Vec<u8>)>,
    buckets: u32,
    salt: &[u8],
    times: (Option<u64>, Option<u64>),
    skip_signatures: bool,
) -> PyResult<Told<Judged>> {
    let key = self::key(key)?;
    let buckets = Buckets { salt, count: buckets };
    let work = || -> Result<Told<Judged>, Failure> {
        let mut known: HashSet<Commitment> = HashSet::new();
        let mut share = Share::new(key.clone(), signatures(skip_signatures));
        for (crossing, ended) in &parts {
            for commitment in read::<Vec<Commitment>>(ended)? {
                if !known.insert(commitment) {
                    return Ok(told(Err(NotInRanges(format!(
                        "{commitment} is committed to twice"
                    )))));
                }
            }
            let entries = crossing_entries(crossing)
                .ok_or_else(|| Failure::unavailable("expected the entries of a bucket"))?;
            for (index, entry) in entries {
                share.take(index, entry);
            }
        }
        let source = log.open()?;
        if let Err(says) = settle(&source, &log, &mut share, size)? {
            return Ok(told(Err(says)));
        }
        let end = share.end(Times { as_of: times.0, clock: times.1 });
        if let Some(turn) = end.turns.iter().find(|turn| !known.insert(turn.commitment)) {
            let says = format!("{} is committed to twice", turn.commitment);
            return Ok(told(Err(NotInRanges(says))));
        }
        Ok((None, Some(buckets.judged(end)?)))
    };
    Ok(detach(py, work)?)
}

/// The sum of shares.
#[pyfunction]
pub(crate) fn add_sums(py: Python<'_>, sums: Vec<Vec<u8>>) -> PyResult<Vec<u8>> {
    Ok(detach(py, || {
        let mut all = ShareSum::default();
        for sum in &sums {
            all.add(read(sum)?);
        }
        bytes(&all)
    })?)
}

/// Whether a sum is as an audit in order would find it.
#[pyfunction]
pub(crate) fn is_sound(sum: &[u8]) -> PyResult<bool> {
    Ok(read::<ShareSum>(sum)?.is_sound())
}

/// Several from their bytes.
fn read_all<T: DeserializeOwned>(all: &[Vec<u8>]) -> Result<Vec<T>, Failure> {
    all.iter().map(|one| read(one)).collect()
}

/// The seeds that come first, without their givers.
#[pyfunction]
pub(crate) fn first_seeds(py: Python<'_>, seeds: Vec<Vec<u8>>) -> PyResult<Vec<u8>> {
    Ok(detach(py, || bytes(&SharedSeeds::first_of(read_all(&seeds)?)))?)
}

/// The givers that a share has of the first seeds.
#[pyfunction]
pub(crate) fn givers_of(py: Python<'_>, seeds: &[u8], first: &[u8]) -> PyResult<Vec<u8>> {
    Ok(detach(py, || bytes(&read::<SharedSeeds>(seeds)?.only(&read(first)?)))?)
}

/// The givers of several shares.
#[pyfunction]
pub(crate) fn join_givers(py: Python<'_>, seeds: Vec<Vec<u8>>) -> PyResult<Vec<u8>> {
    Ok(detach(py, || bytes(&SharedSeeds::joined(read_all(&seeds)?)))?)
}

/// Whether the turns of some tables are in order.
#[pyfunction]
pub(crate) fn turns_hold(py: Python<'_>, turns: Vec<Vec<u8>>) -> PyResult<bool> {
    Ok(detach(py, || {
        let all = read_all::<Vec<Turn>>(&turns)?;
        Ok::<_, Failure>(fairdeal_audit::turns_hold(all.concat()))
    })?)
}

/// Why it is not shown that a log continues older checkpoints; `None` if it is.
#[pyfunction]
pub(crate) fn continues(
    py: Python<'_>,
    log: Log,
    key: &str,
    note: &str,
    since: Vec<(String, String)>,
) -> PyResult<Option<String>> {
    let key: VerifierKey = self::key(key)?;
    Ok(detach(py, || {
        let checkpoint = verify_checkpoint(note, &key).map_err(Failure::unavailable)?;
        let mut nodes = Nodes::new(log.files()?);
        let shown =
            log.open()?.continues(&key, &since, &checkpoint, &mut nodes).map_err(unavailable)?;
        Ok::<_, Failure>(shown.err().map(|NotInRanges(says)| says))
    })?)
}

/// The verdict, from the trees of all ranges, the sum, the first seeds and their givers.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the last task of a graph")]
pub(crate) fn verdict(
    py: Python<'_>,
    log: Log,
    key: &str,
    note: &str,
    trees: Vec<String>,
    sum: &[u8],
    first: &[u8],
    givers: &[u8],
    times: (Option<u64>, Option<u64>),
) -> PyResult<Told<String>> {
    let key: VerifierKey = self::key(key)?;
    Ok(detach(py, || {
        let source = log.open()?;
        let checkpoint = verify_checkpoint(note, &key).map_err(Failure::unavailable)?;
        let trees = trees.iter().map(|text| tree_of(text)).collect::<Result<Vec<_>, _>>()?;
        let options = AuditOptions {
            times: Times { as_of: times.0, clock: times.1 },
            ..AuditOptions::under(&key)
        };
        let first: SharedSeeds = read(first)?;
        let seeds = (read(sum)?, read(givers)?, first.are_more());
        let verdict = source.verdict_in_ranges(&options, &checkpoint, &trees, seeds);
        let verdict = verdict.map_err(|error: SourceError| unavailable(error))?;
        Ok::<_, Failure>(match verdict {
            Ok(verdict) => (None, Some(json(&verdict)?)),
            Err(NotInRanges(says)) => (Some(says), None),
        })
    })?)
}

/// The tree of a range as JSON.
#[derive(serde::Serialize, serde::Deserialize)]
struct TreeForm {
    start: u64,
    end: u64,
    hashes: Vec<String>,
    upper: Vec<String>,
}

fn tree_json(tree: &RangeTree) -> Result<String, Failure> {
    let texts = |hashes: &[Hash]| hashes.iter().map(Hash::to_base64).collect();
    let (start, end) = (tree.range.start(), tree.range.end());
    json(&TreeForm { start, end, hashes: texts(tree.range.hashes()), upper: texts(&tree.upper) })
}

fn tree_of(text: &str) -> Result<RangeTree, Failure> {
    let TreeForm { start, end, hashes, upper } = read(text.as_bytes())?;
    let hashes_of = |texts: &[String]| {
        let hashes =
            texts.iter().map(|text| Hash::parse_base64(text)).collect::<Result<Vec<_>, _>>();
        hashes.map_err(Failure::unavailable)
    };
    let range =
        CompactRange::from_parts(start, end, hashes_of(&hashes)?).map_err(Failure::unavailable)?;
    Ok(RangeTree { range, upper: hashes_of(&upper)? })
}

/// The times at which a log is judged: those given, by the rules of [`When`].
#[pyfunction]
pub(crate) fn times_of(log: Log, when: When) -> (Option<u64>, Option<u64>) {
    let times = when.times(&log);
    (times.as_of, times.clock)
}
