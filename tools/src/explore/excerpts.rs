//! Every excerpt of a log without findings: what is left out accuses nobody.

use fairdeal::record::Judge;
use fairdeal::record::entry::Entry;
use fairdeal::record::life::Extent;

use super::walk::Log;
use super::world::{How, Move, Named};

/// Judges all excerpts that end with the log's last entry and could come from honest receipts: each
/// entry with its commit, and each deal that names a lock with that lock. Returns how many there
/// are.
///
/// # Errors
/// An excerpt in which something is found.
pub fn every_excerpt_holds(log: &Log) -> Result<usize, String> {
    let mut count = 0;
    choose(log, 0, &mut Vec::new(), &mut Judge::new(Named, Extent::Excerpt), &mut count)?;
    Ok(count)
}

fn choose(
    log: &Log,
    at: usize,
    taken: &mut Vec<usize>,
    judge: &mut Judge<Named>,
    count: &mut usize,
) -> Result<(), String> {
    let Some(entry) = log.entries.get(at) else {
        *count += 1;
        return Ok(());
    };
    if at + 1 < log.entries.len() {
        choose(log, at + 1, taken, &mut judge.clone(), count)?;
    }
    if !may_stand(log, at, taken) {
        return Ok(());
    }
    let judged = judge.apply(u64::try_from(at).expect("few"), entry);
    taken.push(at);
    let late = |code: &str| code == "late-reveal";
    if let Some(found) = judged.findings.iter().find(|found| !late(found.code.as_str())) {
        return Err(format!("the excerpt {taken:?} of an honest log: {found:?}"));
    }
    choose(log, at + 1, taken, judge, count)?;
    taken.pop();
    Ok(())
}

fn may_stand(log: &Log, at: usize, taken: &[usize]) -> bool {
    let what = log.steps[at].what;
    let mut before = taken.iter().map(|one| log.steps[*one].what);
    let names_lock = match what {
        Move::Commit { .. } => return true,
        Move::Deal { how, .. } => how != How::Clear,
        Move::Void { blames, .. } => blames,
        _ => false,
    };
    let of_it = |other: &Move| other.c() == what.c();
    let mut commits = taken.iter().map(|one| &log.entries[*one]);
    let committed = commits
        .any(|e| matches!(e, Entry::Commit(_)) && e.commitment() == log.entries[at].commitment());
    let locked = before
        .any(|other| of_it(&other) && other.n() == what.n() && matches!(other, Move::Lock { .. }));
    committed && (locked || !names_lock)
}
