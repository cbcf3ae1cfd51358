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
    let two_commitments = exchanged.map(|one| &one.seeds_under_two_commitments);
    let two_seeds = exchanged.map(|one| &one.commitments_with_two_seeds);
    let two_seeds_says =
        "commitments that stand beside more than one server seed, and are opened by one of them at most: {}";
    let known = report.clients.as_ref().filter(|_| at_will);
    let alarm = report.statistics.as_ref().is_some_and(|statistics| statistics.alarm);
    let alarm_says = "the results together are rarer than one in a hundred among fair ones: no verdict on any round, but a question";
    let mut notes = Vec::new();
    let mut note = |code, count: u64, says: &str| {
        if count > 0 {
            notes.push(HabitNote { code, says: says.replace("{}", &count.to_string()) });
        }
    };
    note("never-past-nonce-0", count(often.map(|all| &all.only_nonce_0)), &never_past);
    note("other-result", report.given_twice.other_result, "duplicate rounds with different results: {}");
    note(
        "two-commitments",
        count(two_commitments),
        "server seeds that stand beside more than one commitment, and open one of them at most: {}",
    );
    note("two-seeds", count(two_seeds), two_seeds_says);
    note(
        "seed-used-again",
        count(report.seeds_used_again.as_ref()),
        "server seeds with several rounds, where each round should have its own: {}",
    );
    note(
        "client-seed-known",
        known.map_or(0, |clients| clients.shared_between_commitments),
        "commitments that share a client seed with another one: {}; whoever made the later of them could know it before \
         committing",
    );
    note(
        "rows-left-out",
        report.rows_left_out,
        "rows for which there was no room: {}, the last ones; what is counted here is without them",
    );
    note("statistics", u64::from(alarm), alarm_says);
    notes
}
