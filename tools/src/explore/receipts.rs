//! Real receipts of real logs: receipts of one log never contradict one another; two logs always
//! have some that do.

use std::collections::BTreeMap;

use fairdeal::log::Hash;
use fairdeal::record::Code;
use fairdeal::record::receipt::{
    Document, GivenFile, ReaderGiven, ReceiptFinding, ReceiptVerdict, Shown, verify_several,
};

use super::excerpts::every_excerpt_holds;
use super::invariants::audited;
use super::walk::Log;
use super::world::{Move, Scope, Step, World};
use crate::paper::{ORIGIN, PaperLog};

/// How much was compared.
#[derive(Debug, Default)]
pub struct Compared {
    /// Logs without findings: all up to a length.
    pub logs: usize,
    /// Their receipts, of each round at each size.
    pub receipts: usize,
    /// Excerpts of these logs.
    pub excerpts: usize,
    /// Pairs of receipts of one log: none contradicts.
    pub pairs: usize,
    /// Pairs of logs that part at their last entry: receipts of that entry contradict, at one size
    /// and at two.
    pub forks: usize,
    /// Pairs of logs of one length: their checkpoints contradict.
    pub views: u128,
    /// Pairs of receipts of two such logs, at two sizes, that both lack the entry at which they
    /// part; and of these, the pairs that contradict.
    pub blind: (usize, usize),
}

/// A receipt, and its log.
#[derive(Clone)]
struct Shot {
    /// The entries of the receipt.
    indices: Vec<u64>,
    document: Document,
}

/// Compares the receipts of all logs without findings up to a length.
///
/// # Errors
/// The first pair that breaks the rule.
pub fn compare(world: &World, scope: &Scope, length: usize) -> Result<Compared, String> {
    let mut all = Compared::default();
    let mut roots: BTreeMap<(usize, [u8; 32]), Vec<Step>> = BTreeMap::new();
    descend(world, scope, length, &Log::new(), &[], &mut roots, &mut all)?;
    let mut of_size: BTreeMap<usize, u128> = BTreeMap::new();
    for (size, _) in roots.keys() {
        *of_size.entry(*size).or_default() += 1;
    }
    all.views = of_size.values().map(|n| n * n.saturating_sub(1) / 2).sum();
    Ok(all)
}

fn descend(
    world: &World,
    scope: &Scope,
    length: usize,
    log: &Log,
    earlier: &[Shot],
    roots: &mut BTreeMap<(usize, [u8; 32]), Vec<Step>>,
    all: &mut Compared,
) -> Result<(), String> {
    let (paper, root) = written(log);
    if let Some(other) = roots.insert((log.entries.len(), *root.as_bytes()), log.steps.clone()) {
        return Err(format!("two logs have one root: {other:?} and {:?}", log.steps));
    }
    let own = shots(&paper, log);
    all.logs += 1;
    audited(world, log, true)?;
    all.excerpts += if log.entries.is_empty() { 0 } else { every_excerpt_holds(log)? };
    all.receipts += own.len();
    for (at, new) in own.iter().enumerate() {
        for old in earlier.iter().chain(&own[..at]) {
            let (verdicts, findings) = together(world, old, new);
            all.pairs += 1;
            let holds = |one: &ReceiptVerdict| one.holds && one.shown.contains(&Shown::Logged);
            if !findings.is_empty() || !verdicts.iter().all(holds) {
                return Err(format!(
                    "two receipts of one log: {findings:?} {verdicts:?}\n  {:?}",
                    log.steps
                ));
            }
        }
    }
    if log.entries.len() == length {
        return Ok(());
    }
    let next = accepted(world, scope, log);
    forks(world, scope, &next, all)?;
    let earlier: Vec<Shot> = earlier.iter().chain(&own).cloned().collect();
    next.iter().try_for_each(|next| descend(world, scope, length, next, &earlier, roots, all))
}

/// Every log that has one more entry and still no findings.
fn accepted(world: &World, scope: &Scope, log: &Log) -> Vec<Log> {
    let steps = World::moves(scope, &log.course)
        .into_iter()
        .map(|what| Step { what, tick: log.course.tick });
    let tried = steps.map(|step| log.tried(world, scope, step).expect("explored before"));
    tried.filter(|tried| tried.accepted).map(|tried| log.and(tried)).collect()
}

