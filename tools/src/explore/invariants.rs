//! One entry, judged by every judge: that of the whole log, the ledger, one that forgets ended
//! commitments, the audit.

use fairdeal::record::entry::Entry;
use fairdeal::record::{Code, Effect, Finding, Judge, Judged};
use fairdeal_audit::{Partial, Times, Under};

use super::walk::Log;
use super::world::{FAR, Named, World};

/// Judges an entry, and compares the result with the ledger's: a judge that knows only the lives
/// that the ledger loads for this entry (crates/ledger/src/deal/judging.rs).
///
/// # Errors
/// How they differ.
pub fn judged_alike(
    world: &World,
    before: &Log,
    whole: &mut Judge<Named>,
    entry: &Entry,
) -> Result<Judged, String> {
    let index = before.index();
    let judged = whole.apply(index, entry);
    let commitment = entry.commitment();
    let known = before.judge.remembered();
    let table = match entry {
        Entry::Commit(commit) => known.tables.iter().find(|(table, _)| *table == commit.table),
        _ => None,
    };
    let wanted = [commitment, table.map(|(_, last)| *last)];
    let mut ledger: Judge<Named> = Judge::resume(Named, known.last_time);
    for life in wanted.iter().flatten().filter_map(|one| before.judge.life(one)) {
        ledger.learn(life.clone(), ());
    }
    if let Some((table, last)) = table {
        ledger.learn_table(table.clone(), *last);
    }
    let (snapshot, was) = (ledger.snapshot(entry), world.memory(&ledger.remembered()));
    let by_ledger = ledger.apply(index, entry);
    same(&judged, &by_ledger, "the ledger")?;
    let mut restored = ledger.clone();
    restored.restore(snapshot);
    if world.memory(&restored.remembered()) != was {
        return Err("a ledger that takes the entry back does not know what it knew".to_owned());
    }
    let life = |judge: &Judge<Named>| commitment.and_then(|one| judge.life(&one).cloned());
    if life(whole) != life(&ledger) {
        return Err("the ledger keeps another life of it".to_owned());
    }
    same(&judged, &before.forgetful.clone().apply(index, entry), "who forgets what has ended")?;
    if judged.effect.is_none() && world.memory(&known) != world.memory(&whole.remembered()) {
        return Err("an entry without effect changed something".to_owned());
    }
    Ok(judged)
}

fn same(judged: &Judged, other: &Judged, who: &str) -> Result<(), String> {
    let kind = |effect: &Option<Effect>| effect.as_ref().map(std::mem::discriminant);
    if judged.findings == other.findings && kind(&judged.effect) == kind(&other.effect) {
        return Ok(());
    }
    Err(format!(
        "{who} says {:?}, the judge of the whole log {:?}",
        other.findings, judged.findings
    ))
}

/// Audits a log's bytes. The audit must find what the judge finds while the log is written. If
/// `overdue` is judged, long after everything was due, it must also find each seed that was not
/// revealed and not voided unused.
///
/// # Errors
/// How they differ.
pub fn audited(world: &World, log: &Log, overdue: bool) -> Result<(), String> {
    let mut judge = Judge::new(Named, fairdeal::record::life::Extent::Whole);
    let mut expected: Vec<Finding> = Vec::new();
    for (index, entry) in (0..).zip(&log.entries) {
        expected.extend(judge.apply(index, entry).findings);
    }
    let bytes = log.entries.iter().map(|entry| entry.to_text().map(String::into_bytes));
    let bytes: Vec<Vec<u8>> = bytes.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    let mut audit = Partial::start(world.key.clone());
    let range =
        Partial::of(Under::key(&world.key), 0, &bytes).map_err(|error| error.to_string())?;
    audit.merge(range).map_err(|error| error.to_string())?;
    let as_of = Some(if overdue { FAR } else { 0 });
    let verdict =
        audit.finish(Times { as_of, clock: None }).ok_or("an audit from the first entry on")?;
    let late: Vec<&Finding> =
        verdict.findings.iter().filter(|one| one.code == Code::Overdue).collect();
    let found: Vec<&Finding> =
        verdict.findings.iter().filter(|one| one.code != Code::Overdue).collect();
    if found != expected.iter().collect::<Vec<_>>() {
        return Err(format!("the audit finds {found:?}, the judge {expected:?}"));
    }
    if !overdue {
        return Ok(());
    }
    let mut found: Vec<usize> =
        late.iter().filter_map(|one| Some(world.slot(&one.commitment?))).collect();
    found.sort_unstable();
    let made = (0..).zip(&log.course.commitments).filter_map(|(c, made)| Some((c, made.as_ref()?)));
    let expected: Vec<usize> = made.filter(|(_, made)| !made.ended()).map(|(c, _)| c).collect();
    if found == expected {
        return Ok(());
    }
    Err(format!(
        "overdue by the audit: {found:?}; made and neither revealed nor voided unused: {expected:?}"
    ))
}
