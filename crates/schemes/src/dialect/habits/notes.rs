//! What to look at first, in words. The words say what was counted and accuse nobody.

use super::report::{HabitNote, HabitsReport, Tally};
use crate::dialect::Rotation;

/// A share of fewer commitments says nothing.
const ENOUGH: u64 = 20;

/// The notes on what was counted. The count stands in the place of the braces.
pub(super) fn of(report: &HabitsReport, rotation: Rotation) -> Vec<HabitNote> {
    let count = |tally: Option<&Tally>| tally.map_or(0, |tally| tally.count);
    let at_will = rotation == Rotation::AtWill;
    let used = report.commitments.as_ref().filter(|all| at_will && all.count >= ENOUGH);
    let often = used.filter(|all| all.only_nonce_0_share > 0.5);
    let never_past = format!(
        "{{}} of {} commitments were used for nonce 0 and no more: with a new seed for each round results can be searched for \
         among seeds, and no round alone would show it",
        often.map_or(0, |all| all.count)
    );
    let exchanged = report.exchanged.as_ref();
    let known = report.clients.as_ref().filter(|_| at_will);
    let alarm = report.statistics.as_ref().is_some_and(|statistics| statistics.alarm);
    let counted = [
        ("never-past-nonce-0", count(often.map(|all| &all.only_nonce_0)), &*never_past),
        (
            "other-result",
            report.given_twice.other_result,
            "duplicate rounds with different results: {}",
        ),
        (
            "two-commitments",
            count(exchanged.map(|one| &one.seeds_under_two_commitments)),
            "server seeds that stand beside more than one commitment, and open one of them at most: {}",
        ),
        (
            "two-seeds",
            count(exchanged.map(|one| &one.commitments_with_two_seeds)),
            "commitments that stand beside more than one server seed, and are opened by one of them at most: {}",
        ),
        (
            "seed-used-again",
            count(report.seeds_used_again.as_ref()),
            "server seeds with several rounds, where each round should have its own: {}",
        ),
        (
            "client-seed-known",
            known.map_or(0, |clients| clients.shared_between_commitments),
            "commitments that share a client seed with another one: {}; whoever made the later of them could know it before \
             committing",
        ),
        (
            "rows-left-out",
            report.rows_left_out,
            "rows for which there was no room: {}, the last ones; what is counted here is without them",
        ),
        (
            "statistics",
            u64::from(alarm),
            "the results together are rarer than one in a hundred among fair ones: no verdict on any round, but a question",
        ),
    ];
    let note = |(code, count, says): (_, u64, &str)| HabitNote {
        code,
        says: says.replace("{}", &count.to_string()),
    };
    counted.into_iter().filter(|(_, count, _)| *count > 0).map(note).collect()
}