fn written(log: &Log) -> (PaperLog, Hash) {
    let mut paper = PaperLog::new(ORIGIN, 7);
    log.entries.iter().for_each(|entry| {
        paper.append(entry);
    });
    let root = paper.root_at(paper.size());
    (paper, root)
}

/// The receipts that a ledger gives at the log's size: of each round, and of each commitment
/// without a round.
fn shots(paper: &PaperLog, log: &Log) -> Vec<Shot> {
    let mut shots = Vec::new();
    for c in 0..log.course.made() {
        let rounds: Vec<Option<u8>> = [None, Some(0), Some(1)].into();
        for round in rounds {
            let of_it = |what: &Move| what.c() == c && (what.n().is_none() || what.n() == round);
            let indices: Vec<usize> =
                (0..log.steps.len()).filter(|at| of_it(&log.steps[*at].what)).collect();
            if round.is_some() && !indices.iter().any(|at| log.steps[*at].what.n().is_some()) {
                continue;
            }
            let indices: Vec<u64> =
                indices.iter().map(|at| u64::try_from(*at).expect("few")).collect();
            let document = Document::Receipt(paper.receipt(&indices));
            shots.push(Shot { indices, document });
        }
    }
    shots
}

fn together(world: &World, one: &Shot, other: &Shot) -> (Vec<ReceiptVerdict>, Vec<ReceiptFinding>) {
    let files = [GivenFile::new("one", &one.document), GivenFile::new("other", &other.document)];
    verify_several(&files, &world.key, &ReaderGiven::default())
}

/// Two logs that differ only in their last entries.
fn forks(world: &World, scope: &Scope, logs: &[Log], all: &mut Compared) -> Result<(), String> {
    let covering = |log: &Log, of: u64| -> Result<Shot, String> {
        let shots = shots(&written(log).0, log);
        shots
            .into_iter()
            .find(|shot| shot.indices.contains(&of))
            .ok_or("no receipt has this entry".to_owned())
    };
    let Some(at) = logs.first().map(|log| log.index() - 1) else { return Ok(()) };
    let grown: Vec<Option<Log>> =
        logs.iter().map(|log| accepted(world, scope, log).pop()).collect();
    let now: Vec<Shot> = logs.iter().map(|log| covering(log, at)).collect::<Result<_, _>>()?;
    let later: Vec<Option<Shot>> = grown
        .iter()
        .map(|log| log.as_ref().map(|log| covering(log, at)).transpose())
        .collect::<Result<_, _>>()?;
    for (one, first) in now.iter().enumerate() {
        for (other, second) in now.iter().enumerate() {
            if one == other {
                continue;
            }
            let codes = |shot: &Shot| {
                let found = together(world, first, shot).1;
                found.iter().filter(|found| found.code == Code::Inconsistent).count()
            };
            let told = |what: &str| {
                Err(format!("{what}\n  {:?}\n  {:?}", logs[one].steps, logs[other].steps))
            };
            // At one size the index and the root contradict, at two sizes only the index.
            if one < other {
                all.forks += 1;
                if codes(second) != 2 {
                    return told(
                        "receipts of the entry at which two logs part, at one size, do not contradict",
                    );
                }
            }
            if later[other].as_ref().is_some_and(|later| codes(later) != 1) {
                return told(
                    "receipts of the entry at which two logs part, at two sizes, do not contradict",
                );
            }
        }
    }
    blind(world, logs, &grown, at, all);
    Ok(())
}

/// Receipts of two logs that do not show where the logs part: the results are only counted.
fn blind(world: &World, logs: &[Log], grown: &[Option<Log>], at: u64, all: &mut Compared) {
    let without = |log: &Log| -> Vec<Shot> {
        shots(&written(log).0, log).into_iter().filter(|shot| !shot.indices.contains(&at)).collect()
    };
    let later: Vec<Vec<Shot>> =
        grown.iter().map(|log| log.as_ref().map(&without).unwrap_or_default()).collect();
    for (one, log) in logs.iter().enumerate() {
        for first in &without(log) {
            let others = later.iter().enumerate().filter(|(other, _)| *other != one);
            for second in others.flat_map(|(_, shots)| shots) {
                all.blind.0 += 1;
                all.blind.1 += usize::from(!together(world, first, second).1.is_empty());
            }
        }
    }
}
