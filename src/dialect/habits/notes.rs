//! What of the counts to look at first, in words: what is said is what was counted, and of nobody.

use super::report::{HabitNote, HabitsReport};
use crate::dialect::scheme::Rotation;

/// Commitments, or rows, under which a share says nothing.
const ENOUGH: u64 = 20;

/// Each code with how often it was counted, and how that is said: the number stands where the braces are.
pub(super) fn of(report: &HabitsReport, rotation: Rotation) -> Vec<HabitNote> {
    let at_will = rotation == Rotation::AtWill;
    let used = report.commitments.as_ref();
    let often = used.filter(|all| at_will && all.count >= ENOUGH && all.only_nonce_0_share > 0.5);
    let never_past = format!(
        "{{}} of {} commitments were used for nonce 0 and no more: with a new seed for each round results can be searched for \
         among seeds, and no round alone would show it",
        used.map_or(0, |all| all.count)
    );
    let exchanged = report.exchanged.as_ref();
    let known = report.clients.as_ref().filter(|_| at_will).map(|clients| clients.shared_between_commitments);
    let alarm = report.statistics.as_ref().is_some_and(|statistics| statistics.alarm);
    let table: [(&str, Option<u64>, &str); 8] = [
        ("never-past-nonce-0", often.map(|all| all.only_nonce_0.count), &never_past),
        (
            "other-result",
            Some(report.given_twice.other_result),
            "duplicate rounds with different results: {}",
        ),
        (
            "two-commitments",
            exchanged.map(|one| one.seeds_under_two_commitments.count),
            "server seeds that stand beside more than one commitment, and open one of them at most: {}",
        ),
        (
            "two-seeds",
            exchanged.map(|one| one.commitments_with_two_seeds.count),
            "commitments that stand beside more than one server seed, and are opened by one of them at most: {}",
        ),
        (
            "seed-used-again",
            report.seeds_used_again.as_ref().map(|again| again.count),
            "server seeds with several rounds, where each round should have its own: {}",
        ),
        (
            "client-seed-known",
            known,
            "commitments that share a client seed with another one: {}; whoever made the later of them could know it before \
             committing",
        ),
        (
            "rows-left-out",
            Some(report.rows_left_out),
            "rows for which there was no room: {}, the last ones; what is counted here is without them",
        ),
        (
            "statistics",
            Some(u64::from(alarm)),
            "the results together are rarer than one in a hundred among fair ones: no verdict on any round, but a question",
        ),
    ];
    let counted =
        table.into_iter().filter_map(|(code, count, says)| Some((code, count.filter(|one| *one > 0)?, says)));
    counted
        .map(|(code, count, says)| HabitNote { code, says: says.replace("{}", &count.to_string()) })
        .collect()
}
