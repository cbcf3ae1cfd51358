//! The counts: passes over the records, sorted by what they count.

use super::report::{Gap, Gaps, HabitsReport, Tally};
use super::run::{Id, Run};
use crate::dialect::Rotation;

/// A row belongs to its commitment; without one, to its seed.
fn group(run: &Run) -> Id {
    run.commitment.or(run.seed)
}

/// Writes the counts over the records into the report.
pub(super) fn sweep(runs: &mut [Run], rotation: Rotation, report: &mut HabitsReport) {
    if rotation == Rotation::Chain {
        runs.sort_unstable_by_key(|run| (run.low, run.row));
        let mut skipped = Gaps::default();
        note_gaps(runs, &mut skipped);
        report.skipped = runs.iter().any(Run::is_numbered).then_some(skipped);
    } else {
        by_commitment(runs, rotation, report);
    }
    if rotation == Rotation::EachRound {
        report.reused = Some(reused(runs));
    }
    report.doubled = doubled(runs, rotation);
}

fn by_commitment(runs: &mut [Run], rotation: Rotation, report: &mut HabitsReport) {
    let (mut commitments, mut only_nonce_0) = (0, Tally::default());
    let (mut skipped, mut never_revealed) = (Gaps::default(), Tally::default());
    runs.sort_unstable_by_key(|run| (group(run), run.low, run.row));
    for runs in runs
        .chunk_by(|one, other| group(one) == group(other))
        .filter(|runs| group(&runs[0]) != Id::NONE)
    {
        let first = runs.iter().map(|run| run.row).min().expect("a chunk has a record");
        commitments += 1;
        if runs.iter().all(|run| run.low == 0 && run.rows == 1) {
            only_nonce_0.note(first);
        }
        if runs.iter().all(|run| run.seed == Id::NONE) {
            never_revealed.note(first);
        }
        note_gaps(runs, &mut skipped);
    }
    report.never_revealed = Some(never_revealed);
    // With a seed for each round, the nonce is always 0.
    if rotation != Rotation::EachRound {
        (report.commitments, report.only_nonce_0, report.skipped) =
            (Some(commitments), Some(only_nonce_0), Some(skipped));
    }
}

/// Numbers between the records, in the order of their low ends.
fn note_gaps(runs: &[Run], gaps: &mut Gaps) {
    let mut numbered = runs.iter().filter(|run| run.is_numbered());
    let Some(first) = numbered.next() else { return };
    let mut from = first.high() + 1;
    for run in numbered {
        if run.low > from {
            gaps.note(Gap { row: run.row_of(run.low), from, to: run.low - 1 });
        }
        from = from.max(run.high() + 1);
    }
}

/// Seeds with more than one round.
fn reused(runs: &mut [Run]) -> Tally {
    runs.sort_unstable_by_key(|run| (run.seed, run.row));
    let mut tally = Tally::default();
    for runs in
        runs.chunk_by(|one, other| one.seed == other.seed).filter(|runs| runs[0].seed != Id::NONE)
    {
        let round = |run: &Run| (run.client, run.low);
        if let Some(other) = runs.iter().find(|run| round(run) != round(&runs[0])) {
            tally.note(other.row);
        }
    }
    tally
}

/// Rows of the same round as an earlier row. A round is known by its seed (while that is secret, by
/// its commitment), client and nonce; a game of a chain by its number, or else by its hash.
fn doubled(runs: &mut [Run], rotation: Rotation) -> Tally {
    let is_chain = rotation == Rotation::Chain;
    let of = |run: &Run| match run.is_numbered() {
        true if is_chain => Some((Id::NONE, 0)),
        // Without a nonce a row names no round.
        false if !is_chain => None,
        _ => Some((run.seed.or(run.commitment), run.client)).filter(|(id, _)| *id != Id::NONE),
    };
    runs.sort_unstable_by_key(|run| (of(run), run.low, run.row));
    let mut tally = Tally::default();
    for runs in
        runs.chunk_by(|one, other| of(one) == of(other)).filter(|runs| of(&runs[0]).is_some())
    {
        // Each record is compared with the one that reaches furthest so far, which holds all
        // numbers from the low end of this one to its own high end.
        let mut furthest = &runs[0];
        for run in &runs[1..] {
            if run.low <= furthest.high() {
                let again = run.high().min(furthest.high()) - run.low + 1;
                tally.note_all(again, |at| {
                    run.row_of(run.low + at).max(furthest.row_of(run.low + at))
                });
            }
            if run.high() > furthest.high() {
                furthest = run;
            }
        }
    }
    tally
}
