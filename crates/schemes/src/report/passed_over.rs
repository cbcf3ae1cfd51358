//! An audit's first sentence: what was found, and what was not verified (spec/audit.md, section
//! 13.3).

use super::words::{many, number};
use fairdeal::record::Code;
use fairdeal::record::finding::Class;
use fairdeal::utc::span;
use fairdeal_audit::AuditVerdict;

/// The number of findings of each class: `2 findings of integrity, 1 of time`.
#[must_use]
pub fn found_by_class(verdict: &AuditVerdict) -> String {
    let of = |class| {
        let codes = Code::ALL.into_iter().filter(|code| code.class() == class);
        codes.filter_map(|code| verdict.counts.get(code.as_str())).sum::<u64>()
    };
    let found = Class::ALL.into_iter().map(|class| (class, of(class)));
    let found = found.filter(|(_, count)| *count > 0).enumerate();
    let parts: Vec<String> = found
        .map(|(at, (class, count))| match at {
            0 => format!("{} of {class}", many(count, "finding", "findings")),
            _ => format!("{} of {class}", number(count)),
        })
        .collect();
    parts.join(", ")
}

/// For example `3 signatures of beacons were not verified, and 1 commitment of another protocol was
/// not judged`; `None` if everything was verified. `judged_before` is how many entries only an
/// earlier audit judged (section 13.5), `cached` how many files came from a cache: the log may not
/// serve them any more.
#[must_use]
pub fn passed_over(verdict: &AuditVerdict, judged_before: u64, cached: u64) -> Option<String> {
    let unverified = &verdict.unverified;
    #[rustfmt::skip]
    let parts = [
        (unverified.beacons, "signature of a beacon", "signatures of beacons", "not verified"),
        (unverified.commitments, "commitment of another protocol", "commitments of other protocols", "not judged"),
        (unverified.signatures, "signature of a contribution", "signatures of contributions", "skipped"),
    ];
    let parts = parts.into_iter().filter(|(count, ..)| *count > 0);
    let parts = parts.map(|(count, one, more, what)| {
        format!("{} {} {what}", many(count, one, more), if count == 1 { "was" } else { "were" })
    });
    let before = match judged_before {
        0 => None,
        1 => Some("the first entry was judged by an earlier audit only".to_owned()),
        count => Some(format!(
            "the first {} entries were judged by an earlier audit only",
            number(count)
        )),
    };
    let cached = (cached > 0).then(|| {
        let files = many(cached, "file", "files");
        format!("{files} came from the cache, and whether the log serves them was not seen")
    });
    let said: Vec<String> = before.into_iter().chain(parts).chain(cached).collect();
    let (last, before) = said.split_last()?;
    let and = if before.is_empty() { "" } else { ", and " };
    Some(format!("{}{and}{last}", before.join(", ")))
}

/// The facts of a log that no rule forbids and that an operator can misuse; `None` if there are none.
pub(super) fn noticed(verdict: &AuditVerdict) -> Option<String> {
    let reported = &verdict.reported;
    let voided = (reported.voided_locks > 0).then(|| {
        format!("{} voided", many(reported.voided_locks, "locked round was", "locked rounds were"))
    });
    let untied = (reported.rounds_without_committed_first > 0).then(|| {
        format!(
            "{} of {} dealt with a seed that nothing ties to the promise, and that the operator may have known or chosen",
            number(reported.rounds_without_committed_first),
            many(verdict.deals, "round was", "rounds were")
        )
    });
    let said: Vec<String> = voided.into_iter().chain(untied).collect();
    (!said.is_empty())
        .then(|| format!("No rule forbids this, but look at it: {}.", said.join("; ")))
}

/// How long the last entry is before the auditor's clock: `3 days`. `None` if it is not before it.
#[must_use]
pub fn behind(verdict: &AuditVerdict) -> Option<String> {
    let (last, clock) = verdict.last_time.zip(verdict.clock)?;
    clock.checked_sub(last).filter(|behind| *behind > 0).map(span)
}

/// A sentence on the commitments that are overdue by the auditor's clock. `None` if they are no
/// more than in the findings.
#[must_use]
pub fn overdue_by_clock(verdict: &AuditVerdict) -> Option<String> {
    let found = verdict.counts.get("overdue").copied().unwrap_or(0);
    let count = verdict.overdue_by_clock.filter(|count| *count > found)?;
    Some(format!("{} overdue by your clock", many(count, "commitment is", "commitments are")))
}
